import { byId, element, press } from "./element.ts"
import type { PageState } from "./PageState.ts"
import { sentence } from "./texts.ts"
import { messageOf } from "./texts.ts"
import type { Answer, UiVersion, UiWorkshop } from "./uiVersions.ts"

const textOf = (value: unknown): string => (typeof value === "string" || typeof value === "number" ? String(value) : "")
const textsIn = (value: unknown): ReadonlyArray<string> => (Array.isArray(value) ? value.map(textOf) : [])
const numberIn = (value: unknown, name: string): number | undefined => {
  const found: unknown = Reflect.get(Object(value), name)
  return typeof found === "number" ? found : undefined
}
const reasonOf = (value: unknown): string => textOf(Reflect.get(Object(value), "message"))

const LEVELS = ["As the model wrote it", "Repaired", "The built-in UI stands in", "Plain HTML stands in"]

/** US dollars for a million tokens, as the person has set them for this model. */
const prices = ["input", "output"] as const

/** How the UI on show came about: its facts, its source and its prompt. Each is read when somebody looks. */
export class BehindPanel {
  readonly #panel = byId("behind", HTMLDetailsElement)
  readonly #tabs = byId("behind-tabs", HTMLFieldSetElement)
  readonly #about = byId("about", HTMLElement)
  readonly #source = byId("source", HTMLTextAreaElement)
  readonly #sourceSaid = byId("source-said", HTMLElement)
  readonly #prompt = byId("prompt", HTMLElement)
  readonly #state: PageState
  readonly #onSaved: () => Promise<void>
  #workshop: UiWorkshop | undefined
  #current: UiVersion | undefined
  /** The version whose source is in the editor: what a person has typed stays until there is another one. */
  #edited: string | undefined

  constructor(state: PageState, onSaved: () => Promise<void>) {
    this.#state = state
    this.#onSaved = onSaved
    const kept = state.get("behind")
    this.#panel.open = kept !== undefined
    for (const radio of this.#tabs.querySelectorAll("input")) {
      if (kept !== undefined) radio.checked = radio.value === kept
      radio.addEventListener("change", () => this.#show())
    }
    this.#panel.addEventListener("toggle", () => this.#show())
    press("source-save", () => void this.#save())
    this.#source.addEventListener("keydown", (event) => {
      if (event.key === "s" && (event.ctrlKey || event.metaKey)) {
        event.preventDefault()
        void this.#save()
      }
    })
  }

  show(workshop: UiWorkshop | undefined, versions: ReadonlyArray<UiVersion>): void {
    this.#workshop = workshop
    this.#current = versions.find(({ isCurrent }) => isCurrent)
    for (const name of ["versions", "about", "source", "prompt"]) {
      this.#tabs
        .querySelector<HTMLElement>(`label:has([value=${name}])`)
        ?.toggleAttribute("hidden", workshop === undefined)
    }
    this.#show()
  }

  get #tab(): string {
    const checked = this.#tabs.querySelector<HTMLInputElement>("label:not([hidden]) input:checked")
    return checked?.value ?? "calls"
  }

  #show(): void {
    this.#state.set("behind", this.#panel.open ? this.#tab : undefined)
    for (const pane of this.#panel.querySelectorAll<HTMLElement>("[data-tab]")) {
      pane.hidden = pane.dataset["tab"] !== this.#tab
    }
    const workshop = this.#workshop
    if (!this.#panel.open || workshop === undefined) return
    const read = { about: this.#readAbout, source: this.#readSource, prompt: this.#readPrompt }[this.#tab]
    read?.call(this, workshop).catch((error: unknown) => {
      if (this.#workshop === workshop) this.#sourceSaid.textContent = messageOf(error)
    })
  }

  async #readAbout(workshop: UiWorkshop): Promise<void> {
    const facts = await workshop.inspect()
    if (this.#workshop === workshop) this.#about.replaceChildren(...this.#facts(facts))
  }

  #facts(facts: Answer): ReadonlyArray<Node> {
    const { durationMs, level, tokens } = facts
    const model = textOf(facts["model"])
    const [input, output] = [numberIn(tokens, "inputTokens"), numberIn(tokens, "outputTokens")]
    const cached = numberIn(tokens, "cachedInputTokens")
    const rows: ReadonlyArray<readonly [string, string | HTMLElement]> = [
      ["Written by", [textOf(facts["provider"]), model].filter(Boolean).join(" · ") || "Nobody: it is the built-in UI"],
      ["Time", typeof durationMs === "number" && model !== "" ? `${(durationMs / 1000).toFixed(1)} s` : ""],
      [
        "Tokens",
        input === undefined
          ? ""
          : `${input.toLocaleString("en")} read${cached === undefined ? "" : ` (${cached.toLocaleString("en")} from a cache)`}, ${output?.toLocaleString("en")} written`
      ],
      ["Cost", input === undefined || output === undefined ? "" : this.#cost(model, input, output)],
      ["How it came out", typeof level === "number" ? (LEVELS[level] ?? "") : ""],
      ["Inspection mended", textsIn(facts["repairs"]).join(", ")],
      ["Inspection warned", textsIn(facts["warnings"]).map(sentence).join(" ")],
      ["Why it stands in", reasonOf(facts["fallbackReason"])],
      ["Last change failed", reasonOf(facts["lastError"])],
      ["Made with", textsIn(facts["history"]).join(" · ")],
      ["Kept under", textOf(facts["cacheKey"]).slice(0, 16)]
    ]
    return rows.flatMap(([name, value]) => (value === "" ? [] : [element("dt", {}, name), element("dd", {}, value)]))
  }

  /** By prices that the person sets: lists of prices grow old. */
  #cost(model: string, input: number, output: number): HTMLElement {
    const said = element("span", { role: "status" })
    const fields = prices.map((kind) => {
      const field = element("input", {
        class: "input",
        type: "number",
        min: 0,
        step: "any",
        "aria-label": `Price of ${kind}`
      })
      field.value = localStorage.getItem(`price ${model} ${kind}`) ?? ""
      return field
    })
    const tell = (): void => {
      const [of, to] = fields.map(({ valueAsNumber }) => valueAsNumber)
      const cost = (input * (of ?? Number.NaN) + output * (to ?? Number.NaN)) / 1_000_000
      said.textContent = Number.isNaN(cost) ? "Set the prices of a million tokens to see it." : `$${cost.toFixed(4)}`
    }
    for (const [index, field] of fields.entries()) {
      field.addEventListener("input", () => {
        localStorage.setItem(`price ${model} ${prices[index]}`, field.value)
        tell()
      })
    }
    tell()
    const [read, written] = fields
    return element(
      "span",
      { class: "cost" },
      said,
      element("label", {}, "$ read ", read),
      element("label", {}, "$ written ", written)
    )
  }

  async #readSource(workshop: UiWorkshop): Promise<void> {
    const current = this.#current
    const version = `${workshop.tool.name} ${current?.number}`
    if (this.#edited === version) return
    const source = current === undefined ? null : await workshop.source(current)
    if (this.#workshop !== workshop || this.#current !== current) return
    this.#edited = version
    this.#source.value = source ?? ""
    this.#sourceSaid.textContent = source === null ? "It is the built-in UI, which has no source of its own." : ""
  }

  async #readPrompt(workshop: UiWorkshop): Promise<void> {
    const prompt = await workshop.prompt()
    if (this.#workshop === workshop) this.#prompt.textContent = prompt ?? "There is no prompt."
  }

  async #save(): Promise<void> {
    const workshop = this.#workshop
    if (workshop === undefined) return
    this.#sourceSaid.textContent = "Inspecting…"
    try {
      const { version } = await workshop.save(this.#source.value)
      this.#edited = `${workshop.tool.name} ${textOf(version)}`
      this.#sourceSaid.textContent = `Served as version ${textOf(version)}.`
      await this.#onSaved()
    } catch (error) {
      this.#sourceSaid.textContent = messageOf(error)
    }
  }
}
