/**
 * Embedding mcp-gen-ui in an Effect program: services, the layers that implement them, and the types they speak.
 * A symbol named here is public API.
 */
export { type Tool, toolFromDefinition } from "./domain/tools/Tool.ts"
export type { LearnedResult, LearnedResults } from "./domain/tools/LearnedResults.ts"
export { FallbackReason, TokenUsage, UiEntry, UiLevel, UiType } from "./domain/documents/UiEntry.ts"
export { ConfigRejected } from "./domain/configuration/ConfigProblem.ts"

export type { FrameLink, FrameListener } from "./services/FrameLink.ts"
export { HostConnection } from "./services/HostConnection.ts"
export {
  LanguageModel,
  ModelFailed,
  ModelFailureCode,
  type ModelPart,
  type ModelRequest
} from "./services/LanguageModel.ts"
export { RequestId } from "./services/RequestId.ts"
export { Generations, type GenerationJob } from "./services/Generations.ts"
export { type GenerationProgress, ProgressListener } from "./services/GenerationProgress.ts"
export { HttpHosts, HttpListenFailed, HttpPortInUse } from "./services/HttpHosts.ts"
export { Session } from "./services/Session.ts"
export { Sessions } from "./services/Sessions.ts"
export {
  type HttpServing,
  type HttpUpstream,
  type OAuthLogin,
  Settings,
  type StdioUpstream,
  type ToolHints,
  type UpstreamSettings
} from "./services/Settings.ts"
export { TokenStore, TokenStoreFailed } from "./services/TokenStore.ts"
export { ToolMemory } from "./services/ToolMemory.ts"
export { type CacheStatistics, UiCache } from "./services/UiCache.ts"
export { type UiDocument, UiLibrary, UiUnchanged } from "./services/UiLibrary.ts"
export {
  Upstream,
  UpstreamExited,
  type UpstreamListener,
  UpstreamLost,
  UpstreamUnavailable
} from "./services/Upstream.ts"
export { UpstreamAuthorization } from "./services/UpstreamAuthorization.ts"

export { layer as layerHttpHosts } from "./layers/HttpHosts.ts"
export { layer as layerHostStdio, layerStreams as layerHostStreams } from "./layers/HostConnectionStdio.ts"
export { layer as layerAnthropic } from "./layers/LanguageModelAnthropic.ts"
export { layer as layerNoModel } from "./layers/LanguageModelNone.ts"
export { layer as layerOllama } from "./layers/LanguageModelOllama.ts"
export { layer as layerOpenAi } from "./layers/LanguageModelOpenAi.ts"
export { layer as layerSettings, type SettingsSources } from "./layers/Settings.ts"
export { layer as layerTokenStoreFile } from "./layers/TokenStoreFile.ts"
export { layer as layerTokenStoreMemory } from "./layers/TokenStoreMemory.ts"
export {
  layer as layerToolMemory,
  layerNone as layerNoToolMemory,
  type ToolMemoryOptions
} from "./layers/ToolMemory.ts"
export { layer as layerUpstreamHttp } from "./layers/UpstreamHttp.ts"
export { layer as layerUpstreamOAuth } from "./layers/UpstreamAuthorizationOAuth.ts"
export { layer as layerUpstreamStdio } from "./layers/UpstreamStdio.ts"
export {
  languageModel as layerLanguageModel,
  sessions as layerSessions,
  uiLibrary as layerUiLibrary,
  wrapper as layerWrapper
} from "./programs/MainLayer.ts"
