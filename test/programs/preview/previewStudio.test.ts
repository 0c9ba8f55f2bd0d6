import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Scope } from "effect"
import { copyFileSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import type { FrameLocator, Page } from "playwright-core"
import { afterAll, expect } from "vitest"
import { openPreview } from "../../fixtures/preview/openPreview.ts"
import {
  accessibilityProblems,
  answered,
  button,
  callTool,
  fillIn,
  makeFolder,
  openHostBar,
  openPage,
  openPageAt,
  openWrapperPage,
  startModel
} from "../../fixtures/preview/wrapperPage.ts"
import type { PageOptions, PreviewPage } from "../../fixtures/preview/wrapperPage.ts"
import { bin, fixtureServer, root } from "../../fixtures/RawClient.ts"
import { pageTitled } from "../../fixtures/wrapperWithModel.ts"

/** The pages without a model share a preview: each has a server process of its own. */
const scope = Scope.makeUnsafe()
afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))
const plain = Effect.runPromise(Scope.provide(openPreview({ binPath: bin, wrapperArgs: ["--llm=none"] }), scope))

const onPage = async (use: (opened: PreviewPage) => Promise<void>, options: PageOptions = {}): Promise<void> =>
  use(await openPageAt((await plain).url, { at: "tool=get_forecast", ...options }))

const heading = (view: FrameLocator, name: string): Promise<void> =>
  view.getByRole("heading", { name, exact: true }).waitFor()

const tab = (page: Page, name: string) => page.getByRole("radio", { name, exact: true }).check()

const exchanges = (page: Page, of: string) => page.locator(".exchange", { hasText: of })

const writer = { provider: "ollama", model: "stand-in", patienceMs: 15_500 }

/** A studio whose model writes a page with the colour that was asked for as its heading; the green one waits to be let go. */
const withModel = async () => {
  const held = Promise.withResolvers<void>()
  const { llm, standIn } = await startModel(({ prompt }) => {
    if (prompt.includes("make it fail")) return { error: { status: 401, message: "invalid key" } }
    const asked = ["blue", "green"].find((color) => prompt.includes(`make it ${color}`))
    const text = pageTitled(asked ?? "first", `// ${"Words. ".repeat(30)}`)
    return asked === "green" ? { text, pace: (index) => (index < 3 ? Promise.resolve() : held.promise) } : { text }
  })
  const opened = await openWrapperPage({ llm }, { writer }, { at: "tool=get_forecast&behind=versions" })
  await callTool(opened.page)
  await heading(opened.view, "first")
  return { ...opened, standIn, letGo: held.resolve }
}

describe("the studio", () => {
  it("shows the view first and large, in its form state before any call, and the tools of the wrapper folded", () =>
    onPage(async ({ page, problems, view }) => {
      await view.getByRole("button", { name: "Forecast" }).waitFor()
      await view.getByText("The result will appear here.").waitFor()
      const { height = 0, width = 0 } = (await page.locator("#canvas").boundingBox()) ?? {}
      assert.isAbove((height * width) / (1440 * 900), 0.5)
      assert.match(await page.locator("#arguments .mf-line").innerText(), /^City Oslo\s*Days 5\s*Edit$/)
      assert.strictEqual(await page.locator("#tools [data-tool]").count(), 8)
      assert.isFalse(await page.locator("[data-tool=_ui_refine]").isVisible())
      await page.getByText("Tools of mcp-gen-ui").click()
      assert.isTrue(await page.locator("[data-tool=_ui_refine]").isVisible())

      await callTool(page)
      await view.getByRole("tab", { name: "Table" }).waitFor()
      assert.strictEqual(await page.locator("#inspector").getAttribute("data-open"), "false")
      assert.deepStrictEqual(problems, [])
    }))

  it("changes the UI as a person says below the view, with progress, and undoes, and switches to the built-in one", async () => {
    const { letGo, page, problems, standIn, view } = await withModel()
    const current = page.locator("#versions-list [aria-current=true] .version-number")
    await page.getByLabel("Change this UI").fill("make it fail")
    await page.keyboard.press("Enter")
    await page.locator(".notice", { hasText: "invalid key" }).waitFor()
    assert.strictEqual(await page.getByLabel("Change this UI").inputValue(), "make it fail")
    await page.getByLabel("Change this UI").fill("make it green")
    await page.keyboard.press("Enter")
    await page.locator("#writing").getByText("stand-in (ollama) is writing this view").waitFor()
    await page.locator("#writing-far", { hasText: /\d+ characters/ }).waitFor()
    letGo()
    await heading(view, "green")
    await expect.poll(() => current.textContent()).toBe("2")
    assert.strictEqual(await page.getByLabel("Change this UI").inputValue(), "")
    await button(page, "Undo").click()
    await heading(view, "first")
    await expect.poll(() => current.textContent()).toBe("1")
    await tab(page, "Built-in")
    await view.getByRole("tab", { name: "Table" }).waitFor()
    await tab(page, "Rich")
    await heading(view, "first")
    await page.getByLabel("Change this UI").fill("make it blue")
    await button(page, "Change").click()
    await heading(view, "blue")
    const before = standIn.requests.length
    await button(page, "Regenerate").click()
    await expect.poll(() => standIn.requests.length).toBe(before + 1)
    await page.locator("#writing").waitFor({ state: "hidden" })
    assert.deepStrictEqual(await accessibilityProblems(page), [])
    assert.deepStrictEqual(problems, [])
  })

  it("shows what is behind a UI: facts, prompt, and the source, which is served when it is saved", async () => {
    const { page, problems, view } = await withModel()
    await tab(page, "About")
    const about = page.locator("#about")
    await about.getByText("ollama · stand-in").waitFor()
    assert.match(await about.innerText(), /Time\s+[\d.]+ s\s+Tokens\s+[\d,]+ read, [\d,]+ written\s+Cost/)
    await page.getByLabel("Price of input").fill("1")
    await page.getByLabel("Price of output").fill("2")
    await about.getByText(/^\$0\.\d{4}$/).waitFor()
    await tab(page, "Prompt")
    await expect.poll(() => page.locator("#prompt").textContent()).toContain("get_forecast")
    await tab(page, "Source")
    const source = page.getByLabel("Source of the UI")
    await expect.poll(() => source.inputValue()).toContain('header("first")')
    await source.fill("<p>Nothing</p><script src='https://example.com/x.js'></script>")
    await button(page, "Save and serve").click()
    await page.locator("#source-said", { hasText: "was not changed" }).waitFor()
    await source.fill(pageTitled("by hand"))
    await source.press("ControlOrMeta+s")
    await heading(view, "by hand")
    await page.locator("#source-said", { hasText: "Served as version 2." }).waitFor()

    await tab(page, "Versions 2")
    await button(page, "Compare: version 1").click()
    await tab(page, "Differences")
    const diff = page.getByRole("region", { name: "Differences of the sources" })
    await diff.locator("del", { hasText: 'header("first")' }).waitFor()
    await diff.locator("ins", { hasText: 'header("by hand")' }).waitFor()
    assert.deepStrictEqual(await accessibilityProblems(page), [])
    assert.deepStrictEqual(problems, [])
  })

  it("shows what the frame says on its console, its errors, and what its policy refuses", async () => {
    const { page, view } = await openPage({}, { at: "pane=console" })
    const run = (code: string) => view.locator("html").evaluate<unknown, unknown>(code)
    await view.getByRole("button", { name: "Probe" }).click()
    await run(`console.warn("careful", { a: 1 }); setTimeout(() => { throw new Error("broken") })`)
    const entry = (level: string) => page.locator(`#console [data-level=${level}]`)
    await entry("warn").getByText('careful {"a":1}').waitFor()
    await entry("error").getByText("Error: broken").first().waitFor()
    await entry("policy").getByText("connect-src refuses").first().waitFor()
    assert.isAtLeast(Number(await page.locator("#console-count").textContent()), 2)
  })

  it("lists traffic with names and status, searches it, sends again, edited too, and exports", () =>
    onPage(
      async ({ page, problems }) => {
        await callTool(page)
        await answered(page)
        const calls = exchanges(page, "tools/call get_forecast")
        assert.strictEqual(await calls.first().getAttribute("data-status"), "ok")
        const seen = () => page.locator(".exchange").filter({ visible: true }).count()
        const all = await seen()
        await page.getByLabel("Search traffic").fill("sunrise")
        await expect.poll(seen).toBeLessThan(all)
        await page.getByLabel("Search traffic").fill("no such thing")
        await expect.poll(seen).toBe(0)
        await page.getByLabel("Search traffic").fill("")
        await calls.first().locator("summary").click()
        await calls.first().getByRole("button", { name: "Send again" }).click()
        await expect
          .poll(() => page.locator('.exchange[data-link="server"]', { hasText: "get_forecast" }).count())
          .toBe(3)
        await calls.first().getByRole("button", { name: "Edit and send" }).click()
        const editor = calls.first().getByLabel("Parameters as JSON")
        await editor.fill((await editor.inputValue()).replace("Oslo", "Atlantis"))
        await calls.first().getByRole("button", { name: "Send again" }).click()
        await page.locator('.exchange[data-status="failed"]', { hasText: "get_forecast" }).waitFor()
        const saving = page.waitForEvent("download")
        await button(page, "Export").click()
        const saved = JSON.parse(await text(await (await saving).createReadStream())) as ReadonlyArray<{
          method: string
        }>
        assert.include(
          saved.map(({ method }) => method),
          "tools/call"
        )
        assert.deepStrictEqual(problems, [])
      },
      { at: "tool=get_forecast&pane=all" }
    ))

  it("shows the view as another host would: its width, its look, what it lets a view ask for", () =>
    onPage(async ({ page, view }) => {
      await view.getByText("The result will appear here.").waitFor()
      await openHostBar(page)
      await page.locator("#profile").selectOption("vscode")
      await expect.poll(async () => (await page.locator(".canvas-sheet").boundingBox())?.width).toBe(480)
      await page.locator("#host-summary", { hasText: "As VS Code · 480 wide" }).waitFor()
      assert.isTrue(await button(page, "Full screen").isDisabled())
      await page.locator("#profile").selectOption("inspector")
      await view.getByText("The result will appear here.").waitFor()
      assert.isEmpty(
        await view
          .locator("html")
          .evaluate<string, unknown>(
            "getComputedStyle(document.documentElement).getPropertyValue('--color-text-primary')"
          )
      )
    }))

  it("keeps everything over a reload and in a link, and replays what was recorded without calling anybody", () =>
    onPage(async ({ page, problems, view }) => {
      await fillIn(page, { City: "Tokyo" })
      await callTool(page)
      await answered(page)
      await openHostBar(page)
      await tab(page, "480")
      await tab(page, "Dark")
      await page.getByText("Behind this UI").click()
      await tab(page, "Calls")
      await tab(page, "Traffic")
      await page.reload()
      await view.getByRole("tab", { name: "Table" }).waitFor()
      assert.strictEqual(await page.locator("#tool-title").textContent(), "Forecast")
      assert.include(await page.locator("#arguments .mf-line").innerText(), "Tokyo")
      assert.strictEqual(await page.locator("html").getAttribute("data-theme"), "dark")
      await page.locator("#host-summary", { hasText: "480 wide" }).waitFor()
      assert.strictEqual(await exchanges(page, "tools/call get_forecast").count(), 0)
      await page
        .locator("#calls")
        .getByRole("button", { name: /Show again/ })
        .click()
      await view.getByRole("tab", { name: "Table" }).waitFor()
      assert.strictEqual(await exchanges(page, "tools/call get_forecast").count(), 0)

      const link = await openPageAt((await plain).url, {
        at: `tool=get_current_weather&args=${encodeURIComponent('{"location":"Lima"}')}`
      })
      assert.include(await link.page.locator("#arguments .mf-line").innerText(), "Lima")
      assert.deepStrictEqual(problems, [])
    }))

  it("starts the server again when its files change, and replays recorded results without it", async () => {
    const file = join(makeFolder(), "server.mjs")
    const code = readFileSync(join(root, "examples/weather-server.mjs"), "utf8").replaceAll(
      /from "(?=@)/g,
      `from "${join(root, "node_modules")}/`
    )
    copyFileSync(join(root, "examples/weather-server.mjs"), file)
    writeFileSync(file, code)
    const wrapperArgs = ["--llm=none", "--", process.execPath, file]
    const { page, view } = await openPage({ binPath: bin, wrapperArgs }, { at: "tool=get_forecast" })
    await callTool(page)
    await answered(page)
    writeFileSync(file, code.replace('"Forecast"', '"Outlook"'))
    await page.locator(".tool-label", { hasText: "Outlook" }).waitFor()
    await view.getByRole("tab", { name: "Table" }).waitFor()

    writeFileSync(file, "process.exit(1)")
    await page.locator("#status[data-state=closed]").waitFor()
    await page.reload()
    await page.locator("#status[data-state=closed]").waitFor()
    await view.getByRole("tab", { name: "Table" }).waitFor()
    assert.isTrue(await button(page, "Call tool").isDisabled())
  })

  it("keeps no arguments with a secret, and serves a saved source without a model", async () => {
    const file = join(makeFolder(), "tools.json")
    const properties = { password: { type: "string", format: "password" } }
    writeFileSync(file, JSON.stringify([{ name: "login", inputSchema: { type: "object", properties } }]))
    const wrapperArgs = ["--llm=none", "--", process.execPath, fixtureServer("listed.mjs"), file]
    const { page, view } = await openPage({ binPath: bin, wrapperArgs }, { at: "behind=source" })
    await fillIn(page, { Password: "hush" })
    await callTool(page)
    await answered(page)
    assert.notInclude(page.url(), "hush")
    assert.notInclude(await page.evaluate<string>("JSON.stringify(sessionStorage)"), "hush")
    await page.getByLabel("Source of the UI").fill(pageTitled("by hand"))
    await button(page, "Save and serve").click()
    await page.locator("#source-said", { hasText: "Served as version" }).waitFor()
    await page.clock.runFor(3_000)
    await heading(view, "by hand")
  })

  it("copies what a host's configuration file has to say", () =>
    onPage(async ({ page }) => {
      await page.context().grantPermissions(["clipboard-read", "clipboard-write"])
      await button(page, "Copy host config").click()
      await button(page, "Copied").waitFor()
      const copied = JSON.parse(await page.evaluate<string>("navigator.clipboard.readText()")) as {
        mcpServers: Record<string, { command: string; args: ReadonlyArray<string> }>
      }
      const server = copied.mcpServers["weather-server"]
      // What runs is a clone, not the published package.
      assert.strictEqual(server?.command, process.execPath)
      assert.deepStrictEqual(server?.args.slice(0, 3), [bin, "--llm=none", "--"])
    }))

  it("lets the person answer what the server asks, in a form of ours", async () => {
    const wrapperArgs = ["--llm=none", "--", process.execPath, fixtureServer("legacy-only.mjs")]
    const { page, problems } = await openPage({ binPath: bin, wrapperArgs }, { at: "tool=ask_twice" })
    await callTool(page)
    const dialog = page.getByRole("dialog")
    await dialog.getByText("What is your name?").waitFor()
    await dialog.getByLabel("Name").fill("Ada")
    assert.deepStrictEqual(await accessibilityProblems(page), [])
    await button(page, "Send").click()
    await dialog.getByText("What is your name?").waitFor()
    await button(page, "Decline").click()
    await answered(page)
    const view = page.locator("#canvas").frameLocator(".view-frame").frameLocator("iframe")
    await view.getByText("Ada").first().waitFor()
    await view.getByText("decline").first().waitFor()
    assert.deepStrictEqual(problems, [])
  })

  it.each([
    { width: 320, colorScheme: "light" },
    { width: 1024, colorScheme: "dark" },
    { width: 1600, colorScheme: "light" }
  ] as const)("is used with the keyboard, and axe finds nothing ($width wide, $colorScheme)", (options) =>
    onPage(async ({ page, view }) => {
      await view.getByText("The result will appear here.").waitFor()
      await page.keyboard.press("/")
      await page.keyboard.type("units")
      await page.keyboard.press("Tab")
      await page.keyboard.press("Enter")
      await page.locator("#tool-title", { hasText: "Set units" }).waitFor()
      await page.getByText("Behind this UI").focus()
      await page.keyboard.press("Enter")
      for (const name of ["About", "Source", "Prompt", "Calls"]) {
        await tab(page, name)
        assert.deepStrictEqual(await accessibilityProblems(page), [], name)
      }
      const overflow = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth")
      assert.isAtMost(overflow, 0)
    }, options)
  )
})
