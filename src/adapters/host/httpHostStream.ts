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

export interface ReplayOptions {
  /** The first part of every event's id. */
  readonly key: string
  /** Begin with an event that has an id and no data. */
  readonly isPrimed: () => boolean
  readonly maxEvents: number
  readonly maxBytes: number
  /** So many messages were dropped before the host had them. */
  readonly onDropped?: (count: number) => void
}

/**
 * One stream of `text/event-stream` to a host. With ids it outlives its connections: it keeps the last events, within
 * bounds, and a host that lost the connection gets those it missed (MCP 2025-11-25, Streamable HTTP, "Resumability").
 */
export class HttpHostStream {
  readonly #outbox: HttpOutbox
  readonly #headers: HeaderValues | undefined
  readonly #replay: ReplayOptions | undefined
  #response: ServerResponse | undefined
  #kept: Array<Event> = []
  #keptBytes = 0
  #last = 0
  /** The last event that was written to a connection. */
  #written = 0
  #isEnded = false
  #isDelivered = false
  #wroteAt = 0

  /** Without `replay` events have no id, and one that is not delivered at once is lost. */
  constructor(outbox: HttpOutbox, headers?: HeaderValues, replay?: ReplayOptions) {
    this.#outbox = outbox
    this.#headers = headers
    this.#replay = replay
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
    if (!response.headersSent) startEvents(response, this.#headers)
    this.#wroteAt = now
    // The number that the host would resume after, so that it misses nothing.
    if (this.#replay?.isPrimed() === true)
      this.#outbox.write(response, [primingEvent(`${this.#replay.key}_${Math.min(after, this.#last)}`, RETRY_MS)])
    for (const event of this.#kept) if (event.number > after) this.#write(response, event, now)
    if (this.#isEnded) this.#close()
  }

  push(frame: Uint8Array, now: number): void {
    if (this.#isEnded) return
    this.#last += 1
    const event = { number: this.#last, frame }
    if (this.#replay !== undefined) this.#keep(event, this.#replay)
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
    this.#outbox.write(this.#response, [KEEP_ALIVE])
  }

  #close(): void {
    const response = this.#response
    this.#response = undefined
    if (response !== undefined) this.#outbox.end(response)
  }

  #write(response: ServerResponse, { frame, number }: Event, now: number): void {
    const id = this.#replay === undefined ? undefined : `${this.#replay.key}_${number}`
    this.#outbox.write(response, messageEvent(frame, id))
    this.#written = Math.max(this.#written, number)
    this.#wroteAt = now
  }

  /** The newest is kept whatever its size: it may be the answer that the host comes back for. */
  #keep(event: Event, { maxBytes, maxEvents, onDropped }: ReplayOptions): void {
    this.#kept.push(event)
    this.#keptBytes += event.frame.length
    let lost = 0
    while (this.#kept.length > 1 && (this.#kept.length > maxEvents || this.#keptBytes > maxBytes)) {
      const oldest = this.#kept.shift()
      this.#keptBytes -= oldest?.frame.length ?? 0
      if ((oldest?.number ?? 0) > this.#written) lost += 1
    }
    if (lost > 0) onDropped?.(lost)
  }
}
