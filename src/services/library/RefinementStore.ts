import { Context } from "effect"
import type { Effect } from "effect"
import type { Tool } from "../../domain/tools/Tool.ts"
import type { Refinements } from "../../domain/library/Refinements.ts"

/**
 * Keeps the refinements of each tool as it is defined: for one session, or for all of one user.
 *
 * @example
 * import { Effect, Layer } from "effect"
 * import { type Refinement, RefinementStore } from "mcp-gen-ui"
 *
 * const kept = new Map<string, ReadonlyArray<Refinement>>()
 * const layerOurs = Layer.succeed(RefinementStore, {
 *   read: ({ name }) => Effect.sync(() => kept.get(name) ?? []),
 *   update: ({ name }, change) =>
 *     Effect.sync(() => {
 *       const list = change(kept.get(name) ?? [])
 *       kept.set(name, list)
 *       return list
 *     }),
 *   retire: ({ name }) => Effect.sync(() => void kept.delete(name))
 * })
 */
export class RefinementStore extends Context.Service<
  RefinementStore,
  {
    readonly read: (tool: Tool) => Effect.Effect<Refinements>
    /**
     * Returns the list after the change. Nobody else may write between the reading and the writing, or one of two texts
     * is lost. If `change` returns the list that it got, nothing is written.
     */
    readonly update: (tool: Tool, change: (list: Refinements) => Refinements) => Effect.Effect<Refinements>
    /**
     * The server no longer names the tool. A store that outlives the session may keep the list: a server that has just
     * started may answer before it knows its tools.
     */
    readonly retire: (tool: Tool) => Effect.Effect<void>
  }
>()("mcp-gen-ui/services/RefinementStore") {}
