import type { Tool } from "../../src/domain/tools/Tool.ts"
import { argumentsFrom, type SampleKind } from "./argumentsFrom.ts"
import type { FilledReport } from "./CaseReport.ts"
import type { CaseRun } from "./CaseRun.ts"
import { chanceOf, seedOf } from "./Chance.ts"
import { enteredArrived } from "./enteredArrived.ts"
import { fillForm } from "./fillForm.ts"
import { hostileArguments } from "./hostileArguments.ts"
import { type JsonRecord, shortJson } from "./json.ts"
import { type Validator, validatorOf } from "./validatorOf.ts"

const CALL_MS = 10_000
/** A call leaves at once; where the page complains there is mostly none. */
const REFUSED_MS = 100
const OTHER = { light: "dark", dark: "light" } as const

/** Another one for each call: pages may take an equal one for the same. */
const done = (of: string): string => JSON.stringify({ content: [{ type: "text", text: `Done: ${of}.` }] })

interface Sample {
  readonly name: string
  readonly json: string
}

const ODD = { none: { share: 0, lines: false }, some: { share: 0.15, lines: false }, many: { share: 0.4, lines: true } }

const sampleOf = (
  { inputSchema, name }: Tool,
  validator: Validator,
  seed: number,
  kind: SampleKind,
  odd: keyof typeof ODD
): JsonRecord | undefined =>
  argumentsFrom(inputSchema, { kind, chance: chanceOf(seedOf(seed, name, kind, odd)), validator, odd: ODD[odd] })

const samplesOf = (tool: Tool, validator: Validator, seed: number): ReadonlyArray<Sample> => {
  const valid = (["minimal", "full", "random"] as const).flatMap((kind) => {
    const sample = sampleOf(tool, validator, seed, kind, kind === "random" ? "many" : "none")
    return sample === undefined ? [] : [{ name: kind, sample }]
  })
  const base = valid.at(-1)?.sample ?? {}
  const hostile = hostileArguments(base, tool.inputSchema, chanceOf(seedOf(seed, tool.name, "hostile")))
  return [
    ...valid.map(({ name, sample }) => ({ name, json: JSON.stringify(sample) })),
    ...hostile.map((json, index) => ({ name: `hostile ${index + 1}`, json }))
  ]
}

/** Arguments of the host, as an input that opens the view, submitted again untouched. */
const checkUnchanged = async (run: CaseRun, tool: Tool, validator: Validator, seed: number): Promise<void> => {
  const { stage } = run
  await run.open(tool)
  for (const { json, name } of samplesOf(tool, validator, seed)) {
    const sent = JSON.stringify(JSON.parse(json))
    await stage.sendInput(json)
    await stage.sendResult(done(name))
    await stage.forgetCalls()
    const { complaints, isPressed } = await stage.submit()
    const arrived = isPressed ? await stage.nextCall(CALL_MS) : null
    // The next input comes when the answer is there: hosts do not bring two calls at once.
    await stage.settled(CALL_MS)
    if (arrived === sent) continue
    const said = (await stage.complaints()).join(" | ") || complaints.join(" | ")
    const why =
      arrived === null
        ? `nothing was sent: ${isPressed ? said : "there is no button"}`
        : `sent ${arrived.slice(0, 300)}`
    run.problem("unchanged", `${name}: ${why} instead of ${sent.slice(0, 300)}`)
  }
}

/** A form that nobody filled in, filled in by hand and sent. */
const checkFilled = async (
  run: CaseRun,
  tool: Tool,
  validator: Validator,
  seed: number
): Promise<FilledReport | undefined> => {
  const { stage, theme } = run
  await run.open(tool)
  await stage.openForm()
  await stage.settled()
  await run.axe("form")
  const blank = await stage.submit()
  const sentBlank = await stage.nextCall(blank.complaints.length > 0 ? REFUSED_MS : CALL_MS)
  if (sentBlank === null) {
    await run.axe("form with errors")
    if (!blank.isPressed) run.problem("filled", "there is no button that sends")
    else if (blank.complaints.length === 0) run.problem("filled", "the empty form was neither sent nor refused")
  } else {
    const problem = validator.problemOf(JSON.parse(sentBlank === "" ? "{}" : sentBlank))
    if (problem !== undefined) run.problem("filled", `the empty form sent ${sentBlank}, which is wrong: ${problem}`)
    await stage.settled()
    await stage.openForm()
  }
  const value = sampleOf(tool, validator, seed, "full", "some")
  if (value === undefined) {
    run.note("no valid arguments were found for the schema")
    return undefined
  }
  const report = await fillForm(stage.frame, tool.inputSchema, value)
  await run.axe("filled form")
  await run.shot()
  await stage.setTheme(OTHER[theme])
  await run.axe(`filled form, ${OTHER[theme]}`, "colours")
  await stage.setTheme(theme)
  await stage.forgetCalls()
  const { complaints, isPressed } = await stage.submit()
  const arrived = isPressed ? await stage.nextCall(CALL_MS) : null
  if (arrived === null) {
    const said = (await stage.complaints()).join(" | ") || complaints.join(" | ")
    run.problem("filled", `nothing was sent: ${said || "no word of why"}; entered ${shortJson(value, 300)}`)
    return report
  }
  const got: unknown = JSON.parse(arrived)
  const problem = validator.problemOf(got)
  if (problem !== undefined)
    run.problem("filled", `what arrived does not validate: ${problem}: ${arrived.slice(0, 300)}`)
  for (const difference of enteredArrived(value, got, tool.inputSchema)) run.problem("filled", difference)
  return report
}

/** Runs a tool through its form: a fresh one by hand, and one with the arguments of a host. */
export const checkTool = async (run: CaseRun, tool: Tool, seed: number): Promise<void> => {
  const validator = validatorOf(tool.inputSchema)
  if (validator.drafts.length === 0) run.note("the schema can be read in no draft")
  run.filled(await checkFilled(run, tool, validator, seed))
  await run.faults()
  await checkUnchanged(run, tool, validator, seed)
  await run.faults()
}
