import { Context, Effect } from "effect"

/**
 * Whether the maker of a UI still has its turn. Where machines share UIs, one that was frozen may have lost it to
 * another, whose newer UI must stay. A shared cache asks before it takes a UI.
 */
export const FlightTurn = Context.Reference<Effect.Effect<boolean>>("mcp-gen-ui/services/FlightTurn", {
  defaultValue: () => Effect.succeed(true)
})
