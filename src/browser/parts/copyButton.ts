import { copyText } from "../runtime/copyText.ts"
import { button } from "./button.ts"
import { h } from "./dom.ts"
import { sessionOrNone } from "./host.ts"

const select = (node: Node): void => {
  const range = document.createRange()
  range.selectNodeContents(node)
  const selection = getSelection()
  selection?.removeAllRanges()
  selection?.addRange(range)
}

/** A quiet button that copies `text`; where the host does not let a page do so, it selects `shown` for the person to copy. */
export const copyButton = (text: () => string, shown?: Node, name = "Copy"): HTMLElement => {
  const label = h("span", {}, name)
  const say = (message: string): void => {
    label.textContent = message
    setTimeout(() => {
      label.textContent = name
    }, 2500)
  }
  return button(
    label,
    async () => {
      try {
        await (sessionOrNone()?.copy ?? copyText)(text())
        say("Copied")
      } catch (error) {
        if (shown === undefined) throw error
        select(shown)
        say("Selected: copy with the keyboard")
      }
    },
    { small: true, kind: "plain", icon: "copy" }
  )
}
