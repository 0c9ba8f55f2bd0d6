import { readCorpus, type RecordedCall } from "../eval/corpus.ts"
import type { Tool } from "../../src/domain/tools/Tool.ts"

/** A tool with one real call of it, to be shown three times: by our answer, by the built-in UI, by a rival page. */
export interface ChosenTool {
  /** `01-server-tool`: the name of its folder. */
  readonly id: string
  readonly server: string
  readonly tool: Tool
  /** All tools of the server, because a page may call them. */
  readonly tools: ReadonlyArray<Tool>
  readonly call: RecordedCall
}

const sizeOf = (value: unknown): number => JSON.stringify(value).length
/** A larger result is not drawn for a judge. */
const LARGEST = 200_000

/**
 * Every `every`-th tool of the corpus that has a result, beginning with number `from`: not picked by what comes out. Of several
 * calls the one that says most.
 */
export const chosenTools = (folder: string, every: number, from: number): ReadonlyArray<ChosenTool> => {
  const tools = readCorpus(folder).flatMap(({ calls, name, tools }) => {
    const byTool = new Map<string, Array<RecordedCall>>()
    for (const call of calls) {
      const { answer } = call
      if (call.probe !== undefined || !("result" in answer) || answer.result.isError === true) continue
      if (!Array.isArray(answer.result.content) || sizeOf(answer.result) > LARGEST) continue
      byTool.set(call.tool.name, [...(byTool.get(call.tool.name) ?? []), call])
    }
    return [...byTool.values()].map((found) => {
      const call = found.reduce((most, next) => (sizeOf(next.answer) > sizeOf(most.answer) ? next : most))
      return { server: name, tool: call.tool, tools, call }
    })
  })
  return tools
    .filter((_, index) => index % every === from)
    .map((chosen, index) => {
      const name = `${chosen.server}-${chosen.tool.name}`.replaceAll(/[^\w-]+/g, "-").slice(0, 60)
      return Object.assign({ id: `${String(index + 1).padStart(2, "0")}-${name}` }, chosen)
    })
}
