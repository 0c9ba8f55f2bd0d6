import type { CaseRun } from "./CaseRun.ts"
import type { RecordedCall } from "./corpus.ts"
import { dataShown } from "./dataShown.ts"
import { isRecord, type JsonRecord } from "./json.ts"

const CALL_MS = 10_000
const ALERT_MS = 5000
const SHOWN_MISSING = 3
const OTHER = { light: "dark", dark: "light" } as const

const collapsed = (text: string): string => text.replaceAll(/\s+/g, " ").trim()

const messageOf = ({ content }: JsonRecord): string => {
  const texts = (Array.isArray(content) ? content : []).flatMap((block) =>
    isRecord(block) && typeof block.text === "string" ? [block.text] : []
  )
  return collapsed(texts.join(" "))
}

/** The host brings the answer with the call, as it does when a model made it. */
const checkResult = async (run: CaseRun, call: RecordedCall, result: JsonRecord): Promise<void> => {
  const { stage, theme } = run
  await run.open(call.tool)
  await stage.sendInput(JSON.stringify(call.arguments))
  await stage.sendResult(JSON.stringify(result))
  if (!(await stage.settled())) run.problem("shown", "the view is busy 10 s after the result")
  const { alerts, hasContent, overflow } = await stage.resultState()
  if (!hasContent) run.problem("shown", "nothing is shown of the result")
  if (result.isError === true && alerts.length === 0)
    run.problem("shown", `the error is not shown as one: ${messageOf(result).slice(0, 120)}`)
  await run.axe("result")
  await run.shot()
  await stage.setTheme(OTHER[theme])
  await run.axe(`result, ${OTHER[theme]}`, "colours")
  await stage.setTheme(theme)
  const { inViewShare, missing } = dataShown(result, await stage.readEverything())
  for (const leaf of missing.slice(0, SHOWN_MISSING)) run.problem("data", leaf)
  if (missing.length > SHOWN_MISSING) run.problem("data", `and ${missing.length - SHOWN_MISSING} more`)
  run.shown(inViewShare, overflow)
  await run.axe("result, everything open")
  await run.faults()
}

/** The call is sent from the form, and the host refuses it, as it does with errors of the protocol. */
const checkRefusal = async (
  run: CaseRun,
  call: RecordedCall,
  error: { readonly code: number; readonly message: string }
): Promise<void> => {
  const { stage } = run
  await run.open(call.tool)
  await stage.sendInput(JSON.stringify(call.arguments))
  await stage.sendResult(JSON.stringify({ content: [{ type: "text", text: "Done." }] }))
  await stage.settled()
  await stage.answerWith({ error })
  const { isPressed } = await stage.submit()
  if (!isPressed || (await stage.nextCall(CALL_MS)) === null) {
    run.problem("shown", "the call could not be sent")
    return
  }
  await stage.alerted(ALERT_MS)
  if (!(await stage.settled())) run.problem("shown", "the view is busy 10 s after the error")
  const { alerts, overflow } = await stage.resultState()
  const wanted = collapsed(error.message).slice(0, 60)
  if (!alerts.some((alert) => collapsed(alert).includes(wanted)))
    run.problem("shown", `the error is not shown: ${wanted}; alerts: ${alerts.join(" | ").slice(0, 200) || "none"}`)
  await run.axe("refused call")
  await run.shot()
  run.shown(1, overflow)
  await run.faults()
}

/** Shows a recorded answer of a server. */
export const checkCall = (run: CaseRun, call: RecordedCall): Promise<void> =>
  "result" in call.answer ? checkResult(run, call, call.answer.result) : checkRefusal(run, call, call.answer.error)
