import { isObject } from "../../domain/isObject.ts"
import type { StatOptions, DetailOptions, CardsOptions, ListOptions, TimelineOptions } from "../../../types/parts.d.ts"
import { isEmpty, type JsonRecord } from "../../domain/results/ResultColumn.ts"
import { readTone } from "./badge.ts"
import { copyButton } from "./copyButton.ts"
import { type Child, fragment, h, link, safeUrl } from "./dom.ts"
import { exactly, decimalsIn, type Field, fieldNode, fieldsOf, givenValue, isNumeric } from "./field.ts"
import { fmt } from "./format.ts"
import { gradually } from "./gradually.ts"
import { disclosure, empty } from "./layout.ts"
import { plainTable } from "./markdown.ts"
import { itemNodes, made, picked, shown, timeNode } from "./picks.ts"
import { clip, isNothing, isPlain, memberOf, optionsOf, rowsOf, shownOf, textOf } from "./values.ts"

export const stat = (label?: Child, value?: Child, options?: StatOptions): HTMLElement => {
  const given = optionsOf<StatOptions>(options) as JsonRecord
  const content = fragment(
    given.type === undefined && given.unit === undefined && isEmpty(value) && !(value instanceof Node)
      ? "–"
      : givenValue(value, exactly(value, given, 4), textOf(label))
  )
  return h(
    "div",
    { class: "mg-stat" },
    h("div", { class: "mg-stat-label" }, label),
    h(
      "div",
      {
        class: `mg-stat-value${textOf(content.textContent).length > 9 ? " mg-stat-long" : ""} mg-tone-${readTone(given.tone) ?? "neutral"}`
      },
      content
    ),
    isNothing(given.note) || h("div", { class: "mg-stat-label" }, given.note)
  )
}

export const stats = (items?: unknown, options?: { readonly fields?: unknown }): HTMLElement => {
  const fields = optionsOf<{ readonly fields: unknown }>(options).fields
  const frame = h("div", { class: "mg-stats" })
  if (isPlain(items) && !("label" in items && "value" in items)) {
    const chosen = fieldsOf(fields ?? Object.keys(items).filter((key) => typeof items[key] !== "object"), [items])
    return gradually(frame, chosen, (field) =>
      stat(field.label, fragment(fieldNode(memberOf(items, field.key), field, items)))
    )
  }
  return gradually(frame, shownOf(items), (item) =>
    isPlain(item) ? stat(item.label ?? item.title ?? item.name, item.value, item as StatOptions) : item
  )
}

const nested = (value: unknown, depth: number): Child => {
  if (depth > 3) return undefined
  if (isPlain(value))
    return disclosure(fmt.plural(Object.keys(value).length, "field"), () => rows(value, undefined, true, depth + 1), {
      open: depth === 0 && Object.keys(value).length <= 6
    })
  if (!Array.isArray(value) || value.every((item) => typeof item !== "object" || item === null)) return undefined
  return disclosure(
    fmt.plural(value.length, "item"),
    () =>
      smallTable(value) ??
      gradually(h("div", { class: "mg-stack" }), value, (item: unknown) =>
        isObject(item) ? rows(item, undefined, true, depth + 1) : h("div", {}, clip(textOf(item), 2000))
      ),
    { open: depth === 0 && value.length <= 6 }
  )
}

/** Records of a few plain members each, as rows below each other; `undefined` for all else. */
const smallTable = (value: ReadonlyArray<unknown>): HTMLElement | undefined => {
  const records = value.filter(isObject)
  const fields = records.length === value.length ? fieldsOf(undefined, records) : []
  const arePlain = records.every((record) =>
    Object.values(record).every(
      (member) => (typeof member !== "object" || member === null || isEmpty(member)) && textOf(member).length <= 200
    )
  )
  if (fields.length === 0 || fields.length > 8 || !arePlain) return undefined
  const line = (tag: string, content: (field: Field) => Child): Child =>
    h(
      "tr",
      {},
      fields.map((field) =>
        h(tag, { scope: tag === "th" && "col", class: isNumeric(field) && "mg-end" }, content(field))
      )
    )
  const head = line("th", ({ label }) => label)
  const row = (record: JsonRecord): Child =>
    line("td", (field) => fieldNode(memberOf(record, field.key), field, record))
  return plainTable(head, records, row, "Items")
}

/** A number alone is shown as exactly as it came. */
const exact = (field: Field, value: unknown): Field =>
  field.type === "number" && field.digits === undefined && typeof value === "number"
    ? { ...field, digits: decimalsIn(value, 12) }
    : field

const rows = (record: JsonRecord, given: unknown, hideEmpty: boolean, depth: number, copies = false): HTMLElement => {
  const chosen = given === undefined ? fieldsOf(Object.keys(record), [record]) : fieldsOf(given, [record])
  const entries = chosen
    .map((field) => ({ field, value: memberOf(record, field.key) }))
    .filter(({ field, value }) => !hideEmpty || field.render !== undefined || value instanceof Node || !isEmpty(value))
  if (entries.length === 0) return empty()
  return gradually(h("dl", { class: "mg-detail" }), entries, ({ field, value }) => {
    const structure = field.render === undefined ? nested(value, depth) : undefined
    const long = typeof value === "string" && field.type === "text" && value.length > 1200
    const content = structure ?? (long ? longText(value) : fieldNode(value, exact(field, value), record))
    return h(
      "div",
      { class: "mg-detail-row" },
      h("dt", {}, field.label),
      h("dd", {}, content),
      copies && copyButton(() => textOf(value))
    )
  })
}

const longText = (value: string): Child => [
  h("div", {}, clip(value, 600)),
  disclosure("Show all of it", () => h("div", { class: "mg-text" }, value))
]

export const detail = (record?: unknown, options?: Partial<DetailOptions>): HTMLElement => {
  const given = optionsOf<DetailOptions>(options)
  const body = rows(
    isPlain(record) ? record : { value: record },
    given.fields,
    given.hideEmpty !== false,
    0,
    given.copy === true
  )
  return textOf(given.title) === ""
    ? body
    : h("section", { class: "mg-section" }, h("h2", { class: "mg-heading" }, textOf(given.title)), body)
}

export const cards = (items?: unknown, options?: Partial<CardsOptions>): HTMLElement => {
  const given = optionsOf<CardsOptions>(options)
  const source = shownOf(items)
  if (source.length === 0) return empty(given.empty)
  return gradually(h("div", { class: "mg-cards" }), source, (item) => {
    if (!isPlain(item)) return h("article", { class: "mg-card" }, item)
    const image = textOf(picked(item, given.image, "image"))
    const actions = made(given.actions, item)
    return h(
      "article",
      { class: "mg-card" },
      /^data:image\//i.test(image) && h("img", { src: image, alt: "", class: "mg-card-image" }),
      itemNodes(item, { ...given, ...(given.subtitle === undefined ? {} : { text: given.subtitle }) }),
      given.fields !== undefined && rows(item, given.fields, true, 2),
      made(given.content, item),
      isNothing(actions) || h("div", { class: "mg-toolbar" }, actions)
    )
  })
}

const listItem = (item: unknown, given: Partial<ListOptions>): Child => {
  const own = made(given.render, item)
  if (own !== undefined) return own
  if (!isPlain(item)) return typeof item === "string" && safeUrl(item) !== undefined ? link(item) : shown(item)
  return h(
    "div",
    { class: "mg-item" },
    h("div", { class: "mg-grow" }, itemNodes(item, given)),
    timeNode(item, given.meta)
  )
}

export const list = (items?: unknown, options?: Partial<ListOptions>): HTMLElement => {
  const given = optionsOf<ListOptions>(options)
  const source = shownOf(items)
  if (source.length === 0) return empty(given.empty)
  const areTexts = !source.some(isPlain)
  const frame = h(given.ordered === true ? "ol" : "ul", { class: areTexts ? "mg-list mg-list-plain" : "mg-list" })
  return gradually(frame, source, (item) => h("li", {}, listItem(item, given)))
}

export const timeline = (items?: unknown, options?: Partial<TimelineOptions>): HTMLElement => {
  const given = optionsOf<TimelineOptions>(options)
  const source = rowsOf(items, ["title"])
  if (source.length === 0) return empty(given.empty)
  return gradually(h("ol", { class: "mg-timeline" }), source, (item) =>
    h("li", {}, timeNode(item, given.time), itemNodes(item, given))
  )
}
