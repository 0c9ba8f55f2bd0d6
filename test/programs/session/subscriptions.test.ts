import { assert, describe, it } from "@effect/vitest"
import { appsCapability, fixtureServer, type FrameClient } from "../../fixtures/RawClient.ts"
import { startSession } from "../../fixtures/wrapperSession.ts"

const SUBSCRIPTION_ID = "io.modelcontextprotocol/subscriptionId"

const envelope = (capabilities: object = appsCapability) => ({
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": capabilities
})

const ask = (client: FrameClient, method: string, params: object = {}) =>
  client.request(method, { ...params, _meta: envelope() })

const listen = (client: FrameClient, id: string, notifications: object, capabilities?: object): void => {
  const params = { notifications, _meta: envelope(capabilities) }
  client.send(`{"jsonrpc":"2.0","id":${id},"method":"subscriptions/listen","params":${JSON.stringify(params)}}`)
}

interface Told {
  readonly notifications?: object
  readonly _meta?: Readonly<Record<string, unknown>>
}

const isTold =
  (method: string, id: unknown) =>
  (message: Readonly<Record<string, unknown>>): boolean =>
    message.method === method && (message.params as Told)._meta?.[SUBSCRIPTION_ID] === id

const ACKNOWLEDGED = "notifications/subscriptions/acknowledged"
const TOOLS = "notifications/tools/list_changed"
const RESOURCES = "notifications/resources/list_changed"

describe("subscriptions of the modern era", () => {
  it("carry our changes beside the server's, each once", async () => {
    const client = startSession([process.execPath, fixtureServer("modern.mjs"), "only"])
    await ask(client, "tools/list")
    listen(client, '"mine"', {
      toolsListChanged: true,
      resourcesListChanged: true,
      resourceSubscriptions: ["ui://grow"]
    })
    const { message } = await client.receive(isTold(ACKNOWLEDGED, "mine"))
    assert.deepInclude((message.params as Told).notifications, {
      toolsListChanged: true,
      resourcesListChanged: true,
      resourceSubscriptions: ["ui://grow"]
    })
    await ask(client, "tools/call", { name: "grow", arguments: {} })
    await client.receive(isTold(TOOLS, "mine"))
    await client.receive(isTold(RESOURCES, "mine"))
    assert.strictEqual(client.told(TOOLS).length, 1)
    const { message: list } = await ask(client, "tools/list")
    assert.include(JSON.stringify(list), '"ui://grown"')
  })

  it("are held open by us where the server knows none", async () => {
    const client = startSession([process.execPath, fixtureServer("odd.mjs"), "unannounced", "one-page"])
    await ask(client, "tools/list")
    const id = "4711"
    listen(client, id, { toolsListChanged: true, promptsListChanged: true })
    const { text } = await client.receive(({ method }) => method === ACKNOWLEDGED)
    assert.include(text, `"${SUBSCRIPTION_ID}":${id}`)
    assert.deepStrictEqual(client.told(ACKNOWLEDGED)[0]?.notifications, { toolsListChanged: true })
    client.notify("odd/add", { name: "new" })
    await ask(client, "tools/call", { name: "_ui_refresh_tools", arguments: {} })
    assert.include((await client.receive(({ method }) => method === TOOLS)).text, id)
    assert.strictEqual(client.told(RESOURCES).length, 0)

    client.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id}}}`)
    client.notify("odd/add", { name: "newer" })
    await ask(client, "tools/call", { name: "_ui_refresh_tools", arguments: {} })
    assert.strictEqual(client.told(TOOLS).length, 1)
    const heard = JSON.stringify((await client.request("odd/history")).message)
    assert.notInclude(heard, "notifications/cancelled")
  })

  it("are the server's alone for a host without UIs", async () => {
    const client = startSession([process.execPath, fixtureServer("modern.mjs"), "only"])
    listen(client, '"plain"', { toolsListChanged: true, resourcesListChanged: true }, {})
    const { message } = await client.receive(isTold(ACKNOWLEDGED, "plain"))
    assert.deepStrictEqual((message.params as Told).notifications, { toolsListChanged: true })
    await client.request("tools/call", { name: "grow", arguments: {}, _meta: envelope({}) })
    await client.receive(isTold(TOOLS, "plain"))
    assert.strictEqual(client.told(RESOURCES).length, 0)
  })
})
