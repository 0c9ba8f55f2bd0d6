import { Effect, Layer } from "effect"
import { RefinementStore } from "../services/RefinementStore.ts"

/** More than any prompt takes; older feedback is dropped. */
const MAX_HISTORY = 50

/** Keeps the history for the life of the layer: over stdio, that of the process. */
export const layer: Layer.Layer<RefinementStore> = Layer.sync(RefinementStore, () => {
  const histories = new Map<string, ReadonlyArray<string>>()
  return RefinementStore.of({
    history: (toolName) => Effect.sync(() => histories.get(toolName) ?? []),
    append: (toolName, feedback) =>
      Effect.sync(() => {
        const history = [...(histories.get(toolName) ?? []), feedback].slice(-MAX_HISTORY)
        histories.set(toolName, history)
        return history
      }),
    clear: (toolName) => Effect.sync(() => void histories.delete(toolName))
  })
})
