import { Effect } from "effect"
import { makePageTokens, type PageCheck } from "../../adapters/session/pageTokens.ts"
import type { PageTools } from "../../domain/tools/PageTools.ts"
import type { Tool } from "../../domain/tools/Tool.ts"
import type { UiDeclaration } from "../../domain/tools/UiDeclaration.ts"
import type { UiExtras } from "../../domain/tools/UiExtras.ts"
import { isForPages } from "../../domain/session/WrapperTool.ts"
import { UI_MIME_TYPE } from "../../domain/wire/AppsExtension.ts"
import { INVALID_PARAMS, RequestFailed, RESOURCE_NOT_FOUND } from "../../domain/wire/RequestFailed.ts"
import type { Era } from "../../domain/session/HostProfile.ts"
import type { Delivery } from "../../domain/wire/KnownHosts.ts"
import type { UiLibrary } from "../../services/library/UiLibrary.ts"
import type { ServerTools } from "./ServerTools.ts"

/** An object of a result, as it is printed. */
export type Json = Readonly<Record<string, unknown>>

/** The `ui://` resources of the tools that a session serves UIs for, as the protocol words them. */
export interface UiResources {
  /**
   * What we add to `resources/list`: UIs in the order of the tools, as far as their documents come to 4 MB. One host
   * fetches all that is listed, and takes 5 MB for everything. `tools/list` names the others too, and any can be read.
   */
  readonly list: () => ReadonlyArray<Json>
  /** The tool whose UI has this URI. */
  readonly toolAt: (uri: string) => Tool | undefined
  /**
   * Makes sure that there is a UI, as far as the delivery waits for one, and answers how to print its `resources/read`
   * result. A document is large, so we link it only when the host is ready to take it.
   */
  readonly read: (uri: string, tool: Tool, delivery: Delivery, extras?: UiExtras) => Effect.Effect<Effect.Effect<Json>>
  /** Knows the pages that were read. */
  readonly pageAt: PageCheck
  readonly missing: (uri: string, era: Era) => RequestFailed
  /** Whether there once was a UI at this URI, of a tool that the server no longer has. */
  readonly isRetired: (uri: string) => boolean
  readonly retire: (uri: string, toolName: string) => void
}

interface Served {
  readonly uri: string
  readonly tool: Tool
}

const isDashboard = ({ extras }: Tool): boolean => extras?.dashboard !== undefined

/** The documents of all listed UIs may have so many bytes together. */
const MAX_LISTED_BYTES = 4_000_000
/** A document that was not read yet: the page with its runtime and a source of usual length. */
const USUAL_PAGE_BYTES = 125_000
/** URIs named in an error. */
const MAX_NAMED = 8
/** URIs of removed tools that are remembered. */
const MAX_RETIRED = 1000

const metaOf = (
  frames: ReadonlyArray<string> = [],
  { csp, permissions = [], prefersBorder = true }: UiDeclaration = {}
): Json => {
  const frameDomains = [...frames, ...(csp?.frameDomains ?? [])]
  return {
    ui: {
      csp: { connectDomains: [], resourceDomains: [], ...csp, ...(frameDomains.length === 0 ? {} : { frameDomains }) },
      ...(permissions.length === 0 ? {} : { permissions: Object.fromEntries(permissions.map((name) => [name, {}])) }),
      prefersBorder
    }
  }
}

/**
 * `canChange`: a UI may change while its page is open. Otherwise its page does not ask for news. `takesReports`: pages
 * look at themselves. `keeps`: pages tell what they show, and get back what was lost.
 */
export const makeUiResources = Effect.fnUntraced(function* (
  library: UiLibrary["Service"],
  serverTools: ServerTools,
  {
    canChange,
    keeps,
    takesReports
  }: { readonly canChange: boolean; readonly takesReports: boolean; readonly keeps: boolean }
) {
  const log = Effect.runForkWith(yield* Effect.context<never>())
  /** UTF-8 bytes of the documents that were read, by the tool's name. */
  const sizes = new Map<string, number>()
  let isCutLogged = false
  const retired = new Set<string>()
  const tokens = makePageTokens()
  /** Declared for the pages that were read. */
  const titles = new Map<string, string>()

  const resourceOf = ({ tool, uri }: Served): Json => ({
    uri,
    name: tool.name,
    title: titles.get(tool.name) ?? tool.title ?? tool.name,
    description: isDashboard(tool) ? tool.description : `Interactive UI of the tool ${tool.name}`,
    mimeType: UI_MIME_TYPE
  })

  /** Dashboards first: only this list names them. */
  const served = (): ReadonlyArray<Served> => {
    const { catalog, dashboards } = serverTools.known()
    const tools = catalog.tools.flatMap((tool) => {
      const uri = catalog.uriOf(tool.name)
      return uri === undefined ? [] : [{ uri, tool }]
    })
    return [...dashboards.pages, ...tools]
  }

  const sizeOf = ({ definition, name }: Tool): number =>
    sizes.get(name) ?? USUAL_PAGE_BYTES + Buffer.byteLength(JSON.stringify(definition))

  const logCut = (listed: number, all: number): void => {
    if (isCutLogged) return
    isCutLogged = true
    const line = `resources/list names the UIs of the first ${listed} tools: with those of ${all - listed} more they would be over 4 MB. All can be read`
    log(Effect.annotateLogs(Effect.logInfo(line), { component: "session" }))
  }

  const list = (): ReadonlyArray<Json> => {
    const all = served()
    let bytes = 0
    const cut = all.findIndex(({ tool }) => {
      bytes += sizeOf(tool)
      return bytes > MAX_LISTED_BYTES
    })
    if (cut >= 0) logCut(cut, all.length)
    return all.slice(0, cut < 0 ? all.length : cut).map(resourceOf)
  }

  /**
   * The wrapper's tools end up under another prefix when the server has tools of their names. A page that knows of no
   * `current` does not ask for news.
   */
  const pageTools = ({ name }: Tool): PageTools => ({
    ...Object.fromEntries(
      serverTools
        .known()
        .wrapperTools.flatMap(({ kind, name }) =>
          isForPages(kind) && (canChange || keeps || kind !== "current") ? [[kind, name]] : []
        )
    ),
    ...(takesReports ? { reports: true } : {}),
    ...(keeps ? { keeps } : {}),
    ...(keeps && !canChange ? { isStill: true } : {}),
    ...tokens.issue(name)
  })

  return {
    list,
    toolAt: (uri) => {
      const { catalog, dashboards } = serverTools.known()
      return catalog.toolAt(uri) ?? dashboards.pageAt(uri)
    },
    read: (uri, tool, delivery, extras) =>
      Effect.map(
        library.read(tool, { pageTools: isDashboard(tool) ? undefined : pageTools(tool), delivery, extras }),
        ({ cached, entry, frames, printed }) =>
          Effect.gen(function* () {
            const text = yield* printed
            const about = {
              component: "session",
              tool: tool.name,
              cached,
              level: entry.level,
              bytes: text.bytes.length
            }
            sizes.set(tool.name, text.bytes.length)
            if (entry.declared?.title !== undefined) titles.set(tool.name, entry.declared.title)
            yield* Effect.logDebug("UI read").pipe(Effect.annotateLogs(about))
            return { contents: [{ uri, mimeType: UI_MIME_TYPE, text, _meta: metaOf(frames, entry.declared) }] }
          })
      ),
    pageAt: tokens.check,
    missing: (uri, era) => {
      const known = served()
      const more = known.length - MAX_NAMED
      const some = known
        .slice(0, MAX_NAMED)
        .map((page) => page.uri)
        .join(", ")
      const hint =
        known.length === 0
          ? "This server has no tools with a UI made here."
          : `There are: ${some}${more > 0 ? ` and ${more} more (tools/list)` : ""}.`
      return new RequestFailed({
        code: era === "modern" ? INVALID_PARAMS : RESOURCE_NOT_FOUND,
        detail: `No UI resource "${uri}". ${hint}`,
        data: { uri, toolName: null, errorType: "RESOURCE_NOT_FOUND", fallbackUsed: false, retryable: false }
      })
    },
    isRetired: (uri) => retired.has(uri),
    retire: (uri, toolName) => {
      sizes.delete(toolName)
      titles.delete(toolName)
      if (retired.size < MAX_RETIRED) retired.add(uri)
    }
  } satisfies UiResources
})
