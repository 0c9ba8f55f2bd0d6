import { inTime } from "../platform/inTime.ts"

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

  /**
   * Waits until all is done, `maxMs` at the most. Less only if for `graceMs` nothing is done and the system does not answer
   * `probe` either, whatever the answer. Never rejects.
   */
  async settle(options: {
    readonly graceMs: number
    readonly maxMs: number
    readonly probe: () => Promise<unknown>
  }): Promise<void> {
    const due = performance.now() + options.maxMs
    for (let left = options.maxMs; this.#waiting > 0 && left > 0; left = due - performance.now()) {
      const patienceMs = Math.min(options.graceMs, left)
      const before = this.#waiting
      const probed = options.probe().catch(() => undefined)
      const answered = inTime(probed, patienceMs).then(
        () => true,
        () => false
      )
      await inTime(this.#last, patienceMs).catch(() => undefined)
      if (!(await answered) && this.#waiting >= before) return
    }
  }
}
