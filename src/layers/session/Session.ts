import { Deferred, Duration, Effect, Exit, Layer } from "effect"
import { randomUUID } from "node:crypto"
import { type ForwardedRequest, ForwardedRequests } from "../../domain/session/ForwardedRequests.ts"
import { batchOf, type FrameHead, idKey, readHead, readWholeHead } from "../../domain/wire/Frame.ts"
import { JunkLines } from "../../domain/session/JunkLines.ts"
import { asOneLine } from "../../domain/wire/OneLine.ts"
import type { LongFrame } from "../../domain/wire/LongFrame.ts"
import { unanswered } from "../../domain/wire/RequestFailed.ts"
import { decodedAt, rawAt, stringAt } from "../../domain/wire/Rewrites.ts"
import { ServerQuestions } from "../../domain/session/ServerQuestions.ts"
import { HostConnection } from "../../services/host/HostConnection.ts"
import { HostProfile } from "../../domain/session/HostProfile.ts"
import { ServerProfile } from "../../domain/session/ServerProfile.ts"
import { HostListens } from "../../domain/wire/HostListens.ts"
import { LanguageModel } from "../../services/generation/LanguageModel.ts"
import { ToolMemory } from "../../services/library/ToolMemory.ts"
import { UiEdits } from "../../services/library/UiEdits.ts"
import { UiLibrary } from "../../services/library/UiLibrary.ts"
import { Session } from "../../services/session/Session.ts"
import { Upstream, type UpstreamExited, type UpstreamLost } from "../../services/upstream/Upstream.ts"
import { makeHostReplies } from "./HostReplies.ts"
import type { Peers } from "./Peers.ts"
import { makeServerRequests } from "./ServerRequests.ts"
import { makeServerSession } from "./ServerSession.ts"
import { makeServerTools, type ServerToolsOptions } from "./ServerTools.ts"
import { announceChanges } from "./UiChanges.ts"
import { makeUiResources } from "./UiResources.ts"
import { makeUiRoutes, type Route, type UiRoutesOptions } from "./UiRoutes.ts"
import { makeWrapperTools } from "./WrapperTools.ts"

export interface SessionOptions extends ServerToolsOptions, UiRoutesOptions {
  /** Treat every host as one that renders MCP Apps (requirement W9). */
  readonly forceUi: boolean
  /** UIs change without a model too: in a folder of hand-made ones, or by an import into a cache that others write to. */
  readonly isEdited: boolean
  /** Log every message that is forwarded. */
  readonly traces: boolean
}

type Request = Extract<FrameHead, { kind: "request" }>

/** After the host's last message, our own answers have this long before the server hears of the end. */
const OWN_ANSWERS = Duration.millis(1500)
/** The server's answers to the host have this long: a host that wants no more ends us. */
const LAST_ANSWERS = Duration.seconds(30)
/** Once it owes nothing, the server has this long to end by itself before it is made to. */
const SERVER_END = Duration.millis(500)
/** Skip optional lookups in requests above this size. */
const SMALL_BYTES = 65_536

/** Answers without a request that are logged. */
const MAX_UNASKED_LOGGED = 20

const CARRIAGE_RETURN = 0x0d

const isFailure = (reply: Uint8Array): boolean => rawAt(reply, ["error"]) !== undefined

const make = Effect.fnUntraced(function* (options: SessionOptions) {
  const host = yield* HostConnection
  const upstream = yield* Upstream
  const library = yield* UiLibrary
  const memory = yield* ToolMemory
  const { provider } = yield* LanguageModel

  const peers: Peers = {
    host: new HostProfile(options.forceUi),
    server: new ServerProfile(),
    listens: new HostListens()
  }
  const ownRequests = makeServerRequests(upstream.link)
  const server = yield* makeServerSession(upstream, ownRequests)
  const replies = yield* makeHostReplies(host, server)
  const serverTools = yield* makeServerTools(ownRequests, options)
  const canChange = provider !== "none" || options.isEdited
  const resources = yield* makeUiResources(library, serverTools, { canChange })
  const wrapperTools = makeWrapperTools(library, yield* UiEdits, memory)
  const announce = announceChanges(peers, replies, library, serverTools, resources, wrapperTools)
  const routes = makeUiRoutes(peers, serverTools, resources, wrapperTools, announce, options)

  const log = Effect.runForkWith(yield* Effect.context<never>())
  const say = (line: Effect.Effect<void>) => log(Effect.annotateLogs(line, { component: "session" }))
  const { traces } = options
  const hostEnded = yield* Deferred.make<void>()
  const lastAnswer = yield* Deferred.make<void>()

  const { host: profile, listens } = peers
  const forwarded = new ForwardedRequests()
  const junk = new JunkLines()
  const questions = new ServerQuestions()
  let hasHostEnded = false
  let isHostLogged = false
  /** The host gets answers of ours, or may: then the server answers what it was asked, and nothing else. */
  let isGuarded = true
  let unasked = 0

  // ---- Both ways -------------------------------------------------------------------------------------------

  const toServer = (frame: Uint8Array, about?: string): void => {
    if (!server.send(frame, about)) host.pause()
  }

  // ---- What the two sides can do ---------------------------------------------------------------------------

  const logHost = (apps: boolean): void => {
    if (isHostLogged || profile.era === "unknown") return
    isHostLogged = true
    isGuarded = apps
    const line = apps
      ? Effect.logInfo("host connected")
      : Effect.logInfo("the host does not announce MCP Apps: everything passes through, no UIs (--force-ui overrides)")
    say(line.pipe(Effect.annotateLogs({ host: profile.name, era: profile.era })))
    for (const line of junk.onHost(apps)) onJunk(line)
  }

  const hasApps = (frame: Uint8Array): boolean => {
    const apps = profile.hasApps(frame)
    logHost(apps)
    isGuarded ||= apps
    return apps
  }

  // ---- From the host ---------------------------------------------------------------------------------------

  const traced = (requestId: string): Pick<ForwardedRequest, "trace"> =>
    traces ? { trace: { requestId, since: performance.now() } } : {}

  const forward = (
    { id, method }: Request,
    frame: Uint8Array,
    how: Pick<ForwardedRequest, "rewrite" | "learnFrom"> = {}
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

  /** After the host has got the answer; only of tools that we make UIs for. */
  const learn = ({ learnFrom, toolName }: ForwardedRequest, frame: Uint8Array): void => {
    if (learnFrom === undefined || toolName === undefined || serverTools.known().catalog.uriOf(toolName) === undefined)
      return
    memory.observe(toolName, learnFrom.args, frame)
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

  const onHostNotification = (method: string, frame: Uint8Array): void => {
    if (method === "notifications/cancelled") {
      const id = rawAt(frame, ["params", "requestId"])
      const key = id === undefined ? undefined : idKey(id)
      if (key !== undefined && replies.cancel(key)) return
      if (key !== undefined) {
        forwarded.cancel(key)
        // What the server has not had yet, it need not hear of.
        if (listens.onCancelled(key) || server.withdraw(key)) return
      }
    }
    toServer(frame)
    if (method === "notifications/initialized") {
      server.handshake.onInitialized()
      if (profile.legacyApps && peers.server.offers("tools") !== false)
        serverTools.tell({ kind: "wanted", envelope: undefined })
    }
  }

  /** Batches (2025-03-26) pass as they are; account is kept of them, so that nobody waits for a server that is gone. */
  const onHostBatch = (frame: Uint8Array, about?: string): void => {
    for (const element of batchOf(frame) ?? []) {
      const head = readHead(element)
      if (head?.kind === "request") forwarded.add({ id: head.id, method: head.method, ...traced("") })
    }
    toServer(frame, about)
  }

  const onHostFrame = (frame: Uint8Array, about?: string): void => {
    const head = readHead(frame)
    if (head === undefined) return onHostBatch(frame, about)
    if (head.kind === "response") return questions.onAnswer(head.id) ? toServer(frame, about) : undefined
    if (head.kind === "notification") return onHostNotification(head.method, frame)
    if (head.method === "initialize") profile.onInitialize(frame)
    if (head.method === "subscriptions/listen") return listen(head, frame)
    const routeOf = routes.routeOf(head.method)
    if (routeOf === undefined || !(hasApps(frame) || routes.isOfPage(head.method, frame))) return forward(head, frame)
    // A legacy host should have said `initialized` before, which starts it too.
    if (head.method !== "initialize" && head.method !== "server/discover")
      serverTools.tell({ kind: "wanted", envelope: profile.envelope })
    follow(head, frame, routeOf(head, frame))
  }

  // ---- From the server -------------------------------------------------------------------------------------

  const onJunk = (line: Uint8Array): void => {
    const { note, passed } = junk.onLine(line)
    for (const each of passed) replies.send(each)
    if (note !== undefined) say(Effect.logWarning(note))
  }

  /** It could pass for an answer of ours, such as a page. */
  const dropUnasked = (id: string): void => {
    unasked += 1
    if (unasked > MAX_UNASKED_LOGGED) return
    const last = unasked === MAX_UNASKED_LOGGED ? "; further ones are not logged" : ""
    say(Effect.logWarning(`the server answered ${id.slice(0, 100)}, which it was not asked; it is left out${last}`))
  }

  const onAnswer = (id: string, frame: Uint8Array): void => {
    if (ownRequests.onAnswer(id, frame)) return
    if (listens.has(idKey(id))) {
      const left = listens.onAnswer(id, frame)
      return left === undefined ? undefined : replies.send(left, id)
    }
    const key = forwarded.keyFor(idKey(id))
    if (key === undefined && isGuarded) return dropUnasked(id)
    const request = key === undefined ? undefined : forwarded.take(key)
    if (request === undefined) return replies.send(frame, id)
    if (hasHostEnded && forwarded.size === 0) Deferred.doneUnsafe(lastAnswer, Exit.void)
    const { method, rewrite, trace } = request
    if (trace !== undefined) {
      const { requestId, since } = trace
      const durationMs = Math.round((performance.now() - since) * 100) / 100
      say(Effect.logDebug("answered").pipe(Effect.annotateLogs({ requestId, method, durationMs, bytes: frame.length })))
    }
    if (method === "initialize" || method === "server/discover") {
      peers.server.onGreeting(frame)
      if (method === "initialize" && !isFailure(frame)) server.handshake.onAnswered()
      return replies.send(rewrite === undefined ? frame : rewrite(frame))
    }
    if (method === "tools/list" && !isFailure(frame)) serverTools.tell({ kind: "listed" })
    if (rewrite === undefined) {
      replies.send(frame)
      return learn(request, frame)
    }
    if (serverTools.known().isSettled) return replies.send(rewrite(frame))
    replies.besides(
      `answer ${key}`,
      Effect.map(serverTools.whenSettled, () => replies.send(rewrite(frame)))
    )
  }

  /** The answer to a call passes in its pieces, unless something in it has to change. It is too long to learn from. */
  const onLongAnswer = (frame: LongFrame): boolean => {
    const { head, isOneLine } = frame
    if (head?.kind !== "response" || !isOneLine || listens.has(idKey(head.id))) return false
    const key = forwarded.keyFor(idKey(head.id))
    const request = key === undefined ? undefined : forwarded.get(key)
    if (key === undefined || request?.method !== "tools/call") return false
    if (request.rewrite !== undefined || request.trace !== undefined || !replies.sendLong(frame)) return false
    forwarded.take(key)
    if (hasHostEnded && forwarded.size === 0) Deferred.doneUnsafe(lastAnswer, Exit.void)
    return true
  }

  const onServerNotification = (method: string, frame: Uint8Array, about?: string): void => {
    if (profile.era === "modern" && serverTools.onNotification(frame)) return
    // Before the host hears of it: its next list must wait for ours.
    if (method === "notifications/tools/list_changed") serverTools.tell({ kind: "changed" })
    const passed = method === "notifications/subscriptions/acknowledged" ? listens.onAcknowledged(frame) : frame
    if (passed !== undefined) replies.send(passed, about)
  }

  const onServerMessage = (head: FrameHead, frame: Uint8Array, about?: string): void => {
    if (head.kind === "response") return onAnswer(head.id, frame)
    if (head.kind === "notification") return onServerNotification(head.method, frame, about)
    questions.onAsked(head.id)
    replies.send(frame, about)
  }

  const onUnguardedFrame = (frame: Uint8Array, about?: string): void => {
    const head = readHead(frame)
    if (head !== undefined) return onServerMessage(head, frame, about)
    for (const element of batchOf(frame) ?? []) {
      const head = readHead(element)
      if (head?.kind === "response") forwarded.take(idKey(head.id))
    }
    onJunk(frame)
  }

  /** Looks at each message of a batch and at every line of a frame, because a host may read any of them as an answer. */
  const onServerFrame = (frame: Uint8Array, about?: string): void => {
    if (!isGuarded) return onUnguardedFrame(frame, about)
    const line = frame.includes(CARRIAGE_RETURN) ? asOneLine(frame) : frame
    for (const message of batchOf(line) ?? [line]) {
      const head = readWholeHead(message)
      if (head === undefined) onJunk(message)
      else onServerMessage(head, message, about)
    }
  }

  /** A message was too long to be carried: the side that waits for it gets an error. */
  const onOversized = (from: "host" | "server", head: FrameHead | undefined, bytes: number): void => {
    const detail = `a message of ${bytes} bytes is longer than maxMessageBytes of mcp-gen-ui allows`
    say(Effect.logWarning(`${detail}; it is left out (from the ${from})`))
    if (head === undefined || head.kind === "notification") return
    if (head.kind === "request") {
      const error = unanswered(head.method, "MESSAGE_TOO_LARGE", detail).frame(head.id, randomUUID())
      return from === "host" ? replies.send(error) : toServer(error)
    }
    const key = forwarded.keyFor(idKey(head.id))
    const { method = "unknown", toolName } = (key === undefined ? undefined : forwarded.get(key)) ?? {}
    const error = unanswered(method, "MESSAGE_TOO_LARGE", detail, toolName).frame(head.id, randomUUID())
    if (from === "host") return questions.onAnswer(head.id) ? toServer(error) : undefined
    if (ownRequests.onAnswer(head.id, error)) return
    if (key === undefined) return dropUnasked(head.id)
    forwarded.take(key)
    replies.send(error)
  }

  // ---- The server goes -------------------------------------------------------------------------------------

  const failForwarded = (error: UpstreamExited | UpstreamLost, resent: ReadonlySet<string>): void => {
    for (const frame of questions.onLost("the server that asked is gone")) replies.send(frame)
    serverTools.tell({ kind: "lost" })
    const errorType = error._tag === "UpstreamLost" ? "UPSTREAM_LOST" : "UPSTREAM_EXITED"
    for (const { id, method, toolName } of forwarded.takeAll(resent)) {
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
        long: onLongAnswer,
        oversized: (head, bytes) => onOversized("server", head, bytes),
        drained: host.resume,
        ended: () => undefined,
        lost: failForwarded,
        refused: (id, error) => {
          forwarded.take(idKey(id))
          replies.refuse(id, error)
        },
        restored: (greeting) => {
          if (greeting !== undefined) peers.server.onGreeting(greeting)
          serverTools.tell({ kind: "restored" })
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
      const answered = Effect.timeoutOption(replies.done, OWN_ANSWERS)
      yield* Effect.timeoutOption(serverTools.whenSettled, OWN_ANSWERS)
      yield* answered
      server.end()
      const gone = Effect.exit(server.exited)
      yield* Effect.raceFirst(gone, Effect.timeoutOption(nothingOwed, LAST_ANSWERS))
      yield* Effect.timeoutOption(gone, SERVER_END)
      ownRequests.onLost("the server ended")
      yield* answered
    })
  })
})

/**
 * The router of one host and one server; docs/architecture.md has the table of what it changes. `make` begins with what
 * it is made of.
 */
export const layer = (
  options: SessionOptions
): Layer.Layer<Session, never, HostConnection | LanguageModel | ToolMemory | UiEdits | UiLibrary | Upstream> =>
  Layer.effect(Session, make(options))
