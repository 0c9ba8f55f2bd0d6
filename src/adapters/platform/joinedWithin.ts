import { Duration, Effect, Fiber } from "effect"

/**
 * What a fiber comes to; `orElse` if it is not done in time, and it goes on. The time is given in two halves: after this
 * process was busy, a timer comes before an answer that has been there for long.
 */
export const joinedWithin = <A, E, E2>(
  fiber: Fiber.Fiber<A, E>,
  patience: Duration.Duration,
  orElse: Effect.Effect<A, E2>
): Effect.Effect<A, E | E2> => {
  const half = <E3>(late: Effect.Effect<A, E3>) =>
    Effect.timeoutOrElse(Fiber.join(fiber), { duration: Duration.times(patience, 0.5), orElse: () => late })
  return half(half(orElse))
}
