import { isObject } from "../isObject.ts"
import { nameWords, singular } from "./nameWords.ts"
import { isForPages } from "./RelatedTools.ts"
import type { Tool } from "./Tool.ts"

/** A tool that does one thing with a record, as a page calls it. */
export interface RecordTool {
  readonly name: string
  /** The argument that says which record; `create` has none. */
  readonly id?: string
  /** The argument takes a list of them. */
  readonly many?: true
  /** The argument takes text, also where the record has a number. */
  readonly isText?: true
  /** Arguments that say where the record is, and take the value that the list was asked with. */
  readonly scope: ReadonlyArray<string>
  /** Of `create` and `update`, for their forms. */
  readonly inputSchema?: unknown
  readonly annotations?: unknown
}

/** What other tools do with the records that a tool lists. */
export interface ToolRecords {
  /** One of them, in words: "customer". */
  readonly noun: string
  /** The member of a row that says which record it is, if the configuration names it. */
  readonly id?: string
  readonly get?: RecordTool
  readonly create?: RecordTool
  readonly update?: RecordTool
  readonly delete?: RecordTool
}

const DEEDS = ["get", "create", "update", "delete"] as const
type Deed = (typeof DEEDS)[number]

/** `generation.tools.<name>.records`: names of tools, `false` for none; what is not told goes by rule. */
export type RecordsHint = false | ({ readonly id?: string } & { readonly [Of in Deed]?: string | false })

/** By deed, the usual one first. The verbs of `get` also list. */
const VERBS: Readonly<Record<Deed | "list", ReadonlyArray<string>>> = {
  list: ["list", "search", "browse", "query", "index"],
  get: ["get", "read", "fetch", "retrieve", "describe", "show", "view", "find", "lookup", "load", "select"],
  create: ["create", "add", "insert", "new", "make", "register"],
  update: ["update", "edit", "modify", "patch", "change"],
  delete: ["delete", "remove", "destroy", "drop", "erase"]
}
const DEED_OF = new Map(Object.entries(VERBS).flatMap(([deed, verbs]) => verbs.map((verb) => [verb, deed] as const)))

/** What a name may say of a thing without being about another one. */
const NOISE: ReadonlySet<string> = new Set(["a", "all", "an", "by", "detail", "details", "id", "info", "the"])
/** Tools of one thing that are looked at. */
const MAX_GROUP = 30
/** A tool with such a word before its verb, or with several records at once, does something else. */
const ACTS: ReadonlySet<string> = new Set(
  "as archive assign approve batch bulk cancel close copy disable download enable execute export generate import mark move multiple open publish replace run send set start stop submit sync upload".split(
    " "
  )
)
/** What names one of many things, where nothing ends in "id". */
const KEY = /^(?:gid|uuid|guid|sid|key|slug|number|identifier|name|path|code|sku|email)$/
const KEYS = /^(?:ids|gids|uuids|guids|sids|keys|slugs|numbers|identifiers|names|paths|codes|skus|emails)$/
/** Optional arguments that say where a record is. */
const PLACES = /(?:^| )(?:id|gid|key|slug|account|workspace|project|organization|owner|repo|repository|database)$/

interface NamedTool {
  readonly tool: Tool
  readonly deed: string
  /** How usual its name is for the deed; the least is taken. */
  readonly rank: number
  readonly isPlural: boolean
  /** The same for all tools of one thing, whatever they do with it. */
  readonly subject: string
  readonly noun: string
}

const membersOf = (tool: Tool): Readonly<Record<string, unknown>> =>
  isObject(tool.inputSchema) && isObject(tool.inputSchema.properties) ? tool.inputSchema.properties : {}

const requiredOf = ({ inputSchema }: Tool): ReadonlyArray<string> =>
  isObject(inputSchema) && Array.isArray(inputSchema.required)
    ? inputSchema.required.filter((name): name is string => typeof name === "string")
    : []

const isList = (schema: unknown): boolean => isObject(schema) && schema.type === "array"
const isText = (schema: unknown): boolean => isObject(schema) && schema.type === "string"
const isScalar = (schema: unknown): boolean =>
  !isObject(schema) || !["array", "object", "boolean"].includes(String(schema.type))

/** The required argument that names one record of the kind; a list of them only where `takesMany`. */
const idOf = (tool: Tool, noun: string, takesMany: boolean): string | undefined => {
  const things = [noun, noun.split(" ").at(-1) ?? noun]
  /** "id" of "customer id". */
  const ownWord = (words: string): string => {
    const thing = things.find((one) => words.startsWith(`${one} `))
    return thing === undefined ? "" : words.slice(thing.length + 1)
  }
  const ranks: ReadonlyArray<(words: string) => boolean> = [
    (words) => ownWord(words) === "id",
    (words) => words === "id",
    (words) => KEY.test(ownWord(words)),
    (words) => KEY.test(words),
    (words) => things.includes(words),
    (words) => takesMany && (KEYS.test(words) || KEYS.test(ownWord(words)))
  ]
  const members = membersOf(tool)
  const names = requiredOf(tool).filter((name) => isScalar(members[name]) || (takesMany && isList(members[name])))
  return ranks.map((isIt) => names.find((name) => isIt(nameWords(name).join(" ")))).find((name) => name !== undefined)
}

const readName = (tool: Tool, sharedWord: string | undefined): NamedTool | undefined => {
  const words = nameWords(tool.name)
  const at = words.findIndex((word) => DEED_OF.has(word))
  const verb = words[at]
  if (verb === undefined || words.slice(0, at).some((word) => ACTS.has(word)) || words.includes("multiple"))
    return undefined
  const about = (some: ReadonlyArray<string>): ReadonlyArray<string> => some.filter((word) => !NOISE.has(word))
  const before = about(words.slice(0, at))
  const after = about(words.slice(at + 1))
  const things = after.length > 0 ? after : before.slice(before.length > 1 && before[0] === sharedWord ? 1 : 0)
  if (things.length === 0) return undefined
  const last = things.at(-1) ?? ""
  const noun = [...things.slice(0, -1), singular(last)].join(" ")
  const told = DEED_OF.get(verb) ?? ""
  const isPlural = words.includes("all") || singular(last) !== last
  const deed = told === "get" && isPlural && idOf(tool, noun, false) === undefined ? "list" : told
  return {
    tool,
    deed,
    rank:
      (Object.entries(VERBS)
        .find(([of]) => of === told)?.[1]
        .indexOf(verb) ?? 0) *
        100 +
      words.length,
    isPlural,
    subject: [...before, ...after].map(singular).join(" "),
    noun
  }
}

/** The tool as a page calls it for the records of `list`; `undefined` where it needs what the list does not know. */
const recordTool = (deed: Deed, tool: Tool, list: Tool, noun: string, isTold: boolean): RecordTool | undefined => {
  const members = membersOf(tool)
  const required = requiredOf(tool)
  const found = deed === "create" ? undefined : idOf(tool, noun, deed === "delete")
  const [only, ...more] = required.filter((name) => !(name in membersOf(list)))
  const id = found ?? (isTold && deed !== "create" && more.length === 0 ? only : undefined)
  if (id === undefined && deed !== "create") return undefined
  const shared = Object.keys(membersOf(list)).filter((name) => name !== id && name in members)
  const scope = shared.filter(
    (name) => required.includes(name) || (deed !== "update" && PLACES.test(nameWords(name).join(" ")))
  )
  const schema = members[id ?? ""]
  const hasForm = deed === "create" || deed === "update"
  if (!hasForm && required.some((name) => name !== id && !scope.includes(name))) return undefined
  return {
    name: tool.name,
    ...(id === undefined ? {} : { id }),
    ...(isList(schema) ? { many: true } : {}),
    ...(isText(isList(schema) ? Object(schema).items : schema) ? { isText: true } : {}),
    scope,
    ...(hasForm ? { inputSchema: tool.inputSchema } : {}),
    ...(tool.annotations === undefined ? {} : { annotations: tool.annotations })
  }
}

/**
 * Which tools get, create, update and delete what a tool lists, by the names of tools that list things. Read from names
 * (`list_customers`, `getCustomer`, `customer-delete`) and schemas: a tool counts only if its required arguments are one
 * that names the record, and such as the list has too. `hintOf` is what the configuration says.
 */
export const recordsOfTools = (
  tools: ReadonlyArray<Tool>,
  hintOf: (toolName: string) => RecordsHint | undefined
): ReadonlyMap<string, ToolRecords> => {
  const callable = tools.filter(isForPages)
  const [first] = callable.map(({ name }) => nameWords(name)[0])
  const sharedWord = callable.every(({ name }) => nameWords(name)[0] === first) ? first : undefined
  const read = callable.flatMap((tool) => readName(tool, sharedWord) ?? [])
  const groups = Map.groupBy(read, ({ subject }) => subject)

  const recordsOf = (list: NamedTool | undefined, tool: Tool): ToolRecords | undefined => {
    const hint = hintOf(tool.name)
    if (hint === false || (hint === undefined && list?.deed !== "list")) return undefined
    const noun = list?.noun ?? "record"
    const group = (groups.get(list?.subject ?? "") ?? []).slice(0, MAX_GROUP)
    const found = DEEDS.flatMap((deed) => {
      const told = hint?.[deed]
      if (told === false) return []
      const candidates =
        told === undefined
          ? group.filter((one) => one.deed === deed && one.tool !== tool).toSorted((a, b) => a.rank - b.rank)
          : callable.filter(({ name }) => name === told).map((one) => ({ tool: one }))
      const made = candidates
        .map((one) => recordTool(deed, one.tool, tool, noun, told !== undefined))
        .find((one) => one !== undefined)
      return made === undefined ? [] : [[deed, made] as const]
    })
    if (found.length === 0) return undefined
    return { noun, ...(hint?.id === undefined ? {} : { id: hint.id }), ...Object.fromEntries(found) }
  }

  const named = new Map(read.map((one) => [one.tool, one]))
  return new Map(
    callable.flatMap((tool) => {
      const records = recordsOf(named.get(tool), tool)
      return records === undefined ? [] : [[tool.name, records] as const]
    })
  )
}
