import type { McpUiHostContext, McpUiTheme } from "@modelcontextprotocol/ext-apps/app-bridge"
import { byId, chosenIn, element } from "./element.ts"
import { hostStyles } from "./hostStyles.ts"

/** BCP 47. The last two are written from right to left. */
const locales = ["en-US", "en-GB", "de-DE", "fr-FR", "pt-BR", "ja-JP", "zh-CN", "hi-IN", "ar-EG", "he-IL"]
const timeZones = ["UTC", "America/New_York", "Europe/Berlin", "Asia/Kolkata", "Asia/Tokyo", "Pacific/Auckland"]

const fill = (select: HTMLSelectElement, own: string, others: ReadonlyArray<string>): void => {
  select.append(
    element("option", { value: own }, `${own} (browser)`),
    ...others.filter((other) => other !== own).map((other) => element("option", { value: other }, other))
  )
}

/** What a person sets about the host that the view sees. */
export class ViewSettings {
  readonly #theme = byId("theme", HTMLFieldSetElement)
  readonly #width = byId("width", HTMLFieldSetElement)
  readonly #locale = byId("locale", HTMLSelectElement)
  readonly #timeZone = byId("time-zone", HTMLSelectElement)
  readonly #contrast = byId("contrast", HTMLInputElement)
  readonly #direction = byId("rtl", HTMLInputElement)

  /** `context`: the view has to be told. `document`: the view has to be opened again. */
  constructor(onChange: (what: "context" | "document" | "width") => void) {
    const prefersDark = matchMedia("(prefers-color-scheme: dark)").matches
    for (const radio of this.#theme.querySelectorAll("input"))
      radio.checked = radio.value === (prefersDark ? "dark" : "light")
    fill(this.#locale, navigator.language, locales)
    fill(this.#timeZone, Intl.DateTimeFormat().resolvedOptions().timeZone, timeZones)
    const applyTheme = (): void => {
      document.documentElement.dataset["theme"] = this.theme
    }
    applyTheme()
    this.#theme.addEventListener("change", applyTheme)
    for (const control of [this.#theme, this.#locale, this.#timeZone, this.#contrast]) {
      control.addEventListener("change", () => onChange("context"))
    }
    this.#width.addEventListener("change", () => onChange("width"))
    this.#direction.addEventListener("change", () => onChange("document"))
  }

  get theme(): McpUiTheme {
    return chosenIn(this.#theme) === "dark" ? "dark" : "light"
  }

  /** CSS pixels, or `full`. */
  get width(): string {
    return chosenIn(this.#width)
  }

  get isRightToLeft(): boolean {
    return this.#direction.checked
  }

  /** Whether a view can be opened anew. */
  set canReopen(can: boolean) {
    this.#direction.disabled = !can
  }

  get context(): McpUiHostContext {
    return {
      theme: this.theme,
      styles: hostStyles(this.theme, this.#contrast.checked ? "more" : "normal"),
      locale: this.#locale.value,
      timeZone: this.#timeZone.value,
      platform: "web",
      userAgent: "mcp-gen-ui-preview",
      deviceCapabilities: { touch: navigator.maxTouchPoints > 0, hover: matchMedia("(hover: hover)").matches },
      safeAreaInsets: { top: 0, right: 0, bottom: 0, left: 0 }
    }
  }
}
