import { isObject } from "../../domain/isObject.ts"
import type { Field } from "../../../types/parts.d.ts"
import { labelOf } from "../../domain/labelOf.ts"
import type { JsonObject } from "../runtime/types.ts"

/** What the views inside one result share. */
export interface ResultContext {
  /** UTF-8 bytes of a text before "Show all". */
  readonly maxBytes: number
  readonly toolTitle: string
  /** Labels by name, from the output schema. */
  readonly titles: ReadonlyMap<string, string>
  /** The arguments of the call, where they are known. */
  readonly args: JsonObject | undefined
  /** The same without secrets, to be shown. */
  readonly asked: JsonObject | undefined
  /** Any JSON value as nodes; `depth` is how far inside the result it stands. */
  readonly value: (value: unknown, depth: number) => Node
  readonly text: (text: string, mimeType?: string) => Node
}

export const collectTitles = (schema: unknown, titles = new Map<string, string>(), depth = 0): Map<string, string> => {
  if (!isObject(schema) || depth > 8) return titles
  for (const [key, member] of Object.entries(isObject(schema.properties) ? schema.properties : {})) {
    if (isObject(member) && typeof member.title === "string" && member.title !== "" && !titles.has(key))
      titles.set(key, member.title)
    collectTitles(member, titles, depth + 1)
  }
  return collectTitles(schema.items, titles, depth + 1)
}

/** Fields for the parts: names, with the labels of the output schema. */
export const labelled = (keys: ReadonlyArray<string>, { titles }: ResultContext): ReadonlyArray<Field> =>
  keys.map((key) => {
    const label = titles.get(key)
    return label === undefined ? { key } : { key, label }
  })

export const labelFor = (key: string, { titles }: ResultContext): string => titles.get(key) ?? labelOf(key)
