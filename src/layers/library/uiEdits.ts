import { Clock, Effect, Fiber, Option, Semaphore } from "effect"
import {
  hasPending,
  NO_REFINEMENTS,
  type Refinements,
  askedTexts,
  withGivenWay,
  withoutPending,
  withRefinement,
  withTexts
} from "../../domain/library/Refinements.ts"
import type { Lineage, UiVersion } from "../../domain/library/UiVersions.ts"
import { faultyLines, knownFault, type PageFault } from "../../domain/tools/PageFault.ts"
import { memberNames } from "../../domain/tools/memberNames.ts"
import { inputNames } from "../../domain/tools/SecretFields.ts"
import type { Tool } from "../../domain/tools/Tool.ts"
import { editedSource } from "../../domain/tools/sourceEdits.ts"
import {
  DECLARED,
  type FallbackReason,
  LIBRARY,
  type UiEntry,
  type UiType,
  WRITTEN
} from "../../domain/tools/UiEntry.ts"
import { UiCache } from "../../services/cache/UiCache.ts"
import { DocumentLinker } from "../../services/documents/DocumentLinker.ts"
import { ProgressListener } from "../../services/generation/GenerationProgress.ts"
import { Generations } from "../../services/generation/Generations.ts"
import { HtmlInspector } from "../../services/inspection/HtmlInspector.ts"
import { RefinementStore } from "../../services/library/RefinementStore.ts"
import { UiEdits, UiUnchanged, VersionUnknown } from "../../services/library/UiEdits.ts"
import * as UiMetrics from "../../services/observability/UiMetrics.ts"
import type { UiJob, UiLibraryOptions } from "./uiJobs.ts"
import type { UiMaker } from "./uiMaker.ts"
import type { UiShelf } from "./uiShelf.ts"

/** A change of a UI that somebody asks for, with what it does to the refinements. */
interface Change {
  readonly lineage: Lineage
  /** What the UI is made from; `null` for nothing. */
  readonly source: string | null
  readonly uiType?: UiType | "auto" | undefined
  /** How many to make side by side. */
  readonly variants?: number | undefined
  readonly apply: (list: Refinements) => Refinements
  /** For a change that was cancelled or failed for good; `before` is the list before the change. */
  readonly undo: (list: Refinements, before: Refinements) => Refinements
}

const TAKEN_BACK: FallbackReason = {
  code: "INVALID_REQUEST",
  message: "The refinement was taken back elsewhere while its UI was made.",
  transient: false
}

const unchanged = (tool: Tool, code: FallbackReason["code"], message: string) =>
  new UiUnchanged({ toolName: tool.name, reason: { code, message, transient: false } })

/** Changes UIs. `changed` tells hosts of a change that nobody waits for. */
export const makeUiEdits = Effect.fnUntraced(function* (
  shelf: UiShelf,
  maker: UiMaker,
  options: UiLibraryOptions,
  changed: (tool: Tool) => void
) {
  const generations = yield* Generations
  const cache = yield* UiCache
  const refinements = yield* RefinementStore
  const linker = yield* DocumentLinker
  const inspector = yield* HtmlInspector
  const scope = yield* Effect.scope
  const { jobs, versions } = shelf
  const turns = new Map<string, Semaphore.Semaphore>()

  const rememberKept = (job: UiJob): Effect.Effect<void> =>
    Effect.flatMap(shelf.keptFor(job), (entry) => (entry === undefined ? Effect.void : shelf.rememberFound(job, entry)))

  /** Changes of one tool's UI come one after the other, and after a running generation. */
  const inTurn = <A, E, R>(tool: Tool, change: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.suspend(() => {
      const turn = turns.get(tool.name) ?? Semaphore.makeUnsafe(1)
      turns.set(tool.name, turn)
      return turn.withPermit(
        Effect.gen(function* () {
          const current = yield* shelf.currentJob(tool)
          // The caller's listener hears of the change only: two generations would count from nothing twice.
          if (generations.isRunning(current.key)) {
            yield* Effect.provideService(maker.make(current), ProgressListener, undefined)
          }
          // The change starts from what is kept, and that stays if the change fails. Look again: the refinement that we
          // waited for may have been cancelled.
          yield* rememberKept(yield* shelf.currentJob(tool))
          return yield* change
        })
      )
    })

  /**
   * The same for changes that a UI made by hand does not take. A declared view becomes a version of its own when it is refined;
   * it is back as soon as no refinement is left. A UI of the library becomes one, too.
   */
  const edit = <A, E, R>(tool: Tool, change: (job: UiJob) => Effect.Effect<A, E, R>, isRefinement = false) =>
    inTurn(
      tool,
      Effect.gen(function* () {
        const job = yield* shelf.currentJob(tool)
        const byHand = yield* shelf.handMadeOf(job)
        if (byHand !== undefined && (byHand.provider !== DECLARED || !isRefinement)) {
          const message =
            byHand.provider === DECLARED
              ? "It is a declared view (generation.uiDirectory): refine it, or change its file instead."
              : "It was made by hand (generation.uiDirectory): change its file instead."
          return yield* unchanged(tool, "INVALID_REQUEST", message)
        }
        const first = byHand ?? (shelf.goodOf(job) === undefined ? yield* shelf.finishedOf(job) : undefined)
        if (first !== undefined && isRefinement) shelf.remember(job, first)
        return yield* change(job)
      })
    )

  /** If no refinement is pending, a read gets the good UI, even if its cache entry is gone. */
  const keepGood = Effect.fnUntraced(function* (tool: Tool) {
    const job = yield* shelf.currentJob(tool)
    const good = shelf.goodOf(job)
    if (good === undefined || good.provider === LIBRARY || hasPending(yield* refinements.read(tool))) return
    const kept = yield* cache.peek(job.key)
    // Keep a regeneration that waits to be tried again.
    if (Option.isNone(kept) || kept.value.fallback?.transient === false) yield* shelf.keep({ ...good, key: job.key })
  })

  /** Changes the refinements and makes the UI anew. Undone if that fails for good or the caller gives up. */
  const renew = Effect.fnUntraced(function* (tool: Tool, change: Change) {
    let before: Refinements | undefined
    let job: UiJob | undefined
    let typeBefore: UiType | "auto" | undefined
    const undo = Effect.gen(function* () {
      if (typeBefore !== undefined) jobs.forceType(tool.name, typeBefore)
      if (before === undefined) return
      const there = before
      yield* refinements.update(tool, (list) => change.undo(list, there))
      if (job !== undefined) yield* maker.abandon(job.key)
      yield* keepGood(tool)
    })
    const made = Effect.gen(function* () {
      if (change.uiType !== undefined) typeBefore = jobs.forceType(tool.name, change.uiType)
      const list = yield* refinements.update(tool, (there) => {
        before = there
        return change.apply(there)
      })
      job = yield* jobs.of(tool, askedTexts(list), change.source)
      const { lineage, variants } = change
      return yield* variants === undefined ? maker.makeChange(job, lineage) : maker.makeVariants(job, variants, lineage)
    })
    const { entry, failure, isStale } = yield* Effect.onInterrupt(made, () => undo)
    if (failure === null && isStale === undefined) return entry
    const reason = failure ?? TAKEN_BACK
    if (!reason.transient) yield* Effect.uninterruptible(undo)
    return yield* new UiUnchanged({ toolName: tool.name, reason })
  })

  /**
   * Makes a version the current one. Uninterruptible: the caller may be gone. `waits` is a change that waits for
   * another try: the version stands in for it, with the reason.
   */
  const serveAgain = Effect.fnUntraced(function* (
    tool: Tool,
    { entry, number }: UiVersion,
    change: (list: Refinements) => Refinements,
    waits?: UiEntry
  ) {
    versions.select(tool.name, number)
    const list = yield* refinements.update(tool, change)
    const job = yield* shelf.currentJob(tool)
    // Pages follow whoever chooses a version, also one that they were to wait with.
    const mark = entry.secondDraft === undefined ? {} : { secondDraft: { ...entry.secondDraft, of: null } }
    const again = { ...entry, ...mark, key: job.key }
    if (waits !== undefined) {
      const { createdAt, fallback, retryAt } = waits
      yield* shelf.keep({ ...again, createdAt, fallback, ...(retryAt === undefined ? {} : { retryAt }) })
    } else if (!hasPending(list)) yield* shelf.keep(again)
    yield* shelf.exported(job, again)
  }, Effect.uninterruptible)

  /**
   * Does nothing if the UI has changed meanwhile. Nobody asked for this, so only the failed version's refinements go.
   */
  const giveWay = (tool: Tool, failed: UiVersion): Effect.Effect<void> =>
    inTurn(
      tool,
      Effect.gen(function* () {
        const good = versions.goodBefore(tool.name)
        const isServed = versions.current(tool.name)?.number === failed.number
        if (good === undefined || !isServed) return
        const now = yield* Clock.currentTimeMillis
        const kept = Option.getOrUndefined(yield* cache.peek((yield* shelf.currentJob(tool)).key))
        yield* serveAgain(
          tool,
          good,
          (list) => withGivenWay(list, failed.entry.refinements, good.entry.refinements, now),
          kept?.fallback?.transient === true ? kept : undefined
        )
        changed(tool)
      })
    ).pipe(Effect.provideService(ProgressListener, undefined))

  /** Serves one of the versions again. */
  const selected = Effect.fnUntraced(function* ({ tool, toolHash }: UiJob, number: number) {
    const known = versions.current(tool.name, toolHash) === undefined ? [] : versions.of(tool.name)
    const version = known.find((there) => there.number === number)
    if (version === undefined) {
      const numbers = known.map((there) => there.number)
      return yield* new VersionUnknown({ toolName: tool.name, version: number, known: numbers })
    }
    // A built-in UI that was asked for gives way to the written one that is chosen now.
    const type = jobs.forceType(tool.name, "auto")
    if (version.entry.uiType === "minimal" || type !== "minimal") jobs.forceType(tool.name, type)
    yield* serveAgain(tool, version, (list) => withTexts(list, version.entry.refinements))
    return version
  })

  const inspected = Effect.fnUntraced(function* (tool: Tool, source: string) {
    const verdict = yield* inspector.inspect(source, {
      toolNames: tool.callable,
      inputNames: inputNames(tool.inputSchema),
      maxHtmlBytes: options.limits.maxHtmlBytes
    })
    if (verdict._tag === "Accepted") return verdict
    return yield* unchanged(tool, "REJECTED", verdict.problems.map(({ message }) => message).join("\n"))
  })

  /** Serves an inspected source as a version. */
  const taken = Effect.fnUntraced(function* (
    job: UiJob,
    { repairs, source, uiType, warnings }: Effect.Success<ReturnType<typeof inspected>>,
    given: string,
    provider: string,
    lineage: Lineage
  ) {
    const level = repairs.length === 0 ? 0 : 1
    const plain = yield* shelf.entryByHand(job, given, job.key, provider)
    const entry: UiEntry = { ...plain, source, uiType, repairs, warnings, level }
    if (lineage.origin === "written") yield* shelf.noteApplied(job, entry)
    yield* shelf.keep(entry)
    const version = versions.add(job.toolHash, entry, lineage)
    yield* shelf.exported(job, entry)
    return version
  })

  /** What we may say of a fault; the line is that of the linked source, without what the linker adds. */
  const faultOf = Effect.fnUntraced(function* ({ learned, tool }: UiJob, entry: UiEntry, told: PageFault) {
    const names = memberNames(tool, learned).flat().join(" ")
    const known = [entry.source ?? "", names, learned.shape ?? "", JSON.stringify(learned.results)]
    const part = yield* Effect.option(linker.part(tool, entry))
    const source = Option.match(part, { onNone: () => "", onSome: ({ body, head }) => `${head}${body}` })
    const document = told.isInPlace === true ? "" : yield* linker.link(tool, entry)
    return knownFault(told, known, faultyLines(told, source, document))
  })

  const service = UiEdits.of({
    refine: Effect.fn("UiEdits.refine")((tool, feedback) =>
      edit(
        tool,
        (job) => {
          if (job.hints.uiType === "minimal") {
            const message = "It is set to the built-in UI, which has nothing to refine; regenerate it as rich first."
            return unchanged(tool, "INVALID_REQUEST", message)
          }
          const change: Change = {
            lineage: { origin: "refined", feedback },
            source: shelf.goodOf(job)?.source ?? null,
            apply: (list) => withRefinement(list, feedback),
            undo: (list) => withoutPending(list, feedback)
          }
          return Effect.andThen(UiMetrics.refinementAsked(tool.name), renew(tool, change))
        },
        true
      )
    ),
    regenerate: Effect.fn("UiEdits.regenerate")((tool, { clearRefinements, uiType, variants }) =>
      edit(tool, (job) =>
        Effect.gen(function* () {
          const plain = { ...job, refinements: [] }
          const declared = clearRefinements ? yield* shelf.handMadeOf(plain) : undefined
          if (declared !== undefined) {
            yield* refinements.update(tool, () => NO_REFINEMENTS)
            shelf.remember(plain, declared)
            return declared
          }
          return yield* renew(tool, {
            lineage: { origin: variants !== undefined ? "variant" : uiType === "minimal" ? "reset" : "regenerated" },
            source: null,
            uiType,
            variants,
            apply: (list) => (clearRefinements ? NO_REFINEMENTS : list),
            // They come back before those that others have added meanwhile.
            undo: (list, before) => (clearRefinements ? [...before, ...list] : list)
          })
        })
      )
    ),
    revert: Effect.fn("UiEdits.revert")((tool, number) =>
      edit(tool, (job) =>
        Effect.tap(
          selected(job, number),
          Effect.sync(() => versions.settle(tool.name))
        )
      )
    ),
    adopt: Effect.fn("UiEdits.adopt")((tool, source, lineage = { origin: "imported" }) =>
      edit(tool, (job) =>
        Effect.flatMap(inspected(tool, source), (verdict) => taken(job, verdict, source, "hand", lineage))
      )
    ),
    write: Effect.fn("UiEdits.write")((tool, answer, feedback) =>
      edit(
        tool,
        (job) =>
          Effect.gen(function* () {
            const edited = editedSource(shelf.goodOf(job)?.source ?? null, answer)
            if (edited._tag === "Misfit") return yield* unchanged(tool, "REJECTED", edited.problems.join("\n"))
            const source = edited._tag === "Edited" ? `<!-- rich -->${edited.source}` : answer
            const verdict = yield* inspected(tool, source)
            // What is written now goes before a built-in UI that was asked for earlier.
            jobs.forceType(tool.name, "auto")
            if (feedback !== null) yield* refinements.update(tool, (list) => withRefinement(list, feedback))
            const asked = yield* shelf.currentJob(tool)
            return yield* taken(asked, verdict, source, WRITTEN, { origin: "written", feedback })
          }).pipe(Effect.uninterruptible),
        feedback !== null
      )
    )
  })

  return {
    service,
    inTurn,
    /** A page has one of the variants shown. The choice stays open. */
    pick: Effect.fnUntraced(function* (tool: Tool, number: number) {
      if (!versions.choiceOf(tool.name).includes(number)) return
      yield* Effect.ignore(edit(tool, (job) => selected(job, number)))
      changed(tool)
    }),
    /** Only the first report of a version counts: whoever selects it again later means it. Answers with what to repair. */
    failedOnScreen: Effect.fnUntraced(function* (tool: Tool, documentVersion: string, told?: PageFault) {
      const job = yield* shelf.currentJob(tool)
      if ((yield* shelf.handMadeOf(job)) !== undefined) {
        if (told?.kind !== "hung") return
        const log = Effect.logWarning("a UI made by hand stopped answering as it began to draw; it stays")
        return yield* Effect.annotateLogs(log, { component: "library", tool: tool.name })
      }
      yield* rememberKept(job)
      const failed = versions.current(tool.name, job.toolHash)
      if (failed === undefined || linker.versionOf(failed.entry) !== documentVersion) return
      const fault = told === undefined ? null : yield* faultOf(job, failed.entry, told)
      if (!versions.fail(tool.name, failed.number, yield* Clock.currentTimeMillis, fault)) return
      const isLate = fault?.kind === "threw later"
      const good = isLate ? undefined : versions.goodBefore(tool.name)
      const instead = good === undefined ? "the built-in UI is served" : `version ${good.number} is served again`
      yield* UiMetrics.errorOccurred("FAILED_ON_SCREEN")
      yield* Effect.logWarning(
        `version ${failed.number} of a UI failed on screen${isLate ? " after a while; it stays" : `: ${instead}`}`
      ).pipe(
        Effect.annotateLogs({
          component: "library",
          tool: tool.name,
          key: job.key.slice(0, 16),
          version: failed.number,
          requestId: failed.entry.requestId,
          ...fault
        })
      )
      // In the layer's scope, because the page that reported it may go.
      if (good !== undefined) yield* Fiber.join(yield* Effect.forkIn(giveWay(tool, failed), scope))
      else if (!isLate) versions.withhold(tool.name)
      return fault === null ? undefined : ([failed, fault] as const)
    }),
    forget: (toolName: string): void => {
      turns.delete(toolName)
    }
  }
})
