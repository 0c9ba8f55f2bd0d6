import type { McpUiHostContext, McpUiTheme } from "@modelcontextprotocol/ext-apps/app-bridge"
import { byId } from "../preview/element.ts"
import { hostStyles } from "../preview/hostStyles.ts"

/** What each setting can be. The first is the default and is left out of the address. */
const choices = {
  theme: ["system", "light", "dark"],
  colours: ["own", "host", "contrast"],
  width: ["720", "320", "480", "full"],
  direction: ["ltr", "rtl"],
  zoom: ["100", "200"]
} as const

type Name = keyof typeof choices

const names = Object.keys(choices) as ReadonlyArray<Name>

/** The bar on top: how the gallery is shown. The address keeps it, so that a link shows the same. */
export class GallerySettings {
  readonly #form = byId("settings", HTMLFormElement)

  constructor(onChange: (name: Name) => void) {
    const query = new URL(location.href).searchParams
    for (const name of names) {
      const given = query.get(name)
      const value = choices[name].find((choice) => choice === given) ?? choices[name][0]
      for (const radio of this.#radios(name)) radio.checked = radio.value === value
    }
    this.#applyTheme()
    this.#form.addEventListener("change", ({ target }) => {
      const changed = target instanceof HTMLInputElement ? names.find((name) => name === target.name) : undefined
      if (changed === undefined) return
      this.#applyTheme()
      this.#writeAddress()
      onChange(changed)
    })
  }

  value(name: Name): string {
    return this.#radios(name).find(({ checked }) => checked)?.value ?? choices[name][0]
  }

  get theme(): McpUiTheme {
    const theme = this.value("theme")
    if (theme === "system") return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"
    return theme === "dark" ? "dark" : "light"
  }

  /** What the host tells the view. What the page is to find by itself is left out. */
  get context(): McpUiHostContext {
    const colours = this.value("colours")
    return {
      ...(this.value("theme") === "system" && colours === "own" ? {} : { theme: this.theme }),
      ...(colours === "own" ? {} : { styles: hostStyles(this.theme, colours === "contrast" ? "more" : "normal") }),
      locale: this.value("direction") === "rtl" ? "ar-EG" : "en-GB",
      timeZone: "UTC",
      platform: "web",
      userAgent: "mcp-gen-ui-gallery"
    }
  }

  #radios(name: Name): ReadonlyArray<HTMLInputElement> {
    return [...this.#form.querySelectorAll<HTMLInputElement>(`input[name="${name}"]`)]
  }

  #applyTheme(): void {
    document.documentElement.dataset["theme"] = this.theme
  }

  #writeAddress(): void {
    const address = new URL(location.href)
    for (const name of names) {
      const value = this.value(name)
      if (value === choices[name][0]) address.searchParams.delete(name)
      else address.searchParams.set(name, value)
    }
    history.replaceState(null, "", address)
  }
}
