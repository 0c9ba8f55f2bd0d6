import { Clock, Deferred, Effect, Layer, Option } from "effect"
import { rm, stat, utimes } from "node:fs/promises"
import { cachePath, listCacheFiles, readStampedFile, stampOf } from "../../adapters/cache/cacheDirectory.ts"
import { assureTrust, FolderDistrusted } from "../../adapters/platform/folderTrust.ts"
import { inTime, isTimedOut } from "../../adapters/platform/inTime.ts"
import { makeDirectory } from "../../adapters/platform/makeDirectory.ts"
import { replaceFile, systemErrorCode } from "../../adapters/platform/replaceFile.ts"
import { describeUnfit, entryText, inspected } from "../../adapters/cache/uiEntryText.ts"
import { WriteQueue } from "../../adapters/cache/WriteQueue.ts"
import { isShared, outlasts } from "../../domain/cache/SharedEntries.ts"
import { entryBytes, isExpired, type ShelfBounds, UiShelf } from "../../domain/cache/UiShelf.ts"
import type { UiEntry } from "../../domain/tools/UiEntry.ts"
import { HtmlInspector } from "../../services/inspection/HtmlInspector.ts"
import { UiCache } from "../../services/cache/UiCache.ts"
import * as UiMetrics from "../../services/observability/UiMetrics.ts"

/** That an entry was used is noted at most so often (milliseconds). */
const TOUCH_INTERVAL = 60_000
/** The directory is looked through for what exceeds its bounds after so many writes. */
const SWEEP_INTERVAL = 20
/** What is not read by then (milliseconds) counts as absent; and nothing is read until that has come to an end. */
const READ_PATIENCE_MS = 2000
/** What is not written by then (in times of that patience) counts as not written. */
const WRITE_PATIENCE = 2
/** The end of the process waits so long (milliseconds) for a directory that does not answer, */
const END_GRACE_MS = 1000
/** and so long for one that answers, until all is written. */
const END_MAX_MS = 5000

const directoryAway = (): Error =>
  Object.assign(new Error("ETIMEDOUT: the directory does not answer"), { code: "ETIMEDOUT" })

interface Kept {
  /** Of its file: `undefined` if that could not be written, `null` if there is to be none. */
  readonly stamp: string | null | undefined
  touchedAt: number
}

/** What the directory does not have yet. */
interface Change {
  /** `null`: it is to be removed. */
  readonly entry: UiEntry | null
  /** It was done, or was not and counts so. */
  readonly settled: Deferred.Deferred<void>
}

/**
 * One file for each UI in a directory that any number of processes may use at once (requirement C4), with a copy in
 * memory. Files are written whole or not at all, and have a checksum; one that is damaged or of another version, or whose
 * source does not pass the inspection, is reported once and counts as absent. The bounds hold for the directory: what was not used for longest goes first. A
 * directory that can not be written is read all the same; what can not be written lives in memory, and so do failures.
 * One that others can write to is not used at all, because what is in it runs on people's screens: a server serves without
 * it, and says so.
 *
 * Nobody waits for the directory to be written: what was set or removed counts at once, and is done behind, in order. One
 * that does not answer, such as a network folder whose machine is gone, is waited for a few seconds and then counts as one
 * that can not be read or written, until it answers.
 */
export const layer = (
  options: ShelfBounds & { readonly directory: string; readonly patienceMs?: number | undefined }
): Layer.Layer<UiCache, never, HtmlInspector> =>
  Layer.effect(
    UiCache,
    Effect.gen(function* () {
      const { directory, maxEntries, maxTotalSizeBytes, patienceMs = READ_PATIENCE_MS, ttlMs } = options
      const inspector = yield* HtmlInspector
      const shelf = new UiShelf(options)
      const kept = new Map<string, Kept>()
      const told = new Set<string>()
      const counts = { hits: 0, misses: 0, evictions: 0 }
      const queue = new WriteQueue({ patienceMs: WRITE_PATIENCE * patienceMs })
      const unwritten = new Map<string, Change>()
      let onDisk = { entries: 0, bytes: 0 }
      let writes = 0
      let unanswered = 0
      let isEnding = false
      let lost = 0
      const scope = yield* Effect.scope

      const warnOnce = (what: string, message: string, details: Readonly<Record<string, unknown>>) => {
        if (told.has(what)) return Effect.void
        told.add(what)
        return Effect.logWarning(message).pipe(Effect.annotateLogs({ component: "cache", ...details }))
      }

      const attempt = <A>(verb: string, work: () => Promise<A>): Effect.Effect<A | undefined> =>
        Effect.tryPromise({
          try: work,
          catch: (cause) => {
            const code = systemErrorCode(cause)
            return cause instanceof FolderDistrusted
              ? { code, once: code, why: `is not used, because ${cause.message}` }
              : { code, once: `${verb} ${code}`, why: `can not be ${verb}` }
          }
        }).pipe(
          Effect.catch(({ code, once, why }) => {
            const message = `UIs are kept in memory only: the cache directory ${why}`
            return Effect.as(warnOnce(once, message, { directory, code }), undefined)
          })
        )

      const read = <A>(work: () => Promise<A>) =>
        attempt("read", async () => {
          if (unanswered > 0) throw directoryAway()
          const answer = assureTrust(directory).then(work)
          try {
            return await inTime(answer, patienceMs)
          } catch (cause) {
            if (isTimedOut(cause)) {
              unanswered += 1
              const answered = () => void (unanswered -= 1)
              answer.then(answered, answered)
            }
            throw cause
          }
        })

      const keep = (entry: UiEntry, stamp: Kept["stamp"], now: number, bytes?: number): void => {
        if (shelf.set(entry, bytes)) kept.set(entry.key, { stamp, touchedAt: now })
        else kept.delete(entry.key)
        for (const key of kept.size > 2 * options.maxEntries ? kept.keys() : []) {
          if (shelf.peek(key, now) === undefined) kept.delete(key)
        }
      }

      const lose = (key: string): void => {
        shelf.drop(key)
        kept.delete(key)
      }

      /** Throws nothing: what could not be removed is tried again after as many writes. */
      const sweep = async (now: number): Promise<void> => {
        const files = await listCacheFiles(directory, now).catch(() => undefined)
        if (files === undefined) return
        let entries = 0
        let bytes = 0
        for (const file of files) {
          if (entries + 1 <= maxEntries && bytes + file.bytes <= maxTotalSizeBytes) {
            entries += 1
            bytes += file.bytes
            continue
          }
          if (unwritten.has(file.key)) continue
          lose(file.key)
          await rm(file.path, { force: true }).catch(() => undefined)
          counts.evictions += 1
        }
        onDisk = { entries, bytes }
      }

      const write = async (entry: UiEntry, now: number): Promise<void> => {
        const path = cachePath(directory, entry.key)
        await makeDirectory(directory)
        await replaceFile(path, entryText(entry), false)
        const stamp = await stampOf(path)
        const slot = kept.get(entry.key)
        if (shelf.peek(entry.key, now) === entry && slot !== undefined) {
          kept.set(entry.key, { stamp: stamp ?? undefined, touchedAt: slot.touchedAt })
        }
      }

      /** In the background; a later change of the same key takes the place of one that has not begun. */
      const change = Effect.fnUntraced(function* (key: string, entry: UiEntry | null, now: number) {
        const own: Change = { entry, settled: Deferred.makeUnsafe() }
        unwritten.set(key, own)
        const work = async (): Promise<void> => {
          if (unwritten.get(key) !== own) return
          try {
            await assureTrust(directory)
            if (entry === null) await rm(cachePath(directory, key), { force: true })
            else await write(entry, now)
          } catch (cause) {
            if (isEnding && entry !== null) lost += 1
            throw cause
          } finally {
            if (unwritten.get(key) === own) unwritten.delete(key)
          }
          if (entry === null) return
          writes += 1
          if (writes % SWEEP_INTERVAL === 1) await sweep(now)
        }
        const run = (): Promise<void> =>
          queue.run(work).catch((cause: unknown) => {
            // What is only late is still in its turn.
            if (!isTimedOut(cause) && unwritten.get(key) === own) unwritten.delete(key)
            throw cause
          })
        yield* attempt("written", run).pipe(
          Effect.ensuring(Deferred.succeed(own.settled, undefined)),
          Effect.forkIn(scope, { startImmediately: true })
        )
      })

      const load = Effect.fnUntraced(function* (key: string, path: string, now: number) {
        const found = yield* read(async () => (await readStampedFile(path, key, 4 * options.maxEntrySizeBytes)) ?? null)
        const stored = yield* inspected(found?.stored, inspector)
        // Changed while it was read.
        const changed = unwritten.get(key)
        if (changed !== undefined) return changed.entry ?? undefined
        const inMemory = shelf.peek(key, now)
        if (found === undefined) return inMemory
        if (found === null || stored === undefined) {
          lose(key)
          return undefined
        }
        const ownFailure = inMemory === undefined || isShared(inMemory) ? undefined : inMemory
        if (stored._tag !== "Entry") {
          yield* warnOnce(path, `a file of the cache ${describeUnfit(stored)}: it is left out`, { path })
          return ownFailure
        }
        if (!isShared(stored.entry)) return inMemory
        if (ownFailure !== undefined && !outlasts(stored.entry, ownFailure)) return ownFailure
        if (isExpired(stored.entry, ttlMs, now)) {
          lose(key)
          yield* change(key, null, now)
          return undefined
        }
        keep(stored.entry, found.stamp, now, stored.bytes)
        return stored.entry
      })

      const touch = Effect.fnUntraced(function* (key: string, path: string, now: number) {
        const slot = kept.get(key)
        if (slot === undefined || now - slot.touchedAt < TOUCH_INTERVAL) return
        slot.touchedAt = now
        const time = new Date(now)
        const work = async (): Promise<void> => {
          await utimes(path, time, time)
          const stamp = await stampOf(path)
          if (stamp !== null && kept.get(key) === slot) kept.set(key, { stamp, touchedAt: now })
        }
        yield* Effect.forkIn(Effect.ignore(Effect.tryPromise(() => queue.run(work))), scope)
      })

      /** What another process wrote under the same key since counts; so does that it was removed. */
      const find = Effect.fnUntraced(function* (key: string, isUse: boolean) {
        const now = yield* Clock.currentTimeMillis
        const inMemory = isUse ? shelf.get(key, now) : shelf.peek(key, now)
        const changed = unwritten.get(key)?.entry
        if (changed !== undefined) return changed === null || isExpired(changed, ttlMs, now) ? undefined : changed
        const slot = kept.get(key)
        const path = cachePath(directory, key)
        if (inMemory === undefined || slot === undefined) return yield* load(key, path, now)
        if (slot.stamp === undefined) return inMemory
        const stamp = yield* read(() => stampOf(path))
        if (stamp === undefined) return inMemory
        if (stamp !== slot.stamp) return yield* load(key, path, now)
        if (isUse && stamp !== null) yield* touch(key, path, now)
        return inMemory
      })

      /** What is there is known by its name; it is read when it is asked for. */
      const restore = Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const files = (yield* read(() => listCacheFiles(directory, now))) ?? []
        const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
        onDisk = { entries: files.length, bytes }
        if (files.length === 0) return
        yield* Effect.logInfo("cache restored").pipe(
          Effect.annotateLogs({ component: "cache", entries: files.length, bytes })
        )
      })

      const writeRest = Effect.gen(function* () {
        isEnding = true
        const probe = () => stat(directory)
        yield* Effect.promise(() => queue.settle({ graceMs: END_GRACE_MS, maxMs: END_MAX_MS, probe }))
        const uis = lost + [...unwritten.values()].filter(({ entry }) => entry !== null).length
        if (uis === 0) return
        yield* Effect.logWarning(`${uis} ${uis === 1 ? "UI was" : "UIs were"} not written to the cache directory`).pipe(
          Effect.annotateLogs({ component: "cache", directory, uis })
        )
      })

      const figures = () => ({
        entries: Math.max(onDisk.entries, shelf.entries),
        bytes: Math.max(onDisk.bytes, shelf.bytes),
        evictions: counts.evictions + shelf.evictions
      })
      yield* UiMetrics.observeCache(figures)
      yield* Effect.addFinalizer(() => writeRest)
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
          const bytes = entryBytes(entry)
          if (!shelf.fits(bytes)) return
          if (isShared(entry)) {
            keep(entry, undefined, now, bytes)
            yield* change(entry.key, entry, now)
          } else {
            unwritten.delete(entry.key)
            keep(entry, null, now, bytes)
          }
        }, Effect.uninterruptible),
        isLasting: Effect.fn("UiCache.isLasting")(function* (key) {
          const waiting = unwritten.get(key)
          if (waiting !== undefined) yield* Deferred.await(waiting.settled)
          return typeof kept.get(key)?.stamp === "string"
        }),
        removeTool: Effect.fn("UiCache.removeTool")(function* (toolName) {
          const now = yield* Clock.currentTimeMillis
          for (const key of shelf.keysOf(toolName)) {
            lose(key)
            yield* change(key, null, now)
          }
        }, Effect.uninterruptible),
        statistics: Effect.sync(() => ({ hits: counts.hits, misses: counts.misses, ...figures() }))
      })
    })
  )
