import { createHash } from "node:crypto"
import { lstat, mkdir, readFile, readdir, rm, stat } from "node:fs/promises"
import { basename, dirname, join, resolve } from "node:path"
import {
  EMPTY_MANIFEST,
  type ExportedUi,
  type ExportManifest,
  MANIFEST_FILE,
  manifestText,
  readManifest,
  SOURCES_FOLDER,
  toolNameOfFile,
  withExportedUi
} from "../domain/export/ExportManifest.ts"
import { replaceFile, systemErrorCode } from "./replaceFile.ts"

/** A file to be written; the path is from the folder, with `/`. */
export interface FileToExport {
  readonly path: string
  readonly text: string
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex")

const textAt = async (path: string): Promise<string | undefined> => {
  try {
    return await readFile(path, "utf8")
  } catch (cause) {
    if (systemErrorCode(cause) === "ENOENT") return undefined
    throw cause
  }
}

const isLink = async (path: string): Promise<boolean> => {
  try {
    return (await lstat(path)).isSymbolicLink()
  } catch {
    return false
  }
}

/** Makes the folder, and the one for sources, unless they are there. Rejects with Node's errors. */
export const makeExportFolder = async (directory: string): Promise<void> => {
  await mkdir(join(directory, SOURCES_FOLDER), { recursive: true })
}

/**
 * Writes the files of one UI and then its entry of the manifest. Answers why it did not, if a file in the way was
 * not written here, or was changed since; then nothing was written. The folder must be there. Rejects with Node's errors. Two of them at a time in the
 * same folder must be kept apart by a lock.
 */
export const writeExport = async (
  directory: string,
  ui: Omit<ExportedUi, "files">,
  files: ReadonlyArray<FileToExport>
): Promise<string | undefined> => {
  if (await isLink(join(directory, SOURCES_FOLDER))) return `${SOURCES_FOLDER} is a link to another folder`
  const manifestPath = join(directory, MANIFEST_FILE)
  const before = await textAt(manifestPath)
  const manifest = before === undefined ? EMPTY_MANIFEST : readManifest(before)
  if (manifest === undefined) return `${MANIFEST_FILE} there is no list of exported UIs`

  const known = new Map(
    manifest.uis.find(({ tool }) => tool === ui.tool)?.files.map(({ path, sha256: hash }) => [path, hash])
  )
  const wanted = files.map(({ path, text }) => ({ path, text, sha256: sha256(text) }))
  for (const { path, sha256: hash } of wanted) {
    const there = await textAt(join(directory, path))
    if (there === undefined) continue
    const found = sha256(there)
    if (found !== hash && known.get(path) === undefined) return `${path} is there, and was not exported`
    if (found !== hash && found !== known.get(path)) return `${path} was changed by hand: import it, or move it away`
  }

  for (const { path, text } of wanted) await replaceFile(join(directory, path), text, false)
  const written = { ...ui, files: wanted.map(({ path, sha256: hash }) => ({ path, sha256: hash })) }
  await replaceFile(manifestPath, manifestText(withExportedUi(manifest, written)), false)
  // What the UI before had and this one has not: a built-in one has no source.
  for (const [path, hash] of known) {
    if (wanted.some((file) => file.path === path) || path !== `${SOURCES_FOLDER}/${basename(path)}`) continue
    const there = await textAt(join(directory, path))
    if (there !== undefined && sha256(there) === hash) await rm(join(directory, path), { force: true })
  }
  return undefined
}

/** A source that was found, and the tool that it seems to be for. */
export interface FoundSource {
  readonly path: string
  readonly toolName: string | undefined
  readonly text: string
}

const manifestIn = async (directory: string): Promise<ExportManifest | undefined> => {
  const text = await textAt(join(directory, MANIFEST_FILE))
  return text === undefined ? undefined : readManifest(text)
}

const toolOf = (manifest: ExportManifest | undefined, path: string): string | undefined => {
  const listed = manifest?.uis.find(({ files }) => files.some((file) => file.path === path))
  return listed?.tool ?? toolNameOfFile(basename(path))
}

/** Larger files are no sources. */
const MAX_BYTES = 2_000_000

const sourceAt = async (path: string, toolName: string | undefined): Promise<FoundSource> => {
  const { size } = await stat(path)
  const text = size > MAX_BYTES ? "" : await readFile(path, "utf8")
  return { path, toolName, text: text.replace(/^\uFEFF/, "") }
}

/**
 * The sources to import: of an export folder those in `sources`, of any other folder its HTML files, or one file. Rejects
 * with Node's errors.
 */
export const findSources = async (from: string): Promise<ReadonlyArray<FoundSource>> => {
  const given = resolve(from)
  if (!(await stat(given)).isDirectory()) {
    const folder = dirname(given)
    const manifest = basename(folder) === SOURCES_FOLDER ? await manifestIn(dirname(folder)) : undefined
    return [await sourceAt(given, toolOf(manifest, `${SOURCES_FOLDER}/${basename(given)}`))]
  }
  const names = await readdir(given)
  const isExport = names.includes(MANIFEST_FILE) && names.includes(SOURCES_FOLDER)
  const folder = isExport ? join(given, SOURCES_FOLDER) : given
  const manifest = await manifestIn(isExport || basename(given) !== SOURCES_FOLDER ? given : dirname(given))
  const files = (isExport ? await readdir(folder) : names).filter((name) => name.endsWith(".html")).toSorted()
  const found: Array<FoundSource> = []
  for (const name of files) {
    found.push(await sourceAt(join(folder, name), toolOf(manifest, `${SOURCES_FOLDER}/${name}`)))
  }
  return found
}
