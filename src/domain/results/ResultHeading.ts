import { labelOf, spaced } from "../labelOf.ts"
import { formOfRows } from "./ResultForm.ts"
import type { ResultShape } from "./ResultShape.ts"

const verbs =
  /^(get|list|fetch|find|search|read|query|show|all|retrieve|lookup|load|browse|view|describe|run|execute|select|mcp|api)$/
const joints = /^(with|by|from|in|for|of|to|and|on|at|as|via|using)$/
const vague =
  /^(rows?|data|results?|items?|list|records?|values?|entries|structured|content|children|output|response|objects?|hits)$/

/** What a name is about: "list_open_issues_by_label" is about open issues. */
const topicOf = (name: string): ReadonlyArray<string> => {
  const words = spaced(name)
    .toLowerCase()
    .split(/[\s_./-]/)
    .filter((word) => word !== "")
  const end = words.findIndex((word, at) => at > 0 && joints.test(word))
  return words.slice(0, end === -1 ? undefined : end).filter((word) => !verbs.test(word))
}

const nounIn = (name: string): string | undefined => {
  const last = topicOf(name).at(-1)
  return last !== undefined &&
    /\w{2}[^s]s$/.test(last) &&
    !vague.test(last) &&
    !/(status|address|news|series|process|canvas)$/.test(last)
    ? last
    : undefined
}

/** What a list is of, in the words of its member or of the tool: "tasks". */
export const nounOf = (shape: ResultShape, toolName: string): string | undefined => {
  const { columns = [], path = [], rows = [] } = shape.records ?? {}
  const noun = nounIn(path.at(-1) ?? "") ?? nounIn(toolName)
  if (noun !== undefined || formOfRows(rows, columns, false) !== "files") return noun
  return rows.some(({ type }) => String(type).startsWith("dir")) ? "items" : "files"
}

/** What a result says in a few words: "8 commits", "Weather in New York"; `undefined` where only the tool's name tells. */
export const headingOf = (
  shape: ResultShape,
  toolName: string,
  args: Readonly<Record<string, unknown>>,
  written: (count: number) => string
): string | undefined => {
  if (shape.isError || shape.data === undefined) return undefined
  const count = shape.records?.rows.length ?? 0
  const noun = count > 1 ? nounOf(shape, toolName) : undefined
  if (noun !== undefined) return `${written(count)} ${noun}`
  const place = args.city ?? args.location ?? args.place
  const topic = topicOf(toolName).join(" ")
  return typeof place === "string" && place !== "" && place.length <= 40 && topic !== ""
    ? `${labelOf(topic)} in ${place}`
    : undefined
}
