import { assert, describe, it } from "@effect/vitest"
import { Client } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import type { Page } from "playwright-core"
import { expect, inject, onTestFinished } from "vitest"
import { isObject, type JsonObject } from "../../../src/domain/isObject.ts"
import { weather } from "../../fixtures/RawClient.ts"
import { binWith, overStdio, sdkHost } from "../../fixtures/sdkHosts.ts"
import { newContext, problemsOf } from "../harness/index.ts"
import { widePage } from "./widePage.ts"

const databases = [process.execPath, "examples/list-databases/server.mjs"]

const HOST = "http://host.test/"
const SANDBOX = "http://sandbox.test/"

/** The proxy that hosts of MCP Apps put between themselves and a view. */
const PROXY = `<!doctype html><title>Sandbox</title><style>body{margin:0}iframe{border:0;width:100%;height:600px}</style><script>
const view = document.createElement("iframe")
addEventListener("message", ({ source, data }) => {
  if (data?.method === "ui/notifications/sandbox-resource-ready") {
    view.sandbox = "allow-scripts"
    view.srcdoc = data.params.html
    document.body.append(view)
  } else if (source === parent) view.contentWindow?.postMessage(data, "*")
  else if (source === view.contentWindow) parent.postMessage(data, "*")
})
parent.postMessage({ jsonrpc: "2.0", method: "ui/notifications/sandbox-proxy-ready", params: {} }, "*")
</script>`

interface Host {
  readonly page: Page
  readonly actions: Array<JsonObject>
  readonly problems: ReadonlyArray<string>
  readonly run: (member: string, ...given: ReadonlyArray<unknown>) => Promise<unknown>
}

/** A page with the components of @mcp-ui/client; `answer` is what it says to an action of a view. */
const openHost = async (answer: (action: JsonObject) => unknown = () => undefined): Promise<Host> => {
  const context = await newContext({ viewport: { width: 720, height: 900 } })
  const actions: Array<JsonObject> = []
  await context.exposeBinding("onAction", (_source, action: JsonObject) => {
    actions.push(action)
    return answer(action)
  })
  const page = await context.newPage()
  const pages: Readonly<Record<string, string>> = {
    [HOST]: `<!doctype html><title>Host</title><link rel="icon" href="data:,"><body></body>`,
    [SANDBOX]: PROXY
  }
  await page.route(/^http:\/\/(host|sandbox)\.test\//, (route) =>
    route.fulfill({ contentType: "text/html", body: pages[route.request().url().replace(/\?.*$/, "")] ?? "" })
  )
  const problems = await problemsOf(page)
  await page.goto(HOST)
  await page.addScriptTag({ content: inject("scripts").mcpUi })
  const run = (member: string, ...given: ReadonlyArray<unknown>): Promise<unknown> =>
    page.evaluate(`mcpUiHosts[${JSON.stringify(member)}](...${JSON.stringify(given)})`)
  return { page, actions, problems, run }
}

/** A client of a server that does not announce MCP Apps. */
const connect = async (given: ConstructorParameters<typeof StdioClientTransport>[0]): Promise<Client> => {
  const client = new Client({ name: "mcp-ui-host", version: "1" })
  onTestFinished(() => client.close())
  await client.connect(new StdioClientTransport(given))
  return client
}

const resourceIn = (result: unknown): unknown => {
  const block =
    isObject(result) && Array.isArray(result.content) ? (result.content as Array<unknown>).at(-1) : undefined
  return isObject(block) ? block.resource : assert.fail("no content")
}

const isCall = ({ payload, type }: JsonObject): boolean => type === "tool" && isObject(payload)

describe("UIResourceRenderer of @mcp-ui/client 5", () => {
  it("shows a result that a server has augmented, and what the view asks for next", async () => {
    const [command = "", ...args] = databases
    const client = await connect({ command, args, stderr: "ignore" })
    const call = (given: unknown) =>
      client.callTool({ name: "list-databases", arguments: isObject(given) ? { ...given } : {} })
    const host = await openHost((action) =>
      isCall(action) && isObject(action.payload) ? call(action.payload.params) : undefined
    )
    await host.run("showResource", resourceIn(await call({})))
    const view = host.page.frameLocator("iframe")
    const mflix = view.getByRole("cell", { name: "sample_mflix", exact: true })
    await mflix.waitFor()
    await view.getByRole("row").nth(5).waitFor()

    await view.getByRole("button", { name: /input/i }).first().click()
    await view.getByLabel("Name contains").fill("analytics")
    await view.getByLabel("Name contains").press("Enter")
    await mflix.waitFor({ state: "detached" })
    await view.getByText("sample_analytics").first().waitFor()
    assert.deepStrictEqual(
      host.actions.filter(isCall).map(({ payload }) => payload),
      [{ toolName: "list-databases", params: { nameContains: "analytics" } }]
    )
    assert.deepStrictEqual(host.problems, [])
  })

  it("says in words that data are not what the tool promises, and shows the next that are", async () => {
    const outputSchema = { type: "object", properties: { total: { type: "number" } }, required: ["total"] }
    const text = await widePage({ name: "count", outputSchema }, { embedded: {} })
    const host = await openHost()
    const show = (renderData: JsonObject) =>
      host.run("showResource", {
        uri: "ui://count/1",
        mimeType: "text/html",
        text,
        _meta: { "mcpui.dev/ui-initial-render-data": renderData }
      })
    await show({ total: "many" })
    const view = host.page.frameLocator("iframe")
    await view.getByText("The data for this view are not what the tool promises").waitFor()
    await view.getByText('total: found "many", which breaks "type" of the outputSchema').waitFor()
    await show({ total: 41 })
    await view.getByText("41").first().waitFor()
    assert.deepStrictEqual(host.problems, [])
  })

  it("shows the results of any server behind the wrapper with --embed-ui", async () => {
    const client = await connect(binWith(weather, { flags: ["--embed-ui"] }))
    const call = () => client.callTool({ name: "get_forecast", arguments: { location: "Oslo", days: 3 } })
    const result = await call()
    const host = await openHost(call)
    await host.run("showResource", resourceIn(result))
    const view = host.page.frameLocator("iframe")
    await view.getByRole("heading", { name: "3 days" }).waitFor()
    // The arguments are there for the next call.
    await view.getByRole("button", { name: /again|refresh/i }).click()
    await expect.poll(() => host.actions.filter(isCall)).toMatchObject([{ payload: { params: { location: "Oslo" } } }])
    assert.deepStrictEqual(host.problems, [])
    // A tool that fails has no data to show, and a host that renders MCP Apps gets its UI otherwise.
    const apps = await overStdio("legacy", weather, { flags: ["--embed-ui"] })
    const plain = await sdkHost(apps).call("get_forecast", { location: "Oslo", days: 3 })
    assert.notInclude(JSON.stringify(plain), "ui://")
  })
})

describe("AppRenderer of @mcp-ui/client 7", () => {
  it("shows our view, and in it the page that an mcp-ui server has sent", async () => {
    const client = sdkHost(await overStdio("legacy", [process.execPath, "test/fixtures/servers/mcp-ui.mjs"]))
    const toolResult = await client.call("list_orders")
    const host = await openHost(({ payload }) =>
      isObject(payload) ? client.call(String(payload.name), { ...(payload.arguments as JsonObject) }) : undefined
    )
    const html = await client.read("list_orders")
    await host.run("showApp", { toolName: "list_orders", toolResult, toolInput: {}, html }, SANDBOX)
    const ours = host.page.frameLocator("iframe").frameLocator("iframe")
    await ours.getByRole("row").nth(2).waitFor()
    const nested = ours.frameLocator("iframe")
    await nested.getByText("7 open, 8 paid").waitFor()
    await nested.getByRole("button", { name: "Ship 7" }).click()
    await nested.getByText("7 shipped, 8 paid").waitFor()
    assert.deepStrictEqual(host.actions, [{ type: "tools/call", payload: { name: "ship", arguments: { id: 7 } } }])
    assert.deepStrictEqual(host.problems, [])
  })
})
