/** Thrown when work has taken longer than it may. */
export class BudgetSpent extends Error {
  override readonly name = "BudgetSpent"
}

/** Called before each piece of work; throws {@link BudgetSpent} when no more is allowed. */
export type Spend = () => void

/** A budget of time from now on. Each piece of work must be short, as nothing interrupts it. */
export const timeBudget = (milliseconds: number): Spend => {
  const end = performance.now() + milliseconds
  return () => {
    if (performance.now() > end) throw new BudgetSpent(`more than ${milliseconds} ms`)
  }
}
