import { isObject, type JsonObject } from "../isObject.ts"

/** A value that a person enters into the form of a tool: no object, and no list of objects. */
export interface SchemaField {
  /** Names from the arguments down, joined by dots; items of a list have the path of the list. */
  readonly path: string
  readonly name: string
  /** It takes a list of values. */
  readonly isMany: boolean
  /** Of one value; references and what applies together are resolved. */
  readonly schema: JsonObject
  /** Of the list, or the same. */
  readonly whole: JsonObject
}

const MAX_HOPS = 8
const MAX_DEPTH = 4
const MAX_FIELDS = 200

const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

const referred = (root: unknown, ref: unknown): unknown => {
  if (typeof ref !== "string" || !ref.startsWith("#/")) return undefined
  return ref
    .slice(2)
    .split("/")
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce<unknown>((at, key) => (isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined), root)
}

/** The one variant beside null: `anyOf: [{type: "string"}, {type: "null"}]`. */
const onlyVariant = (variants: unknown): ReadonlyArray<unknown> => {
  const others = listOf(variants).filter((one) => !(isObject(one) && one.type === "null"))
  return others.length === 1 ? others : []
}

const propertiesOf = ({ properties }: JsonObject): JsonObject => (isObject(properties) ? properties : {})

/** A schema with what it refers to, as far as that applies whatever the value is. */
const resolved = (schema: unknown, root: unknown, hops = MAX_HOPS): JsonObject => {
  if (!isObject(schema) || hops === 0) return {}
  const parts = [
    referred(root, schema.$ref),
    ...listOf(schema.allOf),
    ...onlyVariant(schema.anyOf),
    ...onlyVariant(schema.oneOf)
  ].map((part) => resolved(part, root, hops - 1))
  if (parts.every((part) => Object.keys(part).length === 0)) return schema
  const properties = Object.assign({}, ...[...parts, schema].map(propertiesOf))
  return Object.assign({}, ...parts, schema, Object.keys(properties).length === 0 ? {} : { properties })
}

/** The JSON types that a schema names, besides null. */
export const typesOf = ({ type }: JsonObject): ReadonlyArray<unknown> =>
  (Array.isArray(type) ? type : [type]).filter((one) => one !== "null" && one !== undefined)

/** The fields of a tool's arguments, also those below objects and in lists of objects. */
export const schemaFields = (inputSchema: unknown): ReadonlyArray<SchemaField> => {
  const found: Array<SchemaField> = []
  const read = (schema: JsonObject, path: ReadonlyArray<string>): void => {
    for (const [name, member] of Object.entries(propertiesOf(schema))) {
      if (found.length >= MAX_FIELDS || path.length >= MAX_DEPTH) return
      const whole = resolved(member, inputSchema)
      const isMany = typesOf(whole).includes("array")
      const one = isMany ? resolved(whole.items, inputSchema) : whole
      const names = [...path, name]
      if (isObject(one.properties)) read(one, names)
      else found.push({ path: names.join("."), name, isMany, schema: one, whole })
    }
  }
  read(resolved(inputSchema, inputSchema), [])
  return found
}

/** The members of the rows that an output schema promises: of its first list of objects. */
export const rowMembers = (outputSchema: unknown): ReadonlyMap<string, string> | undefined => {
  let level: ReadonlyArray<JsonObject> = [resolved(outputSchema, outputSchema)]
  for (let depth = 0; depth < MAX_DEPTH; depth += 1) {
    for (const schema of level) {
      const rows = propertiesOf(resolved(schema.items, outputSchema))
      const members = Object.entries(rows).map(([name, member]) => {
        const [type] = typesOf(resolved(member, outputSchema))
        return [name, String(type ?? "")] as const
      })
      if (members.length > 0) return new Map(members)
    }
    level = level.flatMap((schema) =>
      Object.values(propertiesOf(schema)).map((member) => resolved(member, outputSchema))
    )
  }
  return undefined
}
