import { Effect, Stream } from "effect"
import { type LanguageModel, ModelFailed } from "../../services/generation/LanguageModel.ts"

/** Whether the provider refused the key itself; an account that cannot be charged is another matter. */
export const isKeyRefused = ({ code, status }: ModelFailed): boolean =>
  code === "AUTH" && (status === 401 || status === 403)

/** A model that says, where its key is refused, which `place` to mend: in the log once, and in every failure. */
export const namesItsKey = (model: LanguageModel["Service"], place: string): LanguageModel["Service"] => {
  let isSaid = false
  const say = ({ status }: ModelFailed) =>
    Effect.suspend(() => {
      if (isSaid) return Effect.void
      isSaid = true
      return Effect.logError(
        `${place} does not hold a key that ${model.provider} accepts (HTTP ${status}); put a right one there, or choose --llm none for built-in UIs`
      ).pipe(Effect.annotateLogs({ component: "llm", event: "key-refused" }))
    })
  return {
    ...model,
    stream: (request) =>
      model.stream(request).pipe(
        Stream.tapError((failed) => (isKeyRefused(failed) ? say(failed) : Effect.void)),
        Stream.mapError((failed) =>
          isKeyRefused(failed) ? new ModelFailed({ ...failed, detail: `${failed.detail}; mend ${place}` }) : failed
        )
      )
  }
}
