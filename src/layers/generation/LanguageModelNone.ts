import { Layer, Stream } from "effect"
import { LanguageModel, ModelFailed } from "../../services/generation/LanguageModel.ts"

/**
 * No model at all: every tool gets the built-in UI. A request made all the same fails at once.
 *
 * @example
 * import { Layer } from "effect"
 * import { layerNoModel, layerUiLibrary } from "mcp-gen-ui"
 *
 * const layerBuiltIn = layerUiLibrary().pipe(Layer.provide(layerNoModel))
 */
export const layer: Layer.Layer<LanguageModel> = Layer.succeed(
  LanguageModel,
  LanguageModel.of({
    provider: "none",
    model: null,
    stream: () =>
      Stream.fail(
        new ModelFailed({
          provider: "none",
          code: "INVALID_REQUEST",
          status: null,
          retryAfterMs: null,
          detail: "no language model is configured"
        })
      )
  })
)
