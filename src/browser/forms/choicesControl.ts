import type { ChoicesField } from "../../domain/forms/FormField.ts"
import { choiceLabel } from "../../domain/forms/FieldText.ts"
import { sameJson } from "../../domain/forms/sameJson.ts"
import { uniqueId } from "../parts/dom.ts"
import { h } from "../parts/index.ts"
import type { Control, Slot } from "./Control.ts"
import { frame } from "./frame.ts"

const MANY = 12

/** Several of a set: check boxes, with a filter above many of them. */
export const choicesControl = (field: ChoicesField, slot: Slot): Control => {
  const { form, place } = slot
  const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])
  const now = (): ReadonlyArray<unknown> => listOf(form.get(place))
  const offered = field.choices.map(({ label, value }) => ({ label, value }))
  for (const value of now()) {
    if (!offered.some((choice) => sameJson(choice.value, value))) offered.push({ label: choiceLabel(value), value })
  }
  const rows = offered.map(({ label, value }) => {
    const id = uniqueId()
    const box = h("input", { type: "checkbox", id })
    box.checked = now().some((item) => sameJson(item, value))
    box.addEventListener("change", () => {
      const items = box.checked ? [...now(), value] : now().filter((item) => !sameJson(item, value))
      form.set(place, items.length === 0 && !field.required ? undefined : items)
    })
    return {
      label: label.toLowerCase(),
      element: h("div", { class: "mf-choice" }, box, h("label", { for: id }, label))
    }
  })
  const isMany = rows.length > MANY
  const boxes = h(
    "div",
    { class: isMany ? "mf-choices mf-scroll" : "mf-choices" },
    rows.map(({ element }) => element)
  )
  if (!isMany) return frame(field, slot, { content: boxes })
  const filter = h("input", {
    class: "mf-input",
    type: "search",
    placeholder: "Filter…",
    "aria-label": `Filter ${field.label}`
  })
  filter.addEventListener("input", () => {
    const wanted = filter.value.trim().toLowerCase()
    for (const { label, element } of rows) element.hidden = !label.includes(wanted)
  })
  return frame(field, slot, { content: [filter, boxes] })
}
