import { Cause, Deferred, Duration, Effect, Exit, FiberHandle, Queue, Schedule, Schema, Semaphore } from "effect"
import type { UiWriter, WrapperListing } from "../../domain/session/shortTools.ts"
import { type WrapperTool, wrapperTools } from "../../domain/session/WrapperTool.ts"
import {
  compareCatalogs,
  emptyCatalog,
  makeToolCatalog,
  type ToolHintsByName,
  type ToolCatalog,
  type ToolChanges
} from "../../domain/tools/ToolCatalog.ts"
import { type Dashboards, type DashboardsByName, makeDashboards } from "../../domain/tools/Dashboards.ts"
import type { LearnedResults } from "../../domain/tools/LearnedResults.ts"
import { namedToolProblems } from "../../domain/tools/namedTools.ts"
import { matchesGlob } from "../../domain/tools/ToolGlob.ts"
import { caseClashes } from "../../domain/tools/UiUri.ts"
import { SUBSCRIPTION_ID } from "../../domain/wire/HostListens.ts"
import { valueOf } from "../../domain/wire/JsonBytes.ts"
import { rawAt, readToolList, stringAt } from "../../domain/wire/Rewrites.ts"
import type { ServerRequests } from "./ServerRequests.ts"

/** The server did not give its list of tools. */
export class ToolsUnavailable extends Schema.TaggedError<ToolsUnavailable>()("ToolsUnavailable", {
  detail: Schema.String
}) {
  override get message(): string {
    return `the server did not list its tools: ${this.detail}`
  }
}

type Envelope = Readonly<Record<string, unknown>>

/** What is known of the server's list. */
interface KnownTools {
  /** As of the last reading; empty before the first. */
  readonly catalog: ToolCatalog
  /** As the configuration has them, of these tools; none before the first reading. */
  readonly dashboards: Dashboards
  /** The wrapper's tools, under names that do not clash with the catalog; none before the first reading. */
  readonly wrapperTools: ReadonlyArray<WrapperTool>
  /** Nobody has to wait for a reading: the list was read, could not be read, or nobody asked for it. */
  readonly isSettled: boolean
  /**
   * The answer to our request for the first page, while it is under way: a host that asks the same meanwhile shares it.
   */
  readonly firstPage: Effect.Effect<Uint8Array, ToolsUnavailable> | undefined
}

export type ToolsEvent =
  /** A host renders UIs: the list is read, once. `envelope` is the modern era's `_meta`. */
  | { readonly kind: "wanted"; readonly envelope: Envelope | undefined }
  /** The server told the host that the list changed: it is read soon, once for several such messages. */
  | { readonly kind: "changed" }
  /** A host got the list from the server. */
  | { readonly kind: "listed" }
  /** The server is gone. */
  | { readonly kind: "lost" }
  /** It was started again: the list is read, unless the server died of just that. */
  | { readonly kind: "restored" }

export interface ToolsChanged {
  readonly changes: ToolChanges
  readonly before: ToolCatalog
  /** The server itself has told the host that its tools changed. */
  readonly isKnown: boolean
}

/**
 * What the server's list of tools says, read by requests of our own. It does not decide whether a host gets UIs. Events,
 * what is known and changes are synchronous: an answer must not overtake a change before it.
 */
export interface ServerTools {
  readonly known: () => KnownTools
  readonly tell: (event: ToolsEvent) => void
  /** Takes a notification on a subscription of ours (modern era); `false` if it is not ours. */
  readonly onNotification: (frame: Uint8Array) => boolean
  /** Waits until the list is settled, but not for ever. */
  readonly whenSettled: Effect.Effect<void>
  /** Reads the whole list again, now. */
  readonly refresh: Effect.Effect<ToolChanges, ToolsUnavailable>
  /** Called when a reading found changes after hosts may have seen the list as it was before. */
  readonly onChange: (listener: (changed: ToolsChanged) => void) => void
}

export interface ServerToolsOptions {
  /** How the names of the wrapper's own tools begin. */
  readonly toolPrefix: string
  /** Whether the host is our own studio, which gets one tool more. */
  readonly isStudio?: boolean
  /** Which of our tools are listed to the host's model. */
  readonly wrapperTools?: WrapperListing
  readonly writer?: UiWriter
  /** Globs over the names of tools that get UIs; `undefined`: all. */
  readonly enabledTools: ReadonlyArray<string> | undefined
  /** What the configuration says of tools. */
  readonly tools?: ToolHintsByName
  readonly dashboards?: DashboardsByName
  /** Reading the list again at intervals, for servers that do not tell of changes. */
  readonly toolRefresh: {
    readonly enabled: boolean
    readonly intervalMs: number
    readonly retryBackoffMs: ReadonlyArray<number>
  }
}

/** How long anything waits for the server's list of tools. */
const PATIENCE = Duration.seconds(10)
/** Several changes in a row cause one reading. */
const REFRESH_DELAY = Duration.millis(50)
/** A list that changes during every reading is read less and less often. */
const RESTLESS = Schedule.min([Schedule.exponential(Duration.times(REFRESH_DELAY, 2)), Schedule.spaced("1 second")])
/** A server whose pages never end is not read for ever. */
const MAX_PAGES = 1000
/** The same for large pages; a first page of any size is taken. */
const MAX_LIST_BYTES = 33_554_432
/** Names that the log tells of at one time. */
const MAX_CLASHES_LOGGED = 20

const warnOfNames = Effect.fnUntraced(function* (catalog: ToolCatalog, listed: number) {
  const names = catalog.tools.map((tool) => tool.name)
  const clashes = caseClashes(names)
  for (const clash of clashes.slice(0, MAX_CLASHES_LOGGED)) {
    yield* Effect.logWarning(
      `the tools ${clash.join(", ")} differ only in case: their UIs are kept apart by a suffix in the URI`
    )
  }
  if (clashes.length > MAX_CLASHES_LOGGED) {
    yield* Effect.logWarning(`so do those of ${clashes.length - MAX_CLASHES_LOGGED} more names`)
  }
  if (listed > names.length) {
    yield* Effect.logWarning(
      `${listed - names.length} entries of the server's tool list have no name, or one that another tool has: they get no UI`
    )
  }
})

const warnOfFields = Effect.fnUntraced(function* (catalog: ToolCatalog, hints: ToolHintsByName) {
  for (const tool of catalog.tools) {
    const fields = Object.hasOwn(hints, tool.name) ? (hints[tool.name]?.fields ?? {}) : {}
    for (const [path, hint] of Object.entries(fields)) {
      if (hint === false || catalog.toolNamed(hint.from) === undefined) continue
      if (tool.extras?.options?.[path]?.by === "configuration") continue
      yield* Effect.logWarning(
        `generation.tools.${tool.name}.fields.${path} is left out: the tool has no such field, or "${hint.from}" is no tool that its page can call without more arguments`
      )
    }
  }
})

const countOf = ({ added, changed, removed }: ToolChanges) => ({
  added: added.length,
  removed: removed.length,
  changed: changed.length
})

const isChange = ({ added, changed, removed }: ToolChanges): boolean =>
  added.length + removed.length + changed.length > 0

const reasonOf = <E>(cause: Cause.Cause<E>, member: "detail" | "message"): unknown => {
  const error = Cause.squash(cause)
  return error instanceof ToolsUnavailable ? error[member] : cause
}

/** Whatever goes wrong with our own reading, the tools themselves go on working. */
const logged = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<void> =>
  effect.pipe(
    Effect.catchCause((cause) =>
      Effect.logWarning("tools not listed: they work as they are, without new UIs", reasonOf(cause, "detail"))
    ),
    Effect.asVoid
  )

export const makeServerTools = Effect.fnUntraced(function* (
  requests: ServerRequests,
  options: ServerToolsOptions,
  learned: (toolName: string) => LearnedResults
) {
  const { enabledTools, toolPrefix, toolRefresh, tools: hints = {}, dashboards: configured = {} } = options
  const reading = yield* Semaphore.make(1)
  /** Wakes the reader. What it has to do stands in `state`, so that it can be asked for in the same turn. */
  const wakes = yield* Queue.dropping<void>(1)
  const forkReader = yield* FiberHandle.runtime(yield* FiberHandle.make<void>())<never>()
  const forkWatch = yield* FiberHandle.runtime(yield* FiberHandle.make<void>())<never>()

  let known: Pick<KnownTools, "catalog" | "dashboards" | "wrapperTools"> = {
    catalog: emptyCatalog,
    dashboards: makeDashboards({}, []),
    wrapperTools: []
  }
  const warnedCards = new Set<string>()
  let onChange: (changed: ToolsChanged) => void = () => undefined
  const state: {
    /** The `_meta` of our requests, once the list is wanted. */
    meta?: { readonly _meta?: Envelope }
    /** Done with the next reading, which has not begun. */
    asked?: Deferred.Deferred<void> | undefined
    /** Done with the reading that was asked for and is under way. */
    underWay?: Deferred.Deferred<void> | undefined
    firstPage?: Effect.Effect<Uint8Array, ToolsUnavailable> | undefined
    isLoaded: boolean
    isReading: boolean
    /** The server died while it was asked for its list: it is not asked again before a host has got it. */
    isFragile: boolean
    isHostTold: boolean
    /** An answer went out before the first reading was done. */
    isLate: boolean
  } = { isLoaded: false, isReading: false, isFragile: false, isHostTold: false, isLate: false }

  const ask = (method: string, params: Envelope): Effect.Effect<Uint8Array, ToolsUnavailable> =>
    Effect.mapError(
      Effect.suspend(() => requests.ask(method, { ...params, ...state.meta })),
      ({ detail }) => new ToolsUnavailable({ detail })
    )

  const askFirstPage = Effect.suspend(() => {
    const page = Deferred.makeUnsafe<Uint8Array, ToolsUnavailable>()
    state.firstPage = Deferred.await(page)
    return ask("tools/list", {}).pipe(
      Effect.onExit((exit) => {
        state.firstPage = undefined
        return Deferred.done(page, exit)
      })
    )
  })

  const listDefinitions = Effect.gen(function* () {
    const definitions: Array<unknown> = []
    const cursors = new Set<string>()
    let cursor: string | undefined
    let bytes = 0
    for (let page = 0; page < MAX_PAGES && bytes < MAX_LIST_BYTES; page += 1) {
      const answer = yield* cursor === undefined ? askFirstPage : ask("tools/list", { cursor })
      bytes += answer.length
      const { next, tools } = readToolList(answer)
      if (tools === undefined) {
        const detail = stringAt(answer, ["error", "message"]) ?? "there is no list in its answer, or far too long a one"
        return yield* new ToolsUnavailable({ detail })
      }
      for (const tool of tools) definitions.push(valueOf(answer, tool))
      if (next === undefined || cursors.has(next)) break
      cursor = next
      cursors.add(cursor)
    }
    return definitions
  })

  const isEnabled = (name: string): boolean =>
    enabledTools === undefined || enabledTools.some((glob) => matchesGlob(glob, name))

  const ours = (isTaken: (name: string) => boolean, dashboards?: Dashboards): ReadonlyArray<WrapperTool> => {
    const { isStudio, writer, wrapperTools: listing } = options
    return wrapperTools({ prefix: toolPrefix, isTaken, dashboards: dashboards?.pages ?? [], isStudio, listing, writer })
  }

  const refresh = Effect.gen(function* () {
    state.isReading = true
    const definitions = yield* listDefinitions
    state.isFragile = false
    const before = known.catalog
    const catalog = makeToolCatalog(definitions, isEnabled, hints, learned)
    const dashboards = makeDashboards(configured, catalog.tools)
    const isTaken = (name: string): boolean => catalog.toolNamed(name) !== undefined
    known = { catalog, dashboards, wrapperTools: ours(isTaken, dashboards) }
    yield* warnOfNames(catalog, definitions.length)
    yield* warnOfFields(catalog, hints)
    for (const problem of dashboards.problems) {
      if (!warnedCards.has(problem)) yield* Effect.logWarning(problem)
      warnedCards.add(problem)
    }
    const changes = compareCatalogs(before, catalog)
    if (isChange(changes) && (state.isLoaded || state.isLate)) {
      onChange({ changes, before, isKnown: state.isHostTold && !state.isLate })
    }
    return changes
  }).pipe(
    Effect.ensuring(
      Effect.sync(() => {
        state.isReading = false
      })
    ),
    reading.withPermit,
    Effect.annotateLogs({ component: "tools" })
  )

  /**
   * A reading that was asked for. A caller that asks while it is under way may know of a later change, so it waits for the
   * next one. After a failure nobody waits.
   */
  const readAsked = Effect.suspend(() => {
    const covered = state.asked
    state.asked = undefined
    state.underWay = covered
    return Effect.onExit(refresh, (exit) =>
      Effect.sync(() => {
        const done = Exit.isSuccess(exit) ? [covered] : [covered, state.asked]
        if (Exit.isFailure(exit)) state.asked = undefined
        state.underWay = undefined
        state.isLoaded = true
        if (state.asked === undefined) state.isHostTold = false
        if (known.wrapperTools.length === 0) known = { ...known, wrapperTools: ours(() => false) }
        for (const waiting of done) if (waiting !== undefined) Deferred.doneUnsafe(waiting, Exit.void)
      })
    )
  })

  /** Once: a name that comes later is not a slip, and one that is a slip was told. */
  const warnOfSlips = Effect.suspend(() => {
    const names = known.catalog.tools.map(({ name }) => name)
    return Effect.forEach(namedToolProblems(names, { enabledTools, tools: hints }), Effect.logWarning, {
      discard: true
    })
  })

  const load = Effect.tap(readAsked, () => {
    const { isServed, tools } = known.catalog
    const counts = {
      tools: tools.length,
      served: tools.filter(isServed).length,
      ownUi: tools.filter((tool) => tool.hasOwnUi).length
    }
    return Effect.andThen(Effect.annotateLogs(Effect.logInfo("tools listed"), counts), warnOfSlips)
  })

  const readChanged = Effect.tap(readAsked, (changes) =>
    isChange(changes) ? Effect.annotateLogs(Effect.logInfo("tools changed"), countOf(changes)) : Effect.void
  ).pipe(Effect.repeat({ schedule: RESTLESS, while: () => state.asked !== undefined }), Effect.delay(REFRESH_DELAY))

  /** Until the list is to be read without a change; after failures longer and longer. */
  const pause = (failures: number): Effect.Effect<void> => {
    const { enabled, intervalMs, retryBackoffMs } = toolRefresh
    if (!enabled) return Effect.never
    return Effect.sleep(
      failures === 0 ? intervalMs : (retryBackoffMs[failures - 1] ?? retryBackoffMs.at(-1) ?? intervalMs)
    )
  }

  const keepReading = Effect.gen(function* () {
    yield* logged(load)
    let failures = 0
    for (;;) {
      if (state.asked === undefined) {
        const isWoken = yield* Effect.raceFirst(Effect.as(Queue.take(wakes), true), Effect.as(pause(failures), false))
        if (!isWoken) {
          failures = yield* refresh.pipe(
            Effect.as(0),
            Effect.catchCause((cause) =>
              Effect.as(Effect.logWarning("tools not read again", reasonOf(cause, "message")), failures + 1)
            )
          )
        }
      } else yield* logged(readChanged)
    }
  })

  const readSoon = (): void => {
    if (state.meta === undefined) return
    state.asked ??= Deferred.makeUnsafe<void>()
    Queue.offerUnsafe(wakes, undefined)
  }

  /** In the modern era a server tells of changes only those who listen. It may refuse: then they are not heard of. */
  const watch = (): void => {
    if (state.meta?._meta === undefined) return
    forkWatch(Effect.ignore(ask("subscriptions/listen", { notifications: { toolsListChanged: true } })))
  }

  const nextReading = Effect.suspend(() => {
    const next = state.asked ?? state.underWay
    return next === undefined ? Effect.void : Deferred.await(next)
  })

  const tell = (event: ToolsEvent): void => {
    switch (event.kind) {
      case "wanted":
        if (state.meta !== undefined) return
        state.meta = event.envelope === undefined ? {} : { _meta: event.envelope }
        state.asked = Deferred.makeUnsafe<void>()
        // In this turn: the first request goes out before what the host says next.
        forkReader(Effect.annotateLogs(keepReading, { component: "tools" }))
        return watch()
      case "changed":
        if (state.meta !== undefined) state.isHostTold = true
        return readSoon()
      case "listed":
        if (state.isFragile) readSoon()
        state.isFragile = false
        return
      case "lost":
        state.isFragile ||= state.isReading
        return
      case "restored":
        if (!state.isFragile) readSoon()
        return watch()
    }
  }

  return {
    known: () => ({
      ...known,
      isSettled: state.asked === undefined && state.underWay === undefined,
      firstPage: state.firstPage
    }),
    tell,
    onNotification: (frame) => {
      const subscription = rawAt(frame, ["params", "_meta", SUBSCRIPTION_ID])
      if (subscription === undefined || !requests.isOwn(subscription)) return false
      if (stringAt(frame, ["method"]) === "notifications/tools/list_changed") tell({ kind: "changed" })
      return true
    },
    whenSettled: Effect.suspend(() => (state.isLoaded ? nextReading : Effect.andThen(nextReading, nextReading))).pipe(
      Effect.timeoutOrElse({
        duration: PATIENCE,
        orElse: () =>
          Effect.suspend(() => {
            state.isLate = true
            return Effect.logWarning("the server has not listed its tools yet: they have no UIs until it does")
          })
      }),
      Effect.annotateLogs({ component: "tools" })
    ),
    refresh,
    onChange: (listener) => {
      onChange = listener
    }
  } satisfies ServerTools
})
