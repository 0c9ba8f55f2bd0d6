import type { FindingsOptions, HitsOptions } from "../../../types/parts.d.ts"
import { isEmpty, type JsonRecord } from "../../domain/results/ResultColumn.ts"
import { readTone, type Tone } from "./badge.ts"
import { type Child, h } from "./dom.ts"
import { fmt } from "./format.ts"
import { gradually } from "./gradually.ts"
import { icon } from "./icons.ts"
import { empty } from "./layout.ts"
import { made, picked, titleNode } from "./picks.ts"
import { clip, isNothing, listOf, optionsOf, rowsOf, textOf } from "./values.ts"

const longest = 600

/** A text in which what was searched for is marked; `query` is a text or a list of words. */
const marked = (text: unknown, query: unknown): Child => {
  const source = clip(textOf(text).trim(), longest)
  const words = listOf(query)
    .flatMap((part) => (part instanceof RegExp ? [] : textOf(part).split(/\s+/)))
    .filter((word) => word.length > 1)
  const lower = source.toLowerCase()
  const nodes: Array<Child> = []
  let at = 0
  while (at < source.length) {
    let next = -1
    let length = 0
    for (const word of words) {
      const found = lower.indexOf(word.toLowerCase(), at)
      if (found >= 0 && (next < 0 || found < next)) {
        next = found
        length = word.length
      }
    }
    if (next < 0) break
    nodes.push(source.slice(at, next), h("mark", {}, source.slice(next, next + length)))
    at = next + length
  }
  return [...nodes, source.slice(at)]
}

export const hits = (items?: unknown, options?: Partial<HitsOptions>): HTMLElement => {
  const given = optionsOf<HitsOptions>(options)
  const source = rowsOf(items, ["title"])
  if (source.length === 0) return empty(given.empty ?? "Nothing was found.")
  return gradually(h("ol", { class: "mg-hits" }), source, (item) => {
    const text = picked(item, given.text, "text")
    const title = picked(item, given.title, "title")
    const place = textOf(picked(item, given.path, "path"))
    const line = picked(item, given.line, "line")
    const path = place === textOf(title) ? "" : place
    const meta = picked(item, given.meta, "badge")
    return h(
      "li",
      {},
      h(
        "div",
        { class: "mg-item-title" },
        isNothing(title)
          ? path
          : titleNode({ ...item, "": title }, { ...given, title: () => h("span", {}, marked(title, given.query)) }),
        !isEmpty(meta) && h("span", { class: "mg-item-meta" }, textOf(meta))
      ),
      (path !== "" || !isEmpty(line)) &&
        h("div", { class: "mg-hit-path" }, path, !isEmpty(line) && `${path === "" ? "Line " : ":"}${textOf(line)}`),
      !isEmpty(text) && text !== title && h("div", { class: "mg-hit-text" }, marked(text, given.query)),
      made(given.actions, item)
    )
  })
}

const severityNames = "severity level tone type status kind".split(" ")

const toneIn = (item: JsonRecord, pick: unknown): Tone => {
  const told = typeof pick === "function" || typeof pick === "string" ? picked(item, pick, "badge") : undefined
  const words = told === undefined ? severityNames.map((name) => item[name]) : [told]
  // Some linters count: 1 is a warning, 2 an error.
  return words.map((word) => readTone(word === 2 ? "error" : word === 1 ? "warning" : word)).find(Boolean) ?? "neutral"
}

const rank: Readonly<Record<Tone, number>> = { danger: 0, warning: 1, info: 2, neutral: 3, success: 4 }
const nameOfTone: Readonly<Record<Tone, string>> = {
  danger: "error",
  warning: "warning",
  info: "note",
  neutral: "note",
  success: "passed"
}

export const findings = (items?: unknown, options?: Partial<FindingsOptions>): HTMLElement => {
  const given = optionsOf<FindingsOptions>(options)
  const source = rowsOf(items, ["message"])
  if (source.length === 0)
    return h(
      "div",
      { class: "mg-status mg-success", role: "status" },
      icon("success"),
      given.empty ?? "No problems found."
    )
  const read = source
    .map((item) => ({ item, tone: readTone(given.tone) ?? toneIn(item, given.severity) }))
    .sort((left, right) => rank[left.tone] - rank[right.tone])
  return gradually(h("ul", { class: "mg-findings" }), read, ({ item, tone }) => {
    const title = picked(
      item,
      given.title ?? ((record: JsonRecord) => record.message ?? record.title ?? record.name),
      "title"
    )
    const place = [picked(item, given.place, "place"), picked(item, given.line, "line")].filter(
      (part) => !isEmpty(part)
    )
    const fix = picked(
      item,
      given.fix ?? ((record: JsonRecord) => record.fix ?? record.suggestion ?? record.help),
      "text"
    )
    return h(
      "li",
      { class: `mg-tone-${tone}` },
      h("span", { role: "img", "aria-label": nameOfTone[tone] }, icon(tone === "neutral" ? "info" : tone)),
      h(
        "div",
        { class: "mg-grow" },
        h("div", { class: "mg-finding-title" }, titleNode({ ...item, "": title }, { ...given, title: () => title })),
        place.length > 0 && h("div", { class: "mg-hit-path" }, place.map(textOf).join(":")),
        !isEmpty(fix) &&
          textOf(fix) !== textOf(title) &&
          h("div", { class: "mg-item-text" }, clip(textOf(fix), longest)),
        made(given.actions, item)
      )
    )
  })
}

/** "2 errors, 1 warning" for a heading. */
export const countFindings = (items: unknown): string => {
  const counts = new Map<string, number>()
  for (const item of rowsOf(items, ["message"])) {
    const name = nameOfTone[toneIn(item, undefined)]
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return [...counts]
    .map(([name, count]) => (name === "passed" ? `${fmt.number(count)} passed` : fmt.plural(count, name)))
    .join(", ")
}
