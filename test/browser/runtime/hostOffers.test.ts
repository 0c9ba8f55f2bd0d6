import { assert, describe, it } from "@effect/vitest"
import type { Locator } from "playwright-core"
import { loadSourceParsers } from "../../../src/domain/inspection/SourceParsers.ts"
import { linkSource } from "../../../src/domain/inspection/linking/LinkedSource.ts"
import { openView, type OpenViewOptions, type View, viewDocument } from "../harness/index.ts"

const ALL = { serverTools: {}, serverResources: {}, openLinks: {}, downloadFile: {}, message: {}, logging: {} }
const RESULT = {
  content: [{ type: "text", text: '[{"id":1,"title":"One"}]' }],
  structuredContent: { rows: [{ id: 1 }] }
}

const without = (name: string): Record<string, unknown> =>
  Object.fromEntries(Object.entries(ALL).filter(([key]) => key !== name))

const tool = {
  name: "list_issues",
  inputSchema: { type: "object", properties: { state: { type: "string" } } }
}

const open = async (module: string | undefined, more: Partial<OpenViewOptions> = {}): Promise<View> =>
  openView({
    html: await viewDocument({ tool, data: { byHand: true }, ...(module === undefined ? {} : { module }) }),
    toolInput: { state: "open" },
    toolResult: RESULT,
    ...more
  })

/** A page with a button for each kind of deed. */
const PAGE = `
const { show, button, h } = mcpGenUi.parts
const { App } = mcpGenUi.extApps
const app = new App({ name: "page", version: "1" })
app.connect()
show((data, ctx) => [
  button("Close issue", () => ctx.call("close_issue", { id: 1 })),
  button("Ask", () => ctx.say("What is this?")),
  button("Web", () => app.openLink({ url: "https://example.com" })),
  button("Manual", () => ctx.open("https://example.com/manual")),
  button("Save", () => ctx.download("a.json", data)),
  h("a", { href: "https://example.com/a" }, "More")
])`

const named = (view: View, name: string): Locator => view.frame.getByRole("button", { name, exact: true })

const REASONS = {
  "Close issue": ["serverTools", "This host does not let a view call tools."],
  Ask: ["message", "This host does not let a view write messages."],
  Web: ["openLinks", "This host does not let a view open links."],
  Manual: ["openLinks", "This host does not let a view open links."],
  Save: ["downloadFile", "This host does not let a view save files."]
} as const

describe("controls of a generated page", () => {
  it("all work where the host offers everything", async () => {
    const view = await open(PAGE, { hostCapabilities: ALL })
    for (const name of Object.keys(REASONS)) {
      await named(view, name).waitFor()
      assert.isNull(await named(view, name).getAttribute("aria-disabled"), name)
      await view.press(named(view, name))
    }
    await view.requested("tools/call")
    await view.requested("ui/message")
    await view.requested("ui/open-link", 2)
    await view.requested("ui/download-file")
    await view.frame.getByRole("link", { name: "More" }).hover()
    assert.isNull(await view.frame.getByRole("link", { name: "More" }).getAttribute("title"))
  })

  it.each(Object.entries(REASONS))("%s is disabled and says why where it cannot work", async (name, [missing, why]) => {
    const view = await open(PAGE, { hostCapabilities: without(missing) })
    await named(view, name).waitFor()
    assert.strictEqual(await named(view, name).getAttribute("aria-disabled"), "true")
    assert.strictEqual(await named(view, name).getAttribute("title"), why)
    await named(view, name).click({ force: true })
    for (const other of Object.keys(REASONS)) {
      if (REASONS[other as keyof typeof REASONS][0] !== missing)
        assert.isNull(await named(view, other).getAttribute("aria-disabled"), other)
    }
    await view.settle()
    assert.notIncludeMembers(
      view.requests.map(({ method }) => method),
      ["tools/call", "ui/message", "ui/open-link", "ui/download-file"]
    )
    assert.deepStrictEqual(view.consoleErrors, [])
  })

  it("asks no host for a completion that does not state sampling", async () => {
    const page = `
const app = new mcpGenUi.extApps.App({ name: "page", version: "1" })
await app.connect()
await app.createSamplingMessage({ messages: [], maxTokens: 1 }).catch(({ message }) => { document.body.append(message) })`
    const view = await open(page, { hostCapabilities: ALL })
    await view.frame.getByText("This host does not let a view ask its model.").waitFor()
    assert.deepStrictEqual(
      view.requests.filter(({ method }) => method.startsWith("sampling")),
      []
    )
  })

  it("the same in the page of a model, whose code is linked", async () => {
    const source = `<script type="module">
import { show, button } from "mcp-gen-ui/parts"
show((data, ctx) => button("Manual", () => ctx.open("https://example.com/manual")))
</script>`
    const { body } = linkSource(await loadSourceParsers(), source)
    const html = await viewDocument({ tool, data: { view: "generated" } })
    const view = await openView({
      html: html.replace("<body>", () => `<body>${body}`),
      toolInput: {},
      toolResult: RESULT,
      hostCapabilities: without("openLinks")
    })
    await named(view, "Manual").waitFor()
    assert.strictEqual(await named(view, "Manual").getAttribute("title"), REASONS.Manual[1])
  })

  it("links say why they lead nowhere", async () => {
    const view = await open(PAGE, { hostCapabilities: without("openLinks") })
    const link = view.frame.getByRole("link", { name: "More" })
    await link.hover()
    assert.strictEqual(await link.getAttribute("title"), `${REASONS.Web[1]} https://example.com/a`)
  })

  it("a button whose code does not show what it does is disabled once the host's refusal is known", async () => {
    const hidden = PAGE.replace('() => ctx.call("close_issue", { id: 1 })', "() => deed(ctx.call)").concat(
      "\nconst deed = (run) => run('close_issue', {})"
    )
    const view = await open(hidden, { hostCapabilities: without("serverTools") })
    await view.press(named(view, "Close issue"))
    await view.frame.getByText(REASONS["Close issue"][1]).waitFor()
    assert.strictEqual(await named(view, "Close issue").getAttribute("aria-disabled"), "true")
  })

  it("a link that only the press shows is told, with its address", async () => {
    const hidden = PAGE.replace('() => ctx.open("https://example.com/manual")', "() => lead(ctx)").concat(
      "\nconst lead = ({ open }) => open('https://example.com/manual')"
    )
    const view = await open(hidden, { hostCapabilities: without("openLinks") })
    await view.press(named(view, "Manual"))
    await view.frame.getByText(`${REASONS.Manual[1]} https://example.com/manual`).waitFor()
  })
})

describe("the built-in UI", () => {
  it.each([
    [ALL, 1],
    [without("serverTools"), 0]
  ])("offers to run again and to edit only where it may call tools: %j", async (hostCapabilities, count) => {
    const view = await open(undefined, { hostCapabilities })
    await view.until(`document.querySelector(".mf-line")?.hidden === false`)
    assert.strictEqual(await named(view, "Edit input").count(), count)
    assert.strictEqual(await view.frame.getByRole("button", { name: "Run again" }).count(), count)
    assert.deepStrictEqual(await view.axe(), [])
  })

  it("shows the form before a result, but does not send it", async () => {
    const view = await openView({ html: await viewDocument({ tool }), hostCapabilities: without("serverTools") })
    const submit = view.frame.locator("button[type=submit]")
    await view.until(`document.querySelector("button[type=submit]")?.title !== ""`)
    assert.strictEqual(await submit.getAttribute("title"), REASONS["Close issue"][1])
    assert.strictEqual(await submit.getAttribute("aria-disabled"), "true")
  })

  it.each([
    [
      ["inline", "fullscreen", "pip"],
      ["Full screen", "Picture in picture"]
    ],
    [["inline", "pip"], ["Picture in picture"]],
    [["inline", "standalone"], []]
  ])("offers the display modes that the host has: %j", async (availableDisplayModes, expected) => {
    const view = await open(undefined, {
      hostContext: { availableDisplayModes, displayMode: "inline" },
      onCall: (_, method) => (method === "ui/request-display-mode" ? { mode: "pip" } : undefined)
    })
    await view.until(`document.querySelector(".mf-line")?.hidden === false`)
    for (const name of ["Full screen", "Picture in picture"])
      assert.strictEqual(await named(view, name).count(), expected.includes(name) ? 1 : 0, name)
    if (!expected.includes("Picture in picture")) return
    await view.press(named(view, "Picture in picture"))
    assert.deepStrictEqual(await view.requested("ui/request-display-mode"), [{ mode: "pip" }])
    await named(view, "Exit picture in picture").waitFor()
  })
})

describe("App", () => {
  const inPage = (code: string): string => `
const { App } = mcpGenUi.extApps
const app = new App({ name: "page", version: "1" })
globalThis.told = {}
const tell = (name, work) => work.then((value) => { told[name] = value }, (error) => { told[name] = error.message })
await app.connect()
${code}`

  it("takes what older code gives", async () => {
    const view = await open(
      inPage(`
await tell("block", app.sendMessage({ role: "user", content: { type: "text", text: "one" } }))
await tell("bare", app.sendMessage({ type: "text", text: "two" }))
await tell("text", app.sendMessage("three"))
await tell("mode", app.requestDisplayMode("fullscreen"))
await tell("link", app.openLink("https://example.com/"))
await tell("resource", app.readResource({ uri: "ui://x" }))
await tell("resource", app.readResource("ui://y"))
await tell("context", app.updateModelContext({ structuredContent: { a: 1 } }))
told.done = true`),
      {
        onCall: (_, method) =>
          method === "ui/request-display-mode"
            ? { mode: "fullscreen" }
            : method === "resources/read"
              ? { contents: [] }
              : {}
      }
    )
    await view.until("globalThis.told?.done")
    const block = (text: string) => ({ role: "user", content: [{ type: "text", text }] })
    assert.deepStrictEqual(await view.requested("ui/message", 3), [block("one"), block("two"), block("three")])
    assert.deepStrictEqual(await view.requested("ui/request-display-mode"), [{ mode: "fullscreen" }])
    assert.deepStrictEqual(await view.requested("ui/open-link"), [{ url: "https://example.com/" }])
    assert.deepStrictEqual(await view.requested("resources/read", 2), [{ uri: "ui://x" }, { uri: "ui://y" }])
    assert.deepStrictEqual(await view.requested("ui/update-model-context"), [{ structuredContent: { a: 1 } }])
  })

  it("refuses at once what the host does not offer, and that condemns no page", async () => {
    const view = await open(
      inPage(`
document.body.append("drawn")
tell("tool", app.callServerTool({ name: "close_issue", arguments: {} }))
tell("link", app.openLink({ url: "https://example.com" }))
app.callServerTool({ name: "close_issue", arguments: {} })
app.sendMessage("nobody catches this")`),
      { hostCapabilities: {} }
    )
    await view.until("globalThis.told?.tool && told.link")
    assert.deepStrictEqual(await view.frame.evaluate("told"), {
      tool: "This host does not let a view call tools.",
      link: "This host does not let a view open links. https://example.com"
    })
    await view.settle()
    assert.strictEqual(await view.frame.getByText("went wrong").count(), 0)
    assert.deepStrictEqual(
      view.requests.filter(({ method }) => method !== "ui/update-model-context"),
      []
    )
  })

  it("gives a request up after a minute, and a call of a tool after ten", async () => {
    const view = await open(
      inPage(`tell("link", app.openLink({ url: "https://example.com" }))
tell("tool", app.callServerTool({ name: "list_issues", arguments: {} }))
told.begun = true`),
      { hasClock: true, onCall: () => new Promise(() => undefined) }
    )
    await view.until("globalThis.told?.begun")
    await view.requested("tools/call")
    await view.page.clock.runFor(61_000)
    await view.until("told.link")
    assert.deepStrictEqual(await view.frame.evaluate("told"), { begun: true, link: "Request timed out" })
    await view.page.clock.runFor(600_000)
    await view.until("told.tool")
  })
})

describe("the language of the document", () => {
  it.each([
    ["ar-EG", "rtl"],
    ["he", "rtl"],
    ["de-DE", ""],
    ["arn", ""]
  ])("is the host's: %s", async (locale, dir) => {
    const view = await open(undefined, { hostContext: { locale } })
    await view.until(`document.documentElement.lang === "${locale}"`)
    assert.strictEqual(await view.frame.evaluate("document.documentElement.dir"), dir)
    await view.changeContext({ locale: "en-GB" })
    await view.until(`document.documentElement.lang === "en-GB" && document.documentElement.dir === ""`)
  })
})
