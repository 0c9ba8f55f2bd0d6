import { numberOf } from "../../domain/results/ResultColumn.ts"
import {
  chartData,
  chartOptions,
  describe,
  isStacked,
  niceTicks,
  rangeOf,
  seriesLabel,
  type ChartData,
  type ChartOptions
} from "./chartData.ts"
import { drawing, linePath, round, titled } from "./chartSvg.ts"
import { type Child, h } from "./dom.ts"
import { fieldText, type Field } from "./field.ts"
import { fmt } from "./format.ts"
import { empty } from "./layout.ts"
import { clip, textOf } from "./values.ts"

type Kind = "line" | "area" | "bar" | "scatter"

/** Draws at the width there is, and again when it changes. */
const responsive = (draw: (width: number) => Node): HTMLElement => {
  const frame = h("div", { class: "mg-plot" }, draw(560))
  let drawn = 560
  const observer = new ResizeObserver(([entry]) => {
    const width = Math.floor(entry?.contentRect.width ?? 0)
    if (width < 40 || width === drawn) return
    drawn = width
    frame.replaceChildren(draw(width))
  })
  observer.observe(frame)
  return frame
}

const axisText = (value: number, field: Field): string =>
  field.type === "number" || field.type === "text"
    ? fmt.number(value, { compact: true, unit: textOf(field.unit).length <= 3 ? textOf(field.unit) : "" })
    : field.type === "money" && Math.abs(value) >= 10_000
      ? fmt.number(value, { compact: true })
      : fieldText(value, field)

const legend = (data: ChartData): Child =>
  data.series.length > 1 &&
  h(
    "ul",
    { class: "mg-legend" },
    data.series.map((series, index) => h("li", { class: `mg-s${index}` }, h("i"), seriesLabel(series)))
  )

const areaPath = (
  points: ReadonlyArray<readonly [number, number] | undefined>,
  base: (index: number) => number
): string => {
  let path = ""
  let run: Array<readonly [number, number, number]> = []
  const close = (): void => {
    if (run.length > 1) {
      const back = run.toReversed()
      path += `${linePath(run.map(([x, y]) => [x, y]))}L${back.map(([x, , index]) => `${round(x)} ${round(base(index))}`).join("L")}Z`
    }
    run = []
  }
  points.forEach((point, index) => {
    if (point === undefined) close()
    else run.push([point[0], point[1], index])
  })
  close()
  return path
}

const plot = (kind: Kind, data: ChartData, options: Partial<ChartOptions>, width: number): Node => {
  const height = Math.min(800, Math.max(80, numberOf(options.height) ?? 220))
  const first = data.series[0]
  if (first === undefined) return empty()
  const stacked = isStacked(options) && kind !== "line" && kind !== "scatter"
  const [low, high] = rangeOf(data, kind === "bar" || kind === "area", stacked, options)
  const ticks = niceTicks(low, high, Math.max(2, Math.round(height / 50)))
  const bottom = ticks[0] ?? 0
  const top = ticks.at(-1) ?? 1
  const tickTexts = ticks.map((tick) => axisText(tick, first.field))
  const left = Math.min(width * 0.3, Math.max(...tickTexts.map((text) => text.length)) * 6.4 + 12)
  const right = width - 12
  const floor = height - 24
  const y = (value: number): number =>
    floor - ((Math.min(top, Math.max(bottom, value)) - bottom) / (top - bottom || 1)) * (floor - 10)

  const count = data.labels.length
  const isScale = data.positions !== undefined && kind !== "bar" && count > 1
  const from = isScale ? Math.min(...(data.positions ?? [])) : 0
  const to = isScale ? Math.max(...(data.positions ?? [])) : 0
  const band = (right - left) / Math.max(1, count)
  const inset = kind === "bar" ? 0 : 6
  const x = (index: number): number => {
    if (isScale && to > from)
      return left + inset + (((data.positions?.[index] ?? from) - from) / (to - from)) * (right - left - inset * 2)
    return kind === "bar" || count === 1
      ? left + band * (index + 0.5)
      : left + inset + (index / (count - 1)) * (right - left - inset * 2)
  }

  const grid = ticks.map((tick, index) => [
    h("line", {
      class: tick === 0 ? "mg-axis" : "mg-grid",
      x1: round(left),
      x2: round(right),
      y1: round(y(tick)),
      y2: round(y(tick))
    }),
    h("text", { class: "mg-tick", x: round(left - 6), y: round(y(tick) + 4), "text-anchor": "end" }, tickTexts[index])
  ])

  const labelWidth = Math.min(
    90,
    data.labels.reduce((most, label) => Math.max(most, clip(label, 14).length), 1) * 6.4 + 12
  )
  const order = data.labels.map((_, index) => index).sort((a, b) => x(a) - x(b))
  let reached = Number.NEGATIVE_INFINITY
  const labels = order.map((index) => {
    const at = Math.min(right - labelWidth / 2 + 10, Math.max(labelWidth / 2, x(index)))
    if (at - labelWidth / 2 < reached) return undefined
    reached = at + labelWidth / 2
    return h(
      "text",
      { class: "mg-tick", x: round(at), y: height - 6, "text-anchor": "middle" },
      clip(data.labels[index] ?? "", 14)
    )
  })

  const sums = { above: data.labels.map(() => 0), below: data.labels.map(() => 0) }
  const marks = data.series.map((series, at) => {
    const name = seriesLabel(series)
    const bases = data.labels.map((_, index) => {
      if (!stacked) return 0
      const value = series.values[index] ?? 0
      const side = value < 0 ? sums.below : sums.above
      const base = side[index] ?? 0
      side[index] = base + value
      return base
    })
    const tip = (index: number): Node =>
      h("title", {}, `${data.labels[index]}: ${name} ${fieldText(series.values[index], series.field)}`)
    if (kind === "bar") {
      const group = Math.min(56, band * 0.72)
      const thickness = stacked ? group : group / data.series.length
      return series.values.map((value, index) => {
        if (value === undefined) return undefined
        const ends = [y(bases[index] ?? 0), y((bases[index] ?? 0) + value)]
        const start = x(index) - group / 2 + (stacked ? 0 : at * thickness)
        const size = Math.max(value === 0 ? 0 : 1, Math.abs((ends[0] ?? 0) - (ends[1] ?? 0)))
        return h(
          "rect",
          {
            class: `mg-mark mg-s${at}`,
            x: round(start),
            y: round(Math.min(...ends)),
            width: round(Math.max(1, thickness - 1)),
            height: round(size),
            rx: Math.min(3, thickness / 4)
          },
          tip(index)
        )
      })
    }
    const points = series.values.map((value, index) =>
      value === undefined ? undefined : ([x(index), y((bases[index] ?? 0) + value)] as const)
    )
    const isLonely = (index: number): boolean => points[index - 1] === undefined && points[index + 1] === undefined
    const dots = points.map((point, index) => {
      if (point === undefined) return undefined
      const isShown = kind === "scatter" || count <= 31 || isLonely(index)
      return h(
        "circle",
        {
          class: `mg-dot mg-s${at}${isShown ? "" : " mg-dot-quiet"}`,
          cx: round(point[0]),
          cy: round(point[1]),
          r: kind === "scatter" ? 4 : 3
        },
        tip(index)
      )
    })
    return [
      kind === "area" &&
        h("path", { class: `mg-area mg-s${at}`, d: areaPath(points, (index) => y(bases[index] ?? 0)) }),
      kind !== "scatter" && h("path", { class: `mg-line mg-s${at}`, d: linePath(points) }),
      count <= 400 && dots
    ]
  })
  const names = { line: "Line chart", area: "Area chart", bar: "Bar chart", scatter: "Scatter chart" }
  return drawing(
    width,
    height,
    textOf(options.title) || `${names[kind]} of ${data.series.map(seriesLabel).join(", ")}`,
    describe(data),
    grid,
    labels,
    marks
  )
}

const horizontalBars = (data: ChartData): Node => {
  const series = data.series[0]
  if (series === undefined) return empty()
  const most = series.values.reduce<number>((max, value) => Math.max(max, Math.abs(value ?? 0)), 0)
  return h(
    "ul",
    { class: "mg-hbars" },
    data.labels.map((label, index) => {
      const value = series.values[index]
      const share = value === undefined || most === 0 ? 0 : Math.abs(value) / most
      return h(
        "li",
        {},
        h("span", { class: "mg-hbar-label" }, label),
        h(
          "span",
          { class: "mg-hbar-track" },
          h("span", {
            class: `mg-hbar ${value !== undefined && value < 0 ? "mg-s1" : "mg-s0"}`,
            style: { width: `${share * 100}%` }
          })
        ),
        h("span", { class: "mg-hbar-value" }, fieldText(value, series.field) || "–")
      )
    })
  )
}

/** A chart with two axes; bars with long labels lie on their side. */
export const plotChart =
  (kind: Kind) =>
  (rows?: unknown, options?: Partial<ChartOptions>): HTMLElement => {
    const given = chartOptions(options)
    const data = chartData(rows, given)
    if (data.series.length === 0) return empty(given.empty ?? "No numbers to draw.")
    const longest = data.labels.reduce((most, label) => Math.max(most, label.length), 0)
    const wantsRows =
      given.horizontal ??
      (data.series.length === 1 &&
        data.positions === undefined &&
        (longest > 14 || data.labels.length > 14) &&
        data.labels.length <= 40)
    if (kind === "bar" && wantsRows && data.series.length === 1) return titled(given, horizontalBars(data))
    return titled(
      given,
      legend(data),
      responsive((width) => plot(kind, data, given, width))
    )
  }
