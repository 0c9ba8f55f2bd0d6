import { schemaDocument } from "../forms/JsonSchema.ts"
import { schemaProblems } from "../forms/SchemaValidation.ts"
import { isObject } from "../isObject.ts"

const MAX_FOUND = 60

/** What keeps data from being shown as what the tool promises: the place, what was found, and what it breaks. */
export const renderDataProblem = (outputSchema: unknown, renderData: unknown): string | undefined => {
  if (!isObject(renderData)) return "the data are not an object"
  const problem = schemaProblems(outputSchema, renderData, schemaDocument(outputSchema))[0]
  if (problem === undefined) return undefined
  const place = problem.path.map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`)).join("")
  const found = problem.path.reduce<unknown>((value, step) => Object(value)[step] as unknown, renderData)
  const text = (JSON.stringify(found) ?? "nothing").slice(0, MAX_FOUND)
  return `${place.replace(/^\./, "") || "the data"}: found ${text}, which breaks "${problem.keyword}" of the outputSchema`
}
