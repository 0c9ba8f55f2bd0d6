import { assert, describe, it } from "@effect/vitest"
import { Client } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import type { Page } from "playwright-core"
import { inject, onTestFinished } from "vitest"
import { isObject, type JsonObject } from "../../../src/domain/isObject.ts"
import { noModel, weather } from "../../fixtures/RawClient.ts"
import { overStdio, sdkHost } from "../../fixtures/sdkHosts.ts"
import { binWith } from "../../fixtures/sdkHosts.ts"
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
  const block = isObject(result) && Array.isArray(result.content) ? (result.content as Array<unknown>).at(-1) : undefined
  return isObject(block) ? block.resource : assert.fail("no content")
}

describe("UIResourceRenderer of @mcp-ui/client", () => {
  it("shows the result that a server has augmented, and runs what the view asks for", async () => {
    const [command = "", ...args] = databases
    const client = await connect({ command, args, stderr: "inherit" })
    const call = (given: JsonObject) => client.callTool({ name: "list-databases", arguments: { ...given } })
    const host = await openHost(({ payload, type }) =>
      type === "tool" && isObject(payload) && isObject(payload.params) ? call(payload.params) : undefined
    )
    await host.run("showResource", resourceIn(await call({})))
    const view = host.page.frameLocator("iframe")
    await view.getByText("sample_mflix").first().waitFor()
    await host.page.screenshot({ path: "/tmp/scratch-mcpui/databases.png" })
    await view.getByRole("button", { name: /input/i }).first().click()
    await host.page.screenshot({ path: "/tmp/scratch-mcpui/databases2.png" })
    assert.deepStrictEqual(host.problems, [])
  })
})
