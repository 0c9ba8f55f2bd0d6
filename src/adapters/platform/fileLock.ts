import { Clock, Duration, Effect, FileSystem, Option, Schema } from "effect"
import { Buffer } from "node:buffer"
import { randomUUID } from "node:crypto"
import { hostname } from "node:os"
import { readSmallFile } from "./readSmallFile.ts"
import { type FileWork, systemErrorCode, unlessMissing } from "./replaceFile.ts"

const POLL = Duration.millis(250)
/** How often the holder of a lock touches its file. */
const HEARTBEAT = Duration.seconds(20)
/** A holder on another machine, or an unknown one, counts as gone after this long without a heartbeat. */
const SILENT_MS = Duration.toMillis(Duration.minutes(2))
/** After this long, another process may have the holder's id: ids are given again. */
const HUNG_MS = Duration.toMillis(Duration.minutes(15))

/** A larger lock file was not written here. */
const MAX_BYTES = 4096

const Holder = Schema.Struct({
  id: Schema.String,
  pid: Schema.Int.check(Schema.isGreaterThan(0)),
  host: Schema.String
})
const decodeHolder = Schema.decodeUnknownOption(Schema.fromJsonString(Holder))

/** Who holds a lock; `undefined` if its file does not say. */
const holderOf = (path: string) =>
  Effect.map(Effect.option(readSmallFile(path, MAX_BYTES)), (text) =>
    Option.getOrUndefined(Option.flatMap(text, decodeHolder))
  )

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (cause) {
    return systemErrorCode(cause) === "EPERM"
  }
}

const isAbandoned = (holder: typeof Holder.Type | undefined, ageMs: number): boolean => {
  if (holder === undefined || holder.host !== hostname()) return ageMs > SILENT_MS
  return !isRunning(holder.pid) || ageMs > HUNG_MS
}

const markAlive = Effect.fnUntraced(function* (path: string) {
  const fs = yield* FileSystem.FileSystem
  const now = yield* Clock.currentTimeMillis
  yield* fs.utimes(path, now / 1000, now / 1000)
})

/** Returns the id of the lock, which is ours then. Fails with `AlreadyExists` while another holds it. */
const create = Effect.fnUntraced(function* (path: string) {
  const fs = yield* FileSystem.FileSystem
  const id = randomUUID()
  const file = yield* fs.open(path, { flag: "wx", mode: 0o600 })
  yield* file.writeAll(Buffer.from(JSON.stringify({ id, pid: process.pid, host: hostname() }))).pipe(
    Effect.andThen(markAlive(path)),
    // Others would wait for a lock without a holder until it is old.
    Effect.tapError(() => Effect.ignore(fs.remove(path, { force: true })))
  )
  return id
}, Effect.scoped)

/** Removes the lock if its holder is gone. Returns whether to try again at once. */
const removeAbandoned = Effect.fnUntraced(function* (path: string) {
  const fs = yield* FileSystem.FileSystem
  const holder = yield* holderOf(path)
  const { mtime } = yield* fs.lstat(path)
  const age = (yield* Clock.currentTimeMillis) - Option.getOrElse(mtime, () => new Date(0)).getTime()
  if (!isAbandoned(holder, age)) return false
  // Move it away first: somebody else may have taken the lock over in between.
  const aside = `${path}.${randomUUID()}`
  yield* fs.rename(path, aside)
  const moved = yield* holderOf(aside)
  if (moved?.id === holder?.id) yield* fs.remove(aside, { force: true })
  else yield* fs.rename(aside, path)
  return true
})

/** The id of the lock, which is ours then; `undefined` while another holds it. */
const attempt = (path: string): FileWork<string | undefined> =>
  Effect.catchReason(create(path), "PlatformError", "AlreadyExists", () =>
    // Missing: it was released or taken over meanwhile.
    Effect.flatMap(
      Effect.map(unlessMissing(removeAbandoned(path)), (isFree) => isFree ?? true),
      (isFree) => (isFree ? attempt(path) : Effect.undefined)
    )
  )

const release = Effect.fnUntraced(function* (path: string, id: string) {
  const fs = yield* FileSystem.FileSystem
  if ((yield* holderOf(path))?.id === id) yield* fs.remove(path, { force: true })
})

const keepAlive = (path: string) =>
  Effect.forever(Effect.andThen(Effect.sleep(HEARTBEAT), Effect.ignore(markAlive(path))))

/**
 * Runs an effect while a file at this path tells all other processes so; waits until nobody else holds it. The lock of
 * a process that ended or hangs is taken over. Where no such file can be made (its folder is missing or read-only), the
 * effect runs anyway: then nothing in that folder needs protection.
 */
export const withFileLock =
  (path: string) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R | FileSystem.FileSystem> =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        // A file that cannot be closed, as on a full network disk, is a defect.
        const once = attempt(path).pipe(Effect.catchDefect(Effect.fail), Effect.option)
        let lock = yield* once
        while (Option.isSome(lock) && lock.value === undefined) {
          yield* restore(Effect.sleep(POLL))
          lock = yield* once
        }
        const id = Option.getOrUndefined(lock)
        if (id === undefined) return yield* restore(effect)
        return yield* restore(Effect.raceFirst(effect, keepAlive(path))).pipe(
          Effect.ensuring(Effect.ignore(release(path, id)))
        )
      })
    )
