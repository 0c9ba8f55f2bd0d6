/**
 * The host of the evaluation: `AppBridge` of ext-apps around one sandboxed frame after the other. Arguments come and go as
 * JSON texts, and calls are read from the message itself, so that nothing in between can mend or bend them.
 */
import { AppBridge, PostMessageTransport } from "@modelcontextprotocol/ext-apps/app-bridge"

interface Opening {
  readonly url: string
  readonly width: number
  readonly toolName: string
  readonly hostContext: Record<string, unknown>
  readonly timeoutMs: number
}

/** What `tools/call` is answered with. */
type Answer = { readonly result: Record<string, unknown> } | { readonly error: { code: number; message: string } }

const CAPABILITIES = {
  serverTools: {},
  serverResources: {},
  openLinks: {},
  logging: {},
  downloadFile: {},
  message: {},
  updateModelContext: {}
}

const FIRST_HEIGHT = 480

let bridge: AppBridge | undefined
let frame: HTMLIFrameElement | undefined
let toolName = ""
let answer: Answer = { result: { content: [] } }
let calls: Array<string> = []
let waiting: ((text: string | null) => void) | undefined

const called = (text: string): void => {
  if (waiting === undefined) calls.push(text)
  else waiting(text)
}

window.addEventListener(
  "message",
  ({ data, source }) => {
    if (source !== frame?.contentWindow || data?.method !== "tools/call" || data.params?.name !== toolName) return
    called(JSON.stringify(data.params.arguments) ?? "")
  },
  { capture: true }
)

const bridgeTo = (context: Record<string, unknown>): AppBridge => {
  const made = new AppBridge(null, { name: "evaluation", version: "1.0.0" }, CAPABILITIES, { hostContext: context })
  const agree = () => Promise.resolve({})
  made.oncalltool = ({ name }) => {
    if (name !== toolName) return Promise.resolve({ content: [] })
    if ("result" in answer) return Promise.resolve({ content: [], ...answer.result })
    return Promise.reject(Object.assign(new Error(answer.error.message), { code: answer.error.code }))
  }
  Object.assign(made, { onmessage: agree })
  made.onreadresource = () => Promise.reject(new Error("There is no such resource."))
  made.onopenlink = agree
  made.onupdatemodelcontext = agree
  made.ondownloadfile = agree
  made.onrequestdisplaymode = () => Promise.resolve({ mode: "inline" })
  made.onsizechange = ({ height }) => {
    if (height !== undefined && frame !== undefined) frame.style.height = `${height}px`
  }
  return made
}

const connected = (): AppBridge => {
  if (bridge === undefined) throw new Error("no view is open")
  return bridge
}

const evalHost = {
  /** Opens a document in place of the one before; resolves with the milliseconds until it was initialized. */
  async open({ hostContext, timeoutMs, toolName: name, url, width }: Opening): Promise<number> {
    frame?.remove()
    void bridge?.close()
    toolName = name
    answer = { result: { content: [] } }
    calls = []
    waiting = undefined
    frame = document.createElement("iframe")
    frame.setAttribute("sandbox", "allow-scripts")
    frame.style.cssText = `width:${width}px;height:${FIRST_HEIGHT}px;border:0;display:block`
    document.body.append(frame)
    const target = frame.contentWindow
    if (target === null) throw new Error("the frame has no window")
    bridge = bridgeTo(hostContext)
    const initialized = Promise.withResolvers<void>()
    bridge.oninitialized = () => initialized.resolve()
    await bridge.connect(new PostMessageTransport(target, target))
    const start = performance.now()
    const late = setTimeout(
      () => initialized.reject(new Error(`the view did not initialize in ${timeoutMs} ms`)),
      timeoutMs
    )
    frame.src = url
    await initialized.promise
    clearTimeout(late)
    return performance.now() - start
  },
  input: (text: string) => connected().sendToolInput({ arguments: JSON.parse(text) }),
  result: (text: string) => connected().sendToolResult(JSON.parse(text)),
  answer(text: string): void {
    answer = JSON.parse(text)
  },
  changeContext(context: Record<string, unknown>): void {
    connected().setHostContext({ ...context })
  },
  setWidth(width: number): void {
    if (frame !== undefined) frame.style.width = `${width}px`
  },
  forgetCalls(): void {
    calls = []
  },
  /** The arguments of the next call as JSON; `null` when none came in time. */
  nextCall: (timeoutMs: number): Promise<string | null> =>
    new Promise((resolve) => {
      const first = calls.shift()
      if (first !== undefined) return resolve(first)
      const settle = (text: string | null): void => {
        clearTimeout(late)
        waiting = undefined
        resolve(text)
      }
      const late = setTimeout(() => settle(null), timeoutMs)
      waiting = settle
    })
}

Object.assign(globalThis, { evalHost })
