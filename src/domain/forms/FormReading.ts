import { fieldBelow, fieldFor } from "./fieldBelow.ts"
import { draftAt, itemsOf, Unread } from "./FormDraft.ts"
import type { Draft, FieldPath, FormState } from "./FormDraft.ts"
import type { Field, FormModel, GroupField, ListField } from "./FormField.ts"
import { isObject } from "../isObject.ts"
import { schemaDocument } from "./JsonSchema.ts"
import { parseJson } from "./FieldValue.ts"
import { sameJson } from "./sameJson.ts"
import { schemaProblems } from "./SchemaValidation.ts"
import type { SchemaProblem } from "./SchemaValidation.ts"

export { readText, textOf } from "./FieldValue.ts"

export interface FormError {
  readonly path: FieldPath
  /** One sentence for the person at the form. */
  readonly message: string
}

/** Arguments to send, and what is wrong with them. */
export interface FormReading {
  readonly arguments: Record<string, unknown>
  readonly errors: ReadonlyArray<FormError>
}

/** What a schema does not allow in arguments. */
export type Validate = (schema: unknown, args: unknown) => ReadonlyArray<SchemaProblem>

/** Validates with the assertions of JSON Schema, see {@link schemaProblems}. */
const validateArguments: Validate = (schema, args) => schemaProblems(schema, args, schemaDocument(schema))

const asArguments = (value: unknown): Record<string, unknown> =>
  isObject(value) ? (value as Record<string, unknown>) : {}

const MAX_PASSES = 8
/** Nobody mends more before the next check. */
const MAX_PROBLEMS = 300

/** Turns a draft into what is sent. */
class Reader {
  readonly errors: Array<FormError> = []
  /** Where the items of a sent list stand in the draft, which may have blank ones. */
  readonly places = new WeakMap<ReadonlyArray<unknown>, ReadonlyArray<number>>()

  #missing(field: Field, path: FieldPath): unknown {
    if (!field.required) return undefined
    if (field.kind === "constant") return field.value
    if (field.nullable) return null
    if (field.kind === "list" || field.kind === "choices") return []
    if (field.kind === "map") return {}
    if (field.kind === "group") return this.#group(field, {}, undefined, path)
    return field.kind === "text" && field.minLength === 0 ? "" : undefined
  }

  /** `isKept`: keep empty values, because a person put them there or the call had a value. */
  read(field: Field, draft: Draft, args: unknown, path: FieldPath, isKept = args !== undefined): unknown {
    if (draft instanceof Unread) {
      this.errors.push({ path, message: draft.message })
      return undefined
    }
    if (draft === undefined) return this.#missing(field, path)
    if (draft === args) return draft
    if (field.kind === "union") {
      const variant = fieldFor(field, draft)
      return variant === undefined ? draft : this.read(variant, draft, args, path, isKept)
    }
    let read: unknown = draft
    if (field.kind === "list" && Array.isArray(draft)) read = this.#list(field, draft, args, path)
    else if (field.kind === "group" && isObject(draft)) read = this.#group(field, draft, args, path)
    else if (field.kind === "map" && isObject(draft)) {
      read = this.#members(draft, args, (name, member, before) =>
        this.read(field.memberAt(name), member, before, [...path, name], true)
      )
    }
    const isEmpty =
      (Array.isArray(read) ? /^(list|choices)$/ : /^(group|map)$/).test(field.kind) &&
      typeof read === "object" &&
      Object.keys(read ?? "-").length === 0
    return isEmpty && !field.required && !isKept ? undefined : read
  }

  #members(
    draft: Readonly<Record<string, unknown>>,
    args: unknown,
    readMember: (name: string, member: Draft, before: unknown) => unknown
  ): Readonly<Record<string, unknown>> {
    const entries = Object.entries(draft)
    const read = entries.map(([name, member]) => [name, readMember(name, member, draftAt(args, [name]))] as const)
    return read.every(([, member], index) => member === entries[index]?.[1])
      ? draft
      : Object.fromEntries(read.filter(([, member]) => member !== undefined))
  }

  #group(field: GroupField, draft: Readonly<Record<string, unknown>>, args: unknown, path: FieldPath): unknown {
    const shown = this.#withoutHidden(field, draft, args)
    const fields = field.fields(shown)
    const byName = new Map(fields.map((child) => [child.name, child]))
    const read = this.#members(shown, args, (name, member, before) => {
      const child = byName.get(name) ?? field.others?.memberAt(name)
      return child === undefined
        ? member
        : this.read(child, member, before, [...path, name], before !== undefined || !byName.has(name))
    })
    const added = fields
      .filter((child) => !Object.hasOwn(shown, child.name))
      .map((child) => [child.name, this.read(child, undefined, undefined, [...path, child.name])] as const)
      .filter(([, member]) => member !== undefined)
    return added.length === 0 ? read : Object.fromEntries([...Object.entries(read), ...added])
  }

  /** Drops members that conditions no longer ask for. What came with the call stays. */
  #withoutHidden(
    field: GroupField,
    draft: Readonly<Record<string, unknown>>,
    args: unknown
  ): Readonly<Record<string, unknown>> {
    let shown = draft
    for (let pass = 0; pass < MAX_PASSES; pass++) {
      const names = new Set(field.fields(shown).map(({ name }) => name))
      const entries = Object.entries(shown)
      const left = entries.filter(
        ([name, member]) => names.has(name) || !field.isConditional(name) || draftAt(args, [name]) === member
      )
      if (left.length === entries.length) break
      shown = Object.fromEntries(left)
    }
    return shown
  }

  #list(field: ListField, draft: ReadonlyArray<Draft>, args: unknown, path: FieldPath): ReadonlyArray<unknown> {
    const before = itemsOf(args)
    const places: Array<number> = []
    const read: Array<unknown> = []
    const last = draft.findLastIndex((item) => item !== undefined)
    for (const [index, item] of draft.entries()) {
      const child = field.itemAt(index)
      const at = [...path, index]
      const isPlace = index < field.prefix && index <= last
      const value = child === undefined ? item : this.read(child, item, before[index], at, true)
      if (value === undefined && isPlace) this.errors.push({ path: at, message: "This is required." })
      if (value === undefined && !isPlace) continue
      places.push(index)
      read.push(value ?? null)
    }
    const isSame = read.length === draft.length && read.every((item, index) => item === draft[index])
    const list = isSame ? draft : read
    this.places.set(list, places)
    return list
  }
}

interface Reach {
  /** Path in the draft of the deepest field that the person can reach. */
  readonly path: FieldPath
  readonly field: Field
  /** What is below that field, in the arguments. */
  readonly below: FieldPath
}

const reach = (
  { path, field, below }: Reach,
  value: unknown,
  places: WeakMap<ReadonlyArray<unknown>, ReadonlyArray<number>>
): Reach => {
  const [key, ...rest] = below
  const own = fieldFor(field, value) ?? field
  const at = Array.isArray(value) ? (places.get(value)?.[Number(key)] ?? key) : key
  const child = at === undefined ? undefined : fieldBelow(own, value, at)
  return key === undefined || at === undefined || child === undefined
    ? { path, field: own, below }
    : reach({ path: [...path, at], field: child, below: rest }, draftAt(value, [key]), places)
}

const messageAt = ({ field, below }: Reach, { keyword, message }: SchemaProblem): string => {
  if (below.length === 0)
    return keyword === "required" && /^(choice|boolean|union)$/.test(field.kind) ? "Choose one." : message
  return keyword === "additionalProperties" ? message : `${below.join(" › ")}: ${message}`
}

const readChanged = (
  model: FormModel,
  schema: unknown,
  { args, draft }: FormState,
  validate: Validate
): FormReading => {
  const reader = new Reader()
  const sent = asArguments(reader.read({ ...model.root, required: true }, isObject(draft) ? draft : {}, args, []))
  const start = { path: [], field: model.root }
  const found = [
    ...reader.errors,
    ...validate(schema, sent)
      .slice(0, MAX_PROBLEMS)
      .map((problem) => {
        const at = reach({ ...start, below: problem.path }, sent, reader.places)
        return { path: at.path, message: messageAt(at, problem) }
      })
  ]
  const errors = new Map<string, FormError>()
  for (const error of found) {
    const key = JSON.stringify(error.path)
    if (!errors.has(key)) errors.set(key, error)
  }
  return { arguments: sent, errors: [...errors.values()] }
}

/**
 * The arguments to send, and at most one error per field. Unchanged values are sent as the same object. Otherwise empty
 * optional values are left out, and empty required ones become their type's empty value (null, a list, an object).
 * Anything else that the schema does not allow is an error at the deepest field that shows it. Members unknown to the
 * schema stay.
 */
export const readForm = (
  model: FormModel,
  schema: unknown,
  state: FormState,
  validate: Validate = validateArguments
): FormReading => {
  const { args, draft } = state
  if (args !== undefined && sameJson(args, draft)) return { arguments: asArguments(args), errors: [] }
  try {
    return readChanged(model, schema, state, validate)
  } catch (error) {
    // Values nested too deeply to read are sent as they are.
    if (error instanceof RangeError) return { arguments: asArguments(draft), errors: [] }
    throw error
  }
}

/** Reads the arguments from JSON text, as in the editor of the whole input. Empty text means an empty object. */
export const argumentsFromJson = (text: string): FormReading => {
  const read = text.trim() === "" ? {} : parseJson(text)
  const message = read instanceof Unread ? read.message : isObject(read) ? undefined : "Enter an object: { … }"
  return { arguments: asArguments(read), errors: message === undefined ? [] : [{ path: [], message }] }
}
