import { assert, describe, it } from "@effect/vitest"
import type { Answer } from "../../fixtures/model-stand-in/ModelStandIn.ts"
import {
  accessibilityProblems,
  button,
  callTool,
  chooseTool,
  fillIn,
  openPage,
  openWrapperPage,
  startModel
} from "../../fixtures/preview/wrapperPage.ts"
import { fixtureServer } from "../../fixtures/RawClient.ts"
import { pageTitled } from "../../fixtures/wrapperWithModel.ts"

const PATIENCE_MS = 60_500

/** The preview with a model that answers so. */
const withModel = async (
  answer: Answer | ((index: number) => Answer),
  generation: Readonly<Record<string, unknown>> = {},
  width = 1440
) => {
  const { llm } = await startModel((_request, index) => (typeof answer === "function" ? answer(index) : answer))
  const writer = { provider: "ollama", model: "stand-in", patienceMs: PATIENCE_MS }
  const config = { llm, generation: { timeoutMs: 60_000, ...generation } }
  const opened = await openWrapperPage(config, { writer }, { width, at: "pane=all&tool=get_forecast" })
  return { ...opened, writing: opened.page.locator("#writing") }
}

/** A page that is written in pieces; the tenth waits until it is let go. */
const held = (title = "Written") => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const text = pageTitled(title, `// ${"Words that take some time. ".repeat(40)}`)
  const answer: Answer = { text, chunkSize: 40, pace: (index) => (index < 10 ? Promise.resolve() : promise) }
  return { answer, letGo: resolve }
}

describe("a view that is written, in the preview", () => {
  for (const width of [1440, 320]) {
    it(`has beside it who writes, how far and how long still, and the built-in one meanwhile (${width} wide)`, async () => {
      const { answer, letGo } = held()
      const { page, problems, view, writing } = await withModel(answer, {}, width)
      await callTool(page, "get_forecast")
      await writing.getByText("stand-in (ollama) is writing this view").waitFor()
      await writing.getByText("Writing the UI of get_forecast: 400 characters").waitFor()
      const left = async () => Number(/At most (\d+) s more/.exec(await writing.innerText())?.[1])
      const before = await left()
      assert.isAtMost(before, 61)
      await page.clock.runFor(20_000)
      assert.isAtMost(await left(), before - 19)
      assert.isAbove(Number(await writing.getByRole("progressbar").getAttribute("value")), 0.3)

      await page.locator("#canvas").scrollIntoViewIfNeeded()
      await view.getByRole("button", { name: "Run again" }).waitFor()
      await view.getByRole("tab", { name: "Table" }).waitFor()
      assert.isTrue(await button(page, "Reopen").isDisabled())
      assert.deepStrictEqual(await accessibilityProblems(page), [])

      await page.clock.runFor(60_000)
      assert.include(await writing.innerText(), "Any moment now")
      letGo()
      await view.getByRole("heading", { name: "Written" }).waitFor()
      assert.isTrue(await writing.isHidden())
      assert.isTrue(await button(page, "Reopen").isEnabled())
      assert.strictEqual(await page.locator(".view-frame").count(), 1)
      assert.deepStrictEqual(problems, [])
    })
  }

  it("does not come up when another tool was chosen meanwhile, nor in the way of that one's", async () => {
    const [one, other] = [held("One"), held("Other")]
    const { page, view, writing } = await withModel((index) => (index === 0 ? one.answer : other.answer))
    await callTool(page, "get_forecast")
    await view.getByRole("tab", { name: "Table" }).waitFor()
    await chooseTool(page, "set_units")
    await fillIn(page, {})
    await page.locator("#arguments").getByRole("radio", { name: "metric" }).check()
    await button(page, "Call tool").click()
    await writing.getByText("Writing the UI of set_units").waitFor()
    await view.getByRole("heading", { name: "Set units" }).waitFor()
    one.letGo()
    await page.locator(".exchange", { hasText: "resources/read" }).first().getByText(/ ms$/).waitFor()
    await page.clock.runFor(1_000)
    assert.isTrue(await view.getByRole("heading", { name: "Set units" }).isVisible())
    assert.isTrue(await writing.isVisible())
    other.letGo()
    await view.getByRole("heading", { name: "Other" }).waitFor()
    assert.strictEqual(await page.locator(".view-frame").count(), 1)
  })

  it("says in one line why there is none, when it could not be written", async () => {
    const { page, view, writing } = await withModel({ error: { status: 401, message: "invalid key" } })
    await callTool(page, "get_forecast")
    await writing.getByText("is a fallback").waitFor()
    const said = "This view is a fallback. Ollama: AUTH (HTTP 401): invalid key; mend OLLAMA_API_KEY."
    assert.strictEqual((await writing.innerText()).trim(), said)
    await view.getByRole("tab", { name: "Table" }).waitFor()
    assert.deepStrictEqual(await accessibilityProblems(page), [])
    await chooseTool(page, "_ui_list")
    await writing.waitFor({ state: "hidden" })
  })

  it("says so when its time was up", async () => {
    const { page, writing } = await withModel({ text: "<!-- rich -->", fault: "hang" }, { timeoutMs: 1000 })
    await callTool(page, "get_forecast")
    await writing.getByText("This view is a fallback. No answer within 1 s.").waitFor()
  })

  it("is told of when the host does not wait for it, until it takes its place", async () => {
    const { answer, letGo } = held()
    const { page, view, writing } = await withModel(answer, { delivery: "live" })
    await callTool(page, "get_forecast")
    await view.getByRole("tab", { name: "Table" }).waitFor()
    await writing.getByText("stand-in (ollama) is writing a view, which takes the place of this one").waitFor()
    letGo()
    await view.getByRole("heading", { name: "Written" }).waitFor()
    await writing.waitFor({ state: "hidden" })
  })

  it("is no matter where there is no model", async () => {
    const { page, view } = await openWrapperPage({ llm: { provider: "none" } })
    await callTool(page, "get_forecast")
    await view.getByRole("tab", { name: "Table" }).waitFor()
    assert.isTrue(await page.locator("#writing").isHidden())
  })
})

describe("a tool without a view, in the preview", () => {
  it("says that its answer is waited for", async () => {
    const wrapperArgs = ["--", process.execPath, fixtureServer("talkative.mjs")]
    const { page } = await openPage({ wrapperArgs }, { width: 320 })
    await callTool(page, "hang")
    await page.locator("#canvas", { hasText: "Waiting for the answer…" }).waitFor()
    await button(page, "Cancel").waitFor()
    assert.deepStrictEqual(await accessibilityProblems(page), [])
  })
})
