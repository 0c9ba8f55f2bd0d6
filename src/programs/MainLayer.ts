import { Effect, Layer } from "effect"
import * as DocumentLinker from "../layers/DocumentLinker.ts"
import * as HostConnectionStdio from "../layers/HostConnectionStdio.ts"
import * as HtmlInspector from "../layers/HtmlInspector.ts"
import * as LanguageModelAnthropic from "../layers/LanguageModelAnthropic.ts"
import * as LanguageModelNone from "../layers/LanguageModelNone.ts"
import * as LanguageModelOllama from "../layers/LanguageModelOllama.ts"
import * as LanguageModelOpenAi from "../layers/LanguageModelOpenAi.ts"
import * as PackageFiles from "../layers/PackageFiles.ts"
import * as PromptLibrary from "../layers/PromptLibrary.ts"
import * as RefinementStoreMemory from "../layers/RefinementStoreMemory.ts"
import * as ServerTools from "../layers/ServerTools.ts"
import * as Session from "../layers/Session.ts"
import * as UiCacheMemory from "../layers/UiCacheMemory.ts"
import * as UiGenerator from "../layers/UiGenerator.ts"
import * as UiLibrary from "../layers/UiLibrary.ts"
import * as UpstreamStdio from "../layers/UpstreamStdio.ts"
import * as WrapperTools from "../layers/WrapperTools.ts"
import { LanguageModel } from "../services/LanguageModel.ts"
import { Settings } from "../services/Settings.ts"

/** The model that the settings name. Its SDK is loaded by the first generation. */
export const languageModel: Layer.Layer<LanguageModel, never, Settings> = Layer.unwrap(
  Effect.map(Settings, ({ llm }) => {
    const { apiKey, baseUrl, model, temperature } = llm
    switch (llm.provider) {
      case "anthropic":
        return LanguageModelAnthropic.layer({ apiKey, baseUrl, model, temperature })
      case "openai":
        return LanguageModelOpenAi.layer({ apiKey, baseUrl, model, temperature })
      case "ollama":
        return LanguageModelOllama.layer({ apiKey, baseUrl, model, temperature })
      case "none":
        return LanguageModelNone.layer
    }
  })
)

const prompts = Layer.unwrap(
  Effect.map(Settings, ({ generation }) =>
    PromptLibrary.layer({
      promptsDirectory: generation.promptsDirectory,
      prompt: generation.prompt,
      limits: generation.limits
    })
  )
)

const generator = Layer.unwrap(
  Effect.map(Settings, ({ generation, llm }) =>
    UiGenerator.layer({
      timeoutMs: generation.timeoutMs,
      maxAttempts: generation.maxAttempts,
      retryDelayMs: generation.retryDelayMs,
      maxOutputTokens: Math.min(generation.limits.maxOutputTokens, llm.maxTokens),
      maxHtmlBytes: generation.limits.maxHtmlBytes
    })
  )
)

const linker = Layer.unwrap(
  Effect.map(Settings, ({ debug, generation }) =>
    DocumentLinker.layer({
      theme: generation.defaultTheme,
      maxOutputDisplayBytes: generation.limits.maxOutputDisplayBytes,
      readable: debug
    })
  )
)

const cache = Layer.unwrap(
  Effect.map(Settings, ({ cache }) => (cache.enabled ? UiCacheMemory.layer(cache) : UiCacheMemory.layerNone))
)

/** UIs for tools: everything but the connection. Embed this with a model of your own. */
export const uiLibrary = UiLibrary.layer.pipe(
  Layer.provide([
    generator.pipe(Layer.provide([prompts, HtmlInspector.layer])),
    prompts,
    linker,
    cache,
    RefinementStoreMemory.layer
  ]),
  Layer.provide(PackageFiles.layer)
)

const upstream = Layer.unwrap(Effect.map(Settings, (settings) => UpstreamStdio.layer(settings.upstream)))

/** A whole wrapper: needs only settings, a connection to a host, and a language model. */
export const wrapper = Session.layer.pipe(
  Layer.provide([WrapperTools.layer, ServerTools.layer]),
  Layer.provide([upstream, uiLibrary])
)

/** The product as the command line runs it: the wiring diagram's root. */
export const MainLayer = wrapper.pipe(Layer.provide([HostConnectionStdio.layer, languageModel]))
