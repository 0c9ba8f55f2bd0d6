import { Clock, Effect, Layer, Option } from "effect"
import type { UiEntry } from "../domain/documents/UiEntry.ts"
import { UiCache } from "../services/UiCache.ts"

interface Slot {
  readonly entry: UiEntry
  readonly bytes: number
}

const sizeOf = (entry: UiEntry): number => new TextEncoder().encode(JSON.stringify(entry)).length

/**
 * Least recently used entries make room, by number and by bytes; an entry larger than `maxEntrySizeBytes` is not
 * kept (requirement C3). Times are milliseconds.
 */
export const layer = (options: {
  readonly maxEntries: number
  readonly maxEntrySizeBytes: number
  readonly maxTotalSizeBytes: number
  readonly ttlMs: number | undefined
}): Layer.Layer<UiCache> =>
  Layer.sync(UiCache, () => {
    const slots = new Map<string, Slot>()
    const counts = { bytes: 0, hits: 0, misses: 0, evictions: 0 }

    const drop = (key: string) => {
      const slot = slots.get(key)
      if (slot === undefined) return
      slots.delete(key)
      counts.bytes -= slot.bytes
    }

    const find = (key: string) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        const slot = slots.get(key)
        if (slot === undefined) return Option.none<Slot>()
        if (options.ttlMs !== undefined && now - slot.entry.createdAt >= options.ttlMs) {
          drop(key)
          return Option.none<Slot>()
        }
        return Option.some(slot)
      })

    return UiCache.of({
      get: Effect.fnUntraced(function* (key) {
        const slot = yield* find(key)
        if (Option.isNone(slot)) {
          counts.misses += 1
          return Option.none()
        }
        counts.hits += 1
        slots.delete(key)
        slots.set(key, slot.value)
        return Option.some(slot.value.entry)
      }),
      peek: (key) =>
        Effect.map(
          find(key),
          Option.map((slot) => slot.entry)
        ),
      set: (entry) =>
        Effect.sync(() => {
          const bytes = sizeOf(entry)
          drop(entry.key)
          if (bytes > options.maxEntrySizeBytes || bytes > options.maxTotalSizeBytes || options.maxEntries < 1) return
          slots.set(entry.key, { entry, bytes })
          counts.bytes += bytes
          for (const key of slots.keys()) {
            if (slots.size <= options.maxEntries && counts.bytes <= options.maxTotalSizeBytes) break
            drop(key)
            counts.evictions += 1
          }
        }),
      removeTool: (toolName) =>
        Effect.sync(() => {
          for (const [key, { entry }] of slots) if (entry.toolName === toolName) drop(key)
        }),
      statistics: Effect.sync(() => ({ entries: slots.size, ...counts }))
    })
  })

/** Keeps nothing: every read generates (`--no-cache`). */
export const layerNone: Layer.Layer<UiCache> = layer({
  maxEntries: 0,
  maxEntrySizeBytes: 0,
  maxTotalSizeBytes: 0,
  ttlMs: undefined
})
