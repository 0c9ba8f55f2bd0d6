import type { ServerResponse } from "node:http"

/** Bytes that may wait for the hosts of one session before they count as behind; as on stdio. */
export const BACKLOG_BYTES = 16_777_216

/** Do not track final writes smaller than this. */
const NOTABLE_BYTES = 65_536

/**
 * A response gets its bytes in pieces of this size, one after the other. Node counts a piece as waiting until all of it
 * is gone, so with larger ones a slow host would look like one that does not read.
 */
const PIECE_BYTES = 1_048_576

/** Places of taken pieces are cleared away when there are at least so many. */
const TAKEN_PLACES = 1024

const NOTHING = new Uint8Array()

class PieceQueue {
  #pieces: Array<Uint8Array> = []
  #first = 0
  bytes = 0

  push(piece: Uint8Array): void {
    this.#pieces.push(piece)
    this.bytes += piece.length
  }

  /** The next bytes, as many as make one piece at most. */
  take(): Uint8Array {
    const piece = this.#pieces[this.#first] ?? NOTHING
    const taken = piece.subarray(0, PIECE_BYTES)
    this.bytes -= taken.length
    if (taken.length < piece.length) this.#pieces[this.#first] = piece.subarray(PIECE_BYTES)
    else {
      this.#pieces[this.#first] = NOTHING
      this.#first += 1
      if (this.#first >= TAKEN_PLACES && this.#first * 2 >= this.#pieces.length) {
        this.#pieces = this.#pieces.slice(this.#first)
        this.#first = 0
      }
    }
    return taken
  }
}

interface Backlog {
  /** What Node has not got yet. */
  readonly pieces: PieceQueue
  /** All that was to be written since it began to wait. */
  written: number
  /** What of it the operating system had when somebody last looked. */
  taken: number
  /** When that was more than before. */
  movedAt: number
  isEnding: boolean
}

export interface WaitingResponse {
  readonly response: ServerResponse
  /** What waits for it. */
  readonly bytes: number
  /** For how long it has taken nothing. */
  readonly silentMs: number
}

export interface HttpOutboxOptions {
  readonly now: () => number
  /** How many bytes may wait; it may change. */
  readonly limit: () => number
  /** The hosts have caught up. */
  readonly drained: () => void
}

/**
 * Counts the bytes of one session's responses that the operating system has not taken yet. Tells when hosts are so far
 * behind that reading from the server has to stop, and when they have caught up. Kept by hand because Node's own
 * backpressure is per response, and a session has many.
 */
export class HttpOutbox {
  readonly #options: HttpOutboxOptions
  readonly #waiting = new Map<ServerResponse, Backlog>()
  readonly #heard = new WeakSet<ServerResponse>()
  #behindSince: number | undefined

  constructor(options: HttpOutboxOptions) {
    this.#options = options
  }

  /** Writes all pieces; a response that is gone takes nothing. */
  write(response: ServerResponse, pieces: ReadonlyArray<Uint8Array>): void {
    if (response.destroyed || response.writableEnded) return
    const waiting = this.#waiting.get(response)
    if (waiting?.isEnding === true) return
    const bytes = pieces.reduce((sum, piece) => sum + piece.length, 0)
    if (waiting === undefined && bytes <= PIECE_BYTES) {
      if (pieces.length > 1) response.cork()
      for (const piece of pieces) response.write(piece)
      if (pieces.length > 1) response.uncork()
      if (response.writableNeedDrain) this.#track(response)
      return
    }
    const outgoing = waiting ?? this.#track(response)
    for (const piece of pieces) outgoing.pieces.push(piece)
    outgoing.written += bytes
    if (waiting === undefined) this.#pump(response, outgoing)
  }

  /** Ends a response after all that was written, and `last`. */
  end(response: ServerResponse, last: Uint8Array = NOTHING): void {
    if (response.destroyed || response.writableEnded) return
    if (!this.#waiting.has(response) && last.length <= PIECE_BYTES) {
      response.end(last)
      if (response.writableLength >= NOTABLE_BYTES) this.#track(response)
      return
    }
    this.write(response, [last])
    const outgoing = this.#waiting.get(response)
    if (outgoing !== undefined && outgoing.pieces.bytes > 0) outgoing.isEnding = true
    else response.end()
  }

  /** Whether no more should be read from the server until `drained`. */
  get isBehind(): boolean {
    if (this.#behindSince === undefined && this.#waiting.size > 0 && this.#bytes() > this.#options.limit()) {
      this.#behindSince = this.#options.now()
    }
    return this.#behindSince !== undefined
  }

  /** For how many milliseconds the hosts have been behind. */
  get behindMs(): number {
    return this.#behindSince === undefined ? 0 : this.#options.now() - this.#behindSince
  }

  /** Something waits for this response to be taken. */
  holds(response: ServerResponse): boolean {
    return this.#waiting.has(response)
  }

  /** The limit may be another one now. */
  reconsider(): void {
    if (this.#behindSince !== undefined && this.#bytes() <= this.#options.limit()) this.#catchUp()
  }

  /** Every response for which something waits. To be called about once a second: silence is measured from call to call. */
  waiting(): ReadonlyArray<WaitingResponse> {
    const now = this.#options.now()
    return [...this.#waiting].map(([response, outgoing]) => {
      const bytes = outgoing.pieces.bytes + response.writableLength
      const taken = outgoing.written - bytes
      if (taken > outgoing.taken) outgoing.movedAt = now
      outgoing.taken = taken
      return { response, bytes, silentMs: now - outgoing.movedAt }
    })
  }

  #bytes(): number {
    let bytes = 0
    for (const [response, { pieces }] of this.#waiting) bytes += pieces.bytes + response.writableLength
    return bytes
  }

  #track(response: ServerResponse): Backlog {
    const written = response.writableLength
    const outgoing = { pieces: new PieceQueue(), written, taken: 0, movedAt: this.#options.now(), isEnding: false }
    this.#waiting.set(response, outgoing)
    if (this.#heard.has(response)) return outgoing
    this.#heard.add(response)
    response.on("drain", () => {
      const waiting = this.#waiting.get(response)
      if (waiting !== undefined) this.#pump(response, waiting)
    })
    response.once("finish", () => this.#settle(response))
    response.once("close", () => this.#settle(response))
    return outgoing
  }

  #pump(response: ServerResponse, { isEnding, pieces }: Backlog): void {
    let isTaking = true
    while (isTaking && pieces.bytes > 0) isTaking = response.write(pieces.take())
    if (pieces.bytes > 0) return
    if (isEnding) response.end()
    else if (isTaking) this.#settle(response)
  }

  #settle(response: ServerResponse): void {
    if (!this.#waiting.delete(response) || this.#behindSince === undefined) return
    if (this.#bytes() <= this.#options.limit() / 2) this.#catchUp()
  }

  #catchUp(): void {
    this.#behindSince = undefined
    this.#options.drained()
  }
}
