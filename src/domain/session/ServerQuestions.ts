import { idKey, notificationFrameOf } from "../wire/Frame.ts"

/** If a server has more questions open, answers to them may reach the next server. */
const MAX_OPEN = 1000

/**
 * Requests of the server that the host has not answered: sampling, elicitation, roots. Servers number them from 0, so
 * the answer to a server that is gone must not reach the next one.
 */
export class ServerQuestions {
  /** By key, the id as JSON text. */
  readonly #open = new Map<string, string>()
  readonly #stale = new Set<string>()

  onAsked(id: string): void {
    const key = idKey(id)
    this.#stale.delete(key)
    if (this.#open.size < MAX_OPEN) this.#open.set(key, id)
  }

  /** The host answered; `false` if the answer is for a server that is gone. */
  onAnswer(id: string): boolean {
    const key = idKey(id)
    if (this.#open.delete(key)) return true
    return !this.#stale.delete(key)
  }

  /** The server is gone. Returns what to tell the host. */
  onLost(reason: string): ReadonlyArray<Uint8Array> {
    const ids = [...this.#open.values()]
    this.#open.clear()
    this.#stale.clear()
    for (const id of ids) this.#stale.add(idKey(id))
    return ids.map((id) =>
      notificationFrameOf("notifications/cancelled", `{"requestId":${id},"reason":${JSON.stringify(reason)}}`)
    )
  }
}
