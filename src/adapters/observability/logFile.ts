import { Effect } from "effect"
import { constants } from "node:fs"
import { access, lstat, open, readlink, stat } from "node:fs/promises"
import { dirname, resolve, sep } from "node:path"
import { systemErrorCode } from "../platform/replaceFile.ts"

/** As "a", without waiting for the reader of a pipe. Windows has no such flag, and no pipes in folders. */
export const APPEND = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NONBLOCK ?? 0)

const OPEN_ERRORS: Readonly<Record<string, string>> = {
  ENOENT: "its folder does not exist; create it first",
  ENOTDIR: "a part of its path is not a folder; name another",
  EISDIR: "it is a folder; name a file",
  EACCES: "no permission; name another, or allow it",
  ENXIO: "it is a pipe that nobody reads",
  EROFS: "the file system is read-only; name another"
}

/** Why the file for logs cannot be opened, and what to do, by the `code` of Node's error. */
export const logFileDetail = (code: string): string => OPEN_ERRORS[code] ?? code

class IsDirectory extends Error {
  readonly code = "EISDIR"
}

/** Rejects with the error that making the file would give. Follows a link to where the file would be. */
const tryMissing = async (path: string): Promise<void> => {
  const target = await readlink(path).catch(() => undefined)
  if (target !== undefined) return tryFile(resolve(dirname(path), target))
  if (path.endsWith("/") || path.endsWith(sep)) throw new IsDirectory(`EISDIR: ${path}`)
  await lstat(dirname(path))
  await access(dirname(path), constants.W_OK | constants.X_OK)
}

const tryFile = async (path: string): Promise<void> => {
  try {
    // Opened and closed, a pipe would tell its reader that the log is over.
    if ((await stat(path)).isFIFO()) return
    await (await open(path, APPEND & ~constants.O_CREAT)).close()
  } catch (cause) {
    if (systemErrorCode(cause) !== "ENOENT") throw cause
    await tryMissing(path)
  }
}

/** Why a start could not append its log to a file, as {@link logFileDetail} says it. Makes no file, and opens no pipe. */
export const logFileProblem = (file: string): Effect.Effect<string | undefined> =>
  Effect.tryPromise({ try: () => tryFile(file), catch: systemErrorCode }).pipe(
    Effect.as(undefined),
    Effect.catch((code) => Effect.succeed(logFileDetail(code)))
  )

/** Warns of a log that others can read. Logs that we make are their owner's alone. */
export const logFileExposure = (file: string): Effect.Effect<string | undefined> =>
  Effect.tryPromise(() => stat(file)).pipe(
    Effect.map((found) =>
      process.platform !== "win32" && found.isFile() && (found.mode & 0o077) !== 0
        ? `others can read this log (its mode is ${(found.mode & 0o7777).toString(8)}); chmod 600 it unless that is meant`
        : undefined
    ),
    Effect.orElseSucceed(() => undefined)
  )
