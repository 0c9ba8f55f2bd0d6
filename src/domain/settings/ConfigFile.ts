import { Result, Schema, Struct } from "effect"
import { FONT_NAME, HOUSE_ACCENT, HOUSE_DENSITIES, HOUSE_RADII } from "../tools/HouseTheme.ts"
import { hues } from "../tools/hues.ts"
import { VIEW_KINDS } from "../tools/olderHints.ts"
import { CONFIG_FLAGS } from "./ConfigFlags.ts"
import type { FileProblem } from "../schemaProblems.ts"
import { configFileProblems } from "./configFileProblems.ts"
import { REDIS_URL_RULES } from "./RedisUrl.ts"
import { ENCODED_EXPECTED } from "./Secrets.ts"
import { LANGUAGE_EXPECTED, LANGUAGE_TAG } from "./pageLanguage.ts"

/** How an absolute `http` or `https` URL begins; parsers of URLs take more, such as `http:example.com`. */
export const HTTP_URL = /^[Hh][Tt][Tt][Pp][Ss]?:\/\/./

/** Whether a text is an absolute `http` or `https` URL. */
export const isHttpUrl = (value: string): boolean => HTTP_URL.test(value) && URL.canParse(value)

/** Whether only an unencoded user or password keeps a text from being an `http` or `https` URL. */
const isUnencodedUrl = (value: string): boolean =>
  HTTP_URL.test(value) && !URL.canParse(value) && /^\w+:\/\/[^@%/?#\\]*[%/?#\\][^]*@/.test(value)

export const httpUrlExpected = (value: string): string =>
  isUnencodedUrl(value) ? ENCODED_EXPECTED : "a URL that begins with http:// or https://"

/** Where a page is served from. It becomes part of a policy, so it is nothing but that. */
export const FRAME_ORIGIN = /^https?:\/\/[\w.-]+(?::\d{1,5})?$/

/** How an absolute `https` URL begins. */
export const HTTPS_URL = /^[Hh][Tt][Tt][Pp][Ss]:\/\/./

/** A client id that is an address (OAuth Client ID Metadata Document): `https:`, with a path. */
export const isClientMetadataUrl = (value: string): boolean =>
  HTTPS_URL.test(value) && URL.canParse(value) && new URL(value).pathname !== "/"
export const CLIENT_METADATA_URL_EXPECTED = "a URL that begins with https:// and has a path"

/**
 * How the names of the wrapper's tools may begin. Hosts take `[a-zA-Z0-9_-]` in names, some of them 60 characters
 * together with the server's. The last character sets the prefix apart, so that `ui` does not give `uilist`.
 */
export const TOOL_PREFIX = /^[\dA-Za-z_-]{0,19}[_-]$/
const ACCENT_EXPECTED = `${Object.keys(hues).join(", ")}, or a colour such as #0a7d62`
const FONT_EXPECTED = "the name of one font: letters, digits, blanks, . _ and -, 60 at most"

export const TOOL_PREFIX_EXPECTED = "1 to 20 letters, digits, _ and -, the last of them _ or -, such as ui_"

const CARDS = "a list of 1 to 40 cards"
const DASHBOARD_NAME_EXPECTED = "letters, digits, _ and -, 30 at most"

const described = <S extends Schema.Top>(schema: S, description: string): S["Rebuild"] =>
  schema.annotate({ description })

const whole = (minimum: number, maximum: number, description: string) => {
  const expected = `a whole number from ${minimum} to ${maximum}`
  const checked = Schema.Number.check(Schema.isInt({ expected }), Schema.isBetween({ minimum, maximum }, { expected }))
  return described(checked, description)
}

const text = (description: string) =>
  described(Schema.String.check(Schema.isMinLength(1, { expected: "a text that is not empty" })), description)

const toolOrNone = (description: string) =>
  described(
    Schema.Union([Schema.Literal(false), text("A tool name.")]),
    `${description} The name of a tool, or false for none.`
  )

const texts = (description: string) => described(Schema.Array(Schema.String), description)
const textsByName = (description: string) => described(Schema.Record(Schema.String, Schema.String), description)
const yesOrNo = (description: string) => described(Schema.Boolean, description)

const oneOf = <const Choices extends ReadonlyArray<string>>(choices: Choices, description: string) =>
  described(Schema.Literals(choices), description)

const url = (description: string) =>
  Schema.String.annotate({ description })
    .check(Schema.makeFilter((value) => !isUnencodedUrl(value), { expected: ENCODED_EXPECTED }, true))
    .check(Schema.makeFilter(isHttpUrl, { expected: httpUrlExpected("") }))

/** A section, in which every key may be left out. */
const section = <const Fields extends Schema.Struct.Fields>(description: string, fields: Fields) =>
  Schema.Struct(Struct.map(fields, Schema.optionalKey)).annotate({ description })

/** Built on first use: most runs have no file, and building it would cost each start some milliseconds. */
const define = () => {
  const themes = ["system", "light", "dark"] as const

  const OAuth = section("Logging in to the server. Where clients register themselves nothing of it is needed.", {
    clientId: text("A client that was registered by hand."),
    clientSecret: text('Its secret. Better left to MCP_GEN_UI_OAUTH_CLIENT_SECRET, or written as "${NAME}".'),
    clientMetadataUrl: Schema.String.annotate({
      description: "The client's metadata document, where such an address is a client id."
    }).check(Schema.makeFilter(isClientMetadataUrl, { expected: CLIENT_METADATA_URL_EXPECTED })),
    scope: text("What to ask for, separated by blanks, instead of what the server asks for."),
    callbackPort: whole(
      0,
      65_535,
      "Where the browser comes back to; 3334 unless set, any free port if that is in use."
    ),
    callbackHost: oneOf(["127.0.0.1", "localhost"], "How the redirect URL names this machine; 127.0.0.1 unless set."),
    loginTimeoutMs: whole(1000, 3_600_000, "How long a person may take.")
  })

  const Upstream = section("The MCP server to wrap: a command to start, or a URL to reach.", {
    transport: oneOf(
      CONFIG_FLAGS.transport.choices,
      "stdio for a command, auto for a URL: Streamable HTTP, else the SSE of 2024-11-05."
    ),
    command: text("The program to start."),
    args: texts("Its arguments, one an element, without quoting."),
    env: textsByName("Variables added to the environment of the server."),
    cwd: text("The folder the server starts in; relative to this file."),
    url: url("Where the server is."),
    headers: textsByName('Sent with every request; secrets as "${NAME}".'),
    token: text('Sent as a bearer token. Better left to MCP_GEN_UI_UPSTREAM_TOKEN, or written as "${NAME}".'),
    oauth: OAuth,
    reconnectDelayMs: whole(1, 3_600_000, "Before a lost connection is tried again; doubles."),
    maxReconnectDelayMs: whole(1, 3_600_000, "Longest wait between two tries.")
  })

  const Http = section("Serving hosts over HTTP, instead of standard input and output.", {
    host: text("The address to listen on; another than this machine's own needs a token."),
    port: whole(0, 65_535, "The port to listen on; 0 takes any free one."),
    token: text('What hosts send as a bearer token. Better left to MCP_GEN_UI_TOKEN, or written as "${NAME}".'),
    allowedOrigins: texts(
      "Origins of web pages that may connect, such as https://example.com, beside those of this machine."
    ),
    allowedHosts: texts(
      "Names that hosts may reach this by, such as mcp.example.com:8080, beside those of this machine."
    ),
    maxSessions: whole(1, 100_000, "Hosts connected at one time."),
    sessionIdleMs: whole(100, 604_800_000, "A session without a request or stream ends after it."),
    maxBodyBytes: whole(1024, 1_073_741_824, "Largest request taken.")
  })

  const Llm = section("The language model that writes the UIs.", {
    provider: oneOf(
      CONFIG_FLAGS.llm.choices,
      "Without it: the provider whose key is in the environment, else host: the model that a person talks to, when asked."
    ),
    model: text("A model name of the provider; a fast one by default."),
    apiKey: text('Better left to the environment, or written as "${NAME}".'),
    baseUrl: url("Another server with the provider's API."),
    maxTokens: whole(256, 1_000_000, "Output tokens that a request asks for."),
    temperature: described(
      Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 2 }, { expected: "a number from 0 to 2" })),
      "The provider's own unless set."
    )
  })

  const Cache = section("Where written UIs are kept.", {
    type: oneOf(
      ["memory", "filesystem", "redis"],
      "In this process, in a folder, or in a Redis that several machines share; filesystem if a directory is given, redis if a url is."
    ),
    directory: text("The folder, relative to this file; mcp-gen-ui in your folder for caches unless set."),
    url: REDIS_URL_RULES.reduce(
      (url, { expected, is }) => url.check(Schema.makeFilter(is, { expected }, true)),
      Schema.String.annotate({ description: 'Where Redis is. With a password better written as "${NAME}".' })
    ),
    prefix: text("How the names of all keys in Redis begin."),
    maxEntries: whole(1, 100_000, "UIs kept at most."),
    maxEntrySizeBytes: whole(1024, 104_857_600, "Largest UI kept."),
    maxTotalSizeBytes: whole(1024, 10_737_418_240, "All UIs together."),
    ttlMs: whole(1, 31_536_000_000, "How long a UI is kept; for ever unless set.")
  })

  const Options = Schema.Struct({
    from: text("The tool that lists the values; one that pages may call."),
    ...Struct.map(
      {
        value: text("The member of a row that is sent."),
        label: text("The member that is shown, or several in braces: {first_name} {last_name}."),
        search: text("The argument of that tool that searches."),
        color: text("The member that is a color.")
      },
      Schema.optionalKey
    )
  }).annotate({ description: "Another tool that lists the values of a field." })
  const Records = section("Which tools do something with what the tool lists; what is not told goes by rule.", {
    get: toolOrNone("Reads one."),
    create: toolOrNone("Makes one."),
    update: toolOrNone("Changes one."),
    delete: toolOrNone("Deletes one."),
    id: text("The member of a row that says which record it is.")
  })

  const Hints = section("What is asked of one tool's UI.", {
    uiType: oneOf(
      ["rich", "minimal", ...VIEW_KINDS],
      "Written by the model, or built in; the model decides unless set. A kind such as table is rich, and the model is told."
    ),
    theme: oneOf(themes, "Instead of generation.defaultTheme."),
    interactivity: oneOf(
      ["low", "medium", "high", "readonly"],
      "How much there is to operate in the UI; readonly: nothing that changes data."
    ),
    prompt: text("Added to what the model is told about this tool."),
    examples: described(
      Schema.Array(Schema.Json),
      "Results of the tool to design for; or arguments and their result, as input and output."
    ),
    fields: described(
      Schema.Record(Schema.String, Schema.Union([Schema.Literal(false), Options])),
      "Where the values of its fields come from, by name (address.country_id in a group); false: from nowhere."
    ),
    records: described(
      Schema.Union([Schema.Literal(false), Records]),
      "Which tools get, create, update and delete what the tool lists; false for none."
    ),
    frames: described(
      Schema.Array(
        Schema.String.check(Schema.isPattern(FRAME_ORIGIN, { expected: "an origin such as https://example.com" }))
      ),
      "Origins whose pages a result of the tool may show in frames."
    )
  })

  const Card = Schema.Struct({
    tool: text("A tool of the server; called by itself only if it is marked read-only."),
    ...Struct.map(
      {
        arguments: described(Schema.Record(Schema.String, Schema.Json), "What it is called with. The page has them."),
        title: text("Above the card; the tool's title unless set.")
      },
      Schema.optionalKey
    )
  }).annotate({ description: "One tool." })
  const Dashboard = Schema.Struct({
    cards: described(
      Schema.Array(Card).check(Schema.isMinLength(1, { expected: CARDS }), Schema.isMaxLength(40, { expected: CARDS })),
      "Its tools, in this order."
    ),
    title: Schema.optionalKey(text("Its heading; its name unless set."))
  }).annotate({ description: "A page with several tools." })

  const Limits = section("Bounds of a generation.", {
    maxPromptTokens: whole(500, 1_000_000, "Longest prompt."),
    maxOutputTokens: whole(256, 1_000_000, "Longest answer."),
    maxRefinementHistory: whole(1, 100, "Refinements kept a tool."),
    maxSchemaDepth: whole(1, 20, "Levels of a schema shown to the model."),
    maxOutputDisplayBytes: whole(1024, 10_485_760, "Data shown before a UI offers the rest."),
    maxHtmlBytes: whole(1024, 5_242_880, "Largest UI the model may write.")
  })

  const fontName = (description: string) =>
    described(Schema.String.check(Schema.isPattern(FONT_NAME, { expected: FONT_EXPECTED })), description)

  const HouseLook = section("How all UIs look, built-in and generated.", {
    accent: described(
      Schema.String.check(Schema.isPattern(HOUSE_ACCENT, { expected: ACCENT_EXPECTED })),
      "The accent of every UI: a name or a colour."
    ),
    radius: oneOf(HOUSE_RADII, "How round corners are; usual unless set."),
    density: oneOf(HOUSE_DENSITIES, "How much stands on a screen; usual unless set."),
    logo: text("A picture above every UI: SVG, PNG, JPEG, WebP or GIF; relative to this file."),
    font: fontName("A font for all text, by its name; where a reader does not have it, the host's."),
    monoFont: fontName("A font for code, by its name.")
  })

  const Generation = section("How UIs are written.", {
    defaultTheme: oneOf(themes, "The host's theme, or always one."),
    promptsDirectory: text("A folder with prompts to use instead; relative to this file."),
    prompt: text("Added to what the model is told about every tool."),
    language: described(
      Schema.String.check(Schema.isPattern(LANGUAGE_TAG, { expected: LANGUAGE_EXPECTED })),
      "In which the words of pages are written; that of this machine unless set, or English over HTTP."
    ),
    baseTemplate: text(
      "An .html or .css file that is put around every UI, with one <slot></slot> for it; relative to this file."
    ),
    uiDirectory: text(
      "A folder with UIs made by hand, <tool>.html, which are served as they are; relative to this file."
    ),
    timeoutMs: whole(100, 600_000, "For a whole generation with all attempts."),
    maxAttempts: whole(1, 10, "Requests to the model at most."),
    retryDelayMs: whole(1, 5000, "Before the second attempt; doubles to 5000."),
    maxConcurrentGenerations: whole(1, 32, "Generations at one time."),
    delivery: oneOf(
      ["blocking", "live", "auto"],
      "Reading a UI waits for it, or gets what there is and the rest on screen, or as suits the host."
    ),
    onTimeout: oneOf(
      ["abort", "continue"],
      "A generation that nobody waits for any more is stopped, or finished and kept."
    ),
    library: described(
      Schema.Boolean,
      "Serve finished UIs of the library for tools of popular servers, where no model writes one, or until it has."
    ),
    secondDraft: oneOf(
      CONFIG_FLAGS.secondDraft.choices,
      "After a UI was opened, the model writes it once more with more time: never, for the next opening, or for the page on screen too."
    ),
    toolMemory: oneOf(
      ["results", "shapes", "off"],
      "What the model is told of real results that pass by: a few of them, only their shapes (also unless set, over HTTP), or nothing."
    ),
    enabledTools: described(
      Schema.Array(text("A tool name; * stands for any characters.")),
      "Tools that get a UI; all unless set."
    ),
    tools: described(Schema.Record(Schema.String, Hints), "Hints by tool name."),
    limits: Limits
  })

  const Logging = section("Logs never go to standard output, which belongs to the protocol.", {
    level: oneOf(CONFIG_FLAGS.logLevel.choices, "The least important lines kept."),
    format: oneOf(CONFIG_FLAGS.logFormat.choices, "One line an event."),
    destination: oneOf(["stderr", "file"], "file if logging.file is given."),
    file: text("The log is appended to it; relative to this file."),
    redactSensitiveData: yesOrNo("Take keys out of every line.")
  })

  const ToolRefresh = section("Reading the server's tools again by itself.", {
    enabled: yesOrNo("Beside what the server announces."),
    intervalMs: whole(1000, 86_400_000, "From one reading to the next."),
    retryBackoffMs: described(
      Schema.Array(whole(100, 3_600_000, "One wait.")).check(
        Schema.isMinLength(1, { expected: "a list of at least one number" })
      ),
      "Waits after failed readings; the last one repeats."
    )
  })

  const Refinements = section("What users asked to be changed.", {
    persist: yesOrNo("Keep it for the next start."),
    directory: text("Where it is kept, relative to this file; mcp-gen-ui in your folder for state unless set.")
  })

  return section("Configuration of mcp-gen-ui.", {
    $schema: described(Schema.String, "The JSON Schema of this file, for editors."),
    upstream: Upstream,
    llm: Llm,
    cache: Cache,
    theme: HouseLook,
    generation: Generation,
    dashboards: described(
      Schema.Record(
        Schema.String.check(Schema.isPattern(/^[\w-]{1,30}$/, { expected: DASHBOARD_NAME_EXPECTED })),
        Dashboard
      ),
      "Pages at ui://dashboard/<name>, by name."
    ),
    refinements: Refinements,
    viewTools: oneOf(
      ["on", "off"],
      "Whether pages offer tools to hosts that take them, by which an agent reads, filters and fills in what is on screen."
    ),
    recall: oneOf(
      ["on", "off"],
      "Whether a session keeps its last results, and how people left their views, in memory, for its pages; off unless set where generation.toolMemory is off."
    ),
    exportDirectory: text("A folder into which every written UI is put, as a page of its own; relative to this file."),
    logging: Logging,
    toolRefresh: ToolRefresh,
    http: Http,
    toolPrefix: described(
      Schema.String.check(Schema.isPattern(TOOL_PREFIX, { expected: TOOL_PREFIX_EXPECTED })),
      "How the names of the wrapper's own tools begin."
    ),
    wrapperTools: oneOf(
      CONFIG_FLAGS.wrapperTools.choices,
      "Which of the wrapper's own tools the host's model sees; all of them work when they are called."
    ),
    translateEras: yesOrNo("Let hosts of the 2026-07-28 protocol use a server of an earlier one."),
    maxMessageBytes: whole(1024, 1_073_741_824, "Largest message carried; a larger one is refused.")
  })
}

let defined: ReturnType<typeof define> | undefined

/**
 * The Schema of the configuration file after `${NAME}` references were replaced. Every key is optional;
 * `CONFIG_DEFAULTS` fills what is missing. Sizes are bytes, times milliseconds.
 */
export const configFileSchema = (): ReturnType<typeof define> => (defined ??= define())

/** What {@link configFileSchema} decodes. */
export type ConfigFile = ReturnType<typeof define>["Type"]

/** Decodes the parsed file, or says everything that is wrong with it, in the order of the file's sections. */
export const decodeConfigFile = (document: unknown): Result.Result<ConfigFile, ReadonlyArray<FileProblem>> =>
  Result.mapError(
    Schema.decodeUnknownResult(configFileSchema(), { errors: "all", onExcessProperty: "error" })(document),
    (error) => configFileProblems(error.issue, document)
  )
