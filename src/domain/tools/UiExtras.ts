import type { FieldOptions } from "./FieldOptions.ts"
import type { FileField } from "./FileFields.ts"

/** What the page of a tool can do beyond the tool itself. Part of the data of its document. */
export interface UiExtras {
  /** Fields whose values other tools list, by their paths. */
  readonly options?: Readonly<Record<string, FieldOptions>>
  /** Fields that take files, by their paths. */
  readonly files?: Readonly<Record<string, FileField>>
}
