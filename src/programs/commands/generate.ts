import { Effect, Layer } from "effect"
import { CONFIG_FLAGS, type CommandLineArguments } from "../../domain/settings/ConfigFlags.ts"
import { ConfigRejected } from "../../domain/settings/ConfigProblem.ts"
import { logs } from "../observing.ts"
import { logNotices, resolveSettings } from "../../layers/settings/Settings.ts"
import { Settings, type StdioUpstream } from "../../services/settings/Settings.ts"
import { type CorpusOptions, runCorpus } from "../generate/runCorpus.ts"
import { rejectedPrompt, withQuietLog } from "./prompt.ts"

export interface GenerateArguments extends CommandLineArguments, CorpusOptions {}

/** What stands in where no server is started. */
const NO_SERVER: StdioUpstream = { transport: "stdio", command: "", args: [], env: {}, cwd: undefined }

/**
 * `mcp-gen-ui generate --corpus DIR`: the sizes of the prompts for a folder of tool definitions, and with `--llm` what
 * the model makes of them. A key in the environment alone is not enough: hundreds of requests are not sent by accident.
 */
export const runGenerate = Effect.fn("runGenerate")(function* (given: GenerateArguments) {
  if (given.command !== undefined || given.flags.upstream !== undefined) {
    const text = "stands beside generate, which starts no server: the tools come from the folder of --corpus"
    const source = given.command === undefined ? "--upstream" : "--"
    return yield* new ConfigRejected({ problems: [{ source, path: "", text }] })
  }
  const isSaid = (name: "llm" | "config"): boolean =>
    given.flags[name] !== undefined || (process.env[CONFIG_FLAGS[name].variable]?.trim() ?? "") !== ""
  const { notices, settings } = yield* resolveSettings({
    flags: {
      ...withQuietLog(given.flags, "error"),
      http: "off",
      ...(isSaid("llm") || isSaid("config") ? {} : { llm: "none" as const, model: undefined })
    },
    command: undefined,
    environment: process.env,
    defaultUpstream: NO_SERVER
  })
  const context = Layer.provideMerge(logs, Layer.succeed(Settings, settings))
  yield* Effect.andThen(logNotices(notices), runCorpus(given)).pipe(
    Effect.provide(context),
    Effect.catchTag("PromptInvalid", rejectedPrompt)
  )
})
