import { isObject } from "../../domain/isObject.ts"
import type { CallToolResultLike, HostContext, JsonObject } from "./types.ts"
import { clearTimeout, getterOf, now, setTimeout, structuredClone, uncurried } from "./platform.ts"
import { PressGate } from "./pressGate.ts"

export const LATEST_PROTOCOL_VERSION = "2026-01-26"

/** The events of `App`, named as in ext-apps, and the notifications that carry them. */
export const EVENT_METHODS = {
  toolinput: "ui/notifications/tool-input",
  toolinputpartial: "ui/notifications/tool-input-partial",
  toolresult: "ui/notifications/tool-result",
  toolcancelled: "ui/notifications/tool-cancelled",
  hostcontextchanged: "ui/notifications/host-context-changed"
} as const

export type BridgeEvent = keyof typeof EVENT_METHODS

export interface RequestOptions {
  readonly signal?: AbortSignal
  /** Milliseconds; a minute unless set, and ten for a call of a tool. */
  readonly timeout?: number
  readonly onprogress?: (progress: JsonObject) => void
}

export interface HostFacts {
  readonly protocolVersion?: string
  readonly hostInfo?: { readonly name: string; readonly version: string }
  readonly hostCapabilities?: JsonObject
}

/** The latest value of an event; `order` grows with every arrival. */
export interface Recorded {
  readonly event: BridgeEvent
  readonly params: JsonObject
  readonly order: number
  /** The arguments of the call, if the page itself made it. */
  readonly args?: JsonObject
}

export interface OwnCall {
  readonly args: JsonObject
  readonly outcome: Promise<CallToolResultLike>
}

/** Handles a host's request; `undefined` leaves it to the next one. */
export type RequestResponder = (method: string, params: JsonObject, signal: AbortSignal) => Promise<unknown> | undefined

/** A JSON-RPC error, from the host or of this side. */
export class RpcError extends Error {
  readonly code: number
  readonly data: unknown
  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.name = "RpcError"
    this.code = code
    this.data = data
  }
}

export const METHOD_NOT_FOUND = -32601
const INTERNAL_ERROR = -32603
const REQUEST_TIMEOUT = -32001

/** Milliseconds that a request waits, for the handshake too, and how many times as long a call of a tool. */
const REQUEST_MS = 60_000
const CALL_TIMES = 10

/**
 * What a host has to state so that it takes a request, and what a view may then do. The pattern knows the request by its
 * method, and code that makes one by how it is written, also once it is linked (`ctx[name(ctx,"open")](…)`).
 */
const NEEDS = [
  [/tools\/call|\bcall((Server)?Tool)?\(/, "serverTools", "call tools"],
  [/open-link|penLink\(|\bctx(\.|,")open\b/, "openLinks", "open links"],
  [/ownload-?file|\bctx\.download\(/i, "downloadFile", "save files"],
  [/ui\/message|\b(sendMessage|say)\(/, "message", "write messages"],
  [/sampling/i, "sampling", "ask its model"]
] as const
/**
 * What hosts take and do not say: VS Code messages (`domain/wire/hosts/vscode.ts`), calls those that are made with the
 * client of mcp-ui and answer them themselves.
 */
const TAKES = /^(visual studio.* message|mcp-ui host serverTools)$/i

/** A call that starts within this time (ms) after a result, without a press, counts as caused by that result. */
const CHAINED_CALL_MS = 250
/** Some hosts also send `tool-result` for the page's own calls: an equal one within this time (ms) is a repetition. */
const SAME_RESULT_MS = 2_000
/** Milliseconds that listeners have before the teardown is answered. */
const TEARDOWN_MS = 500
const TEARDOWN = "ui/resource-teardown"
/** How many results of such calls in a row views get: a handler that calls again must not run for ever. */
const MAX_CHAINED_DELIVERIES = 2

/** A page of a person may bring a library that counts its requests from 0 or 1: no answer fits two requests. */
const FIRST_ID = 1_000_000_001

const sourceOf = getterOf(MessageEvent.prototype, "source")
const dataOf = getterOf(MessageEvent.prototype, "data")
const stop = uncurried(Event.prototype.stopImmediatePropagation)

interface Pending {
  readonly resolve: (result: JsonObject) => void
  readonly reject: (error: unknown) => void
  readonly onprogress: ((progress: JsonObject) => void) | undefined
}

const objectOr = (value: unknown): JsonObject => (isObject(value) ? value : {})

const isSame = (a: JsonObject, b: JsonObject): boolean => JSON.stringify(a) === JSON.stringify(b)

/** A text: some hosts forward tokens to servers, where a number could equal the id of another request. */
const tokenOf = (id: number): string => `view-${id}`

const requestOf = (token: unknown): number => Number(String(token).replace("view-", ""))

/**
 * The one connection of a page to its host: JSON-RPC 2.0 over `postMessage`, MCP Apps 2026-01-26. It listens from the
 * start, keeps the latest value of every event, and shakes hands once for all `App`s.
 */
export class Bridge {
  readonly toolName: string
  /** Requests of views pass through it. */
  readonly gate = new PressGate()
  host: HostFacts | undefined
  context: HostContext | undefined
  /** Settles with the handshake. */
  readonly opened: Promise<void>
  readonly recorded = new Map<BridgeEvent, Recorded>()
  /** Takes the messages to a host that does not speak JSON-RPC. */
  port: ((message: JsonObject) => void) | undefined

  /** Answers lists and calls of tools that no `App` answers. */
  lastResponder: ((method: string, params: JsonObject) => Promise<unknown>) | undefined

  readonly #target: Window | null
  readonly #pending = new Map<number, Pending>()
  readonly #running = new Map<unknown, AbortController>()
  readonly #recordListeners = new Set<(recorded: Recorded) => void>()
  readonly #ownCallListeners = new Set<(call: OwnCall) => void>()
  readonly #notificationListeners = new Set<(method: string, params: JsonObject) => void>()
  readonly #responders = new Set<RequestResponder>()
  readonly #teardownListeners = new Set<() => Promise<unknown>>()
  #settleOpened: { resolve: () => void; reject: (error: unknown) => void } | undefined
  #opening = false
  #nextId = FIRST_ID
  /** A library in the page talks to the host as well, and hears its own answers. */
  #isShared = false
  #order = 0
  #lastResultAt = -Infinity
  #lastResult: Recorded | undefined
  #chained = 0
  #lastDeliveredCall = 0
  #callOrder = 0

  constructor(toolName: string) {
    this.toolName = toolName
    this.#target = window.parent === window ? null : window.parent
    this.opened = new Promise((resolve, reject) => {
      this.#settleOpened = { resolve, reject }
    })
    this.opened.catch(() => undefined)
    const hear = (event: MessageEvent): void => {
      if (this.#target === null || !event.isTrusted || sourceOf(event) !== this.#target) return
      if (this.receive(dataOf(event))) stop(event)
    }
    window.addEventListener("message", hear, { capture: true })
  }

  get isOpening(): boolean {
    return this.#opening
  }

  /** Shakes hands; later calls share the first handshake, and its `appInfo`. */
  open(appInfo: JsonObject, appCapabilities: JsonObject, options?: RequestOptions): Promise<void> {
    if (this.#opening) return this.opened
    this.#opening = true
    const shake = async (): Promise<void> => {
      const offered = this.lastResponder && { tools: { listChanged: true } }
      const params = {
        appInfo,
        appCapabilities: { ...offered, ...appCapabilities },
        protocolVersion: LATEST_PROTOCOL_VERSION
      }
      const answer = await this.#send("ui/initialize", params, options)
      this.host = answer
      this.context = { ...objectOr(answer.hostContext), ...this.context }
      this.notify("ui/notifications/initialized")
      this.#record("hostcontextchanged", this.context, false)
    }
    shake().then(this.#settleOpened?.resolve, this.#settleOpened?.reject)
    return this.opened
  }

  /**
   * Sends a request of a view, after the handshake and through the gate; rejects with an {@link RpcError}, the reason of the
   * signal, or what the gate says.
   */
  async request(method: string, params: JsonObject | undefined, options?: RequestOptions): Promise<JsonObject> {
    const check = (): void => {
      const why = this.refusal(method)
      // The address of a link is a way out.
      if (why !== undefined) throw new RpcError(METHOD_NOT_FOUND, `${why} ${params?.url ?? ""}`.trim())
    }
    check()
    // Copy: a view's object may give other values when it is sent.
    const given = params && structuredClone(params)
    return this.gate.through(method, given, () => this.#send(method, given, options, this.opened.then(check)))
  }

  /**
   * Why the host takes no such request, by its method or the code that makes it; `undefined` if it may. A host that states
   * nothing may take all.
   */
  refusal(asked: string): string | undefined {
    const { hostCapabilities: can, hostInfo } = this.host ?? {}
    const need = can && NEEDS.find(([pattern]) => pattern.test(asked))
    if (!need || can[need[1]] || TAKES.test(`${hostInfo?.name} ${need[1]}`)) return undefined
    return `This host does not let a view ${need[2]}.`
  }

  /** Sends a request of the runtime itself; views cannot make one. */
  async ask(method: string, params: JsonObject, options?: RequestOptions): Promise<JsonObject> {
    return this.#send(method, params, options, this.opened)
  }

  notify(method: string, params?: JsonObject): void {
    this.#post(params === undefined ? { method } : { method, params })
  }

  /**
   * Calls a tool of the server. A result of this page's tool is also recorded as `toolresult`, so that it reaches every
   * view.
   */
  async callTool(params: JsonObject, options?: RequestOptions): Promise<CallToolResultLike> {
    if (params.name !== this.toolName) return this.request("tools/call", params, options)
    const chained = now() - this.#lastResultAt < CHAINED_CALL_MS && this.#lastResultAt > this.gate.pressedAt
    this.#chained = chained ? this.#chained + 1 : 0
    if (this.#chained > MAX_CHAINED_DELIVERIES) return this.request("tools/call", params, options)

    const call = ++this.#callOrder
    const begun = this.#order
    const args = objectOr(params.arguments)
    const outcome = this.request("tools/call", params, options)
    for (const listener of this.#ownCallListeners) listener({ args, outcome })
    const result = await outcome
    if (call > this.#lastDeliveredCall) {
      this.#lastDeliveredCall = call
      queueMicrotask(() => {
        const last = this.#lastResult
        const isKnown = last !== undefined && last.args === undefined && last.order > begun
        if (!isKnown || !isSame(last.params, result)) this.#record("toolresult", result, true, args)
      })
    }
    return result
  }

  onRecord(listener: (recorded: Recorded) => void): () => void {
    this.#recordListeners.add(listener)
    return () => this.#recordListeners.delete(listener)
  }

  onOwnCall(listener: (call: OwnCall) => void): () => void {
    this.#ownCallListeners.add(listener)
    return () => this.#ownCallListeners.delete(listener)
  }

  onNotification(listener: (method: string, params: JsonObject) => void): () => void {
    this.#notificationListeners.add(listener)
    return () => this.#notificationListeners.delete(listener)
  }

  /**
   * Runs before the host takes the page down. The host gets its answer when all listeners are done, or half a second
   * later.
   */
  onTeardown(listener: () => Promise<unknown>): void {
    this.#teardownListeners.add(listener)
  }

  /** Whether a request of this page asked for progress under this token. */
  isAwaited(progressToken: unknown): boolean {
    return this.#pending.has(requestOf(progressToken))
  }

  /** Gives views the latest call once more; `result` is the one that the host has lost. */
  again(result = this.recorded.get("toolresult")?.params): void {
    const { args } = this.recorded.get("toolresult") ?? {}
    const input = this.recorded.get("toolinput")
    if (input !== undefined) this.#record("toolinput", structuredClone(input.params), true)
    if (result !== undefined) this.#record("toolresult", result, true, args)
  }

  /** Takes context that the host gave, as in `host-context-changed`. */
  changeContext(changed: HostContext): void {
    this.context = { ...this.context, ...changed }
    this.#record("hostcontextchanged", { ...changed }, true)
  }

  respond(responder: RequestResponder): () => void {
    this.#responders.add(responder)
    return () => this.#responders.delete(responder)
  }

  #record(event: BridgeEvent, params: JsonObject, announce: boolean, args?: JsonObject): void {
    const recorded: Recorded = { event, params, order: ++this.#order, ...(args === undefined ? {} : { args }) }
    if (announce) this.recorded.set(event, recorded)
    if (event === "toolinput") this.recorded.delete("toolinputpartial")
    if (event === "toolresult") {
      this.recorded.delete("toolcancelled")
      this.#lastResult = recorded
      this.#lastResultAt = now()
      this.gate.onResult(params)
    }
    for (const listener of this.#recordListeners) listener(recorded)
  }

  #repeatsOwn(result: JsonObject): boolean {
    const last = this.#lastResult
    const isRecent = now() - this.#lastResultAt < SAME_RESULT_MS
    return isRecent && last?.args !== undefined && isSame(last.params, result)
  }

  #post(message: JsonObject): void {
    if (this.port) this.port(message)
    else this.#target?.postMessage({ jsonrpc: "2.0", ...message }, "*")
  }

  /** `after`: what it waits for. Without it, as for the handshake, it waits for its answer as long as the host does. */
  #send(
    method: string,
    params: JsonObject | undefined,
    options: RequestOptions = {},
    after?: Promise<void>
  ): Promise<JsonObject> {
    if (this.#target === null) return Promise.reject(new Error("This page is not inside an MCP host"))
    const { signal, onprogress } = options
    const limit = REQUEST_MS * (method === "tools/call" ? CALL_TIMES : 1)
    const { timeout = after && limit } = options
    if (signal?.aborted) return Promise.reject(signal.reason)
    const id = this.#nextId++
    const sent =
      onprogress === undefined
        ? params
        : { ...params, _meta: { ...objectOr(params?._meta), progressToken: tokenOf(id) } }
    return new Promise<JsonObject>((resolve, reject) => {
      const giveUp = (reason: unknown): void => {
        if (!this.#pending.delete(id)) return
        this.notify("notifications/cancelled", { requestId: id, reason: String(reason) })
        reject(reason)
      }
      const onAbort = (): void => giveUp(signal?.reason)
      const timer =
        timeout && setTimeout(() => giveUp(new RpcError(REQUEST_TIMEOUT, "Request timed out", { timeout })), timeout)
      const settled = (): void => {
        clearTimeout(timer)
        signal?.removeEventListener("abort", onAbort)
      }
      signal?.addEventListener("abort", onAbort)
      this.#pending.set(id, {
        resolve: (result) => (settled(), resolve(result)),
        reject: (error) => (settled(), reject(error)),
        onprogress
      })
      const post = (): void => {
        if (this.#pending.has(id)) this.#post(sent === undefined ? { id, method } : { id, method, params: sent })
      }
      if (after === undefined) return post()
      after.then(post).catch((error: unknown) => {
        const waiting = this.#pending.get(id)
        this.#pending.delete(id)
        waiting?.reject(error)
      })
    })
  }

  /**
   * Takes a message of the host. `true`: views must not hear it. Answers are for the runtime only; a view gets the answers to its own
   * requests by promise.
   */
  receive(message: unknown): boolean {
    if (!isObject(message) || message.jsonrpc !== "2.0") return false
    const { id, method } = message
    if (typeof method !== "string") return this.#settle(message)
    if (id === undefined) this.#notified(method, objectOr(message.params))
    else void this.#answer(id, method, objectOr(message.params))
    return false
  }

  #settle(message: JsonObject): boolean {
    const waiting = this.#pending.get(Number(message.id))
    if (waiting === undefined) {
      this.#isShared = this.gate.rules === undefined
      return !this.#isShared
    }
    this.#pending.delete(Number(message.id))
    const error = message.error
    if (!isObject(error)) waiting.resolve(objectOr(message.result))
    else waiting.reject(new RpcError(Number(error.code), String(error.message ?? "The host refused"), error.data))
    return true
  }

  #notified(method: string, params: JsonObject): void {
    const event = (Object.keys(EVENT_METHODS) as ReadonlyArray<BridgeEvent>).find(
      (key) => EVENT_METHODS[key] === method
    )
    if (event !== undefined) {
      if (event === "hostcontextchanged") this.changeContext(params)
      else if (event !== "toolresult" || !this.#repeatsOwn(params)) this.#record(event, params, true)
    } else if (method === "notifications/progress") {
      this.#pending.get(requestOf(params.progressToken))?.onprogress?.(params)
    } else if (method === "notifications/cancelled") {
      this.#running.get(params.requestId)?.abort(params.reason)
    }
    for (const listener of this.#notificationListeners) listener(method, params)
  }

  async #answer(id: unknown, method: string, params: JsonObject): Promise<void> {
    const controller = new AbortController()
    this.#running.set(id, controller)
    try {
      let result: Promise<unknown> | undefined
      for (const responder of this.#responders) {
        result = responder(method, params, controller.signal)
        if (result !== undefined) break
      }
      if (/^tools\/(list|call)$/.test(method)) result ??= this.lastResponder?.(method, params)
      if (method === TEARDOWN) {
        const all = [result, ...[...this.#teardownListeners].map((listener) => listener())]
        const late = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), TEARDOWN_MS))
        result = Promise.race([Promise.all(all).then(([answer]) => answer), late])
      } else if (result === undefined && method !== "ping") {
        if (this.#isShared) return
        throw new RpcError(METHOD_NOT_FOUND, `Method not found: ${method}`)
      }
      this.#post({ id, result: (await result) ?? {} })
    } catch (error) {
      const code = error instanceof RpcError ? error.code : INTERNAL_ERROR
      this.#post({ id, error: { code, message: error instanceof Error ? error.message : String(error) } })
    } finally {
      this.#running.delete(id)
    }
  }
}

let shared: Bridge | undefined

/** The runtime calls this first, so that no message is missed. */
export const openBridge = (toolName: string): Bridge => (shared ??= new Bridge(toolName))

export const pageBridge = (): Bridge => {
  if (shared === undefined) throw new Error("the page runtime has not started")
  return shared
}
