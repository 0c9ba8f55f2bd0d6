import { Clock, Effect, Layer, Option } from "effect"
import { type EntryBounds, BoundedEntries } from "../../domain/cache/BoundedEntries.ts"
import { UiCache } from "../../services/cache/UiCache.ts"
import * as UiMetrics from "../../services/observability/UiMetrics.ts"

/** Keeps UIs for the life of the process, within bounds (requirement C3). */
export const layer = (bounds: EntryBounds): Layer.Layer<UiCache> =>
  Layer.effect(
    UiCache,
    Effect.gen(function* () {
      const held = new BoundedEntries(bounds)
      yield* UiMetrics.observeCache(() => held)
      const counts = { hits: 0, misses: 0 }
      return UiCache.of({
        get: (key) =>
          Effect.map(Clock.currentTimeMillis, (now) => {
            const entry = held.get(key, now)
            counts[entry === undefined ? "misses" : "hits"] += 1
            return Option.fromUndefinedOr(entry)
          }),
        peek: (key) => Effect.map(Clock.currentTimeMillis, (now) => Option.fromUndefinedOr(held.peek(key, now))),
        set: (entry) => Effect.sync(() => void held.set(entry)),
        isLasting: () => Effect.succeed(false),
        removeTool: (toolName) => Effect.sync(() => held.keysOf(toolName).forEach((key) => held.drop(key))),
        statistics: Effect.sync(() => ({
          entries: held.entries,
          bytes: held.bytes,
          ...counts,
          evictions: held.evictions
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
