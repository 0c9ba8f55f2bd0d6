import { Clock, Effect, Schema } from "effect"
import { type KeptSelection, MAX_SELECTION_BYTES } from "../../domain/session/KeptSelection.ts"

/** A selection is larger than what is kept of one. */
export class SelectionTooLarge extends Schema.TaggedError<SelectionTooLarge>()("SelectionTooLarge", {
  toolName: Schema.String,
  bytes: Schema.Finite,
  limit: Schema.Finite
}) {
  override get message(): string {
    return `the selection in "${this.toolName}" has ${this.bytes} bytes of JSON, and ${this.limit} are kept: send fewer items, or fewer members of each`
  }
}

/** What people have chosen on screen, for one session: the latest selection of each tool. */
export interface Selections {
  /** Replaces the tool's last selection; one without items deletes it. A refused one changes nothing. */
  readonly keep: (selection: Omit<KeptSelection, "selectedAt">) => Effect.Effect<void, SelectionTooLarge>
  /** The newest first. */
  readonly all: Effect.Effect<ReadonlyArray<KeptSelection>>
  readonly forget: (toolName: string) => void
}

/** Tools whose selection is kept. */
const MAX_TOOLS = 20

export const makeSelections = (): Selections => {
  /** The oldest first. */
  const kept = new Map<string, KeptSelection>()
  return {
    keep: Effect.fn("Selections.keep")(function* (selection) {
      const { filter, items, toolName } = selection
      const bytes = Buffer.byteLength(JSON.stringify(items) + (filter === undefined ? "" : JSON.stringify(filter)))
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
    forget: (toolName) => void kept.delete(toolName)
  }
}
