import type { ViewSession } from "../runtime/session.ts"
import { button } from "./button.ts"
import { h } from "./dom.ts"

const LARGER = "M9.5 2.5h4v4M6.5 13.5h-4v-4M13.5 2.5L9.5 6.5M2.5 13.5l4-4"
const SMALLER = "M13.5 6.5h-4v-4M2.5 9.5h4v4M9.5 6.5l4-4M6.5 9.5l-4 4"

/** Asks the host for the whole screen, and back; hidden where the host does not offer it. */
export const fullscreenButton = (session: ViewSession): HTMLElement => {
  const modes = session.displayModes
  const path = h("path")
  const picture = h(
    "svg",
    { class: "mg-icon", viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true" },
    path
  )
  const other = (): string => (modes.current === "fullscreen" ? "inline" : "fullscreen")
  const control = button(picture, () => modes.request(other()), { kind: "plain", small: true })
  session.onContext(() => {
    const isLarge = modes.current === "fullscreen"
    control.hidden = !modes.available.includes(other())
    path.setAttribute("d", isLarge ? SMALLER : LARGER)
    control.title = isLarge ? "Exit full screen" : "Full screen"
    control.setAttribute("aria-label", control.title)
  })
  control.hidden = true
  return control
}
