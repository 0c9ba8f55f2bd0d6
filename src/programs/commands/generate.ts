import { Effect } from "effect"
import { CONFIG_FLAGS, type CommandLineArguments } from "../../domain/settings/ConfigFlags.ts"
import { rejected } from "../../domain/settings/ConfigProblem.ts"
import { type CorpusOptions, runCorpus } from "../generate/runCorpus.ts"
import { logged, NO_MODEL, NO_SERVER, quietLog, rejectedPrompt, settingsFor } from "./commandSettings.ts"

export interface GenerateArguments extends CommandLineArguments, CorpusOptions {}

/**
 * `mcp-gen-ui generate --corpus DIR`: the sizes of the prompts for a folder of tool definitions, and with `--llm` what
 * the model makes of them. A key in the environment alone is not enough: nobody should send hundreds of requests by
 * accident.
 */
export const runGenerate = Effect.fn("runGenerate")(function* (given: GenerateArguments) {
  if (given.command !== undefined || given.flags.upstream !== undefined) {
    const text = "stands beside generate, which starts no server: the tools come from the folder of --corpus"
    return yield* rejected(text, given.command === undefined ? "--upstream" : "--")
  }
  const isSaid = (name: "llm" | "config"): boolean =>
    given.flags[name] !== undefined || (process.env[CONFIG_FLAGS[name].variable]?.trim() ?? "") !== ""
  const model = isSaid("llm") || isSaid("config") ? {} : NO_MODEL
  const own = { ...quietLog(given.flags, "error"), ...model, http: "off" }
  const { notices, settings } = yield* settingsFor(given, own, NO_SERVER)
  yield* runCorpus(given).pipe(
    Effect.provide(logged(settings, notices)),
    Effect.catchTag("PromptInvalid", rejectedPrompt)
  )
})
