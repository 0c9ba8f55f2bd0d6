import { Clock, Effect, Layer } from "effect"
import { type EntryBounds, BoundedEntries } from "../../domain/cache/BoundedEntries.ts"
import { UiCache } from "../../services/cache/UiCache.ts"
import { cacheReads } from "./cacheReads.ts"

/** Keeps UIs for the life of the process, within bounds. */
export const layer = (bounds: EntryBounds): Layer.Layer<UiCache> =>
  Layer.effect(
    UiCache,
    Effect.gen(function* () {
      const held = new BoundedEntries(bounds)
      const find = (key: string, isUse: boolean) =>
        Effect.map(Clock.currentTimeMillis, (now) => (isUse ? held.get(key, now) : held.peek(key, now)))
      return UiCache.of({
        ...(yield* cacheReads(find, () => held)),
        set: (entry) => Effect.sync(() => void held.set(entry)),
        isLasting: () => Effect.succeed(false),
        removeTool: (toolName) => Effect.sync(() => held.keysOf(toolName).forEach((key) => held.drop(key)))
      })
    })
  )

/** Keeps nothing, so every read generates (`--no-cache`). */
export const layerNone: Layer.Layer<UiCache> = layer({
  maxEntries: 0,
  maxEntrySizeBytes: 0,
  maxTotalSizeBytes: 0,
  ttlMs: undefined
})
