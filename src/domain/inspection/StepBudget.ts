/** Steps of work for a script, and for each of its characters if that is more. */
export const MAX_STEPS = 200_000
const MAX_STEPS_PER_CHARACTER = 4

/** Counts the work of reading one script, so that a script that is made to take long is refused instead. */
export class StepBudget {
  readonly #limit: number
  #steps = 0

  constructor(characters: number) {
    this.#limit = Math.max(MAX_STEPS, characters * MAX_STEPS_PER_CHARACTER)
  }

  /** The work that was done up to now. */
  get steps(): number {
    return this.#steps
  }

  /** `false` when there was too much: then answers may be incomplete. */
  spend(steps: number): boolean {
    return (this.#steps += steps) <= this.#limit
  }
}
