import { assert, describe, it } from "@effect/vitest"
import { withPage } from "./partsPage.ts"
import { texts, view } from "./resultsPage.ts"

describe("a text", () => {
  it("is shown as what it is: Markdown, diff, log, drawing, code, separated values", () =>
    withPage(async (page) => {
      await page.show(view(texts("# Title\n\n- a\n- b")))
      assert.strictEqual(await page.page.getByRole("heading", { name: "Title" }).count(), 1)
      await page.show(view(texts("```diff\n--- a/x\n+++ b/x\n@@ -1 +1,2 @@\n-old\n+new\n+more\n```")))
      assert.deepEqual(await page.page.locator(".mg-added").allTextContents(), ["+new\n", "+more"])
      assert.include(await page.page.locator(".mg-code-head").textContent(), "+2−1")
      await page.show(view(texts("2025-01-01T10:00:00Z INFO a\n2025-01-01T10:00:01Z ERROR b")))
      assert.include(await page.page.locator(".mg-log-error, .mg-log-danger").textContent(), "b")
      await page.show(view(texts("<svg xmlns='http://www.w3.org/2000/svg' width='10' height='10'></svg>")))
      assert.strictEqual(await page.page.locator("img").count(), 1)
      await page.show(view(texts("import a from 'a';\n\nexport const b = () => {\n  return a;\n};")))
      assert.include(await page.page.locator("pre").first().textContent(), "return a;")
      await page.show(view(texts('name,note\n"Smith, J.","said ""hi""\nand left"\nAda,ok')))
      const cells = await page.page.locator("td:not(.mg-lead)").allTextContents()
      assert.include(cells, "Smith, J.")
      assert.isTrue(cells.some((cell) => cell.startsWith('said "hi"')))
    }))

  it("that spells out fields is shown as such, the text itself in a fold", () =>
    withPage(async (page) => {
      await page.show(view(texts("First: Ada\nLast: Lovelace\nBorn: 1815")))
      assert.deepEqual(await page.page.locator("dt").allTextContents(), ["First", "Last", "Born"])
      await page.page.getByText("Text", { exact: true }).click()
      assert.include(await page.page.locator(".mg-result-raw .mg-text").textContent(), "First: Ada\n")
    }))

  it("of HTML is read: its words, links, tables and lists, and nothing that runs or loads", () =>
    withPage(async (page) => {
      const html = `<!doctype html><html><head><title>T</title><style>p{color:red}</style></head><body onload="globalThis.ran = 1">
        <h1>Report</h1><p>See <a href="https://example.org/a">the docs</a>, <a href="javascript:globalThis.ran=1">this</a>.</p>
        <script>globalThis.ran = 1</script><img src="https://example.org/x.png" onerror="globalThis.ran = 1" alt="a cat">
        <table><tr><th>Name</th><th>Value</th></tr><tr><td>A</td><td><b>1</b></td></tr></table><ul><li>One<li>Two</ul>
        <form action="https://example.org"><input name="x"><button>Go</button></form><iframe src="https://example.org"></iframe></body></html>`
      await page.show(view(texts(html)))
      const shown = page.page.locator(".mg-md").first()
      assert.strictEqual(await page.page.getByRole("heading", { name: "Report" }).count(), 1)
      assert.deepEqual(
        await page.run(`[...document.querySelectorAll(".mg-md a")].map((link) => link.getAttribute("href"))`),
        ["https://example.org/a", "https://example.org/x.png"]
      )
      assert.deepEqual(await shown.getByRole("cell").allTextContents(), ["A", "1"])
      assert.strictEqual(await shown.locator("li").count(), 2)
      assert.strictEqual(await shown.locator("script,style,iframe,form,input,img,button").count(), 0)
      assert.notMatch((await shown.textContent()) ?? "", /globalThis|color:red/)
      assert.isNull(await page.run("globalThis.ran ?? null"))
      await page.page.getByText("Source", { exact: true }).click()
      assert.include(await page.page.locator("pre").last().textContent(), "globalThis.ran = 1")
    }))

  it("of a terminal is shown without its escapes, and so it is copied", () =>
    withPage(async (page) => {
      await page.show(view(texts("\u001B[1mTests\u001B[0m\n\u001B[31mfailed\u001B[39m 1")))
      assert.strictEqual(await page.page.locator("pre").first().textContent(), "Tests\nfailed 1")
    }))

  it("of one value is that value; of a sentence, a sentence; of an address, a link", () =>
    withPage(async (page) => {
      await page.show(view(texts("114.55129855222")))
      assert.strictEqual(await page.page.locator(".mg-hero-value").textContent(), "114.55129855222")
      await page.show(view(texts("/home/user/a.ts")))
      assert.strictEqual(await page.page.locator(".mg-hero-code").textContent(), "/home/user/a.ts")
      await page.show(view(texts("Read https://example.org/a, then stop.")))
      assert.strictEqual(await page.page.getByRole("link").getAttribute("href"), "https://example.org/a")
      assert.strictEqual(await page.page.getByRole("tab").count(), 0)
      await page.page.getByText("Raw JSON").click()
      assert.include(await page.page.locator("pre").textContent(), "then stop.")
    }))

  it("that is long is cut on screen, with a way to all of it", () =>
    withPage(async (page) => {
      await page.show(view(texts(`${"line of text é\n".repeat(20_000)}THE END`)))
      assert.notInclude(await page.page.locator("main").textContent(), "THE END")
      assert.isBelow(
        await page.run<number>("new TextEncoder().encode(document.querySelector('.mg-text').textContent).length"),
        102_401
      )
      await page.page.getByRole("button", { name: "Show all" }).click()
      assert.include(await page.page.locator("main").textContent(), "THE END")
    }))
})

describe("large results", () => {
  const sizes: Record<string, string> = {
    "JSON of 10 MB": `({ content: [{ type: "text", text: JSON.stringify({ items: Array.from({ length: 60000 }, (_, id) => ({ id, name: "Item " + id, note: "some words about item " + id, at: "2025-01-01T10:00:00Z", state: ["open", "shut"][id % 2], price: id / 7 })) }) }] })`,
    "a log of 10 MB": `({ content: [{ type: "text", text: "2025-01-01T10:00:00Z INFO [worker] request took 12ms path=/api/items\\n".repeat(150000) }] })`,
    "prose of 10 MB": `({ content: [{ type: "text", text: "word and another word. ".repeat(450000) }] })`,
    "brackets of 10 MB": `({ content: [{ type: "text", text: "[".repeat(1e7) }] })`,
    "100,000 rows": `({ structuredContent: { rows: Array.from({ length: 100000 }, (_, id) => ({ id, name: "Item " + id, price: id / 7 })) } })`,
    "20,000 members": `({ structuredContent: Object.fromEntries(Array.from({ length: 20000 }, (_, id) => ["k" + id, { a: id }])) })`
  }
  for (const [name, result] of Object.entries(sizes))
    it(`of ${name} are drawn, and do not fill the page`, () =>
      withPage(async (page) => {
        // Time that grows faster than the result would not end within the patience of a test.
        await page.run(`void document.body.replaceChildren(h("main", {}, resultView(${result})))`)
        assert.isBelow(await page.run<number>("document.getElementsByTagName('*').length"), 12_000)
      }))
})
