import { byId, element, press } from "./element.ts"
import type { FrameLine } from "./frameConsole.ts"
import type { PageState } from "./PageState.ts"
import { messageOf } from "./texts.ts"
import type { Exchange } from "./Traffic.ts"
import { mostExchanges, statusOf } from "./Traffic.ts"

const longestPayload = 50_000
const mostEntries = 500

const pretty = (value: unknown): string => {
  const source = JSON.stringify(value, undefined, 2) ?? "nothing"
  const rest = source.length - longestPayload
  return rest > 0 ? `${source.slice(0, longestPayload)}\n… ${rest.toLocaleString("en")} more characters` : source
}

const payload = (title: string, value: unknown): HTMLElement =>
  element("div", {}, element("h3", {}, title), element("pre", { tabindex: 0 }, pretty(value)))

const duration = (milliseconds: number): string =>
  milliseconds < 10 ? `${milliseconds.toFixed(1)} ms` : `${Math.round(milliseconds).toLocaleString("en")} ms`

const outcome = (exchange: Exchange): string => {
  const status = statusOf(exchange)
  return exchange.took === undefined ? status : `${status === "failed" ? "failed · " : ""}${duration(exchange.took)}`
}

const atEnd = (node: HTMLElement): boolean => node.scrollHeight - node.scrollTop - node.clientHeight < 24

const appendBounded = (host: HTMLElement, node: HTMLElement, most: number): void => {
  const follow = atEnd(host)
  host.append(node)
  while (host.childElementCount > most) host.firstElementChild?.remove()
  if (follow) host.scrollTop = host.scrollHeight
}

export interface TrafficPanelEvents {
  readonly onClearModel: () => void
  readonly onClearTraffic: () => void
  /** All that is kept, as a text. */
  readonly onExport: () => string
  /** Sends a request to the server, which the panel then shows. */
  readonly onSend: (method: string, params: unknown) => void
}

/** What passes between host, server and view, and what was said meanwhile. It is closed until somebody looks. */
export class TrafficPanel {
  readonly #panel = byId("inspector", HTMLElement)
  readonly #radios = byId("pane", HTMLFieldSetElement)
  readonly #search = byId("traffic-search", HTMLInputElement)
  readonly #panes = {
    traffic: byId("traffic", HTMLElement),
    console: byId("console", HTMLElement),
    log: byId("log", HTMLElement),
    model: byId("model", HTMLElement)
  }
  readonly #faults = byId("console-count", HTMLElement)
  readonly #rows = new Map<number, { readonly node: HTMLDetailsElement; readonly text: string }>()
  readonly #events: TrafficPanelEvents
  readonly #state: PageState

  constructor(state: PageState, events: TrafficPanelEvents) {
    this.#events = events
    this.#state = state
    for (const radio of this.#radios.querySelectorAll("input")) {
      radio.addEventListener("change", () => this.#show(radio.value))
    }
    press("pane-close", () => this.#show(""))
    press("clear", () => this.#clear())
    press("export", () => {
      const href = URL.createObjectURL(new Blob([events.onExport()], { type: "application/json" }))
      element("a", { href, download: "traffic.json" }).click()
      setTimeout(() => URL.revokeObjectURL(href), 60_000)
    })
    this.#search.addEventListener("input", () => this.#filter())
    this.#show(state.get("pane") ?? "")
  }

  show(exchange: Exchange, isNew: boolean): void {
    const old = this.#rows.get(exchange.number)?.node
    if (!isNew && old === undefined) return
    const node = this.#row(exchange)
    const text = JSON.stringify([exchange.sent, exchange.answer]).slice(0, longestPayload).toLowerCase()
    this.#rows.set(exchange.number, { node, text })
    this.#rows.delete(exchange.number - mostExchanges)
    node.hidden = !text.includes(this.#search.value.trim().toLowerCase())
    if (old === undefined) return appendBounded(this.#panes.traffic, node, mostExchanges)
    const hadFocus = old.contains(document.activeElement)
    old.replaceWith(node)
    node.open = old.open
    if (hadFocus) node.querySelector("summary")?.focus()
  }

  log(kind: string, text: string): void {
    this.#say(this.#panes.log, kind, text)
  }

  console({ level, text }: FrameLine): void {
    this.#say(this.#panes.console, level, text)
    if (level !== "error" && level !== "policy") return
    this.#faults.textContent = String(Number(this.#faults.textContent) + 1)
    this.#faults.hidden = false
  }

  #say(pane: HTMLElement, kind: string, text: string): void {
    pane.querySelector(".quiet")?.remove()
    const spans = [kind, text].map((one) => element("span", {}, one))
    appendBounded(pane, element("div", { class: "entry", "data-level": kind }, ...spans), mostEntries)
  }

  #row(exchange: Exchange): HTMLDetailsElement {
    const { about, link, from, method } = exchange
    const peer = link === "server" ? "server" : "view"
    const words = from === "host" ? `host to ${peer}` : `${peer} to host`
    const summary = element(
      "summary",
      {},
      element("span", { class: "direction", title: words }, from === "host" ? "→" : "←"),
      element("span", { class: "link" }, link, element("span", { class: "hidden" }, `, ${words}`)),
      element("span", { class: "method", title: `${method} ${about}` }, method, about && ` ${about}`),
      element("span", { class: "took" }, outcome(exchange))
    )
    const node = element(
      "details",
      { class: "exchange", "data-link": link, "data-status": statusOf(exchange) || null },
      summary
    )
    node.addEventListener("toggle", () => {
      node.querySelector(".payload")?.remove()
      if (node.open) node.append(this.#payload(exchange))
    })
    return node
  }

  #payload({ answer, from, isRequest, link, method, sent }: Exchange): HTMLElement {
    const parts = [payload(isRequest ? "Request" : "Message", sent)]
    if (answer !== undefined) parts.push(payload("Answer", answer))
    if (isRequest && link === "server" && from === "host") parts.unshift(this.#again(method, sent.params))
    return element("div", { class: "payload" }, ...parts)
  }

  /** Sends a request once more, as it was or changed. */
  #again(method: string, params: unknown): HTMLElement {
    const replay = element("button", { class: "button small", type: "button" }, "Send again")
    const edit = element("button", { class: "button small", type: "button" }, "Edit and send")
    const problem = element("span", { class: "quiet", role: "status" })
    const editor = element("textarea", { class: "input", "aria-label": "Parameters as JSON", rows: 8, hidden: true })
    editor.value = JSON.stringify(params ?? {}, undefined, 2)
    replay.addEventListener("click", () => {
      try {
        this.#events.onSend(method, editor.hidden ? params : JSON.parse(editor.value))
        problem.textContent = "Sent."
      } catch (error) {
        problem.textContent = messageOf(error)
      }
    })
    edit.addEventListener("click", () => {
      editor.hidden = false
      edit.hidden = true
      editor.focus()
    })
    return element("div", { class: "again" }, element("div", { class: "row" }, replay, edit, problem), editor)
  }

  #filter(): void {
    const wanted = this.#search.value.trim().toLowerCase()
    for (const { node, text } of this.#rows.values()) node.hidden = !text.includes(wanted)
  }

  #clear(): void {
    const { console, log, model, traffic } = this.#panes
    if (!model.hidden) return this.#events.onClearModel()
    for (const pane of [console, log]) if (!pane.hidden) pane.replaceChildren()
    if (!console.hidden) {
      this.#faults.textContent = "0"
      this.#faults.hidden = true
    }
    if (traffic.hidden) return
    traffic.replaceChildren()
    this.#rows.clear()
    this.#events.onClearTraffic()
  }

  /** Nothing for an empty name. */
  #show(pane: string): void {
    this.#state.set("pane", pane)
    this.#panel.dataset["open"] = String(pane !== "")
    for (const radio of this.#radios.querySelectorAll("input")) radio.checked = radio.value === pane
    const isTraffic = ["all", "server", "view"].includes(pane)
    for (const [name, node] of Object.entries(this.#panes))
      node.hidden = name === "traffic" ? !isTraffic : name !== pane
    this.#panes.traffic.dataset["link"] = pane
    this.#search.hidden = !isTraffic
    byId("export", HTMLElement).hidden = !isTraffic
    for (const id of ["pane-close", "clear"]) byId(id, HTMLElement).hidden = pane === ""
  }
}
