import { assert, describe, it } from "@effect/vitest"
import { withPage } from "./partsPage.ts"
import { structured, view } from "./resultsPage.ts"

const occurrences = (text: string, part: string): number => text.split(part).length - 1

describe("an answer that found nothing", () => {
  it("says so first when its count is none, whatever else it tells", () =>
    withPage(async (page) => {
      const found = { query: "zzz", results: [], totalCount: 0, mode: "OR" }
      await page.show(view(structured(found), { args: { query: "zzz" } }))
      await page.page.getByText("No results.").waitFor()
      const said = (await page.page.locator("main").textContent()) ?? ""
      assert.include(said, "OR")
      assert.notInclude(said, "Empty:")
      // What was asked is in the answer: once is enough.
      assert.isAtMost(occurrences(said.replaceAll(/\{[^]*\}/g, ""), "zzz"), 1)
    }))

  it("does not say so of a list that is merely blank beside other figures", () =>
    withPage(async (page) => {
      await page.show(view(structured({ name: "release", downloads: 0, branches: [] })))
      assert.strictEqual(await page.page.locator(".mg-nothing").count(), 0)
      // What is blank is told by the raw JSON.
      await page.page.getByText("Raw JSON").click()
      await page.page.getByText('"branches": []').waitFor()
    }))
})

describe("the axis of a chart", () => {
  const ticks = (rows: string): string => `chart.line(${rows}, { x: "at", y: "high" })`

  it("names the days of two neighbouring days, and the clock where there is one", () =>
    withPage(async (page) => {
      await page.show(ticks(`[{ at: "2026-05-04", high: 3 }, { at: "2026-05-05", high: 4 }]`))
      const days = (await page.page.locator("svg").first().textContent()) ?? ""
      assert.include(days, "May")
      assert.notInclude(days, "00:00")
      assert.notInclude(days, "12:00")
      await page.show(ticks(`[{ at: "2026-05-04T09:15", high: 3 }, { at: "2026-05-04T17:30", high: 4 }]`))
      assert.include((await page.page.locator("svg").first().textContent()) ?? "", ":30")
    }))
})
