import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { people, withPage } from "./partsPage.ts"

/** Names of options, of all parts. */
const OPTIONS =
  `columns fields sort filter pageSize title x y type unit digits currency open max label text tone image gap
  kind render onRow expand stacked horizontal height badge actions selected maxBytes language value of
  style options key required sent detail confirm icon multiple total min step collapsible select labels`.split(/\s+/)

const gallery = `[
  header("Title", { subtitle: "Sub", badge: "active", actions: button("Go", () => {}, { kind: "primary" }) }),
  stats([{ label: "A", value: 1.5, unit: "km" }, { label: "B", value: 0.4, type: "percent" }]),
  status("Fine", "success"), status("Look", "info"), status("Hm", "warning"), status("Bad", "danger"), status("So", "neutral"),
  badge(["active", "failed", "pending", "open", "plain"]), meter(0.4, { label: "Load" }),
  errorBox({ title: "Failed", message: "Why", detail: "More", actions: [button("Try again", () => {})] }),
  toolbar(chips(["All", "Open"], () => {}, { value: "All" }), pager({ page: 2, pages: 3 }), button("Off", () => {}, { disabled: true }), button("Delete", () => {}, { kind: "danger" })),
  section("People", table(${people}), { badge: 30 }),
  chart.line([{ d: "2025-01-01", v: 1, w: 3 }, { d: "2025-01-02", v: null, w: 2 }, { d: "2025-01-03", v: 4, w: 1 }], { x: "d", y: ["v", "w"], title: "Lines" }),
  chart.bar({ A: 1, B: -2 }), chart.area([1, 2, 3]), chart.pie({ A: 1, B: 2 }), chart.scatter([{ a: 1, b: 2 }, { a: 3, b: 1 }], { x: "a", y: "b" }),
  cards(${people}.slice(0, 3), { fields: ["joined_at"] }), list(["a", "b"]), list([{ title: "x", text: "y", date: "2025-01-01", status: "done" }]),
  detail(${people}[4]), timeline([{ time: "2025-01-01T10:00:00Z", title: "Made", text: "by hand" }]), tree({ a: { b: [1, 2] }, c: "d" }, { open: 3 }),
  tabs({ One: text("First"), Two: () => json({ a: 1 }) }),
  markdown("# One\\n\\ntext [link](https://example.org)\\n\\n### Three\\n\\n- [ ] task\\n\\n| a | b |\\n|---|---|\\n| 1 | 2 |"),
  code("let a = 1", "js"), image("<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>", { alt: "Square" }), empty("None"),
  section("Folded", text("inside", { muted: true }), { open: false }),
  toolbar(input("Search", { type: "search", placeholder: "Name" }), input("State", { options: ["open", "closed"], value: "closed" }), input("Mine", { value: true })),
  form([{ key: "title", required: true }, { key: "points", type: "number", value: 3 }, { key: "notes", type: "textarea" }, "due_date"], () => {}, { submit: "Save" }),
  errorBox({ title: "Failed", message: "Why", sent: { location: "Oslo", days: 3 } }), pager({ page: 1, total: 90, pageSize: 20 })
]`

describe("every part", () => {
  for (const colorScheme of ["light", "dark"] as const) {
    for (const width of [320, 900]) {
      it(`breaks no axe rule and never scrolls the page sideways, ${colorScheme}, ${width} px`, () =>
        withPage(
          async (page) => {
            await page.show(gallery)
            assert.deepEqual(await page.axe(), [])
            assert.isAtMost(await page.run<number>("document.documentElement.scrollWidth"), width)
          },
          { colorScheme, width }
        ))
    }
  }

  for (const options of [
    { direction: "rtl", width: 320 },
    { forcedColors: "active", width: 720 },
    { forcedColors: "active", colorScheme: "dark", width: 320 }
  ] as const) {
    it(`does so with ${JSON.stringify(options)}, too`, () =>
      withPage(async (page) => {
        await page.show(gallery)
        await page.run(`document.querySelectorAll("details").forEach((details) => { details.open = true })`)
        assert.deepEqual(await page.axe(), [])
        assert.isAtMost(await page.run<number>("document.documentElement.scrollWidth"), options.width)
      }, options))
  }

  it(
    "takes any data and any options without throwing",
    () =>
      withPage(async (page) => {
        const value = fc.oneof(
          fc.jsonValue({ maxDepth: 4 }),
          fc.array(
            fc.dictionary(
              fc.constantFrom("id", "name", "date", "value", "status", "children", "__proto__", "a.b"),
              fc.jsonValue({ maxDepth: 2 })
            ),
            { maxLength: 12 }
          ),
          fc.constantFrom(
            "\u0000",
            "\uD800",
            "<svg",
            "data:image/png;base64,AAAA",
            "javascript:alert(1)",
            "2025-13-45",
            "1e400"
          )
        )
        const option = fc.dictionary(fc.constantFrom(...OPTIONS), fc.jsonValue({ maxDepth: 2 }))
        const samples = fc.sample(fc.tuple(value, option, value), { numRuns: 100, seed: 7 })
        const odd = `[undefined, NaN, Infinity, 12n, new Date(NaN), () => 1, new Map([[1, 2]]), new Set([1]), Object.create(null), [[[[]]]], (() => { const a = { name: "loop" }; a.self = a; a.list = [a]; return a })(), JSON.parse('{"a":'.repeat(1500) + 1 + "}".repeat(1500)), Array.from({ length: 300 }, (_, i) => ({ i, deep: { x: [i] } })), [{ render: 1 }, null, "x", 4, [1, 2]], document.createElement("b")]`
        const failures = await page.run<ReadonlyArray<string>>(`(() => {
        const failures = []
        const samples = ${JSON.stringify(samples)}
        const odd = ${odd}
        for (const one of odd) for (const options of [undefined, null, {}, one]) samples.push([one, options, one])
        const names = Object.keys(parts).filter((name) => !["show", "installStyles", "fmt"].includes(name))
        const calls = names.map((name) => [name, (...a) => parts[name](...a)])
          .concat(Object.keys(chart).map((name) => ["chart." + name, (...a) => chart[name](...a)]))
        for (const [a, b, c] of samples) {
          for (const [name, call] of calls) {
            for (const given of [[a, b], [a, a], [c, a, b], [a, () => { throw new Error("author") }, b]]) {
              try {
                const node = call(...given)
                if (!(node instanceof Element)) failures.push(name + " gave no element")
              } catch (error) { failures.push(name + ": " + error.stack + " for " + String(JSON.stringify(given[0])).slice(0, 200)) }
            }
          }
          for (const name of Object.keys(fmt)) {
            try { if (typeof fmt[name](a, b) !== "string") failures.push(name + " gave no text") } catch (error) { failures.push("fmt." + name + ": " + error.stack) }
          }
          if (failures.length > 5) break
        }
        return failures
      })()`)
        assert.deepEqual(failures, [])
      }),
    180_000
  )
})

describe("text from tools", () => {
  it("stays text: no element, handler or address comes out of it", () =>
    withPage(async (page) => {
      const probe = `<img src=x onerror="globalThis.hit=1"><script>globalThis.hit=1</script><a href="javascript:globalThis.hit=1">x</a>`
      const probes = JSON.stringify([
        probe,
        `[click](javascript:globalThis.hit=1)`,
        `![x](javascript:globalThis.hit=1)`,
        `<javascript:globalThis.hit=1>`,
        `\`\`\`"><script>globalThis.hit=1</script>\n${probe}\n\`\`\``,
        `| ${probe} | b |\n|---|---|\n| ${probe} | 1 |`,
        `# ${probe}`,
        `- ${probe}`,
        `[a](https://example.org/"onclick="globalThis.hit=1)`
      ])
      const found = await page.run<ReadonlyArray<string>>(`(() => {
        const probes = ${probes}
        for (const probe of probes) {
          const record = { [probe]: probe, name: probe, url: "javascript:globalThis.hit=1", image: probe, status: probe, list: [probe], deep: { [probe]: probe } }
          document.body.append(markdown(probe), text(probe), table([record, record]), detail(record), cards([record]), list([record, probe]), tree(record, { open: 9 }), timeline([record]), code(probe, probe), json(record), header(probe, { subtitle: probe, badge: probe }), chart.bar([{ name: probe, v: 1 }, { name: "b", v: 2 }]), chart.pie({ [probe]: 1 }), stats(record), badge(probe), status(probe), empty(probe), image(probe), image("javascript:globalThis.hit=1"),
            h("a", { href: "javascript:globalThis.hit=1", onclick: "globalThis.hit=1" }, "x"), h("script", {}, "globalThis.hit=1"), h("iframe", { src: "data:text/html,x" }),
            resultView({ content: [{ type: "text", text: probe }, { type: "resource_link", uri: "javascript:globalThis.hit=1", name: probe }, { type: "resource", resource: { uri: probe, text: probe, mimeType: "text/html" } }, { type: "image", data: probe, mimeType: probe }] }))
        }
        document.body.append(image("<svg xmlns='http://www.w3.org/2000/svg' onload='parent.hit=1'><script>parent.hit=1</scr" + "ipt></svg>"))
        // Not those that would leave the page.
        for (const link of document.querySelectorAll("a:not([href^='http']), summary")) link.click()
        const bad = [...document.body.querySelectorAll("*")].flatMap((node) => [
          ...(/^(SCRIPT|IFRAME|OBJECT|EMBED|BASE|LINK)$/i.test(node.tagName) ? [node.tagName] : []),
          ...[...node.attributes].filter(({ name, value }) => name.startsWith("on") || (/^(href|src|action)$/.test(name) && !/^(https?:|mailto:|#|data:image|data:audio)/.test(value))).map(({ name, value }) => name + "=" + value)
        ])
        return globalThis.hit === undefined ? bad : ["ran"]
      })()`)
      assert.deepEqual(found, [])
    }))

  it("is rendered as Markdown: headings, lists, tables, code, emphasis, links", () =>
    withPage(async (page) => {
      const source =
        "---\na: 1\n---\n# Top\n\nA **bold** and *soft* `x < y` line,\nwith https://example.org/a_b_c. And snake_case_name, 2 * 3 * 4.\n\n### Lower\n\n1. one\n2. two\n   - in\n   - side\n\n> quoted\n\n```py\n# not a heading\n```\n\na | b\n---|---\n1 | `x\\|y`\n\n[ok](https://example.org/x_(y))"
      const html = await page.run<string>(
        `markdown(${JSON.stringify(source)}).innerHTML.replace(/<svg.*?<\\/svg>|<wbr>/g, "").replace(/ (class|rel|tabindex|role|aria-label|type|scope)="[^"]*"/g, "")`
      )
      for (const piece of [
        "<h2>Top</h2>",
        "<h3>Lower</h3>",
        "<strong>bold</strong>",
        "<em>soft</em>",
        "<code>x &lt; y</code>",
        `<a href="https://example.org/a_b_c">https://example.org/a_b_c</a>.`,
        "snake_case_name, 2 * 3 * 4.",
        "<ol><li>one</li><li><span>two</span><ul><li>in</li><li>side</li></ul></li></ol>",
        "<blockquote><p>quoted</p></blockquote>",
        "<pre><code><span># not a heading</span></code></pre>",
        "<th>a</th><th>b</th>",
        "<td>1</td><td><code>x|y</code></td>",
        `<a href="https://example.org/x_(y)">ok</a>`
      ]) {
        assert.include(html, piece)
      }
    }))

  it("is rendered in time that grows with its length only", () =>
    withPage(async (page) => {
      // Steps for each pair of characters would not end within the patience of a test.
      await page.run(`void [
        "*".repeat(400000), "[".repeat(400000), "_a".repeat(200000), "\`".repeat(400000), "> ".repeat(100000) + "x", "- ".repeat(100000),
        ("  ".repeat(200) + "- a\\n").repeat(4000), "|".repeat(400000) + "\\n" + "|-".repeat(200000), "![".repeat(200000) + "](",
        "<https://".repeat(100000), "a".repeat(2000000)
      ].forEach((text) => markdown(text))`)
    }))
})

describe("charts", () => {
  it("draw a gap for a missing value and tell screen readers what they show", () =>
    withPage(async (page) => {
      await page.show(
        `chart.line([{ x: "a", y: 1 }, { x: "b", y: null }, { x: "c", y: "3" }, { x: "d", y: 4 }], { x: "x", y: "y", title: "Trend" })`
      )
      assert.lengthOf((await page.page.locator("path.mg-line").getAttribute("d"))?.match(/M/g) ?? [], 2)
      const chart = page.page.getByRole("img", { name: "Trend" })
      assert.strictEqual(await chart.count(), 1)
      assert.strictEqual(await page.page.locator("svg desc").textContent(), "Y: 3 values, lowest 1 (a), highest 4 (d).")
    }))

  it("have round ticks, and bars that begin at zero", () =>
    withPage(async (page) => {
      await page.show(`chart.bar([{ n: "a", v: 97 }, { n: "b", v: 103 }])`)
      const ticks = await page.page.locator("text.mg-tick[text-anchor=end]").allTextContents()
      assert.deepEqual(ticks, ["0", "50", "100", "150"])
    }))

  it("are drawn again for the width there is", () =>
    withPage(async (page) => {
      await page.show(`chart.line([1, 2, 3])`)
      await page.page.setViewportSize({ width: 400, height: 600 })
      await page.page.waitForFunction("Number(document.querySelector('.mg-plot svg').getAttribute('width')) <= 376")
    }))

  it("join the small slices of a pie", () =>
    withPage(async (page) => {
      await page.show(`chart.pie(Object.fromEntries([...'abcdefghij'].map((name, at) => [name, at + 1])))`)
      const legend = await page.page.locator(".mg-legend li").allTextContents()
      assert.lengthOf(legend, 7)
      assert.strictEqual(legend.at(-1), "Other10 · 18.2%")
    }))
})

describe("fmt", () => {
  it.each<readonly [title: string, cases: Readonly<Record<string, string>>]>([
    [
      "shows nothing as zero that is not, and nothing as all that is less",
      {
        "fmt.number(0.0000000012)": "0.0000000012",
        "fmt.number(0.0096)": "0.0096",
        'fmt.money(0.00001234, "USD")': "$0.0000123",
        "fmt.money(0.00001234)": "0.0000123",
        "fmt.percent(0.0004)": "0.04%",
        "fmt.percent(0.9996)": "99.96%",
        "fmt.percent(0.999996)": "99.9996%",
        "fmt.percent(1)": "100%",
        "fmt.percent(0)": "0%",
        "fmt.number(0.004, { digits: 2 })": "0.00",
        'table([{ name: "a", price: 0.00001234, day: 20240115 }, { name: "b", price: 12.5, day: 20240116 }]).querySelector("tbody tr").textContent':
          "a0.000012320240115"
      }
    ],
    [
      "reads numbers, dates and durations from what servers send",
      {
        'fmt.number("1234.567")': "1,234.6",
        'fmt.number(12, { unit: "km" })': "12\u00A0km",
        'fmt.number(21.04, { unit: "°C", digits: 1 })': "21.0°C",
        'fmt.number("n/a")': "n/a",
        "fmt.number(null)": "–",
        'fmt.money(5, "usd")': "$5.00",
        "fmt.money(5.5)": "5.50",
        "fmt.percent(0.04)": "4%",
        "fmt.percent(4)": "4%",
        "fmt.percent(1, { of: 100 })": "1%",
        'fmt.percent("45%")': "45%",
        'fmt.date("2025-11-21")': "21 Nov 2025",
        'fmt.date("2025-11-21T23:30:00")': "21 Nov 2025",
        'fmt.date("2025-11-21T23:30:00", { time: true })': "21 Nov 2025, 23:30",
        "fmt.date(1763719500)": "21 Nov 2025",
        'fmt.date("soon")': "soon",
        'fmt.time("2025-11-21T09:05:00Z")': "09:05",
        'fmt.time("7:30")': "07:30",
        "fmt.bytes(0)": "0\u00A0B",
        "fmt.bytes(1500)": "1.5\u00A0kB",
        "fmt.duration(3725)": "1\u00A0h 2\u00A0min",
        'fmt.duration(350, "ms")': "350\u00A0ms",
        'fmt.duration(90, "min")': "1\u00A0h 30\u00A0min",
        'fmt.plural(1, "row")': "1 row",
        'fmt.plural(2000, "row")': "2,000 rows",
        'fmt.plural(3, "city", "cities")': "3 cities",
        "fmt.relative(Date.now() - 3 * 3600e3)": "3 hours ago",
        "fmt.relative(Date.now() + 2 * 86400e3)": "in 2 days"
      }
    ]
  ])("%s", (_title, cases) =>
    withPage(async (page) => {
      assert.deepEqual(await page.run(`[${Object.keys(cases).join(", ")}]`), Object.values(cases))
    })
  )
})
