import { createHash } from "node:crypto"
import type { Stats } from "node:fs"
import { readdir, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import { type StoredEntry, readEntryText } from "./uiEntryText.ts"
import { isUnfitFile, readOwnFile } from "../platform/readSmallFile.ts"
import { systemErrorCode, UNFINISHED } from "../platform/replaceFile.ts"

const SUFFIX = ".ui.json"
const KEY = /^[0-9a-f]{64}$/
/** A file that nobody has finished for so long (milliseconds) never will be. */
const ABANDONED_MS = 600_000
/** Bytes of a file with one entry, where nothing else is said. */
const MAX_FILE_BYTES = 16_000_000

/** A file of a cache directory. `usedAt`: milliseconds since the epoch. */
export interface CacheFile {
  readonly key: string
  readonly path: string
  readonly bytes: number
  readonly usedAt: number
}

/** The file of a key. Names are hashes, whatever the key is: no name of a tool gets into a path. */
export const cachePath = (directory: string, key: string): string =>
  join(directory, `${KEY.test(key) ? key : createHash("sha256").update(key).digest("hex")}${SUFFIX}`)

const unlessMissing = async <A>(work: Promise<A>): Promise<A | undefined> => {
  try {
    return await work
  } catch (cause) {
    if (systemErrorCode(cause) === "ENOENT") return undefined
    throw cause
  }
}

const stampText = ({ ino, mtimeMs, size }: Stats): string => `${ino}-${size}-${mtimeMs}`

/** What tells one content of a file from the next; `null` if there is no such file. */
export const stampOf = async (path: string): Promise<string | null> => {
  const found = await unlessMissing(stat(path))
  return found === undefined ? null : stampText(found)
}

/**
 * What a file holds, and its stamp; `undefined` if there is no such file. What is larger than any entry, no file, or another
 * user's, is damaged: it is told by what the system says of it, and never read.
 */
export const readStampedFile = async (
  path: string,
  key: string,
  maxBytes: number
): Promise<{ readonly stored: StoredEntry; readonly stamp: string } | undefined> => {
  try {
    const { stats, text } = await readOwnFile(path, maxBytes)
    return { stored: readEntryText(text, key), stamp: stampText(stats) }
  } catch (cause) {
    const code = systemErrorCode(cause)
    if (code === "ENOENT") return undefined
    if (isUnfitFile(code)) return { stored: { _tag: "Damaged" }, stamp: "" }
    throw cause
  }
}

/** The same without the stamp. */
export const readCacheFile = async (path: string, key: string): Promise<StoredEntry | undefined> =>
  (await readStampedFile(path, key, MAX_FILE_BYTES))?.stored

/** All entries of a directory, those used last first; none if there is no such directory. Removes abandoned files. */
export const listCacheFiles = async (directory: string, now: number): Promise<ReadonlyArray<CacheFile>> => {
  const names = (await unlessMissing(readdir(directory))) ?? []
  const files: Array<CacheFile> = []
  for (const name of names) {
    const path = join(directory, name)
    const isUnfinished = name.endsWith(UNFINISHED) && name.includes(SUFFIX)
    if (!name.endsWith(SUFFIX) && !isUnfinished) continue
    // Other processes remove files, too.
    const found = await stat(path).catch(() => undefined)
    if (found === undefined || !found.isFile()) continue
    if (!isUnfinished) {
      files.push({ key: name.slice(0, -SUFFIX.length), path, bytes: found.size, usedAt: found.mtimeMs })
    } else if (now - found.mtimeMs > ABANDONED_MS) await rm(path, { force: true }).catch(() => undefined)
  }
  return files.toSorted((a, b) => b.usedAt - a.usedAt)
}

/** Reads what {@link listCacheFiles} found: each file with its entry, or what is wrong with it. */
export const readCacheFiles = async (
  files: ReadonlyArray<CacheFile>
): Promise<ReadonlyArray<{ readonly file: CacheFile; readonly stored: StoredEntry }>> => {
  const read = await Promise.all(
    files.map(async (file) => {
      const stored = await readCacheFile(file.path, file.key).catch((): StoredEntry => ({ _tag: "Damaged" }))
      return stored === undefined ? [] : [{ file, stored }]
    })
  )
  return read.flat()
}
