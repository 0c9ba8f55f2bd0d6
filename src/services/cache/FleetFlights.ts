import { Context } from "effect"
import type { Effect, Option, Schema } from "effect"
import type { UiEntry } from "../../domain/tools/UiEntry.ts"

/** One UI that several machines may want at the same time. */
export interface FleetFlight<E> {
  /**
   * Makes the UI and stores it, *before it ends*, where `find` of every machine looks. The next in line looks there at
   * once, and makes the UI again if there is nothing.
   */
  readonly make: Effect.Effect<UiEntry, E>
  /** What another machine has made. It must not return what this flight is to replace, nor a stand-in. */
  readonly find: Effect.Effect<Option.Option<UiEntry>>
  /** A failure as text, for those on other machines who wait for this flight. It must not hold a secret. */
  readonly failure: Schema.Codec<E, string>
}

/**
 * Single flight across machines: one makes a UI, the others wait and find it. It stores no UI, and does not join
 * callers of one process: each call is one more in line (`Generations` joins them before).
 */
export class FleetFlights extends Context.Service<
  FleetFlights,
  {
    /**
     * Runs `make` unless another machine is at it. Then it waits, and returns what `find` finds, or fails as that
     * flight failed. If the maker dies or gives up, exactly one of those who wait takes over. Interrupting a waiter has
     * no effect on others; interrupting the maker frees its place.
     */
    readonly run: <E>(key: string, flight: FleetFlight<E>) => Effect.Effect<UiEntry, E>
  }
>()("mcp-gen-ui/services/FleetFlights") {}
