import { Effect, Option, Semaphore } from "effect"
import { askedTexts, withApplied } from "../../domain/library/Refinements.ts"
import { type Lineage, UiVersions } from "../../domain/library/UiVersions.ts"
import type { Tool } from "../../domain/tools/Tool.ts"
import { inputNames } from "../../domain/tools/SecretFields.ts"
import {
  DECLARED,
  type FallbackReason,
  HAND_MADE,
  LIBRARY,
  type UiEntry,
  withSecondDraft
} from "../../domain/tools/UiEntry.ts"
import { UiCache } from "../../services/cache/UiCache.ts"
import { UiExport } from "../../services/documents/UiExport.ts"
import { Generations } from "../../services/generation/Generations.ts"
import { HtmlInspector } from "../../services/inspection/HtmlInspector.ts"
import { RefinementStore } from "../../services/library/RefinementStore.ts"
import { ToolMemory } from "../../services/library/ToolMemory.ts"
import { findDeclaredView } from "./declaredViews.ts"
import { findFinishedUis } from "./finishedUis.ts"
import { findHandMadeUi } from "./handMadeUis.ts"
import { hashOf, makeUiJobs, type UiJob, type UiLibraryOptions } from "./uiJobs.ts"

export type UiShelf = Effect.Success<ReturnType<typeof makeUiShelf>>

export const FAILED = "FAILED_ON_SCREEN"

const FAILED_ON_SCREEN: FallbackReason = {
  code: FAILED,
  message: "The view failed on screen, and there is none before it. Refine or regenerate it, or revert to it.",
  transient: false
}

/** The UIs of one session: made by hand, in the cache, and the accepted versions. It makes none. */
export const makeUiShelf = Effect.fnUntraced(function* (options: UiLibraryOptions) {
  const generations = yield* Generations
  const cache = yield* UiCache
  const refinements = yield* RefinementStore
  const memory = yield* ToolMemory
  const exporting = yield* UiExport
  const jobs = yield* makeUiJobs(options)
  const findByHand = yield* findHandMadeUi(options.uiDirectory)
  const findDeclared = findDeclaredView(options.uiDirectory)
  const findFinished = yield* findFinishedUis
  const inspector = yield* HtmlInspector
  const scope = yield* Effect.scope
  const versions = new UiVersions()
  /** By tool, with the key that it was made for. */
  const finished = new WeakMap<Tool, { readonly key: string; readonly entry: UiEntry | undefined }>()
  /** One at a time, so that the newest stays in the folder. */
  const exportTurn = Semaphore.makeUnsafe(1)

  /** The UI that is served until a better one is made. */
  const goodOf = ({ tool, toolHash }: Pick<UiJob, "tool" | "toolHash">): UiEntry | undefined =>
    versions.current(tool.name, toolHash)?.entry

  /** What a read asks for now. */
  const currentJob = Effect.fnUntraced(function* (tool: Tool) {
    const asked = askedTexts(yield* refinements.read(tool))
    const job = yield* jobs.of(tool, asked, null)
    if (asked.length === 0) return { ...job, currentSource: null }
    const currentSource = goodOf(job)?.source ?? (yield* findDeclared(tool))?.source ?? null
    return { ...job, currentSource }
  })

  /**
   * Makes a UI the current version. It takes a stand-in only if an earlier session accepted it and this session has
   * none. Without a lineage the UI was found, or made unasked; if it is the current version, it is not added again.
   */
  const remember = (job: UiJob, entry: UiEntry, given?: Lineage): void => {
    if (entry.fallback !== null) {
      const { retryAt: _, ...good } = entry
      // What the library lent while a model was asked is no answer.
      if (entry.source === null || entry.provider === LIBRARY || goodOf(job) !== undefined) return
      return remember(job, { ...good, fallback: null }, given)
    }
    const isByHand = entry.provider === "hand" || entry.provider === DECLARED
    const isFinished = entry.provider === LIBRARY
    const lineage = given ?? { origin: isFinished ? "library" : isByHand ? "imported" : "generated" }
    const isKnown = given === undefined && goodOf(job)?.source === entry.source
    if (!isKnown) versions.add(job.toolHash, entry, lineage)
  }

  /**
   * What to serve for a UI that was found, or made unasked: the current version, if that UI failed on screen. Another
   * session may have put it back under its key, or a model may have written the same again.
   */
  const servedFor = (job: UiJob, entry: UiEntry): UiEntry => {
    const good = goodOf(job)
    const isRuledOut = versions.isRuledOut(job.tool.name, job.toolHash, entry.source)
    return good !== undefined && isRuledOut ? { ...good, key: job.key } : entry
  }

  /** What the cache has under the key of a job, as it is to be served. */
  const keptFor = Effect.fnUntraced(function* (job: UiJob, look: UiCache["Service"]["peek"] = cache.peek) {
    const there = Option.getOrUndefined(yield* look(job.key))
    if (there === undefined) return undefined
    const entry = servedFor(job, there)
    const isWithheld = versions.isWithheld(job.tool.name, job.toolHash) && entry.source === goodOf(job)?.source
    return isWithheld ? yield* generations.builtIn(job, FAILED_ON_SCREEN) : entry
  })

  /** Keeps a UI under its key. */
  const keep = (entry: UiEntry): Effect.Effect<void> =>
    // Its file has it.
    entry.provider === DECLARED
      ? Effect.void
      : Effect.flatMap(cache.peek(entry.key), (there) =>
          cache.set(withSecondDraft(entry, Option.getOrUndefined(there)))
        )

  /** Marks the refinements of an accepted UI as applied; for a stand-in, those of the good UI. */
  const noteApplied = Effect.fnUntraced(function* ({ hints, tool }: UiJob, entry: UiEntry) {
    // A built-in UI applies none, unless the model chose it.
    const isBuiltIn = hints.uiType === "minimal" || (entry.source === null && entry.fallback !== null)
    if (entry.refinements.length === 0 || isBuiltIn) return
    const list = yield* refinements.read(tool)
    if (withApplied(list, entry.refinements) === list) return
    yield* refinements.update(tool, (now) => withApplied(now, entry.refinements))
  })

  /** A UI that no model wrote. */
  const entryByHand = Effect.fnUntraced(function* (job: UiJob, source: string, key: string, provider: string) {
    const plain = yield* generations.builtIn(job, null)
    return { ...plain, source, key, uiType: "rich", provider, model: null } satisfies UiEntry
  })

  /** The library's UI of a tool, inspected as one that a model wrote; no refinement is applied in it. */
  const finishedOf = Effect.fnUntraced(function* (job: UiJob) {
    if (!options.library || job.hints.uiType === "minimal") return undefined
    const known = finished.get(job.tool)
    if (known?.key === job.key) return known.entry
    const source = yield* findFinished(job.tool)
    const verdict =
      source === undefined
        ? undefined
        : yield* inspector.inspect(source, {
            toolNames: job.tool.callable,
            inputNames: inputNames(job.tool.inputSchema),
            maxHtmlBytes: options.limits.maxHtmlBytes
          })
    const isFit = verdict !== undefined && verdict._tag !== "Rejected" && verdict.source !== null
    const entry = isFit ? yield* entryByHand({ ...job, refinements: [] }, verdict.source, job.key, LIBRARY) : undefined
    finished.set(job.tool, { key: job.key, entry })
    return entry
  })

  return {
    jobs,
    finishedOf,
    versions,
    goodOf,
    currentJob,
    remember,
    servedFor,
    keptFor,
    keep,
    noteApplied,
    entryByHand,
    /** Makes a cached UI a version, and marks its refinements as applied: another session may have made it. */
    rememberFound: (job: UiJob, entry: UiEntry): Effect.Effect<void> => {
      remember(job, entry)
      return noteApplied(job, entry)
    },
    /** The UI that a person wrote into a file, or declared and nobody refined; it goes before every other. */
    handMadeOf: Effect.fnUntraced(function* (job: UiJob) {
      const byHand = yield* findByHand(job.tool.name)
      const isRefined = job.refinements.length > 0
      const found = byHand ?? (isRefined ? undefined : yield* findDeclared(job.tool))
      if (found === undefined) return undefined
      const key = hashOf([job.toolHash, job.templateVersion, found.hash])
      const entry = yield* entryByHand(job, found.source, key, byHand === undefined ? DECLARED : HAND_MADE)
      return found.declared === undefined ? entry : { ...entry, declared: found.declared }
    }),
    /** Puts a UI into the export folder, in the background. Only the end of the session waits. */
    exported: (job: UiJob, entry: UiEntry): Effect.Effect<unknown> => {
      if (entry.source === null || entry.fallback !== null) return Effect.void
      const version = versions.current(job.tool.name, job.toolHash)?.number ?? null
      const facts = { learned: memory.learned(job.tool.name), examples: job.hints.examples ?? [], version }
      const written = Effect.uninterruptible(exportTurn.withPermit(exporting.offer(job.tool, entry, facts)))
      return Effect.forkIn(written, scope, { startImmediately: true })
    }
  }
})
