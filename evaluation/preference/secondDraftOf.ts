import { setTimeout } from "node:timers/promises"
import { isRecord } from "../eval/json.ts"
import type { Stage } from "../eval/Stage.ts"
import type { ChosenTool } from "./chosenTools.ts"
import { type Host, withHost } from "./serveOnce.ts"

/** The page looks at itself soon after it has drawn, and tells at once. */
const REPORT_MS = 20_000
const POLL_MS = 100

export interface SecondDraft {
  /** What the model is asked; the system part is that of the first draft. */
  readonly prompt: string | undefined
  /** What became of the given answer; `asked` if there is none, `none` if the first draft gets no second one. */
  readonly state: "none" | "asked" | "dropped" | "made"
}

const CURRENT = "_ui_current"

const stateOf = async ({ client }: Host, toolName: string): Promise<unknown> => {
  const { structuredContent } = await client.callTool({ name: "_ui_inspect", arguments: { toolName } })
  return isRecord(structuredContent) ? structuredContent.secondDraft : undefined
}

/** Has the page say what is wrong with it, as a host would: the product then asks for the second draft. */
const report = async (stage: Stage, chosen: ChosenTool, { client, html }: Host): Promise<boolean> => {
  // The host of the stage notes the calls of one tool: here the question that carries the report.
  await stage.show({ html, toolName: CURRENT, width: 760, theme: "light" })
  await stage.sendInput(JSON.stringify(chosen.arguments))
  await stage.sendResult(JSON.stringify(chosen.result))
  for (let told: string | null = ""; told !== null; told = await stage.nextCall(REPORT_MS)) {
    const args: unknown = JSON.parse(told || "{}")
    if (!isRecord(args) || args.report === undefined) continue
    await client.callTool({ name: CURRENT, arguments: { ...args } })
    return true
  }
  return false
}

/**
 * The request for the second draft of an answer, as the product words it after one real call and after its page was opened in a
 * browser, and what becomes of `second` as the answer to it.
 */
export const secondDraftOf = (
  stage: Stage,
  chosen: ChosenTool,
  answer: string,
  second: string | undefined
): Promise<SecondDraft> =>
  withHost(chosen, [answer, second ?? ""], ["--second-draft", "next"], async (host) => {
    const asked = host.model.requests.length
    if (!(await report(stage, chosen, host))) return { prompt: undefined, state: "none" }
    for (;;) {
      const state = await stateOf(host, chosen.tool.name)
      const prompt = host.model.requests[asked]?.prompt
      if (prompt !== undefined && second === undefined) return { prompt, state: "asked" }
      if (prompt !== undefined && (state === "made" || state === "dropped")) return { prompt, state }
      await setTimeout(POLL_MS)
    }
  })
