import type { McpUiDisplayMode, McpUiHostContext } from "@modelcontextprotocol/ext-apps/app-bridge"
import { byId, element } from "./element.ts"

const displayModes: ReadonlyArray<McpUiDisplayMode> = ["inline", "fullscreen"]

/** Where the view is: a sheet of a width on the page, or the whole window. */
export class ViewStage {
  readonly #section = byId("view", HTMLElement)
  readonly #canvas = byId("canvas", HTMLElement)
  readonly #fullscreen = byId("fullscreen", HTMLButtonElement)
  readonly #resized: ResizeObserver
  readonly #onChange: () => void
  #sheet: HTMLElement | undefined
  #width = "full"
  #mode: McpUiDisplayMode = "inline"

  /** `onChange`: the size of the view or its display mode has changed. */
  constructor(onChange: () => void) {
    this.#onChange = onChange
    this.#resized = new ResizeObserver(onChange)
    this.#fullscreen.addEventListener("click", () =>
      this.setDisplayMode(this.#mode === "inline" ? "fullscreen" : "inline")
    )
    document.addEventListener("keydown", ({ key }) => {
      if (key === "Escape" && this.#mode === "fullscreen") this.setDisplayMode("inline")
    })
    this.clear()
  }

  /** An empty sheet for a view, in place of what was there. */
  open(hasBorder: boolean): HTMLElement {
    const sheet = element("div", {
      class: "canvas-sheet",
      "data-width": this.#width,
      "data-border": String(hasBorder)
    })
    this.#resized.disconnect()
    this.#resized.observe(sheet)
    this.#sheet = sheet
    this.#fullscreen.disabled = false
    this.#canvas.replaceChildren(sheet)
    return sheet
  }

  /** Removes the view, and says why there is none. */
  clear(text = "Call a tool to see its view here."): void {
    this.#sheet = undefined
    this.#resized.disconnect()
    this.setDisplayMode("inline")
    this.#fullscreen.disabled = true
    this.#canvas.replaceChildren(element("p", { class: "empty" }, text))
  }

  setWidth(width: string): void {
    this.#width = width
    if (this.#sheet !== undefined) this.#sheet.dataset["width"] = width
  }

  /** Answers with the mode in use. A mode that we do not know changes nothing. */
  setDisplayMode(mode: McpUiDisplayMode): McpUiDisplayMode {
    if (mode === this.#mode || !displayModes.includes(mode) || (mode !== "inline" && this.#sheet === undefined))
      return this.#mode
    this.#mode = mode
    this.#section.dataset["mode"] = mode
    this.#fullscreen.textContent = mode === "inline" ? "Full screen" : "Exit full screen"
    this.#onChange()
    return mode
  }

  get context(): McpUiHostContext {
    const { clientHeight, clientWidth } = this.#sheet ?? this.#canvas
    return {
      displayMode: this.#mode,
      availableDisplayModes: [...displayModes],
      containerDimensions:
        this.#mode === "inline" ? { width: clientWidth } : { width: clientWidth, height: clientHeight }
    }
  }
}
