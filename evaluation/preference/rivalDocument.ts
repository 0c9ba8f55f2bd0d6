import type { ChosenTool } from "./chosenTools.ts"

const embedded = (value: unknown): string => JSON.stringify(value).replaceAll("<", "\\u003c")

/**
 * Speaks to the host in the rival's place, so that its page is drawn in the same frame, under the same policy, as ours. Scripts of a
 * stranger do not tell when they are done: it waits a moment.
 */
const bridge = `addEventListener("load", () => {
  const post = (message) => parent.postMessage({ jsonrpc: "2.0", ...message }, "*")
  const root = document.documentElement
  const measure = () => post({
    method: "ui/notifications/size-changed",
    params: { height: Math.ceil(Math.max(root.getBoundingClientRect().height, document.body.scrollHeight)) }
  })
  addEventListener("message", ({ data }) => {
    if (data?.id !== "rival") return
    measure()
    setTimeout(() => (measure(), post({ method: "ui/notifications/initialized" })), 300)
  })
  post({ id: "rival", method: "ui/initialize", params: { protocolVersion: "2026-01-26", appInfo: { name: "view", version: "1" }, appCapabilities: {} } })
})`

/** The page of a model's answer with what it was promised. */
export const rivalDocument = (answer: string, { arguments: input, result }: ChosenTool): string => {
  const page = /<!doctype[^]*<\/html>/i.exec(answer)?.[0] ?? answer
  const given = `<script>window.toolInput=${embedded(input)};window.toolResult=${embedded(result)};window.callTool=()=>new Promise(()=>{});window.openLink=window.sendMessage=()=>{};${bridge}</script>`
  return page.includes("<head") ? page.replace(/<head[^>]*>/i, (head) => head + given) : given + page
}
