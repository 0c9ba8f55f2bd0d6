import { Unread } from "../../domain/forms/FormDraft.ts"
import type { Field, JsonField } from "../../domain/forms/FormField.ts"
import { readText, textOf } from "../../domain/forms/FormReading.ts"
import { button } from "../parts/index.ts"
import { afterPress } from "./afterPress.ts"
import type { Control, Slot } from "./Control.ts"
import { frame, placeholderOf } from "./frame.ts"
import { growing } from "./textControl.ts"

/** JSON as text. What is wrong with it is said when the person leaves it, not while it is typed. */
export const jsonControl = (field: JsonField, slot: Slot, notes?: ReadonlyArray<string>): Control => {
  const { form, place } = slot
  const value = form.get(place)
  const text = value instanceof Unread ? value.text : (textOf(field, value) ?? "")
  const placeholder = placeholderOf(field) || (field.expects === "array" ? "[ ]" : "{ }")
  const area = growing(text, notes === undefined ? 3 : 1, {
    class: `mf-input mf-code${notes === undefined ? "" : " mf-kept"}`,
    spellcheck: "false",
    autocapitalize: "none",
    placeholder,
    required: field.required
  })
  area.addEventListener("input", () => form.set(place, readText(field, area.value)))
  const tell = (): void => {
    const read = form.get(place)
    control.showError(read instanceof Unread ? read.message : "")
  }
  area.addEventListener("change", () => afterPress(tell))
  const control = frame(field, slot, { target: area, content: area, notes: notes ?? [] })
  return control
}

/** A value that its field can not show: as it is, until the person wants another one. */
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
  const json: JsonField = { ...field, kind: "json", expects: undefined }
  const notes = ["Not what the form expects here. It is sent as it is."]
  return jsonControl(json, { ...slot, look: { ...look, tools: [...(look.tools ?? []), replace] } }, notes)
}
