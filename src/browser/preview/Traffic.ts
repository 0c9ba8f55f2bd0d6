/** A JSON-RPC message as far as the panel looks at it. */
export interface Frame {
  readonly id?: string | number | null | undefined
  readonly method?: string | undefined
  readonly params?: unknown
  readonly result?: unknown
  readonly error?: unknown
}

/** `server`: between host and MCP server. `view`: between host and view. */
export type Link = "server" | "view"

/** A request with its answer, or a notification. */
export interface Exchange {
  readonly number: number
  readonly link: Link
  /** Who sent the first message. */
  readonly from: "host" | "peer"
  readonly method: string
  /** Milliseconds since the page was opened. */
  readonly at: number
  readonly sent: Frame
  readonly isRequest: boolean
  readonly answer?: Frame
  /** Milliseconds from request to answer. */
  readonly took?: number
}

export const mostExchanges = 400

/**
 * Keeps the latest messages of both links, joins requests with their answers, and tells one listener of every change.
 * An answer without a known request is kept by itself.
 */
export class Traffic {
  readonly #waiting = new Map<string, Exchange>()
  readonly #listener: (exchange: Exchange, isNew: boolean) => void
  #count = 0

  constructor(listener: (exchange: Exchange, isNew: boolean) => void) {
    this.#listener = listener
  }

  serverLost(): void {
    for (const [key, request] of this.#waiting) {
      if (request.link !== "server") continue
      this.#waiting.delete(key)
      const answer = { error: { message: "The connection was lost." } }
      this.#listener({ ...request, answer, took: performance.now() - request.at }, false)
    }
  }

  record(link: Link, from: "host" | "peer", frame: Frame): void {
    const at = performance.now()
    if (frame.method === undefined) {
      const key = `${link} ${from === "host" ? "peer" : "host"} ${JSON.stringify(frame.id)}`
      const request = this.#waiting.get(key)
      this.#waiting.delete(key)
      if (request !== undefined) return this.#listener({ ...request, answer: frame, took: at - request.at }, false)
    }
    const exchange: Exchange = {
      number: (this.#count += 1),
      link,
      from,
      method: frame.method ?? "(answer)",
      at,
      sent: frame,
      isRequest: frame.method !== undefined && frame.id !== undefined
    }
    if (exchange.isRequest) this.#waiting.set(`${link} ${from} ${JSON.stringify(frame.id)}`, exchange)
    if (this.#waiting.size > mostExchanges) this.#waiting.delete([...this.#waiting.keys()][0] ?? "")
    this.#listener(exchange, true)
  }
}
