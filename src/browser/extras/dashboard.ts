import { formModel } from "../../domain/forms/FormModel.ts"
import { resultShape } from "../../domain/results/ResultShape.ts"
import type { DashboardCard } from "../../domain/tools/Dashboards.ts"
import { toolTitle } from "../builtin/toolTitle.ts"
import { masked } from "../forms/formMemory.ts"
import { inputSummary } from "../forms/inputSummary.ts"
import { setAccent } from "../parts/accent.ts"
import { button } from "../parts/button.ts"
import { callFailure } from "../parts/callStatus.ts"
import { h } from "../parts/dom.ts"
import { fullscreenButton } from "../parts/fullscreenButton.ts"
import { placeNow } from "../parts/host.ts"
import { detail } from "../parts/records.ts"
import { errorBox, header, section, status } from "../parts/layout.ts"
import { shapeView } from "../parts/resultView.ts"
import { clip, jsonOf, messageOf } from "../parts/values.ts"
import type { RuntimeSession } from "../runtime/createSession.ts"
import { openSession, type ViewSession } from "../runtime/session.ts"
import type { CallToolResultLike, JsonObject } from "../runtime/types.ts"

const EVENTS = ["click", "keydown", "input", "change"]

/** One tool in its card. */
class Card {
  readonly element: HTMLElement
  readonly #page: RuntimeSession
  readonly #card: DashboardCard
  readonly #title: string
  /** Parts ask the page for its session. Those of a card get this one. */
  readonly #session: ViewSession
  readonly #notice = h("div", { class: "mg-stack" })
  readonly #content = h("div", { class: "mg-stack" })
  /** A card has one shadow, its own. */
  readonly #body = h(
    "div",
    { class: "mg-stack", tabindex: -1, style: { "--mg-shadow": "0 0 #0000" } },
    this.#notice,
    this.#content
  )
  #shown: { readonly result: CallToolResultLike; readonly args: JsonObject; readonly place: string } | undefined
  #isRunning = false

  constructor(page: RuntimeSession, card: DashboardCard, at: number) {
    const model = formModel(card.tool.inputSchema)
    const key = (name: string): string => `card ${at} ${name}`
    this.#page = page
    this.#card = card
    this.#title = card.title ?? toolTitle(card.tool)
    this.#session = Object.assign(Object.create(page) as ViewSession, {
      tool: card.tool,
      extras: undefined,
      memory: {
        get: (name: string) => page.memory.get(key(name)),
        set: (name: string, value: unknown) => page.memory.set(key(name), value)
      },
      withoutSecrets: (args: JsonObject) => masked(args, model.root) as JsonObject,
      call: (args: JsonObject) => this.run(args)
    })
    const { args, asks, problem, runs } = card
    const label = `${runs === true ? "Refresh" : "Run"}: ${this.#title}`
    const control = button(runs === true ? "Refresh" : "Run", () => this.run(), {
      small: true,
      needs: "tools/call",
      title: label,
      ...(asks === true && { confirm: `Run ${this.#title}?` })
    })
    // A title of its own says what a card shows, but not what a press would send.
    const summary =
      runs === true ? card.title === undefined && inputSummary(args, model) : detail(masked(args, model.root))
    const sent = Object.keys(args).length > 0 && summary && h("div", {}, summary)
    this.element =
      problem === undefined
        ? h("div", { class: "mg-card" }, section(this.#title, sent, this.#body, { actions: control }))
        : h("div", { class: "mg-card" }, section(this.#title, status(problem, "warning")))
    this.#say(runs === true ? "Loading…" : "Nothing is called before you press Run.")
    for (const kind of EVENTS) {
      this.element.addEventListener(kind, () => openSession(this.#session), { capture: true })
    }
  }

  async run(args: JsonObject = this.#card.args): Promise<void> {
    if (this.#isRunning) return
    this.#isRunning = true
    this.#content.ariaBusy = "true"
    if (this.#shown === undefined) this.#say("Loading…")
    else this.#content.classList.add("mg-stale")
    try {
      const result = await this.#page.callTool(this.#card.tool.name, { ...args })
      this.#fill(this.#notice)
      this.#shown = { result, args, place: placeNow() }
      this.#draw()
    } catch (error) {
      if (this.#shown === undefined) this.#content.replaceChildren()
      this.#fill(this.#notice, callFailure(this.#session, error, args, this.#retry(args)))
    } finally {
      this.#isRunning = false
      this.#content.ariaBusy = null
      this.#content.classList.remove("mg-stale")
    }
  }

  #say(text: string): void {
    this.#content.replaceChildren(h("p", { class: "mg-muted", role: "status" }, text))
  }

  /** The locale or time zone may have changed. */
  redraw(): void {
    if (this.#shown !== undefined && this.#shown.place !== placeNow()) this.#draw()
  }

  #draw(): void {
    if (this.#shown === undefined) return
    const { args, result } = this.#shown
    openSession(this.#session)
    try {
      const view = shapeView(resultShape(result), result, {
        outputSchema: this.#card.tool.outputSchema,
        toolTitle: this.#title,
        args,
        actions: [this.#retry(args)]
      })
      this.#fill(this.#content, view)
    } catch (error) {
      const detail = clip(jsonOf(result, 2), 100_000)
      const message = messageOf(error, "The reason is not known.")
      this.#fill(this.#content, errorBox({ title: "This result could not be drawn", message, detail }))
    }
    openSession(this.#page)
    this.#widen()
  }

  /** A table that would be cut gets the whole width. */
  #widen(): void {
    const { style } = this.element
    style.gridColumn = ""
    const tables = [...this.#content.querySelectorAll(".mg-scroll")]
    if (tables.some(({ clientWidth, scrollWidth }) => scrollWidth > clientWidth)) style.gridColumn = "1 / -1"
  }

  #retry(args: JsonObject): HTMLElement {
    return button("Retry", () => this.run(args), { small: true, title: `Retry: ${this.#title}`, needs: "tools/call" })
  }

  /** Replaces the content of a place without losing the focus. */
  #fill(place: HTMLElement, ...content: ReadonlyArray<HTMLElement>): void {
    const hadFocus = place.contains(document.activeElement)
    place.replaceChildren(...content)
    if (hadFocus) this.#body.focus({ preventScroll: true })
  }
}

/** A page with several tools. Those that only read are called by themselves; the gate lets no other pass. */
export const mountDashboard = (session: RuntimeSession, given: ReadonlyArray<DashboardCard>): void => {
  const title = toolTitle(session.tool)
  document.title = title
  setAccent(undefined, session.tool)
  const cards = given.map((card, at) => ({ runs: card.runs === true, drawn: new Card(session, card, at) }))
  const grid = h(
    "div",
    {
      style: { display: "grid", gap: "16px", "grid-template-columns": "repeat(auto-fit,minmax(min(100%,400px),1fr))" }
    },
    cards.map(({ drawn }) => drawn.element)
  )
  const head = header(title, { actions: fullscreenButton(session) })
  document.body.replaceChildren(h("main", { class: "mg-app mg-stack" }, head, grid))
  session.onContext(() => {
    for (const { drawn } of cards) drawn.redraw()
  })
  const begin = (): void => {
    for (const { drawn, runs } of cards) if (runs) void drawn.run()
  }
  // Without a host, each card says that its call did not go through.
  session.app.connect().then(begin, begin)
}
