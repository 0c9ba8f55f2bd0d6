import { choiceLabel, saidText } from "./FieldText.ts"
import type { Choice } from "./FormField.ts"
import { isObject } from "../isObject.ts"
import type { JsonObject } from "../isObject.ts"
import { layersOf, mergeLayers, schemaDocument } from "./JsonSchema.ts"
import type { Layers, MergedSchema, SchemaDocument } from "./JsonSchema.ts"
import { jsonType } from "./SchemaValidation.ts"

/** A schema, read as far as needed to choose its field. */
export interface SchemaReading extends MergedSchema, Layers {
  /** Types of values besides null, as the schema names or implies them; `number` covers `integer`. Empty: any. */
  readonly types: ReadonlySet<string>
  readonly nullable: boolean
  /** Nothing but null is allowed. */
  readonly isNull: boolean
  /** What `const` and `enum` allow besides null; `undefined` when neither is there. */
  readonly constants: ReadonlyArray<Choice> | undefined
}

const TYPES = new Set(["string", "number", "integer", "boolean", "object", "array"])

const impliedType = ({ schema, properties, patterns, required }: MergedSchema): string | undefined => {
  const keywords = Object.keys(schema).join(" ")
  if (properties.size + patterns.size + required.size > 0 || /\b(additionalP|propertyN|m..Prop)/.test(keywords)) {
    return "object"
  }
  if (/\b(items|prefixItems|contains|uniqueItems|m..Items)\b/.test(keywords)) return "array"
  if (/\b(pattern|format|m..Length|contentMediaType)\b/.test(keywords)) return "string"
  return /\b(multipleOf|(exclusiveM|m)(in|ax)imum)\b/.test(keywords) ? "number" : undefined
}

const saidAt = (list: unknown, index: number): string | undefined =>
  Array.isArray(list) ? saidText(list[index]) : undefined

const choicesOf = (schema: JsonObject): ReadonlyArray<Choice> | undefined => {
  if ("const" in schema) {
    const label = saidText(schema.title) ?? choiceLabel(schema.const)
    return [{ value: schema.const, label, description: saidText(schema.description) }]
  }
  if (!Array.isArray(schema.enum) || schema.enum.length === 0) return undefined
  const names = schema.enumNames ?? schema["x-enumNames"] ?? schema["x-enum-varnames"]
  const descriptions = schema.enumDescriptions ?? schema["x-enum-descriptions"]
  return schema.enum.map((value: unknown, index) => ({
    value,
    label: saidAt(names, index) ?? choiceLabel(value),
    description: saidAt(descriptions, index)
  }))
}

const readSchema = (layers: Layers): SchemaReading => {
  const merged = mergeLayers(layers.layers)
  const { schema } = merged
  const named = (Array.isArray(schema.type) ? schema.type : [schema.type]).filter((type) => typeof type === "string")
  const types = new Set(named.filter((type) => TYPES.has(type)))
  if (types.has("number")) types.delete("integer")
  const choices = choicesOf(schema)
  const isFit = ({ value }: Choice): boolean =>
    value !== null &&
    (types.size === 0 || types.has(jsonType(value)) || (types.has("integer") && Number.isInteger(value)))
  const constants =
    choices?.some(isFit) === true ? choices.filter(isFit) : choices?.filter(({ value }) => value !== null)
  const namesNull = choices === undefined || choices.some(({ value }) => value === null)
  const allowsNull = named.includes("null") || (named.length === 0 && choices !== undefined)
  const implied = named.length === 0 && choices === undefined ? impliedType(merged) : undefined
  if (implied !== undefined) types.add(implied)
  return {
    ...layers,
    ...merged,
    types,
    constants,
    nullable: schema.nullable === true || (allowsNull && namesNull),
    isNull: (choices === undefined ? named.length > 0 && types.size === 0 : constants?.length === 0) && allowsNull
  }
}

/** Reads the schemas of one document, each once. */
export class SchemaReader {
  readonly document: SchemaDocument
  readonly #readings = new WeakMap<JsonObject, SchemaReading>()

  constructor(root: unknown) {
    this.document = schemaDocument(root)
  }

  read(raw: unknown): SchemaReading {
    const known = isObject(raw) ? this.#readings.get(raw) : undefined
    if (known !== undefined) return known
    const reading = readSchema(layersOf(raw, this.document))
    if (isObject(raw)) this.#readings.set(raw, reading)
    return reading
  }
}
