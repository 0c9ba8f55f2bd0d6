import { assert, describe, it } from "@effect/vitest"
import { expect } from "vitest"
import { openView, type OpenViewOptions, type View } from "../harness/index.ts"
import { widePage } from "./widePage.ts"

const tool = {
  name: "list_orders",
  inputSchema: { type: "object", properties: { shop: { type: "string", title: "Shop" } } }
}

/** What ChatGPT puts into a page before anything else, as the Apps SDK describes it; it keeps what it was asked. */
const OPENAI = `<script>
const asked = globalThis.asked = []
const answer = (name, value) => async (...given) => (asked.push([name, ...given]), value)
globalThis.openai = {
  toolInput: { shop: "north" },
  toolOutput: { orders: [{ id: 7, total: 12.5 }, { id: 8, total: 3 }] },
  toolResponseMetadata: {},
  widgetState: { kept: 1 },
  theme: "dark",
  displayMode: "inline",
  locale: "en-GB",
  callTool: answer("callTool", { structuredContent: { orders: [{ id: 9, total: 1 }] } }),
  sendFollowUpMessage: answer("sendFollowUpMessage"),
  openExternal: answer("openExternal"),
  requestDisplayMode: answer("requestDisplayMode", { mode: "fullscreen" }),
  setWidgetState: answer("setWidgetState"),
  uploadFile: answer("uploadFile", { fileId: "file_1" }),
  getFileDownloadUrl: answer("getFileDownloadUrl", { downloadUrl: "https://files.example/1" })
}
</script>`

const open = async (options: Partial<OpenViewOptions> = {}, source: string | null = null): Promise<View> => {
  const html = await widePage(tool, { openai: true }, source)
  return openView({ html: html.replace("<head>", () => `<head>${OPENAI}`), eager: true, ...options })
}

const asked = (view: View): Promise<ReadonlyArray<unknown>> => view.frame.evaluate("asked")

describe("a page in ChatGPT", () => {
  it("shows what window.openai has, and calls the tool through it, where nobody answers as a host of MCP Apps", async () => {
    const view = await open({ silent: true })
    await view.frame.getByRole("row").nth(2).waitFor()
    await view.frame.getByText("north").first().waitFor()
    assert.strictEqual(
      await view.frame.evaluate(
        "document.documentElement.dataset.theme ?? getComputedStyle(document.documentElement).colorScheme"
      ),
      "dark"
    )
    await view.press(view.frame.getByRole("button", { name: /run|again|refresh/i }).first())
    await view.frame.getByText("12.5").first().waitFor({ state: "detached" })
    assert.deepStrictEqual(await asked(view), [["callTool", "list_orders", { shop: "north" }]])
    assert.deepStrictEqual(view.consoleErrors, [])
  })

  it("follows its globals", async () => {
    const view = await open({ silent: true })
    await view.frame.getByRole("row").nth(2).waitFor()
    await view.frame
      .evaluate(`openai.toolOutput = { orders: [{ id: 1 }, { id: 2 }, { id: 3 }] }; openai.theme = "light";
      dispatchEvent(new CustomEvent("openai:set_globals", { detail: { globals: {} } }))`)
    await view.frame.getByRole("row").nth(3).waitFor()
  })

  it.each([
    [
      "sendMessage",
      { role: "user", content: [{ type: "text", text: "Why?" }] },
      ["sendFollowUpMessage", { prompt: "Why?" }]
    ],
    ["openLink", { url: "https://example.com" }, ["openExternal", { href: "https://example.com" }]],
    ["requestDisplayMode", { mode: "fullscreen" }, ["requestDisplayMode", { mode: "fullscreen" }]],
    [
      "updateModelContext",
      { content: [{ type: "text", text: "one is chosen" }] },
      ["setWidgetState", { kept: 1, modelContent: "one is chosen" }]
    ]
  ])("says %s in its words", async (method, params, expected) => {
    const view = await open({ silent: true }, appSource(`app.${method}(${JSON.stringify(params)})`))
    await press(view)
    expect(await asked(view)).toEqual([expected])
  })

  it("reaches its files, also where the host speaks MCP Apps", async () => {
    const view = await open(
      {},
      appSource(`app.request({ method: "openai/uploadFile", params: { file: new File(["a"], "a.txt") } })
        .then(({ fileId }) => app.request({ method: "openai/getFileDownloadUrl", params: { fileId } }))
        .then(({ downloadUrl }) => { document.querySelector("#told").textContent = downloadUrl })`)
    )
    await press(view)
    await view.frame.getByText("https://files.example/1").waitFor()
    assert.deepStrictEqual(await asked(view), [
      ["uploadFile", {}],
      ["getFileDownloadUrl", { fileId: "file_1" }]
    ])
  })
})

const appSource = (
  code: string
): string => `<!-- rich --><button id="go">Go</button><p id="told"></p><script type="module">
import { App } from "@modelcontextprotocol/ext-apps"
const app = new App({ name: "orders", version: "1" })
document.querySelector("#go").addEventListener("click", () => { ${code} })
app.connect().then(() => { document.querySelector("#told").textContent = "connected" })
</script>`

const press = async (view: View): Promise<void> => {
  await view.frame.getByText("connected").waitFor()
  await view.press(view.frame.getByRole("button", { name: "Go" }))
  await view.until("asked.length > 0")
}
