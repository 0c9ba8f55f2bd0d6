import type { Field } from "../../domain/forms/FormField.ts"
import { type Control, pathOf, type Slot } from "../forms/Control.ts"
import { fileControl } from "./fileControl.ts"
import { optionsControl } from "./optionsControl.ts"

/** The control of a field whose values another tool lists, or that takes a file. */
export const extraControl = (field: Field, slot: Slot): Control | undefined => {
  const { extras } = slot.form.session
  const isMany = field.kind === "list"
  const item = isMany ? field.itemAt(0) : field
  if (extras === undefined || (item?.kind !== "text" && item?.kind !== "number")) return undefined
  // As the paths of the extras: names, without the places in lists.
  const path = pathOf(slot.place)
    .filter((key) => typeof key === "string")
    .join(".")
  const options = extras.options?.[path]
  if (options !== undefined) return optionsControl({ field, item, isMany, options }, slot)
  const file = item.kind === "text" ? extras.files?.[path] : undefined
  return file && fileControl({ field, isMany, file }, slot)
}
