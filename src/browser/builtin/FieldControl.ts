import { unofferedValue } from "../../domain/forms/FormArguments.ts"
import type { FieldPath, FormValue } from "../../domain/forms/FormArguments.ts"
import { enumLabel } from "../../domain/forms/FormModel.ts"
import type { ChoicesField, Field, ListField, NumberField, TextField } from "../../domain/forms/FormModel.ts"
import { hostTimeZone } from "../parts/host.ts"
import { button, h } from "../parts/index.ts"
import { clampedText } from "./clampedText.ts"

/** A field on the page. */
export interface FieldControl {
  readonly element: HTMLElement
  readonly read: () => FormValue
  /** Says what is wrong with the value at `path` (below this field) and gives what to focus; `undefined` if it is not here. */
  readonly showError: (path: FieldPath, message: string) => HTMLElement | undefined
  readonly clearErrors: () => void
  readonly focusTarget: HTMLElement | undefined
}

type Input = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/** A bare control without label: what a row of a list is, too. */
interface Bare {
  readonly input: Input
  readonly read: () => FormValue
}

const HINT_LENGTH = 160
const MANY_CHOICES = 12
const MANY_FIELDS = 7
const SHOWN_WITHOUT_REQUIRED = 3

let ids = 0
const nextId = (): string => `mf-${++ids}`

const exampleNote = ({ kind, examples }: Field): string | undefined => {
  const shown = examples.filter((example) => example !== "" && example.length <= 60)
  return shown.length === 0 || kind === "text" ? undefined : `For example: ${shown.join(", ")}`
}

const zoneNote = (field: Field): string | undefined =>
  field.kind === "text" && field.format === "date-time" ? `Time zone: ${hostTimeZone()}` : undefined

const placeholderOf = ({ defaultValue, examples: [example = ""] }: Field): string => {
  if (defaultValue !== undefined && defaultValue !== null && typeof defaultValue !== "object") {
    return String(defaultValue).slice(0, 80)
  }
  return example === "" ? "" : `e.g. ${example.slice(0, 80)}`
}

const setInvalid = (target: HTMLElement, invalid: boolean): void => {
  if (invalid) target.setAttribute("aria-invalid", "true")
  else target.removeAttribute("aria-invalid")
}

/** Label, hint and error around controls, tied to `target`, which a wrong value focuses. */
const framed = (
  field: Field,
  target: HTMLElement,
  read: () => FormValue,
  parts: { readonly set?: ReadonlyArray<HTMLElement>; readonly label?: "after" } = {}
): FieldControl => {
  const id = target.id === "" ? nextId() : target.id
  target.id = id
  const notes = [field.description, exampleNote(field), zoneNote(field)].filter((note) => note !== undefined)
  const hint = notes.length === 0 ? null : clampedText(notes.join("\n"), HINT_LENGTH, "mf-hint", `${id}-hint`)
  const error = h("p", { class: "mf-error", id: `${id}-error` })
  const described = `${hint === null ? "" : `${id}-hint `}${id}-error`
  const mark = field.required ? h("span", { class: "mf-required", "aria-hidden": "true" }, "*") : null
  const { set, label } = parts
  const content =
    label === "after"
      ? [h("div", { class: "mf-choice" }, target, h("label", { for: id }, field.label)), hint, error]
      : set === undefined
        ? [h("label", { class: "mf-label", for: id }, field.label, mark), hint, target, error]
        : [h("legend", { class: "mf-label" }, field.label, mark), hint, set, error]
  const element = h(
    set === undefined ? "div" : "fieldset",
    { class: set === undefined ? "mf-field" : "mf-field mf-set" },
    content
  )
  ;(set === undefined ? target : element).setAttribute("aria-describedby", described)
  error.hidden = true
  const show = (message: string): void => {
    error.textContent = message
    error.hidden = message === ""
    if (set === undefined) setInvalid(target, message !== "")
  }
  return {
    element,
    read,
    showError: (path, message) => {
      if (path.length > 0) return undefined
      show(message)
      return target
    },
    clearErrors: () => show(""),
    focusTarget: target
  }
}

const grow = (area: HTMLTextAreaElement): HTMLTextAreaElement => {
  area.rows = Math.min(14, Math.max(3, area.value.split("\n").length + 1))
  return area
}

const textarea = (value: string, placeholder: string, className = "mf-input"): HTMLTextAreaElement => {
  const area = h("textarea", { class: className })
  area.value = value
  area.placeholder = placeholder
  return grow(area)
}

/** An input of a type; plain text when that type drops the value, as pickers do with "tomorrow". */
const typedInput = (type: string, value: string, placeholder: string): HTMLInputElement => {
  const input = h("input", { class: "mf-input", type, autocomplete: "off" })
  input.placeholder = placeholder
  if (type === "datetime-local" && /:\d\d:/.test(value)) input.step = "1"
  input.value = value
  if (input.value !== value) {
    input.type = "text"
    input.value = value
  }
  return input
}

const INPUT_TYPES: Readonly<Record<string, string>> = { "date-time": "datetime-local", uri: "url" }

const textInput = (field: TextField, value: string): Bare => {
  const isLong = field.format === "multiline" || value.includes("\n")
  const type = INPUT_TYPES[field.format] ?? field.format
  const input = isLong ? textarea(value, placeholderOf(field)) : typedInput(type, value, placeholderOf(field))
  return { input, read: () => input.value }
}

const numberInput = (field: NumberField, value: string): Bare => {
  const input = typedInput("number", value, placeholderOf(field))
  input.step = String(field.multipleOf ?? (field.integer ? 1 : "any"))
  input.min = String(field.minimum ?? field.exclusiveMinimum ?? "")
  input.max = String(field.maximum ?? field.exclusiveMaximum ?? "")
  return { input, read: () => (input.validity.badInput ? "not a number" : input.value) }
}

const select = (
  labels: ReadonlyArray<string>,
  values: ReadonlyArray<string>,
  field: Field,
  value: string
): HTMLSelectElement => {
  const control = h("select", { class: "mf-input" })
  for (const [index, label] of [field.required ? "Choose…" : "Not set", ...labels].entries()) {
    control.append(new Option(label, ["", ...values][index]))
  }
  const foreign = unofferedValue(value)
  if (foreign !== undefined) control.append(new Option(enumLabel(foreign.value), value))
  control.value = value
  return control
}

const yesNo = (field: Field, value: FormValue): Bare => {
  const input = select(["Yes", "No"], ["true", "false"], field, String(value))
  return { input, read: () => (/^(true|false)$/.test(input.value) ? input.value === "true" : input.value) }
}

const checkbox = (checked: boolean): HTMLInputElement => {
  const box = h("input", { type: "checkbox", id: nextId() })
  box.checked = checked
  return box
}

const scalar = (field: Field, { input, read }: Bare): FieldControl => {
  input.required = field.required
  return framed(field, input, read)
}

const choices = (field: ChoicesField, value: FormValue): FieldControl => {
  const chosen: Array<string> = Array.isArray(value) ? value.map(String) : []
  const offered = field.options.map(({ label }, index) => ({ key: String(index), label }))
  const foreign = [...new Set(chosen)].flatMap((key) => {
    const unoffered = unofferedValue(key)
    return unoffered === undefined ? [] : [{ key, label: enumLabel(unoffered.value) }]
  })
  const boxes = [...offered, ...foreign].map(({ key, label }) => {
    const box = checkbox(chosen.includes(key))
    box.addEventListener("change", () => {
      if (box.checked) chosen.push(key)
      else chosen.splice(chosen.indexOf(key), 1)
    })
    return { box, row: h("div", { class: "mf-choice" }, box, h("label", { for: box.id }, label)) }
  })
  const list = h(
    "div",
    { class: boxes.length > MANY_CHOICES ? "mf-choices mf-scroll" : "mf-choices" },
    boxes.map(({ row }) => row)
  )
  return framed(field, boxes[0]?.box ?? list, () => chosen.slice(), { set: [list] })
}

const bareOf = (field: ListField["item"], value: FormValue): Bare => {
  if (field.kind === "boolean") return yesNo(field, value)
  return field.kind === "number" ? numberInput(field, String(value)) : textInput(field, String(value))
}

interface Row extends Bare {
  readonly element: HTMLElement
  readonly remove: HTMLElement
}

const list = (field: ListField, value: FormValue): FieldControl => {
  const rows: Array<Row> = []
  const body = h("div", { class: "mf-rows" })
  const number = (): void => {
    for (const [index, { input, remove }] of rows.entries()) {
      input.setAttribute("aria-label", `${field.label} ${index + 1}`)
      remove.setAttribute("aria-label", `Remove ${field.label} ${index + 1}`)
    }
  }
  const add = (rowValue: FormValue): Row => {
    const bare = bareOf(field.item, rowValue)
    const drop = (): void => {
      const at = rows.indexOf(row)
      rows.splice(at, 1)
      row.element.remove()
      number()
      ;(rows[Math.min(at, rows.length - 1)]?.input ?? more).focus()
    }
    const remove = button("Remove", drop, { kind: "plain", small: true })
    const row: Row = { ...bare, remove, element: h("div", { class: "mf-row" }, bare.input, remove) }
    rows.push(row)
    body.append(row.element)
    number()
    return row
  }
  const more = button("Add item", () => add("").input.focus(), { small: true })
  if (Array.isArray(value)) for (const item of value) add(item)
  if (rows.length === 0 && field.required) add("")
  const frame = framed(field, more, () => rows.map((row) => row.read()), { set: [body, h("div", {}, more)] })
  return {
    ...frame,
    showError: ([index], message) => {
      const row = rows[Number(index)]
      if (row === undefined) return frame.showError([], message)
      setInvalid(row.input, true)
      frame.showError([], `Item ${Number(index) + 1}: ${message}`)
      return row.input
    },
    clearErrors: () => {
      for (const { input } of rows) setInvalid(input, false)
      frame.clearErrors()
    }
  }
}

const openAround = (element: HTMLElement): void => {
  for (let at: HTMLElement | null = element; at !== null; at = at.parentElement) {
    if (at instanceof HTMLDetailsElement) at.open = true
  }
}

const isFilled = (value: FormValue | undefined): boolean =>
  Array.isArray(value) ? value.some(isFilled) : value !== undefined && value !== ""

/** The controls of several fields; of many, those that are rarely needed wait behind "More options". */
export const fieldControls = (fields: ReadonlyArray<Field>, value: FormValue): FieldControl => {
  const values = Array.isArray(value) ? value : []
  const controls = fields.map((field, index) => fieldControl(field, values[index] ?? ""))
  const isNeeded = fields.map(
    (field, index) =>
      fields.length < MANY_FIELDS || field.required || (isFilled(values[index]) && field.defaultValue === undefined)
  )
  const shown = controls.filter((_, index) =>
    isNeeded.includes(true) ? isNeeded[index] : index < SHOWN_WITHOUT_REQUIRED
  )
  const rest = controls.filter((control) => !shown.includes(control)).map(({ element }) => element)
  const element = h(
    "div",
    { class: "mf-fields" },
    shown.map((control) => control.element),
    rest.length > 0 &&
      h(
        "details",
        { class: "mf-rest" },
        h("summary", {}, `More options (${rest.length})`),
        h("div", { class: "mf-fields" }, rest)
      )
  )
  return {
    element,
    read: () => controls.map((control) => control.read()),
    showError: ([name, ...below], message) => {
      const target = controls[fields.findIndex((field) => field.name === name)]?.showError(below, message)
      if (target !== undefined) openAround(target)
      return target
    },
    clearErrors: () => {
      for (const control of controls) control.clearErrors()
    },
    focusTarget: shown[0]?.focusTarget
  }
}

/** The control of a field, holding `value`. */
export const fieldControl = (field: Field, value: FormValue): FieldControl => {
  switch (field.kind) {
    case "text":
      return scalar(field, textInput(field, String(value)))
    case "number":
      return scalar(field, numberInput(field, String(value)))
    case "boolean": {
      if (typeof value !== "boolean" || typeof field.defaultValue !== "boolean")
        return scalar(field, yesNo(field, value))
      const box = checkbox(value)
      return framed(field, box, () => box.checked, { label: "after" })
    }
    case "enum": {
      const labels = field.options.map(({ label }) => label)
      const input = select(labels, [...labels.keys()].map(String), field, String(value))
      return scalar(field, { input, read: () => input.value })
    }
    case "choices":
      return choices(field, value)
    case "list":
      return list(field, value)
    case "group": {
      const inner = fieldControls(field.fields, value)
      const frame = framed(field, inner.element, inner.read, { set: [inner.element] })
      frame.element.classList.add("mf-group")
      return { ...inner, element: frame.element }
    }
    case "json": {
      const area = textarea(String(value), field.expects === "array" ? "[ ]" : "{ }", "mf-input mf-code")
      area.spellcheck = false
      return scalar(field, { input: area, read: () => area.value })
    }
  }
}
