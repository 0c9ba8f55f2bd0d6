import { isObject } from "../isObject.ts"
import { TOO_LARGE } from "./PromptSample.ts"
import { cutText, oneLine, visibleJson } from "../tools/PromptText.ts"

interface SchemaLimits {
  readonly depth: number
  readonly enumValues: number
  readonly properties: number
  readonly description: number
}

/** Members that say nothing about how to show a value. */
const SILENT_MEMBERS: ReadonlySet<string> = new Set(["$schema", "$id", "$comment", "$anchor", "additionalItems"])
/** Members that map names to schemas. */
const SCHEMA_MAPS: ReadonlySet<string> = new Set(["properties", "patternProperties", "dependentSchemas"])
const DEFINITIONS: ReadonlySet<string> = new Set(["$defs", "definitions"])
/** Members that hold a schema or a list of them. */
const SCHEMA_MEMBERS: ReadonlySet<string> = new Set([
  "items",
  "prefixItems",
  "additionalProperties",
  "propertyNames",
  "contains",
  "unevaluatedProperties",
  "anyOf",
  "oneOf",
  "allOf",
  "not",
  "if",
  "then",
  "else"
])
const KEY_CHARACTERS = 80
const VALUE_CHARACTERS = 40
const VALUE_DEPTH = 3
/** Keywords of one schema, without what they hold: no draft of JSON Schema has so many. */
const MAX_KEYWORDS = 80
/** A subschema of at least this many characters is written only once. */
const REPEATED_FROM = 120
/** How many nested references are replaced by their targets. */
const MAX_FOLLOWED = 50
/** Schemas are never written deeper, whatever the configuration says. */
const MAX_DEPTH = 30
/** A schema of more values than this never fits. */
const MAX_VISITED = 20_000

const pointerOf = (schema: Readonly<Record<string, unknown>>): string | undefined =>
  typeof schema.$ref === "string" ? schema.$ref : undefined

/** The definitions of a schema, by the pointers that refer to them. */
const definitionsOf = (root: unknown): ReadonlyMap<string, unknown> => {
  const found = new Map<string, unknown>()
  if (!isObject(root)) return found
  for (const key of DEFINITIONS) {
    const definitions = root[key]
    if (!isObject(definitions)) continue
    for (const [name, definition] of Object.entries(definitions).slice(0, MAX_VISITED)) {
      found.set(`#/${key}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`, definition)
    }
  }
  return found
}

/** How often each definition is referred to from the root. Not recursive: schemas can be deep. */
const countReferences = (root: unknown, definitions: ReadonlyMap<string, unknown>): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  if (definitions.size === 0) return counts
  const waiting: Array<unknown> = [root]
  let visited = 0
  for (let at = 0; at < waiting.length && visited < MAX_VISITED; at += 1) {
    const value = waiting[at]
    if (Array.isArray(value)) {
      visited += value.length
      for (const item of value.slice(0, MAX_VISITED)) if (typeof item === "object") waiting.push(item)
    } else if (isObject(value)) {
      const pointer = pointerOf(value)
      const definition = pointer === undefined ? undefined : definitions.get(pointer)
      if (pointer !== undefined && definition !== undefined) {
        const count = counts.get(pointer) ?? 0
        counts.set(pointer, count + 1)
        if (count === 0) waiting.push(definition)
      }
      for (const [key, item] of Object.entries(value)) {
        visited += 1
        if (typeof item === "object" && !(value === root && DEFINITIONS.has(key))) waiting.push(item)
      }
    }
  }
  return counts
}

/** `undefined` if it has too much for these limits. */
const simplify = (root: unknown, limits: SchemaLimits): unknown => {
  const definitions = definitionsOf(root)
  const counts = countReferences(root, definitions)
  let visited = 0
  let following = 0

  /** A value that is no schema, such as a default. */
  const shorten = (item: unknown, level = 0): unknown => {
    visited += 1
    if (visited > MAX_VISITED) return "…"
    if (typeof item === "string") return cutText(item, Math.max(VALUE_CHARACTERS, limits.description))
    if (typeof item === "object" && item !== null && level > VALUE_DEPTH) return "…"
    if (Array.isArray(item)) {
      const shown = item.slice(0, limits.enumValues).map((inner) => shorten(inner, level + 1))
      return item.length > shown.length ? [...shown, `… ${item.length - shown.length} more`] : shown
    }
    if (!isObject(item)) return item
    const entries = Object.entries(item).slice(0, limits.properties)
    return Object.fromEntries(entries.map(([key, inner]) => [cutText(key, KEY_CHARACTERS), shorten(inner, level + 1)]))
  }

  const schemaMap = (value: Readonly<Record<string, unknown>>, depth: number): unknown => {
    const entries = Object.entries(value)
    const shown = entries
      .slice(0, limits.properties)
      .map(([name, item]): [string, unknown] => [cutText(name, KEY_CHARACTERS), schema(item, depth + 1)])
    const left = entries.length - shown.length
    return Object.fromEntries(left > 0 ? [...shown, ["…", `${left} more`]] : shown)
  }

  const inner = (item: unknown, depth: number): unknown => {
    if (!Array.isArray(item)) return schema(item, depth + 1)
    const shown = item.slice(0, limits.enumValues).map((one) => schema(one, depth + 1))
    return item.length > shown.length ? [...shown, `… ${item.length - shown.length} more`] : shown
  }

  const members = (value: Readonly<Record<string, unknown>>, depth: number): Array<[string, unknown]> => {
    const result: Array<[string, unknown]> = []
    for (const [key, item] of Object.entries(value).slice(0, MAX_KEYWORDS)) {
      if (SILENT_MEMBERS.has(key) || DEFINITIONS.has(key)) continue
      if (key === "additionalProperties" && !isObject(item)) continue
      if (key === "description" || key === "title") {
        if (limits.description > 0 && typeof item === "string")
          result.push([key, cutText(oneLine(item), limits.description)])
      } else if (SCHEMA_MAPS.has(key) && isObject(item)) {
        const isDeep = depth >= limits.depth
        result.push([key, isDeep ? `… ${Object.keys(item).length} deeper members` : schemaMap(item, depth)])
      } else if (SCHEMA_MEMBERS.has(key) && typeof item === "object" && item !== null) {
        result.push([key, depth >= limits.depth ? "…" : inner(item, depth)])
      } else result.push([cutText(key, KEY_CHARACTERS), shorten(item)])
    }
    return result
  }

  const schema = (value: unknown, depth: number): unknown => {
    if (!isObject(value)) return shorten(value)
    visited += 1
    if (visited > MAX_VISITED) return "…"
    const pointer = pointerOf(value)
    if (pointer !== undefined && counts.get(pointer) === 1 && following < MAX_FOLLOWED) {
      const { $ref: _, ...beside } = value
      following += 1
      const definition = schema(definitions.get(pointer), depth)
      following -= 1
      return isObject(definition) ? { ...definition, ...Object.fromEntries(members(beside, depth)) } : definition
    }
    return Object.fromEntries(members(value, depth))
  }

  const simplified = schema(root, 0)
  const shared = [...counts].filter(([, count]) => count > 1).map(([pointer]) => pointer)
  if (visited > MAX_VISITED) return undefined
  if (!isObject(simplified) || shared.length === 0) return simplified
  const kept = (key: string): ReadonlyArray<[string, unknown]> => {
    const prefix = `#/${key}/`
    const found = shared
      .filter((pointer) => pointer.startsWith(prefix))
      .slice(0, limits.properties)
      .map((pointer): [string, unknown] => [
        cutText(pointer.slice(prefix.length).replaceAll("~1", "/").replaceAll("~0", "~"), KEY_CHARACTERS),
        schema(definitions.get(pointer), 1)
      ])
    return found.length === 0 ? [] : [[key, Object.fromEntries(found)]]
  }
  return { ...simplified, ...Object.fromEntries([...DEFINITIONS].flatMap(kept)) }
}

/** Replaces a repeated subschema by the path of the first one. Recursive, because a simplified schema is not deep. */
const nameRepeated = (root: unknown): unknown => {
  const seen = new Map<string, string>()
  const named = (value: unknown, path: string): unknown => {
    if (Array.isArray(value)) return value.map((item, index) => named(item, `${path}/${index}`))
    if (!isObject(value)) return value
    const text = JSON.stringify(value)
    if (text.length > REPEATED_FROM) {
      const first = seen.get(text)
      if (first !== undefined) return { sameAs: first }
      seen.set(text, path)
    }
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, named(item, `${path}/${key}`)]))
  }
  return named(root, "#")
}

const stepsFor = (depth: number): ReadonlyArray<SchemaLimits> => [
  { depth, enumValues: 30, properties: 200, description: 300 },
  { depth, enumValues: 12, properties: 80, description: 120 },
  { depth: Math.min(depth, 4), enumValues: 6, properties: 50, description: 60 },
  { depth: Math.min(depth, 3), enumValues: 4, properties: 40, description: 0 },
  { depth: Math.min(depth, 2), enumValues: 3, properties: 25, description: 0 },
  { depth: 1, enumValues: 2, properties: 12, description: 0 },
  { depth: 1, enumValues: 1, properties: 4, description: 0 }
]

/**
 * A JSON Schema as compact JSON text of at most `maxCharacters`. A definition used once is written in place; an unused
 * one is dropped. Deeper levels, long enumerations, many properties and long descriptions become counts, step by step
 * until it fits. A repeated subschema becomes its path. The text is whole JSON, or a sentence in its place. It takes
 * any JSON value, however deep, large or circular by reference.
 */
export const schemaText = (schema: unknown, maxDepth: number, maxCharacters: number): string => {
  if (schema === undefined) return "none"
  for (const limits of stepsFor(Math.min(maxDepth, MAX_DEPTH))) {
    const simplified = simplify(schema, limits)
    if (simplified === undefined) continue
    const text = visibleJson(JSON.stringify(nameRepeated(simplified)))
    if (text.length <= maxCharacters) return text
  }
  return TOO_LARGE
}
