import { assert, describe, it } from "@effect/vitest"
import { button, focusedLabel } from "../builtin/builtinPage.ts"
import { json, tool, withForm } from "./formsPage.ts"

const LETTERS = "abcdefghijklmnop".split("")

describe("a control", () => {
  it("of text: one line, many lines, masked, date, time", async () => {
    await withForm(
      tool({
        name: { type: "string", title: "Name" },
        body: { type: "string", title: "Body" },
        password: { type: "string", title: "Password" },
        day: { type: "string", format: "date", title: "Day" },
        site: { type: "string", format: "uri", title: "Site" }
      }),
      async ({ view, frame, send }) => {
        await frame.getByLabel("Name").fill("  Ada ")
        await frame.getByLabel("Body").fill("two\nlines")
        const secret = frame.getByLabel("Password")
        await secret.fill("hunter2")
        assert.strictEqual(await secret.getAttribute("type"), "password")
        await button(view, "Show").click()
        assert.strictEqual(await secret.getAttribute("type"), "text")
        await frame.getByLabel("Day").fill("2026-02-03")
        await frame.getByLabel("Site").fill("https://example.com/ä")
        assert.strictEqual(
          await send(),
          json({
            name: "  Ada ",
            body: "two\nlines",
            password: "hunter2",
            day: "2026-02-03",
            site: "https://example.com/ä"
          })
        )
      }
    )
  })

  it("of a number: exact, with a slider for the pointer where it has few steps", async () => {
    await withForm(
      tool({
        share: { type: "number", title: "Share" },
        level: { type: "integer", title: "Level", minimum: 1, maximum: 10 }
      }),
      async ({ frame, view, send }) => {
        await frame.getByLabel("Share").fill("-0.1e2")
        await frame.locator("input[type=range]").fill("7")
        assert.strictEqual(await frame.getByLabel("Level").inputValue(), "7")
        await frame.getByLabel("Level").press("ArrowUp")
        assert.strictEqual(await send(), json({ share: -10, level: 8 }))
        assert.strictEqual(await view.frame.locator("input[type=range][tabindex='-1'][aria-hidden=true]").count(), 1)
      }
    )
  })

  it("of few choices is segmented, of some a menu, and keeps the type of the value", async () => {
    await withForm(
      tool({
        size: { title: "Size", enum: [1, "1", true] },
        letter: { title: "Letter", enum: LETTERS.slice(0, 8) },
        kind: {
          title: "Kind",
          oneOf: [
            { const: "a", title: "First kind" },
            { const: "b", title: "Second kind" }
          ]
        }
      }),
      async ({ frame, send }) => {
        await frame.getByRole("radiogroup", { name: "Size" }).getByRole("radio").nth(2).check()
        await frame.getByLabel("Letter").selectOption("c")
        await frame.getByRole("radiogroup", { name: "Kind" }).getByLabel("Second kind").check()
        assert.strictEqual(await send(), json({ size: "1", letter: "c", kind: "b" }))
      }
    )
  })

  it("of many choices is a list that can be searched by keyboard", async () => {
    await withForm(
      tool({ letter: { title: "Letter", enum: LETTERS }, other: { type: "string", title: "Other" } }),
      async ({ frame, view, send, edit, refuse }) => {
        const box = frame.getByRole("combobox", { name: "Letter" })
        await box.click()
        assert.strictEqual(await frame.getByRole("option").count(), LETTERS.length + 1)
        await view.page.keyboard.type("k")
        assert.strictEqual(await frame.getByRole("option").count(), 1)
        assert.strictEqual(await box.getAttribute("aria-expanded"), "true")
        await view.page.keyboard.press("Enter")
        assert.strictEqual(await box.getAttribute("aria-expanded"), "false")
        assert.strictEqual(await box.inputValue(), "k")
        assert.strictEqual(await send(), json({ letter: "k" }))
        await edit()
        await box.click()
        await view.page.keyboard.press("ArrowDown")
        assert.strictEqual(
          await frame.evaluate(
            "document.getElementById(document.activeElement.getAttribute('aria-activedescendant')).textContent"
          ),
          "l"
        )
        await view.page.keyboard.press("Escape")
        await box.fill("nothing of it")
        await frame.getByLabel("Other").focus()
        await frame.getByText("Choose one from the list.").waitFor()
        await refuse()
        await box.fill("P")
        await frame.getByLabel("Other").focus()
        assert.strictEqual(await send(), json({ letter: "p" }))
      }
    )
  })

  it("of yes and no has three states where nothing says which it is, and is a checkbox with a default", async () => {
    await withForm(
      tool({ on: { type: "boolean", title: "On" }, quick: { type: "boolean", title: "Quick", default: true } }),
      async ({ frame, send, edit }) => {
        const on = frame.getByRole("radiogroup", { name: "On" })
        assert.isTrue(await on.getByLabel("Not set").isChecked())
        await frame.getByRole("checkbox", { name: "Quick" }).uncheck()
        assert.strictEqual(await send(), json({ quick: false }))
        await edit()
        await on.getByLabel("Yes").check()
        assert.strictEqual(await send(), json({ quick: false, on: true }))
        await edit()
        await on.getByLabel("Not set").check()
        assert.strictEqual(await send(), json({ quick: false }))
      }
    )
  })

  it("of several choices, with a filter above many of them", async () => {
    await withForm(
      tool({ letters: { title: "Letters", type: "array", items: { enum: LETTERS } } }),
      async ({ frame, send }) => {
        await frame.getByLabel("Filter Letters").fill("m")
        assert.strictEqual(await frame.getByRole("checkbox").count(), 1)
        await frame.getByRole("checkbox").check()
        await frame.getByLabel("Filter Letters").fill("")
        await frame.getByLabel("b", { exact: true }).check()
        assert.strictEqual(await send(), json({ letters: ["m", "b"] }))
      }
    )
  })

  it("of short items takes tags: Enter, comma, Backspace, several lines at once, and leaving it", async () => {
    await withForm(
      tool({
        tags: { title: "Tags", type: "array", items: { type: "string" } },
        sizes: { title: "Sizes", type: "array", items: { type: "integer" } }
      }),
      async ({ frame, view, send, edit }) => {
        const { keyboard } = view.page
        await frame.getByLabel("Tags").click()
        await keyboard.type("sea, sun,Paris,")
        await keyboard.press("Backspace")
        await keyboard.type(" France")
        await keyboard.press("Enter")
        await keyboard.type("gone")
        await keyboard.press("Enter")
        await keyboard.press("Backspace")
        await keyboard.type("last")
        await frame.getByLabel("Sizes").fill("x")
        await keyboard.press("Enter")
        await frame.getByText("Enter a whole number.").waitFor()
        await frame.getByLabel("Sizes").fill("4")
        await keyboard.press("Enter")
        assert.strictEqual(await frame.getByText("Enter a whole number.").count(), 0)
        await frame.evaluate(`{
          const clipboardData = new DataTransfer()
          clipboardData.setData("text", "5\\n6, 7")
          document.activeElement.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }))
        }`)
        assert.strictEqual(await send(), json({ tags: ["sea", "sun", "Paris, France", "last"], sizes: [4, 5, 6, 7] }))
        await edit()
        await button(view, "Remove sun").click()
        for (const size of [4, 5, 6, 7]) await button(view, `Remove ${size}`).click()
        assert.strictEqual(await send(), json({ tags: ["sea", "Paris, France", "last"] }))
      }
    )
  })

  it("of long items takes rows", async () => {
    await withForm(
      tool({ notes: { title: "Notes", type: "array", items: { type: "string", maxLength: 900 } } }),
      async ({ frame, view, send }) => {
        await frame.getByRole("button", { name: "Add item" }).click()
        await view.page.keyboard.type("one")
        await frame.getByRole("button", { name: "Add item" }).click()
        await view.page.keyboard.type("two")
        await frame.getByRole("button", { name: "Add item" }).click()
        await view.page.keyboard.type("three")
        await button(view, "Remove Notes 2").click()
        assert.strictEqual(await frame.getByRole("textbox", { name: "Notes 2" }).inputValue(), "three")
        assert.strictEqual(await frame.locator("[data-path='/notes/1']").count(), 1)
        assert.strictEqual(await send(), json({ notes: ["one", "three"] }))
      }
    )
  })

  it("of free JSON checks it when it is left, and lets Tab go on", async () => {
    await withForm(
      tool({ raw: { title: "Raw" }, last: { type: "string", title: "Last" } }),
      async ({ frame, view, send }) => {
        await frame.getByRole("radiogroup", { name: "Kind of raw" }).getByLabel("JSON").check()
        const editor = frame.getByRole("textbox", { name: /^Raw/ })
        await editor.fill('{"a": 1,\n oops}')
        assert.isNull(await editor.getAttribute("aria-invalid"))
        await view.page.keyboard.press("Tab")
        assert.strictEqual(await focusedLabel(view), "Last")
        assert.strictEqual(await editor.getAttribute("aria-invalid"), "true")
        await frame.getByText(/line 2/i).waitFor()
        await editor.fill('{"a": [1e3, null]}')
        assert.strictEqual(await send(), json({ raw: { a: [1000, null] } }))
      }
    )
  })
})
