import { fromWallClock, fromWallTime, toWallClock, toWallTime } from "./FormDateTime.ts"
import { Unread } from "./FormDraft.ts"
import type { Draft } from "./FormDraft.ts"
import type { Field, TextField } from "./FormField.ts"
import { sameJson } from "./sameJson.ts"
import { matchesPattern } from "./SchemaValidation.ts"

const INEXACT = "This number cannot be sent exactly."

/** A number without its sign, as digits and a power of ten. Equal numbers give the same text. */
const decimal = (text: string): string => {
  const [, whole = "", fraction = "", power] = /^[+-]?(\d*)(?:\.(\d*))?(?:e(.+))?$/i.exec(text) ?? []
  const digits = (whole + fraction).replace(/^0+/, "")
  const shown = digits.replace(/(?<!0)0+$/, "")
  return shown && `${shown}e${Number(power ?? 0) - fraction.length + digits.length - shown.length}`
}

/** Whether sending the number would change it. Fraction digits beyond the precision of numbers do not count. */
const isInexact = (text: string): boolean => {
  const size = Math.abs(Number(text))
  return (size === 0 || !(size < Number.MAX_SAFE_INTEGER)) && decimal(text) !== decimal(String(size))
}

/** The first number in JSON text that sending would change. */
const changedNumber = (json: string): string | undefined =>
  json
    .replace(/"(?:[^"\\]|\\[^]?)*"?/g, '""')
    .match(/-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/gi)
    ?.find(isInexact)

/** The value of JSON text, or what is wrong with it: it is not JSON, or has a number that sending would change. */
export const parseJson = (text: string): unknown => {
  try {
    const value: unknown = JSON.parse(text)
    const changed = changedNumber(text)
    return changed === undefined
      ? value
      : new Unread(text, `The number ${changed} cannot be sent exactly; as text it needs quotes.`, "json")
  } catch (error) {
    return new Unread(text, `This is not JSON: ${error instanceof Error ? error.message : String(error)}`, "json")
  }
}

const readNumber = (typed: string, isInteger: boolean): Draft => {
  const text = typed.trim().replace(/^\u2212/, "-")
  if (text === "") return undefined
  const value = Number(text) + 0
  if (!/^[+-]?(\d+(?:\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(text)) {
    return new Unread(typed, isInteger ? "Enter a whole number." : "Enter a number.", "number")
  }
  return isInexact(text) || (Number.isInteger(value) && !Number.isSafeInteger(value))
    ? new Unread(typed, INEXACT, "number")
    : value
}

/** Some servers want times with a zone, some without: send what fits the pattern, if there is one. */
const fitting = (field: TextField, candidates: ReadonlyArray<string>): string | undefined =>
  field.pattern === undefined
    ? candidates[0]
    : (candidates.find((text) => matchesPattern(field.pattern, text)) ?? candidates[0])

const readString = (field: TextField, typed: string, timeZone: string | undefined): Draft => {
  if (typed === "") return undefined
  switch (field.format) {
    case "text":
    case "multiline":
    case "password":
      return typed
    case "date-time": {
      const moment = fromWallTime(typed.trim(), timeZone)
      return moment === typed.trim() ? moment : fitting(field, [moment, typed, `${typed}:00`])
    }
    case "time": {
      const clock = fromWallClock(typed.trim(), timeZone)
      return clock === typed.trim() ? clock : fitting(field, [clock, typed, `${typed}:00`])
    }
    default:
      return typed.trim() === "" ? undefined : typed.trim()
  }
}

/**
 * Reads what somebody typed into a field: its value, an {@link Unread} if it is not valid, `undefined` if it is empty.
 * A choice is typed as its index, a boolean as `true` or `false`. Dates with time are on the clock of `timeZone`
 * (an IANA name; default: the system's).
 */
export const readText = (field: Field, text: string, timeZone?: string): Draft => {
  switch (field.kind) {
    case "text":
      return readString(field, text, timeZone)
    case "number":
      return readNumber(text, field.integer)
    case "boolean":
      return text === "" ? undefined : text === "true"
    case "choice":
      return text === "" ? undefined : field.choices[Number(text)]?.value
    case "constant":
      return field.value
    default:
      return text.trim() === "" ? undefined : parseJson(text)
  }
}

/** The text of a value in its field's control, see {@link readText}; `undefined` if the control cannot show it. */
export const textOf = (field: Field, value: Draft, timeZone?: string): string | undefined => {
  if (value instanceof Unread) return value.text
  if (value === undefined) return ""
  const isJson = !/^(text|number|boolean|choice)$/.test(field.kind)
  if (value === null && field.nullable && !isJson) return ""
  switch (field.kind) {
    case "text":
      if (typeof value !== "string") return undefined
      if (field.format === "date-time") return toWallTime(value, timeZone)
      return field.format === "time" ? toWallClock(value, timeZone) : value
    case "number":
      return typeof value === "number" ? String(value) : undefined
    case "boolean":
      return typeof value === "boolean" ? String(value) : undefined
    case "choice": {
      const index = field.choices.findIndex((choice) => sameJson(choice.value, value))
      return index === -1 ? undefined : String(index)
    }
    default:
      try {
        return JSON.stringify(value, null, 2)
      } catch {
        return undefined
      }
  }
}
