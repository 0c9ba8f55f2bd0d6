import { Effect, FileSystem, Option, type PlatformError } from "effect"
import { createHash } from "node:crypto"
import { join } from "node:path"
import { entryText, type StoredEntry, readEntryText } from "./uiEntryText.ts"
import type { UiEntry } from "../../domain/tools/UiEntry.ts"
import { isOwn } from "../platform/folderTrust.ts"
import { makeDirectory } from "../platform/makeDirectory.ts"
import { type FileWork, replaceFile, UNFINISHED, unlessMissing } from "../platform/replaceFile.ts"

const SUFFIX = ".ui.json"
const KEY = /^[0-9a-f]{64}$/
/** A temporary file that is older than this (milliseconds) was abandoned. */
const ABANDONED_MS = 600_000
/** The most bytes of a file with one entry, unless the caller says otherwise. */
const MAX_FILE_BYTES = 16_000_000

/** A file of a cache directory. `usedAt`: milliseconds since the epoch. */
export interface CacheFile {
  readonly key: string
  readonly path: string
  readonly bytes: number
  readonly usedAt: number
}

/** The file of a key. Its name is always a hash, so no tool's name gets into a path. */
export const cachePath = (directory: string, key: string): string =>
  join(directory, `${KEY.test(key) ? key : createHash("sha256").update(key).digest("hex")}${SUFFIX}`)

const statOf = (path: string): FileWork<FileSystem.File.Info | undefined> =>
  Effect.flatMap(FileSystem.FileSystem, (fs) => unlessMissing(fs.stat(path)))

const timeOf = ({ mtime }: FileSystem.File.Info): number => Option.getOrElse(mtime, () => new Date(0)).getTime()

const stampText = (info: FileSystem.File.Info): string =>
  `${Option.getOrElse(info.ino, () => 0n)}-${info.size}-${timeOf(info)}`

/** Changes with the content of a file; `null` if there is no such file. */
export const stampOf = (path: string): FileWork<string | null> =>
  Effect.map(statOf(path), (info) => (info === undefined ? null : stampText(info)))

/**
 * What a file holds, and its stamp; `undefined` if there is no such file. What is too large, no regular file (a pipe
 * would wait for its other end), or another user's counts as damaged and is never read. The stamp is taken first: if
 * the file is replaced in between, the next look finds another stamp.
 */
export const readStampedFile = Effect.fnUntraced(function* (
  path: string,
  key: string,
  maxBytes: number
): Effect.fn.Return<
  { readonly stored: StoredEntry; readonly stamp: string } | undefined,
  PlatformError.PlatformError,
  FileSystem.FileSystem
> {
  const fs = yield* FileSystem.FileSystem
  const info = yield* statOf(path)
  if (info === undefined) return undefined
  if (info.type !== "File" || info.size > maxBytes || !isOwn(info)) {
    return { stored: { _tag: "Damaged" }, stamp: "" }
  }
  const text = yield* unlessMissing(fs.readFileString(path))
  return text === undefined ? undefined : { stored: readEntryText(text, key), stamp: stampText(info) }
})

/** Writes an entry for its owner alone, as a whole or not at all. Returns the stamp. */
export const writeCacheFile = (directory: string, entry: UiEntry): FileWork<string | null> => {
  const path = cachePath(directory, entry.key)
  return makeDirectory(directory).pipe(
    Effect.andThen(replaceFile(path, entryText(entry), false)),
    Effect.andThen(stampOf(path))
  )
}

/** All entries of a directory, the last used first; none if there is no such directory. Removes abandoned files. */
export const listCacheFiles = Effect.fnUntraced(function* (
  directory: string,
  now: number
): Effect.fn.Return<ReadonlyArray<CacheFile>, PlatformError.PlatformError, FileSystem.FileSystem> {
  const fs = yield* FileSystem.FileSystem
  const names = (yield* unlessMissing(fs.readDirectory(directory))) ?? []
  const files: Array<CacheFile> = []
  for (const name of names) {
    const path = join(directory, name)
    const isUnfinished = name.endsWith(UNFINISHED) && name.includes(SUFFIX)
    if (!name.endsWith(SUFFIX) && !isUnfinished) continue
    // Other processes remove files, too.
    const info = yield* Effect.orElseSucceed(statOf(path), () => undefined)
    if (info?.type !== "File") continue
    const usedAt = timeOf(info)
    if (!isUnfinished) files.push({ key: name.slice(0, -SUFFIX.length), path, bytes: Number(info.size), usedAt })
    else if (now - usedAt > ABANDONED_MS) yield* Effect.ignore(fs.remove(path, { force: true }))
  }
  return files.toSorted((a, b) => b.usedAt - a.usedAt)
})

/** Reads what {@link listCacheFiles} found: each file with its entry, or what is wrong with it. */
export const readCacheFiles = Effect.fnUntraced(function* (
  files: ReadonlyArray<CacheFile>
): Effect.fn.Return<
  ReadonlyArray<{ readonly file: CacheFile; readonly stored: StoredEntry }>,
  never,
  FileSystem.FileSystem
> {
  const damaged = { stored: { _tag: "Damaged" } as const }
  const read = yield* Effect.forEach(
    files,
    (file) => Effect.orElseSucceed(readStampedFile(file.path, file.key, MAX_FILE_BYTES), () => damaged),
    { concurrency: 16 }
  )
  return files.flatMap((file, index) => {
    const stored = read[index]?.stored
    return stored === undefined ? [] : [{ file, stored }]
  })
})
