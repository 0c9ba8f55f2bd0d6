import type { McpUiDisplayMode, McpUiHostContext } from "@modelcontextprotocol/ext-apps/app-bridge"
import { byId, element } from "./element.ts"
import type { HostProfile } from "./hostProfiles.ts"

/** Where the view is: a sheet of a width on the page, or the whole window. */
export class ViewStage {
  readonly #section = byId("view", HTMLElement)
  readonly #canvas = byId("canvas", HTMLElement)
  readonly #fullscreen = byId("fullscreen", HTMLButtonElement)
  readonly #resized: ResizeObserver
  readonly #onChange: () => void
  #sheet: HTMLElement | undefined
  #width = "full"
  #modes: ReadonlyArray<McpUiDisplayMode> = ["inline"]
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
      "data-border": String(hasBorder)
    })
    this.#resized.disconnect()
    this.#resized.observe(sheet)
    this.#sheet = sheet
    this.#fullscreen.disabled = !this.#modes.includes("fullscreen")
    this.#applyWidth()
    this.#canvas.replaceChildren(sheet)
    return sheet
  }

  /** Removes the view, and says why there is none. */
  clear(text = "Choose a tool to see its view here."): void {
    this.#sheet = undefined
    this.#resized.disconnect()
    this.setDisplayMode("inline")
    this.#fullscreen.disabled = true
    this.#canvas.replaceChildren(element("p", { class: "empty" }, text))
  }

  /** `full`, or CSS pixels. */
  setHost(width: string, { maxHeight, modes }: HostProfile): void {
    this.#width = width
    this.#modes = modes
    this.#canvas.style.maxHeight = maxHeight === undefined ? "" : `${maxHeight}px`
    if (!modes.includes(this.#mode)) this.setDisplayMode("inline")
    this.#fullscreen.disabled = this.#sheet === undefined || !modes.includes("fullscreen")
    this.#applyWidth()
  }

  #applyWidth(): void {
    if (this.#sheet !== undefined) this.#sheet.style.width = this.#width === "full" ? "" : `${this.#width}px`
  }

  /** Answers with the mode in use. A mode that we do not know changes nothing. */
  setDisplayMode(mode: McpUiDisplayMode): McpUiDisplayMode {
    if (mode === this.#mode || !this.#modes.includes(mode) || (mode !== "inline" && this.#sheet === undefined))
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
      availableDisplayModes: [...this.#modes],
      containerDimensions:
        this.#mode === "inline" ? { width: clientWidth } : { width: clientWidth, height: clientHeight }
    }
  }
}
