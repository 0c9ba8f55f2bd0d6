import { once } from "node:events"
import { createServer } from "node:http"
import type { Frame, Locator, Page } from "playwright-core"
import { assert, expect, inject, onTestFinished } from "vitest"
import { axe, lending, newLastingContext } from "./browser.ts"
import { DEFAULT_CSP } from "./defaultCsp.ts"

interface ViewRequest {
  readonly method: string
  readonly params: Record<string, unknown>
}

export interface OpenViewOptions {
  readonly html: string
  readonly csp?: string
  /** Of the frame; `allow-scripts` unless given. */
  readonly sandbox?: string
  /** CSS pixels of the frame. */
  readonly width?: number
  readonly hostContext?: Record<string, unknown>
  readonly hostCapabilities?: Record<string, unknown>
  /** Arguments that the host sends once the view is initialized. */
  readonly toolInput?: Record<string, unknown>
  /** The result that the host sends after the input. */
  readonly toolResult?: Record<string, unknown>
  /** Answers a request of the view: calls of tools, and the other requests with their method. */
  readonly onCall?: (params: Record<string, unknown>, method: string) => unknown
  /** The host hears the view, and never answers. */
  readonly silent?: boolean
  /** Do not wait for the view to initialize. */
  readonly eager?: boolean
  readonly colorScheme?: "light" | "dark"
  /** Whether `page.clock` can wind the time of the view forward. */
  readonly hasClock?: boolean
}

type HostMember = "sendToolInput" | "sendToolInputPartial" | "sendToolResult" | "sendToolCancelled"

export interface View {
  readonly page: Page
  readonly frame: Frame
  /** `{name, arguments}` of each `tools/call`, in order; what else a call carries (`_meta`) is in `requests`. */
  readonly calls: ReadonlyArray<Record<string, unknown>>
  readonly requests: ReadonlyArray<ViewRequest>
  readonly violations: ReadonlyArray<string>
  /** Errors on the console and uncaught ones. */
  readonly consoleErrors: ReadonlyArray<string>
  readonly send: (member: HostMember, params: Record<string, unknown>) => Promise<void>
  /** A raw message to the view. */
  readonly post: (message: unknown) => Promise<void>
  /** Progress of a call: of the view's own, by the token in its request, or of the host's. */
  readonly progress: (params: Record<string, unknown>) => Promise<void>
  /** The host takes the view down; resolves with its answer. */
  readonly teardown: () => Promise<unknown>
  /**
   * Presses what may just have come into view. The browser hands a press on a new part of the frame to the page around it
   * until its compositor knows of that part; then this presses again.
   */
  readonly press: (target: Locator) => Promise<void>
  /** Takes the document away; the next {@link reopen} brings it back. */
  readonly leave: () => Promise<void>
  /** Loads the document again, as a host does that brings a view back. */
  readonly reopen: () => Promise<void>
  /** Waits until the host has got as many requests with this method as `count` (1 unless given), and answers with them. */
  readonly requested: (method: string, count?: number) => Promise<ReadonlyArray<Record<string, unknown>>>
  readonly changeContext: (context: Record<string, unknown>) => Promise<void>
  /** Calls a member of the page's `testHost`. */
  readonly host: (member: string, ...args: ReadonlyArray<unknown>) => Promise<unknown>
  readonly sizes: () => Promise<ReadonlyArray<{ readonly width?: number; readonly height?: number }>>
  readonly logs: () => Promise<ReadonlyArray<unknown>>
  /** Waits until an expression is true in the view; evaluated by the debugger, so the page's CSP does not matter. */
  readonly until: (expression: string) => Promise<void>
  /** Waits for messages, a request and a timer that begin now: what the view had begun before comes before them. */
  readonly settle: () => Promise<void>
  /** The ids of the axe rules that the view breaks, with where. */
  readonly axe: () => Promise<ReadonlyArray<string>>
}

/** Gives documents their addresses, on an origin that stays. */
const makeOrigin = () => {
  const documents = new Map<string, readonly [html: string, headers: Record<string, string>]>()
  let count = 0
  const server = createServer(({ url }, response) => {
    const [html = "", headers = {}] = documents.get(url ?? "") ?? []
    response.writeHead(200, { "content-type": "text/html; charset=utf-8", ...headers }).end(html)
  })
  const listening = once(server.listen(0, "127.0.0.1").unref(), "listening")
  return {
    serve: async (html: string, headers: Record<string, string> = {}): Promise<string> => {
      await listening
      const path = `/${(count += 1)}`
      documents.set(path, [html, headers])
      const address = server.address()
      return typeof address === "object" ? `http://127.0.0.1:${address?.port}${path}` : assert.fail("no port")
    },
    forget: (address: string): void => void documents.delete(new URL(address).pathname)
  }
}

const [views, hosts] = [makeOrigin(), makeOrigin()]

const hostDocument = (script: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Host</title><link rel="icon" href="data:,"><style>body{margin:0}</style></head><body><script>${script.replaceAll("</script", "<\\/script")}</script></body></html>`

const CAPABILITIES = {
  serverTools: {},
  serverResources: {},
  openLinks: {},
  logging: {},
  downloadFile: {},
  sampling: {},
  message: {},
  updateModelContext: {}
}

/** One task of the event loop, by means that no test winds and hardly a page replaces. */
const TURN = `new Promise((done) => {
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = () => done(0)
  port2.postMessage(0)
})`

/** Two frames, in which what was drawn gets its size and styles, and the messages that this causes. */
const FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"

/** What the page of a host tells of the view that is open in it. */
interface Observer {
  readonly onRequest: (method: string, params: Record<string, unknown>) => unknown
  readonly onViolation: (violation: string) => void
}

interface HostPageOptions {
  readonly width: number
  readonly colorScheme: "light" | "dark"
  readonly hasClock: boolean
}

interface HostPage {
  readonly page: Page
  readonly url: string
  readonly hasClock: boolean
  observer: Observer | undefined
}

let hostUrl: Promise<string> | undefined

const openHost = async ({ colorScheme, hasClock, width }: HostPageOptions): Promise<HostPage> => {
  const context = await newLastingContext({ viewport: { width: Math.max(width, 320), height: 900 }, colorScheme })
  const observed = (): Observer | undefined => host.observer
  await context.exposeBinding("onViewRequest", (_source, method: string, params: Record<string, unknown>) =>
    observed()?.onRequest(method, params)
  )
  await context.exposeBinding("onViolation", (_source, violation: string) => observed()?.onViolation(violation))
  await context.addInitScript({
    content: `document.addEventListener("securitypolicyviolation", (event) => onViolation(event.effectiveDirective + " " + event.blockedURI))`
  })
  if (hasClock) await context.clock.install()
  hostUrl ??= hosts.serve(hostDocument(inject("scripts").host))
  const host: HostPage = { page: await context.newPage(), url: await hostUrl, hasClock, observer: undefined }
  await host.page.goto(host.url)
  return host
}

const lendHost = lending(openHost, async (host) => {
  const { page } = host
  host.observer = undefined
  for (const event of ["console", "pageerror", "request"] as const) page.removeAllListeners(event)
  // What a test has done to the clock cannot be undone. Another page, or another place, is where a test led to on purpose.
  if (host.hasClock || page.isClosed() || page.url() !== host.url || page.context().pages().length > 1) return false
  await page.evaluate("testHost.close()")
  await page.mouse.move(0, 0)
  return true
})

/**
 * Opens a document as a host does: served from an origin of its own with the CSP as a header, in a sandboxed frame
 * (`allow-scripts` only), with the `AppBridge` of ext-apps on the other side. It is closed when the test ends; the page of
 * the host stays for the next test.
 */
export const openView = async (options: OpenViewOptions): Promise<View> => {
  const { colorScheme = "light", hasClock = false, width = 720 } = options
  const viewUrl = await views.serve(options.html, { "content-security-policy": options.csp ?? DEFAULT_CSP })
  onTestFinished(() => views.forget(viewUrl))
  const lent = await lendHost({ width, colorScheme, hasClock })
  const { page } = lent
  const requests: Array<ViewRequest> = []
  const calls: Array<Record<string, unknown>> = []
  const violations: Array<string> = []
  const consoleErrors: Array<string> = []
  let isInitialized = false

  lent.observer = {
    onRequest: (method, params) => {
      if (method === "initialized") {
        isInitialized = true
        return undefined
      }
      requests.push({ method, params })
      if (method === "tools/call") {
        const { _meta, ...call } = params
        calls.push(call)
      }
      return options.onCall?.(params, method) ?? { content: [] }
    },
    onViolation: (violation) => void violations.push(violation)
  }
  page.on("console", (message) => {
    if (message.type() === "error") consoleErrors.push(message.text())
  })
  page.on("pageerror", (error) => void consoleErrors.push(error.message))

  const host = (member: string, ...args: ReadonlyArray<unknown>): Promise<unknown> =>
    page.evaluate(`testHost[${JSON.stringify(member)}](...${JSON.stringify(args)})`)
  const press = async (target: Locator): Promise<void> => {
    const before = await host("missedPresses")
    await target.click()
    if ((await host("missedPresses")) !== before) await press(target)
  }

  const hostContext = {
    theme: colorScheme,
    locale: "en-GB",
    timeZone: "UTC",
    ...options.hostContext
  }
  await host("open", {
    url: viewUrl,
    width,
    sandbox: options.sandbox ?? "allow-scripts",
    silent: options.silent === true,
    hostContext,
    capabilities: options.hostCapabilities ?? CAPABILITIES
  })
  if (options.eager !== true) {
    await expect.poll(() => isInitialized || consoleErrors, { message: "the view is initialized" }).toBe(true)
  }
  if (options.toolInput !== undefined) await host("send", "sendToolInput", { arguments: options.toolInput })
  if (options.toolResult !== undefined) await host("send", "sendToolResult", options.toolResult)

  const frame = page.mainFrame().childFrames().at(-1)
  if (frame === undefined) return assert.fail("the view has no frame")
  return {
    page,
    frame,
    calls,
    requests,
    violations,
    consoleErrors,
    host,
    send: async (member, params) => void (await host("send", member, params)),
    post: async (message) => void (await host("post", message)),
    progress: async (params) => void (await host("post", { jsonrpc: "2.0", method: "notifications/progress", params })),
    teardown: () => host("teardown"),
    press,
    leave: async () => void (await host("leave")),
    reopen: async () => void (await host("reopen")),
    requested: async (method, count = 1) => {
      const found = () => requests.filter((request) => request.method === method).map(({ params }) => params)
      await expect.poll(() => found().length, { message: `requests of ${method}` }).toBeGreaterThanOrEqual(count)
      return found()
    },
    changeContext: async (changed) => void (await host("changeContext", changed)),
    sizes: () => page.evaluate("testHost.sizes"),
    logs: () => page.evaluate("testHost.logs"),
    until: (expression) =>
      expect.poll(() => frame.evaluate(`Boolean(${expression})`), { message: expression }).toBe(true),
    settle: async () => {
      for (let turn = 0; turn < 4; turn += 1) {
        await frame.evaluate(TURN)
        await page.evaluate(TURN)
      }
      // Whatever the view asked the network for, or set a timer for at once, comes before this.
      await page.evaluate("fetch(location.href).then(() => new Promise((done) => setTimeout(done)))")
    },
    axe: async () => {
      await page.evaluate(FRAMES)
      return axe(frame)
    }
  }
}
