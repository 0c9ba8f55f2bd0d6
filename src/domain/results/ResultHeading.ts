import { spaced } from "../labelOf.ts"
import type { ResultShape } from "./ResultShape.ts"

const verbs =
  /^(get|list|fetch|find|search|read|query|show|all|retrieve|lookup|load|browse|view|describe|run|execute|select|mcp|api)$/i
const vague =
  /^(rows?|data|results?|items?|list|records?|values?|entries|structured|content|children|output|response|objects?|hits)$/i

const wordsOf = (name: string): ReadonlyArray<string> =>
  spaced(name)
    .split(/[\s_.\-/]+/)
    .filter((word) => word !== "")
    .map((word) => word.toLowerCase())

/** The last word of a name, when it names several things: "list_open_issues" tells of issues. */
const nounIn = (name: string): string | undefined => {
  const words = wordsOf(name).filter((word) => !verbs.test(word))
  const last = words.at(-1)
  return last !== undefined &&
    /[^s]s$/.test(last) &&
    !vague.test(last) &&
    !/(status|address|news|series|process|canvas)$/.test(last)
    ? last
    : undefined
}

/** What a list is of, in the words of its member or of the tool: "tasks". */
export const nounOf = (shape: ResultShape, toolName: string): string | undefined => {
  const path = shape.records?.path ?? []
  return nounIn(path.at(-1) ?? "") ?? nounIn(toolName)
}
