import { Effect, FileSystem, Option, PlatformError } from "effect"
import { Buffer } from "node:buffer"
import { isOwn } from "./folderTrust.ts"
import type { FileWork } from "./replaceFile.ts"

/** Something is there that must not be read. The code is like those of the system. */
export const unfitFile = (code: string, path: string): PlatformError.PlatformError =>
  PlatformError.systemError({
    _tag: "BadResource",
    module: "FileSystem",
    method: "open",
    pathOrDescriptor: path,
    cause: Object.assign(new Error(`${code}: ${path}`), { code })
  })

/** Whether a code of {@link readSmallFile} says that something is there that must not be read. */
export const isUnfitFile = (code: string): boolean => ["EISDIR", "EFBIG", "ENOTREG", "ENOTOWN"].includes(code)

const readFile = (path: string, maxBytes: number, ofAnybody: boolean): FileWork<Buffer> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const assureFit = (info: FileSystem.File.Info) => {
      if (!ofAnybody && !isOwn(info)) return Effect.fail(unfitFile("ENOTOWN", path))
      if (info.type === "Directory") return Effect.fail(unfitFile("EISDIR", path))
      if (info.type !== "File") return Effect.fail(unfitFile("ENOTREG", path))
      return info.size > maxBytes ? Effect.fail(unfitFile("EFBIG", path)) : Effect.succeed(Number(info.size))
    }
    // Before opening, because opening a pipe waits for its other end; and after, because another file may be there now.
    yield* Effect.flatMap(fs.stat(path), assureFit)
    const file = yield* fs.open(path)
    const size = yield* Effect.flatMap(file.stat, assureFit)
    const parts: Array<Uint8Array> = []
    for (let left = maxBytes + 1; left > 0;) {
      // Some file systems say that a file is empty, or too small.
      const part = yield* file.readAlloc(Math.min(left, Math.max(size, 4096) + 1))
      if (Option.isNone(part)) return Buffer.concat(parts)
      parts.push(part.value)
      left -= part.value.length
    }
    return yield* unfitFile("EFBIG", path)
  }).pipe(Effect.scoped)

const textOf = (bytes: Buffer): string => bytes.toString("utf8")

/**
 * Reads UTF-8 text from a file that someone else may have put there. It reads no more than `maxBytes`, and only regular
 * files: a pipe would wait for its other end, a device may have no end. Fails with the error of the system, or with the
 * code `EISDIR`, `ENOTREG` or `EFBIG`.
 */
export const readSmallFile = (path: string, maxBytes: number): FileWork<string> =>
  Effect.map(readFile(path, maxBytes, true), textOf)

/** The same for any bytes. */
export const readSmallBytes = (path: string, maxBytes: number): FileWork<Buffer> => readFile(path, maxBytes, true)

/** The same for a file that this user must own, else it fails with `ENOTOWN`. */
export const readOwnFile = (path: string, maxBytes: number): FileWork<string> =>
  Effect.map(readFile(path, maxBytes, false), textOf)
