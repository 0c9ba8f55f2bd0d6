import { idKey } from "../wire/Frame.ts"

/** A request of the host that the server has to answer. */
export interface ForwardedRequest {
  /** As JSON text. */
  readonly id: string
  readonly method: string
  /** Changes the answer; it is held back until the server's tools are known. */
  readonly rewrite?: (answer: Uint8Array) => Uint8Array
  /** Of a `tools/call`. */
  readonly toolName?: string | undefined
  /** What a result teaches of its tool, if it is to be looked at: the arguments that led to it. */
  readonly learnFrom?: { readonly args: unknown }
  /** For the log, if it is kept of forwarding: an id, and when it was (`performance.now`). */
  readonly trace?: { readonly requestId: string; readonly since: number }
}

/** Cancelled requests whose answer may still come. */
const MAX_CANCELLED = 1000

/** The same id as a number, if it is the text of one: hosts on the TypeScript SDK take either for the other. */
const asNumber = (key: string): string | undefined => (/^s\d{1,15}$/.test(key) ? `n${key.slice(1)}` : undefined)

/**
 * The requests that the server still has to answer, by `idKey`. All of them: any other answer of the server was not asked
 * for.
 */
export class ForwardedRequests {
  /** A host may use an id again before it is answered. */
  readonly #open = new Map<string, ReadonlyArray<ForwardedRequest>>()
  readonly #cancelled = new Set<string>()

  get size(): number {
    return this.#open.size
  }

  get(key: string): ForwardedRequest | undefined {
    return this.#open.get(key)?.[0]
  }

  add(request: ForwardedRequest): void {
    const key = idKey(request.id)
    this.#open.set(key, [...(this.#open.get(key) ?? []), request])
  }

  /** The key under which an answer with this one was asked for; `undefined` if it was not. */
  keyFor(key: string): string | undefined {
    return [key, asNumber(key)].find(
      (known) => known !== undefined && (this.#open.has(known) || this.#cancelled.has(known))
    )
  }

  /** Removes a request that is answered or never will be; `undefined` if there is no such open request. */
  take(key: string): ForwardedRequest | undefined {
    const [first, ...rest] = this.#open.get(key) ?? []
    if (rest.length > 0) this.#open.set(key, rest)
    else if (!this.#open.delete(key)) this.#cancelled.delete(key)
    return first
  }

  /** The host wants no answer; the server may be about to give one. */
  cancel(key: string): void {
    if (this.take(key) === undefined) return
    this.#cancelled.add(key)
    const [oldest] = this.#cancelled
    if (this.#cancelled.size > MAX_CANCELLED && oldest !== undefined) this.#cancelled.delete(oldest)
  }

  /** Takes off everything but the requests with these keys, oldest first. */
  takeAll(except: ReadonlySet<string>): ReadonlyArray<ForwardedRequest> {
    const keys = [...this.#open.keys()].filter((key) => !except.has(key))
    const taken = keys.flatMap((key) => this.#open.get(key) ?? [])
    for (const key of keys) this.#open.delete(key)
    return taken
  }
}
