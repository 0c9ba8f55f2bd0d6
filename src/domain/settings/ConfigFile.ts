import { Result, Schema } from "effect"
import { CONFIG_DEFAULTS } from "./ConfigDefaults.ts"
import { type ConfigFileProblem, configFileProblems } from "./configFileProblems.ts"
import { REDIS_URL_RULES } from "./RedisUrl.ts"
import { ENCODED_EXPECTED } from "./Secrets.ts"
import { TOOL_PREFIX, TOOL_PREFIX_EXPECTED } from "./ToolPrefix.ts"

const described = <S extends Schema.Top>(schema: S, description: string): S["Rebuild"] =>
  schema.annotate({ description })

const whole = (minimum: number, maximum: number, description: string, byDefault?: number) => {
  const expected = `a whole number from ${minimum} to ${maximum}`
  return Schema.Number.check(Schema.isInt({ expected }), Schema.isBetween({ minimum, maximum }, { expected })).annotate(
    { description, ...(byDefault === undefined ? {} : { default: byDefault }) }
  )
}

const text = (description: string) =>
  Schema.String.check(Schema.isMinLength(1, { expected: "a text that is not empty" })).annotate({ description })

/** How an absolute `http` or `https` URL begins; parsers of URLs take more, such as `http:example.com`. */
export const HTTP_URL = /^[Hh][Tt][Tt][Pp][Ss]?:\/\/./

/** Whether a text is an absolute `http` or `https` URL. */
export const isHttpUrl = (value: string): boolean => HTTP_URL.test(value) && URL.canParse(value)

/** Whether a text is an `http` or `https` URL but for a user and a password that are not percent-encoded. */
const isUnencodedUrl = (value: string): boolean =>
  HTTP_URL.test(value) && !URL.canParse(value) && /^\w+:\/\/[^@%/?#\\]*[%/?#\\][^]*@/.test(value)

/** What is allowed in place of a text that is not {@link isHttpUrl}. */
export const httpUrlExpected = (value: string): string =>
  isUnencodedUrl(value) ? ENCODED_EXPECTED : "a URL that begins with http:// or https://"

/** JSON Schema does not know of these: `ConfigFileJsonSchema` says there what can be said. */
const textThat = (is: (value: string) => boolean, expected: string, description: string) =>
  Schema.String.annotate({ description }).check(Schema.makeFilter(is, { expected }))

const url = (description: string) =>
  Schema.String.annotate({ description })
    .check(Schema.makeFilter((value) => !isUnencodedUrl(value), { expected: ENCODED_EXPECTED }, true))
    .check(Schema.makeFilter(isHttpUrl, { expected: httpUrlExpected("") }))

/** How an absolute `https` URL begins. */
export const HTTPS_URL = /^[Hh][Tt][Tt][Pp][Ss]:\/\/./

/** A client id that is an address (OAuth Client ID Metadata Document): `https:`, with a path. */
export const isClientMetadataUrl = (value: string): boolean =>
  HTTPS_URL.test(value) && URL.canParse(value) && new URL(value).pathname !== "/"
export const CLIENT_METADATA_URL_EXPECTED = "a URL that begins with https:// and has a path"

const struct = <const Fields extends Schema.Struct.Fields>(description: string, fields: Fields) =>
  Schema.Struct(fields).annotate({ description })

/** Built on first use: most runs have no file, and building it would cost each start some milliseconds. */
const define = () => {
  const { cache, generation, http, llm, logging, toolRefresh, upstream } = CONFIG_DEFAULTS
  const { limits } = generation

  const ThemeName = Schema.Literals(["system", "light", "dark"])

  const OAuth = struct("Logging in to the server. Where clients register themselves nothing of it is needed.", {
    clientId: Schema.optionalKey(text("A client that was registered by hand.")),
    clientSecret: Schema.optionalKey(
      text('Its secret. Better left to MCP_GEN_UI_OAUTH_CLIENT_SECRET, or written as "${NAME}".')
    ),
    clientMetadataUrl: Schema.optionalKey(
      textThat(
        isClientMetadataUrl,
        CLIENT_METADATA_URL_EXPECTED,
        "The client's metadata document, where such an address is a client id."
      )
    ),
    scope: Schema.optionalKey(text("What to ask for, separated by blanks, instead of what the server asks for.")),
    callbackPort: Schema.optionalKey(
      whole(0, 65_535, "Where the browser comes back to; 3334 unless set, any free port if that is in use.")
    ),
    callbackHost: Schema.optionalKey(
      described(
        Schema.Literals(["127.0.0.1", "localhost"]),
        "How the redirect URL names this machine; 127.0.0.1 unless set."
      )
    ),
    loginTimeoutMs: Schema.optionalKey(
      whole(1000, 3_600_000, "How long a person may take.", upstream.oauth.loginTimeoutMs)
    )
  })

  const Upstream = struct("The MCP server to wrap: a command to start, or a URL to reach.", {
    transport: Schema.optionalKey(
      described(
        Schema.Literals(["stdio", "http", "sse", "auto"]),
        "stdio for a command, auto for a URL: Streamable HTTP, else the SSE of 2024-11-05."
      )
    ),
    command: Schema.optionalKey(text("The program to start.")),
    args: Schema.optionalKey(described(Schema.Array(Schema.String), "Its arguments, one an element, without quoting.")),
    env: Schema.optionalKey(
      described(Schema.Record(Schema.String, Schema.String), "Variables added to the environment of the server.")
    ),
    cwd: Schema.optionalKey(text("The folder the server starts in; relative to this file.")),
    url: Schema.optionalKey(url("Where the server is.")),
    headers: Schema.optionalKey(
      described(Schema.Record(Schema.String, Schema.String), 'Sent with every request; secrets as "${NAME}".')
    ),
    token: Schema.optionalKey(
      text('Sent as a bearer token. Better left to MCP_GEN_UI_UPSTREAM_TOKEN, or written as "${NAME}".')
    ),
    oauth: Schema.optionalKey(OAuth),
    reconnectDelayMs: Schema.optionalKey(
      whole(1, 3_600_000, "Before a lost connection is tried again; doubles.", upstream.reconnectDelayMs)
    ),
    maxReconnectDelayMs: Schema.optionalKey(
      whole(1, 3_600_000, "Longest wait between two tries.", upstream.maxReconnectDelayMs)
    )
  })

  const Http = struct("Serving hosts over HTTP, instead of standard input and output.", {
    host: Schema.optionalKey(
      text("The address to listen on; another than this machine's own needs a token.").annotate({ default: http.host })
    ),
    port: Schema.optionalKey(whole(0, 65_535, "The port to listen on; 0 takes any free one.")),
    token: Schema.optionalKey(
      text('What hosts send as a bearer token. Better left to MCP_GEN_UI_TOKEN, or written as "${NAME}".')
    ),
    allowedOrigins: Schema.optionalKey(
      described(
        Schema.Array(Schema.String),
        "Origins of web pages that may connect, such as https://example.com, beside those of this machine."
      )
    ),
    allowedHosts: Schema.optionalKey(
      described(
        Schema.Array(Schema.String),
        "Names that hosts may reach this by, such as mcp.example.com:8080, beside those of this machine."
      )
    ),
    maxSessions: Schema.optionalKey(whole(1, 100_000, "Hosts connected at one time.", http.maxSessions)),
    sessionIdleMs: Schema.optionalKey(
      whole(100, 604_800_000, "A session without a request or stream ends after it.", http.sessionIdleMs)
    ),
    maxBodyBytes: Schema.optionalKey(whole(1024, 1_073_741_824, "Largest request taken.", http.maxBodyBytes))
  })

  const Llm = struct("The language model that writes the UIs.", {
    provider: Schema.optionalKey(
      described(
        Schema.Literals(["anthropic", "openai", "ollama", "none"]),
        "Without it: the provider whose key is in the environment, else none (built-in UIs)."
      )
    ),
    model: Schema.optionalKey(text("A model name of the provider; a fast one by default.")),
    apiKey: Schema.optionalKey(text('Better left to the environment, or written as "${NAME}".')),
    baseUrl: Schema.optionalKey(url("Another server with the provider's API.")),
    maxTokens: Schema.optionalKey(whole(256, 1_000_000, "Output tokens that a request asks for.", llm.maxTokens)),
    temperature: Schema.optionalKey(
      described(
        Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 2 }, { expected: "a number from 0 to 2" })),
        "The provider's own unless set."
      )
    )
  })

  const Cache = struct("Where written UIs are kept.", {
    type: Schema.optionalKey(
      Schema.Literals(["memory", "filesystem", "redis"]).annotate({
        description:
          "In this process, in a folder, or in a Redis that several machines share; filesystem if a directory is given, redis if a url is.",
        default: "memory"
      })
    ),
    directory: Schema.optionalKey(
      text("The folder, relative to this file; mcp-gen-ui in your folder for caches unless set.")
    ),
    url: Schema.optionalKey(
      REDIS_URL_RULES.reduce(
        (url, { expected, is }) => url.check(Schema.makeFilter(is, { expected }, true)),
        Schema.String.annotate({ description: 'Where Redis is. With a password better written as "${NAME}".' })
      )
    ),
    prefix: Schema.optionalKey(
      text("How the names of all keys in Redis begin.").annotate({ default: CONFIG_DEFAULTS.cache.prefix })
    ),
    maxEntries: Schema.optionalKey(whole(1, 100_000, "UIs kept at most.", cache.maxEntries)),
    maxEntrySizeBytes: Schema.optionalKey(whole(1024, 104_857_600, "Largest UI kept.", cache.maxEntrySizeBytes)),
    maxTotalSizeBytes: Schema.optionalKey(whole(1024, 10_737_418_240, "All UIs together.", cache.maxTotalSizeBytes)),
    ttlMs: Schema.optionalKey(whole(1, 31_536_000_000, "How long a UI is kept; for ever unless set."))
  })

  const Hints = struct("What is asked of one tool's UI.", {
    uiType: Schema.optionalKey(
      described(
        Schema.Literals(["rich", "minimal"]),
        "Written by the model, or built in; the model decides unless set."
      )
    ),
    theme: Schema.optionalKey(described(ThemeName, "Instead of generation.defaultTheme.")),
    interactivity: Schema.optionalKey(
      described(Schema.Literals(["low", "medium", "high"]), "How much there is to operate in the UI.")
    ),
    prompt: Schema.optionalKey(text("Added to what the model is told about this tool.")),
    examples: Schema.optionalKey(described(Schema.Array(Schema.Json), "Results of the tool to design for."))
  })

  const Limits = struct("Bounds of a generation.", {
    maxPromptTokens: Schema.optionalKey(whole(500, 1_000_000, "Longest prompt.", limits.maxPromptTokens)),
    maxOutputTokens: Schema.optionalKey(whole(256, 1_000_000, "Longest answer.", limits.maxOutputTokens)),
    maxRefinementHistory: Schema.optionalKey(whole(1, 100, "Refinements kept a tool.", limits.maxRefinementHistory)),
    maxSchemaDepth: Schema.optionalKey(whole(1, 20, "Levels of a schema shown to the model.", limits.maxSchemaDepth)),
    maxOutputDisplayBytes: Schema.optionalKey(
      whole(1024, 10_485_760, "Data shown before a UI offers the rest.", limits.maxOutputDisplayBytes)
    ),
    maxHtmlBytes: Schema.optionalKey(whole(1024, 5_242_880, "Largest UI the model may write.", limits.maxHtmlBytes))
  })

  const Generation = struct("How UIs are written.", {
    defaultTheme: Schema.optionalKey(
      ThemeName.annotate({ description: "The host's theme, or always one.", default: generation.defaultTheme })
    ),
    promptsDirectory: Schema.optionalKey(text("A folder with prompts to use instead; relative to this file.")),
    prompt: Schema.optionalKey(text("Added to what the model is told about every tool.")),
    uiDirectory: Schema.optionalKey(
      text("A folder with UIs made by hand, <tool>.html, which are served as they are; relative to this file.")
    ),
    timeoutMs: Schema.optionalKey(
      whole(100, 600_000, "For a whole generation with all attempts.", generation.timeoutMs)
    ),
    maxAttempts: Schema.optionalKey(whole(1, 10, "Requests to the model at most.", generation.maxAttempts)),
    retryDelayMs: Schema.optionalKey(
      whole(1, 5000, "Before the second attempt; doubles to 5000.", generation.retryDelayMs)
    ),
    maxConcurrentGenerations: Schema.optionalKey(
      whole(1, 32, "Generations at one time.", generation.maxConcurrentGenerations)
    ),
    delivery: Schema.optionalKey(
      Schema.Literals(["blocking", "live", "auto"]).annotate({
        description: "Reading a UI waits for it, or gets what there is and the rest on screen, or as suits the host.",
        default: generation.delivery
      })
    ),
    onTimeout: Schema.optionalKey(
      Schema.Literals(["abort", "continue"]).annotate({
        description: "A generation that nobody waits for any more is stopped, or finished and kept.",
        default: generation.onTimeout
      })
    ),
    toolMemory: Schema.optionalKey(
      Schema.Literals(["results", "shapes", "off"]).annotate({
        description:
          "What the model is told of real results that pass by: a few of them, only their shapes (also unless set, over HTTP), or nothing.",
        default: generation.toolMemory
      })
    ),
    enabledTools: Schema.optionalKey(
      described(Schema.Array(text("A tool name; * stands for any characters.")), "Tools that get a UI; all unless set.")
    ),
    tools: Schema.optionalKey(described(Schema.Record(Schema.String, Hints), "Hints by tool name.")),
    limits: Schema.optionalKey(Limits)
  })

  const Logging = struct("Logs never go to standard output, which belongs to the protocol.", {
    level: Schema.optionalKey(
      Schema.Literals(["debug", "info", "warn", "error"]).annotate({
        description: "The least important lines kept.",
        default: logging.level
      })
    ),
    format: Schema.optionalKey(
      Schema.Literals(["text", "json"]).annotate({ description: "One line an event.", default: logging.format })
    ),
    destination: Schema.optionalKey(described(Schema.Literals(["stderr", "file"]), "file if logging.file is given.")),
    file: Schema.optionalKey(text("The log is appended to it; relative to this file.")),
    redactSensitiveData: Schema.optionalKey(
      Schema.Boolean.annotate({ description: "Take keys out of every line.", default: logging.redactSensitiveData })
    )
  })

  const ToolRefresh = struct("Reading the server's tools again by itself.", {
    enabled: Schema.optionalKey(
      Schema.Boolean.annotate({ description: "Beside what the server announces.", default: toolRefresh.enabled })
    ),
    intervalMs: Schema.optionalKey(whole(1000, 86_400_000, "From one reading to the next.", toolRefresh.intervalMs)),
    retryBackoffMs: Schema.optionalKey(
      Schema.Array(whole(100, 3_600_000, "One wait."))
        .check(Schema.isMinLength(1, { expected: "a list of at least one number" }))
        .annotate({
          description: "Waits after failed readings; the last one repeats.",
          default: toolRefresh.retryBackoffMs
        })
    )
  })

  const Refinements = struct("What users asked to be changed.", {
    persist: Schema.optionalKey(
      Schema.Boolean.annotate({
        description: "Keep it for the next start.",
        default: CONFIG_DEFAULTS.refinements.persist
      })
    ),
    directory: Schema.optionalKey(
      text("Where it is kept, relative to this file; mcp-gen-ui in your folder for state unless set.")
    )
  })

  return struct("Configuration of mcp-gen-ui.", {
    $schema: Schema.optionalKey(described(Schema.String, "The JSON Schema of this file, for editors.")),
    upstream: Schema.optionalKey(Upstream),
    llm: Schema.optionalKey(Llm),
    cache: Schema.optionalKey(Cache),
    generation: Schema.optionalKey(Generation),
    refinements: Schema.optionalKey(Refinements),
    exportDirectory: Schema.optionalKey(
      text("A folder into which every written UI is put, as a page of its own; relative to this file.")
    ),
    logging: Schema.optionalKey(Logging),
    toolRefresh: Schema.optionalKey(ToolRefresh),
    http: Schema.optionalKey(Http),
    toolPrefix: Schema.optionalKey(
      Schema.String.check(Schema.isPattern(TOOL_PREFIX, { expected: TOOL_PREFIX_EXPECTED })).annotate({
        description: "How the names of the wrapper's own tools begin.",
        default: CONFIG_DEFAULTS.toolPrefix
      })
    ),
    translateEras: Schema.optionalKey(
      Schema.Boolean.annotate({
        description: "Let hosts of the 2026-07-28 protocol use a server of an earlier one.",
        default: CONFIG_DEFAULTS.translateEras
      })
    ),
    maxMessageBytes: Schema.optionalKey(
      whole(1024, 1_073_741_824, "Largest message carried; a larger one is refused.", CONFIG_DEFAULTS.maxMessageBytes)
    )
  })
}

let defined: ReturnType<typeof define> | undefined

/**
 * The Schema of the configuration file (requirements section 8) after `${NAME}` references were replaced. Every
 * key is optional; {@link CONFIG_DEFAULTS} fills what is missing. Sizes are bytes, times milliseconds.
 */
export const configFileSchema = (): ReturnType<typeof define> => (defined ??= define())

/** What {@link configFileSchema} decodes. */
export type ConfigFile = ReturnType<typeof define>["Type"]

/** Decodes the parsed file, or says everything that is wrong with it, in the order of the file's sections. */
export const decodeConfigFile = (document: unknown): Result.Result<ConfigFile, ReadonlyArray<ConfigFileProblem>> =>
  Result.mapError(
    Schema.decodeUnknownResult(configFileSchema(), { errors: "all", onExcessProperty: "error" })(document),
    (error) => configFileProblems(error.issue, [], document)
  )
