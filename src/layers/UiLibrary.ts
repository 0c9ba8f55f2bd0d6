import { Clock, Duration, Effect, Layer, Option, Semaphore } from "effect"
import { createHash } from "node:crypto"
import { saveDebugPage } from "../adapters/debugPage.ts"
import { canonicalJson } from "../domain/CanonicalJson.ts"
import type { Tool } from "../domain/tools/Tool.ts"
import type { FallbackReason, UiEntry, UiType } from "../domain/documents/UiEntry.ts"
import { DocumentLinker } from "../services/DocumentLinker.ts"
import { type GenerationJob, Generations } from "../services/Generations.ts"
import { LanguageModel } from "../services/LanguageModel.ts"
import { PromptLibrary } from "../services/PromptLibrary.ts"
import { RefinementStore } from "../services/RefinementStore.ts"
import { Settings, type ToolHints } from "../services/Settings.ts"
import { ToolMemory } from "../services/ToolMemory.ts"
import { UiCache } from "../services/UiCache.ts"
import { UiLibrary, UiUnchanged } from "../services/UiLibrary.ts"

/** Tools whose last good UI is remembered beside the cache. */
const MAX_GOODS = 1000

/** A fallback whose reason may pass is tried again by the first read after this pause. */
const TRANSIENT_PAUSE = Duration.toMillis(Duration.minutes(1))

/** A reader that has to queue waits this much longer than one generation may take. */
const PATIENCE_MARGIN = 500

interface Job extends GenerationJob {
  /** Stands for the tool as it is now: UIs of the same tool can stand in for each other. */
  readonly toolHash: string
}

/** What became of a job; with a failure, `entry` is what stands in. */
interface Outcome {
  readonly entry: UiEntry
  readonly failure: FallbackReason | null
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex")

export const layer: Layer.Layer<
  UiLibrary,
  never,
  Settings | LanguageModel | PromptLibrary | Generations | UiCache | RefinementStore | DocumentLinker | ToolMemory
> = Layer.effect(
  UiLibrary,
  Effect.gen(function* () {
    const { debug, generation, llm } = yield* Settings
    const model = yield* LanguageModel
    const prompts = yield* PromptLibrary
    const generations = yield* Generations
    const cache = yield* UiCache
    const refinements = yield* RefinementStore
    const linker = yield* DocumentLinker
    const memory = yield* ToolMemory

    const forcedTypes = new Map<string, UiType>()
    /** The last UI of each tool that was made as asked: nothing good is lost to a failure. */
    const goods = new Map<string, { readonly toolHash: string; readonly entry: UiEntry }>()
    const turns = new Map<string, Semaphore.Semaphore>()

    const hintsOf = (toolName: string): ToolHints => {
      const hints = Object.hasOwn(generation.tools, toolName) ? (generation.tools[toolName] ?? {}) : {}
      const uiType = forcedTypes.get(toolName)
      return uiType === undefined ? hints : { ...hints, uiType }
    }

    const fallbackOf = (code: FallbackReason["code"], message: string, transient: boolean): FallbackReason => ({
      code,
      message,
      transient
    })

    const configurationHash = Effect.fnUntraced(function* (hints: ToolHints) {
      const promptVersion =
        model.provider === "none" ? null : yield* prompts.version.pipe(Effect.orElseSucceed(() => null))
      return sha256(
        canonicalJson({
          promptVersion,
          templateVersion: yield* linker.version,
          provider: model.provider,
          model: model.model,
          temperature: llm.temperature ?? null,
          prompt: generation.prompt ?? null,
          theme: generation.defaultTheme,
          limits: generation.limits,
          hints
        })
      )
    })

    /** Requirement C1. */
    const jobOf = Effect.fnUntraced(function* (
      tool: Tool,
      history: ReadonlyArray<string>,
      currentSource: string | null
    ) {
      const hints = hintsOf(tool.name)
      const toolHash = sha256(canonicalJson([tool.definition, tool.related]))
      const parts = [tool.name, toolHash, sha256(canonicalJson(history)), yield* configurationHash(hints)]
      const key = sha256(canonicalJson(parts))
      return { key, toolHash, tool, hints, refinements: history, currentSource, learned: memory.learned(tool.name) } satisfies Job
    })

    const remember = (job: Job, entry: UiEntry): void => {
      if (entry.fallback !== null) return
      goods.delete(job.tool.name)
      goods.set(job.tool.name, { toolHash: job.toolHash, entry })
      const oldest = goods.keys().next().value
      if (goods.size > MAX_GOODS && oldest !== undefined) goods.delete(oldest)
    }

    const goodOf = (job: Pick<Job, "tool" | "toolHash">): UiEntry | undefined => {
      const good = goods.get(job.tool.name)
      return good?.toolHash === job.toolHash ? good.entry : undefined
    }

    /** The good UI there was before (requirement R5), else the built-in one; either way with the reason. */
    const standIn = Effect.fnUntraced(function* (job: Job, reason: FallbackReason) {
      const good = goodOf(job)
      if (good === undefined) return yield* generations.builtIn(job, reason)
      return { ...good, key: job.key, fallback: reason, createdAt: yield* Clock.currentTimeMillis }
    })

    const annotated =
      (job: Job) =>
      <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
        Effect.annotateLogs(effect, { component: "library", tool: job.tool.name, key: job.key.slice(0, 16) })

    const logFallback = (job: Job, reason: FallbackReason) =>
      reason.code === "NO_MODEL"
        ? Effect.logDebug("built-in UI").pipe(Effect.annotateLogs({ code: reason.code }), annotated(job))
        : Effect.logWarning("built-in UI instead of a generated one").pipe(
            Effect.annotateLogs({ code: reason.code, reason: reason.message }),
            annotated(job)
          )

    const generate = (job: Job): Effect.Effect<Outcome> =>
      generations.make(job).pipe(
        Effect.map((entry): Outcome => ({ entry, failure: null })),
        Effect.catchTag("GenerationFailed", ({ reason }) =>
          Effect.gen(function* () {
            yield* logFallback(job, reason)
            return { entry: yield* standIn(job, reason), failure: reason }
          })
        ),
        Effect.tap(({ entry, failure }) => {
          remember(job, entry)
          return failure?.code === "QUEUE_FULL" ? Effect.void : cache.set(entry)
        })
      )

    /** The reader's patience is not the generation's budget: one that queued too long gets what there is now. */
    const generateWithin = Effect.fnUntraced(function* (job: Job) {
      return yield* generate(job).pipe(
        Effect.map(({ entry }) => entry),
        Effect.timeoutOrElse({
          duration: Duration.millis(generation.timeoutMs + PATIENCE_MARGIN),
          orElse: () => {
            const reason = fallbackOf("TIMEOUT", "The UI is still waiting to be generated.", true)
            return Effect.andThen(logFallback(job, reason), standIn(job, reason))
          }
        })
      )
    })

    const isDue = (entry: UiEntry, now: number): boolean =>
      entry.fallback?.transient === true && now - entry.createdAt >= TRANSIENT_PAUSE

    const currentJob = Effect.fnUntraced(function* (tool: Tool) {
      const history = yield* refinements.history(tool.name)
      const job = yield* jobOf(tool, history, null)
      const source = history.length > 0 ? (goodOf(job)?.source ?? null) : null
      return { ...job, currentSource: source }
    })

    /** Changes of one tool's UI come one after the other, and after a generation that is under way. */
    const inTurn = <A, E, R>(tool: Tool, change: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      Effect.suspend(() => {
        const turn = turns.get(tool.name) ?? Semaphore.makeUnsafe(1)
        turns.set(tool.name, turn)
        return turn.withPermit(
          Effect.gen(function* () {
            const current = yield* currentJob(tool)
            if (generations.isRunning(current.key)) yield* generate(current)
            return yield* change
          })
        )
      })

    /** Makes the UI of a job anew; on failure, and when the caller gives up, what was there stays. */
    const renew = Effect.fnUntraced(function* (job: Job) {
      const { entry, failure } = yield* generate(job).pipe(
        Effect.onInterrupt(() =>
          goodOf(job) === undefined
            ? Effect.void
            : Effect.flatMap(standIn(job, fallbackOf("ABORTED", "The change was cancelled.", true)), cache.set)
        )
      )
      if (failure === null) return entry
      return yield* new UiUnchanged({ toolName: job.tool.name, reason: failure })
    })

    return UiLibrary.of({
      read: Effect.fn("UiLibrary.read")(function* (tool, pageTools) {
        const job = yield* currentJob(tool)
        const known = yield* cache.get(job.key)
        const now = yield* Clock.currentTimeMillis
        if (Option.isSome(known) && !isDue(known.value, now)) {
          remember(job, known.value)
          return { html: linker.link(tool, known.value, pageTools), entry: known.value, cached: true }
        }
        const entry = yield* generateWithin(job)
        const html = linker.link(tool, entry, pageTools)
        if (debug) yield* Effect.flatMap(html, (page) => saveDebugPage(tool.name, entry.key, page))
        return { html, entry, cached: false }
      }),
      peek: Effect.fn("UiLibrary.peek")(function* (tool) {
        const job = yield* currentJob(tool)
        return yield* cache.peek(job.key)
      }),
      refine: Effect.fn("UiLibrary.refine")((tool, feedback) =>
        inTurn(
          tool,
          Effect.gen(function* () {
            const current = yield* currentJob(tool)
            if (current.hints.uiType === "minimal") {
              const message = "It is set to the built-in UI, which has nothing to refine; regenerate it as rich first."
              return yield* new UiUnchanged({
                toolName: tool.name,
                reason: fallbackOf("INVALID_REQUEST", message, false)
              })
            }
            const history = yield* refinements.append(tool.name, feedback)
            return yield* renew(yield* jobOf(tool, history, goodOf(current)?.source ?? null))
          })
        )
      ),
      regenerate: Effect.fn("UiLibrary.regenerate")((tool, { clearRefinements, uiType }) =>
        inTurn(
          tool,
          Effect.gen(function* () {
            if (clearRefinements) yield* refinements.clear(tool.name)
            if (uiType !== undefined) forcedTypes.set(tool.name, uiType)
            const history = yield* refinements.history(tool.name)
            return yield* renew(yield* jobOf(tool, history, null))
          })
        )
      ),
      forget: Effect.fn("UiLibrary.forget")(function* (tool) {
        yield* cache.removeTool(tool.name)
        yield* refinements.clear(tool.name)
        forcedTypes.delete(tool.name)
        goods.delete(tool.name)
        memory.forget(tool.name)
        turns.delete(tool.name)
      }),
      history: refinements.history
    })
  })
)
