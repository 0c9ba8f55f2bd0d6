import { isObject } from "../isObject.ts"
import { nameWords, singular } from "./nameWords.ts"
import { PROMPT_LIMITS } from "./PromptLimits.ts"
import { cutText, oneLine } from "./PromptText.ts"
import type { Tool } from "./Tool.ts"

/** Up to this many tools, every tool is related to all others. */
const SMALL_SERVER = 8
/** A word in more tools than these says nothing; on larger servers a third may share it. */
const COMMON_FROM = 12
const NAME_WORDS = 12
/** On servers with more tools, only this many are compared with each one: those that share its rarest words. */
const LARGE_SERVER = 1000
const MAX_SHARING = 100

/** What a tool does, not what it is about. */
const VERBS: ReadonlySet<string> = new Set(
  `
  add all append apply by call cancel check clear close copy count create delete describe disable do download
  edit enable execute fetch filter find for from generate get in insert is list load lookup make many
  move of open patch put read remove rename replace run save search send set show start stop submit
  sync the to toggle update upload upsert validate view watch with write
  `.split(/\s+/)
)

/** What a tool is about, by its name: `listOpenIssues` → open, issue. */
const subjectsOf = (name: string): ReadonlySet<string> => {
  const words = nameWords(name).filter((word) => !VERBS.has(word))
  return new Set(words.slice(0, NAME_WORDS).map(singular))
}

/** Who may call the tool (MCP Apps, `_meta.ui.visibility`, by default `["model", "app"]`). */
const isFor = (tool: Tool, caller: "model" | "app"): boolean => {
  const meta = isObject(tool.definition._meta) ? tool.definition._meta : undefined
  const visibility = isObject(meta?.ui) ? meta.ui.visibility : undefined
  return !Array.isArray(visibility) || visibility.includes(caller)
}

/** Whether the host lets pages call the tool. */
export const isForPages = (tool: Tool): boolean => isFor(tool, "app")

/** Whether a model may call the tool. Nobody looks at the result of one that only pages call. */
export const isForModels = (tool: Tool): boolean => isFor(tool, "model")

/** A name that fits on a line unchanged: a page could not call the tool by a changed name. */
const isPlainName = (name: string): boolean => name.length <= PROMPT_LIMITS.name && oneLine(name) === name

const signatureOf = (tool: Tool): string => {
  const schema = isObject(tool.inputSchema) ? tool.inputSchema : {}
  const properties = isObject(schema.properties) ? Object.keys(schema.properties) : []
  const required: ReadonlyArray<unknown> = Array.isArray(schema.required) ? schema.required : []
  const isRequired = (name: string): boolean => required.slice(0, 100).includes(name)
  const ordered = properties.slice(0, 100).toSorted((a, b) => Number(isRequired(b)) - Number(isRequired(a)))
  const shown = ordered.slice(0, PROMPT_LIMITS.relatedArguments).map((name) => {
    return `${cutText(oneLine(name), PROMPT_LIMITS.argument)}${isRequired(name) ? "" : "?"}`
  })
  return `${tool.name}(${[...shown, ...(properties.length > shown.length ? ["…"] : [])].join(", ")})`
}

/** Indexes of the best few, best first; among equals, in the server's order. */
const bestOf = (scores: ReadonlyMap<number, number>, count: number): ReadonlyArray<number> => {
  const best: Array<readonly [index: number, score: number]> = []
  for (const [index, score] of scores) {
    const isBehind = (other: readonly [number, number] | undefined): boolean =>
      other !== undefined && (other[1] > score || (other[1] === score && other[0] < index))
    if (best.length === count && isBehind(best.at(-1))) continue
    let at = best.length
    while (at > 0 && !isBehind(best[at - 1])) at -= 1
    best.splice(at, 0, [index, score])
    if (best.length > count) best.pop()
  }
  return best.map(([index]) => index)
}

/**
 * The tools of one server with what their pages may call. `callable` is one list for all. `related` has the signatures
 * of at most eight tools that share rare words of the name, best first; verbs do not count, singular and plural are
 * one. Servers with up to eight tools list all others. Neither has tools that only the model may call; `related` leaves
 * out names that do not fit on a line unchanged.
 */
export const relateTools = (tools: ReadonlyArray<Tool>): ReadonlyArray<Tool> => {
  const forPages = tools.map(isForPages)
  const callable = tools.filter((_, index) => forPages[index]).map((tool) => tool.name)
  const readOnly = tools.flatMap((tool, index) =>
    forPages[index] === true && isObject(tool.annotations) && tool.annotations.readOnlyHint === true ? [tool.name] : []
  )
  const subjects = tools.map((tool) => subjectsOf(tool.name))
  const named = tools.map((tool, index) => forPages[index] === true && isPlainName(tool.name))
  const holders = new Map<string, Array<number>>()
  subjects.forEach((words, index) => {
    for (const word of words) {
      const sharing = holders.get(word)
      if (sharing === undefined) holders.set(word, [index])
      else sharing.push(index)
    }
  })
  const commonFrom = Math.max(COMMON_FROM, tools.length / 3)
  const isSmall = tools.length <= SMALL_SERVER

  const scoresFor = (index: number): ReadonlyMap<number, number> => {
    const scores = new Map<number, number>(isSmall ? tools.map((_, other) => [other, 0]) : [])
    const sharings = [...(subjects[index] ?? [])].map((word) => holders.get(word) ?? [])
    let left = tools.length > LARGE_SERVER ? MAX_SHARING : Number.POSITIVE_INFINITY
    for (const sharing of sharings.toSorted((a, b) => a.length - b.length)) {
      left -= sharing.length
      if (sharing.length > commonFrom || left < 0) break
      const weight = Math.log(1 + tools.length / sharing.length)
      for (const other of sharing) scores.set(other, (scores.get(other) ?? 0) + weight)
    }
    for (const other of scores.keys()) if (other === index || named[other] !== true) scores.delete(other)
    return scores
  }

  const signatures = new Map<number, string>()
  const signature = (index: number): ReadonlyArray<string> => {
    const tool = tools[index]
    if (tool === undefined) return []
    const known = signatures.get(index) ?? signatureOf(tool)
    signatures.set(index, known)
    return [known]
  }

  return tools.map((tool, index) => ({
    ...tool,
    readOnly,
    // A getter, because stored lists would have tools times hidden tools entries.
    get callable() {
      return forPages[index] === true ? callable : [...callable, tool.name]
    },
    related: bestOf(scoresFor(index), PROMPT_LIMITS.related).flatMap(signature)
  }))
}
