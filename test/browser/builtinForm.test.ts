import { assert, describe, it } from "@effect/vitest"
import { afterAll } from "vitest"
import { button, clean, days, every, focusedLabel, forecast, open, text } from "./builtinPage.ts"
import { closeChromium } from "./harness/index.ts"

afterAll(closeChromium)

describe("the form", () => {
  it("sends exactly the types of the schema and shows the answer", async () => {
    const view = await open(forecast, { onCall: () => days })
    const { frame } = view
    await frame.getByLabel("City").fill("Paris")
    await frame.getByLabel("Days").fill("3")
    await frame.getByLabel("Share").fill("0.25")
    await frame.getByLabel("Unit").selectOption({ label: "2" })
    await frame.getByLabel("Hourly").selectOption("No")
    await frame.getByLabel("sun").check()
    await button(view, "Get forecast").click()
    await frame.getByRole("cell", { name: "7" }).waitFor()
    assert.strictEqual(
      JSON.stringify(view.calls),
      JSON.stringify([
        {
          name: "get_forecast",
          arguments: { city: "Paris", days: 3, share: 0.25, unit: 2, hourly: false, kinds: ["sun"] }
        }
      ])
    )
    assert.include(await frame.locator(".mf-summary").innerText(), "Paris")
    assert.isTrue(await button(view, "Edit input").isVisible())
    await clean(view)
  })

  it("has a control for lists, groups, dates, long text, defaults and free values", async () => {
    const view = await open(every, { onCall: () => text("done") })
    const { frame } = view
    await frame.getByLabel("Note").fill("two\nlines")
    await frame.getByLabel("On").uncheck()
    await frame.getByLabel("Date").fill("2026-02-03")
    await button(view, "Add item").click()
    await view.page.keyboard.type("4")
    await button(view, "Add item").click()
    await button(view, "Remove Tags 2").click()
    await frame.getByLabel("Latitude").fill("48.9")
    await frame.getByLabel("Filter").fill('{"$and": [1, "2"]}')
    await button(view, "Everything").click()
    await frame.getByText("done").waitFor()
    assert.deepStrictEqual(view.calls[0]?.arguments, {
      note: "two\nlines",
      on: false,
      date: "2026-02-03",
      tags: [4],
      area: { lat: 48.9 },
      filter: { $and: [1, "2"] }
    })
    await clean(view)
  })

  it("names what is wrong beside the field, focuses it, and calls nothing", async () => {
    const view = await open(forecast)
    await view.frame.getByLabel("Days").fill("99")
    await button(view, "Get forecast").click()
    const city = view.frame.getByLabel("City")
    assert.strictEqual(await city.getAttribute("aria-invalid"), "true")
    assert.strictEqual(await focusedLabel(view), "City*")
    assert.isTrue(await view.frame.getByText("This is required.").isVisible())
    assert.isTrue(await view.frame.getByText("Must be 14 or less.").isVisible())
    assert.deepStrictEqual(view.calls, [])
    await city.fill("Rome")
    await view.frame.getByLabel("Days").fill("2")
    await button(view, "Get forecast").click()
    await view.until("document.querySelector('.mf-line:not([hidden])') !== null")
    assert.deepStrictEqual(view.calls[0]?.arguments, { city: "Rome", days: 2 })
    await clean(view)
  })

  it("sends an unchanged input exactly as it came, and keeps what it does not know", async () => {
    const args = { unknown: { "a.b": [null] }, days: "3", city: "Paris" }
    const view = await open(forecast, { toolInput: args, toolResult: days, onCall: () => days })
    await button(view, "Run again").click()
    await view.until("document.querySelector('[aria-busy=true]') === null")
    await button(view, "Edit input").click()
    await view.frame.getByLabel("City").fill("Rome")
    await button(view, "Get forecast").click()
    await view.until("document.querySelector('.mf-line:not([hidden])') !== null")
    assert.strictEqual(JSON.stringify(view.calls[0]?.arguments), JSON.stringify(args))
    assert.strictEqual(JSON.stringify(view.calls[1]?.arguments), JSON.stringify({ ...args, city: "Rome" }))
    await clean(view)
  })

  it("edits the whole input as JSON and back", async () => {
    const view = await open(forecast, { onCall: () => days })
    const { frame } = view
    await frame.getByLabel("City").fill("Paris")
    await button(view, "Edit as JSON").click()
    const editor = frame.getByLabel("Input as JSON")
    assert.deepStrictEqual(JSON.parse(await editor.inputValue()), { city: "Paris" })
    await editor.fill("{oops")
    await button(view, "Get forecast").click()
    assert.strictEqual(await editor.getAttribute("aria-invalid"), "true")
    await editor.fill('{"city": "Oslo", "hidden": {"x": 1}}')
    await button(view, "Edit as form").click()
    assert.strictEqual(await frame.getByLabel("City").inputValue(), "Oslo")
    await button(view, "Get forecast").click()
    await frame.getByRole("cell", { name: "7" }).waitFor()
    assert.deepStrictEqual(view.calls[0]?.arguments, { city: "Oslo", hidden: { x: 1 } })
    await clean(view)
  })

  it("asks before it runs a destructive tool", async () => {
    const tool = { ...forecast, annotations: { destructiveHint: true, readOnlyHint: false } }
    const view = await open(tool, { toolInput: { city: "Paris" }, toolResult: days, onCall: () => days })
    await button(view, "Run again").click()
    await view.frame.getByText("This tool may change or delete data for good.").waitFor()
    assert.deepStrictEqual(view.calls, [])
    await button(view, "Keep editing").click()
    await button(view, "Get forecast").click()
    await button(view, "Run it").click()
    await view.until("document.querySelector('.mf-line:not([hidden])') !== null")
    assert.strictEqual(view.calls.length, 1)
    await clean(view)
  })

  it("works by keyboard alone", async () => {
    const view = await open(forecast, { onCall: () => days })
    // A script can not give a new frame the focus; a person's click can. From here on there is only the keyboard.
    await view.frame.getByLabel("City").click()
    await view.page.keyboard.type("Paris")
    await view.page.keyboard.press("Enter")
    await view.frame.getByRole("cell", { name: "7" }).waitFor()
    const focused = await view.frame.evaluate<string>("document.activeElement.textContent")
    assert.strictEqual(focused, "Edit input")
    await view.page.keyboard.press("Enter")
    await view.until("document.activeElement.labels?.[0]?.textContent === 'City*'")
    await clean(view)
  })

  it("shows a free form for a schema that says nothing, and only a button for a tool without input", async () => {
    const free = await open({ name: "free", inputSchema: true }, { onCall: () => text("ok") })
    await free.frame.getByLabel("Input").last().fill('{"a": [1]}')
    await button(free, "Free").click()
    await free.frame.getByText("ok", { exact: true }).waitFor()
    assert.deepStrictEqual(free.calls[0]?.arguments, { a: [1] })
    await clean(free)

    const none = await open({ name: "list_all", inputSchema: { type: "object" } }, { onCall: () => text("ok") })
    assert.strictEqual(await none.frame.locator("input, textarea, select").count(), 0)
    await button(none, "List all").click()
    await none.frame.getByText("ok", { exact: true }).waitFor()
    assert.deepStrictEqual(none.calls[0]?.arguments, {})
    await clean(none)
  })
})

describe("values that the form can not offer", () => {
  const tool = {
    name: "filter",
    inputSchema: {
      type: "object",
      properties: {
        unit: { title: "Unit", enum: ["C", "F"] },
        kinds: { type: "array", title: "Kinds", items: { enum: ["rain", "sun"] } },
        on: { type: "boolean", title: "On" },
        note: { type: "string", title: "Note" }
      }
    }
  }

  it("show as what they are, and are sent as they came", async () => {
    const args = { unit: "K", kinds: ["sun", "hail", "hail"], on: "maybe", note: "a" }
    const view = await open(tool, { toolInput: args, toolResult: days, onCall: () => days })
    await button(view, "Edit input").click()
    const chosen = (label: string): Promise<string | null> =>
      view.frame.getByLabel(label, { exact: true }).locator("option:checked").textContent()
    assert.strictEqual(await chosen("Unit"), "K")
    assert.strictEqual(await chosen("On"), "maybe")
    assert.isTrue(await view.frame.getByLabel("hail").isChecked())
    assert.isFalse(await view.frame.getByLabel("rain").isChecked())
    await view.frame.getByLabel("Note").fill("b")
    await view.frame.getByLabel("rain").check()
    await button(view, "Filter").click()
    await view.until("document.querySelector('.mf-line:not([hidden])') !== null")
    assert.deepStrictEqual(view.calls[0]?.arguments, { ...args, kinds: ["sun", "hail", "hail", "rain"], note: "b" })
    await button(view, "Edit input").click()
    await view.frame.getByLabel("Unit").selectOption("F")
    await view.frame.getByLabel("On", { exact: true }).selectOption("Yes")
    await button(view, "Filter").click()
    await view.until("document.querySelector('.mf-line:not([hidden])') !== null")
    assert.deepInclude(view.calls[1]?.arguments, { unit: "F", on: true })
    await clean(view)
  })
})

describe("a date and time", () => {
  const tool = {
    name: "plan",
    inputSchema: { type: "object", properties: { at: { type: "string", format: "date-time", title: "At" } } }
  }

  it("is shown and read in the time zone of the host, which is named", async () => {
    const view = await open(tool, {
      hostContext: { timeZone: "Asia/Kolkata" },
      toolInput: { at: "2026-01-01T00:00:00Z" },
      toolResult: days,
      onCall: () => days
    })
    await button(view, "Edit input").click()
    const at = view.frame.getByLabel("At")
    assert.strictEqual(await at.inputValue(), "2026-01-01T05:30")
    await view.frame.getByText("Time zone: Asia/Kolkata").waitFor()
    await at.fill("2026-01-01T06:45")
    await button(view, "Plan").click()
    await view.until("document.querySelector('.mf-line:not([hidden])') !== null")
    assert.deepStrictEqual(view.calls[0]?.arguments, { at: "2026-01-01T01:15:00Z" })
    await clean(view)
  })

  it("follows a host that names its zone late, and keeps what was typed", async () => {
    const dated = structuredClone(tool)
    Object.assign(dated.inputSchema.properties.at, { default: "2026-01-01T00:00:00Z" })
    const view = await open(dated)
    const at = view.frame.getByLabel("At")
    await at.waitFor()
    assert.strictEqual(await at.inputValue(), "2026-01-01T00:00")
    await view.changeContext({ timeZone: "Europe/Oslo" })
    await view.until("document.querySelector('.mf-input').value === '2026-01-01T01:00'")
    await at.focus()
    await view.changeContext({ timeZone: "Pacific/Apia" })
    await view.until("mcpGenUi.parts.fmt.time('2026-01-01T00:00:00Z') === '13:00'")
    assert.strictEqual(await focusedLabel(view), "At")
    await view.frame.getByText("Time zone: Europe/Oslo").waitFor()
    await at.fill("2026-05-05T05:05")
    await view.changeContext({ timeZone: "Asia/Kolkata" })
    await view.until("mcpGenUi.parts.fmt.time('2026-01-01T00:00:00Z') === '05:30'")
    assert.strictEqual(await at.inputValue(), "2026-05-05T05:05")
    await clean(view)
  })
})
