import { exampleParts } from "../tools/exampleParts.ts"
import type { LearnedResults } from "../tools/LearnedResults.ts"
import type { Tool } from "../tools/Tool.ts"
import { PROMPT_LIMITS, type PromptRoom } from "../tools/PromptLimits.ts"
import { unwrap } from "../results/ResultContent.ts"
import { textPieces } from "../results/TextPieces.ts"
import { sampleText } from "./PromptSample.ts"
import { schemaText } from "./PromptSchema.ts"
import { cutText, oneLine, textOrNull, visibleText } from "../tools/PromptText.ts"

/** A real result for a prompt; `args` is `null` if the arguments are unknown. */
interface ExampleText {
  readonly args: string | null
  readonly data: string
  /** What stands beside the data, as `ctx.media`; `null` if nothing does. */
  readonly media: string | null
  /** What a page finds in the pieces of the text, as `ctx.files: […]`; `null` where the data is no text, or has none. */
  readonly pieces: string | null
}

/** What a page gets of a text without taking it apart: at most one piece of each kind, the most telling ones first. */
const piecesIn = (data: unknown, room: number): string | null => {
  const text = unwrap(data)
  if (typeof text !== "string") return null
  const { files, pairs, sections, tables } = textPieces(text.replace(/\n[^\n]* … \(\d+ characters in all\)$/, ""))
  const found = Object.entries({
    files,
    tables,
    pairs: Object.keys(pairs).length > 1 && files.length === 0 ? pairs : [],
    sections: sections.length > 1 ? sections.map(({ title }) => ({ title, text: "…" })) : []
  }).filter(([, piece]) => Object.keys(piece).length > 0)
  return found.length === 0
    ? null
    : found.map(([name, piece]) => `ctx.${name}: ${sampleText(piece, Math.floor(room / 4))}`).join("\n")
}

/** The facts about a tool as texts, each cut to its room; `null` if missing. */
export interface ToolTexts {
  readonly name: string
  readonly title: string | null
  readonly description: string | null
  readonly inputSchema: string
  readonly outputSchema: string | null
  readonly annotations: string | null
  readonly shape: string | null
  /** First those of the configuration, then real ones, newest first. */
  readonly examples: ReadonlyArray<ExampleText>
  /** Signatures of other tools that a page can call, and the shape of what they answered. */
  readonly related: ReadonlyArray<string>
  /** What other tools do with what this one lists: "get, update"; `null` where there are none. */
  readonly records: string | null
}

const recordDeeds = ({ extras }: Tool): string | null =>
  extras?.records === undefined
    ? null
    : Object.keys(extras.records)
        .filter((name) => name !== "noun" && name !== "id")
        .join(", ")

/** Turns a tool into texts for a prompt, without invisible characters. It never throws for JSON values. */
export const toolTexts = (
  tool: Tool,
  examples: ReadonlyArray<unknown>,
  learned: LearnedResults,
  maxSchemaDepth: number,
  room: PromptRoom
): ToolTexts => {
  const line = (text: string): string => cutText(oneLine(text), PROMPT_LIMITS.name)
  const title = textOrNull(tool.title)
  const description = textOrNull(tool.description)
  const shape = textOrNull(learned.shape ?? undefined)
  const given = examples.slice(0, room.examples).map((example): ExampleText => {
    const { args, data } = exampleParts(example)
    const argsText = args === undefined ? null : sampleText(args, Math.floor(room.example / 4))
    return { args: argsText, data: sampleText(data, room.example), media: null, pieces: piecesIn(data, room.example) }
  })
  const seen = learned.results
    .slice(0, room.examples - given.length)
    .map(({ args, data, media = null }): ExampleText => ({
      args: sampleText(args, Math.floor(room.example / 4)),
      data: sampleText(data, room.example),
      media,
      pieces: piecesIn(data, room.example)
    }))
  return {
    name: line(tool.name),
    title: title === null ? null : line(title),
    description: description === null ? null : cutText(visibleText(description), room.description),
    inputSchema: schemaText(tool.inputSchema, maxSchemaDepth, room.inputSchema),
    outputSchema:
      tool.outputSchema === undefined ? null : schemaText(tool.outputSchema, maxSchemaDepth, room.outputSchema),
    annotations: tool.annotations === undefined ? null : sampleText(tool.annotations, PROMPT_LIMITS.annotations),
    shape: shape === null ? null : cutText(visibleText(shape), room.shape),
    examples: [...given, ...seen],
    records: recordDeeds(tool),
    related: tool.related.slice(0, PROMPT_LIMITS.related).map((signature) => {
      const seen = learned.others?.[signature.slice(0, signature.indexOf("("))]
      return oneLine(seen === undefined ? signature : `${signature} -> ${cutText(seen, PROMPT_LIMITS.relatedShape)}`)
    })
  }
}
