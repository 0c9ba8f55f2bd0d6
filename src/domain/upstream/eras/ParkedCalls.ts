import type { EraPort } from "./EraPort.ts"

/** A host that was asked for input has this long to answer. */
const PATIENCE_MS = 600_000
const MAX_PARKED = 64

interface Parked<Call> {
  readonly call: Call
  readonly stopTimer: () => void
}

/**
 * Calls that wait for a host of the modern era to repeat them with its input, by their `requestState`. There are at most
 * 64, and none stays longer than ten minutes; a call that has to go is handed to `expire`.
 */
export class ParkedCalls<Call> {
  readonly #port: EraPort
  readonly #expire: (call: Call) => void
  readonly #parked = new Map<string, Parked<Call>>()

  constructor(port: EraPort, expire: (call: Call) => void) {
    this.#port = port
    this.#expire = expire
  }

  park(requestState: string, call: Call): void {
    const [oldest] = this.#parked.keys()
    if (oldest !== undefined && this.#parked.size >= MAX_PARKED) this.#drop(oldest)
    const stopTimer = this.#port.after(PATIENCE_MS, () => this.#drop(requestState))
    this.#parked.set(requestState, { call, stopTimer })
  }

  /** The call of a request state, if it is still there and `accept` takes it; it is not parked any more then. */
  take(requestState: string, accept: (call: Call) => boolean): Call | undefined {
    const parked = this.#parked.get(requestState)
    if (parked === undefined || !accept(parked.call)) return undefined
    this.#parked.delete(requestState)
    parked.stopTimer()
    return parked.call
  }

  /** Forgets all, without a word. */
  clear(): void {
    for (const { stopTimer } of this.#parked.values()) stopTimer()
    this.#parked.clear()
  }

  #drop(requestState: string): void {
    const call = this.take(requestState, () => true)
    if (call !== undefined) this.#expire(call)
  }
}
