import { Clock, Duration, Effect } from "effect"
import { randomUUID } from "node:crypto"
import { lstat, open, rename, rm, utimes } from "node:fs/promises"
import { hostname } from "node:os"
import { readSmallFile } from "./readSmallFile.ts"

const POLL = Duration.millis(250)
/** Who holds a lock makes its file younger this often. */
const HEARTBEAT = Duration.seconds(20)
/** A holder of whom nothing but the age of the file is known is gone after so long without a heartbeat. */
const SILENT_MS = Duration.toMillis(Duration.minutes(2))
/** A process with the holder's id runs, but after so long it is another one: ids are given again. */
const HUNG_MS = Duration.toMillis(Duration.minutes(15))

/** Of a lock's file; whatever is larger, or no file at all, was not written here. */
const MAX_BYTES = 4096

interface Holder {
  readonly id: string
  readonly pid: number
  readonly host: string
}

const codeOf = (cause: unknown): unknown => (cause instanceof Error && "code" in cause ? cause.code : undefined)

const readHolder = async (path: string): Promise<Holder | undefined> => {
  try {
    const { id, pid, host }: Record<string, unknown> = JSON.parse(await readSmallFile(path, MAX_BYTES))
    if (typeof id !== "string" || typeof host !== "string") return undefined
    return typeof pid === "number" && Number.isInteger(pid) && pid > 0 ? { id, pid, host } : undefined
  } catch {
    return undefined
  }
}

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (cause) {
    return codeOf(cause) === "EPERM"
  }
}

const isAbandoned = (holder: Holder | undefined, ageMs: number): boolean => {
  if (holder === undefined || holder.host !== hostname()) return ageMs > SILENT_MS
  return !isRunning(holder.pid) || ageMs > HUNG_MS
}

const markAlive = (path: string, now: number): Promise<void> => utimes(path, now / 1000, now / 1000)

/** Moves the file away before it is deleted, because in between somebody else may have taken the lock over. */
const takeAway = async (path: string, seen: Holder | undefined): Promise<void> => {
  const aside = `${path}.${randomUUID()}`
  await rename(path, aside)
  const moved = await readHolder(aside)
  if (moved?.id === seen?.id) await rm(aside, { force: true })
  else await rename(aside, path)
}

const create = async (path: string, now: number): Promise<string> => {
  const holder: Holder = { id: randomUUID(), pid: process.pid, host: hostname() }
  const file = await open(path, "wx", 0o600)
  try {
    try {
      await file.writeFile(JSON.stringify(holder))
    } finally {
      await file.close()
    }
    await markAlive(path, now)
  } catch (cause) {
    // A lock that says nobody's name would be waited for until it is old.
    await rm(path, { force: true }).catch(() => undefined)
    throw cause
  }
  return holder.id
}

/** Removes the lock if its holder is gone. Answers whether it is worth trying again at once. */
const removeAbandoned = async (path: string, now: number): Promise<boolean> => {
  try {
    const holder = await readHolder(path)
    const { mtimeMs } = await lstat(path)
    if (!isAbandoned(holder, now - mtimeMs)) return false
    await takeAway(path, holder)
  } catch (cause) {
    // Released, or taken over, in the meantime.
    if (codeOf(cause) !== "ENOENT") throw cause
  }
  return true
}

/** The id of the lock that is ours now; `undefined` while it is somebody else's. */
const attempt = async (path: string, now: number): Promise<string | undefined> => {
  do {
    try {
      return await create(path, now)
    } catch (cause) {
      if (codeOf(cause) !== "EEXIST") throw cause
    }
  } while (await removeAbandoned(path, now))
  return undefined
}

const release = async (path: string, id: string): Promise<void> => {
  const holder = await readHolder(path)
  if (holder?.id === id) await rm(path, { force: true })
}

const keepAlive = (path: string): Effect.Effect<never> =>
  Effect.sleep(HEARTBEAT).pipe(
    Effect.andThen(Clock.currentTimeMillis),
    Effect.flatMap((now) => Effect.ignore(Effect.tryPromise(() => markAlive(path, now)))),
    Effect.forever
  )

/**
 * Runs an effect while a file with this path exists that says so to all other processes; waits until nobody else has
 * it. The lock of a process that ended or hangs is taken over. Where no such file can be made (its folder is missing
 * or read-only), the effect runs all the same: then there is also nothing in that folder to keep apart.
 */
export const withFileLock =
  (path: string) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        const once = Clock.currentTimeMillis.pipe(
          Effect.flatMap((now) => Effect.option(Effect.tryPromise(() => attempt(path, now))))
        )
        let lock = yield* once
        while (lock._tag === "Some" && lock.value === undefined) {
          yield* restore(Effect.sleep(POLL))
          lock = yield* once
        }
        if (lock._tag === "None" || lock.value === undefined) return yield* restore(effect)
        const id = lock.value
        return yield* restore(Effect.raceFirst(effect, keepAlive(path))).pipe(
          Effect.ensuring(Effect.ignore(Effect.tryPromise(() => release(path, id))))
        )
      })
    )
