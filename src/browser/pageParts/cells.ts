import type { CellsOptions } from "../../../types/parts.d.ts"
import type { Child } from "../parts/dom.ts"
import { addSheet, empty, h, isPlain, listOf, numberOf, optionsOf, textOf } from "../parts/kit.ts"

interface Cell {
  readonly label: string
  /** From 0, an empty cell, to 1. */
  readonly share: number
  readonly title: string
  readonly tone: string
}

const readCell = (given: unknown, most: number): Cell => {
  const cell = isPlain(given) ? given : typeof given === "boolean" ? { on: given } : { value: given }
  const value = numberOf(cell.value)
  const share = cell.on === undefined ? (value === undefined ? 0 : value / most) : cell.on === true ? 1 : 0
  return {
    label: textOf(cell.label ?? (cell.on === undefined ? cell.value : "")),
    share: Math.min(1, Math.max(0, share)),
    title: textOf(cell.title),
    tone: textOf(cell.tone)
  }
}

const rowsOf = (items: unknown): ReadonlyArray<readonly [label: string, cells: ReadonlyArray<unknown>]> =>
  isPlain(items) ? Object.entries(items).map(([label, cells]) => [label, listOf(cells)]) : [["", listOf(items)]]

/** Squares in rows, filled, empty or graded by their value. */
export const cells = (items?: unknown, options?: Partial<CellsOptions>): HTMLElement => {
  const rows = rowsOf(items).filter(([, list]) => list.length > 0)
  if (rows.length === 0) return empty()
  const given = optionsOf<CellsOptions>(options)
  const most = Math.max(
    1e-9,
    ...rows.flatMap(([, list]) => list.map((cell) => numberOf(isPlain(cell) ? cell.value : cell) ?? 0))
  )
  const longest = Math.max(...rows.map(([, list]) => list.length))
  const columns = Math.max(1, Math.round(numberOf(given.columns) ?? Math.min(longest, 31)))
  const widest = Math.max(...rows.flatMap(([, list]) => list.map((cell) => readCell(cell, most).label.length)))
  const narrow = columns <= 16 ? columns : columns % 12 === 0 ? 12 : columns % 16 === 0 ? 16 : 10
  const cellNode = ({ label, share, title, tone }: Cell): Child => {
    const style = { "--share": `${Math.round(share * 100)}%`, ...(tone === "" ? {} : { "--c": `var(--mg-${tone})` }) }
    const name = share > 0.55 ? "mg-square mg-square-full" : share > 0 ? "mg-square mg-square-on" : "mg-square"
    return h("span", { class: name, style, title: title || undefined }, label)
  }
  return h(
    "div",
    { class: `mg-squares${rows.some(([label]) => label !== "") ? " mg-squares-named" : ""}` },
    rows.map(([label, list]) => [
      label !== "" && h("b", {}, label),
      h(
        "div",
        { class: "mg-square-row", style: { "--columns": columns, "--narrow": narrow, "--widest": widest } },
        list.map((cell) => cellNode(readCell(cell, most)))
      )
    ])
  )
}

addSheet(
  "cells",
  `
.mg-squares{display:grid;gap:8px 14px;min-width:0}
.mg-squares-named{grid-template-columns:auto minmax(0,1fr);align-items:start}
.mg-squares>b{font-weight:$medium;font-size:$sm;color:$muted;padding-top:3px}
.mg-square-row{display:grid;grid-template-columns:repeat(var(--columns),minmax(0,max(40px,calc(var(--widest)*8px + 12px))));gap:3px;direction:ltr}
.mg-square{display:grid;place-items:center;min-height:28px;padding:2px 0;border-radius:5px;font:12px/1.2 $mono;overflow-wrap:normal;overflow:hidden;color:$muted;background:$bg2;box-shadow:inset 0 0 0 1px $border;--c:$accent}
.mg-square-on,.mg-square-full{color:$text;background:color-mix(in oklab,var(--c) calc(var(--share)*.8),$bg);box-shadow:none}
.mg-square-full{color:$bg;font-weight:700;background:color-mix(in oklab,var(--c) max(88%,var(--share)),$bg)}
@media(max-width:480px){.mg-squares-named{grid-template-columns:minmax(0,1fr)}.mg-square-row{gap:2px;grid-template-columns:repeat(var(--narrow),minmax(0,max(40px,calc(var(--widest)*8px + 10px))))}.mg-square{min-height:24px;font-size:11px}}
@media(forced-colors:active){.mg-square-on,.mg-square-full{forced-color-adjust:none;background:Highlight;color:HighlightText}}
`
)
