import { Console, Effect, Layer, Runtime, Schema } from "effect"
import { closestOf } from "../../domain/closestOf.ts"
import type { CommandLineArguments } from "../../domain/settings/ConfigFlags.ts"
import { estimateTokens } from "../../domain/generation/PromptTokens.ts"
import { NOTHING_LEARNED } from "../../domain/tools/LearnedResults.ts"
import { makeToolCatalog } from "../../domain/tools/ToolCatalog.ts"
import { PromptLibrary } from "../../services/generation/PromptLibrary.ts"
import { Settings } from "../../services/settings/Settings.ts"
import { listServerTools } from "../generate/listServerTools.ts"
import { prompts } from "../generate/runCorpus.ts"
import { logged, NO_MODEL, quietLog, rejectedPrompt, settingsFor } from "./commandSettings.ts"

export interface PromptArguments extends CommandLineArguments {
  readonly tool: string
  readonly json: boolean
}

/** The server has no tool of that name; exit code 2, as for any slip of the command line. */
class ToolUnknown extends Schema.TaggedError<ToolUnknown>()("ToolUnknown", {
  toolName: Schema.String,
  closest: Schema.NullOr(Schema.String),
  /** How many tools the server has. */
  count: Schema.Int
}) {
  override readonly [Runtime.errorExitCode] = 2

  override get message(): string {
    const advice = this.closest === null ? `it has ${this.count} others` : `did you mean "${this.closest}"?`
    return `the server has no tool "${this.toolName}"; ${advice}`
  }
}

const promptOf = Effect.fnUntraced(function* (toolName: string) {
  const { generation } = yield* Settings
  const { toolNamed, tools } = makeToolCatalog(yield* listServerTools, () => true, generation.tools)
  const tool = toolNamed(toolName)
  if (tool === undefined) {
    const names = tools.map(({ name }) => name)
    return yield* new ToolUnknown({ toolName, closest: closestOf(toolName, names) ?? null, count: names.length })
  }
  const library = yield* PromptLibrary
  const hints = Object.hasOwn(generation.tools, toolName) ? (generation.tools[toolName] ?? {}) : {}
  const input = { tool, hints, refinements: [], currentSource: null, learned: NOTHING_LEARNED }
  return { ...(yield* library.generate(input)), version: yield* library.version }
})

/**
 * `mcp-gen-ui prompt <tool>`: what a model would be asked for the UI of one tool of a server, before any result was
 * seen. The texts go to standard output as they would be sent, with a line before each on standard error. It needs no
 * key and asks no model.
 */
export const runPrompt = Effect.fn("runPrompt")(function* (given: PromptArguments) {
  const { notices, settings } = yield* settingsFor(given, {
    ...quietLog(given.flags, "warn"),
    ...NO_MODEL,
    http: "off"
  })
  const { prompt, system, version } = yield* promptOf(given.tool).pipe(
    Effect.provide(Layer.provideMerge(prompts, logged(settings, notices))),
    Effect.catchTag("PromptInvalid", rejectedPrompt)
  )
  const tokens = { system: estimateTokens(system), prompt: estimateTokens(prompt) }
  if (given.json) return yield* Console.log(JSON.stringify({ system, prompt, version, tokens }, null, 2))
  yield* Console.error(`----- system: about ${tokens.system} tokens, the same for every tool -----`)
  yield* Console.log(system)
  yield* Console.error(`----- prompt: about ${tokens.prompt} tokens, version ${version} -----`)
  yield* Console.log(prompt)
})
