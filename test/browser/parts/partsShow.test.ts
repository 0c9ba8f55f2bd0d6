import { assert, describe, it } from "@effect/vitest"
import { openView, viewDocument, type OpenViewOptions, type View } from "../harness/index.ts"

const result = (data: unknown): Record<string, unknown> => ({ content: [{ type: "text", text: JSON.stringify(data) }] })

/** A red dot. */
const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=="

const withView = async (
  module: string,
  options: Omit<OpenViewOptions, "html">,
  use: (view: View) => Promise<void>
): Promise<void> => {
  const view = await openView({
    html: await viewDocument({
      module: `const { show, text, button, h, section, table } = globalThis.mcpGenUi.parts\n${module}`
    }),
    ...options
  })
  await use(view)
  assert.deepEqual(view.violations, [])
}

const content = (view: View): Promise<string | null> => view.frame.textContent(".mg-content")

const seen = (view: View, wanted: string): Promise<void> =>
  view.frame
    .locator(".mg-content")
    .filter({ hasText: new RegExp(`^${wanted.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`) })
    .waitFor({ timeout: 10_000 })
    .catch(async () => assert.strictEqual(await content(view), wanted))

describe("show", () => {
  it("draws each result with its data, arguments and context", () =>
    withView(
      `show((data, ctx) => text([data.n, ctx.args.q, ctx.theme, ctx.locale, ctx.timeZone, ctx.texts.length, ctx.json === data].join(" ")))`,
      {
        hostContext: { theme: "dark", locale: "de-DE", timeZone: "Europe/Oslo" },
        toolInput: { q: "oslo" },
        toolResult: result({ n: 1 })
      },
      async (view) => {
        await seen(view, "1 oslo dark de-DE Europe/Oslo 1 true")
        await view.send("sendToolResult", result({ n: 2 }))
        await seen(view, "2 oslo dark de-DE Europe/Oslo 1 true")
      }
    ))

  it("gives JSON after prose as data, a string when there is no JSON, and an empty object when there is nothing", () =>
    withView(
      `show((data) => text(typeof data + " " + JSON.stringify(data)))`,
      { toolResult: { content: [{ type: "text", text: 'Found it:\n{"a": 1}' }] } },
      async (view) => {
        await seen(view, 'object {"a":1}')
        await view.send("sendToolResult", { content: [{ type: "text", text: "Plain." }] })
        await seen(view, 'string "Plain."')
        await view.send("sendToolResult", { content: [] })
        await seen(view, "object {}")
      }
    ))

  it.each([
    { says: "above the content, unless placed", draws: `text("Done")`, order: ["FIGURE", "A file", "P"] },
    { says: "where the view places it", draws: `[text("Done"), ...ctx.media]`, order: ["P", "FIGURE", "A file"] },
    {
      says: "once, if the view draws it in its own way",
      draws: `[text("Done"), h("img", { src: "data:image/png;base64," + ctx.result.content[1].data, alt: "" }), h("a", { href: "https://example.com/a" }, "A")]`,
      order: ["P", "IMG", "A"]
    }
  ])("shows what a result has beside data: $says", ({ draws, order }) =>
    withView(
      `show((data, ctx) => ${draws})`,
      {
        toolResult: {
          content: [
            { type: "text", text: "Saved" },
            { type: "image", mimeType: "image/png", data: PIXEL },
            { type: "resource_link", uri: "https://example.com/a", name: "A file" }
          ]
        }
      },
      async (view) => {
        await view.frame.waitForSelector(".mg-content p")
        const told = view.frame
          .locator(".mg-content > *")
          .evaluateAll((nodes) =>
            nodes.map(
              (node) =>
                node.querySelector(".mg-file a")?.textContent ?? (node.querySelector("img") ? "FIGURE" : node.tagName)
            )
          )
        assert.deepEqual(await told, order)
        assert.deepEqual(await view.axe(), [])
      }
    )
  )

  it("shows a file of the result once, where the view places it", () =>
    withView(
      `show((data, ctx) => [text("Done"), ctx.media[0]])`,
      {
        toolResult: {
          content: [{ type: "resource", resource: { uri: "file:///a.bin", mimeType: "application/x-a", blob: "AAAA" } }]
        }
      },
      async (view) => {
        await view.frame.waitForSelector(".mg-content p")
        const order = view.frame.locator(".mg-content > *").evaluateAll((nodes) => nodes.map((node) => node.tagName))
        assert.deepEqual(await order, ["P", "DIV"])
      }
    ))

  it("waits, shows an error with a retry that calls the tool again, and the raw JSON", () => {
    let calls = 0
    return withView(
      `show((data) => text("n " + data.n), { form: "none" })`,
      {
        toolInput: { q: 1 },
        onCall: () => {
          calls++
          return result({ n: 5 })
        }
      },
      async (view) => {
        await view.frame.waitForSelector(".mg-skeleton")
        await view.send("sendToolResult", { isError: true, content: [{ type: "text", text: "Error: No such city" }] })
        await view.frame.waitForSelector("[role=alert]:not([hidden])")
        assert.include(await view.frame.textContent("[role=alert]:not([hidden])"), "No such city")
        assert.strictEqual(await view.frame.locator(".mg-skeleton").count(), 0)
        await view.frame.getByText("Raw JSON").click()
        await view.frame.getByText('"isError": true').waitFor()
        assert.deepEqual(await view.axe(), [])
        await view.frame.getByRole("button", { name: "Retry" }).click()
        await seen(view, "n 5")
        assert.strictEqual(calls, 1)
        assert.deepEqual(view.calls[0]?.arguments, { q: 1 })
        assert.strictEqual(await view.frame.locator("[role=alert]:not([hidden])").count(), 0)
      }
    )
  })

  it("calls this and other tools, says, opens and draws again", () =>
    withView(
      `show((data, ctx) => [
        text("n " + data.n),
        button("Again", () => ctx.call({ page: 2 })),
        button("Other", async () => { const more = await ctx.call("other", { id: 9 }); ctx.update({ n: more.n }) }),
        button("Broken", () => ctx.call("broken", {})),
        button("Say", () => ctx.say("hello")),
        button("Open", () => { ctx.open("https://example.org/"); ctx.open("javascript:alert(1)"); ctx.open("file:///etc/passwd") })
      ], { form: "none" })`,
      {
        toolInput: {},
        toolResult: result({ n: 1 }),
        onCall: (params, method) => {
          if (method !== "tools/call") return {}
          if (params.name === "broken") return { isError: true, content: [{ type: "text", text: "Not today" }] }
          return result({ n: params.name === "other" ? 9 : 2 })
        }
      },
      async (view) => {
        const press = (name: string): Promise<void> => view.frame.getByRole("button", { name }).click()
        await view.frame.getByText("n 1").waitFor()
        await press("Again")
        await view.frame.getByText("n 2").waitFor()
        await press("Other")
        await view.frame.getByText("n 9").waitFor()
        await press("Broken")
        await view.frame.getByText("Not today").waitFor()
        await press("Say")
        await view.requested("ui/message")
        await press("Open")
        await view.requested("ui/open-link")
        assert.deepEqual(
          view.calls.map(({ name, arguments: args }) => [name, args]),
          [
            ["get_weather", { page: 2 }],
            ["other", { id: 9 }],
            ["broken", {}]
          ]
        )
        const others = view.requests.filter(({ method }) => method !== "tools/call").map(({ params }) => params)
        assert.deepEqual(others, [
          { role: "user", content: [{ type: "text", text: "hello" }] },
          { url: "https://example.org/" }
        ])
      }
    ))

  it("shows the result by itself when render returns nothing, unless the page's code drew it elsewhere", async () => {
    await withView(
      `show(() => {})`,
      { toolInput: {}, toolResult: result({ rows: [{ a: 1 }, { a: 2 }] }) },
      async (view) => {
        await view.frame.locator(".mg-content tbody tr").nth(1).waitFor()
        assert.deepEqual(await view.axe(), [])
      }
    )
    await withView(
      `const out = h("p", { id: "out" }); document.body.prepend(out)
      show((data) => { out.textContent = "rows " + data.rows.length })`,
      { toolInput: {}, toolResult: result({ rows: [{ a: 1 }, { a: 2 }] }) },
      async (view) => {
        await view.frame.getByText("rows 2").waitFor()
        assert.strictEqual(await view.frame.locator(".mg-content table").count(), 0)
      }
    )
  })

  it("selects, saves and copies through the host", () =>
    withView(
      `show((data, ctx) => [
        button("Select", () => ctx.select(data.rows, "cities")),
        button("Save", () => ctx.download("cities.csv", "a,b")),
        button("Save data", () => ctx.download("cities.json", data)),
        button("Save bytes", () => ctx.download("cities.bin", new Uint8Array([0, 1]), "application/x-cities")),
        button("Copy", () => ctx.copy(data).then(() => document.body.dataset.copied = ""))
      ], { form: "none" })`,
      { toolInput: {}, toolResult: result({ rows: [{ a: 1 }] }), onCall: () => ({}) },
      async (view) => {
        for (const name of ["Select", "Save", "Save data", "Save bytes", "Copy"])
          await view.frame.getByRole("button", { name, exact: true }).click()
        const [context] = await view.requested("ui/update-model-context")
        assert.deepInclude(context?.structuredContent, { noun: "cities", count: 1, items: [{ a: 1 }] })
        const saved = await view.requested("ui/download-file", 3)
        assert.deepEqual(
          saved.map(({ contents }) => contents),
          [
            { uri: "file:///cities.csv", mimeType: "text/csv", text: "a,b" },
            {
              uri: "file:///cities.json",
              mimeType: "application/json",
              text: JSON.stringify({ rows: [{ a: 1 }] }, null, 2)
            },
            { uri: "file:///cities.bin", mimeType: "application/x-cities", blob: "AAE=" }
          ].map((resource) => [{ type: "resource", resource }])
        )
        await view.frame.locator("body[data-copied]").waitFor({ state: "attached" })
      }
    ))

  it("draws again for another place, and keeps its data", () =>
    withView(
      `show((data, ctx) => text(data.n + " " + ctx.locale + " " + ctx.timeZone))`,
      { toolInput: {}, toolResult: result({ n: 1 }) },
      async (view) => {
        await seen(view, "1 en-GB UTC")
        await view.changeContext({ timeZone: "Asia/Tokyo" })
        await seen(view, "1 en-GB Asia/Tokyo")
      }
    ))

  it("says when a call did not happen, with Retry, and keeps what was shown", () => {
    let turn = 0
    return withView(
      `show((data, ctx) => [text("n " + data.n), button("More", () => ctx.call({ page: 2 }).catch(() => {}))])`,
      {
        toolInput: {},
        toolResult: result({ n: 1 }),
        onCall: () => {
          if (turn++ === 0) throw new Error("upstream is gone")
          return result({ n: 2 })
        }
      },
      async (view) => {
        await view.frame.getByRole("button", { name: "More" }).click()
        await view.frame.getByText("The call did not go through").waitFor()
        assert.include((await view.frame.getByRole("alert").first().textContent()) ?? "", "upstream is gone")
        assert.isTrue(await view.frame.getByText("n 1").isVisible())
        await view.frame.getByRole("button", { name: "Retry" }).click()
        await view.frame.getByText("n 2").waitFor()
        assert.deepEqual(view.calls[1]?.arguments, { page: 2 })
        assert.strictEqual(await view.frame.getByRole("alert").count(), 0)
      }
    )
  })

  it("polls while the view is on screen, one round at a time, and cleans up before it draws again", () =>
    withView(
      `globalThis.log = []
      show((data, ctx) => {
        ctx.onCleanup(() => log.push("clean " + data.n))
        if (data.n < 3) ctx.every(1, () => { log.push("tick " + data.n); return ctx.update({ n: data.n + 1 }) })
        return text("n " + data.n)
      }, { form: "none" })`,
      { toolResult: result({ n: 1 }) },
      async (view) => {
        await seen(view, "n 3")
        assert.deepEqual(await view.frame.evaluate("log"), ["tick 1", "clean 1", "tick 2", "clean 2"])
      }
    ))

  it("ends timers and cleanup hooks when the basic view takes over, also those that come late", () =>
    withView(
      `globalThis.log = []
      let finish
      show((data, ctx) => {
        ctx.onCleanup(() => log.push("clean"))
        ctx.every(1, async () => {
          log.push("tick")
          await new Promise((done) => { finish = done })
          ctx.update({ n: 2 })
          ctx.onCleanup(() => log.push("late clean"))
          ctx.every(1, () => log.push("late tick"))
        })
        return [text("n " + data.n), button("Fail", () => { queueMicrotask(() => { throw new Error("broken") }) })]
      }, { form: "none" })
      globalThis.finish = () => finish()`,
      { hasClock: true, toolResult: result({ n: 1 }) },
      async (view) => {
        await view.until("log.includes('tick')")
        await view.frame.getByRole("button", { name: "Fail" }).click()
        await view.frame.getByText("The view made for this failed").waitFor()
        await view.frame.evaluate("finish()")
        await view.page.clock.runFor(1_500)
        await view.settle()
        assert.deepEqual(await view.frame.evaluate("log"), ["tick", "clean", "late clean"])
        assert.strictEqual(await view.frame.getByText("n 2").count(), 0)
      }
    ))

  it("gives way to the built-in view where it cannot draw the result", () =>
    withView(
      `show((data) => data.missing.member)`,
      { toolInput: {}, toolResult: result({ rows: [{ a: 1 }, { a: 2 }] }) },
      async (view) => {
        await view.frame.getByText("The view made for this failed").waitFor()
        await view.frame.getByRole("region", { name: "Result" }).getByRole("table").waitFor()
        assert.strictEqual(await view.frame.locator("tbody tr").count(), 2)
      }
    ))

  it("draws what a promise brings, and drops it when a newer result came first", () =>
    withView(
      `const waits = {}
      globalThis.finish = (n) => waits[n]()
      show((data) => new Promise((done) => {
        waits[data.n] = () => done(text("n " + data.n))
        document.body.dataset.waits = Object.keys(waits).join("")
      }))`,
      { toolResult: result({ n: 1 }) },
      async (view) => {
        await view.frame.waitForSelector("body[data-waits='1']")
        await view.send("sendToolResult", result({ n: 2 }))
        await view.frame.waitForSelector("body[data-waits='12']")
        await view.frame.evaluate("finish(2)")
        await seen(view, "n 2")
        await view.frame.evaluate("finish(1)")
        assert.strictEqual(await content(view), "n 2")
      }
    ))

  it("has the form folded unless told, open, or not at all", async () => {
    const schema = { inputSchema: { type: "object", properties: { city: { type: "string" } } } }
    for (const form of ["collapsed", "open"]) {
      const view = await openView({
        html: await viewDocument({
          tool: schema,
          module: `globalThis.mcpGenUi.parts.show(() => "x", { form: "${form}" })`
        })
      })
      await view.frame.getByText("The result will appear here.").waitFor()
      assert.strictEqual(await view.frame.getByLabel("city").isVisible(), form === "open", form)
    }
    for (const form of ["collapsed", "open"]) {
      const view = await openView({
        html: await viewDocument({
          tool: schema,
          module: `globalThis.mcpGenUi.parts.show((data) => "n " + data.n, { form: "${form}" })`
        }),
        toolInput: { city: "Paris" },
        toolResult: result({ n: 1 }),
        onCall: () => result({ n: 2 })
      })
      await seen(view, "n 1")
      const city = view.frame.getByLabel("city")
      if (form === "collapsed") await view.frame.getByRole("button", { name: "Edit input" }).click()
      assert.strictEqual(await city.inputValue(), "Paris")
      await city.fill("Rome")
      await city.press("Enter")
      await seen(view, "n 2")
      assert.deepEqual(view.calls[0]?.arguments, { city: "Rome" })
      assert.strictEqual(await city.isVisible(), form === "open", form)
      assert.strictEqual(await view.frame.getByRole("button", { name: "Edit input" }).isVisible(), form !== "open")
      if (form === "open") assert.strictEqual(await city.inputValue(), "Rome")
    }
    await withView(`show(() => "x", { form: "none" })`, { toolInput: {}, toolResult: result({}) }, async (view) => {
      await seen(view, "x")
      assert.strictEqual(await view.frame.locator("form").count(), 0)
    })
  })

  it("puts buttons that follow each other into a row", () =>
    withView(
      `show(() => [button("One"), button("Two"), text("Between"), button("Three")])`,
      { toolResult: result({ n: 1 }) },
      async (view) => {
        await view.frame.waitForSelector(".mg-content .mg-text")
        assert.deepEqual(await view.frame.locator(".mg-content > .mg-row").allTextContents(), ["OneTwo", "Three"])
      }
    ))

  it.each([
    {
      says: "the exact values of a record, not those that the view shows in another way of writing",
      data: {
        count: 1234567,
        at: "2026-01-05T10:00:00Z",
        id: "a1b2-c3d4",
        message: "Saved.",
        hint: "Applied before chart-mode defaults.",
        note: "Done",
        empty: "",
        width: 12.5,
        lines: "a/b.txt\nsee",
        of: [{ type: "x1" }],
        some: [{ type: "y1" }, { type: "y2" }]
      },
      view: `[text("1,234,567 things"), text("DONE")]`,
      left: ["At", "5 Jan 2026, 10:00", "ID", "a1b2-c3d4", "Type", "x1"]
    },
    {
      says: "paths and lines of code of a text",
      data: "Page URL: http://a.test/\n- [Snapshot](out/page-1.yml)\n```js\nawait page.click()\n```",
      view: `text("http://a.test/ was clicked")`,
      left: ["Snapshot", "out/page-1.yml", "Code", "await page.click()"]
    },
    {
      says: "no version, no moment that it words in another way and no address that it links",
      data: { version: "1.4.12", host: "10.0.0.1", made: "2026-01-05T10:00:00Z", page: "https://a.test/x-1" },
      view: `[text("Made on 5 Jan 2026"), h("a", { href: "https://a.test/x-1" }, "page")]`,
      left: ["Host", "10.0.0.1"]
    },
    { says: "nothing of a long list", data: { rows: [1, 2, 3, 4].map((id) => ({ id: `row-${id}` })) }, left: [] },
    {
      says: "nothing of an answer with many values, though one is exact",
      data: { path: "a/b.txt", ...Object.fromEntries(Array.from({ length: 45 }, (_, at) => [`m${at}`, "short"])) },
      left: []
    },
    {
      says: "nothing that a line may hold which is still folded",
      data: { id: "a1b2-c3d4", state: "open" },
      view: `[text("Short"), section("More", () => text("a1b2-c3d4"))]`,
      left: []
    },
    {
      says: "nothing where the view has chosen from much",
      data: Object.fromEntries("abcdefghi".split("").map((name) => [name, `value of ${name}`])),
      left: []
    }
  ])("leaves below a view $says", ({ data, left, view: drawn = `text("Short")` }) =>
    withView(
      `show(() => ${drawn})`,
      { toolResult: typeof data === "string" ? { content: [{ type: "text", text: data }] } : result(data) },
      async (view) => {
        await view.frame.waitForSelector(".mg-content .mg-text")
        assert.deepEqual(await view.frame.locator(".mg-untold > *").allTextContents(), left)
        assert.deepEqual(await view.axe(), [])
      }
    )
  )
})
