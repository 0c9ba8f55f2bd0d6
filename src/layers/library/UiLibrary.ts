import { Clock, Context, Effect, Layer, Option } from "effect"
import { saveDebugPage } from "../../adapters/library/debugPage.ts"
import { isRetryDue } from "../../domain/library/FallbackRetry.ts"
import { isStillAsked } from "../../domain/library/Refinements.ts"
import type { Tool } from "../../domain/tools/Tool.ts"
import { type FallbackReason, LIBRARY, type UiEntry } from "../../domain/tools/UiEntry.ts"
import type { Delivery } from "../../domain/wire/KnownHosts.ts"
import { UiCache } from "../../services/cache/UiCache.ts"
import { DocumentLinker } from "../../services/documents/DocumentLinker.ts"
import type { PackageFiles } from "../../services/documents/PackageFiles.ts"
import type { UiExport } from "../../services/documents/UiExport.ts"
import { Generations } from "../../services/generation/Generations.ts"
import { LanguageModel } from "../../services/generation/LanguageModel.ts"
import { PromptLibrary } from "../../services/generation/PromptLibrary.ts"
import type { HtmlInspector } from "../../services/inspection/HtmlInspector.ts"
import { RefinementStore } from "../../services/library/RefinementStore.ts"
import { ToolMemory } from "../../services/library/ToolMemory.ts"
import { UiEdits } from "../../services/library/UiEdits.ts"
import { type PageState, UiLibrary, type UiNews } from "../../services/library/UiLibrary.ts"
import * as UiMetrics from "../../services/observability/UiMetrics.ts"
import { dashboardEntry } from "./dashboardEntry.ts"
import { makePageRepairs } from "./pageRepairs.ts"
import { makeSecondDrafts } from "./secondDrafts.ts"
import { makeUiEdits } from "./uiEdits.ts"
import type { UiJob, UiLibraryOptions } from "./uiJobs.ts"
import { makeUiMaker } from "./uiMaker.ts"
import { FAILED, makeUiShelf } from "./uiShelf.ts"

/** While this many generations run, further readers wait for none: a host may read every UI at once. */
const MAX_AWAITED = 6

/** When a page on screen asks again while its UI is being generated. */
const NEWS_PAUSE_MS = 1000
/** A second draft takes longer. */
const DRAFT_PAUSE_MS = 5000

const PENDING: FallbackReason = {
  code: "PENDING",
  message: "The view is written when it is opened, and appears as soon as it is ready.",
  transient: true
}

/**
 * A reader or a page on screen gets, in this order: the UI made by hand, what is kept (unless it failed on screen),
 * the library's if there is no model, what is made now.
 */
export const layer = (
  options: UiLibraryOptions
): Layer.Layer<
  UiLibrary | UiEdits,
  never,
  | DocumentLinker
  | Generations
  | HtmlInspector
  | LanguageModel
  | PackageFiles
  | PromptLibrary
  | RefinementStore
  | ToolMemory
  | UiCache
  | UiExport
> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const model = yield* LanguageModel
      const generations = yield* Generations
      const cache = yield* UiCache
      const refinements = yield* RefinementStore
      const linker = yield* DocumentLinker
      const memory = yield* ToolMemory
      const prompts = yield* PromptLibrary

      const listeners = new Set<(tool: Tool) => void>()
      /**
       * What was read without waiting. A second read counts as opening the UI, because not every host lets its pages
       * ask.
       */
      const readLive = new Set<string>()
      const changed = (tool: Tool): void => {
        for (const listener of listeners) listener(tool)
      }

      const shelf = yield* makeUiShelf(options)
      const maker = yield* makeUiMaker(shelf, options, changed)
      const edits = yield* makeUiEdits(shelf, maker, options, changed)
      const repairs = yield* makePageRepairs(shelf, edits, changed)
      const drafts = yield* makeSecondDrafts(shelf, edits, options, changed)
      const { currentJob, handMadeOf, keptFor, versions } = shelf

      /** Whether to try again. A generation that goes on without readers is not begun twice. */
      const isDue = (entry: UiEntry, now: number): boolean => isRetryDue(entry, now) && !maker.isAttended(entry.key)

      const canGenerate = (job: UiJob): boolean => model.provider !== "none" && job.hints.uiType !== "minimal"

      /** Without a model, the library's UI is what is served, unless the tool has got another one. */
      const finishedFor = (job: UiJob): Effect.Effect<UiEntry | undefined> => {
        const isAsked = model.provider === "none" && job.refinements.length === 0
        const isOther = (shelf.goodOf(job)?.provider ?? LIBRARY) !== LIBRARY
        return isAsked && !isOther ? shelf.finishedOf(job) : Effect.undefined
      }

      const isAwaited = (job: UiJob, delivery: Delivery): boolean =>
        !canGenerate(job) ||
        (delivery === "blocking" && (generations.isRunning(job.key) || generations.underWay() < MAX_AWAITED))

      const servedOnce = Effect.fnUntraced(function* (job: UiJob, delivery: Delivery, since: number) {
        const byHand = yield* handMadeOf(job)
        if (byHand !== undefined) return { entry: byHand, cached: true }
        const known = yield* keptFor(job, cache.get)
        const finished = known === undefined ? yield* finishedFor(job) : undefined
        if (finished !== undefined) {
          shelf.remember(job, finished)
          return { entry: finished, cached: true }
        }
        const now = yield* Clock.currentTimeMillis
        if (known !== undefined) {
          yield* shelf.rememberFound(job, known)
          if (!isDue(known, now)) return { entry: known, cached: true }
        }
        if (isAwaited(job, delivery)) {
          return { entry: (yield* maker.makeWithin(job, undefined, now - since)).entry, cached: false }
        }
        if (readLive.has(job.key)) yield* maker.begin(job)
        else if (delivery === "live") readLive.add(job.key)
        return { entry: known ?? (yield* maker.standIn(job, PENDING)), cached: known !== undefined }
      })

      /** If a refinement is forgotten or rejected while a reader waits for its UI, the reader gets another one. */
      const served = Effect.fnUntraced(function* (tool: Tool, delivery: Delivery) {
        const since = yield* Clock.currentTimeMillis
        for (;;) {
          const job = yield* currentJob(tool)
          const found = yield* servedOnce(job, delivery, since)
          if (found.cached || isStillAsked(yield* refinements.read(tool), job.refinements)) return found
        }
      })

      const newsOf = Effect.fnUntraced(function* (
        tool: Tool,
        version: string,
        { failed, fault, isTouched = false, report }: PageState
      ) {
        const failure = failed === undefined ? undefined : yield* edits.failedOnScreen(tool, failed, fault)
        if (failure !== undefined) yield* repairs.begin(tool, ...failure)
        const job = yield* currentJob(tool)
        const now = yield* Clock.currentTimeMillis
        const good = shelf.goodOf(job)
        // Without a cache, only this session has it.
        const made = good?.key === job.key && good.provider !== LIBRARY ? good : undefined
        const known = (yield* handMadeOf(job)) ?? (yield* keptFor(job)) ?? (yield* finishedFor(job)) ?? made
        const tried = known ?? maker.stoodIn(job.key)
        if ((tried === undefined || isDue(tried, now)) && !generations.isRunning(job.key)) {
          if (known !== undefined) shelf.remember(job, known)
          // The page does not wait; it asks again.
          if (canGenerate(job)) yield* maker.begin(job)
          else if (known === undefined) yield* maker.make(job)
        }
        const entry = known ?? (yield* keptFor(job)) ?? shelf.goodOf(job) ?? maker.stoodIn(job.key)
        if (entry !== undefined && report !== undefined && linker.versionOf(entry) === version) {
          yield* drafts.opened(tool, entry, report)
        }
        const isRunning = generations.isRunning(job.key) || repairs.isRunning(tool)
        const isGenerating = isRunning || (!isTouched && drafts.isAwaitedOnScreen(job.key))
        const waiting = isGenerating ? { retryAfterMs: isRunning ? NEWS_PAUSE_MS : DRAFT_PAUSE_MS } : {}
        if (entry === undefined) return { version, state: "generating", retryAfterMs: NEWS_PAUSE_MS } satisfies UiNews
        const note = entry.fallback === null ? {} : { note: entry.fallback.message }
        const newest = linker.versionOf(entry)
        const isSecond = entry.secondDraft?.of === version
        // Such a page shows the built-in UI already.
        const isWithheld = good !== undefined && entry.fallback?.code === FAILED && linker.versionOf(good) === version
        if (newest === version || isWithheld || (isSecond && (options.secondDraft !== "live" || isTouched))) {
          return { version, state: isGenerating ? "generating" : "current", ...note, ...waiting } satisfies UiNews
        }
        const document = yield* Effect.option(linker.part(tool, entry))
        if (Option.isNone(document)) return { version, state: "current", ...note } satisfies UiNews
        const condition = isSecond ? ({ ifUntouched: true } as const) : {}
        const news = { version: newest, state: "changed", document: document.value } as const
        return { ...news, ...condition, ...note, ...waiting } satisfies UiNews
      })

      const readTool = Effect.fnUntraced(function* (tool: Tool, delivery: Delivery) {
        const { cached, entry } = yield* served(tool, delivery)
        yield* UiMetrics.uiRead(cached ? "hit" : "miss")
        yield* drafts.read(tool, entry)
        return { cached, entry }
      })

      const readDashboard = ({ name }: Tool) =>
        Effect.map(linker.version, (version) => ({ cached: true, entry: dashboardEntry(name, version) }))

      const library = UiLibrary.of({
        read: Effect.fn("UiLibrary.read")(function* (tool, { delivery = "blocking", extras, pageTools } = {}) {
          const isDashboard = tool.extras?.dashboard !== undefined
          const { cached, entry } = yield* isDashboard ? readDashboard(tool) : readTool(tool, delivery)
          const frames = Object.hasOwn(options.tools, tool.name) ? options.tools[tool.name]?.frames : undefined
          const more = frames === undefined ? extras : { ...extras, frames }
          const page = more === undefined ? tool : { ...tool, extras: { ...tool.extras, ...more } }
          const html = linker.link(page, entry, pageTools)
          if (options.debug && !cached) yield* Effect.flatMap(html, (page) => saveDebugPage(tool.name, entry.key, page))
          return { html, printed: linker.print(page, entry, pageTools), entry, cached, ...(frames && { frames }) }
        }),
        news: Effect.fn("UiLibrary.news")(function* (tool, version, page = {}) {
          if (page.pick !== undefined) yield* edits.pick(tool, page.pick)
          if (page.isChosen === true) versions.settle(tool.name)
          const news = yield* newsOf(tool, version, page)
          const choice = versions.choiceOf(tool.name)
          if (choice.length === 0) return news
          return { ...news, variants: { versions: choice, current: versions.current(tool.name)?.number ?? null } }
        }),
        overview: Effect.fnUntraced(function* (tool) {
          const job = yield* currentJob(tool)
          const current = versions.current(tool.name, job.toolHash)
          return {
            entry: (yield* handMadeOf(job)) ?? (yield* keptFor(job)) ?? (yield* finishedFor(job)),
            isGenerating: generations.isRunning(job.key),
            versions: current === undefined ? [] : [...versions.of(tool.name)],
            current: current?.number ?? null,
            choice: versions.choiceOf(tool.name),
            refinements: yield* refinements.read(tool)
          }
        }),
        prompt: Effect.fn("UiLibrary.prompt")(function* (tool) {
          const told = yield* Effect.option(prompts.generate(yield* currentJob(tool)))
          return Option.match(told, { onNone: () => null, onSome: ({ prompt, system }) => `${system}\n\n${prompt}` })
        }),
        brief: Effect.fn("UiLibrary.brief")(function* (tool, asked) {
          const job = yield* currentJob(tool)
          const entry = (yield* handMadeOf(job)) ?? (yield* keptFor(job)) ?? shelf.goodOf(job)
          const told = yield* Effect.option(prompts.brief({ ...job, ...asked, currentSource: entry?.source ?? null }))
          return Option.getOrNull(told)
        }),
        onChange: (listener) => {
          listeners.add(listener)
        },
        forget: Effect.fn("UiLibrary.forget")(function* (tool) {
          yield* cache.removeTool(tool.name)
          yield* refinements.retire(tool)
          shelf.jobs.forget(tool.name)
          versions.forget(tool.name)
          readLive.clear()
          memory.forget(tool.name)
          edits.forget(tool.name)
        })
      })
      return Context.make(UiLibrary, library).pipe(Context.add(UiEdits, edits.service))
    })
  )
