import type { NumberOptions, PercentOptions, DateOptions } from "../../../types/parts.d.ts"
import { numberOf } from "../../domain/results/ResultColumn.ts"
import { isoSeconds, type Moment, momentOf } from "../../domain/results/ResultMoment.ts"
import { hostContext } from "./host.ts"
import { attempt, optionsOf, textOf } from "./values.ts"

/** What stands for a value that is not there. */
export const nothing = "–"

const made = new Map<string, unknown>()

/**
 * Formatters of the host's locale and time zone. Leaves out the locale, then the zone, that the browser does not know.
 */
const cached = <F>(kind: string, options: object, make: (locale?: string, timeZone?: string) => F): F => {
  const { locale, timeZone } = hostContext()
  const key = JSON.stringify([kind, locale, timeZone, options])
  const formatter =
    (made.get(key) as F | undefined) ??
    attempt(() => make(locale, timeZone)) ??
    attempt(() => make(undefined, timeZone)) ??
    make()
  made.set(key, formatter)
  return formatter
}

const numberFormat = (options: Intl.NumberFormatOptions): Intl.NumberFormat =>
  cached("number", options, (locale) => new Intl.NumberFormat(locale, options))

const dateFormat = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  cached("date", options, (locale, timeZone) => new Intl.DateTimeFormat(locale, { timeZone, ...options }))

const orText = (value: unknown): string => textOf(value) || nothing

const digitsOf = (
  digits: unknown,
  isPadded: boolean
): { readonly minimumFractionDigits?: number; readonly maximumFractionDigits?: number } => {
  const count = numberOf(digits)
  if (count === undefined) return {}
  const inRange = Math.min(20, Math.max(0, Math.round(count)))
  return { minimumFractionDigits: isPadded ? inRange : 0, maximumFractionDigits: inRange }
}

/** A value that is not zero must not look like zero. */
const fewDigits = (value: number): Intl.NumberFormatOptions =>
  value !== 0 && Math.abs(value) < 0.01
    ? { maximumSignificantDigits: 3 }
    : { maximumFractionDigits: Math.abs(value) >= 1000 ? 1 : 2 }

const optionsFor = (digits: unknown, otherwise: Intl.NumberFormatOptions, isPadded = true): Intl.NumberFormatOptions =>
  numberOf(digits) === undefined ? otherwise : digitsOf(digits, isPadded)

const withUnit = (text: string, unit: unknown): string => {
  const shown = textOf(unit)
  return shown === "" ? text : /^[%°'"′″]/.test(shown) ? `${text}${shown}` : `${text}\u00A0${shown}`
}

/** `padded`: with all its digits after the point, as in a column. */
const number = (value: unknown, options: NumberOptions & { readonly padded?: boolean } = {}): string => {
  const read = numberOf(value)
  if (read === undefined) return orText(value)
  const compact = options?.compact === true && Math.abs(read) >= 10_000
  // Zeros after the point are for columns, not for whole numbers and not for many digits.
  const isPadded = options?.padded === true || (!Number.isInteger(read) && Number(options?.digits) < 3)
  const text = numberFormat({
    ...optionsFor(options?.digits, compact ? { maximumFractionDigits: 1 } : fewDigits(read), isPadded),
    ...(compact ? { notation: "compact" } : {}),
    ...(options?.sign === true ? { signDisplay: "exceptZero" } : {})
  }).format(read)
  return withUnit(text, options?.unit)
}

interface MoneyOptions {
  readonly currency?: string
  readonly digits?: number
}

const money = (value: unknown, options: MoneyOptions | string = {}): string => {
  const read = numberOf(value)
  if (read === undefined) return orText(value)
  const given = optionsOf<MoneyOptions>(typeof options === "string" ? { currency: options } : options)
  const currency = /^[a-z]{3}$/i.exec(textOf(given.currency).trim())?.[0]
  const isWhole = Number.isInteger(read)
  const usual = currency === undefined ? { minimumFractionDigits: isWhole ? 0 : 2, maximumFractionDigits: 2 } : {}
  return numberFormat({
    ...(currency === undefined ? {} : { style: "currency", currency, currencyDisplay: "narrowSymbol" }),
    ...optionsFor(
      given.digits,
      read !== 0 && Math.abs(read) < 0.01
        ? fewDigits(read)
        : currency !== undefined && isWhole && Math.abs(read) >= 1000
          ? { maximumFractionDigits: 0 }
          : usual
    )
  }).format(read)
}

/** One digit after the point. More where the share would read as 0% or 100% and is neither. */
const percentDigits = (part: number): Intl.NumberFormatOptions => {
  const missing = Math.abs(1 - Math.abs(part))
  if (part !== 0 && Math.abs(part) < 0.0005) return { maximumSignificantDigits: 2 }
  const isNearly = missing > 0 && missing < 0.0005
  return { maximumFractionDigits: isNearly ? Math.min(12, Math.ceil(-Math.log10(missing)) - 2) : 1 }
}

const percent = (value: unknown, options: PercentOptions = {}): string => {
  const read = numberOf(value)
  if (read === undefined) return orText(value)
  const isText = typeof value === "string" && value.includes("%")
  const of = isText ? 100 : (numberOf(options?.of) ?? (Math.abs(read) <= 1 ? 1 : 100))
  const part = read / (of === 0 ? 100 : of)
  return numberFormat({
    style: "percent",
    ...optionsFor(options?.digits, percentDigits(part)),
    ...(options?.sign === true ? { signDisplay: "exceptZero" } : {})
  }).format(part)
}

const formatMoment = (moment: Moment, options: Intl.DateTimeFormatOptions): string =>
  dateFormat(moment.floating ? { ...options, timeZone: "UTC" } : options).format(moment.at)

const dateStyles: Readonly<Record<string, Intl.DateTimeFormatOptions>> = {
  short: { month: "short", day: "numeric" },
  medium: { year: "numeric", month: "short", day: "numeric" },
  long: { weekday: "short", year: "numeric", month: "long", day: "numeric" }
}

const clock: Intl.DateTimeFormatOptions = { hour: "2-digit", minute: "2-digit" }

const date = (value: unknown, options: DateOptions = {}): string => {
  const moment = momentOf(value)
  if (moment === undefined) return orText(value)
  const style = dateStyles[textOf(options?.style)] ?? dateStyles.medium
  return formatMoment(moment, { ...style, ...(options?.time === true && moment.hasTime ? clock : {}) })
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

/** A number, or the seconds of an ISO 8601 duration. */
export const quantityOf = (value: unknown): number | undefined => numberOf(value) ?? isoSeconds(value)

/** `unit` is the unit of the value. ISO 8601 durations have their own. */
const duration = (value: unknown, unit: string | undefined = "s"): string => {
  const iso = isoSeconds(value)
  if (iso !== undefined) return duration(iso)
  const read = numberOf(value)
  if (read === undefined) return orText(value)
  const factor =
    new Map([
      ["ms", 0.001],
      ["min", 60],
      ["h", 3600]
    ]).get(unit) ?? 1
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

export { momentOf } from "../../domain/results/ResultMoment.ts"
