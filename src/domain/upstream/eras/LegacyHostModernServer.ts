import {
  errorFrame,
  errorFrameOf,
  idKey,
  memberSpan,
  notificationFrame,
  readHead,
  requestFrameOf,
  resultFrame
} from "../../wire/Frame.ts"
import { isObject } from "../../isObject.ts"
import { memberOf, membersOf, type Span, textOf, valueOf } from "../../wire/JsonBytes.ts"
import { INTERNAL_ERROR, INVALID_PARAMS, METHOD_NOT_FOUND, RESOURCE_NOT_FOUND } from "../../wire/RequestFailed.ts"
import { decodedAt, rawAt, stringAt } from "../../wire/Rewrites.ts"
import { withId } from "../../wire/withId.ts"
import { INPUT_METHODS, INPUT_REQUESTS, LOG_LEVEL, LOG_LEVELS, MODERN_VERSION, type Offers, offersIn } from "./Eras.ts"
import { envelopeOfInitialize, initializeAnswer } from "./EraGreetings.ts"
import type { EraPort, EraTranslation, OwnIds } from "./EraPort.ts"
import { type JsonMember, objectOf, withParams, withValueAt } from "./EraSplices.ts"
import { ServerSubscription } from "./ServerSubscription.ts"

/** A call that asks without asking anything (a busy server) is repeated after this time. */
const PACING_MS = 250
/** A server that is never content is not asked for ever. */
const MAX_ROUNDS = 64

interface Call {
  readonly method: string
  readonly hostId: string
  /** As the host sent it. */
  readonly frame: Uint8Array
  /** Under which id the server knows it: the host's, then one of ours for each repetition. */
  serverId: string
  rounds: number
  /** What is asked of the host now: our request's id, and the server's key for the answer. */
  readonly asked: Map<string, string>
  answers: Array<JsonMember>
  requestState: string | undefined
  stopTimer: () => void
}

/**
 * Translates, frame by frame, between a host that speaks only the legacy era (up to 2025-11-25) and a server that speaks
 * only the modern one (2026-07-28). The host has sent `initialize`; the server is never initialized.
 * - Every request of the host goes to the server with the envelope that its `initialize` gives.
 * - `ping` and `logging/setLevel` exist in the legacy era only: we answer them. The level goes into the envelope.
 * - `resources/subscribe` becomes part of our one `subscriptions/listen`, see {@link ServerSubscription}.
 * - When the server answers a call with `input_required`, we ask the host by requests of the legacy era (elicitation,
 *   sampling, roots) and repeat the call with its answers.
 */
export class LegacyHostModernServer implements EraTranslation {
  readonly #port: EraPort
  readonly #ids: OwnIds
  readonly #identity: ReadonlyArray<JsonMember>
  readonly #offers: Offers
  readonly #subscription: ServerSubscription
  readonly #byHostId = new Map<string, Call>()
  readonly #byServerId = new Map<string, Call>()
  readonly #byAskedId = new Map<string, Call>()
  #level: string | undefined

  /** `initialize` is the host's request, `discovered` the server's answer to `server/discover`. */
  constructor(port: EraPort, ids: OwnIds, initialize: Uint8Array, discovered: Uint8Array) {
    this.#port = port
    this.#ids = ids
    this.#identity = envelopeOfInitialize(initialize)
    this.#offers = offersIn(discovered)
    this.#subscription = new ServerSubscription(
      port,
      ids,
      {
        toolsListChanged: this.#offers("tools", "listChanged"),
        promptsListChanged: this.#offers("prompts", "listChanged"),
        resourcesListChanged: this.#offers("resources", "listChanged")
      },
      () => objectOf(this.#envelope())
    )
    const id = rawAt(initialize, ["id"]) ?? "null"
    port.toHost(initializeAnswer(initialize, id, discovered), id)
  }

  fromHost(frame: Uint8Array, about?: string): void {
    const head = readHead(frame)
    if (head === undefined) return this.#port.toServer(frame, about)
    if (head.kind === "notification") return this.#onHostNotification(head.method, frame)
    if (head.kind === "request") return this.#onHostRequest(head.id, head.method, frame, about)
    const key = idKey(head.id)
    const call = this.#byAskedId.get(key)
    if (call !== undefined) return this.#onInput(call, key, frame)
    if (!this.#ids.isOwn(head.id)) this.#port.toServer(frame, about)
  }

  fromServer(frame: Uint8Array, about?: string): void {
    const head = readHead(frame)
    const aboutHost = about === undefined ? undefined : (this.#byServerId.get(idKey(about))?.hostId ?? about)
    if (head === undefined) return this.#port.toHost(frame, aboutHost)
    if (head.kind === "notification") {
      if (!this.#subscription.onNotification(head.method, frame)) this.#port.toHost(frame, aboutHost)
      return
    }
    if (head.kind === "request") return this.#port.toHost(frame, aboutHost)
    if (this.#subscription.onAnswer(head.id, frame)) return
    const call = this.#byServerId.get(idKey(head.id))
    if (call !== undefined) return this.#onAnswer(call, frame)
    if (!this.#ids.isOwn(head.id)) this.#port.toHost(frame, aboutHost)
  }

  onLost(unsent: ReadonlyArray<Uint8Array>): ReadonlyArray<Uint8Array> {
    this.#subscription.stop()
    for (const call of this.#byHostId.values()) this.#withdraw(call, "the server ended")
    return unsent.flatMap((frame) => {
      const head = readHead(frame)
      if (head?.kind !== "request") return [frame]
      const call = this.#byServerId.get(idKey(head.id))
      if (call !== undefined) return [call.frame]
      return this.#ids.isOwn(head.id) ? [] : [frame]
    })
  }

  #envelope(): ReadonlyArray<JsonMember> {
    const level: ReadonlyArray<JsonMember> = this.#level === undefined ? [] : [[LOG_LEVEL, JSON.stringify(this.#level)]]
    return [...this.#identity, ...level]
  }

  // ---- From the host ---------------------------------------------------------------------------------------

  #onHostRequest(id: string, method: string, frame: Uint8Array, about: string | undefined): void {
    const answer = (result: unknown): void => this.#port.toHost(resultFrame(id, result), id)
    const refuse = (code: number, message: string): void => this.#port.toHost(errorFrame(id, { code, message }), id)
    if (method === "ping") return answer({})
    if (method.startsWith("tasks/")) {
      return refuse(
        METHOD_NOT_FOUND,
        `${method} belongs to MCP 2025-11-25, and the server speaks ${MODERN_VERSION} only, which has no such tasks`
      )
    }
    if (method === "logging/setLevel") {
      const level = stringAt(frame, ["params", "level"])
      if (!this.#offers("logging")) return refuse(METHOD_NOT_FOUND, "the server does not offer logging")
      if (level === undefined || !LOG_LEVELS.includes(level)) {
        return refuse(INVALID_PARAMS, `level must be one of ${LOG_LEVELS.join(", ")}`)
      }
      this.#level = level
      return answer({})
    }
    if (method === "resources/subscribe" || method === "resources/unsubscribe") {
      return this.#onSubscription(id, method, stringAt(frame, ["params", "uri"]))
    }
    if (INPUT_METHODS.has(method)) {
      const call: Call = {
        method,
        hostId: id,
        frame,
        serverId: id,
        rounds: 0,
        asked: new Map(),
        answers: [],
        requestState: undefined,
        stopTimer: () => undefined
      }
      this.#byHostId.set(idKey(id), call)
      this.#byServerId.set(idKey(id), call)
    }
    this.#port.toServer(withParams(frame, { meta: this.#envelope() }), about)
  }

  #onSubscription(id: string, method: string, uri: string | undefined): void {
    const settle = (error: string | undefined): void =>
      this.#port.toHost(error === undefined ? resultFrame(id, {}) : errorFrameOf(id, error), id)
    if (uri === undefined) return settle(JSON.stringify({ code: INVALID_PARAMS, message: "uri must be a string" }))
    if (!this.#offers("resources", "subscribe")) {
      const message = "the server does not offer subscriptions to resources"
      return settle(JSON.stringify({ code: METHOD_NOT_FOUND, message }))
    }
    if (method === "resources/subscribe") return this.#subscription.add(uri, settle)
    this.#subscription.remove(uri)
    settle(undefined)
  }

  #onHostNotification(method: string, frame: Uint8Array): void {
    if (method === "notifications/initialized") return this.#subscription.start()
    if (method === "notifications/roots/list_changed" || method === "notifications/progress") return
    if (method !== "notifications/cancelled") return this.#port.toServer(frame)
    const id = rawAt(frame, ["params", "requestId"])
    const call = id === undefined ? undefined : this.#byHostId.get(idKey(id))
    if (call === undefined) return this.#port.toServer(frame)
    const isAtServer = this.#byServerId.has(idKey(call.serverId))
    this.#withdraw(call, "the call was cancelled")
    this.#forget(call)
    if (isAtServer) this.#port.toServer(withValueAt(frame, ["params", "requestId"], call.serverId))
  }

  // ---- From the server -------------------------------------------------------------------------------------

  #onAnswer(call: Call, frame: Uint8Array): void {
    this.#byServerId.delete(idKey(call.serverId))
    if (stringAt(frame, ["result", "resultType"]) === "input_required") return this.#askHost(call, frame)
    this.#forget(call)
    const answer = call.serverId === call.hostId ? frame : withId(frame, call.hostId)
    const isMissing =
      call.method === "resources/read" &&
      decodedAt(answer, ["error", "code"]) === INVALID_PARAMS &&
      stringAt(answer, ["error", "data", "uri"]) !== undefined
    this.#port.toHost(isMissing ? withValueAt(answer, ["error", "code"], `${RESOURCE_NOT_FOUND}`) : answer, call.hostId)
  }

  #askHost(call: Call, frame: Uint8Array): void {
    call.rounds += 1
    call.answers = []
    call.requestState = rawAt(frame, ["result", "requestState"])
    const result = memberSpan(frame, "result")
    const requests = result === undefined ? undefined : memberOf(frame, result, "inputRequests")
    const members = new Map(
      (requests === undefined ? [] : (membersOf(frame, requests) ?? [])).map(({ key, value }) => [key, value])
    )
    if (call.rounds > MAX_ROUNDS) return this.#fail(call, `the server still asked for input after ${MAX_ROUNDS} rounds`)
    if (members.size === 0) {
      if (call.requestState === undefined) return this.#fail(call, "the server asked for input without saying which")
      call.stopTimer = this.#port.after(PACING_MS, () => this.#repeat(call))
      return
    }
    const asked = [...members].map(([key, at]) => ({ key, request: this.#inputRequest(frame, at) }))
    const unknown = asked.find(({ request }) => request === undefined)
    if (unknown !== undefined) return this.#fail(call, `the server asked for input "${unknown.key}" of an unknown kind`)
    for (const { key, request } of asked) {
      if (request === undefined) continue
      call.asked.set(idKey(request.id), key)
      this.#byAskedId.set(idKey(request.id), call)
    }
    for (const { request } of asked) {
      if (request === undefined || !call.asked.has(idKey(request.id))) continue
      this.#port.toHost(requestFrameOf(request.id, request.method, request.params), call.hostId)
    }
  }

  /** The host was asked only for what it had announced. */
  #inputRequest(frame: Uint8Array, at: Span): { id: string; method: string; params: string } | undefined {
    const methodAt = memberOf(frame, at, "method")
    const method = methodAt === undefined ? undefined : valueOf(frame, methodAt)
    if (typeof method !== "string" || !INPUT_REQUESTS.has(method)) return undefined
    const id = this.#ids.next()
    const paramsAt = memberOf(frame, at, "params")
    if (paramsAt === undefined) return { id, method, params: "{}" }
    const params = textOf(frame, paramsAt)
    const decoded = valueOf(frame, paramsAt)
    const lacksId = isObject(decoded) && decoded.mode === "url" && decoded.elicitationId === undefined
    return { id, method, params: lacksId ? `${params.slice(0, -1)},"elicitationId":${id}}` : params }
  }

  /** The host's answer to one of our requests. */
  #onInput(call: Call, askedId: string, frame: Uint8Array): void {
    const key = call.asked.get(askedId)
    call.asked.delete(askedId)
    this.#byAskedId.delete(askedId)
    const result = rawAt(frame, ["result"])
    if (key === undefined || result === undefined) {
      const detail = stringAt(frame, ["error", "message"]) ?? "it gave no answer"
      this.#withdraw(call, "another answer is missing")
      return this.#fail(call, `the host did not answer what the server asked of it: ${detail}`)
    }
    call.answers.push([key, result])
    if (call.asked.size === 0) this.#repeat(call)
  }

  #repeat(call: Call): void {
    call.serverId = this.#ids.next()
    this.#byServerId.set(idKey(call.serverId), call)
    const members: ReadonlyArray<JsonMember> = [
      ...(call.answers.length === 0 ? [] : [["inputResponses", objectOf(call.answers)] as const]),
      ...(call.requestState === undefined ? [] : [["requestState", call.requestState] as const])
    ]
    this.#port.toServer(withParams(call.frame, { id: call.serverId, members, meta: this.#envelope() }), call.hostId)
  }

  /** A failed tool says so in its result, so that a model can read it; anything else is an error. */
  #fail(call: Call, message: string): void {
    this.#forget(call)
    const { hostId } = call
    const failure =
      call.method === "tools/call"
        ? resultFrame(hostId, { content: [{ type: "text", text: message }], isError: true })
        : errorFrame(hostId, { code: INTERNAL_ERROR, message })
    this.#port.toHost(failure, hostId)
  }

  /** What the host was asked for a call is not wanted any more. */
  #withdraw(call: Call, reason: string): void {
    call.stopTimer()
    for (const askedId of call.asked.keys()) {
      this.#byAskedId.delete(askedId)
      this.#port.toHost(
        notificationFrame("notifications/cancelled", { requestId: askedId.slice(1), reason }),
        call.hostId
      )
    }
    call.asked.clear()
  }

  #forget(call: Call): void {
    this.#byHostId.delete(idKey(call.hostId))
    this.#byServerId.delete(idKey(call.serverId))
  }
}
