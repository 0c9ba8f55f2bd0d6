import { beginValue, Unread } from "../../domain/forms/FormDraft.ts"
import type { Field } from "../../domain/forms/FormField.ts"
import { textOf } from "../../domain/forms/FormReading.ts"
import { isObject } from "../../domain/isObject.ts"
import { jsonField } from "../../domain/forms/plainFields.ts"
import { button, h } from "../parts/index.ts"
import { extraHooks } from "../runtime/extraHooks.ts"
import { choicesControl } from "./choicesControl.ts"
import type { Control, Form, Look, Place, Slot } from "./Control.ts"
import { inSentence } from "./elements.ts"
import { frame } from "./frame.ts"
import { groupControl } from "./groupControl.ts"
import { jsonControl, keptControl } from "./jsonControl.ts"
import { listControl } from "./listControl.ts"
import { mapControl } from "./mapControl.ts"
import { booleanControl, constantControl, pickControl } from "./pickControl.ts"
import { textControl } from "./textControl.ts"
import { unionControl } from "./unionControl.ts"

/** Required groups are open down to this depth: a schema may refer to itself without end. */
const MAX_DEPTH = 5

/** More items or entries than this are edited as JSON. */
const MAX_DRAWN = 300

const depthOf = ({ parent }: Place): number => (parent === undefined ? 0 : 1 + depthOf(parent))

const canShow = (field: Field, value: unknown): boolean => {
  switch (field.kind) {
    case "text":
    case "number":
      return value === undefined || value === null || value instanceof Unread || textOf(field, value) !== undefined
    case "group":
    case "map":
      return value === undefined || isObject(value)
    case "list":
    case "choices":
      return value === undefined || Array.isArray(value)
    default:
      return true
  }
}

const controls: { readonly [Kind in Field["kind"]]: (field: Extract<Field, { kind: Kind }>, slot: Slot) => Control } = {
  text: textControl,
  number: textControl,
  boolean: booleanControl,
  constant: constantControl,
  choice: (field, slot) => pickControl(field, field.choices, slot),
  choices: choicesControl,
  list: listControl,
  group: groupControl,
  map: mapControl,
  union: unionControl,
  json: jsonControl
}

const draw = (field: Field, slot: Slot): Control => {
  const { form, place, look, redraw } = slot
  const label = look.label ?? field.label
  const put = (text: string, title: string, value: () => unknown, kind: "plain" | "secondary" = "plain"): HTMLElement =>
    button(
      text,
      () => {
        form.set(place, value())
        redraw()
      },
      { small: true, kind, title }
    )
  const value = form.get(place)
  const isBox = field.kind === "group" || field.kind === "map"
  /** To leave the field out and to send null are not the same, and no option of the control is null. */
  const hasNull =
    field.nullable &&
    !field.required &&
    field.defaultValue !== null &&
    !/^(choice|boolean|json|constant)$/.test(field.kind)
  const toNull = hasNull ? [put("Set to null", `Set to null: ${label}`, () => null)] : []

  if (value === null && hasNull) {
    const enter = put("Enter a value", `Enter a value for ${label}`, () =>
      isBox ? (beginValue(field) ?? {}) : undefined
    )
    return frame(field, slot, { content: h("div", { class: "mf-row" }, h("code", {}, "null"), enter) })
  }
  const isNothing = value === undefined || (value === null && field.nullable)
  if (isBox && isNothing && look.isBare !== true && (!field.required || field.nullable || depthOf(place) > MAX_DEPTH)) {
    const add = put(`Add ${inSentence(label)}`, `Add ${inSentence(label)}`, () => beginValue(field) ?? {}, "secondary")
    return frame(
      { ...field, required: false },
      { ...slot, look: { ...look, isClosed: true } },
      { content: h("div", { class: "mf-row" }, add, toNull) }
    )
  }
  if (
    value === null
      ? !field.nullable && !/^(json|union|choice|boolean|constant)$/.test(field.kind)
      : !canShow(field, value)
  ) {
    return keptControl(field, slot)
  }
  const remove =
    isBox && look.isBare !== true && !field.required ? [put("Remove", `Remove ${label}`, () => undefined)] : []
  const tools = [...(look.tools ?? []), ...toNull, ...remove]
  const isMany = (field.kind === "list" || field.kind === "map") && Object.keys(Object(value)).length > MAX_DRAWN
  const shown = isMany ? jsonField(field) : field
  const control = controls[shown.kind] as (field: Field, slot: Slot) => Control
  const here = { ...slot, look: { ...look, tools } }
  return extraHooks.fieldControl?.(shown, here) ?? control(shown, here)
}

/** The control of a field. To draw it again replaces its element in place. */
export const fieldControl = (form: Form, field: Field, place: Place, look: Look = {}): Control => {
  const slot: Slot = {
    form,
    place,
    look,
    redraw: () => {
      const before = control.element
      control = draw(field, slot)
      before.replaceWith(control.element)
      control.focus()
    }
  }
  let control = draw(field, slot)
  return {
    get element() {
      return control.element
    },
    focus: () => control.focus(),
    showError: (message) => control.showError(message),
    child: (key) => control.child?.(key)
  }
}
