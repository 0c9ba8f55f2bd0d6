import { isObject } from "../isObject.ts"
import { decodedAt } from "../wire/Rewrites.ts"

/** What the server says about itself when it answers `initialize` (legacy era) or `server/discover` (modern era). */
export class ServerProfile {
  #capabilities: unknown

  onGreeting(answer: Uint8Array): void {
    this.#capabilities = decodedAt(answer, ["result", "capabilities"])
  }

  /** Whether it has this capability (`tools`, `resources` …); `undefined` until it has said. */
  offers(capability: string): boolean | undefined {
    return isObject(this.#capabilities) ? (this.#capabilities[capability] ?? undefined) !== undefined : undefined
  }
}
