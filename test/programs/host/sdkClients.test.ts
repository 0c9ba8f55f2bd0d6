import { afterEach, assert, describe, it } from "@effect/vitest"
import { Client } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport as LegacyTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { appsCapability, bin, noModel, root } from "../../fixtures/RawClient.ts"

const started = () => ({
  command: process.execPath,
  args: [bin, "--", process.execPath, `${root}examples/weather-server.mjs`],
  env: noModel,
  stderr: "ignore" as const
})

const open: Array<{ close: () => Promise<void> }> = []

afterEach(async () => {
  await Promise.all(open.splice(0).map((client) => client.close()))
})

const connect = async (mode: "legacy" | "auto" | { pin: "2026-07-28" }): Promise<Client> => {
  const client = new Client(
    { name: "sdk-2", version: "1" },
    { capabilities: appsCapability, versionNegotiation: { mode } }
  )
  await client.connect(new StdioClientTransport(started()))
  open.push(client)
  return client
}

const connectLegacy = async (): Promise<LegacyClient> => {
  const client = new LegacyClient({ name: "sdk-1", version: "1" }, { capabilities: appsCapability })
  await client.connect(new LegacyTransport(started()))
  open.push(client)
  return client
}

const connections = {
  "SDK 1.x": connectLegacy,
  "SDK 2.x, legacy era": () => connect("legacy"),
  "SDK 2.x, negotiating": () => connect("auto"),
  "SDK 2.x, modern era": () => connect({ pin: "2026-07-28" })
}

describe("the bin as SDK clients start it", () => {
  for (const [name, open] of Object.entries(connections)) {
    it(name, async () => {
      const client = await open()
      const { tools } = await client.listTools()
      const forecast = tools.find((tool) => tool.name === "get_forecast")
      assert.deepInclude(forecast?._meta, {
        ui: { resourceUri: "ui://get_forecast" },
        "ui/resourceUri": "ui://get_forecast"
      })
      assert.include(
        tools.map((tool) => tool.name),
        "_ui_list"
      )

      const { resources } = await client.listResources()
      assert.deepStrictEqual(
        resources.map(({ uri }) => uri),
        ["ui://get_current_weather", "ui://get_forecast", "ui://set_units"]
      )
      const { contents } = await client.readResource({ uri: "ui://get_forecast" })
      const content = contents[0]
      assert.strictEqual(content?.mimeType, "text/html;profile=mcp-app")
      assert.include(content !== undefined && "text" in content ? content.text : "", "get_forecast")

      const result = await client.callTool({ name: "get_forecast", arguments: { location: "Oslo", days: 3 } })
      assert.strictEqual((result.structuredContent as { days: ReadonlyArray<unknown> }).days.length, 3)

      const list = await client.callTool({ name: "_ui_list", arguments: {} })
      assert.strictEqual((list.structuredContent as { tools: ReadonlyArray<unknown> }).tools.length, 3)

      const missing: unknown = await client.readResource({ uri: "ui://no_such_tool" }).catch((error: unknown) => error)
      assert.match(String(missing), /No UI resource "ui:\/\/no_such_tool"\. There are: ui:\/\/get_current_weather/)
    })
  }

  it("speaks the modern era when both sides do", async () => {
    const client = await connect("auto")
    assert.strictEqual(client.getNegotiatedProtocolVersion(), "2026-07-28")
    const list = await client.listTools()
    assert.notStrictEqual((list as { cacheScope?: string }).cacheScope, "public")
  })
})
