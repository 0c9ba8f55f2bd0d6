import { isObject } from "../../domain/isObject.ts"
import type * as Authored from "../../../types/parts.d.ts"
import { labelOf } from "../../domain/labelOf.ts"
import {
  columnOf,
  columnsOf,
  isEmpty,
  namesBeside,
  sampleOf,
  type JsonRecord,
  type NamesBeside,
  numberOf,
  type ResultColumn
} from "../../domain/results/ResultColumn.ts"
import { badge } from "./badge.ts"
import { type Child, fragment, h, link, safeUrl } from "./dom.ts"
import { icon } from "./icons.ts"
import { fmt, nothing } from "./format.ts"
import { meter } from "./meter.ts"
import { attempt, clip, firstMember, jsonOf, listOf, memberOf, nameIn, textOf } from "./values.ts"

/** A field with everything known that is needed to show it. */
export interface Field extends Omit<Authored.Field, "label" | "type" | "render"> {
  readonly label: string
  readonly type: string
  readonly render?: Authored.Field["render"] | undefined
  readonly scale?: number
  /** Numbers in text, to be shown as they are written. */
  readonly written?: boolean
  /** Each with all its digits after the point, as in a column. */
  readonly padded?: boolean
}

/** The field for a column whose type was guessed. */
export const guessedField = ({ kind, ...column }: ResultColumn): Field => ({ ...column, type: kind })

const told = (
  given: unknown,
  rows: ReadonlyArray<JsonRecord>,
  beside?: NamesBeside,
  name?: string
): Field | undefined => {
  const options = isObject(given) ? given : {}
  const key = textOf(name ?? (isObject(given) ? (given.key ?? given.name) : given))
  const render = typeof given === "function" ? given : options.render
  const hasRender = typeof render === "function"
  if (key === "" && !hasRender) return undefined
  const field = guessedField(
    columnOf(
      key,
      sampleOf(rows).map((row) => memberOf(row, key)),
      beside
    )
  )
  const { type } = options
  const label = name !== undefined && typeof given === "string" ? given : (options.label ?? options.title)
  return {
    ...field,
    ...(options as Partial<Field>),
    key,
    label: textOf(label ?? labelOf(key.split(".").at(-1) ?? key)),
    ...(typeof type === "string" ? { type, written: false } : { type: field.type }),
    render: hasRender ? (render as NonNullable<Field["render"]>) : undefined
  }
}

/** `{id: "#"}` as an item of a list; `{name: "Ingredient"}`, too, where no member is called so. */
const isByName = (item: unknown, rows: ReadonlyArray<JsonRecord>): boolean => {
  if (!isObject(item)) return false
  const isNamed = Object.keys(item).length > 1 || memberOf(rows[0], textOf(item.name)) !== undefined
  return !["key", "render", ...(isNamed ? ["name", "label", "title"] : [])].some((name) => Object.hasOwn(item, name))
}

/** Fields as the author gave them (names, options, or an object of labels by name), else all that the records have. */
export const fieldsOf = (given: unknown, rows: ReadonlyArray<JsonRecord>): ReadonlyArray<Field> => {
  const beside = namesBeside(Object.keys(rows[0] ?? {}))
  const named = (isObject(given) ? [given] : listOf(given)).flatMap((item) =>
    isByName(item, rows) || (item === given && isObject(given))
      ? Object.entries(item as JsonRecord).map(([name, options]) => told(options, rows, beside, name))
      : [told(item, rows, beside)]
  )
  const known = named.filter((field) => field !== undefined)
  return known.length > 0 ? known : columnsOf(rows).map(guessedField)
}

const numeric = new Set(["number", "money", "percent", "duration", "bytes", "year", "coordinate"])

export const isNumeric = (field: Field): boolean => numeric.has(field.type)

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

/** The first members of an object that has no name: "x 1 · y 2". */
const membersText = (record: JsonRecord): string => {
  const isShort = (value: unknown): boolean =>
    (Array.isArray(value) ? value.length < 5 : true) && listOf(value).every((item) => typeof item !== "object")
  const shown = Object.entries(record)
    .filter(([, value]) => !isEmpty(value) && isShort(value))
    .slice(0, 3)
    .map(([key, value]) => `${labelOf(key).toLowerCase()} ${clip(listOf(value).map(textOf).join(", "), 40)}`)
  const count = Object.keys(record).length
  return shown.length === 0 ? fmt.plural(count, "field") : `${shown.join(" · ")}${count > shown.length ? " …" : ""}`
}

const objectNode = (value: unknown): Child => {
  if (Array.isArray(value)) {
    const names = value.length > 6 ? [] : value.map((item) => (isObject(item) ? nameIn(item)?.value : undefined))
    const areNames = names.length > 0 && names.every((name) => typeof name === "string" && name.length <= 32)
    return areNames ? listNode(names, 6) : h("span", { class: "mg-muted" }, fmt.plural(value.length, "item"))
  }
  if (!isObject(value)) return textOf(value)
  const named = nameIn(value)
  return named === undefined ? membersText(value) : clip(textOf(named.value), 200)
}

/** An object that a cell has as text, as databases keep them: its members. */
const objectIn = (text: string): Child => {
  const value: unknown = /^\{.{4,400}\}$/.test(text) ? attempt(() => JSON.parse(text)) : undefined
  return isObject(value) ? objectNode(value) : undefined
}

const imageNode = (source: string, field: Field): Child => {
  if (/^data:image\//i.test(source))
    return h("img", { class: "mg-thumb", src: source, alt: field.label, loading: "lazy" })
  return safeUrl(source) === undefined ? clip(source, 80) : link(source)
}

/** How many digits after the point a number has, at most `most`. */
export const decimalsIn = (value: number, most: number): number =>
  Math.min(most, /\.(\d+)$/.exec(String(Number(value.toPrecision(12))))?.[1]?.length ?? 0)

/** A number that is the answer is shown as exactly as it came, unless the author says how. */
export const exactly = <A extends { readonly digits?: unknown; readonly type?: unknown }>(
  value: unknown,
  given: A,
  most: number
): A =>
  typeof value === "number" && given.digits === undefined && (given.type === undefined || given.type === "number")
    ? { ...given, digits: decimalsIn(value, most) }
    : given

const plainTexts: Readonly<Record<string, (value: unknown, field: Field, row: JsonRecord) => string | undefined>> = {
  number: fmt.number,
  money: (value, field, row) => {
    const currency = field.currency ?? firstMember(row, ["currency", "currencyCode", "currency_code"])
    return fmt.money(value, { ...field, currency: textOf(currency) })
  },
  percent: (value, field) => fmt.percent(value, { ...field, of: field.of ?? field.scale }),
  date: (value) => fmt.date(value),
  datetime: (value) => fmt.date(value, { time: true }),
  time: fmt.time,
  relative: fmt.relative,
  duration: (value, { scale, unit }) => fmt.duration(value, scale === 1000 ? "ms" : unit),
  bytes: fmt.bytes,
  coordinate: (value) =>
    typeof value === "number" ? fmt.number(Number(value.toFixed(6)), { digits: decimalsIn(value, 6) }) : undefined
}

const plain = (value: unknown, field: Field, row: JsonRecord): string | undefined =>
  field.written === true && typeof value === "string"
    ? value
    : Object.hasOwn(plainTexts, field.type)
      ? plainTexts[field.type]?.(value, field, row)
      : undefined

/** The plain text of a value as the field shows it: for sorting, filters and labels. */
export const fieldText = (value: unknown, field: Field, row: JsonRecord = {}): string =>
  isEmpty(value) ? "" : (plain(value, field, row) ?? textOf(value))

const toneOf = (tone: unknown, text: string): unknown => (isObject(tone) ? tone[text] : tone)

const code = (text: string): HTMLElement => h("code", {}, text)

const usual = (value: unknown, field: Field, row: JsonRecord): Child => {
  if (isEmpty(value)) return h("span", { class: "mg-muted" }, nothing)
  const shown = plain(value, field, row)
  if (shown !== undefined) return shown
  const text = textOf(value)
  switch (field.type) {
    case "boolean": {
      const isTrue = /^(true|y(es)?|1)$/i.test(text)
      return h("span", { class: isTrue ? "mg-yes" : "mg-no" }, icon(isTrue ? "check" : "cross"), isTrue ? "Yes" : "No")
    }
    case "badge":
      return h(
        "span",
        { class: "mg-badges" },
        listOf(value).map((item) => badge(item, toneOf(field.tone, textOf(item))))
      )
    case "url":
      return link(value)
    case "image":
      return imageNode(text, field)
    case "color":
      return h("span", { class: "mg-yes" }, h("i", { class: "mg-swatch", style: { background: text } }), code(text))
    case "id":
      // Hashes are cut by their style: the whole is selected, copied, and read on hover.
      return /^(?=.*[a-f])[0-9a-f]{32,}$/i.test(text) ? h("code", { class: "mg-hash", title: text }, text) : code(text)
    case "code":
      return code(text)
    case "meter":
      return meter(value, { label: field.label, max: field.of })
    case "json":
      return code(clip(jsonOf(value), 400))
    default:
      if (typeof value === "boolean") return value ? "Yes" : "No"
      if (Array.isArray(value) && (field.type === "list" || value.every((item) => typeof item !== "object")))
        return listNode(value, 12)
      return typeof value === "object" ? objectNode(value) : (objectIn(text) ?? text)
  }
}

/** The content for a value: the field's `render`, else what its type asks for. */
export const fieldNode = (value: unknown, field: Field, row: JsonRecord = {}): Child => {
  const own = field.render === undefined ? undefined : attempt(() => field.render?.(value, row))
  const ownNode = own === undefined ? undefined : attempt(() => fragment(own))
  return ownNode ?? (value instanceof Node ? value : usual(value, field, row))
}

/** What has a unit is a number, also where it came as text. */
export const measured = (value: unknown, unit: unknown): unknown =>
  typeof value === "string" && !isEmpty(unit) ? (numberOf(value) ?? value) : value

/** A value as an author gave it, which may be a node, with options that may tell its type. */
export const givenValue = (given: unknown, options: JsonRecord, key = ""): Child => {
  const name = key || "value"
  const value = measured(given, options.unit)
  const field = told({ ...options, render: undefined, key: name }, [{ [name]: value }])
  return field === undefined ? textOf(value) : fieldNode(value, field, options)
}
