import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { closeChromium, launchChromium } from "../../test/browser/harness/chromium.ts"
import { DEFAULT_CSP } from "../../test/browser/harness/defaultCsp.ts"
import { bundled, hostHtml, type Pages, served } from "../support/servedPages.ts"
import type { ResultState, ShownData } from "./Seen.ts"

export type Browser = Awaited<ReturnType<typeof launchChromium>>
export type Page = Awaited<ReturnType<Browser["newPage"]>>
export type Frame = ReturnType<Page["mainFrame"]>

export type Theme = "light" | "dark"

const INITIALIZE_MS = 20_000
const MARGIN = 16
/** Has room for the widest view that is drawn. */
const VIEWPORT = { width: 760 + 2 * MARGIN, height: 900 }
const MOST_SHOT_HEIGHT = 1400
const STYLE = `body{margin:0;padding:${MARGIN}px;background:#fff}body.dark{background:#1f1f1e}`

/** Rules of axe that depend on colours only: the ones worth asking again in another theme. */
const COLOUR_RULES = ["color-contrast", "link-in-text-block"]

export interface Submitted {
  /** Whether a button that sends was found and pressed. */
  readonly isPressed: boolean
  /** What the page says is wrong. */
  readonly complaints: ReadonlyArray<string>
}

interface AxeResult {
  readonly violations: ReadonlyArray<{
    readonly id: string
    readonly nodes: ReadonlyArray<{ readonly html: string; readonly failureSummary?: string }>
  }>
}

export interface Opening {
  readonly html: string
  readonly toolName: string
  readonly width: number
  readonly theme: Theme
}

/**
 * One page of a browser in which views are opened one after the other, each as a host does it: from an origin of its own, with
 * the default policy as a header, in a sandboxed frame.
 */
export class Stage {
  /** For what a stage has no member for. */
  readonly page: Page
  private readonly pages: Pages
  private readonly viewOrigin: string
  private opened: Frame | undefined
  private count = 0
  private errors: Array<string> = []
  private readonly axeScript: string
  private hasAxe = false

  private constructor(page: Page, pages: Pages, viewOrigin: string, axeScript: string) {
    this.page = page
    this.pages = pages
    this.viewOrigin = viewOrigin
    this.axeScript = axeScript
    page.on("console", (message) => {
      if (message.type() === "error") this.errors.push(message.text())
    })
    page.on("pageerror", (error) => void this.errors.push(error.message))
  }

  static async open(props: {
    readonly hostOrigin: string
    readonly viewOrigin: string
    readonly pages: Pages
    readonly helpers: string
    readonly axeScript: string
  }): Promise<Stage> {
    const browser = await launchChromium()
    const context = await browser.newContext({
      viewport: VIEWPORT,
      reducedMotion: "reduce",
      locale: "en-GB",
      timezoneId: "UTC"
    })
    await context.addInitScript({ content: props.helpers })
    const page = await context.newPage()
    const stage = new Stage(page, props.pages, props.viewOrigin, props.axeScript)
    await page.goto(`${props.hostOrigin}/`)
    return stage
  }

  get frame(): Frame {
    if (this.opened === undefined) throw new Error("no view is open")
    return this.opened
  }

  /** Calls a member of the host page. */
  private host<A>(member: string, ...args: ReadonlyArray<unknown>): Promise<A> {
    return this.page.evaluate<A>(`evalHost[${JSON.stringify(member)}](...${JSON.stringify(args)})`)
  }

  /** Calls a member of what runs inside the view. */
  private view<A>(member: string, ...args: ReadonlyArray<unknown>): Promise<A> {
    return this.frame.evaluate<A>(`evalView[${JSON.stringify(member)}](...${JSON.stringify(args)})`)
  }

  /** Opens a document in place of the one before; answers the milliseconds until the view was initialized. */
  async show({ html, theme, toolName, width }: Opening): Promise<number> {
    const path = `/view/${(this.count += 1)}/${crypto.randomUUID()}`
    this.pages.set(path, { html, headers: { "content-security-policy": DEFAULT_CSP } })
    this.errors = []
    this.hasAxe = false
    this.opened = undefined
    try {
      await this.setScheme(theme)
      const ms = await this.host<number>("open", {
        url: `${this.viewOrigin}${path}`,
        width,
        toolName,
        hostContext: { theme, locale: "en-GB", timeZone: "UTC", displayMode: "inline" },
        timeoutMs: INITIALIZE_MS
      })
      this.opened = this.page.frames().find((frame) => frame.url().endsWith(path))
      if (this.opened === undefined) throw new Error("the view has no frame")
      return ms
    } catch (error) {
      const said = this.errors.length > 0 ? ` (${this.errors.join("; ")})` : ""
      throw new Error(`${error instanceof Error ? error.message : String(error)}${said}`, { cause: error })
    } finally {
      this.pages.delete(path)
    }
  }

  private async setScheme(theme: Theme): Promise<void> {
    await this.page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" })
    await this.page.evaluate(`document.body.className = ${JSON.stringify(theme)}`)
  }

  sendInput(json: string): Promise<void> {
    return this.host("input", json)
  }

  sendResult(json: string): Promise<void> {
    return this.host("result", json)
  }

  /** How the host answers calls of the tool from now on. */
  answerWith(answer: unknown): Promise<void> {
    return this.host("answer", JSON.stringify(answer))
  }

  nextCall(timeoutMs: number): Promise<string | null> {
    return this.host("nextCall", timeoutMs)
  }

  forgetCalls(): Promise<void> {
    return this.host("forgetCalls")
  }

  async setTheme(theme: Theme): Promise<void> {
    await this.setScheme(theme)
    await this.host("changeContext", { theme, locale: "en-GB", timeZone: "UTC", displayMode: "inline" })
    await this.view("frames")
  }

  /** Presses a button as a hand does: pages tell that from what their own code does. */
  private async press(focusMember: string): Promise<boolean> {
    const isFocused = await this.view<boolean>(focusMember)
    if (isFocused) await this.page.keyboard.press("Enter")
    return isFocused
  }

  /** Opens the form if it is folded, sends it, and says yes if the page asks whether that is meant. */
  async submit(): Promise<Submitted> {
    await this.openForm()
    const isPressed = await this.press("focusSendButton")
    await this.press("focusConfirmButton")
    return { isPressed, complaints: await this.complaints() }
  }

  openForm(): Promise<void> {
    return this.view("openForm")
  }

  complaints(): Promise<ReadonlyArray<string>> {
    return this.view("complaints")
  }

  readEverything(): Promise<ShownData> {
    return this.view("readEverything")
  }

  resultState(): Promise<ResultState> {
    return this.view("resultState")
  }

  /** False: nothing outside the form raised an alert in that time. */
  alerted(timeoutMs: number): Promise<boolean> {
    return this.view("alerted", timeoutMs)
  }

  /** False: the page was still busy at the end of that time. */
  settled(timeoutMs = 10_000): Promise<boolean> {
    return this.view("settled", timeoutMs)
  }

  /** Uncaught errors and those on the console since the view was opened, and what its policy forbade. */
  async faults(): Promise<{ readonly errors: ReadonlyArray<string>; readonly violations: ReadonlyArray<string> }> {
    const violations = await this.frame.evaluate<ReadonlyArray<string>>("evalView.violations")
    return { errors: this.errors.slice(), violations }
  }

  /** Rules of axe that the view breaks, with where. */
  async axe(rules: "all" | "colours" = "all"): Promise<ReadonlyArray<string>> {
    if (!this.hasAxe) {
      await this.frame.evaluate(this.axeScript)
      this.hasAxe = true
    }
    const only = rules === "all" ? "" : `runOnly: ${JSON.stringify({ type: "rule", values: COLOUR_RULES })}, `
    const result = await this.frame.evaluate<AxeResult>(
      `axe.run(document, { ${only}resultTypes: ["violations"], iframes: false, elementRef: false })`
    )
    return result.violations.flatMap(({ id, nodes }) =>
      nodes.slice(0, 3).map(({ failureSummary, html }) => {
        const summary = (failureSummary ?? "").replaceAll(/\s+/g, " ")
        return `${id}: ${html.slice(0, 200)} ${summary.slice(0, 300)}`
      })
    )
  }

  /** A picture of the view, its top if it is long; JPEG or PNG, as the name of the file says. */
  async shot(path: string, mostHeight = MOST_SHOT_HEIGHT): Promise<void> {
    await this.page.evaluate("window.scrollTo(0, 0)")
    const element = await this.page.$("iframe")
    const box = await element?.boundingBox()
    if (box === null || box === undefined) return
    await this.page.screenshot({
      path,
      ...(path.endsWith(".png") ? { type: "png" } : { type: "jpeg", quality: 70 }),
      fullPage: true,
      clip: {
        x: box.x - MARGIN / 2,
        y: box.y - MARGIN / 2,
        width: box.width + MARGIN,
        height: Math.min(box.height + MARGIN, mostHeight)
      }
    })
  }

  async close(): Promise<void> {
    await this.page.context().close()
  }
}

export interface Stages {
  readonly open: () => Promise<Stage>
  /** A page of the same browser, for what is no view. In a context of its own: only the page in front draws. */
  readonly newPage: (viewport: { readonly width: number; readonly height: number }) => Promise<Page>
  /** Ends the browser and the servers. */
  readonly close: () => Promise<void>
}

/** Starts what stages share: the browser, and the two origins of host and views. */
export const startStages = async (): Promise<Stages> => {
  const axePath = createRequire(import.meta.url).resolve("axe-core/axe.min.js")
  const [hostScript, helpers, axeScript] = await Promise.all([
    bundled("eval/page/host.ts"),
    bundled("eval/page/inView.ts"),
    readFile(axePath, "utf8")
  ])
  const pages: Pages = new Map()
  const host = await served(new Map([["/", { html: hostHtml(hostScript, STYLE), headers: {} }]]))
  const views = await served(pages)
  return {
    open: () => Stage.open({ hostOrigin: host.origin, viewOrigin: views.origin, pages, helpers, axeScript }),
    newPage: async (viewport) => (await launchChromium()).newPage({ viewport }),
    close: async () => {
      await closeChromium()
      for (const { server } of [host, views]) {
        server.closeAllConnections()
        server.close()
      }
    }
  }
}
