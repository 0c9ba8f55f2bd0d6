import { isObject } from "../isObject.ts"
import { extendedValue } from "./ExtendedJson.ts"
import { fenceIn } from "./FencedText.ts"

/**
 * Finds structured data inside the text blocks of tool results. Servers answer with JSON alone, fenced JSON, JSON after a
 * sentence, one JSON document a line, JSON encoded twice, and comma- or tab-separated lines.
 */

export interface JsonInText {
  readonly value: unknown
  /** The text around the JSON, trimmed; both are empty when there was nothing but JSON. */
  readonly before: string
  readonly after: string
}

type Reviver = (key: string, value: unknown, context?: { readonly source?: string }) => unknown

const parse: (text: string, reviver?: Reviver) => unknown = JSON.parse

/** A rounded id of 17 digits is another id: numbers that JavaScript cannot hold stay text. */
const exactly: Reviver = (_key, value, { source } = {}) =>
  typeof value === "number" &&
  source !== undefined &&
  (/^-?\d{16,}$/.test(source) ? String(value) !== source : !Number.isFinite(value))
    ? source
    : value

/**
 * The value of a JSON text; `undefined` if it is none. Numbers that JavaScript cannot hold exactly become texts, if the
 * browser supports `JSON.parse` with source text access (ECMAScript 2026).
 */
export const parsedJson = (text: string): unknown => {
  try {
    return /\d{16}|\de\+?\d\d/i.test(text) ? parse(text, exactly) : parse(text)
  } catch {
    return undefined
  }
}

const isStructure = (value: unknown): boolean => typeof value === "object" && value !== null

/** The index after the bracket that closes the one at `start`, or -1. */
const endOfJson = (text: string, start: number): number => {
  let depth = 0
  let quoted = false
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (quoted) {
      if (code === 92) at++
      else if (code === 34) quoted = false
    } else if (code === 34) quoted = true
    else if (code === 123 || code === 91) depth++
    else if (code === 125 || code === 93) {
      depth--
      if (depth === 0) return at + 1
    }
  }
  return -1
}

const whole = (text: string): JsonInText | undefined => {
  const first = text[0]
  // Do not try to parse megabytes that do not end like JSON.
  if (first === undefined || { "{": "}", "[": "]", '"': '"' }[first] !== text.at(-1)) return undefined
  const value = parsedJson(text)
  if (isStructure(value)) return { value, before: "", after: "" }
  if (typeof value !== "string") return undefined
  const inner = parsedJson(value)
  return isStructure(inner) ? { value: inner, before: "", after: "" } : undefined
}

const lines = (text: string): JsonInText | undefined => {
  const all = text.split(/\r?\n/).filter((line) => line.trim() !== "")
  if (all.length < 2 || !all.every((line) => line.trim().startsWith("{"))) return undefined
  const value = all.map(parsedJson)
  return value.every(isStructure) ? { value, before: "", after: "" } : undefined
}

const found = (value: unknown, text: string, start: number, end: number): JsonInText => ({
  value,
  before: text.slice(0, start).trim(),
  after: text.slice(end).trim()
})

/** A document may contain JSON as an example: a fence is the answer only if there is almost nothing beside it. */
const isNearlyAll = ({ after, before }: JsonInText, length: number): boolean => {
  const prose = before.length + after.length
  return prose * 4 <= length || (prose <= 200 && !/^(#{1,6} |```)/m.test(`${before}\n${after}`))
}

const fenced = (text: string): JsonInText | undefined => {
  for (let at = text.indexOf("```"), tries = 0; at >= 0 && tries < 10; tries++) {
    const body = text.indexOf("\n", at)
    const close = body < 0 ? -1 : text.indexOf("\n```", body)
    if (close < 0) return undefined
    const language = text
      .slice(at + 3, body)
      .trim()
      .toLowerCase()
    const value = language === "" || language.startsWith("json") ? parsedJson(text.slice(body, close)) : undefined
    const json = isStructure(value) ? found(value, text, at, close + 4) : undefined
    if (json !== undefined) return isNearlyAll(json, close - body) ? json : undefined
    at = text.indexOf("```", close + 4)
  }
  return undefined
}

// A citation such as "[1]" is JSON too; data is an object, or a list of some length.
const isData = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.length > 1 || isStructure(value[0])
    : isStructure(value) && Object.keys(value as object).length > 0

const afterProse = (text: string): JsonInText | undefined => {
  const starts = [...text.matchAll(/^[ \t]*[[{]/gm)].slice(0, 8).map((match) => match.index + match[0].length - 1)
  for (const inline of [/[\s>][[{]/, /[:>] ?[[{]/]) {
    const at = text.search(inline)
    if (at >= 0) starts.push(text.slice(at).search(/[[{]/) + at)
  }
  const isFenced = (at: number): boolean => (text.slice(0, at).match(/^ {0,3}```/gm)?.length ?? 0) % 2 === 1
  let after = 0
  for (const start of starts.sort((left, right) => left - right)) {
    const end = start < after ? -1 : endOfJson(text, start)
    if (end < 0) continue
    // Anything inside brackets that are not JSON is part of something else.
    after = end
    if ((end - start) * 10 < text.length * 3 || isFenced(start)) continue
    const value = parsedJson(text.slice(start, end))
    if (isData(value)) return found(value, text, start, end)
  }
  return undefined
}

const deepestRead = 200

/**
 * The same JSON with values instead of Extended JSON, and with the data of fenced texts in their place. `notes` gets what
 * stood beside the data. What has neither is not copied.
 */
export const plainValue = (value: unknown, notes: Array<string>, depth = 0): unknown => {
  if (typeof value === "string") {
    const fence = fenceIn(value)
    if (fence === undefined) return value
    notes.push(`${fence.before}\n${fence.after}`.trim())
    const json = jsonInText(fence.inner, notes)
    return json === undefined || json.before + json.after !== "" ? fence.inner : json.value
  }
  if (typeof value !== "object" || value === null || depth > deepestRead) return value
  const extended = isObject(value) ? extendedValue(value) : undefined
  if (extended !== undefined) return extended
  const members: ReadonlyArray<unknown> = Object.values(value)
  const read = members.map((member) => plainValue(member, notes, depth + 1))
  if (read.every((member, at) => member === members[at])) return value
  return Array.isArray(value) ? read : Object.fromEntries(Object.keys(value).map((key, at) => [key, read[at]]))
}

/** The object or list that `text` holds, and the prose around it; `undefined` when there is none. Bare scalars stay text. */
export const jsonInText = (text: string, notes: Array<string> = []): JsonInText | undefined => {
  const trimmed = text.replace(/^\uFEFF/, "").trim()
  if (!/[[{]/.test(trimmed)) return undefined
  const json = whole(trimmed) ?? lines(trimmed) ?? fenced(trimmed) ?? afterProse(trimmed)
  return json && /"\$|</.test(trimmed) ? { ...json, value: plainValue(json.value, notes) } : json
}

/** The cells of all lines (RFC 4180: quotes, doubled quotes, line breaks inside quotes); `undefined` when a quote stays open. */
const cellsOf = (text: string, delimiter: string): Array<Array<string>> | undefined => {
  const lines: Array<Array<string>> = []
  let cells: Array<string> = []
  let at = 0
  while (at <= text.length) {
    let cell = ""
    if (text[at] === '"') {
      let end = at + 1
      while (end < text.length && (text[end] !== '"' || text[end + 1] === '"')) end += text[end] === '"' ? 2 : 1
      if (end >= text.length) return undefined
      cell = text.slice(at + 1, end).replaceAll('""', '"')
      at = end + 1
    }
    let end = at
    const stop = delimiter.charCodeAt(0)
    for (let code = text.charCodeAt(end); end < text.length && code !== stop && code !== 10;)
      code = text.charCodeAt(++end)
    cells.push((cell + text.slice(at, end)).trim())
    if (text[end] !== delimiter) {
      if (cells.length > 1 || cells[0] !== "") lines.push(cells)
      cells = []
    }
    at = end + 1
  }
  return lines
}

/** Rows of comma-, semicolon- or tab-separated text with a header line (RFC 4180); else `undefined`. */
export const recordsInText = (text: string): Array<Record<string, string>> | undefined => {
  const source = text
    .replace(/^\uFEFF/, "")
    .trim()
    .replaceAll("\r\n", "\n")
  const first = source.slice(0, source.indexOf("\n"))
  for (const delimiter of ["\t", ",", ";"]) {
    if (!first.includes(delimiter)) continue
    const names = cellsOf(first, delimiter)?.[0] ?? []
    const looksLikeHeader =
      names.length > 1 &&
      names.every((name) => /^[\p{L}\p{N}_ .%()/#-]{1,30}$/u.test(name) && name.split(" ").length <= 3) &&
      new Set(names).size === names.length
    const lines = looksLikeHeader ? cellsOf(source, delimiter) : undefined
    if (lines === undefined || lines.length < 3 || !lines.every((line) => line.length === names.length)) continue
    return lines.slice(1).map((line) => Object.fromEntries(names.map((name, index) => [name, line[index] ?? ""])))
  }
  return undefined
}
