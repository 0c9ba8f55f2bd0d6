import { Cause, Clock, Effect, Stream } from "effect"
import type { ProviderFailure } from "./ProviderErrors.ts"
import { providerFailure } from "./ProviderErrors.ts"
import type { TokenUsage } from "./UiEntry.ts"

/** A piece of an answer; the shape of `ModelPart`. */
export type AnswerPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "end"; readonly truncated: boolean; readonly usage: TokenUsage | null }

/** Longer than any budget, and the longest delay a Node timer takes: the SDK's own timeout never ends a request. */
export const NO_SDK_TIMEOUT_MS = 2 ** 31 - 1

/**
 * An SDK's event stream as an Effect stream. `open` sends the request; `read` turns its events into parts and throws
 * when they make no complete answer. When the stream closes, for whatever reason, `signal` is aborted, which closes
 * the socket. A pending read is abandoned instead of awaited: an iterator's `return` would wait for the next event.
 */
export const answerStream = <Event, E>(options: {
  readonly open: (signal: AbortSignal) => Promise<AsyncIterable<Event>>
  readonly read: (events: AsyncIterable<Event>) => AsyncIterable<AnswerPart>
  readonly onFailure: (failure: ProviderFailure) => E
  /** Kept out of every message. */
  readonly secrets: ReadonlyArray<string>
}): Stream.Stream<AnswerPart, E> => {
  const run = <A>(stage: "opening" | "reading", promise: () => Promise<A>): Effect.Effect<A, E> =>
    Effect.tryPromise(promise).pipe(
      Effect.catch(({ cause }) =>
        Effect.flatMap(Clock.currentTimeMillis, (nowMs) =>
          Effect.fail(options.onFailure(providerFailure(cause, { stage, secrets: options.secrets, nowMs })))
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
