import { isObject } from "../../../domain/isObject.ts"
import { renderDataProblem } from "../../../domain/results/renderDataProblem.ts"
import { errorBox } from "../../parts/layout.ts"
import { jsonOf } from "../../parts/values.ts"
import type { Bridge } from "../../runtime/Bridge.ts"
import { showNotice } from "../../runtime/notices.ts"
import { getterOf } from "../../runtime/platform.ts"
import type { JsonObject, ToolData } from "../../runtime/types.ts"
import { serveAsHost } from "../serveAsHost.ts"

const host = window.parent
const dataOf = getterOf(MessageEvent.prototype, "data")
const sourceOf = getterOf(MessageEvent.prototype, "source")

/** What a host answers to an action may be anything. */
const resultOf = (response: unknown): JsonObject => {
  if (isObject(response) && (Array.isArray(response.content) || "structuredContent" in response)) return response
  if (isObject(response)) return { content: [], structuredContent: response }
  return { content: response === undefined || response === null ? [] : [{ type: "text", text: String(response) }] }
}

const textIn = ({ content }: JsonObject): string =>
  (Array.isArray(content) ? content : []).map((block) => (isObject(block) ? String(block.text ?? "") : "")).join("\n")

/**
 * The page stands in the result of a tool, in a host that speaks mcp-ui: its render data becomes the result, and what
 * the page wants becomes actions. `given`: the arguments of the call.
 */
export const joinMcpUiHost = (tool: ToolData, given: unknown, bridge: Bridge): void => {
  const waiting = new Map<string, (payload: JsonObject) => void>()
  let asked = 0
  const say = (type: string, payload: JsonObject, messageId?: string): void =>
    host.postMessage({ type, payload, ...(messageId === undefined ? {} : { messageId }) }, "*")
  const act = (type: string, payload: JsonObject): Promise<JsonObject> =>
    new Promise((resolve, reject) => {
      const messageId = `${tool.name}-${++asked}`
      waiting.set(messageId, ({ error, response }) => {
        if (error === undefined) resolve(resultOf(response))
        else reject(new Error(isObject(error) ? String(error.message ?? "The host refused") : String(error)))
      })
      say(type, payload, messageId)
    })

  const served = serveAsHost(bridge, {
    name: "mcp-ui",
    context: {},
    begin: () => say("ui-lifecycle-iframe-ready", {}),
    resize: (size) => say("ui-size-change", size),
    requests: {
      "tools/call": ({ name, arguments: params }) => act("tool", { toolName: name, params }),
      "ui/message": (params) => act("prompt", { prompt: textIn(params) }),
      "ui/open-link": ({ url }) => act("link", { url })
    }
  })

  bridge.port = served.port
  let notice: HTMLElement | undefined
  let shown = ""
  const show = (renderData: unknown): void => {
    // Hosts send the same data when the page is loaded and when it is ready.
    if (!isObject(renderData) || shown === jsonOf(renderData)) return
    shown = jsonOf(renderData)
    // The adapters of mcp-ui send what the host knows of the call, and the data of the tool in it.
    const isOfCall = isObject(renderData.toolOutput)
    const data = isOfCall ? (renderData.toolOutput as JsonObject) : renderData
    const problem = isOfCall ? undefined : renderDataProblem(tool.outputSchema, data)
    notice?.remove()
    if (problem !== undefined) {
      notice = errorBox({
        title: "The data for this view are not what the tool promises",
        message: problem,
        detail: jsonOf(data, 2)
      })
      return showNotice(notice)
    }
    const { theme, toolInput } = renderData
    if (isOfCall && (theme === "dark" || theme === "light")) served.changeContext({ theme })
    const args = isOfCall ? toolInput : given
    if (isObject(args)) served.input(args)
    served.result(Array.isArray(data.content) && isOfCall ? data : { content: [], structuredContent: data })
  }

  const hear = (event: MessageEvent): void => {
    const message = dataOf(event)
    if (sourceOf(event) !== host || !isObject(message)) return
    const payload: JsonObject = isObject(message.payload) ? message.payload : {}
    const messageId = String(message.messageId ?? payload.messageId)
    if (message.type === "ui-lifecycle-iframe-render-data") show(payload.renderData)
    if (message.type === "ui-message-response") {
      waiting.get(messageId)?.(payload)
      waiting.delete(messageId)
    }
  }
  window.addEventListener("message", hear, { capture: true })
}
