import { isObject, type JsonObject } from "../isObject.ts"
import { listedRows } from "../results/ListedRows.ts"
import { filterOf, filtersOf } from "./ListPaging.ts"
import type { LearnedResults } from "./LearnedResults.ts"
import { nameWords } from "./nameWords.ts"
import {
  type Members,
  membersOfRows,
  optionMembers,
  type OptionMembers,
  singularWords,
  subjectOf
} from "./OptionMembers.ts"
import { rowMembers, type SchemaField, typesOf } from "./SchemaFields.ts"
import type { Tool } from "./Tool.ts"

/** What the configuration, or the server in its schema, says of where the values of a field come from. */
export interface OptionsHint extends OptionMembers {
  /** The tool that lists them. */
  readonly from: string
  /** Its argument that searches. */
  readonly search?: string
}

/** Where the values of a field come from, as the page of its tool needs it. */
export interface FieldOptions extends OptionsHint {
  /** The list gives nothing until something is searched for. */
  readonly mustSearch?: true
  /** Arguments that the list needs, and that have the value of the field of that name. */
  readonly scope: ReadonlyArray<string>
  /** Of the arguments of `from`, those that ask for a page. */
  readonly paging: JsonObject
  /** What told it. */
  readonly by: "configuration" | "hint" | "name" | "members" | "results"
}

/** What is known of the tools of one server. */
export interface OptionFacts {
  /** `generation.tools.<name>.fields.<field>`; `false`: its values come from nowhere. */
  readonly hintOf: (toolName: string, path: string) => OptionsHint | false | undefined
  readonly learned: (toolName: string) => LearnedResults
}

const LISTING = ["list", "search", "browse", "query", "index", "get", "find", "fetch", "read", "show", "lookup", "all"]
const ASIDE = /^(?:all|a|an|the|my|available|active|existing|of)$/
const ENDS = /^(?:by|for|in|from|with)$/
const CREATING = /^(?:create|add|insert|new|make|register)$/
/** A tool with such a word in its name does more than to list, or with several things. */
const ACTING =
  /^(?:add|and|append|apply|bulk|cancel|clear|close|copy|count|create|delete|disable|edit|enable|execute|export|generate|import|insert|make|merge|move|new|patch|put|register|remove|rename|replace|run|send|set|start|stop|submit|sync|toggle|update|upload|upsert|write)$/
/** People by what they do. */
const ROLE = /^(?:assignee|author|creator|manager|owner|reporter|reviewer)$/
const PEOPLE = new Set(["user", "member", "person", "people", "employee", "account"])
/** Names of a member that says which thing it is, without naming it. */
const OWN_KEY = /^(?:g?id|[gu]uid|key|slug|number|identifier)$/
/** What is of such a format is typed or picked otherwise. */
const OTHER_FORMAT = /^(?:date|time|date-time|duration|uri|url|email|password|byte|binary|base64|data-ur[il]|regex)$/

/** A tool that lists things. */
interface List {
  readonly tool: Tool
  readonly subject: string
  /** How usual its name is for a list; the least is best. */
  readonly rank: number
  readonly required: ReadonlyArray<string>
  readonly search: string | undefined
}

const propertiesOf = ({ inputSchema }: Tool): JsonObject =>
  isObject(inputSchema) && isObject(inputSchema.properties) ? inputSchema.properties : {}

const requiredOf = ({ inputSchema }: Tool): ReadonlyArray<string> =>
  isObject(inputSchema) && Array.isArray(inputSchema.required)
    ? inputSchema.required.filter((name) => typeof name === "string")
    : []

const annotationOf = ({ annotations }: Tool, name: string): unknown =>
  isObject(annotations) ? annotations[name] : undefined

/** What the page needs of the schema of an argument that pages a list. */
const bounds = (schema: unknown): JsonObject => {
  const { default: first, maximum, minimum, type } = isObject(schema) ? schema : {}
  return { type, default: first, minimum, maximum }
}

/** The words of a tool's name that say what it is about: `list_open_issues_by_label` → open, issues. */
const thingsOf = (words: ReadonlyArray<string>): ReadonlyArray<string> => {
  const end = words.findIndex((word, at) => at > 0 && ENDS.test(word))
  const verb = words.find((word) => LISTING.includes(word) || ACTING.test(word))
  return (end === -1 ? words : words.slice(0, end)).filter((word) => word !== verb && !ASIDE.test(word))
}

const listOf = (tool: Tool, words: ReadonlyArray<string>): List | undefined => {
  const verb = words.find((word) => LISTING.includes(word))
  if (verb === undefined || words.some((word) => ACTING.test(word))) return undefined
  if (annotationOf(tool, "readOnlyHint") === false) return undefined
  const things = thingsOf(words)
  const subject = singularWords(things.join(" "))
  const last = things.at(-1)
  const isPlural = last !== undefined && (subject.at(-1) !== last || words.includes("all"))
  if (last === undefined || (LISTING.indexOf(verb) > 4 && !isPlural)) return undefined
  return {
    tool,
    subject: subject.join(" "),
    rank: LISTING.indexOf(verb) * 100 + words.length,
    required: requiredOf(tool),
    search: filtersOf(tool.inputSchema).search
  }
}

/** 0: another thing. */
const likeness = (noun: string, subject: string): number => {
  if (noun === "" || subject === "") return 0
  if (noun === subject) return 4
  if (` ${noun}`.endsWith(` ${subject}`)) return 3
  return ` ${subject}`.endsWith(` ${noun}`) ? 2 : 0
}

const rowsSeen = ({ results }: LearnedResults): ReadonlyArray<unknown> =>
  results.flatMap(({ data }) => listedRows(data)?.rows ?? [])

/** What is so particular that two places which have it speak of the same thing. */
const isTelling = (value: unknown): boolean =>
  typeof value === "string" ? value.length >= 3 : typeof value === "number" && value >= 1000

const valuesAt = (value: unknown, path: ReadonlyArray<string>): ReadonlyArray<unknown> => {
  if (Array.isArray(value)) return value.flatMap((item) => valuesAt(item, path))
  const [name, ...below] = path
  if (name === undefined) return value === undefined ? [] : [value]
  return isObject(value) ? valuesAt(value[name], below) : []
}

/** Hints of schemas: ours, and those of Microsoft's connectors. */
const schemaHint = ({ schema, whole }: SchemaField): OptionsHint | undefined => {
  const told = whole["x-options"] ?? schema["x-options"]
  if (typeof told === "string") return { from: told }
  const microsoft = [whole, schema].flatMap((one) => [one["x-ms-dynamic-values"], one["x-ms-dynamic-list"]])
  for (const hint of [told, ...microsoft]) {
    if (!isObject(hint)) continue
    const text = (...names: ReadonlyArray<string>): string | undefined =>
      names.map((name) => hint[name]).find((value) => typeof value === "string")
    const from = text("from", "operationId")
    if (from === undefined) continue
    const value = text("value", "value-path", "itemValuePath")
    const label = text("label", "value-title", "itemTitlePath")
    const [search, color] = [text("search"), text("color")]
    return {
      from,
      ...(value && { value }),
      ...(label && { label }),
      ...(search && { search }),
      ...(color && { color })
    }
  }
  return undefined
}

/**
 * Which fields of a tool take values that another tool lists, by the paths of the fields. In this order it counts what
 * the configuration says, what the schema says, the names (`location_id` and `list_locations`), a member of rows that has
 * the name of the field, and values that were seen in both places. A list counts only if a page may call it and it says
 * nowhere that it changes something.
 */
export const makeFieldOptions = (tools: ReadonlyArray<Tool>, { hintOf, learned }: OptionFacts) => {
  const [first] = tools.map(({ name }) => nameWords(name)[0])
  const hasPrefix = tools.length > 2 && tools.every(({ name }) => nameWords(name)[0] === first)
  /** Without the name of the server that all of them begin with. */
  const wordsOf = ({ name }: Tool): ReadonlyArray<string> => nameWords(name).slice(hasPrefix ? 1 : 0)
  let known: ReadonlyArray<List> | undefined
  const lists = (): ReadonlyArray<List> => (known ??= tools.flatMap((tool) => listOf(tool, wordsOf(tool)) ?? []))

  const promises = new Map<Tool, Members | undefined>()

  const membersOf = (tool: Tool): Members | undefined => {
    const { name, outputSchema } = tool
    if (!promises.has(tool)) promises.set(tool, rowMembers(outputSchema))
    const promised = promises.get(tool)
    if (promised !== undefined) return promised
    const rows = rowsSeen(learned(name))
    return rows.some(isObject) ? membersOfRows(rows) : undefined
  }

  const optionsFrom = (
    tool: Tool,
    field: SchemaField,
    list: Tool,
    hint: OptionMembers & { readonly search?: string },
    by: FieldOptions["by"]
  ): FieldOptions | undefined => {
    const search = hint.search ?? filtersOf(list.inputSchema).search
    const own = propertiesOf(tool)
    const scope = requiredOf(list).filter((name) => name !== search)
    if (!tool.callable.includes(list.name)) return undefined
    if (scope.some((name) => name === field.name || !(name in own))) return undefined
    const members = membersOf(list)
    const isNumber = typesOf(field.schema).every((type) => type === "integer" || type === "number")
    const found = members === undefined ? hint : optionMembers(members, { name: field.name, isNumber }, hint)
    const isGuess = by !== "configuration" && by !== "hint"
    if (isGuess && members !== undefined && found.value === undefined) return undefined
    const others = filterOf(propertiesOf(list))
    const paging = Object.entries(propertiesOf(list)).filter(
      ([name, schema]) => !(name in others) && isObject(schema) && !("enum" in schema)
    )
    return {
      from: list.name,
      ...(search === undefined ? {} : { search }),
      ...(search !== undefined && requiredOf(list).includes(search) ? { mustSearch: true } : {}),
      ...found,
      scope,
      paging: Object.fromEntries(paging.map(([name, schema]) => [name, bounds(schema)])),
      by
    }
  }

  /** Hints of connectors have names in another spelling. */
  const named = (name: string): Tool | undefined =>
    tools.find((one) => one.name === name) ?? tools.find((one) => nameWords(one.name).join() === nameWords(name).join())

  const byName = (tool: Tool, field: SchemaField): FieldOptions | undefined => {
    const words = wordsOf(tool)
    const own = singularWords(thingsOf(words).join(" ")).join(" ")
    const { key, noun } = subjectOf(field.name)
    const isCreating = words.some((word) => CREATING.test(word))
    /** `id` alone is that of the thing that the tool is about. */
    const isOwn = noun.length === 0 && key !== undefined && OWN_KEY.test(key)
    const thing = isOwn ? own : noun.join(" ")
    const last = noun.at(-1) ?? ""
    const likenessOf = ({ subject }: List): number => {
      if (isCreating && !field.isMany && subject === own && thing === own) return 0
      const direct = likeness(thing, subject)
      if (direct > 0) return key === undefined && direct < 4 ? 0 : direct
      return ROLE.test(last) && (key !== undefined || last === "assignee") && PEOPLE.has(subject) ? 1 : 0
    }
    return lists()
      .filter((list) => list.tool !== tool)
      .map((list) => ({ list, like: likenessOf(list) }))
      .filter(({ like }) => like > 0)
      .toSorted((a, b) => b.like - a.like || a.list.rank - b.list.rank)
      .map(({ list }) => optionsFrom(tool, field, list.tool, {}, "name"))
      .find((options) => options !== undefined)
  }

  /** Only one list may have it: a member of that name elsewhere refers to the same thing. */
  const only = <A>(found: ReadonlyArray<A>): A | undefined => (found.length === 1 ? found[0] : undefined)

  const byMembers = (tool: Tool, field: SchemaField): FieldOptions | undefined => {
    if (subjectOf(field.name).key === undefined || subjectOf(field.name).noun.length === 0) return undefined
    const found = lists().filter((list) => {
      const members = list.tool === tool ? undefined : membersOf(list.tool)
      return members?.has(field.name) === true && !members.has("id")
    })
    const list = only(found)
    return list && optionsFrom(tool, field, list.tool, { value: field.name }, "members")
  }

  const byResults = (tool: Tool, field: SchemaField): FieldOptions | undefined => {
    const values = learned(tool.name).results.flatMap(({ args }) => valuesAt(args, field.path.split(".")))
    if (values.length === 0 || !values.every(isTelling)) return undefined
    const found = lists().flatMap((list) => {
      const rows = list.tool === tool ? [] : rowsSeen(learned(list.tool.name)).filter(isObject)
      const members = [...membersOfRows(rows).keys()]
      const value = members.find((name) => values.every((value) => rows.some((row) => row[name] === value)))
      return value === undefined ? [] : [{ list, value }]
    })
    const match = only(found)
    return match && optionsFrom(tool, field, match.list.tool, { value: match.value }, "results")
  }

  const optionsOf = (tool: Tool, field: SchemaField): FieldOptions | undefined => {
    const configured = hintOf(tool.name, field.path)
    if (configured === false) return undefined
    const hint = configured ?? schemaHint(field)
    if (hint !== undefined) {
      const list = named(hint.from)
      const { from: _, ...members } = hint
      return list && optionsFrom(tool, field, list, members, configured === undefined ? "hint" : "configuration")
    }
    const { format } = field.schema
    const types = typesOf(field.schema)
    const isOpen = types.length > 0 && types.every((type) => /^(?:string|integer|number)$/.test(String(type)))
    if (!isOpen || "enum" in field.schema || "const" in field.schema) return undefined
    if (typeof format === "string" && OTHER_FORMAT.test(format)) return undefined
    return byName(tool, field) ?? byMembers(tool, field) ?? byResults(tool, field)
  }

  return (tool: Tool, fields: ReadonlyArray<SchemaField>): Readonly<Record<string, FieldOptions>> =>
    Object.fromEntries(
      fields.flatMap((field) => {
        const options = optionsOf(tool, field)
        return options === undefined ? [] : [[field.path, options]]
      })
    )
}
