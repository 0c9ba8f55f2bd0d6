import { assert, describe, it } from "@effect/vitest"
import { button, clean, days, focusedLabel, forecast, open, text } from "../builtin/builtinPage.ts"
import { json, tool, withForm } from "./formsPage.ts"
import { openView, viewDocument } from "../harness/index.ts"

describe("the form", () => {
  it("sends exactly the types of the schema, folds, and shows the answer", async () => {
    const view = await open(forecast, { onCall: () => days })
    const { frame } = view
    await frame.getByLabel("City").fill("Paris")
    await frame.getByRole("textbox", { name: "Days" }).fill("3")
    await frame.getByLabel("Share").fill("0.25")
    await frame.getByRole("radiogroup", { name: "Unit" }).getByLabel("2", { exact: true }).check()
    await frame.getByRole("radiogroup", { name: "Hourly" }).getByLabel("No", { exact: true }).check()
    await frame.getByLabel("sun").check()
    await button(view, "Get forecast").click()
    await frame.getByRole("cell", { name: "7" }).waitFor()
    assert.strictEqual(
      json(view.calls),
      json([
        {
          name: "get_forecast",
          arguments: { city: "Paris", days: 3, share: 0.25, unit: 2, hourly: false, kinds: ["sun"] }
        }
      ])
    )
    assert.match(await frame.locator(".mf-summary").innerText(), /^City\s+Paris/)
    assert.isTrue(await button(view, "Edit input").isVisible())
    await clean(view)
  })

  it("asks before it runs a destructive tool, and asks again after a change", async () => {
    const destructive = { ...forecast, annotations: { destructiveHint: true, readOnlyHint: false } }
    const view = await open(destructive, { toolInput: { city: "Paris" }, toolResult: days, onCall: () => days })
    await button(view, "Run again").click()
    await view.frame.getByText("This tool may change or delete data for good.").waitFor()
    assert.deepStrictEqual(view.calls, [])
    await button(view, "Keep editing").click()
    await button(view, "Get forecast").click()
    await view.frame.getByLabel("City").fill("Rome")
    assert.isTrue(await button(view, "Run it").isHidden())
    await button(view, "Get forecast").click()
    await button(view, "Run it").click()
    await view.until("document.querySelector('.mf-line:not([hidden])') !== null")
    assert.deepStrictEqual(view.calls, [{ name: "get_forecast", arguments: { city: "Rome" } }])
    await clean(view)
  })

  it("works by keyboard alone", async () => {
    const view = await open(forecast, { onCall: () => days })
    const { keyboard } = view.page
    // A script cannot give a new frame the focus; a person's click can. From here on there is only the keyboard.
    await view.press(view.frame.getByLabel("City"))
    await view.until("document.hasFocus()")
    await keyboard.type("Paris")
    await keyboard.press("Tab")
    await keyboard.type("3")
    await keyboard.press("ArrowUp")
    await keyboard.press("Tab")
    await keyboard.press("Tab")
    await keyboard.press("ArrowRight")
    await keyboard.press("Tab")
    await keyboard.press("Tab")
    await keyboard.press("Space")
    await keyboard.press("Enter")
    await view.frame.getByRole("cell", { name: "7" }).waitFor()
    assert.deepStrictEqual(view.calls[0]?.arguments, { city: "Paris", days: 4, unit: "C", kinds: ["rain"] })
    assert.strictEqual(await view.frame.evaluate("document.activeElement.ariaLabel"), "Edit input")
    await keyboard.press("Enter")
    assert.strictEqual(await focusedLabel(view), "City*")
    await clean(view)
  })

  it("takes the whole input as JSON and gives it back, both ways", async () => {
    await withForm(forecast, async ({ view, frame, refuse, send }) => {
      await frame.getByLabel("City").fill("Paris")
      await frame.getByLabel("Share").fill("half")
      await button(view, "Edit as JSON").click()
      const editor = frame.getByLabel("Input as JSON")
      assert.deepStrictEqual(JSON.parse(await editor.inputValue()), { city: "Paris", share: "half" })
      await editor.fill('{"city": "Oslo",\n oops}')
      assert.isNull(await editor.getAttribute("aria-invalid"))
      await refuse()
      assert.strictEqual(await editor.getAttribute("aria-invalid"), "true")
      await editor.fill('{"hidden": {"x": [1, null]}, "city": "Oslo", "days": 2}')
      await button(view, "Edit as form").click()
      assert.strictEqual(await frame.getByLabel("City").inputValue(), "Oslo")
      await frame.getByText("Sent as well: hidden.").waitFor()
      await button(view, "Edit as JSON").click()
      assert.deepStrictEqual(JSON.parse(await editor.inputValue()), { hidden: { x: [1, null] }, city: "Oslo", days: 2 })
      await button(view, "Edit as form").click()
      assert.strictEqual(await send(), json({ hidden: { x: [1, null] }, city: "Oslo", days: 2 }))
    })
  })

  it("does not let an input through as JSON that the schema does not allow", async () => {
    await withForm(forecast, async ({ view, frame, refuse }) => {
      await button(view, "Edit as JSON").click()
      await frame.getByLabel("Input as JSON").fill('{"city": "Oslo", "days": 99}')
      await refuse()
      await frame.getByText(/^days: /).waitFor()
    })
  })

  it("shows a free form for a schema that says nothing, and only a button for a tool without input", async () => {
    const free = await open({ name: "free", inputSchema: true }, { onCall: () => text("ok") })
    await button(free, "Edit as JSON").click()
    await free.frame.getByLabel("Input as JSON").fill('{"a": [1]}')
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

  it("stays open for the person who opened it when a result comes late", async () => {
    const view = await open(forecast, { toolInput: { city: "Paris" }, onCall: () => days })
    await view.send("sendToolResult", days)
    await button(view, "Edit input").click()
    await view.send("sendToolResult", { content: [{ type: "text", text: "again" }] })
    await view.frame.getByText("again", { exact: true }).waitFor()
    assert.isTrue(await view.frame.getByLabel("City").isVisible())
    await clean(view)
  })

  it("gives the focus back to the field that had it when another call comes", async () => {
    const of = tool({ a: { type: "object", properties: { b: { type: ["string", "null"] } }, required: ["b"] }, c: {} })
    const view = await open(of, { toolInput: { a: { b: "one" } }, toolResult: days })
    await button(view, "Edit input").click()
    const field = view.frame.getByRole("textbox", { name: "B" })
    await field.focus()
    await view.send("sendToolInput", { arguments: { a: { b: "two" } } })
    await view.until(`document.querySelector('[data-path="/a/b"] input')?.value === 'two'`)
    assert.strictEqual(await view.frame.evaluate("document.activeElement.value"), "two")
    await clean(view)
  })

  it("keeps secrets out of the line it folds to", async () => {
    const of = tool({ user: { type: "string" }, password: { type: "string" } })
    const view = await open(of, { toolInput: { user: "ada", password: "s3cret" }, toolResult: days })
    assert.notInclude(await view.frame.locator(".mf-summary").innerText(), "s3cret")
    assert.include(await view.frame.locator(".mf-summary").innerText(), "ada")
    await clean(view)
  })
})

describe("a draft that was not sent", () => {
  const module = `mcpGenUi.parts.show((data) => mcpGenUi.parts.table(data))
    globalThis.fail = () => queueMicrotask(() => { throw new Error("no") })`
  const openBroken = async (of: Readonly<Record<string, unknown>>, toolInput: Record<string, unknown>) => {
    const view = await openView({ html: await viewDocument({ tool: of, module }), toolInput, toolResult: days })
    await button(view, "Edit input").click()
    return view
  }

  it("is there again when the page comes back with the same call", async () => {
    const of = tool({ note: { type: "string", title: "Note" }, count: { type: "integer", title: "Count" } })
    const view = await openBroken(of, { note: "a" })
    await view.frame.getByLabel("Note").fill("b")
    await view.frame.getByLabel("Count").fill("12x")
    await view.frame.evaluate("fail()")
    await view.frame.getByRole("heading", { level: 1 }).waitFor()
    assert.strictEqual(await view.frame.getByLabel("Note").inputValue(), "b")
    assert.strictEqual(await view.frame.getByLabel("Count").inputValue(), "12x")
  })

  it("is not kept when it holds a secret", async () => {
    const of = tool({ note: { type: "string", title: "Note" }, token: { type: "string", title: "Token" } })
    const view = await openBroken(of, { note: "a" })
    await view.frame.getByLabel("Note").fill("b")
    await view.frame.getByLabel("Token").fill("s3cret")
    await view.frame.evaluate("fail()")
    await button(view, "Edit input").click()
    assert.strictEqual(await view.frame.getByLabel("Note").inputValue(), "a")
    assert.strictEqual(await view.frame.getByLabel("Token").inputValue(), "")
  })
})

describe("a date and time", () => {
  const plan = tool({ at: { type: "string", format: "date-time", title: "At" } })

  it("is shown and read in the time zone of the host, which is named", async () => {
    await withForm(
      plan,
      async ({ frame, send }) => {
        const at = frame.getByLabel("At")
        assert.strictEqual(await at.inputValue(), "2026-01-01T05:30")
        await frame.getByText("Time zone: Asia/Kolkata").waitFor()
        await at.fill("2026-01-01T06:45")
        assert.strictEqual(await send(), json({ at: "2026-01-01T01:15:00Z" }))
      },
      { hostContext: { timeZone: "Asia/Kolkata" }, toolInput: { at: "2026-01-01T00:00:00Z" }, toolResult: days }
    )
  })

  it("is the same moment when the host names another zone; the one being typed waits", async () => {
    const dated = tool({ at: { type: "string", format: "date-time", title: "At", default: "2026-01-01T00:00:00Z" } })
    await withForm(dated, async ({ view, frame, send }) => {
      const at = frame.getByLabel("At")
      assert.strictEqual(await at.inputValue(), "2026-01-01T00:00")
      await view.changeContext({ timeZone: "Europe/Oslo" })
      await view.until("document.querySelector('.mf-input').value === '2026-01-01T01:00'")
      await at.focus()
      await view.changeContext({ timeZone: "Pacific/Apia" })
      await view.until("mcpGenUi.parts.fmt.time('2026-01-01T00:00:00Z') === '13:00'")
      assert.strictEqual(await focusedLabel(view), "At")
      await frame.getByText("Time zone: Europe/Oslo").waitFor()
      await at.fill("2026-05-05T05:05")
      assert.strictEqual(await send(), json({ at: "2026-05-05T03:05:00Z" }))
    })
  })
})
