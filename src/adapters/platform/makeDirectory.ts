import { mkdir, stat } from "node:fs/promises"
import { dirname, resolve } from "node:path"
import { systemErrorCode } from "./replaceFile.ts"

class NotDirectory extends Error {
  readonly code = "ENOTDIR"
}

/** `undefined` if there is nothing. */
const isDirectory = async (path: string): Promise<boolean | undefined> => {
  try {
    return (await stat(path)).isDirectory()
  } catch (cause) {
    if (systemErrorCode(cause) === "ENOENT") return undefined
    throw cause
  }
}

/**
 * Makes a folder, and those above it that are missing, for its owner alone unless `mode` says otherwise. Rejects with
 * Node's error. It tries each folder once: Node's own `recursive` never ends where a folder is there that says of
 * everything in it that it is not (`/proc`).
 */
export const makeDirectory = async (path: string, mode = 0o700): Promise<void> => {
  const missing: Array<string> = []
  for (let at = resolve(path); ; at = dirname(at)) {
    const found = await isDirectory(at)
    if (found === true) break
    if (found === false) throw new NotDirectory(`ENOTDIR: ${at}`)
    missing.push(at)
    if (dirname(at) === at) break
  }
  for (const folder of missing.toReversed()) {
    try {
      await mkdir(folder, { mode })
    } catch (cause) {
      // Another process was faster.
      if (systemErrorCode(cause) !== "EEXIST" || (await isDirectory(folder)) !== true) throw cause
    }
  }
}
