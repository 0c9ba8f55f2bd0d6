import { Context } from "effect"
import type { Effect, Option } from "effect"
import type { UiEntry } from "../../domain/tools/UiEntry.ts"

/**
 * What a cache holds, and how often it had what was asked for.
 *
 * @example
 * import type { CacheStatistics } from "mcp-gen-ui"
 *
 * const share = ({ hits, misses }: CacheStatistics) => hits / Math.max(1, hits + misses)
 */
export interface CacheStatistics {
  readonly entries: number
  readonly bytes: number
  readonly hits: number
  readonly misses: number
  readonly evictions: number
}

/**
 * Keeps generated UIs by their key. It owns bounds and age, not how a key is made or what is worth keeping.
 *
 * @example
 * import { Effect, Layer, Option } from "effect"
 * import { layerUiLibrary, UiCache, type UiEntry } from "mcp-gen-ui"
 *
 * const kept = new Map<string, UiEntry>()
 * const find = (key: string) => Effect.sync(() => Option.fromUndefinedOr(kept.get(key)))
 * const cache = Layer.succeed(UiCache, {
 *   get: find,
 *   peek: find,
 *   set: (entry) => Effect.sync(() => void kept.set(entry.key, entry)),
 *   isLasting: () => Effect.succeed(false),
 *   removeTool: (toolName) =>
 *     Effect.sync(() => {
 *       for (const entry of kept.values()) if (entry.toolName === toolName) kept.delete(entry.key)
 *     }),
 *   statistics: Effect.sync(() => ({ entries: kept.size, bytes: 0, hits: 0, misses: 0, evictions: 0 }))
 * })
 *
 * const layerUis = layerUiLibrary().pipe(Layer.provide(cache))
 */
export class UiCache extends Context.Service<
  UiCache,
  {
    readonly get: (key: string) => Effect.Effect<Option.Option<UiEntry>>
    /** Does not count as a hit or a miss, and does not make the entry younger. */
    readonly peek: (key: string) => Effect.Effect<Option.Option<UiEntry>>
    /** This process finds it from now on. The caller does not wait for a folder, and only a moment for a network. */
    readonly set: (entry: UiEntry) => Effect.Effect<void>
    /**
     * Whether the entry that was set here will outlive this process. Waits until that is known, a few seconds at most.
     */
    readonly isLasting: (key: string) => Effect.Effect<boolean>
    /** Drops every UI of a tool, whatever its key. */
    readonly removeTool: (toolName: string) => Effect.Effect<void>
    readonly statistics: Effect.Effect<CacheStatistics>
  }
>()("mcp-gen-ui/services/UiCache") {}
