import { Clock, Effect, Option, Schema } from "effect"
import { UI_ENTRY_FORMAT, UiType } from "../../domain/tools/UiEntry.ts"
import { toolFromDefinition } from "../../domain/tools/Tool.ts"
import { DocumentLinker } from "../../services/documents/DocumentLinker.ts"

const Posted = Schema.fromJsonString(
  Schema.Struct({ tool: Schema.Unknown, source: Schema.NullOr(Schema.String), uiType: UiType })
)
const decode = Schema.decodeUnknownOption(Posted)

/**
 * Links a version of a UI (`{tool, source, uiType}` as JSON, the tool as `tools/list` has it) into the document that the
 * wrapper would serve, except that it never asks for a newer version. `none` for another text.
 */
export const versionDocument = Effect.fn("preview.versionDocument")(function* (body: string) {
  const posted = Option.getOrUndefined(decode(body))
  const tool = toolFromDefinition(posted?.tool)
  if (posted === undefined || tool === undefined) return Option.none<string>()
  const linker = yield* DocumentLinker
  const html = yield* linker.link(tool, {
    format: UI_ENTRY_FORMAT,
    toolName: tool.name,
    key: "",
    source: posted.source,
    uiType: posted.uiType,
    level: 0,
    repairs: [],
    warnings: [],
    fallback: null,
    provider: "",
    model: null,
    promptVersion: null,
    templateVersion: "",
    examples: 0,
    usage: null,
    refinements: [],
    requestId: "",
    createdAt: yield* Clock.currentTimeMillis,
    durationMs: 0
  })
  return Option.some(html)
})
