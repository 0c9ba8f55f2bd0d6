import { assert, describe, it } from "@effect/vitest"
import { expect } from "vitest"
import { loadSourceParsers } from "../../../src/domain/inspection/SourceParsers.ts"
import { linkSource } from "../../../src/domain/inspection/linking/LinkedSource.ts"
import { openView, viewDocument } from "../harness/index.ts"
import type { OpenViewOptions, View } from "../harness/index.ts"

const tool = {
  name: "list_cities",
  title: "List cities",
  inputSchema: {
    type: "object",
    properties: { country: { type: "string", title: "Country" }, size: { type: "integer", title: "Size" } }
  }
}

const rows = { content: [], structuredContent: { rows: [{ city: "Paris", high: 21 }] } }

const parsers = await loadSourceParsers()

/** What the wrapper brings of a newer version: a source, linked. */
const generated = (version: string, source: string, more: object = {}) => ({
  view: "generated",
  uiType: "rich",
  level: 0,
  fallback: null,
  version,
  ...linkSource(parsers, source),
  ...more
})

const builtin = (version: string, more: object = {}) => ({
  view: "builtin",
  uiType: "minimal",
  level: 2,
  fallback: null,
  htmlAttributes: "",
  bodyAttributes: "",
  head: "",
  body: "",
  version,
  ...more
})

const withParts = (heading: string, code = ""): string => `<!-- rich -->
<style>.mine { text-decoration-color: rgb(1, 2, 3) }</style>
<script type="module">
import { show, header, h } from "mcp-gen-ui/parts"
${code}
show((data, ctx) => [header("${heading}"), h("p", { class: "mine" }, data.rows[0].city + " for " + ctx.args.country)])
</script>`

const PAGE = `<!doctype html><html class="one" lang="fr"><head><style>h1 { color: rgb(9, 9, 9) }</style></head>
<body class="first"><main><h1>Version one</h1><label>Note <input name="note"></label><label><input type="checkbox" id="big"> Big</label><output></output></main>
<script type="module">
import { App } from "@modelcontextprotocol/ext-apps"
globalThis.heard = 0
const app = new App({ name: "page", version: "1" })
app.ontoolresult = ({ structuredContent }) => { document.querySelector("output").textContent = structuredContent.rows[0].city }
app.connect()
addEventListener("resize", () => heard++)
setInterval(() => heard++, 20)
document.onkeydown = () => heard++
</script></body></html>`

const NEXT = PAGE.replace("Version one", "Version two")
  .replace('class="one"', 'class="two"')
  .replace(/addEventListener[^]*?<\/script>/, "</script>")

interface Live {
  readonly view: View
  /** What the wrapper answers from now on; a function makes it of the question. */
  readonly answer: (answer: unknown) => void
  readonly asked: () => ReadonlyArray<unknown>
}

interface LiveOptions extends Omit<OpenViewOptions, "html"> {
  readonly source?: string
  readonly data?: Readonly<Record<string, unknown>>
}

/** How the page and the wrapper know each other. */
const PROVEN = { token: "t", proof: "p" }

const current = { structuredContent: { proof: PROVEN.proof, version: "1", state: "current" }, content: [] }

const changed = (document: { readonly version: string }) => ({
  structuredContent: { proof: PROVEN.proof, version: document.version, state: "changed", document },
  content: []
})

/** As the browser tells it: a page cannot make it up once the runtime stands. */
const VISIBILITY = `<script>Object.defineProperty(Document.prototype, "visibilityState", {
  get: () => (globalThis.isHidden === true ? "hidden" : "visible"), configurable: true
})</script>`

const open = async ({ source, data, ...options }: LiveOptions = {}): Promise<Live> => {
  let answer: unknown = current
  const document = await viewDocument({
    tool,
    data: {
      view: source === undefined ? "builtin" : "generated",
      wrapperTools: { current: "_ui_current", ...PROVEN },
      ...data
    }
  })
  const linked = source === undefined ? undefined : linkSource(parsers, source)
  const html =
    linked === undefined
      ? document
      : document
          .replace('<html lang="en">', () => `<html${linked.htmlAttributes}>`)
          .replace("</head>", () => `${linked.head}</head>`)
          .replace("<body>", () => `<body${linked.bodyAttributes}>${linked.body}`)
  const view = await openView({
    html: html.replace("<head>", () => `<head>${VISIBILITY}`),
    toolInput: { country: "FR" },
    toolResult: rows,
    onCall: (params, method) => {
      if (method !== "tools/call") return {}
      if (params.name !== "_ui_current") return rows
      const asked = params.arguments as { readonly version: string }
      const said = (typeof answer === "function" ? answer(asked) : answer) as {
        readonly structuredContent?: { readonly version: string }
      }
      // Like the wrapper: a page that says that it has the newest version is not given it.
      const isNewest = said.structuredContent?.version === asked.version && !("isError" in said)
      return isNewest
        ? { ...said, structuredContent: { proof: PROVEN.proof, version: asked.version, state: "current" } }
        : said
    },
    ...options
  })
  return {
    view,
    answer: (next) => (answer = next),
    asked: () => view.calls.filter(({ name }) => name === "_ui_current").map((call) => call.arguments)
  }
}

const hint = (view: View): Promise<void> =>
  view.post({ jsonrpc: "2.0", method: "notifications/resources/list_changed", params: {} })

const takeOver = async ({ view, answer }: Live, document: { readonly version: string }): Promise<void> => {
  answer(changed(document))
  // Two questions are half a second apart, hint or not.
  await hint(view)
}

/** Waits until the page asks so, with a hint whenever it has asked something else. */
const until = async (live: Live, wanted: unknown): Promise<void> => {
  const isWanted = (asked: unknown): boolean => JSON.stringify(asked) === JSON.stringify(wanted)
  while (!live.asked().some(isWanted)) {
    const { length } = live.asked()
    await hint(live.view)
    await live.view.requested("tools/call", length + 1)
  }
}

const reports = (live: Live): ReadonlyArray<unknown> =>
  live.asked().filter((asked) => JSON.stringify(asked).includes("failed"))

interface Told {
  readonly kind: string
  readonly message: string
  readonly places: ReadonlyArray<string>
  readonly isInPlace: boolean
}

const untilReported = async (live: Live, count = 1): Promise<void> => {
  while (reports(live).length < count) await live.view.requested("tools/call", live.view.calls.length + 1)
}

const failedLine = (view: View) => view.frame.getByText("The view made for this failed; this is the standard view.")

const heading = (view: View, name: string) => view.frame.getByRole("heading", { name })

const clean = async (view: View): Promise<void> => {
  assert.deepStrictEqual(view.violations, [])
  assert.deepStrictEqual(view.consoleErrors, [])
  assert.deepStrictEqual(await view.axe(), [])
}

describe("a page that is open takes a newer version over in place", () => {
  const HINDERING: Readonly<Record<string, string>> = {
    "says that it is hidden": `Object.defineProperty(document, "visibilityState", { get: () => "hidden" })`,
    "takes away what reads a document": `globalThis.DOMParser = undefined`,
    "has listeners that cannot be taken away": `let n = 0; addEventListener("x", () => 0, { get capture() { if (n++ > 0) throw new Error("no"); return false } })`,
    "has a handler that cannot be taken away": `Object.defineProperty(window, "onfoo", { set() { throw new Error("no") }, enumerable: true })`,
    "hides members of the document": `for (const name of ["adoptedStyleSheets", "title", "readyState"]) Object.defineProperty(document, name, { get() { throw new Error("no") } })`,
    "gives all requests a signal": `Object.prototype.signal = { aborted: true }`
  }
  /** Code that asks for no data would be taken back for that. */
  const CONNECTS = `import { App } from "@modelcontextprotocol/ext-apps"
    new App({ name: "page", version: "1" }).connect().catch(() => undefined)`
  for (const [name, code] of Object.entries(HINDERING)) {
    it(`also from code that ${name}`, async () => {
      const source = `<h1>One</h1><script>try { ${code} } catch {}</script><script type="module">${CONNECTS}; globalThis.one = 1</script>`
      const live = await open({ source })
      await live.view.until("globalThis.one === 1")
      await takeOver(live, generated("2", `<h1>Two</h1><script type="module">${CONNECTS}; globalThis.two = 2</script>`))
      await heading(live.view, "Two").waitFor()
      await live.view.until("globalThis.two === 2")
      assert.strictEqual(await live.view.frame.getByText("A new version of this view failed").count(), 0)
    })
  }

  it("from the built-in view, a fallback, to a generated one, with input and result", async () => {
    const fallback = { code: "TIMEOUT", message: "no answer within 15 s", transient: true }
    const live = await open({ data: { fallback } })
    const { view } = live
    await view.frame.getByText("It will be tried again later").waitFor()
    await takeOver(live, generated("2", withParts("Cities")))
    await view.frame.getByText("Paris for FR").waitFor()
    await heading(view, "Cities").waitFor()
    assert.strictEqual(await view.frame.getByText("It will be tried again later").count(), 0)
    assert.strictEqual(
      await view.frame.evaluate("getComputedStyle(document.querySelector('.mine')).textDecorationColor"),
      "rgb(1, 2, 3)"
    )
    await view.frame.getByText("The view was updated.").waitFor({ state: "attached" })
    assert.deepStrictEqual(live.asked()[0], { toolName: "list_cities", token: "t", version: "1" })
    await clean(view)
  })

  for (const type of ["", "text/javascript", "application/javascript", " Text/ECMAScript "]) {
    it(`from one to another that declares the same names in a script of type "${type}"`, async () => {
      const page = (text: string): string =>
        `<!doctype html><html><body><main><h1>Page</h1><output></output></main>
<script${type === "" ? "" : ` type="${type}"`}>const said = "${text}"; document.querySelector("output").textContent = said</script>
<script type="module">import { App } from "@modelcontextprotocol/ext-apps"; new App({ name: "page", version: "1" }).connect()</script></body></html>`
      const live = await open({ source: page("first words") })
      await live.view.frame.getByText("first words").waitFor()
      await takeOver(live, generated("2", page("second words")))
      await live.view.frame.getByText("second words").waitFor()
      await clean(live.view)
    })
  }

  it("from a page of its own code to another one, whose code is all that runs", async () => {
    const live = await open({ source: PAGE })
    const { view } = live
    await view.frame.getByText("Paris").waitFor()
    await takeOver(live, generated("2", NEXT))
    await heading(view, "Version two").waitFor()
    await view.frame.getByText("Paris").waitFor()
    await view.frame.evaluate(
      "heard = 0; dispatchEvent(new Event('resize')); document.dispatchEvent(new Event('keydown'))"
    )
    await view.settle()
    assert.strictEqual(await view.frame.evaluate("heard"), 0)
    assert.strictEqual(await heading(view, "Version one").count(), 0)
    assert.deepStrictEqual(
      await view.frame.evaluate(
        "[document.documentElement.className, document.body.className, document.querySelectorAll('head style:not([data-mcp-gen-ui])').length]"
      ),
      ["two", "first", 1]
    )
    await view.send("sendToolResult", { content: [], structuredContent: { rows: [{ city: "Lyon" }] } })
    await view.frame.getByText("Lyon").waitFor()
    await clean(view)
  })

  it("and has a time of its own to draw, however late the one before would have been looked at", async () => {
    const live = await open({ source: withParts("Cities"), hasClock: true })
    const { view } = live
    await heading(view, "Cities").waitFor()
    await view.page.clock.runFor(700)
    const slow = `<script type="module">import { App } from "@modelcontextprotocol/ext-apps"
      const app = new App({ name: "page", version: "1" })
      app.ontoolresult = ({ structuredContent }) => { globalThis.isGiven = 1
        setTimeout(() => { document.body.innerHTML = "<h1>Slow</h1>" + structuredContent.rows[0].city }, 700) }
      app.connect()</script>`
    await takeOver(live, generated("2", slow))
    await view.until("globalThis.isGiven === 1")
    await view.page.clock.runFor(750)
    await heading(view, "Slow").waitFor()
    await view.page.clock.runFor(2_000)
    assert.strictEqual(await view.frame.getByText("A new version of this view failed").count(), 0)
    assert.strictEqual(await heading(view, "Slow").count(), 1)
  })

  it("from a generated view to the built-in one, with its reason, and back", async () => {
    const live = await open({ source: withParts("Cities", "globalThis.turns = 0") })
    const { view } = live
    await heading(view, "Cities").waitFor()
    await takeOver(live, builtin("2", { fallback: { code: "REJECTED", message: "no", transient: false } }))
    await view.frame.getByRole("cell", { name: "Paris", exact: true }).waitFor()
    await view.frame.getByText("did not pass its checks").waitFor()
    await takeOver(live, generated("3", withParts("Towns")))
    await heading(view, "Towns").waitFor()
    await view.frame.getByText("Paris for FR").waitFor()
    assert.strictEqual(await view.frame.getByRole("note").count(), 0)
    await clean(view)
  })

  it("keeps what was typed and ticked, the focus and the caret", async () => {
    const live = await open({ source: PAGE })
    const { view } = live
    const note = view.frame.getByLabel("Note")
    await view.frame.getByLabel("Big").check()
    await note.click()
    await note.pressSequentially("half a sentence")
    await note.press("ArrowLeft")
    await takeOver(live, generated("2", NEXT))
    await heading(view, "Version two").waitFor()
    assert.strictEqual(await note.inputValue(), "half a sentence")
    assert.isTrue(await view.frame.getByLabel("Big").isChecked())
    assert.deepStrictEqual(
      await view.frame.evaluate("[document.activeElement.name, document.activeElement.selectionStart]"),
      ["note", 14]
    )
    await clean(view)
  })

  it("keeps the draft of the form from the built-in view on", async () => {
    const live = await open()
    const { view } = live
    await view.frame.getByRole("button", { name: "Edit input" }).click()
    await view.frame.getByLabel("Size").pressSequentially("12")
    await takeOver(live, generated("2", withParts("Cities")))
    await heading(view, "Cities").waitFor()
    assert.strictEqual(await view.frame.getByLabel("Size").inputValue(), "12")
    assert.strictEqual(await view.frame.getByLabel("Country").inputValue(), "FR")
    await clean(view)
  })

  it("tells at its end what was done last, also while a question is under way", async () => {
    const { answer, asked, view } = await open({
      data: { wrapperTools: { current: "_ui_current", ...PROVEN, keeps: true } }
    })
    await view.requested("tools/call")
    answer(() => new Promise(() => undefined))
    await view.frame.getByRole("button", { name: "Edit input" }).click()
    const size = view.frame.getByLabel("Size")
    await size.pressSequentially("12")
    const told = (): string =>
      asked()
        .map((question) => JSON.stringify((question as { view?: unknown }).view))
        .join()
    await expect.poll(told).toContain("12")
    await size.pressSequentially("34")
    await view.teardown()
    assert.include(told(), "1234")
  })

  it("keeps the view that is shown while nothing newer is there", async () => {
    const live = await open({ source: PAGE })
    await live.view.frame.evaluate("document.querySelector('h1').dataset.same = ''")
    await takeOver(live, generated("1", NEXT))
    await live.view.requested("tools/call")
    await live.view.settle()
    assert.strictEqual(await live.view.frame.locator("h1[data-same]").count(), 1)
    await clean(live.view)
  })
})

describe("a newer version that fails", () => {
  const BAD: ReadonlyArray<readonly [name: string, source: string]> = [
    ["throws", `<h1>Bad</h1><script type="module">throw new Error("broken two")</script>`],
    ["rejects", `<h1>Bad</h1><script type="module">Promise.reject(new Error("broken two"))</script>`],
    ["cannot draw the result", withParts("Bad", `show(() => { throw new Error("broken two") })`)],
    [
      "breaks the page",
      `<h1>Bad</h1><script type="module">document.documentElement.remove(); throw new Error("broken two")</script>`
    ]
  ]
  for (const [name, source] of BAD) {
    it(`in its first second, and ${name}, gives way to the one before, once`, async () => {
      const live = await open({ source: PAGE })
      const { view } = live
      await view.frame.getByText("Paris").waitFor()
      await view.frame.getByLabel("Note").pressSequentially("mine")
      await takeOver(live, generated("2", source))
      await view.frame.getByText("A new version of this view failed").first().waitFor()
      await heading(view, "Version one").waitFor()
      await view.frame.getByText("Paris").waitFor()
      assert.strictEqual(await view.frame.getByLabel("Note").inputValue(), "mine")
      assert.strictEqual(await heading(view, "Bad").count(), 0)
      assert.strictEqual(await failedLine(view).count(), 0)
      await view.frame.getByRole("note").locator("summary").click()
      await view.frame.getByText("broken two").waitFor()

      await untilReported(live)
      assert.deepInclude(reports(live)[0], { version: "2", failed: "2" })
      // The wrapper went back as well: the page has that one, and says so.
      await takeOver(live, generated("1", PAGE))
      await until(live, { toolName: "list_cities", token: "t", version: "1" })
      assert.lengthOf(reports(live), 1)

      // Code of version one may have a hand in it: of what follows nothing more is told.
      await takeOver(live, generated("3", BAD[0]?.[1] ?? ""))
      await until(live, { toolName: "list_cities", token: "t", version: "3" })
      assert.lengthOf(reports(live), 1)
      assert.strictEqual(await view.frame.getByLabel("Note").inputValue(), "mine")
      assert.deepStrictEqual(await view.axe(), [])
    })
  }

  it("as it is opened says so, and gives way to the one that the wrapper goes back to", async () => {
    const live = await open({ source: BAD[0]?.[1] ?? "" })
    const { view } = live
    await failedLine(view).waitFor()
    live.answer(changed(generated("0", PAGE)))
    await heading(view, "Version one").waitFor()
    await view.frame.getByText("Paris").waitFor()
    assert.strictEqual(await failedLine(view).count(), 0)
    await until(live, { toolName: "list_cities", token: "t", version: "0" })
    const [told, ...more] = reports(live) as ReadonlyArray<{ readonly failed: string; readonly fault: Told }>
    assert.deepStrictEqual(more, [])
    assert.strictEqual(told?.failed, "1")
    assert.deepInclude(told?.fault, { kind: "threw", message: "broken two", isInPlace: false })
    assert.match(told?.fault.places[0] ?? "", /^\d+:\d+$/)
  })

  it("after its first second gives way to the built-in view, and the wrapper hears that it was later", async () => {
    const source = `<h1>Late</h1><script type="module">import { App } from "@modelcontextprotocol/ext-apps"
      const app = new App({ name: "a", version: "1" })
      app.ontoolresult = ({ structuredContent }) => document.body.append(structuredContent.rows[0].city)
      app.connect()
      globalThis.fail = () => queueMicrotask(() => { throw new Error("late") })</script>`
    const live = await open({ source, hasClock: true })
    const { view } = live
    await view.frame.getByText("Paris").waitFor()
    await view.page.clock.runFor(2_500)
    await view.frame.evaluate("fail()")
    await view.page.clock.runFor(1_000)
    await failedLine(view).waitFor()
    await view.frame.getByRole("cell", { name: "Paris", exact: true }).waitFor()
    await untilReported(live)
    assert.deepInclude((reports(live)[0] as { readonly fault: object }).fault, {
      kind: "threw later",
      message: "late",
      shape: '{"rows":[{"city":string,"high":number}]}'
    })
  })

  it("in place of the built-in view is told, again if that was refused", async () => {
    const live = await open()
    let isRefused = true
    live.answer((asked: object) => {
      if (!("failed" in asked)) return changed(generated("2", BAD[0]?.[1] ?? ""))
      const refused = {
        isError: isRefused,
        content: [],
        structuredContent: { proof: PROVEN.proof, version: "2", state: "current" }
      }
      isRefused = false
      return refused
    })
    await hint(live.view)
    await until(live, { toolName: "list_cities", token: "t", version: "2" })
    const [first, second, ...more] = reports(live)
    assert.deepStrictEqual(more, [])
    assert.deepInclude(first, { version: "2", failed: "2" })
    assert.deepStrictEqual(second, first)
  })

  it("later gives way to the built-in view", async () => {
    const live = await open({ source: PAGE, hasClock: true })
    const { view } = live
    const source = `<h1>Late</h1><script type="module">globalThis.fail = () => queueMicrotask(() => { throw new Error("late") })</script>`
    await takeOver(live, generated("2", source))
    await heading(view, "Late").waitFor()
    // The trial of a version is a timer of a second.
    await view.page.clock.runFor(1_000)
    await view.frame.evaluate("fail()")
    await failedLine(view).waitFor()
    await view.frame.getByRole("cell", { name: "Paris", exact: true }).waitFor()
  })
})

describe("asking", () => {
  const hidden = (view: View, isHidden: boolean): Promise<unknown> =>
    view.frame.evaluate(
      `globalThis.isHidden = ${isHidden};
       document.dispatchEvent(new Event("visibilitychange"))`
    )

  it("does not happen where the wrapper names no tool, or the host calls none", async () => {
    for (const options of [
      { data: { wrapperTools: { select: "_ui_select" } } },
      { hostCapabilities: { logging: {} } }
    ]) {
      const live = await open({ hasClock: true, ...options })
      await live.view.page.clock.runFor(130_000)
      await hint(live.view)
      await live.view.page.clock.runFor(5_000)
      assert.strictEqual(live.asked().length, 0)
      await clean(live.view)
    }
  })

  it("begins soon, grows rarer, rests while hidden, and goes on at once when it is seen again", async () => {
    const live = await open({ hasClock: true })
    const { view } = live
    /** Moves the page's clock; then messages of page and host arrive. */
    const after = async (milliseconds: number): Promise<number> => {
      await view.page.clock.runFor(milliseconds)
      for (let turn = 0; turn < 2; turn += 1) {
        await view.frame.evaluate("0")
        await view.page.evaluate("0")
      }
      return live.asked().length
    }
    const seconds = async (count: number, limit: number): Promise<number> => {
      let gone = 0
      while (gone < limit && (await after(1000)) < count) gone += 1
      assert.isAtLeast(live.asked().length, count)
      return gone
    }
    // The time of the machine goes on beside ours: how long it takes is compared, not measured.
    await seconds(1, 60)
    const early = await seconds(2, 60)
    for (let gone = 0; gone < 20; gone += 1) await after(20_000)
    const seen = await after(0)
    await seconds(seen + 1, 60)
    assert.isAbove(await seconds(seen + 2, 120), early)
    await hidden(view, true)
    const before = await after(2_000)
    assert.strictEqual(await after(120_000), before)
    await hidden(view, false)
    await seconds(before + 1, 30)
    await clean(view)
  })

  it("comes within seconds as long as somebody was there a minute ago: a change in the chat shows soon", async () => {
    const live = await open({ hasClock: true })
    const { view } = live
    const after = async (seconds: number): Promise<number> => {
      for (let gone = 0; gone < seconds; gone += 1) {
        await view.page.clock.runFor(1_000)
        await view.frame.evaluate("0")
        await view.page.evaluate("0")
      }
      return live.asked().length
    }
    const first = await after(60)
    assert.isAbove(await after(5), first)
    await after(300)
    await view.frame.getByRole("heading", { name: "List cities" }).click()
    await after(20)
    const touched = await after(0)
    assert.isAbove(await after(4), touched)
  })

  it("comes before anything is drawn, and again after: a page that hangs meanwhile is found by that", async () => {
    const source = `<h1>Slow</h1><script type="module">import { App } from "@modelcontextprotocol/ext-apps"
      const app = new App({ name: "a", version: "1" })
      app.ontoolresult = ({ structuredContent }) => document.body.append(structuredContent.rows[0].city)
      app.connect()</script>`
    const data = { wrapperTools: { current: "_ui_current", keeps: true, ...PROVEN } }
    const live = await open({ source, data })
    await live.view.frame.getByText("Paris").waitFor()
    await live.view.requested("tools/call", 2)
    const [first, second] = live.asked() as ReadonlyArray<object>
    assert.deepStrictEqual(first, { toolName: "list_cities", token: "t", version: "1", opens: true })
    assert.containsAllKeys(second ?? {}, ["toolName", "token", "version", "shows"])
    assert.notProperty(second, "opens")
  })

  it("comes from a page that is closed before its next question: it did not hang", async () => {
    const live = await open({ source: withParts("Cities"), hasClock: true })
    await heading(live.view, "Cities").waitFor()
    await live.view.requested("tools/call")
    await live.view.teardown()
    const question = { toolName: "list_cities", token: "t", version: "1" }
    assert.deepStrictEqual(live.asked(), [{ ...question, opens: true }, question])
  })

  it("follows a call of the page, and ends with three refusals", async () => {
    const live = await open({ hasClock: true })
    const { view } = live
    live.answer({ isError: true, content: [] })
    await view.frame.getByRole("button", { name: "Run again" }).click()
    await view.page.clock.runFor(600)
    await view.requested("tools/call", 2)
    for (let turn = 0; turn < 20; turn++) await view.page.clock.runFor(60_000)
    assert.strictEqual(live.asked().length, 3)
  })

  it("stops after half an hour without a hand on the page, and goes on with one", async () => {
    const live = await open({ hasClock: true })
    const { view } = live
    await view.page.clock.runFor(1_000)
    await view.page.clock.fastForward(31 * 60_000)
    const before = live.asked().length
    await view.page.clock.runFor(180_000)
    assert.isAtMost(live.asked().length, before + 1)
    const still = live.asked().length
    await view.frame.getByRole("heading", { name: "List cities" }).click()
    await view.page.clock.runFor(600)
    await view.requested("tools/call", still + 1)
  })
})

describe("variants to choose among", () => {
  const choices = [2, 3].map((value) => ({ value, label: `Variant ${value - 1}` }))
  const pages = { 2: generated("v2", withParts("First")), 3: generated("v3", withParts("Second")) }
  let current: 2 | 3 = 2
  let isOpen = true

  /** As the wrapper answers. */
  const wrapper = (asked: { readonly pick?: 2 | 3; readonly chosen?: boolean; readonly version: string }) => {
    current = asked.pick ?? current
    if (asked.chosen === true) isOpen = false
    const document = pages[current]
    const variants = isOpen ? { variants: { choices, current } } : {}
    const state = asked.version === document.version ? { state: "current" } : { state: "changed", document }
    return { structuredContent: { proof: PROVEN.proof, at: document.version, ...state, ...variants }, content: [] }
  }

  it.each([
    { colorScheme: "light", width: 320 },
    { colorScheme: "dark", width: 900 }
  ] as const)(
    "are shown one after the other as the person presses, until one is kept ($colorScheme, $width)",
    async (look) => {
      ;[current, isOpen] = [2, true]
      const live = await open({ ...look, source: withParts("Before") })
      const { view } = live
      const variant = (number: number) => view.frame.getByRole("button", { name: `Variant ${number}` })
      await heading(view, "Before").waitFor()
      live.answer(wrapper)
      await hint(view)
      await heading(view, "First").waitFor()
      assert.strictEqual(await variant(1).getAttribute("aria-pressed"), "true")
      assert.deepStrictEqual(await view.axe(), [])
      await variant(2).click()
      await heading(view, "Second").waitFor()
      assert.strictEqual(await variant(2).getAttribute("aria-pressed"), "true")
      await variant(1).press("Enter")
      await heading(view, "First").waitFor()
      await view.frame.getByRole("button", { name: "Keep this one" }).click()
      await variant(1).waitFor({ state: "detached" })
      await clean(view)
    }
  )
})
