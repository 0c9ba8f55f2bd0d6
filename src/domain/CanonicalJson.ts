/**
 * JSON with the keys of every object sorted (requirement C2), so that equal values have equal texts whatever
 * order a server sends. `undefined` members are left out, as JSON.stringify does.
 */
export const canonicalJson = (value: unknown): string => {
  const sorted = (inner: unknown): unknown => {
    if (Array.isArray(inner)) return inner.map(sorted)
    if (typeof inner !== "object" || inner === null) return inner
    const entries = Object.entries(inner).sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0))
    // Object.fromEntries keeps integer-like keys first whatever the order: the same for every spelling.
    return Object.fromEntries(entries.map(([key, member]) => [key, sorted(member)]))
  }
  return JSON.stringify(sorted(value)) ?? "null"
}
