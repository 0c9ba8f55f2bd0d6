import { Duration, Effect, Exit, Layer, Option, Random, Schema } from "effect"
import { randomUUID } from "node:crypto"
import type { UiEntry } from "../../domain/tools/UiEntry.ts"
import { type FleetFlight, FleetFlights } from "../../services/cache/FleetFlights.ts"
import { FlightTurn } from "../../services/cache/FlightTurn.ts"
import { RedisConnection, RedisPatience } from "../../services/cache/RedisConnection.ts"

/** A lock that is not renewed is free after so long (milliseconds). A failure can be read as long. */
const LOCK_MS = 5000
/** How often those who wait look (milliseconds). */
const POLL_MS = 250

/** What is read of a lock, and of a failure, in bytes: others may have written there what is longer than ours. */
const MAX_HOLDER = 100
const MAX_FAILURE = 10_000

/** Takes the lock, or renews it, and answers who has it now. */
const CLAIM = `
local holder = redis.call('GETRANGE', KEYS[1], 0, ${MAX_HOLDER - 1})
if holder ~= '' and holder ~= ARGV[1] then return holder end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return ARGV[1]`

/** Renews the lock, and answers who has it now: nobody if it has expired. */
const RENEW = `
local holder = redis.call('GETRANGE', KEYS[1], 0, ${MAX_HOLDER - 1})
if holder == ARGV[1] then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return holder`

/** Gives the lock back, if it is still one's own, and leaves a failure for those who wait. */
const RELEASE = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('DEL', KEYS[1])
if ARGV[3] then redis.call('SET', KEYS[2], ARGV[3], 'PX', ARGV[2]) end
return 1`

const decodeText = Schema.decodeUnknownOption(Schema.String)

/**
 * Whoever makes a UI holds a lock in Redis, `<prefix>flight:<key>`, whose value says whose it is. It expires after five
 * seconds, and is renewed three times as often while `make` runs; so when a machine dies, another one takes over.
 *
 * - **Waiting.** All others look every quarter of a second whether the lock still has the same value. If not, they look
 *   for a failure of that flight, then for the UI, and then try to take the lock themselves: one of them gets it.
 * - **Failing.** A failure is left under `<prefix>failure:<value of the lock>`: those who waited for that flight fail
 *   likewise, instead of making one after the other what has just failed. Who comes later begins a flight.
 * - **Losing the turn.** A machine that was frozen finds its lock expired. It goes on only if nobody else has it, and
 *   nobody has made the UI meanwhile; else it stops, stores nothing (`FlightTurn`), and gets what the other one makes.
 * - **Redis slow.** All that is asked here is waited for as long as the connection may be silent (`RedisPatience`): a
 *   claim that has no answer yet is not won. After that the connection is given up, and Redis is away.
 * - **Redis away.** Everybody makes the UI themselves, at once. A maker whose lock got lost goes on, and takes it again
 *   when Redis is back and nobody else has it.
 */
export const layer = (options: {
  readonly prefix: string
  readonly lockMs?: number | undefined
  readonly pollMs?: number | undefined
}): Layer.Layer<FleetFlights, never, RedisConnection> =>
  Layer.effect(
    FleetFlights,
    Effect.gen(function* () {
      const { lockMs = LOCK_MS, pollMs = POLL_MS, prefix } = options
      const redis = yield* RedisConnection

      const lockOf = (key: string): string => `${prefix}flight:${key}`
      const failureOf = (token: string): string => `${prefix}failure:${token}`

      /** Whose the lock is now; `None` if Redis did not say. */
      const claim = (key: string, token: string): Effect.Effect<Option.Option<string>> =>
        Effect.option(redis.send(["EVAL", CLAIM, "1", lockOf(key), token, String(lockMs)])).pipe(
          Effect.map(Option.flatMap(decodeText))
        )

      const release = (key: string, token: string, failure: Option.Option<string>): Effect.Effect<void> =>
        Effect.ignore(
          redis.send([
            "EVAL",
            RELEASE,
            "2",
            lockOf(key),
            failureOf(token),
            token,
            String(lockMs),
            ...Option.toArray(failure)
          ])
        )

      /** Whether it is still one's turn; it is as long as Redis does not say otherwise. */
      const isHolder = Effect.fnUntraced(function* <E>(key: string, token: string, flight: FleetFlight<E>) {
        const reply = yield* Effect.option(redis.send(["EVAL", RENEW, "1", lockOf(key), token, String(lockMs)]))
        const holder = Option.getOrElse(Option.flatMap(reply, decodeText), () => token)
        if (holder !== "") return holder === token
        if (Option.isSome(yield* flight.find)) return false
        return Option.getOrElse(yield* claim(key, token), () => token) === token
      })

      const findOrMake = <E>(flight: FleetFlight<E>): Effect.Effect<UiEntry, E> =>
        Effect.flatMap(flight.find, Option.match({ onNone: () => flight.make, onSome: Effect.succeed }))

      /** `None` if the turn was lost on the way. */
      const hold = <E>(key: string, token: string, flight: FleetFlight<E>): Effect.Effect<Option.Option<UiEntry>, E> =>
        Effect.suspend(() => {
          let isLost = false
          const turn = Effect.tap(isHolder(key, token, flight), (isOurs) =>
            Effect.sync(() => {
              isLost ||= !isOurs
            })
          )
          const losing = Effect.sleep(Duration.millis(lockMs * 0.3)).pipe(
            Effect.andThen(turn),
            Effect.repeat({ while: (isOurs) => isOurs }),
            Effect.as(Option.none<UiEntry>())
          )
          const making = findOrMake(flight).pipe(
            Effect.provideService(FlightTurn, turn),
            Effect.map((entry) => (isLost ? Option.none<UiEntry>() : Option.some(entry))),
            Effect.catch((failure) =>
              Effect.flatMap(turn, (isOurs) => (isOurs ? Effect.fail(failure) : Effect.succeedNone))
            )
          )
          return Effect.raceFirst(making, losing)
        }).pipe(
          Effect.interruptible,
          Effect.onExit((exit) =>
            release(key, token, Option.flatMap(Exit.findErrorOption(exit), Schema.encodeOption(flight.failure)))
          )
        )

      /** Fails as the flight failed that had the lock, if it did. */
      const readFailure = Effect.fnUntraced(function* <E>(token: string, flight: FleetFlight<E>) {
        const text = yield* Effect.option(redis.send(["GETRANGE", failureOf(token), "0", String(MAX_FAILURE - 1)]))
        const failure = text.pipe(Option.flatMap(decodeText), Option.flatMap(Schema.decodeOption(flight.failure)))
        if (Option.isSome(failure)) return yield* Effect.fail(failure.value)
      })

      /** Waits until the lock may be free: `None` if there is nothing to be found then. */
      const follow = Effect.fnUntraced(function* <E>(key: string, first: string, flight: FleetFlight<E>) {
        let followed = first
        for (;;) {
          yield* Effect.sleep(Duration.millis(pollMs * (yield* Random.nextBetween(0.75, 1.25))))
          const reply = yield* Effect.option(redis.send(["GETRANGE", lockOf(key), "0", String(MAX_HOLDER - 1)]))
          const holder = Option.flatMap(reply, decodeText)
          if (Option.isNone(holder)) return Option.none<UiEntry>()
          if (holder.value === followed) continue
          yield* readFailure(followed, flight)
          const found = yield* flight.find
          if (Option.isSome(found) || holder.value === "") return found
          followed = holder.value
        }
      })

      return FleetFlights.of({
        run: Effect.fn("FleetFlights.run")(<E>(key: string, flight: FleetFlight<E>) =>
          Effect.uninterruptibleMask((restore) =>
            Effect.gen(function* () {
              const token = randomUUID()
              for (;;) {
                const holder = Option.getOrElse(yield* claim(key, token), () => token)
                const found = yield* holder === token ? hold(key, token, flight) : restore(follow(key, holder, flight))
                if (Option.isSome(found)) return found.value
              }
            })
          ).pipe(Effect.provideService(RedisPatience, true))
        )
      })
    })
  )
