import type { ScaleOptions } from "../../../types/parts.d.ts"
import { numberOf } from "../../domain/results/ResultColumn.ts"
import { extent, niceTicks } from "./chartData.ts"
import { type Child, h } from "./dom.ts"
import { decimalsIn } from "./field.ts"
import { fmt } from "./format.ts"
import { empty } from "./layout.ts"
import { isPlain, listOf, optionsOf, textOf } from "./values.ts"

interface Mark {
  readonly at: number
  readonly label: Child
}

const readMarks = (given: unknown): ReadonlyArray<Mark> =>
  (isPlain(given) && !("value" in given)
    ? Object.entries(given).map(([label, value]) => ({ label, value }))
    : listOf(given)
  ).flatMap((mark) => {
    const { value, label } = isPlain(mark) ? mark : { value: mark, label: undefined }
    const at = numberOf(value)
    return at === undefined ? [] : [{ at, label: label as Child }]
  })

/** From here on, a label stands to the left of its mark. */
const isLate = (left: number): boolean => left > 60

/**
 * Rows for labels that would cover each other: each goes to the first row in which the last one has ended, by the width
 * of a narrow page.
 */
const rowsFor = (marks: ReadonlyArray<{ readonly left: number; readonly text: string }>): ReadonlyArray<number> => {
  const ends: Array<number> = []
  return marks.map(({ left, text }) => {
    const long = text.length * 2.5 + 3
    const start = isLate(left) ? left - long : left
    const row = ends.findIndex((end) => end <= start)
    const place = row === -1 ? Math.min(ends.length, 3) : row
    ends[place] = start + long
    return place
  })
}

/** Values on a line of numbers, marked where they are; with `second`, a ruler in two units. */
export const scale = (values?: unknown, options?: Partial<ScaleOptions>): HTMLElement => {
  const given = optionsOf<ScaleOptions>(options)
  const dots = listOf(values).flatMap((value) => numberOf(value) ?? [])
  const told = readMarks(given.marks)
  const factor = numberOf(given.second?.factor) ?? 0
  const isRuler = factor > 0
  const [only] = dots.length === 1 ? dots : []
  const isNamed = only === undefined || told.some(({ at }) => at === only)
  const marks = isNamed ? told : [{ at: only, label: undefined }, ...told]
  const band = listOf(given.band).flatMap((edge) => numberOf(edge) ?? [])
  const [low, high] = extent([...dots, ...marks.map(({ at }) => at), ...band])
  if (!Number.isFinite(low)) return empty()
  const least = numberOf(given.min) ?? Math.min(low, isRuler || low < high * 0.5 ? 0 : low)
  const most = numberOf(given.max) ?? (isRuler || dots.length === 1 ? high * 1.25 || 1 : high)
  const ticks = niceTicks(least, most, 6)
  const [from, to] = [numberOf(given.min) ?? ticks[0] ?? 0, numberOf(given.max) ?? ticks.at(-1) ?? 1]
  const leftOf = (value: number): number => ((value - from) / (to - from || 1)) * 100
  const place = (value: number): string => `left:${Math.min(100, Math.max(0, leftOf(value))).toFixed(2)}%`
  const said = (value: number, unit: unknown): string =>
    fmt.number(value, { unit: textOf(unit), digits: decimalsIn(Number(value.toPrecision(8)), 8) })
  const sorted = marks
    .map(({ at, label }) => ({
      at,
      text: label === undefined ? said(at, given.unit) : `${textOf(label)} ${said(at, given.unit)}`
    }))
    .toSorted((left, right) => left.at - right.at)
  const rows = rowsFor(sorted.map(({ at, text }) => ({ left: leftOf(at), text })))
  const seen = new Map<number, number>()
  const second = niceTicks(from * factor, to * factor, 6)
  const tick = (value: number, at: number, side: string): HTMLElement =>
    h("span", { class: `mg-scale-tick mg-scale-${side}`, style: place(at) }, fmt.number(value))
  /** The end of a ruler is for the names of the units. */
  const inside = (value: number): boolean => value >= from && leftOf(value) <= (isRuler ? 90 : 100)
  return h(
    "figure",
    {
      class: `mg-scale${isRuler ? " mg-ruler" : ""}`,
      style: `--rows:${Math.max(0, ...rows) + (sorted.length > 0 ? 1 : 0)}`,
      role: "img",
      "aria-label": [
        ...sorted.map(({ text }) => text),
        `from ${said(from, given.unit)} to ${said(to, given.unit)}`
      ].join(", ")
    },
    h(
      "div",
      { class: `mg-scale-line${isRuler ? " mg-own mg-solid" : ""}` },
      band.length === 2 &&
        h("i", {
          class: "mg-scale-band",
          style: `${place(band[0] ?? 0)};right:${(100 - leftOf(band[1] ?? 0)).toFixed(2)}%`
        }),
      ticks.filter(inside).map((value) => tick(value, value, "first")),
      isRuler && second.filter((value) => inside(value / factor)).map((value) => tick(value, value / factor, "second")),
      (dots.length > 1 || told.length > 0) &&
        dots.filter(inside).map((value) => {
          const height = seen.get(value) ?? 0
          seen.set(value, height + 1)
          return h("i", { class: "mg-scale-dot", style: `${place(value)};--n:${height}` })
        }),
      isRuler && [
        h("b", { class: "mg-scale-unit" }, given.unit),
        h("b", { class: "mg-scale-unit mg-scale-second" }, given.second?.unit)
      ]
    ),
    sorted.map(({ at, text }, index) =>
      h(
        "div",
        {
          class: `mg-scale-mark${isLate(leftOf(at)) ? " mg-scale-late" : ""}`,
          style: `${place(at)};--row:${rows[index] ?? 0}`
        },
        h("b", {}, text),
        isRuler && h("span", {}, `= ${said(at * factor, given.second?.unit)}`)
      )
    )
  )
}
