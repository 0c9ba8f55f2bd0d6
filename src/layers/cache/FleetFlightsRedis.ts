import { Duration, Effect, Exit, Layer, Option, Random, Schema } from "effect"
import { randomUUID } from "node:crypto"
import type { UiEntry } from "../../domain/tools/UiEntry.ts"
import { type FleetFlight, FleetFlights } from "../../services/cache/FleetFlights.ts"
import { FlightTurn } from "../../services/cache/FlightTurn.ts"
import { RedisConnection, RedisPatience } from "../../services/cache/RedisConnection.ts"

/** A lock that nobody renews expires after this (milliseconds); so does a failure. */
const LOCK_MS = 5000
/** How often waiting machines look (milliseconds). */
const POLL_MS = 250

/** How much is read of a lock, and of a failure, in bytes: others may have written longer ones. */
const MAX_HOLDER = 100
const MAX_FAILURE = 10_000

/** Takes or renews the lock, and returns its holder. */
const CLAIM = `
local holder = redis.call('GETRANGE', KEYS[1], 0, ${MAX_HOLDER - 1})
if holder ~= '' and holder ~= ARGV[1] then return holder end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return ARGV[1]`

/** Renews the lock, and returns its holder; empty if the lock has expired. */
const RENEW = `
local holder = redis.call('GETRANGE', KEYS[1], 0, ${MAX_HOLDER - 1})
if holder == ARGV[1] then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return holder`

/** Releases the lock if we still hold it, and leaves a failure for those who wait. */
const RELEASE = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('DEL', KEYS[1])
if ARGV[3] then redis.call('SET', KEYS[2], ARGV[3], 'PX', ARGV[2]) end
return 1`

const decodeText = Schema.decodeUnknownOption(Schema.String)

/**
 * The machine that makes a UI holds a lock in Redis, `<prefix>flight:<key>`; the value names the holder. The lock
 * expires after five seconds and is renewed three times as often while `make` runs. So when a machine dies, another one
 * takes over.
 * - **Waiting.** The others look every quarter of a second whether the lock still has the same value. If not, they look
 *   for a failure of that flight, then for the UI. Then they try to take the lock; one of them gets it.
 * - **Failing.** A failure is left under `<prefix>failure:<value of the lock>`. Those who waited for that flight fail
 *   with it, instead of repeating what has just failed. A later reader begins a new flight.
 * - **Losing the turn.** A machine that was frozen finds its lock expired. It goes on only if nobody else holds the
 *   lock and nobody has made the UI meanwhile. Else it stops, stores nothing (`FlightTurn`), and gets what the other
 *   one makes.
 * - **Redis slow.** Every command here waits as long as the connection may be silent (`RedisPatience`): a claim without
 *   an answer is not won. After that the connection is closed, and Redis is away.
 * - **Redis away.** Every machine makes the UI itself, at once. A maker that lost its lock goes on, and takes it again
 *   when Redis is back and nobody else holds it.
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

      /** The holder of the lock now; `None` if Redis did not answer. */
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

      /** Whether it is still our turn: yes, unless Redis says otherwise. */
      const isHolder = Effect.fnUntraced(function* <E>(key: string, token: string, flight: FleetFlight<E>) {
        const reply = yield* Effect.option(redis.send(["EVAL", RENEW, "1", lockOf(key), token, String(lockMs)]))
        const holder = Option.getOrElse(Option.flatMap(reply, decodeText), () => token)
        if (holder !== "") return holder === token
        if (Option.isSome(yield* flight.find)) return false
        return Option.getOrElse(yield* claim(key, token), () => token) === token
      })

      const findOrMake = <E>(flight: FleetFlight<E>): Effect.Effect<UiEntry, E> =>
        Effect.flatMap(flight.find, Option.match({ onNone: () => flight.make, onSome: Effect.succeed }))

      /** `None` if we lost the turn on the way. */
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

      /** Fails with the failure that the holder of this lock left, if any. */
      const readFailure = Effect.fnUntraced(function* <E>(token: string, flight: FleetFlight<E>) {
        const text = yield* Effect.option(redis.send(["GETRANGE", failureOf(token), "0", String(MAX_FAILURE - 1)]))
        const failure = text.pipe(Option.flatMap(decodeText), Option.flatMap(Schema.decodeOption(flight.failure)))
        if (Option.isSome(failure)) return yield* Effect.fail(failure.value)
      })

      /** Waits until the lock may be free; `None` if there is still no UI then. */
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
