import { idKey } from "./Frame.ts"

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

/** The account of what the server owes the host, by `idKey`. */
export class ForwardedRequests {
  readonly #open = new Map<string, ForwardedRequest>()

  get size(): number {
    return this.#open.size
  }

  get(key: string): ForwardedRequest | undefined {
    return this.#open.get(key)
  }

  add(request: ForwardedRequest): void {
    this.#open.set(idKey(request.id), request)
  }

  /** Takes off what is answered, or will not be any more; `undefined` if there is no such request. */
  take(key: string): ForwardedRequest | undefined {
    const request = this.#open.get(key)
    this.#open.delete(key)
    return request
  }

  /** Takes off everything but the requests with these keys, oldest first. */
  takeAll(except: ReadonlySet<string>): ReadonlyArray<ForwardedRequest> {
    return [...this.#open.keys()].filter((key) => !except.has(key)).flatMap((key) => this.take(key) ?? [])
  }
}
