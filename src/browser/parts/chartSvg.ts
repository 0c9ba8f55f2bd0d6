import type { ChartOptions } from "./chartData.ts"
import { type Child, h, uniqueId } from "./dom.ts"
import { textOf } from "./values.ts"

/** SVG writes no more than tenths of pixels. */
export const round = (value: number): number => Math.round(value * 10) / 10

/** A chart's frame, with its title above. */
export const titled = (options: Partial<ChartOptions>, ...content: ReadonlyArray<Child>): HTMLElement => {
  const title = textOf(options.title)
  return h("figure", { class: "mg-chart" }, title !== "" && h("figcaption", { class: "mg-heading" }, title), content)
}

/** An SVG image that says what it shows to those who do not see it. */
export const drawing = (
  width: number,
  height: number,
  title: string,
  description: string,
  ...content: ReadonlyArray<Child>
): HTMLElement => {
  const id = uniqueId()
  return h(
    "svg",
    {
      viewBox: `0 0 ${round(width)} ${round(height)}`,
      width: round(width),
      height: round(height),
      role: "img",
      "aria-labelledby": `${id} ${id}-d`,
      direction: "ltr"
    },
    h("title", { id }, title),
    h("desc", { id: `${id}-d` }, description),
    content
  )
}

type Places = ReadonlyArray<number>

/** The stretches of points between gaps. */
export const runsOf = (points: ReadonlyArray<Places | undefined>): ReadonlyArray<ReadonlyArray<Places>> => {
  const runs: Array<Array<Places>> = [[]]
  for (const point of points) {
    if (point === undefined) runs.push([])
    else runs.at(-1)?.push(point)
  }
  return runs.filter((run) => run.length > 0)
}

/** A line through points; `undefined` is a gap. */
export const linePath = (points: ReadonlyArray<Places | undefined>): string =>
  runsOf(points)
    .map((run) => `M${run.map(([x = 0, y = 0]) => `${round(x)} ${round(y)}`).join("L")}`)
    .join("")
