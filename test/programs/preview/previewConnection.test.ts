import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Scope } from "effect"
import { subscribe, unsubscribe } from "node:diagnostics_channel"
import { writeFileSync } from "node:fs"
import type { IncomingMessage } from "node:http"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { onTestFinished } from "vitest"
import { openPreview } from "../../fixtures/preview/openPreview.ts"
import {
  accessibilityProblems,
  answered,
  button,
  callTool,
  makeFolder,
  openPage,
  openPageAt,
  openWrapperPage,
  startModel
} from "../../fixtures/preview/wrapperPage.ts"
import { bin, fixtureServer } from "../../fixtures/RawClient.ts"
import { pageTitled } from "../../fixtures/wrapperWithModel.ts"

const statusIs = (page: Page, state: string) => page.locator(`#status[data-state=${state}]`).waitFor()

const lost = (page: Page) => page.getByRole("alert")

const call = async (page: Page, tool?: string): Promise<void> => {
  await callTool(page, tool)
  await answered(page)
}

/** Time goes on in the page only as far as the test winds it. */
const holdTime = (page: Page) => page.clock.pauseAt(new Date(Date.now() + 60_000))

/** Ends the process of the stand-in for the wrapper that started last. */
const killWrapper = async (page: Page, starts: number): Promise<void> => {
  const told = page.locator("#log .entry", { hasText: "process " }).nth(starts - 1)
  await told.waitFor({ state: "attached" })
  process.kill(Number(/process (\d+)/.exec(String(await told.textContent()))?.[1]), "SIGKILL")
  await statusIs(page, "closed")
}

/** What of the controls that need the server, or the preview, can be used. */
const usable = async (page: Page) => ({
  call: await button(page, "Call tool").isEnabled(),
  reopen: await button(page, "Reopen").isEnabled(),
  direction: await page.locator("#rtl").isEnabled(),
  versions: await page.locator("#change").isVisible(),
  restart: await button(page, "Restart").isEnabled(),
  era: (await page.locator("#era:enabled").count()) === 1,
  gallery: await page.getByRole("link", { name: "Gallery" }).isVisible()
})

/** The requests of pages for the events of previews, of this process. */
const eventRequests = (): ReadonlyArray<IncomingMessage> => {
  const requests: Array<IncomingMessage> = []
  const listener = (message: unknown): void => {
    const { request } = message as { readonly request: IncomingMessage }
    if (request.url?.endsWith("/events") === true) requests.push(request)
  }
  subscribe("http.server.request.start", listener)
  onTestFinished(() => void unsubscribe("http.server.request.start", listener))
  return requests
}

const nothing = { call: false, reopen: false, direction: false, versions: false }

describe("a connection of the preview that is lost", () => {
  it("because the wrapper has ended comes back by itself, and the view goes on with what was typed", async () => {
    const { page, problems, view } = await openPage()
    await call(page)
    await view.getByRole("status").filter({ hasText: "Oslo" }).waitFor()
    await view.getByLabel("City").fill("Cairo")
    await holdTime(page)
    await killWrapper(page, 1)

    const text = "The server was ended by SIGKILL. This page connects again by itself as soon as it can."
    assert.strictEqual(await lost(page).textContent(), text)
    assert.deepStrictEqual(await usable(page), { ...nothing, restart: true, era: true, gallery: true })
    const refused = await view
      .locator("html")
      .evaluate<unknown, unknown>(`hostRequest("tools/call", { name: "get_current_weather", arguments: {} })`)
    assert.include(JSON.stringify(refused), "The server is not connected.")

    await page.clock.runFor(1_000)
    await statusIs(page, "connected")
    assert.isTrue(await lost(page).isHidden())
    const all = { call: true, reopen: true, direction: true, restart: true, era: true, gallery: true }
    assert.deepStrictEqual(await usable(page), { ...all, versions: false })
    await view.getByRole("button", { name: "Ask" }).click()
    await view.getByRole("status").filter({ hasText: "Cairo, Egypt" }).waitFor()
    await call(page)
    await view.getByRole("status").filter({ hasText: "Oslo, Norway" }).waitFor()

    // One that does not hold is not tried again as soon.
    await killWrapper(page, 2)
    await page.clock.runFor(1_500)
    assert.strictEqual(await page.locator("#status").getAttribute("data-state"), "closed")
    await page.clock.runFor(1_000)
    await statusIs(page, "connected")
    assert.strictEqual(await page.locator("#log .entry", { hasText: "wrapping" }).count(), 3)
    assert.deepStrictEqual(problems, [])
  })

  it("because its socket was closed comes back by itself", async () => {
    const requests = eventRequests()
    const { llm } = await startModel(pageTitled("Written"))
    const { page, view } = await openWrapperPage({ llm })
    await call(page)
    await view.getByRole("heading", { name: "Written" }).waitFor()
    await page.locator("#change").waitFor()
    await holdTime(page)
    requests.at(-1)?.socket.destroy()
    await statusIs(page, "closed")
    assert.match(String(await lost(page).textContent()), /^The preview does not answer: .*connects again by itself/)
    assert.deepStrictEqual(await usable(page), { ...nothing, restart: false, era: false, gallery: false })
    await page.clock.runFor(1_000)
    await statusIs(page, "connected")
    await view.getByRole("heading", { name: "Written" }).waitFor()
    assert.isTrue(await button(page, "Restart").isEnabled())
    await call(page)
  })

  it("because the preview was stopped is told once, and can be tried by hand", async () => {
    const preview = Scope.makeUnsafe()
    const { url } = await Effect.runPromise(openPreview().pipe(Scope.provide(preview)))
    const { page } = await openPageAt(url, { width: 320 })
    await call(page)
    await holdTime(page)
    await Effect.runPromise(Scope.close(preview, Exit.void))
    await statusIs(page, "closed")
    assert.deepStrictEqual(await usable(page), { ...nothing, restart: false, era: false, gallery: false })
    for (let minutes = 0; minutes < 3; minutes += 1) await page.clock.runFor(60_000)
    await button(page, "Try again").click()
    await statusIs(page, "closed")
    assert.strictEqual(await page.locator("#log .entry", { hasText: "does not answer" }).count(), 1)
    await page.clock.resume()
    assert.deepStrictEqual(await accessibilityProblems(page), [])
  })
})

describe("a server that ends behind the wrapper", () => {
  it("is started again by it, and the page stays connected", async () => {
    const tools = join(makeFolder(), "tools.json")
    writeFileSync(tools, JSON.stringify(["crash", "plain"].map((name) => ({ name, inputSchema: { type: "object" } }))))
    const wrapperArgs = ["--llm", "none", "--", process.execPath, fixtureServer("listed.mjs"), tools]
    const { page } = await openPage({ binPath: bin, wrapperArgs })
    await callTool(page, "crash")
    await page.locator("#call-status", { hasText: "Failed" }).waitFor()
    await call(page, "plain")
    assert.strictEqual(await page.locator("#status").getAttribute("data-state"), "connected")
  })
})
