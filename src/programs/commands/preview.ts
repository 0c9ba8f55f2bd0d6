import { Effect } from "effect"
import { join } from "node:path"
import type { CommandLineArguments, ConfigFlagName, ConfigFlagValues } from "../../domain/configuration/ConfigFlags.ts"
import { CONFIG_FLAGS } from "../../domain/configuration/ConfigFlags.ts"
import { resolveSettings } from "../../layers/Settings.ts"
import * as PackageFilesNode from "../../layers/PackageFiles.ts"
import { PackageFiles } from "../../services/PackageFiles.ts"
import type { StdioUpstream } from "../../services/Settings.ts"

export interface PreviewArguments extends CommandLineArguments {
  readonly port: number | undefined
  readonly open: boolean
}

/** Flags as words again, in the one spelling that needs no look at the next word. */
const wordsOf = (flags: ConfigFlagValues): ReadonlyArray<string> =>
  (Object.keys(CONFIG_FLAGS) as ReadonlyArray<ConfigFlagName>).flatMap((name) => {
    const value = flags[name]
    const flag = `--${CONFIG_FLAGS[name].flag}`
    return value === undefined ? [] : [value === true ? flag : `${flag}=${value}`]
  })

/**
 * `mcp-gen-ui preview`: the same command line as for serving, shown in a local page. What is wrong with it is
 * said before the page opens; without a server the example weather server is wrapped.
 */
export const runPreviewCommand = Effect.fn("runPreviewCommand")(
  function* (given: PreviewArguments) {
    const files = yield* PackageFiles
    const example: StdioUpstream = {
      transport: "stdio",
      command: process.execPath,
      args: [join(files.root, "examples/weather-server.mjs")],
      env: {},
      cwd: undefined
    }
    const { settings } = yield* resolveSettings({ ...given, environment: process.env, defaultUpstream: example })
    const line =
      given.command === undefined ? (given.flags.upstream ?? process.env[CONFIG_FLAGS.upstream.variable]) : undefined
    const config = given.flags.config ?? process.env[CONFIG_FLAGS.config.variable]
    const flags = {
      ...given.flags,
      upstream: line === "" ? undefined : line,
      config: config === "" ? undefined : config
    }
    const words = given.command ?? (settings.upstream === example ? [example.command, ...example.args] : undefined)
    const { runPreview } = yield* Effect.promise(() => import("../preview/runPreview.ts"))
    return yield* runPreview({
      binPath: join(files.root, "bin/mcp-gen-ui.mjs"),
      wrapperArgs: [...wordsOf(flags), ...(words === undefined ? [] : ["--", ...words])],
      host: "127.0.0.1",
      port: given.port,
      open: given.open
    })
  },
  (effect) => Effect.provide(effect, PackageFilesNode.layer)
)
