/**
 * What a form shows for one value of a tool's arguments. A model is lazy: fields below a field are made on demand for
 * the present value, so that recursion, `if`/`then`/`else` and `dependentSchemas` follow the screen. The same field and
 * value always give the same fields.
 */

export type TextFormat = "text" | "multiline" | "date" | "time" | "date-time" | "email" | "uri" | "uuid" | "password"

export interface Choice {
  readonly label: string
  readonly description: string | undefined
  /** Sent as it is: a number stays a number. */
  readonly value: unknown
}

export interface FieldFacts {
  /** The member's name in its object; any string. Empty for list items and for the whole input. */
  readonly name: string
  readonly label: string
  readonly description: string | undefined
  readonly required: boolean
  readonly nullable: boolean
  readonly deprecated: boolean
  /** `undefined` if there is none; JSON has no `undefined`. */
  readonly defaultValue: unknown
  readonly examples: ReadonlyArray<unknown>
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
  readonly multipleOf: number | undefined
  /** Both bounds exist, with few enough steps between them for a slider to help. */
  readonly hasSlider: boolean
}

export interface BooleanField extends FieldFacts {
  readonly kind: "boolean"
}

/** A value with only one possibility: `const`, an `enum` of one, `null`. Not filled in; sent when required. */
export interface ConstantField extends FieldFacts {
  readonly kind: "constant"
  readonly value: unknown
}

/** One of a fixed set (`enum`, or `oneOf`/`anyOf` of constants). */
export interface ChoiceField extends FieldFacts {
  readonly kind: "choice"
  readonly choices: ReadonlyArray<Choice>
}

/** An array whose items come from a fixed set, each at most once. */
export interface ChoicesField extends FieldFacts {
  readonly kind: "choices"
  readonly choices: ReadonlyArray<Choice>
}

/** An array. Rows or tags when its items are scalars, cards when they are objects. */
export interface ListField extends FieldFacts {
  readonly kind: "list"
  /** The field of the item at `index` (`prefixItems` come first); `undefined` if no item is allowed there. */
  readonly itemAt: (index: number) => Field | undefined
  /** How many leading items have fields of their own: a tuple. */
  readonly prefix: number
  readonly minItems: number | undefined
  readonly maxItems: number | undefined
}

/** An object with members that the schema names. */
export interface GroupField extends FieldFacts {
  readonly kind: "group"
  /** The members that apply for `value`, with `required` as it applies. */
  readonly fields: (value: unknown) => ReadonlyArray<Field>
  /** Whether a condition names the member: if it is not among the fields now, its value is hidden and not sent. */
  readonly isConditional: (name: string) => boolean
  /** Members beyond the named ones; `undefined` if none are allowed, or the schema does not mention them. */
  readonly others: MapField | undefined
}

/** An object of members with names of their own (`additionalProperties`, `patternProperties`). */
export interface MapField extends FieldFacts {
  readonly kind: "map"
  readonly memberAt: (name: string) => Field
  /** What is wrong with a name, for the person at the form; `undefined` if nothing is. */
  readonly nameProblem: (name: string) => string | undefined
  readonly maxProperties: number | undefined
}

/** One shape of several (`oneOf`, `anyOf`, a list of types). */
export interface UnionField extends FieldFacts {
  readonly kind: "union"
  readonly variants: ReadonlyArray<Variant>
  /**
   * The variant of `value`: by its discriminator, else by best fit. `undefined` for no value, or for unread text of no
   * variant.
   */
  readonly variantOf: (value: unknown) => number | undefined
}

interface Variant {
  readonly label: string
  readonly field: () => Field
  /** The first value of this variant, with constants such as the discriminator. */
  readonly begin: () => unknown
}

/** What no other field can express, as JSON text. */
export interface JsonField extends FieldFacts {
  readonly kind: "json"
  /** The only JSON type that the schema allows, if there is just one. */
  readonly expects: "object" | "array" | undefined
}

export type Field =
  | TextField
  | NumberField
  | BooleanField
  | ConstantField
  | ChoiceField
  | ChoicesField
  | ListField
  | GroupField
  | MapField
  | UnionField
  | JsonField

/** A form of a tool's input schema. The root stands for the arguments, a JSON object. */
export interface FormModel {
  readonly root: GroupField | MapField | UnionField | JsonField
}
