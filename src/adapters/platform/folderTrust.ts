import { stat } from "node:fs/promises"
import { systemErrorCode } from "./replaceFile.ts"

/** Whether something is this user's, or that of root, who can do all anyway. Windows tells no owners. */
export const isOwn = ({ uid }: { readonly uid: number }): boolean =>
  process.geteuid === undefined || uid === process.geteuid() || uid === 0

/** Others can put something into a folder that would be taken for ours. The message says who can, and what to do. */
export class FolderDistrusted extends Error {
  readonly code = "DISTRUSTED"
}

/** Who else can put something into a folder, and what to do about it; `undefined` if nobody can. */
export const whyDistrusted = (folder: { readonly uid: number; readonly mode: number }): string | undefined => {
  const me = process.geteuid?.()
  if (me === undefined) return undefined
  if (!isOwn(folder)) {
    return `it belongs to the user ${folder.uid}, and this is run by the user ${me}; chown it, or name another folder`
  }
  if ((folder.mode & 0o022) === 0) return undefined
  const mode = (folder.mode & 0o7777).toString(8)
  return `others can write to it (its mode is ${mode}); look at what is in it, then chmod 700 it`
}

/**
 * Rejects with {@link FolderDistrusted}, or with Node's error if nothing is known of the folder. One that is missing is
 * trusted: it will be made for its owner alone.
 */
export const assureTrust = async (folder: string): Promise<void> => {
  const found = await stat(folder).catch((cause: unknown) => {
    if (systemErrorCode(cause) === "ENOENT") return undefined
    throw cause
  })
  const why = found === undefined ? undefined : whyDistrusted(found)
  if (why !== undefined) throw new FolderDistrusted(why)
}
