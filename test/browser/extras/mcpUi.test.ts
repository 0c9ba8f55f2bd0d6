import { assert, describe, it } from "@effect/vitest"
import type { Frame } from "playwright-core"
import { expect } from "vitest"
import { isObject } from "../../../src/domain/isObject.ts"
import { openView, type OpenViewOptions, type View } from "../harness/index.ts"
import { widePage } from "./widePage.ts"

/** A page as servers of mcp-ui send them: code in attributes, messages to the parent. */
const PAGE = `<!doctype html><html><head><style>body{margin:8px;font:14px sans-serif}</style></head><body>
<h1>Orders</h1>
<button onclick="say({ type: 'tool', messageId: 'm1', payload: { toolName: 'ship', params: { id: 7 } } })">Ship</button>
<button id="prompt">Ask</button> <button id="intent">Buy</button> <button id="notify">Tell</button>
<a href="https://example.com/orders">All orders</a>
<pre id="heard"></pre>
<script>
function say(message) { parent.postMessage(message, "*") }
window.heard = []
addEventListener("message", ({ data }) => {
  heard.push(data)
  document.querySelector("#heard").textContent = heard.map((one) => one.type ?? one.method ?? one.id).join("\\n")
})
document.querySelector("#prompt").addEventListener("click", () => say({ type: "prompt", payload: { prompt: "Why?" } }))
document.querySelector("#intent").addEventListener("click", () => say({ type: "intent", payload: { intent: "buy", params: { id: 7 } } }))
document.querySelector("#notify").addEventListener("click", () => say({ type: "notify", payload: { message: "cart updated" } }))
say({ type: "ui-lifecycle-iframe-ready" })
</script></body></html>`

const resource = (more: Readonly<Record<string, unknown>>) => ({
  type: "resource",
  resource: { uri: "ui://orders/1", mimeType: "text/html", text: PAGE, ...more }
})

const open = async (options: Partial<OpenViewOptions> = {}, source: string | null = null): Promise<View> =>
  openView({ html: await widePage({ name: "list_orders" }, { mcpUi: true }, source), ...options })

const until = (frame: Frame, expression: string) =>
  expect.poll(() => frame.evaluate(`Boolean(${expression})`), { message: expression }).toBe(true)

const nested = async (view: View): Promise<Frame> => {
  await expect.poll(() => view.frame.childFrames().length, { message: "a nested frame" }).toBe(1)
  const frame = view.frame.childFrames()[0] ?? assert.fail("no frame")
  await until(frame, "globalThis.heard?.length > 0")
  return frame
}

const heardIn = (frame: Frame): Promise<ReadonlyArray<Record<string, unknown>>> => frame.evaluate("heard")

const shown = (more: Readonly<Record<string, unknown>> = {}): Partial<OpenViewOptions> => ({
  toolInput: { shop: "north" },
  toolResult: { content: [{ type: "text", text: "1 order" }, resource(more)] }
})

describe("a result that carries a view of mcp-ui", () => {
  it("runs its page in a frame, with what stands in attributes, and gives it its data", async () => {
    const renderData = { orders: [{ id: 7, total: 12.5 }] }
    const view = await open(shown({ _meta: { "mcpui.dev/ui-initial-render-data": renderData } }))
    const frame = await nested(view)
    const [first] = await heardIn(frame)
    assert.deepStrictEqual(first, { type: "ui-lifecycle-iframe-render-data", payload: { renderData } })
    // They are the data of the result, too.
    await view.frame.getByRole("cell", { name: "12.5" }).waitFor()
    assert.deepStrictEqual(view.consoleErrors, [])
  })

  it("gives a page without data of its own what the host knows of the call", async () => {
    const frame = await nested(await open(shown()))
    const [first] = await heardIn(frame)
    expect(first).toMatchObject({
      payload: {
        renderData: { toolInput: { shop: "north" }, toolOutput: { content: [{ text: "1 order" }, {}] }, theme: "light" }
      }
    })
  })

  it.each([
    ["Ship", "tools/call", { name: "ship", arguments: { id: 7 } }],
    ["Ask", "ui/message", { role: "user", content: [{ type: "text", text: "Why?" }] }],
    ["Buy", "ui/message", { role: "user", content: [{ type: "text", text: 'Intent: buy. Parameters: {"id":7}' }] }],
    ["All orders", "ui/open-link", { url: "https://example.com/orders" }]
  ])("hands an action to the host after a press: %s", async (name, method, params) => {
    const view = await open({ ...shown(), onCall: () => ({ content: [{ type: "text", text: "done" }] }) })
    const frame = await nested(view)
    await frame.getByText(name, { exact: true }).click()
    const [asked] = await view.requested(method)
    expect(asked).toMatchObject(params)
    if (name !== "Ship") return
    await until(frame, "heard.length > 2")
    assert.deepStrictEqual((await heardIn(frame)).slice(-2), [
      { type: "ui-message-received", messageId: "m1", payload: { messageId: "m1" } },
      {
        type: "ui-message-response",
        messageId: "m1",
        payload: { messageId: "m1", response: { content: [{ type: "text", text: "done" }] } }
      }
    ])
  })

  it("shows what the page notifies of", async () => {
    const view = await open(shown())
    const frame = await nested(view)
    await frame.getByRole("button", { name: "Tell" }).click()
    await view.frame.getByText("cart updated").waitFor()
  })

  it("asks the person when the page wants to run a tool by itself", async () => {
    const text = PAGE.replace(
      "</body>",
      `<script>say({ type: "tool", payload: { toolName: "wipe", params: {} } })</script></body>`
    )
    const view = await open(shown({ text }))
    // Not by Playwright, whose looks into a frame count as presses there.
    const session = await view.page.context().newCDPSession(view.page)
    const document = async () => JSON.stringify(await session.send("DOM.getDocument", { depth: -1, pierce: true }))
    await expect.poll(document).toContain("Allow wipe")
    await session.detach()
    const allow = view.frame.getByRole("button", { name: "Allow wipe" })
    assert.deepStrictEqual(view.calls, [])
    await view.press(allow)
    await view.requested("tools/call")
    assert.deepStrictEqual(view.calls, [{ name: "wipe", arguments: {} }])
  })

  it("reaches nothing: neither our document, nor the network, nor code from elsewhere", async () => {
    const text = PAGE.replace(
      "<script>",
      `<script src="https://evil.test/x.js"></script><script>
window.tried = {}
try { parent.document.title } catch (error) { tried.parent = error.name }
try { localStorage.length } catch (error) { tried.storage = error.name }
fetch("https://evil.test/").catch((error) => { tried.fetch = error.name })
try { open("https://evil.test/"); tried.open = "done" } catch (error) { tried.open = error.name }
tried.scripts = document.querySelectorAll("script[src]").length
</script><script>`
    )
    const view = await open(shown({ text }))
    const frame = await nested(view)
    await until(frame, "tried.fetch")
    const { open: opened, ...tried } = await frame.evaluate<Record<string, unknown>>("tried")
    assert.deepStrictEqual(tried, { parent: "SecurityError", storage: "SecurityError", fetch: "TypeError", scripts: 0 })
    assert.strictEqual(view.page.context().pages().length, 1, String(opened))
  })

  it("is out of reach of the code of a view, which hears nothing of it either", async () => {
    const source = `<!-- rich -->
<script type="module">
import { show, header, resultView } from "mcp-gen-ui/parts"
globalThis.overheard = []
addEventListener("message", ({ data }) => overheard.push(data), true)
show((data, ctx) => [header("Orders"), resultView(ctx.result)])
</script>`
    const view = await open(shown(), source)
    await nested(view)
    await view.frame.getByRole("heading", { name: "Orders" }).waitFor()
    await view.settle()
    const overheard = await view.frame.evaluate<ReadonlyArray<unknown>>("overheard")
    assert.deepStrictEqual(
      overheard.filter((message) => !isObject(message) || !("jsonrpc" in message)),
      []
    )
    assert.deepStrictEqual(
      await view.frame.evaluate("[window.length, document.querySelectorAll('iframe').length]"),
      [0, 0]
    )
  })

  it("reads a page in base64, and takes the size that it asks for", async () => {
    const blob = Buffer.from(PAGE.replace("Orders", "Aufträge")).toString("base64")
    const meta = { "mcpui.dev/ui-preferred-frame-size": ["300px", "420px"] }
    const frame = await nested(await open(shown({ text: undefined, blob, _meta: meta })))
    await frame.getByRole("heading", { name: "Aufträge" }).waitFor()
    assert.deepStrictEqual(await frame.evaluate("[innerWidth, innerHeight]"), [300, 420])
  })

  it("answers a page that speaks MCP Apps", async () => {
    const text = `<h1>App</h1><button>Run</button><script>
window.heard = []
const say = (message) => parent.postMessage({ jsonrpc: "2.0", ...message }, "*")
addEventListener("message", ({ data }) => {
  heard.push(data)
  if (data.id === 1) say({ method: "ui/notifications/initialized" })
})
document.querySelector("button").onclick = () => say({ id: 2, method: "tools/call", params: { name: "ship", arguments: {} } })
say({ id: 1, method: "ui/initialize", params: {} })
</script>`
    const view = await open({
      ...shown({ mimeType: "text/html;profile=mcp-app", text }),
      onCall: () => ({ content: [] })
    })
    const frame = await nested(view)
    await until(frame, "heard.length === 3")
    expect(await heardIn(frame)).toMatchObject([
      { id: 1, result: { hostInfo: { name: "test-host" } } },
      { method: "ui/notifications/tool-input", params: { arguments: { shop: "north" } } },
      { method: "ui/notifications/tool-result" }
    ])
    await frame.getByRole("button").click()
    await until(frame, "heard.at(-1).id === 2")
    assert.deepStrictEqual(view.calls, [{ name: "ship", arguments: {} }])
  })

  it("shows an address in a frame where its origin is declared", async () => {
    const html = await widePage({ name: "list_orders" }, { mcpUi: true, frames: ["http://shop.test"] })
    const renderData = { orders: [] }
    const address = (text: string): Partial<OpenViewOptions> =>
      shown({ mimeType: "text/uri-list", text, _meta: { "mcpui.dev/ui-initial-render-data": renderData } })
    const csp = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; frame-src http:"
    const view = await openView({ html, csp, toolInput: {} })
    await view.page.route("http://shop.test/**", (route) => route.fulfill({ contentType: "text/html", body: PAGE }))
    await view.send("sendToolResult", { ...address("http://shop.test/orders").toolResult })
    const frame = await nested(view)
    assert.strictEqual(frame.url(), "http://shop.test/orders?waitForRenderData=true")
    expect((await heardIn(frame))[0]).toMatchObject({ payload: { renderData } })
    await frame.getByRole("button", { name: "Ask" }).click()
    await view.requested("ui/message")

    await view.send("sendToolResult", { ...address("http://other.test/orders").toolResult })
    await view.frame.getByRole("link", { name: "View of the server" }).waitFor()
    assert.deepStrictEqual(view.frame.childFrames(), [])
    await view.page.unroute("http://shop.test/**")
  })

  it("shows an address as a link", async () => {
    const view = await open(shown({ mimeType: "text/uri-list", text: "# the shop\nhttps://shop.example/orders?x=1\n" }))
    const link = view.frame.getByRole("link", { name: "View of the server" })
    assert.strictEqual(await link.getAttribute("href"), "https://shop.example/orders?x=1")
    await view.press(link)
    assert.deepStrictEqual(await view.requested("ui/open-link"), [{ url: "https://shop.example/orders?x=1" }])
  })

  it("does not show our own document inside itself: its data are drawn already", async () => {
    const text = await widePage({ name: "list_orders" }, { embedded: {} })
    const view = await open(
      shown({ text, _meta: { "mcpui.dev/ui-initial-render-data": { orders: [{ id: 7 }, { id: 8 }] } } })
    )
    await view.frame.getByRole("row").nth(2).waitFor()
    assert.deepStrictEqual(view.frame.childFrames(), [])
  })
})
