import type { AxeResults } from "axe-core"
import { chromium } from "playwright-core"
import type { Browser, BrowserContext, BrowserContextOptions, Frame, Page } from "playwright-core"
import { inject, onTestFinished } from "vitest"

let connection: Promise<Browser> | undefined

/** A context that stays, also for the files that follow in this process. */
export const newLastingContext = async (options: BrowserContextOptions = {}): Promise<BrowserContext> => {
  connection ??= chromium.connect(inject("chromium"))
  return (await connection).newContext({ reducedMotion: "reduce", locale: "en-GB", ...options })
}

const ofFile = new Set<BrowserContext>()

/** A context that stays until the file's tests are over. */
export const newFileContext = async (options: BrowserContextOptions = {}): Promise<BrowserContext> => {
  const context = await newLastingContext(options)
  ofFile.add(context)
  return context
}

/** Ends what belongs to the file of tests. */
export const endFile = async (): Promise<void> => {
  await Promise.all([...ofFile].map((context) => context.close()))
  ofFile.clear()
}

/** A context for the test that runs; it is closed when that ends. */
export const newContext = async (options: BrowserContextOptions = {}): Promise<BrowserContext> => {
  const context = await newLastingContext(options)
  onTestFinished(() => context.close())
  return context
}

/**
 * Lends pages to tests, one after another: a page costs more than most of what is looked at in it. `reset`
 * makes one ready for the next test, and says whether it can be. What a failed test has used is not lent again.
 */
export const lending = <Options, Lent extends { readonly page: Page }>(
  make: (options: Options) => Promise<Lent>,
  reset: (lent: Lent) => Promise<boolean>
): ((options: Options) => Promise<Lent>) => {
  const free = new Map<string, Array<Lent>>()
  return async (options) => {
    const key = JSON.stringify(options)
    const lent = free.get(key)?.pop() ?? (await make(options))
    onTestFinished(async ({ task }) => {
      if (task.result?.state !== "fail" && (await reset(lent))) free.set(key, [...(free.get(key) ?? []), lent])
      else await lent.page.context().close()
    })
    return lent
  }
}

/** Not every violation reaches the console by itself: an attempt to compile that is caught does not. */
const REPORT_VIOLATIONS = `addEventListener("securitypolicyviolation", (event) =>
  console.error("policy violation", event.violatedDirective, event.blockedURI))`

/** What the browser complains about, of the page and all its frames, as it comes: errors, and violations of a policy. */
export const problemsOf = async (page: Page): Promise<Array<string>> => {
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

const withAxe = new WeakSet<Page>()

/** From now on the page's documents bring axe: to send it to each takes longer than to run it. */
const keepAxe = async (page: Page): Promise<void> => {
  if (withAxe.has(page)) return
  withAxe.add(page)
  await page.addInitScript(`{
    const [run, source] = [eval, ${JSON.stringify(inject("axe"))}]
    Object.defineProperty(globalThis, "loadAxe", { value: () => run(source) })
  }`)
}

/** The axe rules that a document breaks, with where. Its frames are left out. */
export const axe = async (
  place: Page | Frame,
  { context = "document", rules }: AxeOptions = {}
): Promise<ReadonlyArray<string>> => {
  const has = (name: string): Promise<boolean> => place.evaluate<boolean>(`"${name}" in globalThis`)
  if (!(await has("axe"))) {
    if (await has("loadAxe")) await place.evaluate("loadAxe(); 0")
    else {
      await keepAxe("page" in place ? place.page() : place)
      await place.evaluate(inject("axe"))
    }
  }
  const runOnly = rules === undefined ? "" : `, runOnly: ${JSON.stringify(rules)}`
  const violations = await place.evaluate<AxeResults["violations"]>(
    `axe.run(${context}, { resultTypes: ["violations"], iframes: false${runOnly} }).then((found) => found.violations)`
  )
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ failureSummary, html }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`)
  )
}
