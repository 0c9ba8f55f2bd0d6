import { isObject } from "../../domain/isObject.ts"
import { type JsonRecord } from "../../domain/results/ResultColumn.ts"
import { recordsOf } from "../../domain/results/ResultShape.ts"

/** Calm readings of values of any kind: nothing here throws, whatever comes in. */

const nameMembers = "name title label displayName login username text summary subject message value key id".split(" ")

/** An object of the author or of a tool: no list and no node. */
export const isPlain = (value: unknown): value is JsonRecord => isObject(value) && !(value instanceof Node)

/** The member that names an object for people, with its value. */
export const nameIn = (record: JsonRecord): { readonly key: string; readonly value: unknown } | undefined => {
  for (const key of nameMembers) {
    const value = Object.hasOwn(record, key) ? record[key] : undefined
    if ((typeof value === "string" && value !== "") || typeof value === "number") return { key, value }
  }
  return undefined
}

/** Whether a child would show nothing. */
export const isNothing = (child: unknown): boolean => child === false || listOf(child).length === 0

/** A list of what parts show: without what is left out. */
export const shownOf = (value: unknown): ReadonlyArray<unknown> =>
  listOf(value).filter((item) => item !== null && item !== undefined && typeof item !== "boolean")

/** JSON for people; text that says so when the value has none (cycles, depth). */
export const jsonOf = (value: unknown, indent = 0): string => {
  try {
    return (
      JSON.stringify(value, (_, part: unknown) => (typeof part === "bigint" ? String(part) : part), indent) ??
      String(value)
    )
  } catch {
    return "(cannot be written as JSON)"
  }
}

/** One line of text for any value. */
export const textOf = (value: unknown): string => {
  if (typeof value === "string") return value
  if (value === null || value === undefined) return ""
  if (value instanceof Node) return value.textContent ?? ""
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "" : value.toISOString()
  if (value instanceof Error) return value.message
  if (Array.isArray(value))
    return value.map((item) => (typeof item === "object" ? clip(jsonTextOf(item), 200) : textOf(item))).join(", ")
  return typeof value === "object" ? jsonTextOf(value) : String(value)
}

const jsonTextOf = (value: unknown): string => {
  if (isObject(value)) {
    const named = nameIn(value)
    if (named !== undefined) return String(named.value)
  }
  return value === null ? "" : jsonOf(value)
}

/** The message of an error, or `otherwise`. Anything may be thrown. */
export const messageOf = (error: unknown, otherwise: string): string =>
  textOf(error instanceof Error ? error.message || error.name : error) || otherwise

/** What a view says of a call that was cancelled. */
export const cancellationText = (reason: string | undefined): string =>
  reason === undefined ? "The call was cancelled." : `The call was cancelled: ${reason}`

/** At most `length` characters, with an ellipsis when something was cut; never half of a surrogate pair. */
export const clip = (text: string, length: number): string => {
  if (text.length <= length) return text
  const cut = text.slice(0, length - 1)
  return `${/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut}…`
}

/** Any value as a list: `null` is empty, one thing is a list of it. */
export const listOf = (value: unknown): ReadonlyArray<unknown> => {
  if (Array.isArray(value)) return value
  if (value === null || value === undefined || value === "") return []
  if (value instanceof Node || typeof value !== "object") return [value]
  return Symbol.iterator in value ? Array.from(value as Iterable<unknown>) : [value]
}

/** Any value as records: rows of scalars become `{value}`, rows that are lists get the given names. */
export const rowsOf = (value: unknown, names: ReadonlyArray<string> = []): ReadonlyArray<JsonRecord> => {
  const known = recordsOf(value)
  if (known !== undefined && (!Array.isArray(value) || known.length === value.length)) return known
  return listOf(value)
    .filter((row) => row !== null && row !== undefined)
    .map((row): JsonRecord => {
      if (Array.isArray(row))
        return Object.fromEntries(row.map((cell: unknown, index) => [names[index] ?? String(index + 1), cell]))
      return isPlain(row) ? row : { [names[0] ?? "value"]: row }
    })
}

/** The member at `key`; `a.b` reaches inside unless the record has a member of that very name. */
export const memberOf = (record: unknown, key: string): unknown => {
  if (!isObject(record)) return undefined
  if (Object.hasOwn(record, key)) return record[key]
  if (!key.includes(".")) return undefined
  let value: unknown = record
  for (const name of key.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as JsonRecord)[name]
  }
  return value
}

/** The first of `keys` that holds something. */
export const firstMember = (record: JsonRecord, keys: ReadonlyArray<string>): unknown => {
  for (const key of keys) {
    const value = memberOf(record, key)
    if (value !== undefined && value !== null && value !== "") return value
  }
  return undefined
}

/** Calls a function of the page's author; `undefined` when it throws, so that one odd row does not empty the page. */
export const attempt = <A>(run: () => A): A | undefined => {
  try {
    return run()
  } catch {
    return undefined
  }
}

/** Options of a part, which the author may have left out or got wrong. */
export const optionsOf = <O extends object>(value: unknown): Partial<O> => (isPlain(value) ? (value as Partial<O>) : {})
