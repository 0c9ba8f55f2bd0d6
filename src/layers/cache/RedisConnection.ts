import { Deferred, Duration, Effect, Layer, Redacted, Schedule } from "effect"
import { openRedisSession, redisAddress, redisErrorCode, type RedisSession } from "../../adapters/cache/redisSession.ts"
import { joinedWithin } from "../../adapters/platform/joinedWithin.ts"
import {
  RedisConnection,
  RedisPatience,
  RedisUnavailable,
  RedisUrlRejected
} from "../../services/cache/RedisConnection.ts"

/** How long a command waits for its answer (milliseconds). */
const PATIENCE_MS = 250
/**
 * After this long without an answer, a connection is closed, and so is one that is still opening. Together with the
 * pause between two renewals it must be shorter than a lock lives.
 */
const SILENCE_MS = 3000
/** Between two attempts to connect. */
const FIRST_PAUSE = Duration.millis(100)
const PAUSES = Schedule.min([Schedule.exponential(FIRST_PAUSE), Schedule.spaced("5 seconds")])

/**
 * Connects in the background, and again whenever the connection ends, with pauses that grow to five seconds. Without a
 * connection, commands fail at once. After a command without patience got no answer in time, other such commands fail
 * at once too, until Redis answers in time again. An outage is logged when it begins and when it is over.
 */
export const layer = (options: {
  readonly url: Redacted.Redacted
  readonly patienceMs?: number | undefined
  readonly silenceMs?: number | undefined
}): Layer.Layer<RedisConnection, RedisUrlRejected> =>
  Layer.effect(
    RedisConnection,
    Effect.gen(function* () {
      const { patienceMs = PATIENCE_MS, silenceMs = SILENCE_MS, url } = options
      const address = redisAddress(Redacted.value(url))
      if (address === undefined) return yield* new RedisUrlRejected()

      const scope = yield* Effect.scope
      const started = yield* Deferred.make<void>()
      const listeners = new Set<Effect.Effect<void>>()
      const told = new Set<string>()
      let connected: RedisSession | undefined
      /** The same; `undefined` while it is slow. */
      let answering: RedisSession | undefined
      let connections = 0
      let isOutageTold = false

      const annotated = Effect.annotateLogs({ component: "redis", redis: address })

      const noteAway = (code: string) =>
        Effect.suspend(() => {
          answering = undefined
          if (isOutageTold) return Effect.void
          isOutageTold = true
          return Effect.logWarning("Redis is away: UIs are kept in memory until it is back").pipe(
            Effect.annotateLogs({ code }),
            annotated
          )
        })

      const noteThere = (session: RedisSession) =>
        Effect.gen(function* () {
          connected = session
          answering = session
          yield* (isOutageTold ? Effect.logInfo("Redis is back") : Effect.logDebug("Redis is there")).pipe(annotated)
          isOutageTold = false
          yield* Effect.forEach(listeners, (work) => Effect.forkIn(work, scope), { discard: true })
        })

      /** Runs in its own fiber: a command that was sent cannot be taken back. */
      const ask = (session: RedisSession, command: ReadonlyArray<string>, patienceMs: number) =>
        Effect.tryPromise({ try: () => session.send(command), catch: redisErrorCode }).pipe(
          Effect.forkDetach({ startImmediately: true }),
          Effect.flatMap((fiber) => joinedWithin(fiber, Duration.millis(patienceMs), Effect.fail("NO_ANSWER")))
        )

      /** Redis answers commands in order, so the reply to this one says that it has caught up. */
      const awaitAnswer = (session: RedisSession) =>
        Effect.timed(ask(session, ["PING"], silenceMs)).pipe(
          Effect.repeat({
            until: ([waited]) => Duration.toMillis(waited) <= patienceMs,
            schedule: Schedule.spaced(Duration.millis(patienceMs))
          }),
          Effect.andThen(noteThere(session)),
          Effect.catch(() => Effect.sync(session.end))
        )

      const noteSilence = (session: RedisSession) =>
        Effect.suspend(() =>
          answering === session
            ? Effect.andThen(noteAway("NO_ANSWER"), Effect.forkIn(awaitAnswer(session), scope))
            : Effect.void
        )

      const noteRefusal = (command: string, code: string) =>
        Effect.suspend(() => {
          const what = `${command} ${code}`
          if (told.has(what)) return Effect.void
          told.add(what)
          return Effect.logWarning("Redis did not carry out a command").pipe(
            Effect.annotateLogs({ command, code }),
            annotated
          )
        })

      const send = Effect.fnUntraced(function* (command: ReadonlyArray<string>) {
        yield* Deferred.await(started)
        const isPatient = yield* RedisPatience
        const session = isPatient ? connected : answering
        if (session === undefined) return yield* new RedisUnavailable({ code: "AWAY" })
        return yield* ask(session, command, isPatient ? silenceMs : patienceMs).pipe(
          Effect.tapError((code) => {
            if (code !== "NO_ANSWER") {
              return connected === session ? noteRefusal(command[0] ?? "", code) : Effect.void
            }
            return isPatient ? Effect.andThen(noteAway(code), Effect.sync(session.end)) : noteSilence(session)
          }),
          Effect.mapError((code) => new RedisUnavailable({ code }))
        )
      })

      const open = Effect.tryPromise({
        try: (signal) => openRedisSession(Redacted.value(url), signal),
        catch: redisErrorCode
      }).pipe(Effect.timeoutOrElse({ duration: Duration.millis(silenceMs), orElse: () => Effect.fail("NO_ANSWER") }))

      /** Succeeds with the reason when the connection has ended. */
      const connectOnce = Effect.uninterruptibleMask((restore) =>
        Effect.gen(function* () {
          const session = yield* restore(open)
          connections += 1
          yield* noteThere(session)
          yield* Deferred.succeed(started, undefined)
          return yield* restore(Effect.promise(() => session.ended)).pipe(Effect.ensuring(Effect.sync(session.end)))
        })
      )

      const noteEnd = (code: string) =>
        Effect.suspend(() => {
          connected = undefined
          return Effect.andThen(noteAway(code), Deferred.succeed(started, undefined))
        })

      const stayConnected = connectOnce.pipe(
        Effect.tapError(noteEnd),
        Effect.retry(Schedule.jittered(PAUSES)),
        Effect.flatMap(noteEnd),
        Effect.repeat(Schedule.jittered(Schedule.spaced(FIRST_PAUSE)))
      )

      yield* Effect.forkScoped(stayConnected)

      return RedisConnection.of({
        send,
        connections: () => connections,
        whenThere: (work) =>
          Effect.acquireRelease(
            Effect.sync(() => void listeners.add(work)),
            () => Effect.sync(() => void listeners.delete(work))
          )
      })
    })
  )
