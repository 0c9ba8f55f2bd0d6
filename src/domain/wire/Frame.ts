import { memberOf, skipSpace, skipValue, type Span, textOf, valueOf, visitMembers } from "./JsonBytes.ts"

/**
 * What a forwarder has to know of one JSON-RPC message: whose it is and what it asks. `id` is the text as it
 * stands in the frame, so that an answer can repeat it exactly.
 */
export type FrameHead =
  | { readonly kind: "request"; readonly id: string; readonly method: string }
  | { readonly kind: "notification"; readonly method: string }
  | { readonly kind: "response"; readonly id: string }

const encoder = new TextEncoder()

/** Frames above this size are not scanned to their end when the id can be had from either end. */
const HEAD_BYTES = 16_384

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
 * The id when it is the last member, as the TypeScript SDKs write it: `…,"id":7}`. It can not be mistaken for one
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

interface Found {
  id: string | undefined
  method: string | undefined
  answer: boolean
}

const headOf = (found: Found): FrameHead | undefined => {
  if (found.method !== undefined) {
    return found.id === undefined
      ? { kind: "notification", method: found.method }
      : { kind: "request", id: found.id, method: found.method }
  }
  return found.id !== undefined && found.answer ? { kind: "response", id: found.id } : undefined
}

const scan = (bytes: Uint8Array, from: number, limit: number): { found: Found; whole: boolean } | undefined => {
  const found: Found = { id: undefined, method: undefined, answer: false }
  const end = visitMembers(bytes, from, (key, start) => {
    if (key === "id" || key === "method") {
      const valueEnd = skipValue(bytes, start)
      if (valueEnd === undefined) return true
      const text = textOf(bytes, { start, end: valueEnd })
      if (key === "id") found.id = text
      else {
        const method = valueOf(bytes, { start, end: valueEnd })
        if (typeof method === "string") found.method = method
      }
    } else if (key === "result" || key === "error") found.answer = true
    return bytes.length > limit && (key === "result" || key === "error" || key === "params")
  })
  return end === undefined ? undefined : { found, whole: end !== "stopped" }
}

/** Where a frame's JSON starts: after white space and a byte order mark. */
export const frameStart = (bytes: Uint8Array): number =>
  skipSpace(bytes, bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0)

/** Reads the head of a frame; `undefined` if it is no JSON-RPC message (junk, or a batch). */
export const readHead = (bytes: Uint8Array): FrameHead | undefined => {
  const from = frameStart(bytes)
  const start = scan(bytes, from, HEAD_BYTES)
  if (start === undefined) return undefined
  if (start.whole) return headOf(start.found)
  const id = start.found.id ?? idAtTail(bytes)
  const head = id === undefined ? undefined : headOf({ ...start.found, id })
  if (head !== undefined) return head
  const all = scan(bytes, from, Number.POSITIVE_INFINITY)
  return all === undefined ? undefined : headOf(all.found)
}

/**
 * Reads the head of a frame of which only the beginning and the end are left, neither of them a whole value;
 * `undefined` if they do not tell.
 */
export const readTruncatedHead = (head: Uint8Array, tail: Uint8Array): FrameHead | undefined => {
  const start = scan(head, frameStart(head), 0)
  if (start === undefined) return undefined
  const id = start.found.id ?? idAtTail(tail)
  return headOf({ ...start.found, id })
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

/** A response frame; `result` is printed as JSON. */
export const resultFrame = (id: string, result: unknown): Uint8Array =>
  encoder.encode(`{"jsonrpc":"2.0","id":${id},"result":${JSON.stringify(result)}}`)

/** An error frame as JSON-RPC 2.0 section 5.1 has it. */
export const errorFrame = (id: string, error: { code: number; message: string; data?: unknown }): Uint8Array =>
  encoder.encode(`{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify(error)}}`)

/** A request frame of our own; `id` and `params` are JSON text. */
export const requestFrameOf = (id: string, method: string, params: string): Uint8Array =>
  encoder.encode(`{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)},"params":${params}}`)

/** A request frame of our own; `id` is JSON text. */
export const requestFrame = (id: string, method: string, params: unknown): Uint8Array =>
  requestFrameOf(id, method, JSON.stringify(params))

/** A notification frame of our own. */
export const notificationFrame = (method: string, params: unknown): Uint8Array =>
  encoder.encode(
    `{"jsonrpc":"2.0","method":${JSON.stringify(method)}${params === undefined ? "" : `,"params":${JSON.stringify(params)}`}}`
  )
