import { assert, describe, it } from "@effect/vitest"
import { withPage } from "./partsPage.ts"

/** Puts a memory under the parts, as the runtime has one. */
const withMemory = `(() => {
  const kept = new Map()
  globalThis.kept = kept
  openSession({ refusal: () => undefined, tool: { name: "list_orders" }, context: undefined, memory: { get: (key) => kept.get(key), set: (key, value) => kept.set(key, value) } })
})()`

describe("tabs", () => {
  it("move with the arrow keys, and make content when it is first shown", () =>
    withPage(async (page) => {
      await page.show(
        `tabs({ One: text("first"), Two: () => { globalThis.made = (globalThis.made ?? 0) + 1; return text("second") }, Three: text("third") })`
      )
      assert.isUndefined(await page.run("globalThis.made"))
      await page.page.getByRole("tab", { name: "One" }).focus()
      await page.page.keyboard.press("ArrowRight")
      assert.strictEqual(await page.page.getByRole("tabpanel").textContent(), "second")
      await page.page.keyboard.press("End")
      assert.strictEqual(await page.page.locator("[role=tab]:focus").textContent(), "Three")
      await page.page.keyboard.press("ArrowRight")
      await page.page.keyboard.press("ArrowRight")
      assert.strictEqual(await page.run("globalThis.made"), 1)
    }))

  it("move the other way from right to left", () =>
    withPage(
      async (page) => {
        await page.show(`tabs({ One: "first", Two: "second", Three: "third" })`)
        await page.page.getByRole("tab", { name: "One" }).focus()
        await page.page.keyboard.press("ArrowLeft")
        assert.strictEqual(await page.page.getByRole("tabpanel").textContent(), "second")
      },
      { direction: "rtl" }
    ))

  it("hold the place of a promise, and say why it was broken", () =>
    withPage(async (page) => {
      await page.show(
        `tabs({ One: "first", Two: () => new Promise((done) => { globalThis.done = done }), Three: async () => { throw new Error("No such list") } })`
      )
      await page.page.getByRole("tab", { name: "Two" }).click()
      assert.strictEqual(await page.page.getByRole("tabpanel").locator("[aria-busy]").count(), 1)
      await page.run(`void globalThis.done([text("late"), null, "and more"])`)
      await page.page.getByText("and more").waitFor()
      assert.strictEqual(await page.page.getByRole("tabpanel").textContent(), "lateand more")
      await page.page.getByRole("tab", { name: "Three" }).click()
      assert.strictEqual(await page.page.getByRole("alert").textContent(), "No such list")
    }))

  it("stay chosen when the view is drawn again, and when the tabs are others, begin anew", () =>
    withPage(async (page) => {
      const drawn = `[tabs({ Table: "rows", Chart: "bars" }), section("More", "inside", { open: false }), section("Less", "inside", { collapsible: true })]`
      await page.run(withMemory)
      await page.show(drawn)
      await page.page.getByRole("tab", { name: "Chart" }).click()
      await page.page.getByText("More").click()
      await page.page.getByText("Less").click()
      await page.show(drawn)
      assert.strictEqual(await page.page.locator("[aria-selected=true]").textContent(), "Chart")
      assert.deepEqual(await page.run(`[...document.querySelectorAll("details")].map(({ open }) => open)`), [
        true,
        false
      ])
      await page.show(`tabs({ Table: "rows", List: "items" }, { selected: "List" })`)
      assert.strictEqual(await page.page.locator("[aria-selected=true]").textContent(), "List")
      await page.show(`tabs({ Table: "rows", Chart: "bars" }, { label: "Ways" })`)
      assert.strictEqual(await page.page.locator("[aria-selected=true]").textContent(), "Table")
    }))
})

describe("button", () => {
  it("is busy while its promise runs, and shows why it failed", () =>
    withPage(async (page) => {
      await page.show(
        `button("Save", () => { globalThis.clicks = (globalThis.clicks ?? 0) + 1; return new Promise((_, reject) => { globalThis.fail = () => reject(new Error("Disk full")) }) })`
      )
      const save = page.page.getByRole("button", { name: "Save" })
      await save.click()
      await save.dispatchEvent("click")
      assert.strictEqual(await save.getAttribute("aria-busy"), "true")
      assert.strictEqual(await page.run("globalThis.clicks"), 1)
      await page.run("void globalThis.fail()")
      await page.page.getByRole("alert").waitFor()
      assert.strictEqual(await page.page.getByRole("alert").textContent(), "Disk full")
      assert.isNull(await save.getAttribute("aria-busy"))
    }))

  it("asks on itself before it acts, and forgets the question", () =>
    withPage(async (page) => {
      await page.show(
        `[button("Delete", () => { globalThis.deleted = (globalThis.deleted ?? 0) + 1 }, { kind: "danger", confirm: "Delete 3 files?" }), button("Other")]`
      )
      const control = page.page.locator(".mg-button-danger")
      await control.press("Enter")
      assert.strictEqual(await control.textContent(), "Delete 3 files?")
      await control.press("Escape")
      assert.strictEqual(await control.textContent(), "Delete")
      await control.press("Enter")
      await page.page.getByRole("button", { name: "Other" }).focus()
      assert.strictEqual(await control.textContent(), "Delete")
      assert.isUndefined(await page.run("globalThis.deleted"))
      await control.press("Enter")
      await control.press("Enter")
      assert.strictEqual(await page.run("globalThis.deleted"), 1)
      assert.strictEqual(await control.textContent(), "Delete")
    }))
})

describe("chips", () => {
  it("choose one or several, and keep one where one was given", () =>
    withPage(async (page) => {
      await page.show(
        `[chips(["a", { label: "B", value: 2, count: 1200 }], (value) => { globalThis.one = value }, { value: "a" }), chips({ x: "Ex", y: "Why" }, (value) => { globalThis.many = value }, { multiple: true }), chips(["p", "q"], (value) => { globalThis.free = String(value) })]`
      )
      await page.page.getByRole("button", { name: "B 1,200" }).click()
      await page.page.getByRole("button", { name: "B 1,200" }).click()
      await page.page.getByRole("button", { name: "Ex" }).click()
      await page.page.getByRole("button", { name: "Why" }).click()
      await page.page.getByRole("button", { name: "p", exact: true }).click()
      await page.page.getByRole("button", { name: "p", exact: true }).click()
      assert.deepEqual(await page.run("[globalThis.one, globalThis.many, globalThis.free]"), [
        2,
        ["x", "y"],
        "undefined"
      ])
      assert.strictEqual(await page.page.locator("[aria-pressed=true]").count(), 3)
    }))
})

describe("a section with a function", () => {
  it("is folded, and asks for its content when it is opened, unless it is told to be open", () =>
    withPage(async (page) => {
      await page.show(`(() => {
        globalThis.asked = 0
        const make = () => (globalThis.asked += 1, Promise.resolve("brought"))
        return [section("Rows", make), section("Open", () => "at once", { open: true })]
      })()`)
      assert.strictEqual(await page.run("globalThis.asked"), 0)
      assert.include(await page.page.locator("main").innerText(), "at once")
      await page.page.getByText("Rows").click()
      await page.page.getByText("brought").waitFor()
      assert.strictEqual(await page.run("globalThis.asked"), 1)
    }))
})

describe("input and form", () => {
  it("ask with the Enter key as with their button, and show what it brings", () =>
    withPage(async (page) => {
      await page.show(
        `h("div", {}, input("Find a thing", { onEnter: async (value) => h("p", {}, "found " + value), submit: "Go" }))`
      )
      const field = page.page.getByRole("textbox", { name: "Find a thing" })
      assert.strictEqual(await field.getAttribute("placeholder"), "Find a thing")
      await field.fill("x")
      await field.press("Enter")
      assert.strictEqual(await page.page.locator(".mg-brought").textContent(), "found x")
    }))

  it("say what they ask for beside an example", () =>
    withPage(async (page) => {
      await page.show(`input("Find a thing", { placeholder: "A12", onEnter: () => {} })`)
      assert.isTrue(await page.page.locator("label", { hasText: "Find a thing" }).isVisible())
      assert.notInclude((await page.page.locator("label").getAttribute("class")) ?? "", "mg-hidden")
      // What a narrow frame would cut stands above.
      const long = "An address to check, or another range"
      await page.show(`input("${long}", { onEnter: () => {} })`)
      assert.notInclude((await page.page.locator("label", { hasText: long }).getAttribute("class")) ?? "", "mg-hidden")
      assert.strictEqual(await page.page.getByRole("textbox", { name: long }).getAttribute("placeholder"), "")
    }))

  it("tell values of their own types, and read them", () =>
    withPage(async (page) => {
      await page.show(`(() => {
        globalThis.told = []
        const tell = (value) => globalThis.told.push(value)
        globalThis.inputs = [
          input("City", { placeholder: "Any", onChange: tell }), input("Days", { value: 3, onChange: tell }), input("Snow", { value: false, onChange: tell }),
          input("Size", { options: [{ label: "Small", value: 1 }, { label: "Large", value: 2 }], value: 2, onChange: tell }),
          input("Kind", { options: { a: "First", b: "Second" }, placeholder: "Any kind", onChange: tell }), input("Find", { type: "search", onEnter: tell })
        ]
        return globalThis.inputs
      })()`)
      assert.deepEqual(await page.run("globalThis.inputs.map(({ value }) => value ?? null)"), [
        "",
        3,
        false,
        2,
        null,
        ""
      ])
      await page.page.getByRole("textbox", { name: "City" }).fill("Oslo")
      await page.page.getByRole("spinbutton", { name: "Days" }).fill("4.5")
      await page.page.getByRole("checkbox", { name: "Snow" }).check()
      await page.page.getByRole("combobox", { name: "Size" }).selectOption("Small")
      await page.page.getByRole("combobox", { name: "Kind" }).selectOption("Second")
      await page.page.getByRole("searchbox", { name: "Find" }).fill("x")
      await page.page.getByRole("searchbox", { name: "Find" }).press("Enter")
      assert.deepEqual(await page.run("globalThis.told"), ["Oslo", 4.5, true, 1, "b", "x"])
      await page.run(`void (globalThis.inputs[4].value = "a", globalThis.inputs[0].value = null)`)
      assert.deepEqual(await page.run("[globalThis.inputs[4].value, globalThis.inputs[0].value]"), ["a", ""])
    }))

  it("send what is filled, once what is needed is there", () =>
    withPage(async (page) => {
      await page.show(
        `form([{ key: "title", required: true }, { key: "state", options: ["open", "closed"] }, { key: "due_date", type: "date" }, "notes", { key: "urgent", type: "checkbox" }], (values) => { globalThis.sent = values; throw new Error("Not today") }, { submit: "Save", value: { state: "closed" } })`
      )
      await page.page.getByRole("button", { name: "Save" }).click()
      assert.strictEqual(await page.page.getByRole("alert").textContent(), "Title is needed.")
      assert.strictEqual(await page.run("document.activeElement.getAttribute('aria-invalid')"), "true")
      assert.isUndefined(await page.run("globalThis.sent"))
      await page.page.getByRole("textbox", { name: "Title" }).fill("Crash")
      await page.page.getByRole("textbox", { name: "Title" }).press("Enter")
      assert.deepEqual(await page.run("globalThis.sent"), { title: "Crash", state: "closed", urgent: false })
      assert.strictEqual(await page.page.getByRole("alert").textContent(), "Not today")
      assert.isNull(await page.page.getByRole("textbox", { name: "Title" }).getAttribute("aria-invalid"))
    }))
})

describe("layout", () => {
  it("takes children and options in any of the ways that models write them", () =>
    withPage(async (page) => {
      const shown = await page.run<ReadonlyArray<string>>(`[
        row(["a", "b"], { gap: 4, columns: 2 }), stack("a", { name: "Ada" }), section("T", [text("x")], { badge: [1, { text: "two" }] }),
        header("A", { subtitle: "B", actions: button("Go") }), header("A", "B"), empty({ message: "None" }), empty("None", null, button("Clear")), status("Saved", { tone: "success" }),
        errorBox("Why"), errorBox(new Error("Why")), errorBox({ message: "Why", sent: { a: [1, { b: 2 }] } }), text("x", "muted"), pager({ page: "2", total: 45, pageSize: 20 })
      ].map((node) => node.textContent)`)
      assert.deepEqual(shown, [
        "ab",
        "aAda",
        "T1twox",
        "ABGo",
        "AB",
        "None",
        "NoneClear",
        "Saved",
        "Something went wrongWhy",
        "Something went wrongWhy",
        "Something went wrongWhyWhat was sent",
        "x",
        "PreviousPage 2 of 3Next"
      ])
      assert.strictEqual(
        await page.run(`row("a", { gap: 4, justify: "between" }).style.cssText`),
        "gap: 4px; justify-content: space-between;"
      )
    }))

  it("takes the title of the tool for a header without one", () =>
    withPage(async (page) => {
      await page.run(withMemory)
      await page.show(`[header(undefined, { subtitle: "x" }), section("", "y"), section(null, "z", { badge: 1 })]`)
      assert.strictEqual(await page.page.getByRole("heading").allTextContents().then(String), "List orders")
    }))

  it("shows what was sent with a failure", () =>
    withPage(async (page) => {
      await page.show(`errorBox({ title: "Failed", message: "Why", sent: { city: "Oslo", days: [1, { a: null }] } })`)
      await page.page.getByText("What was sent").click()
      await page.page.getByText("Oslo").waitFor()
      assert.deepEqual(await page.page.locator("dt,dd").allTextContents(), ["city", "Oslo", "days", `[1,{"a":null}]`])
    }))
})
