import { type FrameHead, frameStart, readHead } from "./Frame.ts"
import { HeadScanner } from "./HeadScanner.ts"
import { skipValue } from "./JsonBytes.ts"
import { type Concat, concatPieces, Pieces } from "./Pieces.ts"

const NEWLINE = 0x0a
const CARRIAGE_RETURN = 0x0d

const isBlank = (frame: Uint8Array): boolean => frame.every((byte) => byte <= 0x20)

export interface FrameSplitterOptions {
  /** Joins the pieces of a frame. */
  readonly concat?: Concat | undefined
  /** The longest frame, in bytes without its line end. No limit if missing. */
  readonly maxBytes?: number | undefined
  /** A line was too long and is lost, but for its head where it was a message; `bytes` is its length. */
  readonly onOversized?: ((head: FrameHead | undefined, bytes: number) => void) | undefined
  /** The stream ended within a line: what there was of it. */
  readonly onCut?: ((line: Uint8Array) => void) | undefined
}

/** A line that is too long to be kept. */
class LongLine {
  readonly #scanner = new HeadScanner()
  #length = 0
  #last: number | undefined

  push(piece: Uint8Array): void {
    this.#scanner.push(piece)
    this.#length += piece.length
    this.#last = piece.at(-1) ?? this.#last
  }

  head(): FrameHead | undefined {
    return this.#scanner.head()
  }

  get length(): number {
    return this.#last === CARRIAGE_RETURN ? this.#length - 1 : this.#length
  }
}

/**
 * Splits a byte stream into newline-delimited frames (MCP 2025-11-25, "Transports", stdio). Every byte is looked
 * at once however many chunks a frame comes in, and a frame that lies in one chunk is not copied. Blank lines are
 * skipped; the newline, and a carriage return before it, are not part of a frame.
 */
export class FrameSplitter {
  readonly #onFrame: (frame: Uint8Array) => void
  readonly #concat: Concat
  readonly #maxBytes: number
  readonly #onOversized: FrameSplitterOptions["onOversized"]
  readonly #onCut: FrameSplitterOptions["onCut"]
  readonly #pieces = new Pieces()
  #oversized: LongLine | undefined

  constructor(onFrame: (frame: Uint8Array) => void, options: FrameSplitterOptions = {}) {
    this.#onFrame = onFrame
    this.#concat = options.concat ?? concatPieces
    this.#maxBytes = options.maxBytes ?? Number.POSITIVE_INFINITY
    this.#onOversized = options.onOversized
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
   * To be called when the stream has ended. A peer may leave out the newline after its last message, so a line that
   * holds a whole JSON value is a frame; anything else was cut off.
   */
  end(): void {
    if (this.#oversized !== undefined) return this.#finish(new Uint8Array(0))
    if (this.#pieces.length === 0) return
    const line = this.#take(new Uint8Array(0))
    if (skipValue(line, frameStart(line)) !== undefined) this.#emit(line)
    else if (!isBlank(line)) this.#onCut?.(line)
  }

  #keep(piece: Uint8Array): void {
    if (this.#oversized !== undefined) return this.#oversized.push(piece)
    // One byte more than the limit may be the carriage return of the line's end.
    const length = this.#pieces.length + piece.length
    this.#pieces.push(piece)
    if (length <= this.#maxBytes + 1) return
    this.#oversized = new LongLine()
    for (const kept of this.#pieces.take()) this.#oversized.push(kept)
  }

  /** The whole line, of which `tail` is the last piece. */
  #take(tail: Uint8Array): Uint8Array {
    if (this.#pieces.length === 0) return tail
    this.#pieces.push(tail)
    return this.#pieces.join(this.#concat)
  }

  #finish(tail: Uint8Array): void {
    if (this.#oversized === undefined && this.#pieces.length + tail.length <= this.#maxBytes + 1) {
      return this.#emit(this.#take(tail))
    }
    this.#keep(tail)
    const line = this.#oversized
    this.#oversized = undefined
    if (line !== undefined) this.#onOversized?.(line.head(), line.length)
  }

  #emit(line: Uint8Array): void {
    const frame = line.at(-1) === CARRIAGE_RETURN ? line.subarray(0, -1) : line
    if (frame.length > this.#maxBytes) this.#onOversized?.(readHead(frame), frame.length)
    else if (frame.length > 64 || !isBlank(frame)) this.#onFrame(frame)
  }
}
