import type { Fields, SparkOptions } from "../../../types/parts.d.ts"
import { numberOf } from "../../domain/results/ResultColumn.ts"
import { chartData, drawable, extent } from "./chartData.ts"
import { drawing, linePath } from "./chartSvg.ts"
import { h } from "./dom.ts"
import { fmt } from "./format.ts"
import { listOf, optionsOf, textOf } from "./values.ts"

const isFieldChoice = (y: unknown): y is Fields => typeof y === "string" || (typeof y === "object" && y !== null)

/** A line without axes, small enough for a table cell. */
export const spark = (values?: unknown, options?: Partial<SparkOptions>): HTMLElement => {
  const given = optionsOf<SparkOptions>(options)
  const y: unknown = given.y
  const areNumbers = listOf(values).some((value) => numberOf(value) !== undefined)
  const read = areNumbers
    ? listOf(values).map(drawable)
    : (chartData(values, isFieldChoice(y) ? { y } : {}).series[0]?.values ?? [])
  const width = Math.min(600, Math.max(20, numberOf(given.width) ?? 96))
  const height = Math.min(200, Math.max(10, numberOf(given.height) ?? 24))
  const known = read.filter((value) => value !== undefined)
  const [low, high] = extent(known)
  const points = read.map((value, index) =>
    value === undefined
      ? undefined
      : ([
          2 + (index / Math.max(1, read.length - 1)) * (width - 4),
          height - 2 - ((value - low) / (high - low || 1)) * (height - 4)
        ] as const)
  )
  const description =
    known.length === 0
      ? "no values"
      : `from ${fmt.number(known[0])} to ${fmt.number(known.at(-1))}, lowest ${fmt.number(low)}, highest ${fmt.number(high)}`
  const svg = drawing(
    width,
    height,
    textOf(given.label) || "Trend",
    description,
    h("path", { class: "mg-line mg-s0", d: linePath(points) })
  )
  svg.classList.add("mg-spark")
  return svg
}
