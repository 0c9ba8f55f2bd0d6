import { isObject } from "../../isObject.ts"
import { exampleParts } from "../../tools/exampleParts.ts"
import type { LearnedResults } from "../../tools/LearnedResults.ts"
import type { Tool } from "../../tools/Tool.ts"
import { exampleArguments, exampleValue } from "./exampleValue.ts"

/** A `CallToolResult` (MCP specification, "Tools"), as far as a saved page needs it. */
interface RecordedResult {
  readonly content: ReadonlyArray<{ readonly type: "text"; readonly text: string }>
  readonly structuredContent?: Readonly<Record<string, unknown>>
}

interface RecordedCall {
  readonly args: Readonly<Record<string, unknown>>
  readonly result: RecordedResult
}

/** The calls of its tool that a saved page can show. It opens with the first one. */
export interface RecordedPage {
  readonly toolName: string
  /** `example`: made up, because no call was seen. */
  readonly origin: "calls" | "example"
  readonly calls: ReadonlyArray<RecordedCall>
}

/** The element that holds a {@link RecordedPage}. */
export const RECORDED_ELEMENT_ID = "mcp-gen-ui-recorded"

/** How a sample notes that items were left out; the note is not data. */
const LEFT_OUT = /^… \d+ more$/u

const withoutNotes = (value: unknown): unknown => {
  if (Array.isArray(value)) {
    const last: unknown = value.at(-1)
    const isCut = value.length > 1 && typeof last === "string" && LEFT_OUT.test(last)
    return (isCut ? value.slice(0, -1) : value).map(withoutNotes)
  }
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) =>
      name === "…" && typeof member === "string" && LEFT_OUT.test(member) ? [] : [[name, withoutNotes(member)]]
    )
  )
}

/** A result that gives a page this `data`, from text or from structured content. */
const resultOf = (data: unknown): RecordedResult => {
  const text = typeof data === "string" ? data : JSON.stringify(data)
  const content = [{ type: "text" as const, text }]
  return isObject(data) ? { content, structuredContent: data } : { content }
}

/**
 * The calls for a saved page: real ones, newest first; else one with the first of `examples` (from the configuration);
 * else one made from the schemas. Without any of these there is none.
 */
export const recordedPage = (tool: Tool, learned: LearnedResults, examples: ReadonlyArray<unknown>): RecordedPage => {
  const calls = learned.results.map(({ args, data }): RecordedCall => {
    const given = withoutNotes(args)
    return { args: isObject(given) ? given : {}, result: resultOf(withoutNotes(data)) }
  })
  if (calls.length > 0) return { toolName: tool.name, origin: "calls", calls }
  const [example = tool.outputSchema === undefined ? undefined : exampleValue(tool.outputSchema)] = examples
  const { args, data } = exampleParts(example)
  const given = isObject(args) ? args : exampleArguments(tool.inputSchema)
  const made = data === undefined ? [] : [{ args: given, result: resultOf(data) }]
  return { toolName: tool.name, origin: "example", calls: made }
}
