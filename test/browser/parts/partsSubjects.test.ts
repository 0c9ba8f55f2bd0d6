import { assert, describe, it } from "@effect/vitest"
import { withPage, type PartsPage } from "./partsPage.ts"

/** The lines of text on screen, of what the expression answers with. */
const linesOf = async (page: PartsPage, expression: string): Promise<ReadonlyArray<string>> => {
  await page.show(expression)
  // Bonds of a graph are drawn when their boxes have their places.
  await page.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
  const text = await page.run<string>("document.querySelector('main').innerText")
  return text
    .split("\n")
    .map((line) => line.replaceAll(/\s+/g, " ").trim())
    .filter((line) => line !== "")
}

/** What each part shows of its subject, with no options where that is enough. */
const cases: ReadonlyArray<readonly [expression: string, lines: ReadonlyArray<string>]> = [
  // hero
  [`hero("200 OK")`, ["200 OK"]],
  [`hero(1234.5, "Balance")`, ["Balance", "1,234.5"]],
  [`hero("0.1", { unit: "km" })`, ["0.1 km"]],
  [
    `hero(7, { label: "Open", note: "since Monday", facts: { oldest: "2025-12-01", gone: null } })`,
    ["Open", "7", "since Monday", "Oldest", "1 Dec 2025"]
  ],
  [`hero("a1b2", { type: "id" })`, ["a1b2", "Copy"]],
  [`hero(null)`, ["–"]],
  // steps
  [
    `steps([{ title: "Plan", status: "completed" }, { title: "Build", state: "in progress", text: "now" }, { title: "Ship" }])`,
    ["1 of 3 done", "Plan", "2", "Build", "now", "3", "Ship"]
  ],
  [`steps(["Knead", "Wait"])`, ["1", "Knead", "2", "Wait"]],
  [`steps({ title: "Alone", done: true }, { progress: false })`, ["Alone"]],
  // files
  [
    `files(["src/main.ts", "src/lib/wire.ts", "README.md"])`,
    ["src/", "main.ts", "src/lib/", "wire.ts", "./", "README.md"]
  ],
  [`files([{ name: "a.png", size: 2048 }, { name: "docs", type: "directory" }])`, ["a.png", "2.05 kB", "docs"]],
  // hits
  [
    `hits([{ title: "Add two numbers", path: "src/add.ts", line: 12, snippet: "const add = 1" }], { query: "add" })`,
    ["Add two numbers", "src/add.ts:12", "const add = 1"]
  ],
  [`hits(["one", "two"])`, ["one", "two"]],
  [`hits([])`, ["Nothing was found."]],
  // findings
  [
    `findings([{ message: "Unused", severity: "warning" }, { message: "Broken", severity: 2, file: "a.ts", line: 3, fix: "Mend it" }])`,
    ["Broken", "a.ts:3", "Mend it", "Unused"]
  ],
  [`findings([])`, ["No problems found."]],
  // log
  [
    `log("2026-05-20T08:00:01Z INFO up\\n2026-05-20T08:00:02Z ERROR down\\n\\nplain")`,
    ["info 1", "error 1", "08:00:01", "INFO", "up", "08:00:02", "ERROR", "down", "plain"]
  ],
  [`log([{ level: "warn", message: "low", time: "09:00" }])`, ["09:00", "WARN", "low"]],
  [`log("")`, ["No lines."]],
  // compare
  [`compare("cat", "dog")`, ["Before", "cat", "After", "dog"]],
  [`compare({ a: 1, b: 2 }, { a: 1, b: 3 })`, ["Before After", "B 2 3", "The same in both: 1"]],
  [`compare([["1 km", "0.62 mi", "about"], { from: "a", to: "b" }])`, ["1 km", "0.62 mi", "about", "a", "b"]],
  // request
  [
    `request({ method: "post", url: "https://example.com/a", status: 201, statusText: "Created", ms: 1500, body: { a: 1 } })`,
    ["POST", "https://example.com/a", "201 Created", "1.5 s", "Copy cURL", "Body"]
  ],
  // page
  [`page("# Title\\n\\nText", { number: 3, of: 9, source: "a.pdf" })`, ["a.pdf", "Title", "Text", "3 / 9"]],
  // bars, rating
  [`bars({ Ada: 3, Grace: 12 })`, ["Grace", "12", "Ada", "3"]],
  [`bars([{ name: "x", share: "40%" }, { name: "y", share: "60%" }], { value: "share" })`, ["y", "60%", "x", "40%"]],
  [`rating(4.5, { count: 1280 })`, ["4.5", "(1,280)"]],
  [`rating("n/a")`, ["–"]],
  // people
  [
    `people([{ name: "Ada Byron", role: "Engineer", status: "active" }, "grace@example.com"])`,
    ["AB", "Ada Byron", "active", "Engineer", "G", "grace@example.com"]
  ],
  // schedule, days
  [
    `schedule([{ title: "Call", start: "2026-05-20T08:00:00Z", end: "2026-05-20T09:00:00Z" }, { title: "Fair", start: { date: "2026-05-21" } }])`,
    ["Wed, 20 May 2026", "08:00", "09:00", "Call", "Thu, 21 May 2026", "All day", "Fair"]
  ],
  [`schedule(null)`, ["Nothing is planned."]],
  [
    `days([{ date: "2026-05-20", high: 21, low: 9, condition: "Rain" }, { date: "2026-05-21", high: "18.5" }], { unit: "°C" })`,
    ["20 May", "21°C", "9°C", "Rain", "21 May", "18.5°C"]
  ],
  // map
  [
    `map([{ name: "Here", lat: 51.5, lon: -0.1 }, { name: "There", location: { lat: 51.6, lng: "-0.2" } }, { name: "Nowhere" }])`,
    ["1 Here", "2 There", "5 km", "Here", "There"]
  ],
  [`map([{ name: "Nowhere" }])`, ["No places."]],
  // graph
  [
    `graph([{ name: "A", entityType: "person" }, { name: "B" }], [{ from: "A", to: "B", relationType: "knows" }])`,
    ["knows", "A", "person", "B", "A knows → B"]
  ],
  [`graph(null, null)`, ["Nothing to show."]],
  [`tree({ fooBar: [1, "x"], n: null })`, ["fooBar", "2", "0", "1", "1", '"x"', "n", "null"]],
  [`tree({ fooBar: [1, "x"] }, { words: true })`, ["Foo bar", "2", "1", "1", "2", "x"]],
  // card, bar
  [
    `card({ icon: "truck", subject: "Parcel", title: "On its way", text: "By ship", facts: [[3, "scans"], [null, "kg"], false, [0, "days"]], actions: button("Pay", () => {}), foot: "Label 7" }, bar("Journey", button("Copy", () => {})), "Oslo", [h("div", {}, "Bergen")])`,
    ["Parcel", "On its way", "By ship", "3 scans", "0 days", "Pay", "Journey", "Copy", "Oslo", "Bergen", "Label 7"]
  ],
  [`card(null)`, []],
  [`bar()`, []],
  // anatomy, cells, facts, scale, frame, swatches, heat
  [
    `anatomy([["https", "scheme"], "://", { text: "example.com", label: "host", tone: "info" }])`,
    ["https", "scheme", "://", "example.com", "host"]
  ],
  // What is said of one piece is not said again of its likes, but numbers are.
  [`anatomy([["ab", "random"], ["4", "version"], ["cd", "random"]])`, ["ab", "random", "4", "version", "cd"]],
  [`anatomy([["1", 2], ["1", 2]])`, ["1", "2", "1", "2"]],
  [`cells({ Hour: [{ label: 8, on: true }, { label: 9 }], Day: [] })`, ["Hour", "8", "9"]],
  [`cells([1, 5])`, ["1", "5"]],
  [
    `facts([["Path", "/a/b/c.txt", "here"], ["None", null], ["Name", "Ada"], ["Id", 7]])`,
    ["Path", "/a/b/c.txt", "here", "Name", "Ada", "Id", "7"]
  ],
  [`scale(22, { unit: "°C", marks: { Mean: 20 } })`, ["24", "26", "28", "Mean 20°C", "22°C"]],
  [
    `frame("browser", "Hello", { title: "Home", url: "https://example.com" })`,
    ["H", "Home", "https://example.com", "Hello"]
  ],
  [`frame(undefined, "x")`, ["x"]],
  [`swatches({ sky: "#0b7fb5", none: "no colour" })`, ["sky", "#0b7fb5"]],
  [`chart.heat([{ month: "May", hour: "8", n: 1 }, { month: "June", hour: "8", n: 9 }])`, ["May June", "8 1 9"]]
]

/** Parts that take items, with what they show where there are none. */
const lists: Readonly<Record<string, string>> = {
  anatomy: "Nothing to show.",
  bars: "Nothing to show.",
  days: "Nothing to show.",
  files: "No files.",
  findings: "No problems found.",
  graph: "Nothing to show.",
  hits: "Nothing was found.",
  log: "No lines.",
  map: "No places.",
  people: "Nothing to show.",
  scale: "Nothing to show.",
  schedule: "Nothing is planned.",
  steps: "Nothing to show.",
  swatches: "No colours."
}

const many = `Array.from({ length: 12 }, (_, at) => ({ name: "Thing " + at, date: "2026-05-" + (10 + at), value: at * 3, status: ["done", "failed", "in progress", "open"][at % 4], severity: ["error", "warning", "info", "passed"][at % 4], path: "a/b" + (at % 3) + "/c" + at + ".ts", lat: at, lon: at * 2, role: "A role of some length" }))`
const long = '"Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft".repeat(2)'

/** Every new part with plenty, and with words that nothing breaks. */
const gallery = `(() => {
  const many = ${many}, long = ${long}
  return [
    header("Subjects", { icon: "layers" }),
    hero("200 OK", { label: "Status", note: "All is well", facts: { server: "eu-1", uptime: "3 days" }, actions: button("Again", () => {}) }),
    hero("Failed"), hero("Waiting", { tone: "warning" }), hero(12345678.9, { unit: "km" }), hero(long),
    hero("9f2c1aa0", { type: "id" }), hero("Note", { tone: "info", icon: "note", badge: ["new", "failed"] }),
    steps(many, { onClick: () => {}, actions: () => button("Open", () => {}), time: "date" }), steps([long]),
    files(many), files([{ path: long, size: 12 }]), hits(many, { query: "Thing", title: "name", onClick: () => {} }), hits([{ title: long, text: long }]),
    findings(many, { title: "name", place: "path", line: () => 3, fix: () => "Mend it" }),
    log("2026-05-20T08:00:01Z INFO up\\n2026-05-20T08:00:02Z ERROR " + long + "\\n2026-05-20T08:00:03Z WARN low\\n2026-05-20T08:00:03Z DEBUG x"),
    compare("cat", long), compare({ a: 1, b: long }, { a: 2, b: 3 }), compare([["1 km", "0.62 mi", "about"]]),
    request({ method: "POST", url: "https://example.com/" + long, status: 404, ms: 20, headers: { a: "b" }, body: { a: 1 }, response: "no" }),
    page("# A title\\n\\nText of it", { number: 2, of: 3, title: "Paper", source: "a/b.pdf" }), bars(many), bars({ [long]: 1, b: -2 }, { tone: "danger" }),
    rating(3.5, { count: 12 }), people(many), people([long]), schedule(many, { tone: "status", onClick: () => {} }), days(many), map(many), map(many.concat(many)),
    graph(many, many.slice(1).map((one) => ({ from: "Thing 0", to: one.name, label: "knows" }))),
    scale([1, 2, 2, 3, 8], { marks: { Mean: 3.2, Median: 2 }, band: [1, 4], unit: "s" }), scale(5, { unit: "km", second: { unit: "mi", factor: 0.62 } }),
    swatches({ sky: "#0b7fb5", [long]: "red" }), chart.heat(many, { x: "status", y: "role", value: "value" }),
    card({ icon: "truck", tone: "warning", subject: ["Parcel ", long], title: "364 days", facts: [[3, "scans"], [long, "name"]], actions: [button("Pay the duty", () => {}, { kind: "primary" }), button("Another step", () => {})], foot: long }, bar("Journey " + long, button("Copy", () => {})), code("ls -l"), table(many), h("div", {}, long)),
    anatomy([["https", "scheme"], "://", [long, "host"], ["/a", "path", "danger"]]), anatomy([..."1011"].map((digit, at) => [digit, 8 >> at])),
    cells({ Hour: many.map((one, at) => ({ label: at, on: at % 3 === 0, title: one.name })), [long]: many.map(({ value }) => value) }), cells([1, 0.5, 0], { columns: 2 }),
    facts([["Path", "/a/b/" + long, "A note of some length"], [long, many[0].name]]),
    ...["browser", "terminal", "paper"].map((kind) => frame(kind, text("Inside"), code("ls -l"), { title: "Title " + kind, url: "https://example.com", icon: "file", badge: "open", foot: "At the foot", actions: button("Do", () => {}) })),
    row(avatar("Ada Byron"), icon("rain", 32))
  ]
})()`

describe("a subject in its own form", () => {
  it.each(cases)("%s", (expression, expected) =>
    withPage(async (page) => {
      assert.deepEqual(await linesOf(page, expression), expected)
    })
  )

  it.each(Object.entries(lists))(
    "%s says so where there is nothing, and takes one thing for a list of it",
    (part, nothing) =>
      withPage(async (page) => {
        for (const none of ["undefined", "null", "[]", "[null]", '""'])
          assert.deepEqual(await linesOf(page, `${part}(${none})`), [nothing], none)
        if (part === "swatches" || part === "map") return
        for (const one of ['{ name: "Ada", value: "3", date: "2026-05-20" }', "12"])
          assert.deepEqual(await linesOf(page, `${part}(${one})`), await linesOf(page, `${part}([${one}])`), one)
      })
  )

  it.each([
    ["hero", `hero({ a: 1 }, { facts: [null, 1], actions: null })`],
    ["steps", `steps([1, null, { status: 4, title: ["a", "b"] }], { state: () => { throw new Error("author") } })`],
    ["files", `files([{ path: null, size: "many" }, 7], { meta: () => { throw new Error("author") } })`],
    ["hits", `hits([{ line: {} }, [1, 2]], { query: [null, /x/, 3] })`],
    ["findings", `findings([{ severity: {} }, 3], { title: () => undefined })`],
    ["request", `request({ url: 3, status: null, headers: "x", ms: "soon" })`],
    ["compare", `compare({ a: 1 }, [2])`],
    ["compare of nothing", `compare()`],
    ["page", `page(null, { number: {} })`],
    ["frame", `frame("window", null, { title: 0 })`],
    ["scale", `scale(["a", "3", NaN], { band: "x", marks: [null, {}], second: { factor: "b" } })`],
    ["anatomy", `anatomy([{ text: null }, { text: 3, label: {}, tone: 4 }, [], [null, "a"]])`],
    ["cells", `cells([null, { value: "x" }, { label: {}, on: 1 }], { columns: "many" })`],
    ["facts", `facts([null, 3, ["a"], [null, { b: 1 }, []]])`],
    ["graph", `graph([{ id: 1 }], [{ from: 1, to: 1 }, { from: 1 }, null])`],
    ["days", `days([{ high: null }], { value: false, icon: 3 })`]
  ])("%s takes what makes no sense", (_part, expression) =>
    withPage(async (page) => {
      await page.show(`[header("Odd"), ${expression}]`)
      assert.deepEqual(await page.axe(), [])
    })
  )

  it.each([
    ["a number as text is a number", `hero("0.10", { unit: "km" })`, "0.1 km"],
    ["bars of texts stand in their order", `bars([{ name: "a", n: "2" }, { name: "b", n: "10" }])`, "b 10 a 2"],
    ["places may be texts", `map([{ title: "Here", latitude: "51.5", longitude: "-0.1" }])`, "Here 100 m"]
  ])("%s", (_title, expression, expected) =>
    withPage(async (page) => {
      assert.strictEqual((await linesOf(page, expression)).join(" "), expected)
    })
  )

  it.each([
    ["steps", `steps([{ title: "One" }], { onClick: pressed })`],
    ["files", `files(["a.ts"], { onClick: pressed })`],
    ["hits", `hits([{ title: "One" }], { onClick: pressed, query: "one" })`],
    ["findings", `findings([{ message: "One" }], { onClick: pressed })`],
    ["bars", `bars([{ name: "One", value: 1 }], { onClick: pressed })`],
    ["people", `people(["Ada"], { onClick: pressed })`],
    ["schedule", `schedule([{ title: "One", start: "2026-05-20T08:00:00Z" }], { onClick: pressed })`],
    ["map", `map([{ name: "a", lat: 1, lon: 1 }, { name: "b", lat: 2, lon: 2 }], { onClick: pressed })`]
  ])("an item of %s can be pressed with the keyboard alone", (_part, expression) =>
    withPage(async (page) => {
      await page.run("void (globalThis.pressed = (item) => (globalThis.got = item))")
      await page.show(expression)
      await page.page.keyboard.press("Tab")
      await page.page.keyboard.press("Enter")
      assert.isObject(await page.run("globalThis.got ?? null"))
    })
  )

  it.each([
    ["log", `log("INFO a\\nERROR b".repeat(300))`, "Log"],
    ["days", `days(Array.from({ length: 30 }, (_, at) => ({ date: "2026-05-" + (at + 1), value: at })))`, "Days"],
    [
      "a heat map",
      `chart.heat(Array.from({ length: 50 }, (_, at) => ({ x: "column " + at, y: "a", n: at })), { title: "Heat" })`,
      "Heat"
    ]
  ])("%s scrolls with the keyboard in a region that has a name", (_part, expression, name) =>
    withPage(
      async (page) => {
        await page.show(expression)
        const region = page.page.locator(`[aria-label="${name}"]`)
        await region.focus()
        assert.strictEqual(await page.run("document.activeElement.ariaLabel"), name)
      },
      { width: 320 }
    )
  )

  it("a log shows the lines of the level that is chosen", () =>
    withPage(async (page) => {
      await page.show(`log("INFO a\\nERROR b\\nINFO c")`)
      await page.page.getByRole("button", { name: "error 1" }).press("Enter")
      assert.strictEqual(await page.page.getByRole("group", { name: "Log" }).innerText(), "ERROR\nb")
    }))

  it("a state is told by more than its colour", () =>
    withPage(
      async (page) => {
        await page.show(
          `[steps([{ title: "a", status: "done" }, { title: "b", status: "failed" }, { title: "c", status: "active" }, { title: "d" }]), findings([{ message: "e", severity: "error" }, { message: "w", severity: "warning" }])]`
        )
        const named = await page.page.getByRole("img").evaluateAll((all) => all.map((one) => one.ariaLabel))
        assert.deepEqual(named, ["done", "failed", "active", "Step 4", "error", "warning"])
        const drawn = await page.run<ReadonlyArray<string>>(
          "[...document.querySelectorAll('[role=img]')].map((one) => one.innerHTML)"
        )
        assert.strictEqual(new Set(drawn).size, drawn.length)
      },
      { forcedColors: "active" }
    ))

  for (const options of [
    { colorScheme: "light", width: 320 },
    { colorScheme: "light", width: 760 },
    { colorScheme: "dark", width: 320 },
    { colorScheme: "dark", width: 760 },
    { forcedColors: "active", width: 760 },
    { forcedColors: "active", colorScheme: "dark", width: 320 },
    { direction: "rtl", width: 320 }
  ] as const)
    it(`breaks no axe rule and never scrolls the page sideways: ${JSON.stringify(options)}`, () =>
      withPage(async (page) => {
        await page.show(gallery)
        assert.deepEqual(await page.axe(), [])
        assert.isAtMost(await page.run<number>("document.documentElement.scrollWidth"), options.width)
      }, options))
})

describe("anatomy", () => {
  it("has its pieces in one line where what is said of them needs more room than they do", () =>
    withPage(async (page) => {
      await page.show(
        `anatomy(["*/15", "9-17", "*", "*", "1-5"].flatMap((text, at) => [at > 0 && [" "], [text, ["Minute: every 15", "Hour: 9 to 17", "Day of month: every", "Month: every", "Weekday: Mon to Fri"][at]]]).filter(Boolean))`
      )
      const tops = await page.run<ReadonlyArray<number>>(
        `[...document.querySelectorAll(".mg-piece")].map((piece) => Math.round(piece.getBoundingClientRect().top))`
      )
      assert.strictEqual(new Set(tops).size, 1)
    }))
})

describe("pictures of kinds", () => {
  it("of files are tiles below each other's names where there are only names, else small ones in lines", () =>
    withPage(async (page) => {
      await page.show(`files(["a.png", "docs/", "b.xyz"])`)
      assert.strictEqual(await page.page.locator(".mg-filetiles svg[height='40']").count(), 3)
      await page.show(`files([{ path: "a.png", size: 12 }])`)
      assert.strictEqual(await page.page.locator(".mg-filetiles").count(), 0)
      assert.strictEqual(await page.page.locator("svg[height='24']").count(), 1)
    }))

  it("are never missing: a word that means none is a dot, and a size that is none the usual one", () =>
    withPage(async (page) => {
      await page.show(`[icon("qwertz", 20), icon(undefined, NaN), icon("moon", 4000)]`)
      const sizes = `[...document.querySelectorAll("svg path")].map((path) => [path.parentElement.getAttribute("width"), path.getAttribute("d").length > 0])`
      assert.deepEqual(await page.run(sizes), [
        ["20", true],
        ["16", true],
        ["96", true]
      ])
    }))

  it("and nodes of a graph are marked by their tone", () =>
    withPage(async (page) => {
      await page.show(`graph([{ id: "A", tone: "danger" }, { id: "B" }], [{ from: "A", to: "B" }])`)
      const styles = await page.page
        .locator(".mg-node")
        .evaluateAll((nodes) => nodes.map((node) => node.getAttribute("style")))
      assert.deepEqual(styles, ["--c: var(--mg-danger);", null])
    }))

  for (const [count, width, shows] of [
    [3, 320, "relations"],
    [2, 320, "boxes"],
    [3, 720, "boxes"]
  ] as const)
    it(`and ${count} things beside each other on ${width} pixels are ${shows}`, () =>
      withPage(
        async (page) => {
          await page.show(
            `graph(null, Array.from({ length: ${count} }, (_, at) => ({ from: "Tool " + at, to: "Agent", label: "serves" })))`
          )
          assert.strictEqual(await page.page.locator(".mg-node").first().isVisible(), shows === "boxes")
          const line = await page.page.getByText("Tool 1 serves → Agent").boundingBox()
          assert.strictEqual((line?.width ?? 0) > 100, shows === "relations")
        },
        { width }
      ))

  it("and marks and badges of nothing are not seen", () =>
    withPage(async (page) => {
      await page.show(`h("p", {}, badge(undefined), h("mark", "".slice(1)), badge("new"))`)
      assert.deepEqual(
        await page.run(`[...document.querySelectorAll("mark,.mg-badge")].map((node) => node.offsetWidth > 0)`),
        [false, false, true]
      )
    }))

  it("and badges: a condition that does not hold is none", () =>
    withPage(async (page) => {
      await page.show(`header("Title", { badge: false })`)
      assert.strictEqual(await page.page.locator(".mg-badge").count(), 0)
    }))
})

describe("an element of one's own", () => {
  it("takes classes behind its name, and beside them as an attribute", () =>
    withPage(async (page) => {
      await page.show(
        `[h("b one two", "some text"), h("b one", { class: ["two", false] }, "some text"), h("script one", "some text")]`
      )
      const made = `[...document.querySelectorAll("main .one")].map((node) => [node.localName, node.className])`
      assert.deepEqual(await page.run(made), [
        ["b", "one two"],
        ["b", "one two"],
        ["div", "one"]
      ])
    }))

  it("breaks a word of usual length nowhere, and a very long one where the room ends", () =>
    withPage(
      async (page) => {
        const row = (text: string): string =>
          `h("div", { style: "display:flex;gap:8px;width:200px" }, h("b", "52 weeks"), h("span", ${JSON.stringify(text)}))`
        await page.show(`[${row("a long text that wants all of the room in the row")}, ${row("x".repeat(90))}]`)
        const widths = `[...document.querySelectorAll("main b")].map((node) => node.getBoundingClientRect().width > 35)`
        assert.deepEqual(await page.run(widths), [true, true])
        assert.isAtMost(await page.run<number>("document.documentElement.scrollWidth"), 320)
      },
      { width: 320 }
    ))
})
