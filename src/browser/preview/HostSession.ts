import type { ElicitRequest, ElicitResult, JSONRPCMessage, Progress, Tool } from "@modelcontextprotocol/client"
import { Client } from "@modelcontextprotocol/client"
import { RESOURCE_MIME_TYPE } from "@modelcontextprotocol/ext-apps/app-bridge"
import type { OpenedLink, ServerExit } from "./HostTransport.ts"
import { HostTransport } from "./HostTransport.ts"
import type { ViewDocument } from "./ViewFrame.ts"
import { longestCall } from "./viewServer.ts"

export type Era = "legacy" | "modern"

const modernVersion = "2026-07-28"
/** The wrapper sends this code too, when its server has ended. */
const connectionClosed = -32_000

export interface HostSessionEvents {
  readonly onFrame: (from: "host" | "peer", frame: JSONRPCMessage) => void
  readonly onLog: (line: string) => void
  readonly onTools: (tools: ReadonlyArray<Tool>) => void
  /** The name of a file with a UI made by hand that has changed. */
  readonly onUiFile: (file: string) => void
  /** The name of a file of the server's code that has changed. */
  readonly onServerFile: (file: string) => void
  /** The link is open: the server may still refuse. */
  readonly onLink: (link: OpenedLink) => void
  /** The server asks the person something. */
  readonly onElicit: (params: ElicitRequest["params"], signal: AbortSignal) => Promise<ElicitResult>
  /** Not called after `close`. */
  readonly onClose: (lost: ConnectionLost) => void
}

/** The server has ended, or the preview has. */
export class ConnectionLost extends Error {
  /** Whether the preview is still there. */
  readonly hasPreview: boolean

  constructor(message: string, hasPreview: boolean) {
    super(message)
    this.hasPreview = hasPreview
  }
}

const exitReason = ({ code, failure, said = "", signal }: ServerExit): string => {
  if (failure !== undefined) return `The server could not be started: ${failure}`
  // A server that was ended by a signal has not said why.
  if (signal !== null) return `The server was ended by ${signal}`
  const how = `The server ended with exit code ${code ?? "unknown"}`
  return said === "" ? how : `${how}. The last that it wrote on standard error:\n${said}`
}

const decodeBlob = (blob: string): string =>
  new TextDecoder().decode(Uint8Array.from(atob(blob), (character) => character.codePointAt(0) ?? 0))

const objectIn = (value: unknown, name: string): Record<string, unknown> => {
  const found: unknown = typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined
  return typeof found === "object" && found !== null ? { ...found } : {}
}

/** One connection to the MCP server, as a host that renders MCP Apps makes it. */
export class HostSession {
  readonly client: Client
  readonly link: OpenedLink
  readonly #transport: HostTransport
  readonly #onClose: HostSessionEvents["onClose"]
  #isClosed = false
  #sentAgain = 0

  private constructor(
    client: Client,
    transport: HostTransport,
    link: OpenedLink,
    onClose: HostSessionEvents["onClose"]
  ) {
    this.client = client
    this.#transport = transport
    this.link = link
    this.#onClose = onClose
  }

  /** Starts a server process and negotiates with it. Rejects when it ends first or shares no version with us. */
  static async connect(era: Era, events: HostSessionEvents): Promise<HostSession> {
    let lost: ConnectionLost | undefined
    let link: OpenedLink | undefined
    let session: HostSession | undefined
    const end = (reason: string, hasPreview: boolean): void => {
      lost = new ConnectionLost(reason, hasPreview)
      if (session !== undefined) session.#closed(lost)
    }
    /** What the server said instead of a greeting. It tells more than the exit code. */
    let refusal: string | undefined
    const transport = new HostTransport({
      onOpen: (opened) => {
        link = opened
        events.onLink(opened)
      },
      onFrame: (from, frame) => {
        events.onFrame(from, frame)
        const isRefusal = from === "peer" && "error" in frame && frame.error.code === connectionClosed
        if (session === undefined && isRefusal) refusal = frame.error.message
      },
      onLog: events.onLog,
      onUiFile: events.onUiFile,
      onServerFile: events.onServerFile,
      onExit: (exit) => end(exitReason(exit), true),
      onLost: () => end("The preview does not answer: it was stopped, or is out of reach.", false)
    })
    const client = new Client(
      { name: "mcp-gen-ui-preview", title: "mcp-gen-ui preview", version: "1.0.0" },
      {
        capabilities: {
          elicitation: {},
          extensions: { "io.modelcontextprotocol/ui": { mimeTypes: [RESOURCE_MIME_TYPE] } }
        },
        versionNegotiation: { mode: era === "modern" ? { pin: modernVersion } : "legacy" },
        listChanged: { tools: { onChanged: (_error, tools) => tools && events.onTools(tools) } }
      }
    )
    client.setRequestHandler("elicitation/create", ({ params }, { mcpReq }) => events.onElicit(params, mcpReq.signal))
    try {
      await client.connect(transport)
      if (link === undefined) throw new Error("The preview did not open a link.")
      events.onTools((await client.listTools()).tools)
      session = new HostSession(client, transport, link, events.onClose)
      return session
    } catch (error) {
      await transport.close()
      throw refusal === undefined ? (lost ?? error) : new ConnectionLost(refusal, lost?.hasPreview ?? true)
    }
  }

  /** The server's name and version and the protocol version, for a person. */
  get description(): string {
    const server = this.client.getServerVersion()
    const version = this.client.getNegotiatedProtocolVersion() ?? modernVersion
    return [server && `${server.title ?? server.name} ${server.version}`, version].filter(Boolean).join(" · ")
  }

  /**
   * Reads a UI resource. Rejects when it is not the HTML of an MCP App. `onprogress` is called while the UI is written.
   */
  async readDocument(uri: string, onprogress: (progress: Progress) => void): Promise<ViewDocument> {
    const options = { cacheMode: "bypass" as const, onprogress, timeout: longestCall, resetTimeoutOnProgress: true }
    const { contents } = await this.client.readResource({ uri }, options)
    const [content] = contents
    if (content === undefined) throw new Error(`${uri} has no content`)
    if (content.mimeType !== RESOURCE_MIME_TYPE) {
      throw new Error(`${uri} is ${content.mimeType ?? "of no type"}; a host shows ${RESOURCE_MIME_TYPE} only`)
    }
    const html = "text" in content ? content.text : decodeBlob(content.blob)
    return { ...objectIn(content._meta, "ui"), html }
  }

  /** Sends a request as it stands, under a new id. Its answer is seen in the traffic only. */
  async sendAgain(method: string, params: unknown): Promise<void> {
    const given = typeof params === "object" && params !== null ? { params: { ...params } } : {}
    await this.#transport.send({ jsonrpc: "2.0", id: `again-${(this.#sentAgain += 1)}`, method, ...given })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.client.close()
  }

  #closed(lost: ConnectionLost): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#onClose(lost)
  }
}
