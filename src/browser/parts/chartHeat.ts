import type { HeatOptions } from "../../../types/parts.d.ts"
import { type JsonRecord, numberOf } from "../../domain/results/ResultColumn.ts"
import { fragment, h } from "./dom.ts"
import { givenValue } from "./field.ts"
import { empty } from "./layout.ts"
import { memberOf, optionsOf, rowsOf, textOf } from "./values.ts"

const most = 60

/** A grid of values, the larger the stronger: cohorts by month, days by hour. */
export const heat = (rows?: unknown, options?: Partial<HeatOptions>): HTMLElement => {
  const given = optionsOf<HeatOptions>(options)
  const source = rowsOf(rows, [])
  const first = Object.keys(source[0] ?? {})
  const [x, y] = [textOf(given.x ?? first[0]), textOf(given.y ?? first[1])]
  const value = textOf(
    given.value ?? first.find((key) => key !== x && key !== y && typeof source[0]?.[key] === "number") ?? first[2]
  )
  const columns = [...new Set(source.map((row) => textOf(memberOf(row, x))))].slice(0, most)
  const lines = [...new Set(source.map((row) => textOf(memberOf(row, y))))].slice(0, most)
  if (columns.length === 0 || lines.length === 0) return empty(given.empty)
  const cells = new Map<string, JsonRecord>(
    source.map((row) => [`${textOf(memberOf(row, y))}\n${textOf(memberOf(row, x))}`, row])
  )
  const amounts = source.map((row) => numberOf(memberOf(row, value))).filter((amount) => amount !== undefined)
  const [least, largest] = [Math.min(...amounts), Math.max(...amounts)]
  return h(
    "div",
    { class: "mg-scroll", role: "group", tabindex: 0, "aria-label": textOf(given.title) || "Heat map" },
    h(
      "table",
      { class: "mg-heat" },
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("td"),
          columns.map((column) => h("th", { scope: "col" }, column))
        )
      ),
      h(
        "tbody",
        {},
        lines.map((line) =>
          h(
            "tr",
            {},
            h("th", { scope: "row" }, line),
            columns.map((column) => {
              const row = cells.get(`${line}\n${column}`)
              const amount = numberOf(memberOf(row, value))
              if (row === undefined || amount === undefined) return h("td")
              const shown = fragment(
                givenValue(amount, { ...given, digits: given.digits ?? 0, title: undefined }, value)
              )
              const share = largest > least ? (amount - least) / (largest - least) : 1
              // Neither ink can be read on the shades between.
              const isHot = share > 0.5
              return h(
                "td",
                {
                  style: { "--share": isHot ? `${90 + share * 10}%` : `calc(${0.2 + share * 1.6}*var(--f-heat))` },
                  class: isHot && "mg-hot",
                  title: `${line}, ${column}: ${shown.textContent}`
                },
                shown
              )
            })
          )
        )
      )
    )
  )
}
