import { Deferred, Duration, Effect, Exit, FiberMap, Layer } from "effect"
import { idKey, requestFrame } from "../domain/Frame.ts"
import { decodedAt, stringAt } from "../domain/Rewrites.ts"
import { compareCatalogs, emptyCatalog, makeToolCatalog } from "../domain/ToolCatalog.ts"
import { matchesGlob } from "../domain/ToolGlob.ts"
import { caseClashes } from "../domain/UiUri.ts"
import { type WrapperTool, wrapperTools } from "../domain/WrapperTool.ts"
import { ServerTools, ToolsUnavailable } from "../services/ServerTools.ts"
import { Settings } from "../services/Settings.ts"
import { Upstream } from "../services/Upstream.ts"

/** Our own requests carry ids that no host uses. */
const OWN_ID = "mcp-gen-ui:"

/** How long anything waits for the server's list of tools. */
const PATIENCE = Duration.seconds(10)
/** Several `list_changed` in a row cause one reading of the list. */
const REFRESH_DELAY = Duration.millis(50)
/** A server whose pages never end is not read for ever. */
const MAX_PAGES = 1000

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

export const layer: Layer.Layer<ServerTools, never, Upstream | Settings> = Layer.effect(
  ServerTools,
  Effect.gen(function* () {
    const { link } = yield* Upstream
    const { generation } = yield* Settings
    const fibers = yield* FiberMap.make<"load" | "reload", void, never>()
    const fork = yield* FiberMap.runtime(fibers)<never>()

    let catalog = emptyCatalog
    let added: ReadonlyArray<WrapperTool> = []
    let meta: Readonly<Record<string, unknown>> = {}
    let loaded: Deferred.Deferred<void> | undefined
    let isLoaded = false
    let isStale = false
    let asked = 0
    const answers = new Map<string, Deferred.Deferred<Uint8Array>>()

    const ask = (method: string, params: Readonly<Record<string, unknown>>): Effect.Effect<Uint8Array> =>
      Effect.suspend(() => {
        asked += 1
        const id = `${OWN_ID}${asked}`
        const answer = Deferred.makeUnsafe<Uint8Array>()
        answers.set(id, answer)
        link.send(requestFrame(JSON.stringify(id), method, { ...params, ...meta }))
        return Deferred.await(answer).pipe(Effect.ensuring(Effect.sync(() => answers.delete(id))))
      })

    const listDefinitions = Effect.gen(function* () {
      const definitions: Array<unknown> = []
      const cursors = new Set<string>()
      let cursor: string | undefined
      for (let page = 0; page < MAX_PAGES; page += 1) {
        const answer = yield* ask("tools/list", cursor === undefined ? {} : { cursor })
        const result = decodedAt(answer, ["result"])
        if (!isObject(result) || !Array.isArray(result.tools)) {
          const detail = stringAt(answer, ["error", "message"]) ?? "there is no list in its answer"
          return yield* new ToolsUnavailable({ detail })
        }
        definitions.push(...result.tools)
        if (typeof result.nextCursor !== "string" || cursors.has(result.nextCursor)) break
        cursor = result.nextCursor
        cursors.add(cursor)
      }
      return definitions
    }).pipe(
      Effect.timeoutOrElse({
        duration: PATIENCE,
        orElse: () =>
          Effect.fail(new ToolsUnavailable({ detail: `no answer within ${Duration.toSeconds(PATIENCE)} s` }))
      })
    )

    const isEnabled = (name: string): boolean =>
      generation.enabledTools === undefined || generation.enabledTools.some((glob) => matchesGlob(glob, name))

    const warnOfNames = Effect.fnUntraced(function* (listed: number) {
      const names = catalog.tools.map((tool) => tool.name)
      for (const clash of caseClashes(names)) {
        yield* Effect.logWarning(
          `the tools ${clash.join(", ")} differ only in case: their UIs are kept apart by a suffix in the URI`
        )
      }
      if (listed > names.length) {
        yield* Effect.logWarning(
          `${listed - names.length} entries of the server's tool list have no name, or one that another tool has: they get no UI`
        )
      }
    })

    const refresh = Effect.gen(function* () {
      const definitions = yield* listDefinitions
      const before = catalog
      catalog = makeToolCatalog(definitions, isEnabled)
      added = wrapperTools((name) => catalog.toolNamed(name) !== undefined)
      yield* warnOfNames(definitions.length)
      return compareCatalogs(before, catalog)
    }).pipe(Effect.annotateLogs({ component: "tools" }))

    const load = (ready: Deferred.Deferred<void>) =>
      refresh.pipe(
        Effect.tap(() => {
          const ownUi = catalog.tools.filter((tool) => tool.hasOwnUi).length
          const served = catalog.tools.filter(catalog.isServed).length
          return Effect.logInfo("tools listed").pipe(
            Effect.annotateLogs({ tools: catalog.tools.length, served, ownUi })
          )
        }),
        Effect.catchTag("ToolsUnavailable", (error) =>
          Effect.logWarning(`${error.message}. They work as they are, without UIs.`)
        ),
        Effect.ensuring(
          Effect.suspend(() => {
            isLoaded = true
            return Deferred.succeed(ready, undefined)
          })
        ),
        Effect.annotateLogs({ component: "tools" }),
        Effect.asVoid
      )

    const reload = Effect.gen(function* () {
      do {
        isStale = false
        yield* Effect.sleep(REFRESH_DELAY)
        const { added, changed, removed } = yield* refresh
        yield* Effect.logInfo("tools changed").pipe(
          Effect.annotateLogs({ added: added.length, removed: removed.length, changed: changed.length })
        )
      } while (isStale)
    }).pipe(
      Effect.catchTag("ToolsUnavailable", (error) => Effect.logWarning(error.message)),
      Effect.annotateLogs({ component: "tools" })
    )

    return ServerTools.of({
      catalog: () => catalog,
      wrapperTools: () => added,
      start: (envelope) => {
        if (loaded !== undefined) return
        meta = envelope === undefined ? {} : { _meta: envelope }
        loaded = Deferred.makeUnsafe<void>()
        fork("load", load(loaded))
      },
      isSettled: () => loaded === undefined || isLoaded,
      whenSettled: Effect.suspend(() =>
        loaded === undefined || isLoaded
          ? Effect.void
          : Effect.asVoid(Effect.timeoutOption(Deferred.await(loaded), PATIENCE))
      ),
      refresh,
      onListChanged: () => {
        if (loaded === undefined) return
        isStale = true
        fork("reload", reload, { onlyIfMissing: true })
      },
      onAnswer: (id, answer) => {
        const key = idKey(id)
        if (!key.startsWith(`s${OWN_ID}`)) return false
        const waiting = answers.get(key.slice(1))
        if (waiting !== undefined) Deferred.doneUnsafe(waiting, Exit.succeed(answer))
        return true
      }
    })
  })
)
