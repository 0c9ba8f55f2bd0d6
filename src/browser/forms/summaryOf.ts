import type { Field } from "../../domain/forms/FormField.ts"
import { isObject } from "../../domain/isObject.ts"
import { humanName } from "../../domain/forms/FieldText.ts"
import { plural } from "../../domain/forms/SchemaValidation.ts"
import { masked } from "./formMemory.ts"

const MAX_LENGTH = 60
const MAX_DEPTH = 4

const cut = (text: string): string => (text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text)

const inWords = (value: unknown, depth: number): string => {
  if (Array.isArray(value)) {
    return value.length > 3 || depth > MAX_DEPTH
      ? plural(value.length, "item")
      : cut(value.map((item) => inWords(item, depth + 1)).join(", "))
  }
  if (!isObject(value)) return typeof value === "string" ? cut(value) : (JSON.stringify(value) ?? "")
  if (depth > MAX_DEPTH) return "…"
  const said = Object.entries(value).map(([name, member]) =>
    member === true ? humanName(name) : member === false ? "" : inWords(member ?? "", depth + 1)
  )
  return cut(
    said
      .filter((text) => text !== "")
      .slice(0, 3)
      .join(" · ")
  )
}

/** A value in a few words, with secrets masked. `field` knows which are secret. */
export const summaryOf = (value: unknown, field?: Field): string => inWords(masked(value, field), 0)
