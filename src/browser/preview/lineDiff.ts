export interface DiffLine {
  readonly kind: "same" | "added" | "removed"
  readonly text: string
}

/** Cells of the table of comparisons; beyond that the differing middle is shown as removed and added. */
const mostCells = 4_000_000

const lines = (kind: DiffLine["kind"], texts: ReadonlyArray<string>): ReadonlyArray<DiffLine> =>
  texts.map((text) => ({ kind, text }))

/** The lines of two texts, by the longest subsequence that they share. */
export const lineDiff = (before: string, after: string): ReadonlyArray<DiffLine> => {
  const [a, b] = [before.split("\n"), after.split("\n")]
  let start = 0
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start += 1
  let end = 0
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end += 1
  const [left, right] = [a.slice(start, a.length - end), b.slice(start, b.length - end)]
  return [...lines("same", a.slice(0, start)), ...middle(left, right), ...lines("same", a.slice(a.length - end))]
}

const middle = (a: ReadonlyArray<string>, b: ReadonlyArray<string>): ReadonlyArray<DiffLine> => {
  if (a.length * b.length > mostCells) return [...lines("removed", a), ...lines("added", b)]
  /** How many lines the rest of both shares, from each pair of places. */
  const shared = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1))
  const at = (i: number, j: number): number => shared[i]?.[j] ?? 0
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      const row = shared[i]
      if (row !== undefined) row[j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  }
  const found: Array<DiffLine> = []
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      found.push({ kind: "same", text: a[i] ?? "" })
      i += 1
      j += 1
    } else if (i < a.length && (j >= b.length || at(i + 1, j) >= at(i, j + 1))) {
      found.push({ kind: "removed", text: a[i] ?? "" })
      i += 1
    } else {
      found.push({ kind: "added", text: b[j] ?? "" })
      j += 1
    }
  }
  return found
}
