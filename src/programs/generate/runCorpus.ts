import { Clock, Console, Effect, Layer, Result, Runtime, Schema } from "effect"
import { closeSync, openSync, writeSync } from "node:fs"
import { setImmediate } from "node:timers/promises"
import { estimateTokens } from "../../domain/generation/PromptTokens.ts"
import { NOTHING_LEARNED } from "../../domain/tools/LearnedResults.ts"
import { makeUiGenerator } from "../../layers/generation/uiGenerator.ts"
import * as HtmlInspector from "../../layers/inspection/HtmlInspector.ts"
import * as PackageFiles from "../../layers/documents/PackageFiles.ts"
import { type GenerateInput, PromptLibrary } from "../../services/generation/PromptLibrary.ts"
import { Settings } from "../../services/settings/Settings.ts"
import { generationOptions } from "../layerUiLibrary.ts"
import * as MainLayer from "../MainLayer.ts"
import { type CorpusAnswer, type CorpusRecord, corpusSummary } from "./CorpusRecord.ts"
import { type CorpusTool, readCorpus } from "./readCorpus.ts"

export interface CorpusOptions {
  readonly corpus: string
  /** Where the lines go; standard output without it. */
  readonly out: string | undefined
  /** So many tools at most, spread evenly over all. */
  readonly limit: number | undefined
  /** A glob over tool names. */
  readonly tools: string | undefined
}

/** The file for the lines could not be opened; exit code 2. */
class OutputUnwritable extends Schema.TaggedError<OutputUnwritable>()("OutputUnwritable", {
  file: Schema.String,
  code: Schema.String
}) {
  override readonly [Runtime.errorExitCode] = 2

  override get message(): string {
    return `--out: ${this.file} cannot be written (${this.code})`
  }
}

export const prompts = MainLayer.prompts.pipe(Layer.provide(PackageFiles.layer))
const inspector = HtmlInspector.layer.pipe(Layer.provide(PackageFiles.layer))

const spread = (all: ReadonlyArray<CorpusTool>, limit: number | undefined): ReadonlyArray<CorpusTool> =>
  limit === undefined || limit >= all.length
    ? all
    : Array.from({ length: limit }, (_, index) => Math.floor((index * all.length) / limit)).flatMap(
        (index) => all[index] ?? []
      )

const linesTo = Effect.fnUntraced(function* (file: string | undefined) {
  if (file === undefined) return (line: string) => Console.log(line)
  const descriptor = yield* Effect.acquireRelease(
    Effect.try({
      try: () => openSync(file, "w"),
      catch: (cause) => {
        const code = cause instanceof Error && "code" in cause ? String(cause.code) : "UNKNOWN"
        return new OutputUnwritable({ file, code })
      }
    }),
    (opened) => Effect.sync(() => closeSync(opened))
  )
  return (line: string) => Effect.sync(() => void writeSync(descriptor, `${line}\n`))
})

type Generate = Effect.Success<ReturnType<typeof makeUiGenerator>>

const answerOf = Effect.fnUntraced(function* (input: GenerateInput, generate: Generate) {
  const startedAt = yield* Clock.currentTimeMillis
  const outcome = yield* Effect.result(generate(input))
  const seconds = ((yield* Clock.currentTimeMillis) - startedAt) / 1000
  if (Result.isFailure(outcome)) {
    const { reason } = outcome.failure
    const nothing = { repairs: [], warnings: [], inputTokens: null, outputTokens: null }
    return { verdict: null, level: 2, ...nothing, seconds, failure: reason } satisfies CorpusAnswer
  }
  const { level, repairs, uiType, usage, warnings } = outcome.success
  const tokens = { inputTokens: usage?.inputTokens ?? null, outputTokens: usage?.outputTokens ?? null }
  return { verdict: uiType, level, repairs, warnings, ...tokens, seconds, failure: null } satisfies CorpusAnswer
})

const work = Effect.fnUntraced(function* (options: CorpusOptions) {
  const settings = yield* Settings
  const { generation, llm } = settings
  const generate = yield* makeUiGenerator(generationOptions(settings))
  const library = yield* PromptLibrary
  const all = spread(yield* readCorpus(options.corpus, options.tools), options.limit)
  const write = yield* linesTo(options.out)
  const records: Array<CorpusRecord> = []
  const hasModel = llm.provider !== "none" && llm.provider !== "host"

  const recordOf = Effect.fnUntraced(function* ({ server, tool }: CorpusTool) {
    const hints = Object.hasOwn(generation.tools, tool.name) ? (generation.tools[tool.name] ?? {}) : {}
    const input = { tool, hints, refinements: [], currentSource: null, learned: NOTHING_LEARNED }
    const { prompt, system } = yield* library.generate(input)
    const record: CorpusRecord = {
      server,
      tool: tool.name,
      characters: { system: system.length, tool: prompt.length },
      tokens: { system: estimateTokens(system), tool: estimateTokens(prompt) },
      ...(hasModel ? yield* answerOf(input, generate) : {})
    }
    // Let signals in: without a model, nothing else here waits.
    yield* Effect.promise(() => setImmediate())
    records.push(record)
    yield* write(JSON.stringify(record))
  })

  const summary = Effect.suspend(() => {
    const text = corpusSummary(records)
    return options.out === undefined ? Console.error(text) : Console.log(text)
  })
  yield* Effect.forEach(all, recordOf, {
    concurrency: hasModel ? generation.maxConcurrentGenerations : 1,
    discard: true
  }).pipe(Effect.ensuring(summary))
})

/**
 * `mcp-gen-ui generate --corpus`: one JSON line a tool, as it is done, and a table of all at the end, also when it is
 * interrupted. With a model in the settings each UI is generated as for a host.
 */
export const runCorpus = (options: CorpusOptions) =>
  work(options).pipe(Effect.scoped, Effect.provide([prompts, inspector, MainLayer.languageModel]))
