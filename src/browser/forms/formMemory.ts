import { type Draft, Unread } from "../../domain/forms/FormDraft.ts"
import type { Field } from "../../domain/forms/FormField.ts"
import { isObject } from "../../domain/forms/isObject.ts"

const UNREAD = "mcp-gen-ui:unread"
const MAX_DEPTH = 32

class NotStorable extends Error {}

const stored = (value: Draft, field: Field | undefined, depth: number): unknown => {
  if (depth > MAX_DEPTH) throw new NotStorable()
  if (field?.kind === "union") {
    return stored(value, field.variants[field.variantOf(value) ?? -1]?.field(), depth + 1)
  }
  if (field?.kind === "text" && field.format === "password" && value !== undefined) throw new NotStorable()
  if (value instanceof Unread) return { [UNREAD]: [value.text, value.message, value.kind] }
  if (Array.isArray(value)) {
    return value.map((item, index) => stored(item, field?.kind === "list" ? field.itemAt(index) : undefined, depth + 1))
  }
  if (!isObject(value)) return value
  const fields = field?.kind === "group" ? field.fields(value) : []
  const map = field?.kind === "map" ? field : field?.kind === "group" ? field.others : undefined
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const own = fields.find((child) => child.name === name) ?? map?.memberAt(name)
      return [name, stored(member, own, depth + 1)]
    })
  )
}

/** A draft as JSON, to be kept; `undefined` where it holds a secret, which is kept nowhere, or is too deep. */
export const storable = (draft: Draft, root: Field): unknown => {
  try {
    return stored(draft, root, 0)
  } catch (error) {
    if (error instanceof NotStorable) return undefined
    throw error
  }
}

/** A draft in which what could not be read stands as text. */
export const withTexts = (draft: Draft): unknown => {
  if (draft instanceof Unread) return draft.text
  if (Array.isArray(draft)) return draft.map(withTexts)
  if (!isObject(draft)) return draft
  return Object.fromEntries(Object.entries(draft).map(([name, member]) => [name, withTexts(member)]))
}

/** The draft that {@link storable} made JSON of. */
export const restored = (value: unknown): Draft => {
  if (Array.isArray(value)) return value.map(restored)
  if (!isObject(value)) return value
  const unread = value[UNREAD]
  if (Array.isArray(unread)) return new Unread(String(unread[0]), String(unread[1]), unread[2])
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, restored(member)]))
}
