import { assert, describe, it } from "@effect/vitest"
import { withPage } from "./partsPage.ts"
import { view } from "./resultsPage.ts"

/** Where time grew with the square of the members, each of these would take minutes. */
const MANY = 20_000

const members = (value: string): string =>
  `Object.fromEntries(Array.from({ length: ${MANY} }, (_, index) => ["k" + index, ${value}]))`

const structured = (data: string): string => `resultView({ content: [], structuredContent: ${data} })`

const drawn = (selector: string): string => `document.querySelectorAll(${JSON.stringify(selector)}).length`

describe("a wide result", () => {
  it("of prices by name is a table, in which each of them can be found", () =>
    withPage(async (page) => {
      await page.show(structured(`{ as_of: "2026-01-01", prices: ${members("index * 1.25")} }`))
      await page.page.getByText("1–20 of 20,000").waitFor()
      await page.page.getByRole("searchbox").fill("K19999")
      await page.page.getByRole("row", { name: "k19999 24,998.75" }).waitFor()
      await page.page.getByText("Raw JSON").click()
      await page.page.getByRole("button", { name: "Show all" }).click()
      assert.include(await page.run<string>("document.querySelector('pre').textContent"), '"k19999": 24998.75')
    }))

  it("of facts of many kinds is drawn a hundred at a time, and all of them can be reached", () =>
    withPage(async (page) => {
      await page.show(structured(members("index % 2 ? index : 'v' + index")))
      assert.strictEqual(await page.run(drawn(".mg-facts-grid>div")), 100)
      await page.page.getByRole("button", { name: "Show more (19,900)" }).click()
      assert.strictEqual(await page.run(drawn(".mg-facts-grid>div")), 200)
      assert.strictEqual(
        await page.run("[...document.querySelectorAll('.mg-facts-grid dd')].at(-1).textContent"),
        "199"
      )
    }))

  it("of objects, lists, texts and nothing is drawn in part, too", () =>
    withPage(async (page) => {
      for (const data of [
        members("({ a: index, b: { c: index } })"),
        members("index % 2 ? { ['m' + index]: 1 } : [index, { a: 1 }]"),
        members("Array.from({ length: 11 }, (_, a) => ({ a, b: a }))"),
        members("'a text that is longer than what stands side by side, number ' + index"),
        members("[]"),
        members("null"),
        `[${members("index")}, ${members("index * 2")}]`,
        `{ columns: Array.from({ length: ${MANY} }, (_, at) => "c" + at), rows: [0, 1, 2].map(() => Array.from({ length: ${MANY} }, (_, at) => at)) }`
      ]) {
        await page.show(structured(data))
        assert.isBelow(await page.run<number>(drawn("*")), 3000, data)
      }
    }))

  it("of blocks is drawn in part: pictures, links, embedded texts", () =>
    withPage(async (page) => {
      for (const block of [
        "{ type: 'resource_link', uri: 'https://example.org/' + index, name: 'n' + index }",
        "{ type: 'resource', resource: { uri: 'a:' + index, text: 'x,y\\n1,2\\n3,4' } }",
        "{ type: 'hologram', index }",
        "index % 2 ? { type: 'text', text: 'block ' + index } : { type: 'image', data: 'AAAA', mimeType: 'image/x' }"
      ]) {
        await page.show(`resultView({ content: Array.from({ length: 3000 }, (_, index) => (${block})) })`)
        assert.isBelow(await page.run<number>(drawn("*")), 6000, block)
        assert.match(await page.run("document.body.textContent"), /Show more \(2,900\)/)
      }
    }))

  it("has columns to choose from, a hundred at a time, and shows no more than that", () =>
    withPage(async (page) => {
      await page.show(`table([${members("index")}, ${members("index * 2")}])`)
      await page.page.getByRole("button", { name: "Columns: 6 of 20,000" }).click()
      assert.isTrue(await page.page.getByText("The first 100 that are chosen are shown.").isHidden())
      assert.strictEqual(await page.run(drawn(".mg-choices input")), 100)
      await page.page.getByRole("button", { name: "All", exact: true }).click()
      assert.strictEqual(await page.run(drawn("thead .mg-sort")), 100)
      await page.page.getByText("The first 100 that are chosen are shown.").waitFor()
      await page.page.getByRole("button", { name: "Columns: 100 of 20,000" }).waitFor()
    }))

  for (const colorScheme of ["light", "dark"] as const)
    for (const width of [320, 760])
      it(`breaks no rule, ${colorScheme}, ${width} px`, () =>
        withPage(
          async (page) => {
            await page.show(
              `h("div", {}, header("Prices"), ${structured(members("index / 8"))}, ${structured(`{ rows: [${members("index")}, {}] }`)})`
            )
            assert.deepEqual(await page.axe(), [])
            assert.isAtMost(await page.run<number>("document.documentElement.scrollWidth"), width)
          },
          { colorScheme, width }
        ))
})

describe("a text that somebody else wrote", () => {
  it("is shown in no time, whatever is in it", () =>
    withPage(async (page) => {
      for (const unit of [
        "`a",
        "`",
        "``` ",
        "*a ",
        "**a ",
        "_a ",
        "[",
        "[a](",
        '![a](b "',
        "http://",
        "# a ",
        "|",
        "|a\n|-|\n",
        "> ",
        "- a\n",
        "\\",
        "<!--[-->",
        "\u2028",
        " "
      ]) {
        const text = `${JSON.stringify(unit)}.repeat(Math.ceil(300000 / ${unit.length}))`
        await page.run(
          `(markdown(${text}), text(${text}), code(${text}, "log"), detail({ a: ${text} }), image(${text}), 1)`
        )
        await page.run(`(resultView({ content: [{ type: "text", text: ${text} }] }, { maxBytes: 1e6 }), 1)`)
      }
    }))

  it("is Markdown with its marks in pairs, on one line", () =>
    withPage(async (page) => {
      const html = (source: string): Promise<string> =>
        page.run(`markdown(${JSON.stringify(source)}).innerHTML.replaceAll(/<p[^>]*>|<\\/p>/g, "")`)
      for (const [source, expected] of [
        ["a *b* **c** ~~d~~ _e_ `f`", "a <em>b</em> <strong>c</strong> <s>d</s> <em>e</em> <code>f</code>"],
        ["**a *b* c** *d **e** f*", "<strong>a <em>b</em> c</strong> <em>d <strong>e</strong> f</em>"],
        ["snake_case_name and 2*3*4 and * a *", "snake_case_name and 2*3*4 and * a *"],
        ["*open\nclose*", "*open\nclose*"],
        ["a `b ``c` d", "a <code>b ``c</code> d"],
        ["``a ` b`` and ` alone", "<code>a ` b</code> and ` alone"],
        ["\\*a\\* `\\*`", "*a* <code>\\*</code>"],
        ["*a _b* c_", "<em>a _b</em> c_"],
        [
          "[**a**](https://a.example) <b>",
          '<a class="mg-link" href="https://a.example"><strong>a</strong></a> &lt;b&gt;'
        ],
        ["# C# #", '<h2 class="mg-md-heading">C#</h2>']
      ] as const)
        assert.strictEqual(await html(source), expected)
      assert.strictEqual(
        await page.run(`markdown("| a | b |\\n|--|--|\\n| 1 |\\n| 2 | 3 | 4 |").querySelector("tbody").innerHTML`),
        '<tr><td class="">1</td><td colspan="1"></td></tr><tr><td class="">2</td><td class="">3</td></tr>'
      )
    }))

  it("is a drawing as wide as the view where it has no size of its own", () =>
    withPage(async (page) => {
      const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 80"><rect width="200" height="80"/></svg>'
      await page.show(view({ content: [{ type: "text", text: svg }] }))
      const img = page.page.getByRole("img")
      await img.waitFor()
      assert.isAbove((await img.boundingBox())?.width ?? 0, 300)
    }))

  it("keeps its place: texts between pictures, and a fence in a document", () =>
    withPage(async (page) => {
      const image = { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" }
      const said = (text: string): object => ({ type: "text", text })
      const order = (result: unknown): Promise<ReadonlyArray<string>> =>
        page
          .show(view(result))
          .then(() =>
            page.run(
              `[...document.querySelectorAll("main figure, main .mg-text, main .mg-lines, main h2, main pre, main .mg-table, main .mg-detail")].filter((node) => node.closest("[hidden]") === null).map((node) => node.matches("figure") ? "picture" : node.matches(".mg-table") ? "table" : node.matches(".mg-detail") ? "fields" : node.textContent)`
            )
          )
      assert.deepEqual(await order({ content: [said("Here it is:"), image, said("The image above is small.")] }), [
        "Here it is:",
        "picture",
        "The image above is small."
      ])
      assert.deepEqual(await order({ content: [said("Forecast:"), image, said("Today: rain\nTomorrow: sun")] }), [
        "Forecast:",
        "picture",
        "Today: rain\nTomorrow: sun"
      ])
      assert.deepEqual(
        await order({ isError: true, content: [said("No page."), image, said("The image above is of the failure.")] }),
        ["picture", "The image above is of the failure."]
      )
      assert.match(await page.run("document.querySelector('.mg-error').textContent"), /No page\.Copy details$/)
      const readme = '# X\n\nAdd this:\n\n```json\n{"command": "npx"}\n```\n\nThen restart.'
      assert.deepEqual(await order({ content: [said(readme)] }), [
        "X",
        "Add this:",
        '{"command": "npx"}',
        "Then restart."
      ])
      const rows = JSON.stringify([{ a: 1 }, { a: 2 }])
      assert.deepEqual(await order({ content: [said(`Two rows.\n\n\`\`\`json\n${rows}\n\`\`\`\n\nNo more.`)] }), [
        "Two rows.",
        "table",
        "No more."
      ])
      await page.page.getByText("Text", { exact: true }).click()
      assert.include(await page.run<string>("document.querySelector('.mg-result-raw pre').textContent"), rows)
      assert.deepEqual(await order({ content: [said('{"a": 1}'), image, said("Between."), said('{"b": 2}')] }), [
        "fields",
        "picture",
        "Between.",
        "fields"
      ])
    }))
})
