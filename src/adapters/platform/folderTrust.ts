import { Effect, FileSystem, Option } from "effect"
import { type FileWork, unlessMissing } from "./replaceFile.ts"

/** Whether this user owns it, or root, who can do everything anyway. Windows names no owners. */
export const isOwn = ({ uid }: Pick<FileSystem.File.Info, "uid">): boolean => {
  const owner = Option.getOrElse(uid, () => 0)
  return process.geteuid === undefined || owner === process.geteuid() || owner === 0
}

/** Others can put files into a folder that would be taken for ours. The message says who, and what to do. */
export class FolderDistrusted extends Error {
  readonly code = "DISTRUSTED"
}

/** Who else can put files into a folder, and what to do about it; `undefined` if nobody can. */
const whyDistrusted = (folder: FileSystem.File.Info): string | undefined => {
  const me = process.geteuid?.()
  if (me === undefined) return undefined
  if (!isOwn(folder)) {
    const owner = Option.getOrElse(folder.uid, () => 0)
    return `it belongs to the user ${owner}, and this is run by the user ${me}; chown it, or name another folder`
  }
  if ((folder.mode & 0o022) === 0) return undefined
  const mode = (folder.mode & 0o7777).toString(8)
  return `others can write to it (its mode is ${mode}); look at what is in it, then chmod 700 it`
}

/** Fails with {@link FolderDistrusted} if others can put files into a folder. A missing folder is trusted. */
export const assureTrust = (folder: string): FileWork<void, FolderDistrusted> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const found = yield* unlessMissing(fs.stat(folder))
    const why = found === undefined ? undefined : whyDistrusted(found)
    if (why !== undefined) return yield* Effect.fail(new FolderDistrusted(why))
  })
