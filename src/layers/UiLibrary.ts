import { Clock, Duration, Effect, Fiber, FiberMap, Layer, Option, Semaphore } from "effect"
import { createHash } from "node:crypto"
import { saveDebugPage } from "../adapters/debugPage.ts"
import { canonicalJson } from "../domain/CanonicalJson.ts"
import type { Tool } from "../domain/tools/Tool.ts"
import type { FallbackReason, UiEntry, UiType } from "../domain/documents/UiEntry.ts"
import { type Lineage, UiVersions } from "../domain/versions/UiVersions.ts"
import type { Delivery } from "../domain/wire/KnownHosts.ts"
import { DocumentLinker } from "../services/DocumentLinker.ts"
import { ProgressListener } from "../services/GenerationProgress.ts"
import { type GenerationJob, Generations } from "../services/Generations.ts"
import { HandMadeUis } from "../services/HandMadeUis.ts"
import { HtmlInspector } from "../services/HtmlInspector.ts"
import { LanguageModel } from "../services/LanguageModel.ts"
import { PromptLibrary } from "../services/PromptLibrary.ts"
import { RefinementStore } from "../services/RefinementStore.ts"
import { Settings, type ToolHints } from "../services/Settings.ts"
import { ToolMemory } from "../services/ToolMemory.ts"
import { UiCache } from "../services/UiCache.ts"
import { UiExport } from "../services/UiExport.ts"
import * as UiMetrics from "../services/UiMetrics.ts"
import { UiLibrary, type UiNews, UiUnchanged, VersionUnknown } from "../services/UiLibrary.ts"

/** So many generations under way, and further readers wait for none: a host that reads everything starts a few. */
const MAX_AWAITED = 6

/** When a page on screen asks again while its UI is being generated. */
const NEWS_PAUSE_MS = 1000

/** A fallback whose reason may pass is tried again by the first read after a pause, which doubles while it fails. */
const FIRST_PAUSE_MS = Duration.toMillis(Duration.minutes(1))
const LONGEST_PAUSE_MS = Duration.toMillis(Duration.minutes(15))
/** A `Retry-After` is heeded up to this: some servers name years. */
const LONGEST_RETRY_AFTER_MS = Duration.toMillis(Duration.hours(1))

/** A reader waits this much longer than one generation may take. */
const PATIENCE_MARGIN_MS = 500

interface Job extends GenerationJob {
  /** Stands for the tool as it is now: UIs of the same tool can stand in for each other. */
  readonly toolHash: string
}

/** What became of a job; with a failure, `entry` is what stands in. */
interface Outcome {
  readonly entry: UiEntry
  readonly failure: FallbackReason | null
}

/** The pause after one more failure; one that comes before its time is no failure more. */
const nextPause = (previous: UiEntry | undefined, now: number): number => {
  if (previous?.fallback?.transient !== true || previous.retryAt === undefined) return FIRST_PAUSE_MS
  const pause = previous.retryAt - previous.createdAt
  return now < previous.retryAt ? pause : Math.min(2 * pause, LONGEST_PAUSE_MS)
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex")

/**
 * A read waits for the generation of its UI as long as one may take, and half a second; then it gets what stands in.
 * With `onTimeout: continue` the generation goes on all the same, as long as the session lives, and what it makes is
 * kept: until then reads get what stood in for it.
 *
 * What stands in for a UI is the last good one of the tool, else the built-in one. It is kept with the reason, and if
 * that may pass, the first read after a pause tries again: after 1, 2, 4, … 15 minutes of the same UI's failures, and
 * not before the time that a `Retry-After` asked for.
 */
export const layer: Layer.Layer<
  UiLibrary,
  never,
  | Settings
  | LanguageModel
  | PromptLibrary
  | Generations
  | UiCache
  | RefinementStore
  | DocumentLinker
  | ToolMemory
  | HandMadeUis
  | HtmlInspector
  | UiExport
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
    const handMade = yield* HandMadeUis
    const inspector = yield* HtmlInspector
    const scope = yield* Effect.scope
    const exporting = yield* UiExport

    const forcedTypes = new Map<string, UiType>()
    /** What was made as asked: nothing good is lost to a failure. */
    const versions = new UiVersions()
    const exportTurn = Semaphore.makeUnsafe(1)
    const listeners = new Set<(tool: Tool) => void>()
    const turns = new Map<string, Semaphore.Semaphore>()
    /** Generations that the library itself waits for, by key (`onTimeout: continue`). */
    const attended = yield* FiberMap.make<string, Outcome>()
    /** Readers who wait for those, by key: nobody else need be told of what they get. */
    const awaiting = new Map<string, number>()
    /** What was read without waiting: the second time it is taken to be opened, also by a host whose pages can not ask. */
    const readLive = new Set<string>()

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
      const learned = memory.learned(tool.name)
      const templateVersion = yield* linker.version
      return {
        key,
        toolHash,
        tool,
        hints,
        refinements: history,
        currentSource,
        learned,
        templateVersion
      } satisfies Job
    })

    const remember = (job: Job, entry: UiEntry, given?: Lineage): void => {
      if (entry.fallback !== null) return
      const lineage = given ?? { origin: entry.provider === "hand" ? "imported" : "generated" }
      const current = versions.current(job.tool.name, job.toolHash)
      const isKnown = current !== undefined && current.entry.source === entry.source && given === undefined
      if (!isKnown) versions.add(job.toolHash, entry, lineage)
    }

    /** Nobody waits for it but the end of the session; one after the other, so that the newest stays. */
    const exported = (job: Job, entry: UiEntry): Effect.Effect<unknown> => {
      if (entry.source === null || entry.fallback !== null) return Effect.void
      const version = versions.current(job.tool.name, job.toolHash)?.number ?? null
      const facts = { learned: memory.learned(job.tool.name), examples: job.hints.examples ?? [], version }
      const written = Effect.uninterruptible(exportTurn.withPermit(exporting.offer(job.tool, entry, facts)))
      return Effect.forkIn(written, scope, { startImmediately: true })
    }

    const goodOf = (job: Pick<Job, "tool" | "toolHash">): UiEntry | undefined =>
      versions.current(job.tool.name, job.toolHash)?.entry

    const changed = (tool: Tool): void => {
      for (const listener of listeners) listener(tool)
    }

    /** The good UI there was before (requirement R5), else the built-in one; either way with the reason. */
    const standIn = Effect.fnUntraced(function* (job: Job, reason: FallbackReason, retryAfterMs = 0) {
      const good = goodOf(job)
      const entry = good === undefined ? yield* generations.builtIn(job, reason) : { ...good, key: job.key }
      const now = yield* Clock.currentTimeMillis
      const previous = Option.getOrUndefined(yield* cache.peek(job.key))
      const retryAt = now + Math.max(nextPause(previous, now), Math.min(retryAfterMs, LONGEST_RETRY_AFTER_MS))
      return { ...entry, fallback: reason, createdAt: now, ...(reason.transient ? { retryAt } : {}) } satisfies UiEntry
    })

    const annotated =
      (job: Job) =>
      <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
        Effect.annotateLogs(effect, { component: "library", tool: job.tool.name, key: job.key.slice(0, 16) })

    const logFallback = (job: Job, reason: FallbackReason) =>
      Effect.andThen(
        UiMetrics.fallbackServed(reason.code),
        reason.code === "NO_MODEL"
          ? Effect.logDebug("built-in UI").pipe(Effect.annotateLogs({ code: reason.code }), annotated(job))
          : Effect.logWarning("built-in UI instead of a generated one").pipe(
              Effect.annotateLogs({ code: reason.code, reason: reason.message }),
              annotated(job)
            )
      )

    const generate = (job: Job, lineage?: Lineage): Effect.Effect<Outcome> =>
      generations.make(job).pipe(
        Effect.map((entry): Outcome => ({ entry, failure: null })),
        Effect.catchTag("GenerationFailed", ({ reason, retryAfterMs }) =>
          Effect.gen(function* () {
            yield* logFallback(job, reason)
            return { entry: yield* standIn(job, reason, retryAfterMs), failure: reason }
          })
        ),
        Effect.tap(({ entry, failure }) => {
          remember(job, entry, lineage)
          if (failure?.code === "QUEUE_FULL") return Effect.void
          return Effect.andThen(cache.set(entry), failure === null ? exported(job, entry) : Effect.void)
        })
      )

    /** The same, by a fiber of the library, which goes on when nobody waits; then hosts hear of what came of it. */
    const begin = (job: Job, lineage?: Lineage) =>
      generate(job, lineage).pipe(
        Effect.ensuring(Effect.sync(() => (awaiting.has(job.key) ? undefined : changed(job.tool)))),
        Effect.provideService(ProgressListener, undefined),
        FiberMap.run(attended, job.key, { onlyIfMissing: true })
      )

    /** Begins it and waits; the caller's listener hears of it. */
    const attend = Effect.fnUntraced(function* (job: Job, lineage?: Lineage) {
      const fiber = yield* begin(job, lineage)
      const wait = Effect.gen(function* () {
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

    const patienceMs = generation.timeoutMs + PATIENCE_MARGIN_MS

    /** The reader's patience is not the generation's budget: one that waited too long gets what there is now. */
    const generateWithin = Effect.fnUntraced(function* (job: Job, lineage?: Lineage) {
      const goesOn = generation.onTimeout === "continue"
      const runOut = Effect.gen(function* () {
        const message = goesOn
          ? "The UI is still being generated; it will be there when this one is opened again."
          : "The UI had to wait too long for its turn to be generated."
        const reason = fallbackOf("TIMEOUT", message, true)
        yield* logFallback(job, reason)
        const entry = yield* standIn(job, reason)
        if (goesOn) yield* cache.set(entry)
        return { entry, failure: reason } satisfies Outcome
      })
      return yield* Effect.timeoutOrElse(goesOn ? attend(job, lineage) : generate(job, lineage), {
        duration: Duration.millis(patienceMs),
        orElse: () => runOut
      })
    })

    /** Whether a read is to try again; one under way in the library's care is not begun a second time. */
    const isDue = (entry: UiEntry, now: number): boolean =>
      entry.fallback?.transient === true &&
      // From the future is what was kept before the clock was set back.
      (now >= (entry.retryAt ?? entry.createdAt + FIRST_PAUSE_MS) || now < entry.createdAt) &&
      !FiberMap.hasUnsafe(attended, entry.key)

    const currentJob = Effect.fnUntraced(function* (tool: Tool) {
      const history = yield* refinements.history(tool)
      const job = yield* jobOf(tool, history, null)
      const source = history.length > 0 ? (goodOf(job)?.source ?? null) : null
      return { ...job, currentSource: source }
    })

    const unchanged = (tool: Tool, code: FallbackReason["code"], message: string) =>
      Effect.fail(new UiUnchanged({ toolName: tool.name, reason: fallbackOf(code, message, false) }))

    const notByHand = Effect.fnUntraced(function* (job: Job) {
      const found = yield* handMade.find(job.tool.name)
      if (Option.isNone(found)) return
      const message = "It was made by hand (generation.uiDirectory): change its file instead."
      return yield* unchanged(job.tool, "INVALID_REQUEST", message)
    })

    /** Changes of one tool's UI come one after the other, and after a generation that is under way. */
    const inTurn = <A, E, R>(tool: Tool, change: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      Effect.suspend(() => {
        const turn = turns.get(tool.name) ?? Semaphore.makeUnsafe(1)
        turns.set(tool.name, turn)
        return turn.withPermit(
          Effect.gen(function* () {
            const current = yield* currentJob(tool)
            // The caller's listener hears of the change only: two generations would count from nothing twice.
            if (generations.isRunning(current.key)) {
              yield* Effect.provideService(generate(current), ProgressListener, undefined)
            }
            // Another session may have made it: it is what the change starts from, and what stays if it fails.
            yield* Effect.map(
              cache.peek(current.key),
              Option.map((entry) => remember(current, entry))
            )
            return yield* change
          })
        )
      })

    /** Makes the UI of a job anew; on failure, and when the caller gives up, what was there stays. */
    const renew = Effect.fnUntraced(function* (job: Job, lineage: Lineage) {
      const made = generation.onTimeout === "continue" ? generateWithin(job, lineage) : generate(job, lineage)
      const { entry, failure } = yield* made.pipe(
        Effect.onInterrupt(() =>
          goodOf(job) === undefined
            ? Effect.void
            : Effect.flatMap(standIn(job, fallbackOf("ABORTED", "The change was cancelled.", true)), cache.set)
        )
      )
      if (failure === null) return entry
      return yield* new UiUnchanged({ toolName: job.tool.name, reason: failure })
    })

    const entryByHand = Effect.fnUntraced(function* (job: Job, source: string, key: string, provider: string) {
      return {
        ...(yield* generations.builtIn(job, null)),
        source,
        key,
        uiType: "rich",
        provider,
        model: null
      } satisfies UiEntry
    })

    /** Goes before whatever is generated. */
    const handMadeOf = Effect.fnUntraced(function* (job: Job) {
      const found = yield* handMade.find(job.tool.name)
      if (Option.isNone(found)) return undefined
      const { hash, source } = found.value
      return yield* entryByHand(job, source, sha256(canonicalJson([job.toolHash, job.templateVersion, hash])), "file")
    })

    const canGenerate = (job: Job): boolean => model.provider !== "none" && job.hints.uiType !== "minimal"

    const isAwaited = (job: Job, delivery: Delivery): boolean =>
      !canGenerate(job) ||
      (delivery === "blocking" && (generations.isRunning(job.key) || generations.underWay() < MAX_AWAITED))

    const PENDING = fallbackOf(
      "PENDING",
      "The view is written when it is opened, and appears as soon as it is ready.",
      true
    )

    const served = Effect.fnUntraced(function* (job: Job, delivery: Delivery) {
      const byHand = yield* handMadeOf(job)
      if (byHand !== undefined) return { entry: byHand, cached: true }
      const known = Option.getOrUndefined(yield* cache.get(job.key))
      const now = yield* Clock.currentTimeMillis
      if (known !== undefined && !isDue(known, now)) {
        remember(job, known)
        return { entry: known, cached: true }
      }
      if (isAwaited(job, delivery)) return { entry: (yield* generateWithin(job)).entry, cached: false }
      if (readLive.has(job.key)) yield* begin(job)
      else if (delivery === "live") readLive.add(job.key)
      return { entry: known ?? (yield* standIn(job, PENDING)), cached: known !== undefined }
    })

    return UiLibrary.of({
      read: Effect.fn("UiLibrary.read")(function* (tool, { delivery = "blocking", pageTools } = {}) {
        const job = yield* currentJob(tool)
        const { cached, entry } = yield* served(job, delivery)
        yield* UiMetrics.uiRead(cached ? "hit" : "miss")
        const html = linker.link(tool, entry, pageTools)
        if (debug && !cached) yield* Effect.flatMap(html, (page) => saveDebugPage(tool.name, entry.key, page))
        return { html, entry, cached }
      }),
      current: Effect.fn("UiLibrary.current")(function* (tool, version) {
        const job = yield* currentJob(tool)
        const now = yield* Clock.currentTimeMillis
        const known = (yield* handMadeOf(job)) ?? Option.getOrUndefined(yield* cache.peek(job.key))
        if ((known === undefined || isDue(known, now)) && !generations.isRunning(job.key)) {
          // It goes on in the library's care; the page asks again.
          if (canGenerate(job)) yield* begin(job)
          else if (known === undefined) yield* generate(job)
        }
        const entry = known ?? Option.getOrUndefined(yield* cache.peek(job.key)) ?? goodOf(job)
        const isGenerating = generations.isRunning(job.key)
        const waiting = isGenerating ? { retryAfterMs: NEWS_PAUSE_MS } : {}
        if (entry === undefined) return { version, state: "generating", retryAfterMs: NEWS_PAUSE_MS } satisfies UiNews
        const note = entry.fallback === null ? {} : { note: entry.fallback.message }
        const newest = linker.versionOf(entry)
        if (newest === version) {
          return { version, state: isGenerating ? "generating" : "current", ...note, ...waiting } satisfies UiNews
        }
        const document = yield* Effect.option(linker.part(tool, entry))
        if (Option.isNone(document)) return { version, state: "current", ...note } satisfies UiNews
        return { version: newest, state: "changed", document: document.value, ...note, ...waiting } satisfies UiNews
      }),
      peek: Effect.fn("UiLibrary.peek")(function* (tool) {
        const job = yield* currentJob(tool)
        const byHand = yield* handMadeOf(job)
        return byHand === undefined ? yield* cache.peek(job.key) : Option.some(byHand)
      }),
      isGenerating: (tool) => Effect.map(currentJob(tool), ({ key }) => generations.isRunning(key)),
      refine: Effect.fn("UiLibrary.refine")((tool, feedback) =>
        inTurn(
          tool,
          Effect.gen(function* () {
            const current = yield* currentJob(tool)
            yield* notByHand(current)
            if (current.hints.uiType === "minimal") {
              const message = "It is set to the built-in UI, which has nothing to refine; regenerate it as rich first."
              return yield* unchanged(tool, "INVALID_REQUEST", message)
            }
            yield* UiMetrics.refinementAsked(tool.name)
            const history = yield* refinements.append(tool, feedback)
            const job = yield* jobOf(tool, history, goodOf(current)?.source ?? null)
            return yield* renew(job, { origin: "refined", feedback })
          })
        )
      ),
      regenerate: Effect.fn("UiLibrary.regenerate")((tool, { clearRefinements, uiType }) =>
        inTurn(
          tool,
          Effect.gen(function* () {
            yield* notByHand(yield* currentJob(tool))
            if (clearRefinements) yield* refinements.clear(tool)
            if (uiType === "auto") forcedTypes.delete(tool.name)
            else if (uiType !== undefined) forcedTypes.set(tool.name, uiType)
            const history = yield* refinements.history(tool)
            return yield* renew(yield* jobOf(tool, history, null), { origin: "regenerated" })
          })
        )
      ),
      versions: Effect.fn("UiLibrary.versions")(function* (tool) {
        const { toolHash } = yield* currentJob(tool)
        const current = versions.current(tool.name, toolHash)
        return current === undefined
          ? { versions: [], current: null }
          : { versions: [...versions.of(tool.name)], current: current.number }
      }),
      revert: Effect.fn("UiLibrary.revert")((tool, number) =>
        inTurn(
          tool,
          Effect.gen(function* () {
            const before = yield* currentJob(tool)
            yield* notByHand(before)
            const isDefinedSo = versions.current(tool.name, before.toolHash) !== undefined
            const version = isDefinedSo ? versions.select(tool.name, number) : undefined
            if (version === undefined) {
              const known = isDefinedSo ? versions.of(tool.name).map((there) => there.number) : []
              return yield* new VersionUnknown({ toolName: tool.name, version: number, known })
            }
            yield* refinements.replace(tool, version.entry.refinements)
            const job = yield* currentJob(tool)
            const entry = { ...version.entry, key: job.key }
            yield* cache.set(entry)
            yield* exported(job, entry)
            return version
          })
        )
      ),
      adopt: Effect.fn("UiLibrary.adopt")((tool, source) =>
        inTurn(
          tool,
          Effect.gen(function* () {
            const job = yield* currentJob(tool)
            yield* notByHand(job)
            const context = { toolNames: tool.callable, maxHtmlBytes: generation.limits.maxHtmlBytes }
            const verdict = yield* inspector.inspect(source, context)
            if (verdict._tag === "Rejected") {
              return yield* unchanged(tool, "REJECTED", verdict.problems.map(({ message }) => message).join(" "))
            }
            const { repairs, uiType, warnings } = verdict
            const level = repairs.length === 0 ? 0 : 1
            const plain = yield* entryByHand(job, source, job.key, "hand")
            const entry: UiEntry = { ...plain, source: verdict.source, uiType, repairs, warnings, level }
            yield* cache.set(entry)
            const version = versions.add(job.toolHash, entry, { origin: "imported" })
            yield* exported(job, entry)
            return version
          })
        )
      ),
      onChange: (listener) => {
        listeners.add(listener)
      },
      forget: Effect.fn("UiLibrary.forget")(function* (tool) {
        yield* cache.removeTool(tool.name)
        yield* refinements.clear(tool)
        forcedTypes.delete(tool.name)
        versions.forget(tool.name)
        readLive.clear()
        memory.forget(tool.name)
        turns.delete(tool.name)
      }),
      history: refinements.history
    })
  })
)
