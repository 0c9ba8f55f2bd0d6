import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js"
import { Server } from "@modelcontextprotocol/sdk/server/index.js"
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js"
import { assert, describe, it, vi } from "@effect/vitest"
import { wrapSdkServer } from "../../../src/programs/wrapSdkServer.ts"
import type { UiLibrarySetup } from "../../../src/programs/uiLibrarySetup.ts"
import { appsCapability } from "../../fixtures/RawClient.ts"
import { page } from "../../fixtures/uiLibraries.ts"

/** A server that tells its progress, and is asked by a host that does or does not show UIs. */
const connected = async (
  setup: UiLibrarySetup,
  capabilities: object = appsCapability,
  more: ReadonlyArray<object> = []
) => {
  const server = new Server({ name: "stock", version: "1" }, { capabilities: { tools: {} } })
  const tools = [{ name: "list_stock", inputSchema: { type: "object" } }, ...more]
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { sendNotification, sessionId }) => {
    const progressToken = params._meta?.progressToken ?? "none"
    await sendNotification({ method: "notifications/progress", params: { progressToken, progress: 1 } })
    return { content: [{ type: "text", text: `of ${sessionId}` }] }
  })
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  ours.sessionId = "session-1"
  const client = new Client({ name: "test", version: "1" }, { capabilities })
  await Promise.all([wrapSdkServer(server, setup).connect(ours), client.connect(theirs)])
  return { client, server }
}

const readUi = async (client: Client) =>
  JSON.stringify((await client.readResource({ uri: "ui://list_stock" })).contents)

describe("wrapSdkServer", () => {
  it("adds UIs to a server's own tools, and changes them when the host asks", async () => {
    const model: UiLibrarySetup["model"] = ({ prompt }) =>
      Promise.resolve(page(prompt.includes("Call it Inventory") ? "Inventory" : "Stock"))
    const { client } = await connected({ model })
    assert.include(await readUi(client), 'header(\\"Stock\\")')
    const args = { toolName: "list_stock", feedback: "Call it Inventory" }
    await client.callTool({ name: "_ui_refine", arguments: args })
    assert.include(await readUi(client), 'header(\\"Inventory\\")')
    await client.close()
  })

  it("gives one to a tool that says only who may call it, and none to one that only pages call", async () => {
    const tool = (name: string, ui: object) => ({ name, inputSchema: { type: "object" }, _meta: { ui } })
    const both = { visibility: ["model", "app"], later: 1 }
    const { client } = await connected({}, appsCapability, [
      tool("both", both),
      tool("for_pages", { visibility: ["app"] })
    ])
    const { tools } = await client.listTools()
    const metaOf = (name: string) => tools.find((tool) => tool.name === name)?._meta
    assert.deepStrictEqual(metaOf("both"), { ui: { ...both, resourceUri: "ui://both" }, "ui/resourceUri": "ui://both" })
    assert.deepStrictEqual(metaOf("for_pages"), { ui: { visibility: ["app"] } })
    const { contents } = await client.readResource({ uri: "ui://both" })
    assert.include(JSON.stringify(contents), "mcp-gen-ui-data")
    const refused = await client.callTool({ name: "_ui_regenerate", arguments: { toolName: "for_pages" } })
    assert.include(JSON.stringify(refused), "only pages may call it")
    await client.close()
  })

  it("gives the built-in UI when the model throws, and says why", async () => {
    const { client } = await connected({ model: () => Promise.reject(new Error("out of ink")), maxAttempts: 1 })
    assert.include(await readUi(client), "out of ink")
    await client.close()
  })

  it("lets the host's model write UIs where none is given", async () => {
    const { client } = await connected({})
    const names = (await client.listTools()).tools.map(({ name }) => name)
    assert.includeMembers(names, ["_ui_refine", "_ui_write"])
    await client.callTool({ name: "_ui_write", arguments: { toolName: "list_stock", source: page("Shelf") } })
    assert.include(await readUi(client), 'header(\\"Shelf\\")')
    await client.close()
  })

  it("passes calls, progress and the session on as they are", async () => {
    const { client } = await connected({})
    const onprogress = vi.fn()
    const { content } = await client.callTool({ name: "list_stock", arguments: {} }, undefined, { onprogress })
    assert.deepStrictEqual(content, [{ type: "text", text: "of session-1" }])
    assert.deepStrictEqual(onprogress.mock.calls, [[{ progress: 1 }]])
    await client.close()
  })

  it("changes nothing for a host that shows no UIs", async () => {
    const { client } = await connected({}, {})
    assert.deepStrictEqual((await client.listTools()).tools, [{ name: "list_stock", inputSchema: { type: "object" } }])
    await client.close()
  })

  it.for(["client", "server"] as const)("is closed on both ends when the %s closes", async (who) => {
    const both = await connected({})
    const closed = new Set<string>()
    for (const end of ["client", "server"] as const) {
      Object.assign(both[end], { onclose: () => void closed.add(end) })
    }
    await both[who].close()
    await vi.waitFor(() => assert.deepStrictEqual([...closed].sort(), ["client", "server"]))
  })
})
