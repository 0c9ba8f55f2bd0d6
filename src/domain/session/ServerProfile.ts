import { isObject } from "../isObject.ts"
import { isUiResource } from "../results/UiResource.ts"
import { decodedAt } from "../wire/Rewrites.ts"

/**
 * What the server says about itself when it answers `initialize` (legacy era) or `server/discover` (modern era), and what
 * its results show.
 */
export class ServerProfile {
  #capabilities: unknown
  #sendsMcpUi = false

  /** Whether a result has carried a view of mcp-ui. A server that sends one will send more. */
  get sendsMcpUi(): boolean {
    return this.#sendsMcpUi
  }

  /** Only results with a resource are read, until one has a view. */
  onResult(answer: Uint8Array): void {
    if (this.#sendsMcpUi || !Buffer.from(answer.buffer, answer.byteOffset, answer.length).includes('"resource"')) return
    const content = decodedAt(answer, ["result", "content"])
    this.#sendsMcpUi = Array.isArray(content) && content.some(isUiResource)
  }

  onGreeting(answer: Uint8Array): void {
    this.#capabilities = decodedAt(answer, ["result", "capabilities"])
  }

  /** Whether it has this capability (`tools`, `resources` …); `undefined` until it has said. */
  offers(capability: string): boolean | undefined {
    return isObject(this.#capabilities) ? (this.#capabilities[capability] ?? undefined) !== undefined : undefined
  }
}
