import { byId, press } from "./element.ts"
import type { ViewWriter } from "./HostTransport.ts"
import { messageOf } from "./texts.ts"
import type { CallWatch, UiVersion, UiWorkshop } from "./uiVersions.ts"
import type { WritingNote } from "./WritingNote.ts"

export interface ChangeBarEvents {
  /** The UI that is served is another one. */
  readonly onChanged: () => Promise<void>
  readonly onProblem: (text: string) => void
}

/** Where a person says how the UI on show is to change. One change at a time, which can be cancelled. */
export class ChangeBar {
  readonly #form = byId("change", HTMLFormElement)
  readonly #text = byId("change-text", HTMLInputElement)
  readonly #type = byId("ui-type", HTMLFieldSetElement)
  readonly #undo = press("undo", () => this.#goBack())
  readonly #regenerate = press(
    "regenerate",
    () => void this.#change((workshop, watch) => workshop.regenerate({}, watch))
  )
  readonly #cancel = press("change-cancel", () => this.#call?.abort("cancelled by the person"))
  readonly #submit = byId("change-submit", HTMLButtonElement)
  readonly #note: WritingNote
  readonly #events: ChangeBarEvents
  #workshop: UiWorkshop | undefined
  /** The tool that was on show last. */
  #of: string | undefined
  #writer: ViewWriter | undefined
  #versions: ReadonlyArray<UiVersion> = []
  /** The version before the built-in UI. */
  #rich: UiVersion | undefined
  #call: AbortController | undefined

  constructor(note: WritingNote, events: ChangeBarEvents) {
    this.#note = note
    this.#events = events
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault()
      const feedback = this.#text.value.trim()
      if (feedback !== "")
        void this.#change(
          (workshop, watch) => workshop.refine(feedback, watch),
          () => (this.#text.value = "")
        )
    })
    for (const radio of this.#type.querySelectorAll("input")) {
      radio.addEventListener("change", () => this.#setType(radio.value))
    }
    this.clear()
  }

  /** The UI of another tool is on show. Without a writer nothing can be written. */
  show(workshop: UiWorkshop, writer: ViewWriter | undefined, versions: ReadonlyArray<UiVersion>): void {
    if (this.#of !== workshop.tool.name) {
      this.#call?.abort("another tool was chosen")
      this.#rich = undefined
    }
    this.#of = workshop.tool.name
    this.#workshop = workshop
    this.#writer = writer
    this.#versions = versions
    const current = this.#current
    if (current !== undefined && current.uiType !== "minimal") this.#rich = current
    this.#showType()
    this.#update()
  }

  /** There is no UI on show for a while. A change that is being made goes on. */
  clear(): void {
    this.#workshop = undefined
    this.#versions = []
    this.#update()
  }

  get #current(): UiVersion | undefined {
    return this.#versions.find(({ isCurrent }) => isCurrent)
  }

  /** What the version on show was made from, else the one before it. */
  get #before(): UiVersion | undefined {
    const current = this.#current
    if (current === undefined) return undefined
    const parent = this.#versions.find(({ number }) => number === current.parent)
    return parent ?? this.#versions.find(({ number }) => number < current.number)
  }

  #update(): void {
    const [isThere, isBusy, canWrite] = [
      this.#workshop !== undefined,
      this.#call !== undefined,
      this.#writer !== undefined
    ]
    this.#form.hidden = !isThere
    for (const control of [this.#text, this.#submit, this.#regenerate, this.#type])
      control.disabled = isBusy || !canWrite
    this.#undo.disabled = isBusy || this.#before === undefined
    this.#cancel.hidden = !isBusy
    this.#submit.hidden = isBusy
    this.#text.placeholder = canWrite
      ? "Change this UI: “group by country”, “show a chart” …"
      : "No model is set, so UIs are not written: docs/configuration.md says how to set one"
  }

  /** Shows the kind that is served. While another one is made, the person's choice stays. */
  #showType(): void {
    const isBuiltIn = this.#current === undefined || this.#current.uiType === "minimal"
    for (const radio of this.#type.querySelectorAll("input")) radio.checked = (radio.value === "minimal") === isBuiltIn
  }

  #setType(type: string): void {
    const written = this.#rich
    void this.#change((workshop, watch) =>
      type === "rich" && written !== undefined
        ? workshop.revert(written.number)
        : workshop.regenerate({ uiType: type }, watch)
    )
  }

  #goBack(): void {
    const before = this.#before
    if (before !== undefined) void this.#change((workshop) => workshop.revert(before.number))
  }

  async #change(
    change: (workshop: UiWorkshop, watch: CallWatch) => Promise<unknown>,
    onDone = (): unknown => undefined
  ): Promise<void> {
    const workshop = this.#workshop
    if (workshop === undefined || this.#call !== undefined) return
    const call = new AbortController()
    this.#call = call
    this.#update()
    this.#note.begin(this.#writer)
    const onprogress: CallWatch["onprogress"] = ({ message }) => this.#call === call && this.#note.tell(message)
    const failure = await change(workshop, { signal: call.signal, onprogress }).then(
      () => undefined,
      (error: unknown) => ({ error })
    )
    this.#call = undefined
    this.#note.clear()
    this.#update()
    if (failure === undefined) {
      onDone()
      if (this.#workshop?.tool.name === workshop.tool.name) await this.#events.onChanged()
    } else {
      this.#showType()
      if (!call.signal.aborted) this.#events.onProblem(messageOf(failure.error))
    }
  }
}
