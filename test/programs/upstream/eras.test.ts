import { assert, describe, it } from "@effect/vitest"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { StdioClientTransport as LegacyTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import {
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema
} from "@modelcontextprotocol/sdk/types.js"
import { onTestFinished } from "vitest"
import { abilities, accepted, answerAll, legacyHost, roots, sampled } from "../../fixtures/eraHosts.ts"
import { appsCapability, fixtureServer } from "../../fixtures/RawClient.ts"
import { binWith, type Era, sdkClient } from "../../fixtures/sdkHosts.ts"
import { startSession } from "../../fixtures/wrapperSession.ts"
import { textOf } from "../../fixtures/wrapperWithModel.ts"

const modern = [process.execPath, fixtureServer("modern-only.mjs")]
const legacy = [process.execPath, fixtureServer("legacy-only.mjs")]

const capabilities = { ...appsCapability, ...abilities }

const uiOf = (tools: ReadonlyArray<{ name: string; _meta?: unknown }>, name: string): unknown =>
  (tools.find((tool) => tool.name === name)?._meta as { ui?: unknown } | undefined)?.ui

describe("SDK 1.x in front of a server of 2026-07-28 only", () => {
  const connect = async () => {
    const client = legacyHost(capabilities)
    onTestFinished(() => client.close())
    await client.connect(new LegacyTransport(binWith(modern)))
    return client
  }

  it("has tools with UIs, and the UIs", async () => {
    const client = await connect()
    const { tools } = await client.listTools()
    assert.deepStrictEqual(uiOf(tools, "echo"), { resourceUri: "ui://echo" })
    const { contents } = await client.readResource({ uri: "ui://echo" })
    assert.strictEqual(contents[0]?.mimeType, "text/html;profile=mcp-app")
    const { resources } = await client.listResources()
    assert.includeMembers(
      resources.map(({ uri }) => uri),
      ["note://a", "ui://echo"]
    )
    const list = await client.callTool({ name: "_ui_list", arguments: {} })
    assert.include(JSON.stringify(list.structuredContent), '"ask_three"')
  })

  it("is asked what the server wants, and hears updates and new tools", async () => {
    const client = await connect()
    const changed = Promise.withResolvers<void>()
    const updated = Promise.withResolvers<string>()
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => changed.resolve())
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => updated.resolve(params.uri))
    await client.subscribeResource({ uri: "note://a" })
    const three = await client.callTool({ name: "ask_three", arguments: {} })
    assert.deepStrictEqual(JSON.parse(textOf(three)), {
      state: 'first "round"',
      who: accepted,
      sum: sampled,
      where: roots
    })
    await client.callTool({ name: "touch", arguments: { uri: "note://a" } })
    assert.strictEqual(await updated.promise, "note://a")
    await client.callTool({ name: "add_tool", arguments: { name: "new" } })
    await changed.promise
    const { tools } = await client.listTools()
    assert.deepStrictEqual(uiOf(tools, "new"), { resourceUri: "ui://new" })
  })
})

describe("SDK 2.x, 2026-07-28 only, in front of a server of SDK 1.x, with --translate-eras", () => {
  const connect = async (era: Era = "modern", flags = ["--translate-eras"]) => {
    const client = sdkClient(era, capabilities)
    answerAll(client)
    await client.connect(new StdioClientTransport(binWith(legacy, { flags })))
    return client
  }

  it("has tools with UIs, and the UIs", async () => {
    const client = await connect()
    const { tools } = await client.listTools()
    assert.deepStrictEqual(uiOf(tools, "echo"), { resourceUri: "ui://echo" })
    const { contents } = await client.readResource({ uri: "ui://echo" })
    assert.strictEqual(contents[0]?.mimeType, "text/html;profile=mcp-app")
    const list = await client.callTool({ name: "_ui_list", arguments: {} })
    assert.include(JSON.stringify(list.structuredContent), '"ask_three"')
  })

  it("is asked what the server wants, and hears updates and new tools", async () => {
    const client = await connect()
    const changed = Promise.withResolvers<void>()
    const updated = Promise.withResolvers<string>()
    client.setNotificationHandler("notifications/tools/list_changed", () => changed.resolve())
    client.setNotificationHandler("notifications/resources/updated", ({ params }) => updated.resolve(params.uri))
    const subscription = await client.listen({
      toolsListChanged: true,
      resourceSubscriptions: ["note://a", "ui://echo"]
    })
    assert.sameMembers([...(subscription.honoredFilter.resourceSubscriptions ?? [])], ["note://a", "ui://echo"])
    const three = await client.callTool({ name: "ask_three", arguments: {} })
    assert.deepStrictEqual(JSON.parse(textOf(three)), { who: accepted, sum: sampled, where: roots })
    await client.callTool({ name: "touch", arguments: { uri: "note://a" } })
    assert.strictEqual(await updated.promise, "note://a")
    await client.callTool({ name: "add_tool", arguments: { name: "new" } })
    await changed.promise
    const { tools } = await client.listTools()
    assert.deepStrictEqual(uiOf(tools, "new"), { resourceUri: "ui://new" })
    await subscription.close()
  })

  it("also when it discovered by another process", async () => {
    const client = await connect("negotiating")
    assert.strictEqual(client.getNegotiatedProtocolVersion(), "2026-07-28")
    const three = await client.callTool({ name: "ask_three", arguments: {} })
    assert.deepStrictEqual(JSON.parse(textOf(three)), { who: accepted, sum: sampled, where: roots })
  })

  it("without the flag, falls back to the server's era", async () => {
    const client = await connect("negotiating", [])
    assert.strictEqual(client.getNegotiatedProtocolVersion(), "2025-11-25")
    const three = await client.callTool({ name: "ask_three", arguments: {} })
    assert.deepStrictEqual(JSON.parse(textOf(three)), { who: accepted, sum: sampled, where: roots })
  })
})

describe("a server that crashes", () => {
  it("is translated again when it is back: legacy host", async () => {
    const client = legacyHost(capabilities)
    const updated = Promise.withResolvers<string>()
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => updated.resolve(params.uri))
    onTestFinished(() => client.close())
    await client.connect(new LegacyTransport(binWith(modern)))
    await client.subscribeResource({ uri: "note://a" })
    const crash: unknown = await client.callTool({ name: "crash", arguments: {} }).catch((error: unknown) => error)
    assert.instanceOf(crash, Error)
    assert.deepStrictEqual(JSON.parse(textOf(await client.callTool({ name: "ask", arguments: {} }))), accepted)
    await client.callTool({ name: "touch", arguments: { uri: "note://a" } })
    assert.strictEqual(await updated.promise, "note://a")
  })

  it("is translated again when it is back: modern host", async () => {
    const client = sdkClient("modern", capabilities)
    answerAll(client)
    await client.connect(new StdioClientTransport(binWith(legacy, { flags: ["--translate-eras"] })))
    const crash: unknown = await client.callTool({ name: "crash", arguments: {} }).catch((error: unknown) => error)
    assert.instanceOf(crash, Error)
    assert.deepStrictEqual(JSON.parse(textOf(await client.callTool({ name: "ask", arguments: {} }))), accepted)
  })
})

describe("raw frames", () => {
  const modernCall = (id: string, name: string, more = ""): string =>
    `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"${name}","arguments":{"n":1.0},${more}"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"raw","version":"1"},"io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}}}`

  it("a host of the modern era that never asks, in front of a server that insists on initialize", async () => {
    const client = startSession([...legacy, "strict"])
    client.send(modernCall('"a\\u0062"', "ask"))
    const asked = await client.receive(({ id }) => id === "ab")
    const { requestState, resultType } = asked.message.result as { requestState: string; resultType: string }
    assert.strictEqual(resultType, "input_required")
    const responses = '"inputResponses":{"input-1":{"action":"accept","content":{"name":"Ada"}}},'
    client.send(
      modernCall("12345678901234567890", "ask", `${responses}"requestState":${JSON.stringify(requestState)},`)
    )
    const { text } = await client.receive(
      ({ result }) => (result as { content?: unknown } | undefined)?.content !== undefined
    )
    assert.include(text, '"id":12345678901234567890')
    assert.include(text, "Ada")
  })

  it("a host of the legacy era gets its ids back as it wrote them, and progress", async () => {
    const client = startSession(modern)
    const clientInfo = { name: "raw", version: "1" }
    const params = { protocolVersion: "2025-11-25", capabilities: { elicitation: {} }, clientInfo }
    await client.request("initialize", params)
    client.notify("notifications/initialized")
    client.send('{"jsonrpc":"2.0","id":"a\\u0062","method":"tools/call","params":{"name":"ask"}}')
    const asked = await client.receive(({ method }) => method === "elicitation/create")
    const id = JSON.stringify(asked.message.id)
    client.send(`{"jsonrpc":"2.0","id":${id},"result":{"action":"accept","content":{"name":"Ada"}}}`)
    const { text } = await client.receive((message) => message.id === "ab")
    assert.include(text, '"id":"a\\u0062"')
    assert.include(text, "Ada")
    await client.request("tools/call", { name: "count", _meta: { progressToken: "t" } })
    assert.deepStrictEqual(
      client.received
        .filter(({ message }) => message.method === "notifications/progress")
        .map(({ message }) => message.params),
      [1, 2, 3].map((progress) => ({ progressToken: "t", progress, total: 3 }))
    )
    assert.include(client.log(), "messages are translated")
  })
})
