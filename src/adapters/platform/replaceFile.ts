import { Effect, FileSystem, type PlatformError } from "effect"
import { randomUUID } from "node:crypto"

/** The suffix of files that are not complete yet. */
export const UNFINISHED = ".tmp"

/** Work on the files of whatever `FileSystem` is given. */
export type FileWork<A, E = never> = Effect.Effect<A, PlatformError.PlatformError | E, FileSystem.FileSystem>

/** The `code` of a system error, such as `ENOENT`, from Node's error or from the one of `FileSystem`. */
export const systemErrorCode = (cause: unknown): string => {
  const error = cause instanceof Error && "reason" in cause ? cause.cause : cause
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "UNKNOWN"
}

/** `undefined` if the file or its folder does not exist. */
export const unlessMissing = <A, E, R>(work: Effect.Effect<A, E | PlatformError.PlatformError, R>) =>
  Effect.catchReason(work, "PlatformError", "NotFound", () => Effect.undefined)

/**
 * Replaces a file, which only its owner may read, as a whole: other processes see the old text or the new one. With
 * `durable` that holds after a power loss too. If it fails, it leaves nothing behind.
 */
export const replaceFile = (path: string, text: string, durable: boolean): FileWork<void> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const beside = `${path}.${randomUUID()}${UNFINISHED}`
    const flush = Effect.scoped(Effect.flatMap(fs.open(beside, { flag: "r+" }), (file) => file.sync))
    yield* fs.writeFileString(beside, text, { flag: "wx", mode: 0o600 }).pipe(
      Effect.andThen(durable ? flush : Effect.void),
      Effect.andThen(fs.rename(beside, path)),
      Effect.tapError(() => Effect.ignore(fs.remove(beside, { force: true })))
    )
  }).pipe(Effect.uninterruptible)
