import { chartOptions, type ChartOptions } from "./chartData.ts"
import { pie } from "./chartPie.ts"
import { plotChart } from "./chartPlot.ts"
import { spark } from "./chartSpark.ts"

const kinds = {
  line: plotChart("line"),
  area: plotChart("area"),
  bar: plotChart("bar"),
  scatter: plotChart("scatter"),
  pie,
  spark
}

/**
 * `chart.line|area|bar|scatter|pie(rows, {x, y, …})` and `chart.spark(numbers)`; `chart(rows, {type: "bar", …})` is the same.
 * Missing values are gaps.
 */
export const chart = Object.assign((rows?: unknown, options?: Partial<ChartOptions>): HTMLElement => {
  const { type, ...rest } = chartOptions(options)
  const kind = Object.keys(kinds).find((name) => name === type)
  if (kind === "pie" || kind === "area" || kind === "bar" || kind === "scatter" || kind === "line")
    return kinds[kind](rows, rest)
  return kinds.line(rows, chartOptions(options))
}, kinds)
