import { numberOf } from "../../domain/results/ResultColumn.ts"
import { hostContext } from "./host.ts"
import { textOf } from "./values.ts"

/** What stands for a value that is not there. */
export const nothing = "–"

const made = new Map<string, unknown>()

const cached = <F>(
  kind: string,
  options: object,
  make: (locale: string | undefined, timeZone: string | undefined) => F
): F => {
  const { locale, timeZone } = hostContext()
  const key = `${kind} ${locale ?? ""} ${timeZone ?? ""} ${JSON.stringify(options)}`
  const known = made.get(key)
  if (known !== undefined) return known as F
  const attempts: ReadonlyArray<() => F> = [
    () => make(locale, timeZone),
    () => make(undefined, timeZone),
    () => make(locale, undefined),
    () => make(undefined, undefined)
  ]
  for (const attempt of attempts) {
    try {
      const formatter = attempt()
      made.set(key, formatter)
      return formatter
    } catch {
      continue
    }
  }
  return make("en", "UTC")
}

const numberFormat = (options: Intl.NumberFormatOptions): Intl.NumberFormat =>
  cached("number", options, (locale) => new Intl.NumberFormat(locale, options))

const dateFormat = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  cached("date", options, (locale, zone) => {
    const timeZone = options.timeZone ?? zone
    return new Intl.DateTimeFormat(locale, timeZone === undefined ? options : { ...options, timeZone })
  })

const orText = (value: unknown): string => {
  const text = textOf(value)
  return text === "" ? nothing : text
}

export interface NumberOptions {
  /** Digits after the point; otherwise as many as say something, at most 2. */
  readonly digits?: number
  /** Text after the number, such as "km". */
  readonly unit?: string
  /** 12,300,000 as 12.3M. */
  readonly compact?: boolean
  /** A plus before what is above zero. */
  readonly sign?: boolean
}

const digitsOf = (
  digits: unknown
): { readonly minimumFractionDigits?: number; readonly maximumFractionDigits?: number } => {
  const count = numberOf(digits)
  if (count === undefined) return {}
  const inRange = Math.min(20, Math.max(0, Math.round(count)))
  return { minimumFractionDigits: inRange, maximumFractionDigits: inRange }
}

const fewDigits = (value: number): number =>
  Math.abs(value) >= 1000 ? 1 : value !== 0 && Math.abs(value) < 0.01 ? 6 : 2

const withUnit = (text: string, unit: unknown): string => {
  const shown = textOf(unit)
  return shown === "" ? text : /^[%°'"′″]/.test(shown) ? `${text}${shown}` : `${text}\u00A0${shown}`
}

const number = (value: unknown, options: NumberOptions = {}): string => {
  const read = numberOf(value)
  if (read === undefined) return orText(value)
  const compact = options?.compact === true && Math.abs(read) >= 10_000
  const text = numberFormat({
    maximumFractionDigits: compact ? 1 : fewDigits(read),
    ...digitsOf(options?.digits),
    ...(compact ? { notation: "compact" } : {}),
    ...(options?.sign === true ? { signDisplay: "exceptZero" } : {})
  }).format(read)
  return withUnit(text, options?.unit)
}

export interface MoneyOptions {
  readonly currency?: string
  readonly digits?: number
}

const money = (value: unknown, options: MoneyOptions | string = {}): string => {
  const read = numberOf(value)
  if (read === undefined) return orText(value)
  const given = typeof options === "string" ? options : options?.currency
  const currency =
    typeof given === "string" && /^[a-z]{3}$/i.test(given.trim()) ? given.trim().toUpperCase() : undefined
  const digits = typeof options === "string" ? {} : digitsOf(options?.digits)
  if (currency === undefined) {
    const plain = Number.isInteger(read) ? {} : { minimumFractionDigits: 2 }
    return numberFormat({ maximumFractionDigits: 2, ...plain, ...digits }).format(read)
  }
  const whole = Number.isInteger(read) && Math.abs(read) >= 1000 ? { maximumFractionDigits: 0 } : {}
  return numberFormat({ style: "currency", currency, ...whole, ...digits }).format(read)
}

export interface PercentOptions {
  readonly digits?: number
  /** 1: 0.04 is 4%. 100: 4 is 4%. Otherwise numbers from -1 to 1 are read as parts of one. */
  readonly of?: number
  readonly sign?: boolean
}

const percent = (value: unknown, options: PercentOptions = {}): string => {
  const read = numberOf(value)
  if (read === undefined) return orText(value)
  const isText = typeof value === "string" && value.includes("%")
  const of = isText ? 100 : (numberOf(options?.of) ?? (Math.abs(read) <= 1 ? 1 : 100))
  return numberFormat({
    style: "percent",
    maximumFractionDigits: 1,
    ...digitsOf(options?.digits),
    ...(options?.sign === true ? { signDisplay: "exceptZero" } : {})
  }).format(read / (of === 0 ? 100 : of))
}

interface Moment {
  readonly at: Date
  /** The text had no zone: its clock is shown as it is. */
  readonly floating: boolean
  readonly hasTime: boolean
}

const longMonth = /^[\w, ]*\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/i

/** The worded dates that people and mail write: "Jan 5, 2024", "Mon, 01 Jan 2024 10:00:00 GMT". */
const worded = (text: string): Moment | undefined => {
  if (text.length > 100 || !longMonth.test(text) || !/\d{4}/.test(text)) return undefined
  const hasTime = /\d:\d\d/.test(text)
  const floating = !/(?:GMT|UTC|Z|[-+]\d\d:?\d\d|\b[ECMP][DS]T)\b/.test(text)
  const at = new Date(floating ? `${text} UTC` : text)
  return Number.isNaN(at.getTime()) ? undefined : { at, floating, hasTime }
}

/**
 * Reads ISO 8601 text, dates with the month in English words, epoch seconds or milliseconds (told apart by size), `Date`;
 * `undefined` for all else, such as "03/04/2025", which is not the same day everywhere.
 */
export const momentOf = (value: unknown): Moment | undefined => {
  if (value instanceof Date)
    return Number.isNaN(value.getTime()) ? undefined : { at: value, floating: false, hasTime: true }
  const isDigits = typeof value === "string" && /^\d{9,13}$/.test(value.trim())
  if (typeof value === "number" || isDigits) {
    const read = Number(value)
    const at = new Date(Math.abs(read) < 1e11 ? read * 1000 : read)
    return Number.isNaN(at.getTime()) ? undefined : { at, floating: false, hasTime: true }
  }
  if (typeof value !== "string") return undefined
  const text = value.trim()
  const iso =
    /^(\d{4})[-/](\d\d)(?:[-/](\d\d))?(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)\s?(?:(Z)|([-+]\d\d):?(\d\d)?)?)?$/.exec(
      text
    )
  if (iso === null) return worded(text)
  const [, year, month, day = "01", clock, utc, hours, minutes = "00"] = iso
  const zone = utc ?? (hours === undefined ? undefined : `${hours}:${minutes}`)
  const at = new Date(`${year}-${month}-${day}T${clock ?? "00:00"}${zone ?? "Z"}`)
  return Number.isNaN(at.getTime()) ? undefined : { at, floating: zone === undefined, hasTime: clock !== undefined }
}

const formatMoment = (moment: Moment, options: Intl.DateTimeFormatOptions): string =>
  dateFormat(moment.floating ? { ...options, timeZone: "UTC" } : options).format(moment.at)

export interface DateOptions {
  /** With the clock; otherwise only when the value has one and the column or the caller asks for it. */
  readonly time?: boolean
  /** "short" leaves the year out, "long" adds the weekday. */
  readonly style?: "short" | "medium" | "long"
}

const dateStyles: Readonly<Record<string, Intl.DateTimeFormatOptions>> = {
  short: { month: "short", day: "numeric" },
  medium: { year: "numeric", month: "short", day: "numeric" },
  long: { weekday: "short", year: "numeric", month: "long", day: "numeric" }
}

const clock: Intl.DateTimeFormatOptions = { hour: "2-digit", minute: "2-digit" }

const date = (value: unknown, options: DateOptions = {}): string => {
  const moment = momentOf(value)
  if (moment === undefined) return orText(value)
  const style = dateStyles[String(options?.style ?? "medium")] ?? dateStyles.medium
  return formatMoment(moment, options?.time === true && moment.hasTime ? { ...style, ...clock } : { ...style })
}

const time = (value: unknown): string => {
  if (typeof value === "string" && /^\d{1,2}:\d\d/.test(value))
    return time(`2000-01-01T${value.padStart(5, "0").slice(0, 5)}`)
  const moment = momentOf(value)
  return moment === undefined ? orText(value) : formatMoment(moment, clock)
}

const steps: ReadonlyArray<readonly [Intl.RelativeTimeFormatUnit, number]> = [
  ["year", 31_557_600],
  ["month", 2_629_800],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60]
]

const relative = (value: unknown): string => {
  const now = Date.now()
  const moment = momentOf(value)
  if (moment === undefined) return orText(value)
  const seconds = (moment.at.getTime() - now) / 1000
  const [unit, size] = steps.find(([, length]) => Math.abs(seconds) >= length * 0.95) ?? ["second", 1]
  return cached("relative", {}, (locale) => new Intl.RelativeTimeFormat(locale, { numeric: "auto" })).format(
    Math.round(seconds / size),
    unit
  )
}

const byteUnits = ["B", "kB", "MB", "GB", "TB", "PB"]

const bytes = (value: unknown): string => {
  const read = numberOf(value)
  if (read === undefined) return orText(value)
  const power = Math.min(byteUnits.length - 1, read === 0 ? 0 : Math.max(0, Math.floor(Math.log10(Math.abs(read)) / 3)))
  return number(read / 1000 ** power, { unit: byteUnits[power] ?? "B", ...(power === 0 ? { digits: 0 } : {}) })
}

/** Seconds of an ISO 8601 duration of days and less ("PT4M13S"). */
const isoSeconds = (value: unknown): number | undefined => {
  const parts =
    typeof value === "string"
      ? /^P(?=.)(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?)?$/.exec(value.trim())
      : null
  if (parts === null) return undefined
  const [days, hours, minutes, seconds] = parts.slice(1).map((part) => Number(part ?? 0))
  return (days ?? 0) * 86_400 + (hours ?? 0) * 3600 + (minutes ?? 0) * 60 + (seconds ?? 0)
}

/** A number, or the seconds of an ISO 8601 duration. */
export const quantityOf = (value: unknown): number | undefined => numberOf(value) ?? isoSeconds(value)

/** `unit` is that of the value, seconds unless told; ISO 8601 durations tell theirs. */
const duration = (value: unknown, unit: "s" | "ms" | "min" | "h" = "s"): string => {
  const iso = isoSeconds(value)
  if (iso !== undefined) return duration(iso)
  const read = numberOf(value)
  if (read === undefined) return orText(value)
  const factor = { s: 1, ms: 0.001, min: 60, h: 3600 }[unit] ?? 1
  const total = Math.abs(read * factor)
  const sign = read < 0 ? "-" : ""
  if (total < 1) return `${sign}${number(total * 1000, { digits: 0, unit: "ms" })}`
  if (total < 60) return `${sign}${number(total, { unit: "s" })}`
  const whole = Math.round(total)
  const parts: ReadonlyArray<readonly [number, string]> = [
    [Math.floor(whole / 86_400), "d"],
    [Math.floor((whole % 86_400) / 3600), "h"],
    [Math.floor((whole % 3600) / 60), "min"],
    [whole % 60, "s"]
  ]
  const from = parts.findIndex(([count]) => count > 0)
  const shown = parts.slice(from, from + 2).filter(([count]) => count > 0)
  return sign + shown.map(([count, name]) => `${number(count)}\u00A0${name}`).join(" ")
}

const plural = (count: unknown, one: unknown, many?: unknown): string => {
  const read = numberOf(count) ?? 0
  return `${number(read)} ${read === 1 ? textOf(one) : many === undefined ? `${textOf(one)}s` : textOf(many)}`
}

/** Formats for the host's locale and time zone. All of them take anything: what is not a number or a date stays text. */
export const fmt = { number, money, percent, date, time, relative, bytes, duration, plural }
