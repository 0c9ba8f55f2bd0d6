import { Effect } from "effect"
import { lstat, stat } from "node:fs/promises"
import { dirname, resolve } from "node:path"
import { assureTrust, FolderDistrusted } from "../platform/folderTrust.ts"
import { systemErrorCode } from "../platform/replaceFile.ts"

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

const textOf = async (folder: NamedFolder): Promise<string | undefined> => {
  try {
    if (!(await stat(folder.path)).isDirectory()) return problemOf(folder, "ENOTDIR")
    if (folder.isTrusted === true) await assureTrust(folder.path)
    return undefined
  } catch (cause) {
    if (cause instanceof FolderDistrusted) return cause.message
    const code = systemErrorCode(cause)
    return problemOf(folder, code === "ENOENT" ? await whyMissing(folder.path) : code)
  }
}

/** Looks whether folders can be used, without making any. */
export const folderProblems = (folders: ReadonlyArray<NamedFolder>): Effect.Effect<ReadonlyArray<FolderProblem>> =>
  Effect.forEach(folders, (folder) =>
    Effect.map(
      Effect.promise(() => textOf(folder)),
      (text) => (text === undefined ? [] : [{ setting: folder.setting, path: folder.path, text }])
    )
  ).pipe(Effect.map((found) => found.flat()))
