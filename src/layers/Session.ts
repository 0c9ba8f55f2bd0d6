import { Deferred, Duration, Effect, Exit, FiberMap, Layer, Option, Schema } from "effect"
import { randomUUID } from "node:crypto"
import { UI_MIME_TYPE } from "../domain/wire/AppsExtension.ts"
import {
  errorFrame,
  type FrameHead,
  frameStart,
  idKey,
  notificationFrame,
  readHead,
  resultFrame
} from "../domain/wire/Frame.ts"
import { HostProfile } from "../domain/wire/HostProfile.ts"
import { addResources, addUiToTools, announceUi, decodedAt, rawAt, stringAt } from "../domain/wire/Rewrites.ts"
import type { Tool } from "../domain/tools/Tool.ts"
import { WRAPPER_PREFIX } from "../domain/tools/WrapperTool.ts"
import { HostConnection } from "../services/HostConnection.ts"
import { RequestId } from "../services/RequestId.ts"
import { ServerTools } from "../services/ServerTools.ts"
import { Session } from "../services/Session.ts"
import { Settings } from "../services/Settings.ts"
import { UiLibrary } from "../services/UiLibrary.ts"
import { Upstream, type UpstreamExited } from "../services/Upstream.ts"
import { WrapperTools } from "../services/WrapperTools.ts"

type Request = Extract<FrameHead, { kind: "request" }>

interface Forwarded {
  readonly id: string
  readonly method: string
  /** Changes the answer; it is held back until the server's tools are known. */
  readonly rewrite?: (answer: Uint8Array) => Uint8Array
  readonly requestId: string
  readonly since: number
}

const METHOD_NOT_FOUND = -32601
const INTERNAL_ERROR = -32603
/** What SDKs call "connection closed". */
const CONNECTION_CLOSED = -32000

/** After the host's last message, what is still owed to it may take this long. */
const LAST_ANSWERS = Duration.millis(1500)
/** After its input ended, the server has this long to end by itself before it is made to. */
const SERVER_END = Duration.millis(500)
const MAX_JUNK_LINES = 20

/** An error response of our own (requirement S7). */
class RequestFailed extends Schema.TaggedError<RequestFailed>()("RequestFailed", {
  code: Schema.Finite,
  detail: Schema.String,
  data: Schema.Record(Schema.String, Schema.Unknown)
}) {
  override get message(): string {
    return this.detail
  }
}

const errorOf = ({ code, data, message }: RequestFailed, requestId: string) => ({
  code,
  message,
  data: { ...data, requestId }
})

/** A server that was never asked what it offers answers so; our resources are there all the same. */
const isUnknownMethod = (reply: Uint8Array): boolean => decodedAt(reply, ["error", "code"]) === METHOD_NOT_FOUND

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const make = Effect.gen(function* () {
  const host = yield* HostConnection
  const upstream = yield* Upstream
  const library = yield* UiLibrary
  const ownTools = yield* WrapperTools
  const serverTools = yield* ServerTools
  const { forceUi, logging } = yield* Settings

  const fibers = yield* FiberMap.make<string, void, never>()
  const fork = yield* FiberMap.runtime(fibers)<never>()
  const log = Effect.runForkWith(yield* Effect.context<never>())
  const tracing = logging.level === "debug"
  const hostEnded = yield* Deferred.make<void>()
  const lastAnswer = yield* Deferred.make<void>()

  const profile = new HostProfile(forceUi)
  let hasHostEnded = false
  let isHostLogged = false
  let serverCapabilities: unknown
  let junkLines = 0
  const forwarded = new Map<string, Forwarded>()

  // A host that does not read is still listened to: whoever is paused does not notice that its peer has gone.
  const toHost = (frame: Uint8Array): void => {
    if (!host.send(frame)) upstream.link.pause()
  }
  const toServer = (frame: Uint8Array): void => {
    if (!upstream.link.send(frame)) host.pause()
  }

  // ---- What the two sides can do ---------------------------------------------------------------------------

  const logHost = (apps: boolean): void => {
    if (isHostLogged || profile.era === "unknown") return
    isHostLogged = true
    const line = apps
      ? Effect.logInfo("host connected")
      : Effect.logInfo("the host does not announce MCP Apps: everything passes through, no UIs (--force-ui overrides)")
    log(line.pipe(Effect.annotateLogs({ component: "session", host: profile.name, era: profile.era })))
  }

  const hasApps = (frame: Uint8Array): boolean => {
    const apps = profile.hasApps(frame)
    logHost(apps)
    return apps
  }

  const serverOffers = (capability: string): boolean | undefined =>
    isObject(serverCapabilities) ? (serverCapabilities[capability] ?? undefined) !== undefined : undefined

  // ---- What we answer ourselves ----------------------------------------------------------------------------

  /** What results carry in the modern era; lists and resources also how long they last: a UI may change at any time. */
  const complete = (result: Readonly<Record<string, unknown>>, method = "resources/list"): unknown => {
    if (profile.era !== "modern") return result
    const lasting = method === "tools/call" ? {} : { ttlMs: 0, cacheScope: "private" }
    return { resultType: "complete", ...result, ...lasting }
  }

  const answer = (
    { id, method }: Request,
    work: Effect.Effect<Readonly<Record<string, unknown>>, RequestFailed>
  ): void => {
    const requestId = randomUUID()
    fork(
      idKey(id),
      work.pipe(
        Effect.map((result) => resultFrame(id, complete(result, method))),
        Effect.catchTag("RequestFailed", (error) => Effect.succeed(errorFrame(id, errorOf(error, requestId)))),
        Effect.catchDefect((defect) => {
          const message = "mcp-gen-ui failed to answer; its log has the details"
          const data = { errorType: "INTERNAL", fallbackUsed: false, retryable: true, requestId }
          return Effect.logError("request failed", defect).pipe(
            Effect.as(errorFrame(id, { code: INTERNAL_ERROR, message, data }))
          )
        }),
        Effect.map(toHost),
        Effect.annotateLogs({ requestId, method }),
        Effect.provideService(RequestId, requestId)
      )
    )
  }

  const resourceOf = (tool: Tool): Readonly<Record<string, unknown>> => ({
    uri: serverTools.catalog().uriOf(tool.name),
    name: tool.name,
    title: tool.title ?? tool.name,
    description: `Interactive UI of the tool ${tool.name}`,
    mimeType: UI_MIME_TYPE
  })

  const resources = (): ReadonlyArray<Readonly<Record<string, unknown>>> =>
    serverTools.catalog().tools.filter(serverTools.catalog().isServed).map(resourceOf)

  const readUi = Effect.fnUntraced(function* (uri: string, tool: Tool) {
    const { html, entry, cached } = yield* library.read(tool)
    yield* Effect.logDebug("UI read").pipe(
      Effect.annotateLogs({ component: "session", tool: tool.name, cached, level: entry.level, bytes: html.length })
    )
    const ui = { csp: { connectDomains: [], resourceDomains: [] }, prefersBorder: true }
    return { contents: [{ uri, mimeType: UI_MIME_TYPE, text: html, _meta: { ui } }] }
  })

  const noSuchUi = (uri: string): RequestFailed => {
    const known = resources().map((resource) => String(resource.uri))
    const some = known.slice(0, 8).join(", ")
    const hint =
      known.length === 0
        ? "This server has no tools with a UI made here."
        : `There are: ${some}${known.length > 8 ? ` and ${known.length - 8} more (resources/list)` : ""}.`
    return new RequestFailed({
      code: profile.era === "modern" ? -32602 : -32002,
      detail: `No UI resource "${uri}". ${hint}`,
      data: { uri, toolName: null, errorType: "RESOURCE_NOT_FOUND", fallbackUsed: false, retryable: false }
    })
  }

  /** To hosts of the legacy era; in the modern one such messages belong to a subscription. */
  const notify = (method: string, params?: unknown): void => {
    if (profile.era === "legacy") toHost(notificationFrame(method, params))
  }

  const directory = () => ({
    catalog: serverTools.catalog(),
    refresh: serverTools.refresh,
    announce: (uri: string) =>
      Effect.sync(() => {
        notify("notifications/resources/updated", { uri })
        notify("notifications/resources/list_changed")
      })
  })

  serverTools.onChange(({ removed }, before, isKnown) => {
    if (!isKnown) notify("notifications/tools/list_changed")
    notify("notifications/resources/list_changed")
    for (const name of removed) {
      const tool = before.toolNamed(name)
      if (tool !== undefined) fork(`forget ${name}`, library.forget(tool))
    }
  })

  // ---- From the host ---------------------------------------------------------------------------------------

  const forward = (request: Request, frame: Uint8Array, rewrite?: Forwarded["rewrite"]): void => {
    const requestId = tracing ? randomUUID() : ""
    if (tracing) {
      log(Effect.logDebug("forwarded").pipe(Effect.annotateLogs({ requestId, method: request.method, id: request.id })))
    }
    forwarded.set(idKey(request.id), {
      id: request.id,
      method: request.method,
      requestId,
      since: tracing ? performance.now() : 0,
      ...(rewrite === undefined ? {} : { rewrite })
    })
    toServer(frame)
  }

  const listResources = (request: Request, frame: Uint8Array): void => {
    if (serverOffers("resources") === false) {
      return answer(
        request,
        Effect.map(serverTools.whenSettled, () => ({ resources: resources() }))
      )
    }
    forward(request, frame, (reply) =>
      isUnknownMethod(reply)
        ? resultFrame(request.id, complete({ resources: resources() }))
        : addResources(resources())(reply)
    )
  }

  /** Decides now if the server's tools are known, else when they are. */
  const onceListed = (request: Request, decide: () => void): void => {
    if (serverTools.isSettled()) decide()
    else fork(idKey(request.id), Effect.map(serverTools.whenSettled, decide))
  }

  const readResource = (request: Request, frame: Uint8Array): void => {
    const uri = stringAt(frame, ["params", "uri"])
    if (uri === undefined || !uri.toLowerCase().startsWith("ui://")) return forward(request, frame)
    const decide = (): void => {
      const tool = serverTools.catalog().toolAt(uri)
      if (tool !== undefined) return answer(request, readUi(uri, tool))
      const missing = noSuchUi(uri)
      if (serverOffers("resources") === false) return answer(request, Effect.fail(missing))
      const refusal = () => errorFrame(request.id, errorOf(missing, randomUUID()))
      forward(request, frame, (reply) => (isUnknownMethod(reply) ? refusal() : reply))
    }
    onceListed(request, decide)
  }

  const subscribeResource = (request: Request, frame: Uint8Array): void => {
    const uri = stringAt(frame, ["params", "uri"])
    if (uri !== undefined && serverTools.catalog().toolAt(uri) !== undefined) return answer(request, Effect.succeed({}))
    forward(request, frame)
  }

  const listTemplates = (request: Request, frame: Uint8Array): void => {
    const none = { resourceTemplates: [] }
    if (serverOffers("resources") === false) return answer(request, Effect.succeed(none))
    forward(request, frame, (reply) => (isUnknownMethod(reply) ? resultFrame(request.id, complete(none)) : reply))
  }

  const callTool = (request: Request, frame: Uint8Array): void => {
    const name = stringAt(frame, ["params", "name"])
    if (name === undefined || !name.startsWith(WRAPPER_PREFIX)) return forward(request, frame)
    onceListed(request, () => {
      const own = serverTools.wrapperTools().find((tool) => tool.name === name)
      if (own === undefined) return forward(request, frame)
      const args = decodedAt(frame, ["params", "arguments"])
      answer(request, ownTools.call(own.kind, args, directory()).pipe(Effect.map((result) => ({ ...result }))))
    })
  }

  const withApps: Readonly<Record<string, (request: Request, frame: Uint8Array) => void>> = {
    initialize: (request, frame) => forward(request, frame, announceUi),
    "server/discover": (request, frame) => forward(request, frame, announceUi),
    "tools/list": (request, frame) =>
      forward(request, frame, (reply) => {
        const own = serverTools.wrapperTools().map((tool) => tool.definition)
        return addUiToTools(serverTools.catalog().uriOf, own)(reply)
      }),
    "tools/call": callTool,
    "resources/list": listResources,
    "resources/templates/list": listTemplates,
    "resources/read": readResource,
    "resources/subscribe": subscribeResource,
    "resources/unsubscribe": subscribeResource
  }

  const onHostNotification = (method: string, frame: Uint8Array): void => {
    if (method === "notifications/cancelled") {
      const id = rawAt(frame, ["params", "requestId"])
      const fiber = id === undefined ? Option.none() : FiberMap.getUnsafe(fibers, idKey(id))
      if (Option.isSome(fiber)) return fiber.value.interruptUnsafe()
      if (id !== undefined) forwarded.delete(idKey(id))
    }
    toServer(frame)
    if (method === "notifications/initialized" && profile.legacyApps && serverOffers("tools") !== false) {
      serverTools.start(undefined)
    }
  }

  const onHostFrame = (frame: Uint8Array): void => {
    const head = readHead(frame)
    if (head === undefined || head.kind === "response") return toServer(frame)
    if (head.kind === "notification") return onHostNotification(head.method, frame)
    if (head.method === "initialize") profile.onInitialize(frame)
    const handle = Object.hasOwn(withApps, head.method) ? withApps[head.method] : undefined
    if (handle === undefined || !hasApps(frame)) return forward(head, frame)
    // A legacy host should have said `initialized` before, which starts it too.
    if (head.method !== "initialize" && head.method !== "server/discover") serverTools.start(profile.envelope)
    handle(head, frame)
  }

  // ---- From the server -------------------------------------------------------------------------------------

  const onJunk = (frame: Uint8Array): void => {
    junkLines += 1
    if (junkLines > MAX_JUNK_LINES) return
    const text = new TextDecoder().decode(frame.subarray(0, 200))
    const last = junkLines === MAX_JUNK_LINES ? " (further ones are not logged)" : ""
    log(
      Effect.logWarning(
        `the server printed a line on stdout that is no JSON-RPC message; it is left out${last}: ${JSON.stringify(text)}`
      ).pipe(Effect.annotateLogs({ component: "session" }))
    )
  }

  /** A batch, or an object that is no message we know: odd, but not ours to drop. */
  const isJson = (frame: Uint8Array): boolean => {
    const first = frame[frameStart(frame)]
    if (first !== 0x5b && first !== 0x7b) return false
    try {
      const value: unknown = JSON.parse(new TextDecoder().decode(frame))
      return isObject(value) || (Array.isArray(value) && value.every(isObject))
    } catch {
      return false
    }
  }

  const onAnswer = (id: string, frame: Uint8Array): void => {
    if (serverTools.onAnswer(id, frame)) return
    const key = idKey(id)
    const request = forwarded.get(key)
    if (request === undefined) return toHost(frame)
    forwarded.delete(key)
    if (hasHostEnded && forwarded.size === 0) Deferred.doneUnsafe(lastAnswer, Exit.void)
    if (tracing) {
      const { requestId, method, since } = request
      const durationMs = Math.round((performance.now() - since) * 100) / 100
      log(Effect.logDebug("answered").pipe(Effect.annotateLogs({ requestId, method, durationMs, bytes: frame.length })))
    }
    const { method, rewrite } = request
    if (rewrite === undefined) return toHost(frame)
    if (method === "initialize" || method === "server/discover") {
      serverCapabilities = decodedAt(frame, ["result", "capabilities"])
      return toHost(rewrite(frame))
    }
    if (serverTools.isSettled()) return toHost(rewrite(frame))
    fork(
      `answer ${key}`,
      Effect.map(serverTools.whenSettled, () => toHost(rewrite(frame)))
    )
  }

  const onServerFrame = (frame: Uint8Array): void => {
    const head = readHead(frame)
    if (head === undefined) return isJson(frame) ? toHost(frame) : onJunk(frame)
    if (head.kind === "response") return onAnswer(head.id, frame)
    // Before the host hears of it: its next list must wait for ours.
    if (head.kind === "notification" && head.method === "notifications/tools/list_changed") serverTools.onListChanged()
    toHost(frame)
  }

  /** Every request of the host has its answer. */
  const nothingOwed = Effect.gen(function* () {
    if (forwarded.size > 0) yield* Deferred.await(lastAnswer)
    yield* FiberMap.awaitEmpty(fibers)
  })

  const failForwarded = (error: UpstreamExited): void => {
    for (const { id, method } of forwarded.values()) {
      const data = { toolName: null, errorType: "UPSTREAM_EXITED", fallbackUsed: false, retryable: true, method }
      toHost(errorFrame(id, { code: CONNECTION_CLOSED, message: error.message, data }))
    }
    forwarded.clear()
  }

  return Session.of({
    run: Effect.gen(function* () {
      host.listen({
        frame: onHostFrame,
        drained: upstream.link.resume,
        ended: () => {
          hasHostEnded = true
          Deferred.doneUnsafe(hostEnded, Exit.void)
        }
      })
      upstream.link.listen({ frame: onServerFrame, drained: host.resume, ended: () => undefined })
      yield* Effect.raceFirst(
        Deferred.await(hostEnded),
        Effect.tapError(upstream.exited, (error) => Effect.sync(() => failForwarded(error)))
      )
      yield* Effect.logDebug("the host ended the conversation")
      yield* Effect.timeoutOption(nothingOwed, LAST_ANSWERS)
      upstream.link.end()
      yield* Effect.timeoutOption(Effect.exit(upstream.exited), SERVER_END)
    })
  })
})

/** The router of one host and one server; see docs/architecture.md for the table of what it changes. */
export const layer: Layer.Layer<
  Session,
  never,
  HostConnection | Upstream | ServerTools | UiLibrary | WrapperTools | Settings
> = Layer.effect(Session, make)
