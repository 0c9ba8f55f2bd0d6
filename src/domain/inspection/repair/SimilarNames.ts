const withoutPlural = (name: string): string => name.toLowerCase().replace(/s$/u, "")

/**
 * The one known name that differs only in case, or in case and a plural `s`; `null` if there is none or more than one.
 */
export const sameNameBut = (name: string, known: Iterable<string>): string | null => {
  const names = [...known]
  for (const fold of [(text: string) => text.toLowerCase(), withoutPlural]) {
    const same = names.filter((candidate) => fold(candidate) === fold(name))
    if (same.length === 1) return same[0] ?? null
  }
  return null
}

/** The Levenshtein distance. */
const distance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (const [i, left] of [...a].entries()) {
    const next = [i + 1]
    for (const [j, right] of [...b].entries()) {
      next.push(Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, (row[j] ?? 0) + (left === right ? 0 : 1)))
    }
    row = next
  }
  return row.at(-1) ?? 0
}

const words = (name: string): ReadonlyArray<string> =>
  name
    .replaceAll(/([a-z])([A-Z])/gu, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/u)
    .filter((word) => word.length > 2)
    .map(withoutPlural)

const MAX_COMPARED_LENGTH = 64

/** Up to `limit` known names with nearly the same spelling or a common word, nearest first. */
export const nearestNames = (name: string, known: Iterable<string>, limit = 3): ReadonlyArray<string> => {
  const given = name.slice(0, MAX_COMPARED_LENGTH)
  const own = new Set(words(given))
  return [...known]
    .map((candidate) => {
      const edits = distance(given.toLowerCase(), candidate.slice(0, MAX_COMPARED_LENGTH).toLowerCase())
      const isShared = words(candidate).some((word) => own.has(word))
      const isNear = edits <= Math.max(1, Math.floor(Math.min(given.length, candidate.length) / 3))
      return { candidate, score: isNear ? edits : isShared ? 100 + edits : null }
    })
    .flatMap(({ candidate, score }) => (score === null ? [] : [{ candidate, score }]))
    .toSorted((a, b) => a.score - b.score)
    .slice(0, limit)
    .map(({ candidate }) => candidate)
}
