import { byId, chosenIn, element } from "./element.ts"
import { lineDiff } from "./lineDiff.ts"
import { messageOf } from "./texts.ts"
import { factsOf, titleOf, type UiVersion } from "./uiVersions.ts"
import type { ViewFrame } from "./ViewFrame.ts"

export interface ComparisonSubject {
  readonly title: string
  /** Newest first. */
  readonly versions: ReadonlyArray<UiVersion>
  /** Empty for the built-in UI. */
  readonly source: (version: UiVersion) => Promise<string>
  /** Makes a view of a version for a place of this width in pixels. It is not on the page yet. */
  readonly view: (version: UiVersion, width: number) => Promise<ViewFrame>
  /** Gives the view the call that the other views were given. The view is on the page and open. */
  readonly feed: (view: ViewFrame) => Promise<void>
  readonly onRevert: (version: UiVersion) => void
}

/** One of the two places: a choice of versions, and a view of the one that is chosen. */
class ComparedSide {
  readonly #choice = element("select", { class: "input" })
  readonly #facts = element("p", { class: "quiet" })
  readonly #revert = element("button", { class: "button", type: "button" })
  readonly #mark = element("span", { class: "version-mark" }, "Shown")
  readonly #sheet = element("div", { class: "canvas-sheet comparison-sheet", "data-border": "true" })
  readonly node: HTMLElement
  readonly #subject: ComparisonSubject
  #view: ViewFrame | undefined
  #turn = 0

  constructor(name: string, subject: ComparisonSubject, version: UiVersion, onChoice: () => void) {
    this.#subject = subject
    this.#choice.ariaLabel = `Version on the ${name}`
    this.#choice.append(
      ...subject.versions.map((one) => element("option", { value: one.number }, `${one.number}  ${titleOf(one)}`))
    )
    this.#choice.value = String(version.number)
    this.#choice.addEventListener("change", () => {
      void this.load()
      onChoice()
    })
    this.#revert.addEventListener("click", () => {
      const chosen = this.chosen
      if (chosen !== undefined) subject.onRevert(chosen)
    })
    this.node = element(
      "section",
      { class: "comparison-side", "aria-label": `The ${name} one` },
      element("div", { class: "comparison-head" }, this.#choice, this.#revert, this.#mark, this.#facts),
      element("div", { class: "canvas", role: "group", "aria-label": "Its view", tabindex: 0 }, this.#sheet)
    )
  }

  get chosen(): UiVersion | undefined {
    return this.#subject.versions.find(({ number }) => String(number) === this.#choice.value)
  }

  /** Shows the chosen version, in place of the one before. */
  async load(): Promise<void> {
    const turn = (this.#turn += 1)
    const version = this.chosen
    if (version === undefined) return
    this.#facts.textContent = factsOf(version)
    this.#revert.textContent = version.origin === "variant" ? "Use this one" : "Go back to this one"
    this.#revert.hidden = version.isCurrent
    this.#mark.hidden = !version.isCurrent
    await this.#view?.close()
    this.#view = undefined
    if (turn !== this.#turn) return
    this.#sheet.replaceChildren(element("p", { class: "empty" }, "Opening…"))
    try {
      const view = await this.#subject.view(version, this.#sheet.clientWidth)
      if (turn !== this.#turn) return
      this.#view = view
      view.frame.title = `Version ${version.number}`
      this.#sheet.replaceChildren(view.frame)
      await view.open()
      await this.#subject.feed(view)
    } catch (error) {
      const alert = element("p", { class: "empty", role: "alert" }, messageOf(error))
      if (turn === this.#turn) this.#sheet.replaceChildren(alert)
    }
  }

  async close(): Promise<void> {
    this.#turn += 1
    await this.#view?.close()
    this.#view = undefined
  }
}

/** Two versions of a UI beside each other, and how their sources differ, in front of the page. */
export class VersionComparison {
  readonly #dialog = byId("comparison", HTMLDialogElement)
  readonly #title = byId("comparison-tool", HTMLElement)
  readonly #sides = byId("comparison-sides", HTMLElement)
  readonly #diff = byId("comparison-diff", HTMLElement)
  readonly #as = byId("comparison-as", HTMLFieldSetElement)
  #shown: ReadonlyArray<ComparedSide> = []
  #source: ComparisonSubject["source"] = () => Promise.resolve("")

  constructor() {
    this.#as.addEventListener("change", () => void this.#draw())
    byId("comparison-close", HTMLButtonElement).addEventListener("click", () => this.#dialog.close())
    this.#dialog.addEventListener("close", () => this.#clear())
  }

  open(subject: ComparisonSubject, left: UiVersion, right: UiVersion): void {
    this.#clear()
    this.#title.textContent = subject.title
    const leave = (version: UiVersion): void => {
      this.#dialog.close()
      subject.onRevert(version)
    }
    const told = { ...subject, onRevert: leave }
    this.#source = subject.source
    const onChoice = (): void => void this.#draw()
    this.#shown = [new ComparedSide("left", told, left, onChoice), new ComparedSide("right", told, right, onChoice)]
    this.#sides.replaceChildren(...this.#shown.map(({ node }) => node))
    this.#dialog.showModal()
    for (const side of this.#shown) void side.load()
    void this.#draw()
  }

  close(): void {
    if (this.#dialog.open) this.#dialog.close()
  }

  /** The views, or the lines of the sources. */
  async #draw(): Promise<void> {
    const asSource = chosenIn(this.#as) === "source"
    this.#dialog.dataset["as"] = chosenIn(this.#as)
    this.#diff.hidden = !asSource
    const [left, right] = this.#shown.map(({ chosen }) => chosen)
    if (!asSource || left === undefined || right === undefined) return
    const [before, after] = await Promise.all([this.#source(left), this.#source(right)])
    const lines = lineDiff(before, after).map(({ kind, text }) =>
      element(kind === "added" ? "ins" : kind === "removed" ? "del" : "span", {}, `${text}\n`)
    )
    this.#diff.replaceChildren(...lines)
  }

  #clear(): void {
    const shown = this.#shown
    this.#shown = []
    for (const side of shown) void side.close().then(() => side.node.remove())
  }
}
