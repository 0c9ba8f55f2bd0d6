import type { CallToolResult, Client, JSONRPCMessage, Tool, Transport } from "@modelcontextprotocol/client"
import type {
  McpUiHostContext,
  McpUiResourceCsp,
  McpUiResourcePermissions
} from "@modelcontextprotocol/ext-apps/app-bridge"
import { AppBridge, buildAllowAttribute, PostMessageTransport } from "@modelcontextprotocol/ext-apps/app-bridge"
import { element } from "./element.ts"

/** The document of a UI resource and what it declares. */
export interface ViewDocument {
  readonly html: string
  readonly csp?: McpUiResourceCsp
  readonly permissions?: McpUiResourcePermissions
  readonly prefersBorder?: boolean
}

export interface ViewFrameOptions {
  readonly client: Client
  readonly tool: Tool
  readonly document: ViewDocument
  readonly sandboxOrigin: string
  readonly context: McpUiHostContext
  /** Whether the view may call this tool (`_meta.ui.visibility` names the app). */
  readonly mayCall: (tool: string) => boolean
  readonly onFrame: (from: "host" | "peer", frame: JSONRPCMessage) => void
  /** Something the view did that is for a person to read: a log line, a message for the chat, new context. */
  readonly onEvent: (kind: string, text: string) => void
  readonly onOpenLink: (url: URL) => void
}

const longestCall = 10 * 60_000
const heights = { least: 40, most: 20_000 }

/** Passes everything on and shows it to an observer; what is between host and sandbox proxy is not the view's. */
class ObservedTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: <T extends JSONRPCMessage>(message: T) => void
  readonly #inner: PostMessageTransport
  readonly #observe: ViewFrameOptions["onFrame"]

  constructor(inner: PostMessageTransport, observe: ViewFrameOptions["onFrame"]) {
    this.#inner = inner
    this.#observe = (from, frame) => {
      if (!("method" in frame && frame.method.startsWith("ui/notifications/sandbox-"))) observe(from, frame)
    }
  }

  async start(): Promise<void> {
    const handlers: Pick<PostMessageTransport, "onclose" | "onerror" | "onmessage"> = {
      onclose: () => this.onclose?.(),
      onerror: (error) => this.onerror?.(error),
      onmessage: (message) => {
        this.#observe("peer", message)
        this.onmessage?.(message)
      }
    }
    Object.assign(this.#inner, handlers)
    await this.#inner.start()
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#observe("host", message)
    await this.#inner.send(message)
  }

  async close(): Promise<void> {
    await this.#inner.close()
  }
}

const readable = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value))

/** One view in its double frame, with the host's end of its link. Add `frame` to the page, then call `open`. */
export class ViewFrame {
  readonly frame: HTMLIFrameElement
  readonly #options: ViewFrameOptions
  readonly #bridge: AppBridge
  /** Resolves when the view has said that it is initialised. */
  readonly ready: Promise<void>

  constructor(options: ViewFrameOptions) {
    this.#options = options
    this.frame = element("iframe", {
      title: `View of ${options.tool.title ?? options.tool.name}`,
      class: "view-frame",
      sandbox: "allow-scripts allow-same-origin allow-forms",
      allow: buildAllowAttribute(options.document.permissions)
    })
    const bridge = this.#makeBridge()
    this.#bridge = bridge
    this.ready = new Promise((resolve) => bridge.addEventListener("initialized", () => resolve()))
  }

  async open(): Promise<void> {
    const target = this.frame.contentWindow
    if (target === null) throw new Error("the frame of the view is not on the page")
    await this.#bridge.connect(new ObservedTransport(new PostMessageTransport(target, target), this.#options.onFrame))
    this.frame.src = `${this.#options.sandboxOrigin}/`
  }

  async sendInput(values: Record<string, unknown>): Promise<void> {
    await this.#bridge.sendToolInput({ arguments: values })
  }

  async sendResult(result: CallToolResult): Promise<void> {
    await this.#bridge.sendToolResult(result)
  }

  async sendCancelled(reason: string): Promise<void> {
    await this.#bridge.sendToolCancelled({ reason })
  }

  /** Tells the view what has changed, once it is initialised. */
  async setContext(context: McpUiHostContext): Promise<void> {
    await this.ready
    this.#bridge.setHostContext(context)
  }

  /** Asks the view to end, for at most half a second, and takes it off the page. */
  async close(): Promise<void> {
    await this.#bridge.teardownResource({}, { timeout: 500 }).catch(() => undefined)
    this.frame.remove()
    await this.#bridge.close()
  }

  #makeBridge(): AppBridge {
    const { client, context, document, mayCall, onEvent, onOpenLink } = this.#options
    const capabilities = {
      openLinks: {},
      logging: {},
      serverTools: {},
      serverResources: {},
      message: { text: {} },
      updateModelContext: { text: {}, structuredContent: {} }
    }
    const bridge = new AppBridge(null, { name: "mcp-gen-ui preview", version: "1.0.0" }, capabilities, {
      hostContext: context
    })
    bridge.addEventListener("sandboxready", () => {
      const { html, csp, permissions } = document
      void bridge.sendSandboxResourceReady({ html, ...(csp && { csp }), ...(permissions && { permissions }) })
    })
    bridge.addEventListener("sizechange", ({ height }) => {
      if (height === undefined || !Number.isFinite(height)) return
      this.frame.style.height = `${Math.min(heights.most, Math.max(heights.least, Math.ceil(height)))}px`
    })
    bridge.addEventListener("loggingmessage", ({ level, data }) => onEvent(`view ${level}`, readable(data)))
    bridge.oncalltool = async (params, { mcpReq }) => {
      if (!mayCall(params.name)) throw new Error(`a view may not call ${params.name}`)
      return client.request({ method: "tools/call", params }, { signal: mcpReq.signal, timeout: longestCall })
    }
    bridge.onreadresource = (params, { mcpReq }) =>
      client.request({ method: "resources/read", params }, { signal: mcpReq.signal })
    bridge.onlistresources = (params, { mcpReq }) =>
      client.request({ method: "resources/list", ...(params && { params }) }, { signal: mcpReq.signal })
    bridge.onlistresourcetemplates = (params, { mcpReq }) =>
      client.request({ method: "resources/templates/list", ...(params && { params }) }, { signal: mcpReq.signal })
    const onmessage: AppBridge["onmessage"] = async ({ content }) => {
      onEvent(
        "message to the chat",
        content.map((block) => (block.type === "text" ? block.text : block.type)).join("\n")
      )
      return {}
    }
    Object.assign(bridge, { onmessage })
    bridge.onupdatemodelcontext = async ({ content, structuredContent }) => {
      onEvent("model context", readable(structuredContent ?? content ?? {}))
      return {}
    }
    bridge.onopenlink = async ({ url }) => {
      const link = URL.canParse(url) ? new URL(url) : undefined
      if (link === undefined || !["http:", "https:", "mailto:"].includes(link.protocol)) return { isError: true }
      onOpenLink(link)
      return {}
    }
    return bridge
  }
}
