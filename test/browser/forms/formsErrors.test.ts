import { assert, describe, it } from "@effect/vitest"
import { days, forecast, focusedLabel, overflow } from "../builtin/builtinPage.ts"
import { tool, withForm } from "./formsPage.ts"
import { rich } from "./formsTools.ts"

describe("what is wrong", () => {
  it("is said at the field, counted, focused, and gone when it is mended", async () => {
    await withForm(forecast, async ({ view, frame, refuse, send }) => {
      await frame.getByRole("textbox", { name: "Days" }).fill("99")
      await refuse()
      const city = frame.getByLabel("City")
      assert.strictEqual(await city.getAttribute("aria-invalid"), "true")
      assert.strictEqual(await focusedLabel(view), "City*")
      const described = await frame.evaluate<string>(
        "document.activeElement.getAttribute('aria-describedby').split(' ').map((id) => document.getElementById(id).textContent).join()"
      )
      assert.include(described, "This is required.")
      await frame.getByText("2 fields need attention.").waitFor()
      await city.fill("Rome")
      await frame.getByText("One field needs attention.").waitFor()
      assert.isNull(await city.getAttribute("aria-invalid"))
      await frame.getByRole("textbox", { name: "Days" }).fill("2")
      await view.until("document.querySelector('.mf-problem').textContent === ''")
      assert.strictEqual(await send(), '{"days":2,"city":"Rome"}')
    })
  })

  it("is found behind “More options”", async () => {
    const properties = Object.fromEntries(
      Array.from({ length: 9 }, (_, index) => [`p${index}`, { type: "integer", title: `Option ${index}` }])
    )
    await withForm(
      tool({ name: { type: "string", title: "Name" }, ...properties }, { required: ["name"] }),
      async ({ view, frame, refuse }) => {
        assert.strictEqual(await frame.getByLabel("Option 8").count(), 0)
        await frame.getByLabel("Name").fill("a")
        await frame.getByText("More options (9)").click()
        await frame.getByLabel("Option 8").fill("x")
        await frame.getByLabel("Name").focus()
        await frame.getByText("Enter a whole number.").waitFor()
        await frame.getByText("More options (9)").click()
        await refuse()
        assert.isTrue(await frame.getByLabel("Option 8").isVisible())
        assert.strictEqual(await focusedLabel(view), "Option 8")
      }
    )
  })
})

describe("a large form", () => {
  it("draws nothing again while a text is typed", async () => {
    const properties = Object.fromEntries(
      Array.from({ length: 200 }, (_, index) => [`p${index}`, { type: "string", title: `Option ${index}` }])
    )
    await withForm(tool(properties, { required: Object.keys(properties) }), async ({ view, frame }) => {
      await frame.getByLabel("Option 100").click()
      await frame.evaluate(
        "globalThis.changes = 0; new MutationObserver((all) => { changes += all.length }).observe(document.querySelector('form'), { childList: true, subtree: true })"
      )
      await view.page.keyboard.type("quick brown fox")
      assert.strictEqual(await frame.getByLabel("Option 100").inputValue(), "quick brown fox")
      assert.strictEqual(await frame.evaluate("changes"), 0)
    })
  })
})

describe("the look", () => {
  for (const options of [{}, { colorScheme: "dark" }, { width: 320 }, { width: 320, colorScheme: "dark" }] as const) {
    it(`breaks no rule and does not overflow ${JSON.stringify(options)}`, async () => {
      await withForm(
        rich,
        async ({ view, frame, refuse }) => {
          await frame.getByText("More options").click()
          await frame.getByRole("button", { name: "Add address" }).click()
          await frame.getByRole("button", { name: "Add traveller" }).click()
          await frame.getByRole("button", { name: "Add metadata" }).click()
          await frame.getByRole("combobox", { name: "Currency" }).click()
          assert.deepStrictEqual(await view.axe(), [])
          await refuse()
          assert.isTrue((await overflow(view)) <= 0)
          await frame.evaluate("document.documentElement.dir = 'rtl'")
          assert.isTrue((await overflow(view)) <= 0)
        },
        options
      )
    })
  }

  it("has targets of 24 px and more", async () => {
    await withForm(
      rich,
      async ({ frame }) => {
        const small = await frame.evaluate<ReadonlyArray<string>>(`
          [...document.querySelectorAll("form :is(button, input, select, textarea, summary)")]
            .filter((element) => element.checkVisibility() && !element.matches("[type=checkbox]"))
            .filter((element) => Math.min(element.getBoundingClientRect().width, element.getBoundingClientRect().height) < 24)
            .map((element) => element.outerHTML.slice(0, 90))`)
        assert.deepStrictEqual(small, [])
      },
      {
        toolInput: { labels: ["a"], travellers: [{ name: "A" }, { name: "B" }], address: {}, apiKey: "x" },
        toolResult: days,
        width: 320
      }
    )
  })
})
