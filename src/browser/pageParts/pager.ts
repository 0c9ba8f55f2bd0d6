import type { PagerOptions } from "../../../types/parts.d.ts"
import { button, fmt, h, numberOf, optionsOf } from "../parts/kit.ts"

/** "Previous", the page, "Next". */
export const pager = (options?: Partial<PagerOptions>): HTMLElement => {
  const given = optionsOf<PagerOptions>(options)
  const page = Math.max(1, Math.round(numberOf(given.page) ?? 1))
  const total = numberOf(given.total)
  const size = numberOf(given.pageSize) ?? 0
  const pages =
    numberOf(given.pages) ?? (total !== undefined && size > 0 ? Math.max(1, Math.ceil(total / size)) : undefined)
  const hasMore = pages === undefined ? given.hasMore !== false : page < pages
  const go = (to: number) => (): unknown => given.onPage?.(to)
  return h(
    "div",
    { class: "mg-pager", role: "group", "aria-label": "Pages" },
    button("Previous", go(page - 1), { small: true, disabled: page <= 1 }),
    h("span", { class: "mg-muted" }, `Page ${fmt.number(page)}`, pages !== undefined && ` of ${fmt.number(pages)}`),
    button("Next", go(page + 1), { small: true, disabled: !hasMore })
  )
}
