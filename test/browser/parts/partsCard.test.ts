import { assert, describe, it } from "@effect/vitest"
import { withPage } from "./partsPage.ts"

const clamped = `h("p line-clamp-2", { style: "display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden" }, "word ".repeat(300))`

describe("card", () => {
  it("sets a finding the larger the shorter it is, and a figure larger than a name", () =>
    withPage(async ({ run, show }) => {
      const titles = [
        "364 days",
        "$12.50",
        "U+6F22",
        "汤：21 份菜谱",
        "shop.db",
        "You are not registered",
        "You are not registered yet, it seems"
      ]
      await show(JSON.stringify(titles).replaceAll(/"[^"]+"/g, (title) => `card({ title: ${title} })`))
      assert.deepEqual(
        await run(`[...document.querySelectorAll("h1")].map((title) => getComputedStyle(title).fontSize)`),
        ["32px", "32px", "32px", "32px", "27px", "23px", "20px"]
      )
    }))

  it("sets buttons below a long finding where both have no room beside each other", () =>
    withPage(async ({ page, show }) => {
      const buttons = `["Render the chart", "Copy the text", "JSON"].map((name) => button(name, () => {}))`
      await show(
        `[card({ icon: "x", title: "The highest month is April and the lowest is March", actions: ${buttons} }), card({ icon: "x", title: "364 days", actions: ${buttons} })]`
      )
      const boxes = await Promise.all(
        (await page.locator("h1,.mg-sheet-actions").all()).map((one) => one.boundingBox())
      )
      const [long, below, short, beside] = boxes.map((box) => box ?? { y: 0, height: 0 })
      assert.isBelow(long?.height ?? 99, 40)
      assert.isAtLeast(below?.y ?? 0, (long?.y ?? 0) + (long?.height ?? 0))
      assert.isBelow(beside?.y ?? 99, (short?.y ?? 0) + (short?.height ?? 0))
    }))

  it("tells a text that a class cuts to the mouse, and all of it after a press", () =>
    withPage(async ({ page, run, show }) => {
      await show(`card({ title: "Found" }, h("div", {}, ${clamped}))`)
      const height = `document.querySelector("p").offsetHeight`
      const before = await run<number>(height)
      await page.locator("p").hover()
      assert.include(await page.locator("p").getAttribute("title"), "word word")
      await page.locator("p").click()
      assert.isAbove(await run<number>(height), before * 2)
      await page.locator("p").click()
      assert.strictEqual(await run<number>(height), before)
    }))

  it("leaves a cut text alone that stands whole, or in what has a press of its own", () =>
    withPage(async ({ page, run, show }) => {
      await show(
        `card({}, h("p truncate", "short"), h("button", { type: "button", onclick: () => (globalThis.pressed = true) }, ${clamped}))`
      )
      await page.locator(".truncate").click()
      await page.locator("button").click()
      assert.isTrue(await run("globalThis.pressed"))
      assert.strictEqual(await page.locator(".mg-uncut").count(), 0)
    }))

  it("draws no rule of Markdown at an edge, and nothing where there is no more than a rule", () =>
    withPage(async ({ page, show }) => {
      await show(`card({ title: "Found" }, markdown("---"), markdown("---\\n\\nOne\\n\\n---\\n\\nTwo\\n\\n---"))`)
      assert.strictEqual(await page.locator(".mg-md:visible").count(), 1)
      assert.strictEqual(await page.locator("hr:visible").count(), 1)
    }))

  it("sets the button of a form beside its only field, and below several", () =>
    withPage(async ({ page, run, show }) => {
      const tops = `[...document.querySelectorAll("input,.mg-button")].map((one) => Math.round(one.getBoundingClientRect().bottom))`
      const fields = (count: number): Promise<void> =>
        show(`card({}, form(["a", "b", "c"].slice(0, ${count}), () => {}))`)
      await fields(1)
      const [field = 0, button = 9] = await run<ReadonlyArray<number>>(tops)
      assert.isAtMost(Math.abs(field - button), 2)
      assert.isAbove((await page.locator("input").boundingBox())?.width ?? 0, 400)
      await fields(3)
      const several = await run<ReadonlyArray<number>>(tops)
      assert.isAbove(several.at(-1) ?? 0, (several[0] ?? 0) + 20)
    }))

  it("draws its hairlines from edge to edge, whatever margins a child has", () =>
    withPage(async ({ run, show }) => {
      await show(`card({ title: "Found" }, h("div mx-1", { style: "margin:0 4px" }, "Words"))`)
      const [header = 0, child = 1] = await run<ReadonlyArray<number>>(
        `[...document.querySelectorAll("header,.mx-1")].map((one) => one.getBoundingClientRect().left)`
      )
      assert.strictEqual(child, header)
    }))

  it("draws a bar from edge to edge, also over rows that the page has put together", () =>
    withPage(async ({ run, show }) => {
      await show(`card({ title: "Found" }, "One", h("div", {}, bar("Rules"), "Two", bar("More"), "Three"))`)
      const [header, ...bars] = await run<ReadonlyArray<ReadonlyArray<number>>>(
        `[...document.querySelectorAll("header,.mg-bar")].map((one) => one.getBoundingClientRect()).map(({ left, right }) => [left, right])`
      )
      assert.deepEqual(bars, [header, header])
      assert.strictEqual(
        await run(
          `document.querySelector(".mg-bar").getBoundingClientRect().top - document.querySelector(".mg-bar").parentElement.getBoundingClientRect().top`
        ),
        1
      )
    }))

  it("sets a badge apart from the subject before it", () =>
    withPage(async ({ run, show }) => {
      await show(`card({ subject: ["Chart", badge("static")], title: "Bars" })`)
      assert.strictEqual(
        await run(`(() => {
          const range = document.createRange()
          range.selectNode(document.querySelector(".mg-sheet-subject").firstChild)
          return Math.round(document.querySelector(".mg-badge").getBoundingClientRect().left - range.getBoundingClientRect().right)
        })()`),
        6
      )
    }))

  it("begins facts where everything else begins, also inside of the page's own markup", () =>
    withPage(async ({ run, show }) => {
      await show(
        `card({ title: "Found" }, facts([["One", 1]]), h("div", {}, "Words", facts([["Two", 2]])), h("div border", { style: "border:1px solid" }, facts([["Three", 3]])))`
      )
      const [tile = 0, ...labels] = await run<ReadonlyArray<number>>(
        `[...document.querySelectorAll("h1,dt")].map((one) => one.getBoundingClientRect().left)`
      )
      assert.deepEqual(labels, [tile, tile, tile + 17])
    }))
})
