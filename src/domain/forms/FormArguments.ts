import type { Field, FormModel, ListField, NumberField, TextField } from "./FormModel.ts"
import { fromWallTime, toWallTime } from "./FormDateTime.ts"
import { isObject } from "./FormSchema.ts"

/** Names and indices from the arguments down to one value. */
export type FieldPath = ReadonlyArray<string | number>

/**
 * What a control holds. Text, number, json: the text. Boolean: `true`, `false`, or `""` for not set. Enum: the index
 * of the option as text, `""` for none. Choices: indices. List and group: the values of the children, in the model's
 * order. A value that a boolean, an enum or choices can not offer is held as what {@link unofferedValue} reads.
 */
export type FormValue = string | boolean | ReadonlyArray<FormValue>

export interface FormValues {
  /** The arguments that the form began with; `undefined` when there was no call yet. */
  readonly args: unknown
  readonly initial: FormValue
  readonly current: FormValue
  /** Of date-times: an IANA name, the system's zone unless given. */
  readonly timeZone?: string | undefined
}

export interface FormError {
  readonly path: FieldPath
  /** One sentence for the person at the form. */
  readonly message: string
}

/** A JSON value; `undefined`, which JSON does not have, where there is none. */
type Json = unknown

const memberOf = (origin: Json, name: string): Json =>
  isObject(origin) && Object.hasOwn(origin, name) ? origin[name] : undefined

const listOf = (value: FormValue | undefined): ReadonlyArray<FormValue> => (Array.isArray(value) ? value : [])

export const sameJson = (a: unknown, b: unknown): boolean => {
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => sameJson(item, b[index]))
  }
  if (!isObject(a) || !isObject(b)) return Object.is(a, b)
  const names = Object.keys(a)
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && sameJson(a[name], b[name]))
  )
}

const textOf = (value: Json): string => (typeof value === "string" ? value : (JSON.stringify(value ?? undefined) ?? ""))

const UNOFFERED = "="

const unoffered = (value: Json): string => `${UNOFFERED}${JSON.stringify(value)}`

/** The value that a control holds although its schema does not offer it; `undefined` for all that it offers. */
export const unofferedValue = (value: FormValue): { readonly value: unknown } | undefined =>
  typeof value === "string" && value.startsWith(UNOFFERED) ? { value: JSON.parse(value.slice(1)) } : undefined

type Options = ReadonlyArray<{ readonly value: unknown }>

const optionIndex = (options: Options, value: Json): string => {
  const index = options.findIndex((option) => sameJson(option.value, value))
  return index === -1 ? unoffered(value) : String(index)
}

const chosen = (options: Options, value: FormValue): unknown => (unofferedValue(value) ?? options[Number(value)])?.value

const defaultOf = ({ defaultValue }: Field): Json => defaultValue ?? undefined

/** How a field shows a value of the arguments, or that there is none. */
const valueOf = (field: Field, origin: Json, timeZone: string | undefined): FormValue => {
  switch (field.kind) {
    case "group":
      return field.fields.map((child) => {
        const given = memberOf(origin, child.name)
        return valueOf(child, given === undefined ? defaultOf(child) : given, timeZone)
      })
    case "boolean":
      if (origin === undefined || origin === null) return ""
      return (
        origin === true || origin === "true" || (origin === false || origin === "false" ? false : unoffered(origin))
      )
    case "enum":
      if (origin === undefined) return field.required && field.options.length === 1 ? "0" : ""
      return optionIndex(field.options, origin)
    case "choices":
      return (Array.isArray(origin) ? origin : []).map((item) => optionIndex(field.options, item))
    case "list":
      return (Array.isArray(origin) ? origin : []).map((item) => valueOf(field.item, item, timeZone))
    case "json":
      return JSON.stringify(origin, null, 2) ?? ""
    case "number":
      return textOf(origin)
    case "text":
      return field.format === "date-time" ? toWallTime(textOf(origin), timeZone) : textOf(origin)
  }
}

/**
 * The values a form begins with. `args` are the arguments of the call on screen; without them the defaults of the
 * schema are the beginning. Date-times are shown in `timeZone`, an IANA name; in the system's unless given.
 */
export const initialValues = (model: FormModel, args?: unknown, timeZone?: string): FormValues => {
  const initial = valueOf(model.root, args, timeZone)
  return { args, initial, current: initial, timeZone }
}

const isEmpty = (field: Field, value: FormValue | undefined): boolean => {
  if (Array.isArray(value)) {
    return field.kind === "group"
      ? field.fields.every((child, index) => isEmpty(child, value[index]))
      : value.length === 0
  }
  const trims = field.kind === "json" || field.kind === "number"
  return value === undefined || (trims ? String(value).trim() : value) === ""
}

const lacksRequired = (fields: ReadonlyArray<Field>, values: ReadonlyArray<FormValue>): boolean =>
  fields.some((field, index) => {
    const value = values[index]
    if (!field.required) return false
    return isEmpty(field, value) || (field.kind === "group" && lacksRequired(field.fields, listOf(value)))
  })

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`

const matches = (pattern: string, value: string): boolean => {
  try {
    return new RegExp(pattern, "u").test(value)
  } catch {
    return true
  }
}

const textProblem = ({ minLength = 0, maxLength = Infinity, pattern, format }: TextField, value: string): string => {
  const { length } = [...value]
  if (length < minLength) return `Enter at least ${plural(minLength, "character")}.`
  if (length > maxLength) return `Enter at most ${plural(maxLength, "character")}; this has ${length}.`
  if (pattern !== undefined && pattern.length <= 300 && !matches(pattern, value)) {
    return `Must match the pattern ${pattern}`
  }
  if (format === "email" && !/^[^\s@]+@[^\s@]+$/.test(value)) return "Enter an e-mail address."
  if (format === "uri" && !/^[a-z][a-z0-9+.-]*:\S+$/i.test(value)) {
    return "Enter a whole address, such as https://example.com."
  }
  return ""
}

const isMultiple = (value: number, step: number): boolean => {
  const ratio = value / step
  return Math.abs(ratio - Math.round(ratio)) <= 1e-9 * Math.max(1, Math.abs(ratio))
}

const numberProblem = (field: NumberField, value: number): string => {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, integer } = field
  if (!Number.isFinite(value) || (integer && !Number.isInteger(value))) {
    return integer ? "Enter a whole number." : "Enter a number."
  }
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) return "This number is too large to be sent exactly."
  if (minimum !== undefined && value < minimum) return `Must be ${minimum} or more.`
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) return `Must be more than ${exclusiveMinimum}.`
  if (maximum !== undefined && value > maximum) return `Must be ${maximum} or less.`
  if (exclusiveMaximum !== undefined && value >= exclusiveMaximum) return `Must be less than ${exclusiveMaximum}.`
  return multipleOf === undefined || isMultiple(value, multipleOf) ? "" : `Must be a multiple of ${multipleOf}.`
}

const expectations = { object: "Enter a JSON object: { … }", array: "Enter a JSON array: [ … ]" }

class Reader {
  readonly errors: Array<FormError> = []
  readonly #isFresh: boolean
  readonly #timeZone: string | undefined

  constructor(isFresh: boolean, timeZone?: string) {
    this.#isFresh = isFresh
    this.#timeZone = timeZone
  }

  #fail(path: FieldPath, message: string): undefined {
    this.errors.push({ path, message })
    return undefined
  }

  json(expects: "object" | "array" | undefined, value: string, path: FieldPath): Json {
    let parsed: unknown
    try {
      parsed = JSON.parse(value)
    } catch (error) {
      return this.#fail(path, `This is not JSON: ${error instanceof Error ? error.message : String(error)}`)
    }
    const fits = expects === "object" ? isObject(parsed) : expects !== "array" || Array.isArray(parsed)
    return fits || expects === undefined ? parsed : this.#fail(path, expectations[expects])
  }

  #filled(field: Field, value: FormValue, path: FieldPath): Json {
    switch (field.kind) {
      case "text": {
        const written = String(value)
        const isTime = field.format === "time" && /^\d\d:\d\d$/.test(written)
        const read =
          field.format === "date-time" ? fromWallTime(written, this.#timeZone) : isTime ? `${written}:00` : written
        const problem = textProblem(field, read)
        return problem === "" ? read : this.#fail(path, problem)
      }
      case "number": {
        const read = Number(String(value).trim())
        const problem = numberProblem(field, read)
        return problem === "" ? read : this.#fail(path, problem)
      }
      case "boolean":
        return (unofferedValue(value) ?? { value: value === true }).value
      case "enum":
        return chosen(field.options, value)
      case "choices":
        return listOf(value).map((choice) => chosen(field.options, choice))
      case "json":
        return this.json(field.expects, String(value), path)
      default:
        return undefined
    }
  }

  #list(field: ListField, current: FormValue, initial: FormValue, origin: Json, path: FieldPath): Json {
    const before = Array.isArray(origin) ? origin : []
    const items: Array<unknown> = []
    for (const [index, row] of listOf(current).entries()) {
      if (index < before.length && sameJson(row, listOf(initial)[index])) items.push(before[index])
      else if (!isEmpty(field.item, row)) {
        const read = this.#filled(field.item, row, [...path, index])
        if (read !== undefined) items.push(read)
      }
    }
    if (items.length === 0 && !field.required && origin === undefined) return undefined
    const { minItems = 0, maxItems = Infinity } = field
    if (items.length < minItems) this.#fail(path, `Add at least ${plural(minItems, "item")}.`)
    if (items.length > maxItems) this.#fail(path, `Keep at most ${plural(maxItems, "item")}.`)
    return items
  }

  #group(
    { fields, required }: { readonly fields: ReadonlyArray<Field>; readonly required: boolean },
    current: FormValue,
    initial: FormValue,
    origin: Json,
    path: FieldPath
  ): Json {
    const values = listOf(current)
    if (origin === undefined && !required) {
      const isBare = fields.every((field, index) => isEmpty(field, values[index]))
      // Defaults alone do not begin an optional group: not in a call that came without it, nor where more is required.
      const isDefault = sameJson(current, initial) && (!this.#isFresh || lacksRequired(fields, values))
      if (isBare || isDefault) return undefined
    }
    if (origin !== undefined && !isObject(origin) && sameJson(current, initial)) return origin

    const members = new Map<string, unknown>(isObject(origin) ? Object.entries(origin) : [])
    for (const [index, field] of fields.entries()) {
      const { name } = field
      const before = listOf(initial)[index] ?? ""
      const read = this.field(field, values[index] ?? "", before, memberOf(origin, name), [...path, name])
      if (read === undefined) members.delete(name)
      else members.set(name, read)
    }
    if (members.size === 0 && !required && origin === undefined) return undefined
    // `Object.fromEntries` defines members: `__proto__` stays a member like any other.
    return Object.fromEntries(members)
  }

  field(field: Field, current: FormValue, initial: FormValue, origin: Json, path: FieldPath): Json {
    if (field.kind === "group") return this.#group(field, current, initial, origin, path)
    if (sameJson(current, initial)) {
      if (origin !== undefined) return origin
      // A default is sent when no call came before, and for a required member; else the server knows it.
      if (this.#isFresh || field.required) {
        if (defaultOf(field) !== undefined) return field.defaultValue
      } else if (!isEmpty(field, current)) return undefined
    }
    if (field.kind === "list") return this.#list(field, current, initial, origin, path)
    if (!isEmpty(field, current)) return this.#filled(field, current, path)
    if (field.kind === "choices" && (field.required || origin !== undefined)) return []
    if (!field.required) return undefined
    if (field.nullable) return null
    if (field.kind === "text" && field.minLength === 0) return ""
    return this.#fail(path, field.kind === "enum" || field.kind === "boolean" ? "Choose one." : "This is required.")
  }
}

const asArguments = (read: Json): Record<string, unknown> => (isObject(read) ? (read as Record<string, unknown>) : {})

/** Arguments to send, and what is wrong with them. */
export interface FormReading {
  readonly arguments: Record<string, unknown>
  readonly errors: ReadonlyArray<FormError>
}

/**
 * The arguments to send. What was not changed goes out exactly as it came, members that the schema does not know
 * included; empty optional fields are left out; everything else has the type that the schema asks for.
 */
export const toArguments = ({ root }: FormModel, { args, current, initial, timeZone }: FormValues): FormReading => {
  const reader = new Reader(args === undefined, timeZone)
  const whole = root.kind === "group" ? { ...root, required: true } : root
  return { arguments: asArguments(reader.field(whole, current, initial, args, [])), errors: reader.errors }
}

/** Reads the arguments from JSON text, as in the editor of the whole input. */
export const argumentsFromJson = (json: string): FormReading => {
  const reader = new Reader(true)
  const read = json.trim() === "" ? {} : reader.json("object", json, [])
  return { arguments: asArguments(read), errors: reader.errors }
}
