import { assert, describe, it } from "@effect/vitest"
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport as LegacyTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { onTestFinished } from "vitest"
import { appsCapability } from "../../fixtures/RawClient.ts"
import { binWith, overStdio } from "../../fixtures/sdkHosts.ts"

/** Tools of the weather server, after its first two. */
const OTHERS = ["compare_cities", "list_cities", "list_alerts", "get_alert", "get_radar", "set_units"]

const connectLegacy = async (): Promise<LegacyClient> => {
  const client = new LegacyClient({ name: "sdk-1", version: "1" }, { capabilities: appsCapability })
  onTestFinished(() => client.close())
  await client.connect(new LegacyTransport(binWith()))
  return client
}

const connections = {
  "SDK 1.x": connectLegacy,
  "SDK 2.x, legacy era": () => overStdio("legacy"),
  "SDK 2.x, negotiating": () => overStdio("negotiating"),
  "SDK 2.x, modern era": () => overStdio("modern")
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
        ["get_current_weather", "get_forecast", ...OTHERS].map((name) => `ui://${name}`)
      )
      const { contents } = await client.readResource({ uri: "ui://get_forecast" })
      const content = contents[0]
      assert.strictEqual(content?.mimeType, "text/html;profile=mcp-app")
      assert.include(content !== undefined && "text" in content ? content.text : "", "get_forecast")

      const result = await client.callTool({ name: "get_forecast", arguments: { location: "Oslo", days: 3 } })
      assert.strictEqual((result.structuredContent as { days: ReadonlyArray<unknown> }).days.length, 3)

      const list = await client.callTool({ name: "_ui_list", arguments: {} })
      assert.strictEqual((list.structuredContent as { tools: ReadonlyArray<unknown> }).tools.length, 8)

      const missing: unknown = await client.readResource({ uri: "ui://no_such_tool" }).catch((error: unknown) => error)
      assert.match(String(missing), /No UI resource "ui:\/\/no_such_tool"\. There are: ui:\/\/get_current_weather/)
    })
  }

  it("speaks the modern era when both sides do", async () => {
    const client = await overStdio("negotiating")
    assert.strictEqual(client.getNegotiatedProtocolVersion(), "2026-07-28")
    const list = await client.listTools()
    assert.notStrictEqual((list as { cacheScope?: string }).cacheScope, "public")
  })
})
