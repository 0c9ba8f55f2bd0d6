import { isEmpty, isRecord, numberOf, type JsonRecord } from "../../domain/results/ResultColumn.ts"
import { badge, readTone } from "./badge.ts"
import { spark } from "./chartSpark.ts"
import { type Child, fragment, h, link, safeUrl } from "./dom.ts"
import { decimalsIn, type Field, fieldNode, fieldsOf, givenValue, isNumeric, type FieldOptions } from "./field.ts"
import { fmt } from "./format.ts"
import { gradually } from "./gradually.ts"
import { disclosure, empty } from "./layout.ts"
import { attempt, clip, firstMember, listOf, memberOf, nameIn, optionsOf, rowsOf, textOf } from "./values.ts"

/** A member's name, or a function of the item. */
export type Pick = string | ((item: JsonRecord) => Child)

const picked = (item: JsonRecord, pick: unknown, guesses: ReadonlyArray<string>): Child => {
  if (typeof pick === "function") return attempt(() => pick(item))
  if (pick === null || pick === false) return undefined
  return typeof pick === "string" ? memberOf(item, pick) : firstMember(item, guesses)
}

const isNothing = (child: Child): boolean => !(child instanceof Node) && isEmpty(child)

const shown = (value: Child, key = ""): Child =>
  value instanceof Node || Array.isArray(value) ? value : givenValue(value, {}, key)

const badgesOf = (value: Child): Child =>
  isNothing(value) ? undefined : value instanceof Node ? value : badge(Array.isArray(value) ? value : [value])

const titles = ["title", "name", "label", "displayName", "subject", "heading", "text", "value", "id"]
const subtitles = ["subtitle", "description", "summary", "text", "message", "body", "content", "email", "path"]
const metas = ["date", "time", "updated_at", "updatedAt", "created_at", "createdAt", "timestamp", "at"]
const badgeGuesses = ["badge", "status", "state", "priority", "severity"]

export interface StatOptions extends Partial<Omit<FieldOptions, "key" | "label">> {
  /** Below the value. */
  readonly note?: Child
  /** A change: a number gets its sign, a tone colours it. */
  readonly delta?: unknown
  /** A trend, drawn small. */
  readonly spark?: unknown
}

/** One figure with its label. */
export const stat = (label?: Child, value?: Child, options?: StatOptions): HTMLElement => {
  const given = optionsOf<StatOptions>(options) as JsonRecord
  const delta = numberOf(given.delta)
  const trend = listOf(given.spark)
  const valueNode =
    given.type === undefined && given.unit === undefined && isEmpty(value) && !(value instanceof Node)
      ? "–"
      : givenValue(value, given, textOf(label))
  return h(
    "div",
    { class: "mg-stat" },
    h("div", { class: "mg-stat-label" }, label),
    h("div", { class: `mg-stat-value mg-tone-${readTone(given.tone) ?? "neutral"}` }, valueNode),
    !isEmpty(given.delta) &&
      h(
        "div",
        { class: "mg-stat-note" },
        delta === undefined
          ? textOf(given.delta)
          : (given.type === "percent" ? fmt.percent : fmt.number)(delta, { sign: true })
      ),
    !isNothing(given.note) && h("div", { class: "mg-stat-note" }, given.note),
    trend.length > 1 && spark(trend, { label: `Trend of ${textOf(label)}` })
  )
}

/** Figures side by side: `[{label, value, type?, unit?, note?, delta?, tone?, spark?}]`, or an object of values by label. */
export const stats = (items?: unknown, options?: { readonly fields?: unknown }): HTMLElement => {
  const fields = optionsOf<{ readonly fields: unknown }>(options).fields
  if (isRecord(items) && !(items instanceof Node) && !("label" in items && "value" in items)) {
    const chosen = fieldsOf(fields ?? Object.keys(items).filter((key) => typeof items[key] !== "object"), [items])
    return h(
      "div",
      { class: "mg-stats" },
      chosen.map((field) => stat(field.label, fragment(fieldNode(memberOf(items, field.key), field, items))))
    )
  }
  return h(
    "div",
    { class: "mg-stats" },
    listOf(items)
      .filter((item) => item !== null && item !== undefined && typeof item !== "boolean")
      .map((item) => {
        if (item instanceof Node) return item
        if (Array.isArray(item)) return stat(textOf(item[0]), item[1])
        if (!isRecord(item)) return stat("", item)
        return stat(item.label ?? item.title ?? item.name, item.value ?? item.text, item as StatOptions)
      })
  )
}

export interface DetailOptions {
  readonly fields: unknown
  readonly title: string
  /** Empty values are left out unless false. */
  readonly hideEmpty: boolean
}

const nested = (value: unknown, depth: number): Child => {
  if (depth > 3) return undefined
  if (isRecord(value) && !(value instanceof Node))
    return disclosure(fmt.plural(Object.keys(value).length, "field"), () => rows(value, undefined, true, depth + 1), {
      open: depth === 0 && Object.keys(value).length <= 6
    })
  if (!Array.isArray(value) || value.every((item) => typeof item !== "object" || item === null)) return undefined
  return disclosure(
    fmt.plural(value.length, "item"),
    () =>
      smallTable(value) ??
      gradually(h("div", { class: "mg-stack" }), value, (item: unknown) =>
        isRecord(item) ? rows(item, undefined, true, depth + 1) : h("div", {}, clip(textOf(item), 2000))
      ),
    { open: depth === 0 && value.length <= 6 }
  )
}

/** Records of a few plain members each, as rows below each other; `undefined` for all else. */
const smallTable = (value: ReadonlyArray<unknown>): HTMLElement | undefined => {
  const records = value.filter(isRecord)
  const fields = records.length === value.length ? fieldsOf(undefined, records) : []
  const arePlain = records.every((record) =>
    Object.values(record).every(
      (member) => (typeof member !== "object" || member === null || isEmpty(member)) && textOf(member).length <= 200
    )
  )
  if (fields.length === 0 || fields.length > 8 || !arePlain) return undefined
  const body = h("tbody")
  const grid = h(
    "table",
    { class: "mg-table" },
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        fields.map((field) => h("th", { scope: "col", class: isNumeric(field) && "mg-end" }, field.label))
      )
    ),
    body
  )
  return gradually(
    body,
    records,
    (record) =>
      h(
        "tr",
        {},
        fields.map((field) =>
          h("td", { class: isNumeric(field) && "mg-end" }, fieldNode(memberOf(record, field.key), field, record))
        )
      ),
    h("div", { class: "mg-scroll", role: "group", tabindex: 0, "aria-label": "Items" }, grid)
  )
}

/** A number alone is shown as exactly as it came. */
const exact = (field: Field, value: unknown): Field =>
  field.type === "number" && field.digits === undefined && typeof value === "number"
    ? { ...field, digits: decimalsIn(value, 12) }
    : field

const rows = (record: JsonRecord, given: unknown, hideEmpty: boolean, depth: number): HTMLElement => {
  const chosen = given === undefined ? fieldsOf(Object.keys(record), [record]) : fieldsOf(given, [record])
  const entries = chosen
    .map((field) => ({ field, value: memberOf(record, field.key) }))
    .filter(({ field, value }) => !hideEmpty || field.render !== undefined || value instanceof Node || !isEmpty(value))
  if (entries.length === 0) return empty()
  return h(
    "dl",
    { class: "mg-detail" },
    entries.map(({ field, value }) => {
      const structure = field.render === undefined ? nested(value, depth) : undefined
      const long = typeof value === "string" && field.type === "text" && value.length > 1200
      const content = structure ?? (long ? longText(value) : fieldNode(value, exact(field, value), record))
      return h("div", { class: "mg-detail-row" }, h("dt", {}, field.label), h("dd", {}, content))
    })
  )
}

const longText = (value: string): Child => [
  h("div", {}, clip(value, 600)),
  disclosure("Show all of it", () => h("div", { class: "mg-text" }, value))
]

/**
 * Names and values of one record: `detail(record, {fields?, title?, hideEmpty?})`. Fields are given as table columns are;
 * values may be nodes; objects and lists inside are folded.
 */
export const detail = (record?: unknown, options?: Partial<DetailOptions>): HTMLElement => {
  const given = optionsOf<DetailOptions>(options)
  const chosen = given.fields ?? (given as JsonRecord).columns
  const pairs =
    Array.isArray(record) && record.every((pair) => Array.isArray(pair) || (isRecord(pair) && "label" in pair))
  const source = pairs
    ? Object.fromEntries(
        (record as ReadonlyArray<unknown>).map((pair) =>
          Array.isArray(pair)
            ? [textOf(pair[0]), pair[1]]
            : isRecord(pair)
              ? [textOf(pair.label), pair.value]
              : ["", pair]
        )
      )
    : isRecord(record) && !(record instanceof Node)
      ? record
      : { value: record }
  const body = rows(source, chosen, given.hideEmpty !== false, 0)
  return textOf(given.title) === ""
    ? body
    : h("section", { class: "mg-section" }, h("h2", { class: "mg-heading" }, textOf(given.title)), body)
}

export interface CardsOptions {
  readonly title: Pick
  readonly subtitle: Pick
  readonly badge: Pick
  /** A `data:` image; the default policy of hosts blocks all others. */
  readonly image: Pick
  /** As table columns; none unless given. */
  readonly fields: unknown
  /** An address for the title. */
  readonly href: Pick
  /** Nodes at the foot. */
  readonly actions: (item: JsonRecord) => Child
  /** More content. */
  readonly content: (item: JsonRecord) => Child
  readonly onClick: (item: JsonRecord) => unknown
  readonly empty: Child
}

const titleNode = (item: JsonRecord, pick: unknown, href: unknown, onClick: unknown): Child => {
  const title = picked(item, pick, titles)
  const label = isNothing(title) ? (nameIn(item)?.value ?? "–") : title
  const address = safeUrl(href)
  if (typeof onClick === "function") {
    return h(
      "button",
      { type: "button", class: "mg-linkbutton", onclick: () => attempt(() => onClick(item)) },
      shown(label)
    )
  }
  return address === undefined ? shown(label) : link(address, shown(label))
}

/** Items as cards in a grid. What is not told is guessed: title from `title` or `name`, subtitle from `description`, badge from `status`. */
export const cards = (items?: unknown, options?: Partial<CardsOptions>): HTMLElement => {
  const given = optionsOf<CardsOptions>(options)
  const source = listOf(items).filter((item) => item !== null && item !== undefined && typeof item !== "boolean")
  if (source.length === 0) return empty(given.empty)
  return gradually(h("div", { class: "mg-cards" }), source, (item) => {
    if (item instanceof Node || !isRecord(item))
      return h("article", { class: "mg-card" }, item instanceof Node ? item : textOf(item))
    const image = textOf(picked(item, given.image, ["image", "thumbnail", "avatar"]))
    const subtitle = picked(item, given.subtitle, subtitles)
    const fields = given.fields ?? (given as JsonRecord).columns
    const extra = typeof given.content === "function" ? attempt(() => given.content?.(item)) : undefined
    const actions = typeof given.actions === "function" ? attempt(() => given.actions?.(item)) : undefined
    return h(
      "article",
      { class: "mg-card" },
      /^data:image\//i.test(image) && h("img", { src: image, alt: "", class: "mg-card-image" }),
      h(
        "div",
        { class: "mg-card-head" },
        h(
          "div",
          { class: "mg-card-title" },
          titleNode(item, given.title, picked(item, given.href, ["url", "html_url", "link", "href"]), given.onClick)
        ),
        badgesOf(picked(item, given.badge, badgeGuesses))
      ),
      !isNothing(subtitle) &&
        h("div", { class: "mg-card-text" }, subtitle instanceof Node ? subtitle : clip(textOf(subtitle), 300)),
      fields !== undefined && rows(item, fields, true, 2),
      extra,
      !isNothing(actions) && h("div", { class: "mg-toolbar" }, actions)
    )
  })
}

export interface ListOptions {
  readonly ordered: boolean
  readonly title: Pick
  readonly text: Pick
  /** At the end of the line. */
  readonly meta: Pick
  readonly badge: Pick
  readonly href: Pick
  readonly onClick: (item: JsonRecord) => unknown
  readonly render: (item: unknown) => Child
  readonly empty: Child
}

const listItem = (item: unknown, given: Partial<ListOptions>): Child => {
  const own = typeof given.render === "function" ? attempt(() => given.render?.(item)) : undefined
  if (own !== undefined) return own
  if (item instanceof Node || !isRecord(item))
    return typeof item === "string" && safeUrl(item) !== undefined ? link(item) : shown(item)
  const body = picked(item, given.text, subtitles)
  const meta = picked(item, given.meta, metas)
  const metaKey = typeof given.meta === "string" ? given.meta : "time"
  const title = picked(item, given.title, titles)
  return h(
    "div",
    { class: "mg-item" },
    h(
      "div",
      { class: "mg-grow" },
      h(
        "div",
        { class: "mg-item-title" },
        titleNode(item, given.title, picked(item, given.href, ["url", "html_url", "link", "href"]), given.onClick),
        badgesOf(picked(item, given.badge, badgeGuesses))
      ),
      !isNothing(body) &&
        body !== title &&
        h("div", { class: "mg-item-text" }, body instanceof Node ? body : clip(textOf(body), 400))
    ),
    !isNothing(meta) && h("div", { class: "mg-item-meta" }, shown(meta, metaKey))
  )
}

/** Items below each other: nodes, text, or objects (title, text, meta and badge guessed unless told). */
export const list = (items?: unknown, options?: Partial<ListOptions>): HTMLElement => {
  const given = optionsOf<ListOptions>(options)
  const source = listOf(items).filter((item) => item !== null && item !== undefined && typeof item !== "boolean")
  if (source.length === 0) return empty(given.empty)
  const isPlain = source.every((item) => !isRecord(item) || item instanceof Node)
  const frame = h(given.ordered === true ? "ol" : "ul", { class: isPlain ? "mg-list mg-list-plain" : "mg-list" })
  return gradually(frame, source, (item) => h("li", {}, listItem(item, given)))
}

export interface TimelineOptions {
  readonly time: Pick
  readonly title: Pick
  readonly text: Pick
  readonly badge: Pick
  readonly empty: Child
}

/** Events in the order given: `{time, title, text?, badge?}`, other names guessed or told. */
export const timeline = (items?: unknown, options?: Partial<TimelineOptions>): HTMLElement => {
  const given = optionsOf<TimelineOptions>(options)
  const source = rowsOf(items, ["title"])
  if (source.length === 0) return empty(given.empty)
  return gradually(h("ol", { class: "mg-timeline" }), source, (item) => {
    const time = picked(item, given.time, [...metas, "start", "when"])
    const body = picked(item, given.text, subtitles)
    return h(
      "li",
      {},
      !isNothing(time) &&
        h("div", { class: "mg-item-meta" }, shown(time, typeof given.time === "string" ? given.time : "time")),
      h(
        "div",
        { class: "mg-item-title" },
        titleNode(item, given.title, undefined, undefined),
        badgesOf(picked(item, given.badge, badgeGuesses))
      ),
      !isNothing(body) && h("div", { class: "mg-item-text" }, body instanceof Node ? body : clip(textOf(body), 600))
    )
  })
}
