import { Effect, Layer } from "effect"
import { NO_WISHES, type Wishes } from "../../domain/library/Wishes.ts"
import { RefinementStore } from "../../services/library/RefinementStore.ts"

/** Keeps wishes for the life of the layer: over stdio, that of the process. */
export const layer: Layer.Layer<RefinementStore> = Layer.sync(RefinementStore, () => {
  const kept = new Map<string, Wishes>()
  return RefinementStore.of({
    wishes: ({ name }) => Effect.sync(() => kept.get(name) ?? NO_WISHES),
    update: ({ name }, change) =>
      Effect.sync(() => {
        const wishes = change(kept.get(name) ?? NO_WISHES)
        kept.set(name, wishes)
        return wishes
      }),
    retire: ({ name }) => Effect.sync(() => void kept.delete(name))
  })
})
