import { createHash } from "node:crypto"
import { lstat, readdir, rm, stat } from "node:fs/promises"
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
import { replaceFile, systemErrorCode } from "../platform/replaceFile.ts"

/** A file to be written; the path is from the folder, with `/`. */
interface FileToExport {
  readonly path: string
  readonly text: string
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex")

/** Larger files were not written here. */
const MAX_BYTES = 100_000_000

type Content = { readonly kind: "absent" | "unfit" } | { readonly kind: "text"; readonly text: string }

/** What is at a path, without waiting on special files. Rejects with Node's errors. */
const contentAt = async (path: string): Promise<Content> => {
  try {
    return { kind: "text", text: await readSmallFile(path, MAX_BYTES) }
  } catch (cause) {
    const code = systemErrorCode(cause)
    if (code === "ENOENT") return { kind: "absent" }
    if (isUnfitFile(code)) return { kind: "unfit" }
    throw cause
  }
}

const manifestFrom = (content: Content): ExportManifest | undefined =>
  content.kind === "text" ? readManifest(content.text) : undefined

const isLink = async (path: string): Promise<boolean> => {
  try {
    return (await lstat(path)).isSymbolicLink()
  } catch {
    return false
  }
}

/** Makes the folder, and the one for sources, if missing. Rejects with Node's errors. */
export const makeExportFolder = async (directory: string): Promise<void> => {
  await makeDirectory(join(directory, SOURCES_FOLDER), 0o755)
}

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
 * time. Rejects with Node's errors.
 */
export const writeExport = async (
  directory: string,
  ui: Omit<ExportedUi, "files" | "server"> & { readonly server: ExportedServer },
  texts: UiTexts
): Promise<ExportOutcome> => {
  if (await isLink(join(directory, SOURCES_FOLDER))) return { why: `${SOURCES_FOLDER} is a link to another folder` }
  const manifestPath = join(directory, MANIFEST_FILE)
  const before = await contentAt(manifestPath)
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
    const there = await contentAt(join(directory, path))
    if (there.kind === "absent") continue
    const found = there.kind === "text" ? sha256(there.text) : undefined
    if (found === hash || (found !== undefined && found === known.get(path))) continue
    if (known.get(path) === undefined) return { why: `${path} is there, and was not exported` }
    return { why: `${path} was changed by hand: import it, or move it away` }
  }

  for (const { path, text } of wanted) await replaceFile(join(directory, path), text, false)
  const written = { ...ui, files: wanted.map(({ path, sha256: hash }) => ({ path, sha256: hash })) }
  await replaceFile(manifestPath, manifestText(withExportedUi(manifest, written)), false)
  // Files that the new UI no longer has: the built-in UI has no source.
  for (const [path, hash] of known) {
    if (wanted.some((file) => file.path === path) || path !== `${SOURCES_FOLDER}/${basename(path)}`) continue
    const there = await contentAt(join(directory, path))
    if (there.kind === "text" && sha256(there.text) === hash) await rm(join(directory, path), { force: true })
  }
  return { paths: wanted.map(({ path }) => path) }
}

/** A source that was found, with its likely tool. */
export interface FoundSource {
  readonly path: string
  readonly toolName: string | undefined
  /** The server that it was exported from, if the manifest says so. */
  readonly server: ExportedServer | undefined
  /** Or why it can not be read. */
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
  ENXIO: "it is no ordinary file",
  EFBIG: "it is larger than 2 MB",
  ENOENT: "it is a link to something that is not there",
  ELOOP: "it is a link that leads back to itself",
  EACCES: "it may not be read"
}

const sourceIn = async (path: string): Promise<FoundSource["content"]> => {
  try {
    const text = (await readSmallFile(path, MAX_SOURCE_BYTES)).replace(/^\uFEFF/, "")
    if (text.includes("\0")) return { why: "it is no text" }
    return text.trim() === "" ? { why: "it is empty" } : { text }
  } catch (cause) {
    const code = systemErrorCode(cause)
    return { why: WHY_UNREADABLE[code] ?? `it can not be read (${code})` }
  }
}

const NO_MANIFEST = { exported: [], isManifestDamaged: false }

const exportedIn = async (directory: string): Promise<Omit<FoundSources, "sources">> => {
  const content = await contentAt(join(directory, MANIFEST_FILE))
  if (content.kind === "absent") return NO_MANIFEST
  const manifest = manifestFrom(content)
  return { exported: manifest?.uis ?? [], isManifestDamaged: manifest === undefined }
}

const sourceAt = async (folder: string, name: string, exported: ReadonlyArray<ExportedUi>): Promise<FoundSource> => {
  const path = join(folder, name)
  const listed = exported.find(({ files }) => files.some((file) => file.path === `${SOURCES_FOLDER}/${name}`))
  const toolName = listed?.tool ?? toolNameOfFile(name)
  return { path, toolName, server: listed?.server, content: await sourceIn(path) }
}

/**
 * The sources to import: those in `sources` of an export folder, the HTML files of any other folder, or one file.
 * Unreadable ones are included. Rejects with Node's errors if there is nothing at the path, or the folder cannot be
 * listed.
 */
export const findSources = async (from: string): Promise<FoundSources> => {
  const given = resolve(from)
  if (!(await stat(given)).isDirectory()) {
    const folder = dirname(given)
    const about = basename(folder) === SOURCES_FOLDER ? await exportedIn(dirname(folder)) : NO_MANIFEST
    return { ...about, sources: [await sourceAt(folder, basename(given), about.exported)] }
  }
  const names = await readdir(given)
  const isExport = names.includes(MANIFEST_FILE) && names.includes(SOURCES_FOLDER)
  const folder = isExport ? join(given, SOURCES_FOLDER) : given
  const isSources = !isExport && basename(given) === SOURCES_FOLDER
  const about = isExport || isSources ? await exportedIn(isSources ? dirname(given) : given) : NO_MANIFEST
  const files = (isExport ? await readdir(folder) : names).filter((name) => name.endsWith(".html")).toSorted()
  const sources: Array<FoundSource> = []
  for (const name of files) sources.push(await sourceAt(folder, name, about.exported))
  return { ...about, sources }
}
