import { isObject } from "../isObject.ts"
import type { Tool } from "../tools/Tool.ts"

/** Deeper than schemas of real tools; what stands below does not count. */
const MAX_DEPTH = 40

/** Keywords whose value is one schema, a list of them, or schemas by name. */
const ONE = new Set(["items", "additionalProperties", "not", "if", "then", "else"])
const LISTS = new Set(["anyOf", "oneOf", "allOf", "prefixItems"])
const NAMED = new Set(["properties", "patternProperties", "$defs", "definitions"])
/** Keywords whose value is a word, or words in any order. */
const WORDS = new Set(["type", "enum", "required", "const", "$ref"])

/** Titles, descriptions, defaults, examples and bounds are left out: a page does not depend on them. */
const schemaShape = (schema: unknown, depth = 0): unknown => {
  if (!isObject(schema) || depth > MAX_DEPTH) return null
  const below = (inner: unknown) => schemaShape(inner, depth + 1)
  const members = Object.entries(schema).flatMap(([keyword, value]): ReadonlyArray<readonly [string, unknown]> => {
    if (WORDS.has(keyword)) {
      const words = (Array.isArray(value) ? value : [value]).map((word) => JSON.stringify(word))
      return words.length === 0 ? [] : [[keyword, words.sort()]]
    }
    if (LISTS.has(keyword)) return Array.isArray(value) ? [[keyword, value.map(below)]] : []
    if (!isObject(value)) return []
    if (ONE.has(keyword)) return [[keyword, below(value)]]
    if (!NAMED.has(keyword)) return []
    return [[keyword, Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, below(inner)]))]]
  })
  return Object.fromEntries(members)
}

/**
 * The structure of a tool's input and output. It is the same for definitions that differ in words only, or in the order of
 * their members.
 */
export const toolShape = ({ inputSchema, name, outputSchema }: Pick<Tool, "name" | "inputSchema" | "outputSchema">) => [
  name,
  schemaShape(inputSchema),
  schemaShape(outputSchema)
]
