import { Duration, Effect, FiberHandle } from "effect"
import { idKey, readHead } from "../../domain/wire/Frame.ts"
import { type HandshakeStep, LegacyHandshake } from "../../domain/session/LegacyHandshake.ts"
import { type RequestFailed, unanswered } from "../../domain/wire/RequestFailed.ts"
import { rawAt, stringAt } from "../../domain/wire/Rewrites.ts"
import type { FrameLink, FrameListener } from "../../services/host/FrameLink.ts"
import type { Upstream, UpstreamExited, UpstreamLost } from "../../services/upstream/Upstream.ts"
import { type ServerRequests, ServerSilent } from "./ServerRequests.ts"

interface ServerSessionListener extends FrameListener {
  /**
   * The server is gone. It answers no request any more; those with the keys in `resent` (`idKey`) go to the next one.
   */
  readonly lost: (error: UpstreamExited | UpstreamLost, resent: ReadonlySet<string>) => void
  /** A request could not be kept until the server is back. */
  readonly refused: (id: string, error: RequestFailed) => void
  /**
   * The server is back and knows the host again; `greeting` is its answer to `initialize`, in the legacy era. Returns
   * what else to send to it before anything that waited.
   */
  readonly restored: (greeting: Uint8Array | undefined) => ReadonlyArray<Uint8Array>
}

/**
 * The server as the session sees it: one conversation that goes on when the server is started again. While the server
 * is away, frames wait, within bounds. When it is back, we tell it what the host told the one before.
 */
export interface ServerSession extends Omit<FrameLink, "listen"> {
  /** What the host told the server so far; `hostFrames` and `serverFrames` keep it up. */
  readonly handshake: LegacyHandshake
  /** Starts reading. Called once. */
  readonly listen: (listener: ServerSessionListener) => void
  /** Takes back a request that still waits; `false` if none has this key (`idKey`). */
  readonly withdraw: (key: string) => boolean
  /** As `Upstream.exited`. */
  readonly exited: Effect.Effect<never, UpstreamExited | UpstreamLost>
}

/** Bytes of frames that are kept for a server that is away. */
const MAX_HELD_BYTES = 16_777_216
/** A request waits so long for a server that is away. If the server cannot be back by then, it fails at once. */
const HOLD_MS = 5000
/** A server that was started again has this long for each answer to what we tell it, such as `initialize`. */
const GREETING = Duration.seconds(10)

const requestKeys = (frames: ReadonlyArray<Uint8Array>): ReadonlySet<string> =>
  new Set(
    frames.flatMap((frame) => {
      const head = readHead(frame)
      return head?.kind === "request" ? [idKey(head.id)] : []
    })
  )

export const makeServerSession = Effect.fnUntraced(function* (upstream: Upstream["Service"], requests: ServerRequests) {
  const { exited, link, reject, watch } = upstream
  const greeting = yield* FiberHandle.make<void>()
  const waiting = yield* FiberHandle.make<void>()
  const forkGreeting = yield* FiberHandle.runtime(greeting)<never>()
  const forkWaiting = yield* FiberHandle.runtime(waiting)<never>()
  const log = Effect.runForkWith(yield* Effect.context<never>())
  const handshake = new LegacyHandshake()

  /** `greeting`: the server takes frames again, and we tell it who the host is. */
  let state: "here" | "away" | "greeting" = "here"
  let reason = ""
  /** Why we let the restarted server go. */
  let rejection: string | undefined
  let isWaitedFor = true
  let steps: ReadonlyArray<HandshakeStep> = []
  let held: Array<Uint8Array> = []
  let heldBytes = 0
  let router: ServerSessionListener | undefined

  const hold = (frame: Uint8Array): void => {
    const head = readHead(frame)
    const isRequest = head?.kind === "request"
    if (heldBytes + frame.length <= MAX_HELD_BYTES && (isWaitedFor || !isRequest)) {
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

  const stopWaiting = Effect.sync(() => {
    isWaitedFor = false
    for (const frame of takeHeld()) hold(frame)
  })

  const release = (answer: Uint8Array | undefined): void => {
    state = "here"
    rejection = undefined
    isWaitedFor = true
    forkWaiting(Effect.void)
    for (const frame of [...(router?.restored(answer) ?? []), ...takeHeld()]) link.send(frame)
  }

  /** Tells a server that knows nothing what the host told the one before; fails if it does not listen. */
  const greet = Effect.gen(function* () {
    let first: Uint8Array | undefined
    for (const step of steps) {
      if (step.kind === "notification") {
        link.send(step.frame)
        continue
      }
      const silent = new ServerSilent({ method: step.method, detail: "it does not answer" })
      const reply = yield* requests
        .ask(step.method, step.params)
        .pipe(Effect.timeoutOrElse({ duration: GREETING, orElse: () => Effect.fail(silent) }))
      const refusal = stringAt(reply, ["error", "message"])
      if (step.method === "initialize") {
        if (rawAt(reply, ["error"]) !== undefined) {
          return yield* new ServerSilent({ method: step.method, detail: refusal ?? "it refuses" })
        }
        first = reply
      } else if (refusal !== undefined) {
        yield* Effect.logWarning(`the server, started again, does not take ${step.method}: ${refusal}`)
      }
    }
    yield* Effect.logInfo("the server is back")
    release(first)
  }).pipe(
    Effect.catchTag("ServerSilent", ({ detail, method }) =>
      Effect.sync(() => {
        // Lost once more in the meantime: that has its own next try.
        if (state !== "greeting") return
        rejection = `the server, started again, does not take ${method}: ${detail}`
        state = "away"
        reject()
      })
    ),
    Effect.annotateLogs({ component: "session" })
  )

  watch({
    lost: (error, retryInMs, unsent) => {
      if (state === "here") {
        steps = handshake.steps()
        forkWaiting(Effect.andThen(Effect.sleep(HOLD_MS), stopWaiting))
      }
      state = "away"
      isWaitedFor &&= retryInMs <= HOLD_MS
      reason = rejection ?? error.message
      const frames = [...unsent, ...takeHeld()]
      router?.lost(error, isWaitedFor ? requestKeys(frames) : new Set())
      for (const frame of frames) hold(frame)
      requests.onLost(error.message)
      const when = retryInMs === 0 ? "now" : `in ${retryInMs / 1000} s`
      log(
        Effect.logWarning(`${reason.replace(/\.?$/, ".")} It is started again ${when}.`).pipe(
          Effect.annotateLogs({ component: "session" })
        )
      )
    },
    restored: () => {
      state = "greeting"
      requests.onRestored()
      forkGreeting(greet)
    }
  })

  return {
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
    withdraw: (key) => {
      const index = held.findIndex((frame) => {
        const head = readHead(frame)
        return head?.kind === "request" && idKey(head.id) === key
      })
      if (index < 0) return false
      for (const frame of held.splice(index, 1)) heldBytes -= frame.length
      return true
    },
    pause: link.pause,
    resume: link.resume,
    end: link.end,
    exited
  } satisfies ServerSession
})
