import { Effect } from "effect"
import type { ForwardedRequest } from "../../domain/session/ForwardedRequests.ts"
import { JunkLines } from "../../domain/session/JunkLines.ts"
import { batchOf, type FrameHead, idKey, readHead, readWholeHead } from "../../domain/wire/Frame.ts"
import type { LongFrame } from "../../domain/wire/LongFrame.ts"
import { asOneLine } from "../../domain/wire/OneLine.ts"
import { rawAt } from "../../domain/wire/Rewrites.ts"
import type { ToolMemory } from "../../services/library/ToolMemory.ts"
import type { EmbeddedUis } from "./embeddedUis.ts"
import { makeOutputFaults } from "./outputFaults.ts"
import type { Recall } from "./Recall.ts"
import type { ServerRequests } from "./ServerRequests.ts"
import type { Traffic } from "./Traffic.ts"

/** Answers without a request that are logged. */
const MAX_UNASKED_LOGGED = 20

const CARRIAGE_RETURN = 0x0d

const isFailure = (reply: Uint8Array): boolean => rawAt(reply, ["error"]) !== undefined

/**
 * What becomes of each frame of the server: answers to us stay here, answers to the host get what is ours added, and all
 * else passes. A host that renders UIs gets no answer that it did not ask the server for.
 */
export const makeServerFrames = (
  { forwarded, peers, questions, replies, say, server, serverTools }: Traffic,
  ownRequests: ServerRequests,
  memory: ToolMemory["Service"],
  embeddedIn: EmbeddedUis,
  recall: Recall | undefined
) => {
  const { host: profile, listens } = peers
  const junk = new JunkLines()
  const noteFaults = makeOutputFaults(say)
  let unasked = 0

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

  /** After the host has got the answer; only of tools that we make UIs for. */
  const learn = ({ learnFrom, toolName }: ForwardedRequest, frame: Uint8Array): void => {
    if (learnFrom === undefined || toolName === undefined || serverTools.known().catalog.uriOf(toolName) === undefined)
      return
    recall?.observe(toolName, learnFrom.args, frame)
    peers.server.onResult(frame)
    memory.observe(toolName, learnFrom.args, frame)
    const tool = serverTools.known().catalog.toolNamed(toolName)
    if (tool !== undefined) noteFaults(tool, frame)
  }

  const onAnswer = (id: string, frame: Uint8Array): void => {
    if (ownRequests.onAnswer(id, frame)) return
    if (listens.has(idKey(id))) {
      const left = listens.onAnswer(id, frame)
      return left === undefined ? undefined : replies.send(left, id)
    }
    const key = forwarded.keyFor(idKey(id))
    if (key === undefined && profile.mayRenderUis) return dropUnasked(id)
    const request = key === undefined ? undefined : forwarded.take(key)
    if (request === undefined) return replies.send(frame, id)
    const { isEmbedding, method, rewrite, toolName, trace } = request
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
    if (isEmbedding && toolName !== undefined) {
      return replies.later(
        id,
        Effect.map(embeddedIn(toolName, request.learnFrom?.args, frame), (made) => replies.send(made))
      )
    }
    if (rewrite === undefined) {
      replies.send(frame)
      return learn(request, frame)
    }
    if (method === "ping" || serverTools.known().isSettled) return replies.send(rewrite(frame))
    replies.besides(Effect.map(serverTools.whenSettled, () => replies.send(rewrite(frame))))
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
    const { learnFrom, toolName } = request
    if (learnFrom !== undefined && toolName !== undefined) recall?.observe(toolName, learnFrom.args, undefined)
    return true
  }

  const onNotification = (method: string, frame: Uint8Array, about?: string): void => {
    if (profile.era === "modern" && serverTools.onNotification(frame)) return
    // Before the host hears of it: its next list must wait for ours.
    if (method === "notifications/tools/list_changed") serverTools.tell({ kind: "changed" })
    const passed = method === "notifications/subscriptions/acknowledged" ? listens.onAcknowledged(frame) : frame
    if (passed !== undefined) replies.send(passed, about)
  }

  const onMessage = (head: FrameHead, frame: Uint8Array, about?: string): void => {
    if (head.kind === "response") return onAnswer(head.id, frame)
    if (head.kind === "notification") return onNotification(head.method, frame, about)
    questions.onAsked(head.id)
    replies.send(frame, about)
  }

  const onUnguardedFrame = (frame: Uint8Array, about?: string): void => {
    const head = readHead(frame)
    if (head !== undefined) return onMessage(head, frame, about)
    for (const element of batchOf(frame) ?? []) {
      const head = readHead(element)
      if (head?.kind === "response") forwarded.take(idKey(head.id))
    }
    onJunk(frame)
  }

  /** Looks at each message of a batch and at every line of a frame, because a host may read any of them as an answer. */
  const onFrame = (frame: Uint8Array, about?: string): void => {
    if (!profile.mayRenderUis) return onUnguardedFrame(frame, about)
    const line = frame.includes(CARRIAGE_RETURN) ? asOneLine(frame) : frame
    for (const message of batchOf(line) ?? [line]) {
      const head = readWholeHead(message)
      if (head === undefined) onJunk(message)
      else onMessage(head, message, about)
    }
  }

  return {
    onFrame,
    onLongAnswer,
    dropUnasked,
    /** The host has shown whether it renders UIs: lines that were kept go to it, or are left out. */
    onHostKnown: (rendersUis: boolean): void => {
      for (const line of junk.onHost(rendersUis)) onJunk(line)
    }
  }
}
