import type { JsonRecord } from "../../domain/results/ResultColumn.ts"
import { chips } from "./button.ts"
import type { Field } from "./field.ts"
import { memberOf, textOf } from "./values.ts"

export interface RowGroups {
  readonly node: HTMLElement
  /** The value that is chosen; pressed again, all rows are shown. */
  readonly chosen: () => string | undefined
  readonly has: (index: number) => boolean
}

/** With fewer rows, or more values, a person finds a row without chips. */
const FEWEST_ROWS = 9
const MOST_GROUPS = 8

/**
 * Chips with counts that choose the rows with one value of a member: the named one, else the first state among the
 * columns. None where there is nothing to choose.
 */
export const rowGroups = (
  rows: ReadonlyArray<JsonRecord>,
  fields: ReadonlyArray<Field>,
  wanted: string | false | undefined,
  onChange: () => void
): RowGroups | undefined => {
  const state = fields.find(({ type, render }) => type === "badge" && render === undefined)
  const key = wanted ?? state?.key
  if (rows.length < FEWEST_ROWS || key === false || key === undefined) return undefined
  const values = rows.map((row) => textOf(memberOf(row, key)) || "–")
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  if (counts.size < 2 || counts.size > MOST_GROUPS) return undefined
  let chosen: string | undefined
  const choices = [...counts].sort(([, left], [, right]) => right - left)
  return {
    node: chips(
      choices.map(([value, count]) => ({ value, count })),
      (value?: string) => {
        chosen = value
        onChange()
      },
      { label: key }
    ),
    chosen: () => chosen,
    has: (index) => chosen === undefined || values[index] === chosen
  }
}
