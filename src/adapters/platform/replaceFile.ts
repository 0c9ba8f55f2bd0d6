import { randomUUID } from "node:crypto"
import { open, rename, rm } from "node:fs/promises"

/** How the names of files end that are not complete yet. */
export const UNFINISHED = ".tmp"

/** The `code` of a Node system error, such as `ENOENT`. */
export const systemErrorCode = (cause: unknown): string =>
  cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : "UNKNOWN"

/**
 * Writes a file that only its owner may read, at once as a whole: other processes see the old text or the new one. With
 * `durable`, also after a loss of power. Rejects with Node's error, and leaves nothing behind.
 */
export const replaceFile = async (path: string, text: string, durable: boolean): Promise<void> => {
  const beside = `${path}.${randomUUID()}${UNFINISHED}`
  try {
    const file = await open(beside, "wx", 0o600)
    try {
      await file.writeFile(text)
      if (durable) await file.sync()
    } finally {
      await file.close()
    }
    await rename(beside, path)
  } catch (cause) {
    await rm(beside, { force: true }).catch(() => undefined)
    throw cause
  }
}
