import { isObject, resolveSchema, schemaDocument } from "./FormSchema.ts"
import type { JsonObject, ResolvedSchema, SchemaDocument } from "./FormSchema.ts"

export type TextFormat = "text" | "multiline" | "date" | "time" | "date-time" | "email" | "uri" | "password"

export interface EnumOption {
  readonly label: string
  /** Sent as it is: a number stays a number. */
  readonly value: unknown
}

interface FieldFacts {
  /** The member of the arguments; any string. Empty for the item of a list and for a whole-input field. */
  readonly name: string
  readonly label: string
  readonly description: string | undefined
  readonly required: boolean
  readonly nullable: boolean
  /** `undefined` if there is none; JSON has no `undefined`. */
  readonly defaultValue: unknown
  readonly examples: ReadonlyArray<string>
}

export interface TextField extends FieldFacts {
  readonly kind: "text"
  readonly format: TextFormat
  readonly minLength: number | undefined
  readonly maxLength: number | undefined
  readonly pattern: string | undefined
}

export interface NumberField extends FieldFacts {
  readonly kind: "number"
  readonly integer: boolean
  readonly minimum: number | undefined
  readonly maximum: number | undefined
  readonly exclusiveMinimum: number | undefined
  readonly exclusiveMaximum: number | undefined
  readonly multipleOf: number | undefined
}

export interface BooleanField extends FieldFacts {
  readonly kind: "boolean"
}

export interface EnumField extends FieldFacts {
  readonly kind: "enum"
  readonly options: ReadonlyArray<EnumOption>
}

/** An array whose items come from a fixed set. */
export interface ChoicesField extends FieldFacts {
  readonly kind: "choices"
  readonly options: ReadonlyArray<EnumOption>
}

/** An array of scalars, one row for each. */
export interface ListField extends FieldFacts {
  readonly kind: "list"
  readonly item: TextField | NumberField | BooleanField
  readonly minItems: number | undefined
  readonly maxItems: number | undefined
}

export interface GroupField extends FieldFacts {
  readonly kind: "group"
  readonly fields: ReadonlyArray<Field>
}

/** What no other field can express, as JSON text. */
export interface JsonField extends FieldFacts {
  readonly kind: "json"
  /** The only JSON type the schema allows, if there is just one. */
  readonly expects: "object" | "array" | undefined
}

export type Field =
  | TextField
  | NumberField
  | BooleanField
  | EnumField
  | ChoicesField
  | ListField
  | GroupField
  | JsonField

/** A form of a tool's input schema: fields, or one JSON editor when the schema says nothing of its members. */
export interface FormModel {
  readonly root: GroupField | JsonField
}

const MAX_DEPTH = 4
const MAX_FIELDS = 400

const text = (value: unknown): string | undefined =>
  typeof value === "string" && value.trim() !== "" ? value : undefined

const finite = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isFinite(value) ? value : undefined

const humanName = (name: string): string => {
  if (!/^[A-Za-z][A-Za-z0-9_-]*$/.test(name) || /^[A-Z0-9_]+$/.test(name)) return name
  const words = name
    .replace(/[_-]+/g, " ")
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .trim()
    .split(/\s+/)
    .map((word) => (/^[A-Z0-9]{2,}$/.test(word) ? word : word.toLowerCase()))
    .join(" ")
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const asText = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""))

/** What a choice of a value is called when the schema has no name for it. */
export const enumLabel = (value: unknown): string =>
  value === null ? "None (null)" : value === "" ? "(empty)" : asText(value)

const LONG_TEXT_NAME =
  /(^|_|\b)(body|content|contents|text|message|query|sql|code|script|markdown|html|prompt|template|notes?|source|css|svg|xml|yaml|expression|diff|patch)$/i

const textFormat = (schema: JsonObject, name: string): TextFormat => {
  switch (schema.format) {
    case "date":
    case "time":
    case "date-time":
    case "email":
    case "uri":
    case "password":
      return schema.format
    case "idn-email":
      return "email"
    case "url":
    case "iri":
      return "uri"
  }
  const snake = name.replace(/([a-z0-9])([A-Z])/g, "$1_$2")
  const maxLength = finite(schema.maxLength)
  const samples = [schema.default, ...(Array.isArray(schema.examples) ? schema.examples : [])]
  const isLong =
    typeof schema.contentMediaType === "string" ||
    (maxLength !== undefined && maxLength > 200) ||
    samples.some((sample) => typeof sample === "string" && (sample.includes("\n") || sample.length > 120)) ||
    (LONG_TEXT_NAME.test(snake) && (maxLength === undefined || maxLength > 100))
  return isLong ? "multiline" : "text"
}

const bound = (limit: unknown, exclusive: unknown): { limit: number | undefined; exclusive: number | undefined } =>
  exclusive === true
    ? { limit: undefined, exclusive: finite(limit) }
    : { limit: finite(limit), exclusive: finite(exclusive) }

const optionsOf = (values: ReadonlyArray<unknown>, names: unknown): ReadonlyArray<EnumOption> =>
  values.map((value, index) => ({
    value,
    label: (Array.isArray(names) ? text(names[index]) : undefined) ?? enumLabel(value)
  }))

/** Options of `enum`, `const`, or a union whose members are all constants. */
const enumOptions = ({ schema, variants }: ResolvedSchema): ReadonlyArray<EnumOption> | undefined => {
  if (Array.isArray(schema.enum) && schema.enum.length > 0) return optionsOf(schema.enum, schema.enumNames)
  if (Object.hasOwn(schema, "const")) return optionsOf([schema.const], [schema.title])
  if (variants.length === 0) return undefined
  const options: Array<EnumOption> = []
  for (const variant of variants) {
    if (Array.isArray(variant.enum)) options.push(...optionsOf(variant.enum, variant.enumNames))
    else if (Object.hasOwn(variant, "const")) options.push(...optionsOf([variant.const], [variant.title]))
    else return undefined
  }
  return options
}

interface Builder {
  readonly document: SchemaDocument
  remaining: number
}

const factsOf = (schema: JsonObject, name: string, required: boolean, nullable: boolean): FieldFacts => ({
  name,
  label: text(schema.title) ?? humanName(name),
  description: text(schema.description),
  required: required || schema.required === true,
  nullable,
  defaultValue: schema.default,
  examples: (Array.isArray(schema.examples) ? schema.examples : "example" in schema ? [schema.example] : [])
    .slice(0, 3)
    .map(asText)
})

const textField = (facts: FieldFacts, schema: JsonObject): TextField => ({
  ...facts,
  kind: "text",
  format: textFormat(schema, facts.name),
  minLength: finite(schema.minLength),
  maxLength: finite(schema.maxLength),
  pattern: text(schema.pattern)
})

const numberField = (facts: FieldFacts, schema: JsonObject, integer: boolean): NumberField => {
  const low = bound(schema.minimum, schema.exclusiveMinimum)
  const high = bound(schema.maximum, schema.exclusiveMaximum)
  const step = finite(schema.multipleOf)
  return {
    ...facts,
    kind: "number",
    integer,
    minimum: low.limit,
    exclusiveMinimum: low.exclusive,
    maximum: high.limit,
    exclusiveMaximum: high.exclusive,
    multipleOf: step !== undefined && step > 0 ? step : undefined
  }
}

const arrayField = (facts: FieldFacts, schema: JsonObject, trail: ReadonlyArray<string>, builder: Builder): Field => {
  const json: JsonField = { ...facts, kind: "json", expects: "array" }
  if (!isObject(schema.items) || Array.isArray(schema.prefixItems)) return json
  const item = resolveSchema(schema.items, builder.document, trail)
  if (item === undefined) return json
  const options = enumOptions(item)
  if (options !== undefined) return { ...facts, kind: "choices", options }
  const itemFacts = factsOf(item.schema, "", false, item.nullable)
  const field = item.nullable ? undefined : scalarField(itemFacts, item)
  if (field === undefined) return json
  return { ...facts, kind: "list", item: field, minItems: finite(schema.minItems), maxItems: finite(schema.maxItems) }
}

const scalarField = (facts: FieldFacts, { schema, type }: ResolvedSchema): ListField["item"] | undefined => {
  switch (type) {
    case "string":
      return textField(facts, schema)
    case "number":
    case "integer":
      return numberField(facts, schema, type === "integer")
    case "boolean":
      return { ...facts, kind: "boolean" }
    default:
      return undefined
  }
}

const buildField = (
  raw: unknown,
  name: string,
  required: boolean,
  trail: ReadonlyArray<string>,
  depth: number,
  builder: Builder
): Field => {
  builder.remaining--
  const plain = isObject(raw) ? raw : {}
  const resolved = isObject(raw) ? resolveSchema(raw, builder.document, trail) : undefined
  if (resolved === undefined) {
    return { ...factsOf(plain, name, required, false), kind: "json", expects: undefined }
  }
  const { schema, type } = resolved
  const facts = factsOf(schema, name, required, resolved.nullable)
  const options = enumOptions(resolved)
  if (options !== undefined) return { ...facts, kind: "enum", options }
  if (type === "array") return arrayField(facts, schema, resolved.trail, builder)
  if (type === "object") {
    const group = depth < MAX_DEPTH ? groupOf(facts, resolved, depth, builder) : undefined
    return group ?? { ...facts, kind: "json", expects: "object" }
  }
  return scalarField(facts, resolved) ?? { ...facts, kind: "json", expects: undefined }
}

const groupOf = (
  facts: FieldFacts,
  { schema, trail }: ResolvedSchema,
  depth: number,
  builder: Builder
): GroupField | undefined => {
  const properties = isObject(schema.properties) ? Object.entries(schema.properties) : []
  if (properties.length === 0 || builder.remaining < properties.length) return undefined
  const required: ReadonlyArray<unknown> = Array.isArray(schema.required) ? schema.required : []
  const fields = properties.map(([name, property]) =>
    buildField(property, name, required.includes(name), trail, depth + 1, builder)
  )
  return { ...facts, kind: "group", fields }
}

/** Reads an input schema, draft 4 to 2020-12. Never throws, whatever JSON value a server calls its schema. */
export const formModel = (inputSchema: unknown): FormModel => {
  const builder: Builder = { document: schemaDocument(inputSchema), remaining: MAX_FIELDS }
  const facts = { ...factsOf({}, "", false, false), label: "Input" }
  const none: GroupField = { ...facts, kind: "group", fields: [] }
  if (inputSchema === undefined || inputSchema === null) return { root: none }
  const free: JsonField = { ...facts, kind: "json", expects: "object" }
  if (!isObject(inputSchema)) return { root: free }
  const resolved = resolveSchema(inputSchema, builder.document, [])
  if (resolved === undefined) return { root: free }
  const group = groupOf(facts, resolved, 0, builder)
  if (group !== undefined) return { root: group }
  const { schema, variants } = resolved
  const saysNothing =
    variants.length === 0 &&
    (schema.additionalProperties === undefined || schema.additionalProperties === false) &&
    schema.patternProperties === undefined &&
    (!isObject(schema.properties) || Object.keys(schema.properties).length === 0)
  return { root: saysNothing && resolved.type === "object" ? none : free }
}
