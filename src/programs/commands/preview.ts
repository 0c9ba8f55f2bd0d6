import { Effect } from "effect"
import { join } from "node:path"
import { userModelPath } from "../../adapters/settings/userModel.ts"
import {
  CONFIG_FLAG_NAMES,
  CONFIG_FLAGS,
  type CommandLineArguments,
  type ConfigFlagValues
} from "../../domain/settings/ConfigFlags.ts"
import { rejected } from "../../domain/settings/ConfigProblem.ts"
import { nameOfUrl } from "../../domain/wire/HttpAddress.ts"
import { resolveSettings } from "../../layers/settings/Settings.ts"
import * as PackageFilesNode from "../../layers/documents/PackageFiles.ts"
import { patienceMs } from "../../layers/library/uiMaker.ts"
import { PackageFiles } from "../../services/documents/PackageFiles.ts"
import { LanguageModel } from "../../services/generation/LanguageModel.ts"
import { Settings, type StdioUpstream } from "../../services/settings/Settings.ts"
import { documentOptions } from "../layerUiLibrary.ts"
import { languageModel } from "../MainLayer.ts"
import { withHostServer } from "./withHostServer.ts"

export interface PreviewArguments extends CommandLineArguments {
  readonly port: number | undefined
  readonly open: boolean
  readonly gallery: boolean
  /** A server of a host's file, which `--config` names then. */
  readonly server: string | undefined
}

/** Flags as words again, spelled `--flag=value`, so that no value looks like a flag. */
export const wordsOf = (flags: ConfigFlagValues): ReadonlyArray<string> =>
  CONFIG_FLAG_NAMES.flatMap((name) => {
    const value = flags[name]
    const flag = `--${CONFIG_FLAGS[name].flag}`
    if (value === undefined) return []
    if (value === true) return [flag]
    return (typeof value === "string" ? [value] : value).map((text) => `${flag}=${text}`)
  })

/** Who writes views, and how long a reader waits for one at most. */
const writerOf = (settings: Settings["Service"]) =>
  Effect.map(LanguageModel, ({ model, provider }) =>
    model === null ? undefined : { provider, model, patienceMs: patienceMs(settings.generation) }
  ).pipe(Effect.provide(languageModel), Effect.provideService(Settings, settings))

/**
 * `mcp-gen-ui preview`: the same command line as for serving, shown in a local page. Tells what is wrong with it before
 * the page opens. Without a server it wraps the example weather server.
 */
export const runPreviewCommand = Effect.fn("runPreviewCommand")(
  function* (asked: PreviewArguments) {
    const { given } = yield* withHostServer(asked)
    const files = yield* PackageFiles
    const example: StdioUpstream = {
      transport: "stdio",
      command: process.execPath,
      args: [join(files.root, "examples/weather-server.mjs")],
      env: {},
      cwd: undefined
    }
    if (given.flags.http !== undefined && given.flags.http !== "off") {
      const text = "is not for the preview, which is itself the host; --port chooses where its page is served"
      return yield* rejected(text, "--http")
    }
    const environment = process.env
    const { upstream: line = environment[CONFIG_FLAGS.upstream.variable]?.trim() } = given.flags
    const { config = environment[CONFIG_FLAGS.config.variable]?.trim() } = given.flags
    // The page always speaks with the wrapper over standard input and output.
    const flags: ConfigFlagValues = { ...given.flags, http: "off" }
    const { settings } = yield* resolveSettings({
      ...given,
      flags,
      environment,
      userModel: userModelPath(environment),
      defaultUpstream: example
    })
    const { generation, upstream } = settings
    const isOfFile = given.command === undefined && (line ?? "") === "" && upstream !== example
    const words = upstream.transport === "stdio" ? [upstream.command, ...upstream.args] : [upstream.url]
    const writer = yield* writerOf(settings)
    const passedOn = wordsOf({ ...flags, upstream: undefined, config: config === "" ? undefined : config })
    const { runPreview } = yield* Effect.promise(() => import("../preview/runPreview.ts"))
    return yield* runPreview({
      binPath: join(files.root, "bin/mcp-gen-ui.mjs"),
      wrapperArgs: [...passedOn, ...(isOfFile ? [] : ["--", ...words])],
      title: upstream.transport === "stdio" ? words : [nameOfUrl(new URL(upstream.url))],
      host: "127.0.0.1",
      port: given.port,
      open: given.open,
      gallery: given.gallery,
      uiDirectory: generation.uiDirectory,
      writer,
      documents: documentOptions({ ...settings, debug: false })
    })
  },
  (effect) => Effect.provide(effect, PackageFilesNode.layer)
)
