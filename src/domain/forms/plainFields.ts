import { choiceLabel, humanName, saidText, textFormat } from "./FieldText.ts"
import type {
  BooleanField,
  Choice,
  ChoiceField,
  ConstantField,
  Field,
  FieldFacts,
  GroupField,
  JsonField,
  NumberField,
  TextField,
  UnionField
} from "./FormField.ts"
import { Unread } from "./FormDraft.ts"
import type { JsonObject } from "../isObject.ts"
import type { SchemaReading } from "./SchemaReader.ts"

const MAX_EXAMPLES = 20
const MAX_SLIDER_STEPS = 100
/** Up to this maximum a slider also helps where every fraction is allowed: shares, temperatures. */
const MAX_SLIDER_FRACTION = 2

export const finite = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isFinite(value) ? value : undefined

export const factsOf = (
  { schema, nullable }: Pick<SchemaReading, "schema" | "nullable">,
  name: string,
  required: boolean
): FieldFacts => {
  const examples = Array.isArray(schema.examples) ? schema.examples : "example" in schema ? [schema.example] : []
  return {
    name,
    label: saidText(schema.title) ?? humanName(name),
    description: saidText(schema.description),
    required: required || schema.required === true,
    nullable,
    deprecated: schema.deprecated === true,
    defaultValue: schema.default,
    examples: examples.slice(0, MAX_EXAMPLES)
  }
}

export const withExamples = (facts: FieldFacts, more: ReadonlyArray<unknown>): FieldFacts => ({
  ...facts,
  examples: [...facts.examples, ...more].slice(0, MAX_EXAMPLES)
})

/** Facts of a field without a schema. */
export const noFacts: FieldFacts = factsOf({ schema: {}, nullable: false }, "", false)

export const jsonField = (facts: FieldFacts, expects?: JsonField["expects"]): JsonField => ({
  ...facts,
  kind: "json",
  expects
})

export const textField = (facts: FieldFacts, schema: JsonObject): TextField => ({
  ...facts,
  kind: "text",
  format: textFormat(schema, facts.name),
  minLength: finite(schema.minLength),
  maxLength: finite(schema.maxLength),
  pattern: saidText(schema.pattern)
})

export const numberField = (facts: FieldFacts, schema: JsonObject, isInteger: boolean): NumberField => {
  const minimum = finite(schema.minimum)
  const maximum = finite(schema.maximum)
  const step = finite(schema.multipleOf) ?? 0
  const integer = isInteger || (step > 0 && Number.isInteger(step))
  const range = (maximum ?? Number.NaN) - (minimum ?? Number.NaN)
  const isFraction = step === 0 && !integer
  const steps = range / (step > 0 ? step : 1)
  return {
    ...facts,
    kind: "number",
    integer,
    minimum,
    maximum,
    multipleOf: step > 0 ? step : undefined,
    hasSlider: isFraction
      ? minimum !== undefined && minimum <= 0 && range > 0 && range <= MAX_SLIDER_FRACTION
      : steps > 2 && steps <= MAX_SLIDER_STEPS
  }
}

/** A choice field. A required value with only one possibility leaves nothing to choose. */
export const choosingField = (
  facts: FieldFacts,
  choices: ReadonlyArray<Choice>
): BooleanField | ChoiceField | ConstantField => {
  const known = new Map(choices.map((choice) => [`${typeof choice.value} ${choiceLabel(choice.value)}`, choice]))
  const distinct = [...known.values()]
  const [first] = distinct
  if (first === undefined) return { ...facts, kind: "constant", nullable: false, value: null }
  if (distinct.length === 1 && facts.required && !facts.nullable)
    return { ...facts, kind: "constant", value: first.value }
  const isYesNo = distinct.length === 2 && distinct.every(({ value, label }) => value === (label === "true"))
  return isYesNo ? { ...facts, kind: "boolean" } : { ...facts, kind: "choice", choices: distinct }
}

type Shape = readonly [label: string, field: Field, isOf: (value: unknown) => boolean]

/** A union whose variants are recognised from the value; the last one accepts every value. */
export const shapesField = (facts: FieldFacts, shapes: ReadonlyArray<Shape>): UnionField => ({
  ...facts,
  kind: "union",
  variants: shapes.map(([label, field]) => ({
    label,
    field: () => field,
    begin: () => (field.kind === "map" ? {} : undefined)
  })),
  variantOf: (value) => {
    const index = shapes.findIndex(([, field, isOf]) =>
      value instanceof Unread ? value.kind === field.kind : value !== undefined && isOf(value)
    )
    return index === -1 ? undefined : index
  }
})

/** A value that the schema does not describe: common kinds have their own controls. */
export const anyField = (facts: FieldFacts): UnionField => {
  const inner = { ...facts, defaultValue: undefined }
  return shapesField(facts, [
    ["Text", textField(inner, {}), (value) => typeof value === "string"],
    ["Number", numberField(inner, {}, false), (value) => typeof value === "number"],
    ["Yes or no", { ...inner, kind: "boolean" }, (value) => typeof value === "boolean"],
    ["JSON", jsonField(inner), () => true]
  ])
}

export const emptyGroup = (facts: FieldFacts): GroupField => ({
  ...facts,
  kind: "group",
  fields: () => [],
  isConditional: () => false,
  others: undefined
})
