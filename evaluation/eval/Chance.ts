import { randomSource } from "../soak/randomSource.ts"

/** Decisions that are the same for the same seed. */
export interface Chance {
  /** True in `share` of all cases. */
  readonly is: (share: number) => boolean
  /** From `from` to `to`, both included. */
  readonly whole: (from: number, to: number) => number
  readonly between: (from: number, to: number) => number
  readonly pick: <A>(items: ReadonlyArray<A>) => A | undefined
  readonly shuffled: <A>(items: ReadonlyArray<A>) => ReadonlyArray<A>
}

const FNV_OFFSET = 0x811c9dc5
const FNV_PRIME = 0x01000193

/** FNV-1a: one seed for each case, so that a case alone runs as it ran among all. */
export const seedOf = (...parts: ReadonlyArray<string | number>): number => {
  let hash = FNV_OFFSET
  for (const character of parts.join("\0")) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), FNV_PRIME)
  return hash >>> 0
}

export const chanceOf = (seed: number): Chance => {
  const random = randomSource(seed)
  const whole = (from: number, to: number): number => from + Math.floor(random() * (to - from + 1))
  return {
    is: (share) => random() < share,
    whole,
    between: (from, to) => from + random() * (to - from),
    pick: (items) => items[whole(0, items.length - 1)],
    shuffled: (items) =>
      items
        .map((item) => ({ item, key: random() }))
        .sort((a, b) => a.key - b.key)
        .map(({ item }) => item)
  }
}
