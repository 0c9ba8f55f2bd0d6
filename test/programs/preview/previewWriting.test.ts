import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { afterAll } from "vitest"
import { closeChromium } from "../../browser/harness/index.ts"
import type { Answer } from "../../fixtures/model-stand-in/ModelStandIn.ts"
import { startModelStandIn } from "../../fixtures/model-stand-in/ModelStandIn.ts"
import { fixture } from "../../fixtures/preview/openPreview.ts"
import { accessibilityProblems, openWrapperPage } from "../../fixtures/preview/wrapperPage.ts"
import { fixtureServer } from "../../fixtures/RawClient.ts"
import { pageTitled } from "../../fixtures/wrapperWithModel.ts"

afterAll(closeChromium)

const PATIENCE_MS = 60_500

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true })

const callTool = async (page: Page, name: string): Promise<void> => {
  await page.locator(`[data-tool="${name}"]`).click()
  await button(page, "Call tool").click()
}

/** The preview with a model that answers so. */
const withModel = Effect.fn(function* (
  answer: Answer | ((index: number) => Answer),
  generation: Readonly<Record<string, unknown>> = {},
  width = 1440
) {
  const standIn = yield* Effect.acquireRelease(
    Effect.promise(() =>
      startModelStandIn({ answer: (_request, index) => (typeof answer === "function" ? answer(index) : answer) })
    ),
    ({ close }) => Effect.promise(close)
  )
  const llm = { provider: "ollama", model: "stand-in", baseUrl: standIn.url }
  const writer = { provider: "ollama", model: "stand-in", patienceMs: PATIENCE_MS }
  const opened = yield* openWrapperPage({ llm, generation: { timeoutMs: 60_000, ...generation } }, { writer }, width)
  return { ...opened, writing: opened.page.locator("#writing") }
})

/** A page that is written in pieces; the tenth waits until it is let go. */
const held = (title = "Written") => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const text = pageTitled(title, `// ${"Words that take some time. ".repeat(40)}`)
  const answer: Answer = { text, chunkSize: 40, pace: (index) => (index < 10 ? Promise.resolve() : promise) }
  return { answer, letGo: resolve }
}

describe("a view that is written, in the preview", () => {
  for (const width of [1440, 320]) {
    it.effect(
      `has beside it who writes, how far and how long still, and the built-in one meanwhile (${width} wide)`,
      () =>
        Effect.gen(function* () {
          const { answer, letGo } = held()
          const { page, problems, view, writing } = yield* withModel(answer, {}, width)
          yield* Effect.promise(async () => {
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
        }).pipe(Effect.scoped)
    )
  }

  it.effect("does not come up when another tool was chosen meanwhile, nor in the way of that one's", () =>
    Effect.gen(function* () {
      const [one, other] = [held("One"), held("Other")]
      const { page, view, writing } = yield* withModel((index) => (index === 0 ? one.answer : other.answer))
      yield* Effect.promise(async () => {
        await callTool(page, "get_forecast")
        await view.getByRole("tab", { name: "Table" }).waitFor()
        await page.locator("[data-tool=set_units]").click()
        await page.locator("#canvas", { hasText: "Call a tool to see its view here." }).waitFor()
        assert.isTrue(await writing.isHidden())
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
    }).pipe(Effect.scoped)
  )

  it.effect("says in one line why there is none, when it could not be written", () =>
    Effect.gen(function* () {
      const { page, view, writing } = yield* withModel({ error: { status: 401, message: "invalid key" } })
      yield* Effect.promise(async () => {
        await callTool(page, "get_forecast")
        await writing.getByText("is a fallback").waitFor()
        const said = "This view is a fallback. Ollama: AUTH (HTTP 401): invalid key."
        assert.strictEqual((await writing.innerText()).trim(), said)
        await view.getByRole("tab", { name: "Table" }).waitFor()
        assert.deepStrictEqual(await accessibilityProblems(page), [])
        await page.locator("[data-tool=_ui_list]").click()
        assert.isTrue(await writing.isHidden())
      })
    }).pipe(Effect.scoped)
  )

  it.effect("says so when its time was up", () =>
    Effect.gen(function* () {
      const { page, writing } = yield* withModel({ text: "<!-- rich -->", fault: "hang" }, { timeoutMs: 1000 })
      yield* Effect.promise(async () => {
        await callTool(page, "get_forecast")
        await writing.getByText("This view is a fallback. No answer within 1 s.").waitFor()
      })
    }).pipe(Effect.scoped)
  )

  it.effect("is told of when the host does not wait for it, until it takes its place", () =>
    Effect.gen(function* () {
      const { answer, letGo } = held()
      const { page, view, writing } = yield* withModel(answer, { delivery: "live" })
      yield* Effect.promise(async () => {
        await callTool(page, "get_forecast")
        await view.getByRole("tab", { name: "Table" }).waitFor()
        await writing.getByText("stand-in (ollama) is writing a view, which takes the place of this one").waitFor()
        letGo()
        await view.getByRole("heading", { name: "Written" }).waitFor()
        await writing.waitFor({ state: "hidden" })
      })
    }).pipe(Effect.scoped)
  )

  it.effect("is no matter where there is no model", () =>
    Effect.gen(function* () {
      const { page, view } = yield* openWrapperPage({ llm: { provider: "none" } })
      yield* Effect.promise(async () => {
        await callTool(page, "get_forecast")
        await view.getByRole("tab", { name: "Table" }).waitFor()
        assert.isTrue(await page.locator("#writing").isHidden())
      })
    }).pipe(Effect.scoped)
  )
})

describe("a tool without a view, in the preview", () => {
  it.effect("says that its answer is waited for", () =>
    Effect.gen(function* () {
      const wrapperArgs = ["--", process.execPath, fixtureServer("talkative.mjs")]
      const { page } = yield* openWrapperPage({}, { binPath: fixture("ui-wrapper.mjs"), wrapperArgs }, 320)
      yield* Effect.promise(async () => {
        await callTool(page, "hang")
        await page.locator("#canvas", { hasText: "Waiting for the answer…" }).waitFor()
        await button(page, "Cancel").waitFor()
        assert.deepStrictEqual(await accessibilityProblems(page), [])
      })
    }).pipe(Effect.scoped)
  )
})
