import { Effect, FileSystem } from "effect"
import { dirname, resolve } from "node:path"
import { type FileWork, unlessMissing } from "./replaceFile.ts"
import { unfitFile } from "./readSmallFile.ts"

const isDirectory = (fs: FileSystem.FileSystem, path: string) =>
  unlessMissing(fs.stat(path)).pipe(
    Effect.filterOrFail(
      (info) => info === undefined || info.type === "Directory",
      () => unfitFile("ENOTDIR", path)
    ),
    Effect.map((info) => info !== undefined)
  )

/**
 * Makes a folder and the missing ones above it, for its owner alone unless `mode` says otherwise. It tries each folder
 * once: Node's own `recursive` never ends in `/proc`, which says of everything in it that it does not exist.
 */
export const makeDirectory = (path: string, mode = 0o700): FileWork<void> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const missing: Array<string> = []
    for (let at = resolve(path); !(yield* isDirectory(fs, at)); at = dirname(at)) {
      missing.push(at)
      if (dirname(at) === at) break
    }
    for (const folder of missing.toReversed()) {
      yield* fs.makeDirectory(folder, { mode }).pipe(
        // Another process was faster.
        Effect.catchIf(
          ({ reason }) => reason._tag === "AlreadyExists",
          (failure) =>
            Effect.flatMap(isDirectory(fs, folder), (isThere) => (isThere ? Effect.void : Effect.fail(failure)))
        )
      )
    }
  })
