import type { CompareOptions } from "../../../types/parts.d.ts"
import type { Child } from "../parts/dom.ts"
import {
  addSheet,
  empty,
  fieldNode,
  fieldsOf,
  h,
  icon,
  isNothing,
  isPlain,
  jsonOf,
  listOf,
  memberOf,
  optionsOf,
  shown,
  textOf
} from "../parts/kit.ts"

/** One of two panels. What is short stands large in it, and in monospace where it is no words. */
const side = (label: Child, value: unknown, tone: string, note?: Child): HTMLElement => {
  const text = value instanceof Node ? (value.textContent ?? "") : textOf(value)
  const size = text.length > 90 || text.includes("\n") ? "text" : text.length > 24 ? "line" : "word"
  return h(
    "div",
    { class: `mg-compare-side mg-compare-${tone}` },
    isNothing(label) || h("div", { class: "mg-stat-label" }, label),
    h(
      "div",
      { class: `mg-compare-${size}${/\s\w+\s|^[\p{L}’' -]+$/u.test(text) ? "" : " mg-compare-code"}` },
      value instanceof Node ? value : typeof value === "object" ? jsonOf(value, 2) : shown(value)
    ),
    isNothing(note) || h("div", { class: "mg-item-text" }, note)
  )
}

const sides = (before: HTMLElement, after: HTMLElement): HTMLElement =>
  h("div", { class: "mg-compare" }, before, h("div", { class: "mg-compare-arrow" }, icon("right", 20)), after)

/** From, to and a note, of a pair or a record. */
const becameOf = (pair: unknown): ReadonlyArray<Child> =>
  (isPlain(pair) ? [pair.from ?? pair.before, pair.to ?? pair.after, pair.note] : listOf(pair)) as ReadonlyArray<Child>

/** Pairs below each other, an arrow in each: what became what. A single one is two panels. */
const pairList = (pairs: ReadonlyArray<unknown>, heads: ReadonlyArray<Child>): HTMLElement => {
  const [from, to, note] = becameOf(pairs[0])
  if (pairs.length === 1) return sides(side(heads[0], from, "before"), side(heads[1], to, "after", note))
  return h(
    "div",
    { class: "mg-became" },
    heads.some((head) => !isNothing(head)) && [
      h("span", { class: "mg-stat-label" }, heads[0]),
      h("span"),
      h("span", { class: "mg-stat-label" }, heads[1])
    ],
    pairs.map((pair) => {
      const [from, to, note] = becameOf(pair)
      return [
        h("div", {}, shown(from)),
        icon("right", 18),
        h(
          "div",
          {},
          isNothing(to) ? h("span", { class: "mg-muted" }, "–") : shown(to),
          isNothing(note) || h("div", { class: "mg-item-text" }, note)
        )
      ]
    })
  )
}

/** Before and after. Records are compared member by member: what is the same in both stands below, quietly. */
export const compare = (before?: unknown, after?: unknown, options?: Partial<CompareOptions>): HTMLElement => {
  const given = optionsOf<CompareOptions>(options)
  if (
    Array.isArray(before) &&
    (after === undefined || isPlain(after)) &&
    before.every((pair) => Array.isArray(pair) || isPlain(pair))
  ) {
    const heads = optionsOf<CompareOptions>(options ?? after)
    return before.length === 0 ? empty() : pairList(before, [heads.before, heads.after])
  }
  const [first, second] = [given.before ?? "Before", given.after ?? "After"]
  if (!isPlain(before) || !isPlain(after)) return sides(side(first, before, "before"), side(second, after, "after"))
  const fields = fieldsOf(given.fields, [before, after])
  const changed = fields.filter(({ key }) => jsonOf(memberOf(before, key)) !== jsonOf(memberOf(after, key)))
  const same = fields.length - changed.length
  if (fields.length === 0) return empty()
  const line = (field: (typeof fields)[number]): HTMLElement =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, field.label),
      h("td", { class: "mg-compare-before" }, fieldNode(memberOf(before, field.key), field, before)),
      h("td", { class: "mg-compare-after" }, fieldNode(memberOf(after, field.key), field, after))
    )
  return h(
    "div",
    { class: "mg-stack" },
    h(
      "div",
      { class: "mg-scroll", role: "group", tabindex: 0, "aria-label": "Comparison" },
      h(
        "table",
        { class: "mg-table" },
        h("thead", {}, h("tr", {}, h("td"), h("th", { scope: "col" }, first), h("th", { scope: "col" }, second))),
        h("tbody", {}, (changed.length === 0 ? fields : changed).map(line))
      )
    ),
    changed.length > 0 && same > 0 && h("p", { class: "mg-muted mg-small" }, `The same in both: ${same}`)
  )
}

addSheet(
  "compare",
  `
:where(.mg-compare-before,.mg-compare-after){overflow-wrap:anywhere}
.mg-compare{display:flex;gap:0;align-items:stretch}
.mg-compare-side{flex:1 1 0;min-width:0;padding:16px 20px;border-radius:$r3;border:$bw solid $border;background:$bg2;display:grid;gap:6px;align-content:start}
.mg-compare-side.mg-compare-after{background:$accent-bg;border-color:$accent-line}
.mg-compare-after>.mg-compare-word{color:$accent}
.mg-compare-word{font-size:clamp(18px,4.4vw,28px);font-weight:$semibold;letter-spacing:-.01em}
.mg-compare-line{font-size:$lg;font-weight:$medium}
.mg-compare-text{white-space:pre-wrap}
.mg-compare-code{font-family:$mono;letter-spacing:0}
.mg-compare-arrow{flex:none;align-self:center;display:grid;place-items:center;width:34px;height:34px;margin:-6px;border-radius:50%;border:$bw solid $border;background:$bg;color:$accent;z-index:1}
@media(max-width:480px){.mg-compare{flex-direction:column}.mg-compare-arrow{rotate:90deg}}
td.mg-compare-before{color:$muted}
td.mg-compare-after{font-weight:$medium}
.mg-became{display:grid;grid-template-columns:fit-content(46%) auto minmax(0,1fr);gap:10px 14px;align-items:center;padding:14px 18px;background:$bg;border-radius:$r3;border:$bw solid $border}
.mg-became>.mg-icon{color:$accent}
.mg-became>div{min-width:0}
`
)
