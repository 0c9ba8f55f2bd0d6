import { Effect, FiberMap, Latch, Layer, Option, Semaphore } from "effect"
import { randomUUID } from "node:crypto"
import { idKey, resultFrame } from "../domain/wire/Frame.ts"
import { INTERNAL_ERROR, RequestFailed } from "../domain/wire/RequestFailed.ts"
import { HostConnection } from "../services/HostConnection.ts"
import { HostReplies } from "../services/HostReplies.ts"
import { RequestId } from "../services/RequestId.ts"
import { ServerSession } from "../services/ServerSession.ts"

/** Results that are printed at one time. */
const MAX_PRINTING = 4
/** Requests that may wait for an answer of ours before no more are read. */
const MAX_WAITING = 1000

const failed = new RequestFailed({
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
    const fork = yield* FiberMap.runtime(fibers)<never>()
    const hostReads = yield* Latch.make(true)
    const printing = yield* Semaphore.make(MAX_PRINTING)
    let waiting = 0

    // Reading goes on from a host that does not read: whoever is paused hears less of its peer.
    const send = (frame: Uint8Array, about?: string): void => {
      if (host.send(frame, about)) return
      hostReads.closeUnsafe()
      server.pause()
    }

    const deliver = Effect.fnUntraced(function* (id: string, print: Effect.Effect<unknown>) {
      yield* hostReads.await
      send(resultFrame(id, yield* print))
    }, printing.withPermit)

    const later = (id: string, work: Effect.Effect<void>): void => {
      const key = idKey(id)
      // A host that uses an id twice at a time gets both answers.
      fork(Option.isNone(FiberMap.getUnsafe(fibers, key)) ? key : `${key} ${randomUUID()}`, work)
    }

    return HostReplies.of({
      send,
      drained: () => {
        hostReads.openUnsafe()
        server.resume()
      },
      refuse: (id, error) => send(error.frame(id, randomUUID())),
      answer: ({ id, method }, work) => {
        const requestId = randomUUID()
        waiting += 1
        const answered = work.pipe(
          Effect.flatMap((print) => deliver(id, print)),
          Effect.catchTag("RequestFailed", (error) => Effect.sync(() => send(error.frame(id, requestId)))),
          Effect.catchDefect((defect) =>
            Effect.andThen(
              Effect.logError("request failed", defect),
              Effect.sync(() => send(failed.frame(id, requestId)))
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
        const fiber = FiberMap.getUnsafe(fibers, key)
        if (Option.isSome(fiber)) fiber.value.interruptUnsafe()
        return Option.isSome(fiber)
      },
      done: FiberMap.awaitEmpty(fibers)
    })
  })
)
