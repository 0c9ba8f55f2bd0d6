import { assert, describe, it } from "@effect/vitest"
import { people, withPage } from "./partsPage.ts"

/** Records with more members than a table shows at first. */
const issues = `Array.from({ length: 25 }, (_, at) => ({
  node_id: "I_kwDOABCD" + String(at).padStart(8, "0") + "AbC9", number: 100 + at, title: "Issue " + at, state: ["open", "closed"][at % 2],
  comments: at, score: at / 7, created_at: new Date(1.73e12 + at * 8.64e7).toISOString(), url: "https://example.org/" + at, body: "secret" + at,
  labels: [{ name: "bug" }, { name: "ui" }], owner: { lat: 1.5, lng: 2 }, events: [{ event: "closed", by: "ada" }, { event: "opened", by: "bob" }, {}, {}, {}, {}, { by: "eve" }] }))`

const names = `[...document.querySelectorAll("tbody tr:not(.mg-more)")].map((row) => row.querySelectorAll("td")[2].textContent)`
const headers = `[...document.querySelectorAll("th:not(.mg-lead)")].map((head) => head.textContent)`
const cells = `[...document.querySelectorAll("tbody tr:first-child .mg-cell")].map((cell) => cell.textContent)`
const counted = ".mg-table-head [role=status]"

describe("sorting, filtering, paging", () => {
  it("works by the headers, the box and the buttons, and says so", () =>
    withPage(async (page) => {
      await page.show(`table(${people})`)
      assert.deepEqual((await page.run<ReadonlyArray<string>>(names)).length, 20)
      assert.strictEqual(await page.page.locator(counted).textContent(), "1–20 of 30")
      await page.page.getByRole("button", { name: "Balance EUR" }).press("Enter")
      assert.strictEqual(await page.page.locator("[aria-sort]").getAttribute("aria-sort"), "descending")
      assert.strictEqual((await page.run<ReadonlyArray<string>>(names))[0], "Person D29")
      assert.strictEqual(await page.run("document.activeElement.textContent"), "Balance EUR")
      await page.page.keyboard.press("Enter")
      assert.strictEqual(await page.page.locator("[aria-sort]").getAttribute("aria-sort"), "ascending")
      await page.page.getByRole("button", { name: "Next page" }).press("Enter")
      assert.strictEqual((await page.run<ReadonlyArray<string>>(names))[0], "Person U20")
      assert.strictEqual(await page.run("document.activeElement.ariaLabel"), "Next page")
      await page.page.getByRole("searchbox", { name: "Filter rows" }).fill("PERSON c2")
      assert.deepEqual(await page.run<ReadonlyArray<string>>(names), ["Person C2", "Person C28"])
      assert.strictEqual(await page.page.locator(counted).textContent(), "2 of 30")
      await page.page.getByRole("searchbox").fill("nobody")
      assert.include(await page.page.locator("tbody").textContent(), "No row matches.")
      await page.page.getByRole("button", { name: "Clear the filter" }).click()
      assert.strictEqual(await page.page.locator(counted).textContent(), "1–20 of 30")
    }))

  it("finds what is shown and what came, in any member, without accents and case", () =>
    withPage(async (page) => {
      await page.show(
        `table([{ id: 1, city: "Zürich", at: "2025-09-13T10:00:00Z", deep: { town: ["Oslo"] } }, { id: 2, city: "Łódź", at: "2024-01-02T10:00:00Z", price_usd: 1234.5 }], { columns: ["id", "city", "at", "price_usd"], filter: true })`
      )
      for (const [query, id] of [
        ["zurich", "1"],
        ["sept", "1"],
        ["oslo", "1"],
        ["2024-01", "2"],
        ["1,234.50", "2"],
        ["1234.5", "2"],
        ["jan łó", "2"]
      ] as const) {
        await page.page.getByRole("searchbox").fill(query)
        assert.deepEqual(
          await page.run(`[...document.querySelectorAll("tbody td.mg-key")].map((cell) => cell.textContent)`),
          [id],
          query
        )
      }
    }))

  it("orders numbers in text, moments and words as people do, and what is empty last", () =>
    withPage(async (page) => {
      const sorted = (rows: unknown, sort: string): Promise<unknown> =>
        page.run(
          `[...table(${JSON.stringify(rows)}, { columns: ["v"], sort: "${sort}" }).querySelectorAll("tbody td")].map((cell) => cell.textContent)`
        )
      const values = (...list: ReadonlyArray<unknown>): unknown => list.map((v) => ({ v }))
      assert.deepEqual(await sorted(values("10", null, "9", "1,000", ""), "v"), ["9", "10", "1,000", "–", "–"])
      assert.deepEqual(await sorted(values("10", null, "9"), "-v"), ["10", "9", "–"])
      assert.deepEqual(await sorted(values("a10", "B2", "a9", "Äpfel"), "v"), ["a9", "a10", "Äpfel", "B2"])
      assert.deepEqual(await sorted(values("2025-02-01", "Jan 5, 2025", "2024-12-31"), "v desc"), [
        "1 Feb 2025",
        "5 Jan 2025",
        "31 Dec 2024"
      ])
      assert.deepEqual(await sorted(values(2, "x", 10), "v"), ["2", "10", "x"])
    }))

  it("goes to any page, and keeps the row at the top when pages grow", () =>
    withPage(async (page) => {
      await page.show(`table(Array.from({ length: 400 }, (_, at) => ({ n: at + 1, m: "x" })))`)
      const top = `document.querySelector("tbody td").textContent`
      await page.page.getByRole("textbox", { name: "Page" }).fill("7")
      await page.page.keyboard.press("Enter")
      assert.strictEqual(await page.run(top), "121")
      await page.page.getByRole("combobox", { name: "Rows on a page" }).selectOption("100")
      assert.strictEqual(await page.run(top), "101")
      assert.strictEqual(await page.page.locator(counted).textContent(), "101–200 of 400")
      await page.page.getByRole("combobox").selectOption("20")
      await page.page.getByRole("textbox", { name: "Page" }).fill("999")
      await page.page.keyboard.press("Enter")
      assert.strictEqual(await page.run(top), "381")
      const next = page.page.getByRole("button", { name: "Next page" })
      assert.strictEqual(await next.getAttribute("aria-disabled"), "true")
      await next.press("Enter")
      assert.strictEqual(await page.run(top), "381")
      assert.strictEqual(await page.page.getByRole("textbox", { name: "Page" }).inputValue(), "20")
    }))
})

describe("columns", () => {
  it("are few at first, the others one press away, and the choice is undone by one more", () =>
    withPage(async (page) => {
      await page.show(`table(${issues})`)
      const usual = ["Number", "Title", "State", "Comments", "Score", "Created at"]
      assert.deepEqual(await page.run(headers), usual)
      const toggle = page.page.getByRole("button", { name: "Columns" })
      await toggle.press("Enter")
      assert.strictEqual(await toggle.getAttribute("aria-expanded"), "true")
      await page.page.getByRole("checkbox", { name: "Labels" }).check()
      await page.page.getByRole("checkbox", { name: "Score" }).uncheck()
      assert.deepEqual(await page.run(headers), ["Number", "Title", "State", "Comments", "Created at", "Labels"])
      await page.page.getByRole("button", { name: "All" }).click()
      assert.lengthOf(await page.run<ReadonlyArray<string>>(headers), 12)
      await page.page.getByRole("button", { name: "None" }).click()
      assert.include(await page.page.locator("tbody").textContent(), "No columns are chosen.")
      await page.page.getByRole("button", { name: "Default" }).click()
      assert.deepEqual(await page.run(headers), usual)
      await toggle.press("Enter")
      assert.strictEqual(await toggle.getAttribute("aria-expanded"), "false")
      assert.strictEqual(await page.page.getByRole("group", { name: "Columns" }).count(), 0)
    }))

  it("that an author told stand alone unless others may be chosen", () =>
    withPage(async (page) => {
      await page.show(`table(${issues}, { columns: ["title", { key: "comments", label: "Replies" }] })`)
      assert.deepEqual(await page.run(headers), ["Title", "Replies"])
      assert.strictEqual(await page.page.getByRole("button", { name: "Columns" }).count(), 0)
      await page.show(`table(${issues}, { columns: ["title"], choose: true })`)
      await page.page.getByRole("button", { name: "Columns" }).click()
      assert.strictEqual(await page.page.getByRole("checkbox").count(), 12)
      await page.show(`table(${people}, { labels: { joined_at: "Member since" } })`)
      assert.include(await page.run<ReadonlyArray<string>>(headers), "Member since")
    }))

  it("show values by kind, in the host's locale, and missing ones as a dash", () =>
    withPage(async (page) => {
      await page.show(
        `table([{ a: null, price_eur: 1234.5, at: "2025-11-21T10:05:00Z", ok: true, share: 0.25, path: "a", size: 12345678, lat: 51.507412, n: "1,5", took: "PT4M13S" }, { price_eur: "12", at: 1763719500, ok: false, share: 1, path: "b", size: 5000, a: { b: 1 }, lat: 2.5, n: "12345.678", took: "PT5S" }], { columns: ["a", "missing", "price_eur", "at", "ok", { key: "share", type: "percent" }, "size", "lat", "n", "took"] })`
      )
      assert.deepEqual(await page.run(cells), [
        "–",
        "–",
        "€1,234.50",
        "21 Nov 2025, 10:05",
        "Yes",
        "25%",
        "12.35\u00A0MB",
        "51.507412",
        "1,5",
        "4\u00A0min 13\u00A0s"
      ])
    }))

  it("have as many digits after the point in every row, and never fewer than say something", () =>
    withPage(async (page) => {
      const shown = (...list: ReadonlyArray<number>): Promise<unknown> =>
        page.run(
          `[...table(${JSON.stringify(list.map((v) => ({ v })))}, ["v"]).querySelectorAll("tbody td")].map((cell) => cell.textContent)`
        )
      assert.deepEqual(await shown(1, 2.5, 1234.567), ["1.00", "2.50", "1,234.57"])
      assert.deepEqual(await shown(1, 2, 3000), ["1", "2", "3,000"])
      assert.deepEqual(await shown(0.00042, 12.5), ["0.00042", "12.5"])
      const told = `[...table([{ v: 274 }, { v: 543.2 }], [{ key: "v", digits: 2 }]).querySelectorAll("tbody td")].map((cell) => cell.textContent)`
      assert.deepEqual(await page.run(told), ["274.00", "543.20"])
    }))

  it("are named by a member and its label alone, also where options have a member of that name", () =>
    withPage(async (page) => {
      const head = (columns: string): Promise<unknown> =>
        page.run(
          `[...table([{ id: 7, name: "Egg", n: 2 }], { columns: ${columns}, expand: false }).querySelectorAll("th,td")].map((cell) => cell.textContent)`
        )
      assert.deepEqual(await head(`[{ id: "#" }, { name: "Ingredient" }, "n"]`), [
        "#",
        "Ingredient",
        "N",
        "7",
        "Egg",
        "2"
      ])
      assert.deepEqual(await head(`[{ key: "name" }, { name: "n", label: "Pieces" }]`), ["Name", "Pieces", "Egg", "2"])
      assert.deepEqual(await head(`[{ name: "n" }, { render: (value, row) => row.name }]`), ["N", "Column", "2", "Egg"])
    }))

  it("keep the rows when a render function throws on one of them", () =>
    withPage(async (page) => {
      await page.show(
        `table([{ v: "1.5" }, { v: 2.25 }], { columns: [{ key: "v", render: (v) => v.toFixed(1) + " km" }] })`
      )
      assert.deepEqual(await page.run(`[...document.querySelectorAll("td")].map((cell) => cell.textContent)`), [
        "1.5",
        "2.3 km"
      ])
    }))

  it("never show a date that may be another day elsewhere", () =>
    withPage(async (page) => {
      assert.deepEqual(
        await page.run(
          `["03/04/2025", "03.04.2025", "4 March 2025", "Tue, 04 Mar 2025 23:30:00 GMT", "2025-03-04T23:30:00+0000", "2025/03/04"].map((value) => fmt.date(value))`
        ),
        ["03/04/2025", "03.04.2025", "4 Mar 2025", "4 Mar 2025", "4 Mar 2025", "4 Mar 2025"]
      )
    }))
})

describe("nested values and details", () => {
  it("are read where a cell has them as text", () =>
    withPage(async (page) => {
      await page.show(
        `table([{ n: 1, attrs: '{"color":"blue","dims":[5,10],"no":{}}' }, { n: 2, attrs: "{not json}" }], { columns: ["n", "attrs"] })`
      )
      assert.deepEqual(await page.page.locator("td:last-child").allTextContents(), [
        "color blue · dims 5, 10 …",
        "{not json}"
      ])
    }))

  it("are names in cells, and whole below the row", () =>
    withPage(async (page) => {
      await page.show(`table(${issues}, { columns: ["number", "labels", "owner", "events"] })`)
      assert.deepEqual(await page.run(cells), ["100", "bugui", "lat 1.5 · lng 2", "7 items"])
      assert.deepEqual(
        await page.run(
          `[...document.querySelectorAll("tbody tr:first-child .mg-badge")].map((badge) => badge.textContent)`
        ),
        ["bug", "ui"]
      )
      const toggle = page.page.getByRole("button", { name: "Details of Issue 0", exact: true })
      await toggle.press("Enter")
      assert.strictEqual(await toggle.getAttribute("aria-expanded"), "true")
      const more = page.page.locator("tr.mg-more:not([hidden])")
      assert.include(await more.textContent(), "secret0")
      await more.getByText("7 items").click()
      await more.getByRole("columnheader", { name: "Event" }).waitFor()
      const small = more.getByRole("group", { name: "Items" }).last()
      assert.deepEqual(await small.locator("th").allTextContents(), ["Event", "By"])
      assert.deepEqual(await small.locator("tr:nth-child(2) td").allTextContents(), ["opened", "bob"])
      await toggle.press("Enter")
      assert.strictEqual(await page.page.locator("tr.mg-more:not([hidden])").count(), 0)
    }))

  it("show a number exactly, and a text as long as it is", () =>
    withPage(async (page) => {
      await page.show(`table(${people})`)
      await page.page.getByRole("button", { name: "Details of Person E4", exact: true }).press("Enter")
      assert.include(await page.page.locator("tr.mg-more:not([hidden])").textContent(), "A long note. ".repeat(40))
      await page.show(`detail({ share_price: 1, value: 3.14159265, big: 1234567.891 })`)
      assert.deepEqual(await page.page.locator("dd").allTextContents(), ["1", "3.14159265", "1,234,567.891"])
    }))

  it("call the author's function for a row, and survive it", () =>
    withPage(async (page) => {
      await page.show(
        `table([{ a: 1 }, { a: 2 }], { onRow: (row) => { globalThis.opened = row; throw new Error("author") }, expand: () => { throw new Error("author") } })`
      )
      await page.page.getByRole("button", { name: "2", exact: true }).click()
      assert.deepEqual(await page.run("globalThis.opened"), { a: 2 })
      await page.page.getByRole("button", { name: "Details of 2" }).click()
      assert.include(await page.page.locator("tr.mg-more:not([hidden])").textContent(), "A2")
    }))
})

describe("narrow pages", () => {
  for (const direction of ["ltr", "rtl"] as const) {
    it(`set the values of a row below its name, ${direction}`, () =>
      withPage(
        async (page) => {
          await page.show(`table(${issues}.concat(${issues}), { select: true, title: "Issues" })`)
          assert.isAtMost(await page.run<number>("document.documentElement.scrollWidth"), 320)
          const room = `(() => { const box = document.querySelector(".mg-scroll"); return box.scrollWidth - box.clientWidth })()`
          assert.strictEqual(await page.run<number>(room), 0)
          const topsOf = (cells: string) =>
            page.run<ReadonlyArray<number>>(
              `[...document.querySelectorAll("tbody tr:first-child ${cells}")].map((cell) => Math.round(cell.getBoundingClientRect().top))`
            )
          const [name = 0, ...none] = await topsOf("td.mg-name")
          assert.deepStrictEqual(none, [])
          assert.isAbove(Math.min(...(await topsOf("td:not(.mg-lead,.mg-name)"))), name)
        },
        { width: 320, direction }
      ))

    it(`of many columns scroll in the table only, the name of a row stays in sight, ${direction}`, () =>
      withPage(
        async (page) => {
          const columns = `Object.keys(${issues}[0])`
          await page.show(`table(${issues}.concat(${issues}), { select: true, columns: ${columns} })`)
          assert.isAtMost(await page.run<number>("document.documentElement.scrollWidth"), 600)
          const place = `(() => { const box = document.querySelector("tbody td.mg-key").getBoundingClientRect(); return Math.round(box.left) })()`
          const before = await page.run<number>(place)
          await page.run(`document.querySelector(".mg-scroll").scrollTo({ left: ${direction === "rtl" ? -200 : 200} })`)
          assert.approximately(await page.run<number>(place), before, 1)
          assert.isAbove(Math.abs(await page.run<number>(`document.querySelector(".mg-scroll").scrollLeft`)), 100)
        },
        { width: 600, direction }
      ))
  }

  it("keep the head in sight while a long page scrolls", () =>
    withPage(async (page) => {
      await page.show(`table(${issues}.concat(${issues}, ${issues}), { pageSize: 100 })`)
      const top = `Math.round(document.querySelector("thead th").getBoundingClientRect().top - document.querySelector(".mg-scroll").getBoundingClientRect().top)`
      await page.run(`document.querySelector(".mg-scroll").scrollTo({ top: 500 })`)
      assert.approximately(await page.run<number>(top), 1, 1)
      assert.isAbove(await page.run<number>(`document.querySelector(".mg-scroll").scrollTop`), 400)
    }))
})

describe("every state of a table", () => {
  const states = `[
    h("h1", {}, "Tables"),
    table(${issues}, { select: true, title: "Chosen", expand: true }),
    table(${issues}, { title: "Columns" }), table(${people}, { select: "one", onRow: () => {} }), table([]),
    table(${people}, { filter: true, title: "Nothing" }), table(["a", 2, null]), table(Array.from({ length: 400 }, (_, at) => ({ n: at, m: at })))
  ]`
  for (const options of [
    { colorScheme: "light", width: 720 },
    { colorScheme: "dark", width: 320 },
    { forcedColors: "active", width: 720 },
    { direction: "rtl", width: 480 }
  ] as const) {
    it(`breaks no axe rule: ${JSON.stringify(options)}`, () =>
      withPage(async (page) => {
        await page.show(states)
        await page.run(`(() => {
          const blocks = document.querySelectorAll(".mg-table-block")
          for (const box of [...blocks[0].querySelectorAll("tbody .mg-pick")].slice(0, 3)) box.click()
          blocks[0].querySelector(".mg-expand").click()
          blocks[1].querySelector("[aria-controls]").click()
          const filter = blocks[3].querySelector("input[type=search]"); filter.value = "zzz"; filter.dispatchEvent(new Event("input"))
        })()`)
        assert.deepEqual(await page.axe(), [])
        assert.isAtMost(await page.run<number>("document.documentElement.scrollWidth"), options.width)
      }, options))
  }
})
