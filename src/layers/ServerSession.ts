import { Duration, Effect, FiberHandle, Layer, Option } from "effect"
import { idKey, readHead } from "../domain/wire/Frame.ts"
import { LegacyHandshake } from "../domain/wire/LegacyHandshake.ts"
import { unanswered } from "../domain/wire/RequestFailed.ts"
import { rawAt } from "../domain/wire/Rewrites.ts"
import { ServerRequests } from "../services/ServerRequests.ts"
import { ServerSession, type ServerSessionListener } from "../services/ServerSession.ts"
import { Upstream } from "../services/Upstream.ts"

/** What is kept for a server that is away. */
const MAX_HELD_BYTES = 16_777_216
/** A server that will not be back within this time is not waited for: its requests fail at once. */
const HOLD_MS = 2000
/** A server that was started again has this long for each answer of the handshake. */
const GREETING = Duration.seconds(30)

/** Of several frames, the requests' keys. */
const requestKeys = (frames: ReadonlyArray<Uint8Array>): ReadonlySet<string> =>
  new Set(
    frames.flatMap((frame) => {
      const head = readHead(frame)
      return head?.kind === "request" ? [idKey(head.id)] : []
    })
  )

export const layer: Layer.Layer<ServerSession, never, Upstream | ServerRequests> = Layer.effect(
  ServerSession,
  Effect.gen(function* () {
    const { exited, link, watch } = yield* Upstream
    const requests = yield* ServerRequests
    const greeting = yield* FiberHandle.make<void>()
    const fork = yield* FiberHandle.runtime(greeting)<never>()
    const log = Effect.runForkWith(yield* Effect.context<never>())
    const handshake = new LegacyHandshake()

    /** `greeting`: it takes frames again, and is being told who the host is. */
    let state: "here" | "away" | "greeting" = "here"
    let reason = ""
    let isBackSoon = true
    let held: Array<Uint8Array> = []
    let heldBytes = 0
    let router: ServerSessionListener | undefined

    const hold = (frame: Uint8Array): void => {
      const head = readHead(frame)
      const isRequest = head?.kind === "request"
      if (heldBytes + frame.length <= MAX_HELD_BYTES && (isBackSoon || !isRequest)) {
        held.push(frame.slice())
        heldBytes += frame.length
      } else if (isRequest) router?.refused(head.id, unanswered(head.method, "UPSTREAM_EXITED", reason))
    }

    const takeHeld = (): ReadonlyArray<Uint8Array> => {
      const frames = held
      held = []
      heldBytes = 0
      return frames
    }

    const release = Effect.sync(() => {
      if (state !== "greeting") return
      state = "here"
      for (const frame of [...(router?.restored() ?? []), ...takeHeld()]) link.send(frame)
    })

    const greet = Effect.gen(function* () {
      for (const step of handshake.steps()) {
        if (step.kind === "notification") {
          link.send(step.frame)
          continue
        }
        const reply = yield* requests.ask(step.method, step.params).pipe(Effect.timeoutOption(GREETING))
        const isRefused = Option.isNone(reply) || rawAt(reply.value, ["error"]) !== undefined
        if (isRefused) yield* Effect.logWarning(`the server, started again, does not take ${step.method}`)
      }
      yield* Effect.logInfo("the server is back")
    }).pipe(
      Effect.catchTag("ServerSilent", (error) => Effect.logWarning(error.message)),
      Effect.ensuring(release),
      Effect.annotateLogs({ component: "session" })
    )

    watch({
      lost: (error, retryInMs, unsent) => {
        state = "away"
        isBackSoon = retryInMs <= HOLD_MS
        reason = error.message
        const waiting = [...unsent, ...takeHeld()]
        router?.lost(error, isBackSoon ? requestKeys(waiting) : new Set())
        for (const frame of waiting) hold(frame)
        requests.onLost(error.message)
        const when = retryInMs === 0 ? "now" : `in ${retryInMs / 1000} s`
        log(
          Effect.logWarning(`${error.message} It is started again ${when}.`).pipe(
            Effect.annotateLogs({ component: "session" })
          )
        )
      },
      restored: () => {
        state = "greeting"
        requests.onRestored()
        fork(greet)
      }
    })

    return ServerSession.of({
      handshake,
      listen: (listener) => {
        router = listener
        link.listen(listener)
      },
      send: (frame, about) => {
        if (state === "here") return link.send(frame, about)
        hold(frame)
        return true
      },
      pause: link.pause,
      resume: link.resume,
      end: link.end,
      exited
    })
  })
)
