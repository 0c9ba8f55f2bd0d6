import { Cause, Deferred, Duration, Effect, FiberMap, Layer, Semaphore } from "effect"
import { valueOf } from "../../domain/wire/JsonBytes.ts"
import { SUBSCRIPTION_ID } from "../../domain/wire/HostListens.ts"
import { rawAt, readToolList, stringAt } from "../../domain/wire/Rewrites.ts"
import {
  compareCatalogs,
  emptyCatalog,
  makeToolCatalog,
  type ToolCatalog,
  type ToolChanges
} from "../../domain/tools/ToolCatalog.ts"
import { matchesGlob } from "../../domain/tools/ToolGlob.ts"
import { caseClashes } from "../../domain/tools/UiUri.ts"
import { type WrapperTool, wrapperTools } from "../../domain/session/WrapperTool.ts"
import { ServerRequests } from "../../services/session/ServerRequests.ts"
import { ServerTools, ToolsUnavailable } from "../../services/session/ServerTools.ts"
import { Settings } from "../../services/settings/Settings.ts"

/** How long anything waits for the server's list of tools. */
const PATIENCE = Duration.seconds(10)
/** Several `list_changed` in a row cause one reading of the list. */
const REFRESH_DELAY = Duration.millis(50)
/** A server whose pages never end is not read for ever. */
const MAX_PAGES = 1000
/** Nor one whose pages are large; a first page of any size is taken. */
const MAX_LIST_BYTES = 33_554_432
/** While a server's list never rests, it is read less and less often. */
const LONGEST_REFRESH_DELAY = Duration.seconds(1)
/** Names that the log tells of at one time. */
const MAX_CLASHES_LOGGED = 20

export const layer: Layer.Layer<ServerTools, never, ServerRequests | Settings> = Layer.effect(
  ServerTools,
  Effect.gen(function* () {
    const requests = yield* ServerRequests
    const { generation, toolPrefix, toolRefresh } = yield* Settings
    const reading = yield* Semaphore.make(1)
    const fibers = yield* FiberMap.make<"load" | "reload" | "watch", void, never>()
    const fork = yield* FiberMap.runtime(fibers)<never>()

    let catalog = emptyCatalog
    let added: ReadonlyArray<WrapperTool> = []
    let meta: Readonly<Record<string, unknown>> = {}
    let loaded: Deferred.Deferred<void> | undefined
    let isLoaded = false
    let isStale = false
    let isHostTold = false
    let isReading = false
    /** The server died while it was asked for its list: it is not asked again before a host has got it. */
    let isFragile = false
    let first: Deferred.Deferred<Uint8Array, ToolsUnavailable> | undefined
    let reloaded: Deferred.Deferred<void> | undefined
    let isLate = false
    let tell: (changes: ToolChanges, before: ToolCatalog, isKnown: boolean) => void = () => undefined

    const ask = (
      method: string,
      params: Readonly<Record<string, unknown>>
    ): Effect.Effect<Uint8Array, ToolsUnavailable> =>
      Effect.mapError(
        Effect.suspend(() => requests.ask(method, { ...params, ...meta })),
        ({ detail }) => new ToolsUnavailable({ detail })
      )

    /** While it is under way, hosts may have the same answer (`firstPage`). */
    const askFirstPage = Effect.suspend(() => {
      const shared = Deferred.makeUnsafe<Uint8Array, ToolsUnavailable>()
      first = shared
      return ask("tools/list", {}).pipe(
        Effect.onExit((exit) => {
          first = undefined
          return Deferred.done(shared, exit)
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
          const detail =
            stringAt(answer, ["error", "message"]) ?? "there is no list in its answer, or far too long a one"
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
      generation.enabledTools === undefined || generation.enabledTools.some((glob) => matchesGlob(glob, name))

    const warnOfNames = Effect.fnUntraced(function* (listed: number) {
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

    const refresh = Effect.gen(function* () {
      isReading = true
      const definitions = yield* listDefinitions
      isFragile = false
      const before = catalog
      catalog = makeToolCatalog(definitions, isEnabled)
      added = wrapperTools(toolPrefix, (name) => catalog.toolNamed(name) !== undefined)
      yield* warnOfNames(definitions.length)
      const changes = compareCatalogs(before, catalog)
      const isChanged = changes.added.length + changes.removed.length + changes.changed.length > 0
      if (isChanged && (isLoaded || isLate)) tell(changes, before, isHostTold && !isLate)
      return changes
    }).pipe(
      Effect.ensuring(
        Effect.sync(() => {
          isReading = false
        })
      ),
      reading.withPermit,
      Effect.annotateLogs({ component: "tools" })
    )

    /** Whatever goes wrong with our own reading, the tools themselves go on working. */
    const logged = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<void> =>
      effect.pipe(
        Effect.catchCause((cause) => {
          const error = Cause.squash(cause)
          const why = error instanceof ToolsUnavailable ? error.detail : cause
          return Effect.logWarning("tools not listed: they work as they are, without new UIs", why)
        }),
        Effect.annotateLogs({ component: "tools" }),
        Effect.asVoid
      )

    const load = (ready: Deferred.Deferred<void>) =>
      refresh.pipe(
        Effect.tap(() => {
          const ownUi = catalog.tools.filter((tool) => tool.hasOwnUi).length
          const served = catalog.tools.filter(catalog.isServed).length
          return Effect.logInfo("tools listed").pipe(
            Effect.annotateLogs({ tools: catalog.tools.length, served, ownUi })
          )
        }),
        logged,
        Effect.ensuring(
          Effect.suspend(() => {
            isLoaded = true
            if (added.length === 0) added = wrapperTools(toolPrefix, () => false)
            return Deferred.succeed(ready, undefined)
          })
        )
      )

    const reload = Effect.gen(function* () {
      let delay = REFRESH_DELAY
      do {
        yield* Effect.sleep(delay)
        delay = Duration.min(Duration.times(delay, 2), LONGEST_REFRESH_DELAY)
        isStale = false
        const awaited = reloaded ?? Deferred.makeUnsafe<void>()
        // Who asks from now on may know of a later change; a list that changes with every reading keeps nobody waiting.
        reloaded = Deferred.makeUnsafe<void>()
        const reading = Effect.ensuring(refresh, Deferred.succeed(awaited, undefined))
        const { added, changed, removed } = yield* reading
        if (added.length + changed.length + removed.length === 0) continue
        yield* Effect.logInfo("tools changed").pipe(
          Effect.annotateLogs({ added: added.length, removed: removed.length, changed: changed.length })
        )
      } while (isStale)
    }).pipe(
      logged,
      Effect.ensuring(
        Effect.suspend(() => {
          const done = reloaded
          reloaded = undefined
          isHostTold = false
          return done === undefined ? Effect.void : Deferred.succeed(done, undefined)
        })
      )
    )

    /** Off unless the settings ask for it; after a failed reading the waits grow (requirement W11). */
    const periodically = Effect.gen(function* () {
      if (!toolRefresh.enabled) return
      let failures = 0
      while (true) {
        const { intervalMs, retryBackoffMs } = toolRefresh
        yield* Effect.sleep(
          failures === 0 ? intervalMs : (retryBackoffMs.at(failures - 1) ?? retryBackoffMs.at(-1) ?? intervalMs)
        )
        failures = yield* refresh.pipe(
          Effect.as(0),
          Effect.catchTag("ToolsUnavailable", (error) =>
            Effect.as(Effect.logWarning("tools not read again", error.message), failures + 1)
          )
        )
      }
    }).pipe(Effect.annotateLogs({ component: "tools" }))

    /** In the modern era a server tells of changes only those who listen. It may refuse: then they are not heard of. */
    const watch = Effect.ignore(ask("subscriptions/listen", { notifications: { toolsListChanged: true } }))

    const reloadSoon = (isTold: boolean): void => {
      if (loaded === undefined) return
      isStale = true
      isHostTold ||= isTold
      if (reloaded !== undefined) return
      reloaded = Deferred.makeUnsafe<void>()
      fork("reload", reload)
    }

    const isSettled = (): boolean => (loaded === undefined || isLoaded) && reloaded === undefined

    return ServerTools.of({
      catalog: () => catalog,
      wrapperTools: () => added,
      start: (envelope) => {
        if (loaded !== undefined) return
        meta = envelope === undefined ? {} : { _meta: envelope }
        loaded = Deferred.makeUnsafe<void>()
        fork("load", Effect.andThen(load(loaded), periodically))
        if (envelope !== undefined) fork("watch", watch)
      },
      isSettled,
      whenSettled: Effect.gen(function* () {
        if (loaded !== undefined) yield* Deferred.await(loaded)
        if (reloaded !== undefined) yield* Deferred.await(reloaded)
      }).pipe(
        Effect.timeoutOrElse({
          duration: PATIENCE,
          orElse: () =>
            Effect.suspend(() => {
              isLate = true
              return Effect.logWarning("the server has not listed its tools yet: they have no UIs until it does")
            })
        }),
        Effect.annotateLogs({ component: "tools" })
      ),
      refresh,
      onListChanged: () => reloadSoon(true),
      onNotification: (frame) => {
        const subscription = rawAt(frame, ["params", "_meta", SUBSCRIPTION_ID])
        if (subscription === undefined || !requests.isOwn(subscription)) return false
        if (stringAt(frame, ["method"]) === "notifications/tools/list_changed") reloadSoon(true)
        return true
      },
      firstPage: () => (first === undefined ? undefined : Deferred.await(first)),
      onListed: () => {
        if (isFragile) reloadSoon(false)
        isFragile = false
      },
      onLost: () => {
        isFragile ||= isReading
      },
      onRestored: () => {
        if (!isFragile) reloadSoon(false)
        if (loaded !== undefined && "_meta" in meta) fork("watch", watch)
      },
      onChange: (listener) => {
        tell = listener
      }
    })
  })
)
