import type { FrameLink, FrameListener } from "../../services/host/FrameLink.ts"
import { BACKLOG_BYTES, HttpOutbox } from "./httpOutbox.ts"

export interface HttpHostOptions {
  /** Milliseconds, of a clock that tests may set. */
  readonly now: () => number
  readonly log: (level: "debug" | "warn", message: string, about?: Readonly<Record<string, unknown>>) => void
  /** A session's `initialize` was answered: by a server, or by us because there is none. */
  readonly greeted: (isServerThere: boolean) => void
}

/** Why there is no session any more. */
export interface HttpHostEnd {
  /** For requests that are open: an HTTP status, and the code and message of a JSON-RPC error. */
  readonly status: number
  readonly code: number
  readonly message: string
}

/**
 * The host's end of a session over HTTP. Common to all versions: messages come by POST and go out on the responses that
 * are open.
 */
export abstract class HttpHost implements FrameLink {
  protected readonly options: HttpHostOptions
  protected readonly outbox: HttpOutbox
  #listener: FrameListener | undefined
  /** What came before anybody listened. */
  #early: Array<Uint8Array> | undefined = []
  #usedAt: number
  #isEnded = false
  #isPaused = false
  readonly #readers: Array<() => void> = []

  constructor(options: HttpHostOptions) {
    this.options = options
    this.outbox = new HttpOutbox({
      now: options.now,
      limit: () => this.backlogBytes,
      drained: () => this.#listener?.drained()
    })
    this.#usedAt = options.now()
  }

  abstract readonly send: FrameLink["send"]
  /** Sends an error for every request without an answer, then closes all responses. */
  protected abstract close(end: HttpHostEnd): void
  /** A host is connected. */
  protected abstract readonly isConnected: boolean
  /** Called once a second. */
  abstract tick(now: number): void

  /** With more bytes waiting for the host, we stop reading from the server. */
  protected get backlogBytes(): number {
    return BACKLOG_BYTES
  }

  readonly listen: FrameLink["listen"] = (listener) => {
    this.#listener = listener
    // The listener may still prepare something in this turn.
    queueMicrotask(() => {
      const early = this.#early ?? []
      this.#early = undefined
      for (const frame of early) listener.frame(frame)
      if (this.#isEnded) listener.ended()
    })
  }

  readonly pause = (): void => {
    this.#isPaused = true
  }

  readonly resume = (): void => {
    this.#isPaused = false
    for (const read of this.#readers.splice(0)) read()
  }

  /** The router says that nothing more comes. */
  readonly end = (): void => {
    this.shut({ status: 502, code: -32000, message: "the connection to the MCP server has ended" })
  }

  /** Calls back when a body may be read: at once, unless the server is behind. */
  whenReading(read: () => void): void {
    if (this.#isPaused && !this.#isEnded) this.#readers.push(read)
    else read()
  }

  get isEnded(): boolean {
    return this.#isEnded
  }

  /** Closes everything and tells the router that the host has gone; the second time nothing happens. */
  shut(end: HttpHostEnd): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.close(end)
    this.resume()
    if (this.#early === undefined) this.#listener?.ended()
  }

  /** Hands a message of the host on. */
  protected deliver(frame: Uint8Array): void {
    if (this.#early === undefined) this.#listener?.frame(frame)
    else this.#early.push(frame)
  }

  /** The host was heard of. */
  used(): void {
    this.#usedAt = this.options.now()
  }

  /** For how long no connection of the host has been open. */
  idleMs(now: number): number {
    if (this.isConnected) this.#usedAt = now
    return now - this.#usedAt
  }
}
