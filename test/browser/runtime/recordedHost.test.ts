import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import type { BrowserContextOptions, Frame, Page } from "playwright-core"
import { afterAll, expect } from "vitest"
import type { LearnedResult } from "../../../src/domain/tools/LearnedResults.ts"
import { toolFromDefinition } from "../../../src/domain/tools/Tool.ts"
import * as DocumentLinker from "../../../src/layers/documents/DocumentLinker.ts"
import * as PackageFiles from "../../../src/layers/documents/PackageFiles.ts"
import * as UiExportFolder from "../../../src/layers/documents/UiExportFolder.ts"
import { UiExport } from "../../../src/services/documents/UiExport.ts"
import { settingsOf } from "../../fixtures/settings.ts"
import { uiEntry } from "../../fixtures/uiEntry.ts"
import { axe, newContext } from "../harness/index.ts"

const folder = mkdtempSync(join(tmpdir(), "mcp-gen-ui-saved-"))
afterAll(() => rmSync(folder, { recursive: true }))

const layers = UiExportFolder.layer({ directory: folder, settings: settingsOf() }).pipe(
  Layer.provide(DocumentLinker.layer({ theme: "system", maxOutputDisplayBytes: 102_400 })),
  Layer.provide(PackageFiles.layer)
)

const definition = {
  title: "Forecast",
  description: "The weather of the next days.",
  inputSchema: {
    type: "object",
    properties: { location: { type: "string", title: "City" } },
    required: ["location"]
  },
  outputSchema: {
    type: "object",
    properties: {
      days: {
        type: "array",
        items: { type: "object", properties: { date: { type: "string", format: "date" }, high: { type: "number" } } }
      }
    }
  }
}

const forecast = (first: number) => ({
  days: [
    { date: "2026-05-04", high: first },
    { date: "2026-05-05", high: first + 2 }
  ]
})
const calls: ReadonlyArray<LearnedResult> = [
  { args: { location: "Oslo" }, data: forecast(11) },
  { args: { location: "Lima" }, data: forecast(24) }
]

const source = `<script type="module">
import { show, header, table, button } from "mcp-gen-ui/parts"
show((data, ctx) => [
  header("Forecast for " + ctx.args.location),
  table(data.days),
  button("Show Lima", () => ctx.call({ location: "Lima" })),
  button("Other tool", () => ctx.call("delete_all", {}))
], { form: "collapsed" })
</script>`

let names = 0

interface Saved {
  readonly page: Page
  /** The view, in its frame. */
  readonly view: Frame
  /** Errors on the console, and requests for anything but the file. */
  readonly trouble: ReadonlyArray<string>
  readonly logged: ReadonlyArray<string>
  /** Addresses of windows that were opened, and names of files that were saved. */
  readonly opened: ReadonlyArray<string>
}

/** Exports a UI and opens its page as a person does who got the file. */
const open = async (
  given: {
    readonly source?: string | null
    readonly results?: ReadonlyArray<LearnedResult>
    readonly tool?: object
  } = {},
  options: BrowserContextOptions = {}
): Promise<Saved> => {
  const tool = toolFromDefinition({ ...definition, ...given.tool, name: `forecast_${(names += 1)}` })
  if (tool === undefined) return assert.fail("no tool")
  const isBuiltIn = given.source === null
  const entry = uiEntry("forecast", {
    toolName: tool.name,
    source: given.source === undefined ? source : given.source,
    uiType: isBuiltIn ? "minimal" : "rich",
    level: isBuiltIn ? 2 : 0
  })
  const [path = ""] = await Effect.gen(function* () {
    const { write } = yield* UiExport
    const learned = { shape: null, results: given.results ?? calls }
    return yield* write(tool, entry, { learned, examples: [], version: 1 })
  }).pipe(Effect.provide(layers), Effect.runPromise)
  const page = await (await newContext({ viewport: { width: 900, height: 700 }, ...options })).newPage()
  const trouble: Array<string> = []
  const logged: Array<string> = []
  const opened: Array<string> = []
  page.context().on("page", (other) => opened.push(other.url()))
  page.on("download", (download) => opened.push(download.suggestedFilename()))
  page.on("pageerror", (error) => void trouble.push(error.message))
  page.on("console", (message) => {
    if (message.type() === "error") trouble.push(message.text())
    else logged.push(message.text())
  })
  page.on("request", (request) => {
    if (!request.url().startsWith("file:")) trouble.push(request.url())
  })
  await page.goto(pathToFileURL(join(folder, path)).href)
  const [view] = page.mainFrame().childFrames()
  if (view === undefined) return assert.fail("there is no frame")
  return { page, view, trouble, logged, opened }
}

for (const colorScheme of ["light", "dark"] as const) {
  for (const width of [900, 320]) {
    it(`a saved page is right at ${width} px, ${colorScheme}`, async () => {
      for (const view of ["generated", "builtin"]) {
        const given = view === "builtin" ? { source: null } : {}
        const saved = await open(given, { colorScheme, viewport: { width, height: 700 } })
        await saved.page.getByText("Saved page with recorded data").waitFor()
        await saved.view.getByRole("cell", { name: "13", exact: true }).waitFor()
        assert.strictEqual(await saved.view.evaluate("document.documentElement.dataset.theme"), colorScheme)
        assert.strictEqual(
          await saved.view.evaluate("getComputedStyle(document.documentElement).colorScheme"),
          colorScheme
        )
        for (const place of [saved.page, saved.view]) {
          assert.isAtMost(await place.evaluate<number>("document.documentElement.scrollWidth"), width)
          // The heading is in the frame.
          const broken = await axe(place)
          assert.deepStrictEqual(
            broken.filter((rule) => place === saved.view || !rule.startsWith("page-has-heading-one")),
            []
          )
        }
        assert.deepStrictEqual(saved.trouble, [])
      }
    })
  }
}

describe("a saved page", () => {
  it("answers calls that were recorded, and says of others what was", async () => {
    const { trouble, view } = await open()
    await view.getByText("Forecast for Oslo").waitFor()
    await view.getByRole("button", { name: "Show Lima" }).click()
    await view.getByText("Forecast for Lima").waitFor()
    await view.getByRole("cell", { name: "26", exact: true }).waitFor()
    await view.getByRole("button", { name: "Other tool" }).click()
    await view
      .getByText(`it cannot call the server. Recorded: {"location":"Oslo"}, {"location":"Lima"}`)
      .first()
      .waitFor()
    assert.deepStrictEqual(trouble, [])
  })

  it("has a form that works: recorded arguments give their result, others the reason", async () => {
    const { page, view } = await open({ source: null })
    await view.getByRole("cell", { name: "13", exact: true }).waitFor()
    await view.getByRole("button", { name: "Edit input" }).click()
    await view.getByLabel("City").fill("Lima")
    await page.keyboard.press("Enter")
    await view.getByRole("cell", { name: "26", exact: true }).waitFor()
    await view.getByRole("button", { name: "Edit input" }).click()
    await view.getByLabel("City").fill("Atlantis")
    await page.keyboard.press("Enter")
    await view.getByText("This is a saved page: it cannot call the server.").first().waitFor()
    assert.strictEqual(await view.getByText("The connection to the server may be lost").count(), 0)
  })

  it("stands in the middle of a wide window", async () => {
    const { page, view } = await open({}, { viewport: { width: 1600, height: 700 } })
    await view.getByText("Forecast for Oslo").waitFor()
    const { left, width } = await page.evaluate<{ left: number; width: number }>(
      "document.querySelector('iframe').getBoundingClientRect().toJSON()"
    )
    assert.deepStrictEqual([left, width], [320, 960])
  })

  it("follows the colour scheme while it is open", async () => {
    const { page, view } = await open({}, { colorScheme: "light" })
    await view.getByText("Forecast for Oslo").waitFor()
    await page.emulateMedia({ colorScheme: "dark" })
    await view.locator("html[data-theme=dark]").waitFor()
    assert.strictEqual(await view.evaluate("getComputedStyle(document.documentElement).colorScheme"), "dark")
  })

  it("is on paper what it is on the screen, though paper is narrower", async () => {
    const { page, view } = await open()
    await view.getByText("Forecast for Oslo").waitFor()
    const widths = (): Promise<ReadonlyArray<number>> =>
      Promise.all([
        page.evaluate<number>("Math.round(document.querySelector('iframe').getBoundingClientRect().width)"),
        view.evaluate<number>("innerWidth")
      ])
    assert.deepStrictEqual(await widths(), [900, 900])
    await page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert.deepStrictEqual(await widths(), [680, 900])
    await page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert.deepStrictEqual(await widths(), [900, 900])
  })

  it("shows an example where no call was seen, and says that it is one", async () => {
    const { page, view } = await open({ results: [] })
    await view.getByText("Forecast for City").waitFor()
    await page.getByText("Saved page with example data").waitFor()
    await view.getByRole("button", { name: "Show Lima" }).click()
    await view.getByText("it cannot call the server. No call was recorded.").first().waitFor()
  })

  it("shows the form where nothing is known of results", async () => {
    const { page, view } = await open({ source: null, results: [], tool: { outputSchema: undefined } })
    await page.getByText("Saved page without data").waitFor()
    await view.getByLabel("City").waitFor()
  })

  it("opens and saves nothing without a press, also for code that asks past its runtime", async () => {
    const contents = [{ type: "resource", resource: { uri: "file:///a.txt", text: "a" } }]
    const messages = [
      ["ui/open-link", { url: "http://127.0.0.1:9/?secret" }],
      ["ui/open-link", { url: "mailto:someone@evil.example" }],
      ["ui/download-file", { contents }]
    ].map(([method, params]) => ({ jsonrpc: "2.0", id: 9, method, params }))
    // By code of the page: what a test evaluates, or looks for, counts as pressed.
    const { logged, opened, page } = await open({
      source: `<p>Ready</p><script type="module">
        for (const message of ${JSON.stringify(messages)}) top.postMessage(message, "*")
        console.log("all asked")
      </script>`
    })
    await expect.poll(() => logged).toContain("all asked")
    // What was asked for before this would have been opened before it.
    await page.context().newPage()
    assert.deepStrictEqual(opened, ["about:blank"])
  })

  it("reaches no network, whatever its code wants", async () => {
    const asked: Array<string> = []
    const server = createServer((request, response) => {
      asked.push(request.url ?? "")
      response.end()
    }).listen(0, "127.0.0.1")
    await once(server, "listening")
    const address = server.address()
    const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/`
    const { page, view } = await open({
      source: `<p>Ready</p><script type="module">
        const seen = globalThis.seen = new Set()
        addEventListener("securitypolicyviolation", ({ effectiveDirective }) => { seen.add(effectiveDirective) })
        fetch("${url}data").catch(() => {})
        new Image().src = "${url}image.png"
        const style = document.createElement("style")
        style.textContent = "@import '${url}style.css'; @font-face { font-family: x; src: url(${url}font) } p { font-family: x }"
        document.head.append(style)
        for (const leave of [() => { top.location.href = "${url}top" }, () => { open("${url}window") }]) {
          try { leave() } catch (error) { seen.add("threw") }
        }
        try { seen.add(parent.document.title) } catch { seen.add("apart") }
      </script>`
    })
    for (const kind of ["connect-src", "img-src", "style-src-elem", "font-src", "apart"])
      await expect.poll(() => view.evaluate("[...seen]")).toContain(kind)
    await view.evaluate(`new Promise((done) => setTimeout(() => { location.href = "${url}own"; setTimeout(done) }))`)
    await page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
    await fetch(`${url}last`)
    assert.match(page.url(), /^file:/)
    assert.strictEqual(page.context().pages().length, 1)
    assert.deepStrictEqual(asked, ["/last"])
    server.close()
  })
})
