import type { ResultRecords } from "../../domain/results/ResultShape.ts"
import type { ResultSeries } from "../../domain/results/ResultSeries.ts"
import { chart } from "./chart.ts"
import { h } from "./dom.ts"
import { labelFor, type ResultContext } from "./resultContext.ts"

/** A chart of records. A person chooses the measure where not all fit together. */
export const resultChart = ({ rows }: ResultRecords, series: ResultSeries, context: ResultContext): HTMLElement => {
  const { type, x } = series
  const named = (key: string): string => labelFor(key, context)
  const draw = (y: ReadonlyArray<string>): HTMLElement => {
    return chart(rows, {
      type,
      x,
      y: y.map((key) => ({ key, label: named(key) })),
      title: `${y.map(named).join(", ")} by ${named(x).replace(/^[A-Z](?=[^A-Z]*$)/, (first) => first.toLowerCase())}`
    })
  }
  const others = series.measures.filter((key) => key !== x)
  if (others.length < 2 || (series.y.length > 1 && others.length === series.y.length)) return draw(series.y)
  const choice = h(
    "select",
    { class: "mg-input mg-small" },
    series.y.length > 1 && h("option", { value: "" }, series.y.map(named).join(", ")),
    others.map((key) => h("option", { value: key, selected: series.y.length === 1 && key === series.y[0] }, named(key)))
  )
  const frame = h("div", {}, draw(series.y))
  choice.addEventListener("change", () => frame.replaceChildren(draw(choice.value === "" ? series.y : [choice.value])))
  return h(
    "div",
    { class: "mg-stack" },
    h("label", { class: "mg-toolbar mg-small" }, h("span", { class: "mg-muted" }, "Show"), choice),
    frame
  )
}
