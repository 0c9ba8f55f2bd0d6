interface FlagDefinition {
  /** Without the two dashes. */
  readonly flag: string
  /** The variable that says the same; the flag wins. */
  readonly variable: string
  /** `list`: a text that may be given again and again; its variable holds one a line. */
  readonly kind: "text" | "switch" | "choice" | "list"
  readonly choices?: ReadonlyArray<string>
  readonly metavar?: string
  readonly description: string
}

/**
 * What a command line and the environment can say. The parser, the fast path before it, the help text and the
 * reading of the environment are all made from this one table.
 *
 * | flag | variable | stands for |
 * |---|---|---|
 * | `--upstream SERVER` | `MCP_GEN_UI_UPSTREAM` | the server's URL, or its command in one text, split as by a shell |
 * | `--transport NAME` | `MCP_GEN_UI_TRANSPORT` | `upstream.transport` |
 * | `--header "NAME: VALUE"` | `MCP_GEN_UI_HEADERS` | one of `upstream.headers`; `${ENV}` references are replaced |
 * | `--http [HOST:]PORT` | `MCP_GEN_UI_HTTP` | `http.host` and `http.port`, or `off` |
 * | `--config FILE` | `MCP_GEN_UI_CONFIG` | the configuration file |
 * | `--llm PROVIDER` | `MCP_GEN_UI_LLM` | `llm.provider` |
 * | `--model NAME` | `MCP_GEN_UI_MODEL` | `llm.model` |
 * | `--prompt TEXT` | `MCP_GEN_UI_PROMPT` | `generation.prompt` |
 * | `--prompt-file FILE` | `MCP_GEN_UI_PROMPT_FILE` | a file with the text of `generation.prompt` |
 * | `--cache-dir DIR` | `MCP_GEN_UI_CACHE_DIR` | `cache.directory`, and `cache.type` is `filesystem` |
 * | `--export-dir DIR` | `MCP_GEN_UI_EXPORT_DIR` | `exportDirectory` |
 * | `--debug` | `MCP_GEN_UI_DEBUG` | prompts and answers in the log, pages saved |
 * | `--no-cache` | `MCP_GEN_UI_NO_CACHE` | every read writes the UI anew |
 * | `--force-ui` | `MCP_GEN_UI_FORCE_UI` | UIs for hosts that do not announce MCP Apps |
 * | `--tool-prefix PREFIX` | `MCP_GEN_UI_TOOL_PREFIX` | `toolPrefix` |
 * | `--translate-eras` | `MCP_GEN_UI_TRANSLATE_ERAS` | `translateEras` |
 * | `--log-level LEVEL` | `MCP_GEN_UI_LOG_LEVEL` | `logging.level` |
 * | `--log-format FORMAT` | `MCP_GEN_UI_LOG_FORMAT` | `logging.format` |
 * | `--log-file FILE` | `MCP_GEN_UI_LOG_FILE` | `logging.file` |
 *
 * Only in the environment: `MCP_GEN_UI_API_KEY` (before the next two), `ANTHROPIC_API_KEY`, `OPENAI_API_KEY` (before
 * `llm.apiKey`), `ANTHROPIC_BASE_URL`, `OPENAI_BASE_URL`, `OLLAMA_HOST` (before `llm.baseUrl`), `MCP_GEN_UI_UPSTREAM_TOKEN`
 * (before `upstream.token`) and `MCP_GEN_UI_TOKEN` (before `http.token`). An empty variable counts as not set. Switches take `1`, `true`, `yes`,
 * `on` and `0`, `false`, `no`, `off`.
 */
export const CONFIG_FLAGS = {
  upstream: {
    flag: "upstream",
    variable: "MCP_GEN_UI_UPSTREAM",
    kind: "text",
    metavar: "SERVER",
    description: 'The server to wrap: its URL, or its command as one text: --upstream "node server.js"'
  },
  transport: {
    flag: "transport",
    variable: "MCP_GEN_UI_TRANSPORT",
    kind: "choice",
    choices: ["stdio", "http", "sse", "auto"],
    description: "How the server is reached; a command by stdio, a URL by auto (Streamable HTTP, else SSE)"
  },
  header: {
    flag: "header",
    variable: "MCP_GEN_UI_HEADERS",
    kind: "list",
    metavar: '"NAME: VALUE"',
    description: "Sent to a server behind a URL with every request; ${ENV} in the value is replaced. Repeatable"
  },
  http: {
    flag: "http",
    variable: "MCP_GEN_UI_HTTP",
    kind: "text",
    metavar: "[HOST:]PORT",
    description: "Serve hosts over HTTP, not over standard input and output; off goes back to these"
  },
  config: {
    flag: "config",
    variable: "MCP_GEN_UI_CONFIG",
    kind: "text",
    metavar: "FILE",
    description: "A configuration file in JSON"
  },
  llm: {
    flag: "llm",
    variable: "MCP_GEN_UI_LLM",
    kind: "choice",
    choices: ["anthropic", "openai", "ollama", "none"],
    description: "Who writes the UIs; without it the provider whose key is in the environment, else none"
  },
  model: {
    flag: "model",
    variable: "MCP_GEN_UI_MODEL",
    kind: "text",
    metavar: "NAME",
    description: "The model to ask, by the provider's name for it"
  },
  prompt: {
    flag: "prompt",
    variable: "MCP_GEN_UI_PROMPT",
    kind: "text",
    metavar: "TEXT",
    description: "What every UI should be like, in words: a house style"
  },
  promptFile: {
    flag: "prompt-file",
    variable: "MCP_GEN_UI_PROMPT_FILE",
    kind: "text",
    metavar: "FILE",
    description: "A file with such words"
  },
  cacheDir: {
    flag: "cache-dir",
    variable: "MCP_GEN_UI_CACHE_DIR",
    kind: "text",
    metavar: "DIR",
    description: "Keep UIs in a folder, for the next start and for other processes"
  },
  exportDir: {
    flag: "export-dir",
    variable: "MCP_GEN_UI_EXPORT_DIR",
    kind: "text",
    metavar: "DIR",
    description: "Put every written UI into a folder, as a page that opens in a browser"
  },
  debug: {
    flag: "debug",
    variable: "MCP_GEN_UI_DEBUG",
    kind: "switch",
    description: "Log prompts and answers, and save every generated page"
  },
  noCache: {
    flag: "no-cache",
    variable: "MCP_GEN_UI_NO_CACHE",
    kind: "switch",
    description: "Write a UI anew each time it is read"
  },
  forceUi: {
    flag: "force-ui",
    variable: "MCP_GEN_UI_FORCE_UI",
    kind: "switch",
    description: "Offer UIs to hosts that do not say that they can show them"
  },
  toolPrefix: {
    flag: "tool-prefix",
    variable: "MCP_GEN_UI_TOOL_PREFIX",
    kind: "text",
    metavar: "PREFIX",
    description: "How the names of the wrapper's own tools begin, _ui_ unless set"
  },
  translateEras: {
    flag: "translate-eras",
    variable: "MCP_GEN_UI_TRANSLATE_ERAS",
    kind: "switch",
    description: "Let hosts of the 2026-07-28 protocol use a server of an earlier one"
  },
  logLevel: {
    flag: "log-level",
    variable: "MCP_GEN_UI_LOG_LEVEL",
    kind: "choice",
    choices: ["debug", "info", "warn", "error"],
    description: "The least important log lines to keep"
  },
  logFormat: {
    flag: "log-format",
    variable: "MCP_GEN_UI_LOG_FORMAT",
    kind: "choice",
    choices: ["text", "json"],
    description: "How a log line looks"
  },
  logFile: {
    flag: "log-file",
    variable: "MCP_GEN_UI_LOG_FILE",
    kind: "text",
    metavar: "FILE",
    description: "Append the log to a file, not to standard error"
  }
} as const satisfies Record<string, FlagDefinition>

export type ConfigFlagName = keyof typeof CONFIG_FLAGS

type ValueOf<Definition> = Definition extends { readonly choices: ReadonlyArray<infer Choice> }
  ? Choice
  : Definition extends { readonly kind: "switch" }
    ? true
    : Definition extends { readonly kind: "list" }
      ? ReadonlyArray<string>
      : string

/** The flags that were given, by their name in {@link CONFIG_FLAGS}. */
export type ConfigFlagValues = {
  readonly [Name in ConfigFlagName]?: ValueOf<(typeof CONFIG_FLAGS)[Name]> | undefined
}

/** What a flag of any kind holds. */
export type ConfigFlagValue = string | true | ReadonlyArray<string>

/** A command line as understood: the flags, and the words after `--` (`undefined` if there was no `--`). */
export interface CommandLineArguments {
  readonly flags: ConfigFlagValues
  readonly command: ReadonlyArray<string> | undefined
}

const BOOLEAN_WORDS: ReadonlySet<string> = new Set(["true", "false", "yes", "no", "on", "off", "1", "0", "y", "n"])

const BY_FLAG: ReadonlyMap<string, readonly [ConfigFlagName, FlagDefinition]> = new Map(
  Object.entries(CONFIG_FLAGS).map(([name, definition]) => [
    `--${definition.flag}`,
    [name as ConfigFlagName, definition] as const
  ])
)

/**
 * Reads a command line of known flags with valid values, each once unless it is a list, and words after `--`. It answers
 * `undefined` for all else (a slip, `--help`, a subcommand, a rare spelling), which the full parser then
 * handles: that parser costs more time to load than the whole rest of the start.
 */
export const readPlainArguments = (words: ReadonlyArray<string>): CommandLineArguments | undefined => {
  const end = words.indexOf("--")
  const head = end < 0 ? words : words.slice(0, end)
  const flags: { -readonly [Name in ConfigFlagName]?: ConfigFlagValue } = {}
  for (let index = 0; index < head.length; index++) {
    const word = head[index] ?? ""
    const equals = word.indexOf("=")
    const [name, definition] = BY_FLAG.get(equals < 0 ? word : word.slice(0, equals)) ?? []
    if (name === undefined || definition === undefined) return undefined
    const before = flags[name]
    if (before !== undefined && definition.kind !== "list") return undefined
    if (definition.kind === "switch") {
      if (equals >= 0 || BOOLEAN_WORDS.has((head[index + 1] ?? "").toLowerCase())) return undefined
      flags[name] = true
    } else {
      const value = equals < 0 ? head[++index] : word.slice(equals + 1)
      if (value === undefined || value === "" || (equals < 0 && value.startsWith("-"))) return undefined
      if (definition.choices !== undefined && !definition.choices.includes(value)) return undefined
      flags[name] = definition.kind === "list" ? [...(Array.isArray(before) ? before : []), value] : value
    }
  }
  return { flags: flags as ConfigFlagValues, command: end < 0 ? undefined : words.slice(end + 1) }
}
