import { Effect, Layer } from "effect"
import { gzipSync } from "node:zlib"
import { CONFIG_DEFAULTS } from "../../src/domain/settings/ConfigDefaults.ts"
import { UI_ENTRY_FORMAT, type UiEntry } from "../../src/domain/tools/UiEntry.ts"
import type { Tool } from "../../src/domain/tools/Tool.ts"
import * as DocumentLinkerLayer from "../../src/layers/documents/DocumentLinker.ts"
import * as PackageFilesLayer from "../../src/layers/documents/PackageFiles.ts"
import { DocumentLinker } from "../../src/services/documents/DocumentLinker.ts"

/** What the product serves for a tool without a model. */
export interface ServedDocument {
  readonly html: string
  /** UTF-8 bytes of the document. */
  readonly bytes: number
  readonly gzipBytes: number
}

const builtinEntry = (toolName: string): UiEntry => ({
  format: UI_ENTRY_FORMAT,
  toolName,
  key: "evaluation",
  source: null,
  uiType: "minimal",
  level: 2,
  repairs: [],
  warnings: [],
  fallback: { code: "NO_MODEL", message: "No model is configured.", transient: false },
  provider: "none",
  model: null,
  promptVersion: null,
  templateVersion: "1",
  examples: 0,
  usage: null,
  refinements: [],
  requestId: "evaluation",
  createdAt: 0,
  durationMs: 0
})

const linker = DocumentLinkerLayer.layer({
  theme: "system",
  maxOutputDisplayBytes: CONFIG_DEFAULTS.generation.limits.maxOutputDisplayBytes
}).pipe(Layer.provide(PackageFilesLayer.layer))

/** Makes documents with the product's own linker and the runtime in `dist`. */
export const makeDocumentOf = async (): Promise<(tool: Tool) => Promise<ServedDocument>> => {
  const service = await Effect.runPromise(Effect.provide(DocumentLinker, linker))
  return async (tool) => {
    const html = await Effect.runPromise(service.link(tool, builtinEntry(tool.name)))
    return { html, bytes: Buffer.byteLength(html), gzipBytes: gzipSync(html).length }
  }
}
