import { Duration, Effect, Fiber, FiberSet, Latch, Semaphore } from "effect"
import { randomUUID } from "node:crypto"
import { type FrameHead, idKey, resultFrame } from "../../domain/wire/Frame.ts"
import { progressFrame } from "../../domain/session/ProgressToken.ts"
import { INTERNAL_ERROR, RequestFailed } from "../../domain/wire/RequestFailed.ts"
import { type GenerationProgress, ProgressListener } from "../../services/generation/GenerationProgress.ts"
import type { LongFrame } from "../../domain/wire/LongFrame.ts"
import type { FrameLink } from "../../services/host/FrameLink.ts"
import { RequestId } from "../../services/session/RequestId.ts"

type Request = Extract<FrameHead, { kind: "request" }>

/** A host wants to hear how far an answer of ours is (MCP specification, "Progress"). */
export interface ProgressAsked {
  /** The request's progress token, JSON text. */
  readonly token: string
  /** The tool whose UI is read or changed. */
  readonly toolName: string
}

/**
 * Sends the server's frames to the host at once, and our own answers when they are made and the host takes them. Each of
 * our answers is a fiber under its request's id, and ends with the session.
 */
export interface HostReplies {
  /** As `FrameLink.send`. While the host is behind, our answers wait and the server is not read. */
  readonly send: (frame: Uint8Array, about?: string) => void
  /** The same for a message in pieces; `false` where the host's link cannot send one in this way. */
  readonly sendLong: (frame: LongFrame) => boolean
  /** The host has caught up. */
  readonly drained: () => void
  readonly refuse: (id: string, error: RequestFailed) => void
  /**
   * Makes an answer. `work` prepares it and gives an effect that makes the result. That effect runs only when the host is
   * ready to take the result, which may be large. The host is not read while too many answers are being made. With
   * `progress` the host hears of the generation in `notifications/progress`: at once, then a few times a second.
   */
  readonly answer: (
    request: Request,
    work: Effect.Effect<Effect.Effect<unknown>, RequestFailed>,
    progress?: ProgressAsked
  ) => void
  /** Runs something for a request (its id as JSON text), so that it can be cancelled with it. */
  readonly later: (id: string, work: Effect.Effect<void>) => void
  /** Runs something else that the end of the session waits for. */
  readonly besides: (work: Effect.Effect<void>) => void
  /** Interrupts what runs for a request (`idKey`); `false` if nothing does. */
  readonly cancel: (key: string) => boolean
  /** Waits until nothing runs any more. */
  readonly done: Effect.Effect<void>
}

/** So many results are printed at a time. */
const MAX_PRINTING = 4
/** Requests that may wait for an answer of ours before no more are read. */
const MAX_WAITING = 1000

/** Between two reports of progress. */
const REPORT_PAUSE = Duration.millis(250)

/** For a person who waits for the UI of a tool. */
const messageOf = ({ attempts, characters, stage }: GenerationProgress, toolName: string): string => {
  switch (stage) {
    case "queued":
      return "Waiting for a free place"
    case "asking":
      return attempts > 1 ? `Asking the model again (request ${attempts})` : "Asking the model"
    case "writing":
      return `Writing the UI of ${toolName}: ${characters.toLocaleString("en")} characters`
    case "checking":
      return "Checking"
    case "repairing":
      return "Asking for a corrected answer"
  }
}

/** A function, because making the first such error takes milliseconds that the start has no time for. */
const failed = () =>
  new RequestFailed({
    code: INTERNAL_ERROR,
    detail: "mcp-gen-ui failed to answer; its log has the details",
    data: { errorType: "INTERNAL", fallbackUsed: false, retryable: true }
  })

export const makeHostReplies = Effect.fnUntraced(function* (
  host: FrameLink,
  server: Pick<FrameLink, "pause" | "resume">
) {
  const fibers = yield* FiberSet.make<void, never>()
  const fork = yield* FiberSet.runtime(fibers)<never>()
  /** What runs for a request, by `idKey`. A host may use an id twice at a time, and work may start other work. */
  const running = new Map<string, Set<Fiber.Fiber<void>>>()
  const hostReads = yield* Latch.make(true)
  const printing = yield* Semaphore.make(MAX_PRINTING)
  let waiting = 0

  // Keep reading from a host that is behind: pausing would hide its exit.
  const holdBack = (): void => {
    hostReads.closeUnsafe()
    server.pause()
  }

  const send = (frame: Uint8Array, about?: string): void => {
    if (!host.send(frame, about)) holdBack()
  }

  const deliver = Effect.fnUntraced(function* (id: string, print: Effect.Effect<unknown>) {
    yield* hostReads.await
    send(resultFrame(id, yield* print))
  }, printing.withPermit)

  /** Tells the host how far the generation is that `work` waits for, until `work` is done. */
  const reporting = Effect.fnUntraced(function* <A, E>(
    id: string,
    { token, toolName }: ProgressAsked,
    work: Effect.Effect<A, E>
  ) {
    const isNews = yield* Latch.make(false)
    let latest: GenerationProgress | undefined
    let told = -1
    let said = ""
    const report = Effect.gen(function* () {
      yield* isNews.await
      yield* hostReads.await
      isNews.closeUnsafe()
      const message = latest === undefined ? said : messageOf(latest, toolName)
      if (latest === undefined || message === said) return
      said = message
      told = Math.max(told + 1, latest.characters)
      send(progressFrame(token, told, message), id)
      yield* Effect.sleep(REPORT_PAUSE)
    })
    const reports = yield* Effect.forkChild(Effect.forever(report))
    const listener = (progress: GenerationProgress): void => {
      latest = progress
      isNews.openUnsafe()
    }
    return yield* work.pipe(
      Effect.provideService(ProgressListener, listener),
      Effect.ensuring(Fiber.interrupt(reports))
    )
  })

  const later = (id: string, work: Effect.Effect<void>): void => {
    const key = idKey(id)
    const fiber = fork(work)
    const together = (running.get(key) ?? new Set()).add(fiber)
    running.set(key, together)
    fiber.addObserver(() => {
      together.delete(fiber)
      if (together.size === 0 && running.get(key) === together) running.delete(key)
    })
  }

  return {
    send,
    sendLong: (frame) => {
      if (host.sendLong === undefined) return false
      if (!host.sendLong(frame)) holdBack()
      return true
    },
    drained: () => {
      hostReads.openUnsafe()
      server.resume()
    },
    refuse: (id, error) => send(error.frame(id, randomUUID())),
    answer: ({ id, method }, work, progress) => {
      const requestId = randomUUID()
      waiting += 1
      const answered = (progress === undefined ? work : reporting(id, progress, work)).pipe(
        Effect.flatMap((print) => deliver(id, print)),
        Effect.catchTag("RequestFailed", (error) => Effect.sync(() => send(error.frame(id, requestId)))),
        Effect.catchDefect((defect) =>
          Effect.andThen(
            Effect.logError("request failed", defect),
            Effect.sync(() => send(failed().frame(id, requestId)))
          )
        ),
        Effect.ensuring(
          Effect.sync(() => {
            waiting -= 1
            if (waiting === MAX_WAITING >> 1) host.resume()
          })
        ),
        Effect.annotateLogs({ requestId, method }),
        Effect.provideService(RequestId, requestId)
      )
      later(id, answered)
      if (waiting > MAX_WAITING) host.pause()
    },
    later,
    besides: (work) => void fork(work),
    cancel: (key) => {
      const all = [...(running.get(key) ?? [])]
      for (const fiber of all) fiber.interruptUnsafe()
      return all.length > 0
    },
    done: FiberSet.awaitEmpty(fibers)
  } satisfies HostReplies
})
