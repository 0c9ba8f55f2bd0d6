import { Clock, Effect, Fiber, Layer, Option, Semaphore } from "effect"
import { createHash } from "node:crypto"
import { saveDebugPage } from "../../adapters/library/debugPage.ts"
import { canonicalJson } from "../../domain/CanonicalJson.ts"
import { isRetryDue } from "../../domain/library/FallbackRetry.ts"
import { type FallbackReason, HAND_MADE, type UiEntry, type UiType } from "../../domain/tools/UiEntry.ts"
import { inputNames } from "../../domain/tools/SecretFields.ts"
import type { Tool } from "../../domain/tools/Tool.ts"
import type { UiVersion } from "../../domain/library/UiVersions.ts"
import { refinement, regeneration, type WishChange } from "../../domain/library/WishChange.ts"
import { isAskedFor, type Wishes, withGivenWay, withHistory } from "../../domain/library/Wishes.ts"
import type { Delivery } from "../../domain/wire/KnownHosts.ts"
import { AcceptedUis } from "../../services/library/AcceptedUis.ts"
import { DocumentLinker } from "../../services/documents/DocumentLinker.ts"
import { ProgressListener } from "../../services/generation/GenerationProgress.ts"
import { Generations } from "../../services/generation/Generations.ts"
import { HandMadeUis } from "../../services/library/HandMadeUis.ts"
import { HtmlInspector } from "../../services/inspection/HtmlInspector.ts"
import { LanguageModel } from "../../services/generation/LanguageModel.ts"
import { RefinementStore } from "../../services/library/RefinementStore.ts"
import { Settings } from "../../services/settings/Settings.ts"
import { ToolMemory } from "../../services/library/ToolMemory.ts"
import { UiCache } from "../../services/cache/UiCache.ts"
import { type UiJob, UiJobs } from "../../services/library/UiJobs.ts"
import { UiMaker } from "../../services/library/UiMaker.ts"
import * as UiMetrics from "../../services/observability/UiMetrics.ts"
import {
  UiLibrary,
  type UiNews,
  type UiOverview,
  UiUnchanged,
  VersionUnknown
} from "../../services/library/UiLibrary.ts"

/** So many generations under way, and further readers wait for none: a host that reads everything starts a few. */
const MAX_AWAITED = 6

/** So often is a UI made whose wishes change elsewhere meanwhile. */
const MAX_MAKES = 3

/** When a page on screen asks again while its UI is being generated. */
const NEWS_PAUSE_MS = 1000

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex")

const reasonOf = (code: FallbackReason["code"], message: string, transient: boolean): FallbackReason => ({
  code,
  message,
  transient
})

const PENDING = reasonOf("PENDING", "The view is written when it is opened, and appears as soon as it is ready.", true)

const TAKEN_BACK = reasonOf("INVALID_REQUEST", "The wish was taken back elsewhere while its UI was made.", false)
const UNSETTLED = reasonOf("PENDING", "Its wishes were changed elsewhere again and again while it was made.", true)

/** With a wish, the history up to it, if it is still there. */
const askedUpTo = (history: ReadonlyArray<string>, wish?: string | null): ReadonlyArray<string> | undefined => {
  if (wish === undefined || wish === null) return history
  const at = history.lastIndexOf(wish)
  return at === -1 ? undefined : history.slice(0, at + 1)
}

const unchanged = (tool: Tool, code: FallbackReason["code"], message: string) =>
  Effect.fail(new UiUnchanged({ toolName: tool.name, reason: reasonOf(code, message, false) }))

/**
 * Which UI a reader, and a page on screen, gets: one made by hand, else what is kept, unless it failed on screen, else what
 * is made now; and what changes it.
 */
export const layer: Layer.Layer<
  UiLibrary,
  never,
  | Settings
  | LanguageModel
  | Generations
  | UiCache
  | RefinementStore
  | DocumentLinker
  | ToolMemory
  | HandMadeUis
  | HtmlInspector
  | UiJobs
  | UiMaker
  | AcceptedUis
> = Layer.effect(
  UiLibrary,
  Effect.gen(function* () {
    const { debug, generation } = yield* Settings
    const model = yield* LanguageModel
    const generations = yield* Generations
    const cache = yield* UiCache
    const refinements = yield* RefinementStore
    const linker = yield* DocumentLinker
    const memory = yield* ToolMemory
    const handMade = yield* HandMadeUis
    const inspector = yield* HtmlInspector
    const jobs = yield* UiJobs
    const maker = yield* UiMaker
    const accepted = yield* AcceptedUis
    const { versions } = accepted
    const scope = yield* Effect.scope

    const listeners = new Set<(tool: Tool) => void>()
    const turns = new Map<string, Semaphore.Semaphore>()
    /** What was read without waiting: the second time it is taken to be opened, also by a host whose pages can not ask. */
    const readLive = new Set<string>()

    const changed = (tool: Tool): void => {
      for (const listener of listeners) listener(tool)
    }
    maker.onDone(changed)

    /** Whether a read is to try again; one under way in the library's care is not begun a second time. */
    const isDue = (entry: UiEntry, now: number): boolean => isRetryDue(entry, now) && !maker.isAttended(entry.key)

    const currentJob = Effect.fnUntraced(function* (tool: Tool) {
      const { history } = yield* refinements.wishes(tool)
      const job = yield* jobs.of(tool, history, null)
      const source = history.length > 0 ? (accepted.goodOf(job)?.source ?? null) : null
      return { ...job, currentSource: source }
    })

    /** What is there under the key of a job, as far as it is to be served. */
    const keptFor = (job: UiJob, look = cache.peek): Effect.Effect<UiEntry | undefined> =>
      Effect.map(look(job.key), (entry) =>
        Option.getOrUndefined(Option.map(entry, (there) => accepted.servedFor(job, there)))
      )

    /** Another session may have made it. */
    const rememberKept = (job: UiJob): Effect.Effect<void> =>
      Effect.flatMap(keptFor(job), (entry) => {
        if (entry === undefined) return Effect.void
        accepted.remember(job, entry)
        return maker.noteAccepted(job, entry)
      })

    const notByHand = Effect.fnUntraced(function* (job: UiJob) {
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
              yield* Effect.provideService(maker.make(current), ProgressListener, undefined)
            }
            // It is what the change starts from, and what stays if it fails. What was waited for may have been cancelled.
            yield* rememberKept(yield* currentJob(tool))
            return yield* change
          })
        )
      })

    /** Where all wishes are met, a read gets the good UI, whatever has become of its entry in the cache. */
    const keepGood = Effect.fnUntraced(function* (tool: Tool) {
      const { accepted: met, history } = yield* refinements.wishes(tool)
      const job = yield* currentJob(tool)
      const good = accepted.goodOf(job)
      if (good === undefined || met < history.length) return
      const kept = yield* cache.peek(job.key)
      // One that is to be tried again waits for that.
      if (Option.isNone(kept) || kept.value.fallback?.transient === false) yield* cache.set({ ...good, key: job.key })
    })

    /**
     * Asks for other wishes and makes their UI anew. When that fails for good, and when the caller gives up, what was there
     * stays, and `undo` says which wishes with it. If other wishes are asked for by then, which sessions that share them may
     * do, it is made again with those.
     */
    const renew = Effect.fnUntraced(function* (tool: Tool, plan: WishChange, uiType?: UiType | "auto") {
      const source = plan.fromGood ? (accepted.goodOf(yield* currentJob(tool))?.source ?? null) : null
      let noted: { readonly before: Wishes; readonly asked: Wishes } | undefined
      let job: UiJob | undefined
      let typeBefore: UiType | "auto" | undefined
      const note = (before: Wishes): Wishes => {
        noted = { before, asked: plan.change(before) }
        return noted.asked
      }
      const undo = Effect.gen(function* () {
        if (typeBefore !== undefined) jobs.forceType(tool.name, typeBefore)
        if (noted === undefined) return
        const { asked, before } = noted
        if (asked !== before) yield* refinements.update(tool, (now) => plan.undo(now, before, asked))
        if (job !== undefined) yield* maker.abandon(job.key)
        yield* keepGood(tool)
      })
      const made = Effect.gen(function* () {
        if (uiType !== undefined) typeBefore = jobs.forceType(tool.name, uiType)
        const make = generation.onTimeout === "continue" ? maker.makeWithin : maker.make
        let { history } = yield* refinements.update(tool, note)
        for (let makes = 1; ; makes++) {
          job = yield* jobs.of(tool, history, source)
          const result = yield* make(job, plan.lineage)
          if (result.isStale === undefined || result.failure?.transient === true) return result
          const now = yield* refinements.wishes(tool)
          const next = askedUpTo(now.history, plan.lineage.feedback)
          if (next === undefined) return { ...result, failure: TAKEN_BACK }
          if (makes === MAX_MAKES) return { ...result, failure: UNSETTLED }
          history = next
          if (noted !== undefined) noted = { ...noted, asked: { ...now, history } }
        }
      })
      const { entry, failure } = yield* Effect.onInterrupt(made, () => undo)
      if (failure === null) return entry
      if (!failure.transient) yield* Effect.uninterruptible(undo)
      return yield* new UiUnchanged({ toolName: tool.name, reason: failure })
    })

    const entryByHand = Effect.fnUntraced(function* (job: UiJob, source: string, key: string, provider: string) {
      return {
        ...(yield* generations.builtIn(job, null)),
        source,
        key,
        uiType: "rich",
        provider,
        model: null
      } satisfies UiEntry
    })

    const versionsOf = ({ tool, toolHash }: UiJob): Pick<UiOverview, "versions" | "current"> => {
      const current = versions.current(tool.name, toolHash)
      return current === undefined
        ? { versions: [], current: null }
        : { versions: [...versions.of(tool.name)], current: current.number }
    }

    /** Goes before whatever is generated. */
    const handMadeOf = Effect.fnUntraced(function* (job: UiJob) {
      const found = yield* handMade.find(job.tool.name)
      if (Option.isNone(found)) return undefined
      const { hash, source } = found.value
      return yield* entryByHand(
        job,
        source,
        sha256(canonicalJson([job.toolHash, job.templateVersion, hash])),
        HAND_MADE
      )
    })

    const canGenerate = (job: UiJob): boolean => model.provider !== "none" && job.hints.uiType !== "minimal"

    const isAwaited = (job: UiJob, delivery: Delivery): boolean =>
      !canGenerate(job) ||
      (delivery === "blocking" && (generations.isRunning(job.key) || generations.underWay() < MAX_AWAITED))

    const servedOnce = Effect.fnUntraced(function* (job: UiJob, delivery: Delivery, since: number) {
      const byHand = yield* handMadeOf(job)
      if (byHand !== undefined) return { entry: byHand, cached: true }
      const known = yield* keptFor(job, cache.get)
      const now = yield* Clock.currentTimeMillis
      if (known !== undefined) {
        accepted.remember(job, known)
        yield* maker.noteAccepted(job, known)
        if (!isDue(known, now)) return { entry: known, cached: true }
      }
      if (isAwaited(job, delivery)) {
        return { entry: (yield* maker.makeWithin(job, undefined, now - since)).entry, cached: false }
      }
      if (readLive.has(job.key)) yield* maker.begin(job)
      else if (delivery === "live") readLive.add(job.key)
      return { entry: known ?? (yield* maker.standIn(job, PENDING)), cached: known !== undefined }
    })

    /** What was waited for is not what is asked for any more, if a wish was cancelled or set aside meanwhile. */
    const served = Effect.fnUntraced(function* (tool: Tool, delivery: Delivery) {
      const since = yield* Clock.currentTimeMillis
      for (let job = yield* currentJob(tool); ;) {
        const found = yield* servedOnce(job, delivery, since)
        if (found.cached) return found
        const next = yield* currentJob(tool)
        if (isAskedFor(next.refinements, job.refinements)) return found
        job = next
      }
    })

    /** Whoever asked for it may have left. Where something `waits` for its time, it stands in with the reason. */
    const serveAgain = Effect.fnUntraced(function* (
      tool: Tool,
      { entry, number }: UiVersion,
      change: (wishes: Wishes) => Wishes,
      waits?: UiEntry
    ) {
      versions.select(tool.name, number)
      const { accepted: met, history } = yield* refinements.update(tool, change)
      const job = yield* currentJob(tool)
      const again = { ...entry, key: job.key }
      if (waits !== undefined) {
        const { createdAt, fallback, retryAt } = waits
        yield* cache.set({ ...again, createdAt, fallback, ...(retryAt === undefined ? {} : { retryAt }) })
      } else if (met >= history.length) yield* cache.set(again)
      yield* accepted.exported(job, again)
    }, Effect.uninterruptible)

    /** Unless it was changed meanwhile. Nobody asked for it: only the wishes of the failed version go with it. */
    const giveWay = (tool: Tool, failed: UiVersion): Effect.Effect<void> =>
      inTurn(
        tool,
        Effect.gen(function* () {
          const good = versions.goodBefore(tool.name)
          const isServed = versions.current(tool.name)?.number === failed.number
          if (good === undefined || !isServed) return
          const now = yield* Clock.currentTimeMillis
          const kept = Option.getOrUndefined(yield* cache.peek((yield* currentJob(tool)).key))
          yield* serveAgain(
            tool,
            good,
            (wishes) => withGivenWay(wishes, failed.entry.refinements, good.entry.refinements, now),
            kept?.fallback?.transient === true ? kept : undefined
          )
          changed(tool)
        })
      ).pipe(Effect.provideService(ProgressListener, undefined))

    /** The first report of a version counts: who makes it the current one after that means it. */
    const failedOnScreen = Effect.fnUntraced(function* (tool: Tool, documentVersion: string) {
      const job = yield* currentJob(tool)
      if ((yield* handMadeOf(job)) !== undefined) return
      yield* rememberKept(job)
      const failed = versions.current(tool.name, job.toolHash)
      if (failed === undefined || linker.versionOf(failed.entry) !== documentVersion) return
      if (!versions.fail(tool.name, failed.number, yield* Clock.currentTimeMillis)) return
      const good = versions.goodBefore(tool.name)
      const outcome = good === undefined ? "there is no good one before it" : `version ${good.number} is served again`
      yield* Effect.logWarning(`version ${failed.number} of a UI failed on screen: ${outcome}`).pipe(
        Effect.annotateLogs({ component: "library", tool: tool.name, key: job.key.slice(0, 16) })
      )
      // The page that told of it may go: then it is done all the same.
      if (good !== undefined) yield* Fiber.join(yield* Effect.forkIn(giveWay(tool, failed), scope))
    })

    return UiLibrary.of({
      read: Effect.fn("UiLibrary.read")(function* (tool, { delivery = "blocking", pageTools } = {}) {
        const { cached, entry } = yield* served(tool, delivery)
        yield* UiMetrics.uiRead(cached ? "hit" : "miss")
        const html = linker.link(tool, entry, pageTools)
        if (debug && !cached) yield* Effect.flatMap(html, (page) => saveDebugPage(tool.name, entry.key, page))
        return { html, printed: linker.print(tool, entry, pageTools), entry, cached }
      }),
      current: Effect.fn("UiLibrary.current")(function* (tool, version, failed) {
        if (failed !== undefined) yield* failedOnScreen(tool, failed)
        const job = yield* currentJob(tool)
        const now = yield* Clock.currentTimeMillis
        const good = accepted.goodOf(job)
        // No cache may keep it.
        const made = good?.key === job.key ? good : undefined
        const known = (yield* handMadeOf(job)) ?? (yield* keptFor(job)) ?? made
        const tried = known ?? maker.stoodIn(job.key)
        if ((tried === undefined || isDue(tried, now)) && !generations.isRunning(job.key)) {
          if (known !== undefined) accepted.remember(job, known)
          // It goes on in the library's care; the page asks again.
          if (canGenerate(job)) yield* maker.begin(job)
          else if (known === undefined) yield* maker.make(job)
        }
        const entry = known ?? (yield* keptFor(job)) ?? accepted.goodOf(job) ?? maker.stoodIn(job.key)
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
        return Option.fromUndefinedOr((yield* handMadeOf(job)) ?? (yield* keptFor(job)))
      }),
      overview: Effect.fnUntraced(function* (tool) {
        const job = yield* currentJob(tool)
        return {
          entry: (yield* handMadeOf(job)) ?? (yield* keptFor(job)),
          isGenerating: generations.isRunning(job.key),
          ...versionsOf(job)
        }
      }),
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
            return yield* renew(tool, refinement(feedback))
          })
        )
      ),
      regenerate: Effect.fn("UiLibrary.regenerate")((tool, { clearRefinements, uiType }) =>
        inTurn(
          tool,
          Effect.gen(function* () {
            yield* notByHand(yield* currentJob(tool))
            return yield* renew(tool, regeneration(clearRefinements), uiType)
          })
        )
      ),
      versions: Effect.fn("UiLibrary.versions")(function* (tool) {
        return versionsOf(yield* currentJob(tool))
      }),
      revert: Effect.fn("UiLibrary.revert")((tool, number) =>
        inTurn(
          tool,
          Effect.gen(function* () {
            const before = yield* currentJob(tool)
            yield* notByHand(before)
            const isDefinedSo = versions.current(tool.name, before.toolHash) !== undefined
            const version = versions.of(tool.name).find((there) => isDefinedSo && there.number === number)
            if (version === undefined) {
              const known = isDefinedSo ? versions.of(tool.name).map((there) => there.number) : []
              return yield* new VersionUnknown({ toolName: tool.name, version: number, known })
            }
            yield* serveAgain(tool, version, (wishes) => withHistory(wishes, version.entry.refinements))
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
            const context = {
              toolNames: tool.callable,
              inputNames: inputNames(tool.inputSchema),
              maxHtmlBytes: generation.limits.maxHtmlBytes
            }
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
            yield* accepted.exported(job, entry)
            return version
          })
        )
      ),
      onChange: (listener) => {
        listeners.add(listener)
      },
      forget: Effect.fn("UiLibrary.forget")(function* (tool) {
        yield* cache.removeTool(tool.name)
        yield* refinements.retire(tool)
        jobs.forget(tool.name)
        versions.forget(tool.name)
        readLive.clear()
        memory.forget(tool.name)
        turns.delete(tool.name)
      }),
      wishes: refinements.wishes
    })
  })
)
