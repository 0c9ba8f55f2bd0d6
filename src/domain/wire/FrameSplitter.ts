import { type FrameHead, frameStart, readHead } from "./Frame.ts"
import { HeadScanner } from "./HeadScanner.ts"
import { skipValue } from "./JsonBytes.ts"
import { LONG_BYTES, type LongFrame } from "./LongFrame.ts"
import { type Concat, concatPieces, Pieces } from "./Pieces.ts"

const NEWLINE = 0x0a
const CARRIAGE_RETURN = 0x0d

const isBlank = (frame: Uint8Array): boolean => frame.every((byte) => byte <= 0x20)

export interface FrameSplitterOptions {
  /** Joins the pieces of a frame. */
  readonly concat?: Concat | undefined
  /** The longest frame, in bytes without its line end. No limit if missing. */
  readonly maxBytes?: number | undefined
  /** A line was too long and was dropped. `bytes` is its length; only its head is known, if it was a message. */
  readonly onOversized?: ((head: FrameHead | undefined, bytes: number) => void) | undefined
  /** A long frame, not joined yet. `false`: join it and pass it on like any other. */
  readonly onLong?: ((frame: LongFrame) => boolean) | undefined
  /** The stream ended within a line; this is the part that came. */
  readonly onCut?: ((line: Uint8Array) => void) | undefined
}

/** Reads a long line while it comes. */
class LongLine {
  readonly #scanner = new HeadScanner()
  #length = 0
  #last: number | undefined
  #isOneLine = true

  push(piece: Uint8Array): void {
    this.#scanner.push(piece)
    this.#length += piece.length
    this.#last = piece.at(-1) ?? this.#last
    this.#isOneLine &&= !piece.includes(CARRIAGE_RETURN)
  }

  head(): FrameHead | undefined {
    return this.#scanner.head()
  }

  frame(pieces: ReadonlyArray<Uint8Array>): LongFrame {
    return { pieces, length: this.#length, head: this.#scanner.wholeHead(), isOneLine: this.#isOneLine }
  }

  get length(): number {
    return this.#last === CARRIAGE_RETURN ? this.#length - 1 : this.#length
  }
}

/**
 * Splits a byte stream into newline-delimited frames (MCP 2025-11-25, "Transports", stdio). It looks at every byte
 * once, however many chunks a frame comes in, and does not copy a frame that lies in one chunk. It skips blank lines;
 * the newline, and a carriage return before it, are not part of a frame.
 */
export class FrameSplitter {
  readonly #onFrame: (frame: Uint8Array) => void
  readonly #concat: Concat
  readonly #maxBytes: number
  readonly #onOversized: FrameSplitterOptions["onOversized"]
  readonly #onLong: FrameSplitterOptions["onLong"]
  readonly #onCut: FrameSplitterOptions["onCut"]
  readonly #pieces = new Pieces()
  #long: LongLine | undefined
  #isOversized = false

  constructor(onFrame: (frame: Uint8Array) => void, options: FrameSplitterOptions = {}) {
    this.#onFrame = onFrame
    this.#concat = options.concat ?? concatPieces
    this.#maxBytes = options.maxBytes ?? Number.POSITIVE_INFINITY
    this.#onOversized = options.onOversized
    this.#onLong = options.onLong
    this.#onCut = options.onCut
  }

  push(chunk: Uint8Array): void {
    let from = 0
    for (;;) {
      const newline = chunk.indexOf(NEWLINE, from)
      if (newline < 0) break
      this.#finish(chunk.subarray(from, newline))
      from = newline + 1
    }
    if (from < chunk.length) this.#keep(chunk.subarray(from))
  }

  /**
   * Call this when the stream has ended. A peer may leave out the newline after its last message, so a line that holds
   * a whole JSON value is a frame; anything else was cut off.
   */
  end(): void {
    if (this.#isOversized) return this.#finish(new Uint8Array(0))
    if (this.#pieces.length === 0) return
    const line = this.#take(new Uint8Array(0))
    if (skipValue(line, frameStart(line)) !== undefined) this.#emit(line)
    else if (!isBlank(line)) this.#onCut?.(line)
  }

  #keep(piece: Uint8Array): void {
    this.#long?.push(piece)
    if (this.#isOversized) return
    this.#pieces.push(piece)
    // The extra byte may be the carriage return of the line end.
    this.#isOversized = this.#pieces.length > this.#maxBytes + 1
    const isLong = this.#onLong !== undefined && this.#pieces.length > LONG_BYTES
    if (this.#long === undefined && (isLong || this.#isOversized)) {
      this.#long = new LongLine()
      for (const kept of this.#pieces.all) this.#long.push(kept)
    }
    if (this.#isOversized) this.#pieces.take()
  }

  /** The whole line, of which `tail` is the last piece. */
  #take(tail: Uint8Array): Uint8Array {
    if (this.#pieces.length === 0) return tail
    this.#pieces.push(tail)
    return this.#pieces.join(this.#concat)
  }

  #finish(tail: Uint8Array): void {
    if (this.#long === undefined && this.#pieces.length + tail.length <= this.#maxBytes + 1) {
      return this.#emit(this.#take(tail))
    }
    this.#keep(tail)
    const line = this.#long
    const isOversized = this.#isOversized
    this.#long = undefined
    this.#isOversized = false
    if (line === undefined) return
    if (isOversized) return this.#onOversized?.(line.head(), line.length)
    const frame = line.frame(this.#pieces.take())
    if (frame.length <= this.#maxBytes && this.#onLong?.(frame) === true) return
    this.#emit(this.#concat(frame.pieces, frame.length))
  }

  #emit(line: Uint8Array): void {
    const frame = line.at(-1) === CARRIAGE_RETURN ? line.subarray(0, -1) : line
    if (frame.length > this.#maxBytes) this.#onOversized?.(readHead(frame), frame.length)
    else if (frame.length > 64 || !isBlank(frame)) this.#onFrame(frame)
  }
}
