import { assert, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { expect } from "vitest"
import { runtimeExports } from "../../../scripts/runtimeExports.ts"
import { axe, readableRuntimeScript } from "../../browser/harness/index.ts"
import { AREA_TIMEOUT, areas, faultsIn, frameOf, openGallery } from "../../fixtures/preview/gallery.ts"

const draw = openGallery()
const light = draw("", "light")

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
    // A press of a key, as cases above that are still being drawn move the frame.
    await view.locator("tbody input[type=checkbox]").first().press("Space")
    await page.locator("[id=table-select]").getByText("The view told the model what is selected.").waitFor()
  })

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
    await expect.poll(() => inView<number>("innerWidth")).toBe(480)
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
