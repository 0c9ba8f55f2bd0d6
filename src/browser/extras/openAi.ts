import { isObject } from "../../domain/isObject.ts"
import type { Bridge } from "../runtime/Bridge.ts"
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

/** The page is in ChatGPT: its `window.openai` is the host. Does nothing elsewhere. */
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
  let shown: unknown
  const tellResult = (): void => {
    const { toolOutput, toolResponseMetadata } = openai
    if (toolOutput === undefined || toolOutput === null || toolOutput === shown) return
    shown = toolOutput
    host.result({ content: [], structuredContent: toolOutput, _meta: asObject(toolResponseMetadata) })
  }
  window.addEventListener("openai:set_globals", () => {
    host.changeContext(contextOf(openai))
    tellResult()
  })
}
