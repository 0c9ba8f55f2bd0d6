import { Effect, FileSystem, Option, type PlatformError } from "effect"
import { createHash } from "node:crypto"
import { basename, dirname, join, resolve } from "node:path"
import {
  EMPTY_MANIFEST,
  exportedUiOf,
  type ExportedServer,
  type ExportedUi,
  type ExportManifest,
  exportPaths,
  MANIFEST_FILE,
  manifestText,
  readManifest,
  SOURCES_FOLDER,
  toolNameOfFile,
  withExportedUi
} from "../../domain/documents/export/ExportManifest.ts"
import { isUnfitFile, readSmallFile } from "../platform/readSmallFile.ts"
import { makeDirectory } from "../platform/makeDirectory.ts"
import { type FileWork, replaceFile, systemErrorCode } from "../platform/replaceFile.ts"

/** A file to be written; the path is from the folder, with `/`. */
interface FileToExport {
  readonly path: string
  readonly text: string
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex")

/** Larger files were not written here. */
const MAX_BYTES = 100_000_000

type Content = { readonly kind: "absent" | "unfit" } | { readonly kind: "text"; readonly text: string }

/** What is at a path; special files are not opened. */
const contentAt = (path: string): FileWork<Content> =>
  readSmallFile(path, MAX_BYTES).pipe(
    Effect.map((text): Content => ({ kind: "text", text })),
    Effect.catch((failure) => {
      const code = systemErrorCode(failure)
      if (code === "ENOENT") return Effect.succeed<Content>({ kind: "absent" })
      return isUnfitFile(code) ? Effect.succeed<Content>({ kind: "unfit" }) : Effect.fail(failure)
    })
  )

const manifestFrom = (content: Content): ExportManifest | undefined =>
  content.kind === "text" ? readManifest(content.text) : undefined

/** Makes the folder, and the one for sources, if missing. */
export const makeExportFolder = (directory: string): FileWork<void> =>
  makeDirectory(join(directory, SOURCES_FOLDER), 0o755)

/** The texts of one UI; the built-in UI has no source. */
export interface UiTexts {
  readonly page: string
  readonly source: string | null
}

/** The paths that were written, from the folder; or why nothing was. */
export type ExportOutcome = { readonly paths: ReadonlyArray<string> } | { readonly why: string }

const MANIFEST_UNFIT =
  `${MANIFEST_FILE} of this folder is damaged, or was not written by an export: ` +
  "move it away, or export into another folder"

/**
 * Writes the files of one UI and then its manifest entry. If a file in the way was not written here, or was changed
 * since, nothing is written and the reason is returned. The folder must exist, and a lock must prevent two writes at a
 * time.
 */
export const writeExport = Effect.fnUntraced(function* (
  directory: string,
  ui: Omit<ExportedUi, "files" | "server"> & { readonly server: ExportedServer },
  texts: UiTexts
): Effect.fn.Return<ExportOutcome, PlatformError.PlatformError, FileSystem.FileSystem> {
  const fs = yield* FileSystem.FileSystem
  const sources = yield* Effect.option(fs.lstat(join(directory, SOURCES_FOLDER)))
  if (Option.exists(sources, ({ type }) => type === "SymbolicLink")) {
    return { why: `${SOURCES_FOLDER} is a link to another folder` }
  }
  const manifestPath = join(directory, MANIFEST_FILE)
  const before = yield* contentAt(manifestPath)
  const manifest = before.kind === "absent" ? EMPTY_MANIFEST : manifestFrom(before)
  if (manifest === undefined) return { why: MANIFEST_UNFIT }

  const paths = exportPaths(manifest, ui.tool, ui.server)
  const files: ReadonlyArray<FileToExport> = [
    { path: paths.page, text: texts.page },
    ...(texts.source === null ? [] : [{ path: paths.source, text: texts.source }])
  ]
  const known = new Map(exportedUiOf(manifest, ui.tool, ui.server)?.files.map(({ path, sha256: hash }) => [path, hash]))
  const wanted = files.map(({ path, text }) => ({ path, text, sha256: sha256(text) }))
  for (const { path, sha256: hash } of wanted) {
    const there = yield* contentAt(join(directory, path))
    if (there.kind === "absent") continue
    const found = there.kind === "text" ? sha256(there.text) : undefined
    if (found === hash || (found !== undefined && found === known.get(path))) continue
    if (known.get(path) === undefined) return { why: `${path} is there, and was not exported` }
    return { why: `${path} was changed by hand: import it, or move it away` }
  }

  for (const { path, text } of wanted) yield* replaceFile(join(directory, path), text, false)
  const written = { ...ui, files: wanted.map(({ path, sha256: hash }) => ({ path, sha256: hash })) }
  yield* replaceFile(manifestPath, manifestText(withExportedUi(manifest, written)), false)
  // Files that the new UI no longer has: the built-in UI has no source.
  for (const [path, hash] of known) {
    if (wanted.some((file) => file.path === path) || path !== `${SOURCES_FOLDER}/${basename(path)}`) continue
    const there = yield* contentAt(join(directory, path))
    if (there.kind === "text" && sha256(there.text) === hash) yield* fs.remove(join(directory, path), { force: true })
  }
  return { paths: wanted.map(({ path }) => path) }
}, Effect.uninterruptible)

/** A source that was found, with its likely tool. */
export interface FoundSource {
  readonly path: string
  readonly toolName: string | undefined
  /** The server that it was exported from, if the manifest says so. */
  readonly server: ExportedServer | undefined
  /** Or why it cannot be read. */
  readonly content: { readonly text: string } | { readonly why: string }
}

export interface FoundSources {
  readonly sources: ReadonlyArray<FoundSource>
  /** The manifest exists but cannot be read. */
  readonly isManifestDamaged: boolean
  /** Of the whole folder. */
  readonly exported: ReadonlyArray<ExportedUi>
}

/** Larger files are no sources. */
const MAX_SOURCE_BYTES = 2_000_000

const WHY_UNREADABLE: Readonly<Record<string, string>> = {
  EISDIR: "it is a folder, and no file",
  ENOTREG: "it is no ordinary file",
  EFBIG: "it is larger than 2 MB",
  ENOENT: "it is a link to something that is not there",
  ELOOP: "it is a link that leads back to itself",
  EACCES: "it may not be read"
}

const sourceIn = (path: string): Effect.Effect<FoundSource["content"], never, FileSystem.FileSystem> =>
  Effect.match(readSmallFile(path, MAX_SOURCE_BYTES), {
    onSuccess: (bytes) => {
      const text = bytes.replace(/^\uFEFF/, "")
      if (text.includes("\0")) return { why: "it is no text" }
      return text.trim() === "" ? { why: "it is empty" } : { text }
    },
    onFailure: (failure) => {
      const code = systemErrorCode(failure)
      return { why: WHY_UNREADABLE[code] ?? `it cannot be read (${code})` }
    }
  })

const NO_MANIFEST = { exported: [], isManifestDamaged: false }

const exportedIn = Effect.fnUntraced(function* (
  directory: string
): Effect.fn.Return<Omit<FoundSources, "sources">, PlatformError.PlatformError, FileSystem.FileSystem> {
  const content = yield* contentAt(join(directory, MANIFEST_FILE))
  if (content.kind === "absent") return NO_MANIFEST
  const manifest = manifestFrom(content)
  return { exported: manifest?.uis ?? [], isManifestDamaged: manifest === undefined }
})

const sourceAt = Effect.fnUntraced(function* (folder: string, name: string, exported: ReadonlyArray<ExportedUi>) {
  const path = join(folder, name)
  const listed = exported.find(({ files }) => files.some((file) => file.path === `${SOURCES_FOLDER}/${name}`))
  const toolName = listed?.tool ?? toolNameOfFile(name)
  return { path, toolName, server: listed?.server, content: yield* sourceIn(path) } satisfies FoundSource
})

/**
 * The sources to import: those in `sources` of an export folder, the HTML files of any other folder, or one file.
 * Unreadable ones are included. Fails if there is nothing at the path, or the folder cannot be listed.
 */
export const findSources = Effect.fnUntraced(function* (
  from: string
): Effect.fn.Return<FoundSources, PlatformError.PlatformError, FileSystem.FileSystem> {
  const fs = yield* FileSystem.FileSystem
  const given = resolve(from)
  if ((yield* fs.stat(given)).type !== "Directory") {
    const folder = dirname(given)
    const about = basename(folder) === SOURCES_FOLDER ? yield* exportedIn(dirname(folder)) : NO_MANIFEST
    return { ...about, sources: [yield* sourceAt(folder, basename(given), about.exported)] }
  }
  const names = yield* fs.readDirectory(given)
  const isExport = names.includes(MANIFEST_FILE) && names.includes(SOURCES_FOLDER)
  const folder = isExport ? join(given, SOURCES_FOLDER) : given
  const isSources = !isExport && basename(given) === SOURCES_FOLDER
  const about = isExport || isSources ? yield* exportedIn(isSources ? dirname(given) : given) : NO_MANIFEST
  const files = (isExport ? yield* fs.readDirectory(folder) : names).filter((name) => name.endsWith(".html")).toSorted()
  const sources: Array<FoundSource> = []
  for (const name of files) sources.push(yield* sourceAt(folder, name, about.exported))
  return { ...about, sources }
})
