import { assert } from "@effect/vitest"
import { beginForm, withValue } from "../../../src/domain/forms/FormDraft.ts"
import type { FieldPath } from "../../../src/domain/forms/FormDraft.ts"
import type { Field, GroupField } from "../../../src/domain/forms/FormField.ts"
import { formModel } from "../../../src/domain/forms/FormModel.ts"
import { readForm } from "../../../src/domain/forms/FormReading.ts"
import type { FormReading } from "../../../src/domain/forms/FormReading.ts"

export const object = (
  properties: Record<string, unknown>,
  more: Record<string, unknown> = {}
): Record<string, unknown> => ({ type: "object", properties, ...more })

/** A field of the kind that the test expects. */
export const as = <Kind extends Field["kind"]>(
  field: Field | undefined,
  kind: Kind
): Extract<Field, { kind: Kind }> => {
  assert.strictEqual(field?.kind, kind)
  return field as Extract<Field, { kind: Kind }>
}

export const rootGroup = (schema: unknown): GroupField => as(formModel(schema).root, "group")

/** The field of one member of the arguments. */
export const fieldOf = (property: unknown, name = "member", more: Record<string, unknown> = {}): Field => {
  const [field] = rootGroup(object(Object.fromEntries([[name, property]]), more)).fields({})
  if (field === undefined) throw new Error("no field")
  return field
}

export const names = (fields: ReadonlyArray<Field>): ReadonlyArray<string> => fields.map(({ name }) => name)

type Edits = ReadonlyArray<readonly [path: FieldPath, value: unknown]>

/** Reads the form of a schema after values were set one after the other. */
export const edited = (schema: unknown, edits: Edits, args?: unknown): FormReading => {
  const model = formModel(schema)
  const state = beginForm(model, args)
  const draft = edits.reduce((draft, [path, value]) => withValue(draft, path, value), state.draft)
  return readForm(model, schema, { ...state, draft })
}

/** Errors as `path: message`. */
export const errorsIn = ({ errors }: FormReading): ReadonlyArray<string> =>
  errors.map(({ path, message }) => `${path.join(".")}: ${message}`)
