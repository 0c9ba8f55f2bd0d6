import { existsSync } from "node:fs"
import { delimiter, join } from "node:path"
import { chromium } from "playwright-core"
import type { Browser } from "playwright-core"

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

interface Found {
  readonly executablePath: string
  readonly args: ReadonlyArray<string>
}

const inPath = (): string | undefined =>
  (process.env.PATH ?? "")
    .split(delimiter)
    .flatMap((folder) => NAMES.map((name) => join(folder, name)))
    .find((path) => existsSync(path))

const packaged = async (): Promise<Found | undefined> => {
  try {
    const { default: shipped } = await import("@sparticuz/chromium")
    return { executablePath: await shipped.executablePath(), args: shipped.args }
  } catch {
    return undefined
  }
}

/**
 * Finds a Chromium: the environment variable CHROMIUM_PATH, the system's, Playwright's own, else the one that an
 * npm package ships. Throws with what to do when there is none: browser tests never skip.
 */
const findChromium = async (): Promise<Found> => {
  const named = process.env.CHROMIUM_PATH
  if (named !== undefined && named !== "") {
    if (!existsSync(named)) throw new Error(`CHROMIUM_PATH names ${named}, and there is no such file`)
    return { executablePath: named, args: [] }
  }
  const system = inPath()
  if (system !== undefined) return { executablePath: system, args: [] }
  const own = chromium.executablePath()
  if (own !== "" && existsSync(own)) return { executablePath: own, args: [] }
  const shipped = await packaged()
  if (shipped !== undefined) return shipped
  throw new Error(
    "No Chromium found. Install one (for example `npx playwright-core install chromium`) or set CHROMIUM_PATH to its executable."
  )
}

let shared: Promise<Browser> | undefined

/** The browser of this test process, started on first use. */
export const launchChromium = (): Promise<Browser> =>
  (shared ??= findChromium().then(({ executablePath, args }) =>
    chromium.launch({ executablePath, headless: true, args: [...new Set([...args, ...FLAGS])] })
  ))

/** Ends the browser of this test process: for `afterAll`. */
export const closeChromium = async (): Promise<void> => {
  const running = shared
  shared = undefined
  if (running !== undefined) await (await running).close()
}
