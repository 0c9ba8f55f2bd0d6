import { Clock, Effect, Layer } from "effect"
import { type KeptSelection, MAX_SELECTION_BYTES } from "../../domain/session/KeptSelection.ts"
import { Selections, SelectionTooLarge } from "../../services/session/Selections.ts"

/** Tools whose selection is kept. */
const MAX_TOOLS = 20

/** Keeps selections for the life of the layer: that of the session. */
export const layer: Layer.Layer<Selections> = Layer.sync(Selections, () => {
  /** The oldest first. */
  const kept = new Map<string, KeptSelection>()
  return Selections.of({
    keep: Effect.fn("Selections.keep")(function* (selection) {
      const { items, toolName } = selection
      const bytes = Buffer.byteLength(JSON.stringify(items))
      if (bytes > MAX_SELECTION_BYTES) {
        return yield* new SelectionTooLarge({ toolName, bytes, limit: MAX_SELECTION_BYTES })
      }
      const selectedAt = yield* Clock.currentTimeMillis
      kept.delete(toolName)
      if (items.length > 0) kept.set(toolName, { ...selection, selectedAt })
      const oldest = kept.keys().next().value
      if (kept.size > MAX_TOOLS && oldest !== undefined) kept.delete(oldest)
    }),
    all: Effect.sync(() => [...kept.values()].toReversed()),
    forget: (toolName) => Effect.sync(() => void kept.delete(toolName))
  })
})
