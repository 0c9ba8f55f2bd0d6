import { Unread } from "../../domain/forms/FormDraft.ts"
import type { NumberField, TextField } from "../../domain/forms/FormField.ts"
import { readText, textOf } from "../../domain/forms/FormReading.ts"
import { h } from "../parts/index.ts"
import { afterPress } from "./afterPress.ts"
import type { Control, Slot } from "./Control.ts"
import { frame, placeholderOf } from "./frame.ts"

const MAX_ROWS = 14

/** A text area that is as high as its text. */
export const growing = (
  value: string,
  rows: number,
  attributes: Readonly<Record<string, unknown>>
): HTMLTextAreaElement => {
  const area = h("textarea", { class: "mf-input", ...attributes })
  const grow = (): void => {
    area.rows = Math.min(MAX_ROWS, Math.max(rows, area.value.split("\n", MAX_ROWS).length + 1))
  }
  area.value = value
  grow()
  area.addEventListener("input", grow)
  return area
}

const PICKERS: Readonly<Record<string, string>> = { date: "date", time: "time", "date-time": "datetime-local" }
const KEYBOARDS: Readonly<Record<string, string>> = { email: "email", uri: "url" }

/** An input of a type; plain text when that type drops the value, as pickers do with "tomorrow". */
const inputOf = (type: string, value: string, attributes: Readonly<Record<string, unknown>>): HTMLInputElement => {
  const input = h("input", { class: "mf-input", type, autocomplete: "off", ...attributes })
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

/** Text, in an input of its format, and numbers: what is typed is kept as it is typed, also where it is no value yet. */
export const textControl = (field: TextField | NumberField, slot: Slot): Control => {
  const { form, place } = slot
  const format = field.kind === "number" ? "number" : field.format
  const isMoment = format === "date-time"
  let zone = isMoment ? form.timeZone : undefined
  const shown = (): string => {
    const value = form.get(place)
    if (value instanceof Unread) return value.text
    return value === null ? "" : (textOf(field, value, zone) ?? "")
  }
  const value = shown()
  const isSecret = format === "password"
  const attributes = {
    placeholder: placeholderOf(field) || (field.kind === "number" ? boundsOf(field) : undefined),
    required: field.required,
    inputmode:
      field.kind === "number"
        ? field.integer && !((field.minimum ?? -1) < 0)
          ? "numeric"
          : "decimal"
        : KEYBOARDS[format],
    spellcheck: /text|multiline/.test(format) ? undefined : "false",
    autocapitalize: format === "text" || format === "multiline" ? undefined : "none"
  }
  const isLong = format === "multiline" || /[\n\r]/.test(value)
  const input = isLong
    ? growing(value, 3, { ...attributes, class: isSecret ? "mf-input mf-masked" : "mf-input" })
    : inputOf(PICKERS[format] ?? (isSecret ? "password" : "text"), value, attributes)

  const slider = field.kind === "number" && field.hasSlider ? sliderOf(field) : undefined
  const syncSlider = (): void => {
    if (slider === undefined) return
    slider.value = input.value === "" ? String(field.defaultValue ?? slider.min) : input.value
    slider.classList.toggle("mf-unset", input.value === "")
  }
  const write = (): void => {
    const isPartial = input instanceof HTMLInputElement && input.validity.badInput
    form.set(
      place,
      isPartial ? new Unread("", "Enter the whole of it, or clear it.", field.kind) : readText(field, input.value, zone)
    )
  }
  input.addEventListener("input", () => {
    write()
    syncSlider()
  })
  const tell = (): void => {
    const read = form.get(place)
    if (read instanceof Unread) control.showError(read.message)
  }
  input.addEventListener("change", () => afterPress(tell))
  const step = field.kind === "number" ? (field.multipleOf ?? (field.integer ? 1 : undefined)) : undefined
  if (field.kind === "number" && step !== undefined) {
    input.addEventListener("keydown", (event) => {
      const direction = event instanceof KeyboardEvent ? ["ArrowDown", "", "ArrowUp"].indexOf(event.key) - 1 : 0
      if (Math.abs(direction) !== 1) return
      event.preventDefault()
      const next = Number(((Number(input.value) || 0) + direction * step).toPrecision(12))
      input.value = String(Math.min(field.maximum ?? next, Math.max(field.minimum ?? next, next)))
      input.dispatchEvent(new Event("input", { bubbles: true }))
    })
  }
  slider?.addEventListener("input", () => {
    input.value = slider.value
    write()
    syncSlider()
  })
  syncSlider()

  const zoneName = isMoment ? h("p", { class: "mf-hint" }, `Time zone: ${zone}`) : null
  const content =
    slider === undefined && !isSecret
      ? [input, zoneName]
      : h("div", { class: "mf-row" }, slider, input, isSecret ? reveal(input) : null)
  const control = frame(field, slot, { target: input, content })
  if (zoneName !== null) {
    form.onTimeZone(input, () => {
      if (document.activeElement === input || form.timeZone === zone) return
      zone = form.timeZone
      zoneName.textContent = `Time zone: ${zone}`
      input.value = shown()
    })
  }
  return control
}

/** For the pointer only: the box beside it is the same to the keyboard and to a screen reader. */
const sliderOf = ({ minimum = 0, maximum = 100, multipleOf, integer }: NumberField): HTMLInputElement => {
  const step = multipleOf ?? (integer ? 1 : "any")
  return h("input", { type: "range", min: minimum, max: maximum, step, tabindex: -1, "aria-hidden": "true" })
}

const reveal = (input: HTMLElement): HTMLElement => {
  const toggle = h("button", { type: "button", class: "mg-button mg-small", "aria-pressed": "false" }, "Show")
  toggle.addEventListener("click", () => {
    const isShown = toggle.getAttribute("aria-pressed") !== "true"
    toggle.setAttribute("aria-pressed", String(isShown))
    if (input instanceof HTMLInputElement) input.type = isShown ? "text" : "password"
    else input.classList.toggle("mf-masked", !isShown)
  })
  return toggle
}
