const distance = (a: string, b: string): number => {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      current.push(
        Math.min(
          (previous[column] ?? 0) + 1,
          (current[column - 1] ?? 0) + 1,
          (previous[column - 1] ?? 0) + (a.charAt(row - 1) === b.charAt(column - 1) ? 0 : 1)
        )
      )
    }
    previous = current
  }
  return previous[b.length] ?? 0
}

/**
 * The candidate that `name` most likely is a slip of: about a third of its letters at most, and never more than three,
 * differ (Levenshtein distance, letter case ignored). `undefined` if none is close.
 */
export const closestOf = (name: string, candidates: ReadonlyArray<string>): string | undefined => {
  const lower = name.slice(0, 100).toLowerCase()
  const near = candidates
    .map((candidate) => ({ candidate, steps: distance(lower, candidate.toLowerCase()) }))
    .filter(({ candidate, steps }) => steps <= Math.min(3, Math.max(1, Math.ceil(candidate.length / 3))))
    .sort((a, b) => a.steps - b.steps)
  return near[0]?.candidate
}
