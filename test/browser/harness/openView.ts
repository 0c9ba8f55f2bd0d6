import { readFile } from "node:fs/promises"
import { createServer } from "node:http"
import type { Server } from "node:http"
import { createRequire } from "node:module"
import type { Frame, Locator, Page } from "playwright-core"
import { launchChromium } from "./chromium.ts"
import { hostScript } from "./viewDocument.ts"

/** What hosts send when a resource declares nothing (MCP Apps 2026-01-26, "Content Security Policy"). */
export const DEFAULT_CSP = [
  "default-src 'none'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "media-src 'self' data:",
  "connect-src 'none'",
  "frame-src 'none'",
  "object-src 'none'",
  "base-uri 'self'"
].join("; ")

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
  readonly reducedMotion?: "reduce" | "no-preference"
  /** Requests that may be seen as console errors are part of the test. */
  readonly timeoutMs?: number
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
  readonly screenshot: (path?: string) => Promise<Buffer>
  /** The ids of the axe rules that the view breaks, with where. */
  readonly axe: () => Promise<ReadonlyArray<string>>
  readonly close: () => Promise<void>
}

const listen = (server: Server): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once("error", reject)
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      if (typeof address === "object" && address !== null) resolve(address.port)
      else reject(new Error("the server has no port"))
    })
  })

const serve = async (html: string, headers: Record<string, string>): Promise<{ url: string; server: Server }> => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/html; charset=utf-8", ...headers })
    response.end(html)
  })
  const port = await listen(server)
  return { url: `http://127.0.0.1:${port}/`, server }
}

const hostDocument = (script: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Host</title><link rel="icon" href="data:,"><style>body{margin:0}</style></head><body><script>${script.replaceAll("</script", "<\\/script")}</script></body></html>`

const CAPABILITIES = {
  serverTools: {},
  serverResources: {},
  openLinks: {},
  logging: {},
  downloadFile: {},
  message: {},
  updateModelContext: {}
}

const UNTIL_MS = 10_000

const axeSource = (): Promise<string> => readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

interface AxeResult {
  readonly violations: ReadonlyArray<{
    readonly id: string
    readonly nodes: ReadonlyArray<{ readonly html: string; readonly failureSummary?: string }>
  }>
}

/**
 * Opens a document as a host does: served from an origin of its own with the CSP as a header, in a sandboxed frame
 * (`allow-scripts` only), with the `AppBridge` of ext-apps on the other side.
 */
export const openView = async (options: OpenViewOptions): Promise<View> => {
  const browser = await launchChromium()
  const [viewServer, hostServer] = await Promise.all([
    serve(options.html, { "content-security-policy": options.csp ?? DEFAULT_CSP }),
    hostScript().then((script) => serve(hostDocument(script), {}))
  ])
  const width = options.width ?? 720
  const context = await browser.newContext({
    viewport: { width: Math.max(width, 320), height: 900 },
    colorScheme: options.colorScheme ?? "light",
    reducedMotion: options.reducedMotion ?? "reduce",
    locale: "en-GB"
  })
  const requests: Array<ViewRequest> = []
  const calls: Array<Record<string, unknown>> = []
  const violations: Array<string> = []
  const consoleErrors: Array<string> = []
  const { promise: initialized, resolve: markInitialized } = Promise.withResolvers<void>()

  await context.exposeBinding("onViewRequest", (_source, method: string, params: Record<string, unknown>) => {
    if (method === "initialized") return markInitialized()
    requests.push({ method, params })
    if (method === "tools/call") {
      const { _meta, ...call } = params
      calls.push(call)
    }
    return options.onCall?.(params, method) ?? { content: [] }
  })
  await context.exposeBinding("onViolation", (_source, violation: string) => void violations.push(violation))
  await context.addInitScript({
    content: `document.addEventListener("securitypolicyviolation", (event) => onViolation(event.effectiveDirective + " " + event.blockedURI))`
  })
  if (options.hasClock === true) await context.clock.install()
  const page = await context.newPage()
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
  const close = async (): Promise<void> => {
    await context.close()
    await Promise.all(
      [viewServer.server, hostServer.server].map((server) => {
        server.closeAllConnections()
        return new Promise((resolve) => server.close(resolve))
      })
    )
  }

  try {
    await page.goto(hostServer.url)
    const hostContext = {
      theme: options.colorScheme ?? "light",
      locale: "en-GB",
      timeZone: "UTC",
      ...options.hostContext
    }
    await host("open", {
      url: viewServer.url,
      width,
      sandbox: options.sandbox ?? "allow-scripts",
      silent: options.silent === true,
      hostContext,
      capabilities: options.hostCapabilities ?? CAPABILITIES
    })
    if (options.eager !== true) {
      const timeout = options.timeoutMs ?? 15_000
      const late = new Promise<never>((_, reject) => {
        setTimeout(
          () => reject(new Error(`the view did not initialize in ${timeout} ms: ${consoleErrors.join("; ")}`)),
          timeout
        ).unref()
      })
      await Promise.race([initialized, late])
    }
    if (options.toolInput !== undefined) await host("send", "sendToolInput", { arguments: options.toolInput })
    if (options.toolResult !== undefined) await host("send", "sendToolResult", options.toolResult)
  } catch (error) {
    await close()
    throw error
  }

  const element = await page.waitForSelector("iframe")
  const frame = await element.contentFrame()
  if (frame === null) throw new Error("the view has no frame")
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
    reopen: async () => void (await host("reopen")),
    requested: async (method, count = 1) => {
      const found = (): ReadonlyArray<Record<string, unknown>> =>
        requests.filter((request) => request.method === method).map(({ params }) => params)
      const end = Date.now() + UNTIL_MS
      while (found().length < count) {
        if (Date.now() > end) throw new Error(`not ${count} times ${method} in ${UNTIL_MS} ms, but ${found().length}`)
        await page.evaluate("new Promise((done) => setTimeout(done, 10))")
      }
      return found()
    },
    changeContext: async (changed) => void (await host("changeContext", changed)),
    sizes: () => page.evaluate("testHost.sizes"),
    logs: () => page.evaluate("testHost.logs"),
    until: async (expression) => {
      const outcome = await frame.evaluate<boolean>(
        `new Promise((done) => {
          const end = performance.now() + ${UNTIL_MS}
          const check = () => {
            if (${expression}) done(true)
            else if (performance.now() > end) done(false)
            else setTimeout(check, 10)
          }
          check()
        })`
      )
      if (!outcome) throw new Error(`not true in ${UNTIL_MS} ms: ${expression}`)
    },
    screenshot: async (path) => {
      await settled(page)
      return element.screenshot(path === undefined ? {} : { path })
    },
    axe: async () => {
      await settled(page)
      await frame.evaluate(await axeSource())
      const result = await frame.evaluate<AxeResult>(
        `axe.run(document, { resultTypes: ["violations"], iframes: false })`
      )
      return result.violations.flatMap(({ id, nodes }) =>
        nodes.map((node) => `${id}: ${node.html.slice(0, 200)} ${node.failureSummary ?? ""}`)
      )
    },
    close
  }
}

/** Two frames and the bridge's round trip: what was drawn has its size and styles. */
const settled = (page: Page): Promise<unknown> =>
  page.evaluate(`new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 50))))`)
