import type { Child } from "../parts/dom.ts"
import { addSheet, copyButton, textOf } from "../parts/kit.ts"

/** A small button that copies a text: the sign alone, or with a label. */
export const copy = (text?: unknown, label?: Child): HTMLElement => {
  const control = copyButton(() => textOf(text), undefined, textOf(label))
  const isSign = textOf(label) === ""
  control.classList.remove("mg-button-plain")
  control.classList.toggle("mg-small", isSign)
  control.classList.add("mg-copy", isSign ? "mg-copy-sign" : "mg-copy-label")
  if (isSign) control.title = control.ariaLabel = "Copy"
  return control
}

addSheet(
  "copy",
  `
.mg-copy{flex:none;gap:6px;color:$muted;vertical-align:middle}
.mg-copy-label{color:$text}
.mg-copy.mg-copy-sign.mg-small{gap:0;border:0;background:none;min-height:24px;padding:0 6px;margin-block:-3px;margin-inline:0 -3px;color:$faint}
.mg-copy>.mg-icon{width:14px}
.mg-copy:hover{color:$text}
`
)
