import { assert, describe, it } from "@effect/vitest"
import { withPage } from "./partsPage.ts"
import { structured, view } from "./resultsPage.ts"

const days = Array.from({ length: 6 }, (_, at) => ({
  date: `2025-11-0${at + 1}`,
  high: at === 2 ? null : at - 3,
  visitors: 5000 + at * at * 100
}))

describe("a chart", () => {
  it("is read point by point with a pointer or the arrow keys, gaps included", () =>
    withPage(async (page) => {
      await page.show(`chart.line(${JSON.stringify(days)}, { x: "date", y: ["high"] })`)
      const reader = page.page.getByRole("slider", { name: /point by point/ })
      await reader.focus()
      await page.page.keyboard.press("ArrowRight")
      assert.strictEqual(await reader.getAttribute("aria-valuetext"), "2 Nov: High -2")
      assert.strictEqual(await page.page.locator(".mg-tip").textContent(), "2 NovHigh-2")
      await page.page.keyboard.press("ArrowRight")
      assert.strictEqual(await reader.getAttribute("aria-valuetext"), "3 Nov: High –")
      await page.page.keyboard.press("End")
      assert.strictEqual(await reader.getAttribute("aria-valuenow"), "6")
      await page.page.keyboard.press("Escape")
      assert.isTrue(await page.page.locator(".mg-tip").isHidden())
      const box = await reader.boundingBox()
      if (box === null) throw new Error("the chart has no place")
      await page.page.mouse.move(box.x + box.width - 14, box.y + 40)
      assert.include(await page.page.locator(".mg-tip").textContent(), "6 Nov")
      await page.page.mouse.move(box.x + box.width / 2, box.y + box.height + 200)
      assert.isTrue(await page.page.locator(".mg-tip").isHidden())
    }))

  it("offers the measures that do not fit together one by one", () =>
    withPage(async (page) => {
      await page.show(view(structured({ days })))
      await page.page.getByRole("tab", { name: "Chart" }).click()
      assert.strictEqual(await page.page.getByRole("img", { name: "High by date" }).count(), 1)
      await page.page.getByLabel("Show").selectOption({ label: "Visitors" })
      assert.strictEqual(await page.page.getByRole("img", { name: "Visitors by date" }).count(), 1)
    }))

  it("shows negative numbers on both sides of zero", () =>
    withPage(async (page) => {
      await page.show(`chart.bar([{ t: "A", d: -5 }, { t: "B", d: 3 }])`)
      const zero = Number(await page.page.locator("line.mg-axis").getAttribute("y1"))
      const [below, above] = await page.run<ReadonlyArray<readonly [number, number]>>(
        `[...document.querySelectorAll("rect.mg-mark")].map((bar) => [Number(bar.getAttribute("y")), Number(bar.getAttribute("height"))])`
      )
      assert.approximately(below?.[0] ?? 0, zero, 0.2)
      assert.approximately((above?.[0] ?? 0) + (above?.[1] ?? 0), zero, 0.2)
    }))

  it("draws an object of numbers under the names that the author gives its axes", () =>
    withPage(async (page) => {
      for (const y of [`"value"`, `{ value: "Count" }`, `[{ key: "count" }]`]) {
        await page.show(`chart.bar({ open: 3, done: 5 }, { x: "label", y: ${y} })`)
        assert.strictEqual(await page.page.locator("rect.mg-mark").count(), 2, y)
        assert.include(await page.page.locator("svg").first().textContent(), "open", y)
      }
    }))

  it("runs forward in time, whatever the order of the rows", () =>
    withPage(async (page) => {
      await page.show(`chart.line(${JSON.stringify(days.toReversed())}, { x: "date", y: "visitors" })`)
      const path = (await page.page.locator("path.mg-line").getAttribute("d")) ?? ""
      const xs = [...path.matchAll(/[ML]([\d.]+) /g)].map(([, x]) => Number(x))
      assert.deepEqual(
        xs,
        [...xs].sort((left, right) => left - right)
      )
      assert.lengthOf(xs, 6)
    }))

  it("of 20,000 points draws what the eye can see of them, peaks included", () =>
    withPage(async (page) => {
      await page.show(
        `chart.line(Array.from({ length: 20000 }, (_, at) => ({ at: new Date(1.6e12 + at * 6e4).toISOString(), v: at === 7777 ? 500 : Math.sin(at / 500) })), { x: "at", y: "v" })`
      )
      const path = (await page.page.locator("path.mg-line").getAttribute("d")) ?? ""
      const points = [...path.matchAll(/[ML][\d.]+ ([\d.]+)/g)].map(([, y]) => Number(y))
      assert.isBelow(points.length, 4000)
      assert.isAbove(points.length, 500)
      const [peak, next] = [...points].sort((left, right) => left - right)
      assert.isBelow(peak ?? 0, 60)
      assert.isAbove(next ?? 0, 140)
      assert.isBelow(await page.run<number>("document.querySelectorAll('svg *').length"), 200)
    }))

  it("has round places along an axis of numbers", () =>
    withPage(async (page) => {
      await page.show(
        `chart.scatter(Array.from({ length: 20 }, (_, at) => ({ a: 13 + at * 9.1, b: (at * 37) % 50 })), { x: "a", y: "b" })`
      )
      const ticks = await page.page.locator("text.mg-tick[text-anchor=middle]").allTextContents()
      assert.deepEqual(
        ticks.filter((tick) => Number(tick) % 25 !== 0),
        []
      )
      assert.isAbove(ticks.length, 2)
    }))

  it("of shares tells each part once", () =>
    withPage(async (page) => {
      const shares = [50, 30, 20].map((share, at) => ({ name: `n${at}`, share, rank: at }))
      await page.show(view(structured({ shares })))
      await page.page.getByRole("tab", { name: "Chart" }).click()
      assert.deepEqual(await page.page.locator(".mg-legend li").allTextContents(), ["n050%", "n130%", "n220%"])
    }))

  for (const options of [{ colorScheme: "light" }, { colorScheme: "dark" }, { forcedColors: "active" }] as const)
    it(`of every kind breaks no axe rule, ${JSON.stringify(options)}`, () =>
      withPage(async (page) => {
        await page.show(
          `h("h1", {}, "Charts"), ["line", "area", "bar", "scatter", "pie"].map((type) => chart([{ a: 1, b: 2, c: 3 }, { a: 2, b: 4, c: 1 }, { a: 3, b: 1, c: 2 }], { type, x: "a", y: ["b", "c"] }))`
        )
        await page.page.getByRole("slider").first().focus()
        await page.page.keyboard.press("ArrowRight")
        assert.deepEqual(await page.axe(), [])
      }, options))
})
