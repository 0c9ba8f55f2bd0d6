import { Clock, Effect, Layer, Option } from "effect"
import { type ShelfBounds, UiShelf } from "../../domain/cache/UiShelf.ts"
import { UiCache } from "../../services/cache/UiCache.ts"
import * as UiMetrics from "../../services/observability/UiMetrics.ts"

/** Keeps UIs for the life of the process, within bounds (requirement C3). */
export const layer = (bounds: ShelfBounds): Layer.Layer<UiCache> =>
  Layer.effect(
    UiCache,
    Effect.gen(function* () {
      const shelf = new UiShelf(bounds)
      yield* UiMetrics.observeCache(() => shelf)
      const counts = { hits: 0, misses: 0 }
      return UiCache.of({
        get: (key) =>
          Effect.map(Clock.currentTimeMillis, (now) => {
            const entry = shelf.get(key, now)
            counts[entry === undefined ? "misses" : "hits"] += 1
            return Option.fromUndefinedOr(entry)
          }),
        peek: (key) => Effect.map(Clock.currentTimeMillis, (now) => Option.fromUndefinedOr(shelf.peek(key, now))),
        set: (entry) => Effect.sync(() => void shelf.set(entry)),
        isLasting: () => Effect.succeed(false),
        removeTool: (toolName) => Effect.sync(() => shelf.keysOf(toolName).forEach((key) => shelf.drop(key))),
        statistics: Effect.sync(() => ({
          entries: shelf.entries,
          bytes: shelf.bytes,
          ...counts,
          evictions: shelf.evictions
        }))
      })
    })
  )

/** Keeps nothing: every read generates (`--no-cache`). */
export const layerNone: Layer.Layer<UiCache> = layer({
  maxEntries: 0,
  maxEntrySizeBytes: 0,
  maxTotalSizeBytes: 0,
  ttlMs: undefined
})
