import type { BooleanField, Choice, ChoiceField, ConstantField } from "../../domain/forms/FormField.ts"
import { choiceLabel } from "../../domain/forms/FieldText.ts"
import { sameJson } from "../../domain/forms/sameJson.ts"
import { uniqueId } from "../parts/dom.ts"
import { h } from "../parts/index.ts"
import { comboBox } from "./comboBox.ts"
import type { Control, Slot } from "./Control.ts"
import { hint } from "./elements.ts"
import { frame } from "./frame.ts"

const MANY = 12
const FEW = 5
const SHORT = 16
const ROW = 44

/** Radio buttons that look like one. `onChoice` gets the index of the option. */
export const segmented = (
  labels: ReadonlyArray<string>,
  chosen: number,
  onChoice: (index: number) => void
): HTMLElement => {
  const name = uniqueId()
  return h(
    "div",
    { class: "mf-segments" },
    labels.map((label, index) => {
      const input = h("input", { type: "radio", name, value: index })
      input.checked = index === chosen
      input.addEventListener("change", () => onChoice(index))
      return h("label", {}, input, h("span", {}, label))
    })
  )
}

export const isShort = (labels: ReadonlyArray<string>): boolean =>
  labels.length <= FEW && labels.every(({ length }) => length <= SHORT) && labels.join("").length <= ROW

export const selectOf = (
  labels: ReadonlyArray<string>,
  chosen: number,
  onChoice: (index: number) => void,
  attributes: Readonly<Record<string, unknown>> = {}
): HTMLSelectElement => {
  const select = h("select", { class: "mf-input", ...attributes })
  select.append(...labels.map((label, index) => new Option(label, String(index), false, index === chosen)))
  select.selectedIndex = chosen
  select.addEventListener("change", () => onChoice(select.selectedIndex))
  return select
}

/** One of several values. The present value is always offered, even if the schema does not list it. */
export const pickControl = (
  field: ChoiceField | BooleanField | ConstantField,
  choices: ReadonlyArray<Choice>,
  slot: Slot
): Control => {
  const { form, place } = slot
  const given = form.get(place)
  const offers = (value: unknown): boolean => choices.some((choice) => sameJson(choice.value, value))
  const option = (label: string, value: unknown): Choice => ({ label, value, description: undefined })
  const isUnset =
    given === undefined || (given === null && field.nullable && !offers(null) && field.defaultValue === null)
  const mayBeUnset = !field.required && (isUnset || field.defaultValue === undefined || field.defaultValue === null)
  const hasNull = field.nullable && !offers(null) && (field.required || field.defaultValue !== null)
  const options = [
    ...(mayBeUnset ? [option("Not set", undefined)] : []),
    ...choices,
    ...(hasNull ? [option(choiceLabel(null), null)] : [])
  ]
  if (!isUnset && !options.some(({ value }) => value !== undefined && sameJson(value, given))) {
    options.push(option(choiceLabel(given), given))
  }
  const labels = options.map(({ label }) => label)
  const chosen = isUnset ? (mayBeUnset ? 0 : -1) : options.findIndex(({ value }) => sameJson(value, given))
  const about = options.some(({ description }) => description !== undefined) ? hint("") : null
  const tell = (index: number): void => {
    if (about !== null) about.textContent = options[index]?.description ?? ""
  }
  const choose = (index: number): void => {
    tell(index)
    form.set(place, options[index]?.value)
  }
  tell(chosen)
  if (isShort(labels)) {
    return frame(field, slot, { content: [segmented(labels, chosen, choose), about], role: "radiogroup" })
  }
  if (options.length > MANY) return comboBox(field, slot, options, chosen, choose, about)
  const before = chosen === -1 ? 1 : 0
  const select = selectOf(
    [...["Choose…"].slice(0, before), ...labels],
    chosen + before,
    (index) => choose(index - before),
    { required: field.required }
  )
  return frame(field, slot, { target: select, content: [select, about] })
}

/** Yes or no: a checkbox where there is a default and a value, else a choice. */
export const booleanControl = (field: BooleanField, slot: Slot): Control => {
  const { form, place } = slot
  const value = form.get(place)
  if (typeof value !== "boolean" || typeof field.defaultValue !== "boolean") {
    return pickControl(
      field,
      [true, false].map((value) => ({ label: value ? "Yes" : "No", value, description: undefined })),
      slot
    )
  }
  const box = h("input", { type: "checkbox" })
  box.checked = value
  box.addEventListener("change", () => form.set(place, box.checked))
  return frame(field, slot, { target: box, content: null, isCheckbox: true })
}

/** When it must be there, there is nothing to choose. Else a person chooses whether it is. */
export const constantControl = (field: ConstantField, slot: Slot): Control => {
  const given = slot.form.get(slot.place)
  const label = choiceLabel(field.value)
  if (!field.required || (given !== undefined && !sameJson(given, field.value))) {
    return pickControl(field, [{ label, value: field.value, description: undefined }], slot)
  }
  return frame(field, slot, { content: h("span", { class: "mf-constant" }, label) })
}
