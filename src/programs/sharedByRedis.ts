import { Layer, type Redacted } from "effect"
import type { EntryBounds } from "../domain/cache/BoundedEntries.ts"
import * as FleetFlightsRedis from "../layers/cache/FleetFlightsRedis.ts"
import * as RedisConnection from "../layers/cache/RedisConnection.ts"
import * as UiCacheRedis from "../layers/cache/UiCacheRedis.ts"

/** UIs that several machines share, each made once for all of them. A wrong URL is a defect: the settings were checked. */
export const sharedByRedis = (cache: EntryBounds & { readonly prefix: string }, url: Redacted.Redacted) =>
  Layer.merge(UiCacheRedis.layer(cache), FleetFlightsRedis.layer({ prefix: cache.prefix })).pipe(
    Layer.provide(Layer.orDie(RedisConnection.layer({ url })))
  )
