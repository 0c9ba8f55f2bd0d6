import { Effect } from "effect"
import { localFiles } from "./localFiles.ts"
import { readSmallFile } from "./readSmallFile.ts"
import { systemErrorCode } from "./replaceFile.ts"

const PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: "does not exist; check the path",
  ENOTDIR: "does not exist; a part of its path is not a folder",
  EISDIR: "is a folder; name the file in it",
  EACCES: "cannot be read; check its permissions",
  ENOTREG: "is a pipe or a device; name a file",
  NOTTEXT: "is no text in UTF-8; save it as such"
}

/** What is wrong with a file, by the code that {@link readTextFile} failed with. */
export const textFileProblem = (code: string, maxBytes: number): string =>
  code === "EFBIG"
    ? `is larger than ${maxBytes.toLocaleString("en")} bytes; name a smaller file`
    : (PROBLEMS[code] ?? `cannot be read (${code})`)

/**
 * Reads a file that a person has named, without a byte order mark. Fails with the code of a system error, with `EFBIG`
 * or `ENOTREG` (see {@link readSmallFile}), or with `NOTTEXT` for bytes that are not UTF-8.
 */
export const readTextFile = (path: string, maxBytes: number): Effect.Effect<string, string> =>
  readSmallFile(path, maxBytes).pipe(
    Effect.mapError(systemErrorCode),
    Effect.flatMap((text) =>
      /[\0\uFFFD]/.test(text) ? Effect.fail("NOTTEXT") : Effect.succeed(text.replace(/^\uFEFF/, ""))
    ),
    Effect.provide(localFiles)
  )
