import { isObject } from "../../domain/isObject.ts"
import { button, chips, h } from "../parts/index.ts"
import { showNotice } from "./notices.ts"
import type { JsonObject } from "./types.ts"

/**
 * A line above the view with the variants that there are: the person has one after the other shown, and keeps one.
 * `tell` counts only after a press. The function that this returns takes what the wrapper says of them.
 */
export const variantChoice = (tell: (news: JsonObject) => void): ((variants: unknown) => void) => {
  const line = h("div", { class: "mv-note" })
  let shown = ""
  return (variants) => {
    if (!isObject(variants)) return line.remove()
    const { choices, current } = variants
    showNotice(line)
    // What was pressed keeps the focus.
    if (shown === (shown = JSON.stringify(choices))) return
    line.replaceChildren(
      chips(choices, (pick) => tell({ pick }), { value: current, label: "Variants" }),
      button("Keep this one", () => tell({ chosen: true }), { small: true })
    )
  }
}
