import { Cause, Clock, Effect, Stream } from "effect"
import { providerFailure } from "../../domain/generation/ProviderErrors.ts"
import { ModelFailed, type ModelPart } from "../../services/generation/LanguageModel.ts"
import type { Provider } from "../../services/settings/Settings.ts"

/** Longer than any budget, and the longest delay a Node timer takes: the SDK's own timeout never ends a request. */
export const NO_SDK_TIMEOUT_MS = 2 ** 31 - 1

/**
 * An SDK's event stream as an Effect stream. `open` sends the request; `read` turns its events into parts and throws
 * when they make no complete answer. When the stream closes, for whatever reason, `signal` is aborted, which closes
 * the socket. A pending read is abandoned instead of awaited: an iterator's `return` would wait for the next event.
 */
export const answerStream = <Event>(options: {
  readonly open: (signal: AbortSignal) => Promise<AsyncIterable<Event>>
  readonly read: (events: AsyncIterable<Event>) => AsyncIterable<ModelPart>
  readonly provider: Provider
  /** Kept out of every message. */
  readonly secrets: ReadonlyArray<string>
}): Stream.Stream<ModelPart, ModelFailed> => {
  const run = <A>(stage: "opening" | "reading", promise: () => Promise<A>): Effect.Effect<A, ModelFailed> =>
    Effect.tryPromise(promise).pipe(
      Effect.catch(({ cause }) =>
        Effect.flatMap(Clock.currentTimeMillis, (nowMs) =>
          Effect.fail(
            new ModelFailed({
              provider: options.provider,
              ...providerFailure(cause, { stage, secrets: options.secrets, nowMs })
            })
          )
        )
      )
    )

  return Stream.unwrap(
    Effect.gen(function* () {
      const controller = yield* Effect.acquireRelease(
        Effect.sync(() => new AbortController()),
        (controller) => Effect.sync(() => controller.abort())
      )
      const events = yield* run("opening", () => options.open(controller.signal))
      const parts = options.read(events)[Symbol.asyncIterator]()
      const pull = Effect.flatMap(
        run("reading", () => parts.next()),
        (next) => (next.done === true ? Cause.done() : Effect.succeed([next.value] as const))
      )
      return Stream.fromPull(Effect.succeed(pull))
    })
  )
}
