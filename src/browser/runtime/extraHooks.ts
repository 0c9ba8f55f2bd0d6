import type { ResultViewOptions } from "../../../types/parts.d.ts"
import type { Field } from "../../domain/forms/FormField.ts"
import type { ResultShape } from "../../domain/results/ResultShape.ts"
import type { Control, Slot } from "../forms/Control.ts"
import { shapeView } from "../parts/resultView.ts"
import type { CallToolResultLike } from "./types.ts"

/** What the wide runtime puts in the place of the narrow one's. */
interface ExtraHooks {
  /** Draws a result in the built-in UI. */
  drawResult: (shape: ResultShape, result: CallToolResultLike, options: ResultViewOptions) => HTMLElement
  /** The control of a field in a form; `undefined` leaves it to the form. */
  fieldControl?: (field: Field, slot: Slot) => Control | undefined
}

export const extraHooks: ExtraHooks = { drawResult: shapeView }
