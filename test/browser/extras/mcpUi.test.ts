import { assert, describe, it } from "@effect/vitest"
import type { Frame } from "playwright-core"
import { expect } from "vitest"
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

describe("a result that carries a view of mcp-ui", () => {
  it("runs its page in a frame, with what stands in attributes, and gives it its data", async () => {
    const renderData = { orders: [{ id: 7, total: 12.5 }] }
    const view = await open({
      toolResult: {
        content: [{ type: "text", text: "1 order" }, resource({ _meta: { "mcpui.dev/ui-initial-render-data": renderData } })]
      }
    })
    const frame = await nested(view)
    const [first] = await heardIn(frame)
    assert.deepStrictEqual(first, { type: "ui-lifecycle-iframe-render-data", payload: { renderData } })
    // The render data are the data of the result.
    await view.frame.getByText("12.5").first().waitFor()

    await frame.getByRole("button", { name: "Ship" }).click()
    await view.requested("tools/call")
    assert.deepStrictEqual(view.calls, [{ name: "ship", arguments: { id: 7 } }])
    await until(frame, "heard.some(({ type }) => type === 'ui-message-response')")
    await view.page.screenshot({ path: "/tmp/scratch-mcpui/nested.png" })
    assert.deepStrictEqual(view.consoleErrors, [])
  })
})
