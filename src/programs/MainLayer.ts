import { Context, Effect, Layer } from "effect"
import { secretsOfRun } from "../domain/observability/secretsOfRun.ts"
import * as AcceptedUis from "../layers/library/AcceptedUis.ts"
import * as DocumentLinker from "../layers/documents/DocumentLinker.ts"
import * as FleetFlightsNone from "../layers/cache/FleetFlightsNone.ts"
import * as Generations from "../layers/generation/Generations.ts"
import * as HandMadeUis from "../layers/library/HandMadeUis.ts"
import * as HostReplies from "../layers/session/HostReplies.ts"
import * as LanguageModelNone from "../layers/generation/LanguageModelNone.ts"
import * as PackageFiles from "../layers/documents/PackageFiles.ts"
import * as Peers from "../layers/session/Peers.ts"
import * as RefinementStoreMemory from "../layers/library/RefinementStoreMemory.ts"
import * as SelectionsMemory from "../layers/session/SelectionsMemory.ts"
import * as ServerRequests from "../layers/session/ServerRequests.ts"
import * as ServerSession from "../layers/session/ServerSession.ts"
import * as ServerTools from "../layers/session/ServerTools.ts"
import * as Session from "../layers/session/Session.ts"
import * as ToolMemory from "../layers/library/ToolMemory.ts"
import * as UiCacheMemory from "../layers/cache/UiCacheMemory.ts"
import * as UiChanges from "../layers/session/UiChanges.ts"
import * as UiExportNone from "../layers/documents/UiExportNone.ts"
import * as UiJobs from "../layers/library/UiJobs.ts"
import * as UiLibrary from "../layers/library/UiLibrary.ts"
import * as UiMaker from "../layers/library/UiMaker.ts"
import * as UiResources from "../layers/session/UiResources.ts"
import * as UiRoutes from "../layers/session/UiRoutes.ts"
import * as UpstreamAuthorizationToken from "../layers/upstream/UpstreamAuthorizationToken.ts"
import * as UpstreamStdio from "../layers/upstream/UpstreamStdio.ts"
import * as UpstreamTranslated from "../layers/upstream/UpstreamTranslated.ts"
import * as WrapperTools from "../layers/session/WrapperTools.ts"
import { HostConnection } from "../services/host/HostConnection.ts"
import { HtmlInspector } from "../services/inspection/HtmlInspector.ts"
import { LanguageModel } from "../services/generation/LanguageModel.ts"
import { PromptLibrary } from "../services/generation/PromptLibrary.ts"
import { Session as SessionService } from "../services/session/Session.ts"
import { Sessions } from "../services/session/Sessions.ts"
import { Settings } from "../services/settings/Settings.ts"
import { UiGenerator } from "../services/generation/UiGenerator.ts"
import { onFirstUse } from "./onFirstUse.ts"
import { layer as startChecks } from "./startChecks.ts"

/** The model that the settings name. Its SDK is loaded by the first generation. */
export const languageModel: Layer.Layer<LanguageModel, never, Settings> = Layer.unwrap(
  Effect.gen(function* () {
    const { apiKey, baseUrl, model, provider, temperature } = (yield* Settings).llm
    const options = { apiKey, baseUrl, model, temperature }
    switch (provider) {
      case "anthropic":
        return (yield* Effect.promise(() => import("../layers/generation/LanguageModelAnthropic.ts"))).layer(options)
      case "openai":
        return (yield* Effect.promise(() => import("../layers/generation/LanguageModelOpenAi.ts"))).layer(options)
      case "ollama":
        return (yield* Effect.promise(() => import("../layers/generation/LanguageModelOllama.ts"))).layer(options)
      case "none":
        return LanguageModelNone.layer
    }
  })
)

/** What the model is told. */
export const prompts = Layer.unwrap(
  Effect.map(Settings, ({ generation: { limits, prompt, promptsDirectory } }) =>
    onFirstUse(
      PromptLibrary,
      async () => (await import("../layers/generation/PromptLibrary.ts")).layer({ promptsDirectory, prompt, limits }),
      (built) => ({
        version: Effect.flatMap(built, ({ version }) => version),
        generate: (input) => Effect.flatMap(built, ({ generate }) => generate(input)),
        repair: (input) => Effect.flatMap(built, ({ repair }) => repair(input))
      })
    )
  )
)

/** How one UI is made. */
export const generator = Layer.unwrap(
  Effect.map(Settings, ({ generation, llm }) =>
    onFirstUse(
      UiGenerator,
      async () => {
        const { generationBudgetMs, layer } = await import("../layers/generation/UiGenerator.ts")
        return layer({
          timeoutMs: generationBudgetMs(generation),
          maxAttempts: generation.maxAttempts,
          retryDelayMs: generation.retryDelayMs,
          maxOutputTokens: Math.min(generation.limits.maxOutputTokens, llm.maxTokens),
          maxHtmlBytes: generation.limits.maxHtmlBytes
        })
      },
      (built) => ({
        generate: (input, onProgress) => Effect.flatMap(built, ({ generate }) => generate(input, onProgress))
      })
    )
  )
)

/** What is let into a page. */
const inspector = onFirstUse(
  HtmlInspector,
  async () => (await import("../layers/inspection/HtmlInspector.ts")).layer,
  (built) => ({
    inspect: (answer, context) => Effect.flatMap(built, ({ inspect }) => inspect(answer, context)),
    inspectPartial: (answer, context) => Effect.flatMap(built, ({ inspectPartial }) => inspectPartial(answer, context))
  })
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

/** Where UIs are kept, and who sees to it that each is made once. What only some need is loaded with it. */
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

/** UIs made by hand, if there is a folder for them. */
const handMade = Layer.unwrap(
  Effect.gen(function* () {
    const { uiDirectory } = (yield* Settings).generation
    if (uiDirectory === undefined) return HandMadeUis.layerNone
    return HandMadeUis.layer({ directory: uiDirectory })
  })
)

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
    const { exportDirectory } = yield* Settings
    if (exportDirectory === undefined) return UiExportNone.layer
    const UiExportFolder = yield* Effect.promise(() => import("../layers/documents/UiExportFolder.ts"))
    return UiExportFolder.layer({ directory: exportDirectory })
  })
)

/** What the sessions of a process share: prompts, generations, documents, the cache. */
const workshop = Layer.mergeAll(
  Generations.layer.pipe(Layer.provide(generator)),
  exporting,
  handMade,
  startChecks
).pipe(
  Layer.provideMerge(linker),
  Layer.provideMerge(Layer.mergeAll(prompts, inspector, keeping)),
  Layer.provide(PackageFiles.layer)
)

/** What the results of one session have taught. Keys and secrets of the surroundings may stand in results, too. */
const toolMemory = Layer.unwrap(
  Effect.gen(function* () {
    const settings = yield* Settings
    const mode = settings.generation.toolMemory
    const { provider } = yield* LanguageModel
    if (mode === "off" || provider === "none") return ToolMemory.layerNone
    return ToolMemory.layer({ mode, secrets: secretsOfRun(settings, process.env) })
  })
)

/** The UIs of one session, with its refinements. */
const ownLibrary = UiLibrary.layer.pipe(
  Layer.provide(UiMaker.layer),
  Layer.provide([AcceptedUis.layer, UiJobs.layer]),
  Layer.provide([refinements, toolMemory])
)

/**
 * UIs for tools: everything but the connection. Embed this with a model of your own, and show the `ToolMemory` what calls
 * answer if prompts are to learn from it.
 */
export const uiLibrary = Layer.merge(ownLibrary.pipe(Layer.provide(workshop)), toolMemory)

/** The server that the settings name. What only HTTP needs is loaded with it. */
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

const ownSession = Session.layer.pipe(
  Layer.provide(UiRoutes.layer),
  Layer.provide(UiChanges.layer),
  Layer.provide([WrapperTools.layer, UiResources.layer]),
  Layer.provide([Peers.layer, ServerTools.layer, ownLibrary, HostReplies.layer, SelectionsMemory.layer, toolMemory]),
  Layer.provide(ServerSession.layer),
  Layer.provide(ServerRequests.layer),
  Layer.provide(UpstreamTranslated.layer),
  Layer.provide(upstream)
)

/** A whole wrapper: needs only settings, a connection to a host, and a language model. */
export const wrapper = ownSession.pipe(Layer.provide([workshop, authorization]))

/** Sessions for hosts that come over HTTP, each with a server of its own. */
export const sessions = Layer.effect(
  Sessions,
  Effect.gen(function* () {
    const shared = yield* Effect.context<Exclude<Layer.Services<typeof ownSession>, HostConnection>>()
    return Sessions.of({
      // The scope is the caller's: what is shared has one too, that of the process.
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
