import type { FormOptions } from "../../../types/parts.d.ts"
import { formSheet } from "./formSheet.ts"
import { input, type InputElement } from "./input.ts"
import { addSheet, button, h, isPlain, labelOf, listOf, memberOf, optionsOf, textOf } from "../parts/kit.ts"

interface FormField {
  readonly key: string
  readonly isRequired: boolean
  readonly label: string
  readonly control: InputElement
}

export const form = (
  fields?: unknown,
  onSubmit?: (values: never) => unknown,
  options?: Partial<FormOptions>
): HTMLElement => {
  addSheet("form", formSheet)
  const given = optionsOf<FormOptions>(options)
  const source = isPlain(fields) && !("key" in fields) ? Object.entries(fields) : listOf(fields)
  const read = source.flatMap((field): ReadonlyArray<FormField> => {
    const [name, told]: ReadonlyArray<unknown> = Array.isArray(field) ? field : [undefined, field]
    const member = isPlain(told) ? told : {}
    const key = textOf(name ?? member.key ?? member.name ?? (isPlain(told) ? undefined : told))
    if (key === "") return []
    const label = textOf(member.label ?? (name !== undefined && typeof told === "string" ? told : labelOf(key)))
    const value = memberOf(given.value, key) ?? member.value
    return [
      {
        key,
        label,
        isRequired: member.required === true,
        control: input(label, { ...member, value, submit: false, onEnter: () => go.click() })
      }
    ]
  })
  const go = button(
    textOf(given.submit) || "Send",
    () => {
      const values: Record<string, unknown> = {}
      for (const { key, label, isRequired, control } of read) {
        const inner = control.querySelector<HTMLInputElement>("input,select,textarea")
        const { value } = control
        const isBlank = value === undefined || value === ""
        inner?.removeAttribute("aria-invalid")
        if (isBlank && isRequired) {
          inner?.setAttribute("aria-invalid", "true")
          inner?.focus()
          throw new Error(`${label} is needed.`)
        }
        if (!isBlank) values[key] = value
      }
      return typeof onSubmit === "function" ? onSubmit(values as never) : undefined
    },
    { kind: "primary" }
  )
  return h(
    "div",
    { class: "mg-form", role: "group" },
    read.map(({ control }) => control),
    h("div", { class: "mg-toolbar" }, go)
  )
}
