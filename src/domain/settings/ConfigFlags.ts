import type { Environment } from "./ConfigText.ts"
import type { Told } from "./ConfigProblem.ts"

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
  /** The settings that it says, as `config check` names them. */
  readonly settings: ReadonlyArray<string>
}

/** `--cache-dir` and `MCP_GEN_UI_CACHE_DIR`. */
const named = (flag: string) => ({ flag, variable: `MCP_GEN_UI_${flag.replaceAll("-", "_").toUpperCase()}` })

const text = (flag: string, metavar: string, description: string, ...settings: ReadonlyArray<string>) =>
  ({ ...named(flag), kind: "text", metavar, description, settings }) as const

const onOff = (flag: string, description: string, ...settings: ReadonlyArray<string>) =>
  ({ ...named(flag), kind: "switch", description, settings }) as const

const choice = <const Choices extends ReadonlyArray<string>>(
  flag: string,
  choices: Choices,
  description: string,
  ...settings: ReadonlyArray<string>
) => ({ ...named(flag), kind: "choice", choices, description, settings }) as const

/**
 * What a command line and the environment can say. The parser, the fast path before it, the help text, the reading of
 * the environment, and what the file may choose from are all made from this one table.
 *
 * Only in the environment: `MCP_GEN_UI_API_KEY` (before the next two), `ANTHROPIC_API_KEY`, `OPENAI_API_KEY` (before
 * `llm.apiKey`), `ANTHROPIC_BASE_URL`, `OPENAI_BASE_URL`, `OLLAMA_HOST` (before `llm.baseUrl`),
 * `MCP_GEN_UI_UPSTREAM_TOKEN` (before `upstream.token`), `MCP_GEN_UI_OAUTH_CLIENT_SECRET` (before
 * `upstream.oauth.clientSecret`) and `MCP_GEN_UI_TOKEN` (before `http.token`). An empty variable counts as not set.
 */
export const CONFIG_FLAGS = {
  upstream: text(
    "upstream",
    "SERVER",
    'The server to wrap: its URL, or its command as one text: --upstream "node server.js"'
  ),
  transport: choice(
    "transport",
    ["stdio", "http", "sse", "auto"],
    "How the server is reached; a command by stdio, a URL by auto (Streamable HTTP, else SSE)",
    "upstream.transport"
  ),
  header: {
    flag: "header",
    variable: "MCP_GEN_UI_HEADERS",
    kind: "list",
    metavar: '"NAME: VALUE"',
    description: "Sent to a server behind a URL with every request; ${ENV} in the value is replaced. Repeatable",
    settings: ["upstream.headers"]
  },
  http: text(
    "http",
    "[HOST:]PORT",
    "Serve hosts over HTTP, not over standard input and output; off goes back to these",
    "http.host",
    "http.port"
  ),
  config: text("config", "FILE", "A configuration file in JSON"),
  llm: choice(
    "llm",
    ["anthropic", "openai", "ollama", "host", "none"],
    "Who writes the UIs; without it the provider whose key is in the environment, else host: the model you talk to, when you ask it",
    "llm.provider"
  ),
  model: text("model", "NAME", "The model to ask, by the provider's name for it", "llm.model"),
  prompt: text("prompt", "TEXT", "What every UI should be like, in words: a house style", "generation.prompt"),
  promptFile: text("prompt-file", "FILE", "A file with such words", "generation.prompt"),
  secondDraft: choice(
    "second-draft",
    ["off", "next", "live"],
    "Write each UI once more after it was opened, with more time; it is shown at the next opening, or on screen",
    "generation.secondDraft"
  ),
  cacheDir: text(
    "cache-dir",
    "DIR",
    "Keep UIs in a folder, for the next start and for other processes",
    "cache.type",
    "cache.directory"
  ),
  exportDir: text(
    "export-dir",
    "DIR",
    "Put every written UI into a folder, as a page that opens in a browser",
    "exportDirectory"
  ),
  debug: onOff("debug", "Log prompts and answers, and save every generated page", "debug"),
  noCache: onOff("no-cache", "Write a UI anew each time it is read", "cache.enabled"),
  noLibrary: onOff("no-library", "Serve no finished UIs of the library", "generation.library"),
  forceUi: onOff("force-ui", "Offer UIs to hosts that do not say that they can show them", "forceUi"),
  embedUi: onOff(
    "embed-ui",
    "Put the UI of a tool into its results, for hosts that show mcp-ui and not MCP Apps",
    "embedUi"
  ),
  toolPrefix: text(
    "tool-prefix",
    "PREFIX",
    "How the names of the wrapper's own tools begin, _ui_ unless set",
    "toolPrefix"
  ),
  wrapperTools: choice(
    "wrapper-tools",
    ["all", "few", "none"],
    "Which of the wrapper's own tools the host's model sees, few unless set",
    "wrapperTools"
  ),
  translateEras: onOff(
    "translate-eras",
    "Let hosts of the 2026-07-28 protocol use a server of an earlier one",
    "translateEras"
  ),
  logLevel: choice(
    "log-level",
    ["debug", "info", "warn", "error"],
    "The least important log lines to keep",
    "logging.level"
  ),
  logFormat: choice("log-format", ["text", "json"], "How a log line looks", "logging.format"),
  logFile: text(
    "log-file",
    "FILE",
    "Append the log to a file, not to standard error",
    "logging.destination",
    "logging.file"
  )
} as const satisfies Record<string, FlagDefinition>

export type ConfigFlagName = keyof typeof CONFIG_FLAGS
export const CONFIG_FLAG_NAMES = Object.keys(CONFIG_FLAGS) as ReadonlyArray<ConfigFlagName>

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
 * Reads a command line of known flags with valid values, each once unless it is a list, and words after `--`. Answers
 * `undefined` for all else (a slip, `--help`, a subcommand, a rare spelling). The full parser reads that: to load it takes
 * longer than the rest of the start.
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

const ON: ReadonlySet<string> = new Set(["1", "true", "yes", "on"])
const OFF: ReadonlySet<string> = new Set(["0", "false", "no", "off"])

/** The value of a variable; one that is empty or blank counts as not set. */
export const variableOf = (environment: Environment, name: string): string | undefined => {
  const value = environment[name]
  return value === undefined || value.trim() === "" ? undefined : value
}

/** The variables that repeat flags, checked as the command line checks its own. */
export const readConfigVariables = (environment: Environment, tell: Told): ConfigFlagValues => {
  const values: { -readonly [Name in ConfigFlagName]?: ConfigFlagValue } = {}
  for (const name of CONFIG_FLAG_NAMES) {
    const definition: FlagDefinition = CONFIG_FLAGS[name]
    const value = variableOf(environment, definition.variable)
    if (value === undefined) continue
    const refuse = (allowed: string) =>
      tell.problem(definition.variable, "", `found ${JSON.stringify(value)}; allowed: ${allowed}`)
    if (definition.kind === "switch") {
      if (ON.has(value.toLowerCase())) values[name] = true
      else if (!OFF.has(value.toLowerCase())) refuse("1, true, yes, on, 0, false, no, off")
    } else if (definition.choices?.includes(value) === false) {
      refuse(definition.choices.join(", "))
    } else if (definition.kind === "list") {
      values[name] = value.split(/\r?\n/).filter((line) => line.trim() !== "")
    } else values[name] = value
  }
  return values as ConfigFlagValues
}
