import type { BarsOptions } from "../../../types/parts.d.ts"
import { type JsonRecord, numberOf } from "../../domain/results/ResultColumn.ts"
import { readTone } from "./badge.ts"
import { h } from "./dom.ts"
import { fieldNode, fieldsOf } from "./field.ts"
import { fmt } from "./format.ts"
import { gradually } from "./gradually.ts"
import { empty } from "./layout.ts"
import { made, picked, titleNode } from "./picks.ts"
import { isNothing, isPlain, optionsOf, rowsOf, textOf } from "./values.ts"

/** Names with their amounts as bars, the largest first. `{name: number}` will do. */
export const bars = (items?: unknown, options?: Partial<BarsOptions>): HTMLElement => {
  const given = optionsOf<BarsOptions>(options)
  const isMap = isPlain(items) && Object.values(items).every((value) => numberOf(value) !== undefined)
  const rows: ReadonlyArray<JsonRecord> = isMap
    ? Object.entries(items).map(([name, value]) => ({ name, value }))
    : rowsOf(items, ["name"])
  if (rows.length === 0) return empty(given.empty)
  const key =
    typeof given.value === "string"
      ? given.value
      : (Object.keys(rows[0] ?? {}).find(
          (name) => numberOf(rows[0]?.[name]) !== undefined && !/^id$|_id$/i.test(name)
        ) ?? "value")
  const amount = (row: JsonRecord): number =>
    numberOf(typeof given.value === "function" ? picked(row, given.value, "value") : row[key]) ?? 0
  const [field] = fieldsOf([{ ...given, key, value: undefined, label: undefined } as never], rows)
  const ordered = given.sort === false ? rows : rows.toSorted((left, right) => amount(right) - amount(left))
  const most = numberOf(given.max) ?? Math.max(...rows.map((row) => Math.abs(amount(row))), 0)
  return gradually(h("ol", { class: "mg-bars" }), ordered, (row) => {
    const value = amount(row)
    const share = most > 0 ? Math.min(1, Math.abs(value) / most) : 0
    const tone = typeof given.tone === "function" ? readTone(made(given.tone, row)) : readTone(given.tone)
    const note = picked(row, given.note ?? false, "text")
    return h(
      "li",
      { class: tone === undefined ? undefined : `mg-bar-${tone}` },
      h("span", { class: "mg-bar-fill", style: { width: `${share * 100}%` } }),
      h(
        "span",
        { class: "mg-grow" },
        titleNode(row, { ...given, title: given.label } as never),
        isNothing(note) || h("span", { class: "mg-muted" }, " ", textOf(note))
      ),
      h("b", {}, field === undefined ? fmt.number(value) : fieldNode(row[key] ?? value, field, row))
    )
  })
}
