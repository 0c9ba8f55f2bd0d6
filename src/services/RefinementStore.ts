import { Context } from "effect"
import type { Effect } from "effect"

/** What a user asked to be changed, per tool, oldest first, for one session (requirements R1, R4). */
export class RefinementStore extends Context.Service<
  RefinementStore,
  {
    readonly history: (toolName: string) => Effect.Effect<ReadonlyArray<string>>
    /** Adds feedback and answers the whole history. */
    readonly append: (toolName: string, feedback: string) => Effect.Effect<ReadonlyArray<string>>
    readonly clear: (toolName: string) => Effect.Effect<void>
  }
>()("mcp-gen-ui/services/RefinementStore") {}
