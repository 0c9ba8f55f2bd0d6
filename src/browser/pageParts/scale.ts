import type { ScaleOptions } from "../../../types/parts.d.ts"
import type { Child } from "../parts/dom.ts"
import {
  addSheet,
  decimalsIn,
  empty,
  extent,
  fmt,
  h,
  isPlain,
  listOf,
  niceTicks,
  numberOf,
  optionsOf,
  textOf
} from "../parts/kit.ts"

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
  const isFree = (at: number): boolean => !marks.some((mark) => Math.abs(leftOf(mark.at) - leftOf(at)) < 4)
  const tick = (value: number, at: number, side: string): HTMLElement =>
    h("span", { class: `mg-scale-tick mg-scale-${side}`, style: place(at) }, isFree(at) && fmt.number(value))
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

addSheet(
  "scale",
  `
.mg-scale{display:block;position:relative;margin:calc(var(--rows)*22px + 8px) 14px 26px;font-variant-numeric:tabular-nums;direction:ltr}
.mg-ruler{margin-bottom:44px}
.mg-scale-line{position:relative;height:44px;border-bottom:2px solid $control}
.mg-scale-tick{white-space:nowrap;position:absolute;translate:-50%;font-size:$xs;color:$muted;top:calc(100% + 4px)}
.mg-scale-tick::before{content:"";position:absolute;left:50%;bottom:100%;height:8px;border-left:1.5px solid $control}
.mg-ruler>.mg-scale-line{height:78px;border:0 solid $bg;border-inline-width:14px;border-radius:6px;margin-inline:-14px;background-image:repeating-linear-gradient(90deg,color-mix(in oklab,$text 55%,transparent) 0 1px,transparent 1px 12px),repeating-linear-gradient(90deg,color-mix(in oklab,$text 55%,transparent) 0 1px,transparent 1px 9px);background-size:100% 7px;background-position:0 0,0 100%;background-repeat:no-repeat}
.mg-scale-first{z-index:1}
.mg-ruler .mg-scale-tick{color:$text;font-weight:$semibold;margin-left:0}
.mg-ruler .mg-scale-first{top:14px}
.mg-ruler .mg-scale-second{top:auto;bottom:14px}
.mg-ruler .mg-scale-tick::before{bottom:auto;top:-14px;height:13px;border-color:$text}
.mg-ruler .mg-scale-second.mg-scale-tick::before{top:auto;bottom:-14px}
.mg-scale-unit{position:absolute;right:8px;top:12px;font-size:$xs}
.mg-scale-unit.mg-scale-second{top:auto;bottom:12px}
.mg-scale-dot{position:absolute;width:12px;height:12px;border-radius:50%;background:$accent;border:1.5px solid $bg;bottom:calc(3px + var(--n)*11px);translate:-50%}
.mg-scale-band{position:absolute;inset:8px 0 0;background:$accent-bg}
.mg-scale-mark{position:absolute;left:0;top:calc(-8px - (var(--row) + 1)*22px);bottom:0;border-left:2px solid $danger;padding-left:6px;line-height:20px;white-space:nowrap;pointer-events:none}
.mg-scale-mark>span{position:absolute;left:6px;top:calc(100% + 4px);font-weight:700;white-space:nowrap}
.mg-ruler>.mg-scale-mark{bottom:-20px}
.mg-scale-mark>b{position:relative;z-index:3;background:$page;padding-inline-end:4px}
.mg-scale-late{padding-left:0;margin-left:-1px}
.mg-scale-late>b{position:absolute;right:8px}
.mg-scale-late>span{left:auto;right:8px}
@media(forced-colors:active){.mg-ruler>.mg-scale-line{--f-bg:Canvas;--f-fg:CanvasText;--mg-muted:$text}}
`
)
