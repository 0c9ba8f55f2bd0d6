import type { ServerResponse } from "node:http"
import { EnvelopeHeaders } from "../../domain/wire/EnvelopeHeaders.ts"
import { errorFrame, type FrameHead, idKey, readHead } from "../../domain/wire/Frame.ts"
import { headerMismatch, type Posted, refusal } from "../../domain/host/HttpMessages.ts"
import {
  CAPABILITY_MISSING,
  HEADER_MISMATCH,
  METHOD_NOT_FOUND,
  UNSUPPORTED_VERSION
} from "../../domain/wire/RequestFailed.ts"
import {
  ASKED_TOKEN,
  cancelledFrame,
  ENDED_SUBSCRIPTION,
  ID,
  SUBSCRIPTION,
  TOLD_TOKEN,
  withReplaced
} from "../../domain/wire/RequestIds.ts"
import { decodedAt, rawAt } from "../../domain/wire/Rewrites.ts"
import type { FrameLink } from "../../services/host/FrameLink.ts"
import { answerEmpty, answerRefusal } from "./httpAnswers.ts"
import { HttpHostStream } from "./httpHostStream.ts"
import { HttpExchange } from "./httpExchange.ts"
import { HttpHost, type HttpHostEnd, type HttpHostOptions } from "./httpHost.ts"

type ModernPost = Extract<Posted, { kind: "modern" }>
type Headers = Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

/** Requests that all hosts together may have open. */
const MAX_REQUESTS = 16_384
/** With more bytes waiting for hosts, the server is not read: the first where no host that reads is held up, else the second. */
const ALONE_BACKLOG_BYTES = 67_108_864
const BACKLOG_BYTES = 268_435_456
/** Hosts that are behind hold the others up no longer than this, and a second. */
const PATIENCE_MS = 500
/** A host that takes nothing for so long is given up in any case. */
const SILENCE_MS = 60_000

const LISTEN = "subscriptions/listen"
const LOG_LEVEL = "io.modelcontextprotocol/logLevel"
const PARAM_ANNOTATION = "x-mcp-header"
/** Errors that the specification gives an HTTP status, when they are all that is said. */
const STATUS: ReadonlyMap<unknown, number> = new Map([
  [METHOD_NOT_FOUND, 404],
  [HEADER_MISMATCH, 400],
  [CAPABILITY_MISSING, 400],
  [UNSUPPORTED_VERSION, 400]
])

interface Request {
  /** As the host and the server know it, JSON text. */
  readonly hostId: string
  readonly ourId: string
  readonly hostToken: string | undefined
  readonly method: string
  readonly meta: Readonly<Record<string, unknown>>
  readonly response: ServerResponse
  readonly exchange: HttpExchange
}

/** The same bytes, in which Node searches much faster. */
const viewOf = (frame: Uint8Array): Buffer => Buffer.from(frame.buffer, frame.byteOffset, frame.length)

const statusOf = (answer: Uint8Array): number => STATUS.get(decodedAt(answer, ["error", "code"])) ?? 200

/**
 * All hosts of 2026-07-28, which has no sessions: each request stands for itself, and they share one connection to the
 * server. Ids and progress tokens are ours on that connection, so that hosts that use the same ones never meet.
 */
export class HttpModernHost extends HttpHost {
  readonly isShared = true
  readonly #prefix: string
  readonly #requests = new Map<string, Request>()
  readonly #headers = new EnvelopeHeaders()
  #count = 0

  /** `prefix` begins all ids of this connection; it has to be unlike any other one. */
  constructor(prefix: string, options: HttpHostOptions) {
    super(options)
    this.#prefix = prefix
  }

  /** What the headers of a request get wrong, with what the lists of tools have taught. */
  mismatch({ message, version }: ModernPost, headers: Headers) {
    const { frame, head } = message
    return head.kind === "request"
      ? headerMismatch(head.id, headers, this.#headers.of(frame, head.method, version))
      : undefined
  }

  post({ message, meta }: ModernPost, response: ServerResponse): void {
    const { frame, head } = message
    this.used()
    if (head.kind === "request") return this.#open(head, frame, meta, response)
    // A host ends a request by closing its POST. Its id says nothing here: another host's may be the same.
    if (head.kind === "notification" && head.method !== "notifications/cancelled") this.deliver(frame)
    answerEmpty(response, 202)
  }

  readonly send: FrameLink["send"] = (frame, about) => {
    const now = this.options.now()
    const head = readHead(frame)
    if (head === undefined) this.options.log("debug", "a message that belongs to no request is dropped")
    else if (head.kind === "response") this.#answer(head.id, frame, now)
    else if (head.kind === "request") {
      // Not a thing of this era; left without an answer the server might wait for ever.
      const error = { code: METHOD_NOT_FOUND, message: "hosts of 2026-07-28 take no requests" }
      this.deliver(errorFrame(head.id, error))
    } else this.#notify(head.method, frame, about, now)
    return !this.outbox.isBehind
  }

  tick(now: number): void {
    for (const { exchange } of this.#requests.values()) exchange.tick(now)
    this.#giveUp()
  }

  protected override get backlogBytes(): number {
    return this.#othersWait ? BACKLOG_BYTES : ALONE_BACKLOG_BYTES
  }

  protected get isConnected(): boolean {
    return this.#requests.size > 0
  }

  protected close(end: HttpHostEnd): void {
    const requests = [...this.#requests.values()]
    this.#requests.clear()
    for (const { exchange } of requests) exchange.fail(end, this.options.now())
  }

  #open(
    head: Extract<FrameHead, { kind: "request" }>,
    frame: Uint8Array,
    meta: Readonly<Record<string, unknown>>,
    response: ServerResponse
  ): void {
    if (this.isEnded || this.#requests.size >= MAX_REQUESTS) {
      const message = this.isEnded ? "the connection to the MCP server has ended" : "too many requests are open"
      return answerRefusal(response, refusal(503, -32000, message, head.id), { "retry-after": 1 })
    }
    this.#count += 1
    const ourId = `"${this.#prefix}${this.#count}"`
    const now = this.options.now()
    const { outbox } = this
    const stream = new HttpHostStream(outbox)
    const ids = [head.id]
    const exchange = new HttpExchange({ response, outbox, stream, ids, isBatch: false, now, statusOf })
    const hostToken = rawAt(frame, ASKED_TOKEN)
    const request = { hostId: head.id, ourId, hostToken, method: head.method, meta, response, exchange }
    this.#requests.set(idKey(ourId), request)
    response.once("close", () => this.#onClose(request))
    this.outbox.reconsider()
    const replacements = [
      { path: ID, text: ourId },
      { path: ASKED_TOKEN, text: ourId }
    ]
    this.deliver(withReplaced(frame, replacements))
  }

  /** A host that reads is waiting for an answer. */
  get #othersWait(): boolean {
    for (const { method, response } of this.#requests.values()) {
      if (method !== LISTEN && !this.outbox.holds(response)) return true
    }
    return false
  }

  /** Ends responses that hold others up: first those that take nothing, then slow ones; of each the largest first. */
  #giveUp(): void {
    const waiting = this.outbox
      .waiting()
      .toSorted((a, b) => Number(b.silentMs > 0) - Number(a.silentMs > 0) || b.bytes - a.bytes)
    const isHoldingUp = this.outbox.behindMs >= PATIENCE_MS && this.#othersWait
    let bytes = waiting.reduce((sum, response) => sum + response.bytes, 0)
    for (const { bytes: its, response, silentMs } of waiting) {
      const mayStay = silentMs > 0 ? ALONE_BACKLOG_BYTES : BACKLOG_BYTES / 2
      if ((!isHoldingUp || bytes <= mayStay) && silentMs < SILENCE_MS) continue
      bytes -= its
      this.options.log("warn", "a host that does not read its answer is cut off", { bytes: its, silentMs })
      response.destroy()
    }
  }

  /** "Closing the response stream must be treated as cancellation" (Streamable HTTP 2026-07-28). */
  #onClose(request: Request): void {
    this.used()
    if (!this.#requests.delete(idKey(request.ourId))) return
    this.deliver(cancelledFrame(request.ourId, "the host closed the connection", request.meta))
  }

  #answer(id: string, frame: Uint8Array, now: number): void {
    const request = this.#requests.get(idKey(id))
    if (request === undefined) {
      return this.options.log("debug", "an answer that nobody waits for any more is dropped", { id })
    }
    this.#requests.delete(idKey(id))
    const { exchange, hostId, method } = request
    if (method === "tools/list" && viewOf(frame).includes(PARAM_ANNOTATION)) {
      this.#headers.onToolList(decodedAt(frame, ["result"]))
    }
    const ended = method === LISTEN ? [{ path: ENDED_SUBSCRIPTION, text: hostId }] : []
    exchange.answer(hostId, viewOf(withReplaced(frame, [{ path: ID, text: hostId }, ...ended])), now)
  }

  #notify(method: string, frame: Uint8Array, about: string | undefined, now: number): void {
    const subscription = rawAt(frame, SUBSCRIPTION)
    const token = method === "notifications/progress" ? rawAt(frame, TOLD_TOKEN) : undefined
    const owner = subscription ?? token ?? about
    const request = owner === undefined ? this.#onlyLogReader(method) : this.#requests.get(idKey(owner))
    if (request === undefined) {
      return this.options.log("debug", "a notification that belongs to no open request is dropped", { method })
    }
    const replacements = [
      ...(subscription === undefined ? [] : [{ path: SUBSCRIPTION, text: request.hostId }]),
      ...(token === undefined || request.hostToken === undefined ? [] : [{ path: TOLD_TOKEN, text: request.hostToken }])
    ]
    request.exchange.message(viewOf(withReplaced(frame, replacements)), now)
  }

  /** A server on stdio does not say for which request it logs. Of several hosts that asked for logs, none gets them. */
  #onlyLogReader(method: string): Request | undefined {
    if (method !== "notifications/message") return undefined
    const readers = [...this.#requests.values()].filter(({ meta }) => Object.hasOwn(meta, LOG_LEVEL))
    return readers.length === 1 ? readers[0] : undefined
  }
}
