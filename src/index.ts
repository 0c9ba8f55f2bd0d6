/**
 * Embedding mcp-gen-ui: `wrapServer` and `createUiLibrary` speak promises; for Effect programs there are services, the layers
 * that implement them, and the types they speak.
 * A symbol named here is public API.
 */
export { type Tool, toolFromDefinition } from "./domain/tools/Tool.ts"
export type { Refinement } from "./domain/library/Refinements.ts"
export type { LearnedResult, LearnedResults } from "./domain/tools/LearnedResults.ts"
export { FallbackReason, TokenUsage, UiEntry, UiLevel, UiType } from "./domain/tools/UiEntry.ts"
export { ConfigRejected } from "./domain/settings/ConfigProblem.ts"
export type { HttpServing } from "./domain/settings/resolveHttpServing.ts"
export type { OAuthLogin } from "./domain/settings/resolveOAuthLogin.ts"
export type { HttpUpstream, StdioUpstream } from "./domain/settings/resolveUpstream.ts"

export type { FrameLink, FrameListener } from "./services/host/FrameLink.ts"
export { HostConnection } from "./services/host/HostConnection.ts"
export {
  LanguageModel,
  ModelFailed,
  ModelFailureCode,
  type ModelPart,
  type ModelRequest
} from "./services/generation/LanguageModel.ts"
export { RequestId } from "./services/session/RequestId.ts"
export { type GenerationProgress, ProgressListener } from "./services/generation/GenerationProgress.ts"
export { HttpHosts, HttpListenFailed, HttpPortInUse } from "./services/host/HttpHosts.ts"
export { Session } from "./services/session/Session.ts"
export { Sessions } from "./services/session/Sessions.ts"
export { Settings, type ToolHints, type UpstreamSettings } from "./services/settings/Settings.ts"
export { TokenStore, TokenStoreFailed } from "./services/upstream/TokenStore.ts"
export { RefinementStore } from "./services/library/RefinementStore.ts"
export { ToolMemory } from "./services/library/ToolMemory.ts"
export { type CacheStatistics, UiCache } from "./services/cache/UiCache.ts"
export {
  AddressRejected,
  type EmbeddableResult,
  type EmbeddingOptions,
  UiEmbedding
} from "./services/library/UiEmbedding.ts"
export { UiEdits, UiUnchanged, VersionUnknown } from "./services/library/UiEdits.ts"
export { type UiDocument, UiLibrary } from "./services/library/UiLibrary.ts"
export {
  Upstream,
  UpstreamExited,
  type UpstreamListener,
  UpstreamLost,
  UpstreamUnavailable
} from "./services/upstream/Upstream.ts"
export { UpstreamAuthorization } from "./services/upstream/UpstreamAuthorization.ts"

export { layer as layerHttpHosts } from "./layers/host/HttpHosts.ts"
export { layer as layerHostStdio, layerStreams as layerHostStreams } from "./layers/host/HostConnectionStdio.ts"
export { layer as layerAnthropic } from "./layers/generation/LanguageModelAnthropic.ts"
export { layer as layerNoModel } from "./layers/generation/LanguageModelNone.ts"
export { layer as layerOllama } from "./layers/generation/LanguageModelOllama.ts"
export { layer as layerOpenAi } from "./layers/generation/LanguageModelOpenAi.ts"
export { layer as layerRefinementStoreMemory } from "./layers/library/RefinementStoreMemory.ts"
export { layer as layerUiEmbedding } from "./layers/library/UiEmbedding.ts"
export { layer as layerSettings, type SettingsSources } from "./layers/settings/Settings.ts"
export { layer as layerTokenStoreFile } from "./layers/upstream/TokenStoreFile.ts"
export { layer as layerTokenStoreMemory } from "./layers/upstream/TokenStoreMemory.ts"
export { layer as layerUpstreamHttp } from "./layers/upstream/UpstreamHttp.ts"
export { layer as layerUpstreamOAuth } from "./layers/upstream/UpstreamAuthorizationOAuth.ts"
export { layer as layerUpstreamStdio } from "./layers/upstream/UpstreamStdio.ts"
export {
  languageModel as layerLanguageModel,
  sessions as layerSessions,
  wrapper as layerWrapper
} from "./programs/MainLayer.ts"
export { makeUiEmbedder, type UiEmbedder, type UiEmbedderOptions } from "./programs/makeUiEmbedder.ts"
export { layerUiCacheMemory, layerUiLibrary, type UiLibraryOptions } from "./programs/layerUiLibrary.ts"
export { createUiLibrary, type PromisedUi, type PromisedUiLibrary } from "./programs/createUiLibrary.ts"
export { type ModelAccess, type UiLibrarySetup, type WriteUi } from "./programs/uiLibrarySetup.ts"
export { type SdkServer, wrapSdkServer as wrapServer } from "./programs/wrapSdkServer.ts"
