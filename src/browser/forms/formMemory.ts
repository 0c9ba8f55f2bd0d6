import { type Draft, Unread } from "../../domain/forms/FormDraft.ts"
import { fieldBelow, fieldFor } from "../../domain/forms/fieldBelow.ts"
import type { Field } from "../../domain/forms/FormField.ts"
import { isObject } from "../../domain/isObject.ts"
import { sameJson } from "../../domain/forms/sameJson.ts"

const UNREAD = "mcp-gen-ui:unread"
const MAX_DEPTH = 32

/** A draft in which secrets (as `field` knows them) are dots, and text that could not be read stays text. */
export const masked = (draft: Draft, field?: Field, depth = 0): unknown => {
  if (draft instanceof Unread) return draft.text
  const own = fieldFor(field, draft)
  if (own?.kind === "text" && own.format === "password" && (draft ?? "") !== "") return "••••"
  if (own !== undefined && depth > MAX_DEPTH) return "…"
  const below = (member: Draft, key: string | number): unknown => masked(member, fieldBelow(own, draft, key), depth + 1)
  if (Array.isArray(draft)) return draft.map(below)
  return isObject(draft)
    ? Object.fromEntries(Object.entries(draft).map(([name, member]) => [name, below(member, name)]))
    : draft
}

/** A draft as JSON text. `undefined` where it holds a secret: secrets are never kept. */
export const storable = (draft: Draft, root: Field): string | undefined =>
  sameJson(masked(draft, root), masked(draft))
    ? JSON.stringify(draft, (_name, value: unknown) => (value instanceof Unread ? { [UNREAD]: { ...value } } : value))
    : undefined

/** Reads a draft back from the text of {@link storable}. */
export const restored = (text: string): Draft =>
  JSON.parse(text, (_name, value: unknown) => {
    const unread = isObject(value) ? value[UNREAD] : undefined
    return isObject(unread) ? Object.assign(new Unread("", ""), unread) : value
  })
