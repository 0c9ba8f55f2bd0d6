import { Effect } from "effect"
import { execFile } from "node:child_process"
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import { pathToFileURL } from "node:url"
import { escapeHtml } from "../../domain/Escape.ts"

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge"]
const MAC = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"

/** A Chromium of this machine: the one that CHROMIUM_PATH names, else one on PATH. */
export const findBrowser = (): string | undefined => {
  const named = process.env.CHROMIUM_PATH
  if (named !== undefined && named !== "") return named
  const folders = (process.env.PATH ?? "").split(delimiter)
  return [...folders.flatMap((folder) => NAMES.map((name) => join(folder, name))), MAC].find((path) => existsSync(path))
}

const PATIENCE_MS = 20_000
/** The page has this long, on the browser's own clock. */
const PAGE_MS = 4000

/** Of the hosts that we know the strictest (MCP Inspector): nothing but scripts and styles in the document. */
const STRICTEST = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; base-uri 'none'"

const IN_FRAME = `addEventListener("securitypolicyviolation", (event) =>
  parent.postMessage({ violation: event.effectiveDirective + " " + event.blockedURI }, "*"))`

const IN_HOST = `addEventListener("message", ({ data }) => {
  const said = data.violation ?? (data.method === "ui/initialize" ? "started" : undefined)
  if (said === undefined) return
  document.body.append(Object.assign(document.createElement("p"), { className: "said", textContent: said }))
})`

const hostPage = (html: string): string => `<!doctype html>
<meta http-equiv="Content-Security-Policy" content="${STRICTEST}; frame-src 'self'">
<body><script>${IN_HOST}</script>
<iframe sandbox="allow-scripts" srcdoc="${escapeHtml(html.replace("<head>", `<head><script>${IN_FRAME}</script>`))}"></iframe>`

/**
 * Opens a document in a frame, as a host with the strictest policy does. Answers what the frame told: `started`, and each
 * violation of the policy. `undefined`: the browser does not run.
 */
export const showInBrowser = (browser: string, html: string): Effect.Effect<ReadonlyArray<string> | undefined> =>
  Effect.acquireUseRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "mcp-gen-ui-doctor-"))),
    (folder) =>
      Effect.callback<ReadonlyArray<string> | undefined>((resume) => {
        const page = join(folder, "page.html")
        writeFileSync(page, hostPage(html))
        const isRoot = process.getuid?.() === 0
        const flags = [
          "--headless",
          "--disable-gpu",
          // In the same process its messages count for the clock of the page.
          "--disable-features=IsolateSandboxedIframes",
          "--no-first-run",
          "--disable-background-networking",
          `--user-data-dir=${join(folder, "profile")}`,
          `--virtual-time-budget=${PAGE_MS}`,
          "--dump-dom",
          ...(isRoot ? ["--no-sandbox"] : []),
          pathToFileURL(page).href
        ]
        const options = { timeout: PATIENCE_MS, maxBuffer: 20_000_000 }
        const child = execFile(browser, flags, options, (error, stdout) => {
          const said = [...stdout.matchAll(/<p class="said">([^<]*)/g)].map(([, text = ""]) => text)
          resume(Effect.succeed(error === null || said.length > 0 ? said : undefined))
        })
        return Effect.sync(() => child.kill())
      }),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  )
