import { notificationFrame } from "../wire/Frame.ts"
import { rawAt } from "../wire/Rewrites.ts"

/** One step of a repeated handshake: a request of ours, or a notification that is sent as it is. */
export type HandshakeStep =
  | { readonly kind: "request"; readonly method: string; readonly params: string }
  | { readonly kind: "notification"; readonly frame: Uint8Array }

/** A host with more subscriptions gets no updates of the others after a restart. */
const MAX_SUBSCRIPTIONS = 1000

/**
 * What a server of the legacy era has to know from its host: who the host is, how much to log, which resources to watch
 * (MCP 2025-11-25, "Lifecycle"). After a restart we tell the server again.
 */
export class LegacyHandshake {
  /** The last `initialize`, and the last one that the server accepted. */
  #said: string | undefined
  #initialize: string | undefined
  #isInitialized = false
  #level: string | undefined
  readonly #subscriptions = new Set<string>()

  onRequest(method: string, frame: Uint8Array): void {
    const params = (): string => rawAt(frame, ["params"]) ?? "{}"
    if (method === "initialize") this.#said = params()
    else if (method === "logging/setLevel") this.#level = params()
    else if (method === "resources/subscribe") {
      if (this.#subscriptions.size < MAX_SUBSCRIPTIONS) this.#subscriptions.add(params())
    } else if (method === "resources/unsubscribe") this.#subscriptions.delete(params())
  }

  /** The server answered `initialize` with a result. */
  onAnswered(): void {
    this.#initialize = this.#said
    this.#isInitialized = false
    this.#level = undefined
    this.#subscriptions.clear()
  }

  onInitialized(): void {
    this.#isInitialized = true
  }

  /** What to tell a new server, in this order, each after the answer to the one before. */
  steps(): ReadonlyArray<HandshakeStep> {
    if (this.#initialize === undefined) return []
    const request = (method: string, params: string): HandshakeStep => ({ kind: "request", method, params })
    return [
      request("initialize", this.#initialize),
      ...(this.#isInitialized
        ? [{ kind: "notification" as const, frame: notificationFrame("notifications/initialized", undefined) }]
        : []),
      ...(this.#level === undefined ? [] : [request("logging/setLevel", this.#level)]),
      ...[...this.#subscriptions].map((params) => request("resources/subscribe", params))
    ]
  }
}
