import { isObject } from "../isObject.ts"
import type { LearnedResults } from "./LearnedResults.ts"
import type { Tool } from "./Tool.ts"

/** A member of a shape: `name:` or `name?:`. */
const SHAPE_MEMBER = /([\p{L}_$][\p{L}\p{N}_$-]*)\??:/gu

const keysIn = (value: unknown): ReadonlyArray<string> => {
  if (Array.isArray(value)) return value.flatMap(keysIn)
  return isObject(value) ? [...Object.keys(value), ...Object.values(value).flatMap(keysIn)] : []
}

const propertiesIn = (schema: unknown): ReadonlyArray<string> => {
  if (Array.isArray(schema)) return schema.flatMap(propertiesIn)
  if (!isObject(schema)) return []
  const own = isObject(schema.properties) ? Object.keys(schema.properties) : []
  return [...own, ...Object.values(schema).flatMap(propertiesIn)]
}

/** The names that members of this tool's results have, as far as schema and results tell. */
export const memberNames = ({ outputSchema }: Tool, { results, shape }: LearnedResults): ReadonlyArray<string> => [
  ...new Set([
    ...propertiesIn(outputSchema),
    ...results.flatMap(({ data }) => keysIn(data)),
    ...[...(shape ?? "").matchAll(SHAPE_MEMBER)].flatMap(([, name]) => name ?? [])
  ])
]
