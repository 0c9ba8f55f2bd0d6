import { Context } from "effect"
import type { Cause, Effect } from "effect"
import type { LinkedUi } from "../../domain/documents/DocumentTemplate.ts"
import type { PageTools } from "../../domain/tools/PageTools.ts"
import type { Tool } from "../../domain/tools/Tool.ts"
import type { PrintedJson } from "../../domain/wire/PrintedJson.ts"
import type { UiEntry } from "../../domain/tools/UiEntry.ts"

/**
 * Joins the page runtime, the tool's data and a UI's source into one self-contained HTML document that runs under the
 * default CSP of MCP Apps. It never fails: if linking does, it returns plain HTML.
 */
export class DocumentLinker extends Context.Service<
  DocumentLinker,
  {
    /** `pageTools`: the wrapper's tools that the page may call; none if left out. */
    readonly link: (tool: Tool, entry: UiEntry, pageTools?: PageTools) => Effect.Effect<string>
    /** The same document as a JSON string; the last ones are kept for the next reader. */
    readonly print: (tool: Tool, entry: UiEntry, pageTools?: PageTools) => Effect.Effect<PrintedJson>
    /** The same for an open page, without the runtime that the page already has. Fails when linking does. */
    readonly part: (tool: Tool, entry: UiEntry) => Effect.Effect<LinkedUi, Cause.UnknownError>
    /** The `version` that documents of this entry carry. */
    readonly versionOf: (entry: UiEntry) => string
    /** A hash of the runtime and the template: part of the cache key. */
    readonly version: Effect.Effect<string>
  }
>()("mcp-gen-ui/services/DocumentLinker") {}
