import { Effect, Layer } from "effect"
import { NO_REFINEMENTS, type Refinements } from "../../domain/library/Refinements.ts"
import { RefinementStore } from "../../services/library/RefinementStore.ts"

/**
 * Keeps refinements for the life of the layer; over stdio that is the life of the process.
 *
 * @example
 * import { Layer } from "effect"
 * import { layerRefinementStoreMemory, layerUiLibrary } from "mcp-gen-ui"
 *
 * const layerUis = layerUiLibrary().pipe(Layer.provide(layerRefinementStoreMemory))
 */
export const layer: Layer.Layer<RefinementStore> = Layer.sync(RefinementStore, () => {
  const kept = new Map<string, Refinements>()
  return RefinementStore.of({
    read: ({ name }) => Effect.sync(() => kept.get(name) ?? NO_REFINEMENTS),
    update: ({ name }, change) =>
      Effect.sync(() => {
        const list = change(kept.get(name) ?? NO_REFINEMENTS)
        kept.set(name, list)
        return list
      }),
    retire: ({ name }) => Effect.sync(() => void kept.delete(name))
  })
})
