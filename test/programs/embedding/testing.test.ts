import { McpServer } from "@modelcontextprotocol/server"
import { assert, describe, it } from "@effect/vitest"
import { createUiLibrary } from "../../../src/programs/createUiLibrary.ts"
import { connectHost } from "../../../src/programs/testing/connectHost.ts"
import { scriptedModel } from "../../../src/programs/testing/scriptedModel.ts"
import { wrapSdkServer } from "../../../src/programs/wrapSdkServer.ts"
import { page } from "../../fixtures/uiLibraries.ts"

const tool = { name: "list_stock", inputSchema: { type: "object" } }

const STOCK = { uri: "ui://list_stock" }

const stockServer = () => {
  const server = new McpServer({ name: "stock", version: "1" })
  server.registerTool("list_stock", { description: "Items" }, () => ({ content: [{ type: "text", text: "none" }] }))
  return server
}

describe("mcp-gen-ui/testing", () => {
  it("shows what a host gets of a wrapped server of SDK 2.x, and what its model was asked", async () => {
    const model = scriptedModel(page("Stock"))
    const host = await connectHost(wrapSdkServer(stockServer(), { model: model.write }))
    const read = await host.request("resources/read", STOCK)
    assert.include(JSON.stringify(read), 'header(\\"Stock\\")')
    assert.include(model.requests[0]?.prompt, "list_stock")
    const refused = await host.request("resources/read", { uri: "ui://nothing" }).catch((error: Error) => error)
    assert.instanceOf(refused, Error)
    await host.close()
  })
})

describe("createUiLibrary", () => {
  it("reads, refines and goes back, by promises", async () => {
    const model = scriptedModel(page("Stock"), page("Inventory"))
    const uis = createUiLibrary({ model: model.layer })
    assert.deepInclude((await uis.read(tool)).entry, { level: 0, provider: "scripted" })
    assert.strictEqual((await uis.refine(tool, "Call it Inventory")).level, 0)
    assert.include((await uis.read(tool)).html, 'header("Inventory")')
    await uis.revert(tool, 1)
    assert.include((await uis.read(tool)).html, 'header("Stock")')
    const missing = await uis.revert(tool, 9).catch((error: Error) => error)
    assert.include(String(missing), "has no version 9; there are: 1, 2")
    const noTool = await uis.read("list_stock").catch((error: Error) => error)
    assert.include(String(noTool), 'found "list_stock"')
    await uis.close()
  })

  it("wraps any number of servers, which share what was written", async () => {
    const model = scriptedModel(page("Stock"))
    const uis = createUiLibrary({ model: model.write })
    for (const _ of ["first", "second"]) {
      const host = await connectHost(uis.wrap(stockServer()))
      assert.include(JSON.stringify(await host.request("resources/read", STOCK)), 'header(\\"Stock\\")')
      await host.close()
    }
    assert.lengthOf(model.requests, 1)
    await uis.close()
  })

  it("needs no model: the UI is built in", async () => {
    const uis = createUiLibrary()
    assert.strictEqual((await uis.read(tool)).entry.model, null)
    await uis.close()
  })
})
