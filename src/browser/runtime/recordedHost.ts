import { RECORDED_ELEMENT_ID } from "../../domain/documents/export/RecordedPage.ts"
import type { RecordedPage } from "../../domain/documents/export/RecordedPage.ts"
import { isObject } from "../../domain/isObject.ts"
import { sameJson } from "../../domain/forms/sameJson.ts"

/**
 * The program of saved pages that stands in for a host, around the view in its frame. It speaks MCP Apps 2026-01-26 as far
 * as a page without a server can use it: the input and the result of the first recorded call, answers to calls with
 * recorded arguments, links, files, and the theme.
 */

const METHOD_NOT_FOUND = -32601
/** A code outside of those that JSON-RPC reserves: nothing is wrong with the connection. */
const NOT_RECORDED = 1

/** Characters of recorded arguments that a message shows. */
const MAX_SHOWN = 300

/** CSS pixels: a window may be wider than any frame of a host. */
const MAX_WIDTH = 960

/** CSS pixels that fit on a sheet of paper beside the usual margins. */
const PAPER = 680

const SAVED = "This is a saved page: it cannot call the server."

const page: RecordedPage = JSON.parse(document.getElementById(RECORDED_ELEMENT_ID)?.textContent ?? "")
const dark = matchMedia("(prefers-color-scheme: dark)")

const frame = (): HTMLIFrameElement | null => document.querySelector("iframe")

/** Opening and saving need a press, which a view cannot fake. It may send messages past its own runtime. */
const isPressed = (): boolean => navigator.userActivation?.isActive !== false

const send = (message: Readonly<Record<string, unknown>>): void =>
  frame()?.contentWindow?.postMessage({ jsonrpc: "2.0", ...message }, "*")

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

/** An embedded resource (MCP specification, "Resources"), with a text or with base64. */
const save = ({ blob, mimeType, text, uri }: Readonly<Record<string, unknown>>): boolean => {
  if (typeof blob !== "string" && typeof text !== "string") return false
  const part = typeof blob === "string" ? Uint8Array.from(atob(blob), (char) => char.charCodeAt(0)) : String(text)
  const link = document.createElement("a")
  link.href = URL.createObjectURL(new Blob([part], { type: String(mimeType ?? "") }))
  link.download = decodeURIComponent(String(uri ?? "").replace(/^.*\//, "")) || "file"
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
  return true
}

const answers: Readonly<Record<string, (params: Readonly<Record<string, unknown>>) => unknown>> = {
  "ui/initialize": () => ({
    protocolVersion: "2026-01-26",
    hostInfo: { name: "mcp-gen-ui saved page", version: "1" },
    hostCapabilities: { serverTools: {}, openLinks: {}, downloadFile: {} },
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
    if (typeof url !== "string" || !/^(https?|mailto):/i.test(url) || !isPressed()) return { isError: true }
    open(url, "_blank", "noopener")
    return {}
  },
  "ui/download-file": ({ contents }) => {
    const all = Array.isArray(contents) ? contents : []
    const saved = all.map((item) => isPressed() && isObject(item) && isObject(item.resource) && save(item.resource))
    return saved.includes(true) ? {} : { isError: true }
  },
  ping: () => ({})
}

const answer = (method: string, params: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => {
  const make = Object.hasOwn(answers, method) ? answers[method] : undefined
  try {
    if (make === undefined) throw new Refusal(METHOD_NOT_FOUND, `A saved page has no host: it cannot do ${method}.`)
    return { result: make(params) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { error: { code: error.code, message: error.message } }
  }
}

/** Tells the person what this page is. */
const sign = (): void => {
  const what = page.origin === "calls" ? "Saved page with recorded data" : "Saved page with example data"
  const line = document.createElement("footer")
  line.textContent = page.calls.length === 0 ? "Saved page without data" : what
  document.body.append(line)
}

const onMessage = (message: Readonly<Record<string, unknown>>): void => {
  const { id, method, params } = message
  if (typeof method !== "string") return
  const given = isObject(params) ? params : {}
  if (id !== undefined) return send({ id, ...answer(method, given) })
  const view = frame()
  if (method === "ui/notifications/size-changed" && view !== null && typeof given.height === "number")
    view.style.height = `${given.height}px`
  const [first] = page.calls
  if (method !== "ui/notifications/initialized" || first === undefined) return
  notify("tool-input", { arguments: first.args })
  notify("tool-result", first.result)
}

addEventListener("message", ({ data, source }) => {
  if (source !== null && source === frame()?.contentWindow && isObject(data)) onMessage(data)
})
dark.addEventListener("change", () => notify("host-context-changed", { theme: theme() }))
// A narrower frame would need more height, and its view cannot say so in time. So paper shows the frame of the screen.
addEventListener("beforeprint", () => {
  const view = frame()
  const width = view?.offsetWidth ?? 0
  if (width > 0)
    view?.setAttribute("style", `${view.style.cssText};width:${width}px;zoom:${Math.min(1, PAPER / width)}`)
})
addEventListener("afterprint", () => {
  for (const name of ["width", "zoom"]) frame()?.style.removeProperty(name)
})
document.addEventListener("DOMContentLoaded", sign, { once: true })
