import { byId, element } from "./element.ts"
import { factsOf, titleOf, type UiVersion } from "./uiVersions.ts"

export interface VersionsPanelEvents {
  readonly onCompare: (version: UiVersion) => void
  readonly onRevert: (version: UiVersion) => void
}

/** The versions of the UI on show, the newest first, with what can be done with each. */
export class VersionsPanel {
  readonly #count = byId("versions-count", HTMLElement)
  readonly #none = byId("no-versions", HTMLElement)
  readonly #list = byId("versions-list", HTMLOListElement)
  readonly #events: VersionsPanelEvents

  constructor(events: VersionsPanelEvents) {
    this.#events = events
  }

  show(versions: ReadonlyArray<UiVersion>): void {
    this.#none.hidden = versions.length > 0
    this.#count.textContent = versions.length === 0 ? "" : String(versions.length)
    this.#list.replaceChildren(...versions.map((version) => this.#row(version)))
  }

  #row(version: UiVersion): HTMLElement {
    const { isCurrent, number, origin } = version
    const button = (text: string, onClick: (version: UiVersion) => void): HTMLElement => {
      const node = element(
        "button",
        { class: "button", type: "button", "aria-label": `${text}: version ${number}` },
        text
      )
      node.addEventListener("click", () => onClick(version))
      return node
    }
    return element(
      "li",
      { class: "version", "aria-current": isCurrent ? "true" : null },
      element("span", { class: "version-number" }, String(number)),
      element(
        "div",
        { class: "version-about" },
        element("p", { class: "version-title" }, titleOf(version)),
        element("p", { class: "quiet" }, factsOf(version))
      ),
      isCurrent
        ? element("span", { class: "version-mark" }, "Shown")
        : element(
            "span",
            { class: "version-buttons" },
            button("Compare", this.#events.onCompare),
            button(origin === "variant" ? "Use this one" : "Go back to this one", this.#events.onRevert)
          )
    )
  }
}
