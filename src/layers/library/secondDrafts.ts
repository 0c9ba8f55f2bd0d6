import { Effect, FiberMap, Option } from "effect"
import { memberNames } from "../../domain/tools/memberNames.ts"
import { type PageReport, reportLines } from "../../domain/tools/PageReport.ts"
import type { Tool } from "../../domain/tools/Tool.ts"
import { NOTHING_LEARNED } from "../../domain/tools/LearnedResults.ts"
import type { UiEntry } from "../../domain/tools/UiEntry.ts"
import { UiCache } from "../../services/cache/UiCache.ts"
import { DocumentLinker } from "../../services/documents/DocumentLinker.ts"
import { ProgressListener } from "../../services/generation/GenerationProgress.ts"
import { Generations, type SecondDraftJob } from "../../services/generation/Generations.ts"
import { LanguageModel } from "../../services/generation/LanguageModel.ts"
import type { makeUiEdits } from "./uiEdits.ts"
import type { UiJob, UiLibraryOptions } from "./uiJobs.ts"
import type { UiShelf } from "./uiShelf.ts"

/** A host may let no page ask us. If a UI was read and none has told us of itself by then, results alone must do. */
const SILENT_PAGE = "30 seconds"

/**
 * Second drafts: after a person has opened what a model wrote, the model is asked once more, with more time and with
 * what the page said of itself. What it writes takes over as a refinement does; the first draft stays a version. The
 * maker of all drafts is `Generations`, which also sees to it that there is one second draft ever.
 */
export const makeSecondDrafts = Effect.fnUntraced(function* (
  shelf: UiShelf,
  { inTurn }: Pick<Effect.Success<ReturnType<typeof makeUiEdits>>, "inTurn">,
  options: UiLibraryOptions,
  changed: (tool: Tool) => void
) {
  const generations = yield* Generations
  const cache = yield* UiCache
  const linker = yield* DocumentLinker
  const { provider } = yield* LanguageModel
  /** By key: what was read, and what is being written. */
  const silent = yield* FiberMap.make<string>()
  const drafts = yield* FiberMap.make<string>()

  /** Written by this model, with no refinements, and without a second draft so far. */
  const isFirst = (entry: UiEntry): boolean =>
    options.secondDraft !== "off" &&
    entry.source !== null &&
    entry.fallback === null &&
    entry.refinements.length === 0 &&
    entry.secondDraft === undefined &&
    entry.provider === provider

  const dropped = Effect.fnUntraced(function* ({ key, secondDraft: { of } }: SecondDraftJob, why: string) {
    const kept = Option.getOrUndefined(yield* cache.peek(key))
    if (kept?.secondDraft !== undefined) yield* cache.set({ ...kept, secondDraft: { state: "dropped", of } })
    yield* Effect.logWarning("a second draft is dropped; the first one stays").pipe(
      Effect.annotateLogs({ reason: why })
    )
  })

  /** Takes over, unless the UI has changed while it was written. */
  const land = (job: UiJob & SecondDraftJob, entry: UiEntry) =>
    inTurn(
      job.tool,
      Effect.gen(function* () {
        const now = yield* shelf.currentJob(job.tool)
        if (now.key !== job.key || shelf.goodOf(now)?.source !== job.currentSource) {
          return yield* dropped(job, "the UI has changed meanwhile")
        }
        shelf.versions.add(job.toolHash, entry, { origin: "redrafted" })
        yield* cache.set(entry)
        yield* shelf.exported(job, entry)
        changed(job.tool)
      })
    )

  const write = Effect.fn("UiLibrary.secondDraft")(
    function* (tool: Tool, first: UiEntry, report: PageReport | undefined) {
      const current = yield* shelf.currentJob(tool)
      if (current.key !== first.key) return
      yield* shelf.rememberFound(current, first)
      // A map has keys that are data; what is told is known to be a name.
      const names = new Set(memberNames(tool, current.learned).flat())
      const known = [first.source ?? "", JSON.stringify(current.learned.results)]
      const job = {
        ...current,
        currentSource: first.source,
        secondDraft: {
          of: linker.versionOf(first),
          report: report === undefined ? [] : reportLines(report, known),
          members: report?.members.filter((name) => names.has(name)) ?? []
        }
      }
      yield* generations.secondDraft(job).pipe(
        Effect.flatMap(Option.match({ onNone: () => Effect.void, onSome: (entry) => land(job, entry) })),
        Effect.catchTag("GenerationFailed", ({ reason }) => dropped(job, reason.message))
      )
    },
    (effect, { name }, { key }) =>
      effect.pipe(
        Effect.annotateLogs({ component: "library", tool: name, key: key.slice(0, 16) }),
        Effect.provideService(ProgressListener, undefined)
      )
  )

  const begin = (tool: Tool, first: UiEntry, report?: PageReport) =>
    FiberMap.run(drafts, first.key, write(tool, first, report), { onlyIfMissing: true })

  return {
    /** A page has drawn a result. */
    opened: Effect.fnUntraced(function* (tool: Tool, entry: UiEntry, report: PageReport) {
      if (!isFirst(entry)) return
      yield* FiberMap.remove(silent, entry.key)
      yield* begin(tool, entry, report)
    }),
    /** A host has read it. Some read what nobody opens: without a result this counts for nothing. */
    read: Effect.fnUntraced(function* (tool: Tool, entry: UiEntry) {
      if (!isFirst(entry)) return
      const later = Effect.gen(function* () {
        const { learned } = yield* shelf.currentJob(tool)
        if (learned !== NOTHING_LEARNED) yield* begin(tool, entry)
      })
      yield* FiberMap.run(silent, entry.key, Effect.delay(later, SILENT_PAGE), { onlyIfMissing: true })
    }),
    /** Whether a page that shows the first draft is to ask again soon. */
    isAwaitedOnScreen: (key: string): boolean => options.secondDraft === "live" && FiberMap.hasUnsafe(drafts, key)
  }
})
