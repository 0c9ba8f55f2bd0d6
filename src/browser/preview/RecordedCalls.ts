import { byId, element } from "./element.ts"
import type { Recording } from "./Recordings.ts"

/** The calls that were answered in this tab, the newest first. Each can be shown again without calling anybody. */
export class RecordedCalls {
  readonly #list = byId("calls", HTMLOListElement)
  readonly #none = byId("no-calls", HTMLElement)
  readonly #onReplay: (recording: Recording) => void

  constructor(onReplay: (recording: Recording) => void) {
    this.#onReplay = onReplay
  }

  show(calls: ReadonlyArray<Recording>, tool: string | undefined): void {
    const own = calls.filter((call) => call.tool === tool).toReversed()
    this.#none.hidden = own.length > 0
    this.#list.replaceChildren(...own.map((recording) => this.#row(recording)))
  }

  #row(recording: Recording): HTMLElement {
    const { at, result, values } = recording
    const time = new Date(at).toLocaleTimeString("en", { hour: "2-digit", minute: "2-digit", second: "2-digit" })
    const replay = element("button", { class: "button small", type: "button" }, "Show again")
    replay.ariaLabel = `Show again: the call of ${time}`
    replay.addEventListener("click", () => this.#onReplay(recording))
    return element(
      "li",
      { class: "version" },
      element("span", { class: "version-number" }, time),
      element("code", { class: "version-about" }, JSON.stringify(values)),
      element("span", { class: "quiet" }, result.isError === true ? "an error" : ""),
      replay
    )
  }
}
