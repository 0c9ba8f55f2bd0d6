import {
  columnOf,
  columnsOf,
  isEmpty,
  isRecord,
  labelOf,
  numberOf,
  sampleOf,
  type JsonRecord,
  type ResultColumn
} from "../../domain/results/ResultColumn.ts"
import { badge } from "./badge.ts"
import { type Child, fragment, h, icon, link, safeUrl } from "./dom.ts"
import { fmt, nothing } from "./format.ts"
import { meter } from "./meter.ts"
import { attempt, clip, firstMember, jsonOf, listOf, memberOf, nameIn, textOf } from "./values.ts"

/** How one member of a record is shown: the same options for table columns, detail and card fields and stats. */
export interface FieldOptions {
  readonly key: string
  readonly label?: string
  /**
   * text, number, money, percent, date, datetime, time, relative, duration, bytes, year, boolean, badge, url, image, color,
   * id, list, meter, coordinate, json; otherwise guessed from the name and the values.
   */
  readonly type?: string
  /** Content of its own; a `render` that throws or answers `undefined` leaves the usual content. */
  readonly render?: (value: unknown, row: JsonRecord) => Child
  readonly unit?: string
  readonly digits?: number
  /** ISO 4217. */
  readonly currency?: string
  /** Percent: 1 or 100, see `fmt.percent`. Meter: the value that is full. */
  readonly of?: number
  /** Badge: a tone, or tones by value. */
  readonly tone?: string | Readonly<Record<string, string>>
  readonly align?: "start" | "end" | "center"
}

/** A field with everything known that is needed to show it. */
export interface Field extends Omit<FieldOptions, "label" | "type" | "key"> {
  readonly key: string
  readonly label: string
  readonly type: string
  readonly scale?: number
  /** Numbers in text, to be shown as they are written. */
  readonly written?: boolean
}

/** The field that a guessed column asks for. */
export const guessedField = (column: ResultColumn): Field => ({
  key: column.key,
  label: column.label,
  type: column.kind,
  ...(column.currency === undefined ? {} : { currency: column.currency }),
  ...(column.scale === undefined ? {} : { scale: column.scale }),
  ...(column.written === true ? { written: true } : {})
})

const told = (given: unknown, rows: ReadonlyArray<JsonRecord>, name?: string): Field | undefined => {
  const options = isRecord(given) ? given : {}
  const key =
    typeof given === "string" && name === undefined
      ? given
      : textOf(name ?? options.key ?? options.field ?? options.accessorKey ?? options.name)
  const render = [options.render, options.cell, options.format, given].find((made) => typeof made === "function")
  if (key === "" && render === undefined) return undefined
  const field = guessedField(
    columnOf(
      key,
      sampleOf(rows).map((row) => memberOf(row, key)),
      Object.keys(rows[0] ?? {})
    )
  )
  const type = options.type ?? options.format
  const label =
    name !== undefined && typeof given === "string" ? given : (options.label ?? options.title ?? options.header)
  return {
    ...field,
    ...(options as Partial<Field>),
    key,
    label: label === undefined || label === null ? labelOf(key.split(".").at(-1) ?? key) : textOf(label),
    ...(typeof type === "string" ? { type, written: false } : { type: field.type }),
    ...(render === undefined ? {} : { render: render as NonNullable<Field["render"]> })
  }
}

/** Fields as the author gave them (names, options, or an object of labels by name), else all that the records have. */
export const fieldsOf = (given: unknown, rows: ReadonlyArray<JsonRecord>): ReadonlyArray<Field> => {
  const named = isRecord(given)
    ? Object.entries(given).map(([name, options]) => told(options, rows, name))
    : listOf(given).map((options) => told(options, rows))
  const known = named.filter((field) => field !== undefined)
  return known.length > 0 ? known : columnsOf(rows).map(guessedField)
}

const numeric = new Set(["number", "money", "percent", "duration", "bytes", "year", "coordinate"])

export const isNumeric = (field: Field): boolean => numeric.has(field.type)

const currencyIn = (row: JsonRecord): string | undefined => {
  const found = firstMember(row, ["currency", "currencyCode", "currency_code"])
  return typeof found === "string" ? found : undefined
}

const listNode = (value: unknown, limit: number): Child => {
  const items = listOf(value)
  if (items.some((item) => textOf(item).length > 32)) return items.map(textOf).join(" · ")
  const shown = items.slice(0, limit).map((item) => badge(clip(textOf(item), 60)))
  return h(
    "span",
    { class: "mg-badges" },
    shown,
    items.length > limit && h("span", { class: "mg-muted" }, `+${items.length - limit}`)
  )
}

/** The first members of an object that has no name: "x: 1, y: 2". */
const membersText = (record: JsonRecord): string => {
  const shown = Object.entries(record)
    .filter(([, value]) => !isEmpty(value) && typeof value !== "object")
    .slice(0, 3)
    .map(([key, value]) => `${key}: ${clip(textOf(value), 40)}`)
  const count = Object.keys(record).length
  return shown.length === 0 ? fmt.plural(count, "field") : `${shown.join(", ")}${count > shown.length ? ", …" : ""}`
}

const objectNode = (value: unknown): Child => {
  if (Array.isArray(value)) {
    const names = value.length > 6 ? [] : value.map((item) => (isRecord(item) ? nameIn(item)?.value : undefined))
    const areNames = names.length > 0 && names.every((name) => typeof name === "string" && name.length <= 32)
    return areNames ? listNode(names, 6) : h("span", { class: "mg-muted" }, fmt.plural(value.length, "item"))
  }
  if (!isRecord(value)) return textOf(value)
  const named = nameIn(value)
  return named === undefined ? membersText(value) : clip(textOf(named.value), 200)
}

const imageNode = (value: unknown, field: Field): Child => {
  const source = textOf(value)
  if (/^data:image\//i.test(source))
    return h("img", { class: "mg-thumb", src: source, alt: field.label, loading: "lazy" })
  return safeUrl(source) === undefined ? clip(source, 80) : link(source)
}

/** How many digits after the point a number has, at most `most`. */
export const decimalsIn = (value: number, most: number): number =>
  Math.min(most, /\.(\d+)$/.exec(String(Number(value.toPrecision(12))))?.[1]?.length ?? 0)

const plain = (value: unknown, field: Field, row: JsonRecord): string | undefined => {
  if (field.written === true && typeof value === "string") return value
  switch (field.type) {
    case "number":
      return fmt.number(value, field)
    case "money":
      return fmt.money(value, {
        ...field,
        ...(field.currency === undefined ? { currency: currencyIn(row) ?? "" } : {})
      })
    case "percent":
      return fmt.percent(value, {
        ...field,
        ...(field.of === undefined && field.scale !== undefined ? { of: field.scale } : {})
      })
    case "date":
      return fmt.date(value)
    case "datetime":
      return fmt.date(value, { time: true })
    case "time":
      return fmt.time(value)
    case "relative":
      return fmt.relative(value)
    case "duration":
      return fmt.duration(
        value,
        field.scale === 1000 || field.unit === "ms"
          ? "ms"
          : field.unit === "min" || field.unit === "h"
            ? field.unit
            : "s"
      )
    case "bytes":
      return fmt.bytes(value)
    case "coordinate":
      return typeof value === "number"
        ? fmt.number(Number(value.toFixed(6)), { digits: decimalsIn(value, 6) })
        : undefined
    default:
      return undefined
  }
}

/** The plain text of a value as the field shows it: for sorting, filters and labels. */
export const fieldText = (value: unknown, field: Field, row: JsonRecord = {}): string =>
  isEmpty(value) ? "" : (plain(value, field, row) ?? textOf(value))

const toneOf = (tone: unknown, text: string): string | undefined => {
  if (typeof tone === "string") return tone
  const found = isRecord(tone) ? tone[text] : undefined
  return typeof found === "string" ? found : undefined
}

const usual = (value: unknown, field: Field, row: JsonRecord): Child => {
  if (isEmpty(value)) return h("span", { class: "mg-muted" }, nothing)
  const text = plain(value, field, row)
  if (text !== undefined) return text
  switch (field.type) {
    case "boolean": {
      const isTrue = /^(true|yes|y|1)$/i.test(textOf(value))
      return h("span", { class: isTrue ? "mg-yes" : "mg-no" }, icon(isTrue ? "check" : "cross"), isTrue ? "Yes" : "No")
    }
    case "badge":
      return h(
        "span",
        { class: "mg-badges" },
        listOf(value).map((item) => badge(item, toneOf(field.tone, textOf(item))))
      )
    case "url":
    case "link":
      return link(value)
    case "image":
      return imageNode(value, field)
    case "color":
      return h(
        "span",
        { class: "mg-swatch" },
        h("i", { style: { background: textOf(value) } }),
        h("code", {}, textOf(value))
      )
    case "id":
    case "code":
      return h("code", {}, textOf(value))
    case "list":
      return Array.isArray(value) ? listNode(value, 12) : textOf(value)
    case "meter":
      return meter(value, {
        label: field.label,
        ...(numberOf(field.of) === undefined ? {} : { max: numberOf(field.of) ?? 1 })
      })
    case "json":
      return h("code", {}, clip(jsonOf(value), 400))
    default:
      if (typeof value === "boolean") return value ? "Yes" : "No"
      if (Array.isArray(value) && value.every((item) => typeof item !== "object")) return listNode(value, 12)
      return typeof value === "object" ? objectNode(value) : textOf(value)
  }
}

/** The content for a value: the field's `render`, else what its type asks for. */
export const fieldNode = (value: unknown, field: Field, row: JsonRecord = {}): Child => {
  const own = field.render === undefined ? undefined : attempt(() => field.render?.(value, row))
  const ownNode = own === undefined ? undefined : attempt(() => fragment(own))
  return ownNode ?? (value instanceof Node ? value : usual(value, field, row))
}

/** A value as an author gave it, which may be a node, with options that may tell its type. */
export const givenValue = (value: unknown, options: JsonRecord, key = ""): Child => {
  if (value instanceof Node) return value
  const field = told({ ...options, render: undefined, key: key === "" ? "value" : key }, [
    { [key === "" ? "value" : key]: value }
  ])
  return field === undefined ? textOf(value) : fieldNode(value, field, options)
}
