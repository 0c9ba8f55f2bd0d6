import { isObject } from "../../domain/isObject.ts"
import { EVENT_METHODS, pageBridge, RpcError } from "./Bridge.ts"
import type { Bridge, BridgeEvent, HostFacts, Recorded, RequestOptions } from "./Bridge.ts"
import { observeSize } from "./observeSize.ts"
import type { CallToolResultLike, HostContext, JsonObject } from "./types.ts"
import { setTimeout } from "./platform.ts"

export type AppEventHandler = (params: JsonObject) => void

export interface AppOptions {
  /** Report the size of the page to the host. Default `true`. */
  readonly autoResize?: boolean
  readonly [option: string]: unknown
}

export interface RequestExtra {
  readonly signal: AbortSignal
}

type Handler = (params: JsonObject, extra: RequestExtra) => unknown

const isHandler = (value: unknown): value is (...values: ReadonlyArray<unknown>) => unknown =>
  typeof value === "function"

/** A tool that the page offers to its host, as `registerTool` returns it in ext-apps. */
export interface RegisteredAppTool extends JsonObject {
  enabled: boolean
  enable: () => void
  disable: () => void
  remove: () => void
  update: (updates: JsonObject) => void
}

/** Sends `params` to the host; rejects with an `RpcError` or the reason of the signal. Older code gives the one text alone. */
export type HostRequest = (params?: JsonObject | string, options?: RequestOptions) => Promise<JsonObject>

interface Listener {
  readonly handler: AppEventHandler
  /** Order of the last value that it was given. */
  seen: number
}

interface Slot {
  on: AppEventHandler | undefined
  seen: number
  readonly listeners: Array<Listener>
}

/** Each with its method, and the parameter that a text alone stands for. */
const HOST_REQUESTS = `readServerResource resources/read uri
readResource resources/read uri
listServerResources resources/list cursor
createSamplingMessage sampling/createMessage
sendMessage ui/message content
updateModelContext ui/update-model-context content
openLink ui/open-link url
sendOpenLink ui/open-link url
downloadFile ui/download-file
requestDisplayMode ui/request-display-mode mode`

/** What older code gives: a text alone, one block, or a block where a list of them belongs. */
const paramsOf = (method: string, key: string, given: JsonObject | string | undefined): JsonObject | undefined => {
  const named = typeof given === "string" ? { [key]: given } : given
  if (key !== "content" || named === undefined) return named
  const { content, ...others }: JsonObject = "type" in named ? { content: named } : named
  const blocks = [content].flat().map((block) => (typeof block === "string" ? { type: "text", text: block } : block))
  return {
    ...(method === "ui/message" && { role: "user" }),
    ...others,
    ...(content === undefined ? {} : { content: blocks })
  }
}

const REQUEST_HANDLERS = {
  onteardown: "ui/resource-teardown",
  oncalltool: "tools/call",
  onlisttools: "tools/list"
} as const

const isEvent = (method: string): boolean => Object.values<string>(EVENT_METHODS).includes(method)

const attached = new Set<App>()

/** The `App`s that the page's code has made. */
export const attachedApps = (): ReadonlySet<App> => attached

/**
 * The `App` of ext-apps (1.7 and 2.x), wire-compatible and small. It differs in two things that models forget: a
 * handler that is set late still gets the latest input and result, and the result of `callServerTool` for this page's
 * tool also reaches `ontoolresult`.
 */
export class App {
  readonly #appInfo: JsonObject
  readonly #appCapabilities: JsonObject
  readonly #options: AppOptions
  readonly #bridge: Bridge = pageBridge()
  readonly #slots = new Map<BridgeEvent, Slot>()
  readonly #tools = new Map<string, RegisteredAppTool & { readonly run: Handler }>()
  readonly #requestHandlers = new Map<string, Handler>()
  readonly #notificationHandlers = new Map<string, Handler>()
  readonly #detachments: Array<() => void> = []
  #connecting: Promise<void> | undefined
  #ready = false
  #scheduled = false

  /** What `connect` was given, as in ext-apps. */
  transport: unknown
  declare ontoolinput: AppEventHandler | undefined
  declare ontoolinputpartial: AppEventHandler | undefined
  declare ontoolresult: AppEventHandler | undefined
  declare ontoolcancelled: AppEventHandler | undefined
  declare onhostcontextchanged: AppEventHandler | undefined
  declare onteardown: Handler | undefined
  declare oncalltool: Handler | undefined
  declare onlisttools: Handler | undefined
  declare readonly readServerResource: HostRequest
  declare readonly readResource: HostRequest
  declare readonly listServerResources: HostRequest
  declare readonly createSamplingMessage: HostRequest
  declare readonly sendMessage: HostRequest
  declare readonly updateModelContext: HostRequest
  declare readonly openLink: HostRequest
  declare readonly sendOpenLink: HostRequest
  declare readonly downloadFile: HostRequest
  declare readonly requestDisplayMode: HostRequest

  fallbackRequestHandler: ((request: JsonObject, extra: RequestExtra) => unknown) | undefined
  fallbackNotificationHandler: ((notification: JsonObject) => unknown) | undefined
  onerror: ((error: Error) => void) | undefined
  onclose: (() => void) | undefined

  constructor(appInfo: JsonObject = {}, appCapabilities: JsonObject = {}, options: AppOptions = {}) {
    this.#appInfo = { name: "mcp-gen-ui", version: "1", ...appInfo }
    this.#appCapabilities = { ...appCapabilities }
    this.#options = options
    for (const event of Object.keys(EVENT_METHODS) as ReadonlyArray<BridgeEvent>) {
      Object.defineProperty(this, `on${event}`, {
        get: () => this.#slot(event).on,
        set: (handler: unknown) => {
          this.#slot(event).on = isHandler(handler) ? handler : undefined
          this.#schedule()
        }
      })
    }
    for (const [name, method] of Object.entries(REQUEST_HANDLERS)) {
      Object.defineProperty(this, name, {
        get: () => this.#requestHandlers.get(method),
        set: (handler: unknown) => {
          if (isHandler(handler)) this.#requestHandlers.set(method, handler)
          else this.#requestHandlers.delete(method)
        }
      })
    }
    for (const line of HOST_REQUESTS.split("\n")) {
      const [name = "", method = "", key = ""] = line.split(" ")
      const request: HostRequest = async (params, options) =>
        this.#bridge.request(method, paramsOf(method, key, params), options)
      Object.defineProperty(this, name, { value: request })
    }
    this.#attach()
  }

  #attach(): void {
    attached.add(this)
    this.#detachments.push(
      this.#bridge.onRecord(() => {
        if (this.#ready) this.#flush()
      }),
      this.#bridge.onNotification((method, params) => {
        const handler = this.#notificationHandlers.get(method)
        const other = this.fallbackNotificationHandler
        if (handler !== undefined) this.#guarded(() => handler(params, { signal: new AbortController().signal }))
        else if (other !== undefined && !isEvent(method)) this.#guarded(() => other({ method, params }))
      }),
      this.#bridge.respond((method, params, signal) => this.#answer(method, params, signal))
    )
  }

  get isConnecting(): boolean {
    return this.#connecting !== undefined
  }

  addEventListener(event: BridgeEvent, handler: AppEventHandler): void {
    this.#slot(event).listeners.push({ handler, seen: 0 })
    this.#schedule()
  }

  removeEventListener(event: BridgeEvent, handler: AppEventHandler): void {
    const { listeners } = this.#slot(event)
    const at = listeners.findIndex((listener) => listener.handler === handler)
    if (at !== -1) listeners.splice(at, 1)
  }

  setRequestHandler(method: string, ...rest: ReadonlyArray<unknown>): void {
    const handler = rest.at(-1)
    if (isHandler(handler)) this.#requestHandlers.set(method, handler)
  }

  setNotificationHandler(method: string, ...rest: ReadonlyArray<unknown>): void {
    const handler = rest.at(-1)
    if (isHandler(handler)) this.#notificationHandlers.set(method, handler)
  }

  removeRequestHandler(method: string): void {
    this.#requestHandlers.delete(method)
  }

  removeNotificationHandler(method: string): void {
    this.#notificationHandlers.delete(method)
  }

  /** Shakes hands with the host. The transport is accepted for compatibility: a page has one connection. */
  connect(transport?: unknown, options?: RequestOptions): Promise<void> {
    this.transport = transport
    this.#connecting ??= this.#start(options)
    return this.#connecting
  }

  async #start(options?: RequestOptions): Promise<void> {
    if (!attached.has(this)) this.#attach()
    await this.#bridge.open(this.#appInfo, this.#appCapabilities, options)
    if (this.#options.autoResize !== false) this.setupSizeChangedNotifications()
    // One macrotask later, as over a real transport: code after `await app.connect()` runs before the first handler.
    setTimeout(() => {
      this.#ready = true
      this.#flush()
    })
  }

  /** Stops the handlers of this `App`. The connection of the page stays. */
  close(): Promise<void> {
    for (const detach of this.#detachments.splice(0)) detach()
    attached.delete(this)
    this.#ready = false
    this.#connecting = undefined
    this.onclose?.()
    return Promise.resolve()
  }

  request(request: { method: string; params?: JsonObject }, ...rest: ReadonlyArray<unknown>): Promise<JsonObject> {
    const options = rest.findLast((value) => isObject(value) && !("~standard" in value))
    return this.#bridge.request(request.method, request.params, isObject(options) ? options : undefined)
  }

  notification({ method, params }: { method: string; params?: JsonObject }): Promise<void> {
    if (this.#bridge.gate.mayNotify(method)) return this.#notifyHost(method, params)
    return Promise.reject(new Error(`A view does not send ${method}.`))
  }

  callServerTool(params: JsonObject, options?: RequestOptions): Promise<CallToolResultLike> {
    if (!isObject(params)) {
      return Promise.reject(new Error(`callServerTool() takes { name, arguments }, not ${JSON.stringify(params)}`))
    }
    return this.#bridge.callTool(params, options)
  }

  requestTeardown(params: JsonObject = {}): Promise<void> {
    return this.#notifyHost("ui/notifications/request-teardown", params)
  }

  sendLog(params: JsonObject): Promise<void> {
    return this.#notifyHost("notifications/message", params)
  }

  /** CSS pixels. */
  sendSizeChanged(params: { width?: number; height?: number }): Promise<void> {
    return this.#notifyHost("ui/notifications/size-changed", { ...params })
  }

  sendToolListChanged(params: JsonObject = {}): Promise<void> {
    return this.#notifyHost("notifications/tools/list_changed", params)
  }

  setupSizeChangedNotifications(): () => void {
    return observeSize((size) => void this.sendSizeChanged(size).catch(() => undefined))
  }

  getHostContext(): HostContext | undefined {
    return this.#bridge.context
  }

  getHostCapabilities(): JsonObject | undefined {
    return this.#bridge.host?.hostCapabilities
  }

  getHostVersion(): HostFacts["hostInfo"] {
    return this.#bridge.host?.hostInfo
  }

  registerTool(name: string, config: JsonObject, callback: Handler): RegisteredAppTool {
    if (this.#tools.has(name)) throw new Error(`Tool ${name} is already registered`)
    const changed = (): void => {
      if (this.#ready) void this.sendToolListChanged()
    }
    const tool = {
      ...config,
      enabled: true,
      run: callback,
      enable: () => ((tool.enabled = true), changed()),
      disable: () => ((tool.enabled = false), changed()),
      remove: () => {
        this.#tools.delete(name)
        changed()
      },
      update: (updates: JsonObject) => {
        Object.assign(tool, updates)
        changed()
      }
    } as RegisteredAppTool & { run: Handler }
    this.#tools.set(name, tool)
    this.#appCapabilities.tools ??= { listChanged: true }
    changed()
    return tool
  }

  #notifyHost(method: string, params?: JsonObject): Promise<void> {
    return this.#bridge.opened.then(() => this.#bridge.notify(method, params))
  }

  #slot(event: BridgeEvent): Slot {
    if (!Object.hasOwn(EVENT_METHODS, event)) throw new Error(`Unknown event: ${String(event)}`)
    const slot = this.#slots.get(event) ?? { on: undefined, seen: 0, listeners: [] }
    this.#slots.set(event, slot)
    return slot
  }

  #schedule(): void {
    if (!this.#ready || this.#scheduled) return
    this.#scheduled = true
    setTimeout(() => {
      this.#scheduled = false
      this.#flush()
    })
  }

  /** Gives every handler what it has not seen yet, in order of arrival. */
  #flush(): void {
    const recorded: ReadonlyArray<Recorded> = [...this.#bridge.recorded.values()].sort((a, b) => a.order - b.order)
    for (const { event, order, params } of recorded) {
      const slot = this.#slots.get(event)
      if (slot === undefined) continue
      const { on } = slot
      if (on !== undefined && slot.seen < order) {
        slot.seen = order
        this.#guarded(() => on(params))
      }
      for (const listener of slot.listeners.slice()) {
        if (listener.seen >= order) continue
        listener.seen = order
        this.#guarded(() => listener.handler(params))
      }
    }
  }

  #guarded(run: () => unknown): void {
    try {
      run()
    } catch (error) {
      reportError(error)
      this.onerror?.(error instanceof Error ? error : new Error(String(error)))
    }
  }

  #answer(method: string, params: JsonObject, signal: AbortSignal): Promise<unknown> | undefined {
    const handler = this.#requestHandlers.get(method)
    if (handler !== undefined) return Promise.resolve(handler(params, { signal }))
    if (this.#tools.size > 0) {
      if (method === "tools/list") return Promise.resolve({ tools: this.#listTools() })
      if (method === "tools/call") return this.#runTool(params, signal)
    }
    const other = this.fallbackRequestHandler
    return other === undefined || method === "ping" ? undefined : Promise.resolve(other({ method, params }, { signal }))
  }

  #listTools(): ReadonlyArray<JsonObject> {
    const listed = [...this.#tools].filter(([, tool]) => tool.enabled)
    return listed.map(([name, tool]) => {
      const { title, description, annotations, _meta, outputSchema } = tool
      const inputSchema = tool.inputSchema ?? { type: "object", properties: {} }
      const facts = { name, title, description, inputSchema, outputSchema, annotations, _meta }
      return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined))
    })
  }

  #runTool(params: JsonObject, signal: AbortSignal): Promise<unknown> {
    const tool = this.#tools.get(String(params.name))
    if (tool?.enabled !== true) throw new RpcError(-32602, `Tool ${String(params.name)} not found`)
    const extra = { signal }
    const args = isObject(params.arguments) ? params.arguments : {}
    return Promise.resolve(tool.run(tool.inputSchema === undefined ? { ...extra } : args, extra))
  }
}
