import { type Clock, Effect, Result } from "effect"
import type { HttpAnswer } from "./httpClient.ts"
import type { Outgoing, Unanswered } from "./Outgoing.ts"
import type { Reading } from "./readEventStream.ts"
import { type UpstreamPeer, unansweredBy } from "./upstreamPeer.ts"
import { errorIn, isSessionGone, type UpstreamSession } from "./upstreamSession.ts"
import { makeBackoff } from "./backoff.ts"
import { EVENT_STREAM, GOOD_LIFE_MS, isEventStream, isOk, type UpstreamTransportOptions } from "./upstreamTransport.ts"

/** After so many attempts in a row to take a stream up again, without anything new, its request fails. */
const MAX_RESUMPTIONS = 6

type Heard =
  | { readonly kind: "read"; readonly reading: Reading }
  | { readonly kind: "refused"; readonly status: number; readonly isSessionGone: boolean }

export interface UpstreamStreamsOptions {
  readonly peer: UpstreamPeer
  readonly options: UpstreamTransportOptions
  readonly clock: Clock.Clock
  readonly failed: (message: Outgoing, why: Unanswered) => void
  readonly sessionHeaders: (of: UpstreamSession | undefined) => Readonly<Record<string, string>>
  readonly readStream: (
    answer: HttpAnswer,
    about: Outgoing | undefined,
    before: Reading | undefined
  ) => Effect.Effect<Reading>
  readonly isCurrent: (of: UpstreamSession) => boolean
  /** The server answered with this status because it does not know the session any more. */
  readonly expire: (of: UpstreamSession, status: number) => void
}

/** The streams of Streamable HTTP that are opened by GET, and opened again when they break off. */
export interface UpstreamStreams {
  /** The stream for what belongs to no request, as long as there is one. */
  readonly listen: (of: UpstreamSession) => Effect.Effect<void>
  /** Takes the stream of a request up again after its last event (2025-11-25, "Resumability and Redelivery"). */
  readonly resume: (message: Outgoing, of: UpstreamSession | undefined, first: Reading) => Effect.Effect<void>
}

export const makeUpstreamStreams = (streams: UpstreamStreamsOptions): UpstreamStreams => {
  const { clock, expire, failed, isCurrent, options, peer, readStream, sessionHeaders } = streams
  /** The stream of notifications showed that the last session was gone, and no such stream was good since. */
  let isStreamDoubtful = false

  const hear = (of: UpstreamSession | undefined, about: Outgoing | undefined, before: Reading | undefined) =>
    peer.call(
      {
        method: "GET",
        headers: {
          Accept: EVENT_STREAM,
          ...sessionHeaders(of),
          ...(before?.lastEventId === undefined ? {} : { "Last-Event-ID": before.lastEventId })
        },
        isRepeatable: true
      },
      (answer): Effect.Effect<Heard> =>
        isOk(answer.status) && isEventStream(answer)
          ? Effect.map(readStream(answer, about, before), (reading) => ({ kind: "read", reading }))
          : Effect.map(peer.errorBody(answer), (body) => ({
              kind: "refused",
              status: answer.status,
              isSessionGone: isSessionGone(of, answer.status, errorIn(body))
            }))
    )

  const isTemporary = (status: number): boolean => status === 409 || status === 429 || (status >= 500 && status !== 501)

  /** Pauses before a stream is opened again, at least as long as the server asked for. */
  const makePauses = Effect.map(
    makeBackoff(options.reconnectDelayMs, options.maxReconnectDelayMs),
    ({ next, reset }) =>
      (failures: number, retryMs: number | undefined) =>
        failures === 0
          ? Effect.andThen(reset, Effect.sleep(retryMs ?? options.reconnectDelayMs))
          : Effect.flatMap(next, (delay) => Effect.sleep(Math.max(delay, retryMs ?? 0)))
  )

  const listen: UpstreamStreams["listen"] = (of) =>
    Effect.gen(function* () {
      const pause = yield* makePauses
      let reading: Reading | undefined
      let failures = 0
      while (!of.isExpired && isCurrent(of)) {
        const since = clock.currentTimeMillisUnsafe()
        const heard = yield* Effect.result(hear(of, undefined, reading))
        if (Result.isFailure(heard)) {
          if (heard.failure._tag === "UpstreamLost") return
          failures += 1
        } else if (heard.success.kind === "read") {
          reading = heard.success.reading
          const isGood = reading.messages > 0 || clock.currentTimeMillisUnsafe() - since >= GOOD_LIFE_MS
          failures = isGood ? 0 : failures + 1
          if (isGood) isStreamDoubtful = false
        } else {
          const { isSessionGone, status } = heard.success
          // On the first attempt, the same status may mean that the server has no such stream.
          if (reading !== undefined && isSessionGone) {
            // Twice in a row, and requests were answered meanwhile: this server just refuses such streams.
            if (isStreamDoubtful && of.hasAnswered) return
            isStreamDoubtful = true
            return expire(of, status)
          }
          const isForgotten = status === 400 && reading?.lastEventId !== undefined
          if (!isTemporary(status) && !isForgotten) return
          if (reading !== undefined && isForgotten) reading = { ...reading, lastEventId: undefined }
          failures += 1
        }
        yield* Effect.logDebug("the stream of notifications ended; it is opened again").pipe(
          Effect.annotateLogs({ component: "upstream", failures })
        )
        yield* pause(failures, reading?.retryMs)
      }
    })

  const brokeOff = (message: Outgoing, why: string): void =>
    failed(message, {
      errorType: "UPSTREAM_LOST",
      detail: `the connection to ${peer.address.name} ended before the answer came; ${why}. The request may have been carried out`,
      retryable: true
    })

  const resume: UpstreamStreams["resume"] = (message, of, first) =>
    Effect.gen(function* () {
      const pause = yield* makePauses
      let reading = first
      let failures = 0
      while (!message.isAnswered) {
        if (reading.lastEventId === undefined) return brokeOff(message, "the server offers no way to take it up again")
        yield* pause(failures, reading.retryMs)
        const heard = yield* Effect.result(hear(of, message, reading))
        if (Result.isFailure(heard)) {
          if (heard.failure._tag === "UpstreamLost") return failed(message, unansweredBy(heard.failure))
          failures += 1
        } else if (heard.success.kind === "read") {
          reading = heard.success.reading
          failures = reading.messages > 0 || reading.retryMs !== undefined ? 0 : failures + 1
        } else {
          const { isSessionGone, status } = heard.success
          if (of !== undefined && isSessionGone) return expire(of, status)
          if (!isTemporary(status)) return brokeOff(message, `taking it up again was answered with HTTP ${status}`)
          failures += 1
        }
        if (failures > MAX_RESUMPTIONS) return brokeOff(message, `${failures} attempts to take it up again failed`)
      }
    })

  return { listen, resume }
}
