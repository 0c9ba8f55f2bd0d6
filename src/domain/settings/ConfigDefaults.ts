/**
 * What a run does when neither a flag, the environment nor the file says otherwise.
 * Times are milliseconds, sizes bytes.
 */
export const CONFIG_DEFAULTS = {
  upstream: { reconnectDelayMs: 1000, maxReconnectDelayMs: 30_000, oauth: { loginTimeoutMs: 300_000 } },
  http: { host: "127.0.0.1", maxSessions: 100, sessionIdleMs: 1_800_000, maxBodyBytes: 67_108_864 },
  llm: { maxTokens: 8000 },
  cache: {
    type: "memory",
    prefix: "mcp-gen-ui:",
    maxEntries: 100,
    maxEntrySizeBytes: 512_000,
    maxTotalSizeBytes: 52_428_800
  },
  generation: {
    defaultTheme: "system",
    delivery: "blocking",
    timeoutMs: 15_000,
    maxAttempts: 3,
    retryDelayMs: 1000,
    maxConcurrentGenerations: 2,
    onTimeout: "abort",
    secondDraft: "off",
    library: true,
    toolMemory: "results",
    limits: {
      maxPromptTokens: 5000,
      maxOutputTokens: 8000,
      maxRefinementHistory: 5,
      maxSchemaDepth: 5,
      maxOutputDisplayBytes: 102_400,
      maxHtmlBytes: 512_000
    }
  },
  refinements: { persist: false },
  viewTools: "off",
  logging: { level: "info", format: "text", redactSensitiveData: true },
  toolPrefix: "_ui_",
  wrapperTools: "few",
  translateEras: false,
  maxMessageBytes: 268_435_456,
  toolRefresh: { enabled: false, intervalMs: 300_000, retryBackoffMs: [30_000, 60_000, 120_000] }
} as const

/** `generation.toolMemory` over HTTP: UIs are shared by all sessions, and what one person saw is not for another. */
export const TOOL_MEMORY_OVER_HTTP = "shapes" as const
