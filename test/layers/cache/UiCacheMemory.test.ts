import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import { layer } from "../../../src/layers/cache/UiCacheMemory.ts"
import { UiCache } from "../../../src/services/cache/UiCache.ts"
import { uiEntry } from "../../fixtures/uiEntry.ts"

const entry = (key: string, bytes = 10) => uiEntry(key, { key, source: "x".repeat(bytes) })

const OPTIONS = { maxEntries: 3, maxEntrySizeBytes: 2000, maxTotalSizeBytes: 5000, ttlMs: undefined }

const withCache = <A, E>(
  options: Partial<Parameters<typeof layer>[0]>,
  use: (cache: UiCache["Service"]) => Effect.Effect<A, E>
) => Effect.flatMap(UiCache, use).pipe(Effect.provide(layer({ ...OPTIONS, ...options })))

const has = (cache: UiCache["Service"], key: string) => Effect.map(cache.peek(key), Option.isSome)

describe("UiCacheMemory", () => {
  it.effect("drops what was not used for longest", () =>
    withCache({}, (cache) =>
      Effect.gen(function* () {
        for (const key of ["a", "b", "c"]) yield* cache.set(entry(key))
        yield* cache.get("a")
        yield* cache.set(entry("d"))
        assert.isFalse(yield* has(cache, "b"))
        assert.isTrue(yield* has(cache, "a"))
        const statistics = yield* cache.statistics
        assert.strictEqual(statistics.entries, 3)
        assert.strictEqual(statistics.evictions, 1)
      })
    )
  )

  it.effect("keeps to its bytes, and keeps no entry that is too large", () =>
    withCache({}, (cache) =>
      Effect.gen(function* () {
        yield* cache.set(entry("large", 3000))
        assert.isFalse(yield* has(cache, "large"))
        for (const key of ["a", "b", "c"]) yield* cache.set(entry(key, 1600))
        const { bytes, entries } = yield* cache.statistics
        assert.strictEqual(entries, 2)
        assert.isAtMost(bytes, 5000)
        assert.isAtLeast(bytes, 3200)
        yield* cache.removeTool("other")
        assert.strictEqual((yield* cache.statistics).entries, 2)
        yield* cache.removeTool("tool")
        assert.strictEqual((yield* cache.statistics).bytes, 0)
      })
    )
  )

  it.effect("forgets after the time to live and counts hits and misses", () =>
    withCache({ ttlMs: 1000 }, (cache) =>
      Effect.gen(function* () {
        yield* cache.set(entry("a"))
        yield* TestClock.adjust(999)
        assert.isTrue(Option.isSome(yield* cache.get("a")))
        yield* TestClock.adjust(1)
        assert.isTrue(Option.isNone(yield* cache.get("a")))
        const { entries, hits, misses } = yield* cache.statistics
        assert.deepStrictEqual({ entries, hits, misses }, { entries: 0, hits: 1, misses: 1 })
      })
    )
  )
})
