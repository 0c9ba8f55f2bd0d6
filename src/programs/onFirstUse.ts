import { Context, Effect, Layer } from "effect"

/**
 * Loads and builds a layer when a method of its service is first called: most runs list tools long before they read a UI,
 * and some never read one. `methods` says how the methods wait for that.
 */
export const onFirstUse = <Id, Service, R>(
  service: Context.Key<Id, Service>,
  load: () => Promise<Layer.Layer<Id, never, R>>,
  methods: (built: Effect.Effect<Service>) => Service
): Layer.Layer<Id, never, R> =>
  Layer.effect(
    service,
    Effect.gen(function* () {
      const scope = yield* Effect.scope
      const context = yield* Effect.context<R>()
      const build = Effect.gen(function* () {
        const layer = yield* Effect.promise(load)
        return Context.get(yield* Layer.buildWithScope(layer, scope), service)
      }).pipe(Effect.provideContext(context))
      // Uninterruptible: others may wait for it too.
      return methods(yield* Effect.cached(Effect.uninterruptible(build)))
    })
  )
