import { RECORDED_ELEMENT_ID } from "../../domain/export/RecordedPage.ts"
import type { RecordedPage } from "../../domain/export/RecordedPage.ts"
import { isObject } from "../../domain/forms/isObject.ts"
import { sameJson } from "../../domain/forms/sameJson.ts"

/**
 * The program of saved pages that stands in for a host: it runs before the runtime, which takes it for the window that
 * the page is framed by. It speaks MCP Apps 2026-01-26 as far as a page without a server can use it: the input
 * and the result of the first recorded call, answers to calls with recorded arguments, links, and the theme.
 */

const METHOD_NOT_FOUND = -32601
/** Outside of the codes that JSON-RPC keeps for itself: nothing is wrong with the connection. */
const NOT_RECORDED = 1

/** Characters of recorded arguments that a message shows. */
const MAX_SHOWN = 300

/** CSS pixels: a window may be wider than any frame of a host. */
const MAX_WIDTH = 960

const SAVED = "This is a saved page: it can not call the server."

const page: RecordedPage = JSON.parse(document.getElementById(RECORDED_ELEMENT_ID)?.textContent ?? "")
const dark = matchMedia("(prefers-color-scheme: dark)")

// A message event takes nothing but a window or a port as its source.
const host = new MessageChannel().port1

/** The runtime takes the window's own away. */
const { open } = window

const send = (message: Readonly<Record<string, unknown>>): void => {
  const data = { jsonrpc: "2.0", ...message }
  setTimeout(() => window.dispatchEvent(new MessageEvent("message", { data, source: host })))
}

const notify = (name: string, params: unknown): void => send({ method: `ui/notifications/${name}`, params })

const theme = (): string => (dark.matches ? "dark" : "light")

const recordedArguments = (): string => {
  if (page.origin === "example" || page.calls.length === 0) return "No call was recorded."
  const all = page.calls.map(({ args }) => JSON.stringify(args)).join(", ")
  return `Recorded: ${all.length > MAX_SHOWN ? `${all.slice(0, MAX_SHOWN)}…` : all}`
}

class Refusal extends Error {
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

const answers: Readonly<Record<string, (params: Readonly<Record<string, unknown>>) => unknown>> = {
  "ui/initialize": () => ({
    protocolVersion: "2026-01-26",
    hostInfo: { name: "mcp-gen-ui saved page", version: "1" },
    hostCapabilities: { serverTools: {}, openLinks: {} },
    hostContext: {
      theme: theme(),
      displayMode: "inline",
      platform: "web",
      locale: navigator.language,
      containerDimensions: { maxWidth: MAX_WIDTH }
    }
  }),
  "tools/call": ({ arguments: args = {}, name }) => {
    const call = name === page.toolName ? page.calls.find((recorded) => sameJson(recorded.args, args)) : undefined
    if (call === undefined) throw new Refusal(NOT_RECORDED, `${SAVED} ${recordedArguments()}`)
    return call.result
  },
  "ui/open-link": ({ url }) => {
    if (typeof url !== "string" || !/^(https?|mailto):/i.test(url)) return { isError: true }
    open(url, "_blank", "noopener")
    return {}
  },
  ping: () => ({})
}

const answer = (method: string, params: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => {
  const make = Object.hasOwn(answers, method) ? answers[method] : undefined
  try {
    if (make === undefined) throw new Refusal(METHOD_NOT_FOUND, `A saved page has no host: it can not do ${method}.`)
    return { result: make(params) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { error: { code: error.code, message: error.message } }
  }
}

/** Says what the page is, after all that a view may change. */
const sign = (): void => {
  const what = page.origin === "calls" ? "Saved page with recorded data" : "Saved page with example data"
  const line = document.createElement("footer")
  line.dataset.mcpGenUi = ""
  line.textContent = page.calls.length === 0 ? "Saved page without data" : what
  line.style.cssText =
    "all:initial;display:block;padding:12px clamp(12px,3.8vw,16px);font:12px/1.4 system-ui,sans-serif;opacity:.75"
  line.style.color = "CanvasText"
  document.documentElement.append(line)
}

const postMessage = (message: unknown): void => {
  if (!isObject(message) || typeof message.method !== "string") return
  const { id, method, params } = message
  if (id !== undefined) send({ id, ...answer(method, isObject(params) ? params : {}) })
  const [first] = page.calls
  if (method !== "ui/notifications/initialized" || first === undefined) return
  notify("tool-input", { arguments: first.args })
  notify("tool-result", first.result)
}

Object.assign(host, { postMessage })
Object.defineProperty(window, "parent", { configurable: true, value: host })
document.documentElement.style.marginInline = "auto"
dark.addEventListener("change", () => notify("host-context-changed", { theme: theme() }))
document.addEventListener("DOMContentLoaded", sign, { once: true })
