/** Deeper than any schema; a value that goes on below is cut, so that a hostile one cannot exhaust the stack. */
const MAX_DEPTH = 500

/**
 * JSON with the keys of every object sorted, so that equal values have equal texts whatever
 * order a server sends. `undefined` members are left out, as JSON.stringify does.
 */
export const canonicalJson = (value: unknown): string => {
  const sorted = (inner: unknown, depth: number): unknown => {
    if (typeof inner !== "object" || inner === null) return inner
    if (depth > MAX_DEPTH) return null
    if (Array.isArray(inner)) return inner.map((element) => sorted(element, depth + 1))
    const entries = Object.entries(inner).sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0))
    // Object.fromEntries keeps integer-like keys first whatever the order: the same for every spelling.
    return Object.fromEntries(entries.map(([key, member]) => [key, sorted(member, depth + 1)]))
  }
  return JSON.stringify(sorted(value, 0)) ?? "null"
}
