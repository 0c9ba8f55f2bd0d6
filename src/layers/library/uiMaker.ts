import { Clock, Duration, Effect, Fiber, FiberMap, Option, Result } from "effect"
import { nextRetryAt } from "../../domain/library/FallbackRetry.ts"
import { isRefusal, isStillAsked, withNewestRejected } from "../../domain/library/Refinements.ts"
import type { Lineage } from "../../domain/library/UiVersions.ts"
import type { Tool } from "../../domain/tools/Tool.ts"
import type { FallbackReason, UiEntry } from "../../domain/tools/UiEntry.ts"
import { UiCache } from "../../services/cache/UiCache.ts"
import { ProgressListener } from "../../services/generation/GenerationProgress.ts"
import { type GenerationFailed, Generations } from "../../services/generation/Generations.ts"
import { RefinementStore } from "../../services/library/RefinementStore.ts"
import * as UiMetrics from "../../services/observability/UiMetrics.ts"
import { hashOf, type UiJob, type UiLibraryOptions } from "./uiJobs.ts"
import type { UiShelf } from "./uiShelf.ts"

/** The result of a job; with a failure, `entry` stands in. */
export interface MadeUi {
  readonly entry: UiEntry
  readonly failure: FallbackReason | null
  /** Not kept, because its newest refinement is no longer asked for. */
  readonly isStale?: true
}

export type UiMaker = Effect.Success<ReturnType<typeof makeUiMaker>>

/** How many keys with a failure are remembered; the oldest go first. */
const MAX_FAILED = 50

/** A reader waits half a second longer than one generation may take. */
export const patienceMs = (generation: { readonly timeoutMs: number }): number => generation.timeoutMs + 500

const annotated =
  (job: UiJob) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.annotateLogs(effect, { component: "library", tool: job.tool.name, key: job.key.slice(0, 16) })

const logFallback = (job: UiJob, reason: FallbackReason) =>
  Effect.andThen(
    UiMetrics.fallbackServed(reason.code),
    reason.code === "NO_MODEL"
      ? Effect.logDebug("built-in UI").pipe(Effect.annotateLogs({ code: reason.code }), annotated(job))
      : Effect.logWarning("built-in UI instead of a generated one").pipe(
          Effect.annotateLogs({ code: reason.code, reason: reason.message }),
          annotated(job)
        )
  )

/**
 * Makes the UI of a job for one session: generated and kept, or a stand-in with the reason. An accepted UI applies the
 * refinements that it was made with; one that failed for good rejects the newest.
 * A reader waits half a second longer than one generation may take, and then gets a stand-in. With `onTimeout:
 * continue` the generation goes on while the session lives, and its UI is kept. `changed` hears of a job that nobody
 * waited for.
 * The stand-in is the tool's last good UI, else the library's, else the built-in one. It is kept with the reason, and, if the reason may
 * pass, with the time of the next try.
 */
export const makeUiMaker = Effect.fnUntraced(function* (
  shelf: UiShelf,
  options: UiLibraryOptions,
  changed: (tool: Tool) => void
) {
  const generations = yield* Generations
  const cache = yield* UiCache
  const refinements = yield* RefinementStore

  /** Generations that the library itself waits for, by key (`onTimeout: continue`). */
  const attended = yield* FiberMap.make<string, MadeUi, never>()
  /** How many readers wait for those, by key. They get the UI, so nobody else must be told. */
  const awaiting = new Map<string, number>()
  const failed = new Map<string, UiEntry>()

  const noteFailed = (entry: UiEntry): void => {
    failed.delete(entry.key)
    failed.set(entry.key, entry)
    const oldest = failed.keys().next().value
    if (failed.size > MAX_FAILED && oldest !== undefined) failed.delete(oldest)
  }

  const standIn = Effect.fnUntraced(function* (job: UiJob, reason: FallbackReason, retryAfterMs = 0) {
    const good = shelf.goodOf(job)
    const known = good ?? (yield* shelf.finishedOf(job))
    const entry = known === undefined ? yield* generations.builtIn(job, reason) : { ...known, key: job.key }
    const now = yield* Clock.currentTimeMillis
    const previous = Option.getOrUndefined(yield* cache.peek(job.key))
    const retryAt = nextRetryAt(previous, now, retryAfterMs)
    return {
      ...entry,
      fallback: reason,
      createdAt: now,
      ...(reason.transient ? { retryAt } : {})
    } satisfies UiEntry
  })

  /** Whether this failure rejected the newest refinement; then nobody asks for this job's UI any more. */
  const isRejectedFor = Effect.fnUntraced(function* (job: UiJob, reason: FallbackReason, lineage?: Lineage) {
    // A read may fail for reasons that other words cannot help, such as a missing key: then it rejects nothing.
    if (reason.transient || !(lineage?.origin === "refined" || isRefusal(reason))) return false
    const { code, message } = reason
    const why = { code, message, at: yield* Clock.currentTimeMillis }
    const list = yield* refinements.read(job.tool)
    if (withNewestRejected(list, job.refinements, why) === list) return false
    yield* refinements.update(job.tool, (now) => withNewestRejected(now, job.refinements, why))
    yield* Effect.logWarning("a refinement is rejected").pipe(
      Effect.annotateLogs({ code, reason: message }),
      annotated(job)
    )
    return true
  })

  /** Keeps a UI, or drops it if its newest refinement was forgotten or rejected meanwhile. */
  const land = Effect.fnUntraced(function* (
    job: UiJob,
    made: MadeUi,
    lineage?: Lineage,
    beside: ReadonlyArray<UiEntry> = []
  ) {
    const { entry, failure } = made
    if (!isStillAsked(yield* refinements.read(job.tool), job.refinements)) return { ...made, isStale: true } as const
    if (failure === null) {
      failed.delete(job.key)
      yield* shelf.noteApplied(job, entry)
      shelf.remember(job, entry, lineage)
      if (lineage !== undefined) shelf.versions.addBeside(job.toolHash, beside, lineage)
      yield* shelf.keep(entry)
      yield* shelf.exported(job, entry)
    } else if (failure.code !== "QUEUE_FULL" && !(yield* isRejectedFor(job, failure, lineage))) {
      noteFailed(entry)
      yield* shelf.keep(entry)
    }
    return made
  })

  const insteadOf = Effect.fnUntraced(function* (job: UiJob, { reason, retryAfterMs }: GenerationFailed) {
    yield* logFallback(job, reason)
    return { entry: yield* standIn(job, reason, retryAfterMs), failure: reason } satisfies MadeUi
  })

  const make = (job: UiJob, lineage?: Lineage): Effect.Effect<MadeUi> =>
    generations.make(job).pipe(
      Effect.map((made): MadeUi => {
        const entry = lineage === undefined ? shelf.servedFor(job, made) : made
        return { entry, failure: null }
      }),
      Effect.catchTag("GenerationFailed", (failure) => insteadOf(job, failure)),
      Effect.flatMap((made) => land(job, made, lineage))
    )

  /**
   * Side by side, as many at a time as there are permits. The first that is accepted is served, the others are versions
   * beside it. They have keys of their own: until all are there, nobody gets one of them.
   */
  const makeVariants = Effect.fnUntraced(function* (job: UiJob, count: number, lineage: Lineage) {
    const write = (variant: number) =>
      generations.make({ ...job, key: hashOf([job.key, variant]), variant }).pipe(
        Effect.tapError(({ reason: { code, message } }) =>
          Effect.logWarning("a variant of a UI failed").pipe(
            Effect.annotateLogs({ code, reason: message, variant }),
            annotated(job)
          )
        ),
        Effect.result
      )
    const others = Array.from({ length: count - 1 }, (_, index) => write(index + 2))
    // The caller's listener hears of the first: several would count from nothing.
    const silent = Effect.provideService(ProgressListener, undefined)
    const [first, ...rest] = yield* Effect.all([write(1), ...others.map(silent)], { concurrency: "unbounded" })
    const served = rest.reduce((known, next) => (Result.isFailure(known) ? next : known), first)
    if (Result.isFailure(served)) return yield* land(job, yield* insteadOf(job, served.failure), lineage)
    // A second draft would take over while somebody compares.
    const asVersion = (entry: UiEntry): UiEntry => ({
      ...entry,
      key: job.key,
      secondDraft: { state: "dropped", of: null }
    })
    const sources = new Set([served.success.source])
    const beside = rest.flatMap((result) => {
      if (Result.isFailure(result) || sources.has(result.success.source)) return []
      sources.add(result.success.source)
      return [asVersion(result.success)]
    })
    return yield* land(job, { entry: asVersion(served.success), failure: null }, lineage, beside)
  })

  /** Runs in the layer's scope and tells hosts when done. */
  const begin = (job: UiJob, lineage?: Lineage) =>
    make(job, lineage).pipe(
      Effect.ensuring(
        Effect.sync(() => {
          if (!awaiting.has(job.key)) changed(job.tool)
        })
      ),
      Effect.provideService(ProgressListener, undefined),
      FiberMap.run(attended, job.key, { onlyIfMissing: true })
    )

  /** Begins it and waits; the caller's listener hears of its progress. */
  const attend = Effect.fnUntraced(function* (job: UiJob, lineage?: Lineage) {
    const wait = Effect.gen(function* () {
      const fiber = Option.getOrUndefined(FiberMap.getUnsafe(attended, job.key)) ?? (yield* begin(job, lineage))
      if (generations.isRunning(job.key)) yield* Effect.exit(generations.make(job))
      return yield* Fiber.join(fiber)
    })
    const readers = (more: number) =>
      Effect.sync(() => {
        const count = (awaiting.get(job.key) ?? 0) + more
        if (count > 0) awaiting.set(job.key, count)
        else awaiting.delete(job.key)
      })
    return yield* Effect.acquireUseRelease(
      readers(1),
      () => wait,
      () => readers(-1)
    )
  })

  const goesOn = options.onTimeout === "continue"

  /** A reader's patience is not the generation's budget. `waitedMs` is how long the reader has waited already. */
  const makeWithin = Effect.fnUntraced(function* (job: UiJob, lineage?: Lineage, waitedMs = 0) {
    const runOut = Effect.gen(function* () {
      const message = goesOn
        ? "The UI is still being generated; it will be there when this one is opened again."
        : "The UI had to wait too long for its turn to be generated."
      const reason: FallbackReason = { code: "TIMEOUT", message, transient: true }
      yield* logFallback(job, reason)
      const entry = yield* standIn(job, reason)
      if (goesOn) yield* shelf.keep(entry)
      const standing: MadeUi = { entry, failure: reason }
      return standing
    })
    const made: Effect.Effect<MadeUi> = goesOn ? attend(job, lineage) : make(job, lineage)
    return yield* Effect.timeoutOrElse(made, {
      duration: Duration.millis(Math.max(0, patienceMs(options) - waitedMs)),
      orElse: () => runOut
    })
  })

  return {
    /** However long it takes. */
    make,
    makeWithin,
    /**
     * For a change that somebody asked for. Only with `onTimeout: continue` may it return before the generation ends.
     */
    makeChange: goesOn ? makeWithin : make,
    makeVariants,
    /** Nobody waits for it. */
    begin: (job: UiJob): Effect.Effect<void> => Effect.asVoid(begin(job)),
    /** Whether it goes on without readers. */
    isAttended: (key: string): boolean => FiberMap.hasUnsafe(attended, key),
    /** Ends a generation that no reader waits for. */
    abandon: (key: string): Effect.Effect<void> => (awaiting.has(key) ? Effect.void : FiberMap.remove(attended, key)),
    standIn,
    /** What stood in when the last generation of this key failed, also without a cache. */
    stoodIn: (key: string): UiEntry | undefined => failed.get(key)
  }
})
