import { Effect, Option } from "effect"
import type { UiEntry } from "../../domain/tools/UiEntry.ts"
import type { CacheStatistics } from "../../services/cache/UiCache.ts"
import * as UiMetrics from "../../services/observability/UiMetrics.ts"

/** The reading half of a cache, with its counters. `find` looks under a key; only `get` counts as a use. */
export const cacheReads = Effect.fnUntraced(function* (
  find: (key: string, isUse: boolean) => Effect.Effect<UiEntry | undefined>,
  figures: () => Omit<CacheStatistics, "hits" | "misses">
) {
  const counts = { hits: 0, misses: 0 }
  yield* UiMetrics.observeCache(figures)
  return {
    get: Effect.fn("UiCache.get")(function* (key: string) {
      const entry = yield* find(key, true)
      counts[entry === undefined ? "misses" : "hits"] += 1
      return Option.fromUndefinedOr(entry)
    }),
    peek: (key: string) => Effect.map(find(key, false), Option.fromUndefinedOr),
    statistics: Effect.sync((): CacheStatistics => {
      const { bytes, entries, evictions } = figures()
      return { entries, bytes, ...counts, evictions }
    })
  }
})
