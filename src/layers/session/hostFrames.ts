import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import type { ForwardedRequest } from "../../domain/session/ForwardedRequests.ts"
import { batchOf, type FrameHead, idKey, readHead } from "../../domain/wire/Frame.ts"
import { knownHost, refusedNames } from "../../domain/wire/KnownHosts.ts"
import { decodedAt, rawAt, stringAt } from "../../domain/wire/Rewrites.ts"
import type { FrameListener } from "../../services/host/FrameLink.ts"
import type { Traffic } from "./Traffic.ts"
import type { UiResources } from "./UiResources.ts"
import type { Route, UiRoutes } from "./UiRoutes.ts"

type Request = Extract<FrameHead, { kind: "request" }>

/** They may come before the host has greeted the server, which must hear nothing else by then. */
const EARLY: ReadonlySet<string> = new Set(["initialize", "server/discover", "ping"])

/** Skip optional lookups in requests above this size. */
const SMALL_BYTES = 65_536

/**
 * What becomes of each frame of the host: `UiRoutes` says who answers a request; what is not for us goes to the server,
 * and we keep account of it. `onHostKnown` is called once, when the host has shown whether it renders UIs. With `embedUi`
 * one that does not gets them in results.
 */
export const makeHostFrames = (
  { forwarded, peers, questions, replies, say, server, serverTools, toServer, traces }: Traffic,
  resources: UiResources,
  routes: UiRoutes,
  onHostKnown: (rendersUis: boolean) => void,
  embedUi: boolean
): FrameListener["frame"] => {
  const { host: profile, listens } = peers
  let isHostKnown = false
  let areNamesChecked = false

  const hasApps = (frame: Uint8Array): boolean => {
    const apps = profile.hasApps(frame)
    if (isHostKnown || profile.era === "unknown") return apps
    isHostKnown = true
    const line = apps
      ? Effect.logInfo("host connected")
      : Effect.logInfo("the host does not announce MCP Apps: everything passes through, no UIs (--force-ui overrides)")
    say(line.pipe(Effect.annotateLogs({ host: profile.name, era: profile.era })))
    onHostKnown(apps)
    return apps
  }

  const warnOfNames = (frame: Uint8Array): void => {
    const client = profile.clientIn(frame)
    if (areNamesChecked || knownHost(client)?.toolNames === undefined) return
    areNamesChecked = true
    const warn = Effect.suspend(() => {
      const { catalog, wrapperTools } = serverTools.known()
      const refused = refusedNames(
        client,
        [...catalog.tools, ...wrapperTools].map(({ name }) => name)
      )
      return refused === undefined ? Effect.void : Effect.logWarning(refused)
    })
    replies.besides(
      Effect.andThen(
        serverTools.whenSettled,
        Effect.sync(() => say(warn))
      )
    )
  }

  const traced = (requestId: string): Pick<ForwardedRequest, "trace"> =>
    traces ? { trace: { requestId, since: performance.now() } } : {}

  const forward = (
    { id, method }: Request,
    frame: Uint8Array,
    how: Pick<ForwardedRequest, "rewrite" | "learnFrom" | "isEmbedding"> = {}
  ): void => {
    if (profile.era !== "modern") server.handshake.onRequest(method, frame)
    const requestId = traces ? randomUUID() : ""
    if (traces) say(Effect.logDebug("forwarded").pipe(Effect.annotateLogs({ requestId, method, id })))
    const toolName =
      method === "tools/call" && frame.length <= SMALL_BYTES ? stringAt(frame, ["params", "name"]) : undefined
    forwarded.add({ id, method, toolName, ...how, ...traced(requestId) })
    toServer(frame)
  }

  /** Decides now if the server's tools are known, else when they are. */
  const onceListed = (request: Request, decide: () => void): void => {
    if (serverTools.known().isSettled) decide()
    else replies.later(request.id, Effect.map(serverTools.whenSettled, decide))
  }

  const learnFrom = (frame: Uint8Array): Pick<ForwardedRequest, "learnFrom"> =>
    frame.length > SMALL_BYTES ? {} : { learnFrom: { args: decodedAt(frame, ["params", "arguments"]) } }

  const follow = (request: Request, frame: Uint8Array, route: Route): void => {
    switch (route.kind) {
      case "own":
        return replies.answer(request, route.work, route.progress)
      case "shared":
        return replies.later(
          request.id,
          Effect.map(route.answer, (answer) => replies.send(answer))
        )
      case "undecided":
        return onceListed(request, () => follow(request, frame, route.decide()))
      case "server": {
        const { rewrite } = route
        const taught = request.method === "tools/call" ? learnFrom(frame) : {}
        return forward(request, frame, rewrite === undefined ? taught : { rewrite, ...taught })
      }
    }
  }

  const listen = (request: Request, frame: Uint8Array): void => {
    const open = (isOurs: (uri: string) => boolean, apps: boolean): void => {
      listens.onRequest(request.id, frame, apps, isOurs)
      toServer(frame)
    }
    if (!hasApps(frame)) return open(() => false, false)
    serverTools.tell({ kind: "wanted", envelope: profile.envelope })
    onceListed(request, () => open((uri) => resources.toolAt(uri) !== undefined, true))
  }

  const onCancelled = (frame: Uint8Array): void => {
    const id = rawAt(frame, ["params", "requestId"])
    if (id === undefined) return toServer(frame)
    const key = idKey(id)
    if (replies.cancel(key)) return
    forwarded.cancel(key)
    // What the server has not had yet, it need not hear of.
    if (!listens.onCancelled(key) && !server.withdraw(key)) toServer(frame)
  }

  const onNotification = (method: string, frame: Uint8Array): void => {
    if (method === "notifications/cancelled") return onCancelled(frame)
    toServer(frame)
    if (method !== "notifications/initialized") return
    server.handshake.onInitialized()
    if (profile.legacyApps && peers.server.offers("tools") !== false)
      serverTools.tell({ kind: "wanted", envelope: undefined })
  }

  /** Batches (2025-03-26) pass as they are; account is kept of them, so that nobody waits for a server that is gone. */
  const onBatch = (frame: Uint8Array, about?: string): void => {
    for (const element of batchOf(frame) ?? []) {
      const head = readHead(element)
      if (head?.kind === "request") forwarded.add({ id: head.id, method: head.method, ...traced("") })
    }
    toServer(frame, about)
  }

  return (frame, about) => {
    const head = readHead(frame)
    if (head === undefined) return onBatch(frame, about)
    if (head.kind === "response") return questions.onAnswer(head.id) ? toServer(frame, about) : undefined
    if (head.kind === "notification") return onNotification(head.method, frame)
    if (head.method === "initialize") profile.onInitialize(frame)
    if (head.method === "subscriptions/listen") return listen(head, frame)
    const routeOf = routes.routeOf(head.method)
    if (routeOf === undefined) return forward(head, frame)
    if (!(hasApps(frame) || routes.isOfPage(head.method, frame))) {
      if (!embedUi || head.method !== "tools/call") return forward(head, frame)
      serverTools.tell({ kind: "wanted", envelope: profile.envelope })
      return forward(head, frame, { isEmbedding: true, ...learnFrom(frame) })
    }
    // A legacy host should have said `initialized` before, which starts it too.
    if (!EARLY.has(head.method)) serverTools.tell({ kind: "wanted", envelope: profile.envelope })
    if (head.method === "tools/list") warnOfNames(frame)
    follow(head, frame, routeOf(head, frame))
  }
}
