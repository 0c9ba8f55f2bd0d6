import { Client as LegacySdkClient } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport as LegacySdkTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { Client } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { afterEach, assert, describe, it } from "vitest"

const server = {
  command: process.execPath,
  args: [fileURLToPath(new URL("../../examples/weather-server.mjs", import.meta.url))]
}

const eras = [
  { era: "legacy", mode: "legacy", version: "2025-11-25" },
  { era: "modern, found by probing", mode: "auto", version: "2026-07-28" },
  { era: "modern, pinned", mode: { pin: "2026-07-28" }, version: "2026-07-28" }
] as const

const opened: Array<{ close: () => Promise<void> }> = []

afterEach(async () => {
  for (const client of opened.splice(0)) await client.close()
})

const connect = async (mode: (typeof eras)[number]["mode"]) => {
  const client = new Client({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode } })
  opened.push(client)
  await client.connect(new StdioClientTransport(server))
  return client
}

/** Sends raw lines, closes the input, and gives what the server printed and how it ended. */
const talk = async (lines: ReadonlyArray<string>) => {
  const child = spawn(server.command, server.args, { stdio: ["pipe", "pipe", "inherit"] })
  const closed = once(child, "close")
  let printed = ""
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    printed += chunk
  })
  child.stdin.end(lines.join("\n"))
  const [code] = await closed
  const messages = printed.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]))
  return { code, messages }
}

const call = (id: number, name: string, values: unknown) =>
  JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: values } })

const radarOf = async (client: Client, location: string) => {
  const { content } = await client.callTool({ name: "get_radar", arguments: { location } })
  const picture = content.find(({ type }) => type === "image")
  return picture?.type === "image" ? Buffer.from(picture.data, "base64") : assert.fail("no picture")
}

describe.each(eras)("weather server, $era", ({ mode, version }) => {
  it("lists eight described tools", async () => {
    const client = await connect(mode)
    assert.strictEqual(client.getNegotiatedProtocolVersion(), version)
    assert.strictEqual(client.getServerVersion()?.name, "weather-example")
    const { tools } = await client.listTools()
    assert.deepStrictEqual(
      tools.map(({ name, title }) => [name, title]),
      [
        ["get_current_weather", "Current weather"],
        ["get_forecast", "Forecast"],
        ["compare_cities", "Compare cities"],
        ["list_cities", "Cities"],
        ["list_alerts", "Weather alerts"],
        ["get_alert", "Weather alert"],
        ["get_radar", "Rain radar"],
        ["set_units", "Set units"]
      ]
    )
    for (const tool of tools) {
      assert.isAbove(tool.description?.length ?? 0, 20)
      assert.isDefined(tool.outputSchema)
      assert.isDefined(tool.annotations?.readOnlyHint)
    }
  })

  it("answers with structured content that fits its output schema", async () => {
    const client = await connect(mode)
    await client.listTools()
    const now = await client.callTool({ name: "get_current_weather", arguments: { location: "Oslo" } })
    assert.deepInclude(now.structuredContent, { location: "Oslo", country: "Norway", temperature: 13.6 })
    const forecast = await client.callTool({ name: "get_forecast", arguments: { location: "são paulo", days: 14 } })
    assert.lengthOf(Reflect.get(Object(forecast.structuredContent), "days"), 14)
  })

  it.each([
    ["compare_cities", { locations: ["Oslo", "Cairo"] }, /"city":"Oslo".*"temperature":13.6.*"city":"Cairo"/],
    ["list_cities", {}, /"name":"Lima","country":"Peru","latitude":-12.05,"longitude":-77.04/],
    ["list_alerts", { severity: "severe" }, /^{"alerts":\[{"id":"mum-05-thunderstorm"(?!.*moderate)/],
    ["get_alert", { id: "mum-05-thunderstorm" }, /"advice":"- Stay indoors/],
    ["get_radar", { location: "Mumbai" }, /"strongest":"heavy"/]
  ])("answers %s", async (name, values, expected) => {
    const client = await connect(mode)
    // The SDK checks what it gets against the output schema of a tool that it knows.
    await client.listTools()
    const { content, isError, structuredContent } = await client.callTool({ name, arguments: values })
    assert.isNotTrue(isError)
    assert.match(JSON.stringify(structuredContent), expected)
    assert.match(JSON.stringify(content), /^\[{"type":"text","text":"\w/)
  })

  it("draws the radar as a PNG, the same each time", async () => {
    const client = await connect(mode)
    const [first, second] = [await radarOf(client, "Tokyo"), await radarOf(client, "Tokyo")]
    assert.deepStrictEqual(first, second)
    assert.deepStrictEqual([...first.subarray(0, 8)], [0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10])
    assert.deepStrictEqual([first.readUInt32BE(16), first.readUInt32BE(20)], [320, 320])
    assert.notDeepEqual(await radarOf(client, "Cairo"), first)
  })

  it("has ids of alerts that are of one alert only", async () => {
    const client = await connect(mode)
    const { structuredContent } = await client.callTool({ name: "list_alerts", arguments: {} })
    const ids = [...JSON.stringify(structuredContent).matchAll(/"id":"([^"]+)"/g)].map(([, id]) => id)
    assert.isAbove(ids.length, 8)
    assert.strictEqual(new Set(ids).size, ids.length)
    const missing = await client.callTool({ name: "get_alert", arguments: { id: "none" } })
    assert.include(JSON.stringify(missing.content), "list_alerts has those")
  })

  it("uses the units that were set", async () => {
    const client = await connect(mode)
    const set = await client.callTool({ name: "set_units", arguments: { units: "imperial" } })
    assert.deepStrictEqual(set.structuredContent, { units: "imperial", changed: true })
    const now = await client.callTool({ name: "get_current_weather", arguments: { location: "Oslo" } })
    assert.deepInclude(now.structuredContent, { temperature: 57 })
    const metric = await client.callTool({
      name: "get_current_weather",
      arguments: { location: "Oslo", units: "metric" }
    })
    assert.deepInclude(metric.structuredContent, { temperature: 13.6 })
  })

  it("reports an unknown city and bad arguments as failed calls", async () => {
    const client = await connect(mode)
    const rome = await client.callTool({ name: "get_forecast", arguments: { location: "Rome" } })
    assert.isTrue(rome.isError)
    assert.include(JSON.stringify(rome.content), "The cities are: Berlin, Cairo")
    const wrong = await client.callTool({ name: "get_forecast", arguments: { location: "Oslo", days: 15, unit: 1 } })
    assert.isTrue(wrong.isError)
    assert.include(JSON.stringify(wrong.content), "from 1 to 14, not 15")
    assert.include(JSON.stringify(wrong.content), "is not known")
    const one = await client.callTool({ name: "compare_cities", arguments: { locations: ["Oslo"] } })
    assert.include(JSON.stringify(one.content), "2 to 6 items, not 1")
    const other = await client.callTool({ name: "compare_cities", arguments: { locations: ["Oslo", "Rome"] } })
    assert.include(JSON.stringify(other.content), `\\"locations[1]\\" must be one of Berlin`)
    const missing = await client.callTool({ name: "get_forecast", arguments: {} })
    assert.include(JSON.stringify(missing.content), "is required")
  })

  it("answers an unknown tool with a protocol error", async () => {
    const client = await connect(mode)
    const error: unknown = await client
      .callTool({ name: "no_such_tool", arguments: {} })
      .catch((error: unknown) => error)
    assert.instanceOf(error, Error)
    assert.include(error.message, "no_such_tool")
  })
})

describe("weather server", () => {
  it("serves a client of the 1.x SDK", async () => {
    const client = new LegacySdkClient({ name: "test", version: "1.0.0" })
    opened.push(client)
    await client.connect(new LegacySdkTransport(server))
    assert.lengthOf((await client.listTools()).tools, 8)
    const result = await client.callTool({ name: "get_forecast", arguments: { location: "Tokyo" } })
    assert.lengthOf(Reflect.get(Object(result.structuredContent), "days"), 5)
  })

  it.each(["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])("agrees on %s", async (protocolVersion) => {
    const { messages } = await talk([
      JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion } })
    ])
    assert.strictEqual(messages[0].result.protocolVersion, protocolVersion)
  })

  it("gives the same answer on every run, and ends with its input", async () => {
    const lines = [call(1, "get_forecast", { location: "London", days: 3 })]
    const [first, second] = [await talk(lines), await talk(lines)]
    assert.strictEqual(first.code, 0)
    assert.deepStrictEqual(first.messages, second.messages)
    assert.deepInclude(first.messages[0].result.structuredContent.days[0], {
      date: "2026-05-04",
      condition: "Cloudy",
      high: 18.3,
      low: 12.6
    })
  })

  it("keeps temperatures in order for every city and day", async () => {
    const names = JSON.stringify((await talk([call(1, "get_forecast", { location: "?" })])).messages)
    const cities = /The cities are: (.*?)\./.exec(names)?.[1]?.split(", ") ?? []
    assert.lengthOf(cities, 12)
    const { messages } = await talk(cities.map((location, id) => call(id, "get_forecast", { location, days: 14 })))
    for (const { result } of messages) {
      for (const day of result.structuredContent.days) {
        assert.isAbove(day.high, day.low)
        assert.isTrue(day.precipitationChance >= 0 && day.precipitationChance <= 100)
        assert.match(day.sunrise, /^0[45]:[0-5]\d$/)
      }
    }
  })

  it("answers what is no request, and stays", async () => {
    const modern = { "io.modelcontextprotocol/protocolVersion": "2031-01-01" }
    const { messages, code } = await talk([
      "junk",
      "[]",
      JSON.stringify({ jsonrpc: "2.0", id: 1, method: "prompts/list" }),
      JSON.stringify({ jsonrpc: "2.0", id: 2, method: "tools/list", params: { _meta: modern } }),
      JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }),
      JSON.stringify({ jsonrpc: "2.0", id: 3, method: "toString" }),
      JSON.stringify({ jsonrpc: "2.0", id: 4, method: "ping" })
    ])
    assert.deepStrictEqual(
      messages.map(({ id, error }) => [id, error?.code]),
      [
        [null, -32700],
        [null, -32600],
        [1, -32601],
        [2, -32022],
        [3, -32601],
        [4, undefined]
      ]
    )
    assert.deepStrictEqual(messages[3].error.data, { supported: ["2026-07-28"], requested: "2031-01-01" })
    assert.strictEqual(code, 0)
  })
})
