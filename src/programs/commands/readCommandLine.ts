import * as NodeServices from "@effect/platform-node/NodeServices"
import { Console, Effect, Layer, Option, Schema } from "effect"
import * as Argument from "effect/cli/Argument"
import * as CliConfig from "effect/cli/CliConfig"
import type * as CliError from "effect/cli/CliError"
import * as CliOutput from "effect/cli/CliOutput"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as GlobalFlag from "effect/cli/GlobalFlag"
import type {
  CommandLineArguments,
  ConfigFlagName,
  ConfigFlagValue,
  ConfigFlagValues
} from "../../domain/configuration/ConfigFlags.ts"
import { CLIENT_METADATA_URL_EXPECTED, isClientMetadataUrl } from "../../domain/configuration/ConfigFile.ts"
import { CONFIG_FLAGS } from "../../domain/configuration/ConfigFlags.ts"
import { ConfigRejected } from "../../domain/configuration/ConfigProblem.ts"
import * as PackageFilesNode from "../../layers/PackageFiles.ts"
import { PackageFiles } from "../../services/PackageFiles.ts"
import type { LoginArguments } from "./login.ts"
import type { PreviewArguments } from "./preview.ts"

type Parsed = ConfigFlagValue | undefined

const notEmpty = (flag: Flag.Flag<string>) =>
  Flag.filter(
    flag,
    (value) => value !== "",
    () => "a text that is not empty"
  )

const flagOf = (name: ConfigFlagName): Flag.Flag<Parsed> => {
  const definition = CONFIG_FLAGS[name]
  switch (definition.kind) {
    case "switch":
      return Flag.Boolean(definition.flag).pipe(
        Flag.withoutNegation,
        Flag.withDescription(definition.description),
        Flag.withDefault(false),
        Flag.map((on) => (on ? true : undefined))
      )
    case "choice":
      return Flag.Literals(definition.flag, definition.choices).pipe(
        Flag.withDescription(definition.description),
        Flag.optional,
        Flag.map(Option.getOrUndefined)
      )
    case "text":
      return notEmpty(Flag.String(definition.flag)).pipe(
        Flag.withMetavar(definition.metavar),
        Flag.withDescription(definition.description),
        Flag.optional,
        Flag.map(Option.getOrUndefined)
      )
    case "list":
      return notEmpty(Flag.String(definition.flag)).pipe(
        Flag.withMetavar(definition.metavar),
        Flag.withDescription(definition.description),
        Flag.atLeast(0),
        Flag.map((values) => (values.length === 0 ? undefined : values))
      )
  }
}

const NAMES = Object.keys(CONFIG_FLAGS) as ReadonlyArray<ConfigFlagName>
const configFlags = Object.fromEntries(NAMES.map((name) => [name, flagOf(name)])) as Record<
  ConfigFlagName,
  Flag.Flag<Parsed>
>
const valuesOf = (parsed: Readonly<Record<ConfigFlagName, Parsed>>): ConfigFlagValues =>
  Object.fromEntries(
    NAMES.flatMap((name) => (parsed[name] === undefined ? [] : [[name, parsed[name]]]))
  ) as ConfigFlagValues

/** What a command line asks for. `answered`: it asked for help or the version, which stands on standard output now. */
export type CommandLineRequest =
  | { readonly command: "serve"; readonly given: CommandLineArguments }
  | { readonly command: "preview"; readonly given: PreviewArguments }
  | { readonly command: "login"; readonly given: LoginArguments }
  | { readonly command: "logout"; readonly given: CommandLineArguments }
  | { readonly command: "answered" }

const portFlag = (name: string) =>
  Flag.Int(name).pipe(
    Flag.filter(
      (port) => port >= 0 && port <= 65_535,
      () => "a whole number from 0 to 65535"
    ),
    Flag.withMetavar("PORT")
  )

const textFlag = (name: string, metavar: string, description: string) =>
  notEmpty(Flag.String(name)).pipe(
    Flag.withMetavar(metavar),
    Flag.withDescription(description),
    Flag.optional,
    Flag.map(Option.getOrUndefined)
  )

const serverUrl = Argument.String("url").pipe(
  Argument.withDescription("The server's address; without it the one that the flags or the file name"),
  Argument.optional,
  Argument.map(Option.getOrUndefined)
)

const loginFlags = {
  clientId: textFlag(
    "client-id",
    "ID",
    "A client that was registered by hand; its secret, if any, in MCP_GEN_UI_OAUTH_CLIENT_SECRET"
  ),
  clientMetadataUrl: Flag.String("client-metadata-url").pipe(
    Flag.filter(isClientMetadataUrl, () => CLIENT_METADATA_URL_EXPECTED),
    Flag.withMetavar("URL"),
    Flag.withDescription("The client's metadata document, where such an address is a client id"),
    Flag.optional,
    Flag.map(Option.getOrUndefined)
  ),
  scope: textFlag("scope", "SCOPES", "What to ask for, separated by spaces, instead of what the server asks for"),
  callbackPort: portFlag("callback-port").pipe(
    Flag.withDescription("Where the browser comes back to; 3334 unless set, any free port if that is in use"),
    Flag.optional,
    Flag.map(Option.getOrUndefined)
  ),
  callbackHost: Flag.Literals("callback-host", ["127.0.0.1", "localhost"]).pipe(
    Flag.withDescription("How the redirect URL names this machine; 127.0.0.1 unless set"),
    Flag.optional,
    Flag.map(Option.getOrUndefined)
  )
}

const rootCommand = (
  command: ReadonlyArray<string> | undefined,
  request: (request: CommandLineRequest) => Effect.Effect<void>
) => {
  const root = Command.make("mcp-gen-ui").pipe(
    Command.withSharedFlags(configFlags),
    Command.withDescription("Puts an interactive UI on every tool of an MCP server, between it and its host."),
    Command.withExamples([
      { command: "mcp-gen-ui -- node server.js --verbose", description: "Wrap a server; its command needs no quoting" },
      { command: "mcp-gen-ui -- https://example.com/mcp", description: "Wrap a server behind a URL" },
      { command: "mcp-gen-ui login https://example.com/mcp", description: "Log in to it before a host needs it" },
      { command: "mcp-gen-ui --http 8080 -- node server.js", description: "Serve hosts over HTTP, on this machine" },
      { command: "mcp-gen-ui --config wrapper.json", description: "Take everything from a file" },
      { command: "mcp-gen-ui preview -- node server.js", description: "See the UIs in a local page" }
    ])
  )
  const preview = Command.make(
    "preview",
    {
      port: portFlag("port").pipe(
        Flag.withDescription("Where the page is served; 0 takes any free port"),
        Flag.optional,
        Flag.map(Option.getOrUndefined)
      ),
      open: Flag.Boolean("open").pipe(
        Flag.withoutNegation,
        Flag.withDescription("Show the page in the default browser"),
        Flag.withDefault(false)
      ),
      gallery: Flag.Boolean("gallery").pipe(
        Flag.withoutNegation,
        Flag.withDescription("Every part and every state of the built-in view instead of a server's tools"),
        Flag.withDefault(false)
      )
    },
    Effect.fnUntraced(function* ({ gallery, open, port }) {
      const shared = yield* root
      yield* request({ command: "preview", given: { flags: valuesOf(shared), command, port, open, gallery } })
    })
  ).pipe(Command.withDescription("Open a local page that shows the tools and their UIs, as a host would"))
  /** A URL of its own, or the one after `--`; both are one too many. */
  const serverWords = (url: string | undefined) => (url === undefined ? command : [url, ...(command ?? [])])
  const login = Command.make(
    "login",
    { url: serverUrl, ...loginFlags },
    Effect.fnUntraced(function* ({ url, ...oauth }) {
      const shared = yield* root
      yield* request({ command: "login", given: { flags: valuesOf(shared), command: serverWords(url), oauth } })
    })
  ).pipe(Command.withDescription("Log in to a server behind a URL with a browser, before a host needs it"))
  const logout = Command.make(
    "logout",
    { url: serverUrl },
    Effect.fnUntraced(function* ({ url }) {
      const shared = yield* root
      yield* request({ command: "logout", given: { flags: valuesOf(shared), command: serverWords(url) } })
    })
  ).pipe(Command.withDescription("Forget the login to a server"))
  return root.pipe(
    Command.withHandler((parsed) => request({ command: "serve", given: { flags: valuesOf(parsed), command } })),
    Command.withSubcommands([preview, login, logout])
  )
}

const SEE_HELP = "mcp-gen-ui --help lists what there is"

const describeError = (error: CliError.NonShowHelpErrors): string => {
  switch (error._tag) {
    case "UnrecognizedOption": {
      const [closest] = error.suggestions
      const advice =
        closest === undefined ? `${SEE_HELP}; a server's own flags go after "--"` : `did you mean ${closest}?`
      return `${error.option} is not a flag here; ${advice}`
    }
    case "UnknownSubcommand": {
      const [closest] = error.suggestions
      return closest === undefined
        ? `"${error.subcommand}" is not a command of mcp-gen-ui; a server's command goes after "--": mcp-gen-ui -- ${error.subcommand}${/^https?:/i.test(error.subcommand) ? "" : " …"}`
        : `"${error.subcommand}" is not a command of mcp-gen-ui; did you mean ${closest}?`
    }
    case "UnexpectedArgument":
      return `${error.arguments.map((word) => JSON.stringify(word)).join(" ")} can not stand here; a server's command goes after "--"`
    case "InvalidValue":
      if (/^\d+ occurrences$/.test(error.value)) return `--${error.option} is given more than once`
      return error.value === ""
        ? `--${error.option} needs a value: ${error.expected}`
        : `--${error.option}: found ${JSON.stringify(error.value)}; allowed: ${error.expected.replaceAll(" | ", ", ")}`
    default:
      return error.message
  }
}

const rejected = (errors: ReadonlyArray<CliError.NonShowHelpErrors>): ConfigRejected => {
  const has = (tag: CliError.NonShowHelpErrors["_tag"]) => errors.some(({ _tag }) => _tag === tag)
  // A word after an unknown flag is most likely its value, and one after an unknown command its argument.
  const beside = ({ _tag }: CliError.NonShowHelpErrors) =>
    (_tag === "UnknownSubcommand" && has("UnrecognizedOption")) ||
    (_tag === "UnexpectedArgument" && (has("UnrecognizedOption") || has("UnknownSubcommand")))
  const told = errors.filter((error) => !beside(error))
  return new ConfigRejected({ problems: told.map((error) => ({ source: "", path: "", text: describeError(error) })) })
}

const USAGES: Readonly<Record<string, ReadonlyArray<string>>> = {
  serve: ["mcp-gen-ui [flags] -- <command> [arguments]", "mcp-gen-ui [flags] -- <url>"],
  preview: ["mcp-gen-ui preview [flags] [-- <command> [arguments]]", "mcp-gen-ui preview [flags] -- <url>"],
  login: ["mcp-gen-ui login [flags] <url>"],
  logout: ["mcp-gen-ui logout [flags] <url>"]
}

/** Standard output gets nothing but what was asked for; errors are told by whoever runs the program. */
const presenter: CliOutput.Presenter = {
  present: (event) => {
    const formatter = CliOutput.defaultFormatter()
    switch (event._tag) {
      case "Help": {
        const usages = USAGES[event.commandPath.at(-1) ?? ""] ?? Object.values(USAGES).flat()
        return Console.log(formatter.formatHelpDoc({ ...event.helpDoc, usage: usages.join("\n  ") }))
      }
      case "Version":
        return Console.log(`${event.name} ${event.version}`)
      case "InvalidInvocation":
        return Effect.void
    }
  }
}

const PackageJson = Schema.fromJsonString(Schema.Struct({ version: Schema.String }))

const environment = Layer.mergeAll(
  NodeServices.layer,
  PackageFilesNode.layer,
  CliConfig.layer({ builtIns: [GlobalFlag.Help, GlobalFlag.Version] }),
  CliOutput.layerPresenter(presenter)
)

/** Reads any command line, and answers `--help` and `--version` itself. Fails with everything wrong with it. */
export const readCommandLine = Effect.fn("readCommandLine")(
  function* (words: ReadonlyArray<string>) {
    let request: CommandLineRequest = { command: "answered" }
    const end = words.indexOf("--")
    const command = rootCommand(end < 0 ? undefined : words.slice(end + 1), (asked) =>
      Effect.sync(() => {
        request = asked
      })
    )
    const files = yield* PackageFiles
    const { version } = yield* Schema.decodeEffect(PackageJson)(yield* files.text("package.json")).pipe(Effect.orDie)
    yield* Command.runWith(command, { version })(end < 0 ? words : words.slice(0, end)).pipe(
      Effect.catch((error) => {
        const errors = error._tag === "ShowHelp" ? error.errors : [error]
        return errors.length === 0 ? Effect.void : Effect.fail(rejected(errors))
      })
    )
    return request as CommandLineRequest
  },
  (effect) => Effect.provide(effect, environment)
)
