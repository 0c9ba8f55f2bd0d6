import { itemsOf } from "../../domain/forms/FormDraft.ts"
import type { ChoicesField } from "../../domain/forms/FormField.ts"
import { choiceLabel } from "../../domain/forms/FieldText.ts"
import { sameJson } from "../../domain/forms/sameJson.ts"
import { gradually } from "../parts/gradually.ts"
import { h } from "../parts/index.ts"
import type { Control, Slot } from "./Control.ts"
import { textInput } from "./elements.ts"
import { frame } from "./frame.ts"

const MANY = 12

/** Whether a value is in a list. Plain values are found without comparing each one. */
const isAmong = (known: ReadonlySet<unknown>, value: unknown): boolean =>
  known.has(value) || (typeof value === "object" && [...known].some((item) => sameJson(item, value)))

/** Several of a set: check boxes, with a filter above many of them. */
export const choicesControl = (field: ChoicesField, slot: Slot): Control => {
  const { form, place } = slot
  const now = (): ReadonlyArray<unknown> => itemsOf(form.get(place))
  const offered = field.choices.map(({ label, value }) => ({ label, value }))
  const known = new Set(offered.map(({ value }) => value))
  for (const value of now()) {
    if (isAmong(known, value)) continue
    known.add(value)
    offered.push({ label: choiceLabel(value), value })
  }
  const rowOf = ({ label, value }: (typeof offered)[number]): HTMLElement => {
    const box = h("input", { type: "checkbox" })
    box.checked = isAmong(new Set(now()), value)
    box.addEventListener("change", () => {
      const items = box.checked ? [...now(), value] : now().filter((item) => !sameJson(item, value))
      form.set(place, items.length === 0 && !field.required ? undefined : items)
    })
    return h("label", { class: "mf-choice" }, box, label)
  }
  const isMany = offered.length > MANY
  const filter = textInput({ type: "search", placeholder: "Filter…", "aria-label": `Filter ${field.label}` })
  const boxes = h("div", { class: isMany && "mf-box" })
  const draw = (): void => {
    const wanted = filter.value.trim().toLowerCase()
    const found = offered.filter(({ label }) => label.toLowerCase().includes(wanted))
    boxes.replaceChildren(gradually(h("div", { class: "mf-choices" }), found, rowOf))
  }
  filter.addEventListener("input", draw)
  draw()
  return frame(field, slot, { content: [isMany ? filter : null, boxes] })
}
