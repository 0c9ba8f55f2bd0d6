import { Clock, Deferred, Effect, Exit, Fiber, Layer, Option, Schema, Semaphore } from "effect"
import {
  type FallbackReason,
  NO_MODEL,
  UI_ENTRY_FORMAT,
  type UiEntry,
  withSecondDraft
} from "../../domain/tools/UiEntry.ts"
import { type GenerationProgress, ProgressListener } from "../../services/generation/GenerationProgress.ts"
import { FleetFlights } from "../../services/cache/FleetFlights.ts"
import { GenerationFailed, type GenerationJob, Generations } from "../../services/generation/Generations.ts"
import { LanguageModel } from "../../services/generation/LanguageModel.ts"
import type { PromptLibrary } from "../../services/generation/PromptLibrary.ts"
import { RequestId } from "../../services/session/RequestId.ts"
import { UiCache } from "../../services/cache/UiCache.ts"
import type { HtmlInspector } from "../../services/inspection/HtmlInspector.ts"
import * as UiMetrics from "../../services/observability/UiMetrics.ts"
import {
  draftOf,
  makeUiGenerator,
  SECOND_DRAFT_TIMEOUT_MS,
  SECOND_DRAFT_TOKENS,
  type UiGeneratorOptions
} from "./uiGenerator.ts"

/** Generations that may wait for a permit; further ones get the built-in UI at once. */
const MAX_QUEUED = 32

const QUEUE_FULL: FallbackReason = {
  code: "QUEUE_FULL",
  message: "Too many UIs are being generated at the moment.",
  transient: true
}

type Made = Pick<
  UiEntry,
  "source" | "uiType" | "level" | "repairs" | "warnings" | "fallback" | "usage" | "promptVersion" | "examples"
>

/** A reader of a flight. A listener that throws is not called again. */
interface Waiter {
  listener: ((progress: GenerationProgress) => void) | undefined
}

/** One generation, queued or running, and its readers. */
interface Flight {
  readonly job: GenerationJob
  readonly done: Deferred.Deferred<UiEntry, GenerationFailed>
  readonly waiters: Set<Waiter>
  progress: GenerationProgress | undefined
  fiber: Fiber.Fiber<UiEntry, GenerationFailed> | undefined
}

/** As flights on other machines hear of a failure. */
const FAILURE = Schema.fromJsonString(GenerationFailed)

const hear = (waiter: Waiter, progress: GenerationProgress): void => {
  try {
    waiter.listener?.(progress)
  } catch {
    waiter.listener = undefined
  }
}

/**
 * How budget, permits, queue and patience fit together:
 *
 * - **Flight.** A reader joins the flight of a key, or starts it. The flight runs in a fiber of this layer, with the log
 *   annotations and the request id of the reader that started it.
 * - **Queue.** At most `maxConcurrentGenerations` flights hold a permit; up to 32 more wait for one, in order. A further
 *   one fails at once with QUEUE_FULL, which no cache keeps.
 * - **Budget.** The generator's clock starts with the permit: time in the queue is not the generation's time. The budget
 *   ends every flight, so every permit comes back.
 * - **Patience.** How long a reader waits is the reader's own affair (`UiLibrary`: the budget and half a second). It
 *   covers the queue.
 * - **Leaving.** When the last reader leaves, the flight is interrupted wherever it is. It gives back its place in the queue
 *   or its permit, and the model's socket closes, before that reader goes on. A reader who comes meanwhile starts a new
 *   flight.
 * - **The fleet.** Where machines share their UIs (`FleetFlights`), one of them makes each UI; the flights of the others wait,
 *   without a permit, for what it stores.
 * - **Spare time.** A second draft takes a permit like others, but only while nobody else waits for one. When somebody
 *   comes and finds none, the second draft is interrupted, gives its permit, and begins again when there is one to spare.
 *   It has a budget and a limit of length of its own, and no flight: nobody can join it.
 * - **Going on.** With `onTimeout: continue` it is the library that waits, for as long as its session lives, and keeps
 *   what comes. The budget is larger then (`generationBudgetMs`), and still ends it.
 *
 * `make` fails with NO_MODEL, QUEUE_FULL, or what `makeUiGenerator` fails with.
 */
export const layer = (
  options: UiGeneratorOptions & { readonly maxConcurrentGenerations: number }
): Layer.Layer<Generations, never, LanguageModel | PromptLibrary | HtmlInspector | UiCache | FleetFlights> =>
  Layer.effect(
    Generations,
    Effect.gen(function* () {
      const model = yield* LanguageModel
      const firstDraft = yield* makeUiGenerator(options)
      const secondDraft = yield* makeUiGenerator({
        ...options,
        timeoutMs: SECOND_DRAFT_TIMEOUT_MS,
        maxOutputTokens: Math.min(SECOND_DRAFT_TOKENS, options.maxOutputTokens)
      })
      const cache = yield* UiCache
      const fleet = yield* FleetFlights

      const scope = yield* Effect.scope
      const permits = yield* Semaphore.make(options.maxConcurrentGenerations)
      const flights = new Map<string, Flight>()
      /** The keys of which a second draft was asked for here; a cache may not keep their entries. */
      const redrafted = new Set<string>()
      /** Second drafts that hold a permit; each is ended by its own. */
      const inSpareTime = new Set<Deferred.Deferred<void>>()
      let queued = 0
      let running = 0
      yield* UiMetrics.observeGenerations(() => ({ running, queued }))

      const entryOf = Effect.fnUntraced(function* (job: GenerationJob, startedAt: number, made: Made) {
        const now = yield* Clock.currentTimeMillis
        return {
          format: UI_ENTRY_FORMAT,
          toolName: job.tool.name,
          key: job.key,
          ...made,
          provider: model.provider,
          model: model.model,
          templateVersion: job.templateVersion,
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
          promptVersion: null,
          examples: 0
        })
      })

      const tell = (flight: Flight, progress: GenerationProgress): void => {
        flight.progress = progress
        for (const waiter of flight.waiters) hear(waiter, progress)
      }

      const counted = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
        Effect.acquireUseRelease(
          Effect.sync(() => {
            running += 1
          }),
          () => effect,
          () =>
            Effect.sync(() => {
              running -= 1
            })
        )

      /** With a permit: the time in the queue is over. */
      const write = Effect.fnUntraced(function* (
        job: GenerationJob,
        queuedAt: number,
        onProgress: (progress: GenerationProgress) => void
      ) {
        const draft = draftOf(job)
        const generateUi = draft === "first" ? firstDraft : secondDraft
        const begunAt = yield* Clock.currentTimeMillis
        yield* Effect.logInfo("generation started").pipe(Effect.annotateLogs({ draft, queuedMs: begunAt - queuedAt }))
        onProgress({ stage: "asking", characters: 0, attempts: 0 })
        const made = yield* UiMetrics.measureGeneration(generateUi(job, onProgress), draft)
        const entry = yield* entryOf(job, begunAt, { ...made, fallback: null, examples: job.learned.results.length })
        yield* Effect.logInfo("generation finished").pipe(
          Effect.annotateLogs({
            draft,
            durationMs: entry.durationMs,
            level: entry.level,
            uiType: entry.uiType,
            inputTokens: entry.usage?.inputTokens ?? 0,
            outputTokens: entry.usage?.outputTokens ?? 0
          })
        )
        return entry
      })

      const about = (job: GenerationJob) =>
        Effect.annotateLogs({ component: "generations", tool: job.tool.name, key: job.key.slice(0, 16) })

      const inQueue = <A, E, R>(flight: Flight, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
        Effect.suspend(() => {
          const isFull = running + queued >= options.maxConcurrentGenerations
          queued += 1
          if (isFull) {
            tell(flight, { stage: "queued", characters: 0, attempts: 0 })
            const [spare] = inSpareTime
            if (spare !== undefined) {
              inSpareTime.delete(spare)
              Deferred.doneUnsafe(spare, Exit.void)
            }
          }
          let waiting = true
          const leave = Effect.sync(() => {
            if (waiting) queued -= 1
            waiting = false
          })
          return permits.withPermit(Effect.andThen(leave, counted(effect))).pipe(Effect.ensuring(leave))
        })

      /** Begins anew whenever it had to give its permit to somebody who waits. */
      const whenSpare = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
        permits
          .withPermit(
            Effect.suspend(() => {
              if (queued > 0) return Effect.succeedNone
              const taken = Deferred.makeUnsafe<void>()
              inSpareTime.add(taken)
              return Effect.raceFirst(Effect.asSome(effect), Effect.as(Deferred.await(taken), Option.none<A>())).pipe(
                counted,
                Effect.ensuring(Effect.sync(() => inSpareTime.delete(taken)))
              )
            })
          )
          .pipe(
            Effect.flatMap(
              Option.match({
                // Whoever waits takes the permit first.
                onNone: () => Effect.andThen(Effect.yieldNow, whenSpare(effect)),
                onSome: Effect.succeed
              })
            )
          )

      const generate = Effect.fn("Generations.generate")(function* (flight: Flight) {
        const { job } = flight
        const queuedAt = yield* Clock.currentTimeMillis
        const before = Option.getOrUndefined(yield* cache.peek(job.key))
        const make = inQueue(
          flight,
          write(job, queuedAt, (progress) => tell(flight, progress))
        ).pipe(Effect.map((entry) => withSecondDraft(entry, before)))
        const isNew = (entry: UiEntry): boolean =>
          entry.fallback === null && (entry.requestId !== before?.requestId || entry.createdAt !== before?.createdAt)
        // Around the queue: a flight that waits for another machine holds no permit here.
        return yield* fleet.run(job.key, {
          make: Effect.tap(make, cache.set),
          find: Effect.map(cache.peek(job.key), Option.filter(isNew)),
          failure: FAILURE
        })
      })

      const land = (flight: Flight): void => {
        if (flights.get(flight.job.key) === flight) flights.delete(flight.job.key)
      }

      const take = Effect.fnUntraced(function* (flight: Flight) {
        flights.set(flight.job.key, flight)
        flight.fiber = yield* generate(flight).pipe(
          about(flight.job),
          // Every reader has a listener of its own; the one that started the flight is only one of them.
          Effect.provideService(ProgressListener, undefined),
          Effect.onExit((exit) => {
            land(flight)
            return Deferred.done(flight.done, exit)
          }),
          Effect.forkIn(scope, { startImmediately: true })
        )
      })

      const join = Effect.fnUntraced(function* (job: GenerationJob) {
        const waiter: Waiter = { listener: yield* ProgressListener }
        const known = flights.get(job.key)
        if (known !== undefined) {
          known.waiters.add(waiter)
          if (known.progress !== undefined) hear(waiter, known.progress)
          return { flight: known, waiter }
        }
        if (queued >= MAX_QUEUED) {
          yield* UiMetrics.errorOccurred("QUEUE_FULL")
          return yield* new GenerationFailed({ toolName: job.tool.name, reason: QUEUE_FULL })
        }
        const flight: Flight = {
          job,
          done: Deferred.makeUnsafe(),
          waiters: new Set([waiter]),
          progress: undefined,
          fiber: undefined
        }
        yield* take(flight)
        return { flight, waiter }
      })

      const leave = ({ flight, waiter }: { readonly flight: Flight; readonly waiter: Waiter }): Effect.Effect<void> =>
        Effect.suspend(() => {
          flight.waiters.delete(waiter)
          if (flight.waiters.size > 0 || flight.fiber === undefined) return Effect.void
          land(flight)
          return Fiber.interrupt(flight.fiber)
        })

      return Generations.of({
        make: Effect.fn("Generations.make")(function* (job) {
          if (job.hints.uiType === "minimal") return yield* builtIn(job, null)
          if (model.provider === "none") {
            return yield* new GenerationFailed({ toolName: job.tool.name, reason: NO_MODEL })
          }
          return yield* Effect.acquireUseRelease(join(job), ({ flight }) => Deferred.await(flight.done), leave)
        }),
        secondDraft: Effect.fn("Generations.secondDraft")(
          function* (job) {
            const first = Option.getOrUndefined(yield* cache.peek(job.key))
            const isOther = first !== undefined && first.source !== job.currentSource
            if (redrafted.has(job.key) || isOther || first?.secondDraft !== undefined) return Option.none()
            redrafted.add(job.key)
            const { of } = job.secondDraft
            // At once, for the processes that share the cache and for the time after this one.
            if (first !== undefined) yield* cache.set({ ...first, secondDraft: { state: "asked", of } })
            const askedAt = yield* Clock.currentTimeMillis
            const entry = yield* whenSpare(write(job, askedAt, () => undefined))
            return Option.some({ ...entry, secondDraft: { state: "made", of } as const })
          },
          (effect, job) => about(job)(effect)
        ),
        isRunning: (key) => flights.has(key),
        underWay: () => flights.size,
        builtIn
      })
    })
  )
