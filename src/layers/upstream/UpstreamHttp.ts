import { Deferred, Duration, Effect, Exit, FiberSet, Layer, Redacted } from "effect"
import { makeHttpClient } from "../../adapters/upstream/httpClient.ts"
import { makeUpstreamPeer, refusedBy } from "../../adapters/upstream/upstreamPeer.ts"
import {
  answeredId,
  type UpstreamTransport,
  NotThisTransport,
  type TransportListener
} from "../../adapters/upstream/upstreamTransport.ts"
import { makeLegacySse } from "../../adapters/upstream/legacySse.ts"
import { Outgoing, type Unanswered } from "../../adapters/upstream/Outgoing.ts"
import { makeStreamableHttp } from "../../adapters/upstream/streamableHttp.ts"
import { makeRedactor } from "../../domain/observability/Redaction.ts"
import { idKey } from "../../domain/wire/Frame.ts"
import { hiddenSegments, readHttpAddress } from "../../domain/wire/HttpAddress.ts"
import { rawAt } from "../../domain/wire/Rewrites.ts"
import type { FrameLink, FrameListener } from "../../services/host/FrameLink.ts"
import type { HttpUpstream } from "../../services/settings/Settings.ts"
import { Upstream, type UpstreamListener, UpstreamLost, UpstreamUnavailable } from "../../services/upstream/Upstream.ts"
import { UpstreamAuthorization } from "../../services/upstream/UpstreamAuthorization.ts"

export interface UpstreamHttpOptions extends HttpUpstream {
  /** A longer message of the server is left out. */
  readonly maxMessageBytes: number
}

/** With more bytes on their way, the server counts as behind. */
const BACKLOG_BYTES = 16_777_216
/** A request that follows a notification waits until the server took that one, but not for ever. */
const ORDER_PATIENCE = Duration.seconds(10)
/** After a request was cancelled, its answer may still be on its way. */
const CANCEL_GRACE = Duration.seconds(1)
/** So many requests of a session that is gone are remembered, because they come again. */
const MAX_REPEATS = 1000
/** The end of the session (last notifications, telling the server) may take this long. */
const END_PATIENCE = Duration.millis(300)

const make = (options: UpstreamHttpOptions) =>
  Effect.gen(function* () {
    const address = readHttpAddress(options.url)
    if (address === undefined) {
      return yield* new UpstreamUnavailable({
        command: options.url,
        reason: "Failed",
        detail: "the URL of the MCP server is no valid http or https URL (upstream.url)"
      })
    }
    const authorization = yield* UpstreamAuthorization
    const written = Object.entries(options.headers).find(([header]) => header.toLowerCase() === "authorization")?.[1]
    const bearer = options.token === undefined ? undefined : Redacted.make(`Bearer ${Redacted.value(options.token)}`)
    const basic = address.basic === undefined ? undefined : Redacted.make(address.basic)
    const fixed = written ?? bearer ?? basic
    const headers = Object.fromEntries(
      Object.entries(options.headers).filter(([header]) => header.toLowerCase() !== "authorization")
    )
    const secrets = [...Object.values(options.headers), options.token, fixed].flatMap((secret) =>
      secret === undefined ? [] : [Redacted.value(secret), Redacted.value(secret).replace(/^\w+ /, "")]
    )
    const client = yield* makeHttpClient(address)
    const peer = makeUpstreamPeer({
      client,
      address,
      headers,
      fixed,
      authorization,
      redactor: makeRedactor([...secrets, ...address.url.searchParams.values(), ...hiddenSegments(address.url)])
    })

    const fork = yield* FiberSet.makeRuntime<never, void>()
    const ended = yield* Deferred.make<never, UpstreamLost>()
    /** Requests without an answer, by id. */
    const pending = new Map<string, Outgoing>()
    /** Messages that the server must get before it is told of the end. */
    const notices = new Set<Outgoing>()
    /** Messages that were not handed to the network yet. */
    const backlog = new Set<Outgoing>()
    let backlogBytes = 0
    /** Requests that the server refused with their session. Each is sent again once. */
    const repeats = new Set<string>()
    /** Why the server did not take the last `initialize`. */
    let refusal: string | undefined
    let isBehind = false
    let isLost = false
    let isEnding = false
    /** What later messages have to wait for: a notification, or the session that is being opened. */
    let last: Outgoing | undefined
    let frames: FrameListener | undefined
    let watcher: UpstreamListener | undefined

    // ---- What transports tell --------------------------------------------------------------------------------

    const pass = (message: Outgoing): void => {
      if (last === message) last = undefined
      Deferred.doneUnsafe(message.passed, Exit.void)
    }

    const forget = (message: Outgoing): void => {
      for (const key of message.keys) if (pending.get(key) === message) pending.delete(key)
    }

    const abandon = (message: Outgoing): void => {
      forget(message)
      message.fiber?.interruptUnsafe()
    }

    const flushed = (message: Outgoing): void => {
      if (!backlog.delete(message)) return
      backlogBytes -= message.frame.length
      if (!isBehind || backlogBytes >= BACKLOG_BYTES) return
      isBehind = false
      frames?.drained()
    }

    const fail = (message: Outgoing, why: Unanswered): void => {
      forget(message)
      if (message.method === "initialize") refusal = why.detail
      const failures = message.failures(why)
      for (const { frame, id } of failures) frames?.frame(frame, id)
      const line =
        failures.length > 0 ? Effect.logDebug("no answer") : Effect.logWarning("the server did not take a message")
      fork(
        line.pipe(
          Effect.annotateLogs({ component: "upstream", method: message.method ?? "response", reason: why.detail })
        )
      )
    }

    const takeAnswer = (id: string): Outgoing | undefined => {
      const key = idKey(id)
      const message = pending.get(key)
      if (message?.takeAnswer(id) !== true) return undefined
      pending.delete(key)
      // Not at once: what waits must find what the answer says (session and version) learnt.
      if (message.isAnswered) queueMicrotask(() => pass(message))
      return message
    }

    const lost: UpstreamListener["lost"] = (error, retryInMs, refused) => {
      isLost = true
      const under = [...new Set(pending.values())]
      const isUnsent = (message: Outgoing) =>
        refused.includes(message.frame) || (!message.isSent && message.about !== undefined)
      const unsent = under.filter(isUnsent)
      for (const message of unsent) {
        if (message.isRefused || message.isRepeated) for (const key of message.keys) repeats.add(key)
      }
      for (const key of repeats) if (repeats.size > MAX_REPEATS) repeats.delete(key)
      for (const message of under) abandon(message)
      watcher?.lost(
        error,
        retryInMs,
        unsent.map((message) => message.frame)
      )
    }

    const restored = (): void => {
      isLost = false
      watcher?.restored()
    }

    const listenerOf = (chosen: () => void): TransportListener => ({
      frame: (frame, about) => {
        chosen()
        frames?.frame(frame, about)
      },
      oversized: (head, bytes) => {
        chosen()
        // The listener answers the request that it was for.
        if (head?.kind === "response") takeAnswer(head.id)
        frames?.oversized?.(head, bytes)
      },
      takeAnswer,
      accepted: (message) => {
        chosen()
        if (message.isAnswered) pass(message)
      },
      flushed,
      failed: fail,
      abandon,
      lost,
      restored
    })

    // ---- Which transport it is -------------------------------------------------------------------------------

    let transport: UpstreamTransport | undefined
    const choose = (found: () => UpstreamTransport) => () => {
      transport ??= found()
    }
    const http: UpstreamTransport = yield* makeStreamableHttp(peer, listenerOf(choose(() => http)), options)
    const sse: UpstreamTransport = yield* makeLegacySse(peer, listenerOf(choose(() => sse)), options)
    if (options.transport !== "auto") transport = options.transport === "http" ? http : sse

    const carry = (message: Outgoing): Effect.Effect<void> => {
      const refused = ({ answer, detail, status }: NotThisTransport) =>
        Effect.sync(() => {
          const id = answer === undefined ? undefined : answeredId(answer)
          if (answer === undefined || id === undefined || takeAnswer(id) === undefined) {
            return fail(message, refusedBy(status, detail))
          }
          frames?.frame(answer, id)
        })
      if (transport !== undefined) return transport.carry(message).pipe(Effect.catchTag("NotThisTransport", refused))
      // 2025-11-25, "Backwards Compatibility": a POST that is answered with 400, 404 or 405 may have met a server of 2024.
      const carryBySse = (first: NotThisTransport) =>
        sse.carry(message).pipe(
          Effect.catchTag("NotThisTransport", (second) => {
            const detail = `${first.detail}. It is no SSE server either: ${second.detail}`
            return refused(new NotThisTransport({ ...first, detail }))
          })
        )
      return http
        .carry(message)
        .pipe(Effect.catchTag("NotThisTransport", (first) => (transport === http ? refused(first) : carryBySse(first))))
    }

    // ---- The link --------------------------------------------------------------------------------------------

    /** Keeps the order of the wire where it matters; requests go side by side. */
    const dispatch = (message: Outgoing): Effect.Effect<void> => {
      const isInitialize = message.method === "initialize"
      const isCancellation = message.method === "notifications/cancelled"
      const isNotification = message.head?.kind === "notification"
      const before = isInitialize || isCancellation || message.head?.kind === "response" ? undefined : last
      if (isInitialize || (isNotification && !isCancellation)) last = message
      if (message.isAnswered) notices.add(message)
      const carried = Effect.suspend(() => {
        message.isSent = true
        return carry(message)
      })
      const patient = Effect.delay(
        Effect.sync(() => pass(message)),
        ORDER_PATIENCE
      ).pipe(Effect.andThen(Effect.never))
      const limited = isNotification ? Effect.raceFirst(carried, patient) : carried
      return (before === undefined ? limited : Effect.andThen(Deferred.await(before.passed), limited)).pipe(
        Effect.ensuring(
          Effect.sync(() => {
            notices.delete(message)
            flushed(message)
            pass(message)
          })
        )
      )
    }

    const start = (message: Outgoing, work: Effect.Effect<void>): boolean => {
      for (const key of message.keys) pending.set(key, message)
      backlog.add(message)
      backlogBytes += message.frame.length
      message.fiber = fork(work)
      if (backlogBytes >= BACKLOG_BYTES) isBehind = true
      return !isBehind
    }

    /** In the modern era the stream that closes is the message; in the legacy one the server is told. */
    const cancel = (message: Outgoing, cancelled: Outgoing): boolean => {
      if (!cancelled.isSent) {
        abandon(cancelled)
        return !isBehind
      }
      if (cancelled.modernVersion !== undefined) {
        abandon(cancelled)
        return cancelled.method === "subscriptions/listen" ? start(message, dispatch(message)) : !isBehind
      }
      const closed = Effect.delay(
        Effect.sync(() => abandon(cancelled)),
        CANCEL_GRACE
      )
      return start(message, Effect.andThen(dispatch(message), closed))
    }

    const send = (frame: Uint8Array): boolean => {
      if (isLost || isEnding) return true
      const message = new Outgoing(frame)
      if (repeats.size > 0) for (const key of message.keys) if (repeats.delete(key)) message.isRepeated = true
      if (message.method === "initialize") refusal = undefined
      if (message.method !== "notifications/cancelled") return start(message, dispatch(message))
      const id = rawAt(frame, ["params", "requestId"])
      const cancelled = id === undefined ? undefined : pending.get(idKey(id))
      return cancelled === undefined ? start(message, dispatch(message)) : cancel(message, cancelled)
    }

    const close = yield* Effect.cached(
      Effect.gen(function* () {
        isEnding = true
        const waiting = [...notices].map(({ passed }) => Deferred.await(passed))
        yield* Effect.all(waiting, { concurrency: "unbounded" }).pipe(
          Effect.andThen(transport === undefined ? Effect.void : transport.close),
          Effect.timeoutOption(END_PATIENCE)
        )
        const detail = `the session with ${address.name} was ended`
        const error = new UpstreamLost({ url: address.name, reason: "Unreachable", detail })
        Deferred.doneUnsafe(ended, Exit.fail(error))
      })
    )
    yield* Effect.addFinalizer(() => close)

    const link: FrameLink = {
      listen: (listener) => {
        frames = listener
      },
      send,
      pause: client.pause,
      resume: client.resume,
      end: () => {
        isEnding = true
        fork(close)
      }
    }
    return Upstream.of({
      link,
      name: address.name,
      watch: (listener) => {
        watcher = listener
      },
      reject: () => {
        if (!isLost && !isEnding) transport?.reject(refusal ?? `${address.name} did not begin a new session`)
      },
      exited: Deferred.await(ended)
    })
  })

/**
 * A server over HTTP: Streamable HTTP (2025-03-26 to 2026-07-28), HTTP with SSE of 2024-11-05, or whichever of the two it
 * turns out to speak. It connects with the first message. If one request goes wrong, that one gets an error response.
 * Fails if the URL is not valid.
 *
 * @example
 * import { Layer } from "effect"
 * import { type HttpUpstream, layerTokenStoreFile, layerUpstreamHttp, layerUpstreamOAuth } from "mcp-gen-ui"
 *
 * const layerServer = (server: HttpUpstream) =>
 *   layerUpstreamHttp({ ...server, maxMessageBytes: 50_000_000 }).pipe(
 *     Layer.provide(layerUpstreamOAuth({ url: server.url }).pipe(Layer.provide(layerTokenStoreFile())))
 *   )
 */
export const layer = (
  options: UpstreamHttpOptions
): Layer.Layer<Upstream, UpstreamUnavailable, UpstreamAuthorization> => Layer.effect(Upstream, make(options))
