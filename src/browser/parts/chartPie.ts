import { chartData, chartOptions, seriesLabel, type ChartOptions } from "./chartData.ts"
import { drawing, titled } from "./chartSvg.ts"
import { h } from "./dom.ts"
import { fieldText } from "./field.ts"
import { fmt } from "./format.ts"
import { empty } from "./layout.ts"
import { textOf } from "./values.ts"

const slicePath = (from: number, to: number): string => {
  const point = (share: number): string => {
    const angle = (share - 0.25) * 2 * Math.PI
    return `${(50 + 48 * Math.cos(angle)).toFixed(2)} ${(50 + 48 * Math.sin(angle)).toFixed(2)}`
  }
  const end = Math.min(to, from + 0.9999)
  return `M50 50L${point(from)}A48 48 0 ${end - from > 0.5 ? 1 : 0} 1 ${point(end)}Z`
}

const maxSlices = 7

/** Parts of a whole as slices; the smallest are joined as "Other". */
export const pie = (rows?: unknown, options?: Partial<ChartOptions>): HTMLElement => {
  const given = chartOptions(options)
  const data = chartData(rows, given)
  const series = data.series[0]
  // What has the same name is one part of the whole.
  const sums = new Map<string, number>()
  series?.values.forEach((value, index) => {
    const label = data.labels[index] ?? ""
    sums.set(label, (sums.get(label) ?? 0) + Math.max(0, value ?? 0))
  })
  const all = [...sums].map(([label, value]) => ({ label, value })).filter(({ value }) => value > 0)
  const total = all.reduce((sum, { value }) => sum + value, 0)
  if (series === undefined || total <= 0 || !Number.isFinite(total)) return empty(given.empty ?? "No numbers to draw.")
  const ranked = [...all].sort((left, right) => right.value - left.value)
  const others = ranked.length > maxSlices ? ranked.slice(maxSlices - 1) : []
  const slices =
    others.length === 0
      ? ranked
      : [
          ...ranked.slice(0, maxSlices - 1),
          { label: "Other", value: others.reduce((sum, { value }) => sum + value, 0) }
        ]
  let from = 0
  const marks = slices.map(({ label, value }, index) => {
    const to = from + value / total
    const mark = h(
      "path",
      { class: `mg-mark mg-slice mg-s${index}`, d: slicePath(from, to) },
      h("title", {}, `${label}: ${fieldText(value, series.field)}`)
    )
    from = to
    return mark
  })
  const isShare = Math.abs(total - 100) < 1 || Math.abs(total - 1) < 0.01
  const text = (value: number): string =>
    `${isShare ? "" : `${fieldText(value, series.field)} · `}${fmt.percent(value / total, { of: 1 })}`
  const svg = drawing(
    100,
    100,
    textOf(given.title) || `Shares of ${seriesLabel(series)}`,
    slices.map(({ label, value }) => `${label}: ${text(value)}`).join(". "),
    marks
  )
  svg.classList.add("mg-pie")
  return titled(
    given,
    h(
      "div",
      { class: "mg-row mg-pie-row" },
      svg,
      h(
        "ul",
        { class: "mg-legend mg-legend-stack" },
        slices.map(({ label, value }, index) =>
          h(
            "li",
            { class: `mg-s${index}` },
            h("i"),
            h("span", { class: "mg-grow" }, label),
            h("span", { class: "mg-muted" }, text(value))
          )
        )
      )
    )
  )
}
