import type { InputOptions } from "../../../types/parts.d.ts"
import type { Child } from "../parts/dom.ts"
import { attempt, button, choicesOf, h, icon, numberOf, optionsOf, textOf, uniqueId } from "../parts/kit.ts"

/** An input with its label; `value` is what it holds now. */
export type InputElement = HTMLElement & { value: unknown }

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/** Letters of a label that a narrow frame shows whole inside of its input. */
const MOST_INSIDE = 26

const knownTypes = /^(text(area)?|search|number|date|time|email|url|password|select|checkbox)$/

const kindOf = (given: Partial<InputOptions>): string => {
  const type = textOf(given.type)
  if (given.options !== undefined) return "select"
  if (type.startsWith("datetime")) return "datetime-local"
  if (knownTypes.test(type)) return type
  return typeof given.value === "boolean" ? "checkbox" : typeof given.value === "number" ? "number" : "text"
}

export const input = (label?: Child, options?: Partial<InputOptions> | ((value: never) => unknown)): InputElement => {
  const given = optionsOf<InputOptions>(typeof options === "function" ? { onChange: options } : options)
  const kind = kindOf(given)
  const choices = choicesOf(given.options)
  // Not everybody thinks of the Enter key: such an input has a button, and a short label stands inside.
  const asks = typeof given.onEnter === "function" && given.submit !== false && !/select|checkbox/.test(kind)
  const isInside = asks && given.placeholder === undefined && textOf(label).length <= MOST_INSIDE
  const placeholder = textOf(given.placeholder ?? (isInside ? label : ""))
  const shared = { id: uniqueId(), class: kind === "checkbox" ? "" : "mg-input", disabled: given.disabled === true }
  const make = (): Control => {
    if (kind === "textarea") return h("textarea", { ...shared, placeholder, rows: 3 })
    if (kind !== "select") {
      const { min, max, step } = given
      return h("input", {
        ...shared,
        type: kind,
        placeholder,
        min,
        max,
        step: step ?? (kind === "number" ? "any" : null)
      })
    }
    return h(
      "select",
      shared,
      [...(placeholder === "" ? [] : [{ label: placeholder }]), ...choices].map((choice) =>
        h("option", {}, choice.label)
      )
    )
  }
  const control = make()
  const offset = kind === "select" && placeholder !== "" ? 1 : 0
  const read = (): unknown => {
    if (control instanceof HTMLSelectElement) return choices[control.selectedIndex - offset]?.value
    if (kind === "checkbox") return (control as HTMLInputElement).checked
    return kind === "number" ? numberOf(control.value) : control.value
  }
  const write = (value: unknown): void => {
    if (control instanceof HTMLSelectElement) {
      const at = choices.findIndex((choice) => choice.value === value || textOf(choice.value) === textOf(value))
      control.selectedIndex = at === -1 ? 0 : at + offset
    } else if (kind === "checkbox") (control as HTMLInputElement).checked = value === true || value === "true"
    else control.value = textOf(value)
  }
  write(given.value)
  const tell = (listener: unknown): void => {
    if (typeof listener === "function") attempt(() => listener(read()))
  }
  control.addEventListener(kind === "select" || kind === "checkbox" ? "change" : "input", () => tell(given.onChange))
  control.addEventListener("keydown", (event) => {
    if ((event as KeyboardEvent).key !== "Enter" || kind === "textarea") return
    if (asks) sender.querySelector("button")?.click()
    else tell(given.onEnter)
  })
  const name = h("label", { for: shared.id, class: isInside && "mg-hidden" }, label)
  const send = (): unknown => given.onEnter?.(read() as never)
  const sender = asks
    ? h(
        "div",
        { class: "mg-asking" },
        control,
        button(given.submit ?? icon("right"), send, { title: textOf(given.submit ?? label) })
      )
    : control
  const parts = kind === "checkbox" ? [control, name] : [name, sender]
  const field: HTMLElement = h(
    "div",
    { class: `mg-field${kind === "checkbox" ? " mg-check" : kind === "textarea" ? " mg-wide" : ""}` },
    parts
  )
  return Object.defineProperty(field, "value", { get: read, set: write }) as InputElement
}
