import { jsonLeaves, type Leaf } from "./jsonLeaves.ts"

export interface Difference {
  readonly kind: "added" | "removed" | "changed" | "moved" | "bytes"
  readonly path: string
  readonly direct: string | undefined
  readonly wrapped: string | undefined
}

const isInside = (path: string, container: string): boolean =>
  path.startsWith(`${container}.`) || path.startsWith(`${container}[`)

/** An empty container that got members is not missed; the members are what was added. */
const wasFilled = (leaf: Leaf, wrapped: ReadonlyArray<Leaf>): boolean =>
  /^[[{]/.test(leaf.raw) && wrapped.some(({ path }) => isInside(path, leaf.path))

const change = (direct: Leaf, wrapped: Leaf): ReadonlyArray<Difference> =>
  direct.raw === wrapped.raw ? [] : [{ kind: "changed", path: direct.path, direct: direct.raw, wrapped: wrapped.raw }]

const compareLeaves = (direct: ReadonlyArray<Leaf>, wrapped: ReadonlyArray<Leaf>): ReadonlyArray<Difference> => {
  const places = new Map(direct.map(({ path }, index) => [path, index]))
  const found: Array<Difference> = []
  const skipTo = (from: number, to: number): void => {
    for (const leaf of direct.slice(from, to)) {
      if (!wasFilled(leaf, wrapped)) {
        found.push({ kind: "removed", path: leaf.path, direct: leaf.raw, wrapped: undefined })
      }
    }
  }
  let next = 0
  for (const leaf of wrapped) {
    const place = places.get(leaf.path)
    const original = place === undefined ? undefined : direct[place]
    if (place === undefined || original === undefined) {
      found.push({ kind: "added", path: leaf.path, direct: undefined, wrapped: leaf.raw })
    } else if (place < next) {
      found.push({ kind: "moved", path: leaf.path, direct: original.raw, wrapped: leaf.raw })
    } else {
      skipTo(next, place)
      found.push(...change(original, leaf))
      next = place + 1
    }
  }
  skipTo(next, direct.length)
  return found
}

/** The text with the values at some paths taken out. */
const masked = (text: string, leaves: ReadonlyArray<Leaf>, volatile: ReadonlySet<string>): string => {
  let at = 0
  let result = ""
  for (const { end, path, start } of leaves) {
    if (!volatile.has(path)) continue
    result += `${text.slice(at, start)}?`
    at = end
  }
  return result + text.slice(at)
}

/** Whether all characters of one text stand in the other, in order. */
const isWithin = (part: string, whole: string): boolean => {
  let at = 0
  for (const character of part) {
    at = whole.indexOf(character, at) + 1
    if (at === 0) return false
  }
  return true
}

const leavesOf = (text: string): ReadonlyArray<Leaf> | undefined => {
  try {
    return jsonLeaves(text)
  } catch {
    return undefined
  }
}

const bytesDiffer = (direct: string, wrapped: string): ReadonlyArray<Difference> => [
  { kind: "bytes", path: "", direct, wrapped }
]

/**
 * What is different about a frame that came through the wrapper, beside values at paths that differ from one direct
 * run to the next anyway. No difference means the same bytes. Where the only differences are additions, every byte of
 * the direct frame must still be there, in order.
 */
export const compareFrames = (
  direct: string,
  wrapped: string,
  volatile: ReadonlySet<string> = new Set()
): ReadonlyArray<Difference> => {
  if (direct === wrapped) return []
  const [directLeaves, wrappedLeaves] = [leavesOf(direct), leavesOf(wrapped)]
  if (directLeaves === undefined || wrappedLeaves === undefined) return bytesDiffer(direct, wrapped)
  const found = compareLeaves(directLeaves, wrappedLeaves).filter(
    ({ kind, path }) => kind !== "changed" || !volatile.has(path)
  )
  const [before, after] = [masked(direct, directLeaves, volatile), masked(wrapped, wrappedLeaves, volatile)]
  if (found.length === 0) return before === after ? [] : bytesDiffer(direct, wrapped)
  const isSpliced = found.some(({ kind }) => kind !== "added") || isWithin(before, after)
  return isSpliced ? found : [...found, ...bytesDiffer(direct, wrapped)]
}

/** Paths whose values differ between two direct runs: times, random names, counters. */
export const volatilePaths = (first: string, second: string): ReadonlySet<string> =>
  new Set(compareFrames(first, second).flatMap(({ kind, path }) => (kind === "changed" ? [path] : [])))
