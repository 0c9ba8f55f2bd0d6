import { byId, element } from "./element.ts"
import type { Exchange } from "./Traffic.ts"
import { mostExchanges } from "./Traffic.ts"

const longestPayload = 50_000
const mostLogEntries = 500

const pretty = (value: unknown): string => {
  const source = JSON.stringify(value, undefined, 2) ?? "nothing"
  const rest = source.length - longestPayload
  return rest > 0 ? `${source.slice(0, longestPayload)}\n… ${rest.toLocaleString("en")} more characters` : source
}

const payload = (title: string, value: unknown): HTMLElement =>
  element("div", {}, element("h3", {}, title), element("pre", { tabindex: 0 }, pretty(value)))

const duration = (milliseconds: number): string =>
  milliseconds < 10 ? `${milliseconds.toFixed(1)} ms` : `${Math.round(milliseconds).toLocaleString("en")} ms`

const hasFailed = ({ answer }: Exchange): boolean =>
  answer?.error !== undefined ||
  (typeof answer?.result === "object" && answer.result !== null && Reflect.get(answer.result, "isError") === true)

const describe = (exchange: Exchange): string => {
  if (exchange.took !== undefined) return duration(exchange.took)
  return exchange.isRequest ? "waiting" : ""
}

const atEnd = (node: HTMLElement): boolean => node.scrollHeight - node.scrollTop - node.clientHeight < 24

const appendBounded = (host: HTMLElement, node: HTMLElement, most: number): void => {
  const follow = atEnd(host)
  host.append(node)
  while (host.childElementCount > most) host.firstElementChild?.remove()
  if (follow) host.scrollTop = host.scrollHeight
}

const row = (exchange: Exchange): HTMLDetailsElement => {
  const { link, from, method } = exchange
  const peer = link === "server" ? "server" : "view"
  const words = from === "host" ? `host to ${peer}` : `${peer} to host`
  const summary = element(
    "summary",
    {},
    element("span", { class: "direction", title: words }, from === "host" ? "→" : "←"),
    element("span", { class: "link" }, link, element("span", { class: "hidden" }, `, ${words}`)),
    element("span", { class: "method", title: method }, method),
    element("span", { class: "took" }, describe(exchange))
  )
  const node = element(
    "details",
    { class: "exchange", "data-link": link, "data-failed": hasFailed(exchange) ? "true" : null },
    summary
  )
  node.addEventListener("toggle", () => {
    const { sent, answer, isRequest } = exchange
    node.querySelector(".payload")?.remove()
    if (!node.open) return
    const parts = [payload(isRequest ? "Request" : "Message", sent)]
    if (answer !== undefined) parts.push(payload("Answer", answer))
    node.append(element("div", { class: "payload" }, ...parts))
  })
  return node
}

export class TrafficPanel {
  readonly #traffic = byId("traffic", HTMLElement)
  readonly #log = byId("log", HTMLElement)
  readonly #model = byId("model", HTMLElement)
  readonly #rows = new Map<number, HTMLDetailsElement>()

  constructor(onClearModel: () => void) {
    for (const radio of byId("pane", HTMLFieldSetElement).querySelectorAll("input")) {
      radio.addEventListener("change", () => this.#showPane(radio.value))
    }
    byId("clear", HTMLButtonElement).addEventListener("click", () => {
      if (!this.#model.hidden) return onClearModel()
      const shown = this.#log.hidden ? this.#traffic : this.#log
      shown.replaceChildren()
      if (shown === this.#traffic) this.#rows.clear()
    })
  }

  show(exchange: Exchange, isNew: boolean): void {
    const old = this.#rows.get(exchange.number)
    if (!isNew && old === undefined) return
    const node = row(exchange)
    this.#rows.set(exchange.number, node)
    this.#rows.delete(exchange.number - mostExchanges)
    if (old === undefined) return appendBounded(this.#traffic, node, mostExchanges)
    const hadFocus = old.contains(document.activeElement)
    old.replaceWith(node)
    node.open = old.open
    if (hadFocus) node.querySelector("summary")?.focus()
  }

  log(kind: string, text: string): void {
    appendBounded(
      this.#log,
      element("div", { class: "entry" }, element("span", {}, kind), element("span", {}, text)),
      mostLogEntries
    )
  }

  #showPane(pane: string): void {
    this.#log.hidden = pane !== "log"
    this.#model.hidden = pane !== "model"
    this.#traffic.hidden = pane === "log" || pane === "model"
    this.#traffic.dataset["link"] = pane
  }
}
