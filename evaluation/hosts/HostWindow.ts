import { closeChromium, launchChromium } from "../../test/browser/harness/chromium.ts"
import { isRecord, type JsonRecord } from "../eval/json.ts"
import type { ShownData } from "../eval/Seen.ts"
import type { Page } from "../eval/Stage.ts"
import { bundled, hostHtml, type Pages, served } from "../support/servedPages.ts"
import type { SeenControl, SeenEffect } from "./SeenControl.ts"
import type { Profile } from "./profiles.ts"

const INITIALIZE_MS = 20_000

/**
 * Hosts and views are of one site, and not of one origin: the browser gives frames of other sites no storage. It finds every
 * name below `localhost` on this machine.
 */
const SITE = "emulated.localhost"

/** Some hosts put code of their own between a view and its messages. */
const WRAP_LISTENERS = `if (window !== window.top) {
  const add = window.addEventListener
  window.addEventListener = (type, listener, ...rest) => {
    if (type === "message" && typeof listener !== "function") throw new TypeError("a listener has to be a function")
    add.call(window, type, type === "message" ? (event) => listener.call(window, event) : listener, ...rest)
  }
}`

export interface Windows {
  readonly open: (
    profile: Profile,
    answer: (method: string, params: JsonRecord) => Promise<unknown>
  ) => Promise<HostWindow>
  readonly close: () => Promise<void>
}

type Frame = ReturnType<Page["mainFrame"]>

/** The window of one host, in a context of its own. */
export class HostWindow {
  readonly page: Page
  /** The methods of all requests of views so far. */
  readonly requests: Array<string> = []
  /** Errors on the console since a view was opened. */
  errors: Array<string> = []
  private readonly profile: Profile
  private readonly serve: (html: string, profile: Profile) => string
  private opened: Frame | undefined

  constructor(page: Page, profile: Profile, serve: HostWindow["serve"]) {
    this.page = page
    this.profile = profile
    this.serve = serve
    page.on("pageerror", (error) => void this.errors.push(error.message))
  }

  async show(html: string, input: JsonRecord, result: JsonRecord): Promise<void> {
    const { bringsInput, capabilities, delayMs, displayModes, sandbox } = this.profile
    const url = this.serve(html, this.profile)
    const hostContext = { theme: "light", locale: "en-GB", timeZone: "UTC", displayMode: "inline" }
    const opening = {
      url,
      sandbox,
      capabilities,
      delayMs,
      timeoutMs: INITIALIZE_MS,
      hostContext: { ...hostContext, availableDisplayModes: displayModes },
      ...(bringsInput ? { input } : {}),
      result
    }
    this.errors = []
    await this.page.evaluate(`emulated.open(${JSON.stringify(opening)})`)
    this.opened = this.page.frames().find((frame) => frame.url() === url)
    await this.inView("evalView.settled(10000)")
  }

  takeDown(): Promise<void> {
    this.opened = undefined
    return this.page.evaluate("emulated.close()")
  }

  inView<A>(expression: string): Promise<A> {
    if (this.opened === undefined) throw new Error("no view is open")
    return this.opened.evaluate<A>(expression)
  }

  readEverything(): Promise<ShownData> {
    return this.inView("evalView.readEverything()")
  }

  nextControl(): Promise<SeenControl | null> {
    return this.inView("evalControls.next()")
  }

  effect(): Promise<SeenEffect> {
    return this.inView("evalControls.effect()")
  }

  close(): Promise<void> {
    return this.page.context().close()
  }
}

/** Starts what all windows share: the browser, and the servers of hosts and views. */
export const startWindows = async (): Promise<Windows> => {
  const scripts = ["hosts/page/host.ts", "eval/page/inView.ts", "hosts/page/controls.ts"].map(bundled)
  const [hostScript = "", ...helpers] = await Promise.all(scripts)
  const views: Pages = new Map()
  const hosts = await served(new Map([["/", { html: hostHtml(hostScript, "body{margin:0}"), headers: {} }]]))
  const frames = await served(views)
  let count = 0
  const serve = (html: string, { originOf, policy }: Profile): string => {
    const url = new URL(`/${(count += 1)}`, frames.origin)
    url.hostname = `${originOf(count)}.${SITE}`
    views.set(url.pathname, { html, headers: { "content-security-policy": policy } })
    return url.href
  }
  return {
    open: async (profile, answer) => {
      const browser = await launchChromium()
      const context = await browser.newContext({
        viewport: { width: 760, height: 900 },
        reducedMotion: "reduce",
        locale: "en-GB",
        timezoneId: "UTC"
      })
      const page = await context.newPage()
      const window = new HostWindow(page, profile, serve)
      await context.exposeBinding("onViewRequest", (_source, method: string, params: unknown) => {
        window.requests.push(method)
        return answer(method, isRecord(params) ? params : {})
      })
      if (profile.wrapsListeners) await context.addInitScript({ content: WRAP_LISTENERS })
      for (const content of helpers) await context.addInitScript({ content })
      const url = new URL(hosts.origin)
      url.hostname = SITE
      await page.goto(url.href)
      return window
    },
    close: async () => {
      await closeChromium()
      for (const { server } of [hosts, frames]) {
        server.closeAllConnections()
        server.close()
      }
    }
  }
}
