import { Context, Effect, Layer } from "effect"
import { namesItsKey } from "../adapters/generation/namesItsKey.ts"
import { keyPlaceOf } from "../domain/settings/resolveLlm.ts"
import { secretsOfRun } from "../domain/observability/secretsOfRun.ts"
import { STUDIO_VARIABLE } from "../domain/session/WrapperTool.ts"
import * as FleetFlightsNone from "../layers/cache/FleetFlightsNone.ts"
import * as LanguageModelNone from "../layers/generation/LanguageModelNone.ts"
import * as PackageFiles from "../layers/documents/PackageFiles.ts"
import * as RefinementStoreMemory from "../layers/library/RefinementStoreMemory.ts"
import * as Logging from "../layers/observability/Logging.ts"
import * as Session from "../layers/session/Session.ts"
import * as Telemetry from "../layers/observability/Telemetry.ts"
import * as ToolMemory from "../layers/library/ToolMemory.ts"
import * as UiCacheMemory from "../layers/cache/UiCacheMemory.ts"
import * as UiExportNone from "../layers/documents/UiExportNone.ts"
import * as UpstreamAuthorizationToken from "../layers/upstream/UpstreamAuthorizationToken.ts"
import * as UpstreamStdio from "../layers/upstream/UpstreamStdio.ts"
import * as UpstreamTranslated from "../layers/upstream/UpstreamTranslated.ts"
import { HostConnection } from "../services/host/HostConnection.ts"
import { LanguageModel } from "../services/generation/LanguageModel.ts"
import { Session as SessionService } from "../services/session/Session.ts"
import { Sessions } from "../services/session/Sessions.ts"
import { UiEmbedding } from "../services/library/UiEmbedding.ts"
import { onFirstUse } from "./onFirstUse.ts"
import { Settings } from "../services/settings/Settings.ts"
import { inspector, libraryFor, promptsFor, workshopFor } from "./layerUiLibrary.ts"
import { layer as startChecks } from "./startChecks.ts"

/**
 * The model that the settings name. Its SDK is loaded by the first generation.
 *
 * @example
 * import { Layer } from "effect"
 * import { layerLanguageModel, layerUiLibrary } from "mcp-gen-ui"
 *
 * const layerUis = layerUiLibrary().pipe(Layer.provide(layerLanguageModel))
 */
export const languageModel: Layer.Layer<LanguageModel, never, Settings> = Layer.effect(
  LanguageModel,
  Effect.gen(function* () {
    const place = keyPlaceOf((yield* Settings).llm, process.env)
    const model = yield* LanguageModel
    return place === undefined ? model : namesItsKey(model, place)
  })
).pipe(
  Layer.provide(
    Layer.unwrap(
      Effect.gen(function* () {
        const { apiKey, baseUrl, model, provider, temperature } = (yield* Settings).llm
        const options = { apiKey, baseUrl, model, temperature }
        switch (provider) {
          case "anthropic":
            return (yield* Effect.promise(() => import("../layers/generation/LanguageModelAnthropic.ts"))).layer(
              options
            )
          case "openai":
            return (yield* Effect.promise(() => import("../layers/generation/LanguageModelOpenAi.ts"))).layer(options)
          case "ollama":
            return (yield* Effect.promise(() => import("../layers/generation/LanguageModelOllama.ts"))).layer(options)
          case "host":
          case "none":
            return LanguageModelNone.layer
        }
      })
    )
  )
)

/** The log that the settings ask for, without their secrets. */
export const logs = Layer.unwrap(
  Effect.map(Settings, (settings) =>
    Logging.layer({ ...settings.logging, secrets: secretsOfRun(settings, process.env) })
  )
)

/** Spans and metrics, if the environment names a collector. */
export const telemetry = (environment: Readonly<Record<string, string | undefined>>) =>
  Layer.unwrap(
    Effect.map(Settings, (settings) =>
      Telemetry.layer({ environment, secrets: () => secretsOfRun(settings, environment) })
    )
  )

export const prompts = Layer.unwrap(Effect.map(Settings, promptsFor))

/** Where UIs are kept, and how machines share one flight. Loads only what the settings need. */
export const keeping = Layer.unwrap(
  Effect.gen(function* () {
    const { cache } = yield* Settings
    if (!cache.enabled) return Layer.merge(UiCacheMemory.layerNone, FleetFlightsNone.layer)
    if (cache.type === "filesystem") {
      const UiCacheFile = yield* Effect.promise(() => import("../layers/cache/UiCacheFile.ts"))
      return Layer.merge(UiCacheFile.layer(cache), FleetFlightsNone.layer)
    }
    if (cache.type === "redis" && cache.url !== undefined) {
      const { sharedByRedis } = yield* Effect.promise(() => import("./sharedByRedis.ts"))
      return sharedByRedis(cache, cache.url)
    }
    return Layer.merge(UiCacheMemory.layer(cache), FleetFlightsNone.layer)
  })
).pipe(Layer.provide(inspector), Layer.provide(PackageFiles.layer))

/** What users asked to be changed: for the session, or for good. */
const refinements = Layer.unwrap(
  Effect.gen(function* () {
    const { directory, persist } = (yield* Settings).refinements
    if (!persist) return RefinementStoreMemory.layer
    const RefinementStoreFile = yield* Effect.promise(() => import("../layers/library/RefinementStoreFile.ts"))
    return RefinementStoreFile.layer({ directory })
  })
)

/** A folder that every written UI is put into, if there is one. */
const exporting = Layer.unwrap(
  Effect.gen(function* () {
    const settings = yield* Settings
    const { exportDirectory } = settings
    if (exportDirectory === undefined) return UiExportNone.layer
    const UiExportFolder = yield* Effect.promise(() => import("../layers/documents/UiExportFolder.ts"))
    return UiExportFolder.layer({ directory: exportDirectory, settings })
  })
)

/** What the sessions of a process share: prompts, generations, documents, the cache. */
const workshop = Layer.mergeAll(exporting, startChecks).pipe(
  Layer.provideMerge(Layer.unwrap(Effect.map(Settings, workshopFor))),
  Layer.provideMerge(keeping),
  Layer.provide(PackageFiles.layer)
)

/** What the results of one session have taught. Results may hold secrets of our environment, too. */
const toolMemory = Layer.unwrap(
  Effect.gen(function* () {
    const settings = yield* Settings
    const mode = settings.generation.toolMemory
    const { provider } = yield* LanguageModel
    const isWritten = provider !== "none" || settings.llm.provider === "host"
    if (mode === "off" || !isWritten) return ToolMemory.layerNone
    return ToolMemory.layer({ mode, secrets: secretsOfRun(settings, process.env) })
  })
)

/** The UIs of one session, with its refinements. */
const ownLibrary = Layer.unwrap(Effect.map(Settings, libraryFor)).pipe(Layer.provide([refinements, toolMemory]))

/** UIs for tools as the settings have them, without a host or a server; see `layerUiLibrary`. */
export const uiLibrary = Layer.merge(ownLibrary.pipe(Layer.provide(workshop)), toolMemory)

/** The server that the settings name. Loads what HTTP needs only for HTTP. */
const upstream = Layer.unwrap(
  Effect.gen(function* () {
    const { maxMessageBytes, upstream } = yield* Settings
    if (upstream.transport === "stdio") return UpstreamStdio.layer(upstream, { maxMessageBytes })
    const { layer } = yield* Effect.promise(() => import("./upstreamOverHttp.ts"))
    return layer({ ...upstream, maxMessageBytes })
  })
)

/** One login for all sessions. */
const authorization = Layer.unwrap(
  Effect.gen(function* () {
    const { upstream } = yield* Settings
    if (upstream.transport === "stdio") return UpstreamAuthorizationToken.layerNone({ url: "stdio:" })
    const { authorization } = yield* Effect.promise(() => import("./upstreamOverHttp.ts"))
    return authorization(upstream)
  })
)

/** The server in the protocol era of the host. */
const translated = Layer.unwrap(
  Effect.map(Settings, ({ http, translateEras }) =>
    UpstreamTranslated.layer({ translateEras, isShared: http !== undefined })
  )
)

const session = Layer.unwrap(
  Effect.map(Settings, ({ cache, dashboards, generation, llm, logging, ...settings }) => {
    const isStudio = process.env[STUDIO_VARIABLE] !== undefined
    return Session.layer({
      forceUi: settings.forceUi,
      embedUi: settings.embedUi,
      toolPrefix: settings.toolPrefix,
      toolRefresh: settings.toolRefresh,
      wrapperTools: settings.wrapperTools,
      isStudio,
      // The studio is a host without a model.
      hostWrites: llm.provider === "host" && !isStudio,
      enabledTools: generation.enabledTools,
      tools: generation.tools,
      dashboards,
      delivery: generation.delivery,
      takesReports: generation.secondDraft !== "off",
      isEdited: generation.uiDirectory !== undefined || (cache.enabled && cache.type !== "memory"),
      viewTools: settings.viewTools === "on",
      recalls: settings.recall === "on",
      traces: logging.level === "debug"
    })
  })
)

/** UIs in results, for hosts that show mcp-ui. */
const embedding = Layer.unwrap(
  Effect.map(Settings, ({ generation }) =>
    onFirstUse(
      UiEmbedding,
      async () =>
        (await import("../layers/library/UiEmbedding.ts")).layer(
          [],
          generation.delivery === "live" ? "live" : "blocking"
        ),
      (built) => ({
        augmentWithUI: (...given) => Effect.flatMap(built, ({ augmentWithUI }) => augmentWithUI(...given)),
        augmentResultOf: (...given) => Effect.flatMap(built, ({ augmentResultOf }) => augmentResultOf(...given)),
        registerExternalToolMapping: (...given) =>
          Effect.flatMap(built, ({ registerExternalToolMapping }) => registerExternalToolMapping(...given))
      })
    )
  )
)

/** One host in front of one server. What a session is made of stands in `layers/session/Session.ts`. */
const ownSession = session.pipe(
  Layer.provide(embedding),
  Layer.provide([ownLibrary, toolMemory]),
  Layer.provide(translated),
  Layer.provide(upstream)
)

/**
 * A whole wrapper: needs only settings, a connection to a host, and a language model.
 *
 * @example
 * import { Layer } from "effect"
 * import { layerLanguageModel, layerWrapper } from "mcp-gen-ui"
 *
 * const layerSession = layerWrapper.pipe(Layer.provide(layerLanguageModel))
 */
export const wrapper = ownSession.pipe(Layer.provide([workshop, authorization]))

/**
 * Sessions for hosts that come over HTTP, each with a server of its own.
 *
 * @example
 * import { Layer } from "effect"
 * import { layerSessions, layerSettings, type SettingsSources } from "mcp-gen-ui"
 *
 * const layerOurs = (sources: SettingsSources) => layerSessions.pipe(Layer.provide(layerSettings(sources)))
 */
export const sessions = Layer.effect(
  Sessions,
  Effect.gen(function* () {
    const shared = yield* Effect.context<Exclude<Layer.Services<typeof ownSession>, HostConnection>>()
    return Sessions.of({
      // Build in the scope of the caller; what is shared lives in that of the process.
      open: (host) =>
        Effect.flatMap(Effect.scope, (scope) =>
          Layer.fresh(ownSession).pipe(
            Layer.provide(Layer.succeed(HostConnection, host)),
            Layer.buildWithScope(scope),
            Effect.provideContext(shared)
          )
        ).pipe(
          Effect.map((session) => Context.get(session, SessionService).run),
          Effect.withSpan("Sessions.open")
        )
    })
  })
).pipe(Layer.provide([workshop, authorization]), Layer.provide(languageModel))
