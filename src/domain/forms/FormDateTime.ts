/**
 * Converts between the date-times of arguments (RFC 3339, a moment) and what a person reads and types: wall-clock time
 * in a time zone, in the form of `<input type="datetime-local">`.
 */

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d.*(Z|[+-]\d\d:\d\d)$/i
const WALL = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?$/

const zoneFormat = (timeZone: string | undefined): Intl.DateTimeFormat => {
  const options = {
    calendar: "iso8601",
    numberingSystem: "latn",
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit"
  } as const
  try {
    return new Intl.DateTimeFormat("en", { ...options, timeZone })
  } catch {
    return new Intl.DateTimeFormat("en", options)
  }
}

/** The wall clock at a moment, `YYYY-MM-DDTHH:MM:SS`. Years are of the common era. */
const wallAt = (at: number, format: Intl.DateTimeFormat): string => {
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]))
  const part = (type: Intl.DateTimeFormatPartTypes, length = 2): string => (parts.get(type) ?? "").padStart(length, "0")
  return `${part("year", 4)}-${part("month")}-${part("day")}T${part("hour")}:${part("minute")}:${part("second")}`
}

/** The wall time of a moment; other text stays. `timeZone` is an IANA name (default: the system's). */
export const toWallTime = (value: string, timeZone?: string): string => {
  const at = Date.parse(value)
  return MOMENT.test(value) && !Number.isNaN(at) ? wallAt(at, zoneFormat(timeZone)).replace(/:00$/, "") : value
}

/**
 * The moment of a wall time, in UTC; other text stays. A skipped time uses the offset before the change; of a repeated
 * time, the first is meant.
 */
export const fromWallTime = (value: string, timeZone?: string): string => {
  const asUtc = Date.parse(`${value}Z`)
  if (!WALL.test(value) || Number.isNaN(asUtc)) return value
  const format = zoneFormat(timeZone)
  const offsetAt = (at: number): number => Date.parse(`${wallAt(at, format)}Z`) - Math.floor(at / 1000) * 1000
  const day = 86_400_000
  const before = offsetAt(asUtc - day)
  const after = offsetAt(asUtc + day)
  const at = offsetAt(asUtc - before) === before || offsetAt(asUtc - after) !== after ? asUtc - before : asUtc - after
  return new Date(at).toISOString().replace(".000Z", "Z")
}

const CLOCK = /^\d\d:\d\d(:\d\d)?$/

/** The zone's UTC offset today, as at the end of an RFC 3339 time. */
const offsetToday = (timeZone: string | undefined): string => {
  const now = Math.floor(Date.now() / 60_000) * 60_000
  const minutes = Math.round((Date.parse(`${wallAt(now, zoneFormat(timeZone))}Z`) - now) / 60_000)
  const [hour, minute] = [Math.abs(minutes) / 60, Math.abs(minutes) % 60].map((part) =>
    String(Math.floor(part)).padStart(2, "0")
  )
  return minutes === 0 ? "Z" : `${minutes < 0 ? "-" : "+"}${hour}:${minute}`
}

/**
 * A wall-clock time, `HH:MM` or `HH:MM:SS`, with today's offset of the zone: `full-time` of RFC 3339. Other text stays.
 */
export const fromWallClock = (value: string, timeZone?: string): string =>
  CLOCK.test(value) ? `${value.padEnd(8, ":00")}${offsetToday(timeZone)}` : value

/** The wall-clock time in a zone; a time of another offset and other text stay. */
export const toWallClock = (value: string, timeZone?: string): string => {
  const offset = offsetToday(timeZone)
  const clock = value.endsWith(offset) ? value.slice(0, -offset.length) : value
  return CLOCK.test(clock) ? clock.replace(/^(\d\d:\d\d):00$/, "$1") : value
}
