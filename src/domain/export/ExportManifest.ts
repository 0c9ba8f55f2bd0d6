import { Option, Schema } from "effect"
import { TokenUsage, UiLevel, UiType } from "../documents/UiEntry.ts"
import { handMadeFileName } from "../tools/handMadeFileName.ts"

/** Raised when the shape below changes. */
const EXPORT_FORMAT = 1

const ExportedFile = Schema.Struct({
  /** From the folder, with `/`. */
  path: Schema.String,
  /** Of its bytes, in hexadecimal digits. */
  sha256: Schema.String
})

/** One UI as it was exported. Holds no keys and no results. */
export const ExportedUi = Schema.Struct({
  tool: Schema.String,
  uri: Schema.String,
  /** In the session that wrote it; `null` for one that is no version, such as the built-in UI. */
  version: Schema.NullOr(Schema.Finite),
  level: UiLevel,
  uiType: UiType,
  provider: Schema.String,
  model: Schema.NullOr(Schema.String),
  promptVersion: Schema.NullOr(Schema.String),
  templateVersion: Schema.String,
  /** What it is kept under in the cache. */
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
  /** By the tool's name. */
  uis: Schema.Array(ExportedUi)
})
export type ExportManifest = typeof ExportManifest.Type

export const MANIFEST_FILE = "manifest.json"
export const SOURCES_FOLDER = "sources"

export const EMPTY_MANIFEST: ExportManifest = { "mcp-gen-ui": EXPORT_FORMAT, uis: [] }

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(ExportManifest))

/** `undefined` for a text that is something else. */
export const readManifest = (text: string): ExportManifest | undefined => Option.getOrUndefined(decode(text))

/** The manifest with this UI in place of what it had for the tool. */
export const withExportedUi = (manifest: ExportManifest, ui: ExportedUi): ExportManifest => ({
  ...manifest,
  uis: [...manifest.uis.filter(({ tool }) => tool !== ui.tool), ui].toSorted((a, b) => (a.tool < b.tool ? -1 : 1))
})

export const manifestText = (manifest: ExportManifest): string => `${JSON.stringify(manifest, null, 2)}\n`

/** Where the page and the source of a tool's UI stand in an export folder. */
export const exportPaths = (toolName: string): { readonly page: string; readonly source: string } => {
  const name = handMadeFileName(toolName)
  return { page: name, source: `${SOURCES_FOLDER}/${name}` }
}

/** The name of the tool that {@link handMadeFileName} made a file name of; `undefined` for other names. */
export const toolNameOfFile = (fileName: string): string | undefined => {
  if (!fileName.endsWith(".html")) return undefined
  try {
    return decodeURIComponent(fileName.slice(0, -".html".length)) || undefined
  } catch {
    return undefined
  }
}
