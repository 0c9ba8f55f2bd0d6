import { choiceLabel, saidText } from "./FieldText.ts"
import { beginValue, Unread } from "./FormDraft.ts"
import type { Field, FieldFacts, FormModel, GroupField, MapField, UnionField } from "./FormField.ts"
import { isObject } from "../isObject.ts"
import type { JsonObject } from "../isObject.ts"
import { dependentsOf, layersOf, mergeLayers, unionsOf } from "./JsonSchema.ts"
import type { Following, MergedSchema } from "./JsonSchema.ts"
import {
  anyField,
  choosingField,
  emptyGroup,
  factsOf,
  finite,
  jsonField,
  noFacts,
  numberField,
  shapesField,
  textField,
  withExamples
} from "./plainFields.ts"
import { SchemaReader } from "./SchemaReader.ts"
import type { SchemaReading } from "./SchemaReader.ts"
import { fittingSchema, isValidQuickly, matchesPattern, schemaProblems } from "./SchemaValidation.ts"
import { variantLabels } from "./variantLabels.ts"

const MAX_DEPTH = 24
const MAX_VARIANTS = 300
const KEPT_STATES = 16

/** Keywords that a union member may have without giving the value its own shape. */
const NO_SHAPE = /^(not|title|description|\$comment|m(in|ax)(Properties|Items)|type)$/
const FOLLOWED = /^(\$(ref|dynamicRef|recursiveRef|defs)|allOf|definitions)$/
const ANNOTATIONS = /^(title|description|default|examples?|deprecated|discriminator|\$.*)$/

type Schemas = ReadonlyArray<unknown>

const sameItems = (a: Schemas, b: Schemas): boolean =>
  a.length === b.length && a.every((item, index) => item === b[index])

const filtered = (schema: JsonObject, isKept: (keyword: string, value: unknown) => boolean): JsonObject =>
  Object.fromEntries(Object.entries(schema).filter(([keyword, value]) => isKept(keyword, value)))

/** One schema for several that all apply. */
const joined = (parts: Schemas): unknown => (parts.length < 2 ? parts[0] : { allOf: parts })

const isShapeless = ({ schema, properties, patterns, constants }: SchemaReading): boolean =>
  properties.size + patterns.size === 0 &&
  constants === undefined &&
  Object.keys(schema).every((keyword) => NO_SHAPE.test(keyword))

const isApart = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean => {
  const isCommon = (type: string): boolean =>
    b.has(type) || (type === "integer" && b.has("number")) || (type === "number" && b.has("integer"))
  return a.size > 0 && b.size > 0 && ![...a].some(isCommon)
}

/** Types of a union member; an empty name if it may be anything. */
const kindsOf = ({ types, constants }: SchemaReading): ReadonlyArray<string> =>
  types.size > 0 ? [...types] : (constants?.map(({ value }) => typeof value) ?? [""])

/** Makes the fields of one document's schemas, on demand. */
export class FormFields {
  readonly #reader: SchemaReader
  /** Backtracking steps left for patterns of names. */
  #steps = 1e8

  constructor(root: unknown) {
    this.#reader = new SchemaReader(root)
  }

  /** Many names times many patterns are slow: beyond a budget, none matches. */
  #matches(pattern: string, name: string): boolean {
    return this.#steps > 0 && matchesPattern(pattern, name, (cost) => (this.#steps -= cost) > 0)
  }

  #field(raw: unknown, name: string, required: boolean, depth = 0): Field {
    return this.#fieldOf(this.#reader.read(raw), name, required, depth)
  }

  #fieldOf(reading: SchemaReading, name: string, required: boolean, depth: number): Field {
    const facts = factsOf(reading, name, required)
    const { schema, types, constants } = reading
    if (reading.isNever || depth > MAX_DEPTH) return jsonField(facts)
    if (reading.isNull) return choosingField(facts, [])
    if (constants !== undefined) return choosingField(facts, constants)
    const union = this.#unionIn(reading, facts, depth)
    if (union !== undefined) return union
    const [type, ...others] = types
    if (others.length > 0) {
      const base = this.#shared(reading.layers)
      const schemas = [...types].map((type) => ({ allOf: [{ type }, ...base] }))
      return this.#unionOf(facts, reading, schemas, schemas, depth)
    }
    if (type === "string") return textField(facts, schema)
    if (type === "number" || type === "integer") return numberField(facts, schema, type === "integer")
    if (type === "boolean") return { ...facts, kind: "boolean" }
    if (type === "array") return this.#list(facts, reading)
    return type === "object" ? this.#object(facts, reading) : anyField(facts)
  }

  /** What all variants of a union share, without what describes the union itself. */
  #shared(layers: ReadonlyArray<JsonObject>): ReadonlyArray<JsonObject> {
    return layers
      .map((layer) => filtered(layer, (keyword) => !FOLLOWED.test(keyword) && !ANNOTATIONS.test(keyword)))
      .filter((layer) => Object.keys(layer).length > 0)
  }

  /** The union in the schema as a field; `undefined` if none gives the value a shape. */
  #unionIn(reading: SchemaReading, facts: FieldFacts, depth: number): Field | undefined {
    const { layers, types, schema } = reading
    for (const layer of layers) {
      for (const union of unionsOf(layer)) {
        const members = union.slice(0, MAX_VARIANTS).map((raw) => ({ raw, of: this.#reader.read(raw) }))
        const shapes = members.filter(({ of }) => !of.isNull && !of.isNever && !isApart(types, of.types))
        const [first] = shapes
        if (first === undefined) continue
        const nullable = facts.nullable || members.some(({ of }) => of.nullable)
        const constants = shapes.flatMap(({ of }) => of.constants ?? [])
        if (shapes.every(({ of }) => of.constants !== undefined)) {
          return choosingField({ ...facts, nullable }, constants)
        }
        if ((types.size === 1 && types.has("boolean")) || (types.size > 0 && shapes.every(({ of }) => isShapeless(of))))
          continue

        const rest = layers.map((other) =>
          filtered(other, (keyword, value) => !FOLLOWED.test(keyword) && (other !== layer || value !== union))
        )
        if (shapes.length === 1) {
          const inner = this.#reader.read({ allOf: [...rest, first.raw] })
          const field = this.#fieldOf(inner, facts.name, facts.required, depth + 1)
          return { ...field, nullable: nullable || field.nullable }
        }
        const open = withExamples(
          { ...facts, nullable },
          constants.map(({ value }) => value)
        )
        const isScalar = types.size === 1 && !types.has("object") && !types.has("array")
        const kinds = isScalar ? types : new Set(shapes.flatMap(({ of }) => kindsOf(of)))
        if (kinds.size === 1 && kinds.has("string")) {
          const formats = new Set(shapes.map(({ of }) => schema.format ?? of.schema.format))
          return textField(open, { ...schema, format: formats.size === 1 ? [...formats][0] : undefined })
        }
        if ([...kinds].every((kind) => kind === "number" || kind === "integer")) {
          return numberField(open, schema, !kinds.has("number"))
        }
        const base = this.#shared(rest)
        const raws = shapes.map(({ raw }) => raw)
        const schemas = base.length === 0 ? raws : raws.map((raw) => ({ allOf: [...base, raw] }))
        return this.#unionOf({ ...facts, nullable }, reading, schemas, raws, depth)
      }
    }
    return undefined
  }

  /** `raws` are the variants as written, `schemas` include what all share. */
  #unionOf(facts: FieldFacts, reading: SchemaReading, schemas: Schemas, raws: Schemas, depth: number): UnionField {
    const { discriminator } = reading.schema
    const told = isObject(discriminator) ? discriminator : {}
    const mapping = isObject(told.mapping) ? Object.entries(told.mapping) : []
    const readings = schemas.map((schema) => this.#reader.read(schema))
    const property = this.#discriminator(readings) ?? saidText(told.propertyName)
    const kinds = readings.map((of, index): unknown => {
      const raw = raws[index]
      const [constant] = property === undefined ? [] : this.#constantsOf(of, property)
      return constant ?? mapping.find(([, target]) => isObject(raw) && raw.$ref === target)?.[0]
    })
    const fields: Array<Field | undefined> = []
    const labels = variantLabels(readings, raws, kinds)
    const fieldAt = (index: number): Field => {
      const field = fields[index] ?? this.#field(schemas[index], facts.name, facts.required, depth + 1)
      fields[index] = field
      return field
    }
    const begin = (index: number): unknown => {
      const begun = beginValue(fieldAt(index))
      const kind = kinds[index]
      return property === undefined || kind === undefined || !(begun === undefined || isObject(begun))
        ? begun
        : { [property]: kind, ...begun }
    }
    return {
      ...facts,
      kind: "union",
      variants: labels.map((label, index) => ({ label, field: () => fieldAt(index), begin: () => begin(index) })),
      variantOf: (value) => {
        const kind = property !== undefined && isObject(value) ? value[property] : undefined
        const index =
          value instanceof Unread
            ? schemas.findIndex((_schema, index) => fieldAt(index).kind === value.kind)
            : kind === undefined
              ? -1
              : kinds.indexOf(kind)
        if (index !== -1) return index
        return value instanceof Unread ? undefined : fittingSchema(schemas, value, this.#reader.document)
      }
    }
  }

  #constantsOf({ properties }: SchemaReading, name: string): Schemas {
    const parts = properties.get(name)
    return parts === undefined ? [] : (this.#reader.read(joined(parts)).constants ?? []).map(({ value }) => value)
  }

  /** The member with a constant in every variant, different in each. */
  #discriminator(readings: ReadonlyArray<SchemaReading>): string | undefined {
    return [...(readings[0]?.properties.keys() ?? [])].find((name) => {
      const constants = readings.map((reading) => this.#constantsOf(reading, name))
      const all = constants.flat().map(choiceLabel)
      return constants.every(({ length }) => length > 0) && new Set(all).size === all.length
    })
  }

  #isChoice(raw: unknown): boolean {
    const isConstant = (raw: unknown): boolean => this.#reader.read(raw).constants !== undefined
    return (
      isConstant(raw) ||
      this.#reader.read(raw).layers.some((layer) => unionsOf(layer).some((of) => of.every(isConstant)))
    )
  }

  #list(facts: FieldFacts, { schema }: SchemaReading): Field {
    const isOldTuple = Array.isArray(schema.items)
    const listed = isOldTuple ? schema.items : schema.prefixItems
    const prefix: Schemas = Array.isArray(listed) ? listed : []
    const rest = isOldTuple ? schema.additionalItems : schema.items
    const limits = { minItems: finite(schema.minItems), maxItems: finite(schema.maxItems) }
    const fields: Array<Field | undefined> = []
    const itemAt = (index: number): Field | undefined => {
      const at = Math.min(index, prefix.length)
      const raw = at < prefix.length ? prefix[at] : rest
      if (raw === false) return undefined
      const field = fields[at] ?? this.#field(raw, "", at < prefix.length)
      const label = at < prefix.length ? `Item ${at + 1}` : "Item"
      fields[at] = field.label === "" ? { ...field, label } : field
      return fields[at]
    }
    const item = prefix.length === 0 && this.#isChoice(rest) ? itemAt(0) : undefined
    if (item?.kind === "choice" && !item.nullable && (limits.minItems ?? 0) <= item.choices.length) {
      return { ...facts, kind: "choices", choices: item.choices }
    }
    return {
      ...facts,
      ...limits,
      kind: "list",
      itemAt,
      prefix: prefix.length
    }
  }

  #object(facts: FieldFacts, reading: SchemaReading): Field {
    const { schema, properties, patterns, required, isConditional } = reading
    const { additionalProperties: members } = schema
    const isNamed = properties.size + required.size > 0 || isConditional
    if (isNamed || (members === false && patterns.size === 0)) return this.#group(facts, reading)
    if (patterns.size > 0 || (isObject(members) && Object.keys(members).length > 0)) return this.#map(facts, reading)
    const inner = { ...facts, defaultValue: undefined }
    return shapesField(facts, [
      ["Entries", this.#map(inner, reading), isObject],
      ["JSON", jsonField(inner, "object"), () => true]
    ])
  }

  #map(facts: FieldFacts, { schema, patterns, properties }: SchemaReading): MapField {
    const { additionalProperties, propertyNames } = schema
    const partsOf = (name: string): Schemas =>
      [...patterns].flatMap(([pattern, parts]) => (this.#matches(pattern, name) ? parts : []))
    const fields = new Map<string, Field>()
    const fieldAt = (name: string): Field => {
      const parts = partsOf(name)
      const field = this.#field(parts.length > 0 ? joined(parts) : additionalProperties, name, false)
      return { ...field, label: name }
    }
    return {
      ...facts,
      kind: "map",
      memberAt: (name) => {
        const field = fields.get(name) ?? fieldAt(name)
        fields.set(name, field)
        return field
      },
      nameProblem: (name) => {
        if (name === "") return "Enter a name."
        if (properties.has(name)) return `“${name}” has a field of its own.`
        const [problem] = schemaProblems(propertyNames, name, this.#reader.document)
        if (problem !== undefined || additionalProperties !== false || partsOf(name).length > 0) return problem?.message
        return `Must match the pattern ${[...patterns.keys()].join(" or ")}`
      },
      maxProperties: finite(schema.maxProperties)
    }
  }

  #group(facts: FieldFacts, reading: SchemaReading): GroupField {
    const { schema, patterns, layers, isConditional } = reading
    const { document } = this.#reader
    const kept = new Map<string, { readonly parts: Schemas; readonly field: Field }>()
    const fieldOf = (name: string, parts: Schemas, isRequired: boolean): Field => {
      const key = `${isRequired ? "!" : "?"}${name}`
      const before = kept.get(key)
      if (before !== undefined && sameItems(before.parts, parts)) return before.field
      const made = this.#field(joined(parts), name, isRequired)
      const field = { ...made, label: saidText(made.label) ?? "(unnamed)" }
      kept.set(key, { parts, field })
      return field
    }
    const fieldsOf = ({ properties, required }: MergedSchema): ReadonlyArray<Field> =>
      [...new Set([...properties.keys(), ...required])].map((name) =>
        fieldOf(name, properties.get(name) ?? [], required.has(name))
      )
    let states: ReadonlyArray<{ readonly layers: Schemas; readonly fields: ReadonlyArray<Field> }> = []
    const fieldsIn = (applying: ReadonlyArray<JsonObject>): ReadonlyArray<Field> => {
      const known = states.find((state) => sameItems(state.layers, applying))
      const state = known ?? { layers: applying, fields: fieldsOf(mergeLayers(applying)) }
      states = [state, ...states.filter((other) => other !== state)].slice(0, KEPT_STATES)
      return state.fields
    }
    const whole = { allOf: layers }
    const following = (value: unknown): Following => ({
      value,
      isValid: (schema, of) => isValidQuickly(schema, of, document),
      fitting: (schemas, of) => fittingSchema(schemas, of, document)
    })
    let conditional: ReadonlySet<string> | undefined
    const hasOthers = patterns.size > 0 || schema.additionalProperties === true || isObject(schema.additionalProperties)
    return {
      ...facts,
      kind: "group",
      fields: (value) => fieldsIn(isConditional ? layersOf(whole, document, following(value)).layers.slice(1) : layers),
      isConditional: (name) => {
        if (!isConditional || reading.properties.has(name) || reading.required.has(name)) return false
        conditional ??= this.#namesIn(layers)
        return conditional.has(name)
      },
      others: hasOthers ? this.#map({ ...noFacts, label: "Other values" }, reading) : undefined
    }
  }

  /** Every member that the schemas name, under any condition. */
  #namesIn(layers: ReadonlyArray<JsonObject>): ReadonlySet<string> {
    const names = new Set<string>()
    const seen = new Set<unknown>()
    const waiting: Array<unknown> = [...layers]
    for (const schema of waiting) {
      for (const layer of layersOf(schema, this.#reader.document).layers) {
        if (seen.has(layer) || seen.size > MAX_VARIANTS) continue
        seen.add(layer)
        for (const name of mergeLayers([layer]).properties.keys()) names.add(name)
        waiting.push(
          layer.then,
          layer.else,
          ...dependentsOf(layer).map(([, asked]) => asked),
          ...unionsOf(layer).flat()
        )
      }
    }
    return names
  }

  /** The field of the arguments of a tool: always an object. */
  root(inputSchema: unknown): FormModel["root"] {
    const facts = { ...noFacts, label: "Input", required: true }
    if (inputSchema === undefined || inputSchema === null) return emptyGroup(facts)
    const own = this.#reader.read(inputSchema)
    const { properties, patterns, required, isConditional, layers, schema } = own
    if (
      properties.size + patterns.size + required.size === 0 &&
      !isConditional &&
      !layers.some((layer) => unionsOf(layer).length > 0)
    ) {
      const { additionalProperties: members } = schema
      const isMeant = own.types.has("object") || layers.some((layer) => "properties" in layer)
      return isObject(members) || members === true || !isMeant ? this.#map(facts, own) : emptyGroup(facts)
    }
    const field = this.#fieldOf(this.#reader.read({ allOf: [{ type: "object" }, inputSchema] }), "", true, 0)
    const isObjectField = field.kind === "group" || field.kind === "map" || field.kind === "union"
    return isObjectField ? { ...field, label: "Input", required: true, nullable: false } : jsonField(facts, "object")
  }
}
