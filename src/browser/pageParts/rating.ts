import type { RatingOptions } from "../../../types/parts.d.ts"
import type { Child } from "../parts/dom.ts"
import { addSheet, fmt, givenValue, h, icon, numberOf, optionsOf } from "../parts/kit.ts"

const sheet = `
.mg-rating{display:inline-flex;gap:6px;align-items:center}
.mg-star{position:relative;display:inline-block;color:$faint;line-height:0}
.mg-star>i{position:absolute;inset:0;overflow:hidden;width:var(--share);color:#d99000}
.mg-star>i>.mg-icon{fill:currentColor}
`

/** Stars for a grade: `rating(4.5, {of: 5, count: 128})`. */
export const rating = (value?: unknown, options?: Partial<RatingOptions>): HTMLElement => {
  addSheet("rating", sheet)
  const given = optionsOf<RatingOptions>(options)
  const of = Math.min(10, Math.max(1, Math.round(numberOf(given.of) ?? 5)))
  const read = numberOf(value)
  if (read === undefined) return h("span", { class: "mg-muted" }, "–")
  const star = (share: number): Child =>
    h(
      "span",
      { class: "mg-star", style: { "--share": `${Math.round(Math.min(1, Math.max(0, share)) * 100)}%` } },
      icon("star", 16),
      h("i", {}, icon("star", 16))
    )
  return h(
    "span",
    { class: "mg-rating" },
    h(
      "span",
      { role: "img", "aria-label": `${fmt.number(read)} of ${of}` },
      Array.from({ length: of }, (_, at) => star(read - at))
    ),
    h("b", {}, fmt.number(read, { digits: Number.isInteger(read) ? 0 : 1 })),
    given.count !== undefined && h("span", { class: "mg-muted" }, "(", givenValue(given.count, { type: "number" }), ")")
  )
}
