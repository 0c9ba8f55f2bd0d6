import { Cache, Clock, Duration, Effect, Layer, Semaphore } from "effect"
import { type FallbackReason, UI_ENTRY_FORMAT, type UiEntry } from "../domain/documents/UiEntry.ts"
import { type GenerationJob, Generations } from "../services/Generations.ts"
import { LanguageModel } from "../services/LanguageModel.ts"
import { RequestId } from "../services/RequestId.ts"
import { Settings } from "../services/Settings.ts"
import { GenerationFailed, UiGenerator } from "../services/UiGenerator.ts"

/** Generations that may wait for a permit; further ones get the built-in UI at once. */
const MAX_QUEUED = 32

const NO_MODEL: FallbackReason = {
  code: "NO_MODEL",
  message: "No language model is configured. Set ANTHROPIC_API_KEY or OPENAI_API_KEY, or --llm, to have UIs generated.",
  transient: false
}

const QUEUE_FULL: FallbackReason = {
  code: "QUEUE_FULL",
  message: "Too many UIs are being generated at the moment.",
  transient: true
}

type Made = Pick<
  UiEntry,
  "source" | "uiType" | "level" | "repairs" | "warnings" | "fallback" | "usage" | "promptVersion"
>

export const layer: Layer.Layer<Generations, never, Settings | LanguageModel | UiGenerator> = Layer.effect(
  Generations,
  Effect.gen(function* () {
    const { generation } = yield* Settings
    const model = yield* LanguageModel
    const generator = yield* UiGenerator

    const permits = yield* Semaphore.make(generation.maxConcurrentGenerations)
    const jobs = new Map<string, GenerationJob>()
    let queued = 0

    const entryOf = Effect.fnUntraced(function* (job: GenerationJob, startedAt: number, made: Made) {
      const now = yield* Clock.currentTimeMillis
      return {
        format: UI_ENTRY_FORMAT,
        toolName: job.tool.name,
        key: job.key,
        ...made,
        provider: model.provider,
        model: model.model,
        templateVersion: "",
        examples: job.learned.results.length,
        refinements: job.refinements,
        requestId: yield* RequestId,
        createdAt: now,
        durationMs: now - startedAt
      } satisfies UiEntry
    })

    const builtIn = Effect.fnUntraced(function* (job: GenerationJob, fallback: FallbackReason | null) {
      return yield* entryOf(job, yield* Clock.currentTimeMillis, {
        source: null,
        uiType: "minimal",
        level: fallback === null ? 0 : 2,
        repairs: [],
        warnings: [],
        fallback,
        usage: null,
        promptVersion: null
      })
    })

    const inQueue = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      Effect.suspend(() => {
        queued += 1
        let waiting = true
        const leave = Effect.sync(() => {
          if (waiting) queued -= 1
          waiting = false
        })
        return permits.withPermit(Effect.andThen(leave, effect)).pipe(Effect.ensuring(leave))
      })

    const generate = Effect.fn("Generations.generate")(function* (job: GenerationJob) {
      const queuedAt = yield* Clock.currentTimeMillis
      return yield* inQueue(
        Effect.gen(function* () {
          const begunAt = yield* Clock.currentTimeMillis
          yield* Effect.logInfo("generation started").pipe(Effect.annotateLogs({ queuedMs: begunAt - queuedAt }))
          const made = yield* generator.generate({
            ...job,
            refinements: job.refinements.slice(-generation.limits.maxRefinementHistory)
          })
          const entry = yield* entryOf(job, begunAt, { ...made, fallback: null })
          yield* Effect.logInfo("generation finished").pipe(
            Effect.annotateLogs({
              durationMs: entry.durationMs,
              level: entry.level,
              uiType: entry.uiType,
              inputTokens: entry.usage?.inputTokens ?? 0,
              outputTokens: entry.usage?.outputTokens ?? 0
            })
          )
          return entry
        })
      )
    })

    const flights = yield* Cache.makeWith(
      (key: string) =>
        Effect.suspend(() => {
          const job = jobs.get(key)
          if (job === undefined) return Effect.die(`no job for key ${key}`)
          return generate(job).pipe(
            Effect.ensuring(Effect.sync(() => jobs.delete(key))),
            Effect.annotateLogs({ component: "generations", tool: job.tool.name, key: key.slice(0, 16) })
          )
        }),
      { capacity: Number.MAX_SAFE_INTEGER, timeToLive: () => Duration.zero }
    )

    return Generations.of({
      make: (job) =>
        Effect.suspend((): Effect.Effect<UiEntry, GenerationFailed> => {
          const failed = (reason: FallbackReason) =>
            Effect.fail(new GenerationFailed({ toolName: job.tool.name, reason }))
          if (model.provider === "none") return failed(NO_MODEL)
          if (job.hints.uiType === "minimal") return builtIn(job, null)
          if (!jobs.has(job.key)) {
            if (queued >= MAX_QUEUED) return failed(QUEUE_FULL)
            jobs.set(job.key, job)
          }
          return Cache.get(flights, job.key)
        }),
      isRunning: (key) => jobs.has(key),
      builtIn
    })
  })
)
