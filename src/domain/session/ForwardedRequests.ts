import { idKey } from "../wire/Frame.ts"

/** A request of the host that the server has to answer. */
export interface ForwardedRequest {
  /** As JSON text. */
  readonly id: string
  readonly method: string
  /** Changes the answer, which is held back until the server's tools are known. */
  readonly rewrite?: (answer: Uint8Array) => Uint8Array
  /** Of a `tools/call`. */
  readonly toolName?: string | undefined
  /** The arguments of the call, if its result is to be used to learn about the tool, or gets its UI. */
  readonly learnFrom?: { readonly args: unknown }
  /** The host shows mcp-ui: the result gets the UI of the tool. */
  readonly isEmbedding?: true
  /** For the forwarding log: an id, and the time of the request (`performance.now`). */
  readonly trace?: { readonly requestId: string; readonly since: number }
}

/** The maximum of cancelled requests whose answer may still come. */
const MAX_CANCELLED = 1000

/** The key of the same id as a number: hosts on the TypeScript SDK take either for the other. */
const asNumber = (key: string): string | undefined => (/^s\d{1,15}$/.test(key) ? `n${key.slice(1)}` : undefined)

/** All requests that the server still has to answer, by `idKey`. Any other answer was not asked for. */
export class ForwardedRequests {
  /** A host may use an id again before it is answered. */
  readonly #open = new Map<string, ReadonlyArray<ForwardedRequest>>()
  readonly #cancelled = new Set<string>()
  #whenEmpty: (() => void) | undefined

  get size(): number {
    return this.#open.size
  }

  /** Calls back once, when the server owes no answer: at once if it owes none now. */
  whenEmpty(work: () => void): void {
    this.#whenEmpty = work
    this.#tellIfEmpty()
  }

  get(key: string): ForwardedRequest | undefined {
    return this.#open.get(key)?.[0]
  }

  /** Whether the server owes an answer to a call of this tool. */
  isCalling(toolName: string): boolean {
    return [...this.#open.values()].some((requests) => requests.some((request) => request.toolName === toolName))
  }

  add(request: ForwardedRequest): void {
    const key = idKey(request.id)
    this.#open.set(key, [...(this.#open.get(key) ?? []), request])
  }

  /** The key of the open request that an answer with this key belongs to; `undefined` if there is none. */
  keyFor(key: string): string | undefined {
    return [key, asNumber(key)].find(
      (known) => known !== undefined && (this.#open.has(known) || this.#cancelled.has(known))
    )
  }

  /** Removes a request that is answered or never will be; `undefined` if it is not open. */
  take(key: string): ForwardedRequest | undefined {
    const [first, ...rest] = this.#open.get(key) ?? []
    if (rest.length > 0) this.#open.set(key, rest)
    else if (this.#open.delete(key)) this.#tellIfEmpty()
    else this.#cancelled.delete(key)
    return first
  }

  /** The host wants no answer, but the server may still send one. */
  cancel(key: string): void {
    if (this.take(key) === undefined) return
    this.#cancelled.add(key)
    const [oldest] = this.#cancelled
    if (this.#cancelled.size > MAX_CANCELLED && oldest !== undefined) this.#cancelled.delete(oldest)
  }

  /** Removes all requests except those with these keys; returns them, oldest first. */
  takeAll(except: ReadonlySet<string>): ReadonlyArray<ForwardedRequest> {
    const keys = [...this.#open.keys()].filter((key) => !except.has(key))
    const taken = keys.flatMap((key) => this.#open.get(key) ?? [])
    for (const key of keys) this.#open.delete(key)
    this.#tellIfEmpty()
    return taken
  }

  #tellIfEmpty(): void {
    if (this.size > 0) return
    this.#whenEmpty?.()
    this.#whenEmpty = undefined
  }
}
