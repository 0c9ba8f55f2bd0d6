import { Context } from "effect"
import type { Effect } from "effect"
import type { Tool } from "../domain/tools/Tool.ts"

/** More than any prompt takes; older feedback is dropped. */
export const MAX_HISTORY = 50

/**
 * What a user asked to be changed, per tool as it is defined, oldest first (requirements R1, R4). For one session, or,
 * where it is kept, for all of one user.
 */
export class RefinementStore extends Context.Service<
  RefinementStore,
  {
    readonly history: (tool: Tool) => Effect.Effect<ReadonlyArray<string>>
    /** Adds feedback and answers the whole history. */
    readonly append: (tool: Tool, feedback: string) => Effect.Effect<ReadonlyArray<string>>
    /** Puts another history in its place: that of an earlier version. */
    readonly replace: (tool: Tool, history: ReadonlyArray<string>) => Effect.Effect<void>
    readonly clear: (tool: Tool) => Effect.Effect<void>
  }
>()("mcp-gen-ui/services/RefinementStore") {}
