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

const side = (label: Child, content: Child, tone: string): HTMLElement =>
  h(
    "div",
    { class: `mg-compare-side mg-compare-${tone}` },
    h("div", { class: "mg-stat-label" }, label),
    h("div", {}, content)
  )

/** Pairs below each other, an arrow in each: what became what. */
const pairList = (pairs: ReadonlyArray<unknown>, heads: ReadonlyArray<Child>): HTMLElement =>
  h(
    "div",
    { class: "mg-became" },
    heads.some((head) => !isNothing(head)) && [
      h("span", { class: "mg-stat-label" }, heads[0]),
      h("span"),
      h("span", { class: "mg-stat-label" }, heads[1])
    ],
    pairs.map((pair) => {
      const [from, to, note] = (
        isPlain(pair) ? [pair.from ?? pair.before, pair.to ?? pair.after, pair.note] : listOf(pair)
      ) as ReadonlyArray<Child>
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
  if (!isPlain(before) || !isPlain(after)) {
    const draw = (value: unknown): Child =>
      value instanceof Node
        ? value
        : h("div", { class: "mg-text" }, typeof value === "object" ? jsonOf(value, 2) : textOf(value) || "–")
    return h(
      "div",
      { class: "mg-compare" },
      side(first, draw(before), "before"),
      h("div", { class: "mg-compare-arrow" }, icon("right", 20)),
      side(second, draw(after), "after")
    )
  }
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
.mg-compare{display:flex;gap:12px;align-items:stretch}
.mg-compare-side{flex:1 1 0;min-width:0;padding:12px 16px;border-radius:$r3;background:$bg2;display:grid;gap:4px;align-content:start}
.mg-compare-side.mg-compare-after{background:$accent-bg}
.mg-compare-arrow{align-self:center;color:$muted}
td.mg-compare-before{color:$muted}
td.mg-compare-after{font-weight:$medium}
.mg-became{display:grid;grid-template-columns:fit-content(46%) auto minmax(0,1fr);gap:10px 14px;align-items:center;padding:14px 18px;background:$bg;border-radius:$r3;box-shadow:$shadow}
.mg-became>.mg-icon{color:$accent}
.mg-became>div{min-width:0}
`
)
