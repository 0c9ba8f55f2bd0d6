import { isObject } from "../../domain/isObject.ts"
import {
  isEmpty,
  leadingColumns,
  numberOf,
  sampleOf,
  type JsonRecord,
  type ResultColumn
} from "../../domain/results/ResultColumn.ts"
import { decimalsIn, type Field, fieldsOf, guessedField } from "./field.ts"
import { listOf, memberOf, textOf } from "./values.ts"

const clampLength = 160

/** Whether a cell shows less of the value than there is. */
export const isLong = (value: unknown): boolean =>
  typeof value === "string"
    ? value.length > clampLength || value.includes("\n")
    : typeof value === "object" &&
      value !== null &&
      (isObject(value) || listOf(value).some((item) => typeof item === "object") || listOf(value).length > 8)

/** Gives all numbers of a column the same number of digits after the point, so that they are easy to compare. */
const aligned = (field: Field, rows: ReadonlyArray<JsonRecord>): Field => {
  if (!/^(number|money)$/.test(field.type) || field.written === true) return field
  const values = sampleOf(rows)
    .map((row) => numberOf(memberOf(row, field.key)))
    .filter((value) => value !== undefined)
    .map(Math.abs)
  if (field.digits !== undefined) return { ...field, padded: !values.every(Number.isInteger) }
  if (field.type === "money")
    return values.every(Number.isInteger) || values.some((value) => value > 0 && value < 0.01)
      ? field
      : { ...field, digits: 2 }
  const most = Math.max(0, ...values)
  const digits = Math.max(0, ...values.map((value) => decimalsIn(value, most < 1 ? 4 : 2)))
  return digits === 0 || values.some((value) => value > 0 && value < 10 ** -digits)
    ? field
    : { ...field, digits, padded: true }
}

export interface TableFields {
  readonly all: ReadonlyArray<Field>
  /** The members that are shown at first. */
  readonly usual: ReadonlyArray<Field>
}

/** The columns that the author named, else all members of the rows, `columns`. Those that say most are shown at first. */
export const tableFields = (
  given: { readonly columns?: unknown; readonly labels?: unknown; readonly choose?: unknown },
  rows: ReadonlyArray<JsonRecord>,
  columns: ReadonlyArray<ResultColumn>
): TableFields => {
  const labels: JsonRecord = isObject(given.labels) ? given.labels : {}
  const others = columns.map((column) => {
    const label = Object.hasOwn(labels, column.key) ? textOf(labels[column.key]) : ""
    return aligned({ ...guessedField(column), label: label || column.label }, rows)
  })
  if (isEmpty(given.columns)) {
    const leading = new Set(leadingColumns(columns, rows))
    return { all: others, usual: others.filter((_, at) => leading.has(columns[at] as ResultColumn)) }
  }
  const told = fieldsOf(given.columns, rows).map((field) => aligned(field, rows))
  if (given.choose !== true) return { all: told, usual: told }
  const known = new Set(told.map(({ key }) => key))
  return { all: [...told, ...others.filter(({ key }) => !known.has(key))], usual: told }
}
