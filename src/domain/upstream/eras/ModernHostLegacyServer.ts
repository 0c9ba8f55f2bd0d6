import { isObject } from "../../isObject.ts"
import { ENVELOPE_CAPABILITIES, ENVELOPE_CLIENT_INFO, ENVELOPE_VERSION } from "../../wire/AppsExtension.ts"
import {
  errorFrame,
  idKey,
  memberSpan,
  notificationFrameOf,
  readHead,
  requestFrame,
  resultFrame,
  resultFrameOf
} from "../../wire/Frame.ts"
import { elementsOf, memberOf, textOf } from "../../wire/JsonBytes.ts"
import { INTERNAL_ERROR, INVALID_PARAMS, METHOD_NOT_FOUND, RESOURCE_NOT_FOUND } from "../../wire/RequestFailed.ts"
import { decodedAt, rawAt, stringAt } from "../../wire/Rewrites.ts"
import { withId } from "../../wire/withId.ts"
import {
  completeMembers,
  INPUT_METHODS,
  INPUT_REQUESTS,
  LOG_LEVEL,
  LOG_LEVELS,
  MODERN_VERSION,
  type Offers,
  offersIn,
  URL_ELICITATION_REQUIRED
} from "./Eras.ts"
import { discoverAnswer } from "./EraGreetings.ts"
import type { EraPort, EraTranslation, OwnIds } from "./EraPort.ts"
import { type JsonMember, objectOf, withInputTypes, withMembersAt, without, withValueAt } from "./EraSplices.ts"
import { HostSubscriptions } from "./HostSubscriptions.ts"
import { ParkedCalls } from "./ParkedCalls.ts"

/** What a server wants of the host: a request of its own, or (`id` undefined) a URL to be visited before the call. */
interface Asked {
  readonly id: string | undefined
  readonly method: string
  /** JSON text. */
  readonly params: string | undefined
}

interface Call {
  readonly method: string
  /** Under which id the server knows it. */
  readonly serverId: string
  readonly serverToken: string | undefined
  /** Under which id the host waits for it; `undefined` while it is parked. */
  hostId: string | undefined
  hostToken: string | undefined
  /** The host's request, or its last repetition. */
  frame: Uint8Array
  level: string | undefined
  /** What the host has not been asked yet, and what it is asked now, by the key of the input. */
  queue: Array<Asked>
  shown: Map<string, Asked>
  /** The server's answer, if it came while the call was parked. */
  finished: Uint8Array | undefined
}

/** What says that a request is of the modern era: transports that read it would treat it so. */
const ENVELOPE = [ENVELOPE_VERSION, ENVELOPE_CLIENT_INFO, ENVELOPE_CAPABILITIES, LOG_LEVEL]

const GONE_METHODS: ReadonlySet<string> = new Set([
  "notifications/cancelled",
  "notifications/elicitation/complete",
  "notifications/tasks/status"
])

/**
 * Translates, frame by frame, between a host that speaks only the modern era (2026-07-28) and a server that speaks only
 * the legacy one (up to 2025-11-25). `EraTranslator` has initialized the server.
 * - Requests of the host go to the server without their envelope; results get the members that the modern era requires.
 * - `server/discover` is answered here, from the server's answer to `initialize`.
 * - `subscriptions/listen` is served from what the server tells unasked and from `resources/subscribe`, see
 *   {@link HostSubscriptions}.
 * - When the server asks the host for something during a call, the host gets `input_required` as the call's answer. The
 *   server's call stays open until the host repeats it with its input.
 */
export class ModernHostLegacyServer implements EraTranslation {
  readonly #port: EraPort
  readonly #ids: OwnIds
  readonly #initialized: Uint8Array
  readonly #offers: Offers
  readonly #isShared: boolean
  readonly #subscriptions: HostSubscriptions
  readonly #parked: ParkedCalls<Call>
  readonly #byServerId = new Map<string, Call>()
  readonly #byHostId = new Map<string, Call>()
  readonly #byToken = new Map<string, Call>()
  #level: string | undefined

  /**
   * `initialized` is the server's answer to `initialize`. `isShared`: the calls may come from several hosts, none of which
   * may see what the server asks for a call of another one.
   */
  constructor(port: EraPort, ids: OwnIds, initialized: Uint8Array, isShared: boolean) {
    this.#port = port
    this.#ids = ids
    this.#initialized = initialized
    this.#isShared = isShared
    this.#offers = offersIn(initialized)
    this.#subscriptions = new HostSubscriptions(port, ids, this.#offers)
    this.#parked = new ParkedCalls(port, (call) => this.#expire(call))
  }

  fromHost(frame: Uint8Array, about?: string): void {
    const head = readHead(frame)
    if (head === undefined) return this.#port.toServer(frame, about)
    if (head.kind === "response") {
      if (!this.#ids.isOwn(head.id)) this.#port.toServer(frame, about)
      return
    }
    if (head.kind === "request") return this.#onHostRequest(head.id, head.method, frame, about)
    if (head.method === "notifications/cancelled") return this.#onCancelled(frame)
    if (head.method !== "notifications/initialized") this.#port.toServer(frame, about)
  }

  fromServer(frame: Uint8Array, about?: string): void {
    const head = readHead(frame)
    const call = about === undefined ? undefined : this.#byServerId.get(idKey(about))
    if (head === undefined) return this.#port.toHost(frame, about)
    if (head.kind === "notification") return this.#onServerNotification(head.method, frame, call?.hostId ?? about)
    if (head.kind === "request") return this.#onServerRequest(head.id, head.method, frame, call)
    if (this.#subscriptions.onAnswer(head.id, frame)) return
    const answered = this.#byServerId.get(idKey(head.id))
    if (answered !== undefined) return this.#onAnswer(answered, frame)
    if (!this.#ids.isOwn(head.id)) this.#port.toHost(frame, about)
  }

  onLost(unsent: ReadonlyArray<Uint8Array>): ReadonlyArray<Uint8Array> {
    this.#parked.clear()
    return unsent.flatMap((frame) => {
      const head = readHead(frame)
      if (head?.kind !== "request") return head?.kind === "response" ? [] : [frame]
      const call = this.#byServerId.get(idKey(head.id))
      if (call !== undefined) return call.hostId === undefined ? [] : [call.frame]
      return this.#ids.isOwn(head.id) ? [] : [frame]
    })
  }

  /** Takes over a request that the server got before it was known that it is of the legacy era. */
  adopt(id: string, method: string, frame: Uint8Array): void {
    this.#track(id, id, method, frame)
  }

  // ---- From the host ---------------------------------------------------------------------------------------

  #onHostRequest(id: string, method: string, frame: Uint8Array, about: string | undefined): void {
    if (method === "server/discover") return this.#port.toHost(discoverAnswer(id, this.#initialized), id)
    if (method === "subscriptions/listen") return this.#subscriptions.onRequest(id, frame)
    if (method.startsWith("tasks/")) {
      const message = `${method} is no request of MCP ${MODERN_VERSION}, and the server speaks 2025-11-25 or older`
      return this.#port.toHost(errorFrame(id, { code: METHOD_NOT_FOUND, message }), id)
    }
    const requestState = INPUT_METHODS.has(method) ? stringAt(frame, ["params", "requestState"]) : undefined
    if (requestState === undefined) return this.#forward(id, method, frame, about)
    const call = this.#parked.take(requestState, (parked) => parked.method === method)
    if (call !== undefined) return this.#resume(call, id, frame)
    const message = "Invalid or expired requestState: the call has to be made again"
    const data = { reason: "invalid_request_state" }
    this.#port.toHost(errorFrame(id, { code: INVALID_PARAMS, message, data }), id)
  }

  #forward(id: string, method: string, frame: Uint8Array, about: string | undefined): void {
    const serverId = this.#byServerId.has(idKey(id)) ? this.#ids.next() : id
    const call = this.#track(id, serverId, method, frame)
    this.#setLevel(call.level)
    const bare = without(frame, ["params", "_meta"], ENVELOPE)
    this.#port.toServer(serverId === id ? bare : withId(bare, serverId), about)
  }

  #track(id: string, serverId: string, method: string, frame: Uint8Array): Call {
    const token = rawAt(frame, ["params", "_meta", "progressToken"])
    const call: Call = {
      method,
      serverId,
      serverToken: token,
      hostId: id,
      hostToken: token,
      frame,
      level: stringAt(frame, ["params", "_meta", LOG_LEVEL]),
      queue: [],
      shown: new Map(),
      finished: undefined
    }
    this.#byServerId.set(idKey(serverId), call)
    this.#byHostId.set(idKey(id), call)
    if (token !== undefined) this.#byToken.set(idKey(token), call)
    return call
  }

  /** In the legacy era the level is the server's state: it is set to the most verbose that a call under way wants. */
  #setLevel(asked: string | undefined): void {
    if (asked === undefined || !this.#offers("logging")) return
    const wanted = this.#wantedLevel()
    if (wanted === undefined || wanted === this.#level) return
    this.#level = wanted
    this.#port.toServer(requestFrame(this.#ids.next(), "logging/setLevel", { level: wanted }))
  }

  #wantedLevel(): string | undefined {
    const levels = new Set([...this.#byHostId.values()].map(({ level }) => level))
    return LOG_LEVELS.find((level) => levels.has(level))
  }

  #onCancelled(frame: Uint8Array): void {
    const id = rawAt(frame, ["params", "requestId"])
    if (id === undefined || this.#subscriptions.onCancelled(idKey(id))) return
    const call = this.#byHostId.get(idKey(id))
    if (call === undefined) return
    this.#byHostId.delete(idKey(id))
    this.#forget(call)
    const isRenamed = call.serverId !== id
    this.#port.toServer(isRenamed ? withValueAt(frame, ["params", "requestId"], call.serverId) : frame)
  }

  /** The host repeats a call with its input: the server gets the answers that it waits for. */
  #resume(call: Call, id: string, frame: Uint8Array): void {
    const shown = [...call.shown]
    call.shown = new Map()
    if (shown.some(([, asked]) => asked.id === undefined))
      return this.#repeat(
        call,
        id,
        frame,
        shown.map(([key]) => key)
      )
    call.hostId = id
    call.hostToken = rawAt(frame, ["params", "_meta", "progressToken"])
    call.frame = frame
    call.level = stringAt(frame, ["params", "_meta", LOG_LEVEL])
    this.#byHostId.set(idKey(id), call)
    for (const [key, asked] of shown) {
      if (asked.id === undefined) continue
      const response = rawAt(frame, ["params", "inputResponses", key])
      if (response !== undefined) this.#port.toServer(resultFrameOf(asked.id, response))
      else this.#refuseServer(asked.id, INTERNAL_ERROR, `the host gave no answer to ${asked.method}`)
    }
    if (call.finished !== undefined) return this.#finish(call, call.finished)
    this.#showQueued(call)
  }

  /** URLs were to be visited before the call: it is made again. */
  #repeat(call: Call, id: string, frame: Uint8Array, keys: ReadonlyArray<string>): void {
    const isRefused = keys.some((key) => stringAt(frame, ["params", "inputResponses", key, "action"]) !== "accept")
    if (!isRefused) {
      return this.#forward(id, call.method, without(frame, ["params"], ["inputResponses", "requestState"]), id)
    }
    const message = "the server needs a page to be visited first, and that was declined"
    const failure =
      call.method === "tools/call"
        ? resultFrame(id, { resultType: "complete", content: [{ type: "text", text: message }], isError: true })
        : errorFrame(id, { code: INTERNAL_ERROR, message })
    this.#port.toHost(failure, id)
  }

  // ---- From the server -------------------------------------------------------------------------------------

  #onAnswer(call: Call, frame: Uint8Array): void {
    const code = decodedAt(frame, ["error", "code"])
    if (code === URL_ELICITATION_REQUIRED && this.#askForVisits(call, frame)) return
    this.#forget(call)
    const isMissing = code === RESOURCE_NOT_FOUND
    const answer = isMissing
      ? withValueAt(frame, ["error", "code"], `${INVALID_PARAMS}`)
      : withMembersAt(
          call.method === "tools/list" ? withInputTypes(frame) : frame,
          ["result"],
          completeMembers(call.method)
        )
    if (call.hostId === undefined) call.finished = answer
    else this.#finish(call, answer)
  }

  #finish(call: Call, answer: Uint8Array): void {
    const id = call.hostId ?? call.serverId
    this.#byHostId.delete(idKey(id))
    this.#port.toHost(id === call.serverId ? answer : withId(answer, id), id)
  }

  /** "URL elicitation required" is no error of the modern era: the host is asked to have the pages visited. */
  #askForVisits(call: Call, frame: Uint8Array): boolean {
    const error = memberSpan(frame, "error")
    const data = error === undefined ? undefined : memberOf(frame, error, "data")
    const list = data === undefined ? undefined : memberOf(frame, data, "elicitations")
    const pages = list === undefined ? [] : (elementsOf(frame, list) ?? [])
    if (call.hostId === undefined || pages.length === 0 || !this.#hostCan(call, "elicitation")) return false
    this.#forget(call)
    call.queue = pages.map((page) => ({ id: undefined, method: "elicitation/create", params: textOf(frame, page) }))
    this.#showQueued(call)
    return true
  }

  #hostCan(call: Call, capability: string): boolean {
    const capabilities = decodedAt(call.frame, ["params", "_meta", ENVELOPE_CAPABILITIES])
    return isObject(capabilities) && (capabilities[capability] ?? undefined) !== undefined
  }

  #onServerRequest(id: string, method: string, frame: Uint8Array, about: Call | undefined): void {
    if (method === "ping") return this.#port.toServer(resultFrame(id, {}))
    const capability = INPUT_REQUESTS.get(method)
    if (capability === undefined) {
      const why = `the host speaks MCP ${MODERN_VERSION}, in which a server cannot ask for ${method} as in 2025-11-25`
      return this.#refuseServer(id, METHOD_NOT_FOUND, why)
    }
    const call = about ?? (this.#isShared ? undefined : this.#latestCall())
    if (call === undefined || !INPUT_METHODS.has(call.method)) {
      const why =
        call === undefined && this.#isShared
          ? `hosts of MCP ${MODERN_VERSION} share this server, and nothing says which of them is to be asked for ${method}`
          : `the host speaks MCP ${MODERN_VERSION}: it can be asked for ${method} only during ${[...INPUT_METHODS].join(", ")}`
      return this.#refuseServer(id, METHOD_NOT_FOUND, why)
    }
    if (!this.#hostCan(call, capability)) {
      return this.#refuseServer(id, METHOD_NOT_FOUND, `the host does not offer ${capability}`)
    }
    call.queue.push({ id, method, params: rawAt(frame, ["params"]) })
    if (call.hostId !== undefined) this.#showQueued(call)
  }

  /** Over stdio nothing says for which call a server asks; each answer reaches it whichever call carries the question. */
  #latestCall(): Call | undefined {
    const open = [...this.#byServerId.values()].filter(({ method }) => INPUT_METHODS.has(method))
    return open.findLast(({ hostId }) => hostId !== undefined) ?? open.at(-1)
  }

  /** Answers the host's call with what is asked of it, and parks it. */
  #showQueued(call: Call): void {
    const { hostId } = call
    if (hostId === undefined || call.queue.length === 0) return
    call.shown = new Map(call.queue.map((asked, index) => [`input-${index + 1}`, asked]))
    call.queue = []
    call.hostId = undefined
    this.#byHostId.delete(idKey(hostId))
    const requestState = this.#ids.secret()
    this.#parked.park(requestState, call)
    const requests = [...call.shown].map(([key, { method, params }]): JsonMember => {
      const asked: ReadonlyArray<JsonMember> = params === undefined ? [] : [["params", params]]
      return [key, objectOf([["method", JSON.stringify(method)], ...asked])]
    })
    const result = objectOf([
      ["resultType", '"input_required"'],
      ["inputRequests", objectOf(requests)],
      ["requestState", JSON.stringify(requestState)]
    ])
    this.#port.toHost(resultFrameOf(hostId, result), hostId)
  }

  #onServerNotification(method: string, frame: Uint8Array, about: string | undefined): void {
    if (method === "notifications/cancelled") this.#withdraw(rawAt(frame, ["params", "requestId"]))
    if (GONE_METHODS.has(method) || this.#subscriptions.onNotification(method, frame)) return
    if (method === "notifications/message" && this.#wantedLevel() === undefined) return
    const token = method === "notifications/progress" ? rawAt(frame, ["params", "progressToken"]) : undefined
    const call = token === undefined ? undefined : this.#byToken.get(idKey(token))
    if (call === undefined || token === undefined) return this.#port.toHost(frame, about)
    if (call.hostId === undefined || call.hostToken === undefined) return
    const isSame = call.hostToken === call.serverToken
    this.#port.toHost(isSame ? frame : withValueAt(frame, ["params", "progressToken"], call.hostToken), call.hostId)
  }

  /** The server does not wait any more for what it asked. */
  #withdraw(id: string | undefined): void {
    if (id === undefined) return
    const isIt = (asked: Asked): boolean => asked.id !== undefined && idKey(asked.id) === idKey(id)
    for (const call of this.#byServerId.values()) {
      call.queue = call.queue.filter((asked) => !isIt(asked))
      call.shown = new Map([...call.shown].filter(([, asked]) => !isIt(asked)))
    }
  }

  /** The host did not come back with its input. */
  #expire(call: Call): void {
    const why = "the host did not answer in time"
    const isOpen = this.#byServerId.get(idKey(call.serverId)) === call
    this.#forget(call)
    for (const { id } of [...call.shown.values(), ...call.queue]) {
      if (id !== undefined) this.#refuseServer(id, INTERNAL_ERROR, why)
    }
    if (!isOpen) return
    const params = objectOf([
      ["requestId", call.serverId],
      ["reason", JSON.stringify(why)]
    ])
    this.#port.toServer(notificationFrameOf("notifications/cancelled", params))
  }

  #forget(call: Call): void {
    this.#byServerId.delete(idKey(call.serverId))
    if (call.serverToken !== undefined) this.#byToken.delete(idKey(call.serverToken))
  }

  #refuseServer(id: string, code: number, message: string): void {
    this.#port.toServer(errorFrame(id, { code, message }))
  }
}
