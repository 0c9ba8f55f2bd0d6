import { numberOf } from "../../domain/results/ResultColumn.ts"
import { h, icon } from "./dom.ts"
import { fmt } from "./format.ts"

export interface TablePager {
  readonly node: HTMLElement
  /** `page` from 0. */
  readonly show: (page: number, pages: number, size: number) => void
}

const sizes = [20, 50, 100]

/**
 * Controls that move between pages: first, previous, a box for the number, next, last, and how many rows a page has. What can
 * not be pressed stays focusable, so that the focus is not lost at an end.
 */
export const tablePager = (
  rowCount: number,
  pageSize: number,
  onPage: (page: number) => void,
  onSize: (size: number) => void
): TablePager => {
  let page = 0
  let pages = 1
  const step = (label: string, target: () => number, isBack: boolean, isEnd = false): HTMLElement => {
    const control = h(
      "button",
      {
        type: "button",
        class: `mg-button mg-button-secondary mg-small mg-step${isBack ? " mg-back" : ""}`,
        "aria-label": label
      },
      icon("chevron"),
      isEnd && icon("chevron")
    )
    control.addEventListener("click", () => {
      if (control.getAttribute("aria-disabled") !== "true") onPage(target())
    })
    return control
  }
  const back = [step("First page", () => 0, true, true), step("Previous page", () => page - 1, true)]
  const forth = [step("Next page", () => page + 1, false), step("Last page", () => pages - 1, false, true)]
  const box = h("input", {
    type: "text",
    inputmode: "numeric",
    class: "mg-input mg-small mg-page",
    "aria-label": "Page"
  })
  const place = h("span", { class: "mg-muted" })
  box.addEventListener("change", () => {
    const wanted = numberOf(box.value)
    if (wanted === undefined) box.value = String(page + 1)
    else onPage(Math.min(pages, Math.max(1, Math.round(wanted))) - 1)
  })
  const choices = [...new Set([...sizes, pageSize])].sort((left, right) => left - right)
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
      const isLong = of > 5
      box.hidden = !isLong
      box.value = String(at + 1)
      place.textContent = isLong ? `of ${fmt.number(of)}` : `Page ${fmt.number(at + 1)} of ${fmt.number(of)}`
      for (const [controls, isEnd] of [
        [back, at === 0],
        [forth, at >= of - 1]
      ] as const) {
        for (const [index, control] of controls.entries()) {
          control.setAttribute("aria-disabled", String(isEnd))
          const leaps = controls === back ? index === 0 : index === 1
          control.hidden = leaps && !isLong
        }
      }
      size.value = String(rows)
    }
  }
}
