import { isObject } from "../../isObject.ts"

/** Deeper values do not help an example; recursive schemas end here. */
const MAX_DEPTH = 6
const MAX_MEMBERS = 40

type Schema = Readonly<Record<string, unknown>>

const FORMATS: Readonly<Record<string, string>> = {
  date: "2026-01-15",
  "date-time": "2026-01-15T09:30:00Z",
  time: "09:30:00",
  duration: "PT1H",
  email: "someone@example.com",
  hostname: "example.com",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  uri: "https://example.com/",
  url: "https://example.com/",
  uuid: "123e4567-e89b-42d3-a456-426614174000"
}

/** The schema with its local reference or first alternative merged in, one level. */
const resolved = (schema: Schema, root: unknown): Schema => {
  const { $ref } = schema
  if (typeof $ref === "string" && $ref.startsWith("#")) {
    const names = $ref.slice(1).split("/").slice(1)
    const target = names.reduce<unknown>((value, name) => {
      const key = name.replaceAll("~1", "/").replaceAll("~0", "~")
      return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
    }, root)
    return isObject(target) ? { ...target, ...schema, $ref: target.$ref } : schema
  }
  const all = Array.isArray(schema.allOf) ? schema.allOf.filter(isObject) : []
  const [first] = [schema.oneOf, schema.anyOf].flatMap((list) => (Array.isArray(list) ? list.filter(isObject) : []))
  const parts = [...all, ...(first === undefined ? [] : [first])]
  if (parts.length === 0) return schema
  const properties = [schema, ...parts].flatMap((part) =>
    isObject(part.properties) ? Object.entries(part.properties) : []
  )
  const { allOf: _, anyOf: __, oneOf: ___, ...own } = schema
  return {
    ...Object.assign({}, ...parts),
    ...own,
    ...(properties.length > 0 ? { properties: Object.fromEntries(properties) } : {})
  }
}

const typeOf = (schema: Schema): unknown => {
  const { type } = schema
  if (Array.isArray(type)) return type.find((name) => name !== "null") ?? "null"
  if (type !== undefined) return type
  if (isObject(schema.properties)) return "object"
  return schema.items === undefined ? undefined : "array"
}

const numberOf = ({ exclusiveMinimum, maximum, minimum }: Schema): number => {
  if (typeof minimum === "number") return minimum
  if (typeof exclusiveMinimum === "number") return exclusiveMinimum + 1
  return typeof maximum === "number" && maximum < 1 ? maximum : 1
}

const textOf = ({ format, maxLength, minLength, title }: Schema): string => {
  const known = typeof format === "string" && Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined
  if (known !== undefined) return known
  const text = typeof title === "string" && title !== "" ? title : "Example"
  const length = typeof minLength === "number" ? Math.min(minLength, 1000) : 0
  return text.padEnd(length, ".").slice(0, typeof maxLength === "number" ? Math.max(0, maxLength) : undefined)
}

const valueOf = (given: unknown, root: unknown, depth: number, isKept: (name: string) => boolean): unknown => {
  if (!isObject(given)) return "Example"
  let schema = given
  for (let step = 0; step < MAX_DEPTH; step += 1) {
    if ("const" in schema) return schema.const
    if ("default" in schema && schema.default !== null) return schema.default
    if (Array.isArray(schema.examples) && schema.examples.length > 0) return schema.examples[0]
    if (Array.isArray(schema.enum) && schema.enum.length > 0) return schema.enum[0]
    const next = resolved(schema, root)
    if (next === schema) break
    schema = next
  }
  const inner = (value: unknown) => valueOf(value, root, depth + 1, () => true)
  switch (typeOf(schema)) {
    case "object": {
      if (depth >= MAX_DEPTH || !isObject(schema.properties)) return {}
      const members = Object.entries(schema.properties).filter(([name]) => isKept(name))
      return Object.fromEntries(members.slice(0, MAX_MEMBERS).map(([name, member]) => [name, inner(member)]))
    }
    case "array": {
      if (depth >= MAX_DEPTH || schema.items === false) return []
      if (Array.isArray(schema.prefixItems)) return schema.prefixItems.map(inner)
      return [inner(Array.isArray(schema.items) ? schema.items[0] : (schema.items ?? {}))]
    }
    case "integer":
    case "number":
      return numberOf(schema)
    case "boolean":
      return true
    case "null":
      return null
    default:
      return textOf(schema)
  }
}

/**
 * An example value for a JSON Schema: from its constants, defaults, examples and first choices, else something of its
 * type. It need not pass every rule of the schema. Takes any JSON value as schema.
 */
export const exampleValue = (schema: unknown): unknown => valueOf(schema, schema, 0, () => true)

/** Example arguments for a tool: what it requires, and what has a default. */
export const exampleArguments = (schema: unknown): Readonly<Record<string, unknown>> => {
  const required: ReadonlyArray<unknown> = isObject(schema) && Array.isArray(schema.required) ? schema.required : []
  const properties = isObject(schema) && isObject(schema.properties) ? schema.properties : {}
  const isKept = (name: string): boolean => {
    const property = properties[name]
    return required.includes(name) || (isObject(property) && "default" in property)
  }
  const made = valueOf(schema, schema, 0, isKept)
  return isObject(made) ? made : {}
}
