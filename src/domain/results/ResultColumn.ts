import { isObject } from "../isObject.ts"
/**
 * What kind of values a member of records holds, guessed from its name, its values and its neighbours' names. A wrong
 * guess is worse than none: when unsure, it stays text or a plain number.
 */

import { labelOf, spaced } from "../labelOf.ts"
import { isoSeconds, type Moment, momentInText } from "./ResultMoment.ts"

type ValueKind =
  | "text"
  | "number"
  | "money"
  | "percent"
  | "coordinate"
  | "date"
  | "datetime"
  | "duration"
  | "bytes"
  | "year"
  | "url"
  | "image"
  | "color"
  | "boolean"
  | "badge"
  | "id"
  | "list"
  | "object"

export interface ResultColumn {
  readonly key: string
  /** The name for people: `created_at` is "Created at". */
  readonly label: string
  readonly kind: ValueKind
  /** ISO 4217 code, for money whose name says it. */
  readonly currency?: string
  /** Percent: 1 when 0.04 means 4%, 100 when 4 does. Duration: how many of the unit make a second (1 or 1000). */
  readonly scale?: number
  /** The values are text that reads as numbers ("2.50", "$12"): shown as written, sorted as numbers. */
  readonly written?: boolean
}

export type JsonRecord = Readonly<Record<string, unknown>>

export const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === "" ||
  (Array.isArray(value) && value.length === 0) ||
  (isObject(value) && Object.keys(value).length === 0)

/** Reads a number from a number or from text such as "1,234.50", "$12", "45 %", "-3"; `undefined` for all else. */
export const numberOf = (value: unknown): number | undefined => {
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined
  if (typeof value === "bigint") return Number(value)
  if (typeof value !== "string" || value.length > 40) return undefined
  const match =
    /^([-+−]?)\s*(?:[$€£¥₹]\s*)?((?=[\d.])(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+)?(?:e[-+]?\d{1,3})?)(?:\s*[%$€£¥₹])?$/i.exec(
      value.trim()
    )
  if (match === null) return undefined
  const read = Number(match[2]?.replaceAll(",", ""))
  if (!Number.isFinite(read)) return undefined
  return match[1] === "-" || match[1] === "−" ? -read : read
}

/** A day or a moment in a text; a month alone is too uncertain. */
const dayIn = (value: string): Moment | undefined => (value.length > 7 ? momentInText(value) : undefined)

const isUrl = (value: string): boolean => /^https?:\/\/[^\s]+$/i.test(value)
const isIdText = (value: string): boolean =>
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value) ||
  /^(?=.*\d)[0-9a-f]{16,}$/i.test(value) ||
  /^\d{16,40}$/.test(value) ||
  /^(?=.*\d)(?=.*[a-z])(?=.*[A-Z])[\w-]{20,128}$/.test(value)
const wordsOf = (key: string): string =>
  ` ${spaced(key)
    .replace(/[^A-Za-z0-9%$]+/g, " ")
    .trim()
    .toLowerCase()} `

/** A ratio of two currencies is not money, and neither is a count of thousands or files. */
const currencyOf = (words: string): string | undefined => {
  const [first, second] = words.match(/(?<= )(usd|eur|gbp|jpy|chf|inr|cad|aud|cny)(?= )/g) ?? []
  return second !== undefined || / (k|thousands?|millions?|mln|bn|rate|files?) /.test(words)
    ? undefined
    : first?.toUpperCase()
}

const isEpoch = (value: number): boolean => (value > 6e8 && value < 5e9) || (value > 6e11 && value < 5e12)

const momentNames =
  / (at|on|date|time|timestamp|ts|epoch|created|updated|modified|published|expires|expiry|start|end|since|until|dt|sunrise|sunset|[acm]time|iat|exp|nbf) /

/** What the names of all members say about one of them. */
export interface NamesBeside {
  readonly hasCurrency: boolean
  readonly hasFile: boolean
}

export const namesBeside = (names: ReadonlyArray<string>): NamesBeside => {
  const words = names.map(wordsOf).join("")
  return { hasCurrency: / currency /.test(words), hasFile: / (path|file|filename|mime|etag|mtime) /.test(words) }
}

type Guess = Pick<ResultColumn, "kind" | "currency" | "scale" | "written">

const kindOfNumbers = (words: string, numbers: ReadonlyArray<number>, beside: NamesBeside): Guess => {
  const areWhole = numbers.every(Number.isInteger)
  const most = numbers.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  const areShares = numbers.every((value) => value >= 0 && value <= 1) && !areWhole
  if (
    areWhole &&
    (/ ([cgpu]?id|ids|zip(code)?|post(al|code)|phone|tel|mobile|port|isbn|ean|sku) /.test(words) ||
      /^ (?:(?:account|order|invoice|case|ticket|issue|pr|serial) )?(?:number|no|nr) $/.test(words))
  )
    return { kind: "id" }
  // 20240115
  const isDay = (value: number): boolean =>
    momentInText(String(value).replace(/^(\d{4})(\d\d)(\d\d)$/, "$1-$2-$3")) !== undefined
  if (/ (date|day) /.test(words) && numbers.every(isDay)) return { kind: "text" }
  if (numbers.every(isEpoch) && momentNames.test(words)) return { kind: "datetime" }
  if (/ (code|version|build|revision|point) /.test(words)) return { kind: / point /.test(words) ? "number" : "text" }
  if (most <= 180 && / (lat(itude)?|lon|lng|long(itude)?) /.test(words)) return { kind: "coordinate" }
  if (
    areWhole &&
    / (year|founded|born|died|since) /.test(words) &&
    numbers.every((value) => value >= 1000 && value < 3000)
  )
    return { kind: "year" }
  if (/ (percent(age)?|pct|%) /.test(words) && (most > 1 || most === 0)) return { kind: "percent", scale: 100 }
  if (
    areShares &&
    / (share|probability|confidence|utili[sz]ation|(success|error|failure|conversion|hit|win|completion|pass|tax|interest|growth|unemployment) rate) /.test(
      words
    )
  )
    return { kind: "percent", scale: 1 }
  if (
    most > 1 &&
    most <= 100 &&
    / (probability|humidity|utili[sz]ation) /.test(words) &&
    numbers.every((value) => value >= 0)
  )
    return { kind: "percent", scale: 100 }
  if (/ (cents|minor|micros|count|qty|quantity) /.test(words)) return { kind: "number" }
  const currency = currencyOf(words)
  if (currency !== undefined) return { kind: "money", currency }
  if (/ (price|cost|revenue|salary|income|fees?|balance|subtotal) /.test(words)) return { kind: "money" }
  // Whole amounts beside a currency may be cents.
  if (!areWhole && / (amount|total|net|gross|tax|paid|due) /.test(words) && beside.hasCurrency) return { kind: "money" }
  if (
    areWhole &&
    numbers.every((value) => value >= 0) &&
    (/ (bytes|filesize|file size|content length) /.test(words) || (/ size /.test(words) && beside.hasFile))
  )
    return { kind: "bytes" }
  if (/ (ms|milli(second)?s) /.test(words)) return { kind: "duration", scale: 1000 }
  if (/ (secs?|seconds) /.test(words)) return { kind: "duration", scale: 1 }
  return { kind: "number" }
}

const badgeNames =
  / (status|state|type|level|priority|severity|category|conditions?|kind|role|stage|phase|visibility|method|result|language|plan|impact|confidence) /

const isName = (words: string): boolean => / (name|title|label|subject|headline|heading) /.test(words)

const kindOfTexts = (words: string, texts: ReadonlyArray<string>, beside: NamesBeside): Guess => {
  const every = (test: (text: string) => boolean): boolean => texts.every(test)
  const some = (pattern: RegExp): boolean => texts.some((text) => pattern.test(text))
  if (every((text) => dayIn(text) !== undefined))
    return { kind: texts.some((text) => dayIn(text)?.hasTime === true) ? "datetime" : "date" }
  if (every((text) => /^data:image\/[\w.+-]+[;,]/i.test(text))) return { kind: "image" }
  if (every(isUrl)) {
    const isImage =
      / (images?|thumbnail|avatar|photo|picture|icon|logo|poster|cover) /.test(words) ||
      every((text) => /\.(png|jpe?g|gif|webp|svg|avif)(\?[^#?]*)?$/i.test(text))
    return { kind: isImage ? "image" : "url" }
  }
  // "#123" may be the number of an issue.
  if (
    every((text) => /^#([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i.test(text)) &&
    (some(/[a-f]/i) || / (colou?r|hex) /.test(words))
  )
    return { kind: "color" }
  const isAnswer =
    every((text) => /^(true|false|yes|no|y|n)$/i.test(text)) &&
    (some(/^(true|yes|y)$/i) || every((text) => text === "false"))
  if (isAnswer && (every((text) => text.length > 1) || some(/^n$/i))) return { kind: "boolean" }
  if (/ (ids?|uuid|guid|sha|hash|etag|key|slug|cursor|token) /.test(words) || every(isIdText))
    return { kind: every((text) => text.length <= 128 && !/\s/.test(text)) ? "id" : "text" }
  if (every((text) => isoSeconds(text) !== undefined)) return { kind: "duration", scale: 1 }
  if (every((text) => numberOf(text) !== undefined && !/^0\d|^\+\d{7}|\d{16}/.test(text.trim()))) {
    if (every((text) => text.trim().endsWith("%"))) return { kind: "percent", scale: 100, written: true }
    if (every((text) => /[$€£¥₹]/.test(text))) return { kind: "money", written: true }
    const guess = kindOfNumbers(
      words,
      texts.flatMap((text) => numberOf(text) ?? []),
      beside
    )
    return guess.kind === "number" ? { ...guess, written: true } : guess
  }
  const distinct = new Set(texts).size
  const areShort = every(
    (text) => text.length <= 24 && !/[\n.,;:!?"'{}[\]<>=]/.test(text) && text.split(" ").length <= 3
  )
  if (areShort && badgeNames.test(words) && distinct <= 12) return { kind: "badge" }
  if (areShort && !isName(words) && texts.length >= 6 && distinct > 1 && distinct <= 6 && distinct * 3 <= texts.length)
    return { kind: "badge" }
  return { kind: "text" }
}

const guess = (key: string, values: ReadonlyArray<unknown>, beside: NamesBeside): Guess => {
  const present = values.filter((value) => !isEmpty(value))
  if (present.length === 0) return { kind: "text" }
  const words = wordsOf(key)
  if (present.every((value) => typeof value === "boolean")) return { kind: "boolean" }
  if (present.every((value): value is number => typeof value === "number")) return kindOfNumbers(words, present, beside)
  const texts = present.filter((value): value is string => typeof value === "string")
  if (texts.length === present.length) return kindOfTexts(words, texts, beside)
  if (present.every((value) => typeof value === "string" || typeof value === "number")) {
    const isMoment = (value: string | number): boolean =>
      typeof value === "number" ? isEpoch(value) : dayIn(value) !== undefined
    if (present.every(isMoment)) return { kind: "datetime" }
    return kindOfTexts(words, present.map(String), beside)
  }
  if (present.every(Array.isArray)) {
    return {
      kind: present.every((list) => list.every((item) => !isObject(item) && !Array.isArray(item))) ? "list" : "object"
    }
  }
  return { kind: present.some((value) => typeof value === "object") ? "object" : "text" }
}

/** The column for `key`, judged over all `values` of it; `beside` tells of the other members of the records. */
export const columnOf = (
  key: string,
  values: ReadonlyArray<unknown>,
  beside: NamesBeside = namesBeside([])
): ResultColumn => ({ key, label: labelOf(key), ...guess(key, values, beside) })

const sampleSize = 200

/** At most 200 of the rows: the first 50, then evenly spread to the end. */
export const sampleOf = <A>(rows: ReadonlyArray<A>): ReadonlyArray<A> => {
  if (rows.length <= sampleSize) return rows
  const step = (rows.length - 50) / (sampleSize - 50)
  return Array.from({ length: sampleSize }, (_, at) => rows[at < 50 ? at : Math.floor(50 + (at - 50) * step)] as A)
}

/**
 * Columns for records in the order in which their names first appear, judged over a sample; names without any value in it are
 * left out.
 */
export const columnsOf = (rows: ReadonlyArray<JsonRecord>): Array<ResultColumn> => {
  const values = new Map<string, Array<unknown>>()
  for (const row of sampleOf(rows)) {
    for (const [key, value] of Object.entries(row)) {
      const known = values.get(key)
      if (known === undefined) values.set(key, [value])
      else known.push(value)
    }
  }
  const beside = namesBeside([...values.keys()])
  return [...values]
    .filter(([, found]) => found.some((value) => !isEmpty(value)))
    .map(([key, found]) => columnOf(key, found, beside))
}

const worthOfKind: Readonly<Partial<Record<ValueKind, number>>> = {
  badge: 80,
  date: 70,
  datetime: 68,
  money: 66,
  percent: 62,
  number: 58,
  year: 58,
  boolean: 50,
  image: 50,
  list: 38,
  url: 28,
  coordinate: 26
}

const worth = (column: ResultColumn, values: ReadonlyArray<unknown>, rowCount: number): number => {
  const present = values.filter((value) => !isEmpty(value))
  const lengths = present.map((value) => (typeof value === "string" ? value.length : 0))
  const longest = Math.max(0, ...lengths)
  const words = wordsOf(column.key)
  const own = (): number => {
    if (isName(words) && column.kind !== "url") return 100
    if (column.kind === "id") return longest <= 12 ? 60 : 14
    if (column.kind === "text") return longest > 600 ? 5 : longest > 160 ? 30 : 56
    if (column.kind === "list" && present.some((list) => Array.isArray(list) && list.length > 8)) return 8
    if (column.kind === "object")
      return present.some(
        (value) => isObject(value) && / (name|title|label|login) /.test(Object.keys(value).map(wordsOf).join(""))
      )
        ? 36
        : 8
    return worthOfKind[column.kind] ?? 40
  }
  return own() * (0.3 + (0.7 * present.length) / Math.max(1, rowCount))
}

/** A column that says nothing of its own: one value in every row, what another column says, an id made of its text. */
const isDull = (
  column: ResultColumn,
  at: number,
  columns: ReadonlyArray<ResultColumn>,
  rows: ReadonlyArray<JsonRecord>
): boolean =>
  (rows.length > 3 && columns.length > 5 && rows.every((row) => row[column.key] === rows[0]?.[column.key])) ||
  columns.some(
    ({ key }, other) =>
      other !== at &&
      rows.length > 1 &&
      rows.every((row) => {
        const [own, its] = [row[column.key], row[key]]
        if (typeof own !== "string" || typeof its !== "string" || its.length < 3) return false
        return own === its ? other < at : column.kind === "id" && own.includes(its)
      })
  )

/**
 * The columns that say most at a glance, in their order: names, states, dates and figures before long ids, addresses,
 * long text and nested values. Those that say nothing of their own are left out.
 */
export const leadingColumns = (
  all: ReadonlyArray<ResultColumn>,
  rows: ReadonlyArray<JsonRecord>,
  limit = 6
): ReadonlyArray<ResultColumn> => {
  const sample = sampleOf(rows)
  // Over all rows, as the last may be the first that differs.
  const telling = all.filter((column, at) => !isDull(column, at, all, rows))
  const columns = telling.length < 2 ? all : telling
  if (columns.length <= Math.min(5, limit)) return columns
  const ranked = columns
    .map((column, at) => ({
      column,
      worth:
        worth(
          column,
          sample.map((row) => row[column.key]),
          sample.length
        ) - at
    }))
    .sort((left, right) => right.worth - left.worth)
  const chosen = new Set(
    ranked.filter(({ worth }, at) => at < 4 || (at < limit && worth >= 4)).map(({ column }) => column)
  )
  return columns.filter((column) => chosen.has(column))
}
