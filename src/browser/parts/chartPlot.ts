import { numberOf } from "../../domain/results/ResultColumn.ts"
import {
  chartData,
  chartOptions,
  describe,
  extent,
  isStacked,
  niceTicks,
  rangeOf,
  seriesLabel,
  type ChartData,
  type ChartOptions,
  type Series
} from "./chartData.ts"
import { drawing, linePath, round, runsOf, titled } from "./chartSvg.ts"
import { type Child, h } from "./dom.ts"
import { fieldText, type Field } from "./field.ts"
import { fmt } from "./format.ts"
import { empty } from "./layout.ts"
import { clip, textOf } from "./values.ts"

type Kind = "line" | "area" | "bar" | "scatter"

type Point = readonly [number, number]

// Thin out more points than this: no screen shows them.
const manyPoints = 1500

/** Keeps the first, the lowest, the highest and the last point of each column of pixels: the line looks the same. */
const thinned = (points: ReadonlyArray<Point | undefined>): ReadonlyArray<Point | undefined> => {
  if (points.length <= manyPoints) return points
  const kept: Array<Point | undefined> = []
  let column: Array<Point> = []
  const flush = (): void => {
    const low = column.reduce((least, point) => (point[1] < least[1] ? point : least), column[0] ?? [0, 0])
    const high = column.reduce((most, point) => (point[1] > most[1] ? point : most), column[0] ?? [0, 0])
    const ends = new Set([column[0], low, high, column.at(-1)])
    kept.push(...column.filter((point) => ends.has(point)))
    column = []
  }
  for (const point of points) {
    if (point === undefined || Math.round(point[0]) !== Math.round(column[0]?.[0] ?? point[0])) flush()
    if (point === undefined) kept.push(undefined)
    else column.push(point)
  }
  flush()
  return kept
}

interface Plot {
  readonly svg: HTMLElement
  /** Where the points are along the axis, in pixels. */
  readonly xs: ReadonlyArray<number>
}

/** Draws at the width there is, and again when it changes. A pointer or the arrow keys read the values point by point. */
const responsive = (data: ChartData, name: string, draw: (width: number) => Plot): HTMLElement => {
  let drawn = 560
  let plot = draw(drawn)
  let chosen = -1
  const rule = h("i", { class: "mg-rule", hidden: true })
  const tip = h("div", { class: "mg-tip", hidden: true })
  const scan = h("div", {
    class: "mg-scan",
    role: "slider",
    tabindex: 0,
    "aria-label": `${name}, point by point`,
    "aria-valuemin": 1,
    "aria-valuemax": data.labels.length,
    "aria-valuenow": 1,
    "aria-valuetext": pointText(data, 0)
  })
  const frame = h("div", { class: "mg-plot" }, plot.svg, rule, tip, scan)
  const choose = (index: number): void => {
    chosen = Math.min(data.labels.length - 1, Math.max(-1, index))
    rule.hidden = tip.hidden = chosen < 0
    if (chosen < 0) return
    const x = plot.xs[chosen] ?? 0
    rule.style.left = `${round(x)}px`
    tip.replaceChildren(
      h("strong", {}, data.labels[chosen]),
      ...data.series.map((series, at) =>
        h(
          "div",
          { class: `mg-s${at}` },
          h("i"),
          h("span", { class: "mg-grow mg-muted" }, seriesLabel(series)),
          valueAt(series, chosen)
        )
      )
    )
    const width = tip.offsetWidth
    tip.style.left = `${round(Math.max(0, Math.min(drawn - width, x > drawn / 2 ? x - width - 10 : x + 10)))}px`
    scan.setAttribute("aria-valuenow", String(chosen + 1))
    scan.setAttribute("aria-valuetext", pointText(data, chosen))
  }
  scan.addEventListener("pointermove", ({ clientX }) => {
    const x = clientX - scan.getBoundingClientRect().left
    let nearest = 0
    plot.xs.forEach((at, index) => {
      if (Math.abs(at - x) < Math.abs((plot.xs[nearest] ?? 0) - x)) nearest = index
    })
    choose(nearest)
  })
  scan.addEventListener("pointerleave", () => choose(-1))
  scan.addEventListener("focus", () => {
    if (scan.matches(":focus-visible")) choose(Math.max(0, chosen))
  })
  scan.addEventListener("blur", () => choose(-1))
  scan.addEventListener("keydown", (event) => {
    const last = data.labels.length - 1
    const to = {
      ArrowRight: chosen + 1,
      ArrowUp: chosen + 1,
      ArrowLeft: chosen - 1,
      ArrowDown: chosen - 1,
      Home: 0,
      End: last
    }[event.key]
    if (event.key === "Escape") choose(-1)
    if (to === undefined) return
    event.preventDefault()
    choose(Math.max(0, to))
  })
  const observer = new ResizeObserver(([entry]) => {
    const width = Math.floor(entry?.contentRect.width ?? 0)
    if (width < 40 || width === drawn) return
    drawn = width
    const old = plot.svg
    plot = draw(width)
    old.replaceWith(plot.svg)
    choose(chosen)
  })
  observer.observe(frame)
  return frame
}

const valueAt = (series: Series, index: number): string =>
  series.values[index] === undefined ? "–" : fieldText(series.values[index], series.field)

const pointText = (data: ChartData, index: number): string =>
  `${data.labels[index] ?? ""}: ${data.series.map((series) => `${seriesLabel(series)} ${valueAt(series, index)}`).join(", ")}`

const axisText = (value: number, field: Field): string =>
  field.type === "number" || field.type === "text"
    ? fmt.number(value, { compact: true, unit: textOf(field.unit).length <= 3 ? textOf(field.unit) : "" })
    : field.type === "money" && Math.abs(value) >= 10_000
      ? fmt.number(value, { compact: true })
      : fieldText(value, field)

const legend = (data: ChartData): Child =>
  h(
    "ul",
    { class: "mg-legend" },
    data.series.map((series, index) => h("li", { class: `mg-s${index}` }, h("i"), seriesLabel(series)))
  )

const areaPath = (points: ReadonlyArray<Point | undefined>, base: (index: number) => number): string =>
  runsOf(points.map((point, index) => point && [...point, base(index)]))
    .map((run) => {
      const back = run.toReversed().map(([x = 0, , bottom = 0]) => [x, bottom])
      return `${linePath(run)}${linePath(back).replace("M", "L")}Z`
    })
    .join("")

const plot = (wanted: Kind, data: ChartData, options: Partial<ChartOptions>, width: number): Plot => {
  // Bars thinner than a pixel or two are an area.
  const kind = wanted === "bar" && data.labels.length > width / 2 ? "area" : wanted
  const height = Math.min(800, Math.max(80, numberOf(options.height) ?? 220))
  const first = data.series[0]
  if (first === undefined) return { svg: empty(), xs: [] }
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
    floor - ((Math.min(top, Math.max(bottom, value)) - bottom) / (top - bottom || 1)) * (floor - 20)

  const count = data.labels.length
  const isScale = data.positions !== undefined && kind !== "bar" && count > 1
  const [from, to] = extent(data.positions ?? [])
  const band = (right - left) / Math.max(1, count)
  const inset = kind === "bar" ? 0 : 6
  const along = (share: number): number => left + inset + share * (right - left - inset * 2)
  const across = (at: number): number => along((at - from) / (to - from))
  const x = (index: number): number => {
    if (isScale && to > from) return across(data.positions?.[index] ?? from)
    return along(kind === "bar" || count === 1 ? (index + 0.5) / count : index / (count - 1))
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
  const { place } = data
  const stops: ReadonlyArray<readonly [number, string]> =
    isScale && place !== undefined
      ? niceTicks(from, to, width / 90)
          .filter((tick) => tick >= from && tick <= to)
          .map((tick) => [across(tick), place(tick)])
      : data.labels.map((label, index) => [x(index), label])
  let reached = Number.NEGATIVE_INFINITY
  const labels = [...stops]
    .sort(([before], [after]) => before - after)
    .map(([wanted, label]) => {
      const at = Math.min(right - labelWidth / 2 + 10, Math.max(labelWidth / 2, wanted))
      if (at - labelWidth / 2 < reached) return undefined
      reached = at + labelWidth / 2
      return h("text", { class: "mg-tick", x: round(at), y: height - 6, "text-anchor": "middle" }, clip(label, 14))
    })

  const valueText = (value: number | undefined): string => fieldText(value, first.field)
  const told = (at: number, above: number, text: string): Child =>
    h(
      "text",
      { class: "mg-tick mg-value", x: round(at), y: round(Math.max(10, above - 5)), "text-anchor": "middle" },
      text
    )
  const sums = { above: data.labels.map(() => 0), below: data.labels.map(() => 0) }
  const marks = data.series.map((series, at) => {
    const bases = data.labels.map((_, index) => {
      if (!stacked) return 0
      const value = series.values[index] ?? 0
      const side = value < 0 ? sums.below : sums.above
      const base = side[index] ?? 0
      side[index] = base + value
      return base
    })
    if (kind === "bar") {
      const group = Math.min(56, band * 0.72)
      const thickness = stacked ? group : group / data.series.length
      const isTold = data.series.length === 1 && count <= 12
      return series.values.map((value, index) => {
        if (value === undefined) return undefined
        const ends = [y(bases[index] ?? 0), y((bases[index] ?? 0) + value)]
        const start = x(index) - group / 2 + (stacked ? 0 : at * thickness)
        const size = Math.max(value === 0 ? 0 : 1, Math.abs((ends[0] ?? 0) - (ends[1] ?? 0)))
        const rect = h("rect", {
          class: `mg-mark mg-s${at}`,
          x: round(start),
          y: round(Math.min(...ends)),
          width: round(Math.max(1, thickness - 1)),
          height: round(size),
          rx: Math.min(3, thickness / 4)
        })
        return [rect, isTold && told(x(index), Math.min(...ends), valueText(value))]
      })
    }
    const points = series.values.map((value, index) =>
      value === undefined ? undefined : ([x(index), y((bases[index] ?? 0) + value)] as const)
    )
    const isLonely = (index: number): boolean => points[index - 1] === undefined && points[index + 1] === undefined
    const highest = points.reduce<number>(
      (best, point, index) => (point !== undefined && point[1] < (points[best]?.[1] ?? Infinity) ? index : best),
      -1
    )
    const peak = points[highest]
    const every = Math.ceil(count / manyPoints)
    const dots = points.map((point, index) => {
      const isShown = kind === "scatter" ? index % every === 0 : count <= 31 || isLonely(index)
      if (point === undefined || !isShown) return undefined
      return h("circle", {
        class: `mg-dot mg-s${at}`,
        cx: round(point[0]),
        cy: round(point[1]),
        r: kind === "scatter" ? 4 : 3
      })
    })
    return [
      kind === "area" &&
        h("path", { class: `mg-area mg-s${at}`, d: areaPath(points, (index) => y(bases[index] ?? 0)) }),
      kind !== "scatter" && h("path", { class: `mg-line mg-s${at}`, d: linePath(thinned(points)) }),
      dots,
      data.series.length === 1 &&
        kind !== "scatter" &&
        peak !== undefined &&
        count > 2 &&
        told(Math.min(right - 24, Math.max(left + 24, peak[0])), peak[1] - 2, valueText(series.values[highest]))
    ]
  })
  return {
    svg: drawing(width, height, nameOf(wanted, data, options), describe(data), grid, labels, marks),
    xs: data.labels.map((_, index) => x(index))
  }
}

const nameOf = (kind: Kind, data: ChartData, options: Partial<ChartOptions>): string => {
  return textOf(options.title) || `${kind} chart of ${data.series.map(seriesLabel).join(", ")}`
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
        h("span", {}, label),
        h("i", { class: value !== undefined && value < 0 ? "mg-s1" : "mg-s0", style: { width: `${share * 100}%` } }),
        h("span", {}, fieldText(value, series.field) || "–")
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
      // The title of a single line says what it is.
      (data.series.length > 1 || textOf(given.title) === "") && legend(data),
      responsive(data, nameOf(kind, data, given), (width) => plot(kind, data, given, width))
    )
  }
