import { isObject } from "../isObject.ts"
import type { JsonObject } from "../isObject.ts"
import { sameJson } from "./sameJson.ts"

/** The document that local references are resolved against. */
export interface SchemaDocument {
  readonly root: unknown
  /** Up to draft 7, `$ref` makes everything beside it void. */
  readonly refStandsAlone: boolean
  /** Schemas by their `$id`, and by `#` and their anchor; made when a reference asks for it. */
  names: ReadonlyMap<string, unknown> | undefined
}

const MAX_NODES = 20_000
const MAX_LAYERS = 1000
const MAX_DEPTH = 64

export const schemaDocument = (root: unknown): SchemaDocument => ({
  root,
  refStandsAlone: isObject(root) && typeof root.$schema === "string" && /draft-0[3-7]\b/.test(root.$schema),
  names: undefined
})

const namesIn = (root: unknown): ReadonlyMap<string, unknown> => {
  const names = new Map<string, unknown>()
  const nodes: Array<unknown> = [root]
  for (let index = 0; index < nodes.length && index < MAX_NODES; index++) {
    const node = nodes[index]
    if (isObject(node)) {
      for (const id of [node.$id, node.id]) if (typeof id === "string") names.set(id.replace(/#$/, ""), node)
      for (const anchor of [node.$anchor, node.$dynamicAnchor]) {
        if (typeof anchor === "string") names.set(`#${anchor}`, node)
      }
    }
    if (typeof node === "object" && node !== null) nodes.push(...Object.values(node).slice(0, MAX_NODES))
  }
  return names
}

const decodeToken = (token: string): string => {
  let decoded = token
  try {
    decoded = decodeURIComponent(token)
  } catch {
    // A percent sign that encodes nothing stays.
  }
  return decoded.replaceAll("~1", "/").replaceAll("~0", "~")
}

/**
 * The schema that a `$ref` names: a JSON pointer in a fragment (RFC 6901, section 6), an anchor, or the `$id` of a
 * schema in the same document. Otherwise `undefined`: nothing is ever fetched.
 */
export const followReference = (reference: string, document: SchemaDocument): unknown => {
  const [resource = "", fragment = ""] = reference.split("#", 2)
  let at: unknown = document.root
  if (resource !== "" || (fragment !== "" && !fragment.startsWith("/"))) {
    document.names ??= namesIn(document.root)
    if (resource !== "") at = document.names.get(resource)
    if (fragment !== "" && !fragment.startsWith("/")) return document.names.get(`#${fragment}`)
  }
  for (const token of fragment.split("/").slice(1).map(decodeToken)) {
    if (Array.isArray(at)) at = at[Number(token)]
    else if (isObject(at) && Object.hasOwn(at, token)) at = at[token]
    else return undefined
  }
  return at
}

/** A value that conditions are followed with. */
export interface Following {
  readonly value: unknown
  /** Decides a condition: whether a value matches a schema. */
  readonly isValid: (schema: unknown, value: unknown) => boolean
  /** Chooses the schema of a union that a value is meant for. */
  readonly fitting: (schemas: ReadonlyArray<unknown>, value: unknown) => number | undefined
}

/** Schemas that all apply to one value: a schema with its references, `allOf` and conditions followed. */
export interface Layers {
  /** Outermost first; each is an object of the document, or made once for it. */
  readonly layers: ReadonlyArray<JsonObject>
  /** `if`, `dependentSchemas` and the like were met. */
  readonly isConditional: boolean
  /** `false` was met: no value is allowed. */
  readonly isNever: boolean
}

const requiring = new WeakMap<ReadonlyArray<unknown>, JsonObject>()

/** A schema that requires the listed members; the same object for the same list. */
const requiringAll = (required: ReadonlyArray<unknown>): JsonObject => {
  const schema = requiring.get(required) ?? { required }
  requiring.set(required, schema)
  return schema
}

const entriesOf = (value: unknown): ReadonlyArray<readonly [string, unknown]> =>
  isObject(value) ? Object.entries(value) : []

/**
 * What the presence of a member requires: `dependentRequired`, `dependentSchemas` and `dependencies` (up to draft 7).
 */
export const dependentsOf = (schema: JsonObject): ReadonlyArray<readonly [string, unknown]> =>
  [schema.dependentRequired, schema.dependentSchemas, schema.dependencies]
    .flatMap(entriesOf)
    .map(([name, asked]) => [name, Array.isArray(asked) ? requiringAll(asked) : asked])

const hasConditions = (schema: JsonObject): boolean =>
  schema.if !== undefined || isObject(schema.dependentRequired ?? schema.dependentSchemas ?? schema.dependencies)

export const unionsOf = (schema: JsonObject): ReadonlyArray<ReadonlyArray<unknown>> =>
  [schema.oneOf, schema.anyOf].filter((union) => Array.isArray(union))

/**
 * The schemas that apply at `schema`. Without `following`, conditions are left out; with it, the value decides them and
 * the unions in what they bring. Bounded: 1,000 schemas, 64 deep.
 */
export const layersOf = (schema: unknown, document: SchemaDocument, following?: Following): Layers => {
  const layers = new Set<JsonObject>()
  let isConditional = false
  let isNever = false

  const collect = (raw: unknown, isBrought: boolean, depth: number): void => {
    if (raw === false) isNever = true
    if (!isObject(raw) || layers.has(raw) || layers.size >= MAX_LAYERS || depth > MAX_DEPTH) return
    layers.add(raw)
    const further = (next: unknown, brought = isBrought): void => collect(next, brought, depth + 1)
    const reference = raw.$ref ?? raw.$dynamicRef ?? raw.$recursiveRef
    if (typeof reference === "string") further(followReference(reference, document))
    if (Array.isArray(raw.allOf)) for (const part of raw.allOf.slice(0, MAX_LAYERS)) further(part)
    if (hasConditions(raw)) isConditional = true
    if (following === undefined) return
    const { value, isValid, fitting } = following
    if (raw.if !== undefined) further(isValid(raw.if, value) ? raw.then : raw.else, true)
    for (const [name, asked] of dependentsOf(raw)) {
      if (isObject(value) && Object.hasOwn(value, name)) further(asked, true)
    }
    if (isBrought) for (const union of unionsOf(raw)) further(union[fitting(union, value) ?? -1])
  }
  collect(schema, false, 0)
  return { layers: [...layers], isConditional, isNever }
}

const numbers = (values: ReadonlyArray<unknown>): ReadonlyArray<number> =>
  values.filter((value): value is number => typeof value === "number")

const bothOf = (a: unknown, b: unknown): unknown => ({ allOf: [a, b] })

const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [value])

const sharedTypes = (a: unknown, b: unknown): unknown => {
  const left = listOf(a)
  const right = listOf(b)
  const shared = [
    ...left.filter((type) => right.includes(type) || (type === "integer" && right.includes("number"))),
    ...right.filter((type) => type === "integer" && left.includes("number") && !left.includes("integer"))
  ]
  return shared.length === 0 ? a : shared
}

const sharedValues = (a: unknown, b: unknown): unknown => {
  const others = listOf(b)
  const shared = listOf(a).filter((value) => others.some((other) => sameJson(value, other)))
  return shared.length === 0 ? a : shared
}

type Combine = (a: unknown, b: unknown) => unknown

/** How one keyword of two applying schemas is combined; for all others the outer one wins. */
const combineOf = (keyword: string): Combine | undefined => {
  if (/^(m|exclusiveM)in(imum|Length|Items|Properties)$/.test(keyword)) return (a, b) => Math.max(...numbers([a, b]))
  if (/^(m|exclusiveM)ax(imum|Length|Items|Properties)$/.test(keyword)) return (a, b) => Math.min(...numbers([a, b]))
  if (/^(items|additional\w+|propertyNames)$/.test(keyword)) return bothOf
  if (keyword === "type") return sharedTypes
  if (keyword === "enum") return sharedValues
  return undefined
}

/** Everything that a list of layers says about one value. */
export interface MergedSchema {
  /** The other keywords; the stricter limit and the outermost annotation win. */
  readonly schema: JsonObject
  /** The schemas of each named member, in the order in which they were met. */
  readonly properties: ReadonlyMap<string, ReadonlyArray<unknown>>
  readonly patterns: ReadonlyMap<string, ReadonlyArray<unknown>>
  readonly required: ReadonlySet<string>
}

const FOLLOWED = /^(\$.*|id|definitions|allOf|if|then|else|depend.*|required|properties|patternProperties)$/

/** Turns the booleans of draft 4 beside `minimum` and `maximum` into the limits of later drafts. */
export const withExclusiveLimits = (schema: JsonObject): JsonObject => {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, ...rest } = schema
  return typeof exclusiveMinimum !== "boolean" && typeof exclusiveMaximum !== "boolean"
    ? schema
    : {
        ...rest,
        ...(exclusiveMinimum === true ? { exclusiveMinimum: minimum } : { minimum }),
        ...(exclusiveMaximum === true ? { exclusiveMaximum: maximum } : { maximum })
      }
}

export const mergeLayers = (layers: ReadonlyArray<JsonObject>): MergedSchema => {
  const schema = new Map<string, unknown>()
  const properties = new Map<string, Array<unknown>>()
  const patterns = new Map<string, Array<unknown>>()
  const required = new Set<string>()
  for (const layer of layers) {
    for (const name of listOf(layer.required)) if (typeof name === "string") required.add(name)
    for (const [into, members] of [
      [properties, layer.properties],
      [patterns, layer.patternProperties]
    ] as const) {
      for (const [name, member] of entriesOf(members)) {
        const parts = into.get(name)
        if (parts === undefined) into.set(name, [member])
        else parts.push(member)
      }
    }
    for (const [keyword, value] of Object.entries(withExclusiveLimits(layer))) {
      if (FOLLOWED.test(keyword) || value === undefined || (value === null && !/^(const|default)$/.test(keyword)))
        continue
      const combine = schema.has(keyword) ? combineOf(keyword) : undefined
      if (combine !== undefined) schema.set(keyword, combine(schema.get(keyword), value))
      else if (!schema.has(keyword)) schema.set(keyword, value)
    }
    if (layer.required === true) schema.set("required", true)
  }
  return { schema: Object.fromEntries(schema), properties, patterns, required }
}
