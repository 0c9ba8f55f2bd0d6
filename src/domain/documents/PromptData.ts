import type { Tool } from "../tools/Tool.ts"

/** Characters that text from a tool may take in a prompt (requirement G8). */
const NAME_CHARACTERS = 100
const DESCRIPTION_CHARACTERS = 2000
const SCHEMA_CHARACTERS = 5000

/** Cuts text to at most `max` characters, a visible note included, never inside a surrogate pair. */
export const cutText = (text: string, max: number): string => {
  if (text.length <= max) return text
  const note = ` … (${text.length} characters in all)`
  let end = Math.max(0, max - note.length)
  const last = text.charCodeAt(end - 1)
  if (last >= 0xd800 && last <= 0xdbff) end--
  return (text.slice(0, end) + note).slice(0, max)
}

/**
 * Makes text that stays on its line and shows what would hide in it: line ends become spaces, controls and
 * characters that change the direction of writing go.
 */
export const oneLine = (text: string): string =>
  text
    .replaceAll(/\s+/gu, " ")
    .replaceAll(/[\p{Cc}\u200B-\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/gu, "")
    .trim()

interface SchemaLimits {
  readonly depth: number
  readonly enumValues: number
  readonly properties: number
  readonly description: number
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Members of a schema that say nothing about how to show it. */
const SILENT_MEMBERS: ReadonlySet<string> = new Set(["$schema", "$id", "$comment", "additionalProperties"])
/** Members that map names to schemas. */
const SCHEMA_MAPS: ReadonlySet<string> = new Set(["properties", "patternProperties", "$defs", "definitions"])
const REPEATED_FROM = 120

const referencedDefinitions = (value: unknown, names: Set<string>): void => {
  if (Array.isArray(value)) for (const item of value) referencedDefinitions(item, names)
  else if (isObject(value)) {
    for (const [key, item] of Object.entries(value)) {
      if (key === "$ref" && typeof item === "string") names.add(item.slice(item.lastIndexOf("/") + 1))
      else referencedDefinitions(item, names)
    }
  }
}

const simplify = (root: unknown, limits: SchemaLimits): unknown => {
  const seen = new Map<string, string>()
  const referenced = new Set<string>()
  referencedDefinitions(root, referenced)

  const shorten = (value: unknown, level: number): unknown => {
    if (typeof value === "string") return cutText(value, Math.max(40, limits.description))
    if (Array.isArray(value)) {
      const shown = value.slice(0, limits.enumValues).map((item) => shorten(item, level + 1))
      return value.length > shown.length ? [...shown, `… ${value.length - shown.length} more`] : shown
    }
    if (!isObject(value)) return value
    if (level > 3) return "…"
    const entries = Object.entries(value).slice(0, limits.properties)
    return Object.fromEntries(entries.map(([key, item]) => [cutText(key, 80), shorten(item, level + 1)]))
  }

  const schemaMap = (value: Record<string, unknown>, depth: number, path: string, all: boolean): unknown => {
    const entries = Object.entries(value).filter(([name]) => all || referenced.has(name))
    const shown = entries
      .slice(0, limits.properties)
      .map(([name, item]): [string, unknown] => [cutText(name, 80), schema(item, depth + 1, `${path}/${name}`)])
    const left = entries.length - shown.length
    return Object.fromEntries(left > 0 ? [...shown, ["…", `${left} more`]] : shown)
  }

  const schema = (value: unknown, depth: number, path: string): unknown => {
    if (!isObject(value))
      return Array.isArray(value) ? value.map((item, index) => schema(item, depth, `${path}/${index}`)) : value
    const text = JSON.stringify(value)
    if (text.length > REPEATED_FROM) {
      const first = seen.get(text)
      if (first !== undefined) return { sameAs: first }
      seen.set(text, path)
    }
    const result: Array<[string, unknown]> = []
    for (const [key, item] of Object.entries(value)) {
      if (SILENT_MEMBERS.has(key)) continue
      if (key === "description" || key === "title") {
        if (limits.description > 0 && typeof item === "string")
          result.push([key, cutText(oneLine(item), limits.description)])
      } else if (key === "enum" || key === "examples" || key === "required") result.push([key, shorten(item, 0)])
      else if (SCHEMA_MAPS.has(key) && isObject(item)) {
        const isDefinitions = key === "$defs" || key === "definitions"
        if (depth >= limits.depth && !isDefinitions) result.push([key, `… ${Object.keys(item).length} deeper members`])
        else result.push([key, schemaMap(item, isDefinitions ? 0 : depth, `${path}/${key}`, !isDefinitions)])
      } else if (isObject(item) || Array.isArray(item)) {
        const inner = ["items", "prefixItems", "anyOf", "oneOf", "allOf", "not", "if", "then", "else"].includes(key)
        if (!inner) result.push([key, shorten(item, 0)])
        else if (depth >= limits.depth) result.push([key, "…"])
        else
          result.push([
            key,
            schema(Array.isArray(item) ? item.slice(0, limits.enumValues) : item, depth + 1, `${path}/${key}`)
          ])
      } else result.push([key, shorten(item, 0)])
    }
    return Object.fromEntries(result)
  }

  return schema(root, 0, "#")
}

/**
 * A JSON Schema as compact JSON text of at most `maxCharacters`: deeper levels, long enumerations, many properties
 * and long descriptions are replaced by a count, in steps until it fits; definitions that nothing refers to go, and
 * a subschema that was written before is named by its path. It is always whole JSON, or a sentence in place of it.
 */
export const schemaText = (schema: unknown, maxDepth: number, maxCharacters: number): string => {
  if (schema === undefined) return "none"
  const steps: ReadonlyArray<SchemaLimits> = [
    { depth: maxDepth, enumValues: 30, properties: 200, description: 300 },
    { depth: maxDepth, enumValues: 12, properties: 80, description: 120 },
    { depth: Math.min(maxDepth, 4), enumValues: 6, properties: 50, description: 60 },
    { depth: Math.min(maxDepth, 3), enumValues: 4, properties: 40, description: 0 },
    { depth: Math.min(maxDepth, 2), enumValues: 3, properties: 25, description: 0 },
    { depth: 1, enumValues: 2, properties: 12, description: 0 },
    { depth: 1, enumValues: 1, properties: 4, description: 0 }
  ]
  for (const limits of steps) {
    const text = JSON.stringify(simplify(schema, limits)) ?? "none"
    if (text.length <= maxCharacters) return text
  }
  return "too large to be shown"
}

/** A real result as JSON text for a prompt: few items of each list, short strings, at most `maxCharacters`. */
export const sampleText = (value: unknown, maxCharacters: number): string => {
  const shorten = (item: unknown, items: number, characters: number, depth: number): unknown => {
    if (typeof item === "string") return cutText(item, characters)
    if (typeof item !== "object" || item === null) return item
    if (depth === 0) return "…"
    if (Array.isArray(item)) {
      const shown = item.slice(0, items).map((inner) => shorten(inner, items, characters, depth - 1))
      return item.length > items ? [...shown, `… ${item.length - items} more`] : shown
    }
    const entries = Object.entries(item)
    const shown = entries
      .slice(0, items * 10)
      .map(([key, inner]): [string, unknown] => [cutText(key, 80), shorten(inner, items, characters, depth - 1)])
    const left = entries.length - shown.length
    return Object.fromEntries(left > 0 ? [...shown, ["…", `${left} more`]] : shown)
  }
  for (const [items, characters, depth] of [
    [3, 400, 8],
    [2, 200, 6],
    [2, 80, 5],
    [1, 60, 4],
    [1, 40, 2]
  ] as const) {
    const text = JSON.stringify(shorten(value, items, characters, depth)) ?? "none"
    if (text.length <= maxCharacters) return text
  }
  return "too large to be shown"
}

/** How much room the parts of a prompt get, roomy first; used until the prompt fits its limit. */
export interface PromptRoom {
  readonly description: number
  readonly inputSchema: number
  readonly outputSchema: number
  readonly example: number
  readonly examples: number
}

export const PROMPT_ROOMS: ReadonlyArray<PromptRoom> = [
  {
    description: DESCRIPTION_CHARACTERS,
    inputSchema: SCHEMA_CHARACTERS,
    outputSchema: SCHEMA_CHARACTERS,
    example: 2000,
    examples: 3
  },
  { description: DESCRIPTION_CHARACTERS, inputSchema: 3000, outputSchema: 3000, example: 1500, examples: 2 },
  { description: 1500, inputSchema: 2000, outputSchema: 2000, example: 1200, examples: 1 },
  { description: 1000, inputSchema: 1200, outputSchema: 1500, example: 800, examples: 1 },
  { description: 600, inputSchema: 800, outputSchema: 800, example: 500, examples: 1 }
]

/** The facts about a tool as texts, each cut to its room; `null` stands for what it does not have. */
export interface ToolTexts {
  readonly name: string
  readonly title: string | null
  readonly description: string | null
  readonly inputSchema: string
  readonly outputSchema: string | null
  readonly annotations: string | null
  readonly examples: ReadonlyArray<string>
}

/** Text without the space around it; `null` if nothing is left. */
export const textOrNull = (text: string | undefined): string | null => {
  const trimmed = text?.trim() ?? ""
  return trimmed === "" ? null : trimmed
}

/** Reads a tool into texts for a prompt. Never throws for JSON values. */
export const toolTexts = (
  tool: Tool,
  examples: ReadonlyArray<unknown>,
  maxSchemaDepth: number,
  room: PromptRoom
): ToolTexts => {
  const title = textOrNull(tool.title)
  const description = textOrNull(tool.description)
  return {
    name: cutText(oneLine(tool.name), NAME_CHARACTERS),
    title: title === null ? null : cutText(oneLine(title), NAME_CHARACTERS),
    description: description === null ? null : cutText(description, room.description),
    inputSchema: schemaText(tool.inputSchema, maxSchemaDepth, room.inputSchema),
    outputSchema:
      tool.outputSchema === undefined ? null : schemaText(tool.outputSchema, maxSchemaDepth, room.outputSchema),
    annotations: tool.annotations === undefined ? null : sampleText(tool.annotations, 400),
    examples: examples.slice(0, room.examples).map((example) => sampleText(example, room.example))
  }
}
