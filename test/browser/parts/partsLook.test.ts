import { assert, describe, it } from "@effect/vitest"
import { withPage } from "./partsPage.ts"

describe("a heading", () => {
  it("has the mark of its subject, in the colour of what happened", () =>
    withPage(async ({ page, show }) => {
      const mark = page.locator(".mg-head-mark")
      await show(`header("5 tables", { icon: "database", tone: "success" })`)
      assert.include(await mark.getAttribute("class"), "mg-success")
      assert.strictEqual(await mark.locator("svg").count(), 1)
      await show(`header("Nothing was sent", { icon: "nothing known", tone: "danger" })`)
      assert.include(await mark.getAttribute("class"), "mg-danger")
      await show(`header("5 tables", { tone: "danger" })`)
      assert.strictEqual(await mark.count(), 0)
    }))
})

describe("a button", () => {
  it("shows what its promise brings below its row, in the place of what stood there", () =>
    withPage(async ({ page, show }) => {
      await show(`row(
        button("One", async () => resultView([{ id: 1 }, { id: 2 }])),
        button("Two", async () => h("p", {}, "second")),
        button("Nothing", async () => undefined))`)
      await page.getByRole("button", { name: "One" }).click()
      await page.locator(".mg-row + .mg-brought table").waitFor()
      await page.getByRole("button", { name: "Nothing" }).click()
      await page.getByRole("button", { name: "Two" }).click()
      await page.locator(".mg-row + .mg-brought").getByText("second").waitFor()
      assert.strictEqual(await page.locator(".mg-brought").count(), 1)
    }))
})

describe("any data", () => {
  it.each([
    [`"Ada"`, "Ada"],
    [`{ name: "Ada", born: 1815 }`, "1815"],
    [`null`, "The answer is empty."]
  ])("of %s is drawn as a result is", (data, said) =>
    withPage(async ({ page, show }) => {
      await show(`resultView(${data})`)
      assert.include(await page.locator(".mg-result").textContent(), said)
    })
  )

  it("that is HTML runs no handler, and makes no noise about it", () =>
    withPage(async ({ page, problems, run, show }) => {
      // Chromium reports a handler to a policy with a nonce even where nothing can run it.
      await page.evaluate(`{
        const parse = DOMParser.prototype.parseFromString
        globalThis.parsed = []
        DOMParser.prototype.parseFromString = function (text, type) { parsed.push(text); return parse.call(this, text, type) }
      }`)
      await show(
        `resultView({ content: [{ type: "text", text: "<!doctype html><h1>Hi</h1><p>one = two</p><img src=x onerror=alert(1)>" }] })`
      )
      assert.include(await page.locator(".mg-result").textContent(), "one = two")
      const parsed = (await run<ReadonlyArray<string>>("parsed")).join("")
      assert.include(parsed, "one = two")
      assert.notInclude(parsed, "onerror")
      assert.deepEqual(problems, [])
    }))
})

describe("a record", () => {
  it("has a button beside each value where it says so", () =>
    withPage(async ({ page, show }) => {
      await show(`detail({ hex: "#3498db", rgb: "rgb(52, 152, 219)" }, { copy: true })`)
      assert.strictEqual(await page.getByRole("button", { name: "Copy" }).count(), 2)
      await show(`detail({ hex: "#3498db" })`)
      assert.strictEqual(await page.getByRole("button", { name: "Copy" }).count(), 0)
    }))
})

describe("a table in a narrow frame", () => {
  const rows = (count: number): string =>
    `table(Array.from({ length: ${count} }, (_, at) => ({ path: "src/a-long-name-of-a-file-" + at, lines: at, state: "not found", owner: "Ada Lovelace" })))`

  it("sets the values of a row below its first, and cuts none off; short ones stay columns", () =>
    withPage(
      async ({ axe, page, show }) => {
        await show(`[h("h1", {}, "Files"), ${rows(3)}]`)
        const region = page.locator(".mg-scroll")
        assert.isTrue(await region.evaluate((element) => element.scrollWidth <= element.clientWidth))
        assert.strictEqual(await page.locator("td[data-label=Owner]").count(), 3)
        assert.deepEqual(await axe(), [])
        await show(`table([{ day: "2025-01-01", sold: 4, back: 1 }])`)
        assert.strictEqual(await page.locator("td[data-label]").count(), 0)
      },
      { width: 320 }
    ))

  it("sets no labels where all but the name are states and kinds, which say what they are", () =>
    withPage(
      async ({ page, run, show }) => {
        const labels = async (...columns: ReadonlyArray<string>): Promise<unknown> => {
          await show(
            `table(Array.from({ length: 4 }, (_, at) => ({ file: "a-long-name-" + at, state: at % 2 ? "not found" : "done", kind: "guide", owner: "Ada Lovelace", isOwn: "yes" })), { columns: ["file", "state", ${columns.join()}] })`
          )
          assert.strictEqual(await page.locator("tbody td:visible:not(.mg-lead)").count(), 4 * (2 + columns.length))
          return run(
            `[...document.querySelector("tbody tr").querySelectorAll("td[data-label]")].map((cell) => cell.dataset.label)`
          )
        }
        const kind = `{ key: "kind", render: (kind) => kind }`
        assert.deepEqual(await labels(kind), [])
        assert.deepEqual(await labels(kind, `"owner"`), ["State", "Kind", "Owner"])
        assert.deepEqual(await labels(kind, `{ key: "isOwn", type: "badge" }`), ["State", "Kind", "Is own"])
      },
      { width: 320 }
    ))

  it("cuts nothing off that a page draws into a cell", () =>
    withPage(
      async ({ run, show }) => {
        await show(
          `table([{ sheet: "Start", range: "Empty" }], { columns: [{ key: "sheet", render: (name) => name }, { key: "range", render: (text) => h("div flex", { style: "display:flex;gap:12px" }, h("i", { style: "flex:none;width:60px" }), h("span", { style: "flex:none;width:50px" }, text)) }] })`
        )
        assert.strictEqual(
          await run(`getComputedStyle(document.querySelector("td:last-child .mg-cell")).overflowX`),
          "visible"
        )
      },
      { width: 320 }
    ))

  it("begins each row with its name, not its number, gives long texts the whole width, and leaves out what is empty", () =>
    withPage(
      async ({ run, show }) => {
        await show(
          `table([{ id: 7, task: "Set up", note: "Takes the whole width of a row of the table", who: "" }], { columns: [{ id: "#" }, "task", "note", "who"] })`
        )
        assert.deepEqual(
          await run(`[...document.querySelectorAll("tbody td")].filter((cell) => cell.offsetHeight > 0).map((cell) => [cell.textContent, cell.dataset.label, Math.round(cell.offsetTop)])
            .sort(([, , one], [, , other]) => one - other).map(([text, label]) => label + ": " + text)`),
          ["undefined: Set up", "#: 7", "Note: Takes the whole width of a row of the table"]
        )
        const width = (cell: string) => run<number>(`document.querySelector("td${cell}").offsetWidth`)
        assert.strictEqual(await width("[data-label=Note]"), await width(".mg-name"))
      },
      { width: 320 }
    ))
})

describe("a table with a state", () => {
  const rows = `Array.from({ length: 12 }, (_, at) => ({ name: "job " + at, status: at % 3 === 0 ? "failed" : "done", at }))`
  const names = `[...document.querySelectorAll("tbody td.mg-key")].map((cell) => cell.textContent)`

  it("has chips with counts that choose its rows, and show all when pressed again", () =>
    withPage(async ({ page, run, show }) => {
      await show(`table(${rows})`)
      assert.deepEqual(await page.locator(".mg-chip").allTextContents(), ["done\u20028", "failed\u20024"])
      await page.getByRole("button", { name: "failed\u20024" }).click()
      assert.deepEqual(await run(names), ["job 0", "job 3", "job 6", "job 9"])
      assert.strictEqual(await page.locator("[role=status]").textContent(), "4 of 12")
      await page.getByRole("searchbox").fill("job 3")
      assert.deepEqual(await run(names), ["job 3"])
      await page.getByRole("searchbox").fill("")
      await page.getByRole("button", { name: "failed\u20024" }).click()
      assert.lengthOf(await run<ReadonlyArray<string>>(names), 12)
    }))

  it("takes another member where it is told one, and none where it is told none", () =>
    withPage(async ({ page, show }) => {
      await show(`table(${rows}.map((row, at) => ({ ...row, team: at < 5 ? "red" : "" })), { groups: "team" })`)
      assert.deepEqual(await page.locator(".mg-chip").allTextContents(), ["–\u20027", "red\u20025"])
      await show(`table(${rows}, { groups: false })`)
      assert.strictEqual(await page.locator(".mg-chip").count(), 0)
      await show(`table(${rows}.slice(0, 8))`)
      assert.strictEqual(await page.locator(".mg-chip").count(), 0)
    }))
})

describe("a chart of one series", () => {
  const days = (noise: number): string =>
    `Array.from({ length: 200 }, (_, at) => ({ at: new Date(Date.UTC(2025, 0, 1 + at)).toISOString().slice(0, 10), sold: 100 + Math.sin(at / 20) * 10 + ((at * 37) % 11) * ${noise} }))`

  it("has its highest value told", () =>
    withPage(async ({ page, show }) => {
      await show(`chart.line(${days(9)}, { x: "at", y: "sold" })`)
      assert.strictEqual(await page.locator("path.mg-line").count(), 1)
      assert.deepEqual(await page.locator(".mg-value").allTextContents(), ["199.97"])
    }))

  it("tells the value of each of few bars", () =>
    withPage(async ({ page, show }) => {
      await show(`chart.bar([{ a: "S", n: 300 }, { a: "N", n: 270 }], { x: "a", y: "n" })`)
      assert.deepEqual(await page.locator(".mg-value").allTextContents(), ["300", "270"])
    }))
})

describe("code", () => {
  it("tells names of JSON from its texts by their colour", () =>
    withPage(async ({ page, show }) => {
      await show(`code('{ "a": "b" }', { language: "json" })`)
      assert.strictEqual(await page.locator("code .mg-tone-info").textContent(), '"a"')
      assert.strictEqual(await page.locator("code .mg-tone-success").textContent(), '"b"')
    }))

  it("goes on below its own text where a numbered line is long, and breaks no name", () =>
    withPage(
      async ({ run, show }) => {
        await show(`code("void main(vec4 fragmentColourOfAll, vec2 position) {", { lines: true })`)
        const lines = await run<ReadonlyArray<{ readonly left: number; readonly text: string }>>(`(() => {
          const texts = [...document.querySelector(".mg-numbered").childNodes].filter((node) => node.nodeType === 3)
          const lines = new Map()
          for (const text of texts) for (let at = 0; at < text.length; at += 1) {
            const range = document.createRange()
            range.setStart(text, at)
            range.setEnd(text, at + 1)
            const { left, top, width } = range.getBoundingClientRect()
            const line = lines.get(top) ?? lines.set(top, { left: Math.round(left), text: "" }).get(top)
            if (width > 0) line.text += text.data[at]
          }
          return [...lines.values()]
        })()`)
        assert.isAbove(lines.length, 1)
        assert.isTrue(lines.some(({ text }) => text.includes("fragmentColourOfAll")))
        assert.strictEqual(new Set(lines.map(({ left }) => left)).size, 1)
      },
      { width: 320 }
    ))

  it("has its copy sign in front where it has no head", () =>
    withPage(async ({ page, run, show }) => {
      await show(`code("a line", { lines: true })`)
      await page.locator(".mg-code-head svg").waitFor()
      const inFront = await run(`(() => {
        const { left, top, width, height } = document.querySelector(".mg-code-head svg").getBoundingClientRect()
        return document.elementFromPoint(left + width / 2, top + height / 2).closest("button") !== null
      })()`)
      assert.isTrue(inFront)
    }))

  it("has a gutter as wide as its last number", () =>
    withPage(async ({ run, show }) => {
      const left = `(() => { const range = document.createRange(); range.selectNodeContents(document.querySelector(".mg-numbered")); return range.getBoundingClientRect().left })()`
      await show(`code("a\\nb", { lines: true })`)
      const narrow = await run<number>(left)
      await show(`code("a\\n".repeat(200), { lines: true })`)
      assert.isAbove(await run<number>(left), narrow + 8)
      await show(`code("a\\n".repeat(9), { lines: true })`)
      assert.strictEqual(await run<number>(left), narrow)
    }))

  it("fades where it goes on beyond its box, until it is scrolled to its end", () =>
    withPage(async ({ run, show }) => {
      const fade = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() =>
        done(getComputedStyle(document.querySelector("pre")).getPropertyValue("--mg-y")))))`
      await show(`code("a line\\n".repeat(90))`)
      assert.strictEqual(await run(fade), "28px")
      await run(`document.querySelector("pre").scrollTo(0, 9999)`)
      assert.strictEqual(await run(fade), "0px")
      await show(`code("a line")`)
      assert.strictEqual(await run(fade), "0px")
    }))
})

describe("a long text", () => {
  it("shows its first lines, and all of it when it is pressed", () =>
    withPage(async ({ page, run, show }) => {
      await show(`text("word ".repeat(300), { lines: 2 })`)
      const height = `document.querySelector(".mg-text").offsetHeight`
      const before = await run<number>(height)
      await page.locator(".mg-text").click()
      assert.isAbove(await run<number>(height), before * 2)
    }))
})

describe("a long name", () => {
  it("goes on in the next line between its words, and is copied as it is", () =>
    withPage(
      async ({ run, show }) => {
        await show(
          `h("div", { id: "name", style: "width: 150px; font: 16px monospace" }, "_registeredResourceTemplates/list")`
        )
        assert.strictEqual(
          await run("document.getElementById('name').textContent"),
          "_registeredResourceTemplates/list"
        )
        // Each piece of the name stands on one line.
        const lines =
          await run(`[...document.getElementById("name").childNodes].filter((node) => node.nodeType === 3).map((node) => {
          const range = document.createRange()
          range.selectNode(node)
          return range.getClientRects().length
        })`)
        assert.deepEqual(lines, [1, 1, 1, 1])
      },
      { width: 320 }
    ))

  it("alone is parted, not the words beside it, and not the few letters of a cell", () =>
    withPage(async ({ run, show }) => {
      await show(
        `[h("p", {}, "Set retryOnFail with continueRegularOutputNow"), h("b text-xs", { style: "display:block;width:9px" }, "May")]`
      )
      assert.strictEqual(
        await run("document.querySelector('p').innerHTML"),
        "Set retryOnFail with continue<wbr>Regular<wbr>Output<wbr>Now"
      )
      assert.strictEqual(await run("document.querySelector('b').className"), "text-xs mg-short")
      await show(`[h("i mt-1", icon("copy")), h("u mt-1", icon("copy"), "Copy")]`)
      assert.strictEqual(await run("document.querySelector('i').className"), "mt-1 mg-short")
      assert.strictEqual(await run("document.querySelector('u').className"), "mt-1")
    }))
})

describe("two values", () => {
  it("stand in two panels with an arrow between, code in monospace", () =>
    withPage(async ({ page, show }) => {
      await show(`compare("ff", "1111 1111", { before: "Hexadecimal", after: "Binary" })`)
      assert.deepEqual(await page.locator(".mg-compare-side").allTextContents(), ["Hexadecimalff", "Binary1111 1111"])
      assert.strictEqual(await page.locator(".mg-compare-code").count(), 1)
      await show(`compare([["old name", "new name", "in 3 files"]])`)
      assert.strictEqual(await page.locator(".mg-compare-side").count(), 2)
      assert.include(await page.locator(".mg-compare").textContent(), "in 3 files")
      await show(`compare([["a", "b"], ["c", "d"]])`)
      assert.strictEqual(await page.locator(".mg-became > .mg-icon").count(), 2)
    }))
})

describe("a list of names of files", () => {
  it("says what kind each is", () =>
    withPage(async ({ page, show }) => {
      await show(`files(["sales.csv", "docs/", "tone.wav", "Makefile"])`)
      assert.deepEqual(await page.locator(".mg-filetiles small").allTextContents(), [
        "CSV table",
        "folder",
        "WAV audio",
        "file"
      ])
    }))
})
