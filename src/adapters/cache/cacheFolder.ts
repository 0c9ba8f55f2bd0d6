import { Deferred, Duration, Effect, Fiber, FileSystem, Option, type PlatformError, Queue, Schedule } from "effect"
import type { UiEntry } from "../../domain/tools/UiEntry.ts"
import { assureTrust, FolderDistrusted } from "../platform/folderTrust.ts"
import { joinedWithin } from "../platform/joinedWithin.ts"
import { systemErrorCode } from "../platform/replaceFile.ts"

/** While this many changes wait, no more are taken. */
const MAX_WAITING = 200
/** Read timeout. After one, skip reads until the stuck call returns. */
const READ_PATIENCE = Duration.seconds(2)
/** How long a caller waits to hear whether an entry was written. */
const WRITE_PATIENCE = Duration.seconds(4)
/** How long the end of the process waits for a folder that does not answer. */
const END_GRACE = Duration.seconds(1)
/** How long it waits for a folder that answers, until everything is written. */
const END_PATIENCE = Duration.seconds(5)

/** The folder did not answer in time, or too many changes wait. The call may still be under way. */
class NotAnswered extends Error {
  readonly code = "ETIMEDOUT"
}

type Failure = PlatformError.PlatformError | FolderDistrusted | NotAnswered

/** What the folder does not have yet; `entry` is `null` for a file that is to be removed. */
interface Change {
  readonly entry: UiEntry | null
  /** Done when the change was made, failed, or a later one took its place. */
  readonly settled: Deferred.Deferred<void>
}

const notAnswered = Effect.fail(new NotAnswered("ETIMEDOUT: the folder does not answer"))

/**
 * The folder of a cache, which may be on a network and never answer. Nobody waits for a change: one fiber makes them in
 * order, and the end of the scope waits for the rest. Readers wait for a moment. At most one read and one write hang,
 * because each hanging call keeps a thread of this process. A failure is logged once.
 */
export const makeCacheFolder = Effect.fnUntraced(function* (
  directory: string,
  /** Writes the file of a key, or removes it. */
  write: (key: string, entry: UiEntry | null) => Effect.Effect<void, PlatformError.PlatformError, FileSystem.FileSystem>
) {
  const fs = yield* FileSystem.FileSystem
  /** The newest change of each key. */
  const unwritten = new Map<string, Change>()
  const changedKeys = yield* Queue.unbounded<string>()
  const told = new Set<string>()
  let hanging = 0

  const warnOnce = (what: string, message: string, details: Readonly<Record<string, unknown>>) => {
    if (told.has(what)) return Effect.void
    told.add(what)
    return Effect.logWarning(message).pipe(Effect.annotateLogs({ component: "cache", ...details }))
  }

  const warnOf = (verb: string) => (failure: Failure) => {
    const code = systemErrorCode(failure)
    const isDistrusted = failure instanceof FolderDistrusted
    const why = isDistrusted ? `is not used, because ${failure.message}` : `cannot be ${verb}`
    const message = `UIs are kept in memory only: the cache directory ${why}`
    return warnOnce(isDistrusted ? code : `${verb} ${code}`, message, { directory, code })
  }

  /** In its own fiber, because a system call cannot be taken back. */
  const start = <A, E>(work: Effect.Effect<A, E, FileSystem.FileSystem>) =>
    work.pipe(Effect.provideService(FileSystem.FileSystem, fs), Effect.forkDetach({ startImmediately: true }))

  const ask = Effect.fnUntraced(function* <A>(work: Effect.Effect<A, Failure, FileSystem.FileSystem>) {
    if (hanging > 0) return yield* Effect.fail(new NotAnswered("ETIMEDOUT: an earlier call hangs"))
    const fiber = yield* start(Effect.andThen(assureTrust(directory), work))
    const onFailure = (failure: Failure) => {
      if (!(failure instanceof NotAnswered)) return
      hanging += 1
      fiber.addObserver(() => void (hanging -= 1))
    }
    return yield* Effect.tapError(joinedWithin(fiber, READ_PATIENCE, notAnswered), (failure) =>
      Effect.sync(() => onFailure(failure))
    )
  })

  const settle = (key: string, change: Change | undefined): void => {
    if (unwritten.get(key) === change) unwritten.delete(key)
    if (change !== undefined) Deferred.doneUnsafe(change.settled, Effect.void)
  }

  const writeNext = Effect.gen(function* () {
    const key = yield* Queue.take(changedKeys)
    const change = unwritten.get(key)
    if (change === undefined) return
    const work = Effect.andThen(assureTrust(directory), write(key, change.entry))
    const fiber = yield* start(
      Effect.ensuring(
        work,
        Effect.sync(() => settle(key, change))
      )
    )
    yield* joinedWithin(fiber, WRITE_PATIENCE, notAnswered).pipe(Effect.catch(warnOf("written")))
    yield* Fiber.await(fiber)
  })

  const settled = Effect.fnUntraced(function* (next: () => Change | undefined) {
    for (let change = next(); change !== undefined; change = next()) yield* Deferred.await(change.settled)
  })

  /** Ends when the folder leaves a question unanswered. */
  const deaf = start(Effect.ignore(fs.stat(directory))).pipe(
    Effect.flatMap((fiber) => Effect.timeoutOption(Fiber.await(fiber), END_GRACE)),
    Effect.repeat({ until: Option.isNone, schedule: Schedule.spaced("100 millis") })
  )

  const writeRest = Effect.gen(function* () {
    const written = settled(() => unwritten.values().next().value)
    yield* Effect.raceFirst(written, deaf).pipe(Effect.timeoutOption(END_PATIENCE), Effect.interruptible)
    const uis = [...unwritten.values()].filter(({ entry }) => entry !== null).length
    if (uis === 0) return
    yield* Effect.logWarning(`${uis} ${uis === 1 ? "UI was" : "UIs were"} not written to the cache directory`).pipe(
      Effect.annotateLogs({ component: "cache", directory, uis })
    )
  })

  yield* Effect.forkScoped(Effect.forever(writeNext))
  yield* Effect.addFinalizer(() => writeRest)

  return {
    warnOnce,
    /** What the folder has; `undefined` if it cannot be read. */
    read: <A>(work: Effect.Effect<A, Failure, FileSystem.FileSystem>): Effect.Effect<A | undefined> =>
      ask(work).pipe(Effect.catch((failure) => Effect.as(warnOf("read")(failure), undefined))),
    /** Replaces an earlier change of the same key that has not begun. */
    change: Effect.fnUntraced(function* (key: string, entry: UiEntry | null) {
      const earlier = unwritten.get(key)
      if (earlier === undefined && unwritten.size >= MAX_WAITING) {
        return yield* warnOf("written")(new NotAnswered("ETIMEDOUT: too many changes wait"))
      }
      unwritten.set(key, { entry, settled: Deferred.makeUnsafe() })
      settle(key, earlier)
      yield* Queue.offer(changedKeys, key)
    }),
    /** What the file of a key will be; `undefined` if no change waits. */
    changed: (key: string): UiEntry | null | undefined => unwritten.get(key)?.entry,
    /** Drops a change that has not begun. */
    forget: (key: string): void => settle(key, unwritten.get(key)),
    /** Waits until the changes of a key are made or have failed, a few seconds at most. */
    settled: (key: string) =>
      Effect.timeoutOption(
        settled(() => unwritten.get(key)),
        WRITE_PATIENCE
      )
  }
})
