/** What kind of values a member of records holds, guessed from its name and all of its values. */

export type ValueKind =
  | "text"
  | "number"
  | "money"
  | "percent"
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
}

export type JsonRecord = Readonly<Record<string, unknown>>

export const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === "object" && value !== null && !Array.isArray(value)

export const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === "" ||
  (Array.isArray(value) && value.length === 0) ||
  (isRecord(value) && Object.keys(value).length === 0)

const acronyms = new Set([
  "id",
  "url",
  "uri",
  "api",
  "ip",
  "html",
  "json",
  "sql",
  "uuid",
  "css",
  "csv",
  "pdf",
  "utc",
  "uv",
  "usd",
  "eur",
  "gbp"
])

/** Names in camel, snake or kebab case as words: `userID` is "User ID", `get_forecast` is "Get forecast". */
export const labelOf = (key: string): string => {
  const words = key
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .split(/[\s_-]+/)
    .filter((word) => word !== "")
    .map((word) => {
      if (acronyms.has(word.toLowerCase())) return word.toUpperCase()
      return /^[A-Z0-9]{2,}$/.test(word) ? word : word.toLowerCase()
    })
  const label = words.join(" ")
  return label === "" ? key : label.charAt(0).toUpperCase() + label.slice(1)
}

const signs: Readonly<Record<string, string>> = { $: "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR" }

/** Reads a number from a number or from text such as "1,234.50", "$12", "45 %", "-3"; `undefined` for all else. */
export const numberOf = (value: unknown): number | undefined => {
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined
  if (typeof value === "bigint") return Number(value)
  if (typeof value !== "string" || value.length > 40) return undefined
  const match =
    /^\s*([-+−]?)\s*[$€£¥₹]?\s*((?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+)?(?:e[-+]?\d{1,3})?)\s*[%$€£¥₹]?\s*$/i.exec(value)
  if (match === null || match[2] === undefined || !/^[\d.]/.test(match[2])) return undefined
  const read = Number(match[2].replaceAll(",", ""))
  if (!Number.isFinite(read)) return undefined
  return match[1] === "-" || match[1] === "−" ? -read : read
}

const isDateText = (value: string): boolean => /^\d{4}-(0\d|1[0-2])-[0-3]\d$/.test(value)
const isDateTimeText = (value: string): boolean =>
  /^\d{4}-(0\d|1[0-2])-[0-3]\d[T ][0-2]\d:[0-5]\d(:[0-5]\d(\.\d+)?)?\s?(Z|[-+]\d\d:?\d\d)?$/.test(value)
const isUrl = (value: string): boolean => /^https?:\/\/[^\s]+$/i.test(value)
const isIdText = (value: string): boolean =>
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(value) ||
  /^(?=.*\d)[0-9a-f]{16,}$/i.test(value)

const wordsOf = (key: string): string =>
  ` ${key
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/[^A-Za-z0-9%$]+/g, " ")
    .trim()
    .toLowerCase()} `

const has = (words: string, pattern: string): boolean => new RegExp(` (?:${pattern}) `).test(words)

const currencyOf = (words: string): string | undefined =>
  /(?:^| )(usd|eur|gbp|jpy|chf|inr|cad|aud|cny) /.exec(words)?.[1]?.toUpperCase()

const isEpoch = (value: number): boolean => (value > 6e8 && value < 5e9) || (value > 6e11 && value < 5e12)

type Guess = Pick<ResultColumn, "kind" | "currency" | "scale">

const kindOfNumbers = (words: string, numbers: ReadonlyArray<number>): Guess => {
  if (has(words, "id|ids|uuid|zip|zipcode|postcode|phone|port|code|index|number|version")) {
    if (has(words, "id|ids|zip|zipcode|postcode|phone|port")) return { kind: "id" }
    return { kind: "number" }
  }
  if (
    numbers.every(isEpoch) &&
    has(words, "at|on|date|time|timestamp|ts|created|updated|modified|expires|start|end|dt|sunrise|sunset")
  ) {
    return { kind: "datetime" }
  }
  if (
    has(words, "year|founded") &&
    numbers.every((value) => Number.isInteger(value) && value >= 1000 && value < 3000)
  ) {
    return { kind: "year" }
  }
  if (has(words, "percent|percentage|pct|%")) {
    return { kind: "percent", scale: numbers.some((value) => Math.abs(value) > 1) ? 100 : 1 }
  }
  if (
    has(words, "rate|ratio|share|probability|confidence") &&
    numbers.every((value) => value >= 0 && value <= 1) &&
    numbers.some((value) => !Number.isInteger(value))
  ) {
    return { kind: "percent", scale: 1 }
  }
  const currency = currencyOf(words)
  if (currency !== undefined) return { kind: "money", currency }
  if (has(words, "price|cost|revenue|salary|fee|fees|balance|subtotal|amount")) return { kind: "money" }
  if (
    has(words, "bytes|filesize|file size") ||
    (has(words, "size") &&
      numbers.every((value) => Number.isInteger(value) && value >= 0) &&
      numbers.some((value) => value > 4096))
  ) {
    return { kind: "bytes" }
  }
  if (has(words, "ms|millis|milliseconds")) return { kind: "duration", scale: 1000 }
  if (has(words, "sec|secs|seconds")) return { kind: "duration", scale: 1 }
  return { kind: "number" }
}

const badgeNames =
  "status|state|type|level|priority|severity|category|condition|conditions|kind|role|stage|phase|visibility|method|result|outcome|language|tier|plan|lang|fixability|impact"

const kindOfTexts = (words: string, texts: ReadonlyArray<string>): Guess => {
  if (texts.every(isDateText)) return { kind: "date" }
  if (texts.every((text) => isDateTimeText(text) || isDateText(text))) return { kind: "datetime" }
  if (texts.every((text) => /^data:image\/[\w.+-]+[;,]/i.test(text))) return { kind: "image" }
  if (texts.every(isUrl)) {
    const isImage =
      has(words, "image|images|img|thumbnail|avatar|photo|picture|icon|logo|poster|cover") ||
      texts.every((text) => /\.(png|jpe?g|gif|webp|svg|avif)(\?[^#]*)?$/i.test(text))
    return { kind: isImage ? "image" : "url" }
  }
  if (texts.every((text) => /^#([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i.test(text))) return { kind: "color" }
  if (texts.every((text) => text === "true" || text === "false")) return { kind: "boolean" }
  if (has(words, "id|ids|uuid|guid|sha|hash|etag|key|slug|cursor|token") || texts.every(isIdText)) {
    return { kind: texts.every((text) => !/\s/.test(text) && text.length <= 128) ? "id" : "text" }
  }
  const numbers = texts.map(numberOf)
  const areNumbers = numbers.every((value) => value !== undefined) && texts.every((text) => !/^0\d/.test(text.trim()))
  if (areNumbers) {
    if (texts.every((text) => text.trim().endsWith("%"))) return { kind: "percent", scale: 100 }
    const sign = /[$€£¥₹]/.exec(texts[0] ?? "")?.[0]
    if (sign !== undefined) return { kind: "money", currency: signs[sign] ?? "USD" }
    return kindOfNumbers(words, numbers)
  }
  const distinct = new Set(texts).size
  const areShort = texts.every((text) => text.length <= 24 && !/[\n.,;:!?]/.test(text) && text.split(" ").length <= 3)
  if (areShort && has(words, badgeNames) && distinct <= 12) return { kind: "badge" }
  if (areShort && texts.length >= 6 && distinct <= 6 && distinct * 3 <= texts.length) return { kind: "badge" }
  return { kind: "text" }
}

const guess = (key: string, values: ReadonlyArray<unknown>): Guess => {
  const present = values.filter((value) => !isEmpty(value))
  if (present.length === 0) return { kind: "text" }
  const words = wordsOf(key)
  if (present.every((value) => typeof value === "boolean")) return { kind: "boolean" }
  if (present.every((value): value is number => typeof value === "number")) return kindOfNumbers(words, present)
  const texts = present.filter((value): value is string => typeof value === "string")
  if (texts.length === present.length) return kindOfTexts(words, texts)
  if (present.every((value) => typeof value === "string" || typeof value === "number")) {
    const isMoment = (value: string | number): boolean =>
      typeof value === "number" ? isEpoch(value) : isDateText(value) || isDateTimeText(value)
    if (present.every(isMoment)) return { kind: "datetime" }
    return kindOfTexts(words, present.map(String))
  }
  if (present.every(Array.isArray)) {
    return {
      kind: present.every((list) => list.every((item) => !isRecord(item) && !Array.isArray(item))) ? "list" : "object"
    }
  }
  return { kind: present.some((value) => typeof value === "object") ? "object" : "text" }
}

/** The column for `key`, judged over all `values` of it. */
export const columnOf = (key: string, values: ReadonlyArray<unknown>): ResultColumn => ({
  key,
  label: labelOf(key),
  ...guess(key, values)
})

/** Columns for records in the order in which their names first appear; names without any value are left out. */
export const columnsOf = (rows: ReadonlyArray<JsonRecord>): Array<ResultColumn> => {
  const values = new Map<string, Array<unknown>>()
  for (const row of rows.slice(0, 200)) {
    for (const [key, value] of Object.entries(row)) {
      const known = values.get(key)
      if (known === undefined) values.set(key, [value])
      else known.push(value)
    }
  }
  return [...values]
    .filter(([, found]) => found.some((value) => !isEmpty(value)))
    .map(([key, found]) => columnOf(key, found))
}
