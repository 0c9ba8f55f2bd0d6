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
  /** What the message is about: the name of a tool, the address of a resource. */
  readonly about: string
  /** Milliseconds since the page was opened. */
  readonly at: number
  readonly sent: Frame
  readonly isRequest: boolean
  readonly answer?: Frame
  /** Milliseconds from request to answer. */
  readonly took?: number
}

export const mostExchanges = 400

const memberOf = (value: unknown, name: string): unknown => Reflect.get(Object(value), name)

const aboutOf = ({ params }: Frame): string => {
  const named = memberOf(params, "name") ?? memberOf(params, "uri") ?? memberOf(memberOf(params, "toolInfo"), "name")
  return typeof named === "string" ? named : ""
}

/** `waiting`, `ok`, `failed`; empty for a message that nobody answers. */
export const statusOf = ({ answer, isRequest }: Exchange): "waiting" | "ok" | "failed" | "" => {
  if (answer === undefined) return isRequest ? "waiting" : ""
  return answer.error !== undefined || memberOf(answer.result, "isError") === true ? "failed" : "ok"
}

/**
 * Keeps the latest messages of both links, joins requests with their answers, and tells one listener of every change.
 * An answer without a known request is kept by itself.
 */
export class Traffic {
  readonly #waiting = new Map<string, Exchange>()
  readonly #kept = new Map<number, Exchange>()
  readonly #listener: (exchange: Exchange, isNew: boolean) => void
  #count = 0

  constructor(listener: (exchange: Exchange, isNew: boolean) => void) {
    this.#listener = listener
  }

  /** Oldest first. */
  get exchanges(): ReadonlyArray<Exchange> {
    return [...this.#kept.values()]
  }

  clear(): void {
    this.#kept.clear()
  }

  serverLost(): void {
    for (const [key, request] of this.#waiting) {
      if (request.link !== "server") continue
      this.#waiting.delete(key)
      this.#tell({ ...request, answer: { error: { message: "The connection was lost." } } }, false)
    }
  }

  record(link: Link, from: "host" | "peer", frame: Frame): void {
    if (frame.method === undefined) {
      const key = `${link} ${from === "host" ? "peer" : "host"} ${JSON.stringify(frame.id)}`
      const request = this.#waiting.get(key)
      this.#waiting.delete(key)
      if (request !== undefined) return this.#tell({ ...request, answer: frame }, false)
    }
    const exchange: Exchange = {
      number: (this.#count += 1),
      link,
      from,
      method: frame.method ?? "(answer)",
      about: aboutOf(frame),
      at: performance.now(),
      sent: frame,
      isRequest: frame.method !== undefined && frame.id !== undefined
    }
    if (exchange.isRequest) this.#waiting.set(`${link} ${from} ${JSON.stringify(frame.id)}`, exchange)
    if (this.#waiting.size > mostExchanges) this.#waiting.delete([...this.#waiting.keys()][0] ?? "")
    this.#tell(exchange, true)
  }

  #tell(exchange: Exchange, isNew: boolean): void {
    const told = isNew ? exchange : { ...exchange, took: performance.now() - exchange.at }
    if (isNew || this.#kept.has(exchange.number)) this.#kept.set(exchange.number, told)
    this.#kept.delete(exchange.number - mostExchanges)
    this.#listener(told, isNew)
  }
}
