import { build } from "esbuild"
import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { fileURLToPath } from "node:url"
import type { Page } from "playwright-core"
import { launchChromium } from "../harness/chromium.ts"
import { DEFAULT_CSP } from "../harness/openView.ts"

let script: Promise<string> | undefined

const bundle = async (): Promise<string> => {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL("../pages/parts.ts", import.meta.url))],
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2022",
    write: false
  })
  return outputFiles[0]?.text ?? ""
}

export interface PartsPage {
  readonly page: Page
  /** Runs an expression with the parts by name, and answers with its value. */
  readonly run: <A>(expression: string) => Promise<A>
  /** Puts what the expression answers with into an empty body. */
  readonly show: (expression: string) => Promise<void>
  /** Uncaught errors, errors on the console and violations of the policy. */
  readonly problems: ReadonlyArray<string>
  /** The axe rules that the page breaks, with where. */
  readonly axe: () => Promise<ReadonlyArray<string>>
  readonly close: () => Promise<void>
}

export interface PartsPageOptions {
  readonly colorScheme?: "light" | "dark"
  /** CSS pixels. */
  readonly width?: number
  readonly forcedColors?: "active" | "none"
  readonly direction?: "ltr" | "rtl"
}

/** A page under the hosts' default policy that has the parts and no runtime. */
export const openParts = async (options: PartsPageOptions = {}): Promise<PartsPage> => {
  const browser = await launchChromium()
  const context = await browser.newContext({
    viewport: { width: options.width ?? 720, height: 800 },
    colorScheme: options.colorScheme ?? "light",
    forcedColors: options.forcedColors ?? "none",
    reducedMotion: "reduce",
    locale: "en-GB",
    timezoneId: "UTC"
  })
  const page = await context.newPage()
  const problems: Array<string> = []
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(message.text())
  })
  page.on("pageerror", (error) => void problems.push(error.message))
  const code = (await (script ??= bundle())).replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--")
  await page.route("http://parts.test/**", (route) =>
    route.fulfill({
      contentType: "text/html; charset=utf-8",
      headers: { "content-security-policy": DEFAULT_CSP },
      body: `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Parts</title><link rel="icon" href="data:,"><script>${code}</script></head><body></body></html>`
    })
  )
  await page.goto("http://parts.test/")
  await page.evaluate(`document.documentElement.dir = ${JSON.stringify(options.direction ?? "ltr")}`)
  await page.evaluate("parts.installStyles()")
  const withParts = (expression: string): string =>
    `(() => { const { ${"badge button chips pager form input chart h fmt empty errorBox header row section stack status tabs text toolbar markdown code image json meter cards detail list stat stats timeline tree resultView show table".split(" ").join(", ")} } = parts; return (${expression}) })()`
  return {
    page,
    problems,
    run: (expression) => page.evaluate(withParts(expression)),
    show: async (expression) => {
      await page.evaluate(withParts(`document.body.replaceChildren(h("main", {}, ${expression}))`))
    },
    axe: async () => {
      await page.evaluate(await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8"))
      const found = await page.evaluate<{
        readonly violations: ReadonlyArray<{
          readonly id: string
          readonly nodes: ReadonlyArray<{ readonly html: string }>
        }>
      }>(`axe.run(document, { resultTypes: ["violations"] })`)
      return found.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`))
    },
    close: () => context.close()
  }
}
