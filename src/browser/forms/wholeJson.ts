import { argumentsFromJson, type FormReading } from "../../domain/forms/FormReading.ts"
import { jsonField, noFacts } from "../../domain/forms/plainFields.ts"
import { afterPress } from "./afterPress.ts"
import type { Control, Slot } from "./Control.ts"
import { jsonArea } from "./elements.ts"
import { frame } from "./frame.ts"

const FIELD = jsonField({ ...noFacts, label: "Input as JSON", description: "All arguments, as one JSON object." })

export interface WholeJson extends Control {
  /** `undefined`: nothing was changed. */
  readonly read: () => FormReading | undefined
}

/** The editor of the whole input. */
export const wholeJson = (args: unknown, slot: Slot, onEdit: () => void): WholeJson => {
  const text = JSON.stringify(args, null, 2) ?? "{}"
  const area = jsonArea(text, 6)
  const read = (): FormReading | undefined => (area.value === text ? undefined : argumentsFromJson(area.value))
  area.addEventListener("input", onEdit)
  const tell = (): void => control.showError(read()?.errors[0]?.message ?? "")
  area.addEventListener("change", () => afterPress(tell))
  const control = frame(FIELD, slot, { target: area, content: area })
  return { ...control, read }
}
