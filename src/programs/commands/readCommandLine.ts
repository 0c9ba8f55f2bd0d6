import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Layer, Option, Schema } from "effect"
import * as Argument from "effect/cli/Argument"
import * as CliConfig from "effect/cli/CliConfig"
import * as CliOutput from "effect/cli/CliOutput"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as GlobalFlag from "effect/cli/GlobalFlag"
import type { CommandLineArguments } from "../../domain/settings/ConfigFlags.ts"
import * as PackageFilesNode from "../../layers/documents/PackageFiles.ts"
import { PackageFiles } from "../../services/documents/PackageFiles.ts"
import type { CacheArguments } from "./cache.ts"
import {
  configFlags,
  loginFlags,
  neededTextFlag,
  portFlag,
  serverUrl,
  switchFlag,
  textFlag,
  valuesOf
} from "./commandFlags.ts"
import { presenter, rejected } from "./commandLineTexts.ts"
import type { ConfigCheckArguments } from "./config.ts"
import type { ExportArguments } from "./export.ts"
import type { GenerateArguments } from "./generate.ts"
import type { ImportArguments } from "./import.ts"
import type { LoginArguments } from "./login.ts"
import type { PreviewArguments } from "./preview.ts"
import type { PromptArguments } from "./prompt.ts"

/** What a command line asks for. `answered`: it asked for help or the version, which stands on standard output now. */
export type CommandLineRequest =
  | { readonly command: "serve"; readonly given: CommandLineArguments }
  | { readonly command: "preview"; readonly given: PreviewArguments }
  | { readonly command: "login"; readonly given: LoginArguments }
  | { readonly command: "logout"; readonly given: CommandLineArguments }
  | { readonly command: "prompt"; readonly given: PromptArguments }
  | { readonly command: "generate"; readonly given: GenerateArguments }
  | { readonly command: "cache"; readonly given: CacheArguments }
  | { readonly command: "config check"; readonly given: ConfigCheckArguments }
  | { readonly command: "export"; readonly given: ExportArguments }
  | { readonly command: "import"; readonly given: ImportArguments }
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
      { command: "mcp-gen-ui login https://example.com/mcp", description: "Log in to it before a host needs it" },
      { command: "mcp-gen-ui --http 8080 -- node server.js", description: "Serve hosts over HTTP, on this machine" },
      { command: "mcp-gen-ui --config wrapper.json", description: "Take everything from a file" },
      { command: "mcp-gen-ui preview -- node server.js", description: "See the UIs in a local page" },
      { command: "mcp-gen-ui prompt get_forecast -- node server.js", description: "See what a model would be asked" },
      { command: "mcp-gen-ui cache ls", description: "List the UIs that are kept in the folder for them" },
      { command: "mcp-gen-ui config check --config wrapper.json", description: "See whether a file is right" },
      { command: "mcp-gen-ui export --out pages -- node server.js", description: "Save every UI as a page" }
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
      open: switchFlag("open", "Show the page in the default browser"),
      gallery: switchFlag("gallery", "Every part and every state of the built-in view instead of a server's tools")
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
  const prompt = Command.make(
    "prompt",
    {
      tool: Argument.String("tool").pipe(Argument.withDescription("The name of a tool of the server")),
      json: switchFlag("json", "One JSON object: system, prompt, version, tokens")
    },
    Effect.fnUntraced(function* ({ json, tool }) {
      const shared = yield* root
      yield* request({ command: "prompt", given: { flags: valuesOf(shared), command, tool, json } })
    })
  ).pipe(Command.withDescription("Print what a model would be asked for the UI of a tool"))
  const generate = Command.make(
    "generate",
    {
      corpus: neededTextFlag(
        "corpus",
        "DIR",
        "A folder of tool definitions, one .json file a server: a tools/list result, or its list"
      ),
      out: textFlag("out", "FILE", "Where the JSON lines go, one a tool; standard output unless set"),
      limit: Flag.Int("limit").pipe(
        Flag.filter(
          (count) => count > 0,
          () => "a whole number above 0"
        ),
        Flag.withMetavar("N"),
        Flag.withDescription("So many tools at most, spread over the folder"),
        Flag.optional,
        Flag.map(Option.getOrUndefined)
      ),
      tools: textFlag("tools", "GLOB", "Only tools of such names; * stands for any characters")
    },
    Effect.fnUntraced(function* (options) {
      const shared = yield* root
      yield* request({ command: "generate", given: { flags: valuesOf(shared), command, ...options } })
    })
  ).pipe(Command.withDescription("Measure the prompts of a folder of tools, and with --llm what becomes of them"))
  const cacheFlags = { json: switchFlag("json", "As JSON") }
  const cacheList = Command.make(
    "ls",
    cacheFlags,
    Effect.fnUntraced(function* ({ json }) {
      const shared = yield* root
      const asked = { action: "ls", json } as const
      yield* request({ command: "cache", given: { flags: valuesOf(shared), command, asked } })
    })
  ).pipe(Command.withDescription("List them, those used last first"))
  const cacheShow = Command.make(
    "show",
    {
      ...cacheFlags,
      what: Argument.String("tool or key").pipe(
        Argument.withDescription("The name of a tool, or the first characters (4 or more) of a key")
      )
    },
    Effect.fnUntraced(function* ({ json, what }) {
      const shared = yield* root
      const asked = { action: "show", what, json } as const
      yield* request({ command: "cache", given: { flags: valuesOf(shared), command, asked } })
    })
  ).pipe(Command.withDescription("Print one of them: where it came from, and its source"))
  const cacheClear = Command.make(
    "clear",
    { tool: textFlag("tool", "NAME", "Only those of this tool") },
    Effect.fnUntraced(function* ({ tool }) {
      const shared = yield* root
      const asked = { action: "clear", toolName: tool } as const
      yield* request({ command: "cache", given: { flags: valuesOf(shared), command, asked } })
    })
  ).pipe(Command.withDescription("Remove them; a wrapper that runs may still hold some in memory"))
  const cacheStatistics = Command.make(
    "stats",
    cacheFlags,
    Effect.fnUntraced(function* ({ json }) {
      const shared = yield* root
      const asked = { action: "stats", json } as const
      yield* request({ command: "cache", given: { flags: valuesOf(shared), command, asked } })
    })
  ).pipe(Command.withDescription("Count them, their bytes and what they cost in tokens"))
  const cache = Command.make("cache").pipe(
    Command.withDescription("Look at the UIs that are kept in a folder (--cache-dir, or the usual one)"),
    Command.withSubcommands([cacheList, cacheShow, cacheClear, cacheStatistics])
  )
  const configCheck = Command.make(
    "check",
    { json: switchFlag("json", "One JSON object: settings with their sources, and notices") },
    Effect.fnUntraced(function* ({ json }) {
      const shared = yield* root
      yield* request({ command: "config check", given: { flags: valuesOf(shared), command, json } })
    })
  ).pipe(Command.withDescription("Say what is wrong with flags, environment and file, or what they come to"))
  const config = Command.make("config").pipe(
    Command.withDescription("Look at the configuration, without starting a server"),
    Command.withSubcommands([configCheck])
  )
  const exporting = Command.make(
    "export",
    {
      out: neededTextFlag("out", "DIR", "The folder for the pages, their sources and a list of them"),
      tools: textFlag("tools", "GLOB", "Only tools of such names; * stands for any characters")
    },
    Effect.fnUntraced(function* (options) {
      const shared = yield* root
      yield* request({ command: "export", given: { flags: valuesOf(shared), command, ...options } })
    })
  ).pipe(Command.withDescription("Save the UI of every tool as a page that opens in a browser"))
  const importing = Command.make(
    "import",
    {
      from: Argument.String("path").pipe(Argument.withDescription("An exported folder, or one edited source")),
      tool: textFlag("tool", "NAME", "The tool that one source is for, where its file name does not say it")
    },
    Effect.fnUntraced(function* (options) {
      const shared = yield* root
      yield* request({ command: "import", given: { flags: valuesOf(shared), command, ...options } })
    })
  ).pipe(Command.withDescription("Take edited sources of UIs back"))
  return root.pipe(
    Command.withHandler((parsed) => request({ command: "serve", given: { flags: valuesOf(parsed), command } })),
    Command.withSubcommands([preview, login, logout, prompt, generate, cache, config, exporting, importing])
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
