const NEWLINE = 0x0a

type Concat = (pieces: ReadonlyArray<Uint8Array>, length: number) => Uint8Array

const concatPieces: Concat = (pieces, length) => {
  const frame = new Uint8Array(length)
  let at = 0
  for (const piece of pieces) {
    frame.set(piece, at)
    at += piece.length
  }
  return frame
}

const isBlank = (frame: Uint8Array): boolean => frame.every((byte) => byte <= 0x20)

/**
 * Splits a byte stream into newline-delimited frames (MCP 2025-11-25, "Transports", stdio). Every byte is looked
 * at once however many chunks a frame comes in, and a frame that lies in one chunk is not copied. Blank lines are
 * skipped; the newline, and a carriage return before it, are not part of a frame.
 */
export class FrameSplitter {
  readonly #onFrame: (frame: Uint8Array) => void
  readonly #concat: Concat
  #pieces: Array<Uint8Array> = []
  #length = 0

  /** `concat` joins the pieces of a frame; Node's `Buffer.concat` is faster, as it does not clear the memory first. */
  constructor(onFrame: (frame: Uint8Array) => void, concat: Concat = concatPieces) {
    this.#onFrame = onFrame
    this.#concat = concat
  }

  push(chunk: Uint8Array): void {
    let from = 0
    for (;;) {
      const newline = chunk.indexOf(NEWLINE, from)
      if (newline < 0) break
      this.#emit(chunk.subarray(from, newline))
      from = newline + 1
    }
    if (from < chunk.length) {
      this.#pieces.push(chunk.subarray(from))
      this.#length += chunk.length - from
    }
  }

  /** Gives out what stands after the last newline: a peer may end without one. */
  end(): void {
    if (this.#length > 0) this.#emit(new Uint8Array(0))
  }

  #emit(tail: Uint8Array): void {
    let frame = tail
    if (this.#pieces.length > 0) {
      this.#pieces.push(tail)
      frame = this.#concat(this.#pieces, this.#length + tail.length)
      this.#pieces = []
      this.#length = 0
    }
    if (frame[frame.length - 1] === 0x0d) frame = frame.subarray(0, -1)
    if (frame.length > 64 || !isBlank(frame)) this.#onFrame(frame)
  }
}
