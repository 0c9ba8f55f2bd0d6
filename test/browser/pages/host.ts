/**
 * A real MCP Apps host for tests: `AppBridge` of ext-apps and a sandboxed frame. The test drives it through
 * `globalThis.testHost`; calls of the view reach the test through the binding `onViewRequest`.
 */
import { AppBridge, PostMessageTransport } from "@modelcontextprotocol/ext-apps/app-bridge"

interface Options {
  readonly url: string
  readonly width: number
  readonly sandbox: string
  readonly silent: boolean
  readonly hostContext: Record<string, unknown>
  readonly capabilities: Record<string, unknown>
}

declare const onViewRequest: (method: string, params: unknown) => Promise<unknown>

let bridge: AppBridge
let frame: HTMLIFrameElement
let viewUrl: string
const sizes: Array<{ width?: number; height?: number }> = []
const logs: Array<unknown> = []

let missedPresses = 0
document.addEventListener("click", ({ target }) => {
  if (target === frame) missedPresses++
})

interface Extra {
  readonly mcpReq: { readonly signal: AbortSignal }
}

/** Hands a request of the view to the test; one that the view cancels is told as `notifications/cancelled`. */
const answering =
  (method: string) =>
  (params: unknown, { mcpReq }: Extra): Promise<unknown> => {
    mcpReq.signal.addEventListener("abort", () => void onViewRequest("notifications/cancelled", params))
    return onViewRequest(method, params)
  }

const goTo = (url: string): Promise<unknown> => {
  const loaded = new Promise((resolve) => frame.addEventListener("load", resolve, { once: true }))
  frame.src = url
  return loaded
}

const testHost = {
  sizes,
  logs,
  async open({ url, width, sandbox, silent, hostContext, capabilities }: Options): Promise<void> {
    frame = document.createElement("iframe")
    frame.setAttribute("sandbox", sandbox)
    frame.style.cssText = `width:${width}px;height:320px;border:0;display:block`
    document.body.append(frame)
    bridge = new AppBridge(null, { name: "test-host", version: "1.0.0" }, capabilities, { hostContext })
    Object.assign(bridge, {
      oncalltool: answering("tools/call"),
      onreadresource: answering("resources/read"),
      onopenlink: answering("ui/open-link"),
      onmessage: answering("ui/message"),
      onupdatemodelcontext: answering("ui/update-model-context"),
      onrequestdisplaymode: answering("ui/request-display-mode"),
      ondownloadfile: answering("ui/download-file")
    })
    bridge.onsizechange = (size) => {
      sizes.push(size)
      if (size.height !== undefined) frame.style.height = `${size.height}px`
    }
    bridge.onloggingmessage = (entry) => void logs.push(entry)
    bridge.oninitialized = () => void onViewRequest("initialized", bridge.getAppVersion())
    const target = frame.contentWindow
    if (target === null) throw new Error("the frame has no window")
    if (!silent) await bridge.connect(new PostMessageTransport(target, target))
    viewUrl = url
    await goTo(url)
  },
  /** A notification or request of the host, by its name in `AppBridge`. */
  send(
    member: "sendToolInput" | "sendToolInputPartial" | "sendToolResult" | "sendToolCancelled",
    params: never
  ): unknown {
    return bridge[member](params)
  },
  /** Takes the view away, and forgets it. */
  async close(): Promise<void> {
    frame.remove()
    await bridge.close()
    sizes.length = 0
    logs.length = 0
  },
  changeContext: (context: never) => bridge.sendHostContextChange(context),
  teardown: () => bridge.teardownResource({}),
  /** Empties the frame: what the view still said comes before this ends. */
  leave: () => goTo("about:blank"),
  reopen: () => goTo(viewUrl),
  /** How many presses on the frame came to this page instead. */
  missedPresses: () => missedPresses,
  appCapabilities: () => bridge.getAppCapabilities(),
  appVersion: () => bridge.getAppVersion(),
  /** A request past `AppBridge`; answers with the raw `result` or `error`. */
  rawRequest: (method: string, params: Record<string, unknown>) =>
    new Promise((resolve) => {
      const id = `raw-${method}`
      const listen = ({ data }: MessageEvent): void => {
        if (data?.id !== id) return
        window.removeEventListener("message", listen)
        const { jsonrpc: _jsonrpc, id: _id, ...rest } = data
        resolve(rest)
      }
      window.addEventListener("message", listen)
      testHost.post({ jsonrpc: "2.0", id, method, params })
    }),
  /** Any message, as a host of another make may send it. */
  post: (message: unknown) => frame.contentWindow?.postMessage(message, "*"),
  listTools: () => bridge.listTools({}),
  callTool: (name: string, args: Record<string, unknown>) => bridge.callTool({ name, arguments: args }),
  setWidth(width: number): void {
    frame.style.width = `${width}px`
  }
}

Object.assign(globalThis, { testHost })
