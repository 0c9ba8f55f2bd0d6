export type JsonObject = Readonly<Record<string, unknown>>

export type JsonType = "string" | "number" | "integer" | "boolean" | "object" | "array"

/** A schema with its local references followed and its `allOf` merged, as far as a form needs it. */
export interface ResolvedSchema {
  readonly schema: JsonObject
  /** The one type of the value besides null; `undefined` when there are several or none is named. */
  readonly type: JsonType | undefined
  readonly nullable: boolean
  /** Members of `oneOf`/`anyOf` besides null, when they are a real choice. */
  readonly variants: ReadonlyArray<JsonObject>
  /** References on the way here: one of them met again is a cycle. */
  readonly trail: ReadonlyArray<string>
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** A document that schemas are resolved in; `steps` bounds the work that references can cause. */
export interface SchemaDocument {
  readonly root: unknown
  steps: number
}

const MAX_DEPTH = 32
const MAX_STEPS = 10_000
const MAX_UNION = 300

export const schemaDocument = (root: unknown): SchemaDocument => ({ root, steps: MAX_STEPS })

const decodeToken = (token: string): string => {
  let decoded = token
  try {
    decoded = decodeURIComponent(token)
  } catch {
    decoded = token
  }
  return decoded.replaceAll("~1", "/").replaceAll("~0", "~")
}

/** Follows a JSON pointer in a fragment (RFC 6901, section 6); `undefined` if it leads nowhere in this document. */
const followReference = (reference: string, document: unknown): unknown => {
  if (reference === "#") return document
  if (!reference.startsWith("#/")) return undefined
  let at: unknown = document
  for (const token of reference.slice(2).split("/").map(decodeToken)) {
    if (Array.isArray(at)) at = at[Number(token)]
    else if (isObject(at) && Object.hasOwn(at, token)) at = at[token]
    else return undefined
  }
  return at
}

const merge = (base: JsonObject, over: JsonObject): JsonObject => {
  const merged = Object.fromEntries([...Object.entries(base), ...Object.entries(over)])
  if (!isObject(base.properties) || !isObject(over.properties)) {
    return Array.isArray(base.required) && Array.isArray(over.required)
      ? { ...merged, required: [...base.required, ...over.required] }
      : merged
  }
  return {
    ...merged,
    properties: Object.fromEntries([...Object.entries(base.properties), ...Object.entries(over.properties)]),
    required: [base.required, over.required].flatMap((names): ReadonlyArray<unknown> =>
      Array.isArray(names) ? names : []
    )
  }
}

interface Flat {
  readonly schema: JsonObject
  readonly trail: ReadonlyArray<string>
}

/** Follows `$ref` and merges `allOf`; members beside them win. `undefined` at a cycle or a reference out of here. */
const flatten = (raw: JsonObject, document: SchemaDocument, trail: ReadonlyArray<string>): Flat | undefined => {
  if (trail.length > MAX_DEPTH || document.steps-- <= 0) return undefined
  const { $ref, allOf, ...own } = raw
  let base: JsonObject = {}
  let seen = trail
  if (typeof $ref === "string") {
    if (trail.includes($ref)) return undefined
    const target = followReference($ref, document.root)
    if (!isObject(target)) return undefined
    const flat = flatten(target, document, [...trail, $ref])
    if (flat === undefined) return undefined
    base = flat.schema
    seen = flat.trail
  }
  for (const part of Array.isArray(allOf) ? allOf.slice(0, MAX_DEPTH) : []) {
    if (!isObject(part)) continue
    const flat = flatten(part, document, [...seen, ""])
    if (flat === undefined) return undefined
    base = merge(base, flat.schema)
    seen = [...seen, ...flat.trail.filter((reference) => reference !== "" && !seen.includes(reference))]
  }
  return { schema: merge(base, own), trail: seen }
}

const TYPES: ReadonlySet<unknown> = new Set(["string", "number", "integer", "boolean", "object", "array"])

const isType = (value: unknown): value is JsonType => TYPES.has(value)

const isNull = (schema: JsonObject): boolean =>
  schema.type === "null" ||
  ("const" in schema && schema.const === null) ||
  (Array.isArray(schema.enum) && schema.enum.length === 1 && schema.enum[0] === null)

const typesOf = (schema: JsonObject): ReadonlyArray<unknown> =>
  Array.isArray(schema.type) ? schema.type : schema.type === undefined ? [] : [schema.type]

const impliedType = (schema: JsonObject): JsonType | undefined => {
  if (isObject(schema.properties)) return "object"
  if (isObject(schema.items)) return "array"
  return undefined
}

/** Resolves a schema as it stands in a document. `undefined` means: only a JSON editor is safe. */
export const resolveSchema = (
  raw: JsonObject,
  document: SchemaDocument,
  trail: ReadonlyArray<string>
): ResolvedSchema | undefined => {
  const flat = flatten(raw, document, trail)
  if (flat === undefined) return undefined
  const { schema } = flat
  const union = Array.isArray(schema.oneOf) ? schema.oneOf : Array.isArray(schema.anyOf) ? schema.anyOf : []
  const members: Array<Flat> = []
  for (const member of union.slice(0, MAX_UNION)) {
    const flatMember = isObject(member) ? flatten(member, document, flat.trail) : undefined
    if (flatMember === undefined) return undefined
    members.push(flatMember)
  }
  const unionIsNullable = members.some((member) => isNull(member.schema))
  const variants = members.filter((member) => !isNull(member.schema))
  const own = typesOf(schema)
  const ownIsNullable = own.includes("null") || schema.nullable === true
  const named = own.filter((type) => type !== "null")
  const nullable = ownIsNullable || unionIsNullable

  const [only] = variants
  if (variants.length === 1 && only !== undefined && (unionIsNullable || named.length === 0)) {
    const { oneOf: _oneOf, anyOf: _anyOf, ...beside } = schema
    const resolved = resolveSchema(merge(only.schema, beside), document, only.trail)
    return resolved === undefined ? undefined : { ...resolved, nullable: nullable || resolved.nullable }
  }

  const shared = named.length === 1 ? named[0] : named.length === 0 ? commonType(variants) : undefined
  const type = isType(shared) ? shared : named.length === 0 && variants.length === 0 ? impliedType(schema) : undefined
  return { schema, type, nullable, variants: variants.map((variant) => variant.schema), trail: flat.trail }
}

const commonType = (variants: ReadonlyArray<Flat>): unknown => {
  const types = new Set(variants.flatMap(({ schema }) => typesOf(schema)))
  const [type] = types
  return types.size === 1 && variants.every(({ schema }) => typesOf(schema).length === 1) ? type : undefined
}
