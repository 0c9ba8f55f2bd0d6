import type { Field } from "../../domain/forms/FormField.ts"
import type { Control, Slot } from "../forms/Control.ts"

/** What the wide runtime adds to the narrow one, which calls it where it is there. */
interface ExtraHooks {
  /** The control of a field in a form; `undefined` leaves it to the form. */
  fieldControl?: (field: Field, slot: Slot) => Control | undefined
}

export const extraHooks: ExtraHooks = {}
