import { assert, describe, it } from "@effect/vitest"
import { writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { button, clean, days, every, forecast, open, overflow, text } from "./builtinPage.ts"
import type { Options } from "./builtinPage.ts"
import { newContext, viewDocument } from "../harness/index.ts"

describe("the document", () => {
  it("is under 125 kB with the whole built-in UI: hosts take 5 MB for the documents of all tools together", async () => {
    const html = await viewDocument({ tool: forecast })
    assert.isBelow(Buffer.byteLength(html), 125_000)
  })
})

describe("a call", () => {
  it("shows the input calmly while the model types it, then runs, then shows the result", async () => {
    const view = await open(forecast)
    await view.send("sendToolInputPartial", { arguments: { city: "Par" } })
    await view.frame.getByText("Preparing the call…").waitFor()
    assert.include(await view.frame.locator(".mg-call").innerText(), "Par")
    await view.send("sendToolInput", { arguments: { city: "Paris" } })
    await view.frame.getByText("Running Get forecast…").waitFor()
    await view.send("sendToolResult", days)
    await view.frame.getByRole("cell", { name: "7" }).waitFor()
    assert.strictEqual(await view.frame.getByText("Running Get forecast…").count(), 0)
    await clean(view)
  })

  for (const width of [320, 720]) {
    it(`can be read with the keyboard alone while it runs, however much is sent (${width} wide)`, async () => {
      const view = await open(forecast, { width, hasClock: true })
      const names = Array.from({ length: 60 }, (_, index) => `argument_${index}`)
      const args = Object.fromEntries(names.map((name) => [name, "some words of it ".repeat(30)]))
      await view.send("sendToolInputPartial", { arguments: args })
      await view.frame.getByText("Preparing the call…").waitFor()
      assert.deepStrictEqual(await view.axe(), [])
      await view.send("sendToolInput", { arguments: args })
      await view.frame.getByText("Running Get forecast…").waitFor()
      assert.deepStrictEqual(await view.axe(), [])
      // A value has three lines, however low the list is.
      assert.isAbove((await view.frame.locator(".mg-sent dd").first().boundingBox())?.height ?? 0, 50)
      await view.page.clock.runFor(6_000)
      await view.frame.getByText("Still running").waitFor()
      assert.deepStrictEqual(await view.axe(), [])
      await clean(view)
    })
  }

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
    assert.strictEqual(await button(view, "Retry").count(), 1)
    assert.strictEqual(await view.frame.getByRole("alert").getByRole("button", { name: "Retry" }).count(), 1)
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
  })

  it("keeps the rows of arguments that arrive, and what was sent stays while it runs", async () => {
    const view = await open(forecast)
    const partial = (args: Record<string, unknown>): Promise<void> =>
      view.send("sendToolInputPartial", { arguments: args })
    const sent = view.frame.locator(".mg-sent")
    await partial({ city: "Pa" })
    await sent.getByText("Pa", { exact: true }).waitFor()
    await view.frame.evaluate("globalThis.row = document.querySelector('.mg-sent dd')")
    await partial({ city: "Paris", kinds: ["ra"] })
    await sent.getByText("ra", { exact: true }).waitFor()
    await view.send("sendToolInput", { arguments: { city: "Paris", kinds: ["rain"] } })
    await sent.getByText("rain", { exact: true }).waitFor()
    assert.isTrue(await view.frame.evaluate("row.isConnected && row.textContent === 'Paris'"))
    assert.strictEqual(await button(view, "Get forecast").count(), 0)

    // What is late says nothing new: not before the result, not after it.
    await partial({ city: "Lond" })
    await view.send("sendToolResult", { structuredContent: { ok: 1 }, content: [] })
    await partial({ city: "Londo" })
    await view.frame.locator(".mf-line").getByText("Paris").waitFor()
    assert.notInclude(await view.frame.locator("body").innerText(), "Lond")
    await clean(view)
  })

  it("shows no secret of the arguments in any state, and sends it all the same", async () => {
    const inputSchema = { type: "object", properties: { city: { type: "string" }, api_key: { type: "string" } } }
    const args = { city: "Paris", api_key: "hunter2" }
    const view = await open({ name: "keyed", inputSchema }, { onCall: () => Promise.reject(new Error("refused")) })
    const isShown = (): Promise<boolean> =>
      view.frame.evaluate("document.documentElement.outerHTML.includes('hunter2')")
    await view.send("sendToolInputPartial", { arguments: args })
    await view.frame.locator(".mg-sent").getByText("••••").waitFor()
    await view.send("sendToolInput", { arguments: args })
    await view.send("sendToolResult", { structuredContent: { items: [] }, content: [] })
    await view.frame.locator(".mf-summary").getByText("••••").waitFor()
    assert.isFalse(await isShown())
    await view.send("sendToolResult", { isError: true, ...text("No such place") })
    await view.frame.getByText("What was sent").click()
    await view.frame.getByRole("alert").locator("dd", { hasText: "••••" }).waitFor()
    assert.isFalse(await isShown())
    await button(view, "Retry").click()
    await view.frame.getByText("The call did not go through").waitFor()
    assert.isFalse(await isShown())
    assert.deepStrictEqual(view.calls[0]?.arguments, args)
  })

  it("keeps the selection when another locale draws the rows anew", async () => {
    const view = await open(forecast)
    const rows = ["a", "b"].map((name) => ({ name, high: 1.5 }))
    await view.send("sendToolInput", { arguments: { city: "Paris" } })
    await view.send("sendToolResult", { structuredContent: { rows }, content: [] })
    await view.frame.getByRole("checkbox").nth(1).check()
    await view.requested("ui/update-model-context")
    await view.changeContext({ locale: "de-DE" })
    await view.frame.getByText("1,5").first().waitFor()
    const told = await view.requested("ui/update-model-context", 2)
    assert.notInclude(JSON.stringify(told[1]), "Nothing is selected")
    assert.isTrue(await view.frame.getByRole("checkbox").nth(1).isChecked())
  })

  it("does not take the form away from a person who is in it", async () => {
    const view = await open(forecast)
    await view.frame.getByLabel("City").fill("Ro")
    await view.send("sendToolInput", { arguments: { city: "Paris" } })
    await view.frame.getByText("Running Get forecast…").waitFor()
    assert.strictEqual(await view.frame.getByLabel("City").inputValue(), "Ro")
    assert.isTrue(await view.frame.getByLabel("City").isVisible())
  })

  it("again leaves the old result where it is, dimmed, and puts the focus on the new one", async () => {
    const { promise: answer, resolve } = Promise.withResolvers<unknown>()
    const view = await open(forecast, {
      toolInput: { city: "Paris" },
      toolResult: { isError: true, ...text("No such place") },
      onCall: () => answer
    })
    await button(view, "Retry").waitFor()
    const top = (): Promise<number> =>
      view.frame.evaluate("document.querySelector('section[aria-label=Result]').getBoundingClientRect().top")
    const before = await top()
    await button(view, "Retry").focus()
    await button(view, "Retry").press("Enter")
    await view.frame.locator("section[aria-label=Result][aria-busy=true]").waitFor()
    assert.strictEqual(await top(), before)
    assert.isTrue(await view.frame.getByText("No such place").isVisible())
    assert.isTrue(await view.frame.getByRole("progressbar", { name: "Progress" }).isVisible())
    assert.deepStrictEqual(await view.axe(), [])
    resolve(days)
    await view.frame.getByRole("cell", { name: "7" }).waitFor()
    assert.strictEqual(await view.frame.locator("[aria-busy=true]").count(), 0)
    assert.strictEqual(await view.frame.evaluate("document.activeElement.getAttribute('aria-label')"), "Result")
    await clean(view)
  })

  it("that is slow says how long it has run, can be cancelled, and leaves the old result", async () => {
    const view = await open(forecast, {
      hasClock: true,
      toolInput: { city: "Paris" },
      toolResult: { isError: true, ...text("No such place") },
      onCall: () => new Promise(() => undefined)
    })
    await button(view, "Retry").click()
    await view.requested("tools/call")
    assert.strictEqual(await view.frame.getByText("Still running").count(), 0)
    assert.isFalse(await view.frame.locator(".mg-call").getByRole("button", { name: "Cancel" }).isVisible())
    await view.page.clock.fastForward(12_400)
    await view.frame.getByText("Still running").waitFor()
    assert.match(await view.frame.locator(".mg-call-line").innerText(), /^Still running\s*·\s1[2-9]\ss/)
    assert.deepStrictEqual(await view.axe(), [])
    await view.frame.locator(".mg-call").getByRole("button", { name: "Cancel" }).click()
    await view.requested("notifications/cancelled")
    await view.frame.getByText("The call was cancelled.").waitFor()
    assert.isTrue(await view.frame.getByText("No such place").isVisible())
    assert.strictEqual(await view.frame.getByText("Still running").count(), 0)
    await clean(view)
  })

  it("of the host that is slow says so, with nothing to cancel", async () => {
    const view = await open(forecast, { hasClock: true, toolInput: { city: "Paris" } })
    await view.frame.getByText("Running Get forecast…").waitFor()
    await view.page.clock.fastForward(6_000)
    await view.frame.getByText("Still running").waitFor()
    assert.strictEqual(await button(view, "Cancel").count(), 0)
    await clean(view)
  })

  it("that did not go through keeps the old result, says what may be wrong and what was sent", async () => {
    const view = await open(forecast, {
      toolInput: { city: "Paris" },
      toolResult: days,
      onCall: () => {
        throw new Error("not here")
      }
    })
    await button(view, "Run again").click()
    const alert = view.frame.getByRole("alert").first()
    await alert.getByText("The call did not go through").waitFor()
    assert.include(await alert.innerText(), "not here")
    assert.include(await alert.innerText(), "may be lost")
    assert.isTrue(await view.frame.getByRole("cell", { name: "7" }).isVisible())
    await clean(view)
  })

  it("is drawn again for another place, and not for another theme", async () => {
    const view = await open(forecast, {
      toolInput: { city: "Paris" },
      toolResult: {
        content: [],
        structuredContent: {
          rows: [
            { at: "2026-01-01T23:30:00Z", n: 1234.5 },
            { at: "2026-01-02T23:30:00Z", n: 2 }
          ]
        }
      }
    })
    await view.frame.getByRole("cell", { name: /23:30/ }).first().waitFor()
    await view.frame.evaluate("document.querySelector('tbody').dataset.same = ''")
    await view.changeContext({ theme: "dark" })
    await view.until("document.documentElement.dataset.theme === 'dark'")
    assert.strictEqual(await view.frame.locator("tbody[data-same]").count(), 1)
    await view.changeContext({ timeZone: "Asia/Tokyo", locale: "de-DE" })
    await view.frame
      .getByRole("cell", { name: /08:30|8:30/ })
      .first()
      .waitFor()
    await view.frame.getByRole("cell", { name: "1.234,5" }).waitFor()
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
    await view.frame.getByRole("note").locator("summary").click()
    await view.frame.getByRole("note").getByText(probe).waitFor()
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
    const note = view.frame.getByRole("note")
    await note.getByText("The generated view was not ready in time; this is the standard view.").waitFor()
    assert.isFalse(await view.frame.getByText("The model was too slow").isVisible())
    await note.getByText("Details").click()
    await view.frame.getByText("The model was too slow").waitFor()
    await button(view, "Dismiss").click()
    assert.strictEqual(await note.count(), 0)
    await view.send("sendToolResult", days)
    await view.frame.getByRole("cell", { name: "7" }).waitFor()
    assert.strictEqual(await note.count(), 0)
    await clean(view)
  })
})

describe("without a model", () => {
  it("is the normal view and says nothing about it", async () => {
    const view = await open(forecast, {
      data: { fallback: { code: "NO_MODEL", message: "No language model is set up", transient: false } }
    })
    await button(view, "Get forecast").waitFor()
    assert.strictEqual(await view.frame.getByRole("note").count(), 0)
    assert.notInclude(await view.frame.locator("main").innerText(), "model")
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
          "[...document.querySelectorAll('form, .mf-line button')].some((element) => element.checkVisibility())"
        )
        assert.strictEqual(await overflow(view), 0, name)
        await clean(view)
      }
    })
  }

  it("follows the host's own colours", async () => {
    const view = await open(forecast, {
      hostContext: {
        styles: {
          variables: {
            "--color-background-primary": "rgb(250, 240, 230)",
            "--color-text-primary": "rgb(20, 20, 20)",
            "--font-sans": "serif"
          }
        }
      }
    })
    await view.until(`(() => {
      const color = getComputedStyle(document.body).backgroundColor
      const parts = color.match(/\\d[\\d.]*/g).map((part) => Math.round(part * (color.startsWith("color(") ? 255 : 1)))
      return parts.join() === "250,240,230"
    })()`)
    assert.strictEqual(await view.frame.evaluate("getComputedStyle(document.body).fontFamily"), "serif")
    await clean(view)
  })
})

describe("a document that is opened as a plain file", () => {
  it("says that there is no host and keeps standing", async () => {
    const path = join(tmpdir(), `mcp-gen-ui-${process.pid}.html`)
    await writeFile(path, await viewDocument({ tool: forecast }))
    const page = await (await newContext()).newPage()
    await page.goto(pathToFileURL(path).href)
    await page.getByText("This page is not inside an MCP host").waitFor()
    await page.getByLabel("City").fill("Paris")
    await page.getByRole("button", { name: "Get forecast" }).click()
    await page.getByText("The call did not go through").waitFor()
  })
})
