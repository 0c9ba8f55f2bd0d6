import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Scope } from "effect"
import type { Frame, Page } from "playwright-core"
import { afterAll } from "vitest"
import { runtimeExports } from "../../../scripts/runtimeExports.ts"
import { axe, newFileContext, problemsOf, readableRuntimeScript } from "../../browser/harness/index.ts"
import type { AxeOptions } from "../../browser/harness/index.ts"
import { openPreview } from "../../fixtures/preview/openPreview.ts"

/** An area has up to forty documents, three at a time. */
const AREA_TIMEOUT = 300_000

const areas = ["view", "form", "result", "show", "table", "chart", "record", "text", "layout", "action", "value"]

interface Drawing {
  readonly page: Page
  /** What the browser complains about, of the page and all its frames. */
  readonly problems: ReadonlyArray<string>
  /** Shows the area or case, and waits until all cases of the area are drawn. */
  readonly show: (id: string) => Promise<void>
}

const scope = Scope.makeUnsafe()
const preview = Effect.runPromise(Scope.provide(openPreview(), scope))
afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

/** The gallery with these settings. It is drawn once: its tests go from area to area in one page. */
const draw = (settings: string, colorScheme: "light" | "dark"): (() => Promise<Drawing>) => {
  const open = async (): Promise<Drawing> => {
    const context = await newFileContext({ colorScheme, viewport: { width: 1280, height: 900 } })
    const page = await context.newPage()
    const problems = await problemsOf(page)
    await page.goto((await preview).galleryUrl + settings)
    const show = async (id: string): Promise<void> => {
      await page.evaluate(`location.hash = "${id}"`)
      await page.locator(`#areas a[href="#${id.split("-")[0]}"][aria-current=true]`).waitFor({ state: "attached" })
      await page.locator("#cases[data-state=drawn]").waitFor({ timeout: AREA_TIMEOUT })
    }
    return { page, problems, show }
  }
  let drawing: Promise<Drawing> | undefined
  return () => (drawing ??= open())
}

const light = draw("", "light")
const narrow = draw("?theme=dark&colours=host&width=320&direction=rtl", "dark")

const frameOf = async (page: Page, id: string): Promise<Frame> => {
  const proxy = await (await page.locator(`[id="${id}"] iframe`).elementHandle())?.contentFrame()
  const view = await (await proxy?.waitForSelector("iframe"))?.contentFrame()
  if (view === null || view === undefined) throw new Error(`the case ${id} has no view`)
  return view
}

/** The rules whose answer differs in a narrow dark frame. */
const NARROW_RULES = ["color-contrast", "scrollable-region-focusable"]

/** What is not as it should be in the cases of the area that is shown. */
const faultsIn = async (page: Page, options: AxeOptions = {}): Promise<ReadonlyArray<string>> => {
  const cases = await page
    .locator(".case")
    .evaluateAll((all) => all.map(({ dataset, id }) => [id, dataset["state"]] as const))
  assert.isAbove(cases.length, 0)
  const faultsInCase = async (id: string, state: string | undefined): Promise<ReadonlyArray<string>> => {
    const faults: Array<string> = []
    if (state !== "drawn") faults.push(`${id}: ${state}`)
    const frame = await frameOf(page, id)
    const [text, over] = await frame.evaluate<readonly [string, number]>(
      "[document.body.innerText.trim(), document.documentElement.scrollWidth - innerWidth]"
    )
    if (text === "") faults.push(`${id}: nothing is drawn`)
    const isBroken = text.includes("This view could not show the result") || text.includes("The generated view failed")
    if (isBroken && id !== "show-throws") faults.push(`${id}: ${text.slice(0, 200)}`)
    if (over > 0) faults.push(`${id}: ${over} pixels wider than its frame`)
    for (const violation of await axe(frame, options)) faults.push(`${id}: ${violation}`)
    return faults
  }
  return (await Promise.all(cases.map(([id, state]) => faultsInCase(id, state)))).flat()
}

/** Problems of the page around the views. */
const aroundViews = (page: Page) => axe(page, { context: `{ exclude: [".view-frame"] }` })

describe("the gallery", { timeout: AREA_TIMEOUT }, () => {
  it("has a case for every part, and an address of its own for each case", async () => {
    const { page, show } = await light()
    await show("value")
    const links = await page
      .locator("#areas a")
      .evaluateAll((all) =>
        all.map((link) => ({ id: String(link.getAttribute("href")).slice(1), part: link.dataset["part"] }))
      )
    const ids = links.map(({ id }) => id)
    assert.strictEqual(new Set(ids).size, ids.length)
    assert.deepStrictEqual(
      ids.filter((id) => !id.includes("-")),
      areas
    )
    for (const id of ids) assert.include(areas, id.split("-")[0])

    const shown = new Set(links.map(({ part }) => part))
    const { partNames: exported } = runtimeExports(await readableRuntimeScript())
    assert.isAbove(exported.size, 20)
    assert.deepStrictEqual(
      [...exported].filter((name) => name !== "installStyles" && !shown.has(name)),
      []
    )
  })

  it.each(areas)("draws the area %s without an error, and axe finds nothing", async (area) => {
    const { page, problems, show } = await light()
    await show(area)
    assert.deepStrictEqual(await faultsIn(page), [])
    assert.deepStrictEqual(problems, [])
  })

  it("says what a view asks of its host", async () => {
    const { page, show } = await light()
    await show("table-select")
    const view = await frameOf(page, "table-select")
    await view.locator("tbody input[type=checkbox]").first().check()
    await page.locator("[id=table-select]").getByText("The view told the model what is selected.").waitFor()
  })

  it.each(areas)(
    "draws the area %s in narrow dark frames from right to left, with the host's colours",
    async (area) => {
      const { page, problems, show } = await narrow()
      await show(area)
      assert.deepStrictEqual(await faultsIn(page, { rules: NARROW_RULES }), [])
      assert.deepStrictEqual(problems, [])
    }
  )

  it("leads to a case by its address, and keeps what is set on the bar in it", async () => {
    const { page, problems, show } = await draw("?theme=light&colours=host#value-meters", "light")()
    await show("value-meters")
    const heading = page.getByRole("heading", { name: "Meters" })
    await heading.waitFor()
    assert.isAtMost((await heading.boundingBox())?.y ?? Infinity, 900)
    assert.strictEqual(await page.locator("#areas a[aria-current=true]").textContent(), "Values")

    const drawn = () => page.locator("#cases[data-state=drawn]").waitFor()
    const inView = async <A>(expression: string): Promise<A> =>
      (await frameOf(page, "value-meters")).evaluate(expression)
    const theme = () => inView<string>("document.documentElement.dataset.theme")
    assert.strictEqual(await theme(), "light")
    await page.getByRole("radio", { name: "Dark" }).check()
    await drawn()
    assert.strictEqual(await theme(), "dark")
    await page.getByRole("radio", { name: "480" }).check()
    assert.strictEqual(await inView<number>("innerWidth"), 480)
    await page.getByRole("radio", { name: "200%" }).check()
    await drawn()
    assert.strictEqual(await inView<number>("innerWidth"), 240)
    await page.getByRole("radio", { name: "RTL" }).check()
    await drawn()
    assert.strictEqual(await inView<string>("document.documentElement.dir"), "rtl")
    const { hash, searchParams } = new URL(page.url())
    assert.strictEqual(hash, "#value-meters")
    assert.deepStrictEqual(Object.fromEntries(searchParams), {
      theme: "dark",
      colours: "host",
      width: "480",
      direction: "rtl",
      zoom: "200"
    })
    assert.deepStrictEqual(await aroundViews(page), [])
    await page.setViewportSize({ width: 320, height: 700 })
    assert.deepStrictEqual(await aroundViews(page), [])
    await page.setViewportSize({ width: 1280, height: 900 })

    await page.getByRole("link", { name: "Layout", exact: true }).click()
    await page.getByRole("heading", { name: "Error box", exact: true }).waitFor()
    assert.strictEqual(await page.locator("#value-meters").count(), 0)
    assert.deepStrictEqual(problems, [])
  })
})
