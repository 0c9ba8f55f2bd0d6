import { Context } from "effect"
import type { Effect, Option, Schema } from "effect"
import type { UiEntry } from "../../domain/tools/UiEntry.ts"

/** One piece of work that several machines may want at the same time. */
export interface FleetFlight<E> {
  /**
   * Makes the UI, and stores it where `find` of every machine looks *before it ends*: the next one in line looks there
   * as soon as it has ended, and makes the UI again if there is nothing.
   */
  readonly make: Effect.Effect<UiEntry, E>
  /** What another machine has made. It must not answer what this flight is to replace, nor a stand-in. */
  readonly find: Effect.Effect<Option.Option<UiEntry>>
  /** A failure as text, for those who wait for this flight on other machines. It must not hold a secret. */
  readonly failure: Schema.Codec<E, string>
}

/**
 * Single flight across machines: what one of them makes, the others wait for and find. It stores no UI, and does not
 * join callers of one process: each call counts as one more in line (`Generations` joins them before).
 */
export class FleetFlights extends Context.Service<
  FleetFlights,
  {
    /**
     * Runs `make` unless somebody else is at it; then waits and answers what `find` finds, or fails as that flight
     * failed. If whoever was at it died or gave up, exactly one of those who wait takes over. Who is interrupted leaves
     * at once: a waiter without a trace, a maker so that the next one can begin.
     */
    readonly run: <E>(key: string, flight: FleetFlight<E>) => Effect.Effect<UiEntry, E>
  }
>()("mcp-gen-ui/services/FleetFlights") {}
