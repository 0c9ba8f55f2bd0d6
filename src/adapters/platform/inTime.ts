const LATENESS_MS = 20

/** The `code` says what came of the work: it may still be done. */
class TimedOut extends Error {
  readonly code = "ETIMEDOUT"

  constructor() {
    super("ETIMEDOUT: no answer from the system")
  }
}

/** Whether an error is the one of {@link inTime}. */
export const isTimedOut = (cause: unknown): boolean => cause instanceof TimedOut

/**
 * What the work comes to, or a rejection with the code `ETIMEDOUT` after `patienceMs`. The work itself goes on, whatever
 * becomes of it. A timer that is late says that this process was busy, which is not the fault of the work: then it gets
 * the same time once more.
 */
export const inTime = <A>(work: Promise<A>, patienceMs: number): Promise<A> =>
  new Promise((resolve, reject) => {
    const due = performance.now() + patienceMs
    const giveUp = (): void => reject(new TimedOut())
    let timer = setTimeout(() => {
      if (performance.now() - due <= LATENESS_MS) return giveUp()
      timer = setTimeout(giveUp, patienceMs)
    }, patienceMs)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
