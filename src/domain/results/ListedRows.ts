import { isObject } from "../isObject.ts"

/** The list that an answer is about, and what stands beside it. */
export interface ListedRows {
  /** Objects, or values that are rows by themselves. */
  readonly rows: ReadonlyArray<unknown>
  readonly rest: Readonly<Record<string, unknown>>
}

const MAX_DEPTH = 3

/** Objects count before values, then the longer list. */
const weight = ({ rows }: ListedRows): number => (isObject(rows[0]) ? 1_000_000 : 0) + rows.length

/** The list in an answer, also an empty one and one of a single row; `undefined` where there is none. */
export const listedRows = (data: unknown, depth = MAX_DEPTH): ListedRows | undefined => {
  if (Array.isArray(data)) return { rows: data, rest: {} }
  if (!isObject(data) || depth === 0) return undefined
  const found = Object.entries(data).flatMap(([name, member]) => {
    const list = listedRows(member, depth - 1)
    return list === undefined ? [] : [{ name, list }]
  })
  const best = found.toSorted((a, b) => weight(b.list) - weight(a.list))[0]
  if (best === undefined) return undefined
  const beside = Object.entries(data).filter(([name]) => name !== best.name)
  return { rows: best.list.rows, rest: { ...Object.fromEntries(beside), ...best.list.rest } }
}
