import { dataShown } from "../eval/dataShown.ts"
import { isRecord, type JsonRecord } from "../eval/json.ts"
import type { ChosenTool } from "../preference/chosenTools.ts"

const LONG_TEXT = 2000
/** Larger results take the browser longer than they teach. */
const LARGEST = 100_000
/** Some hosts drop all tools for the name of one. */
const NAME = /^[a-zA-Z0-9_-]{1,64}$/

const textsOf = (blocks: ReadonlyArray<unknown>): string =>
  blocks.map((block) => (isRecord(block) && typeof block.text === "string" ? block.text : "")).join("\n")

/** What kind of result it is, the rarest kind first. */
const shapeOf = ({ content, structuredContent }: JsonRecord): string => {
  const blocks = Array.isArray(content) ? content : []
  const other = blocks.find((block) => isRecord(block) && block.type !== "text")
  if (isRecord(other)) return String(other.type)
  const text = textsOf(blocks)
  if (isRecord(structuredContent)) {
    const { missing } = dataShown(structuredContent, { text, raw: text, tabs: [] })
    return missing.length > 0 ? "data beside the text" : "data in the text"
  }
  if (/https?:/.test(text)) return "links"
  if (text.length > LONG_TEXT) return "long text"
  return /^\s*[[{]/.test(text) ? "JSON" : "text"
}

/** So many of the tools: one of each shape of results in turn, and of those one of the server that was taken least. */
export const spreadTools = (all: ReadonlyArray<ChosenTool>, count: number): ReadonlyArray<ChosenTool> => {
  const byShape = Map.groupBy(
    all.filter(({ result, tool }) => NAME.test(tool.name) && JSON.stringify(result).length <= LARGEST),
    ({ result }) => shapeOf(result)
  )
  const taken: Array<ChosenTool> = []
  const timesOf = (server: string): number => taken.filter((other) => other.server === server).length
  const shapes = [...byShape.values()]
  for (let round = 0; taken.length < count && shapes.some((tools) => tools.length > 0); round += 1) {
    const tools = shapes[round % shapes.length] ?? []
    // One server has them all, so names have to differ.
    const free = tools.filter(({ tool }) => taken.every((other) => other.tool.name !== tool.name))
    const next = free.toSorted((a, b) => timesOf(a.server) - timesOf(b.server))[0]
    tools.splice(0, tools.length, ...free.filter((tool) => tool !== next))
    if (next !== undefined) taken.push(next)
  }
  return taken
}
