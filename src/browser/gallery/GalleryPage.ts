import type { McpUiHostContext } from "@modelcontextprotocol/ext-apps/app-bridge"
import { byId, element } from "../preview/element.ts"
import { messageOf } from "../preview/texts.ts"
import { areas } from "./areas.ts"
import { CaseFrame } from "./CaseFrame.ts"
import type { GalleryArea, GalleryCase } from "./GalleryCase.ts"
import { GallerySettings } from "./GallerySettings.ts"

export interface GalleryPageOptions {
  readonly sandboxOrigin: string
  /** The page runtime as documents carry it. */
  readonly runtime: string
  readonly frameScript: string
}

/** How many frames open at the same time. */
const mostOpening = 3
/** CSS pixels of a view that fills the window. */
const fullscreenHeight = 640

const areaOf = (id: string): GalleryArea | undefined =>
  areas.find((area) => area.id === id || area.cases.some((given) => given.id === id))

/** The page: a list of areas, and the cases of the chosen area, each in its own frame. */
export class GalleryPage {
  readonly #options: GalleryPageOptions
  readonly #areas = byId("areas", HTMLElement)
  readonly #cases = byId("cases", HTMLElement)
  readonly #settings = new GallerySettings((name) => (name === "width" ? this.#applyWidth() : void this.#show()))
  readonly #frames = new Set<CaseFrame>()
  #shown: GalleryArea | undefined
  #turn = 0

  constructor(options: GalleryPageOptions) {
    this.#options = options
  }

  start(): void {
    this.#renderAreas()
    addEventListener("hashchange", () => this.#follow())
    this.#follow()
  }

  /** Shows what the address names: an area, or the case in it. */
  #follow(): void {
    const id = decodeURIComponent(location.hash.slice(1))
    const [first] = areas
    const area = areaOf(id) ?? first
    if (area !== undefined && area !== this.#shown) {
      this.#shown = area
      void this.#show()
    }
    document.querySelector(`#${CSS.escape(id || "areas")}.case`)?.scrollIntoView()
  }

  #renderAreas(): void {
    const link = (id: string, title: string, part?: string) =>
      element("a", { href: `#${id}`, "data-part": part }, title)
    this.#areas.replaceChildren(
      element(
        "ul",
        {},
        ...areas.map(({ cases, id, title }) =>
          element(
            "li",
            {},
            link(id, title),
            element(
              "ul",
              { hidden: true, "data-area": id },
              ...cases.map((given) => element("li", {}, link(given.id, given.title, given.part)))
            )
          )
        )
      )
    )
  }

  async #show(): Promise<void> {
    const area = this.#shown
    if (area === undefined) return
    const turn = (this.#turn += 1)
    for (const anchor of this.#areas.querySelectorAll<HTMLElement>("a"))
      anchor.setAttribute("aria-current", String(anchor.getAttribute("href") === `#${area.id}`))
    for (const list of this.#areas.querySelectorAll<HTMLElement>("ul[data-area]"))
      list.hidden = list.dataset["area"] !== area.id
    const old = [...this.#frames]
    this.#frames.clear()
    const sections = area.cases.map((given) => [given, this.#section(given)] as const)
    this.#cases.replaceChildren(
      element("h2", { class: "heading" }, area.title),
      ...sections.map(([, { section }]) => section)
    )
    this.#cases.dataset["state"] = "opening"
    await Promise.all(old.map((frame) => frame.close()))
    this.#follow()
    const waiting = sections.values()
    const work = async (): Promise<void> => {
      for (const [given, { section, sheet, event }] of waiting) {
        if (turn !== this.#turn) return
        await this.#open(given, section, sheet, event)
      }
    }
    await Promise.all(Array.from({ length: mostOpening }, work))
    if (turn === this.#turn) this.#cases.dataset["state"] = "drawn"
  }

  #section(given: GalleryCase) {
    const { about, fullscreen = false, id, title } = given
    const sheet = element("div", {
      class: "case-sheet",
      "data-theme": this.#settings.theme,
      "data-width": fullscreen ? "full" : this.#settings.value("width"),
      "data-fullscreen": fullscreen
    })
    const event = element("p", { class: "case-event quiet", role: "status" })
    const section = element(
      "section",
      { class: "case", id, "aria-label": title, "data-state": "waiting" },
      element(
        "div",
        { class: "case-head" },
        element("h3", {}, element("a", { href: `#${id}` }, title)),
        about === undefined ? null : element("p", { class: "quiet" }, about)
      ),
      element("div", { class: "case-stage", role: "group", "aria-label": "Its view", tabindex: 0 }, sheet),
      event
    )
    return { event, section, sheet }
  }

  async #open(given: GalleryCase, section: HTMLElement, sheet: HTMLElement, event: HTMLElement): Promise<void> {
    section.dataset["state"] = "opening"
    const percent = this.#settings.value("zoom")
    const scale = Number(percent) / 100
    const zoom = element("div", { class: "case-zoom", "data-zoom": percent })
    sheet.replaceChildren(zoom)
    const frame = new CaseFrame({
      ...this.#options,
      given,
      isRightToLeft: this.#settings.value("direction") === "rtl",
      context: this.#context(given, sheet.clientWidth / scale),
      onEvent: (text) => {
        event.textContent = text
      }
    })
    this.#frames.add(frame)
    // A scaled frame does not change the height of its sheet by itself.
    new ResizeObserver(([entry]) => {
      if (entry !== undefined && scale !== 1) sheet.style.height = `${entry.contentRect.height * scale + 2}px`
    }).observe(zoom)
    zoom.append(frame.frame)
    if (given.fullscreen === true) frame.frame.style.minHeight = `${fullscreenHeight}px`
    try {
      await frame.open()
      section.dataset["state"] = "drawn"
    } catch (error) {
      section.dataset["state"] = "failed"
      event.textContent = messageOf(error)
    }
  }

  #context({ fullscreen = false }: GalleryCase, width: number): McpUiHostContext {
    return {
      ...this.#settings.context,
      displayMode: fullscreen ? "fullscreen" : "inline",
      availableDisplayModes: ["inline", "fullscreen"],
      containerDimensions: fullscreen ? { width, height: fullscreenHeight } : { width }
    }
  }

  #applyWidth(): void {
    for (const sheet of this.#cases.querySelectorAll<HTMLElement>(".case-sheet:not([data-fullscreen])"))
      sheet.dataset["width"] = this.#settings.value("width")
  }
}
