import { type FrameHead, headOf, LONGEST_ID } from "./Frame.ts"
import { CUT_IN_ESCAPE, isScalarByte, stringEnd, textOf, valueOf } from "./JsonBytes.ts"

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]

/** The longest id or method that is kept, in bytes as written. */
const KEPT_BYTES = LONGEST_ID
/** `"method"` with every letter escaped is 38 bytes long; no key that matters is longer. */
const KEY_BYTES = 38

/** There is an id or method, but it is too long to keep. */
const TOO_LONG = Symbol("TooLong")

const stringIn = (json: Uint8Array): string | undefined => {
  const value = valueOf(json, { start: 0, end: json.length })
  return typeof value === "string" ? value : undefined
}

const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

/** What the next byte belongs to. */
type Place = "start" | "firstKey" | "key" | "inKey" | "colon" | "value" | "inValue" | "comma" | "end" | "broken"

/**
 * Reads the head of a JSON-RPC message that is not kept, while its bytes stream past in chunks. It finds what
 * `readHead` finds in the whole message, wherever the members stand, with a few kilobytes of memory.
 */
export class HeadScanner {
  #place: Place = "start"
  #markBytes = 0
  /** State of the current key or value. */
  #depth = 0
  #isInString = false
  #isEscaped = false
  /** How many of its bytes to keep, the kept bytes, and how many there were. */
  #limit = 0
  readonly #kept = new Uint8Array(KEPT_BYTES)
  #length = 0
  #key: string | undefined = undefined
  #id: string | typeof TOO_LONG | undefined = undefined
  #method: string | typeof TOO_LONG | undefined = undefined
  #isAnswer = false
  #isFollowed = false

  push(chunk: Uint8Array): void {
    let at = 0
    while (at < chunk.length && this.#place !== "end" && this.#place !== "broken") {
      at = this.#place === "inKey" || this.#place === "inValue" ? this.#onToken(chunk, at) : this.#between(chunk, at)
    }
    if (this.#place === "end") this.#isFollowed ||= !chunk.subarray(at).every(isSpace)
  }

  /** The head of a message that has ended, if nothing follows it; same as `readWholeHead`. */
  wholeHead(): FrameHead | undefined {
    return this.#place === "end" && !this.#isFollowed ? this.head() : undefined
  }

  /**
   * The head as far as the bytes so far show it; the message may be cut off. `undefined` if they are no JSON-RPC
   * message (junk, or a batch), or if its id or method is longer than 4 kB.
   */
  head(): FrameHead | undefined {
    if (this.#place === "broken" || this.#id === TOO_LONG || this.#method === TOO_LONG) return undefined
    return headOf({ id: this.#id, method: this.#method, answer: this.#isAnswer })
  }

  /** Reads a byte outside of keys and values; returns the index of the next one to read. */
  #between(chunk: Uint8Array, at: number): number {
    const byte = chunk[at] ?? 0
    if (isSpace(byte)) {
      this.#markBytes = BYTE_ORDER_MARK.length
      return at + 1
    }
    if (this.#place === "value") return this.#beginValue(chunk, at, byte)
    this.#place = this.#after(byte)
    if (this.#place === "inKey") this.#begin(chunk, at, KEY_BYTES, true)
    return at + 1
  }

  #after(byte: number): Place {
    switch (this.#place) {
      case "start":
        if (byte === BYTE_ORDER_MARK[this.#markBytes]) {
          this.#markBytes += 1
          return "start"
        }
        return byte === OPEN_OBJECT ? "firstKey" : "broken"
      case "firstKey":
        return byte === QUOTE ? "inKey" : byte === CLOSE_OBJECT ? "end" : "broken"
      case "key":
        return byte === QUOTE ? "inKey" : "broken"
      case "colon":
        return byte === COLON ? "value" : "broken"
      default:
        return byte === COMMA ? "key" : byte === CLOSE_OBJECT ? "end" : "broken"
    }
  }

  #beginValue(chunk: Uint8Array, at: number, byte: number): number {
    const isKept = this.#key === "id" || this.#key === "method"
    if (this.#key === "result" || this.#key === "error") this.#isAnswer = true
    this.#place = isScalarByte(byte) ? "inValue" : "broken"
    this.#begin(chunk, at, isKept ? KEPT_BYTES : 0, byte === QUOTE)
    this.#depth = byte === OPEN_OBJECT || byte === OPEN_ARRAY ? 1 : 0
    return at + 1
  }

  #begin(chunk: Uint8Array, at: number, limit: number, isString: boolean): void {
    this.#limit = limit
    this.#length = 0
    this.#depth = 0
    this.#isInString = isString
    this.#isEscaped = false
    this.#keep(chunk, at, at + 1)
  }

  #keep(chunk: Uint8Array, from: number, to: number): void {
    const room = this.#limit - this.#length
    if (room > 0) this.#kept.set(chunk.subarray(from, Math.min(to, from + room)), this.#length)
    this.#length += to - from
  }

  /** Reads the part of a key or value in this chunk; returns the index after it. */
  #onToken(chunk: Uint8Array, from: number): number {
    const isScalar = !this.#isInString && this.#depth === 0
    const end = isScalar ? this.#skipScalar(chunk, from) : this.#skipStringOrContainer(chunk, from)
    this.#keep(chunk, from, end)
    if (isScalar ? end < chunk.length : !this.#isInString && this.#depth === 0) this.#endToken()
    return end
  }

  #skipScalar(chunk: Uint8Array, from: number): number {
    let at = from
    while (isScalarByte(chunk[at])) at += 1
    return at
  }

  #skipStringOrContainer(chunk: Uint8Array, from: number): number {
    let at = from
    while (at < chunk.length) {
      at = this.#isInString ? this.#skipString(chunk, at) : this.#skipToString(chunk, at)
      if (!this.#isInString && this.#depth === 0) return at
    }
    return at
  }

  /** Returns the index behind the next opening quote, behind the container, or at the end of the chunk. */
  #skipToString(chunk: Uint8Array, from: number): number {
    let depth = this.#depth
    let at = from
    while (at < chunk.length && depth > 0) {
      const byte = chunk[at]
      at += 1
      if (byte === QUOTE) {
        this.#isInString = true
        break
      }
      if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) depth += 1
      else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) depth -= 1
    }
    this.#depth = depth
    return at
  }

  /** Returns the index behind the quote that ends the string, or the end of the chunk. */
  #skipString(chunk: Uint8Array, from: number): number {
    const end = stringEnd(chunk, this.#isEscaped ? from + 1 : from)
    this.#isInString = end < 0
    this.#isEscaped = end === CUT_IN_ESCAPE
    return end < 0 ? chunk.length : end
  }

  #endToken(): void {
    const kept = this.#length <= this.#limit ? this.#kept.subarray(0, this.#length) : undefined
    if (this.#place === "inKey") {
      this.#key = kept && stringIn(kept)
      this.#place = "colon"
      return
    }
    this.#place = "comma"
    if (this.#key === "id") this.#id = kept === undefined ? TOO_LONG : textOf(kept, { start: 0, end: kept.length })
    else if (this.#key === "method") this.#method = kept === undefined ? TOO_LONG : stringIn(kept)
  }
}
