import type { Field, FormModel } from "./FormField.ts"
import { isObject } from "../isObject.ts"

/** Names and indices from the arguments down to one value. */
export type FieldPath = ReadonlyArray<string | number>

/** Holds what somebody typed while it is not a valid value: the text of a number field or a JSON editor. */
export class Unread {
  readonly text: string
  /** One sentence for the person at the form. */
  readonly message: string
  /** The kind of field that it was typed into, where that tells union variants apart. */
  readonly kind: Field["kind"] | undefined

  constructor(text: string, message: string, kind?: Field["kind"]) {
    this.text = text
    this.message = message
    this.kind = kind
  }
}

/** A JSON value that may contain {@link Unread}; `undefined` means absent, also in a list. */
export type Draft = unknown

export interface FormState {
  /** The arguments of the call on screen; `undefined` when there was none. */
  readonly args: unknown
  readonly draft: Draft
}

const memberAt = (draft: Draft, key: string | number): Draft => {
  if (Array.isArray(draft)) return typeof key === "number" ? draft[key] : undefined
  return isObject(draft) && Object.hasOwn(draft, key) ? draft[key] : undefined
}

export const draftAt = (draft: Draft, path: FieldPath): Draft => path.reduce(memberAt, draft)

const members = (draft: Draft): ReadonlyArray<readonly [string, Draft]> =>
  isObject(draft) ? Object.entries(draft) : []

/** `Object.fromEntries` treats `__proto__` like any other member. */
const objectOf = (entries: ReadonlyArray<readonly [string, Draft]>): Draft => Object.fromEntries(entries)

/** The items of a list; none if it is not a list. */
export const itemsOf = (draft: Draft): ReadonlyArray<Draft> => (Array.isArray(draft) ? draft : [])

/**
 * The draft with another value at a path. Everything else stays the same object; members keep their order, new ones
 * come last. `undefined` removes a member and blanks an item. Missing parents are made, parents of another type
 * replaced.
 */
export const withValue = (draft: Draft, path: FieldPath, value: Draft): Draft => {
  const [key, ...below] = path
  if (key === undefined) return value
  const before = memberAt(draft, key)
  const next = withValue(before, below, value)
  if (next === before) return draft
  if (typeof key === "number") {
    const list = [...itemsOf(draft)]
    while (list.length < key) list.push(undefined)
    list[key] = next
    return list
  }
  const entries = members(draft)
  if (next === undefined) return objectOf(entries.filter(([name]) => name !== key))
  if (before === undefined) return objectOf([...entries, [key, next]])
  return objectOf(entries.map(([name, member]) => [name, name === key ? next : member]))
}

const MAX_DEPTH = 6
const MAX_BEGUN = 500
const MAX_ITEMS = 10

class Beginning {
  #remaining = MAX_BEGUN

  /** The value of a field before anybody touches it. */
  untouched(field: Field, depth: number): Draft {
    const { defaultValue, required } = field
    if (defaultValue !== undefined && defaultValue !== null) return defaultValue
    if (!required || depth > MAX_DEPTH || this.#remaining-- <= 0) return undefined
    if (field.kind === "constant") return field.value
    if (field.nullable) return undefined
    return this.opened(field, depth)
  }

  opened(field: Field, depth: number): Draft {
    const { defaultValue } = field
    if (defaultValue !== undefined && defaultValue !== null) return defaultValue
    switch (field.kind) {
      case "constant":
        return field.value
      case "group": {
        const begun = field
          .fields({})
          .map((child): readonly [string, Draft] => [child.name, this.untouched(child, depth + 1)])
        return objectOf(begun.filter(([, value]) => value !== undefined))
      }
      case "map":
        return {}
      case "choices":
        return []
      case "list":
        return Array.from({ length: Math.min(MAX_ITEMS, Math.max(field.prefix, field.minItems ?? 0)) }, (_, index) => {
          const item = field.itemAt(index)
          return item === undefined ? undefined : this.untouched({ ...item, required: true }, depth + 1)
        })
      case "union": {
        const begun = depth === 0 ? field.variants[0]?.begin() : undefined
        return typeof begun === "object" ? begun : undefined
      }
      default:
        return undefined
    }
  }
}

/** The first value of a new item, an opened optional group or a chosen variant; `undefined` if nothing is known. */
export const beginValue = (field: Field): Draft => new Beginning().opened(field, 0)

/**
 * The first state of a form. Given arguments are the draft, as the same object. Without, it has the schema's defaults,
 * also in required groups, and required constants.
 */
export const beginForm = (model: FormModel, args?: unknown): FormState => ({
  args,
  draft: args === undefined ? (beginValue(model.root) ?? {}) : args
})
