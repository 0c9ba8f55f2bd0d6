import { Effect } from "effect"
import { lstat, stat } from "node:fs/promises"
import { dirname, resolve } from "node:path"
import { systemErrorCode } from "./replaceFile.ts"

/** A folder that a run was told of. Where `isMade` it is made when it is needed; else it has to be there. */
export interface NamedFolder {
  /** The setting that it is for. */
  readonly setting: string
  readonly path: string
  readonly isMade: boolean
  /** What is to be left out to do without it: a flag, or the setting. */
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
    ? `the folder can not be used (${code})`
    : `${inItsPlace} stands where this folder should be; name another, or leave ${saidBy} out`
}

/** Why there is nothing at a path: `ENOENT`, or a dead link. */
const whyMissing = async (path: string): Promise<string> => {
  for (let at = resolve(path); ; at = dirname(at)) {
    try {
      await lstat(at)
    } catch (cause) {
      if (systemErrorCode(cause) !== "ENOENT" || dirname(at) === at) return systemErrorCode(cause)
      continue
    }
    return stat(at).then(
      () => "ENOENT",
      (cause: unknown) => (systemErrorCode(cause) === "ENOENT" ? DEAD_LINK : systemErrorCode(cause))
    )
  }
}

/** Looks whether folders can be used, without making any. */
export const folderProblems = (folders: ReadonlyArray<NamedFolder>): Effect.Effect<ReadonlyArray<FolderProblem>> =>
  Effect.forEach(folders, (folder) =>
    Effect.tryPromise({ try: () => stat(folder.path), catch: systemErrorCode }).pipe(
      Effect.map((found) => (found.isDirectory() ? undefined : "ENOTDIR")),
      Effect.catch((code) =>
        code === "ENOENT" ? Effect.promise(() => whyMissing(folder.path)) : Effect.succeed(code)
      ),
      Effect.map((code) => (code === undefined ? undefined : problemOf(folder, code))),
      Effect.map((text) => (text === undefined ? [] : [{ setting: folder.setting, path: folder.path, text }]))
    )
  ).pipe(Effect.map((found) => found.flat()))
