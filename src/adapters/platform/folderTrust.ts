import type { Stats } from "node:fs"
import { stat } from "node:fs/promises"
import { systemErrorCode } from "./replaceFile.ts"

/** Whether something is this user's, or that of root, who can do all anyway. Windows tells no owners. */
export const isOwn = ({ uid }: Stats): boolean =>
  process.geteuid === undefined || uid === process.geteuid() || uid === 0

/** Others can put something into a folder that would be taken for ours. The message says who can, and what to do. */
export class FolderDistrusted extends Error {
  readonly code = "DISTRUSTED"
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
  const me = process.geteuid?.()
  if (found === undefined || me === undefined) return
  if (!isOwn(found)) {
    throw new FolderDistrusted(
      `it belongs to the user ${found.uid}, and this is run by the user ${me}; chown it, or name another folder`
    )
  }
  if ((found.mode & 0o022) === 0) return
  const mode = (found.mode & 0o7777).toString(8)
  throw new FolderDistrusted(`others can write to it (its mode is ${mode}); look at what is in it, then chmod 700 it`)
}
