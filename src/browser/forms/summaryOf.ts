import { Unread } from "../../domain/forms/FormDraft.ts"
import type { Field } from "../../domain/forms/FormField.ts"
import { isObject } from "../../domain/forms/isObject.ts"

const MAX_LENGTH = 60
const MAX_DEPTH = 4

const cut = (text: string): string => (text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text)

/** A value in a few words, secrets masked. `field` is what the form knows of it. */
export const summaryOf = (value: unknown, field?: Field, depth = 0): string => {
  if (value instanceof Unread) return cut(value.text)
  if (field?.kind === "union") {
    return summaryOf(value, field.variants[field.variantOf(value) ?? -1]?.field(), depth + 1)
  }
  if (field?.kind === "text" && field.format === "password" && value !== undefined && value !== null) return "••••"
  if (typeof value === "string") return cut(value)
  if (Array.isArray(value)) {
    const item = field?.kind === "list" ? field.itemAt(0) : undefined
    if (value.length > 3 || depth > MAX_DEPTH) return `${value.length} ${value.length === 1 ? "item" : "items"}`
    return cut(value.map((entry) => summaryOf(entry, item, depth + 1)).join(", "))
  }
  if (isObject(value)) {
    if (depth > MAX_DEPTH) return "…"
    const fields = field?.kind === "group" ? field.fields(value) : []
    const said = Object.entries(value)
      .slice(0, 12)
      .filter(([, member]) => member !== undefined && member !== null && member !== "")
      .map(([name, member]) => {
        const own = field?.kind === "map" ? field.memberAt(name) : fields.find((child) => child.name === name)
        const text = summaryOf(member, own, depth + 1)
        return member === true ? (own?.label ?? name) : member === false ? "" : text
      })
      .filter((text) => text !== "")
    return cut(said.slice(0, 3).join(" · "))
  }
  return value === undefined ? "" : cut(JSON.stringify(value) ?? "")
}
