import { byId, element } from "./element.ts"

/** Shows messages beside the view, one at a time. */
export class Notices {
  readonly #host = byId("notices", HTMLElement)
  #onGone: (() => void) | undefined

  /** `onGone` is called once: when the notice is dismissed, or when another one takes its place. */
  show(text: string, actions: ReadonlyArray<HTMLElement> = [], onGone?: () => void): void {
    this.clear()
    const dismiss = element("button", { class: "button", type: "button" }, "Dismiss")
    this.#onGone = onGone
    dismiss.addEventListener("click", () => this.clear())
    for (const action of actions) action.addEventListener("click", () => this.clear())
    this.#host.append(element("div", { class: "notice" }, element("p", {}, text), ...actions, dismiss))
  }

  clear(): void {
    this.#host.replaceChildren()
    const onGone = this.#onGone
    this.#onGone = undefined
    onGone?.()
  }
}
