import type {
  CallToolRequest,
  CallToolResult,
  ContentBlock,
  EmbeddedResource,
  JSONRPCMessage,
  ListResourcesResult,
  ListResourceTemplatesResult,
  Progress,
  ReadResourceResult,
  ResourceLink,
  Tool
} from "@modelcontextprotocol/client"
import type {
  McpUiDisplayMode,
  McpUiHostContext,
  McpUiResourceCsp,
  McpUiResourcePermissions
} from "@modelcontextprotocol/ext-apps/app-bridge"
import { AppBridge, buildAllowAttribute, PostMessageTransport } from "@modelcontextprotocol/ext-apps/app-bridge"
import { element } from "./element.ts"
import { type FrameLine, frameLine, withConsole } from "./frameConsole.ts"
import type { ViewOffer } from "../../domain/wire/hosts/HostFacts.ts"
import type { ModelContext } from "./ModelPanel.ts"

/** The document of a UI resource and what it declares. */
export interface ViewDocument {
  readonly html: string
  readonly csp?: McpUiResourceCsp
  readonly permissions?: McpUiResourcePermissions
  readonly prefersBorder?: boolean
}

type Ask<Params, Result> = (params: Params, options: { readonly signal: AbortSignal }) => Promise<Result>
type Page = { cursor?: string | undefined } | undefined

/** What goes on to the MCP server. Each call may reject; the view gets that as an error. */
export interface ViewServer {
  readonly callTool: (
    params: CallToolRequest["params"],
    options: { readonly signal: AbortSignal; readonly onprogress?: (progress: Progress) => void }
  ) => Promise<CallToolResult>
  readonly readResource: Ask<{ uri: string }, ReadResourceResult>
  readonly listResources: Ask<Page, ListResourcesResult>
  readonly listResourceTemplates: Ask<Page, ListResourceTemplatesResult>
}

export interface ViewFrameOptions {
  readonly server: ViewServer
  readonly tool: Tool
  readonly document: ViewDocument
  /** Lays the document out from right to left, so that a person sees how it looks. */
  readonly isRightToLeft?: boolean
  readonly sandboxOrigin: string
  /** What the host lets the view ask for; everything unless set. */
  readonly offers?: ReadonlyArray<ViewOffer> | undefined
  readonly context: McpUiHostContext
  /** Whether the view may call this tool (`_meta.ui.visibility` names the app). */
  readonly mayCall: (tool: string) => boolean
  readonly onFrame: (from: "host" | "peer", frame: JSONRPCMessage) => void
  readonly onLog: (level: string, text: string) => void
  /** What the frame says on its console, and what went wrong in it. */
  readonly onConsole?: (line: FrameLine) => void
  /** A message for the chat. */
  readonly onMessage: (content: ReadonlyArray<ContentBlock>) => void
  readonly onModelContext: (context: ModelContext) => void
  readonly onOpenLink: (url: URL) => void
  /** Whether the person took the files. */
  readonly onDownload: (contents: ReadonlyArray<EmbeddedResource | ResourceLink>) => Promise<boolean>
  /** Answers with the display mode in use. */
  readonly onDisplayMode: (mode: McpUiDisplayMode) => McpUiDisplayMode
}

const heights = { least: 40, most: 20_000 }

/**
 * Passes everything on and shows it to an observer. Messages between host and sandbox proxy are left out: the view
 * never sees them.
 */
class ObservedTransport extends PostMessageTransport {
  readonly #observe: ViewFrameOptions["onFrame"]

  constructor(target: Window, observe: ViewFrameOptions["onFrame"]) {
    super(target, target)
    this.#observe = (from, frame) => {
      if (!("method" in frame && frame.method.startsWith("ui/notifications/sandbox-"))) observe(from, frame)
    }
  }

  /** The bridge has set `onmessage` by now. */
  override async start(): Promise<void> {
    const take = this.onmessage
    const onmessage: typeof take = (message, extra) => {
      this.#observe("peer", message)
      take?.(message, extra)
    }
    Object.assign(this, { onmessage })
    await super.start()
  }

  override async send(...sent: Parameters<PostMessageTransport["send"]>): Promise<void> {
    this.#observe("host", sent[0])
    await super.send(...sent)
  }
}

const readable = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value))

/** One view in its double frame, with the host's end of its link. Add `frame` to the page, then call `open`. */
export class ViewFrame {
  readonly frame: HTMLIFrameElement
  readonly #options: ViewFrameOptions
  readonly #bridge: AppBridge
  /** Resolves when the view says that it is initialised. */
  readonly ready: Promise<void>
  #isReady = false
  readonly #console = ({ data, source }: MessageEvent): void => {
    const line = source === this.frame.contentWindow ? frameLine(data) : undefined
    if (line !== undefined) this.#options.onConsole?.(line)
  }

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
    this.ready = new Promise((resolve) =>
      bridge.addEventListener("initialized", () => {
        this.#isReady = true
        resolve()
      })
    )
  }

  async open(): Promise<void> {
    const target = this.frame.contentWindow
    if (target === null) throw new Error("the frame of the view is not on the page")
    addEventListener("message", this.#console)
    await this.#bridge.connect(new ObservedTransport(target, this.#options.onFrame))
    this.frame.src = `${this.#options.sandboxOrigin}/`
  }

  async sendInput(values: Record<string, unknown>): Promise<void> {
    await this.#bridge.sendToolInput({ arguments: values })
  }

  /** The arguments so far, while the model still writes them. */
  async sendPartialInput(values: Record<string, unknown>): Promise<void> {
    await this.#bridge.sendToolInputPartial({ arguments: values })
  }

  async sendResult(result: CallToolResult): Promise<void> {
    await this.#bridge.sendToolResult(result)
  }

  async sendCancelled(reason: string): Promise<void> {
    await this.#bridge.sendToolCancelled({ reason })
  }

  /** Resolves when the view has handled everything that was sent before. */
  async ping(): Promise<void> {
    await this.#bridge.request({ method: "ping" })
  }

  /** Tells the view that the server's resources have changed. A view that keeps itself up to date looks at once. */
  async tellOfChange(): Promise<void> {
    await this.ready
    await this.#bridge.sendResourceListChanged()
  }

  /** Sends a message that is not part of the protocol. */
  post(message: unknown): void {
    this.frame.contentWindow?.postMessage(message, "*")
  }

  /** Tells the view what has changed, once it is initialised. */
  async setContext(context: McpUiHostContext): Promise<void> {
    await this.ready
    this.#bridge.setHostContext(context)
  }

  /** Takes the view off the page. A view that has begun may end itself first, for at most half a second. */
  async close(): Promise<void> {
    if (this.#isReady) await this.#bridge.teardownResource({}, { timeout: 500 }).catch(() => undefined)
    removeEventListener("message", this.#console)
    this.frame.remove()
    await this.#bridge.close()
  }

  #makeBridge(): AppBridge {
    const { context, document, isRightToLeft = false, mayCall, server } = this.#options
    const { offers, onConsole, onDisplayMode, onDownload, onLog, onMessage, onModelContext, onOpenLink } = this.#options
    const has = (name: ViewOffer): boolean => offers?.includes(name) !== false
    const capabilities = {
      logging: {},
      serverResources: { listChanged: true },
      ...(has("serverTools") && { serverTools: {} }),
      ...(has("openLinks") && { openLinks: {} }),
      ...(has("downloadFile") && { downloadFile: {} }),
      ...(has("message") && { message: { text: {} } }),
      ...(has("updateModelContext") && { updateModelContext: { text: {}, structuredContent: {} } })
    }
    const bridge = new AppBridge(null, { name: "mcp-gen-ui preview", version: "1.0.0" }, capabilities, {
      hostContext: context
    })
    bridge.addEventListener("sandboxready", () => {
      const { csp, permissions } = document
      const told = onConsole === undefined ? document.html : withConsole(document.html)
      const html = isRightToLeft ? told.replace(/<html\b/i, '$& dir="rtl"') : told
      void bridge.sendSandboxResourceReady({ html, ...(csp && { csp }), ...(permissions && { permissions }) })
    })
    bridge.addEventListener("sizechange", ({ height }) => {
      if (height === undefined || !Number.isFinite(height)) return
      this.frame.style.height = `${Math.min(heights.most, Math.max(heights.least, Math.ceil(height)))}px`
    })
    bridge.addEventListener("loggingmessage", ({ level, data }) => onLog(level, readable(data)))
    bridge.oncalltool = async (params, { mcpReq }) => {
      if (!mayCall(params.name)) throw new Error(`a view may not call ${params.name}`)
      const progressToken = mcpReq._meta?.progressToken
      const { signal } = mcpReq
      if (progressToken === undefined) return server.callTool(params, { signal })
      const onprogress = (progress: Progress): void =>
        void mcpReq.notify({ method: "notifications/progress", params: { ...progress, progressToken } })
      return server.callTool(params, { signal, onprogress })
    }
    bridge.onreadresource = (params, { mcpReq: { signal } }) => server.readResource(params, { signal })
    bridge.onlistresources = (params, { mcpReq: { signal } }) => server.listResources(params, { signal })
    bridge.onlistresourcetemplates = (params, { mcpReq: { signal } }) =>
      server.listResourceTemplates(params, { signal })
    const onmessage: AppBridge["onmessage"] = async ({ content }) => {
      onMessage(content)
      return {}
    }
    Object.assign(bridge, { onmessage })
    bridge.onupdatemodelcontext = async (given) => {
      onModelContext(given)
      return {}
    }
    bridge.ondownloadfile = async ({ contents }) => ((await onDownload(contents)) ? {} : { isError: true })
    bridge.onrequestdisplaymode = async ({ mode }) => ({ mode: onDisplayMode(mode) })
    bridge.onopenlink = async ({ url }) => {
      const link = URL.canParse(url) ? new URL(url) : undefined
      if (link === undefined || !["http:", "https:", "mailto:"].includes(link.protocol)) return { isError: true }
      onOpenLink(link)
      return {}
    }
    return bridge
  }
}
