import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { FrameLocator, Page } from "playwright-core"
import { onTestFinished } from "vitest"
import { openEvents, openPreview, send } from "../../fixtures/preview/openPreview.ts"
import {
  accessibilityProblems,
  answered,
  callTool,
  chooseTool,
  fillIn,
  inTest,
  makeFolder,
  openPage,
  openWrapperPage,
  startModel
} from "../../fixtures/preview/wrapperPage.ts"

/** A page that says which one it is, and has a field to type into. */
const uiNamed = (name: string): string => `<!-- rich -->
<main><h1>${name}</h1><label>Note <input name="note"></label><output></output></main>
<script type="module">
import { App } from "@modelcontextprotocol/ext-apps"
const app = new App({ name: "page", version: "1.0.0" })
app.ontoolresult = (result) => { document.querySelector("output").textContent = result.content[0].text }
await app.connect()
</script>
`

/** Writes "first" for a tool as it is, and for refinements the colour of the latest one. */
const startPainter = () =>
  startModel(({ prompt }) => ({
    text: uiNamed(["blue", "green"].find((color) => prompt.includes(`make it ${color}`)) ?? "first")
  }))

const heading = (view: FrameLocator, name: string): Promise<void> =>
  view.getByRole("heading", { name, exact: true }).waitFor()

const refine = async (page: Page, refinement: string): Promise<void> => {
  await chooseTool(page, "_ui_refine")
  await fillIn(page, { "Tool name": "get_forecast", Feedback: refinement })
  await callTool(page)
  await answered(page)
}

/** The versions are looked at from the beginning. */
const looking = { at: "pane=all&behind=versions&tool=get_forecast" }

const titles = (page: Page): Promise<ReadonlyArray<string>> => page.locator(".version-title").allTextContents()

describe("versions in the preview", () => {
  it("lists them, shows two with the same result, and goes back in the frame that is open", async () => {
    const { llm, standIn } = await startPainter()
    const { page, problems, view } = await openWrapperPage({ llm }, {}, looking)
    await callTool(page, "get_forecast")
    await heading(view, "first")
    await refine(page, "make it green")
    await refine(page, "make it blue")
    await callTool(page, "get_forecast")
    await heading(view, "blue")
    await page.locator(".version").nth(2).waitFor()
    assert.deepStrictEqual(await titles(page), ["make it blue", "make it green", "Written for the tool as it is"])
    assert.match(String(await page.locator(".version .quiet").first().textContent()), /· stand-in · from 2$/)
    assert.strictEqual(await page.locator(".version[aria-current=true] .version-number").textContent(), "3")
    await view.getByLabel("Note").fill("typed")

    await page.getByRole("button", { name: "Compare: version 1" }).click()
    const side = (name: string) => {
      const section = page.getByRole("region", { name: `The ${name} one` })
      return { section, frame: section.frameLocator(".view-frame").frameLocator("iframe") }
    }
    await heading(side("left").frame, "first")
    await heading(side("right").frame, "blue")
    const results = await Promise.all(
      ["left", "right"].map((name) => side(name).frame.locator("output", { hasText: "Oslo" }).textContent())
    )
    assert.strictEqual(results[0], results[1])
    await page.setViewportSize({ width: 1440, height: 200 })
    assert.deepStrictEqual(await accessibilityProblems(page), [])
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.getByLabel("Version on the left").selectOption("2")
    await heading(side("left").frame, "green")
    assert.isFalse(await side("right").section.getByRole("button", { name: "Go back" }).isVisible())
    await side("left").section.getByRole("button", { name: "Go back to this one" }).click()

    await heading(view, "green")
    assert.strictEqual(await view.getByLabel("Note").inputValue(), "typed")
    await page.locator(".version[aria-current=true]", { hasText: "make it green" }).waitFor()
    assert.deepStrictEqual(await accessibilityProblems(page), [])
    assert.lengthOf(standIn.requests, 3)
    assert.deepStrictEqual(problems, [])
  })

  it("shows variants beside each other; the person looks at one in the page, and uses another", async () => {
    const { llm } = await startModel(({ prompt }) => ({
      text: uiNamed(["dense", "visual"].find((kind) => prompt.includes(`Write the ${kind} one`)) ?? "first")
    }))
    const { page, problems, view } = await openWrapperPage({ llm }, {}, looking)
    await callTool(page, "get_forecast")
    await heading(view, "first")
    await chooseTool(page, "_ui_regenerate")
    await fillIn(page, { "Tool name": "get_forecast", Variants: "3" })
    await callTool(page)
    await answered(page)
    await callTool(page, "get_forecast")
    await page.locator(".version").nth(3).waitFor()
    const variant = "Variant, to choose among"
    assert.deepStrictEqual(await titles(page), [variant, variant, variant, "Written for the tool as it is"])
    await view.getByRole("button", { name: "Variant 2" }).click()
    await heading(view, "dense")
    await page.getByRole("button", { name: "Compare: version 4" }).click()
    const left = page.getByRole("region", { name: "The left one" })
    await heading(left.frameLocator(".view-frame").frameLocator("iframe"), "visual")
    await left.getByRole("button", { name: "Use this one" }).click()
    await heading(view, "visual")
    await view.getByRole("button", { name: "Variant 2" }).waitFor({ state: "detached" })
    assert.deepStrictEqual(problems, [])
  })

  it("shows a UI made by hand anew when its file changes, with what was typed", async () => {
    const directory = join(makeFolder(), "ui")
    mkdirSync(directory)
    const file = join(directory, "get_forecast.html")
    writeFileSync(file, uiNamed("one"))
    const config = { llm: { provider: "none" }, generation: { uiDirectory: directory } }
    const { page, problems, view } = await openWrapperPage(config, { uiDirectory: directory })
    await callTool(page, "get_forecast")
    await heading(view, "one")
    await view.getByLabel("Note").fill("typed")
    writeFileSync(join(directory, "set_units.html"), uiNamed("another tool's"))
    writeFileSync(file, uiNamed("two"))
    await heading(view, "two")
    assert.strictEqual(await view.getByLabel("Note").inputValue(), "typed")
    await view.locator("output", { hasText: "Oslo" }).waitFor()
    // Told at once, and only of its own file; by itself a view would ask after seconds, later after a minute.
    const told = page.locator('.exchange[data-link="view"]', { hasText: "resources/list_changed" })
    assert.strictEqual(await told.count(), 1)
    assert.strictEqual(await page.locator("#versions-list .version").count(), 0)
    assert.deepStrictEqual(problems, [])
  })

  it("has a view ask for newer versions where there can be any, and nowhere else", async () => {
    const directory = makeFolder()
    const { llm } = await startPainter()
    // With recall a page asks for what was lost.
    const none = { llm: { provider: "none" }, recall: "off" }
    const questions = async (config: Readonly<Record<string, unknown>>): Promise<number> => {
      const { page, view } = await openWrapperPage(config)
      let count = 0
      page.on("request", (request) => {
        if (request.postData()?.includes("_ui_current") === true) count += 1
      })
      await callTool(page, "get_forecast")
      await page.locator("#reopen:enabled").waitFor()
      await view.getByRole("heading").first().waitFor()
      for (let minutes = 0; minutes < 3; minutes += 1) await page.clock.runFor(60_000)
      return count
    }
    const asks = {
      model: (await questions({ llm })) > 0,
      handMade: (await questions({ ...none, generation: { uiDirectory: directory } })) > 0,
      kept: (await questions({ ...none, cache: { type: "filesystem", directory } })) > 0,
      nothing: (await questions(none)) > 0
    }
    assert.deepStrictEqual(asks, { model: true, handMade: true, kept: true, nothing: false })
  })

  it("opens a view anew that does not look for a newer version by itself", async () => {
    const directory = makeFolder()
    const { page, view } = await openPage({ uiDirectory: directory })
    await callTool(page)
    const reads = page.locator(".exchange", { hasText: "resources/read" })
    await view.getByRole("status").waitFor()
    assert.strictEqual(await reads.count(), 1)
    writeFileSync(join(directory, "get_current_weather.html"), "changed")
    await reads.nth(1).waitFor()
  })
})

describe("the preview's own part in it", () => {
  const post = (url: string, origin: string, body: string) =>
    Effect.runPromise(send(`${url}document`, { method: "POST", headers: { origin }, body }))

  /** The preview of a folder, and the events that it tells its page. */
  const listen = async (uiDirectory: string) => {
    const { url } = await inTest(openPreview({ uiDirectory }))
    const events = openEvents(url)
    onTestFinished(events.close)
    return { url, next: (name: string) => Effect.runPromise(events.next(name)) }
  }

  it("links a source as the wrapper would, for its own page only", async () => {
    const { hostOrigin, url } = await inTest(openPreview())
    const tool = { name: "get_forecast", inputSchema: { type: "object" } }
    const whole = JSON.stringify({ tool, source: uiNamed("linked"), uiType: "rich" })
    const answer = await post(url, hostOrigin, whole)
    assert.strictEqual(answer.status, 200)
    const { html }: { html: string } = JSON.parse(answer.body)
    assert.match(html, /^<!doctype html>/)
    assert.include(html, "<h1>linked</h1>")
    assert.notInclude(html, "wrapperTools")
    const plain = await post(url, hostOrigin, JSON.stringify({ tool, source: null, uiType: "minimal" }))
    assert.include(JSON.parse(plain.body).html, '"view":"builtin"')

    assert.strictEqual((await post(url, "https://evil.example", whole)).status, 403)
    for (const wrong of ["", "{}", JSON.stringify({ tool: {}, source: "", uiType: "rich" })]) {
      assert.strictEqual((await post(url, hostOrigin, wrong)).status, 400)
    }
    assert.strictEqual((await Effect.runPromise(send(`${url}document`))).status, 404)
  })

  it("says which file of the folder has changed, also one that is replaced or removed", async () => {
    const directory = makeFolder()
    const { next } = await listen(directory)
    await next("link")
    const file = join(directory, "%2Fodd.html")
    writeFileSync(file, "one")
    assert.strictEqual(await next("ui-file"), "%2Fodd.html")
    rmSync(file)
    assert.strictEqual(await next("ui-file"), "%2Fodd.html")
  })

  it("says that a folder is not there, and works all the same", async () => {
    const directory = join(makeFolder(), "missing")
    const { next, url } = await listen(directory)
    const said = String(await next("log"))
    assert.include(said, `${directory}, is not watched: it does not exist`)
    assert.strictEqual((await Effect.runPromise(send(url))).status, 200)
  })
})
