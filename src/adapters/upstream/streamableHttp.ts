import { Clock, Deferred, Effect, Exit, FiberSet, type Scope } from "effect"
import { EnvelopeHeaders } from "../../domain/wire/EnvelopeHeaders.ts"
import { readHead } from "../../domain/wire/Frame.ts"
import { mediaTypeOf } from "../../domain/wire/HttpHeaders.ts"
import { isModernError } from "../../domain/upstream/eras/Eras.ts"
import { HEADER_MISMATCH } from "../../domain/wire/RequestFailed.ts"
import { decodedAt, stringAt } from "../../domain/wire/Rewrites.ts"
import { UpstreamLost } from "../../services/upstream/Upstream.ts"
import type { HttpAnswer, HttpFailed } from "./httpClient.ts"
import {
  errorFor,
  errorIn,
  isSessionGone,
  makeUpstreamSession,
  namesNoRequest,
  OwnRefusals,
  type UpstreamSession
} from "./upstreamSession.ts"
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
import { askToolList } from "./askToolList.ts"
import { makeBackoff } from "./backoff.ts"
import type { Outgoing } from "./Outgoing.ts"
import { readEventStream, type Reading } from "./readEventStream.ts"
import { makeUpstreamStreams } from "./upstreamStreams.ts"

const ACCEPT = `application/json, ${EVENT_STREAM}`
/** When a session is found gone, other requests may be refused just now for the same reason. */
const EXPIRY_GRACE_MS = 250

const isJson = (answer: HttpAnswer): boolean => {
  const type = mediaTypeOf(answer.header("content-type"))
  return type === "application/json" || type?.endsWith("+json") === true
}

/**
 * Streamable HTTP (MCP 2025-03-26 to 2025-11-25, and 2026-07-28): each message is a POST, what belongs to a request
 * comes in its answer, and in the legacy era a GET stream carries the rest.
 */
export const makeStreamableHttp = (
  peer: UpstreamPeer,
  listener: TransportListener,
  options: UpstreamTransportOptions
): Effect.Effect<UpstreamTransport, never, Scope.Scope> =>
  Effect.gen(function* () {
    const fork = yield* FiberSet.makeRuntime<never, void>()
    const clock = yield* Clock.Clock
    const envelopes = new EnvelopeHeaders()
    const refusals = new OwnRefusals()
    const backoff = yield* makeBackoff(options.reconnectDelayMs, options.maxReconnectDelayMs)
    /** From the end of a session until the next may begin. */
    let isAway = false
    let session: UpstreamSession | undefined
    let modernVersion: string | undefined

    // ---- Headers ---------------------------------------------------------------------------------------------

    const sessionHeaders = (of: UpstreamSession | undefined): Readonly<Record<string, string>> => {
      const version = of === undefined ? modernVersion : of.version
      return {
        ...(of?.id === undefined ? {} : { "Mcp-Session-Id": of.id }),
        ...(version === undefined ? {} : { "MCP-Protocol-Version": version })
      }
    }

    const headersOf = (message: Outgoing, of: UpstreamSession | undefined): Readonly<Record<string, string>> => {
      const headers = { "Content-Type": "application/json", Accept: ACCEPT }
      if (message.method === "initialize") return headers
      if (message.modernVersion === undefined || message.about === undefined || message.method === undefined) {
        return { ...headers, ...sessionHeaders(of) }
      }
      return { ...headers, ...envelopes.of(message.frame, message.method, message.modernVersion) }
    }

    // ---- What the server says --------------------------------------------------------------------------------

    const learn = (message: Outgoing, frame: Uint8Array): void => {
      if (message.method === "initialize") {
        const version = stringAt(frame, ["result", "protocolVersion"])
        if (session !== undefined && version !== undefined) session.version = version
      } else if (message.method === "tools/list" && message.modernVersion !== undefined) {
        envelopes.onToolList(decodedAt(frame, ["result"]))
      }
    }

    /** `isReplay`: the server may repeat answers that were heard, or that belong to other streams. */
    const deliver = (frame: Uint8Array, about: Outgoing | undefined, isReplay: boolean): void => {
      const id = answeredId(frame)
      const message = id === undefined ? undefined : listener.takeAnswer(id)
      if (id !== undefined && message === undefined && isReplay) return
      if (message !== undefined) learn(message, frame)
      listener.frame(frame, message === undefined ? about?.about : (message.about ?? id))
    }

    const readStream = (answer: HttpAnswer, about: Outgoing | undefined, before?: Reading): Effect.Effect<Reading> => {
      const reader = {
        frame: (frame: Uint8Array) => deliver(frame, about, before !== undefined),
        oversized: listener.oversized,
        isDone: () => about?.isAnswered === true,
        maxMessageBytes: options.maxMessageBytes
      }
      return readEventStream(peer, answer, reader, before)
    }

    const readJson = (answer: HttpAnswer, message: Outgoing) =>
      Effect.map(peer.client.readAll(answer, options.maxMessageBytes), (body) => {
        for (const frame of framesIn(body)) if (readHead(frame) !== undefined) deliver(frame, message, false)
        if (message.isAnswered) return
        const detail = `${peer.describe(answer, body)} (this is no answer to the request)`
        listener.failed(message, { errorType: "UPSTREAM_REFUSED", detail, retryable: false })
      })

    // ---- Sessions --------------------------------------------------------------------------------------------

    const release = (of: UpstreamSession | undefined, message: Outgoing): void => {
      if (of === undefined) return
      of.waiting.delete(message)
      if (of.isExpired && of.waiting.size === 0) Deferred.doneUnsafe(of.quiet, Exit.void)
    }

    /** The next session begins at once after a good one, else later each time. */
    const lose = (
      reason: UpstreamLost["reason"],
      detail: string,
      isGood: boolean,
      unsent: ReadonlyArray<Uint8Array>
    ): Effect.Effect<void> =>
      Effect.gen(function* () {
        const delay = yield* isGood ? Effect.as(backoff.reset, 0) : backoff.next
        listener.lost(new UpstreamLost({ url: peer.address.name, reason, detail }), delay, unsent)
        if (delay > 0) yield* Effect.sleep(delay)
        isAway = false
        listener.restored()
      })

    /** The server knows nothing of the session any more: it ended it, or was started anew. */
    const expire = (of: UpstreamSession, status: number): void => {
      if (of.isExpired) return
      of.isExpired = true
      isAway = true
      of.listening?.interruptUnsafe()
      if (of.waiting.size === 0) Deferred.doneUnsafe(of.quiet, Exit.void)
      fork(
        Effect.flatMap(Effect.timeoutOption(Deferred.await(of.quiet), EXPIRY_GRACE_MS), () => {
          if (session === of) session = undefined
          for (const message of of.sent) if (!of.unsent.has(message)) listener.abandon(message)
          const unsent = [...of.unsent].map((message) => message.frame)
          const isGood = of.hasAnswered || clock.currentTimeMillisUnsafe() - of.since >= GOOD_LIFE_MS
          const detail = `${peer.address.name} does not know the session any more (HTTP ${status}).`
          return lose("SessionExpired", detail, isGood, unsent)
        })
      )
    }

    const deleteSession = (of: UpstreamSession | undefined): Effect.Effect<void> => {
      of?.listening?.interruptUnsafe()
      if (of?.id === undefined || of.isExpired) return Effect.void
      return peer
        .call({ method: "DELETE", headers: sessionHeaders(of), isRepeatable: true }, () => Effect.void)
        .pipe(Effect.ignore)
    }

    const reject: UpstreamTransport["reject"] = (detail) => {
      if (isAway) return
      isAway = true
      const of = session
      session = undefined
      if (of !== undefined) {
        fork(deleteSession(of))
        of.isExpired = true
        for (const message of of.sent) listener.abandon(message)
      }
      fork(lose("Unreachable", `${detail}.`, false, []))
    }

    const enter = (answer: HttpAnswer): void => {
      const before = session
      session = makeUpstreamSession(answer.header("mcp-session-id"), clock.currentTimeMillisUnsafe())
      if (before !== undefined) fork(deleteSession(before))
    }

    const streams = makeUpstreamStreams({
      peer,
      options,
      clock,
      failed: listener.failed,
      sessionHeaders,
      readStream,
      isCurrent: (of) => session === of,
      expire
    })

    const startListening = (): void => {
      if (session !== undefined && session.listening === undefined) session.listening = fork(streams.listen(session))
    }

    // ---- Messages --------------------------------------------------------------------------------------------

    type Outcome =
      | { readonly kind: "done" }
      | { readonly kind: "mismatch"; readonly error: Uint8Array }
      | { readonly kind: "read"; readonly reading: Reading }
    const done: Outcome = { kind: "done" }

    const onTaken = (message: Outgoing, of: UpstreamSession | undefined, answer: HttpAnswer) => {
      if (message.method === "initialize") enter(answer)
      else if (of !== undefined) refusals.onTaken(message, of)
      listener.accepted(message)
      if (message.method === "notifications/initialized") startListening()
      if (message.isAnswered) return Effect.succeed(done)
      if (isEventStream(answer)) {
        return Effect.map(readStream(answer, message), (reading): Outcome => ({ kind: "read", reading }))
      }
      if (isJson(answer)) return Effect.as(readJson(answer, message), done)
      // Some servers accept a request so and answer it on the GET stream.
      if (answer.status === 202 || answer.status === 204) return Effect.succeed(done)
      return Effect.map(peer.errorBody(answer), (body) => {
        const type = answer.header("content-type") ?? "none"
        const detail = `${peer.describe(answer, body)} (content type ${type}, which is no MCP message)`
        listener.failed(message, { errorType: "UPSTREAM_REFUSED", detail, retryable: false })
        return done
      })
    }

    const onRefused = (
      message: Outgoing,
      of: UpstreamSession | undefined,
      answer: HttpAnswer
    ): Effect.Effect<Outcome, NotThisTransport> =>
      Effect.flatMap(peer.errorBody(answer), (body): Effect.Effect<Outcome, NotThisTransport> => {
        const { status } = answer
        const error = errorIn(body)
        if (isSessionGone(of, status, error)) {
          // What waits for no answer ends no session: whether it is gone, the next request will tell.
          if (message.isAnswered || refusals.onRefused(message, of)) {
            listener.failed(message, refusedBy(status, peer.describe(answer, body, "inSession")))
            return Effect.succeed(done)
          }
          if (message.about !== undefined) {
            message.isRefused = true
            of.unsent.add(message)
          }
          expire(of, status)
          return Effect.succeed(done)
        }
        const detail = peer.describe(answer, body)
        const named =
          error === undefined || message.about === undefined || !namesNoRequest(error)
            ? error
            : errorFor(error, message.about)
        // 2025-11-25, "Backwards Compatibility": so a server of 2024 answers, with or without a message of its own.
        const isOld =
          status === 404 || status === 405 || (status === 400 && (error === undefined || !isModernError(error)))
        if (session === undefined && isOld && (options.transport === "auto" || error === undefined)) {
          return Effect.fail(new NotThisTransport({ status, detail, answer: named }))
        }
        if (error !== undefined && named !== undefined && message.about !== undefined) {
          if (decodedAt(error, ["error", "code"]) === HEADER_MISMATCH) {
            return Effect.succeed({ kind: "mismatch", error: named })
          }
          deliver(named, message, false)
          if (message.isAnswered) return Effect.succeed(done)
        }
        listener.failed(message, refusedBy(status, detail))
        return Effect.succeed(done)
      })

    const post = (message: Outgoing, of: UpstreamSession | undefined) =>
      peer
        .call(
          {
            method: "POST",
            headers: headersOf(message, of),
            body: message.frame,
            isRepeatable: message.method !== "tools/call",
            onFlushed: () => listener.flushed(message)
          },
          (answer): Effect.Effect<Outcome, NotThisTransport | HttpFailed> => {
            if (!isOk(answer.status)) return onRefused(message, of, answer)
            release(of, message)
            return onTaken(message, of, answer)
          }
        )
        .pipe(Effect.ensuring(Effect.sync(() => release(of, message))))

    /** The headers did not fit: whether they do with the tools as they are now. */
    const relearn = (message: Outgoing) =>
      Effect.gen(function* () {
        const version = message.modernVersion
        if (message.method !== "tools/call" || version === undefined) return false
        const before = JSON.stringify(headersOf(message, undefined))
        const headers = { "Content-Type": "application/json", Accept: ACCEPT }
        const lists = yield* askToolList(
          peer,
          message.frame,
          (frame) => ({ ...headers, ...envelopes.of(frame, "tools/list", version) }),
          options.maxMessageBytes
        )
        for (const list of lists) envelopes.onToolList(list)
        return JSON.stringify(headersOf(message, undefined)) !== before
      })

    const carry: UpstreamTransport["carry"] = (message) =>
      Effect.gen(function* () {
        if (message.modernVersion !== undefined) modernVersion = message.modernVersion
        const of = message.method === "initialize" || message.modernVersion !== undefined ? undefined : session
        if (of?.isExpired === true) {
          if (message.about !== undefined) of.unsent.add(message)
          return
        }
        of?.sent.add(message)
        of?.waiting.add(message)
        let outcome = yield* post(message, of)
        if (outcome.kind === "mismatch" && (yield* relearn(message))) outcome = yield* post(message, of)
        if (outcome.kind === "mismatch") deliver(outcome.error, message, false)
        if (outcome.kind === "read" && !message.isAnswered) yield* streams.resume(message, of, outcome.reading)
        of?.sent.delete(message)
      }).pipe(
        Effect.catchTag(["HttpFailed", "UpstreamLost"], (error) =>
          Effect.sync(() => listener.failed(message, unansweredBy(error)))
        )
      )

    return { carry, reject, close: Effect.suspend(() => deleteSession(session)) }
  })
