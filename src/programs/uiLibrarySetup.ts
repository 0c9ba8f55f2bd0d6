import { Effect, Layer, Logger, Redacted, References, Stream } from "effect"
import * as LanguageModelAnthropic from "../layers/generation/LanguageModelAnthropic.ts"
import * as LanguageModelNone from "../layers/generation/LanguageModelNone.ts"
import * as LanguageModelOllama from "../layers/generation/LanguageModelOllama.ts"
import * as LanguageModelOpenAi from "../layers/generation/LanguageModelOpenAi.ts"
import * as RefinementStoreMemory from "../layers/library/RefinementStoreMemory.ts"
import type { UiCache } from "../services/cache/UiCache.ts"
import { LanguageModel, ModelFailed, type ModelPart, type ModelRequest } from "../services/generation/LanguageModel.ts"
import type { RefinementStore } from "../services/library/RefinementStore.ts"
import { layerUiCacheMemory, type UiLibraryOptions } from "./layerUiLibrary.ts"

/**
 * A model behind one of the three APIs. No variable of the environment is read.
 *
 * @example
 * import type { ModelAccess } from "mcp-gen-ui"
 *
 * const access: ModelAccess = { provider: "ollama", model: "qwen3-coder" }
 */
export interface ModelAccess {
  readonly provider: "anthropic" | "openai" | "ollama"
  readonly model?: string
  readonly apiKey?: string
  readonly baseUrl?: string
}

/**
 * Answers a request with the whole text of a model. Whatever it throws counts as a failure that may pass.
 *
 * @example
 * import type { WriteUi } from "mcp-gen-ui"
 *
 * const write: WriteUi = async ({ prompt, system }, signal) => {
 *   const response = await fetch("https://models.example.com/ask", {
 *     method: "POST",
 *     body: JSON.stringify({ prompt, system }),
 *     signal
 *   })
 *   return response.text()
 * }
 */
export type WriteUi = (request: ModelRequest, signal: AbortSignal) => Promise<string>

/**
 * As `UiLibraryOptions`, with what `layerUiLibrary` needs beside them.
 *
 * @example
 * import type { UiLibrarySetup } from "mcp-gen-ui"
 *
 * const setup: UiLibrarySetup = { theme: "dark", model: { provider: "anthropic", apiKey: "…" } }
 */
export interface UiLibrarySetup extends UiLibraryOptions {
  /** Who writes UIs that are missing. Nobody unless given: then there are built-in UIs. */
  readonly model?: ModelAccess | WriteUi | Layer.Layer<LanguageModel>
  /** Where UIs are kept; in memory unless given. */
  readonly cache?: Layer.Layer<UiCache>
  /** Where refinements are kept; in memory unless given. */
  readonly refinements?: Layer.Layer<RefinementStore>
}

const layerOfWriter = (write: WriteUi): Layer.Layer<LanguageModel> =>
  Layer.succeed(
    LanguageModel,
    LanguageModel.of({
      provider: "function",
      model: "function",
      stream: (request) =>
        Stream.unwrap(
          Effect.tryPromise({
            try: (signal) => write(request, signal),
            catch: (cause) =>
              new ModelFailed({
                provider: "function",
                code: "SERVER_ERROR",
                status: null,
                retryAfterMs: null,
                detail: cause instanceof Error ? cause.message : String(cause)
              })
          }).pipe(
            Effect.map((text) =>
              Stream.make<[ModelPart, ModelPart]>(
                { type: "text", text },
                { type: "end", truncated: false, usage: null }
              )
            )
          )
        )
    })
  )

const layerOfAccess = ({ apiKey, provider, ...more }: ModelAccess): Layer.Layer<LanguageModel> => {
  const options = { ...more, apiKey: apiKey === undefined ? undefined : Redacted.make(apiKey) }
  switch (provider) {
    case "anthropic":
      return LanguageModelAnthropic.layer(options)
    case "openai":
      return LanguageModelOpenAi.layer(options)
    case "ollama":
      return LanguageModelOllama.layer(options)
  }
}

const layerOfModel = (model: UiLibrarySetup["model"]): Layer.Layer<LanguageModel> => {
  if (model === undefined) return LanguageModelNone.layer
  if (typeof model === "function") return layerOfWriter(model)
  return "provider" in model ? layerOfAccess(model) : model
}

/** What a library needs, for programs without Effect. Warnings go to standard error: standard output may be the host's. */
export const layerOfSetup = ({ cache, model, refinements }: UiLibrarySetup) =>
  Layer.mergeAll(
    layerOfModel(model),
    cache ?? layerUiCacheMemory,
    refinements ?? RefinementStoreMemory.layer,
    Layer.succeed(Logger.LogToStderr, true),
    Layer.succeed(References.MinimumLogLevel, "Warn")
  )
