import { Effect, Layer, Stream } from "effect"
import { LanguageModel, type ModelPart, type ModelRequest } from "../../services/generation/LanguageModel.ts"

/**
 * A model that says what it was given.
 *
 * @example
 * import type { ScriptedModel } from "mcp-gen-ui/testing"
 *
 * const lastPrompt = ({ requests }: ScriptedModel) => requests.at(-1)?.prompt
 */
export interface ScriptedModel {
  /** For `layerUiLibrary`. */
  readonly layer: Layer.Layer<LanguageModel>
  /** For `wrapServer` and `createUiLibrary`. */
  readonly write: (request: ModelRequest) => Promise<string>
  /** Every request so far, oldest first. */
  readonly requests: ReadonlyArray<ModelRequest>
}

/**
 * The n-th request gets the n-th answer; the last one is repeated.
 *
 * @example
 * import { createUiLibrary } from "mcp-gen-ui"
 * import { scriptedModel } from "mcp-gen-ui/testing"
 *
 * const model = scriptedModel("<!-- rich --><p>Stock</p>")
 * const uis = createUiLibrary({ model: model.write })
 */
export const scriptedModel = (...answers: readonly [string, ...ReadonlyArray<string>]): ScriptedModel => {
  const requests: Array<ModelRequest> = []
  const next = (request: ModelRequest): string => {
    requests.push(request)
    return answers[Math.min(requests.length, answers.length) - 1] ?? answers[0]
  }
  return {
    requests,
    write: (request) => Promise.resolve(next(request)),
    layer: Layer.succeed(
      LanguageModel,
      LanguageModel.of({
        provider: "scripted",
        model: "scripted",
        stream: (request) =>
          Stream.unwrap(
            Effect.sync(() =>
              Stream.make<[ModelPart, ModelPart]>(
                { type: "text", text: next(request) },
                { type: "end", truncated: false, usage: null }
              )
            )
          )
      })
    )
  }
}
