import type { Field } from "../../domain/forms/FormField.ts"
import type { Control, Slot } from "../forms/Control.ts"
import type { CallToolResultLike, JsonObject } from "./types.ts"

/** A call with its result. */
export interface ShownCall {
  readonly result: CallToolResultLike
  readonly args: JsonObject
}

/** What the wide runtime adds to the narrow one, which calls it where it is there. */
interface ExtraHooks {
  /** Draws a result in the built-in UI; `undefined` leaves it to the result view. */
  drawResult?: (call: ShownCall) => HTMLElement | undefined
  /** The control of a field in a form; `undefined` leaves it to the form. */
  fieldControl?: (field: Field, slot: Slot) => Control | undefined
}

export const extraHooks: ExtraHooks = {}
