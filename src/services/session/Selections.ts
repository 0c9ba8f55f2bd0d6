import { Context, Schema } from "effect"
import type { Effect } from "effect"
import type { KeptSelection } from "../../domain/session/KeptSelection.ts"

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

/**
 * What people have chosen on screen, per tool, for one session. It keeps the latest selection of each tool and drops
 * what was longest ago when there are too many; it does not know what the items mean.
 */
export class Selections extends Context.Service<
  Selections,
  {
    /** Keeps it in place of the tool's last one; without items it forgets that. A refused one changes nothing. */
    readonly keep: (selection: Omit<KeptSelection, "selectedAt">) => Effect.Effect<void, SelectionTooLarge>
    /** The newest first. */
    readonly all: Effect.Effect<ReadonlyArray<KeptSelection>>
    readonly forget: (toolName: string) => Effect.Effect<void>
  }
>()("mcp-gen-ui/services/Selections") {}
