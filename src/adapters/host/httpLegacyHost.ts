import type { ServerResponse } from "node:http"
import { idKey, memberSpan, readHead } from "../../domain/wire/Frame.ts"
import { type PostedMessage, refusal } from "../../domain/host/HttpMessages.ts"
import { elementsOf } from "../../domain/wire/JsonBytes.ts"
import { ASKED_TOKEN, TOLD_TOKEN } from "../../domain/wire/RequestIds.ts"
import { rawAt, stringAt } from "../../domain/wire/Rewrites.ts"
import type { FrameLink } from "../../services/host/FrameLink.ts"
import { answerEmpty, answerRefusal } from "./httpAnswers.ts"
import { HttpHostStream, type ReplayOptions } from "./httpHostStream.ts"
import { HttpExchange } from "./httpExchange.ts"
import { HttpHost, type HttpHostEnd, type HttpHostOptions } from "./httpHost.ts"

/** Bounds of the events that a stream keeps for a host that lost its connection. */
const REPLAY_EVENTS = 256
const REPLAY_BYTES = 1_048_576
/** So much of what belongs to no request waits for a host that does not listen. */
const QUEUE_EVENTS = 1000
const QUEUE_BYTES = 1_048_576
/** Streams of requests that lost their connection, and what they hold together. */
const MAX_DETACHED = 32
const DETACHED_BYTES = 16_777_216
/** Requests that a session may have open. */
const MAX_REQUESTS = 4096

const GENERAL = "general"
/** Clients of earlier versions fail on an event without data (SEP-1699). */
const PRIMED_SINCE = "2025-11-25"

/** The `errorType` of what we say in place of a server begins so. */
const NO_SERVER = "UPSTREAM_"
const ERROR_TYPE = ["error", "data", "errorType"] as const

const REFUSED: HttpHostEnd = { status: 404, code: -32000, message: "the server refused to begin the session" }

interface Request {
  readonly id: string
  readonly token: string | undefined
  readonly exchange: HttpExchange
}

/**
 * A host of the versions 2025-03-26 to 2025-11-25 (Streamable HTTP with a session): requests are answered on their
 * POST, what belongs to no request goes on the stream of the GET.
 */
export class HttpLegacyHost extends HttpHost {
  readonly sessionId: string
  readonly #requests = new Map<string, Request>()
  readonly #byToken = new Map<string, string>()
  /** Streams that a host may come back to, oldest first. */
  readonly #streams = new Map<string, HttpHostStream>()
  readonly #general: HttpHostStream
  #count = 0
  #version = ""
  #initializeKey: string | undefined

  constructor(sessionId: string, options: HttpHostOptions) {
    super(options)
    this.sessionId = sessionId
    this.#general = this.#makeStream({
      key: GENERAL,
      maxEvents: QUEUE_EVENTS,
      maxBytes: QUEUE_BYTES,
      onDropped: (count) =>
        options.log("warn", "the host does not listen: messages that waited for it are dropped", { count })
    })
    this.#streams.set(GENERAL, this.#general)
  }

  post(messages: ReadonlyArray<PostedMessage>, isBatch: boolean, response: ServerResponse): void {
    const requests = messages.filter(({ head }) => head.kind === "request")
    if (this.#isRefused(requests, response)) return
    const now = this.options.now()
    if (requests.length > 0) this.#open(requests, isBatch, response, now)
    for (const { frame, head } of messages) {
      if (head.kind === "notification" && head.method === "notifications/cancelled") this.#onCancelled(frame)
      this.deliver(frame)
    }
    if (requests.length === 0) answerEmpty(response, 202)
  }

  /** `GET`: the stream for what belongs to no request, or one that is taken up again after `lastEventId`. */
  openStream(response: ServerResponse, lastEventId: string | undefined): void {
    const now = this.options.now()
    if (lastEventId === undefined) {
      if (this.#general.isConnected) {
        const message = "Conflict: this session has its stream already"
        return answerRefusal(response, refusal(409, -32000, message))
      }
      return this.#general.connect(response, now)
    }
    const match = /^(?<key>[a-z0-9]{1,16})_(?<number>\d{1,15})$/.exec(lastEventId)
    if (match?.groups === undefined) {
      return answerRefusal(response, refusal(400, -32000, "Last-Event-ID is none of ours"))
    }
    const stream = this.#streams.get(match.groups.key ?? "")
    // "No content" tells a client not to connect again (WHATWG HTML, 9.2.2).
    if (stream === undefined) return answerEmpty(response, 204)
    stream.connect(response, now, Number(match.groups.number))
    response.once("close", () => this.#prune())
  }

  readonly send: FrameLink["send"] = (frame, about) => {
    const now = this.options.now()
    const head = readHead(frame)
    if (head === undefined) {
      const elements = elementsOf(frame, { start: 0, end: frame.length })
      if (elements === undefined) this.#general.push(frame, now)
      else for (const { end, start } of elements) this.send(frame.subarray(start, end), about)
    } else if (head.kind === "response") this.#answer(head.id, frame, now)
    else if (head.kind === "notification" && head.method === "notifications/progress") {
      this.#progress(frame, about, now)
    } else {
      const exchange = about === undefined ? undefined : this.#requests.get(idKey(about))?.exchange
      this.#tell(frame, exchange?.isConnected === true ? exchange : this.#anyExchange(), now)
    }
    return !this.outbox.isBehind
  }

  tick(now: number): void {
    const exchanges = new Set([...this.#requests.values()].map(({ exchange }) => exchange))
    for (const exchange of exchanges) exchange.tick(now)
    this.#general.tick(now)
  }

  protected get isConnected(): boolean {
    if (this.#general.isConnected) return true
    for (const { exchange } of this.#requests.values()) if (exchange.isConnected) return true
    return false
  }

  protected close(end: HttpHostEnd): void {
    const now = this.options.now()
    for (const exchange of new Set([...this.#requests.values()].map(({ exchange }) => exchange))) {
      exchange.fail(end, now)
    }
    this.#requests.clear()
    for (const stream of this.#streams.values()) stream.end()
    this.#streams.clear()
  }

  #isRefused(requests: ReadonlyArray<PostedMessage>, response: ServerResponse): boolean {
    if (this.isEnded) {
      answerRefusal(response, refusal(404, -32001, "Session not found"))
      return true
    }
    const ids = requests.flatMap(({ head }) => (head.kind === "request" ? [head.id] : []))
    const used = ids.find((id, index) => {
      const isTwice = ids.some((other, at) => at > index && idKey(other) === idKey(id))
      return isTwice || this.#requests.get(idKey(id))?.exchange.isConnected === true
    })
    if (used !== undefined) {
      answerRefusal(response, refusal(400, -32600, `Invalid Request: a request with the id ${used} is open`))
      return true
    }
    if (this.#requests.size + ids.length <= MAX_REQUESTS) return false
    const message = `this session has ${MAX_REQUESTS} requests open`
    answerRefusal(response, refusal(503, -32000, message, ids[0]), { "retry-after": 1 })
    return true
  }

  #open(requests: ReadonlyArray<PostedMessage>, isBatch: boolean, response: ServerResponse, now: number): void {
    this.#count += 1
    const key = this.#count.toString(36)
    const ids = requests.flatMap(({ head }) => (head.kind === "request" ? [head.id] : []))
    const stream = this.#makeStream({ key, maxEvents: REPLAY_EVENTS, maxBytes: REPLAY_BYTES })
    const headers = { "mcp-session-id": this.sessionId }
    const exchange = new HttpExchange({ response, outbox: this.outbox, stream, ids, isBatch, now, headers })
    for (const { frame, head } of requests) {
      if (head.kind !== "request") continue
      if (head.method === "initialize") this.#initializeKey = idKey(head.id)
      const token = rawAt(frame, ASKED_TOKEN)
      const tokenKey = token === undefined ? undefined : idKey(token)
      if (tokenKey !== undefined) this.#byToken.set(tokenKey, idKey(head.id))
      this.#requests.set(idKey(head.id), { id: head.id, token: tokenKey, exchange })
    }
    response.once("close", () => this.#onClose(exchange, key, ids, response))
  }

  #makeStream(replay: Omit<ReplayOptions, "isPrimed">): HttpHostStream {
    const isPrimed = (): boolean => this.#version >= PRIMED_SINCE
    return new HttpHostStream(this.outbox, { "mcp-session-id": this.sessionId }, { ...replay, isPrimed })
  }

  /** The connection of a POST is gone: because all is said, or because the host has lost it. */
  #onClose(exchange: HttpExchange, key: string, ids: ReadonlyArray<string>, response: ServerResponse): void {
    this.used()
    const isDelivered = exchange.isDone && response.writableFinished
    if (exchange.isStreaming && !isDelivered) {
      this.#streams.set(key, exchange.stream)
      return this.#prune()
    }
    // Without an event id there is nothing to come back to; the server goes on, as its work may matter.
    for (const id of ids) if (this.#requests.get(idKey(id))?.exchange === exchange) this.#forget(idKey(id))
  }

  /** Streams that were lost and never taken up again must not pile up. */
  #prune(): void {
    const detached = [...this.#streams].filter(([key, stream]) => key !== GENERAL && !stream.isConnected)
    for (const [key, stream] of detached) if (stream.isDone) this.#streams.delete(key)
    const waiting = detached.filter(([, stream]) => !stream.isDone)
    let bytes = waiting.reduce((sum, [, stream]) => sum + stream.keptBytes, 0)
    let count = waiting.length
    for (const [key, stream] of waiting) {
      if (count <= MAX_DETACHED && bytes <= DETACHED_BYTES) return
      count -= 1
      bytes -= stream.keptBytes
      this.#streams.delete(key)
      for (const [id, request] of this.#requests) if (request.exchange.stream === stream) this.#forget(id)
    }
  }

  #forget(key: string): void {
    const request = this.#requests.get(key)
    this.#requests.delete(key)
    if (request?.token !== undefined && this.#byToken.get(request.token) === key) this.#byToken.delete(request.token)
  }

  #answer(id: string, frame: Uint8Array, now: number): void {
    const key = idKey(id)
    const request = this.#requests.get(key)
    if (request === undefined) {
      return this.options.log("debug", "an answer that nobody waits for any more is dropped", { id })
    }
    this.#forget(key)
    const isInitialize = key === this.#initializeKey
    if (isInitialize) this.#version = stringAt(frame, ["result", "protocolVersion"]) ?? ""
    request.exchange.answer(request.id, frame, now)
    if (isInitialize) this.options.greeted(stringAt(frame, ERROR_TYPE)?.startsWith(NO_SERVER) !== true)
    if (isInitialize && memberSpan(frame, "error") !== undefined) queueMicrotask(() => this.shut(REFUSED))
    if (!request.exchange.stream.isConnected) this.#prune()
  }

  #progress(frame: Uint8Array, about: string | undefined, now: number): void {
    const token = rawAt(frame, TOLD_TOKEN)
    const key = (token === undefined ? undefined : this.#byToken.get(idKey(token))) ?? (about && idKey(about))
    const request = key === undefined ? undefined : this.#requests.get(key)
    if (request !== undefined) request.exchange.message(frame, now)
    // Progress may follow the answer that carried the token: of a task.
    else this.#general.push(frame, now)
  }

  /** Without a stream of its own, what belongs to no request goes with the newest one. */
  #anyExchange(): HttpExchange | undefined {
    if (this.#general.isConnected) return undefined
    return [...this.#requests.values()].findLast(({ exchange }) => exchange.isConnected)?.exchange
  }

  #tell(frame: Uint8Array, exchange: HttpExchange | undefined, now: number): void {
    if (exchange === undefined) this.#general.push(frame, now)
    else exchange.message(frame, now)
  }

  #onCancelled(frame: Uint8Array): void {
    const id = rawAt(frame, ["params", "requestId"])
    const request = id === undefined ? undefined : this.#requests.get(idKey(id))
    if (id === undefined || request === undefined) return
    this.#forget(idKey(id))
    request.exchange.abandon(request.id)
  }
}
