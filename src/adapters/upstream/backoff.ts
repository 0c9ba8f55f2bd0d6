import { Duration, Effect, Schedule } from "effect"

/** Delays that double after each failure in a row, up to a longest one. */
interface Backoff {
  /** The next delay in milliseconds. */
  readonly next: Effect.Effect<number>
  /** After a success the delays begin anew. */
  readonly reset: Effect.Effect<void>
}

/**
 * A schedule that is asked step by step. `Effect.retry` does not fit here: the session hears of the delay before it
 * begins, because the delay decides which requests wait for the server.
 */
export const makeBackoff = Effect.fnUntraced(function* (first: Duration.Input, longest: Duration.Input) {
  const begin = Schedule.toStep(Schedule.min([Schedule.exponential(first), Schedule.spaced(longest)]))
  let step = yield* begin
  return {
    next: Effect.suspend(() => step(0, undefined)).pipe(
      Effect.map(([, delay]) => Duration.toMillis(delay)),
      Effect.orDie
    ),
    reset: Effect.map(begin, (anew) => {
      step = anew
    })
  } satisfies Backoff
})
