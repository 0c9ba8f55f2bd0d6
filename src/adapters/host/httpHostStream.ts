import type { ServerResponse } from "node:http"
import { KEEP_ALIVE, messageEvent, primingEvent } from "../../domain/host/ServerSentEvent.ts"
import { type HeaderValues, startEvents } from "./httpAnswers.ts"
import type { HttpOutbox } from "./httpOutbox.ts"

const KEEP_ALIVE_MS = 15_000
/** After a lost connection a host of 2025-11-25 waits so long before it connects again. */
const RETRY_MS = 1000

interface Event {
  readonly number: number
  readonly frame: Uint8Array
}

export interface HostStreamOptions {
  readonly outbox: HttpOutbox
  /** The first part of every event's id. `undefined`: events have no id, and one that is not delivered at once is lost. */
  readonly key: string | undefined
  /** Begin with an event that has an id and no data. */
  readonly primed: boolean
  readonly maxEvents: number
  readonly maxBytes: number
  readonly headers?: HeaderValues
  /** So many messages were dropped before the host had them. */
  readonly onDropped?: (count: number) => void
}

/**
 * One stream of `text/event-stream` to a host. With ids it outlives its connections: it keeps the last events, within
 * bounds, and a host that lost the connection gets those it missed (MCP 2025-11-25, Streamable HTTP, "Resumability").
 */
export class HttpHostStream {
  readonly #options: HostStreamOptions
  #response: ServerResponse | undefined
  #kept: Array<Event> = []
  #keptBytes = 0
  #last = 0
  /** The last event that was written to a connection. */
  #written = 0
  #isEnded = false
  #isDelivered = false
  #wroteAt = 0

  constructor(options: HostStreamOptions) {
    this.#options = options
  }

  /** A host listens. */
  get isConnected(): boolean {
    return this.#response !== undefined
  }

  get keptBytes(): number {
    return this.#keptBytes
  }

  /** The stream has ended, and a connection took it to its end. */
  get isDone(): boolean {
    return this.#isDelivered
  }

  /**
   * Puts the stream on a connection, in place of one that it may have had. `after` is the number of the last event that
   * the host has; without it, it has what was written before.
   */
  connect(response: ServerResponse, now: number, after: number = this.#written): void {
    this.#close()
    this.#response = response
    response.once("finish", () => {
      this.#isDelivered ||= this.#isEnded && this.#written === this.#last
    })
    response.once("close", () => {
      if (this.#response === response) this.#response = undefined
    })
    if (!response.headersSent) startEvents(response, this.#options.headers)
    const { key, outbox, primed } = this.#options
    this.#wroteAt = now
    // The number that the host would resume after, so that it misses nothing.
    if (primed && key !== undefined)
      outbox.write(response, [primingEvent(`${key}_${Math.min(after, this.#last)}`, RETRY_MS)])
    for (const event of this.#kept) if (event.number > after) this.#write(response, event, now)
    if (this.#isEnded) this.#close()
  }

  push(frame: Uint8Array, now: number): void {
    if (this.#isEnded) return
    this.#last += 1
    const event = { number: this.#last, frame }
    if (this.#options.key !== undefined) this.#keep(event)
    if (this.#response !== undefined) this.#write(this.#response, event, now)
  }

  /** Nothing more comes. */
  end(): void {
    this.#isEnded = true
    this.#close()
  }

  tick(now: number): void {
    if (this.#response === undefined || now - this.#wroteAt < KEEP_ALIVE_MS) return
    this.#wroteAt = now
    this.#options.outbox.write(this.#response, [KEEP_ALIVE])
  }

  #close(): void {
    const response = this.#response
    this.#response = undefined
    if (response !== undefined) this.#options.outbox.end(response)
  }

  #write(response: ServerResponse, { frame, number }: Event, now: number): void {
    const { key, outbox } = this.#options
    outbox.write(response, messageEvent(frame, key === undefined ? undefined : `${key}_${number}`))
    this.#written = Math.max(this.#written, number)
    this.#wroteAt = now
  }

  /** The newest is kept whatever its size: it may be the answer that the host comes back for. */
  #keep(event: Event): void {
    this.#kept.push(event)
    this.#keptBytes += event.frame.length
    let lost = 0
    while (this.#kept.length > 1 && this.#isOver()) {
      const oldest = this.#kept.shift()
      this.#keptBytes -= oldest?.frame.length ?? 0
      if ((oldest?.number ?? 0) > this.#written) lost += 1
    }
    if (lost > 0) this.#options.onDropped?.(lost)
  }

  #isOver(): boolean {
    return this.#kept.length > this.#options.maxEvents || this.#keptBytes > this.#options.maxBytes
  }
}
