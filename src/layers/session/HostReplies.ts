import { Duration, Effect, Fiber, FiberMap, Latch, Layer, Option, Semaphore } from "effect"
import { randomUUID } from "node:crypto"
import { idKey, resultFrame } from "../../domain/wire/Frame.ts"
import { progressFrame } from "../../domain/session/ProgressToken.ts"
import { INTERNAL_ERROR, RequestFailed } from "../../domain/wire/RequestFailed.ts"
import { type GenerationProgress, ProgressListener } from "../../services/generation/GenerationProgress.ts"
import { HostConnection } from "../../services/host/HostConnection.ts"
import { HostReplies, type ProgressWish } from "../../services/session/HostReplies.ts"
import { RequestId } from "../../services/session/RequestId.ts"
import { ServerSession } from "../../services/session/ServerSession.ts"

/** Results that are printed at one time. */
const MAX_PRINTING = 4
/** Requests that may wait for an answer of ours before no more are read. */
const MAX_WAITING = 1000

/** Between two reports of progress. */
const REPORT_PAUSE = Duration.millis(250)

/** What a person reads who waits for the UI of a tool. */
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

/** A function: to check the first of such errors takes milliseconds, which no start should. */
const failed = () =>
  new RequestFailed({
    code: INTERNAL_ERROR,
    detail: "mcp-gen-ui failed to answer; its log has the details",
    data: { errorType: "INTERNAL", fallbackUsed: false, retryable: true }
  })

export const layer: Layer.Layer<HostReplies, never, HostConnection | ServerSession> = Layer.effect(
  HostReplies,
  Effect.gen(function* () {
    const host = yield* HostConnection
    const server = yield* ServerSession
    const fibers = yield* FiberMap.make<string, void, never>()
    /** Under which names in `fibers` something runs for a request, by `idKey`. */
    const running = new Map<string, Set<string>>()
    const fork = yield* FiberMap.runtime(fibers)<never>()
    const hostReads = yield* Latch.make(true)
    const printing = yield* Semaphore.make(MAX_PRINTING)
    let waiting = 0

    // Reading goes on from a host that does not read: whoever is paused hears less of its peer.
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

    /** Tells the host how far the generation is that `work` waits for; all that was told stands before the answer. */
    const reporting = Effect.fnUntraced(function* <A, E>(
      id: string,
      { token, toolName }: ProgressWish,
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
      const names = running.get(key) ?? new Set<string>()
      running.set(key, names)
      // A host that uses an id twice at a time gets both answers, and work may go on in a fiber that other work starts.
      const name = names.size === 0 ? key : `${key} ${randomUUID()}`
      names.add(name)
      fork(name, work).addObserver(() => {
        names.delete(name)
        if (names.size === 0) running.delete(key)
      })
    }

    return HostReplies.of({
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
      answer: ({ id, method }, work, wish) => {
        const requestId = randomUUID()
        waiting += 1
        const answered = (wish === undefined ? work : reporting(id, wish, work)).pipe(
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
      besides: (name, work) => void fork(`besides ${name}`, work),
      cancel: (key) => {
        const names = [...(running.get(key) ?? [])]
        for (const name of names) {
          const fiber = FiberMap.getUnsafe(fibers, name)
          if (Option.isSome(fiber)) fiber.value.interruptUnsafe()
        }
        return names.length > 0
      },
      done: FiberMap.awaitEmpty(fibers)
    })
  })
)
