import { assert, describe, it } from "@effect/vitest"
import { withPage } from "./partsPage.ts"
import { everything, structured, texts, view, withSession } from "./resultsPage.ts"

const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

const days = [1, 2, 3, 4].map((day) => ({ date: `2025-11-0${day}`, sold: day * 2, left: day }))

describe("records", () => {
  it("are a table, with a chart where there is one, and the raw JSON", () =>
    withPage(async (page) => {
      await page.show(view(texts(JSON.stringify({ city: "Oslo", days }))))
      assert.deepEqual(await page.page.getByRole("tab").allTextContents(), ["Table", "Chart"])
      assert.strictEqual(await page.page.locator("tbody tr").count(), 4)
      assert.include(await page.page.getByRole("tabpanel").textContent(), "Oslo")
      await page.page.getByRole("tab", { name: "Chart" }).click()
      assert.strictEqual(await page.page.getByRole("img", { name: "Sold, Left by date" }).count(), 1)
      await page.page.getByText("Raw JSON").click()
      assert.include(await page.page.locator(".mg-result-raw pre").textContent(), '"type": "text"')
    }))

  it("have the labels of the output schema", () =>
    withPage(async (page) => {
      const outputSchema = { properties: { rows: { items: { properties: { t: { title: "Temperature" } } } } } }
      await page.show(view(structured({ rows: [{ t: 1 }, { t: 2 }] }), { outputSchema }))
      assert.strictEqual(await page.page.getByRole("columnheader").textContent(), "Temperature")
    }))

  it("stand under tabs when an object has several long lists", () =>
    withPage(async (page) => {
      const users = Array.from({ length: 12 }, (_, id) => ({ id, name: `User ${id}` }))
      await page.show(view(structured({ total: 14, users, groups: users.slice(0, 2) })))
      assert.deepEqual(await page.page.getByRole("tab").allTextContents(), ["Users 12", "Groups 2"])
      await page.page.getByRole("tab", { name: "Groups 2" }).click()
      assert.strictEqual(await page.page.getByRole("row").count(), 3)
    }))

  it("are a tree when they nest, with what nodes say beside their names", () =>
    withPage(async (page) => {
      const files = [{ name: "src", type: "dir", size: 0, children: [{ name: "a.ts", type: "file", size: 1200 }] }]
      await page.show(view(structured({ content: JSON.stringify(files) })))
      assert.include(await page.page.locator(".mg-tree").textContent(), "a.ts 1,200")
    }))

  it("can be chosen, and the model hears of it; copy and download take what is on screen", () =>
    withPage(async (page) => {
      await withSession(page)
      await page.show(view(structured({ days, total: 4 })))
      await page.page.locator("tbody").getByRole("checkbox").first().check()
      assert.deepEqual(await page.run("asked.selections.at(-1).items"), [days[0]])
      await page.page.getByRole("button", { name: "Download", exact: true }).click()
      await page.page.getByRole("button", { name: "Copy", exact: true }).click()
      await page.show(view(structured({ a: 1, b: "x" })))
      await page.page.getByRole("button", { name: "Download", exact: true }).click()
      const files = await page.run<ReadonlyArray<{ name: string; text: string }>>("asked.downloads")
      assert.match(files[0]?.name ?? "", /^list-orders\.csv$/)
      assert.include(files[0]?.text, "2025-11-01,2,1\r\n")
      assert.match(files[1]?.name ?? "", /\.json$/)
      assert.deepEqual(JSON.parse(files[1]?.text ?? ""), { a: 1, b: "x" })
      assert.include(await page.run<string>("asked.copies[0]"), "2025-11-01\t2\t1")
    }))

  it("have a next page where the answer and the input schema know of cursors", () =>
    withPage(async (page) => {
      await withSession(page)
      const next = async (rest: Record<string, unknown>, args: Record<string, unknown>): Promise<unknown> => {
        await page.show(view(structured({ days, ...rest }), { args }))
        const button = page.page.getByRole("button", { name: "Next page" })
        if ((await button.count()) === 0) return undefined
        await button.click()
        return page.run("asked.calls.at(-1)")
      }
      assert.deepEqual(await next({ next_cursor: "c2", total: 9 }, { q: "x" }), { q: "x", cursor: "c2" })
      assert.deepEqual(await next({ pageInfo: { endCursor: "c3" } }, {}), { cursor: "c3" })
      assert.isUndefined(await next({ next_cursor: null, total: 9 }, {}))
    }))
})

describe("one record", () => {
  it("has its name as a title, its state beside it, then facts, text and lists", () =>
    withPage(async (page) => {
      const issue = {
        id: 17,
        title: "Fix the login",
        status: "open",
        description: "# Steps\n\n1. Open the page\n2. Press *Log in* and wait for the answer",
        labels: ["bug"],
        comments: [{ author: "Alan" }, { author: "Bea" }],
        parent: null
      }
      await page.show(view(structured(issue)))
      assert.strictEqual(await page.page.getByRole("heading", { name: "Fix the login" }).count(), 1)
      assert.strictEqual(await page.page.locator(".mg-record-head .mg-badge").textContent(), "open")
      assert.strictEqual(await page.page.getByRole("heading", { name: "Steps" }).count(), 1)
      assert.strictEqual(await page.page.getByRole("row").count(), 3)
      assert.notInclude(await page.page.locator("main").textContent(), "Parent")
    }))

  it("says how it went, without what says so twice", () =>
    withPage(async (page) => {
      const done = { success: true, message: "Issue created", key: "ABC-1" }
      await page.show(view(structured(done, "Issue created")))
      assert.strictEqual(await page.page.locator(".mg-hero.mg-success").textContent(), "Issue created")
      assert.deepEqual(await page.page.locator("dt").allTextContents(), ["Key"])
      assert.strictEqual(await page.page.getByText("Issue created").count(), 1)
      await page.show(view(structured({ ok: true, data: { path: "a.md", size: 2 } }, "Read Note succeeded.")))
      assert.deepEqual(await page.page.locator("dt").allTextContents(), ["Path", "Size"])
      await page.show(view(texts('{"error": "Template 1 not found", "tip": "Search first"}')))
      assert.strictEqual(await page.page.getByRole("alert").textContent(), "Template 1 not found")
      assert.deepEqual(await page.page.locator("dt").allTextContents(), ["Tip"])
    }))
})

describe("text beside structured content", () => {
  it("is kept where it adds something, and waits under a tab where it is long", () =>
    withPage(async (page) => {
      await page.show(view(structured({ high: 12, low: 4 }, "Take an umbrella: showers after noon.")))
      assert.include(await page.page.locator("main").textContent(), "Take an umbrella")
      await page.show(view(structured({ rows: days }, "| Date | Sold | Left |\n|---|---|---|\n| 2025-11-01 | 2 | 1 |")))
      assert.strictEqual(await page.page.locator("table").count(), 1)
      await page.page.getByText("Text", { exact: true }).click()
      await page.page.locator(".mg-result-raw table").waitFor()
      assert.strictEqual(await page.page.locator(".mg-result-raw").getByRole("row").count(), 2)
    }))

  it("is the result where it has JSON in it, with all the words around", () =>
    withPage(async (page) => {
      await page.show(view(texts('Found it.\n{"a": 1, "b": "x"}', "<svg xmlns='http://www.w3.org/2000/svg'></svg>")))
      const said = await page.page.locator("main").textContent()
      assert.include(said, "Found it.")
      assert.deepEqual(await page.page.locator("dt").allTextContents(), ["A", "B"])
      assert.strictEqual(await page.page.locator("img").count(), 1)
    }))
})

describe("a failed result", () => {
  it("shows the message, all of the rest, what was sent, and can be copied", () =>
    withPage(async (page) => {
      await withSession(page)
      const failed = {
        isError: true,
        ...structured({ error: { message: "Quota exceeded", code: 4 } }, "E4: Quota exceeded")
      }
      await page.show(view(failed, { args: { city: "Oslo" } }))
      const box = page.page.getByRole("alert")
      assert.include(await box.textContent(), "The tool reported an errorQuota exceeded")
      await box.getByText("Details", { exact: true }).click()
      await box.getByText('"code": 4').waitFor()
      await box.getByText("What was sent").click()
      await box.getByText("Oslo").waitFor()
      await box.getByRole("button", { name: "Copy details" }).click()
      assert.match(await page.run<string>("asked.copies[0]"), /Quota exceeded[^]*"code": 4[^]*"city": "Oslo"/)
      await page.show(view({ isError: true, ...texts("MCP error -32602: City not found") }))
      assert.include(await box.textContent(), "City not found")
      assert.strictEqual(await box.getByText("Details", { exact: true }).count(), 0)
    }))
})

describe("an empty result", () => {
  it.each([
    [{ content: [] }, "No results."],
    [undefined, "No results."],
    [structured({}), "The answer is empty."],
    [texts("[]"), "No results."],
    [texts("null"), "The answer is empty."],
    [structured({ content: "" }, ""), "The answer is empty."],
    [texts("No matches found"), "No matches found"],
    [texts('Type "Nope" not found'), 'Type "Nope" not found'],
    [structured({ items: [], total: 0, query: "zzz" }), "No items."],
    [structured({ users: [], groups: [], has_more: false }), "No users, no groups."]
  ])("of %j says %s", (result, said) =>
    withPage(async (page) => {
      await page.show(view(result, { args: { query: "zzz" } }))
      assert.strictEqual(await page.page.locator(".mg-nothing").textContent(), said)
    })
  )

  it.each([
    ["list_orders", "No orders."],
    ["update_order", "Done"],
    ["get_address", "No results."]
  ])("of the tool %s says %s", (name, said) =>
    withPage(async (page) => {
      await withSession(page, `tool: { name: "${name}", inputSchema: {} }`)
      await page.show(view(texts("[]")))
      assert.strictEqual(await page.page.locator(".mg-nothing, .mg-hero").textContent(), said)
    })
  )

  it("is told from one whose members are merely blank", () =>
    withPage(async (page) => {
      await page.show(view(structured({ thought: 1, of: "many things", branches: [] })))
      assert.strictEqual(await page.page.locator(".mg-nothing").count(), 0)
      assert.deepEqual(await page.page.locator("dt").allTextContents(), ["Thought", "Of"])
    }))
})

describe("content", () => {
  it("is shown by its kind: pictures, sound, files, links, texts, and what is not known", () =>
    withPage(async (page) => {
      const content = [
        { type: "image", data: png, mimeType: "image/png" },
        { type: "audio", data: "UklGRg==", mimeType: "audio/wav" },
        { type: "resource_link", uri: "https://example.org/report", name: "Report", mimeType: "text/html", size: 1234 },
        { type: "resource", resource: { uri: "file:///n.md", mimeType: "text/markdown", text: "# Note" } },
        { type: "resource", resource: { uri: "file:///d.csv", mimeType: "text/csv", text: "x,y\n1,2\n3,4" } },
        { type: "resource", resource: { uri: "file:///r.pdf", blob: "JVBERi0xLjQK" } },
        { type: "hologram", beam: 1 }
      ]
      await page.show(view({ content }, { toolTitle: "Camera" }))
      assert.strictEqual(await page.page.getByRole("img", { name: "Picture 1 from Camera" }).count(), 1)
      await page.page.getByText("1 × 1, image/png").waitFor()
      assert.strictEqual(await page.page.locator("audio").count(), 1)
      assert.strictEqual(
        await page.page.getByRole("link", { name: "Report" }).getAttribute("href"),
        "https://example.org/report"
      )
      assert.strictEqual(await page.page.getByRole("heading", { name: "Note" }).count(), 1)
      assert.strictEqual(await page.page.getByRole("row").count(), 3)
      assert.include(await page.page.locator("main").textContent(), "PDF document, 9\u00A0B")
      assert.strictEqual(await page.page.getByRole("heading", { name: "Content of type “hologram”" }).count(), 1)
      assert.include(await page.page.locator("main").textContent(), '"beam": 1')
    }))

  it("can be downloaded, and read through the host where it is only linked", () =>
    withPage(async (page) => {
      await withSession(page)
      const content = [
        { type: "resource_link", uri: "file:///d.csv", name: "d.csv" },
        { type: "resource", resource: { uri: "file:///a%20b.zip", mimeType: "application/zip", blob: "AAAA" } }
      ]
      await page.show(view({ content }))
      await page.page.getByRole("button", { name: "Read d.csv" }).click()
      await page.page.getByRole("table").waitFor()
      assert.deepEqual(await page.run("asked.reads"), [{ uri: "file:///d.csv" }])
      assert.strictEqual(await page.page.getByRole("row").count(), 3)
      await page.page.locator(".mg-file").getByRole("button", { name: "Download" }).click()
      assert.deepEqual(await page.run("asked.downloads"), [
        { name: "a b.zip", mimeType: "application/zip", blob: "AAAA" }
      ])
    }))

  it("is shown once where structured content repeats it, and read where it is JSON", () =>
    withPage(async (page) => {
      const content = [{ type: "audio", data: "UklGRqQMAABXQVZF", mimeType: "audio/wav" }]
      await page.show(view({ content, structuredContent: { content } }))
      assert.strictEqual(await page.page.locator("audio").count(), 1)
      assert.notInclude(await page.page.locator("main").textContent(), "UklGRqQMAABXQVZF")
      const rows = [{ type: "text", text: JSON.stringify([{ a: 1 }, { a: 2 }]) }]
      await page.show(view({ content: rows, structuredContent: { content: rows } }))
      assert.strictEqual(await page.page.locator("tbody tr").count(), 2)
    }))

  it("that is wider than the page can be seen in full size", () =>
    withPage(async (page) => {
      const wide = "<svg xmlns='http://www.w3.org/2000/svg' width='1600' height='400'></svg>"
      await page.show(view(texts(wide)))
      const toggle = page.page.getByRole("button", { name: "Full size" })
      await toggle.waitFor()
      assert.isBelow(await page.run<number>("document.querySelector('img').clientWidth"), 720)
      await toggle.click()
      assert.strictEqual(await page.run<number>("document.querySelector('img').clientWidth"), 1600)
      assert.isAtMost(await page.run<number>("document.documentElement.scrollWidth"), 720)
    }))
})

describe("nothing is missing", () => {
  const results: Record<string, Record<string, unknown>> = {
    records: structured({ rows: days, note: "north", meta: { source: "station 7" } }),
    nested: structured({ a: { b: { c: { d: ["deep value", { e: 3.25 }] } } }, list: [[1, [2, "odd"]], "x"] }),
    texts: texts("One note.", '{"k": "v1"}', "Another note, of some length, that comes after."),
    error: { isError: true, ...structured({ error: { message: "No", code: "E9" } }) },
    media: {
      content: [
        { type: "image", data: png, mimeType: "image/png" },
        { type: "odd", thing: "kept" }
      ],
      _meta: { trace: "t-1" }
    }
  }
  for (const [name, result] of Object.entries(results))
    it(`of ${name}, in the view or its JSON`, () =>
      withPage(async (page) => {
        await page.show(view(result))
        const shown = await everything(page)
        const values: Array<string> = []
        JSON.stringify(result, (_, value: unknown) => {
          if (typeof value === "string" || typeof value === "number") values.push(String(value))
          return value
        })
        for (const value of values) assert.include(shown, JSON.stringify(value).slice(1, -1))
      }))
})

describe("accessibility", () => {
  const gallery = [
    view(structured({ city: "Oslo", days, total: 4 }, "Rain is likely; take an umbrella with you.")),
    view(structured([{ name: "a", children: [{ name: "b" }] }])),
    view(
      structured({
        id: 1,
        title: "Issue",
        status: "open",
        text: "x".repeat(400),
        parts: [{ a: 1 }, { a: 2 }],
        none: null
      })
    ),
    view({ isError: true, ...texts("It failed") }, { args: { a: 1 } }),
    view(texts("No results"), { args: { q: "x" } }),
    view(texts("Deleted 3 files.")),
    view(texts("--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y")),
    view(texts("2025-01-01T10:00:00Z WARN a\n2025-01-01T10:00:00Z ERROR b\n2025-01-01T10:00:00Z DEBUG c")),
    view(
      texts(
        "<!doctype html><h1>T</h1><p>See <a href='https://example.org'>it</a></p><table><tr><th>A</th></tr><tr><td>1</td></tr></table>"
      )
    ),
    view(texts("name: web\nports:\n  - port: 80")),
    view({
      content: [
        { type: "image", data: png, mimeType: "image/png" },
        { type: "audio", data: "UklGRg==", mimeType: "audio/wav" },
        { type: "resource", resource: { uri: "file:///r.pdf", blob: "JVBERi0xLjQK" } },
        { type: "resource_link", uri: "file:///x", name: "x" },
        { type: "odd" }
      ]
    })
  ].join(", ")
  for (const colorScheme of ["light", "dark"] as const) {
    it(`breaks no axe rule in ${colorScheme}, whatever is open`, () =>
      withPage(
        async (page) => {
          await withSession(page)
          await page.show(`h("h1", {}, "Results"), [${gallery}]`)
          assert.deepEqual(await page.axe(), [])
          await everything(page)
          assert.deepEqual(await page.axe(), [])
        },
        { colorScheme }
      ))
  }

  for (const direction of ["ltr", "rtl"] as const)
    it(`never scrolls the page sideways at 320 px, ${direction}`, () =>
      withPage(
        async (page) => {
          await withSession(page)
          await page.show(`h("h1", {}, "Results"), [${gallery}]`)
          await everything(page)
          assert.isAtMost(await page.run<number>("document.documentElement.scrollWidth"), 320)
        },
        { width: 320, direction }
      ))
})
