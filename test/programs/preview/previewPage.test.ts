import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Scope } from "effect"
import { text } from "node:stream/consumers"
import type { FrameLocator, Page } from "playwright-core"
import { afterAll, expect } from "vitest"
import { fixture, openPreview } from "../../fixtures/preview/openPreview.ts"
import {
  accessibilityProblems,
  answered,
  button,
  callTool,
  chooseTool,
  fillIn,
  openHostBar,
  openPage,
  openPageAt,
  openWrapperPage
} from "../../fixtures/preview/wrapperPage.ts"
import type { PageOptions, PreviewPage } from "../../fixtures/preview/wrapperPage.ts"
import { bin } from "../../fixtures/RawClient.ts"

/** The pages share a preview: each has a server process of its own. */
const scope = Scope.makeUnsafe()
afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))
const preview = Effect.runPromise(Scope.provide(openPreview(), scope))

type Use = (opened: PreviewPage) => Promise<void>

const onPage = async (use: Use, options: PageOptions = {}): Promise<void> =>
  use(await openPageAt((await preview).url, options))

/** On a page that shows the view of a first call. */
const onView = (use: Use, options: PageOptions = {}): Promise<void> =>
  onPage(async (opened) => {
    await callTool(opened.page)
    await says(opened.view, "Oslo")
    await use(opened)
  }, options)

const choose = async (page: Page, name: string): Promise<void> => {
  if (/^(?:\d+|Full|Legacy|Modern)$/.test(name)) await openHostBar(page)
  await page.getByRole("radio", { name, exact: true }).check()
}

const says = (view: FrameLocator, text: string) => view.getByRole("status").filter({ hasText: text }).waitFor()

/** A request of the view, and the host's result. */
const ask = (view: FrameLocator, method: string, params: unknown): Promise<unknown> =>
  view.locator("html").evaluate(`hostRequest(${JSON.stringify(method)}, ${JSON.stringify(params)})`)

/** Waits until the host has told the view of this member of its context. */
const untilTold = (view: FrameLocator, member: string, value: string): Promise<void> => {
  const told = `received.findLast(({ method, params }) =>
    method === "ui/notifications/host-context-changed" && "${member}" in params)?.params["${member}"]`
  return expect.poll(() => view.locator("html").evaluate<unknown, unknown>(told)).toBe(value)
}

const exchanges = (page: Page, text: string) => page.locator(".exchange", { hasText: text })

describe("the page of the preview", () => {
  it("lists the tools, calls one and shows its view, whose form calls again", () =>
    onPage(async ({ page, view, problems }) => {
      assert.deepStrictEqual(await page.locator(".tool-label").allTextContents(), [
        "Current weather",
        "Forecast",
        "Compare cities",
        "Cities",
        "Weather alerts",
        "Weather alert",
        "Rain radar",
        "Set units"
      ])
      assert.strictEqual(await page.locator("#status").textContent(), "Weather example 1.0.0 · 2025-11-25")
      assert.strictEqual(await page.locator("#upstream").textContent(), "node examples/weather-server.mjs")

      await fillIn(page, { City: "Tokyo" })
      await page.locator("#arguments").getByRole("radio", { name: "imperial" }).check()
      await callTool(page)
      await says(view, "Tokyo, Japan: 68 °F")
      assert.strictEqual(await view.getByLabel("City").inputValue(), "Tokyo")

      await view.getByLabel("City").fill("Cairo")
      await view.getByRole("button", { name: "Ask" }).click()
      await says(view, "Cairo, Egypt")
      assert.deepStrictEqual(problems, [])
    }))

  it("shows the traffic of both links, with payloads and log", () =>
    onView(async ({ page, view }) => {
      await view.getByRole("button", { name: "Ask" }).click()
      await exchanges(page, "tools/call").nth(2).waitFor()
      const rows = await exchanges(page, "tools/call").evaluateAll((nodes) =>
        nodes.map((node) => [node.dataset["link"], node.querySelector(".direction")?.textContent])
      )
      assert.deepStrictEqual(rows, [
        ["server", "→"],
        ["view", "←"],
        ["server", "→"]
      ])
      assert.match(String(await exchanges(page, "initialize").first().locator(".took").textContent()), /^[\d.]+ ms$/)

      await exchanges(page, "tools/call").first().locator("summary").click()
      const payload = await exchanges(page, "tools/call").first().locator(".payload").textContent()
      assert.include(payload, '"location": "Oslo"')
      assert.include(payload, '"country": "Norway"')

      await choose(page, "View")
      assert.strictEqual(await exchanges(page, "tools/list").filter({ visible: true }).count(), 0)
      assert.isAbove(await exchanges(page, "ui/initialize").filter({ visible: true }).count(), 0)
      await choose(page, "Log")
      const log = await page.locator("#log").innerText()
      assert.include(log, "wrapping")
      assert.include(log, "origin null")
    }))

  it("sends theme, style variables and width to the view", () =>
    onView(
      async ({ page, view }) => {
        const background = () =>
          view.locator("body").evaluate<string, unknown>("getComputedStyle(document.body).backgroundColor")
        assert.strictEqual(await view.locator("html").getAttribute("data-theme"), "dark")
        assert.strictEqual(await background(), "rgb(27, 29, 33)")

        await choose(page, "Light")
        await view.locator("html[data-theme=light]").waitFor()
        assert.strictEqual(await background(), "rgb(255, 255, 255)")

        for (const width of ["320", "480", "768"]) {
          await choose(page, width)
          const inside = Number(width) - 2
          await view.getByText(`${inside} wide`).waitFor()
          assert.strictEqual(await view.locator("html").evaluate<number, unknown>("innerWidth"), inside)
        }
      },
      { colorScheme: "dark" }
    ))

  it("runs the view under the policy of MCP Apps, on an opaque origin that it cannot leave", () =>
    onView(async ({ page, view }) => {
      const requested: Array<string> = []
      page.on("request", (request) => void requested.push(request.url()))
      await view.getByRole("button", { name: "Probe" }).click()
      await says(view, "origin")
      assert.deepStrictEqual(JSON.parse(String(await view.getByRole("status").textContent())), {
        origin: "null",
        fetch: "TypeError",
        storage: "SecurityError",
        proxy: "SecurityError",
        compile: "EvalError"
      })
      const refused = page.waitForEvent("console", (message) =>
        message.text().includes("Framing 'https://example.com/'")
      )
      await view.getByRole("button", { name: "Leave" }).click()
      await refused
      assert.isFalse(requested.some((url) => url.includes("example.com")))
    }))

  it("asks before a link of the view opens", () =>
    onView(async ({ page, view }) => {
      await view.getByRole("button", { name: "Open link" }).click()
      const link = page.locator(".notice").getByRole("link", { name: "Open" })
      assert.strictEqual(await link.getAttribute("href"), "https://example.com/weather")
      assert.strictEqual(page.context().pages().length, 1)
    }))

  it("shows what the view tells the model, and the messages that it puts into the chat", () =>
    onView(async ({ page, view, problems }) => {
      await choose(page, "Model")
      const told = page.getByRole("region", { name: "What the model knows" })
      await told.getByText("The view has told nothing yet.").waitFor()
      const selected = { toolName: "get_current_weather", items: [{ id: 7 }] }
      await ask(view, "ui/update-model-context", {
        content: [{ type: "text", text: "The user has selected one row." }],
        structuredContent: selected
      })
      assert.include(await told.textContent(), "The user has selected one row.")
      assert.include(await told.textContent(), '"id": 7')
      await ask(view, "ui/update-model-context", { content: [{ type: "text", text: "Nothing is selected." }] })
      assert.notInclude(await told.textContent(), '"id": 7')
      await ask(view, "ui/message", { role: "user", content: [{ type: "text", text: "Delete these three" }] })
      await told.getByText("Delete these three").waitFor()
      assert.deepStrictEqual(await accessibilityProblems(page), [])
      await page.getByRole("button", { name: "Clear" }).click()
      assert.notInclude(await told.textContent(), "Delete")
      assert.deepStrictEqual(problems, [])
    }))

  it("saves a file of the view when the person agrees, and tells the view when not", () =>
    onView(async ({ page, view, problems }) => {
      const resource = { uri: "file:///days%20of%20May.csv", mimeType: "text/csv", text: "day,high\n1,12\n" }
      const offer = () => ask(view, "ui/download-file", { contents: [{ type: "resource", resource }] })
      const accepted = offer()
      await page.getByText("The view offers days of May.csv (text/csv, 14 bytes)").waitFor()
      const saving = page.waitForEvent("download")
      await page.getByRole("link", { name: "Save days of May.csv" }).click()
      const download = await saving
      assert.strictEqual(download.suggestedFilename(), "days of May.csv")
      assert.strictEqual(await text(await download.createReadStream()), resource.text)
      assert.deepStrictEqual(await accepted, {})

      const declined = offer()
      await page.getByRole("button", { name: "Dismiss" }).click()
      assert.deepStrictEqual(await declined, { isError: true })
      const unknown = { type: "resource_link", uri: "javascript:alert(1)", name: "x" }
      assert.deepStrictEqual(await ask(view, "ui/download-file", { contents: [unknown] }), { isError: true })
      assert.deepStrictEqual(problems, [])
    }))

  it("shows the view in the whole window when it or the person asks, and takes it back", () =>
    onView(async ({ page, view, problems }) => {
      const size = () => view.locator("html").evaluate<readonly [number, number], unknown>("[innerWidth, innerHeight]")
      assert.deepStrictEqual(await ask(view, "ui/request-display-mode", { mode: "fullscreen" }), { mode: "fullscreen" })
      await untilTold(view, "displayMode", "fullscreen")
      assert.isAtLeast((await size())[0], 1400)
      assert.isAtLeast((await size())[1], 800)
      assert.deepStrictEqual(await ask(view, "ui/request-display-mode", { mode: "pip" }), { mode: "fullscreen" })
      assert.deepStrictEqual(await accessibilityProblems(page), [])
      await page.getByRole("button", { name: "Exit full screen" }).click()
      await untilTold(view, "displayMode", "inline")
      assert.isAtMost((await size())[0], 1250)

      await page.getByRole("button", { name: "Full screen" }).click()
      await untilTold(view, "displayMode", "fullscreen")
      await page.keyboard.press("Escape")
      await untilTold(view, "displayMode", "inline")
      assert.deepStrictEqual(problems, [])
    }))

  it("takes the view down and brings it back with the same call", () =>
    onView(async ({ page, view, problems }) => {
      await view.locator("html").evaluate<unknown, unknown>("globalThis.isOld = true")
      await page.getByRole("button", { name: "Reopen" }).click()
      await exchanges(page, "ui/resource-teardown").waitFor()
      await exchanges(page, "ui/initialize").nth(1).waitFor()
      await says(view, "Oslo")
      assert.isUndefined(await view.locator("html").evaluate<unknown, unknown>("globalThis.isOld"))
      const calls = exchanges(page, "tools/call")
      assert.strictEqual(await calls.count(), 1)

      await openHostBar(page)
      await page.getByLabel("Right to left").check()
      await view.locator("html[dir=rtl]").waitFor()
      await says(view, "Oslo")
      assert.strictEqual(await calls.count(), 1)
      assert.deepStrictEqual(problems, [])
    }))

  it("tells the view of locale, time zone and contrast as the person sets them", () =>
    onView(async ({ page, view }) => {
      await openHostBar(page)
      await page.getByLabel("Locale").selectOption("ar-EG")
      await untilTold(view, "locale", "ar-EG")
      await page.getByLabel("Time zone").selectOption("Asia/Tokyo")
      await untilTold(view, "timeZone", "Asia/Tokyo")
      const colour = () => view.locator("body").evaluate<string, unknown>("getComputedStyle(document.body).color")
      const normal = await colour()
      await page.getByLabel("High contrast").check()
      await view.locator('html[style*="#000000"]').waitFor()
      assert.notStrictEqual(await colour(), normal)
      assert.strictEqual(await colour(), "rgb(0, 0, 0)")
    }))

  it("shows the answer itself when a tool has no view, and says when it failed", () =>
    onPage(async ({ page }) => {
      await chooseTool(page, "get_forecast")
      await callTool(page)
      await page.locator(".canvas pre", { hasText: '"sunrise"' }).waitFor()
      assert.match(String(await page.locator("#call-status").textContent()), /^Answered in/)

      await fillIn(page, {})
      await button(page, "Edit as JSON").click()
      const editor = page.getByLabel("Input as JSON")
      assert.deepStrictEqual(JSON.parse(await editor.inputValue()), { location: "Oslo", days: 5 })
      await editor.fill('{ "location": "Atlantis" }')
      await callTool(page)
      await page.getByText("The tool reported an error").waitFor()
      await page.locator(".canvas pre", { hasText: "There is no weather for" }).waitFor()

      await fillIn(page, {})
      await editor.fill("{")
      await callTool(page)
      await page.getByText("One field needs attention.").waitFor()
    }))

  it("speaks either era, with a server process of its own each", () =>
    onPage(async ({ page, view, problems }) => {
      await choose(page, "Modern")
      await page.locator("#status", { hasText: "2026-07-28" }).waitFor()
      await callTool(page)
      await says(view, "Oslo, Norway")
      assert.strictEqual(await exchanges(page, "server/discover").count(), 1)
      await choose(page, "Log")
      assert.strictEqual(await page.locator(".entry", { hasText: "wrapping" }).count(), 2)
      assert.deepStrictEqual(problems, [])
    }))

  it("says that the server has ended, and starts it again", async () => {
    const { page } = await openPage({ wrapperArgs: ["--", "no-such-command-here"] }, { state: "closed" })
    await page.getByText("The server ended with exit code 1").first().waitFor()
    assert.isTrue(await page.getByRole("button", { name: "Call tool" }).isDisabled())
    await choose(page, "Log")
    await page.locator(".entry", { hasText: "ENOENT" }).first().waitFor()
    await page.getByRole("button", { name: "Restart" }).click()
    await page.locator(".entry", { hasText: "exit code 1" }).nth(1).waitFor()
  })

  it("says why a server could not be started, beside the log", async () => {
    const code = "console.error('Error: DATABASE_URL is not set'); process.exit(3)"
    const told = /ended with exit code 3 and never answered\. The last that .*\n\s*Error: DATABASE_URL is not set/
    for (const [server, words] of [
      [[process.execPath, "-e", code], told],
      [["no-such-command-here"], /"no-such-command-here" was not found on PATH/]
    ] as const) {
      const { page } = await openPage({ binPath: bin, wrapperArgs: ["--", ...server] }, { state: "closed" })
      assert.match(await page.getByRole("alert").innerText(), words)
    }
  })

  it("filters the tools and is used with the keyboard alone", () =>
    onPage(async ({ page, view }) => {
      await page.keyboard.press("/")
      await page.keyboard.type("unit")
      assert.deepStrictEqual(await page.locator(".tool-label").allTextContents(), ["Set units"])
      assert.strictEqual(await page.locator("#tool-count").textContent(), "1 of 8")
      for (let count = 0; count < 4; count += 1) await page.keyboard.press("Backspace")
      await page.keyboard.press("Tab")
      await page.keyboard.press("Enter")
      await page.getByRole("button", { name: "Edit input" }).focus()
      await page.keyboard.press("Enter")
      await page.keyboard.press("ControlOrMeta+a")
      await page.keyboard.type("Lima")
      await page.keyboard.press("Enter")
      await says(view, "Lima, Peru")
    }))

  it.each([
    { colorScheme: "light", width: 1440 },
    { colorScheme: "dark", width: 900 },
    { colorScheme: "light", width: 400 }
  ] as const)("has no problem that axe finds ($colorScheme, $width wide)", (options) =>
    onView(async ({ page }) => {
      await exchanges(page, "tools/call").first().locator("summary").click()
      assert.deepStrictEqual(await accessibilityProblems(page), [])
      const overflow = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth")
      assert.isAtMost(overflow, 0)
    }, options)
  )
})

describe("the page of the preview on the bin", () => {
  it("relays progress to the person for a call of the host, and to the view for its own", async () => {
    const server = fixture("../../../node_modules/@modelcontextprotocol/server-everything/dist/index.js")
    const wrapperArgs = ["--", process.execPath, server]
    const { page, view } = await openPage({ binPath: bin, wrapperArgs })
    await chooseTool(page, "trigger-long-running-operation")
    await fillIn(page, { duration: "1", steps: "4" })
    await callTool(page)
    await page.locator("#call-status", { hasText: /^Calling… \d+%/ }).waitFor()
    await answered(page)
    await view.getByText("completed").first().waitFor()

    await view.getByRole("button", { name: "Run again" }).click()
    const relayed = page.locator(".exchange", { hasText: /host to view\s*notifications\/progress/ })
    await relayed.first().waitFor({ state: "attached" })
    await view.getByRole("button", { name: "Run again" }).waitFor()
  })

  it("tells the model what is selected in a table, by the host and by the wrapper", async () => {
    const { page, view, problems } = await openPage({ binPath: bin })
    assert.strictEqual(await page.locator("[data-tool=_ui_select]").count(), 0)
    await callTool(page, "get_forecast")
    await view.getByRole("tab", { name: "Table" }).click()
    const boxes = view.locator("tbody input[type=checkbox]")
    await boxes.nth(0).check()
    await boxes.nth(1).check()
    await choose(page, "Model")
    await page.locator("#model-context", { hasText: "The user has selected 2" }).waitFor()
    await exchanges(page, "tools/call").nth(2).waitFor({ state: "attached" })
    await callTool(page, "_ui_selection")
    const answer = await page.locator(".canvas pre", { hasText: "The user has selected 2" }).textContent()
    const { structuredContent } = JSON.parse(String(answer)) as {
      structuredContent: { selections: ReadonlyArray<{ toolName: string; items: ReadonlyArray<unknown> }> }
    }
    assert.deepStrictEqual(
      structuredContent.selections.map(({ items, toolName }) => [toolName, items.length]),
      [["get_forecast", 2]]
    )
    assert.deepStrictEqual(problems, [])
  })

  it("opens a dashboard in both eras, whose cards call by themselves what only reads", async () => {
    const { page, view, problems } = await openWrapperPage({
      dashboards: {
        north: {
          cards: [
            { tool: "get_current_weather", arguments: { location: "Oslo" } },
            { tool: "set_units", arguments: { units: "metric" } }
          ]
        }
      }
    })
    for (const era of ["Legacy", "Modern"]) {
      await choose(page, era)
      await page.locator("#status[data-state=connected]").waitFor()
      await callTool(page, "_ui_dashboard_north")
      await view.getByText("Norway").first().waitFor()
      await view.getByText("Nothing is called before you press Run.").waitFor()
    }
    assert.deepStrictEqual(problems, [])
  })

  it("shows the built-in view of every weather tool in both eras", async () => {
    const { page, view, problems } = await openPage({ binPath: bin })
    for (const era of ["Legacy", "Modern"]) {
      await choose(page, era)
      await page.locator("#status[data-state=connected]").waitFor()
      for (const [tool, answer] of [
        ["get_current_weather", "Norway"],
        ["get_forecast", "Light rain"],
        ["set_units", "metric"]
      ] as const) {
        await callTool(page, tool)
        await view.getByText(answer).first().waitFor()
      }
    }
    assert.deepStrictEqual(problems, [])
  })
})
