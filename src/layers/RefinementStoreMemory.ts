import { Effect, Layer } from "effect"
import { MAX_HISTORY, RefinementStore } from "../services/RefinementStore.ts"

/** Keeps the history for the life of the layer: over stdio, that of the process. */
export const layer: Layer.Layer<RefinementStore> = Layer.sync(RefinementStore, () => {
  const histories = new Map<string, ReadonlyArray<string>>()
  const keep = (toolName: string, history: ReadonlyArray<string>): ReadonlyArray<string> => {
    const kept = history.slice(-MAX_HISTORY)
    histories.set(toolName, kept)
    return kept
  }
  return RefinementStore.of({
    history: ({ name }) => Effect.sync(() => histories.get(name) ?? []),
    append: ({ name }, feedback) => Effect.sync(() => keep(name, [...(histories.get(name) ?? []), feedback])),
    replace: ({ name }, history) => Effect.sync(() => void keep(name, history)),
    clear: ({ name }) => Effect.sync(() => void histories.delete(name))
  })
})
