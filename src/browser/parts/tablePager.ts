import { numberOf } from "../../domain/results/ResultColumn.ts"
import { button } from "./button.ts"
import { h } from "./dom.ts"
import { fmt } from "./format.ts"

export interface TablePager {
  readonly node: HTMLElement
  /** `page` from 0. */
  readonly show: (page: number, pages: number, size: number) => void
}

/**
 * Previous, a box for the page number, next, and rows on a page. What cannot be pressed can still have the focus, so
 * that the focus is not lost at an end.
 */
export const tablePager = (
  rowCount: number,
  pageSize: number,
  onPage: (page: number) => void,
  onSize: (size: number) => void
): TablePager => {
  let page = 0
  let pages = 1
  const step = (label: string, by: number): HTMLElement =>
    button(label, () => onPage(page + by), { small: true, title: `${label} page` })
  const back = step("Previous", -1)
  const forth = step("Next", 1)
  const box = h("input", { inputmode: "numeric", class: "mg-input mg-small mg-page", "aria-label": "Page" })
  const place = h("span", { class: "mg-muted" })
  box.addEventListener("change", () => {
    const wanted = Math.round(numberOf(box.value) ?? page + 1)
    onPage(Math.min(pages, Math.max(1, wanted)) - 1)
  })
  const choices = [...new Set([pageSize, 20, 50, 100])].sort((left, right) => left - right)
  const size = h(
    "select",
    { class: "mg-input mg-small", "aria-label": "Rows on a page" },
    choices.map((count) => h("option", { value: count }, fmt.plural(count, "row")))
  )
  size.addEventListener("change", () => onSize(Number(size.value)))
  const steps = h("span", { class: "mg-pager", role: "group", "aria-label": "Pages" }, back, box, place, forth)
  return {
    node: h("div", { class: "mg-pager" }, rowCount > 50 && rowCount > (choices[0] ?? 0) && size, steps),
    show: (at, of, rows) => {
      page = at
      pages = of
      steps.hidden = of <= 1
      box.value = String(at + 1)
      place.textContent = `of ${fmt.number(of)}`
      back.ariaDisabled = String(at === 0)
      forth.ariaDisabled = String(at >= of - 1)
      size.value = String(rows)
    }
  }
}
