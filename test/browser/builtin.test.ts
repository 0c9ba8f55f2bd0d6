import { assert, describe, it } from "@effect/vitest"
import { writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { afterAll } from "vitest"
import { closeChromium, launchChromium, openView, viewDocument } from "./harness/index.ts"
import type { OpenViewOptions, View } from "./harness/index.ts"

const forecast = {
  name: "get_forecast",
  title: "Get forecast",
  description: "The weather of the next days.",
  inputSchema: {
    type: "object",
    properties: {
      city: { type: "string", title: "City", examples: ["Paris"] },
      days: { type: "integer", title: "Days", minimum: 1, maximum: 14 },
      share: { type: "number", title: "Share" },
      unit: { title: "Unit", enum: ["C", 2, false] },
      hourly: { type: "boolean", title: "Hourly" },
      kinds: { type: "array", title: "Kinds", items: { enum: ["rain", "sun"] } }
    },
    required: ["city"]
  }
}

const every = {
  name: "everything",
  inputSchema: {
    type: "object",
    properties: {
      note: { type: "string", title: "Note", maxLength: 900 },
      on: { type: "boolean", title: "On", default: true },
      date: { type: "string", title: "Date", format: "date" },
      tags: { type: "array", title: "Tags", items: { type: "integer" } },
      area: { type: "object", title: "Area", properties: { lat: { type: "number", title: "Latitude" } } },
      filter: { title: "Filter" }
    }
  }
}

const days = {
  structuredContent: {
    days: [
      { date: "2026-01-01", high: 5 },
      { date: "2026-01-02", high: 7 }
    ]
  },
  content: []
}

const text = (value: string): Record<string, unknown> => ({ content: [{ type: "text", text: value }] })

type Options = Omit<OpenViewOptions, "html"> & { readonly data?: Record<string, unknown> }

const open = async (tool: Readonly<Record<string, unknown>>, { data, ...options }: Options = {}): Promise<View> => {
  const view = await openView({
    html: await viewDocument({ tool, ...(data === undefined ? {} : { data }) }),
    ...options
  })
  await view.frame.locator("h1").waitFor()
  return view
}

const button = (view: View, name: string) => view.frame.getByRole("button", { name, exact: true })

const clean = async (view: View): Promise<void> => {
  assert.deepStrictEqual(view.violations, [])
  assert.deepStrictEqual(view.consoleErrors, [])
  assert.deepStrictEqual(await view.axe(), [])
  await view.close()
}

const focusedLabel = (view: View): Promise<string> =>
  view.frame.evaluate("document.activeElement.labels?.[0]?.textContent ?? ''")

const overflow = (view: View): Promise<number> =>
  view.frame.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")

afterAll(closeChromium)

describe("the document", () => {
  it("is under 80 kB with the whole built-in UI", async () => {
    const html = await viewDocument({ tool: forecast })
    assert.isBelow(Buffer.byteLength(html), 80_000)
  })
})

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
    await view.frame.getByLabel("City").focus()
    await view.page.keyboard.type("Paris")
    await view.page.keyboard.press("Enter")
    await view.frame.getByRole("cell", { name: "7" }).waitFor()
    const focused = await view.frame.evaluate<string>("document.activeElement.textContent")
    assert.strictEqual(focused, "Edit input")
    await view.page.keyboard.press("Enter")
    assert.strictEqual(await focusedLabel(view), "City*")
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

describe("a call", () => {
  it("shows the input calmly while the model types it, then runs, then shows the result", async () => {
    const view = await open(forecast)
    await view.send("sendToolInputPartial", { arguments: { city: "Par" } })
    await view.frame.getByText("Preparing the call…").waitFor()
    assert.include(await view.frame.locator(".mv-status").innerText(), "Par")
    await view.send("sendToolInput", { arguments: { city: "Paris" } })
    await view.frame.getByText("Running Get forecast…").waitFor()
    await view.send("sendToolResult", days)
    await view.frame.getByRole("cell", { name: "7" }).waitFor()
    assert.strictEqual(await view.frame.getByText("Running Get forecast…").count(), 0)
    await clean(view)
  })

  it("takes input that comes after its result for what it is", async () => {
    const view = await open(forecast, { toolResult: days })
    await view.frame.getByRole("cell", { name: "7" }).waitFor()
    await view.send("sendToolInput", { arguments: { city: "Paris" } })
    await view.until("document.querySelector('.mf-summary')?.textContent.includes('Paris') === true")
    assert.strictEqual(await view.frame.getByText("Running Get forecast…").count(), 0)
    await clean(view)
  })

  it("shows a failed result with its message, and retries with the same input", async () => {
    const view = await open(forecast, {
      toolInput: { city: "Nowhere", odd: 1 },
      toolResult: { isError: true, ...text("No such place") },
      onCall: () => days
    })
    await view.frame.getByText("No such place").waitFor()
    await button(view, "Retry").click()
    await view.frame.getByRole("cell", { name: "7" }).waitFor()
    assert.deepStrictEqual(view.calls[0]?.arguments, { city: "Nowhere", odd: 1 })
    await clean(view)
  })

  it("shows a call that did not go through, and retries", async () => {
    let turn = 0
    const view = await open(forecast, {
      onCall: () => {
        if (turn++ === 0) throw new Error("upstream is gone")
        return days
      }
    })
    await view.frame.getByLabel("City").fill("Paris")
    await button(view, "Get forecast").click()
    await view.frame.getByText("The call did not go through").waitFor()
    assert.include(await view.frame.getByRole("alert").first().innerText(), "upstream is gone")
    await button(view, "Retry").click()
    await view.frame.getByRole("cell", { name: "7" }).waitFor()
    assert.strictEqual(view.calls.length, 2)
    assert.deepStrictEqual(view.violations, [])
    await view.close()
  })

  it("can be cancelled by the person, and by the host", async () => {
    const view = await open(forecast, { onCall: () => new Promise(() => undefined) })
    await view.frame.getByLabel("City").fill("Paris")
    await button(view, "Get forecast").click()
    await button(view, "Cancel").click()
    await view.frame.getByText("The call was cancelled.").waitFor()
    assert.isTrue(await button(view, "Get forecast").isEnabled())
    await view.send("sendToolInput", { arguments: { city: "Rome" } })
    await view.send("sendToolCancelled", { reason: "the person stopped it" })
    await view.frame.getByText("The call was cancelled: the person stopped it").waitFor()
    await clean(view)
  })

  it("cuts a large result on screen, with a way to all of it", async () => {
    const long = `${"word ".repeat(1000)}the end`
    const view = await open(forecast, {
      data: { limits: { maxOutputDisplayBytes: 500 } },
      toolResult: text(long)
    })
    await view.frame
      .getByRole("button", { name: /Show all/ })
      .first()
      .waitFor()
    assert.isBelow((await view.frame.getByRole("region", { name: "Result" }).innerText()).length, 1500)
    await view.frame
      .getByRole("button", { name: /Show all/ })
      .first()
      .click()
    await view.frame.getByText("the end").waitFor()
    await clean(view)
  })
})

describe("what the server sends", () => {
  it("stays text, wherever it lands", async () => {
    const probe = `<img src=x onerror="globalThis.hit=1"></script><script>globalThis.hit=1</script>{{x}}`
    const tool = {
      name: probe,
      title: `T ${probe}`,
      description: `D ${probe}`,
      inputSchema: {
        type: "object",
        properties: {
          [probe]: { type: "string", title: `P ${probe}`, description: probe, default: probe, examples: [probe] },
          choice: { enum: [probe, "b"] },
          list: { type: "array", title: probe, items: { type: "string" } },
          ["__proto__"]: { type: "string" }
        }
      }
    }
    const view = await open(tool, {
      data: { fallback: { code: "REJECTED", message: probe, transient: false } },
      toolInput: { [probe]: probe, more: probe },
      toolResult: {
        content: [
          { type: "text", text: probe },
          { type: "odd", [probe]: probe }
        ],
        structuredContent: { rows: [{ [probe]: probe }] },
        [probe]: 1
      },
      onCall: () => ({ isError: true, ...text(probe) })
    })
    await button(view, "Edit input").click()
    await button(view, `T ${probe}`).click()
    await button(view, "Retry").waitFor()
    assert.isUndefined(await view.frame.evaluate("globalThis.hit"))
    assert.strictEqual(await view.frame.locator("body img, body script").count(), 0)
    assert.deepStrictEqual(view.calls[0]?.arguments, { [probe]: probe, more: probe })
    await clean(view)
  })

  it("is cut to what a header can hold, with the rest a click away", async () => {
    const view = await open({ ...forecast, description: `${"Long words. ".repeat(2500)}The end.` })
    assert.isBelow(
      await view.frame.evaluate<number>("document.querySelector('.mv-description').textContent.length"),
      250
    )
    await button(view, "Show more").click()
    assert.include(await view.frame.locator(".mv-description").innerText(), "The end.")
    await clean(view)
  })

  it("shows why this is the basic view, until it is dismissed", async () => {
    const view = await open(forecast, {
      data: { fallback: { code: "TIMEOUT", message: "The model was too slow", transient: true } }
    })
    await view.frame.getByText("The model was too slow.").waitFor()
    await button(view, "Dismiss").click()
    assert.strictEqual(await view.frame.getByText("The model was too slow.").count(), 0)
    await clean(view)
  })
})

describe("the look", () => {
  const results: Readonly<Record<string, Options>> = {
    form: {},
    table: { toolInput: { city: "Paris" }, toolResult: days },
    failed: { toolInput: { city: "Paris" }, toolResult: { isError: true, ...text("No such place") } },
    empty: { toolInput: { city: "Paris" }, toolResult: { content: [] } },
    "long text": { toolInput: { city: "x".repeat(200) }, toolResult: text("word ".repeat(500) + "y".repeat(300)) }
  }
  for (const colorScheme of ["light", "dark"] as const) {
    it(`is accessible and does not scroll sideways in ${colorScheme}`, async () => {
      for (const [name, options] of Object.entries(results)) {
        const view = await open(name === "form" ? every : forecast, { ...options, colorScheme, width: 320 })
        await view.until(
          "document.querySelector('form:not([hidden]), .mf-line:not([hidden])')?.checkVisibility() === true"
        )
        assert.strictEqual(await overflow(view), 0, name)
        await clean(view)
      }
    })
  }

  it("follows the host's own colours", async () => {
    const view = await open(forecast, {
      hostContext: {
        styles: { variables: { "--color-background-primary": "rgb(250, 240, 230)", "--font-sans": "serif" } }
      }
    })
    await view.until("getComputedStyle(document.body).backgroundColor === 'rgb(250, 240, 230)'")
    assert.strictEqual(await view.frame.evaluate("getComputedStyle(document.body).fontFamily"), "serif")
    await clean(view)
  })
})

describe("a document that is opened as a plain file", () => {
  it("says that there is no host and keeps standing", async () => {
    const path = join(tmpdir(), `mcp-gen-ui-${process.pid}.html`)
    await writeFile(path, await viewDocument({ tool: forecast }))
    const browser = await launchChromium()
    const page = await browser.newPage()
    await page.goto(pathToFileURL(path).href)
    await page.getByText("This page is not inside an MCP host").waitFor()
    await page.getByLabel("City").fill("Paris")
    await page.getByRole("button", { name: "Get forecast" }).click()
    await page.getByText("The call did not go through").waitFor()
    await page.close()
  })
})
