import type { FilledReport } from "./CaseReport.ts"
import { ACTION_MS, type Failure, FormDriver } from "./FormDriver.ts"
import { isRecord, type JsonRecord, pointerStep } from "./json.ts"
import type { Frame } from "./Stage.ts"

const withFailures = (draft: unknown, failures: ReadonlyArray<Failure>): unknown => {
  let whole = structuredClone(draft)
  const put = (at: unknown, [step, ...below]: Failure["path"], value: unknown): unknown => {
    if (step === undefined) return value
    if (typeof step === "number") {
      const list: Array<unknown> = Array.isArray(at) ? [...at] : []
      list[step] = put(list[step], below, value)
      return list
    }
    const record = isRecord(at) ? at : {}
    return Object.fromEntries([...Object.entries(record), [step, put(record[step], below, value)]])
  }
  for (const { path, value } of failures) whole = put(whole, path, value)
  return whole
}

/** Puts what no control took into the JSON of the form, as a person does who presses "Edit as JSON". */
const fillAsJson = async (frame: Frame, value: JsonRecord, failures: ReadonlyArray<Failure>): Promise<void> => {
  const toJson = frame.getByRole("button", { name: "Edit as JSON", exact: true })
  if (await toJson.isVisible()) await toJson.press("Enter", { timeout: ACTION_MS })
  const area = frame.locator("form textarea").first()
  if (!(await area.isVisible())) throw new Error('there is no "Edit as JSON" for what the form has no control for')
  const text = await area.inputValue({ timeout: ACTION_MS })
  let draft: unknown
  try {
    draft = JSON.parse(text)
  } catch {
    draft = undefined
  }
  // Where the form would not give up its JSON, all of it is entered anew.
  const whole = isRecord(draft) ? withFailures(draft, failures) : value
  await area.fill(JSON.stringify(whole, null, 2), { timeout: ACTION_MS })
}

/** Enters arguments into the form that is open, by hand as far as its controls go, and the rest as JSON. */
export const fillForm = async (frame: Frame, schema: unknown, value: JsonRecord): Promise<FilledReport> => {
  if (Object.keys(value).length === 0) return { entered: 0, throughJson: [] }
  const { entered, failures } = await new FormDriver(frame, schema).fill(value)
  if (failures.length > 0) await fillAsJson(frame, value, failures)
  return {
    entered,
    throughJson: failures.map(({ path, reason }) => `${path.map(pointerStep).join("") || "the whole"}: ${reason}`)
  }
}
