import { Context } from "effect"
import type { Effect } from "effect"
import type { Tool } from "../../domain/tools/Tool.ts"
import type { Wishes } from "../../domain/library/Wishes.ts"

/**
 * What a user asked to be changed, per tool as it is defined (requirements R1, R4, R5). For one session, or, where it is kept,
 * for all of one user.
 */
export class RefinementStore extends Context.Service<
  RefinementStore,
  {
    readonly wishes: (tool: Tool) => Effect.Effect<Wishes>
    /** Nobody else changes them meanwhile; nothing is written if it answers what it got. Answers what there is then. */
    readonly update: (tool: Tool, change: (wishes: Wishes) => Wishes) => Effect.Effect<Wishes>
    /**
     * The server has no such tool now (requirement W12). Where wishes are kept for other sessions, they are there again should
     * it come back as it was defined: a server that has just been started may answer before it knows its tools.
     */
    readonly retire: (tool: Tool) => Effect.Effect<void>
  }
>()("mcp-gen-ui/services/RefinementStore") {}
