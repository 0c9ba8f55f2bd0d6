import { Clock, Effect, FileSystem, Layer } from "effect"
import {
  cachePath,
  listCacheFiles,
  readStampedFile,
  stampOf,
  writeCacheFile
} from "../../adapters/cache/cacheDirectory.ts"
import { makeCacheFolder } from "../../adapters/cache/cacheFolder.ts"
import { localFiles } from "../../adapters/platform/localFiles.ts"
import { describeUnfit, inspected } from "../../adapters/cache/uiEntryText.ts"
import { isShared, outlasts } from "../../domain/cache/SharedEntries.ts"
import { entryBytes, isExpired, type EntryBounds, BoundedEntries } from "../../domain/cache/BoundedEntries.ts"
import type { UiEntry } from "../../domain/tools/UiEntry.ts"
import { HtmlInspector } from "../../services/inspection/HtmlInspector.ts"
import { UiCache } from "../../services/cache/UiCache.ts"
import { cacheReads } from "./cacheReads.ts"

/** The use of an entry is noted at most this often (milliseconds). */
const TOUCH_INTERVAL = 60_000
/** After this many writes the directory is brought back into its bounds. */
const SWEEP_INTERVAL = 20

interface Kept {
  /** Stamp of its file: `undefined` if the file could not be written, `null` if there is to be none. */
  readonly stamp: string | null | undefined
  touchedAt: number
}

/**
 * One file for each UI, in a directory that many processes may use at once, with a copy in memory. Files are written
 * whole or not at all, and have a checksum. A file that is damaged, of another version, or whose source does not pass
 * the inspection is reported once and counts as absent. The bounds hold for the directory: the least recently used file
 * goes first. Failures stay in memory, and so does what cannot be written. A directory that others can write to is not
 * used, because what is in it runs on people's screens.
 * A change counts at once; {@link makeCacheFolder} brings it into the directory. A directory that does not answer, such
 * as a network folder whose machine is gone, counts as unusable until it answers.
 */
export const layerOn = (
  options: EntryBounds & { readonly directory: string }
): Layer.Layer<UiCache, never, HtmlInspector | FileSystem.FileSystem> =>
  Layer.effect(
    UiCache,
    Effect.gen(function* () {
      const { directory, maxEntries, maxTotalSizeBytes, ttlMs } = options
      const inspector = yield* HtmlInspector
      const fs = yield* FileSystem.FileSystem
      const scope = yield* Effect.scope
      const held = new BoundedEntries(options)
      const kept = new Map<string, Kept>()
      let evictions = 0
      let onDisk = { entries: 0, bytes: 0 }
      let writes = 0

      const keep = (entry: UiEntry, stamp: Kept["stamp"], now: number, bytes?: number): void => {
        if (held.set(entry, bytes)) kept.set(entry.key, { stamp, touchedAt: now })
        else kept.delete(entry.key)
        for (const key of kept.size > 2 * maxEntries ? kept.keys() : []) {
          if (held.peek(key, now) === undefined) kept.delete(key)
        }
      }

      const lose = (key: string): void => {
        held.drop(key)
        kept.delete(key)
      }

      const sweep = Effect.gen(function* () {
        let entries = 0
        let bytes = 0
        for (const file of yield* listCacheFiles(directory, yield* Clock.currentTimeMillis)) {
          if (entries + 1 <= maxEntries && bytes + file.bytes <= maxTotalSizeBytes) {
            entries += 1
            bytes += file.bytes
          } else if (folder.changed(file.key) === undefined) {
            lose(file.key)
            // If this fails, the next sweep tries again.
            yield* Effect.ignore(fs.remove(file.path, { force: true }))
            evictions += 1
          }
        }
        onDisk = { entries, bytes }
      })

      const write = Effect.fnUntraced(function* (key: string, entry: UiEntry | null) {
        if (entry === null) return yield* fs.remove(cachePath(directory, key), { force: true })
        const stamp = yield* writeCacheFile(directory, entry)
        const slot = kept.get(key)
        if (held.peek(key, entry.createdAt) === entry && slot !== undefined) {
          kept.set(key, { stamp: stamp ?? undefined, touchedAt: slot.touchedAt })
        }
        writes += 1
        if (writes % SWEEP_INTERVAL === 1) yield* Effect.ignore(sweep)
      })

      const folder = yield* makeCacheFolder(directory, write)

      const load = Effect.fnUntraced(function* (key: string, path: string, now: number) {
        const found = yield* folder.read(
          Effect.map(readStampedFile(path, key, 4 * options.maxEntrySizeBytes), (file) => file ?? null)
        )
        const stored = yield* inspected(found?.stored, inspector)
        // It was changed while we read it.
        const changed = folder.changed(key)
        if (changed !== undefined) return changed ?? undefined
        const inMemory = held.peek(key, now)
        if (found === undefined) return inMemory
        if (found === null || stored === undefined) {
          lose(key)
          return undefined
        }
        const ownFailure = inMemory === undefined || isShared(inMemory) ? undefined : inMemory
        if (stored._tag !== "Entry") {
          yield* folder.warnOnce(path, `a file of the cache ${describeUnfit(stored)}: it is left out`, { path })
          return ownFailure
        }
        if (!isShared(stored.entry)) return inMemory
        if (ownFailure !== undefined && !outlasts(stored.entry, ownFailure)) return ownFailure
        if (isExpired(stored.entry, ttlMs, now)) {
          lose(key)
          yield* folder.change(key, null)
          return undefined
        }
        keep(stored.entry, found.stamp, now, stored.bytes)
        return stored.entry
      })

      /** In the background. */
      const touch = Effect.fnUntraced(function* (key: string, path: string, now: number) {
        const slot = kept.get(key)
        if (slot === undefined || now - slot.touchedAt < TOUCH_INTERVAL) return
        slot.touchedAt = now
        const work = Effect.andThen(fs.utimes(path, now / 1000, now / 1000), stampOf(path))
        yield* folder.read(Effect.orElseSucceed(work, () => null)).pipe(
          Effect.tap((stamp) =>
            Effect.sync(() => {
              if (typeof stamp === "string" && kept.get(key) === slot) kept.set(key, { stamp, touchedAt: now })
            })
          ),
          Effect.forkIn(scope)
        )
      })

      /** If another process wrote or removed the file since, that counts. */
      const find = Effect.fnUntraced(function* (key: string, isUse: boolean) {
        const now = yield* Clock.currentTimeMillis
        const inMemory = isUse ? held.get(key, now) : held.peek(key, now)
        const changed = folder.changed(key)
        if (changed !== undefined) return changed === null || isExpired(changed, ttlMs, now) ? undefined : changed
        const slot = kept.get(key)
        const path = cachePath(directory, key)
        if (inMemory === undefined || slot === undefined) return yield* load(key, path, now)
        if (slot.stamp === undefined) return inMemory
        const stamp = yield* folder.read(stampOf(path))
        if (stamp === undefined) return inMemory
        if (stamp !== slot.stamp) return yield* load(key, path, now)
        if (isUse && stamp !== null) yield* touch(key, path, now)
        return inMemory
      })

      /** Counts the files; each is read when it is asked for. */
      const restore = Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const files = (yield* folder.read(listCacheFiles(directory, now))) ?? []
        const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
        onDisk = { entries: files.length, bytes }
        if (files.length === 0) return
        yield* Effect.logInfo("cache restored").pipe(
          Effect.annotateLogs({ component: "cache", entries: files.length, bytes })
        )
      })

      const reads = yield* cacheReads(find, () => ({
        entries: Math.max(onDisk.entries, held.entries),
        bytes: Math.max(onDisk.bytes, held.bytes),
        evictions: evictions + held.evictions
      }))
      // In the background, as a folder may be slow.
      yield* Effect.forkScoped(restore)

      return UiCache.of({
        ...reads,
        set: Effect.fn("UiCache.set")(function* (entry) {
          const now = yield* Clock.currentTimeMillis
          const bytes = entryBytes(entry)
          if (!held.fits(bytes)) return
          if (isShared(entry)) {
            keep(entry, undefined, now, bytes)
            yield* folder.change(entry.key, entry)
          } else {
            folder.forget(entry.key)
            keep(entry, null, now, bytes)
          }
        }, Effect.uninterruptible),
        isLasting: Effect.fn("UiCache.isLasting")(function* (key) {
          yield* folder.settled(key)
          return typeof kept.get(key)?.stamp === "string"
        }),
        removeTool: Effect.fn("UiCache.removeTool")(function* (toolName) {
          for (const key of held.keysOf(toolName)) {
            lose(key)
            yield* folder.change(key, null)
          }
        }, Effect.uninterruptible)
      })
    })
  )

/** {@link layerOn} this machine's files. */
export const layer = (options: Parameters<typeof layerOn>[0]): Layer.Layer<UiCache, never, HtmlInspector> =>
  Layer.provide(layerOn(options), localFiles)
