import type { FormModel } from "./FormField.ts"
import { FormFields } from "./FormFields.ts"

/**
 * The form of an input schema: JSON Schema drafts 4, 7, 2019-09 and 2020-12, mixed as servers mix them. Any JSON value
 * is accepted, and none throws. Fields are made on demand; the work is bounded.
 */
export const formModel = (inputSchema: unknown): FormModel => ({ root: new FormFields(inputSchema).root(inputSchema) })
