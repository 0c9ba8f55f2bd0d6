import type { ServerResponse } from "node:http"

/** Bytes that may wait for the hosts of one session before they count as behind; as on stdio. */
const BACKLOG_BYTES = 16_777_216

/** What waits for one response is not worth looking at below this, which is about what Node buffers before it says so. */
const NOTABLE_BYTES = 65_536

/** A host that takes nothing of what waits for it for so long is given up, where that is asked for. */
const STALLED_MS = 60_000

interface Waiting {
  bytes: number
  /** When the operating system last took some of it. */
  moved: number
}

/**
 * What was written to the responses of one session and is not with the operating system yet. It tells when the hosts
 * are so far behind that reading from the server has to stop, and when they have caught up.
 */
export class HttpOutbox {
  readonly #waiting = new Map<ServerResponse, Waiting>()
  readonly #heard = new WeakSet<ServerResponse>()
  readonly #drained: () => void
  readonly #limit: number
  #isBehind = false

  constructor(drained: () => void, limit: number = BACKLOG_BYTES) {
    this.#drained = drained
    this.#limit = limit
  }

  /** Writes all pieces at once; a response that is gone takes nothing. */
  write(response: ServerResponse, pieces: ReadonlyArray<Uint8Array>, now: number): void {
    if (response.destroyed || response.writableEnded) return
    if (pieces.length > 1) response.cork()
    for (const piece of pieces) response.write(piece)
    if (pieces.length > 1) response.uncork()
    this.watch(response, now)
  }

  /** To be called after a response was written to by others. */
  watch(response: ServerResponse, now: number): void {
    if (response.destroyed || response.writableLength < NOTABLE_BYTES || this.#waiting.has(response)) return
    this.#waiting.set(response, { bytes: response.writableLength, moved: now })
    if (this.#heard.has(response)) return
    this.#heard.add(response)
    const settle = (): void => this.#settle(response)
    response.on("drain", settle)
    response.once("finish", settle)
    response.once("close", settle)
  }

  /** Whether no more should be read from the server until `drained`. */
  get isBehind(): boolean {
    if (this.#waiting.size > 0) this.#isBehind = this.#isBehind || this.#bytes() > this.#limit
    return this.#isBehind
  }

  /** The responses that have taken nothing for long. */
  stalled(now: number): ReadonlyArray<ServerResponse> {
    for (const [response, waiting] of this.#waiting) {
      const bytes = response.writableLength
      if (bytes < waiting.bytes) waiting.moved = now
      waiting.bytes = bytes
    }
    return [...this.#waiting].filter(([, { moved }]) => now - moved >= STALLED_MS).map(([response]) => response)
  }

  #bytes(): number {
    let bytes = 0
    for (const response of this.#waiting.keys()) bytes += response.writableLength
    return bytes
  }

  #settle(response: ServerResponse): void {
    if (!response.destroyed && response.writableLength >= NOTABLE_BYTES) return
    this.#waiting.delete(response)
    if (!this.#isBehind || this.#bytes() > this.#limit / 2) return
    this.#isBehind = false
    this.#drained()
  }
}
