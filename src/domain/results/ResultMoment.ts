/** A point in time as a server wrote it. */
export interface Moment {
  readonly at: Date
  /** The text had no zone: its clock is shown unchanged. */
  readonly floating: boolean
  readonly hasTime: boolean
}

const moment = (text: string | number, floating: boolean, hasTime: boolean): Moment | undefined => {
  const at = new Date(text)
  return Number.isNaN(at.getTime()) ? undefined : { at, floating, hasTime }
}

const iso = /^(\d{4})[-/](\d\d)(?:[-/](\d\d))?(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)\s?(?:(Z)|([-+]\d\d):?(\d\d)?)?)?$/

const month =
  "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"

/** The worded dates that people and mail write: "Jan 5, 2024", "Mon, 01 Jan 2024 10:00:00 GMT". */
const worded = new RegExp(
  `^(?:[a-z]{3,9},? )?(?:\\d{1,2} ${month}|${month} \\d{1,2}),? \\d{4}(?:,? \\d{1,2}:\\d\\d.{0,60})?$`,
  "i"
)

/**
 * Reads ISO 8601 text, and dates with an English month name. It does not read "03/04/2025", which is not the same day
 * everywhere.
 */
export const momentInText = (value: string): Moment | undefined => {
  const text = value.trim()
  const parts = iso.exec(text)
  if (parts === null) {
    if (!worded.test(text)) return undefined
    const floating = !/(?:GMT|UTC|Z|[-+]\d\d:?\d\d|\b[ECMP][DS]T)\b/.test(text)
    return moment(floating ? `${text} UTC` : text, floating, text.includes(":"))
  }
  const [, year, month, day = "01", clock, utc, hours, minutes = "00"] = parts
  const zone = utc ?? (hours === undefined ? undefined : `${hours}:${minutes}`)
  // There is no 31 February, but an engine reads it as a day in March.
  const isDay = new Date(`${year}-${month}-${day}`).getUTCDate() === Number(day)
  return isDay
    ? moment(`${year}-${month}-${day}T${clock ?? "00:00"}${zone ?? "Z"}`, zone === undefined, clock !== undefined)
    : undefined
}

/** Reads what `momentInText` does, epoch seconds or milliseconds (told apart by size), and `Date`. */
export const momentOf = (value: unknown): Moment | undefined => {
  if (value instanceof Date) return moment(value.getTime(), false, true)
  if (typeof value === "number" || (typeof value === "string" && /^\d{9,13}$/.test(value.trim()))) {
    const read = Number(value)
    return moment(Math.abs(read) < 1e11 ? read * 1000 : read, false, true)
  }
  return typeof value === "string" ? momentInText(value) : undefined
}

/** Seconds of an ISO 8601 duration of days and less ("PT4M13S"). */
export const isoSeconds = (value: unknown): number | undefined => {
  const parts =
    typeof value === "string"
      ? /^P(?=.)(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?)?$/.exec(value.trim())
      : null
  if (parts === null) return undefined
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = parts.slice(1).map((part) => Number(part ?? 0))
  return ((days * 24 + hours) * 60 + minutes) * 60 + seconds
}
