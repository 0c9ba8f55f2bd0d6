import { existsSync } from "node:fs"
import { delimiter, join } from "node:path"
import { chromium } from "playwright-core"
import type { Browser, BrowserServer } from "playwright-core"

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"]

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-proxy-server",
  // A frame in a process of its own loses presses on parts that just came into view: the page around it gets them.
  "--disable-site-isolation-trials"
]

const inPath = (): string | undefined =>
  (process.env.PATH ?? "")
    .split(delimiter)
    .flatMap((folder) => NAMES.map((name) => join(folder, name)))
    .find((path) => existsSync(path))

/** The headless shell in the npm package, unpacked into the folder for temporary files. */
const packaged = async (): Promise<string | undefined> => {
  try {
    const { default: shipped } = await import("@sparticuz/chromium")
    return await shipped.executablePath()
  } catch {
    return undefined
  }
}

/** The system's Chromium, or Playwright's own. */
const installed = (): string | undefined => inPath() ?? [chromium.executablePath()].find((path) => existsSync(path))

/** The executable that the tests open pages with; for programs that look for one themselves. */
export const chromiumPath = async (): Promise<string> => {
  const named = process.env.CHROMIUM_PATH
  const path = named === undefined || named === "" ? (installed() ?? (await packaged())) : named
  if (path === undefined) throw new Error("there is no Chromium; CHROMIUM_PATH names one")
  return path
}

/**
 * Launches the Chromium that CHROMIUM_PATH names, else the first that starts. Throws with what to do when there is none:
 * browser tests never skip.
 */
const launchFirst = async <A>(
  launch: (options: { executablePath: string; headless: true; args: Array<string> }) => Promise<A>,
  candidates: ReadonlyArray<() => string | undefined | Promise<string | undefined>>
): Promise<A> => {
  const named = process.env.CHROMIUM_PATH
  const failures: Array<unknown> = []
  for (const candidate of named === undefined || named === "" ? candidates : [() => named]) {
    const executablePath = await candidate()
    if (executablePath === undefined) continue
    try {
      return await launch({ executablePath, headless: true, args: FLAGS })
    } catch (error) {
      failures.push(error)
    }
  }
  throw new AggregateError(
    failures,
    "No Chromium starts. Install one (for example `npx playwright-core install chromium`) or set CHROMIUM_PATH to its executable."
  )
}

let launched: Promise<Browser> | undefined

/** A browser of this process alone, started on first use. Tests share another one: `newContext` in browser.ts. */
export const launchChromium = (): Promise<Browser> =>
  (launched ??= launchFirst((options) => chromium.launch(options), [installed, packaged]))

/** Ends the browser of this process. */
export const closeChromium = async (): Promise<void> => {
  const running = launched
  launched = undefined
  if (running !== undefined) await (await running).close()
}

/**
 * A browser that other processes connect to. The headless shell comes first: it opens a page with a sixth of the work
 * that a whole Chromium needs, and this is most of what the tests of pages do.
 */
export const serveChromium = (): Promise<BrowserServer> =>
  launchFirst((options) => chromium.launchServer(options), [packaged, installed])
