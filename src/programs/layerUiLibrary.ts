import { Effect, Layer } from "effect"
import { CONFIG_DEFAULTS } from "../domain/settings/ConfigDefaults.ts"
import { secretsOf } from "../domain/observability/Redaction.ts"
import * as DocumentLinker from "../layers/documents/DocumentLinker.ts"
import * as FleetFlightsNone from "../layers/cache/FleetFlightsNone.ts"
import * as Generations from "../layers/generation/Generations.ts"
import * as PackageFiles from "../layers/documents/PackageFiles.ts"
import * as ToolMemory from "../layers/library/ToolMemory.ts"
import * as UiCacheMemory from "../layers/cache/UiCacheMemory.ts"
import * as UiExportNone from "../layers/documents/UiExportNone.ts"
import * as UiLibrary from "../layers/library/UiLibrary.ts"
import { generationBudgetMs } from "../layers/generation/uiGenerator.ts"
import type { LanguageModel } from "../services/generation/LanguageModel.ts"
import { HtmlInspector } from "../services/inspection/HtmlInspector.ts"
import { PromptLibrary } from "../services/generation/PromptLibrary.ts"
import type { RefinementStore } from "../services/library/RefinementStore.ts"
import type { ToolMemory as ToolMemoryService } from "../services/library/ToolMemory.ts"
import type { UiEdits } from "../services/library/UiEdits.ts"
import type { UiLibrary as UiLibraryService } from "../services/library/UiLibrary.ts"
import type { UiCache } from "../services/cache/UiCache.ts"
import { onFirstUse } from "./onFirstUse.ts"
import type { Limits, Settings, Theme, ToolHints } from "../services/settings/Settings.ts"

/**
 * What `layerUiLibrary` takes. The defaults are those of docs/configuration.md. Times are milliseconds.
 *
 * @example
 * import type { UiLibraryOptions } from "mcp-gen-ui"
 *
 * const options: UiLibraryOptions = {
 *   theme: "dark",
 *   prompt: "Calm colors, dense tables.",
 *   tools: { list_stock: { uiType: "rich" } },
 *   timeoutMs: 30_000
 * }
 */
export interface UiLibraryOptions {
  readonly theme?: Theme
  /** What is asked of every view. */
  readonly prompt?: string
  /** A folder whose prompts replace ours of the same names (docs/prompts.md). */
  readonly promptsDirectory?: string
  /** What is asked of the views of single tools, by their names. */
  readonly tools?: Readonly<Record<string, ToolHints>>
  readonly limits?: Partial<Limits>
  /** The budget of one generation: every attempt, every wait, the repair. */
  readonly timeoutMs?: number
  readonly maxAttempts?: number
  readonly retryDelayMs?: number
  readonly maxConcurrentGenerations?: number
  /** What becomes of a generation that nobody waits for any more. */
  readonly onTimeout?: "abort" | "continue"
  /** Whether each UI is written once more after it was opened; `live` replaces it on screen, too. */
  readonly secondDraft?: "off" | "next" | "live"
  /** Whether finished UIs are served where the model has not written one. */
  readonly library?: boolean
  /** A folder with UIs made by hand, which go before generated ones. */
  readonly uiDirectory?: string
  /** What may be kept of the results that `ToolMemory` is shown. */
  readonly toolMemory?: "results" | "shapes" | "off"
  /** Texts to keep out of tool memory, beside secrets of the environment. */
  readonly secrets?: ReadonlyArray<string>
}

export interface UiSettings extends Partial<Pick<Settings["Service"], "theme">> {
  readonly generation: Omit<Settings["Service"]["generation"], "delivery" | "enabledTools" | "toolMemory">
  readonly llm: Pick<Settings["Service"]["llm"], "maxTokens" | "temperature">
  readonly debug: boolean
}

export const generationOptions = ({ generation, llm }: UiSettings) => ({
  ...generation,
  timeoutMs: generationBudgetMs(generation),
  maxOutputTokens: Math.min(generation.limits.maxOutputTokens, llm.maxTokens),
  maxHtmlBytes: generation.limits.maxHtmlBytes
})

export const promptsFor = ({ generation }: UiSettings) =>
  onFirstUse(
    PromptLibrary,
    async () => (await import("../layers/generation/PromptLibrary.ts")).layer(generation),
    (built) => ({
      version: Effect.flatMap(built, ({ version }) => version),
      generate: (input) => Effect.flatMap(built, ({ generate }) => generate(input)),
      repair: (input) => Effect.flatMap(built, ({ repair }) => repair(input)),
      brief: (input) => Effect.flatMap(built, ({ brief }) => brief(input))
    })
  )

export const inspector = onFirstUse(
  HtmlInspector,
  async () => (await import("../layers/inspection/HtmlInspector.ts")).layer,
  (built) => ({
    inspect: (answer, context) => Effect.flatMap(built, ({ inspect }) => inspect(answer, context)),
    inspectPartial: (answer, context) => Effect.flatMap(built, ({ inspectPartial }) => inspectPartial(answer, context))
  })
)

/** How documents are linked. */
export const documentOptions = ({
  debug,
  generation,
  theme = {}
}: Pick<UiSettings, "debug" | "generation" | "theme">) => ({
  theme: generation.defaultTheme,
  maxOutputDisplayBytes: generation.limits.maxOutputDisplayBytes,
  readable: debug,
  house: { theme, baseTemplate: generation.baseTemplate }
})

/** Prompts, generations, inspection and documents; sessions share them. */
export const workshopFor = (settings: UiSettings) =>
  Generations.layer(generationOptions(settings)).pipe(
    Layer.provideMerge([promptsFor(settings), inspector, DocumentLinker.layer(documentOptions(settings))]),
    Layer.provide(PackageFiles.layer)
  )

/** The UIs of one session. */
export const libraryFor = ({ debug, generation, llm }: UiSettings) =>
  UiLibrary.layer({ ...generation, temperature: llm.temperature, debug }).pipe(Layer.provide(PackageFiles.layer))

/**
 * Keeps UIs for the life of the process, as many as the wrapper does by default.
 *
 * @example
 * import { Layer } from "effect"
 * import { layerRefinementStoreMemory, layerUiCacheMemory, layerUiLibrary } from "mcp-gen-ui"
 *
 * const layerUis = layerUiLibrary().pipe(Layer.provide([layerUiCacheMemory, layerRefinementStoreMemory]))
 */
export const layerUiCacheMemory: Layer.Layer<UiCache> = UiCacheMemory.layer({
  ...CONFIG_DEFAULTS.cache,
  ttlMs: undefined
})

/**
 * UIs for tools, without a host or a server: bring a model, a cache, a store of refinements. Show the `ToolMemory` what calls
 * answer if prompts are to learn from it.
 *
 * @example
 * import { Layer } from "effect"
 * import { type LanguageModel, layerUiCacheMemory, layerUiLibrary, type RefinementStore } from "mcp-gen-ui"
 *
 * declare const layerOurModel: Layer.Layer<LanguageModel>
 * declare const layerOurStore: Layer.Layer<RefinementStore>
 *
 * const layerUis = layerUiLibrary({ theme: "dark" }).pipe(
 *   Layer.provide([layerOurModel, layerUiCacheMemory, layerOurStore])
 * )
 */
export const layerUiLibrary = (
  options: UiLibraryOptions = {}
): Layer.Layer<UiLibraryService | UiEdits | ToolMemoryService, never, LanguageModel | UiCache | RefinementStore> => {
  const { generation } = CONFIG_DEFAULTS
  const { limits, secrets = [], theme, toolMemory = generation.toolMemory, ...more } = options
  const bounds = { ...generation.limits, ...limits }
  const settings: UiSettings = {
    generation: {
      ...generation,
      promptsDirectory: undefined,
      prompt: undefined,
      baseTemplate: undefined,
      uiDirectory: undefined,
      tools: {},
      ...more,
      defaultTheme: theme ?? generation.defaultTheme,
      limits: bounds
    },
    llm: { maxTokens: bounds.maxOutputTokens, temperature: undefined },
    debug: false
  }
  const memory =
    toolMemory === "off"
      ? ToolMemory.layerNone
      : ToolMemory.layer({ mode: toolMemory, secrets: [...secrets, ...secretsOf(process.env)] })
  return libraryFor(settings).pipe(
    Layer.provide(UiExportNone.layer),
    Layer.provideMerge(memory),
    Layer.provide(workshopFor(settings)),
    Layer.provide(FleetFlightsNone.layer)
  )
}
