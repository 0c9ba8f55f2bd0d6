import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { isObject } from "../../domain/isObject.ts"
import {
  isForPages,
  mayBeWrapperTool,
  pageToolKind,
  type WrapperTool,
  type WrapperToolKind
} from "../../domain/session/WrapperTool.ts"
import { FLAT_RESOURCE_URI, OPENAI_ACCESSIBLE, OPENAI_TEMPLATE } from "../../domain/wire/AppsExtension.ts"
import { type FrameHead, resultFrame } from "../../domain/wire/Frame.ts"
import { type Delivery, deliveryFor, isChatGpt } from "../../domain/wire/KnownHosts.ts"
import { progressTokenOf } from "../../domain/session/ProgressToken.ts"
import { METHOD_NOT_FOUND, type RequestFailed, unanswered } from "../../domain/wire/RequestFailed.ts"
import { addResources, addUiToTools, announceUi, decodedAt, rawAt, stringAt } from "../../domain/wire/Rewrites.ts"
import type { UiExtras } from "../../domain/tools/UiExtras.ts"
import { withId } from "../../domain/wire/withId.ts"
import type { ProgressAsked } from "./HostReplies.ts"
import type { Peers } from "./Peers.ts"
import type { ServerTools } from "./ServerTools.ts"
import type { Json, UiResources } from "./UiResources.ts"
import type { WrapperTools } from "./WrapperTools.ts"

type Request = Extract<FrameHead, { kind: "request" }>

/** Who answers a request. */
export type Route =
  /** The server; `rewrite` changes its answer, once its tools are known. */
  | { readonly kind: "server"; readonly rewrite?: (answer: Uint8Array) => Uint8Array }
  /** We do: `HostReplies.answer` takes it. */
  | {
      readonly kind: "own"
      readonly work: Effect.Effect<Effect.Effect<unknown>, RequestFailed>
      readonly progress?: ProgressAsked | undefined
    }
  /** We have asked the server the same just now: this is its answer, changed for this host. */
  | { readonly kind: "shared"; readonly answer: Effect.Effect<Uint8Array> }
  /** That depends on the server's tools: to be decided when they are known. */
  | { readonly kind: "undecided"; readonly decide: () => Route }

/**
 * Who answers the requests of a host that renders UIs. We answer those for our resources and for the wrapper's tools, and
 * add what is ours to the answers of others (docs/architecture.md has the table). It sends nothing by itself.
 */
export interface UiRoutes {
  /** `undefined`: only the server answers requests with this method. */
  readonly routeOf: (method: string) => ((request: Request, frame: Uint8Array) => Route) | undefined
  /**
   * Whether a page of ours made this call; its document proves it. Some hosts open a session for their pages that does
   * not announce MCP Apps. What pages ask us does not go to the server even then.
   */
  readonly isOfPage: (method: string, frame: Uint8Array) => boolean
}

export interface UiRoutesOptions {
  readonly toolPrefix: string
  /** Whether a read waits for its generation: `auto` decides by the host. */
  readonly delivery: Delivery | "auto"
  /** Pages offer tools to hosts, by which an agent moves them. */
  readonly viewTools: boolean
}

const SERVER: Route = { kind: "server" }

/** A server without resources that was never asked what it offers answers so. Our resources are there all the same. */
const isUnknownMethod = (reply: Uint8Array): boolean => decodedAt(reply, ["error", "code"]) === METHOD_NOT_FOUND

const isFailure = (reply: Uint8Array): boolean => rawAt(reply, ["error"]) !== undefined

/** A request for the first page of a list and nothing else: all hosts get the same answer. */
const asksNothing = (frame: Uint8Array): boolean => {
  const params = rawAt(frame, ["params"])
  return params === undefined || /^\{\s*\}$/.test(params)
}

/** ChatGPT lets pages call a tool, and shows its UI, only where it says so in its words. */
const forChatGpt = ({ definition, kind }: WrapperTool): Json => {
  const { _meta } = definition
  if (!isObject(_meta)) return definition
  if (kind === "dashboard") return { ...definition, _meta: { ..._meta, [OPENAI_TEMPLATE]: _meta[FLAT_RESOURCE_URI] } }
  return isForPages(kind) ? { ...definition, _meta: { ..._meta, [OPENAI_ACCESSIBLE]: true } } : definition
}

/** The URI that a request is about, if it may be one of ours. */
const uiUriIn = (frame: Uint8Array): string | undefined => {
  const uri = stringAt(frame, ["params", "uri"])
  return uri?.toLowerCase().startsWith("ui://") === true ? uri : undefined
}

const progressFor = (frame: Uint8Array, toolName: string): ProgressAsked | undefined => {
  const token = progressTokenOf(frame)
  return token === undefined ? undefined : { token, toolName }
}

export const makeUiRoutes = (
  { host, server }: Peers,
  serverTools: ServerTools,
  resources: UiResources,
  wrapperTools: WrapperTools,
  { delivery, toolPrefix, viewTools }: UiRoutesOptions
): UiRoutes => {
  /** What results carry in the modern era; lists and resources also how long they last: a UI may change at any time. */
  const complete = (method: string, result: Json): unknown => {
    if (host.era !== "modern") return result
    const lasting = method === "tools/call" || method === "ping" ? {} : { ttlMs: 0, cacheScope: "private" }
    return { resultType: "complete", ...result, ...lasting }
  }

  const answer = (
    { method }: Request,
    work: Effect.Effect<Effect.Effect<Json>, RequestFailed>,
    progress?: ProgressAsked
  ): Route => ({
    kind: "own",
    work: Effect.map(
      work,
      Effect.map((result) => complete(method, result))
    ),
    progress
  })

  const answerWith = (request: Request, result: Json): Route => answer(request, Effect.succeed(Effect.succeed(result)))

  const insteadOf = (request: Request, result: Json): Uint8Array =>
    resultFrame(request.id, complete(request.method, result))

  const greet = (): Route => ({ kind: "server", rewrite: announceUi })

  /** Some hosts show no view where a ping fails, and servers of the modern era know none. */
  const ping = (request: Request): Route => ({
    kind: "server",
    rewrite: (reply) => (isUnknownMethod(reply) ? insteadOf(request, {}) : reply)
  })

  const listTools = (request: Request, frame: Uint8Array): Route => {
    const chatGpt = isChatGpt(host.clientIn(frame))
    const rewrite = (reply: Uint8Array): Uint8Array => {
      const { catalog, wrapperTools } = serverTools.known()
      const listed = wrapperTools.filter(({ isListed }) => isListed)
      const ours = listed.map((tool) => (chatGpt ? forChatGpt(tool) : tool.definition))
      return addUiToTools(catalog.uriOf, ours, chatGpt)(reply)
    }
    const underWay = host.era === "legacy" && asksNothing(frame) ? serverTools.known().firstPage : undefined
    if (underWay === undefined) return { kind: "server", rewrite }
    const answer = underWay.pipe(
      Effect.tap(serverTools.whenSettled),
      Effect.map((page) => rewrite(withId(page, request.id))),
      Effect.catchTag("ToolsUnavailable", ({ detail }) =>
        Effect.succeed(unanswered(request.method, "UPSTREAM_EXITED", detail).frame(request.id, randomUUID()))
      )
    )
    return { kind: "shared", answer }
  }

  const listResources = (request: Request): Route => {
    const ours = () => ({ resources: resources.list() })
    if (server.offers("resources") === false) {
      return answer(request, Effect.as(serverTools.whenSettled, Effect.sync(ours)))
    }
    return {
      kind: "server",
      rewrite: (reply) => (isUnknownMethod(reply) ? insteadOf(request, ours()) : addResources(resources.list())(reply))
    }
  }

  const listTemplates = (request: Request): Route => {
    const none = { resourceTemplates: [] }
    if (server.offers("resources") === false) return answerWith(request, none)
    return { kind: "server", rewrite: (reply) => (isUnknownMethod(reply) ? insteadOf(request, none) : reply) }
  }

  const deliveryTo = (frame: Uint8Array): Delivery =>
    delivery === "auto" ? deliveryFor(host.clientIn(frame)) : delivery

  const extrasFor = (frame: Uint8Array): UiExtras | undefined => {
    const mcpUi = server.sendsMcpUi
    const openai = isChatGpt(host.clientIn(frame))
    if (!(mcpUi || openai || viewTools)) return undefined
    return { ...(mcpUi && { mcpUi }), ...(openai && { openai }), ...(viewTools && { viewTools }) }
  }

  const readResource = (request: Request, frame: Uint8Array): Route => {
    const uri = uiUriIn(frame)
    if (uri === undefined) return SERVER
    const decide = (): Route => {
      const tool = resources.toolAt(uri)
      if (tool !== undefined) {
        return answer(
          request,
          resources.read(uri, tool, deliveryTo(frame), extrasFor(frame)),
          progressFor(frame, tool.name)
        )
      }
      const missing = resources.missing(uri, host.era)
      if (server.offers("resources") === false) return answer(request, Effect.fail(missing))
      const isOurs = (reply: Uint8Array): boolean =>
        isUnknownMethod(reply) || (isFailure(reply) && resources.isRetired(uri))
      return {
        kind: "server",
        rewrite: (reply) => (isOurs(reply) ? missing.frame(request.id, randomUUID()) : reply)
      }
    }
    return { kind: "undecided", decide }
  }

  const subscribeResource = (request: Request, frame: Uint8Array): Route => {
    const uri = uiUriIn(frame)
    if (uri === undefined) return SERVER
    const decide = (): Route => (resources.toolAt(uri) === undefined ? SERVER : answerWith(request, {}))
    return { kind: "undecided", decide }
  }

  /**
   * What a page of ours asks for. Its document has the names that our tools had when it was read. If the server has got a
   * tool of such a name since, it is still we who are asked.
   */
  const askedByPage = (name: string, args: unknown): WrapperToolKind | undefined => {
    if (!isObject(args) || typeof args.toolName !== "string" || typeof args.token !== "string") return undefined
    return resources.pageAt(args.toolName, args.token) === undefined ? undefined : pageToolKind(name)
  }

  const callTool = (request: Request, frame: Uint8Array): Route => {
    const name = stringAt(frame, ["params", "name"])
    if (name === undefined || !mayBeWrapperTool(toolPrefix, name)) return SERVER
    const decide = (): Route => {
      const args = decodedAt(frame, ["params", "arguments"])
      const tool = serverTools.known().wrapperTools.find((tool) => tool.name === name)
      if (tool?.answer !== undefined) return answerWith(request, tool.answer)
      const kind = askedByPage(name, args) ?? tool?.kind
      if (kind === undefined || kind === "dashboard") return SERVER
      const asked = isObject(args) ? args.toolName : undefined
      return answer(
        request,
        Effect.map(wrapperTools.call(kind, args), (result) => Effect.succeed({ ...result })),
        progressFor(frame, typeof asked === "string" ? asked : name)
      )
    }
    return { kind: "undecided", decide }
  }

  const routes: ReadonlyMap<string, (request: Request, frame: Uint8Array) => Route> = new Map([
    ["initialize", greet],
    ["server/discover", greet],
    ["ping", ping],
    ["tools/list", listTools],
    ["tools/call", callTool],
    ["resources/list", listResources],
    ["resources/templates/list", listTemplates],
    ["resources/read", readResource],
    ["resources/subscribe", subscribeResource],
    ["resources/unsubscribe", subscribeResource]
  ])
  const isOfPage = (method: string, frame: Uint8Array): boolean => {
    const name = method === "tools/call" ? stringAt(frame, ["params", "name"]) : undefined
    if (name === undefined || !mayBeWrapperTool(toolPrefix, name)) return false
    return askedByPage(name, decodedAt(frame, ["params", "arguments"])) !== undefined
  }
  return { isOfPage, routeOf: (method) => routes.get(method) }
}
