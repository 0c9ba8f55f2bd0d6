import { Effect, Layer } from "effect"
import { userModelPath } from "../../adapters/settings/userModel.ts"
import { CONFIG_FLAGS, type CommandLineArguments, type ConfigFlagValues } from "../../domain/settings/ConfigFlags.ts"
import { rejected, type SettingsNotice } from "../../domain/settings/ConfigProblem.ts"
import { logNotices, resolveSettings } from "../../layers/settings/Settings.ts"
import type { PromptInvalid } from "../../services/generation/PromptLibrary.ts"
import { Settings, type StdioUpstream } from "../../services/settings/Settings.ts"
import { logs } from "../MainLayer.ts"

/** Stands in where no server is named, for commands that start none. */
export const NO_SERVER: StdioUpstream = { transport: "stdio", command: "", args: [], env: {}, cwd: undefined }

/** For commands that ask no model: a missing key must not stop them. */
export const NO_MODEL: ConfigFlagValues = { llm: "none", model: undefined }

/** Settles a command line, with flags that the command itself decides. */
export const settingsFor = (
  { command, flags }: CommandLineArguments,
  own: ConfigFlagValues = {},
  defaultUpstream?: StdioUpstream
) =>
  resolveSettings({
    command,
    flags: { ...flags, ...own },
    environment: process.env,
    userModel: userModelPath(process.env),
    ...(defaultUpstream === undefined ? {} : { defaultUpstream })
  })

/** Keeps the log off the terminal, unless somebody asked for it. */
export const quietLog = (flags: ConfigFlagValues, level: "warn" | "error"): ConfigFlagValues => {
  const isTold = [CONFIG_FLAGS.logLevel, CONFIG_FLAGS.debug].some(
    ({ variable }) => (process.env[variable] ?? "") !== ""
  )
  return flags.logLevel !== undefined || flags.debug === true || isTold ? {} : { logLevel: level }
}

/** The settings and their log, in which the notices stand first. */
export const logged = (settings: Settings["Service"], notices: ReadonlyArray<SettingsNotice>) =>
  Layer.effectDiscard(logNotices(notices)).pipe(
    Layer.provideMerge(logs),
    Layer.provideMerge(Layer.succeed(Settings, settings))
  )

/** A prompt file that cannot be used is a wrong setting: exit code 2. */
export const rejectedPrompt = ({ detail, file }: PromptInvalid) => Effect.fail(rejected(detail, file))
