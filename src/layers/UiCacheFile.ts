import { Clock, Effect, Layer, Option } from "effect"
import { mkdir, rm, utimes } from "node:fs/promises"
import { cachePath, listCacheFiles, readCacheFile, stampOf } from "../adapters/cacheDirectory.ts"
import { replaceFile, systemErrorCode } from "../adapters/replaceFile.ts"
import { entryText } from "../adapters/uiEntryText.ts"
import { entryBytes, isExpired, type ShelfBounds, UiShelf } from "../domain/cache/UiShelf.ts"
import type { UiEntry } from "../domain/documents/UiEntry.ts"
import { UiCache } from "../services/UiCache.ts"
import * as UiMetrics from "../services/UiMetrics.ts"

/** That an entry was used is noted at most so often (milliseconds). */
const TOUCH_INTERVAL = 60_000
/** The directory is looked through for what exceeds its bounds after so many writes. */
const SWEEP_INTERVAL = 20

/** Where an entry in memory came from: `undefined` if it could not be written. */
interface Kept {
  readonly stamp: string | undefined
  touchedAt: number
}

/**
 * One file for each UI in a directory that any number of processes may use at once (requirement C4), with a copy in
 * memory. Files are written whole or not at all, and have a checksum; one that is damaged or of another version is
 * reported once and counts as absent. The bounds hold for the directory: what was not used for longest goes first. A
 * directory that can not be written is read all the same; what can not be written lives in memory.
 */
export const layer = (options: ShelfBounds & { readonly directory: string }): Layer.Layer<UiCache> =>
  Layer.effect(
    UiCache,
    Effect.gen(function* () {
      const { directory, maxEntries, maxTotalSizeBytes, ttlMs } = options
      const shelf = new UiShelf(options)
      const kept = new Map<string, Kept>()
      const told = new Set<string>()
      const counts = { hits: 0, misses: 0, evictions: 0 }
      let onDisk = { entries: 0, bytes: 0 }
      let writes = 0

      const warnOnce = (what: string, message: string, details: Readonly<Record<string, unknown>>) => {
        if (told.has(what)) return Effect.void
        told.add(what)
        return Effect.logWarning(message).pipe(Effect.annotateLogs({ component: "cache", ...details }))
      }

      const attempt = <A>(verb: string, work: () => Promise<A>): Effect.Effect<A | undefined> =>
        Effect.tryPromise({ try: work, catch: systemErrorCode }).pipe(
          Effect.catch((code) =>
            Effect.as(
              warnOnce(`${verb} ${code}`, `the cache directory can not be ${verb}: UIs are kept in memory only`, {
                directory,
                code
              }),
              undefined
            )
          )
        )

      const keep = (entry: UiEntry, stamp: string | undefined, now: number): void => {
        if (shelf.set(entry)) kept.set(entry.key, { stamp, touchedAt: now })
        else kept.delete(entry.key)
        for (const key of kept.size > 2 * options.maxEntries ? kept.keys() : []) {
          if (shelf.peek(key, now) === undefined) kept.delete(key)
        }
      }

      const lose = (key: string): void => {
        shelf.drop(key)
        kept.delete(key)
      }

      const removeFile = (key: string) => attempt("written", () => rm(cachePath(directory, key), { force: true }))

      const load = Effect.fnUntraced(function* (key: string, path: string, stamp: string, now: number) {
        const stored = yield* attempt("read", () => readCacheFile(path, key, 4 * options.maxEntrySizeBytes))
        if (stored === undefined) return undefined
        if (stored._tag !== "Entry") {
          const what = stored._tag === "Damaged" ? "is damaged" : `is of another version (format ${stored.format})`
          yield* warnOnce(path, `a file of the cache ${what}: it is left out`, { path })
          return undefined
        }
        if (isExpired(stored.entry, ttlMs, now)) {
          yield* removeFile(key)
          return undefined
        }
        keep(stored.entry, stamp, now)
        return stored.entry
      })

      const touch = Effect.fnUntraced(function* (key: string, path: string, now: number) {
        const slot = kept.get(key)
        if (slot === undefined || now - slot.touchedAt < TOUCH_INTERVAL) return
        slot.touchedAt = now
        const time = new Date(now)
        yield* Effect.ignore(Effect.tryPromise(() => utimes(path, time, time)))
        const stamp = yield* attempt("read", () => stampOf(path))
        if (typeof stamp === "string") kept.set(key, { stamp, touchedAt: now })
      })

      /** What another process wrote under the same key since counts; so does that it was removed. */
      const find = Effect.fnUntraced(function* (key: string, isUse: boolean) {
        const now = yield* Clock.currentTimeMillis
        const path = cachePath(directory, key)
        const slot = kept.get(key)
        const inMemory = isUse ? shelf.get(key, now) : shelf.peek(key, now)
        if (inMemory !== undefined && slot !== undefined && slot.stamp === undefined) return inMemory
        const stamp = yield* attempt("read", () => stampOf(path))
        if (stamp === undefined) return inMemory
        if (stamp === null) {
          lose(key)
          return undefined
        }
        if (inMemory !== undefined && slot?.stamp === stamp) {
          if (isUse) yield* touch(key, path, now)
          return inMemory
        }
        return yield* load(key, path, stamp, now)
      })

      const sweep = Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const files = yield* attempt("read", () => listCacheFiles(directory, now))
        if (files === undefined) return
        let entries = 0
        let bytes = 0
        for (const file of files) {
          if (entries + 1 <= maxEntries && bytes + file.bytes <= maxTotalSizeBytes) {
            entries += 1
            bytes += file.bytes
            continue
          }
          lose(file.key)
          yield* removeFile(file.key)
          counts.evictions += 1
        }
        onDisk = { entries, bytes }
      })

      /** What is there is known by its name; it is read when it is asked for. */
      const restore = Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const files = (yield* attempt("read", () => listCacheFiles(directory, now))) ?? []
        const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
        onDisk = { entries: files.length, bytes }
        if (files.length === 0) return
        yield* Effect.logInfo("cache restored").pipe(
          Effect.annotateLogs({ component: "cache", entries: files.length, bytes })
        )
      })

      const figures = () => ({
        entries: Math.max(onDisk.entries, shelf.entries),
        bytes: Math.max(onDisk.bytes, shelf.bytes),
        evictions: counts.evictions + shelf.evictions
      })
      yield* UiMetrics.observeCache(figures)
      // Nobody waits for it.
      yield* Effect.forkScoped(restore)

      return UiCache.of({
        get: Effect.fn("UiCache.get")(function* (key) {
          const entry = yield* find(key, true)
          counts[entry === undefined ? "misses" : "hits"] += 1
          return Option.fromUndefinedOr(entry)
        }),
        peek: (key) => Effect.map(find(key, false), Option.fromUndefinedOr),
        set: Effect.fn("UiCache.set")(function* (entry) {
          const now = yield* Clock.currentTimeMillis
          if (!shelf.fits(entryBytes(entry))) return
          const path = cachePath(directory, entry.key)
          const stamp = yield* attempt("written", async () => {
            await mkdir(directory, { recursive: true, mode: 0o700 })
            await replaceFile(path, entryText(entry), false)
            return stampOf(path)
          })
          keep(entry, stamp ?? undefined, now)
          writes += 1
          if (writes % SWEEP_INTERVAL === 1) yield* sweep
        }, Effect.uninterruptible),
        removeTool: Effect.fn("UiCache.removeTool")(function* (toolName) {
          for (const key of shelf.keysOf(toolName)) {
            lose(key)
            yield* removeFile(key)
          }
        }),
        statistics: Effect.sync(() => ({ hits: counts.hits, misses: counts.misses, ...figures() }))
      })
    })
  )
