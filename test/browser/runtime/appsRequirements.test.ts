import { assert, describe, it } from "@effect/vitest"
import { openView, type OpenViewOptions, type View, viewDocument } from "../harness/index.ts"

const open = async (module?: string, options: Omit<OpenViewOptions, "html"> = {}): Promise<View> =>
  openView({
    html: await viewDocument({ data: { byHand: true }, ...(module === undefined ? {} : { module }) }),
    ...options
  })

interface Message {
  readonly jsonrpc: string
  readonly method?: string
  readonly params?: Record<string, unknown>
}

/** What the view sends from now until this message, in order. */
const heardUntil = (view: View, method: string): Promise<ReadonlyArray<Message>> =>
  view.page.evaluate(`new Promise((done) => {
    const heard = []
    const hear = ({ data }) => {
      heard.push(data)
      if (data.method !== "${method}") return
      removeEventListener("message", hear)
      done(heard)
    }
    addEventListener("message", hear)
  })`)

const CITY = { type: "object", properties: { city: { type: "string" } }, required: ["city"] }

describe("what MCP Apps asks of views", () => {
  it.each([
    ["the built-in view", undefined],
    ["a page", `new mcpGenUi.extApps.App({ name: "mine", version: "2" }).connect(); document.body.textContent = "mine"`]
  ])("%s says what it can do before anything else, waits, and says that it is there", async (_name, module) => {
    const view = await open(module)
    await view.leave()
    const heard = heardUntil(view, "ui/notifications/initialized")
    await view.reopen()
    const [first, second] = await heard
    assert.strictEqual(first?.method, "ui/initialize")
    assert.hasAllKeys(first?.params, ["appInfo", "appCapabilities", "protocolVersion"])
    assert.strictEqual(first?.params?.protocolVersion, "2026-01-26")
    assert.hasAllKeys(first?.params?.appInfo, ["name", "version"])
    assert.deepStrictEqual(second, { jsonrpc: "2.0", method: "ui/notifications/initialized" })
  })

  it("input that is still arriving causes no call, and may change and vanish", async () => {
    const view = await open(undefined, {})
    for (const args of [{ city: "P" }, { city: "Pa", days: [1] }, { days: "x" }, {}, { city: null }])
      await view.send("sendToolInputPartial", { arguments: args })
    await view.settle()
    assert.deepStrictEqual(view.calls, [])
    await view.send("sendToolInput", { arguments: { city: "Paris" } })
    await view.send("sendToolResult", { content: [{ type: "text", text: "Sunny" }] })
    await view.frame.getByText("Sunny").first().waitFor()
    assert.deepStrictEqual([view.consoleErrors, view.violations], [[], []])
  })

  it("fills a container of fixed height, and is no wider than one may be", async () => {
    const sizes = `(({ minHeight, maxWidth }) => [minHeight, maxWidth])(document.documentElement.style)`
    const view = await open(undefined, { hostContext: { containerDimensions: { height: 400, maxWidth: 500 } } })
    await view.until(`${sizes}[0] === "400px"`)
    assert.deepStrictEqual(await view.frame.evaluate(sizes), ["400px", "500px"])
    await view.changeContext({ containerDimensions: { maxHeight: 900 } })
    await view.until(`${sizes}.join() === ","`)
  })

  it("tools that a page registers are listed whole and told of when they change; others are refused by name", async () => {
    const view = await open(
      `const app = new mcpGenUi.extApps.App({ name: "mine", version: "1" })
       const schema = ${JSON.stringify(CITY)}
       globalThis.tool = app.registerTool("pick", { title: "Pick", description: "Picks", inputSchema: schema,
         outputSchema: schema, annotations: { readOnlyHint: true } },
         ({ city }) => city === "none" ? { isError: true, content: [{ type: "text", text: "There is none" }] }
           : { content: [{ type: "text", text: city }], structuredContent: { city } })
       document.body.textContent = "mine"
       app.connect()`
    )
    assert.deepStrictEqual(await view.host("appCapabilities"), { tools: { listChanged: true } })
    assert.deepStrictEqual(await view.host("listTools"), {
      tools: [
        {
          name: "pick",
          title: "Pick",
          description: "Picks",
          inputSchema: CITY,
          outputSchema: CITY,
          annotations: { readOnlyHint: true }
        }
      ]
    })
    assert.deepInclude(await view.host("callTool", "pick", { city: "Oslo" }), { structuredContent: { city: "Oslo" } })
    assert.deepInclude(await view.host("callTool", "pick", { city: "none" }), { isError: true })
    assert.deepStrictEqual(await view.host("rawRequest", "tools/call", { name: "push", arguments: {} }), {
      error: { code: -32602, message: "Tool push not found" }
    })
    const told = heardUntil(view, "notifications/tools/list_changed")
    await view.frame.evaluate("tool.disable()")
    await told
    assert.deepStrictEqual(await view.host("listTools"), { tools: [] })
  })
})
