import { assert, describe, it } from "@effect/vitest"
import { fileIn, testFolder } from "../../fixtures/folders.ts"
import { appsCapability, fixtureServer, type FrameClient, weather } from "../../fixtures/RawClient.ts"
import { startSession } from "../../fixtures/wrapperSession.ts"
import { type Json } from "../../fixtures/wrapperWithModel.ts"

const OTHER_MIME = { extensions: { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html"] } } }

const greet = async (client: FrameClient, clientInfo: Json, capabilities: Json): Promise<void> => {
  await client.request("initialize", { protocolVersion: "2025-11-25", capabilities, clientInfo })
  client.notify("notifications/initialized")
}

const hasUis = async (client: FrameClient, params: Json = {}): Promise<boolean> =>
  (await client.request("tools/list", params)).text.includes('"ui/resourceUri":"ui://get_forecast"')

const hosts = [
  [{ name: "claude-ai", version: "0.1.0" }, {}, [], true],
  [{ name: "claude-ai", version: "0.1.0" }, OTHER_MIME, [], false],
  [{ name: "Visual Studio Code", version: "1.109.0" }, { roots: {} }, [], true],
  [{ name: "Visual Studio Code", version: "1.100.0" }, { roots: {} }, [], false],
  [{ name: "of no renown", version: "1" }, {}, [], false],
  [{ name: "of no renown", version: "1" }, appsCapability, [], true],
  [{ name: "of no renown", version: "1" }, {}, ["--force-ui"], true]
] as const

describe("which hosts get UIs", () => {
  it.each(hosts)("legacy era: %j with %j %j: %s", async (clientInfo, capabilities, flags, expected) => {
    const client = startSession(weather, { flags })
    await greet(client, clientInfo, capabilities)
    assert.strictEqual(await hasUis(client), expected)
  })

  it("modern era: each request by its own host", async () => {
    const client = startSession([process.execPath, fixtureServer("modern-only.mjs")])
    for (const [clientInfo, capabilities, flags, expected] of hosts) {
      if (flags.length > 0) continue
      const _meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": clientInfo,
        "io.modelcontextprotocol/clientCapabilities": capabilities
      }
      const { text } = await client.request("tools/list", { _meta })
      assert.strictEqual(text.includes("ui://echo"), expected, JSON.stringify(_meta))
    }
  })
})

describe("names that a host does not take", () => {
  const tools = [{ name: "list.all", inputSchema: { type: "object" } }]

  it.each([
    ["claude-ai", /does not take: "list\.all"; Claude then drops all tools/],
    ["grok", /does not take: "_ui_\w+".* refuses the whole server/]
  ])("are in the log, once: %s", async (name, expected) => {
    const client = startSession([
      process.execPath,
      fixtureServer("listed.mjs"),
      fileIn(testFolder(), "tools.json", tools)
    ])
    await greet(client, { name, version: "1" }, appsCapability)
    await client.request("tools/list")
    await client.logged(expected)
    await client.request("tools/list")
    assert.lengthOf(client.log().split("does not take"), 2)
  })
})
