import { Deferred, Duration, Effect, Exit, Layer } from "effect"
import { randomUUID } from "node:crypto"
import { type FrameHead, idKey, notificationFrame, readBatch, readHead, resultFrame } from "../domain/wire/Frame.ts"
import { HostListens } from "../domain/wire/HostListens.ts"
import { HostProfile } from "../domain/wire/HostProfile.ts"
import { JunkLines } from "../domain/wire/JunkLines.ts"
import { type Delivery, deliveryFor } from "../domain/wire/KnownHosts.ts"
import { METHOD_NOT_FOUND, type RequestFailed, unanswered } from "../domain/wire/RequestFailed.ts"
import { progressTokenOf } from "../domain/wire/ProgressToken.ts"
import { ServerQuestions } from "../domain/wire/ServerQuestions.ts"
import { addResources, addUiToTools, announceUi, decodedAt, rawAt, stringAt } from "../domain/wire/Rewrites.ts"
import { withId } from "../domain/wire/withId.ts"
import { mayBeWrapperTool } from "../domain/tools/WrapperTool.ts"
import { HostConnection } from "../services/HostConnection.ts"
import { HostReplies, type ProgressWish } from "../services/HostReplies.ts"
import { Selections } from "../services/Selections.ts"
import { ServerRequests } from "../services/ServerRequests.ts"
import { ServerSession } from "../services/ServerSession.ts"
import { ServerTools } from "../services/ServerTools.ts"
import { Session } from "../services/Session.ts"
import { Settings } from "../services/Settings.ts"
import { ToolMemory } from "../services/ToolMemory.ts"
import { UiLibrary } from "../services/UiLibrary.ts"
import { type Json, UiResources } from "../services/UiResources.ts"
import type { UpstreamExited, UpstreamLost } from "../services/Upstream.ts"
import { WrapperTools } from "../services/WrapperTools.ts"

type Request = Extract<FrameHead, { kind: "request" }>

interface Forwarded {
  readonly id: string
  readonly method: string
  /** Changes the answer; it is held back until the server's tools are known. */
  readonly rewrite?: (answer: Uint8Array) => Uint8Array
  /** Of a `tools/call`. */
  readonly toolName: string | undefined
  /** What a result teaches of its tool, if it is to be looked at: the arguments that led to it. */
  readonly learnFrom?: { readonly args: unknown }
  readonly requestId: string
  readonly since: number
}

/** After the host's last message, what we have to say ourselves may take this long before the server hears of the end. */
const OWN_ANSWERS = Duration.millis(1500)
/** And the server's answers to what the host had asked this long: a host that wants no more ends us. */
const LAST_ANSWERS = Duration.seconds(30)
/** Once it owes nothing, the server has this long to end by itself before it is made to. */
const SERVER_END = Duration.millis(500)
/** Of larger requests nothing is looked up that is only nice to know. */
const SMALL_BYTES = 65_536

/** A server that was never asked what it offers answers so; our resources are there all the same. */
const isUnknownMethod = (reply: Uint8Array): boolean => decodedAt(reply, ["error", "code"]) === METHOD_NOT_FOUND

const isFailure = (reply: Uint8Array): boolean => rawAt(reply, ["error"]) !== undefined

/** A request for the first page of a list and nothing else: whoever asks, the answer is the same. */
const asksNothing = (frame: Uint8Array): boolean => {
  const params = rawAt(frame, ["params"])
  return params === undefined || /^\{\s*\}$/.test(params)
}

const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value)

const make = Effect.gen(function* () {
  const host = yield* HostConnection
  const server = yield* ServerSession
  const replies = yield* HostReplies
  const library = yield* UiLibrary
  const resources = yield* UiResources
  const ownTools = yield* WrapperTools
  const selections = yield* Selections
  const ownRequests = yield* ServerRequests
  const serverTools = yield* ServerTools
  const memory = yield* ToolMemory
  const { forceUi, generation, logging, toolPrefix } = yield* Settings

  const log = Effect.runForkWith(yield* Effect.context<never>())
  const say = (line: Effect.Effect<void>) => log(Effect.annotateLogs(line, { component: "session" }))
  const tracing = logging.level === "debug"
  const hostEnded = yield* Deferred.make<void>()
  const lastAnswer = yield* Deferred.make<void>()

  const profile = new HostProfile(forceUi)
  const listens = new HostListens()
  const junk = new JunkLines()
  const questions = new ServerQuestions()
  let hasHostEnded = false
  let isHostLogged = false
  let serverCapabilities: unknown
  const forwarded = new Map<string, Forwarded>()

  // ---- Both ways -------------------------------------------------------------------------------------------

  const toServer = (frame: Uint8Array, about?: string): void => {
    if (!server.send(frame, about)) host.pause()
  }

  // ---- What the two sides can do ---------------------------------------------------------------------------

  const logHost = (apps: boolean): void => {
    if (isHostLogged || profile.era === "unknown") return
    isHostLogged = true
    const line = apps
      ? Effect.logInfo("host connected")
      : Effect.logInfo("the host does not announce MCP Apps: everything passes through, no UIs (--force-ui overrides)")
    say(line.pipe(Effect.annotateLogs({ host: profile.name, era: profile.era })))
    for (const line of junk.onHost(apps)) onJunk(line)
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
  const complete = (result: Json, method = "resources/list"): unknown => {
    if (profile.era !== "modern") return result
    const lasting = method === "tools/call" ? {} : { ttlMs: 0, cacheScope: "private" }
    return { resultType: "complete", ...result, ...lasting }
  }

  const answer = (
    request: Request,
    work: Effect.Effect<Effect.Effect<Json>, RequestFailed>,
    wish?: ProgressWish
  ): void =>
    replies.answer(
      request,
      Effect.map(
        work,
        Effect.map((result) => complete(result, request.method))
      ),
      wish
    )

  const wishOf = (frame: Uint8Array, toolName: string): ProgressWish | undefined => {
    const token = progressTokenOf(frame)
    return token === undefined ? undefined : { token, toolName }
  }

  const answerWith = (request: Request, result: () => Json): void =>
    answer(request, Effect.succeed(Effect.sync(result)))

  /** In the legacy era to everybody, in the modern one to those who listen. */
  const notify = (method: string, params?: Json): void => {
    if (profile.era === "legacy") return replies.send(notificationFrame(method, params))
    for (const { frame, id } of listens.notifications(method, params)) replies.send(frame, id)
  }

  const announce = (uri: string): void => {
    notify("notifications/resources/updated", { uri })
    notify("notifications/resources/list_changed")
  }

  const directory = () => ({
    catalog: serverTools.catalog(),
    refresh: serverTools.refresh,
    announce: (uri: string) => Effect.sync(() => announce(uri))
  })

  library.onChange(({ name }) => {
    const uri = serverTools.catalog().uriOf(name)
    if (uri !== undefined) announce(uri)
  })

  serverTools.onChange(({ removed }, before, isKnown) => {
    if (!isKnown) notify("notifications/tools/list_changed")
    notify("notifications/resources/list_changed")
    for (const name of removed) {
      const tool = before.toolNamed(name)
      const uri = before.uriOf(name)
      if (uri !== undefined) resources.retire(uri)
      ownTools.forget(name)
      if (tool === undefined) continue
      replies.besides(`forget ${name}`, Effect.andThen(library.forget(tool), selections.forget(name)))
    }
  })

  // ---- From the host ---------------------------------------------------------------------------------------

  const remember = ({ id, method }: Request, more: Partial<Forwarded> = {}): void => {
    const since = tracing ? performance.now() : 0
    forwarded.set(idKey(id), { id, method, toolName: undefined, requestId: "", since, ...more })
  }

  const forward = (
    request: Request,
    frame: Uint8Array,
    rewrite?: Forwarded["rewrite"],
    more: Partial<Forwarded> = {}
  ): void => {
    const requestId = tracing ? randomUUID() : ""
    if (tracing) {
      say(Effect.logDebug("forwarded").pipe(Effect.annotateLogs({ requestId, method: request.method, id: request.id })))
    }
    const isCall = request.method === "tools/call" && frame.length <= SMALL_BYTES
    remember(request, {
      ...(isCall ? { toolName: stringAt(frame, ["params", "name"]) } : {}),
      requestId,
      ...(rewrite === undefined ? {} : { rewrite }),
      ...more
    })
    toServer(frame)
  }

  const listResources = (request: Request, frame: Uint8Array): void => {
    const ours = () => ({ resources: resources.list() })
    if (serverOffers("resources") === false) {
      return answer(request, Effect.as(serverTools.whenSettled, Effect.sync(ours)))
    }
    forward(request, frame, (reply) =>
      isUnknownMethod(reply) ? resultFrame(request.id, complete(ours())) : addResources(resources.list())(reply)
    )
  }

  /** Decides now if the server's tools are known, else when they are. */
  const onceListed = (request: Request, decide: () => void): void => {
    if (serverTools.isSettled()) decide()
    else replies.later(request.id, Effect.map(serverTools.whenSettled, decide))
  }

  const deliveryTo = (frame: Uint8Array): Delivery =>
    generation.delivery === "auto" ? deliveryFor(profile.nameIn(frame)) : generation.delivery

  const readResource = (request: Request, frame: Uint8Array): void => {
    const uri = stringAt(frame, ["params", "uri"])
    if (uri === undefined || !uri.toLowerCase().startsWith("ui://")) return forward(request, frame)
    onceListed(request, () => {
      const tool = resources.toolAt(uri)
      if (tool !== undefined) {
        return answer(request, resources.read(uri, tool, deliveryTo(frame)), wishOf(frame, tool.name))
      }
      const missing = resources.missing(uri, profile.era)
      if (serverOffers("resources") === false) return answer(request, Effect.fail(missing))
      const isOurs = (reply: Uint8Array): boolean =>
        isUnknownMethod(reply) || (isFailure(reply) && resources.isRetired(uri))
      forward(request, frame, (reply) => (isOurs(reply) ? missing.frame(request.id, randomUUID()) : reply))
    })
  }

  const subscribeResource = (request: Request, frame: Uint8Array): void => {
    const uri = stringAt(frame, ["params", "uri"])
    if (uri !== undefined && resources.toolAt(uri) !== undefined) return answerWith(request, () => ({}))
    forward(request, frame)
  }

  const listTools = (request: Request, frame: Uint8Array): void => {
    const rewrite = (reply: Uint8Array): Uint8Array => {
      const own = serverTools.wrapperTools().map((tool) => tool.definition)
      return addUiToTools(serverTools.catalog().uriOf, own)(reply)
    }
    const underWay = profile.era === "legacy" && asksNothing(frame) ? serverTools.firstPage() : undefined
    if (underWay === undefined) return forward(request, frame, rewrite)
    const reply = underWay.pipe(
      Effect.tap(serverTools.whenSettled),
      Effect.map((page) => rewrite(withId(page, request.id))),
      Effect.catchTag("ToolsUnavailable", ({ detail }) =>
        Effect.succeed(unanswered(request.method, "UPSTREAM_EXITED", detail).frame(request.id, randomUUID()))
      )
    )
    replies.later(
      request.id,
      Effect.map(reply, (page) => replies.send(page))
    )
  }

  const listTemplates = (request: Request, frame: Uint8Array): void => {
    const none = { resourceTemplates: [] }
    if (serverOffers("resources") === false) return answerWith(request, () => none)
    forward(request, frame, (reply) => (isUnknownMethod(reply) ? resultFrame(request.id, complete(none)) : reply))
  }

  const forwardCall = (request: Request, frame: Uint8Array): void => {
    if (frame.length > SMALL_BYTES) return forward(request, frame)
    const learnFrom = { args: decodedAt(frame, ["params", "arguments"]) }
    forward(request, frame, undefined, { learnFrom })
  }

  /** After the host has got the answer; only of tools that we make UIs for. */
  const learn = ({ learnFrom, toolName }: Forwarded, frame: Uint8Array): void => {
    if (learnFrom === undefined || toolName === undefined || serverTools.catalog().uriOf(toolName) === undefined) return
    memory.observe(toolName, learnFrom.args, frame)
  }

  const callTool = (request: Request, frame: Uint8Array): void => {
    const name = stringAt(frame, ["params", "name"])
    if (name === undefined || !mayBeWrapperTool(toolPrefix, name)) return forwardCall(request, frame)
    onceListed(request, () => {
      const own = serverTools.wrapperTools().find((tool) => tool.name === name)
      if (own === undefined) return forwardCall(request, frame)
      const args = decodedAt(frame, ["params", "arguments"])
      const asked = isObject(args) ? args.toolName : undefined
      answer(
        request,
        Effect.map(ownTools.call(own.kind, args, directory()), (result) => Effect.succeed({ ...result })),
        wishOf(frame, typeof asked === "string" ? asked : name)
      )
    })
  }

  const withApps: Readonly<Record<string, (request: Request, frame: Uint8Array) => void>> = {
    initialize: (request, frame) => forward(request, frame, announceUi),
    "server/discover": (request, frame) => forward(request, frame, announceUi),
    "tools/list": listTools,
    "tools/call": callTool,
    "resources/list": listResources,
    "resources/templates/list": listTemplates,
    "resources/read": readResource,
    "resources/subscribe": subscribeResource,
    "resources/unsubscribe": subscribeResource
  }

  const listen = (request: Request, frame: Uint8Array): void => {
    const open = (isOurs: (uri: string) => boolean, apps: boolean): void => {
      listens.onRequest(request.id, frame, apps, isOurs)
      toServer(frame)
    }
    if (!hasApps(frame)) return open(() => false, false)
    serverTools.start(profile.envelope)
    onceListed(request, () => open((uri) => resources.toolAt(uri) !== undefined, true))
  }

  const onHostNotification = (method: string, frame: Uint8Array): void => {
    if (method === "notifications/cancelled") {
      const id = rawAt(frame, ["params", "requestId"])
      const key = id === undefined ? undefined : idKey(id)
      if (key !== undefined && replies.cancel(key)) return
      if (key !== undefined) {
        forwarded.delete(key)
        // What the server has not had yet, it need not hear of.
        if (listens.onCancelled(key) || server.withdraw(key)) return
      }
    }
    toServer(frame)
    if (method === "notifications/initialized") {
      server.handshake.onInitialized()
      if (profile.legacyApps && serverOffers("tools") !== false) serverTools.start(undefined)
    }
  }

  /** Batches (2025-03-26) pass as they are; account is kept of them, so that nobody waits for a server that is gone. */
  const onHostBatch = (frame: Uint8Array, about?: string): void => {
    for (const head of readBatch(frame) ?? []) if (head.kind === "request") remember(head)
    toServer(frame, about)
  }

  const onHostFrame = (frame: Uint8Array, about?: string): void => {
    const head = readHead(frame)
    if (head === undefined) return onHostBatch(frame, about)
    if (head.kind === "response") return questions.onAnswer(head.id) ? toServer(frame, about) : undefined
    if (head.kind === "notification") return onHostNotification(head.method, frame)
    if (head.method === "initialize") profile.onInitialize(frame)
    if (profile.era !== "modern") server.handshake.onRequest(head.method, frame)
    if (head.method === "subscriptions/listen") return listen(head, frame)
    const handle = Object.hasOwn(withApps, head.method) ? withApps[head.method] : undefined
    if (handle === undefined || !hasApps(frame)) return forward(head, frame)
    // A legacy host should have said `initialized` before, which starts it too.
    if (head.method !== "initialize" && head.method !== "server/discover") serverTools.start(profile.envelope)
    handle(head, frame)
  }

  // ---- From the server -------------------------------------------------------------------------------------

  const onJunk = (line: Uint8Array): void => {
    for (const head of readBatch(line) ?? []) if (head.kind === "response") forwarded.delete(idKey(head.id))
    const verdict = junk.onLine(line)
    if (verdict === "pass") return replies.send(line)
    const note = verdict === "keep" ? undefined : junk.note(line)
    if (note !== undefined) say(Effect.logWarning(note))
  }

  const onAnswer = (id: string, frame: Uint8Array): void => {
    if (ownRequests.onAnswer(id, frame)) return
    const key = idKey(id)
    if (listens.has(key)) {
      const left = listens.onAnswer(id, frame)
      return left === undefined ? undefined : replies.send(left, id)
    }
    const request = forwarded.get(key)
    if (request === undefined) return replies.send(frame, id)
    forwarded.delete(key)
    if (hasHostEnded && forwarded.size === 0) Deferred.doneUnsafe(lastAnswer, Exit.void)
    if (tracing) {
      const { requestId, method, since } = request
      const durationMs = Math.round((performance.now() - since) * 100) / 100
      say(Effect.logDebug("answered").pipe(Effect.annotateLogs({ requestId, method, durationMs, bytes: frame.length })))
    }
    const { method, rewrite } = request
    if (method === "initialize" || method === "server/discover") {
      serverCapabilities = decodedAt(frame, ["result", "capabilities"])
      if (method === "initialize" && !isFailure(frame)) server.handshake.onAnswered()
      return replies.send(rewrite === undefined ? frame : rewrite(frame))
    }
    if (method === "tools/list" && !isFailure(frame)) serverTools.onListed()
    if (rewrite === undefined) {
      replies.send(frame)
      return learn(request, frame)
    }
    if (serverTools.isSettled()) return replies.send(rewrite(frame))
    replies.besides(
      `answer ${key}`,
      Effect.map(serverTools.whenSettled, () => replies.send(rewrite(frame)))
    )
  }

  const onServerNotification = (method: string, frame: Uint8Array, about?: string): void => {
    if (profile.era === "modern" && serverTools.onNotification(frame)) return
    // Before the host hears of it: its next list must wait for ours.
    if (method === "notifications/tools/list_changed") serverTools.onListChanged()
    const passed = method === "notifications/subscriptions/acknowledged" ? listens.onAcknowledged(frame) : frame
    if (passed !== undefined) replies.send(passed, about)
  }

  const onServerFrame = (frame: Uint8Array, about?: string): void => {
    const head = readHead(frame)
    if (head === undefined) return onJunk(frame)
    if (head.kind === "response") return onAnswer(head.id, frame)
    if (head.kind === "notification") return onServerNotification(head.method, frame, about)
    questions.onAsked(head.id)
    replies.send(frame, about)
  }

  /** A message that is too long to be carried: whoever waits for it must not wait for ever. */
  const onOversized = (from: "host" | "server", head: FrameHead | undefined, bytes: number): void => {
    const detail = `a message of ${bytes} bytes is longer than maxMessageBytes of mcp-gen-ui allows`
    say(Effect.logWarning(`${detail}; it is left out (from the ${from})`))
    if (head === undefined || head.kind === "notification") return
    if (head.kind === "request") {
      const error = unanswered(head.method, "MESSAGE_TOO_LARGE", detail).frame(head.id, randomUUID())
      return from === "host" ? replies.send(error) : toServer(error)
    }
    const key = idKey(head.id)
    const { method = "unknown", toolName } = forwarded.get(key) ?? {}
    const error = unanswered(method, "MESSAGE_TOO_LARGE", detail, toolName).frame(head.id, randomUUID())
    if (from === "host") return questions.onAnswer(head.id) ? toServer(error) : undefined
    if (ownRequests.onAnswer(head.id, error)) return
    forwarded.delete(key)
    replies.send(error)
  }

  // ---- The server goes -------------------------------------------------------------------------------------

  const failForwarded = (error: UpstreamExited | UpstreamLost, resent: ReadonlySet<string>): void => {
    for (const frame of questions.onLost("the server that asked is gone")) replies.send(frame)
    serverTools.onLost()
    const errorType = error._tag === "UpstreamLost" ? "UPSTREAM_LOST" : "UPSTREAM_EXITED"
    for (const [key, { id, method, toolName }] of forwarded) {
      if (resent.has(key)) continue
      forwarded.delete(key)
      replies.refuse(id, unanswered(method, errorType, error.message, toolName))
    }
  }

  /** Every request of the host has its answer. */
  const nothingOwed = Effect.gen(function* () {
    if (forwarded.size > 0) yield* Deferred.await(lastAnswer)
    yield* replies.done
  })

  return Session.of({
    run: Effect.gen(function* () {
      host.listen({
        frame: onHostFrame,
        oversized: (head, bytes) => onOversized("host", head, bytes),
        drained: () => {
          replies.drained()
          host.resume()
        },
        ended: () => {
          hasHostEnded = true
          Deferred.doneUnsafe(hostEnded, Exit.void)
        }
      })
      server.listen({
        frame: onServerFrame,
        oversized: (head, bytes) => onOversized("server", head, bytes),
        drained: host.resume,
        ended: () => undefined,
        lost: failForwarded,
        refused: (id, error) => {
          forwarded.delete(idKey(id))
          replies.refuse(id, error)
        },
        restored: (greeting) => {
          if (greeting !== undefined) serverCapabilities = decodedAt(greeting, ["result", "capabilities"])
          serverTools.onRestored()
          return listens.reopen()
        }
      })
      const failed = Effect.tapError(server.exited, (error) => {
        failForwarded(error, new Set())
        ownRequests.onLost(error.message)
        return Effect.timeoutOption(replies.done, OWN_ANSWERS)
      })
      yield* Effect.raceFirst(Deferred.await(hostEnded), failed)
      yield* Effect.logDebug("the host ended its input")
      const ownAnswers = Effect.timeoutOption(replies.done, OWN_ANSWERS)
      yield* Effect.timeoutOption(serverTools.whenSettled, OWN_ANSWERS)
      yield* ownAnswers
      server.end()
      const gone = Effect.exit(server.exited)
      yield* Effect.raceFirst(gone, Effect.timeoutOption(nothingOwed, LAST_ANSWERS))
      yield* Effect.timeoutOption(gone, SERVER_END)
      ownRequests.onLost("the server ended")
      yield* ownAnswers
    })
  })
})

/** The router of one host and one server; see docs/architecture.md for the table of what it changes. */
export const layer: Layer.Layer<
  Session,
  never,
  | HostConnection
  | HostReplies
  | ServerSession
  | ServerRequests
  | ServerTools
  | UiLibrary
  | Selections
  | ToolMemory
  | UiResources
  | WrapperTools
  | Settings
> = Layer.effect(Session, make)
