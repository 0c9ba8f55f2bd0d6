import { itemsOf } from "../../domain/forms/FormDraft.ts"
import type { ChoicesField } from "../../domain/forms/FormField.ts"
import { choiceLabel } from "../../domain/forms/FieldText.ts"
import { sameJson } from "../../domain/forms/sameJson.ts"
import { h } from "../parts/index.ts"
import type { Control, Slot } from "./Control.ts"
import { textInput } from "./elements.ts"
import { frame } from "./frame.ts"

const MANY = 12

/** Several of a set: check boxes, with a filter above many of them. */
export const choicesControl = (field: ChoicesField, slot: Slot): Control => {
  const { form, place } = slot
  const now = (): ReadonlyArray<unknown> => itemsOf(form.get(place))
  const offered = field.choices.map(({ label, value }) => ({ label, value }))
  for (const value of now()) {
    if (!offered.some((choice) => sameJson(choice.value, value))) offered.push({ label: choiceLabel(value), value })
  }
  const rows = offered.map(({ label, value }) => {
    const box = h("input", { type: "checkbox" })
    box.checked = now().some((item) => sameJson(item, value))
    box.addEventListener("change", () => {
      const items = box.checked ? [...now(), value] : now().filter((item) => !sameJson(item, value))
      form.set(place, items.length === 0 && !field.required ? undefined : items)
    })
    return h("label", { class: "mf-choice" }, box, label)
  })
  const isMany = rows.length > MANY
  const filter = textInput({ type: "search", placeholder: "Filter…", "aria-label": `Filter ${field.label}` })
  filter.addEventListener("input", () => {
    const wanted = filter.value.trim().toLowerCase()
    for (const row of rows) row.hidden = !row.textContent.toLowerCase().includes(wanted)
  })
  const boxes = h("div", { class: ["mf-choices", isMany && "mf-box"] }, rows)
  return frame(field, slot, { content: [isMany ? filter : null, boxes] })
}
