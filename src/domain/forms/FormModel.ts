import type { FormModel } from "./FormField.ts"
import { FormFields } from "./FormFields.ts"

/**
 * The form of an input schema: JSON Schema of drafts 4, 7, 2019-09 and 2020-12, mixed as servers mix them. Any JSON value
 * is taken and none throws: what is no schema says nothing. Work is done when fields are asked for, and is bounded.
 */
export const formModel = (inputSchema: unknown): FormModel => ({ root: new FormFields(inputSchema).root(inputSchema) })
