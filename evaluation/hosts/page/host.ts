/** The window of an emulated host: `AppBridge` of ext-apps around one frame after the other. */
import { AppBridge, PostMessageTransport } from "@modelcontextprotocol/ext-apps/app-bridge"

interface Opening {
  readonly url: string
  readonly sandbox: string
  readonly capabilities: Readonly<Record<string, unknown>>
  readonly hostContext: Record<string, unknown>
  readonly delayMs: number
  readonly timeoutMs: number
  readonly input: Record<string, unknown> | undefined
  readonly result: Record<string, unknown>
}

declare const onViewRequest: (method: string, params: unknown) => Promise<unknown>

/** What answers a view, by the capability that promises it. */
const HANDLERS = {
  serverTools: ["oncalltool", "tools/call"],
  serverResources: ["onreadresource", "resources/read"],
  openLinks: ["onopenlink", "ui/open-link"],
  message: ["onmessage", "ui/message"],
  updateModelContext: ["onupdatemodelcontext", "ui/update-model-context"],
  downloadFile: ["ondownloadfile", "ui/download-file"]
} as const

let delayMs = 0

class SlowTransport extends PostMessageTransport {
  override async send(...given: Parameters<PostMessageTransport["send"]>): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, delayMs))
    await super.send(...given)
  }
}

/** Before any bridge listens. */
window.addEventListener(
  "message",
  (event) => {
    if (delayMs === 0 || !event.isTrusted) return
    event.stopImmediatePropagation()
    const { data, origin, source } = event
    setTimeout(() => window.dispatchEvent(new MessageEvent("message", { data, origin, source })), delayMs)
  },
  { capture: true }
)

let bridge: AppBridge | undefined
let frame: HTMLIFrameElement | undefined

const emulated = {
  /** Opens a document, and brings it the input and the result once it is initialized. */
  async open({ capabilities, hostContext, input, result, sandbox, timeoutMs, url, ...given }: Opening): Promise<void> {
    delayMs = given.delayMs
    frame = document.createElement("iframe")
    frame.setAttribute("sandbox", sandbox)
    frame.style.cssText = "width:720px;height:480px;border:0;display:block"
    document.body.append(frame)
    const target = frame.contentWindow
    if (target === null) throw new Error("the frame has no window")
    const opened = new AppBridge(null, { name: "emulated", version: "1.0.0" }, capabilities, { hostContext })
    bridge = opened
    for (const [capability, [member, method]] of Object.entries(HANDLERS))
      if (capability in capabilities)
        Object.assign(opened, { [member]: (params: unknown) => onViewRequest(method, params) })
    opened.onrequestdisplaymode = async ({ mode }) => {
      await onViewRequest("ui/request-display-mode", { mode })
      void opened.sendHostContextChange({ displayMode: mode })
      return { mode }
    }
    opened.onsizechange = ({ height }) => {
      if (height !== undefined && frame !== undefined) frame.style.height = `${height}px`
    }
    const initialized = Promise.withResolvers<void>()
    opened.oninitialized = () => initialized.resolve()
    await opened.connect(new SlowTransport(target, target))
    const late = setTimeout(() => initialized.reject(new Error("the view did not initialize")), timeoutMs)
    frame.src = url
    await initialized.promise
    clearTimeout(late)
    if (input !== undefined) await opened.sendToolInput({ arguments: input })
    await opened.sendToolResult(result as never)
  },
  /** Takes the view away as the specification says. */
  async close(): Promise<void> {
    await bridge?.teardownResource({}, { timeout: 3000 }).catch(() => undefined)
    frame?.remove()
    await bridge?.close()
    bridge = frame = undefined
  }
}

Object.assign(globalThis, { emulated })
