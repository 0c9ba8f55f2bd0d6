import { assert, describe, it } from "@effect/vitest"
import { openView, viewDocument } from "../harness/index.ts"
import type { View } from "../harness/index.ts"

const classic = (code: string): string => `const { App } = globalThis.mcpGenUi.extApps
  const app = new App({})
  app.ontoolresult = (result) => { ${code} }
  app.connect()`

const loading = (view: View) => view.frame.getByText("Loading…")

/** Two frames: what changed is measured then. */
const FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"

const result = { content: [{ type: "text", text: "Sunny" }] }

describe("while nothing is on screen", () => {
  it("a generated page says that it loads, until its first content", async () => {
    const html = await viewDocument({
      markup: "<main id=root></main>",
      module: classic("document.querySelector('#root').innerHTML = '<h1>' + result.content[0].text + '</h1>'")
    })
    const view = await openView({ html })
    await loading(view).waitFor()
    assert.strictEqual(await loading(view).getAttribute("role"), "status")
    await view.send("sendToolResult", result)
    await view.frame.getByRole("heading", { name: "Sunny" }).waitFor()
    await loading(view).waitFor({ state: "detached" })
    assert.deepStrictEqual(await view.axe(), [])
    assert.deepStrictEqual(view.consoleErrors, [])
  })

  it("it does so before the host has answered, and says when the call was cancelled", async () => {
    const html = await viewDocument({ module: classic("document.body.textContent = 'x'") })
    const silent = await openView({ html, silent: true, eager: true })
    await loading(silent).waitFor()

    const view = await openView({ html })
    await loading(view).waitFor()
    await view.send("sendToolCancelled", { reason: "no time" })
    await view.frame.getByText("The call was cancelled: no time").waitFor()
  })

  it("a page with content of its own, and one that ends up empty, do not keep it", async () => {
    const filled = await openView({
      html: await viewDocument({ markup: "<main><h1>Mine</h1></main>", module: classic("") })
    })
    assert.strictEqual(await loading(filled).count(), 0)

    const html = await viewDocument({ module: classic("") })
    const empty = await openView({ html, toolResult: result, hasClock: true })
    await loading(empty).waitFor()
    await empty.page.clock.runFor(3_000)
    await empty.frame.getByText("The view made for this failed").waitFor()
    await loading(empty).waitFor({ state: "detached" })
  })

  it("the built-in view shows that it waits before the host has answered", async () => {
    const view = await openView({ html: await viewDocument({}), silent: true, eager: true })
    await loading(view).waitFor({ state: "attached" })
    await view.frame.locator(".mg-progress:not([hidden])").waitFor()
    await view.frame.getByRole("button", { name: "Get weather" }).waitFor()
    await loading(view).waitFor({ state: "detached" })
    assert.strictEqual(await view.frame.locator(".mg-progress:not([hidden])").count(), 0)
  })

  it("a view of parts keeps its form back until the host had time to bring a call", async () => {
    const tool = { inputSchema: { type: "object", properties: { city: { type: "string" } } } }
    const html = await viewDocument({ tool, module: `globalThis.mcpGenUi.parts.show(() => "x")` })
    const view = await openView({ html, silent: true, eager: true })
    await view.frame.locator(".mg-skeleton").waitFor()
    assert.strictEqual(await view.frame.getByRole("button").count(), 0)
    await view.frame.getByText("The result will appear here.").waitFor()
    assert.isAbove(await view.frame.getByRole("button").count(), 0)
    assert.strictEqual(await view.frame.locator(".mg-skeleton").count(), 0)
  })

  it("show without a form has a placeholder before any input", async () => {
    const html = await viewDocument({ module: `globalThis.mcpGenUi.parts.show(() => "x", { form: "none" })` })
    const view = await openView({ html })
    await view.frame.locator(".mg-skeleton").waitFor()
  })
})

describe("the size of the page", () => {
  it("is told once before and once for each change, never twice the same", async () => {
    const html = await viewDocument({
      markup: "<main><h1>Page</h1></main>",
      module: `const { App } = globalThis.mcpGenUi.extApps
        const first = new App({}), second = new App({})
        const box = document.createElement("div")
        document.querySelector("main").append(box)
        globalThis.grow = (height) => { box.style.height = height + "px" }
        for (let height = 0; height < 50; height += 10) {
          grow(height)
          await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
        }
        await Promise.all([first.connect(), second.connect()])`
    })
    const view = await openView({ html })
    const told = async () => (await view.sizes()).map(({ height }) => height ?? 0)
    await view.frame.evaluate(`${FRAMES}.then(() => grow(40.4))`)
    await view.frame.evaluate(
      `${FRAMES}.then(() => { grow(80); document.body.offsetHeight; grow(100); document.body.offsetHeight; grow(90) })`
    )
    await view.page.waitForFunction("testHost.sizes.length > 1")
    await view.frame.evaluate(`${FRAMES}.then(() => grow(300))`)
    await view.page.waitForFunction("testHost.sizes.length > 2")
    const [begin = 0, ...more] = await told()
    assert.deepStrictEqual(more, [begin + 50, begin + 260])
  })

  for (const [name, module] of [
    ["the built-in view", undefined],
    ["a view of parts", "const { show, table } = globalThis.mcpGenUi.parts; show((data) => table(data.days))"]
  ] as const) {
    it(`is told at most twice for a result in ${name}`, async () => {
      const view = await openView({
        html: await viewDocument(module === undefined ? {} : { module }),
        toolInput: {},
        hasClock: true
      })
      await view.page.clock.runFor(1_000)
      await view.settle()
      const before = (await view.sizes()).length
      await view.send("sendToolResult", {
        content: [],
        structuredContent: { days: [1, 2, 3].map((high) => ({ date: `2026-01-0${high}`, high })) }
      })
      await view.frame.getByRole("cell", { name: "3", exact: true }).first().waitFor()
      await view.page.clock.runFor(1_000)
      await view.frame.evaluate(`document.body.style.paddingBottom = "5000px"`)
      await view.page.waitForFunction("testHost.sizes.at(-1).height > 5000")
      const told = (await view.sizes()).slice(before, -1)
      assert.isAtMost(told.length, 2, JSON.stringify(told))
    })
  }
})
