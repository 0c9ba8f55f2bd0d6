import type { ViewSession } from "../runtime/session.ts"
import { button } from "./button.ts"
import { h } from "./dom.ts"

const MODES = [
  ["fullscreen", "Full screen", "M9.5 2.5h4v4M6.5 13.5h-4v-4M13.5 2.5L9.5 6.5M2.5 13.5l4-4"],
  ["pip", "Picture in picture", "M13.5 8V3.5h-11v9H7M8.5 9.5h5v3h-5z"]
] as const
const BACK = "M13.5 6.5h-4v-4M2.5 9.5h4v4M9.5 6.5l4-4M6.5 9.5l-4 4"

/** Asks the host for the whole screen or a small window, and back; each is hidden where the host does not offer it. */
export const fullscreenButton = (session: ViewSession): HTMLElement => {
  const modes = session.displayModes
  const controls = MODES.map(([mode, name, drawing]) => {
    const path = h("path")
    const picture = h(
      "svg",
      { class: "mg-icon", viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true" },
      path
    )
    const other = (): string => (modes.current === mode ? "inline" : mode)
    const control = button(picture, () => modes.request(other()), { kind: "plain", small: true })
    session.onContext(() => {
      const isIn = modes.current === mode
      control.hidden = !modes.available.includes(other())
      path.setAttribute("d", isIn ? BACK : drawing)
      control.title = isIn ? `Exit ${name.toLowerCase()}` : name
      control.setAttribute("aria-label", control.title)
    })
    control.hidden = true
    return control
  })
  return h("span", {}, ...controls)
}
