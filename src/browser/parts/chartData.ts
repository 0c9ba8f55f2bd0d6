import { isObject } from "../../domain/isObject.ts"
import type * as Authored from "../../../types/parts.d.ts"
import { labelOf } from "../../domain/labelOf.ts"
import { columnsOf, isEmpty, numberOf, type JsonRecord } from "../../domain/results/ResultColumn.ts"
import { seriesOf } from "../../domain/results/ResultSeries.ts"
import { type Field, fieldsOf, fieldText, isNumeric } from "./field.ts"
import { fmt, momentOf } from "./format.ts"
import { isPlain, listOf, memberOf, rowsOf, textOf } from "./values.ts"

/** Options as authors write them: the type of the values has a second name, and may be any text. */
export interface ChartOptions extends Omit<Authored.ChartOptions, "type"> {
  readonly type?: string
  readonly format?: string
}

export interface Series {
  readonly field: Field
  /** `undefined` is a gap. */
  readonly values: ReadonlyArray<number | undefined>
}

export interface ChartData {
  readonly labels: ReadonlyArray<string>
  /** Where the points are along an axis of numbers or times. Without it, they stand evenly. */
  readonly positions: ReadonlyArray<number> | undefined
  /** How places along an axis of numbers are written; times and names are written by their labels. */
  readonly place: ((at: number) => string) | undefined
  readonly series: ReadonlyArray<Series>
}

/** Sums and differences of numbers near the limit of doubles are no numbers, and are not drawn. */
const drawable = (value: unknown): number | undefined => {
  const read = numberOf(value)
  return read === undefined || Math.abs(read) > 1e200 ? undefined : read
}

const day = 86_400_000

const timeLabel = (span: number, values: ReadonlyArray<unknown>): ((value: unknown) => string) => {
  if (span <= day * 1.5 && values.some((value) => momentOf(value)?.hasTime === true)) return fmt.time
  if (span <= day * 400) return (value) => fmt.date(value, { style: "short" })
  return (value) => fmt.date(value)
}

const fieldsFor = (y: unknown, rows: ReadonlyArray<JsonRecord>): ReadonlyArray<Field> =>
  fieldsOf(isObject(y) && "key" in y ? [y] : y, rows)

const xOf = ({ x }: Partial<ChartOptions>): string => (typeof x === "string" ? x : "")

/** The pairs of an object of numbers, under the names that the author gave the axes. */
const pairRows = (data: unknown, options: Partial<ChartOptions>): ReadonlyArray<JsonRecord> | undefined => {
  if (!isPlain(data)) return undefined
  const entries = Object.entries(data).filter(([, value]) => numberOf(value) !== undefined)
  const fields = isEmpty(options.y) ? [] : fieldsFor(options.y, [])
  const x = xOf(options) || "name"
  const y = (fields.length === 1 && fields[0]?.key) || "value"
  return entries.length > 0 ? entries.map(([name, value]) => ({ [x]: name, [y]: value })) : undefined
}

const chooseY = (rows: ReadonlyArray<JsonRecord>, x: string | undefined): ReadonlyArray<string> => {
  const columns = columnsOf(rows)
  const known = seriesOf(rows, columns)?.y.filter((key) => key !== x)
  if (known !== undefined && known.length > 0) return known
  const numbers = columns.filter(({ key }) => key !== x && rows.some((row) => numberOf(row[key]) !== undefined))
  return numbers.slice(0, 1).map(({ key }) => key)
}

const chooseX = (rows: ReadonlyArray<JsonRecord>): string | undefined => {
  const columns = columnsOf(rows)
  const find = (...kinds: ReadonlyArray<string>): string | undefined =>
    columns.find(({ kind }) => kinds.includes(kind))?.key
  return find("date", "datetime", "year") ?? find("text", "badge") ?? find("id")
}

/** A line through times runs forward, whatever the order of the rows. */
const inOrderOfTime = (rows: ReadonlyArray<JsonRecord>, x: string | undefined): ReadonlyArray<JsonRecord> => {
  const type = x === undefined ? undefined : fieldsOf([x], rows)[0]?.type
  if (x === undefined || (type !== "date" && type !== "datetime")) return rows
  const keyed = rows.map((row) => ({ row, at: momentOf(memberOf(row, x))?.at.getTime() ?? 0 }))
  const isInOrder = keyed.every(({ at }, index) => index === 0 || at >= (keyed[index - 1]?.at ?? 0))
  return isInOrder ? rows : keyed.sort((left, right) => left.at - right.at).map(({ row }) => row)
}

/** Reads what a chart is to show from rows, numbers, an object of numbers by name, or lists side by side. */
export const chartData = (data: unknown, options: Partial<ChartOptions>): ChartData => {
  const known = rowsOf(data)
  const given = (known.length > 1 ? undefined : pairRows(data, options)) ?? known
  const x = xOf(options) || chooseX(given)
  const rows = inOrderOfTime(given, x)
  const common = Object.fromEntries(
    (["type", "unit", "digits", "currency"] as const)
      .map((name) => [name, options[name] ?? (name === "type" ? options.format : undefined)] as const)
      .filter(([, value]) => value !== undefined && typeof value !== "function")
  )
  const fields = fieldsFor(isEmpty(options.y) ? chooseY(rows, x) : options.y, rows)
  const series = fields
    .slice(0, 8)
    .map((field) => ({
      field: Object.assign({}, field, common),
      values: rows.map((row) => drawable(memberOf(row, field.key)))
    }))
    .filter(({ values }) => values.some((value) => value !== undefined))
  const xValues = rows.map((row, index) => (x === undefined ? index + 1 : memberOf(row, x)))
  const xField = x === undefined ? undefined : fieldsOf([x], rows)[0]
  const times =
    xField?.type === "date" || xField?.type === "datetime" ? xValues.map((value) => momentOf(value)?.at.getTime()) : []
  const numbers = xField !== undefined && isNumeric(xField) ? xValues.map(drawable) : []
  const positions = [times, numbers].find((list) => list.length > 0 && list.every((value) => value !== undefined))
  const [earliest, latest] = extent(times)
  const span = positions === times ? latest - earliest : 0
  const label =
    positions === times && times.length > 0
      ? timeLabel(span, xValues)
      : (value: unknown) => (xField === undefined ? textOf(value) : fieldText(value, xField))
  return {
    labels: xValues.map((value) => label(value) || "–"),
    positions: positions?.map((value) => value ?? 0),
    place:
      positions === numbers && xField !== undefined && xField.type !== "year"
        ? (at) => fieldText(at, xField)
        : undefined,
    series
  }
}

/** Plus and minus infinity when there are no values. */
export const extent = (values: ReadonlyArray<number | undefined>): readonly [number, number] => {
  let low = Number.POSITIVE_INFINITY
  let high = Number.NEGATIVE_INFINITY
  for (const value of values) {
    if (value === undefined) continue
    if (value < low) low = value
    if (value > high) high = value
  }
  return [low, high]
}

/** Round numbers that cover the range, about `count` of them. */
export const niceTicks = (low: number, high: number, count: number): ReadonlyArray<number> => {
  if (!Number.isFinite(low) || !Number.isFinite(high)) return [0, 1]
  const top = high > low ? high : low + Math.max(1, Math.abs(low) * 0.1)
  const raw = (top - low) / Math.max(1, count)
  const power = 10 ** Math.floor(Math.log10(raw))
  const step = ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= raw * 0.999) ?? 10) * power
  if (!Number.isFinite(step) || step <= 0) return [low, top]
  const first = Math.floor(low / step + 1e-9)
  const last = Math.ceil(top / step - 1e-9)
  if (last - first > 50) return [low, top]
  return Array.from({ length: last - first + 1 }, (_, index) => Number(((first + index) * step).toPrecision(12)))
}

/** The range an axis covers: from zero where bars need it or where zero is near. */
export const rangeOf = (
  data: ChartData,
  fromZero: boolean,
  stacked: boolean,
  options: Partial<ChartOptions>
): readonly [number, number] => {
  const all = stacked
    ? data.labels.flatMap((_, index) => {
        const column = data.series.map(({ values }) => values[index] ?? 0)
        return [
          column.filter((value) => value > 0).reduce((sum, value) => sum + value, 0),
          column.filter((value) => value < 0).reduce((sum, value) => sum + value, 0)
        ]
      })
    : data.series.flatMap(({ values }) => values)
  const [low, high] = extent(all)
  const nearZero = low > 0 && low < high * 0.4
  return [
    drawable(options.min) ?? (fromZero || nearZero ? Math.min(0, low) : low),
    drawable(options.max) ?? (fromZero ? Math.max(0, high) : high)
  ]
}

/** A sentence on the data for those who do not see the chart. */
export const describe = (data: ChartData): string =>
  data.series
    .map(({ field, values }) => {
      const numbers = values.filter((value) => value !== undefined)
      const [low, high] = extent(numbers)
      const at = (wanted: number): string => data.labels[values.indexOf(wanted)] ?? ""
      return `${field.label}: ${fmt.plural(numbers.length, "value")}, lowest ${fieldText(low, field)} (${at(low)}), highest ${fieldText(high, field)} (${at(high)}).`
    })
    .join(" ")

export const seriesLabel = (series: Series): string => series.field.label || labelOf(series.field.key)

export const isStacked = (options: Partial<ChartOptions>): boolean => options.stacked === true

export const chartOptions = (options: unknown): Partial<ChartOptions> =>
  isObject(options)
    ? (options as Partial<ChartOptions>)
    : listOf(options).length > 0
      ? { y: options as Authored.Fields }
      : {}
