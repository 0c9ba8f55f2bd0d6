import { Effect, FileSystem } from "effect"
import { dirname, resolve } from "node:path"
import { assureTrust, FolderDistrusted } from "../platform/folderTrust.ts"
import { localFiles } from "../platform/localFiles.ts"
import { systemErrorCode, unlessMissing } from "../platform/replaceFile.ts"

/** A folder that flags, environment or file name. */
export interface NamedFolder {
  /** The setting that it is for. */
  readonly setting: string
  readonly path: string
  /** Whether we make it when it is needed; else it has to be there. */
  readonly isMade: boolean
  /** We trust what is in it, so nobody else may be able to write to it. */
  readonly isTrusted?: boolean
  /** What to leave out to do without it: a flag, or the setting. */
  readonly saidBy: string
}

/** What keeps a folder from being used. */
export interface FolderProblem {
  readonly setting: string
  readonly path: string
  readonly text: string
}

/** A link that leads nowhere, at a path or above it, where no folder can be made. */
const DEAD_LINK = "DEAD_LINK"

const problemOf = ({ isMade, saidBy }: NamedFolder, code: string): string | undefined => {
  if (code === "ENOENT") return isMade ? undefined : `there is no such folder; make it, or leave ${saidBy} out`
  const inItsPlace = { ENOTDIR: "a file", [DEAD_LINK]: "a link that leads nowhere" }[code]
  return inItsPlace === undefined
    ? `the folder cannot be used (${code})`
    : `${inItsPlace} stands where this folder should be; name another, or leave ${saidBy} out`
}

/** Why there is nothing at a path: `ENOENT`, or a dead link. */
const whyMissing = Effect.fnUntraced(function* (path: string) {
  const fs = yield* FileSystem.FileSystem
  let at = resolve(path)
  for (; (yield* unlessMissing(fs.lstat(at))) === undefined; at = dirname(at)) {
    if (dirname(at) === at) return "ENOENT"
  }
  return (yield* unlessMissing(fs.stat(at))) === undefined ? DEAD_LINK : "ENOENT"
})

const textOf = Effect.fnUntraced(
  function* (folder: NamedFolder) {
    const fs = yield* FileSystem.FileSystem
    const found = yield* unlessMissing(fs.stat(folder.path))
    if (found === undefined) return problemOf(folder, yield* whyMissing(folder.path))
    if (found.type !== "Directory") return problemOf(folder, "ENOTDIR")
    if (folder.isTrusted === true) yield* assureTrust(folder.path)
    return undefined
  },
  (work, folder) =>
    work.pipe(
      Effect.catch((failure) =>
        Effect.succeed(
          failure instanceof FolderDistrusted ? failure.message : problemOf(folder, systemErrorCode(failure))
        )
      )
    )
)

/** Looks whether folders can be used, without making any. */
export const folderProblems = (folders: ReadonlyArray<NamedFolder>): Effect.Effect<ReadonlyArray<FolderProblem>> =>
  Effect.forEach(folders, (folder) =>
    Effect.map(textOf(folder), (text) =>
      text === undefined ? [] : [{ setting: folder.setting, path: folder.path, text }]
    )
  ).pipe(
    Effect.map((found) => found.flat()),
    Effect.provide(localFiles)
  )
