import { inTime } from "./inTime.ts"

/** More than so many changes do not wait. */
const MAX_WAITING = 200

class QueueFull extends Error {
  readonly code = "EBUSY"
}

/**
 * Changes of a folder that go on behind those who asked for them, one after the other, so that of two of the same file
 * the later one stays. What the system does not answer holds up only what comes after it.
 */
export class WriteQueue {
  readonly #patienceMs: number
  #last: Promise<unknown> = Promise.resolve()
  #waiting = 0

  constructor(options: { readonly patienceMs: number }) {
    this.#patienceMs = options.patienceMs
  }

  /**
   * What the work comes to. Rejects with its error; with `ETIMEDOUT` if that takes longer than the queue's patience, though
   * it is still done in its turn; with `EBUSY`, and then it is not done, if too much waits already.
   */
  run<A>(work: () => Promise<A>): Promise<A> {
    if (this.#waiting >= MAX_WAITING) return Promise.reject(new QueueFull("EBUSY: too many changes wait"))
    this.#waiting += 1
    const done = this.#last.then(work).finally(() => {
      this.#waiting -= 1
    })
    this.#last = done.catch(() => undefined)
    return inTime(done, this.#patienceMs)
  }

  /** Waits until all is done, `graceMs` at the most. Never rejects. */
  async settle(graceMs: number): Promise<void> {
    if (this.#waiting > 0) await inTime(this.#last, graceMs).catch(() => undefined)
  }
}
