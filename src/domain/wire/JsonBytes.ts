/**
 * Looking at JSON without decoding it. A proxy that parses and prints again changes numbers, duplicate keys and
 * key order, and is slow; these functions find where things stand in the bytes so that the bytes can pass as
 * they are, or be spliced.
 *
 * Offsets count bytes; a span is half open. The input is UTF-8, trusted to be JSON only as far as it is looked
 * at: every function answers `undefined` where the bytes make no sense.
 */
export interface Span {
  readonly start: number
  readonly end: number
}

export interface Member {
  readonly key: string
  readonly value: Span
}

/** Replaces `remove` bytes at `at` by `insert`. */
export interface Edit {
  readonly at: number
  readonly remove: number
  readonly insert: string
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d

const decoder = new TextDecoder()
const encoder = new TextEncoder()

/** Up to here a loop reads ASCII sooner than a decoder does. */
const SHORT_TEXT = 64

/** The text of a span. */
export const textOf = (bytes: Uint8Array, span: Span): string => {
  if (span.end - span.start > SHORT_TEXT) return decoder.decode(bytes.subarray(span.start, span.end))
  let ascii = ""
  for (let index = span.start; index < span.end; index += 1) {
    const byte = bytes[index]
    if (byte === undefined || byte > 0x7e) return decoder.decode(bytes.subarray(span.start, span.end))
    ascii += String.fromCharCode(byte)
  }
  return ascii
}

/** A string that stands between quotes, if it is short and plain. */
const plainString = (bytes: Uint8Array, start: number, end: number): string | undefined => {
  if (bytes[start] !== QUOTE || bytes[end - 1] !== QUOTE || end - start < 2 || end - start > SHORT_TEXT)
    return undefined
  let ascii = ""
  for (let index = start + 1; index < end - 1; index += 1) {
    const byte = bytes[index]
    if (byte === undefined || byte < 0x20 || byte > 0x7e || byte === BACKSLASH || byte === QUOTE) return undefined
    ascii += String.fromCharCode(byte)
  }
  return ascii
}

/** The value of a span, decoded; `undefined` if it is not JSON. */
export const valueOf = (bytes: Uint8Array, span: Span): unknown => {
  const plain = plainString(bytes, span.start, span.end)
  if (plain !== undefined) return plain
  try {
    return JSON.parse(textOf(bytes, span))
  } catch {
    return undefined
  }
}

/** The index of the next byte that is not JSON white space. */
export const skipSpace = (bytes: Uint8Array, from: number): number => {
  let index = from
  for (;;) {
    const byte = bytes[index]
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return index
    index += 1
  }
}

/** Up to here a loop finds the end of a string sooner than a native search does. */
const SHORT_STRING = 48

/** What {@link stringEnd} answers for a string that goes on after the bytes; `CUT_IN_ESCAPE`: their last one escapes. */
const CUT = -1
export const CUT_IN_ESCAPE = -2

/** The index after the quote that ends the string that `from` lies in, or a negative number. */
export const stringEnd = (bytes: Uint8Array, from: number): number => {
  let search = from
  for (;;) {
    const near = Math.min(search + SHORT_STRING, bytes.length)
    while (search < near) {
      const byte = bytes[search]
      if (byte === QUOTE) return search + 1
      search += byte === BACKSLASH ? 2 : 1
    }
    if (search > bytes.length) return CUT_IN_ESCAPE
    const quote = bytes.indexOf(QUOTE, search)
    const end = quote < 0 ? bytes.length : quote
    let before = end - 1
    while (before >= search && bytes[before] === BACKSLASH) before -= 1
    const isEscaped = (end - before) % 2 === 0
    if (quote < 0) return isEscaped ? CUT_IN_ESCAPE : CUT
    if (!isEscaped) return quote + 1
    search = quote + 1
  }
}

const skipString = (bytes: Uint8Array, from: number): number | undefined => {
  const end = stringEnd(bytes, from + 1)
  return end < 0 ? undefined : end
}

const skipContainer = (bytes: Uint8Array, from: number): number | undefined => {
  let depth = 0
  let index = from
  while (index < bytes.length) {
    const byte = bytes[index]
    if (byte === QUOTE) {
      const next = skipString(bytes, index)
      if (next === undefined) return undefined
      index = next
      continue
    }
    if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) depth += 1
    else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      depth -= 1
      if (depth === 0) return index + 1
    }
    index += 1
  }
  return undefined
}

/** Whether a number, `true`, `false` or `null` goes on with this byte; or any value begins. */
export const isScalarByte = (byte: number | undefined): boolean =>
  byte !== undefined && byte > 0x20 && byte !== COMMA && byte !== CLOSE_OBJECT && byte !== CLOSE_ARRAY && byte !== COLON

/** The index after the value that starts at `from`. */
export const skipValue = (bytes: Uint8Array, from: number): number | undefined => {
  const byte = bytes[from]
  if (byte === QUOTE) return skipString(bytes, from)
  if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) return skipContainer(bytes, from)
  let index = from
  while (isScalarByte(bytes[index])) index += 1
  return index === from ? undefined : index
}

/** Whether the key that stands between `start` and `end`, with its quotes, is `key`, however it is spelled. */
export const isKeyAt = (bytes: Uint8Array, start: number, end: number, key: string): boolean => {
  for (let index = start + 1; index < end - 1; index += 1) {
    const byte = bytes[index]
    if (byte === undefined || byte === BACKSLASH || byte > 0x7e) return valueOf(bytes, { start, end }) === key
    if (byte !== key.charCodeAt(index - start - 1)) return false
  }
  return end - start - 2 === key.length
}

/** What a {@link MemberVisitor} answers to see no more. */
export const STOP = -1

/**
 * Gets where a key and its value start and where the key ends, and answers the index after the value, {@link STOP}, or
 * `undefined` where the bytes make no sense.
 */
export type MemberVisitor = (keyStart: number, keyEnd: number, valueStart: number) => number | undefined

/**
 * Visits the members of the object that starts at `from`, in order. Answers the index after the object, {@link STOP} if
 * the visitor did, or `undefined` for bytes that are no object.
 */
export const visitMembers = (bytes: Uint8Array, from: number, visit: MemberVisitor): number | undefined => {
  if (bytes[from] !== OPEN_OBJECT) return undefined
  let index = skipSpace(bytes, from + 1)
  if (bytes[index] === CLOSE_OBJECT) return index + 1
  for (;;) {
    if (bytes[index] !== QUOTE) return undefined
    const keyEnd = skipString(bytes, index)
    if (keyEnd === undefined) return undefined
    const colon = skipSpace(bytes, keyEnd)
    if (bytes[colon] !== COLON) return undefined
    const valueEnd = visit(index, keyEnd, skipSpace(bytes, colon + 1))
    if (valueEnd === undefined || valueEnd === STOP) return valueEnd
    index = skipSpace(bytes, valueEnd)
    if (bytes[index] === CLOSE_OBJECT) return index + 1
    if (bytes[index] !== COMMA) return undefined
    index = skipSpace(bytes, index + 1)
  }
}

/** More are not told apart: each takes many times the two bytes that it may have in the message. */
const MAX_PARTS = 250_000

/** All members of the object in `span`; `undefined` for too many. Of duplicate keys, later ones stand later. */
export const membersOf = (bytes: Uint8Array, span: Span): ReadonlyArray<Member> | undefined => {
  const members: Array<Member> = []
  const end = visitMembers(bytes, span.start, (keyStart, keyEnd, valueStart) => {
    const key = valueOf(bytes, { start: keyStart, end: keyEnd })
    const valueEnd = skipValue(bytes, valueStart)
    if (typeof key !== "string" || valueEnd === undefined || members.length === MAX_PARTS) return undefined
    members.push({ key, value: { start: valueStart, end: valueEnd } })
    return valueEnd
  })
  return end === undefined ? undefined : members
}

/** The member of that name, as JSON.parse would choose it: the last of duplicates. */
export const memberOf = (bytes: Uint8Array, span: Span, key: string): Span | undefined =>
  spansOf(bytes, span, key).at(-1)

/** All members of that name, in order: readers differ in which duplicate counts. */
export const spansOf = (bytes: Uint8Array, span: Span, key: string): ReadonlyArray<Span> => {
  const spans: Array<Span> = []
  const end = visitMembers(bytes, span.start, (keyStart, keyEnd, start) => {
    const end = skipValue(bytes, start)
    if (end !== undefined && isKeyAt(bytes, keyStart, keyEnd, key)) spans.push({ start, end })
    return end
  })
  return end === undefined ? [] : spans
}

/**
 * Messages up to this size are looked through to their end, as of duplicate keys the last one counts, for `JSON.parse`
 * and so for whoever gets the message. In larger ones the first may count: to look through megabytes costs too much.
 */
export const THOROUGH_BYTES = 65_536

const findFirst = (bytes: Uint8Array, from: number, path: ReadonlyArray<string>): Span | undefined => {
  let start = from
  for (const key of path) {
    let found: number | undefined
    visitMembers(bytes, start, (keyStart, keyEnd, valueStart) => {
      if (!isKeyAt(bytes, keyStart, keyEnd, key)) return skipValue(bytes, valueStart)
      found = valueStart
      return STOP
    })
    if (found === undefined) return undefined
    start = found
  }
  const end = skipValue(bytes, start)
  return end === undefined ? undefined : { start, end }
}

const findLast = (bytes: Uint8Array, from: number, path: ReadonlyArray<string>): Span | undefined => {
  let found: Span | undefined
  const look = (start: number, depth: number): number | undefined => {
    const key = path[depth]
    found = undefined
    if (key !== undefined && bytes[start] === OPEN_OBJECT) {
      return visitMembers(bytes, start, (keyStart, keyEnd, valueStart) =>
        isKeyAt(bytes, keyStart, keyEnd, key) ? look(valueStart, depth + 1) : skipValue(bytes, valueStart)
      )
    }
    const end = skipValue(bytes, start)
    if (key === undefined && end !== undefined) found = { start, end }
    return end
  }
  return look(from, 0) === undefined ? undefined : found
}

/**
 * The value at a path of keys below the object that starts at `from`; of duplicate keys the last, as JSON.parse
 * would choose it, or, above {@link THOROUGH_BYTES}, the first: a name that stands before megabytes of arguments costs
 * nothing.
 */
export const findValue = (bytes: Uint8Array, from: number, path: ReadonlyArray<string>): Span | undefined =>
  bytes.length > THOROUGH_BYTES ? findFirst(bytes, from, path) : findLast(bytes, from, path)

/** The elements of the array in `span`; `undefined` for too many. */
export const elementsOf = (bytes: Uint8Array, span: Span): ReadonlyArray<Span> | undefined => {
  if (bytes[span.start] !== OPEN_ARRAY) return undefined
  const elements: Array<Span> = []
  let index = skipSpace(bytes, span.start + 1)
  if (bytes[index] === CLOSE_ARRAY) return elements
  for (;;) {
    const end = skipValue(bytes, index)
    if (end === undefined || elements.length === MAX_PARTS) return undefined
    elements.push({ start: index, end })
    index = skipSpace(bytes, end)
    if (bytes[index] === CLOSE_ARRAY) return elements
    if (bytes[index] !== COMMA) return undefined
    index = skipSpace(bytes, index + 1)
  }
}

/** Whether the value of a span is an object. */
export const isObjectAt = (bytes: Uint8Array, span: Span): boolean => bytes[span.start] === OPEN_OBJECT

/** Inserts `json` (a member `"key":value`, or an element) as the last one of the object or array in `span`. */
export const append = (bytes: Uint8Array, span: Span, json: string): Edit => {
  const closing = bytes[span.start] === OPEN_OBJECT ? CLOSE_OBJECT : CLOSE_ARRAY
  const empty = bytes[skipSpace(bytes, span.start + 1)] === closing
  return { at: span.end - 1, remove: 0, insert: empty ? json : `,${json}` }
}

/** Replaces the value in `span` by JSON text. */
export const replace = ({ end, start }: Span, json: string): Edit => ({ at: start, remove: end - start, insert: json })

/**
 * Applies edits that do not overlap. All text goes into one buffer, because a list of 10,000 tools has as many edits. A
 * character has three bytes of UTF-8 at most for each unit of UTF-16.
 */
export const splice = (bytes: Uint8Array, edits: ReadonlyArray<Edit>): Uint8Array => {
  if (edits.length === 0) return bytes
  const ordered = [...edits].sort((left, right) => left.at - right.at)
  const result = new Uint8Array(ordered.reduce((length, { insert }) => length + insert.length * 3, bytes.length))
  let from = 0
  let to = 0
  for (const { at, insert, remove } of ordered) {
    result.set(bytes.subarray(from, at), to)
    to += at - from
    to += encoder.encodeInto(insert, result.subarray(to)).written
    from = at + remove
  }
  result.set(bytes.subarray(from), to)
  return result.subarray(0, to + bytes.length - from)
}
