import { Context } from "effect"
import type { Redacted } from "effect"

export type Provider = "anthropic" | "openai" | "ollama" | "none"
export type Theme = "system" | "light" | "dark"

/** What is asked of one tool's UI beyond its definition (configuration `generation.tools.<name>`). */
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

export interface StdioUpstream {
  readonly transport: "stdio"
  readonly command: string
  readonly args: ReadonlyArray<string>
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string | undefined
}

/**
 * Everything a run was told, after flag > environment > file > default and after `${ENV}` references.
 * It is plain data: nothing here opens a file or a socket. Times are milliseconds.
 */
export class Settings extends Context.Service<
  Settings,
  {
    readonly upstream: StdioUpstream
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
      readonly enabledTools: ReadonlyArray<string> | undefined
      readonly tools: Readonly<Record<string, ToolHints>>
      readonly limits: Limits
    }
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
