import { isObject } from "../isObject.ts"

/**
 * Arguments of a tool that are repeated in HTTP headers (MCP 2026-07-28, Streamable HTTP, "Custom headers from tool
 * parameters"): a property of the input schema that says `"x-mcp-header": "Region"` goes into `Mcp-Param-Region`.
 */
export interface ParamHeader {
  /** Keys from the arguments to the value. */
  readonly path: ReadonlyArray<string>
  /** The part after `Mcp-Param-`. */
  readonly name: string
}

const ANNOTATION = "x-mcp-header"
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
/** `number` is not allowed, but servers that use it check the header anyway. */
const TYPES: ReadonlySet<unknown> = new Set(["string", "integer", "boolean", "number"])

/** Whether the annotation stands in a schema at a place that `properties` does not lead to. */
const isAnnotatedElsewhere = (schema: unknown): boolean => {
  if (Array.isArray(schema)) return schema.some(isAnnotatedElsewhere)
  if (!isObject(schema)) return false
  return ANNOTATION in schema || Object.values(schema).some(isAnnotatedElsewhere)
}

/** Keywords whose value is data, not a schema. */
const DATA: ReadonlySet<string> = new Set([
  "properties",
  "default",
  "const",
  "enum",
  "examples",
  "required",
  ANNOTATION
])

/**
 * The headers that an input schema asks for. None if one of the annotations is wrong: not a token, used twice, on
 * something other than a plain value, or not on a property.
 */
export const paramHeadersOf = (inputSchema: unknown): ReadonlyArray<ParamHeader> => {
  const found: Array<ParamHeader> = []
  const names = new Set<string>()
  const visit = (schema: unknown, path: ReadonlyArray<string>): boolean => {
    if (!isObject(schema)) return true
    if (ANNOTATION in schema) {
      const name = schema[ANNOTATION]
      if (typeof name !== "string" || !TOKEN.test(name) || path.length === 0 || !TYPES.has(schema.type)) return false
      if (names.has(name.toLowerCase())) return false
      names.add(name.toLowerCase())
      found.push({ path, name })
    }
    const elsewhere = Object.entries(schema).filter(([key]) => !DATA.has(key))
    if (elsewhere.some(([, value]) => isAnnotatedElsewhere(value))) return false
    return (
      !isObject(schema.properties) ||
      Object.entries(schema.properties).every(([key, property]) => visit(property, [...path, key]))
    )
  }
  return visit(inputSchema, []) ? found : []
}

const textOfValue = (value: unknown): string | undefined => {
  if (typeof value === "string") return value
  if (typeof value === "boolean") return String(value)
  if (typeof value !== "number" || !Number.isFinite(value)) return undefined
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? undefined : String(value)
}

const PLAIN = /^[\t\x20-\x7e]+$/

/**
 * A header value as the specification encodes it: unchanged if it is plain ASCII without white space at its ends, else
 * `=?base64?…?=` over UTF-8.
 */
export const encodeHeaderValue = (value: string): string => {
  const isSentinel = value.startsWith("=?base64?") && value.endsWith("?=")
  if (PLAIN.test(value) && value === value.trim() && !isSentinel) return value
  const binary = Array.from(new TextEncoder().encode(value), (byte) => String.fromCharCode(byte)).join("")
  return `=?base64?${btoa(binary)}?=`
}

const valueAt = (root: unknown, path: ReadonlyArray<string>): unknown =>
  path.reduce<unknown>((node, key) => (isObject(node) && Object.hasOwn(node, key) ? node[key] : undefined), root)

/** The `Mcp-Param-…` headers of one call. Arguments that are missing, `null` or not plain values get none. */
export const paramHeaderValues = (
  headers: ReadonlyArray<ParamHeader>,
  args: unknown
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    headers.flatMap(({ path, name }) => {
      const text = textOfValue(valueAt(args, path))
      return text === undefined ? [] : [[`Mcp-Param-${name}`, encodeHeaderValue(text)]]
    })
  )
