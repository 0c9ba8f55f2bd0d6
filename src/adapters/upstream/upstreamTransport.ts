import { type Effect, Schema } from "effect"
import { type FrameHead, readHead } from "../../domain/wire/Frame.ts"
import { mediaTypeOf } from "../../domain/wire/HttpHeaders.ts"
import { elementsOf, skipSpace, skipValue } from "../../domain/wire/JsonBytes.ts"
import { asOneLine } from "../../domain/wire/OneLine.ts"
import type { UpstreamListener } from "../../services/upstream/Upstream.ts"
import type { HttpAnswer } from "./httpClient.ts"
import type { Outgoing, Unanswered } from "./Outgoing.ts"

/** The server does not speak this transport. It has not acted on the message. */
export class NotThisTransport extends Schema.TaggedError<NotThisTransport>()("NotThisTransport", {
  status: Schema.Finite,
  detail: Schema.String,
  /** The server's JSON-RPC message, if it sent one. The host gets it when there is no other transport to try. */
  answer: Schema.optional(Schema.Uint8Array)
}) {
  override get message(): string {
    return this.detail
  }
}

/** What a transport tells the link that owns it. */
export interface TransportListener extends UpstreamListener {
  /** A message of the server; `about` is the id (JSON text) of the request whose stream it came on. */
  readonly frame: (frame: Uint8Array, about: string | undefined) => void
  readonly oversized: (head: FrameHead | undefined, bytes: number) => void
  /** The message that an answer with this id (JSON text) is for, if it still waits for it. */
  readonly takeAnswer: (id: string) => Outgoing | undefined
  /** The server took a message. */
  readonly accepted: (message: Outgoing) => void
  /** Its bytes need not be kept any longer. */
  readonly flushed: (message: Outgoing) => void
  /** No answer will come. */
  readonly failed: (message: Outgoing, why: Unanswered) => void
  /** Stops sending a message; nobody is told. */
  readonly abandon: (message: Outgoing) => void
}

export interface UpstreamTransportOptions {
  /** `auto`: there is another transport to try. */
  readonly transport: "auto" | "http" | "sse"
  readonly maxMessageBytes: number
  /** The first delay before a session or stream is opened again; it doubles, up to the other. */
  readonly reconnectDelayMs: number
  readonly maxReconnectDelayMs: number
}

/** One way of talking to a server over HTTP. */
export interface UpstreamTransport {
  /**
   * Takes one message to the server, and the server's answers to the listener. The listener hears of all failures except
   * `NotThisTransport`.
   */
  readonly carry: (message: Outgoing) => Effect.Effect<void, NotThisTransport>
  /** The session that began after a loss is of no use, for this reason: it counts as lost again. */
  readonly reject: (detail: string) => void
  /** Tells the server that the session is over. Does not wait for long. */
  readonly close: Effect.Effect<void>
}

export const EVENT_STREAM = "text/event-stream"

export const isEventStream = (answer: HttpAnswer): boolean =>
  mediaTypeOf(answer.header("content-type")) === EVENT_STREAM

export const isOk = (status: number): boolean => status >= 200 && status < 300

/** The messages in what came as one: a batch (2025-03-26) is several, which JSON-RPC lets come one by one. */
export const framesIn = (json: Uint8Array): ReadonlyArray<Uint8Array> => {
  const line = asOneLine(json)
  const start = skipSpace(line, 0)
  if (line[start] !== 0x5b) return [line]
  const end = skipValue(line, start)
  const elements = end === undefined ? undefined : elementsOf(line, { start, end })
  return elements === undefined ? [line] : elements.map((element) => line.subarray(element.start, element.end))
}

/** The id of a response; `undefined` for any other message. */
export const answeredId = (frame: Uint8Array): string | undefined => {
  const head = readHead(frame)
  return head?.kind === "response" ? head.id : undefined
}

/** Whatever lived so long counts as good, however it ended. */
export const GOOD_LIFE_MS = 5000
