import { Clock, Effect, Layer, Option, Schema, Semaphore } from "effect"
import { describeUnfit, entryText, inspected, readEntryText } from "../../adapters/cache/uiEntryText.ts"
import { isShared, outlasts } from "../../domain/cache/SharedEntries.ts"
import { entryBytes, isExpired, type EntryBounds, BoundedEntries } from "../../domain/cache/BoundedEntries.ts"
import type { UiEntry } from "../../domain/tools/UiEntry.ts"
import { HtmlInspector } from "../../services/inspection/HtmlInspector.ts"
import { FlightTurn } from "../../services/cache/FlightTurn.ts"
import { RedisConnection } from "../../services/cache/RedisConnection.ts"
import { UiCache } from "../../services/cache/UiCache.ts"
import { cacheReads } from "./cacheReads.ts"

/** Without a time to live in the settings, Redis drops what nobody has used for this long (milliseconds). */
const IDLE_MS = 30 * 24 * 3_600_000
/** Redis is told at most this often that an entry was used (milliseconds). */
const RENEWAL_MS = 3_600_000
/** Changes that wait for Redis; beyond this, the oldest are dropped. */
const MAX_UNWRITTEN = 100
/** How many keys are remembered as reported. */
const MAX_TOLD = 1000

/** Returns a value, or only its size if it is larger than a UI may be: so nothing too large gets into memory. */
const READ = `
local size = redis.call('STRLEN', KEYS[1])
if size > tonumber(ARGV[1]) then return size end
return redis.call('GET', KEYS[1])`

/** What is known of an entry's copy in Redis. */
interface Copy {
  /** The first line of its text, with the checksum of the rest. */
  readonly head: string
  /** The connection that last told us of it. */
  connection: number
  /** Milliseconds since the epoch. */
  renewedAt: number
}

const decodeText = Schema.decodeUnknownOption(Schema.NullOr(Schema.String))
const decodeValue = Schema.decodeUnknownOption(Schema.Union([Schema.NullOr(Schema.String), Schema.Finite]))

const headOf = (text: string): string => text.slice(0, text.indexOf("\n") + 1)

/**
 * UIs that several machines share through Redis, under `<prefix>ui:<key>`, with a copy in memory. What Redis has under
 * a key counts, also if another machine wrote or removed it. A copy that is the same is only compared, not read again.
 * While Redis is away, everything is read from memory, and the newest hundred changes are passed on when it is back. A
 * Redis that came back empty gets from memory what is used again. Failures stay in memory. Values that are damaged, too
 * large or of another version are reported once and count as absent. The bounds hold for the memory; in Redis an entry
 * has a time to live. A source from Redis is inspected first.
 */
export const layer = (
  options: EntryBounds & { readonly prefix: string }
): Layer.Layer<UiCache, never, HtmlInspector | RedisConnection> =>
  Layer.effect(
    UiCache,
    Effect.gen(function* () {
      const { maxEntries, prefix, ttlMs } = options
      const maxTextBytes = 4 * options.maxEntrySizeBytes
      const redis = yield* RedisConnection
      const inspector = yield* HtmlInspector
      const held = new BoundedEntries(options)
      const copies = new Map<string, Copy>()
      /** What Redis does not have yet; `null` is to be removed. */
      const unwritten = new Map<string, UiEntry | null>()
      const told = new Set<string>()
      const passingOn = yield* Semaphore.make(1)

      const nameOf = (key: string): string => `${prefix}ui:${key}`

      /** `None` if Redis is away; `null` if it has nothing. */
      const ask = (...command: ReadonlyArray<string>): Effect.Effect<Option.Option<string | null>> =>
        Effect.option(redis.send(command)).pipe(Effect.map(Option.flatMap(decodeText)))

      /** The same for a whole value; a number is the size of a value that is too large. */
      const read = (key: string): Effect.Effect<Option.Option<string | number | null>> =>
        Effect.option(redis.send(["EVAL", READ, "1", nameOf(key), String(maxTextBytes)])).pipe(
          Effect.map(Option.flatMap(decodeValue))
        )

      const keep = (entry: UiEntry, text: string, renewedAt: number): void => {
        if (!held.set(entry)) {
          copies.delete(entry.key)
          return
        }
        copies.set(entry.key, { head: headOf(text), connection: redis.connections(), renewedAt })
        for (const key of copies.size > 2 * maxEntries ? copies.keys() : []) {
          if (held.peek(key, renewedAt) === undefined) copies.delete(key)
        }
      }

      const lose = (key: string): void => {
        held.drop(key)
        copies.delete(key)
      }

      const writeLater = (key: string, entry: UiEntry | null): void => {
        unwritten.delete(key)
        unwritten.set(key, entry)
        const oldest = unwritten.keys().next().value
        if (unwritten.size > MAX_UNWRITTEN && oldest !== undefined) unwritten.delete(oldest)
      }

      const lifeOf = (entry: UiEntry, now: number): number =>
        ttlMs === undefined ? IDLE_MS : entry.createdAt + ttlMs - now

      /** Whether Redis has it now. With `onlyIfAbsent`, what another machine wrote stays. */
      const write = Effect.fnUntraced(function* (entry: UiEntry, text: string, onlyIfAbsent: boolean) {
        const life = lifeOf(entry, yield* Clock.currentTimeMillis)
        if (life <= 0) return true
        const conditions = onlyIfAbsent ? ["NX"] : []
        const sent = redis.send(["SET", nameOf(entry.key), text, "PX", String(Math.ceil(life)), ...conditions])
        return Option.isSome(yield* Effect.option(sent))
      })

      const warnOnce = (key: string, what: string) =>
        Effect.suspend(() => {
          if (told.has(key)) return Effect.void
          if (told.size >= MAX_TOLD) told.clear()
          told.add(key)
          return Effect.logWarning(`a UI in Redis ${what}: it is left out`).pipe(
            Effect.annotateLogs({ component: "cache", key: key.slice(0, 16) })
          )
        })

      const renew = Effect.fnUntraced(function* (key: string, copy: Copy, now: number) {
        if (ttlMs !== undefined || now - copy.renewedAt < RENEWAL_MS) return
        copy.renewedAt = now
        yield* Effect.ignore(redis.send(["PEXPIRE", nameOf(key), String(IDLE_MS)]))
      })

      /** For a key without a copy in memory, or whose text in Redis is another one. */
      const load = Effect.fnUntraced(function* (key: string, inMemory: UiEntry | undefined, now: number) {
        const text = yield* read(key)
        if (Option.isNone(text)) return inMemory
        const failure = inMemory !== undefined && !isShared(inMemory) ? inMemory : undefined
        if (typeof text.value === "number") {
          yield* warnOnce(key, `is too large (${text.value} bytes)`)
          return failure
        }
        if (text.value === null) {
          if (failure !== undefined) return failure
          const copy = copies.get(key)
          if (inMemory !== undefined && copy !== undefined && copy.connection !== redis.connections()) {
            const own = entryText(inMemory)
            if (yield* write(inMemory, own, true)) keep(inMemory, own, now)
            return inMemory
          }
          lose(key)
          return undefined
        }
        const stored = yield* inspected(readEntryText(text.value, key), inspector)
        if (stored._tag === "Entry") {
          if (!isShared(stored.entry) || (failure !== undefined && !outlasts(stored.entry, failure))) return inMemory
          if (isExpired(stored.entry, ttlMs, now)) {
            lose(key)
            return undefined
          }
          keep(stored.entry, text.value, 0)
          return stored.entry
        }
        yield* warnOnce(key, describeUnfit(stored))
        return failure
      })

      const find = Effect.fnUntraced(function* (key: string, isUse: boolean) {
        const now = yield* Clock.currentTimeMillis
        const inMemory = isUse ? held.get(key, now) : held.peek(key, now)
        const waiting = unwritten.get(key)
        if (waiting !== undefined) return waiting === null || isExpired(waiting, ttlMs, now) ? undefined : waiting
        const copy = inMemory === undefined ? undefined : copies.get(key)
        let entry = inMemory
        if (copy === undefined) entry = yield* load(key, inMemory, now)
        else {
          const head = yield* ask("GETRANGE", nameOf(key), "0", String(copy.head.length - 1))
          if (Option.isNone(head)) return inMemory
          if (head.value === copy.head) copy.connection = redis.connections()
          else entry = yield* load(key, inMemory, now)
        }
        const known = copies.get(key)
        if (isUse && entry !== undefined && known !== undefined) yield* renew(key, known, now)
        return entry
      })

      const passOn = Effect.fnUntraced(function* (key: string, entry: UiEntry | null) {
        if (entry === null) {
          if (Option.isNone(yield* Effect.option(redis.send(["DEL", nameOf(key)])))) return false
        } else {
          const text = yield* read(key)
          if (Option.isNone(text)) return false
          const stored = typeof text.value === "string" ? readEntryText(text.value, key) : undefined
          if (stored?._tag === "Entry" && outlasts(stored.entry, entry)) {
            if (unwritten.get(key) === entry) lose(key)
          } else if (unwritten.get(key) === entry) {
            const own = entryText(entry)
            if (!(yield* write(entry, own, false))) return false
            const now = yield* Clock.currentTimeMillis
            if (unwritten.get(key) === entry && held.peek(key, now) === entry) keep(entry, own, now)
          }
        }
        if (unwritten.get(key) === entry) unwritten.delete(key)
        return true
      })

      const passOnAll = passingOn.withPermit(
        Effect.gen(function* () {
          for (const [key, entry] of Array.from(unwritten)) {
            if (unwritten.get(key) === entry && !(yield* passOn(key, entry))) return
          }
        })
      )

      yield* redis.whenThere(passOnAll)
      const scope = yield* Effect.scope

      return UiCache.of({
        ...(yield* cacheReads(find, () => held)),
        set: Effect.fn("UiCache.set")(function* (entry) {
          if (!held.fits(entryBytes(entry))) return
          if (!(yield* yield* FlightTurn)) return
          if (!isShared(entry)) {
            unwritten.delete(entry.key)
            copies.delete(entry.key)
            held.set(entry)
            return
          }
          const text = entryText(entry)
          // Until Redis has it, a read of this process must not find the old entry.
          writeLater(entry.key, entry)
          keep(entry, text, yield* Clock.currentTimeMillis)
          if (!(yield* write(entry, text, false))) return
          if (unwritten.get(entry.key) === entry) unwritten.delete(entry.key)
          if (unwritten.size > 0) yield* Effect.forkIn(passOnAll, scope)
        }, Effect.uninterruptible),
        isLasting: (key) => Effect.sync(() => copies.has(key) && !unwritten.has(key)),
        removeTool: Effect.fn("UiCache.removeTool")(function* (toolName) {
          const waiting = [...unwritten].flatMap(([key, entry]) => (entry?.toolName === toolName ? [key] : []))
          const keys = [...new Set([...held.keysOf(toolName), ...waiting])]
          if (keys.length === 0) return
          for (const key of keys) {
            lose(key)
            writeLater(key, null)
          }
          const removed = yield* Effect.option(redis.send(["DEL", ...keys.map(nameOf)]))
          if (Option.isNone(removed)) return
          for (const key of keys) if (unwritten.get(key) === null) unwritten.delete(key)
        }, Effect.uninterruptible)
      })
    })
  )
