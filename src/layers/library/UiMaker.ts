import { Clock, Duration, Effect, Fiber, FiberMap, Layer, Option } from "effect"
import { nextRetryAt } from "../../domain/library/FallbackRetry.ts"
import type { FallbackReason, UiEntry } from "../../domain/tools/UiEntry.ts"
import type { Tool } from "../../domain/tools/Tool.ts"
import type { Lineage } from "../../domain/library/UiVersions.ts"
import { isAskedFor, type Wishes, withAccepted, withSetAside } from "../../domain/library/Wishes.ts"
import { AcceptedUis } from "../../services/library/AcceptedUis.ts"
import { ProgressListener } from "../../services/generation/GenerationProgress.ts"
import { Generations } from "../../services/generation/Generations.ts"
import { RefinementStore } from "../../services/library/RefinementStore.ts"
import { Settings } from "../../services/settings/Settings.ts"
import { UiCache } from "../../services/cache/UiCache.ts"
import type { UiJob } from "../../services/library/UiJobs.ts"
import { type MadeUi, UiMaker } from "../../services/library/UiMaker.ts"
import * as UiMetrics from "../../services/observability/UiMetrics.ts"

/** Keys whose last failure is known; the oldest go. */
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
 * A reader waits for the generation of its UI as long as one may take, and half a second; then it gets what stands in.
 * With `onTimeout: continue` the generation goes on all the same, as long as the session lives, and what it makes is
 * kept: until then readers get what stood in for it.
 *
 * What stands in for a UI is the last good one of the tool, else the built-in one. It is kept with the reason, and, if
 * that may pass, with the time at which a read is to try again.
 */
export const layer: Layer.Layer<UiMaker, never, Settings | Generations | UiCache | RefinementStore | AcceptedUis> =
  Layer.effect(
    UiMaker,
    Effect.gen(function* () {
      const { generation } = yield* Settings
      const generations = yield* Generations
      const cache = yield* UiCache
      const refinements = yield* RefinementStore
      const accepted = yield* AcceptedUis

      const listeners = new Set<(tool: Tool) => void>()
      /** Generations that the library itself waits for, by key (`onTimeout: continue`). */
      const attended = yield* FiberMap.make<string, MadeUi, never>()
      /** Readers who wait for those, by key: nobody else need be told of what they get. */
      const awaiting = new Map<string, number>()
      const failed = new Map<string, UiEntry>()

      const noteFailed = (entry: UiEntry): void => {
        failed.delete(entry.key)
        failed.set(entry.key, entry)
        const oldest = failed.keys().next().value
        if (failed.size > MAX_FAILED && oldest !== undefined) failed.delete(oldest)
      }

      const standIn = Effect.fnUntraced(function* (job: UiJob, reason: FallbackReason, retryAfterMs = 0) {
        const good = accepted.goodOf(job)
        const entry = good === undefined ? yield* generations.builtIn(job, reason) : { ...good, key: job.key }
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

      const noteAccepted = Effect.fnUntraced(function* ({ hints, tool }: UiJob, entry: UiEntry) {
        // A built-in UI meets no wish unless the model chose it.
        const isBuiltIn = hints.uiType === "minimal" || (entry.source === null && entry.fallback !== null)
        if (entry.refinements.length === 0 || isBuiltIn) return
        const change = (wishes: Wishes): Wishes => withAccepted(wishes, entry.refinements)
        const wishes = yield* refinements.wishes(tool)
        if (change(wishes) !== wishes) yield* refinements.update(tool, change)
      })

      /** Whether wishes were: then nobody asks for the UI of this job any more. */
      const areSetAside = Effect.fnUntraced(function* (job: UiJob, reason: FallbackReason, lineage?: Lineage) {
        const why = { reason, isNew: lineage?.origin === "refined", at: yield* Clock.currentTimeMillis }
        const change = (wishes: Wishes): Wishes => withSetAside(wishes, job.refinements, why)
        const wishes = yield* refinements.wishes(job.tool)
        if (change(wishes) === wishes) return false
        yield* refinements.update(job.tool, change)
        yield* Effect.logWarning("a wish is set aside").pipe(
          Effect.annotateLogs({ code: reason.code, reason: reason.message }),
          annotated(job)
        )
        return true
      })

      /** Whether it was still asked for. */
      const land = Effect.fnUntraced(function* (job: UiJob, { entry, failure }: MadeUi, lineage?: Lineage) {
        const { history } = yield* refinements.wishes(job.tool)
        if (!isAskedFor(history, job.refinements)) return false
        if (failure !== null) {
          const isKept = failure.code !== "QUEUE_FULL" && !(yield* areSetAside(job, failure, lineage))
          if (isKept) noteFailed(entry)
          if (isKept) yield* cache.set(entry)
          return true
        }
        failed.delete(job.key)
        yield* noteAccepted(job, entry)
        accepted.remember(job, entry, lineage)
        yield* cache.set(entry)
        yield* accepted.exported(job, entry)
        return true
      })

      const make = (job: UiJob, lineage?: Lineage): Effect.Effect<MadeUi> =>
        generations.make(job).pipe(
          Effect.map((made): MadeUi => {
            const entry = lineage === undefined ? accepted.servedFor(job, made) : made
            return { entry, failure: null }
          }),
          Effect.catchTag("GenerationFailed", ({ reason, retryAfterMs }) =>
            Effect.gen(function* () {
              yield* logFallback(job, reason)
              return { entry: yield* standIn(job, reason, retryAfterMs), failure: reason }
            })
          ),
          Effect.flatMap((made) =>
            Effect.map(land(job, made, lineage), (isAsked): MadeUi => (isAsked ? made : { ...made, isStale: true }))
          )
        )

      /** By a fiber of this layer, which goes on when nobody waits; then hosts hear of what came of it. */
      const begin = (job: UiJob, lineage?: Lineage) =>
        make(job, lineage).pipe(
          Effect.ensuring(
            Effect.sync(() => {
              if (!awaiting.has(job.key)) for (const listener of listeners) listener(job.tool)
            })
          ),
          Effect.provideService(ProgressListener, undefined),
          FiberMap.run(attended, job.key, { onlyIfMissing: true })
        )

      /** Begins it and waits; the caller's listener hears of it. */
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

      return UiMaker.of({
        make,
        makeWithin: Effect.fnUntraced(function* (job, lineage, waitedMs = 0) {
          const goesOn = generation.onTimeout === "continue"
          const runOut = Effect.gen(function* () {
            const message = goesOn
              ? "The UI is still being generated; it will be there when this one is opened again."
              : "The UI had to wait too long for its turn to be generated."
            const reason: FallbackReason = { code: "TIMEOUT", message, transient: true }
            yield* logFallback(job, reason)
            const entry = yield* standIn(job, reason)
            if (goesOn) yield* cache.set(entry)
            return { entry, failure: reason } satisfies MadeUi
          })
          return yield* Effect.timeoutOrElse(goesOn ? attend(job, lineage) : make(job, lineage), {
            duration: Duration.millis(Math.max(0, patienceMs(generation) - waitedMs)),
            orElse: () => runOut
          })
        }),
        begin: (job) => Effect.asVoid(begin(job)),
        isAttended: (key) => FiberMap.hasUnsafe(attended, key),
        abandon: (key) => (awaiting.has(key) ? Effect.void : FiberMap.remove(attended, key)),
        noteAccepted,
        standIn,
        stoodIn: (key) => failed.get(key),
        onDone: (listener) => void listeners.add(listener)
      })
    })
  )
