/** With more pieces, copy small ones together: each takes many times its bytes. */
const MANY_PIECES = 64
const BLOCK_BYTES = 65_536

/** Joins pieces. Node's `Buffer.concat` is faster than ours: it does not clear the memory first. */
export type Concat = (pieces: ReadonlyArray<Uint8Array>, length: number) => Uint8Array

export const concatPieces: Concat = (pieces, length) => {
  const whole = new Uint8Array(length)
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}

/** Pieces as one. */
export const joined = (pieces: ReadonlyArray<Uint8Array>): Uint8Array =>
  concatPieces(
    pieces,
    pieces.reduce((sum, { length }) => sum + length, 0)
  )

/** The pieces of something that is not whole yet. Small pieces take little more memory than their bytes. */
export class Pieces {
  #pieces: Array<Uint8Array> = []
  #length = 0
  /** Room left in the last piece, if it is a block. */
  #blockRoom = 0

  get length(): number {
    return this.#length
  }

  get all(): ReadonlyArray<Uint8Array> {
    return this.#pieces
  }

  push(piece: Uint8Array): void {
    this.#length += piece.length
    if (this.#pieces.length < MANY_PIECES || piece.length > BLOCK_BYTES / 2) {
      this.#pieces.push(piece)
      this.#blockRoom = 0
    } else this.#copyIntoBlock(piece)
  }

  /** Returns all pieces in order and empties this. */
  take(): ReadonlyArray<Uint8Array> {
    const pieces = this.#pieces
    this.#pieces = []
    this.#length = 0
    this.#blockRoom = 0
    return pieces
  }

  /** The same, joined; a single piece is not copied. */
  join(concat: Concat): Uint8Array {
    const length = this.#length
    const pieces = this.take()
    const [only] = pieces
    return pieces.length === 1 && only !== undefined ? only : concat(pieces, length)
  }

  #copyIntoBlock(piece: Uint8Array): void {
    const last = this.#pieces.at(-1)
    if (last !== undefined && piece.length <= this.#blockRoom) {
      const grown = new Uint8Array(last.buffer, last.byteOffset, last.length + piece.length)
      grown.set(piece, last.length)
      this.#pieces[this.#pieces.length - 1] = grown
      this.#blockRoom -= piece.length
      return
    }
    const block = new Uint8Array(BLOCK_BYTES)
    block.set(piece)
    this.#pieces.push(block.subarray(0, piece.length))
    this.#blockRoom = BLOCK_BYTES - piece.length
  }
}
