import { cutText as cut } from "./cutText.ts"
import type { Redactor } from "./Redaction.ts"

/** What happened, before it becomes a line. `message` is what was logged: a value or a list of values. */
export interface LogEvent {
  readonly time: Date
  /** `Info`, `Warn`, … */
  readonly level: string
  readonly message: unknown
  readonly annotations: Readonly<Record<string, unknown>>
  readonly cause: string | undefined
}

/** The longest line in characters, line end included; longer ones are cut and say so. */
export const LONGEST_LOG_LINE = 16_384
/** The longest text in a line, once secrets are out of it. */
const LONGEST_PART = 12_000
const DEEPEST = 8
/** Members and elements looked at in one event. */
const LARGEST_EVENT = 2000

/** Control characters, line and paragraph separators and bidirectional overrides: they could forge a line. */
const UNPRINTABLE = /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu

const printable = (text: string): string =>
  text.replace(UNPRINTABLE, (character) => {
    if (character === "\n") return "\\n"
    if (character === "\r") return "\\r"
    if (character === "\t") return "\\t"
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`
  })

/** A JSON-safe copy of anything that was logged, bounded in depth and in members by what `budget` has left. */
const plain = (value: unknown, budget: { left: number }, depth = 0): unknown => {
  switch (typeof value) {
    case "number":
      return Number.isFinite(value) ? value : String(value)
    case "bigint":
    case "symbol":
    case "function":
      return String(value).slice(0, 200)
    case "object":
      return value === null ? null : plainObject(value, budget, depth + 1)
    default:
      return value
  }
}

const plainObject = (value: object, budget: { left: number }, depth: number): unknown => {
  if (depth > DEEPEST || budget.left <= 0) return "…"
  if (value instanceof Error) {
    const cause = value.cause === undefined ? "" : `\ncaused by ${textOf(plain(value.cause, budget, depth))}`
    return `${value.stack ?? `${value.name}: ${value.message}`}${cause}`
  }
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "invalid date" : value.toISOString()
  if (value instanceof Uint8Array) return `${value.byteLength} bytes`
  if ("toJSON" in value && typeof value.toJSON === "function") return plain(value.toJSON(), budget, depth)
  if (value instanceof Map) return plainObject(Object.fromEntries(value), budget, depth)
  const take = <Item>(items: ReadonlyArray<Item>): ReadonlyArray<Item> => {
    const taken = items.slice(0, Math.max(0, budget.left))
    budget.left -= taken.length
    return taken
  }
  const items: unknown = value instanceof Set ? [...value] : value
  if (Array.isArray(items)) return take(items).map((item) => plain(item, budget, depth))
  return Object.fromEntries(take(Object.entries(value)).map(([key, item]) => [key, plain(item, budget, depth)]))
}

const textOf = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value) ?? String(value))

const quoted = (value: unknown): string => {
  const text = textOf(value)
  const isBareWord = typeof value !== "string" || /^[^\s"'=\\]+$/u.test(text)
  return cut(isBareWord && printable(text) === text ? text : printable(JSON.stringify(text)), LONGEST_PART)
}

const shorten = (value: unknown): unknown => {
  if (typeof value === "string") return cut(value, LONGEST_PART)
  const json = JSON.stringify(value)
  return json !== undefined && json.length > LONGEST_PART ? cut(json, LONGEST_PART) : value
}

const textLine = (event: LogEvent, message: string, fields: ReadonlyArray<readonly [string, unknown]>): string => {
  const named = new Map(fields)
  const leading = ["component", "event"].flatMap((name) =>
    named.has(name) ? [printable(textOf(named.get(name)))] : []
  )
  const rest = fields
    .filter(([name]) => name !== "component" && name !== "event")
    .map(([name, value]) => `${printable(name)}=${quoted(value)}`)
  const head = `${event.time.toISOString()} ${event.level.toUpperCase().padEnd(5)}`
  const line = [head, ...leading, printable(cut(message, LONGEST_PART)), ...rest]
    .filter((part) => part !== "")
    .join(" ")
  return line.length < LONGEST_LOG_LINE ? line : cut(line, LONGEST_LOG_LINE - 64)
}

const RESERVED: ReadonlySet<string> = new Set(["timestamp", "level", "message"])

const jsonLine = (event: LogEvent, message: string, fields: ReadonlyArray<readonly [string, unknown]>): string => {
  const head = { timestamp: event.time.toISOString(), level: event.level.toLowerCase() }
  const named = fields.map(([name, value]) => [RESERVED.has(name) ? `${name}_` : name, shorten(value)] as const)
  const first = named.filter(([name]) => name === "component" || name === "event")
  const rest = named.filter(([name]) => name !== "component" && name !== "event")
  const object = {
    ...head,
    ...Object.fromEntries(first),
    message: cut(message, LONGEST_PART),
    ...Object.fromEntries(rest)
  }
  const line = printable(JSON.stringify(object))
  if (line.length < LONGEST_LOG_LINE) return line
  const identity = rest.filter(([name, value]) => name === "requestId" && typeof value === "string")
  const short = {
    ...head,
    ...Object.fromEntries([...first, ...identity].map(([name, value]) => [name, cut(textOf(value), 200)])),
    message: cut(message, 2000),
    cut: `the line had ${line.length} characters`
  }
  return printable(JSON.stringify(short))
}

/**
 * One event as one line with its line end.
 *
 * `text`: `2026-01-31T12:00:00.000Z INFO  component event message key=value`, values with blanks or quotes as JSON
 * strings. `json`: an object with `timestamp`, `level`, `component`, `event`, `message` and the other
 * annotations. In both, nothing that was logged can begin a new line, and no line is longer than
 * {@link LONGEST_LOG_LINE}; in `json` a line that was cut is still an object, with a member `cut`.
 * Redact before cutting: half a key would not be recognized.
 */
export const logLine = (event: LogEvent, format: "text" | "json", redactor: Redactor | undefined): string => {
  const messages = Array.isArray(event.message) ? event.message : [event.message]
  const budget = { left: LARGEST_EVENT }
  const data = plain({ ...event.annotations, ...(event.cause === undefined ? {} : { cause: event.cause }) }, budget)
  const visible = redactor === undefined ? data : redactor.value(data)
  const text = messages
    .map((message) => plain(message, budget))
    .map((message) => textOf(redactor === undefined ? message : redactor.value(message)))
    .join(" ")
  const fields = Object.entries(typeof visible === "object" && visible !== null ? visible : {}).filter(
    ([, value]) => value !== undefined
  )
  return `${format === "json" ? jsonLine(event, text, fields) : textLine(event, text, fields)}\n`
}
