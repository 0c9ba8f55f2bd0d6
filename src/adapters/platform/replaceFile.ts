import { Effect, FileSystem, type PlatformError } from "effect"
import { randomUUID } from "node:crypto"

/** How the names of files end that are not complete yet. */
export const UNFINISHED = ".tmp"

/** What is done with files, by the `FileSystem` that it is given. */
export type FileWork<A, E = never> = Effect.Effect<A, PlatformError.PlatformError | E, FileSystem.FileSystem>

/** The `code` of a system error, such as `ENOENT`: of Node's error, or of the one that `FileSystem` makes of it. */
export const systemErrorCode = (cause: unknown): string => {
  const error = cause instanceof Error && "reason" in cause ? cause.cause : cause
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "UNKNOWN"
}

/** `undefined` where the file, or its folder, is not there. */
export const unlessMissing = <A, E, R>(work: Effect.Effect<A, E | PlatformError.PlatformError, R>) =>
  Effect.catchReason(work, "PlatformError", "NotFound", () => Effect.undefined)

/**
 * Writes a file that only its owner may read, at once as a whole: other processes see the old text or the new one. With
 * `durable`, also after a loss of power. Where it fails, it leaves nothing behind.
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
