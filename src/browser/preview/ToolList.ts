import type { Tool } from "@modelcontextprotocol/client"
import { byId, element } from "./element.ts"
import { titleOf } from "./toolTexts.ts"

/** The tools to choose from. Those of the wrapper stand in a folded group of their own. */
export class ToolList {
  readonly #menu = byId("tool-menu", HTMLDetailsElement)
  readonly #filter = byId("filter", HTMLInputElement)
  readonly #list = byId("tools", HTMLUListElement)
  readonly #group = byId("own-tools", HTMLDetailsElement)
  readonly #ownList = byId("own-tool-list", HTMLUListElement)
  readonly #none = byId("no-tools", HTMLElement)
  readonly #onChoose: (tool: Tool) => void
  readonly #narrow = matchMedia("(max-width: 680px)")
  #tools: ReadonlyArray<Tool> = []
  #prefix: string | undefined
  #chosen: string | undefined

  constructor(onChoose: (tool: Tool) => void) {
    this.#onChoose = onChoose
    this.#menu.open = !this.#narrow.matches
    this.#narrow.addEventListener("change", ({ matches }) => (this.#menu.open = !matches))
    this.#filter.addEventListener("input", () => this.#render())
    addEventListener("keydown", (event) => {
      const isTyping = event.target instanceof Element && event.target.matches("input, textarea, select")
      if (event.key !== "/" || isTyping) return
      event.preventDefault()
      this.#menu.open = true
      this.#filter.focus()
    })
  }

  /** `prefix`: how the names of the wrapper's tools begin. */
  show(tools: ReadonlyArray<Tool>, prefix: string | undefined): void {
    this.#tools = tools
    this.#prefix = prefix
    this.#render()
  }

  mark(tool: Tool | undefined): void {
    this.#chosen = tool?.name
    byId("tool-menu-chosen", HTMLElement).textContent = tool === undefined ? "" : titleOf(tool)
    for (const button of this.#menu.querySelectorAll<HTMLElement>(".tool")) {
      button.setAttribute("aria-current", String(button.dataset["tool"] === this.#chosen))
    }
  }

  /** Says why there are none. */
  tellNone(text: string): void {
    if (this.#tools.length > 0) return
    this.#menu.open = true
    this.#none.hidden = false
    this.#none.textContent = text
  }

  #render(): void {
    const wanted = this.#filter.value.trim().toLowerCase()
    const shown = this.#tools.filter(({ name, title = "" }) => `${name} ${title}`.toLowerCase().includes(wanted))
    // One with a view is there for people.
    const isOwn = ({ _meta, name }: Tool): boolean =>
      this.#prefix !== undefined &&
      name.startsWith(this.#prefix) &&
      Reflect.get(Object(_meta?.["ui"]), "resourceUri") === undefined
    const [own, others] = [shown.filter(isOwn), shown.filter((tool) => !isOwn(tool))]
    const all = this.#tools.filter((tool) => !isOwn(tool)).length
    byId("tool-count", HTMLElement).textContent = others.length === all ? String(all) : `${others.length} of ${all}`
    byId("own-count", HTMLElement).textContent = String(own.length)
    this.#list.replaceChildren(...others.map((tool) => this.#item(tool)))
    this.#ownList.replaceChildren(...own.map((tool) => this.#item(tool)))
    this.#group.hidden = own.length === 0
    if (wanted !== "" && own.length > 0) this.#group.open = true
    this.#none.hidden = shown.length > 0
    this.#none.textContent = this.#tools.length === 0 ? "The server lists no tools." : "No tool has this in its name."
  }

  #item(tool: Tool): HTMLElement {
    const button = element(
      "button",
      {
        class: "tool",
        type: "button",
        "data-tool": tool.name,
        "aria-current": String(tool.name === this.#chosen)
      },
      element("span", { class: "tool-label" }, titleOf(tool)),
      element("span", { class: "tool-name" }, tool.name)
    )
    button.addEventListener("click", () => {
      if (this.#narrow.matches) this.#menu.open = false
      this.#onChoose(tool)
    })
    return element("li", {}, button)
  }
}
