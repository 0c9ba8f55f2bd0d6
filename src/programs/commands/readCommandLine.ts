import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Layer, Schema } from "effect"
import * as Argument from "effect/cli/Argument"
import * as CliConfig from "effect/cli/CliConfig"
import * as CliOutput from "effect/cli/CliOutput"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as GlobalFlag from "effect/cli/GlobalFlag"
import type { CommandLineArguments } from "../../domain/settings/ConfigFlags.ts"
import { HOST_IDS } from "../../domain/wrapping/HostPlaces.ts"
import * as PackageFilesNode from "../../layers/documents/PackageFiles.ts"
import { PackageFiles } from "../../services/documents/PackageFiles.ts"
import type { CacheArguments } from "./cache.ts"
import {
  configFlags,
  loginFlags,
  neededTextFlag,
  optional,
  portFlag,
  serverUrl,
  switchFlag,
  textFlag,
  valuesOf
} from "./commandFlags.ts"
import { presenter, rejected } from "./commandLineTexts.ts"
import type { ConfigCheckArguments } from "./config.ts"
import type { DoctorArguments } from "./doctor.ts"
import type { ExportArguments } from "./export.ts"
import type { GenerateArguments } from "./generate.ts"
import type { ImportArguments } from "./import.ts"
import type { LoginArguments } from "./login.ts"
import type { PreviewArguments } from "./preview.ts"
import type { PromptArguments } from "./prompt.ts"
import type { StatusArguments } from "./status.ts"
import type { UnwrapArguments, WrapArguments } from "./wrap.ts"

/** What a command line asks for. `answered`: help or the version, which was printed. */
export type CommandLineRequest =
  | { readonly command: "serve"; readonly given: CommandLineArguments }
  | { readonly command: "preview"; readonly given: PreviewArguments }
  | { readonly command: "login"; readonly given: LoginArguments }
  | { readonly command: "logout"; readonly given: CommandLineArguments }
  | { readonly command: "prompt"; readonly given: PromptArguments }
  | { readonly command: "generate"; readonly given: GenerateArguments }
  | { readonly command: "cache"; readonly given: CacheArguments }
  | { readonly command: "config check"; readonly given: ConfigCheckArguments }
  | { readonly command: "doctor"; readonly given: DoctorArguments }
  | { readonly command: "export"; readonly given: ExportArguments }
  | { readonly command: "import"; readonly given: ImportArguments }
  | { readonly command: "wrap"; readonly given: WrapArguments }
  | { readonly command: "unwrap"; readonly given: UnwrapArguments }
  | { readonly command: "status"; readonly given: StatusArguments }
  | { readonly command: "answered" }

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
      {
        command: "mcp-gen-ui wrap",
        description: "Wrap the servers of the hosts on this machine; unwrap gives them back"
      },
      { command: "mcp-gen-ui login https://example.com/mcp", description: "Log in to it before a host needs it" },
      { command: "mcp-gen-ui --http 8080 -- node server.js", description: "Serve hosts over HTTP, on this machine" },
      { command: "mcp-gen-ui --config wrapper.json", description: "Take everything from a file" },
      { command: "mcp-gen-ui preview -- node server.js", description: "See the UIs in a local page" },
      { command: "mcp-gen-ui prompt get_forecast -- node server.js", description: "See what a model would be asked" },
      { command: "mcp-gen-ui cache ls", description: "List the UIs that are kept in the folder for them" },
      { command: "mcp-gen-ui doctor -- node server.js", description: "See why something does not work" },
      { command: "mcp-gen-ui config check --config wrapper.json", description: "See whether a file is right" },
      { command: "mcp-gen-ui export --out pages -- node server.js", description: "Save every UI as a page" }
    ])
  )
  /** A command below it, which takes the flags of all commands too. */
  const subcommand = <const Config extends Command.Command.Config>(
    name: string,
    description: string,
    config: Config,
    asked: (options: Command.Command.Config.Infer<Config>, shared: CommandLineArguments) => CommandLineRequest
  ) =>
    Command.make(name, config, (options) =>
      Effect.flatMap(root, (parsed) => request(asked(options, { flags: valuesOf(parsed), command })))
    ).pipe(Command.withDescription(description))
  const group = <const Commands extends ReadonlyArray<Command.Command.Any>>(
    name: string,
    description: string,
    commands: Commands
  ) => Command.make(name).pipe(Command.withDescription(description), Command.withSubcommands(commands))

  const preview = subcommand(
    "preview",
    "Open a local page that shows the tools and their UIs, as a host would",
    {
      port: optional(portFlag("port"), "Where the page is served; 0 takes any free port"),
      open: switchFlag("open", "Show the page in the default browser"),
      server: textFlag("server", "NAME", "A server of a host's file, which --config names then"),
      gallery: switchFlag("gallery", "Every part and every state of the built-in view instead of a server's tools")
    },
    (options, shared) => ({ command: "preview", given: { ...shared, ...options } })
  )
  /** The URL is an argument or stands after `--`. Both together are refused later, as two words. */
  const withUrl = (shared: CommandLineArguments, url: string | undefined): CommandLineArguments =>
    url === undefined ? shared : { ...shared, command: [url, ...(shared.command ?? [])] }
  const login = subcommand(
    "login",
    "Log in to a server behind a URL with a browser, before a host needs it",
    { url: serverUrl, ...loginFlags },
    ({ url, ...oauth }, shared) => ({ command: "login", given: { ...withUrl(shared, url), oauth } })
  )
  const logout = subcommand("logout", "Forget the login to a server", { url: serverUrl }, ({ url }, shared) => ({
    command: "logout",
    given: withUrl(shared, url)
  }))
  const prompt = subcommand(
    "prompt",
    "Print what a model would be asked for the UI of a tool",
    {
      tool: Argument.String("tool").pipe(Argument.withDescription("The name of a tool of the server")),
      json: switchFlag("json", "One JSON object: system, prompt, version, tokens")
    },
    (options, shared) => ({ command: "prompt", given: { ...shared, ...options } })
  )
  const generate = subcommand(
    "generate",
    "Measure the prompts of a folder of tools, and with --llm what becomes of them",
    {
      corpus: neededTextFlag(
        "corpus",
        "DIR",
        "A folder of tool definitions, one .json file a server: a tools/list result, or its list"
      ),
      out: textFlag("out", "FILE", "Where the JSON lines go, one a tool; standard output unless set"),
      limit: optional(
        Flag.Int("limit").pipe(
          Flag.filter(
            (count) => count > 0,
            () => "a whole number above 0"
          ),
          Flag.withMetavar("N")
        ),
        "So many tools at most, spread over the folder"
      ),
      tools: textFlag("tools", "GLOB", "Only tools of such names; * stands for any characters")
    },
    (options, shared) => ({ command: "generate", given: { ...shared, ...options } })
  )

  const json = switchFlag("json", "As JSON")
  const cache = group("cache", "Look at the UIs that are kept in a folder (--cache-dir, or the usual one)", [
    subcommand("ls", "List them, those used last first", { json }, ({ json }, shared) => ({
      command: "cache",
      given: { ...shared, asked: { action: "ls", json } }
    })),
    subcommand(
      "show",
      "Print one of them: where it came from, and its source",
      {
        json,
        what: Argument.String("tool or key").pipe(
          Argument.withDescription("The name of a tool, or the first characters (4 or more) of a key")
        )
      },
      (options, shared) => ({ command: "cache", given: { ...shared, asked: { action: "show", ...options } } })
    ),
    subcommand(
      "clear",
      "Remove them; a wrapper that runs may still hold some in memory",
      { toolName: textFlag("tool", "NAME", "Only those of this tool") },
      (options, shared) => ({ command: "cache", given: { ...shared, asked: { action: "clear", ...options } } })
    ),
    subcommand("stats", "Count them, their bytes and what they cost in tokens", { json }, ({ json }, shared) => ({
      command: "cache",
      given: { ...shared, asked: { action: "stats", json } }
    }))
  ])
  const config = group("config", "Look at the configuration, without starting a server", [
    subcommand(
      "check",
      "Say what is wrong with flags, environment and file, or what they come to",
      { json: switchFlag("json", "One JSON object: settings with their sources, and notices") },
      (options, shared) => ({ command: "config check", given: { ...shared, ...options } })
    )
  ])
  const doctor = subcommand(
    "doctor",
    "Look at Node, settings, server, tools, model and page, and say how to mend what is wrong",
    {
      json: switchFlag("json", "One JSON object: ok, and findings with check, state, text, mend"),
      server: textFlag("server", "NAME", "A server of a host's file, which --config names then")
    },
    (options, shared) => ({ command: "doctor", given: { ...shared, ...options } })
  )
  const exporting = subcommand(
    "export",
    "Save the UI of every tool as a page that opens in a browser",
    {
      out: neededTextFlag("out", "DIR", "The folder for the pages, their sources and a list of them"),
      tools: textFlag("tools", "GLOB", "Only tools of such names; * stands for any characters")
    },
    (options, shared) => ({ command: "export", given: { ...shared, ...options } })
  )
  const importing = subcommand(
    "import",
    "Take edited sources of UIs back",
    {
      from: Argument.String("path").pipe(Argument.withDescription("An exported folder, or one edited source")),
      tool: textFlag("tool", "NAME", "The tool that one source is for, where its file name does not say it")
    },
    (options, shared) => ({ command: "import", given: { ...shared, ...options } })
  )
  const many = <A>(flag: Flag.Flag<A>, description: string) =>
    flag.pipe(Flag.withDescription(description), Flag.atLeast(0))
  const choice = {
    host: many(Flag.Literals("host", HOST_IDS), "Only servers of this host. Repeatable"),
    server: many(Flag.String("server").pipe(Flag.withMetavar("NAME")), "A server by its name there. Repeatable"),
    file: many(
      Flag.String("file").pipe(Flag.withMetavar("FILE")),
      "A host's file, instead of the known places. Repeatable"
    )
  }
  const write = switchFlag("write", "Change the files; without it they are shown, and on a terminal you are asked")
  const noStart = switchFlag("no-start", "Start no server to see what it brings")
  const wrap = subcommand(
    "wrap",
    "Put the wrapper in front of servers in the files of hosts; other flags go into them",
    {
      ...choice,
      all: switchFlag("all", "All servers that can be wrapped"),
      write,
      noStart,
      saveKey: switchFlag("save-key", "Keep the model and the key of flags and environment in the user's own file")
    },
    (options, shared) => ({ command: "wrap", given: { ...shared, ...options } })
  )
  const unwrap = subcommand(
    "unwrap",
    "Give servers in the files of hosts back as they were",
    { ...choice, all: switchFlag("all", "All servers that are wrapped"), write },
    (options, shared) => ({ command: "unwrap", given: { ...shared, ...options } })
  )
  const status = subcommand(
    "status",
    "Say which servers of which hosts are wrapped, and whether they start",
    { ...choice, all: switchFlag("all", "Start those of files in this folder, too"), noStart, json },
    (options, shared) => ({ command: "status", given: { ...shared, ...options } })
  )
  return root.pipe(
    Command.withHandler((parsed) => request({ command: "serve", given: { flags: valuesOf(parsed), command } })),
    Command.withSubcommands([
      wrap,
      unwrap,
      status,
      preview,
      login,
      logout,
      prompt,
      generate,
      cache,
      config,
      doctor,
      exporting,
      importing
    ])
  )
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
