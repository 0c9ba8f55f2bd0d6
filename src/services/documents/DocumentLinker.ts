import { Context } from "effect"
import type { Cause, Effect } from "effect"
import type { LinkedUi } from "../../domain/documents/DocumentTemplate.ts"
import type { PageTools } from "../../domain/tools/PageTools.ts"
import type { Tool } from "../../domain/tools/Tool.ts"
import type { PrintedJson } from "../../domain/wire/PrintedJson.ts"
import type { UiEntry } from "../../domain/tools/UiEntry.ts"

/**
 * Joins the page runtime, the data of the tool and the source of a UI into one self-contained HTML document
 * that runs under the default CSP of MCP Apps. It never fails: when linking does, it answers with plain HTML
 * (level 3 of requirement V6).
 */
export class DocumentLinker extends Context.Service<
  DocumentLinker,
  {
    /** `pageTools`: what the page may call of the wrapper; left out, nothing. */
    readonly link: (tool: Tool, entry: UiEntry, pageTools?: PageTools) => Effect.Effect<string>
    /** The same document, printed as a JSON string; the last ones are kept for whoever reads them next. */
    readonly print: (tool: Tool, entry: UiEntry, pageTools?: PageTools) => Effect.Effect<PrintedJson>
    /** The same for a page that is on screen: without the runtime, which it has. Fails when linking does. */
    readonly part: (tool: Tool, entry: UiEntry) => Effect.Effect<LinkedUi, Cause.UnknownError>
    /** The `version` that documents of this entry carry. */
    readonly versionOf: (entry: UiEntry) => string
    /** A hash of the runtime and the template: part of the cache key. */
    readonly version: Effect.Effect<string>
  }
>()("mcp-gen-ui/services/DocumentLinker") {}
