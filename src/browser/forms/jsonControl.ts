import { Unread } from "../../domain/forms/FormDraft.ts"
import type { Field, JsonField } from "../../domain/forms/FormField.ts"
import { readText, textOf } from "../../domain/forms/FormReading.ts"
import { button } from "../parts/index.ts"
import { afterPress } from "./afterPress.ts"
import type { Control, Slot } from "./Control.ts"
import { jsonArea } from "./elements.ts"
import { frame, placeholderOf } from "./frame.ts"

/** JSON as text. Errors show when the person leaves the field, not while they type. */
export const jsonControl = (field: JsonField, slot: Slot, note?: string): Control => {
  const { form, place } = slot
  const area = jsonArea(textOf(field, form.get(place)) ?? "", note === undefined ? 3 : 1, {
    placeholder: placeholderOf(field) || (field.expects === "array" ? "[ ]" : "{ }"),
    required: field.required
  })
  area.addEventListener("input", () => form.set(place, readText(field, area.value)))
  const tell = (): void => {
    const read = form.get(place)
    control.showError(read instanceof Unread ? read.message : "")
  }
  area.addEventListener("change", () => afterPress(tell))
  const control = frame(field, slot, { target: area, content: area, note })
  return control
}

/** A value that its field cannot show. It is kept as it is until the person replaces it. */
export const keptControl = (field: Field, slot: Slot): Control => {
  const { form, place, look, redraw } = slot
  const replace = button(
    "Replace",
    () => {
      form.set(place, undefined)
      redraw()
    },
    { kind: "plain", small: true, title: `Replace ${look.label ?? field.label}` }
  )
  return jsonControl(
    { ...field, kind: "json", expects: undefined },
    { ...slot, look: { ...look, tools: [...(look.tools ?? []), replace] } },
    "Not what the form expects here. It is sent as it is."
  )
}
