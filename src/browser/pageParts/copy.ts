import type { Child } from "../parts/dom.ts"
import { addSheet, copyButton, textOf } from "../parts/kit.ts"

/** A small button that copies a text: the sign alone, or with a label. */
export const copy = (text?: unknown, label?: Child): HTMLElement => {
  const control = copyButton(() => textOf(text), undefined, textOf(label))
  control.classList.add("mg-copy")
  if (textOf(label) === "") control.title = control.ariaLabel = "Copy"
  return control
}

addSheet(
  "copy",
  `
.mg-copy{flex:none;margin-inline-start:auto;min-height:24px;padding:0 5px;gap:5px;color:$faint;vertical-align:middle}
.mg-copy>.mg-icon{width:14px}
.mg-copy:hover{color:$text}
`
)
