import { schemaDocument } from "../../domain/forms/JsonSchema.ts"
import { isValidQuickly } from "../../domain/forms/SchemaValidation.ts"
import type { CallToolResultLike } from "../runtime/types.ts"
import { type Child, h } from "./dom.ts"

/** Servers change what they answer and forget to say so: the answer is shown all the same, with this line below it. */
export const breaksSchema = (result: CallToolResultLike | null, schema: unknown): Child =>
  result?.structuredContent !== undefined &&
  !isValidQuickly(schema, result.structuredContent, schemaDocument(schema)) &&
  h("p", { class: "mg-muted mg-small" }, "The answer is not as the tool describes it.")
