import {
  elementsOf,
  isKeyAt,
  memberOf,
  skipSpace,
  skipValue,
  type Span,
  STOP,
  textOf,
  THOROUGH_BYTES,
  valueOf,
  visitMembers
} from "./JsonBytes.ts"
import { jsonBytes } from "./PrintedJson.ts"

/**
 * What a forwarder needs to know of a JSON-RPC message. `id` is the text as it stands in the frame, so that an answer
 * can repeat it exactly.
 */
export type FrameHead =
  | { readonly kind: "request"; readonly id: string; readonly method: string }
  | { readonly kind: "notification"; readonly method: string }
  | { readonly kind: "response"; readonly id: string }

const OPEN_ARRAY = 0x5b

const encoder = new TextEncoder()

const isDigitOrSign = (byte: number | undefined): boolean =>
  byte !== undefined && ((byte >= 0x30 && byte <= 0x39) || byte === 0x2d)

const isPlainIdByte = (byte: number | undefined): boolean =>
  byte !== undefined && byte >= 0x20 && byte <= 0x7e && byte !== 0x22 && byte !== 0x5c

const endsWithIdKey = (bytes: Uint8Array, colon: number): boolean =>
  bytes[colon] === 0x3a &&
  bytes[colon - 1] === 0x22 &&
  bytes[colon - 2] === 0x64 &&
  bytes[colon - 3] === 0x69 &&
  bytes[colon - 4] === 0x22 &&
  bytes[colon - 5] === 0x2c

/**
 * The id when it is the last member, as the TypeScript SDKs write it: `…,"id":7}`. It cannot be mistaken for one
 * of a nested object (that would end in two braces) nor for text in a string (its quotes would be escaped).
 */
const idAtTail = (bytes: Uint8Array): string | undefined => {
  let last = bytes.length - 1
  while (last > 0 && (bytes[last] ?? 0) <= 0x20) last -= 1
  if (bytes[last] !== 0x7d) return undefined
  let start = last - 1
  if (bytes[start] === 0x22) {
    start -= 1
    while (isPlainIdByte(bytes[start])) start -= 1
    if (bytes[start] !== 0x22) return undefined
  } else {
    while (isDigitOrSign(bytes[start])) start -= 1
    start += 1
    if (start === last) return undefined
  }
  return endsWithIdKey(bytes, start - 1) ? textOf(bytes, { start, end: last }) : undefined
}

/** `id` is JSON text; `answer` says whether there is a result or an error. */
export interface HeadMembers {
  id: string | undefined
  method: string | undefined
  answer: boolean
}

/** In characters as written. We store ids, and no honest peer has longer ones. */
export const LONGEST_ID = 4096

/** `undefined` if this is no JSON-RPC message. */
export const headOf = (found: HeadMembers): FrameHead | undefined => {
  if (found.id !== undefined && found.id.length > LONGEST_ID) return undefined
  if (found.method !== undefined) {
    // Both a request and a response: readers would disagree on which.
    if (found.answer) return undefined
    return found.id === undefined
      ? { kind: "notification", method: found.method }
      : { kind: "request", id: found.id, method: found.method }
  }
  return found.id !== undefined && found.answer ? { kind: "response", id: found.id } : undefined
}

const scan = (bytes: Uint8Array, from: number, limit: number): { found: HeadMembers; end: number } | undefined => {
  const found: HeadMembers = { id: undefined, method: undefined, answer: false }
  const isLarge = bytes.length > limit
  const end = visitMembers(bytes, from, (keyStart, keyEnd, start) => {
    const isAnswer = isKeyAt(bytes, keyStart, keyEnd, "result") || isKeyAt(bytes, keyStart, keyEnd, "error")
    if (isAnswer) found.answer = true
    if (isLarge && (isAnswer || isKeyAt(bytes, keyStart, keyEnd, "params"))) return STOP
    const end = skipValue(bytes, start)
    if (isAnswer || end === undefined) return end
    if (isKeyAt(bytes, keyStart, keyEnd, "id")) found.id = textOf(bytes, { start, end })
    else if (isKeyAt(bytes, keyStart, keyEnd, "method")) {
      const method = valueOf(bytes, { start, end })
      found.method = typeof method === "string" ? method : undefined
    }
    return end
  })
  return end === undefined ? undefined : { found, end }
}

/** Where a frame's JSON starts: after white space and a byte order mark. */
export const frameStart = (bytes: Uint8Array): number =>
  skipSpace(bytes, bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0)

/**
 * Reads the head of a frame; `undefined` if it is no JSON-RPC message (junk, a batch, an id of more than 4 kB). Of
 * duplicate members the last counts. Above {@link THOROUGH_BYTES}, a head at the start or the end is enough.
 */
export const readHead = (bytes: Uint8Array): FrameHead | undefined => {
  const from = frameStart(bytes)
  const start = scan(bytes, from, THOROUGH_BYTES)
  if (start === undefined) return undefined
  if (start.end !== STOP) return headOf(start.found)
  const id = start.found.id ?? idAtTail(bytes)
  const head = id === undefined ? undefined : headOf({ ...start.found, id })
  if (head !== undefined) return head
  const all = scan(bytes, from, Number.POSITIVE_INFINITY)
  return all === undefined ? undefined : headOf(all.found)
}

/**
 * Reads a frame of any size to its end, so the last of duplicate members counts, as it does for the receiver. Also
 * `undefined` if anything follows the message.
 */
export const readWholeHead = (bytes: Uint8Array): FrameHead | undefined => {
  const all = scan(bytes, frameStart(bytes), Number.POSITIVE_INFINITY)
  return all !== undefined && skipSpace(bytes, all.end) === bytes.length ? headOf(all.found) : undefined
}

/**
 * The elements of a batch (JSON-RPC 2.0 section 6, MCP 2025-03-26), in order. `undefined` if the frame is no array, has
 * no message in it, or has too many elements.
 */
export const batchOf = (bytes: Uint8Array): ReadonlyArray<Uint8Array> | undefined => {
  const start = frameStart(bytes)
  if (bytes[start] !== OPEN_ARRAY) return undefined
  const elements = elementsOf(bytes, { start, end: bytes.length })?.map(({ end, start }) => bytes.subarray(start, end))
  return elements?.some((element) => readHead(element) !== undefined) === true ? elements : undefined
}

/**
 * One key for all spellings of an id: a peer may answer `1.0` with `1`, or `"\u0061"` with `"a"`. Integers beyond
 * 2^53 keep their digits.
 */
export const idKey = (id: string): string => {
  if (id.startsWith('"')) {
    const bytes = encoder.encode(id)
    const text = valueOf(bytes, { start: 0, end: bytes.length })
    return typeof text === "string" ? `s${text}` : id
  }
  return /^-?\d+$/.test(id) ? `n${id}` : `n${Number(id)}`
}

/** The span of a member of the message, such as `params` or `result`. */
export const memberSpan = (bytes: Uint8Array, key: string): Span | undefined =>
  memberOf(bytes, { start: frameStart(bytes), end: bytes.length }, key)

/** A response frame. `result` is printed as JSON; a `PrintedJson` in it is copied as it is. */
export const resultFrame = (id: string, result: unknown): Uint8Array =>
  jsonBytes(`{"jsonrpc":"2.0","id":${id},"result":`, result, "}")

/** `result` is JSON text. */
export const resultFrameOf = (id: string, result: string): Uint8Array =>
  encoder.encode(`{"jsonrpc":"2.0","id":${id},"result":${result}}`)

/** As in JSON-RPC 2.0 section 5.1. */
export const errorFrame = (id: string, error: { code: number; message: string; data?: unknown }): Uint8Array =>
  errorFrameOf(id, JSON.stringify(error))

/** `error` is JSON text. */
export const errorFrameOf = (id: string, error: string): Uint8Array =>
  encoder.encode(`{"jsonrpc":"2.0","id":${id},"error":${error}}`)

/** `id` and `params` are JSON text. */
export const requestFrameOf = (id: string, method: string, params: string): Uint8Array =>
  encoder.encode(`{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)},"params":${params}}`)

/** `params` is JSON text. */
export const notificationFrameOf = (method: string, params: string): Uint8Array =>
  encoder.encode(`{"jsonrpc":"2.0","method":${JSON.stringify(method)},"params":${params}}`)

/** `id` is JSON text. */
export const requestFrame = (id: string, method: string, params: unknown): Uint8Array =>
  requestFrameOf(id, method, JSON.stringify(params))

export const notificationFrame = (method: string, params: unknown): Uint8Array =>
  encoder.encode(
    `{"jsonrpc":"2.0","method":${JSON.stringify(method)}${params === undefined ? "" : `,"params":${JSON.stringify(params)}`}}`
  )
