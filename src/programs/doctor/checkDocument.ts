import { Effect, Layer, Option } from "effect"
import { toolFromDefinition } from "../../domain/tools/Tool.ts"
import * as DocumentLinker from "../../layers/documents/DocumentLinker.ts"
import * as PackageFiles from "../../layers/documents/PackageFiles.ts"
import { Settings } from "../../services/settings/Settings.ts"
import { documentOptions } from "../layerUiLibrary.ts"
import { versionDocument } from "../preview/versionDocument.ts"
import { findingsOf } from "./Finding.ts"
import { findBrowser, showInBrowser } from "./showInBrowser.ts"

/** What a page would have to load from elsewhere, which no host allows. */
const LOADED = /<(?:script|link|iframe) [^<>]*https?:/i

/** Links the built-in UI of the first tool, and opens it as the strictest host does, where a browser is there. */
export const checkDocument = Effect.fnUntraced(function* (definitions: ReadonlyArray<unknown>) {
  const { fail, ok, warn } = findingsOf("document")
  const settings = yield* Settings
  const definition = definitions.find((one) => toolFromDefinition(one)?.hasOwnUi === false)
  if (definition === undefined) return []
  const linker = DocumentLinker.layer(documentOptions({ ...settings, debug: false })).pipe(
    Layer.provide(PackageFiles.layer)
  )
  const linked = yield* versionDocument(JSON.stringify({ tool: definition, source: null, uiType: "minimal" })).pipe(
    Effect.provide(linker)
  )
  const html = Option.getOrElse(linked, () => "")
  if (!html.includes('<meta http-equiv="Content-Security-Policy"') || LOADED.test(html)) {
    return [fail("a document could not be put together", "reinstall mcp-gen-ui, or leave theme and baseTemplate out")]
  }
  const size = `${Math.round(html.length / 1000)} kB`
  const browser = findBrowser()
  if (browser === undefined) {
    return [
      ok(
        `a document of ${size} loads nothing from elsewhere (no browser was found to open it; CHROMIUM_PATH names one)`
      )
    ]
  }
  const shown = showInBrowser(browser, html)
  const first = yield* shown
  // A busy machine may have been too slow.
  const said = first?.length === 0 ? yield* shown : first
  if (said === undefined)
    return [warn(`${browser} does not run, so no document was opened`, "name another in CHROMIUM_PATH")]
  const violations = said.filter((text) => text !== "started")
  const blocked = violations.join(", ")
  if (violations.some((text) => text.startsWith("script-src"))) {
    return [fail(`a document breaks the strictest policy of hosts: ${blocked}`, "leave baseTemplate out")]
  }
  if (violations.length > 0) {
    return [warn(`the strictest hosts, such as MCP Inspector, leave something out: ${blocked}`, "draw a logo as SVG")]
  }
  return said.includes("started")
    ? [ok(`a document of ${size} starts under the strictest policy of hosts`)]
    : [fail("a document does not start under the strictest policy of hosts", "leave theme and baseTemplate out")]
})
