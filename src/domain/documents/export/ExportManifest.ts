import { Option, Schema } from "effect"
import { shortHash } from "../../shortHash.ts"
import { TokenUsage, UiLevel, UiType } from "../../tools/UiEntry.ts"
import { handMadeFileName } from "../../tools/handMadeFileName.ts"

/** Raised when the shape below changes. */
const EXPORT_FORMAT = 1

const ExportedFile = Schema.Struct({
  /** Relative to the folder, with `/`. */
  path: Schema.String,
  /** Hexadecimal. */
  sha256: Schema.String
})

/** A server: tells its tools from those of the same name elsewhere. Holds no secrets. */
export const ExportedServer = Schema.Struct({
  /** For people. */
  name: Schema.String,
  /** Eight hexadecimal digits. */
  id: Schema.String
})
export type ExportedServer = typeof ExportedServer.Type

/** One UI as it was exported. Holds no keys and no results. */
export const ExportedUi = Schema.Struct({
  tool: Schema.String,
  /** Missing in folders of older versions: the next export of the tool takes the entry over. */
  server: Schema.optionalKey(ExportedServer),
  uri: Schema.String,
  /** In the session that wrote it; `null` for a UI without a version, such as the built-in UI. */
  version: Schema.NullOr(Schema.Finite),
  level: UiLevel,
  uiType: UiType,
  provider: Schema.String,
  model: Schema.NullOr(Schema.String),
  promptVersion: Schema.NullOr(Schema.String),
  templateVersion: Schema.String,
  /** Its key in the cache. */
  key: Schema.String,
  refinements: Schema.Array(Schema.String),
  /** ISO 8601. */
  createdAt: Schema.String,
  tokens: Schema.NullOr(TokenUsage),
  /** What the page shows when it opens: a real call, an example, or nothing. */
  shows: Schema.Literals(["calls", "example", "nothing"]),
  files: Schema.Array(ExportedFile)
})
export type ExportedUi = typeof ExportedUi.Type

/** `manifest.json` of an export folder. */
export const ExportManifest = Schema.Struct({
  "mcp-gen-ui": Schema.Literal(EXPORT_FORMAT),
  /** By the names of tool and server. */
  uis: Schema.Array(ExportedUi)
})
export type ExportManifest = typeof ExportManifest.Type

export const MANIFEST_FILE = "manifest.json"
export const SOURCES_FOLDER = "sources"

export const EMPTY_MANIFEST: ExportManifest = { "mcp-gen-ui": EXPORT_FORMAT, uis: [] }

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(ExportManifest))

/** `undefined` for any other text. */
export const readManifest = (text: string): ExportManifest | undefined => Option.getOrUndefined(decode(text))

const isOf = (ui: ExportedUi, tool: string, server: ExportedServer): boolean =>
  ui.tool === tool && (ui.server === undefined || ui.server.id === server.id)

export const exportedUiOf = (
  manifest: ExportManifest,
  tool: string,
  server: ExportedServer
): ExportedUi | undefined => {
  const found = manifest.uis.filter((ui) => isOf(ui, tool, server))
  return found.find((ui) => ui.server !== undefined) ?? found[0]
}

const orderOf = ({ server, tool }: ExportedUi): string => `${tool}\0${server?.name ?? ""}\0${server?.id ?? ""}`

/** The manifest with this UI in place of what it had for the tool of this server. */
export const withExportedUi = (
  manifest: ExportManifest,
  ui: ExportedUi & { readonly server: ExportedServer }
): ExportManifest => {
  const before = exportedUiOf(manifest, ui.tool, ui.server)
  const others = manifest.uis.filter((other) => other !== before)
  return { ...manifest, uis: [...others, ui].toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1)) }
}

export const manifestText = (manifest: ExportManifest): string => `${JSON.stringify(manifest, null, 2)}\n`

export interface ExportPaths {
  readonly page: string
  readonly source: string
}

const pathsOf = (fileName: string): ExportPaths => ({ page: fileName, source: `${SOURCES_FOLDER}/${fileName}` })

/**
 * The paths of page and source for a tool's UI in the folder of this manifest. If they would be files of another
 * server, or of a tool whose name differs only in case (some disks do not tell them apart), `~` and eight digits follow
 * the name. Exporting a UI again keeps its files.
 */
export const exportPaths = (manifest: ExportManifest, tool: string, server: ExportedServer): ExportPaths => {
  const own = exportedUiOf(manifest, tool, server)
  const name = handMadeFileName(tool)
  const marked = name.replace(/\.html$/, `~${shortHash(`${server.id} ${tool}`)}.html`)
  const others = manifest.uis.filter((ui) => ui !== own).flatMap(({ files }) => files)
  const isTaken = others.some(({ path }) => path.toLowerCase() === name.toLowerCase())
  const wasMarked = own?.files.some(({ path }) => path === marked) === true
  return pathsOf(isTaken || wasMarked ? marked : name)
}

/** The name of a file without what {@link exportPaths} put behind it. */
export const unmarkedFileName = (fileName: string): string => fileName.replace(/~[0-9a-f]{8}(?=\.html$)/, "")

/**
 * The tool whose name {@link exportPaths} made a file name of; `undefined` for other names, and for long ones, of
 * which the file name has only the start.
 */
export const toolNameOfFile = (fileName: string): string | undefined => {
  const stem = /^(.+)\.html$/s.exec(unmarkedFileName(fileName))?.[1]
  if (stem === undefined || /~[0-9a-f]{16}$/.test(stem)) return undefined
  try {
    return decodeURIComponent(stem)
  } catch {
    return undefined
  }
}
