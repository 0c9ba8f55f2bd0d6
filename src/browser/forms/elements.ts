import { icon, type IconName } from "../parts/icons.ts"
import { h } from "../parts/index.ts"

type Attributes = Readonly<Record<string, unknown>>

const MAX_ROWS = 14

/** A line of text. */
export const textInput = (attributes: Attributes): HTMLInputElement =>
  h("input", { class: "mf-input", type: "text", autocomplete: "off", spellcheck: "false", ...attributes })

/** A text area that is as high as its text. */
export const growing = (value: string, rows: number, attributes: Attributes): HTMLTextAreaElement => {
  const area = h("textarea", { class: "mf-input", ...attributes })
  const grow = (): void => {
    area.rows = Math.min(MAX_ROWS, Math.max(rows, area.value.split("\n", MAX_ROWS).length + 1))
  }
  area.value = value
  grow()
  area.addEventListener("input", grow)
  return area
}

/** A text area for JSON. */
export const jsonArea = (value: string, rows: number, attributes: Attributes = {}): HTMLTextAreaElement =>
  growing(value, rows, { class: "mf-input mf-code", spellcheck: "false", autocapitalize: "none", ...attributes })

/** A small button with an icon; `label` names it to screen readers and to the pointer. */
export const tool = (name: IconName, label: string, onclick: () => void, disabled = false): HTMLButtonElement =>
  h("button", { type: "button", class: "mf-tool", "aria-label": label, title: label, disabled, onclick }, icon(name))

/** A quiet note below a control. */
export const hint = (text: string): HTMLElement => h("p", { class: "mf-hint" }, text)

/** "Address" becomes "address" in the middle of a sentence; "URL" stays. */
export const inSentence = (label: string): string =>
  /^[A-Z][a-z]/.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label
