import { Context, Effect } from "effect"

/**
 * Whether it is still the turn of whoever makes a UI: where machines share UIs, one that was frozen may have lost it to
 * another, whose newer UI is not to be written over. A cache that is shared asks before it takes what was made.
 */
export const FlightTurn = Context.Reference<Effect.Effect<boolean>>("mcp-gen-ui/services/FlightTurn", {
  defaultValue: () => Effect.succeed(true)
})
