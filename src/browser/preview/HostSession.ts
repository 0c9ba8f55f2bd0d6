import type { JSONRPCMessage, Tool } from "@modelcontextprotocol/client"
import { Client } from "@modelcontextprotocol/client"
import { RESOURCE_MIME_TYPE } from "@modelcontextprotocol/ext-apps/app-bridge"
import type { OpenedLink, ServerExit } from "./HostTransport.ts"
import { HostTransport } from "./HostTransport.ts"
import type { ViewDocument } from "./ViewFrame.ts"

export type Era = "legacy" | "modern"

const modernVersion = "2026-07-28"
/** Also of the wrapper, where its server ended. */
const connectionClosed = -32_000

export interface HostSessionEvents {
  readonly onFrame: (from: "host" | "peer", frame: JSONRPCMessage) => void
  readonly onLog: (line: string) => void
  readonly onTools: (tools: ReadonlyArray<Tool>) => void
  /** The name of a file with a UI made by hand that has changed. */
  readonly onUiFile: (file: string) => void
  /** The server has ended, or the preview has; not called after `close`. */
  readonly onClose: (reason: string) => void
}

const exitReason = ({ code, failure, said = "", signal }: ServerExit): string => {
  if (failure !== undefined) return `The server could not be started: ${failure}`
  const how = signal === null ? `ended with exit code ${code ?? "unknown"}` : `was ended by ${signal}`
  return said === "" ? `The server ${how}` : `The server ${how}. The last that it wrote on standard error:\n${said}`
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
  readonly #onClose: HostSessionEvents["onClose"]
  #isClosed = false

  private constructor(client: Client, link: OpenedLink, onClose: HostSessionEvents["onClose"]) {
    this.client = client
    this.link = link
    this.#onClose = onClose
  }

  /** Starts a server process and negotiates with it. Rejects when it ends first or shares no version with us. */
  static async connect(era: Era, events: HostSessionEvents): Promise<HostSession> {
    let reason = "The link to the preview was lost; it may have been stopped."
    let link: OpenedLink | undefined
    let session: HostSession | undefined
    /** What the server said instead of a greeting: it knows better than its exit code. */
    let refusal: string | undefined
    const transport = new HostTransport({
      onOpen: (opened) => {
        link = opened
      },
      onFrame: (from, frame) => {
        events.onFrame(from, frame)
        const isRefusal = from === "peer" && "error" in frame && frame.error.code === connectionClosed
        if (session === undefined && isRefusal) refusal = frame.error.message
      },
      onLog: events.onLog,
      onUiFile: events.onUiFile,
      onExit: (exit) => {
        reason = exitReason(exit)
      },
      onClosed: () => {
        if (session !== undefined) session.#closed(reason)
      }
    })
    const client = new Client(
      { name: "mcp-gen-ui-preview", title: "mcp-gen-ui preview", version: "1.0.0" },
      {
        capabilities: { extensions: { "io.modelcontextprotocol/ui": { mimeTypes: [RESOURCE_MIME_TYPE] } } },
        versionNegotiation: { mode: era === "modern" ? { pin: modernVersion } : "legacy" },
        listChanged: { tools: { onChanged: (_error, tools) => tools && events.onTools(tools) } }
      }
    )
    try {
      await client.connect(transport)
    } catch (error) {
      await transport.close()
      if (refusal !== undefined) throw new Error(refusal, { cause: error })
      const ended = link === undefined || reason.startsWith("The server")
      throw ended ? new Error(reason, { cause: error }) : error
    }
    if (link === undefined) throw new Error(reason)
    session = new HostSession(client, link, events.onClose)
    events.onTools((await client.listTools()).tools)
    return session
  }

  /** The server's name and version and the protocol version, for a person. */
  get description(): string {
    const server = this.client.getServerVersion()
    const version = this.client.getNegotiatedProtocolVersion() ?? modernVersion
    return [server && `${server.title ?? server.name} ${server.version}`, version].filter(Boolean).join(" · ")
  }

  /** Reads a UI resource. Rejects when it is not the HTML of an MCP App. */
  async readDocument(uri: string): Promise<ViewDocument> {
    const { contents } = await this.client.readResource({ uri }, { cacheMode: "bypass" })
    const [content] = contents
    if (content === undefined) throw new Error(`${uri} has no content`)
    if (content.mimeType !== RESOURCE_MIME_TYPE) {
      throw new Error(`${uri} is ${content.mimeType ?? "of no type"}; a host shows ${RESOURCE_MIME_TYPE} only`)
    }
    const html = "text" in content ? content.text : decodeBlob(content.blob)
    return { ...objectIn(content._meta, "ui"), html }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.client.close()
  }

  #closed(reason: string): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#onClose(reason)
  }
}
