import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client"

export interface ServerExit {
  readonly code: number | null
  readonly signal: string | null
  readonly failure?: string
  readonly said?: string
}

/** Who writes views, and how long a reader waits for one at most. */
export interface ViewWriter {
  readonly provider: string
  readonly model: string
  readonly patienceMs: number
}

/** What the preview says when a link is open. */
export interface OpenedLink {
  readonly session: string
  readonly sandboxOrigin: string
  readonly title: string
  readonly writer?: ViewWriter
  /** What a host's configuration file says to serve the same. */
  readonly hostConfig: string
}

export interface HostTransportEvents {
  readonly onOpen: (link: OpenedLink) => void
  readonly onFrame: (from: "host" | "peer", frame: JSONRPCMessage) => void
  readonly onLog: (line: string) => void
  /** The name of a file with a UI made by hand that has changed. */
  readonly onUiFile: (file: string) => void
  /** The name of a file of the server's code that has changed. */
  readonly onServerFile: (file: string) => void
  readonly onExit: (exit: ServerExit) => void
  /** The preview does not answer, or does not answer any more. */
  readonly onLost: () => void
}

/**
 * The link to one MCP server over stdio, through the preview: frames come as server-sent events and go as POSTs,
 * one after another. The server process lives as long as the stream of events.
 */
export class HostTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: <T extends JSONRPCMessage>(message: T) => void
  readonly #events: HostTransportEvents
  #stream: EventSource | undefined
  #session = ""
  #queue: Promise<unknown> = Promise.resolve()

  constructor(events: HostTransportEvents) {
    this.#events = events
  }

  start(): Promise<void> {
    const stream = new EventSource("events")
    this.#stream = stream
    stream.addEventListener("frame", (event) => this.#take(String(event.data)))
    stream.addEventListener("log", (event) => this.#events.onLog(String(JSON.parse(event.data))))
    stream.addEventListener("ui-file", (event) => this.#events.onUiFile(String(JSON.parse(event.data))))
    stream.addEventListener("server-file", (event) => this.#events.onServerFile(String(JSON.parse(event.data))))
    stream.addEventListener("exit", (event) => {
      const exit: ServerExit = JSON.parse(event.data)
      this.#events.onExit(exit)
      void this.close()
    })
    return new Promise((resolve, reject) => {
      stream.addEventListener("link", (event) => {
        const link: OpenedLink = JSON.parse(event.data)
        this.#session = link.session
        this.#events.onOpen(link)
        resolve()
      })
      // Close the stream: the browser would connect again, and that starts a second server.
      stream.addEventListener("error", () => {
        this.#events.onLost()
        reject(new Error("the preview does not answer"))
        void this.close()
      })
    })
  }

  send(message: JSONRPCMessage): Promise<void> {
    this.#events.onFrame("host", message)
    const sent = this.#post(this.#queue, JSON.stringify(message))
    this.#queue = sent.catch(() => undefined)
    return sent
  }

  async close(): Promise<void> {
    if (this.#stream === undefined) return
    this.#stream.close()
    this.#stream = undefined
    this.onclose?.()
  }

  async #post(before: Promise<unknown>, body: string): Promise<void> {
    await before
    const response = await fetch(`rpc?session=${encodeURIComponent(this.#session)}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body
    })
    if (!response.ok) throw new Error(`The preview refused a message: ${await response.text()}`)
  }

  #take(line: string): void {
    try {
      const frame: JSONRPCMessage = JSON.parse(line)
      this.#events.onFrame("peer", frame)
      this.onmessage?.(frame)
    } catch {
      this.#events.onLog(`not JSON, on the server's stdout: ${line.slice(0, 400)}`)
    }
  }
}
