import type { McpUiHostContext, McpUiTheme } from "@modelcontextprotocol/ext-apps/app-bridge"
import { byId, chosenIn, element } from "./element.ts"
import { type HostProfile, hostProfiles } from "./hostProfiles.ts"
import { hostStyles } from "./hostStyles.ts"
import type { PageState } from "./PageState.ts"

/** BCP 47. The last two are written from right to left. */
const locales = ["en-US", "en-GB", "de-DE", "fr-FR", "pt-BR", "ja-JP", "zh-CN", "hi-IN", "ar-EG", "he-IL"]
const timeZones = ["UTC", "America/New_York", "Europe/Berlin", "Asia/Kolkata", "Asia/Tokyo", "Pacific/Auckland"]

const fill = (select: HTMLSelectElement, own: string, others: ReadonlyArray<string>): void => {
  select.append(
    element("option", { value: own }, `${own} (browser)`),
    ...others.filter((other) => other !== own).map((other) => element("option", { value: other }, other))
  )
}

const [studioProfile] = hostProfiles

/** What a person sets about the host that the view sees. */
export class ViewSettings {
  readonly #theme = byId("theme", HTMLFieldSetElement)
  readonly #width = byId("width", HTMLFieldSetElement)
  readonly #locale = byId("locale", HTMLSelectElement)
  readonly #timeZone = byId("time-zone", HTMLSelectElement)
  readonly #contrast = byId("contrast", HTMLInputElement)
  readonly #direction = byId("rtl", HTMLInputElement)
  readonly #profile = byId("profile", HTMLSelectElement)
  readonly #about = byId("profile-about", HTMLElement)
  readonly #summary = byId("host-summary", HTMLElement)

  /** `context`: the view has to be told. `document`: the view has to be opened again. */
  constructor(state: PageState, onChange: (what: "context" | "document" | "width") => void) {
    const prefersDark = matchMedia("(prefers-color-scheme: dark)").matches
    for (const radio of this.#theme.querySelectorAll("input"))
      radio.checked = radio.value === (prefersDark ? "dark" : "light")
    fill(this.#locale, navigator.language, locales)
    fill(this.#timeZone, Intl.DateTimeFormat().resolvedOptions().timeZone, timeZones)
    this.#profile.append(...hostProfiles.map(({ id, name }) => element("option", { value: id }, name)))
    state.keepChoice("theme", this.#theme)
    state.keep("host", this.#profile)
    this.#setWidth(this.profile.width)
    state.keepChoice("width", this.#width)
    for (const [name, control] of Object.entries({ locale: this.#locale, zone: this.#timeZone }))
      state.keep(name, control)
    for (const [name, control] of Object.entries({ contrast: this.#contrast, rtl: this.#direction }))
      state.keep(name, control)
    const apply = (): void => {
      document.documentElement.dataset["theme"] = this.theme
      const { about, name } = this.profile
      const width = this.width === "full" ? "full width" : `${this.width} wide`
      this.#summary.textContent = `As ${name} · ${width} · ${this.#locale.value}`
      this.#about.textContent = about
    }
    this.#profile.addEventListener("change", () => {
      state.set("width", undefined)
      this.#setWidth(this.profile.width)
      apply()
      onChange("width")
      onChange("document")
    })
    apply()
    for (const control of [this.#theme, this.#width, this.#locale]) control.addEventListener("change", apply)
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
    return chosenIn(this.#width) || this.profile.width
  }

  get profile(): HostProfile {
    return hostProfiles.find(({ id }) => id === this.#profile.value) ?? studioProfile
  }

  /** Checks the button of this width, if there is one. */
  #setWidth(width: string): void {
    for (const radio of this.#width.querySelectorAll("input")) radio.checked = radio.value === width
  }

  get isRightToLeft(): boolean {
    return this.#direction.checked
  }

  /** Whether a view can be opened anew. */
  set canReopen(can: boolean) {
    this.#direction.disabled = !can
    this.#profile.disabled = !can
  }

  get context(): McpUiHostContext {
    return {
      theme: this.theme,
      ...(this.profile.sendsStyles && { styles: hostStyles(this.theme, this.#contrast.checked ? "more" : "normal") }),
      locale: this.#locale.value,
      timeZone: this.#timeZone.value,
      platform: "web",
      userAgent: "mcp-gen-ui-preview",
      deviceCapabilities: { touch: navigator.maxTouchPoints > 0, hover: matchMedia("(hover: hover)").matches },
      safeAreaInsets: { top: 0, right: 0, bottom: 0, left: 0 }
    }
  }
}
