import { Cause, Clock, Effect, Redacted, Stream } from "effect"
import { providerFailure } from "../../domain/generation/ProviderErrors.ts"
import type { TokenUsage } from "../../domain/tools/UiEntry.ts"
import {
  type LanguageModel,
  ModelFailed,
  type ModelPart,
  type ModelRequest
} from "../../services/generation/LanguageModel.ts"
import type { Provider } from "../../services/settings/Settings.ts"

/** What the SDKs are told: longer than any budget, and the longest delay a Node timer takes. */
export const SDK_OPTIONS = { maxRetries: 0, timeout: 2 ** 31 - 1, logLevel: "off" } as const

/** The text of a key without the space around it; `""` if there is none. */
export const keyText = (key: Redacted.Redacted | undefined): string =>
  key === undefined ? "" : Redacted.value(key).trim()

export const tokenUsage = (inputTokens: number, outputTokens: number, cachedInputTokens = 0): TokenUsage => ({
  inputTokens,
  outputTokens,
  ...(cachedInputTokens > 0 ? { cachedInputTokens } : {})
})

/**
 * A model behind an API. `open` sends a request and answers with its parts, which throw when they make no complete answer.
 * When the stream closes, for whatever reason, `signal` is aborted, which closes the socket. A pending read is abandoned
 * instead of awaited: an iterator's `return` would wait for the next event.
 */
export const apiModel = (options: {
  readonly provider: Provider
  readonly model: string
  /** Kept out of every message. */
  readonly key: string
  readonly open: (request: ModelRequest, signal: AbortSignal) => Promise<AsyncIterable<ModelPart>>
}): LanguageModel["Service"] => {
  const { model, provider } = options
  const run = <A>(stage: "opening" | "reading", promise: () => Promise<A>): Effect.Effect<A, ModelFailed> =>
    Effect.tryPromise(promise).pipe(
      Effect.catch(({ cause }) =>
        Effect.flatMap(Clock.currentTimeMillis, (nowMs) =>
          Effect.fail(
            new ModelFailed({ provider, ...providerFailure(cause, { stage, secrets: [options.key], nowMs }) })
          )
        )
      )
    )

  const stream = (request: ModelRequest) =>
    Stream.unwrap(
      Effect.gen(function* () {
        const controller = yield* Effect.acquireRelease(
          Effect.sync(() => new AbortController()),
          (controller) => Effect.sync(() => controller.abort())
        )
        const parts = (yield* run("opening", () => options.open(request, controller.signal)))[Symbol.asyncIterator]()
        const pull = Effect.flatMap(
          run("reading", () => parts.next()),
          (next) => (next.done === true ? Cause.done() : Effect.succeed([next.value] as const))
        )
        return Stream.fromPull(Effect.succeed(pull))
      })
    ).pipe(Stream.withSpan("LanguageModel.stream", { attributes: { provider, model } }))

  return { provider, model, stream }
}
