import { Effect } from "effect"
import { Buffer } from "node:buffer"
import { EventStream } from "../../domain/upstream/EventStream.ts"
import type { FrameHead } from "../../domain/wire/Frame.ts"
import type { HttpAnswer } from "./httpClient.ts"
import type { UpstreamPeer } from "./upstreamPeer.ts"
import { framesIn } from "./upstreamTransport.ts"

/** How far a stream of messages was read. */
export interface Reading {
  /** The event to resume after; `undefined`: the server does not offer that. */
  readonly lastEventId: string | undefined
  /** How long the server wants us to wait before. */
  readonly retryMs: number | undefined
  /** Messages that came this time. */
  readonly messages: number
}

export interface EventStreamReader {
  readonly frame: (frame: Uint8Array) => void
  readonly oversized: (head: FrameHead | undefined, bytes: number) => void
  /** Nothing that matters comes any more. */
  readonly isDone: () => boolean
  readonly maxMessageBytes: number
}

/** Reads the messages of an answer until it ends or breaks; `before` is how far the same stream was read earlier. */
export const readEventStream = (
  peer: UpstreamPeer,
  answer: HttpAnswer,
  reader: EventStreamReader,
  before: Reading | undefined
): Effect.Effect<Reading> =>
  Effect.suspend(() => {
    let messages = 0
    const stream = new EventStream(
      {
        event: (type, data) => {
          if (type !== "message") return
          messages += 1
          for (const frame of framesIn(data)) reader.frame(frame)
        },
        oversized: (head, bytes) => {
          messages += 1
          reader.oversized(head, bytes)
        }
      },
      reader.maxMessageBytes,
      (pieces, length) => Buffer.concat(pieces, length)
    )
    stream.lastEventId = before?.lastEventId
    stream.retryMs = before?.retryMs
    return peer.client
      .read(answer, (chunk) => stream.push(chunk), reader.isDone)
      .pipe(
        Effect.ignore,
        Effect.map(() => ({ lastEventId: stream.lastEventId, retryMs: stream.retryMs, messages }))
      )
  })
