import type { Child } from "../parts/dom.ts"
import { addSheet, h, isNothing } from "../parts/kit.ts"

/** A muted line over the content of a card: its name, and small buttons at the right. */
export const bar = (title?: Child, ...actions: ReadonlyArray<Child>): HTMLElement =>
  h(
    "div",
    { class: "mg-bar" },
    isNothing(title) || h("h2", {}, title),
    actions.length > 0 && h("div", { class: "mg-bar-actions" }, actions)
  )

addSheet(
  "bar",
  `
.mg-bar{display:flex;flex-wrap:wrap;gap:4px 12px;align-items:center;justify-content:space-between;min-height:44px;padding:7px 16px;background:$bg2}
.mg-bar>h2{font-size:$sm;font-weight:$semibold;margin:0}
.mg-bar-actions{display:flex;flex-wrap:wrap;gap:6px;align-items:center}
.mg-bar .mg-button{min-height:28px;padding:2px 10px}
`
)
