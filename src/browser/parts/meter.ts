import type { MeterOptions } from "../../../types/parts.d.ts"
import { numberOf } from "../../domain/results/ResultColumn.ts"
import { readTone } from "./badge.ts"
import { h } from "./dom.ts"
import { fmt } from "./format.ts"
import { optionsOf, textOf } from "./values.ts"

export const meter = (value?: unknown, options?: Partial<MeterOptions>): HTMLElement => {
  const given = optionsOf<MeterOptions>(options)
  const read = numberOf(value) ?? 0
  const percentText = typeof value === "string" && value.includes("%")
  const max = numberOf(given.max) ?? (Math.abs(read) <= 1 && !percentText ? 1 : 100)
  const min = numberOf(given.min) ?? 0
  const share = max > min ? Math.min(1, Math.max(0, (read - min) / (max - min))) : 0
  const text = given.text === undefined ? fmt.percent(share, { of: 1, digits: 0 }) : textOf(given.text)
  const label = textOf(given.label)
  return h(
    "span",
    { class: "mg-meter" },
    h(
      "span",
      {
        class: "mg-meter-bar",
        role: "meter",
        "aria-label": label || "Share",
        "aria-valuemin": 0,
        "aria-valuemax": 100,
        "aria-valuenow": Math.round(share * 100),
        "aria-valuetext": text
      },
      h("span", {
        class: `mg-meter-fill mg-fill-${readTone(given.tone) ?? "info"}`,
        style: { width: `${share * 100}%` }
      })
    ),
    h("span", { class: "mg-meter-text mg-muted" }, text)
  )
}
