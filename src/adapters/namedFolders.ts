import { Effect } from "effect"
import { stat } from "node:fs/promises"
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

const problemOf = ({ isMade, saidBy }: NamedFolder, code: string): string | undefined => {
  if (code === "ENOENT") return isMade ? undefined : `there is no such folder; make it, or leave ${saidBy} out`
  return code === "ENOTDIR"
    ? `a file stands where this folder should be; name another, or leave ${saidBy} out`
    : `the folder can not be used (${code})`
}

/** Looks whether folders can be used, without making any. */
export const folderProblems = (folders: ReadonlyArray<NamedFolder>): Effect.Effect<ReadonlyArray<FolderProblem>> =>
  Effect.forEach(folders, (folder) =>
    Effect.tryPromise({ try: () => stat(folder.path), catch: systemErrorCode }).pipe(
      Effect.map((found) => (found.isDirectory() ? undefined : problemOf(folder, "ENOTDIR"))),
      Effect.catch((code) => Effect.succeed(problemOf(folder, code))),
      Effect.map((text) => (text === undefined ? [] : [{ setting: folder.setting, path: folder.path, text }]))
    )
  ).pipe(Effect.map((found) => found.flat()))
