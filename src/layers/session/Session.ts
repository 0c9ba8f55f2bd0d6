import { Deferred, Duration, Effect, Exit, Layer } from "effect"
import { randomUUID } from "node:crypto"
import { ForwardedRequests } from "../../domain/session/ForwardedRequests.ts"
import { type FrameHead, idKey, resultFrame } from "../../domain/wire/Frame.ts"
import { type RequestFailed, unanswered } from "../../domain/wire/RequestFailed.ts"
import { ServerQuestions } from "../../domain/session/ServerQuestions.ts"
import { HostConnection } from "../../services/host/HostConnection.ts"
import { HostProfile } from "../../domain/session/HostProfile.ts"
import { ServerProfile } from "../../domain/session/ServerProfile.ts"
import { HostListens } from "../../domain/wire/HostListens.ts"
import { LanguageModel } from "../../services/generation/LanguageModel.ts"
import { ToolMemory } from "../../services/library/ToolMemory.ts"
import { UiEdits } from "../../services/library/UiEdits.ts"
import { UiEmbedding } from "../../services/library/UiEmbedding.ts"
import { UiLibrary } from "../../services/library/UiLibrary.ts"
import { Session } from "../../services/session/Session.ts"
import { Upstream, type UpstreamExited, type UpstreamLost } from "../../services/upstream/Upstream.ts"
import { makeEmbeddedUis } from "./embeddedUis.ts"
import { makeHostFrames } from "./hostFrames.ts"
import { makeHostReplies } from "./HostReplies.ts"
import type { Peers } from "./Peers.ts"
import { makeRecall } from "./Recall.ts"
import { makeServerRequests } from "./ServerRequests.ts"
import { makeServerSession } from "./ServerSession.ts"
import { makeServerFrames } from "./serverFrames.ts"
import { makeServerTools, type ServerToolsOptions } from "./ServerTools.ts"
import type { Traffic } from "./Traffic.ts"
import { announceChanges } from "./UiChanges.ts"
import { makeUiResources } from "./UiResources.ts"
import { makeUiRoutes, type UiRoutesOptions } from "./UiRoutes.ts"
import { makeHungPages } from "./hungPages.ts"
import { makeWrapperTools } from "./WrapperTools.ts"

export interface SessionOptions extends ServerToolsOptions, UiRoutesOptions {
  /** Where no provider writes UIs, the model that the host talks to may. */
  readonly hostWrites: boolean
  /** Treat every host as one that renders MCP Apps. */
  readonly forceUi: boolean
  /** Put UIs into results for hosts that do not render MCP Apps. */
  readonly embedUi: boolean
  /** UIs change without a model too: in a folder of hand-made ones, or by an import into a cache that others write to. */
  readonly isEdited: boolean
  /** Pages are to say what is wrong on their screens, for second drafts. */
  readonly takesReports: boolean
  /** Keep the last results of the session, and how a person left each view, for its pages. */
  readonly recalls: boolean
  /** Log every message that is forwarded. */
  readonly traces: boolean
}

/** After the host's last message, our own answers have this long before the server hears of the end. */
const OWN_ANSWERS = Duration.millis(1500)
/** The server's answers to the host have this long: a host that wants no more ends us. */
const LAST_ANSWERS = Duration.seconds(30)
/** Once it owes nothing, the server has this long to end by itself before it is made to. */
const SERVER_END = Duration.millis(500)
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
  const writer = provider !== "none" ? "model" : options.hostWrites ? "host" : "nobody"
  const serverTools = yield* makeServerTools(ownRequests, { ...options, writer }, memory.learned)
  const canChange = writer !== "nobody" || options.isEdited
  const keeps = options.recalls && host.isShared !== true
  const { takesReports } = options
  const resources = yield* makeUiResources(library, serverTools, { canChange, takesReports, keeps })
  const recall = keeps ? makeRecall(resources.pageAt) : undefined
  const announce = announceChanges(peers, replies, library, serverTools, resources, (toolName) =>
    wrapperTools.forget(toolName)
  )
  const forwarded = new ForwardedRequests()
  const wrapperTools = makeWrapperTools(library, yield* UiEdits, memory, serverTools, resources.pageAt, announce, {
    writer,
    recall,
    hungPages: yield* makeHungPages(library, announce),
    isCalling: (toolName) => forwarded.isCalling(toolName)
  })
  const routes = makeUiRoutes(peers, serverTools, resources, wrapperTools, options)

  const log = Effect.runForkWith(yield* Effect.context<never>())
  const questions = new ServerQuestions()
  const toServer = (frame: Uint8Array, about?: string): void => {
    if (!server.send(frame, about)) host.pause()
  }
  const say = (line: Effect.Effect<void>) => log(Effect.annotateLogs(line, { component: "session" }))
  const { traces } = options
  const traffic: Traffic = { peers, server, replies, serverTools, forwarded, questions, toServer, say, traces }
  const embeddedIn = makeEmbeddedUis(yield* UiEmbedding, serverTools)
  const serverFrames = makeServerFrames(traffic, ownRequests, memory, embeddedIn, recall)
  const onHostFrame = makeHostFrames(traffic, resources, routes, serverFrames.onHostKnown, options.embedUi)

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
    if (key === undefined) return serverFrames.dropUnasked(head.id)
    forwarded.take(key)
    replies.send(error)
  }

  /** A host that pings wants to know whether we are there. */
  const refuse = (id: string, method: string | undefined, error: RequestFailed): void =>
    method === "ping" ? replies.send(resultFrame(id, {})) : replies.refuse(id, error)

  const failForwarded = (error: UpstreamExited | UpstreamLost, resent: ReadonlySet<string>): void => {
    for (const frame of questions.onLost("the server that asked is gone")) replies.send(frame)
    serverTools.tell({ kind: "lost" })
    const errorType = error._tag === "UpstreamLost" ? "UPSTREAM_LOST" : "UPSTREAM_EXITED"
    for (const { id, method, toolName } of forwarded.takeAll(resent)) {
      refuse(id, method, unanswered(method, errorType, error.message, toolName))
    }
  }

  /** Every request of the host has its answer. */
  const nothingOwed = Effect.andThen(
    Effect.callback<void>((resume) => forwarded.whenEmpty(() => resume(Effect.void))),
    replies.done
  )

  return Session.of({
    run: Effect.gen(function* () {
      const hostEnded = yield* Deferred.make<void>()
      host.listen({
        frame: onHostFrame,
        oversized: (head, bytes) => onOversized("host", head, bytes),
        drained: () => {
          replies.drained()
          host.resume()
        },
        ended: () => void Deferred.doneUnsafe(hostEnded, Exit.void)
      })
      server.listen({
        frame: serverFrames.onFrame,
        long: serverFrames.onLongAnswer,
        oversized: (head, bytes) => onOversized("server", head, bytes),
        drained: host.resume,
        ended: () => undefined,
        lost: failForwarded,
        refused: (id, error) => {
          refuse(id, forwarded.take(idKey(id))?.method, error)
        },
        restored: (greeting) => {
          if (greeting !== undefined) peers.server.onGreeting(greeting)
          serverTools.tell({ kind: "restored" })
          return peers.listens.reopen()
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
 * One host and one server, from the first frame to an end in order. `make` begins with what a session is made of;
 * docs/architecture.md has the table of what it changes.
 */
export const layer = (
  options: SessionOptions
): Layer.Layer<
  Session,
  never,
  HostConnection | LanguageModel | ToolMemory | UiEdits | UiEmbedding | UiLibrary | Upstream
> => Layer.effect(Session, make(options))
