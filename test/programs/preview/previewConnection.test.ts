import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Scope } from "effect"
import { subscribe, unsubscribe } from "node:diagnostics_channel"
import { writeFileSync } from "node:fs"
import type { IncomingMessage } from "node:http"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { afterAll } from "vitest"
import { closeChromium } from "../../browser/harness/index.ts"
import { startModelStandIn } from "../../fixtures/model-stand-in/ModelStandIn.ts"
import { openPreview } from "../../fixtures/preview/openPreview.ts"
import { accessibilityProblems, folder, openPageAt, openWrapperPage } from "../../fixtures/preview/wrapperPage.ts"
import { bin, fixtureServer } from "../../fixtures/RawClient.ts"
import { pageTitled } from "../../fixtures/wrapperWithModel.ts"

afterAll(closeChromium)

const statusIs = (page: Page, state: string) => page.locator(`#status[data-state=${state}]`).waitFor()

const lost = (page: Page) => page.getByRole("alert")

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true })

const callTool = async (page: Page): Promise<void> => {
  await button(page, "Call tool").click()
  await page.locator("#call-status", { hasText: "Answered" }).waitFor()
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
  direction: await page.getByLabel("Right to left").isEnabled(),
  versions: await page.locator("#versions").isVisible(),
  restart: await button(page, "Restart").isEnabled(),
  era: await page.getByRole("radio", { name: "Modern" }).isEnabled(),
  gallery: await page.getByRole("link", { name: "Gallery" }).isVisible()
})

/** The connections of pages to previews of this process. */
const eventStreams = Effect.acquireRelease(
  Effect.sync(() => {
    const requests: Array<IncomingMessage> = []
    const listener = (message: unknown): void => {
      const { request } = message as { readonly request: IncomingMessage }
      if (request.url?.endsWith("/events") === true) requests.push(request)
    }
    subscribe("http.server.request.start", listener)
    return { requests, listener }
  }),
  ({ listener }) => Effect.sync(() => unsubscribe("http.server.request.start", listener))
)

const nothing = { call: false, reopen: false, direction: false, versions: false }

describe("a connection of the preview that is lost", () => {
  it.effect("because the wrapper has ended comes back by itself, and the view goes on with what was typed", () =>
    Effect.gen(function* () {
      const { url } = yield* openPreview()
      const { page, problems, view } = yield* openPageAt(url)
      yield* Effect.promise(async () => {
        await callTool(page)
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
        await callTool(page)
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
    }).pipe(Effect.scoped)
  )

  it.effect("because its socket was closed comes back by itself", () =>
    Effect.gen(function* () {
      const { requests } = yield* eventStreams
      const standIn = yield* Effect.acquireRelease(
        Effect.promise(() => startModelStandIn({ answer: pageTitled("Written") })),
        ({ close }) => Effect.promise(close)
      )
      const { page, view } = yield* openWrapperPage({
        llm: { provider: "ollama", model: "stand-in", baseUrl: standIn.url }
      })
      yield* Effect.promise(async () => {
        await callTool(page)
        await view.getByRole("heading", { name: "Written" }).waitFor()
        await page.locator("#versions").waitFor()
        await holdTime(page)
        requests.at(-1)?.socket.destroy()
        await statusIs(page, "closed")
        assert.match(String(await lost(page).textContent()), /^The preview does not answer: .*connects again by itself/)
        assert.deepStrictEqual(await usable(page), { ...nothing, restart: false, era: false, gallery: false })
        await page.clock.runFor(1_000)
        await statusIs(page, "connected")
        await view.getByRole("heading", { name: "Written" }).waitFor()
        assert.isTrue(await button(page, "Restart").isEnabled())
        await callTool(page)
      })
    }).pipe(Effect.scoped)
  )

  it.effect("because the preview was stopped is told once, and can be tried by hand", () =>
    Effect.gen(function* () {
      const preview = yield* Scope.make()
      const { url } = yield* openPreview().pipe(Scope.provide(preview))
      const { page } = yield* openPageAt(url, 320)
      yield* Effect.promise(async () => {
        await callTool(page)
        await holdTime(page)
      })
      yield* Scope.close(preview, Exit.void)
      yield* Effect.promise(async () => {
        await statusIs(page, "closed")
        assert.deepStrictEqual(await usable(page), { ...nothing, restart: false, era: false, gallery: false })
        for (let minutes = 0; minutes < 3; minutes += 1) await page.clock.runFor(60_000)
        await button(page, "Try again").click()
        await statusIs(page, "closed")
        assert.strictEqual(await page.locator("#log .entry", { hasText: "does not answer" }).count(), 1)
        await page.clock.resume()
        assert.deepStrictEqual(await accessibilityProblems(page), [])
      })
    }).pipe(Effect.scoped)
  )
})

describe("a server that ends behind the wrapper", () => {
  it.effect("is started again by it, and the page stays connected", () =>
    Effect.gen(function* () {
      const tools = join(yield* folder, "tools.json")
      writeFileSync(
        tools,
        JSON.stringify(["crash", "plain"].map((name) => ({ name, inputSchema: { type: "object" } })))
      )
      const wrapperArgs = ["--llm", "none", "--", process.execPath, fixtureServer("listed.mjs"), tools]
      const { url } = yield* openPreview({ binPath: bin, wrapperArgs })
      const { page } = yield* openPageAt(url)
      yield* Effect.promise(async () => {
        await page.locator("[data-tool=crash]").click()
        await button(page, "Call tool").click()
        await page.locator("#call-status", { hasText: "Failed" }).waitFor()
        await page.locator("[data-tool=plain]").click()
        await callTool(page)
        assert.strictEqual(await page.locator("#status").getAttribute("data-state"), "connected")
      })
    }).pipe(Effect.scoped)
  )
})
