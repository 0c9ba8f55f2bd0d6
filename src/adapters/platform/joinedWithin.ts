import { Duration, Effect, Fiber } from "effect"

/**
 * The result of a fiber, or `orElse` if it takes too long; the fiber goes on. The time is split into two timers: after
 * this process was busy, one timer fires before an answer that already waits.
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
