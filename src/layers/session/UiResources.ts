import { Effect, Layer } from "effect"
import { makePageTokens } from "../../adapters/session/pageTokens.ts"
import type { PageTools } from "../../domain/tools/PageTools.ts"
import type { Tool } from "../../domain/tools/Tool.ts"
import { isForPages } from "../../domain/session/WrapperTool.ts"
import { UI_MIME_TYPE } from "../../domain/wire/AppsExtension.ts"
import { INVALID_PARAMS, RequestFailed, RESOURCE_NOT_FOUND } from "../../domain/wire/RequestFailed.ts"
import { LanguageModel } from "../../services/generation/LanguageModel.ts"
import { ServerTools } from "../../services/session/ServerTools.ts"
import { Settings } from "../../services/settings/Settings.ts"
import { type Json, UiResources } from "../../services/session/UiResources.ts"
import { UiLibrary } from "../../services/library/UiLibrary.ts"

/** URIs named in an error. */
const MAX_NAMED = 8
/** URIs of removed tools that are remembered. */
const MAX_RETIRED = 1000

const UI_META = { ui: { csp: { connectDomains: [], resourceDomains: [] }, prefersBorder: true } }

export const layer: Layer.Layer<UiResources, never, LanguageModel | ServerTools | Settings | UiLibrary> = Layer.effect(
  UiResources,
  Effect.gen(function* () {
    const { provider } = yield* LanguageModel
    const { cache, generation } = yield* Settings
    const serverTools = yield* ServerTools
    const library = yield* UiLibrary
    const retired = new Set<string>()
    const tokens = makePageTokens()

    const resourceOf = (tool: Tool): Json => ({
      uri: serverTools.catalog().uriOf(tool.name),
      name: tool.name,
      title: tool.title ?? tool.name,
      description: `Interactive UI of the tool ${tool.name}`,
      mimeType: UI_MIME_TYPE
    })

    const list = (): ReadonlyArray<Json> => {
      const catalog = serverTools.catalog()
      return catalog.tools.filter(catalog.isServed).map(resourceOf)
    }

    /** Without a model a UI changes by hand only: in its folder, or by an import into a cache that others write to. */
    const canChange =
      provider !== "none" || generation.uiDirectory !== undefined || (cache.enabled && cache.type !== "memory")

    /**
     * The wrapper's tools end up under another prefix when the server has tools of their names. A page that knows of no
     * `current` does not ask for news.
     */
    const pageTools = ({ name }: Tool): PageTools => ({
      ...Object.fromEntries(
        serverTools
          .wrapperTools()
          .flatMap(({ kind, name }) => (isForPages(kind) && (canChange || kind !== "current") ? [[kind, name]] : []))
      ),
      ...tokens.issue(name)
    })

    return UiResources.of({
      list,
      toolAt: (uri) => serverTools.catalog().toolAt(uri),
      read: (uri, tool, delivery) =>
        Effect.map(library.read(tool, { pageTools: pageTools(tool), delivery }), ({ cached, entry, printed }) =>
          Effect.gen(function* () {
            const text = yield* printed
            const about = {
              component: "session",
              tool: tool.name,
              cached,
              level: entry.level,
              bytes: text.bytes.length
            }
            yield* Effect.logDebug("UI read").pipe(Effect.annotateLogs(about))
            return { contents: [{ uri, mimeType: UI_MIME_TYPE, text, _meta: UI_META }] }
          })
        ),
      pageAt: tokens.check,
      missing: (uri, era) => {
        const known = list().map((resource) => String(resource.uri))
        const more = known.length - MAX_NAMED
        const some = known.slice(0, MAX_NAMED).join(", ")
        const hint =
          known.length === 0
            ? "This server has no tools with a UI made here."
            : `There are: ${some}${more > 0 ? ` and ${more} more (resources/list)` : ""}.`
        return new RequestFailed({
          code: era === "modern" ? INVALID_PARAMS : RESOURCE_NOT_FOUND,
          detail: `No UI resource "${uri}". ${hint}`,
          data: { uri, toolName: null, errorType: "RESOURCE_NOT_FOUND", fallbackUsed: false, retryable: false }
        })
      },
      isRetired: (uri) => retired.has(uri),
      retire: (uri) => {
        if (retired.size < MAX_RETIRED) retired.add(uri)
      }
    })
  })
)
