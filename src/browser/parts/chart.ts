import { chartOptions, type ChartOptions } from "./chartData.ts"
import { heat } from "./chartHeat.ts"
import { pie } from "./chartPie.ts"
import { plotChart } from "./chartPlot.ts"

const plots = {
  line: plotChart("line"),
  area: plotChart("area"),
  bar: plotChart("bar"),
  scatter: plotChart("scatter"),
  pie
}

export const chart = Object.assign(
  (rows?: unknown, options?: Partial<ChartOptions>): HTMLElement => {
    const { type, ...rest } = chartOptions(options)
    const draw = Object.entries(plots).find(([name]) => name === type)?.[1]
    // Any other type is the type of the values.
    return draw === undefined ? plots.line(rows, chartOptions(options)) : draw(rows, rest)
  },
  { ...plots, heat }
)
