import { Context } from "effect"
import type { Redacted } from "effect"

export type Provider = "anthropic" | "openai" | "ollama" | "none"
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
}

/** Requirement G8, in tokens, characters or bytes as named. */
export interface Limits {
  readonly maxPromptTokens: number
  readonly maxOutputTokens: number
  readonly maxRefinementHistory: number
  readonly maxSchemaDepth: number
  readonly maxOutputDisplayBytes: number
  readonly maxHtmlBytes: number
}

/**
 * A server that is started as a child process. `env` is added to the environment of this process.
 *
 * @example
 * import type { StdioUpstream } from "mcp-gen-ui"
 *
 * const server: StdioUpstream = { transport: "stdio", command: "npx", args: ["our-server"], env: {}, cwd: undefined }
 */
export interface StdioUpstream {
  readonly transport: "stdio"
  readonly command: string
  readonly args: ReadonlyArray<string>
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string | undefined
}

/**
 * How to log in to a server that asks for it. What is `undefined` is left to the login, see docs/oauth.md.
 *
 * @example
 * import { type OAuthLogin, layerUpstreamOAuth } from "mcp-gen-ui"
 *
 * const layerLogin = (login: OAuthLogin) => layerUpstreamOAuth({ ...login, url: "https://example.com/mcp" })
 */
export interface OAuthLogin {
  /** A client that was registered by hand. */
  readonly clientId: string | undefined
  readonly clientSecret: Redacted.Redacted | undefined
  /** An `https:` address that is a client id. */
  readonly clientMetadataUrl: string | undefined
  /** Separated by blanks, instead of what the server asks for. */
  readonly scope: string | undefined
  readonly callbackPort: number | undefined
  readonly callbackHost: "127.0.0.1" | "localhost" | undefined
  readonly loginTimeoutMs: number
}

/**
 * A server that is reached over the network. Header values may be secrets. Times are milliseconds.
 *
 * @example
 * import { type HttpUpstream, layerUpstreamHttp } from "mcp-gen-ui"
 *
 * const layerServer = (server: HttpUpstream) => layerUpstreamHttp({ ...server, maxMessageBytes: 50_000_000 })
 */
export interface HttpUpstream {
  /** `auto`: Streamable HTTP, else the SSE of 2024-11-05. */
  readonly transport: "auto" | "http" | "sse"
  readonly url: string
  readonly headers: Readonly<Record<string, Redacted.Redacted>>
  /** Sent as `Authorization: Bearer …`, before any OAuth. */
  readonly token: Redacted.Redacted | undefined
  /** Of use where neither a token, nor a header, nor the URL says who we are. */
  readonly oauth?: OAuthLogin | undefined
  readonly reconnectDelayMs: number
  readonly maxReconnectDelayMs: number
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
 * Serving hosts over HTTP instead of standard input and output (requirement W8).
 *
 * @example
 * import { type HttpServing, layerHttpHosts } from "mcp-gen-ui"
 *
 * const layerOnAnyPort = (serving: HttpServing) => layerHttpHosts({ ...serving, port: 0 })
 */
export interface HttpServing {
  /** The address to listen on; loopback unless there is a token. */
  readonly host: string
  /** 0: any free one. */
  readonly port: number
  /** What hosts have to send as `Authorization: Bearer …`. */
  readonly token: Redacted.Redacted | undefined
  /** Origins of pages that may connect, beside those of this machine. */
  readonly allowedOrigins: ReadonlyArray<string>
  /** Values of the Host header to answer to, beside the address listened on and the names of this machine. */
  readonly allowedHosts: ReadonlyArray<string>
  readonly maxSessions: number
  readonly sessionIdleMs: number
  readonly maxBodyBytes: number
}

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
    /** Let a host of the modern era only use a server of the legacy era only, by answering `server/discover` for it. */
    readonly translateEras: boolean
    /** A longer message is refused; the rest goes on. */
    readonly maxMessageBytes: number
    /** Reading the tools again by itself (requirement W11). */
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
      /** A folder with UIs made by hand. */
      readonly uiDirectory: string | undefined
      /** What becomes of a generation that nobody waits for any more. */
      readonly onTimeout: "abort" | "continue"
      /** What may be kept of real results, for prompts. */
      readonly toolMemory: "results" | "shapes" | "off"
      readonly enabledTools: ReadonlyArray<string> | undefined
      readonly tools: Readonly<Record<string, ToolHints>>
      readonly limits: Limits
    }
    /** Whether what users asked to be changed outlives the process, and where. */
    readonly refinements: { readonly persist: boolean; readonly directory: string }
    /** Where every written UI is put as a page of its own. */
    readonly exportDirectory: string | undefined
    readonly logging: {
      readonly level: "debug" | "info" | "warn" | "error"
      readonly format: "text" | "json"
      readonly destination: "stderr" | "file"
      readonly file: string | undefined
      readonly redactSensitiveData: boolean
    }
    /** Treat every host as one that renders MCP Apps (requirement W9). */
    readonly forceUi: boolean
    /** Log prompts and answers, and save each generated page. */
    readonly debug: boolean
  }
>()("mcp-gen-ui/services/Settings") {}
