import { isObject } from "../../domain/isObject.ts"
import type { Bridge } from "../runtime/Bridge.ts"
import { setTimeout } from "../runtime/platform.ts"
import type { HostContext, JsonObject } from "../runtime/types.ts"
import { serveAsHost } from "./serveAsHost.ts"

/** What ChatGPT gives a page (Apps SDK, "window.openai"). A member may be missing. */
interface OpenAi {
  readonly toolInput?: unknown
  readonly toolOutput?: unknown
  readonly toolResponseMetadata?: unknown
  readonly widgetState?: unknown
  readonly setWidgetState?: (state: unknown) => unknown
  readonly theme?: unknown
  readonly displayMode?: unknown
  readonly locale?: unknown
  readonly callTool?: (name: string, args: unknown) => Promise<unknown>
  readonly sendFollowUpMessage?: (message: { readonly prompt: string }) => Promise<unknown>
  readonly openExternal?: (link: { readonly href: string }) => unknown
  readonly requestDisplayMode?: (mode: { readonly mode: unknown }) => Promise<unknown>
  readonly uploadFile?: (file: unknown) => Promise<unknown>
  readonly getFileDownloadUrl?: (file: unknown) => Promise<unknown>
}

const asObject = (value: unknown): JsonObject => (isObject(value) ? value : {})

const textIn = ({ content }: JsonObject): string =>
  (Array.isArray(content) ? content : []).map((block) => String(asObject(block).text ?? "")).join("\n")

const contextOf = ({ displayMode, locale, theme }: OpenAi): HostContext => ({
  ...(theme === "dark" || theme === "light" ? { theme } : {}),
  ...(typeof displayMode === "string" ? { displayMode } : {}),
  ...(typeof locale === "string" ? { locale } : {}),
  availableDisplayModes: ["inline", "fullscreen", "pip"]
})

/** Milliseconds that the host has to answer in the words of MCP Apps, which say more. */
const PATIENCE_MS = 1_000

const parent = window.parent

/**
 * The page is in ChatGPT. Where that does not answer as a host of MCP Apps, `window.openai` is the host; files go through
 * it in any case. Does nothing elsewhere.
 */
export const joinOpenAi = (bridge: Bridge): void => {
  const { openai } = window as { readonly openai?: OpenAi }
  if (openai === undefined) return
  const member = <Name extends keyof OpenAi>(name: Name): NonNullable<OpenAi[Name]> => {
    const found = openai[name]
    if (found === undefined || found === null) throw new Error(`ChatGPT does not offer "${name}" here.`)
    return found
  }
  const host = serveAsHost(bridge, {
    name: "ChatGPT",
    context: contextOf(openai),
    begin: () => {
      if (isObject(openai.toolInput)) host.input(openai.toolInput)
      tellResult()
    },
    resize: () => undefined,
    requests: {
      "tools/call": async ({ name, arguments: args }) => asObject(await member("callTool")(String(name), args ?? {})),
      "ui/message": async (params) => asObject(await member("sendFollowUpMessage")({ prompt: textIn(params) })),
      "ui/open-link": async ({ url }) => asObject(await member("openExternal")({ href: String(url) })),
      "ui/request-display-mode": async ({ mode }) => asObject(await member("requestDisplayMode")({ mode })),
      // What the model is to know of the view is part of the state that ChatGPT keeps of it.
      "ui/update-model-context": async (params) => {
        await member("setWidgetState")({ ...asObject(openai.widgetState), modelContent: textIn(params) })
        return {}
      },
      "openai/uploadFile": async ({ file }) => asObject(await member("uploadFile")(file)),
      "openai/getFileDownloadUrl": async ({ fileId }) => asObject(await member("getFileDownloadUrl")({ fileId }))
    }
  })
  let isHost = false
  let shown: unknown
  const tellResult = (): void => {
    const meta = asObject(openai.toolResponseMetadata)
    const output = openai.toolOutput ?? undefined
    const whole = isObject(meta.mcp_tool_result) ? meta.mcp_tool_result : undefined
    const result = whole ?? (output && { content: [], structuredContent: output, _meta: meta })
    if (result === undefined || (output ?? whole) === shown) return
    shown = output ?? whole
    host.result(result)
  }
  bridge.port = (message) => {
    if (isHost || String(message.method).startsWith("openai/")) return host.port(message)
    parent.postMessage({ jsonrpc: "2.0", ...message }, "*")
    if (message.method !== "ui/initialize") return
    setTimeout(() => {
      if (bridge.host !== undefined) return
      isHost = true
      host.port(message)
    }, PATIENCE_MS)
  }
  window.addEventListener("openai:set_globals", () => {
    if (!isHost) return
    host.changeContext(contextOf(openai))
    tellResult()
  })
}
