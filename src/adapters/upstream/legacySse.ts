import { Clock, Deferred, Effect, Exit, FiberSet, Result, type Scope } from "effect"
import { Buffer } from "node:buffer"
import { EventStream } from "../../domain/upstream/EventStream.ts"
import { nameOfUrl } from "../../domain/wire/HttpAddress.ts"
import { stringAt } from "../../domain/wire/Rewrites.ts"
import { UpstreamLost } from "../../services/upstream/Upstream.ts"
import { type HttpAnswer, HttpFailed } from "./httpClient.ts"
import { type UpstreamPeer, refusedBy, unansweredBy } from "./upstreamPeer.ts"
import {
  answeredId,
  EVENT_STREAM,
  framesIn,
  GOOD_LIFE_MS,
  isEventStream,
  isOk,
  NotThisTransport,
  type TransportListener,
  type UpstreamTransport,
  type UpstreamTransportOptions
} from "./upstreamTransport.ts"
import { makeBackoff } from "./backoff.ts"
import type { Outgoing } from "./Outgoing.ts"

/** A server of this transport says at once where to send messages. */
const ENDPOINT_TIMEOUT_MS = 15_000

/**
 * HTTP with SSE of 2024-11-05: one GET stream for all that the server says, whose first event names where messages are
 * POSTed. The stream is the session: when it breaks, the session is gone.
 */
export const makeLegacySse = (
  peer: UpstreamPeer,
  listener: TransportListener,
  options: UpstreamTransportOptions
): Effect.Effect<UpstreamTransport, never, Scope.Scope> =>
  Effect.gen(function* () {
    const fork = yield* FiberSet.makeRuntime<never, void>()
    const clock = yield* Clock.Clock
    const { name } = peer.address

    /** One stream, open or about to be. */
    interface Connection {
      /** Where messages go. */
      readonly endpoint: Deferred.Deferred<URL, NotThisTransport | HttpFailed | UpstreamLost>
      /** A message was refused because the server has forgotten the session. */
      readonly gone: Deferred.Deferred<never, NotThisTransport>
      /** When the server said where messages go, in milliseconds of the clock. */
      openedAt: number
      /** It answered a request beside `initialize`. */
      hasAnswered: boolean
      isRejected: boolean
    }
    const makeConnection = (): Connection => ({
      endpoint: Deferred.makeUnsafe(),
      gone: Deferred.makeUnsafe(),
      openedAt: Infinity,
      hasAnswered: false,
      isRejected: false
    })

    let connection: Connection | undefined
    let isLost = false
    let version: string | undefined
    /** Requests without an answer, and those of them that were refused because the session is gone. */
    const underWay = new Set<Outgoing>()
    const unsent = new Set<Outgoing>()

    // ---- What the server says --------------------------------------------------------------------------------

    const onMessage = (of: Connection, data: Uint8Array): void => {
      for (const frame of framesIn(data)) {
        const id = answeredId(frame)
        const message = id === undefined ? undefined : listener.takeAnswer(id)
        if (message !== undefined) underWay.delete(message)
        if (message !== undefined && message.method !== "initialize") of.hasAnswered = true
        if (message?.method === "initialize") version = stringAt(frame, ["result", "protocolVersion"]) ?? version
        listener.frame(frame, message === undefined ? undefined : (message.about ?? id))
      }
    }

    const onEndpoint = (of: Connection, data: Uint8Array): void => {
      const url = URL.parse(new TextDecoder().decode(data).trim(), peer.address.url.href)
      if (url === null || url.origin !== peer.address.url.origin) {
        const where = url === null ? "no valid address" : `${nameOfUrl(url)}, which is another origin,`
        const detail = `${name} names ${where} for messages`
        return void Deferred.doneUnsafe(of.gone, Exit.fail(new NotThisTransport({ status: 200, detail })))
      }
      of.openedAt = clock.currentTimeMillisUnsafe()
      Deferred.doneUnsafe(of.endpoint, Exit.succeed(url))
      if (!isLost) return
      isLost = false
      listener.restored()
    }

    /** Reads one stream to its end; fails if it cannot be opened, breaks, or does not say where messages go. */
    const read = (of: Connection) =>
      peer.call({ method: "GET", headers: { Accept: EVENT_STREAM }, isRepeatable: true }, (answer) => {
        if (answer.status !== 200 || !isEventStream(answer)) {
          return Effect.flatMap(peer.errorBody(answer), (body) =>
            Effect.fail(new NotThisTransport({ status: answer.status, detail: peer.describe(answer, body) }))
          )
        }
        const events = new EventStream(
          {
            event: (type, data) => {
              if (type === "message") onMessage(of, data)
              else if (type === "endpoint") onEndpoint(of, data)
            },
            oversized: listener.oversized
          },
          options.maxMessageBytes,
          (pieces, length) => Buffer.concat(pieces, length)
        )
        const detail = `${name} opened a stream, but did not say where messages go`
        const silent = Effect.fail(new NotThisTransport({ status: answer.status, detail }))
        const watch = Deferred.await(of.endpoint).pipe(
          Effect.timeoutOrElse({ duration: ENDPOINT_TIMEOUT_MS, orElse: () => silent }),
          Effect.andThen(Effect.never)
        )
        return Effect.raceAllFirst([
          peer.client.read(answer, (chunk) => events.push(chunk)),
          watch,
          Deferred.await(of.gone)
        ])
      })

    // ---- The stream that is the session ----------------------------------------------------------------------

    const lose = (detail: string, retryInMs: number): void => {
      isLost = true
      const again = [...unsent].map((message) => message.frame)
      for (const message of underWay) if (!unsent.has(message)) listener.abandon(message)
      unsent.clear()
      underWay.clear()
      listener.lost(new UpstreamLost({ url: name, reason: "Unreachable", detail }), retryInMs, again)
    }

    /** Opens the stream, and opens it again for as long as there was one before. */
    const keepOpen = (first: Connection): Effect.Effect<void> =>
      Effect.gen(function* () {
        const ended = new HttpFailed({
          url: name,
          reason: "Broken",
          code: null,
          detail: `${name} ended the connection`
        })
        let of = first
        const backoff = yield* makeBackoff(options.reconnectDelayMs, options.maxReconnectDelayMs)
        for (;;) {
          const result = yield* Effect.result(read(of))
          const error = Result.isFailure(result) ? result.failure : ended
          const wasOpen = !Deferred.doneUnsafe(of.endpoint, Exit.fail(error))
          if (!wasOpen && !isLost) {
            connection = undefined
            return
          }
          const isGood = of.hasAnswered || clock.currentTimeMillisUnsafe() - of.openedAt >= GOOD_LIFE_MS
          if (isGood && !of.isRejected) yield* backoff.reset
          const delay = yield* backoff.next
          lose(`${error.message}.`, delay)
          yield* Effect.sleep(delay)
          of = makeConnection()
          connection = of
        }
      })

    const connect = (): Connection => {
      if (connection === undefined) {
        connection = makeConnection()
        fork(keepOpen(connection))
      }
      return connection
    }

    // ---- Messages --------------------------------------------------------------------------------------------

    const onAnswer = (message: Outgoing, of: Connection, answer: HttpAnswer): Effect.Effect<void> => {
      const { status } = answer
      if (isOk(status)) return Effect.sync(() => listener.accepted(message))
      return Effect.map(peer.errorBody(answer), (body) => {
        const detail = peer.describe(answer, body, status === 404 ? "inSession" : undefined)
        // What waits for no answer ends no session: whether it is gone, the next request will tell.
        if (status !== 404 || message.isAnswered || message.isRepeated) {
          underWay.delete(message)
          return listener.failed(message, refusedBy(status, detail))
        }
        if (message.about !== undefined) {
          message.isRefused = true
          unsent.add(message)
        }
        Deferred.doneUnsafe(of.gone, Exit.fail(new NotThisTransport({ status, detail })))
      })
    }

    const carry: UpstreamTransport["carry"] = (message) =>
      Effect.gen(function* () {
        const of = connect()
        const url = yield* Deferred.await(of.endpoint)
        if (!message.isAnswered) underWay.add(message)
        const request = {
          method: "POST" as const,
          url,
          headers: {
            "Content-Type": "application/json",
            ...(version === undefined ? {} : { "MCP-Protocol-Version": version })
          },
          body: message.frame,
          isRepeatable: message.method !== "tools/call",
          onFlushed: () => listener.flushed(message)
        }
        yield* peer.call(request, (answer) => onAnswer(message, of, answer))
      }).pipe(
        Effect.catchTag(["HttpFailed", "UpstreamLost"], (error) =>
          Effect.sync(() => {
            underWay.delete(message)
            listener.failed(message, unansweredBy(error))
          })
        )
      )

    const reject: UpstreamTransport["reject"] = (detail) => {
      if (connection === undefined || isLost) return
      connection.isRejected = true
      Deferred.doneUnsafe(connection.gone, Exit.fail(new NotThisTransport({ status: 200, detail })))
    }

    return { carry, reject, close: Effect.void }
  })
