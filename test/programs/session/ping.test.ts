import { assert, describe, it } from "@effect/vitest"
import { appsCapability, fixtureServer, initialize, weather } from "../../fixtures/RawClient.ts"
import { overStdio } from "../../fixtures/sdkHosts.ts"
import { startSession } from "../../fixtures/wrapperSession.ts"

/** It dies of a ping, as often as it is started. */
const MORTAL = `
const answers = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "m", version: "1" } }),
  "tools/list": () => ({ tools: [] })
}
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line)
  if (method === "ping") process.exit(7)
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, result: answers[method]?.(params) ?? {} }))
})
`

const odd = [process.execPath, fixtureServer("odd.mjs")]

describe("ping", () => {
  it.each([
    ["passes to a server of the SDK", weather],
    ["is answered for a server that knows none (-32601)", odd],
    ["is answered for a server of the other era", [process.execPath, fixtureServer("modern-only.mjs")]]
  ])("of a client of the SDK %s", async (_, server) => {
    const client = await overStdio("legacy", server)
    assert.deepStrictEqual(await client.ping(), {})
  })

  it("is answered while the server is away, and before it has listed its tools", async () => {
    const client = startSession([process.execPath, "-e", MORTAL])
    await initialize(client)
    const { message } = await client.request("ping")
    assert.deepStrictEqual(message.result, {})
  })

  it("of the modern era is answered for a server that knows none", async () => {
    const client = startSession([process.execPath, fixtureServer("modern.mjs")])
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "host", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": appsCapability
    }
    const { message } = await client.request("ping", { _meta })
    assert.deepStrictEqual(message.result, { resultType: "complete" })
  })

  it("that a server refuses stays refused for a host without MCP Apps", async () => {
    const client = startSession(odd)
    await initialize(client, {})
    const { message } = await client.request("ping")
    assert.deepInclude(message.error, { code: -32601 })
  })
})
