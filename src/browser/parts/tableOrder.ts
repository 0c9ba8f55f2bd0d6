import { isEmpty, type JsonRecord } from "../../domain/results/ResultColumn.ts"
import { type Field, fieldText, isNumeric } from "./field.ts"
import { momentOf, quantityOf } from "./format.ts"
import { hostContext } from "./host.ts"
import { folded } from "./tableFilter.ts"
import { attempt, memberOf, optionsOf, textOf } from "./values.ts"

/** The member that rows are ordered by. */
export interface Order {
  readonly key: string
  readonly desc: boolean
}

/** An order as an author gives it: "key", "-key", "key desc", `{key, desc}`. */
export const readOrder = (sort: unknown): Order | undefined => {
  const given = optionsOf<Order>(sort)
  const [, minus, name = "", word] = /^([-+]?)(.*?)(?:[ :](asc|desc))?$/is.exec(textOf(given.key ?? sort).trim()) ?? []
  return name === "" ? undefined : { key: name, desc: minus === "-" || /desc/i.test(word ?? "") || given.desc === true }
}

const sortKey = (value: unknown, field: Field, row: JsonRecord): number | string => {
  if (isNumeric(field)) return quantityOf(value) ?? fieldText(value, field, row)
  if (/^(date|datetime|time|relative)$/.test(field.type)) return momentOf(value)?.at.getTime() ?? textOf(value)
  return typeof value === "number" || typeof value === "boolean" ? Number(value) : textOf(value)
}

/** Above this many different texts, sort by Unicode: several times as fast as a collator. */
const maxCollated = 20_000

const inOrder = (texts: ReadonlyArray<string>): ReadonlyArray<string> => {
  const collator = attempt(() => new Intl.Collator(hostContext().locale, { numeric: true }))
  if (collator !== undefined && texts.length <= maxCollated) return [...texts].sort(collator.compare)
  const keyed = texts.map((text) => ({
    text,
    key: folded(text).replace(/\d+/g, (digits) => digits.padStart(12, "0"))
  }))
  return keyed.sort((left, right) => (left.key < right.key ? -1 : left.key > right.key ? 1 : 0)).map(({ text }) => text)
}

/**
 * One number for each row, so that sorting compares only numbers. Texts get their place in the host's alphabet ("a9"
 * before "a10"). NaN: no value.
 */
export const ranksOf = (rows: ReadonlyArray<JsonRecord>, field: Field): Float64Array => {
  const keys = rows.map((row) => {
    const value = memberOf(row, field.key)
    return isEmpty(value) ? undefined : sortKey(value, field, row)
  })
  if (keys.every((key) => typeof key !== "string")) return Float64Array.from(keys, (key) => key ?? Number.NaN)
  const texts = keys.map((key) => (key === undefined ? undefined : String(key)))
  const places = new Map<string | undefined, number>()
  for (const text of inOrder([...new Set(texts)].filter((text) => text !== undefined))) places.set(text, places.size)
  return Float64Array.from(texts, (text) => places.get(text) ?? Number.NaN)
}

/** 0, 1, 2 … `Uint32Array.from` would call back for each of 100,000 rows before the first is drawn. */
export const indexes = (length: number): Uint32Array => {
  const all = new Uint32Array(length)
  for (let at = 0; at < length; at++) all[at] = at
  return all
}

/** The indexes of rows in order; rows without a value come last either way, equal ones stay as they came. */
export const arranged = (ranks: Float64Array, descending: boolean): Uint32Array => {
  const sign = descending ? -1 : 1
  return indexes(ranks.length).sort((left, right) => {
    const a = ranks[left] ?? Number.NaN
    const b = ranks[right] ?? Number.NaN
    if (a === b) return left - right
    if (Number.isNaN(a) || Number.isNaN(b))
      return Number.isNaN(a) && Number.isNaN(b) ? left - right : Number.isNaN(a) ? 1 : -1
    return (a - b) * sign
  })
}
