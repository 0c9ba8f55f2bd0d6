import type { AxeResults } from "axe-core"
import { chromium } from "playwright-core"
import type { Browser, BrowserContext, BrowserContextOptions, Frame, Page } from "playwright-core"
import { inject, onTestFinished } from "vitest"

let connection: Promise<Browser> | undefined

const connect = (): Promise<Browser> => (connection ??= chromium.connect(inject("chromium")))

/** Ends what this file of tests has open in the browser. */
export const disconnect = async (): Promise<void> => {
  const connected = connection
  connection = undefined
  if (connected !== undefined) await (await connected).close()
}

/** A context that stays until the file's tests are over. */
export const newFileContext = async (options: BrowserContextOptions = {}): Promise<BrowserContext> =>
  (await connect()).newContext({ reducedMotion: "reduce", locale: "en-GB", ...options })

/** A context for the test that runs; it is closed when that ends. */
export const newContext = async (options: BrowserContextOptions = {}): Promise<BrowserContext> => {
  const context = await newFileContext(options)
  onTestFinished(() => context.close())
  return context
}

/** Not every violation reaches the console by itself: an attempt to compile that is caught does not. */
const REPORT_VIOLATIONS = `addEventListener("securitypolicyviolation", (event) =>
  console.error("policy violation", event.violatedDirective, event.blockedURI))`

/** What the browser complains about, of the page and all its frames, as it comes: errors, and violations of a policy. */
export const problemsOf = async (page: Page): Promise<ReadonlyArray<string>> => {
  const problems: Array<string> = []
  page.on("console", (message) => {
    const text = message.text()
    if (message.type() === "error" || text.includes("Content Security Policy")) problems.push(text)
  })
  page.on("pageerror", (error) => void problems.push(error.message))
  await page.addInitScript(REPORT_VIOLATIONS)
  return problems
}

export interface AxeOptions {
  /** What is looked at, as code: the document unless given. */
  readonly context?: string
  /** Only these rules. */
  readonly rules?: ReadonlyArray<string>
}

/** The axe rules that a document breaks, with where. Its frames are left out. */
export const axe = async (
  place: Page | Frame,
  { context = "document", rules }: AxeOptions = {}
): Promise<ReadonlyArray<string>> => {
  if (!(await place.evaluate<boolean>("'axe' in globalThis"))) await place.evaluate(inject("axe"))
  const runOnly = rules === undefined ? "" : `, runOnly: ${JSON.stringify(rules)}`
  const violations = await place.evaluate<AxeResults["violations"]>(
    `axe.run(${context}, { resultTypes: ["violations"], iframes: false${runOnly} }).then((found) => found.violations)`
  )
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ failureSummary, html }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`)
  )
}
