import { numberOf, type JsonRecord, type ResultColumn } from "./ResultColumn.ts"

/** Records that are worth a chart: `x` and `y` are column keys. */
export interface ResultSeries {
  readonly type: "line" | "bar" | "pie"
  readonly x: string
  readonly y: ReadonlyArray<string>
  /** Every column that could stand for `y`. */
  readonly measures: ReadonlyArray<string>
}

const plottable = new Set(["number", "money", "percent", "bytes", "duration"])
// Numbers that locate, enumerate or divide things; ids and coordinates have column kinds of their own.
const unplottable =
  /(^|[_ ])(page|offset|limit|line|row|rank|index|idx|position|order|number|month|day|level|depth|pk)$/i

const names = /(^|[_ ])(name|title|label)$/i

const most = 20_000
const mostCells = 1_000_000

const isPeriod = (value: unknown): boolean =>
  typeof value === "string" && /^\d{4}-(0[1-9]|1[0-2]|W\d\d)$|^\d{4}[- ]?Q[1-4]$/.test(value)

const isDistinct = (values: ReadonlyArray<unknown>): boolean => new Set(values).size === values.length

// Flags and row numbers measure nothing. Over time, evenly rising values may measure something.
const measures = (values: ReadonlyArray<number>, isTimed: boolean): boolean => {
  const kinds = new Set(values)
  return (
    kinds.size > 1 &&
    !(kinds.size === 2 && kinds.has(0) && kinds.has(1)) &&
    (isTimed || values.some((value, at) => at > 0 && value !== (values[at - 1] ?? 0) + 1))
  )
}

/** The columns of `rows` that make a useful chart, or `undefined`: ids, flags and places do not. */
export const seriesOf = (
  rows: ReadonlyArray<JsonRecord>,
  columns: ReadonlyArray<ResultColumn>
): ResultSeries | undefined => {
  if (rows.length < 3 || rows.length > most || rows.length * columns.length > mostCells) return undefined
  const valuesOf = (key: string): ReadonlyArray<unknown> => rows.map((row) => row[key])
  const time = columns.find(
    ({ key, kind }) =>
      kind === "date" || kind === "datetime" || kind === "year" || rows.every((row) => isPeriod(row[key]))
  )
  const candidates = columns.flatMap(({ key, kind }) => {
    if (!plottable.has(kind) || unplottable.test(key)) return []
    const values = rows.map((row) => numberOf(row[key])).filter((value) => value !== undefined)
    return values.length * 3 >= rows.length * 2 && measures(values, time !== undefined)
      ? [{ key, kind, values, size: values.reduce((high, value) => Math.max(high, Math.abs(value)), 0) }]
      : []
  })
  const first = candidates[0]
  if (first === undefined) return undefined
  const y = candidates
    .filter(({ kind, size }) => kind === first.kind && size <= first.size * 8 && size * 8 >= first.size)
    .slice(0, 4)
    .map(({ key }) => key)
  const common = { measures: candidates.map(({ key }) => key) }
  // Dated things, such as files with their time of creation, are not a series.
  const isOfThings =
    time !== undefined &&
    /creat|updat|modif|publish/i.test(time.key) &&
    columns.some(({ key }) => names.test(key) && isDistinct(valuesOf(key)))
  if (time !== undefined && !isOfThings && isDistinct(valuesOf(time.key)))
    return { type: "line", x: time.key, y, ...common }
  const labels = columns.filter(({ key, kind }) => {
    if (rows.length > 30 || (kind !== "text" && kind !== "badge")) return false
    const values = valuesOf(key)
    return isDistinct(values) && values.every((value) => typeof value === "string" && value.length <= 40)
  })
  const label = labels.find(({ key }) => names.test(key)) ?? labels[0]
  if (label === undefined) return undefined
  const sum = first.values.reduce((total, value) => total + value, 0)
  const isWhole =
    candidates.length === 1 &&
    rows.length <= 6 &&
    first.values.length === rows.length &&
    first.values.every((value) => value >= 0) &&
    (Math.abs(sum - 100) < 1 || Math.abs(sum - 1) < 0.01) &&
    (first.kind === "percent" || /share|portion|fraction|weight|percent|pct/i.test(first.key))
  return { type: isWhole ? "pie" : "bar", x: label.key, y, ...common }
}
