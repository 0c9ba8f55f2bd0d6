import { assert } from "@effect/vitest"
import type { BrowserContextOptions, Page } from "playwright-core"
import { inject } from "vitest"
import { DEFAULT_CSP } from "../harness/defaultCsp.ts"
import { axe, lending, newLastingContext, problemsOf } from "../harness/index.ts"

const NAMES =
  "badge button chips pager form input chart h fmt empty errorBox header row section stack status tabs text toolbar markdown code image json meter cards detail list stat stats timeline tree resultView show table " +
  "anatomy avatar bar bars card cells compare copy days facts files findings frame graph hero hits icon log map page people rating request scale schedule steps swatches"

export interface PartsPage {
  readonly page: Page
  /** Runs an expression with the parts by name, and answers with its value. */
  readonly run: <A>(expression: string) => Promise<A>
  /** Puts what the expression answers with into an empty body. */
  readonly show: (expression: string) => Promise<void>
  /** What the browser complains about. */
  readonly problems: ReadonlyArray<string>
  /** The axe rules that the page breaks, with where. */
  readonly axe: () => Promise<ReadonlyArray<string>>
}

export interface PartsPageOptions extends Pick<BrowserContextOptions, "colorScheme" | "forcedColors"> {
  /** CSS pixels. */
  readonly width?: number
  readonly direction?: "ltr" | "rtl"
}

const lendPage = lending(
  async ({ direction = "ltr", width = 720, ...rest }: PartsPageOptions) => {
    const context = await newLastingContext({ viewport: { width, height: 800 }, timezoneId: "UTC", ...rest })
    const page = await context.newPage()
    const problems = await problemsOf(page)
    const code = inject("scripts").parts.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--")
    await page.route("http://parts.test/**", (route) =>
      route.fulfill({
        contentType: "text/html; charset=utf-8",
        headers: { "content-security-policy": DEFAULT_CSP },
        body: `<!doctype html><html lang="en" dir="${direction}"><head><meta charset="utf-8"><title>Parts</title><link rel="icon" href="data:,"><script>${code}</script></head><body></body></html>`
      })
    )
    return { page, problems }
  },
  async ({ page, problems }) => {
    await page.goto("about:blank")
    await page.mouse.move(0, 0)
    problems.length = 0
    return page.context().pages().length === 1
  }
)

/** A page under the hosts' default policy that has the parts and no runtime. The document is the test's own. */
export const openParts = async (options: PartsPageOptions = {}): Promise<PartsPage> => {
  const { page, problems } = await lendPage(options)
  // A test may have made it narrow.
  await page.setViewportSize({ width: options.width ?? 720, height: 800 })
  await page.goto("http://parts.test/")
  await page.evaluate("parts.installStyles()")
  const withParts = (expression: string): string =>
    `(() => { const { ${NAMES.replaceAll(" ", ", ")} } = parts; return (${expression}) })()`
  return {
    page,
    problems,
    run: (expression) => page.evaluate(withParts(expression)),
    show: async (expression) => {
      await page.evaluate(withParts(`document.body.replaceChildren(h("main", {}, ${expression}))`))
    },
    axe: () => axe(page)
  }
}

/** Opens a page with the parts, and holds that nothing broke a rule of policy or console in it. */
export const withPage = async (
  use: (page: PartsPage) => Promise<void>,
  options: PartsPageOptions = {}
): Promise<void> => {
  const page = await openParts(options)
  await use(page)
  assert.deepEqual(page.problems, [])
}

/** Thirty records with members of many kinds. */
export const people = JSON.stringify(
  Array.from({ length: 30 }, (_, index) => ({
    id: index + 1,
    name: `Person ${String.fromCharCode(65 + (index % 26))}${index}`,
    status: index % 3 === 0 ? "failed" : "active",
    joined_at: `2025-01-${String(index + 1).padStart(2, "0")}T09:30:00Z`,
    balance_eur: index * 10.5,
    notes: index === 4 ? `${"A long note. ".repeat(40)}` : null
  }))
)
