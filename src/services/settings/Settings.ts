import { Context } from "effect"
import type { RecordsHint } from "../../domain/tools/ToolRecords.ts"
import type { Redacted } from "effect"
import type { OptionsHint } from "../../domain/tools/FieldOptions.ts"
import type { ConfigFlagValues } from "../../domain/settings/ConfigFlags.ts"
import type { DashboardsByName } from "../../domain/tools/Dashboards.ts"
import type { HouseTheme } from "../../domain/tools/HouseTheme.ts"
import type { HttpServing } from "../../domain/settings/resolveHttpServing.ts"
import type { HttpUpstream, StdioUpstream } from "../../domain/settings/resolveUpstream.ts"

export type { HttpServing } from "../../domain/settings/resolveHttpServing.ts"
export type { HttpUpstream, StdioUpstream } from "../../domain/settings/resolveUpstream.ts"

export type Provider = NonNullable<ConfigFlagValues["llm"]>
export type WrapperListing = NonNullable<ConfigFlagValues["wrapperTools"]>
export type Theme = "system" | "light" | "dark"

/**
 * What is asked of one tool's UI beyond its definition (configuration `generation.tools.<name>`).
 *
 * @example
 * import type { ToolHints } from "mcp-gen-ui"
 *
 * const hints: ToolHints = { uiType: "rich", theme: "dark", prompt: "A table with a total." }
 */
export interface ToolHints {
  readonly uiType?: "rich" | "minimal" | undefined
  readonly theme?: Theme | undefined
  readonly interactivity?: "low" | "medium" | "high" | undefined
  readonly prompt?: string | undefined
  readonly examples?: ReadonlyArray<unknown> | undefined
  /** Where the values of its fields come from, by their paths; `false`: from nowhere. */
  readonly fields?: Readonly<Record<string, OptionsHint | false>> | undefined
  /** Which tools get, create, update and delete what the tool lists; `false` for none. By rule unless told. */
  readonly records?: RecordsHint | undefined
  /** Origins whose pages a result may show in frames. */
  readonly frames?: ReadonlyArray<string> | undefined
}

/** Bounds of a generation, in tokens, characters or bytes as named. */
export interface Limits {
  readonly maxPromptTokens: number
  readonly maxOutputTokens: number
  readonly maxRefinementHistory: number
  readonly maxSchemaDepth: number
  readonly maxOutputDisplayBytes: number
  readonly maxHtmlBytes: number
}

/**
 * The server to wrap: started as a child process, or reached by URL. `transport` tells which.
 *
 * @example
 * import type { UpstreamSettings } from "mcp-gen-ui"
 *
 * const nameOf = (server: UpstreamSettings) => (server.transport === "stdio" ? server.command : server.url)
 */
export type UpstreamSettings = StdioUpstream | HttpUpstream

/**
 * Everything a run was told, after flag > environment > file > default and after `${ENV}` references.
 * It is plain data: nothing here opens a file or a socket. Times are milliseconds.
 *
 * @example
 * import { Effect } from "effect"
 * import { Settings } from "mcp-gen-ui"
 *
 * const provider = Effect.map(Settings, ({ llm }) => llm.provider)
 */
export class Settings extends Context.Service<
  Settings,
  {
    readonly upstream: UpstreamSettings
    /** `undefined`: one host, over standard input and output. */
    readonly http: HttpServing | undefined
    /** How the names of the wrapper's own tools begin. */
    readonly toolPrefix: string
    /** Which of them are listed to the host's model: all, the few that it needs, or none. */
    readonly wrapperTools: WrapperListing
    /** Answer `server/discover` for a server of the legacy era, so that hosts of the modern era can use it. */
    readonly translateEras: boolean
    /** A longer message is refused; the rest goes on. */
    readonly maxMessageBytes: number
    /** Reading the tools again by itself. */
    readonly toolRefresh: {
      readonly enabled: boolean
      readonly intervalMs: number
      readonly retryBackoffMs: ReadonlyArray<number>
    }
    readonly llm: {
      readonly provider: Provider
      readonly model: string | undefined
      readonly apiKey: Redacted.Redacted | undefined
      readonly baseUrl: string | undefined
      readonly maxTokens: number
      readonly temperature: number | undefined
    }
    readonly cache: {
      readonly enabled: boolean
      readonly type: "memory" | "filesystem" | "redis"
      /** Where `filesystem` keeps UIs. */
      readonly directory: string
      /** Where `redis` is; it may hold a password. */
      readonly url: Redacted.Redacted | undefined
      /** How the names of keys in Redis begin. */
      readonly prefix: string
      readonly maxEntries: number
      readonly maxEntrySizeBytes: number
      readonly maxTotalSizeBytes: number
      readonly ttlMs: number | undefined
    }
    /** How all UIs look. */
    readonly theme: HouseTheme
    readonly generation: {
      readonly defaultTheme: Theme
      readonly promptsDirectory: string | undefined
      readonly prompt: string | undefined
      readonly timeoutMs: number
      readonly maxAttempts: number
      readonly retryDelayMs: number
      readonly maxConcurrentGenerations: number
      /** Whether reading a UI waits for it: `auto` decides by the host. */
      readonly delivery: "blocking" | "live" | "auto"
      /** A file that is put around every UI. */
      readonly baseTemplate: string | undefined
      /** A folder with UIs made by hand. */
      readonly uiDirectory: string | undefined
      /** Whether finished UIs are served where no model has written one. */
      readonly library: boolean
      /** What becomes of a generation that nobody waits for any more. */
      readonly onTimeout: "abort" | "continue"
      /** Whether each UI is written once more after it was opened, and when the second draft takes over. */
      readonly secondDraft: "off" | "next" | "live"
      /** What may be kept of real results, for prompts. */
      readonly toolMemory: "results" | "shapes" | "off"
      readonly enabledTools: ReadonlyArray<string> | undefined
      readonly tools: Readonly<Record<string, ToolHints>>
      readonly limits: Limits
    }
    /** Pages with several tools, by name. */
    readonly dashboards: DashboardsByName
    /** Whether refinements outlive the process, and where they are kept. */
    readonly refinements: { readonly persist: boolean; readonly directory: string }
    /** Whether pages offer tools to their hosts, by which an agent moves them. */
    readonly viewTools: "on" | "off"
    /** Whether a session keeps its last results, and how people left their views, for its pages. */
    readonly recall: "on" | "off"
    /** Where every written UI is put as a page of its own. */
    readonly exportDirectory: string | undefined
    readonly logging: {
      readonly level: "debug" | "info" | "warn" | "error"
      readonly format: "text" | "json"
      readonly destination: "stderr" | "file"
      readonly file: string | undefined
      readonly redactSensitiveData: boolean
    }
    /** Treat every host as one that renders MCP Apps. */
    readonly forceUi: boolean
    /** Put the UI of a tool into its results, for hosts that do not render MCP Apps. */
    readonly embedUi: boolean
    /** Log prompts and answers, and save each generated page. */
    readonly debug: boolean
  }
>()("mcp-gen-ui/services/Settings") {}
