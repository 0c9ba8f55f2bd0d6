import { Unread } from "../../domain/forms/FormDraft.ts"
import type { NumberField, TextField } from "../../domain/forms/FormField.ts"
import { readText, textOf } from "../../domain/forms/FormReading.ts"
import { h } from "../parts/index.ts"
import { afterPress } from "./afterPress.ts"
import type { Control, Slot } from "./Control.ts"
import { growing, hint, textInput } from "./elements.ts"
import { frame, placeholderOf } from "./frame.ts"

const PICKERS: Readonly<Record<string, string>> = {
  date: "date",
  time: "time",
  "date-time": "datetime-local",
  password: "password"
}
const KEYBOARDS: Readonly<Record<string, string>> = { email: "email", uri: "url" }

/** An input of a type. Falls back to plain text when that type drops the value, as date pickers do with "tomorrow". */
const inputOf = (type: string, value: string, attributes: Readonly<Record<string, unknown>>): HTMLInputElement => {
  const input = textInput({ ...attributes, type })
  if (type !== "text" && /:\d\d:/.test(value)) input.step = "1"
  input.value = value
  if (input.value !== value) {
    input.type = "text"
    input.value = value
  }
  return input
}

const boundsOf = ({ minimum, maximum }: NumberField): string | undefined => {
  if (minimum === undefined) return maximum === undefined ? undefined : `at most ${maximum}`
  return maximum === undefined ? `${minimum} or more` : `${minimum} to ${maximum}`
}

/** Text, in an input of its format, and numbers. What is typed is kept as typed, even if it is no value yet. */
export const textControl = (field: TextField | NumberField, slot: Slot): Control => {
  const { form, place } = slot
  const number = field.kind === "number" ? field : undefined
  const format = field.kind === "number" ? "number" : field.format
  const zone = format === "date-time" ? form.timeZone : undefined
  const value = textOf(field, form.get(place) ?? undefined, zone) ?? ""
  const isSecret = format === "password"
  const isProse = format === "text" || format === "multiline"
  const step = number?.multipleOf ?? (number?.integer === true ? 1 : undefined)
  const attributes = {
    placeholder: placeholderOf(field) || (number && boundsOf(number)),
    required: field.required,
    inputmode:
      number === undefined ? KEYBOARDS[format] : number.integer && (number.minimum ?? -1) >= 0 ? "numeric" : "decimal",
    spellcheck: isProse ? undefined : "false",
    autocapitalize: isProse ? undefined : "none"
  }
  /** An input turns these line ends into `\n`. */
  const hasCrLf = value.includes("\n") && !/\r(?!\n)|(?<!\r)\n/.test(value)
  const isLong = format === "multiline" || /[\n\r]/.test(value)
  const input = isLong
    ? growing(value, 3, { ...attributes, class: ["mf-input", isSecret && "mf-masked"] })
    : inputOf(PICKERS[format] ?? "text", value, attributes)

  const slider = number?.hasSlider === true ? sliderOf(number, step) : undefined
  const syncSlider = (): void => {
    if (slider === undefined) return
    slider.value = input.value === "" ? String(field.defaultValue ?? slider.min) : input.value
    slider.classList.toggle("mf-unset", input.value === "")
  }
  const write = (): void => {
    const isPartial = input instanceof HTMLInputElement && input.validity.badInput
    const text = hasCrLf ? input.value.replaceAll("\n", "\r\n") : input.value
    form.set(
      place,
      isPartial ? new Unread("", "Enter the whole of it, or clear it.", field.kind) : readText(field, text, zone)
    )
    syncSlider()
  }
  const put = (text: string): void => {
    input.value = text
    write()
  }
  input.addEventListener("input", write)
  const tell = (): void => {
    const read = form.get(place)
    if (read instanceof Unread) control.showError(read.message)
  }
  input.addEventListener("change", () => afterPress(tell))
  if (number !== undefined && step !== undefined) {
    input.addEventListener("keydown", (event) => {
      const direction = event instanceof KeyboardEvent ? ["ArrowDown", "", "ArrowUp"].indexOf(event.key) - 1 : 0
      if (Math.abs(direction) !== 1) return
      event.preventDefault()
      const next = Number(((Number(input.value) || 0) + direction * step).toPrecision(12))
      put(String(Math.min(number.maximum ?? next, Math.max(number.minimum ?? next, next))))
    })
  }
  slider?.addEventListener("input", () => put(slider.value))
  syncSlider()

  const content =
    slider === undefined && !isSecret
      ? [input, zone === undefined ? null : hint(`Time zone: ${zone}`)]
      : h("div", { class: "mf-row" }, slider, input, isSecret ? reveal(input) : null)
  const control = frame(field, slot, { target: input, content })
  return control
}

/** For the pointer only: keyboard and screen reader have the box beside it. */
const sliderOf = ({ minimum = 0, maximum = 100 }: NumberField, step: number | "any" = "any"): HTMLInputElement =>
  h("input", { type: "range", min: minimum, max: maximum, step, tabindex: -1, "aria-hidden": "true" })

const reveal = (input: HTMLElement): HTMLElement => {
  const toggle = h("button", { type: "button", class: "mg-button mg-small", "aria-pressed": "false" }, "Show")
  toggle.addEventListener("click", () => {
    const isShown = toggle.ariaPressed !== "true"
    toggle.ariaPressed = String(isShown)
    if (input instanceof HTMLInputElement) input.type = isShown ? "text" : "password"
    else input.classList.toggle("mf-masked", !isShown)
  })
  return toggle
}
