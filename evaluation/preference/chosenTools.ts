import { readCorpus } from "../eval/corpus.ts"
import type { JsonRecord } from "../eval/json.ts"
import type { Tool } from "../../src/domain/tools/Tool.ts"

/** A tool with one real call of it, which every view has to show. */
export interface ChosenTool {
  /** `01-server-tool`: the name of its folder. */
  readonly id: string
  readonly server: string
  readonly tool: Tool
  /** All tools of the server, because a page may call them. */
  readonly tools: ReadonlyArray<Tool>
  readonly arguments: JsonRecord
  readonly result: JsonRecord
}

export interface Choice {
  /** Every so many tools that have a result … */
  readonly every: number
  /** … beginning with this one. */
  readonly from: number
  /** Parts of the names of their folders; all without. */
  readonly only?: ReadonlyArray<string> | undefined
}

const sizeOf = (value: unknown): number => JSON.stringify(value).length
/** A larger result is not drawn for a judge. */
const LARGEST = 200_000

/** Tools of a corpus, not picked by what comes out. Of several calls of one, the one whose result says most. */
export const chosenTools = (corpus: string, { every, from, only }: Choice): ReadonlyArray<ChosenTool> => {
  const all = readCorpus(corpus).flatMap(({ calls, name: server, tools }) => {
    const most = new Map<string, Omit<ChosenTool, "id">>()
    for (const { answer, arguments: given, probe, tool } of calls) {
      if (probe !== undefined || !("result" in answer)) continue
      const { result } = answer
      const isFit = result.isError !== true && Array.isArray(result.content) && sizeOf(result) <= LARGEST
      if (!isFit || sizeOf(result) <= sizeOf(most.get(tool.name)?.result ?? "")) continue
      most.set(tool.name, { server, tool, tools, arguments: given, result })
    }
    return Array.from(most.values())
  })
  return all
    .filter((_, index) => index % every === from)
    .map((chosen, index) => {
      const name = `${chosen.server}-${chosen.tool.name}`.replaceAll(/[^\w-]+/g, "-").slice(0, 60)
      return Object.assign({ id: `${String(index + 1).padStart(2, "0")}-${name}` }, chosen)
    })
    .filter(({ id }) => only === undefined || only.some((part) => id.includes(part)))
}
