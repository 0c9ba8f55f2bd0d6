import type { Field } from "./FormField.ts"
import { isObject } from "../isObject.ts"

/** The field that shows a value: for a union, the value's variant, if it has one. */
export const fieldFor = (field: Field | undefined, value: unknown): Field | undefined =>
  field?.kind === "union" ? fieldFor(field.variants[field.variantOf(value) ?? -1]?.field(), value) : field

const named = new WeakMap<ReadonlyArray<Field>, ReadonlyMap<string, Field>>()

/** Fields by name; built once per list, because thousands may be asked for one by one. */
export const byName = (fields: ReadonlyArray<Field>): ReadonlyMap<string, Field> => {
  const known = named.get(fields) ?? new Map(fields.map((field) => [field.name, field]))
  named.set(fields, known)
  return known
}

/** The field of a member or item of a value that `field` shows; `undefined` if it has none. */
export const fieldBelow = (field: Field | undefined, value: unknown, key: string | number): Field | undefined => {
  if (field?.kind === "list") return Array.isArray(value) ? field.itemAt(Number(key)) : undefined
  if (!isObject(value)) return undefined
  if (field?.kind === "map") return field.memberAt(String(key))
  return field?.kind === "group"
    ? (byName(field.fields(value)).get(String(key)) ?? field.others?.memberAt(String(key)))
    : undefined
}
