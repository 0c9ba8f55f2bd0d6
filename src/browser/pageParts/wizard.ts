import type * as Parts from "../../../types/parts.d.ts"
import { formSheet } from "./formSheet.ts"
import { addSheet, button, h, icon, isPlain, optionsOf, text, toolbar } from "../parts/kit.ts"
import { input } from "./input.ts"

type Wizard = typeof Parts.wizard
type Step = NonNullable<Parameters<Wizard>[0]>[number]
type Input = ReturnType<typeof input>

interface Control {
  readonly key: string
  readonly label: string
  readonly isRequired: boolean
  readonly input: Input
}

const PLAIN = "border:0;margin:0;padding:0;min-inline-size:0"
const MARKS = "display:flex;flex-wrap:wrap;gap:6px 18px;list-style:none;margin:0;padding:0"

const listOf = <Item>(value: ReadonlyArray<Item> | undefined): ReadonlyArray<Item> =>
  Array.isArray(value) ? value : []

/** A form in steps. */
export const wizard: Wizard = (given, onSubmit, told) => {
  addSheet("form", formSheet)
  const options = optionsOf<Parts.WizardOptions>(told)
  const steps = listOf<Step>(given).filter(isPlain)
  const isWhole = options.all === true
  let at = 0

  const controlOf = (field: string | Parts.FormField): Control => {
    const told = typeof field === "string" ? { key: field } : field
    const spaced = told.key.replaceAll(/[_-]+/g, " ")
    const label = told.label ?? spaced.charAt(0).toUpperCase() + spaced.slice(1)
    const value = options.value as Readonly<Record<string, unknown>> | undefined
    const onEnter = (): void => (at === steps.length - 1 || isWhole ? send : next).click()
    const more = { ...told, value: value?.[told.key] ?? told.value, submit: false, onEnter } as const
    return { key: told.key, label, isRequired: told.required === true, input: input(label, more) }
  }
  const fieldsOf = ({ fields }: Step): ReadonlyArray<Control> =>
    (Array.isArray(fields) ? fields : Object.entries(fields ?? {}).map(([key, label]) => ({ key, label }))).map(
      controlOf
    )

  const controls = steps.map(fieldsOf)
  const heads = steps.map(({ title }, index) =>
    h("legend", { class: "mg-heading", style: "padding:0", tabindex: -1 }, title ?? `Step ${index + 1}`)
  )
  const panels = steps.map((step, index) =>
    h(
      "fieldset",
      { class: "mg-stack", style: PLAIN },
      heads[index],
      step.text && text(step.text, "muted"),
      h(
        "div",
        { class: "mg-form" },
        (controls[index] ?? []).map((control) => control.input)
      )
    )
  )

  /** The values of some steps; throws where something is missing. */
  const valuesOf = (some: ReadonlyArray<Control>): Record<string, unknown> => {
    const values: Record<string, unknown> = {}
    for (const control of some) {
      const { value } = control.input
      const inner = control.input.querySelector<HTMLElement>("input,select,textarea")
      const isBlank = value === undefined || value === ""
      inner?.removeAttribute("aria-invalid")
      if (isBlank && control.isRequired) {
        inner?.setAttribute("aria-invalid", "true")
        inner?.focus()
        throw new Error(`${control.label} is needed.`)
      }
      if (!isBlank) values[control.key] = value
    }
    return values
  }

  const marks = steps.map(() => h("li", { class: "mg-small" }))
  const go = (to: number, isFocused = true): void => {
    at = to
    panels.forEach((panel, index) => (panel.hidden = !isWhole && index !== at))
    marks.forEach((mark, index) => {
      mark.classList.toggle("mg-muted", index !== at)
      mark.classList.toggle("mg-strong", index === at)
      if (index === at) mark.setAttribute("aria-current", "step")
      else mark.removeAttribute("aria-current")
      const name = [index < at ? icon("check", 14) : `${index + 1}.`, " ", steps[index]?.title ?? "Step"]
      mark.replaceChildren(h("span", name))
    })
    back.hidden = isWhole || at === 0
    next.hidden = isWhole || at >= steps.length - 1
    send.hidden = !isWhole && at < steps.length - 1
    if (isFocused) heads[at]?.focus()
  }
  const back = button("Back", () => go(at - 1))
  const next = button("Next", () => void (valuesOf(controls[at] ?? []), go(at + 1)), { kind: "primary" })
  const send = button(options.submit ?? "Send", () => onSubmit?.(valuesOf(controls.flat())), { kind: "primary" })
  go(0, false)
  return h(
    "div",
    { class: "mg-stack", role: "group" },
    !isWhole && steps.length > 1 && h("ol", { style: MARKS, "aria-label": "Steps" }, marks),
    panels,
    toolbar(back, next, send)
  )
}
