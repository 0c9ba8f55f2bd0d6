import { assert, describe, it } from "@effect/vitest"
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js"
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js"
import { StreamableHTTPClientTransport as LegacyTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { execFileSync } from "node:child_process"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { appsCapability, fixtureServer, startWrapper, weather } from "../../fixtures/RawClient.ts"
import { beginSession, call, contentOf, modernCall, post, postModern, rawHttp } from "../../fixtures/RawHttp.ts"
import { serveSessions } from "../../fixtures/wrapperSession.ts"

const processesWith = (text: string): ReadonlyArray<string> =>
  execFileSync("ps", ["-eo", "pid,stat,args"], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line.includes(text) && !line.includes("ps -eo"))

const modern = async (url: string, mode: "legacy" | "auto" | { pin: "2026-07-28" }): Promise<Client> => {
  const info = { name: "sdk-2", version: "1" }
  const client = new Client(info, { capabilities: appsCapability, versionNegotiation: { mode } })
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  return client
}

const legacy = async (url: string, transport: "http" | "sse"): Promise<LegacyClient> => {
  const client = new LegacyClient({ name: "sdk-1", version: "1" }, { capabilities: appsCapability })
  const at = transport === "http" ? new LegacyTransport(new URL(url)) : new SSEClientTransport(new URL("/sse", url))
  await client.connect(at as LegacyTransport)
  return client
}

const clients: Readonly<Record<string, (url: string) => Promise<Client | LegacyClient>>> = {
  "SDK 1.x": (url) => legacy(url, "http"),
  "SDK 1.x, HTTP with SSE": (url) => legacy(url, "sse"),
  "SDK 2.x, legacy era": (url) => modern(url, "legacy"),
  "SDK 2.x, negotiating": (url) => modern(url, "auto"),
  "SDK 2.x, modern era": (url) => modern(url, { pin: "2026-07-28" })
}

describe("the bin with --http", () => {
  it("gives every host its UIs, all of them at once", async () => {
    const { url } = await serveSessions(weather)
    await Promise.all(
      Object.entries(clients).map(async ([name, connect]) => {
        const client = await connect(url)
        const { tools } = await client.listTools()
        const forecast = tools.find((tool) => tool.name === "get_forecast")
        assert.deepInclude(forecast?._meta, { ui: { resourceUri: "ui://get_forecast" } }, name)
        const { contents } = await client.readResource({ uri: "ui://get_forecast" })
        const [content] = contents
        assert.include(content !== undefined && "text" in content ? content.text : "", "get_forecast", name)
        const result = await client.callTool({ name: "get_forecast", arguments: { location: "Oslo", days: 3 } })
        assert.lengthOf((result.structuredContent as { days: ReadonlyArray<unknown> }).days, 3, name)
        await client.close()
      })
    )
  })

  it("keeps hosts apart that use the same ids, and carries what servers say beside answers", async () => {
    const { url } = await serveSessions([process.execPath, fixtureServer("talkative.mjs")])
    const [one, other] = await Promise.all([beginSession(url), beginSession(url)])
    const ask = (session: string, message: string) =>
      post(url, call(1, "ask", { method: "elicitation/create", params: { message } }), { "mcp-session-id": session })
    const asking = await Promise.all([ask(one, "first?"), ask(other, "second?")])
    for (const [index, message] of ["first?", "second?"].entries()) {
      await asking[index]?.next()
      assert.deepInclude((await asking[index]?.next())?.message.params, { message })
    }
    const reply = { jsonrpc: "2.0", id: "ask-1", result: { action: "cancel" } }
    await post(url, reply, { "mcp-session-id": other })
    assert.strictEqual(contentOf((await asking[1]?.next())?.message), '{"action":"cancel"}')
    await post(url, { ...reply, result: { action: "decline" } }, { "mcp-session-id": one })
    assert.strictEqual(contentOf((await asking[0]?.next())?.message), '{"action":"decline"}')

    const progress = (token: string) => postModern(url, modernCall(1, "progress", {}, { progressToken: token }))
    const both = await Promise.all([progress("a"), progress("b")])
    for (const [index, progressToken] of ["a", "b"].entries()) {
      for (const step of [1, 2, 3]) {
        const event = await both[index]?.next()
        assert.deepStrictEqual(event?.message.params, { progressToken, progress: step, total: 3 })
      }
      assert.deepInclude((await both[index]?.next())?.message, { id: 1 })
    }
    const odd = await postModern(url, modernCall("odd", "odd"))
    assert.strictEqual(
      await odd.text(),
      '{"jsonrpc":"2.0","result":{"n":1e400,"z":-0,"i":12345678901234567890,"a":1,"a":2}, "id" :"odd"}'
    )
  })

  it("ends with all its servers on SIGTERM", async () => {
    const mark = `mark-${process.pid}-http`
    const { url, wrapper } = await serveSessions([process.execPath, fixtureServer("talkative.mjs"), mark])
    const sessions = await Promise.all([beginSession(url), beginSession(url), beginSession(url)])
    const hanging = [
      post(url, call(1, "hang"), { "mcp-session-id": sessions[0] }),
      postModern(url, modernCall(1, "hang")),
      rawHttp(url, { headers: { accept: "text/event-stream", "mcp-session-id": sessions[1] } })
    ]
    assert.isAtLeast(processesWith(mark).length, 4)
    await (await postModern(url, modernCall(2, "echo"))).text()
    wrapper.signal("SIGTERM")
    assert.strictEqual(await wrapper.exit, 143)
    assert.deepStrictEqual(processesWith(mark), [])
    const statuses = await Promise.all(hanging.map((answer) => answer.then(({ status }) => status)))
    assert.deepStrictEqual(statuses, [503, 503, 200])
  })

  it("says when the port is in use, and starts nothing", async () => {
    const taken = createServer()
    await new Promise<void>((resolve) => void taken.listen(0, "127.0.0.1", resolve))
    const { port } = taken.address() as AddressInfo
    const wrapper = startWrapper(weather, { flags: ["--http", `127.0.0.1:${port}`] })
    assert.strictEqual(await wrapper.exit, 2)
    assert.include(wrapper.log(), `mcp-gen-ui: port ${port} on 127.0.0.1 is in use`)
    taken.close()
  })

  it("asks for the token, and never shows it", async () => {
    const token = "a-token-that-is-long-enough"
    const flags = ["--log-level", "debug"]
    const { url, wrapper } = await serveSessions(weather, { flags, env: { MCP_GEN_UI_TOKEN: token } })
    const ping = { jsonrpc: "2.0", id: 1, method: "ping" }
    assert.strictEqual((await post(url, ping)).status, 401)
    const answer = await postModern(url, modernCall(1, "get_forecast", { location: "Oslo" }), {
      authorization: `Bearer ${token}`
    })
    assert.strictEqual(answer.status, 200)
    await answer.text()
    assert.notInclude(wrapper.log(), token)
  })
})
