import { Buffer } from "node:buffer"
import { constants, type Stats } from "node:fs"
import { open } from "node:fs/promises"
import { isOwn } from "./folderTrust.ts"

class UnfitFile extends Error {
  readonly code: "EISDIR" | "EFBIG" | "ENOTREG" | "ENOTOWN"

  constructor(code: UnfitFile["code"], path: string) {
    super(`${code}: ${path}`)
    this.code = code
  }
}

/** Whether the code of {@link readSmallFile}'s error says that something is there, and that it is not fit to be read. */
export const isUnfitFile = (code: string): boolean =>
  code === "EISDIR" || code === "EFBIG" || code === "ENOTREG" || code === "ENOTOWN" || code === "ENXIO"

/** Windows has no such flag, and no pipes in folders. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

const readFile = async (
  path: string,
  maxBytes: number,
  isFit: (stats: Stats) => boolean
): Promise<{ readonly text: string; readonly stats: Stats }> => {
  const file = await open(path, FLAGS)
  try {
    const stats = await file.stat()
    if (!isFit(stats)) throw new UnfitFile("ENOTOWN", path)
    if (stats.isDirectory()) throw new UnfitFile("EISDIR", path)
    if (!stats.isFile()) throw new UnfitFile("ENOTREG", path)
    if (stats.size > maxBytes) throw new UnfitFile("EFBIG", path)
    // Files of some file systems say that they are empty, or too little.
    let bytes = Buffer.allocUnsafe(Math.min(maxBytes, Math.max(stats.size, 4096)) + 1)
    let length = 0
    for (;;) {
      const { bytesRead } = await file.read(bytes, length, bytes.length - length)
      if (bytesRead === 0) return { text: bytes.toString("utf8", 0, length), stats }
      length += bytesRead
      if (length > maxBytes) throw new UnfitFile("EFBIG", path)
      if (length === stats.size) return { text: bytes.toString("utf8", 0, length), stats }
      if (length === bytes.length) {
        const larger = Buffer.allocUnsafe(Math.min(maxBytes, length * 2) + 1)
        bytes.copy(larger)
        bytes = larger
      }
    }
  } finally {
    await file.close()
  }
}

/**
 * Reads a file as UTF-8 text that someone else may have put there: what is no regular file (a pipe would wait for its
 * other end, a device may have no end) or has more than `maxBytes` is not read. Rejects with Node's error, or one with the
 * code `EISDIR`, `ENOTREG` or `EFBIG`.
 */
export const readSmallFile = async (path: string, maxBytes: number): Promise<string> =>
  (await readFile(path, maxBytes, () => true)).text

/**
 * The same for a file that this user must have written: one of another is not read (`ENOTOWN`). With what the system says
 * of the very file that was read.
 */
export const readOwnFile = (
  path: string,
  maxBytes: number
): Promise<{ readonly text: string; readonly stats: Stats }> => readFile(path, maxBytes, isOwn)
