import { closeChromium, launchChromium } from "../../test/browser/harness/chromium.ts"
import type { CaseReport } from "./CaseReport.ts"
import { CaseRun } from "./CaseRun.ts"
import type { Case } from "./casesOf.ts"
import { checkCall } from "./checkCall.ts"
import { checkTool } from "./checkTool.ts"
import { writeTiles } from "./contactSheet.ts"
import { makeDocumentOf } from "./documentOf.ts"
import { type Stage, startStages } from "./Stage.ts"

export interface RunOptions {
  /** Cases under way at the same time. */
  readonly workers: number
  readonly seed: number
  /** Where pictures go; none are taken without. */
  readonly folder: string | undefined
  readonly withTiles: boolean
  readonly onReport: (report: CaseReport, done: number) => void
}

/** A page that hangs must not hold up the others. */
const CASE_MS = 120_000
/** Pages keep some of what they showed. */
const CASES_A_STAGE = 100

const withinTime = async (work: Promise<void>): Promise<void> => {
  const { promise, reject } = Promise.withResolvers<never>()
  const late = setTimeout(() => reject(new Error(`the case takes longer than ${CASE_MS / 1000} s`)), CASE_MS)
  try {
    await Promise.race([work, promise])
  } finally {
    clearTimeout(late)
  }
}

const kindOf = ({ call }: Case): CaseReport["kind"] => {
  if (call === undefined) return "tool"
  return "error" in call.answer || call.answer.result.isError === true ? "error" : "result"
}

/** Runs cases side by side, each worker in a page of its own; reports come back in the order of the cases. */
export const runCases = async (cases: ReadonlyArray<Case>, options: RunOptions): Promise<ReadonlyArray<CaseReport>> => {
  const documentOf = await makeDocumentOf()
  const stages = await startStages()
  const reports = new Array<CaseReport>()
  const queue = cases.entries()
  let done = 0

  const runCase = async (one: Case, stage: Stage): Promise<{ report: CaseReport; isBroken: boolean }> => {
    const { call, id, theme, tool, width } = one
    const run = new CaseRun({ id, kind: kindOf(one), stage, theme, width, documentOf, folder: options.folder })
    let isBroken = false
    try {
      await withinTime(call === undefined ? checkTool(run, tool, options.seed) : checkCall(run, call))
    } catch (error) {
      isBroken = true
      run.problem("document", error instanceof Error ? error.message : String(error))
    }
    return { report: run.report(), isBroken }
  }

  const openStage = async (): Promise<Stage> => {
    try {
      return await stages.open()
    } catch {
      // The browser itself is gone: another one is started.
      await closeChromium().catch(() => undefined)
      return stages.open()
    }
  }

  const work = async (): Promise<void> => {
    let stage = await openStage()
    let shown = 0
    const renew = async (): Promise<void> => {
      await stage.close().catch(() => undefined)
      stage = await openStage()
      shown = 0
    }
    for (const [index, one] of queue) {
      let { isBroken, report } = await runCase(one, stage)
      if (isBroken) {
        // A browser that died, or a machine with other things to do, is no failure of the page; a page that hangs hangs again.
        await renew()
        ;({ isBroken, report } = await runCase(one, stage))
      }
      reports[index] = report
      done += 1
      options.onReport(report, done)
      shown += 1
      if (isBroken || shown >= CASES_A_STAGE) await renew()
    }
    await stage.close()
  }

  try {
    await Promise.all(Array.from({ length: Math.min(options.workers, cases.length) }, work))
    if (options.folder !== undefined && options.withTiles)
      await writeTiles(await launchChromium(), options.folder, reports)
    return reports
  } finally {
    await stages.close()
  }
}
