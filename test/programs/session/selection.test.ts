import { afterEach, assert, describe, it } from "@effect/vitest"
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { appsCapability, bin, fixtureServer, noModel, root, startWrapper } from "../../fixtures/RawClient.ts"
import { turn } from "../../fixtures/RawHttp.ts"

type Era = "legacy" | "modern"
type Json = Readonly<Record<string, unknown>>

const weather = [process.execPath, `${root}examples/weather-server.mjs`]
const chosen = [{ date: "2026-01-01" }, { date: "2026-01-03" }]

const running: Array<() => Promise<unknown>> = []

afterEach(async () => {
  for (const stop of running.splice(0).toReversed()) await stop()
})

const clientOf = (era: Era): Client => {
  const client = new Client(
    { name: "host", version: "1" },
    { capabilities: appsCapability, versionNegotiation: { mode: era === "legacy" ? "legacy" : { pin: "2026-07-28" } } }
  )
  running.push(() => client.close())
  return client
}

const overStdio = async (era: Era, server: ReadonlyArray<string> = weather): Promise<Client> => {
  const client = clientOf(era)
  const args = [bin, "--", ...server]
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args, env: noModel, stderr: "ignore" as const })
  )
  return client
}

const serve = async (): Promise<string> => {
  const wrapper = startWrapper(weather, { flags: ["--http", "0"] })
  running.push(async () => {
    wrapper.signal("SIGTERM")
    await wrapper.exit
  })
  const ended = wrapper.exit.then((code) => Promise.reject(new Error(`ended with ${code}: ${wrapper.log()}`)))
  ended.catch(() => undefined)
  for (;;) {
    const url = /serving (http:\/\/\S+\/mcp)/.exec(wrapper.log())?.[1]
    if (url !== undefined) return url
    await Promise.race([turn(), ended])
  }
}

const overHttp = async (era: Era, url: string): Promise<Client> => {
  const client = clientOf(era)
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  return client
}

const call = (client: Client, name: string, args: Json) => client.callTool({ name, arguments: { ...args } })

const textOf = ({ content }: Awaited<ReturnType<typeof call>>): string =>
  content.map((block) => (block.type === "text" ? block.text : "")).join("\n")

const pageData = async (client: Client, uri: string): Promise<Json> => {
  const { contents } = await client.readResource({ uri })
  const [content] = contents
  const html = content !== undefined && "text" in content ? content.text : ""
  return JSON.parse(/<script type="application\/json"[^>]*>(.*?)<\/script>/s.exec(html)?.[1] ?? "{}") as Json
}

const wrapperToolsOf = async (client: Client, uri: string) =>
  (await pageData(client, uri)).wrapperTools as Readonly<Record<string, string>>

/** As the page of the tool does. */
const select = async (client: Client, { toolName = "get_forecast", ...more }: Json = {}) => {
  const { select: name, token } = await wrapperToolsOf(client, `ui://${String(toolName)}`)
  return call(client, name ?? "", { toolName, token, items: chosen, noun: "days", ...more })
}

const selectsAndTells = async (client: Client): Promise<void> => {
  const { tools } = await client.listTools()
  const listed = tools.find(({ name }) => name === "_ui_select")
  assert.deepStrictEqual(listed?._meta, { ui: { visibility: ["app"] } })
  const { proof, ...names } = await wrapperToolsOf(client, "ui://get_forecast")
  // Without a model there is no news to ask for.
  assert.hasAllKeys(names, ["select", "token"])
  assert.strictEqual(names.select, "_ui_select")

  const nothing = await call(client, "_ui_selection", {})
  assert.deepStrictEqual(nothing.structuredContent, { selections: [] })
  assert.strictEqual(textOf(nothing), "The user has selected nothing in the UIs of this server.")

  assert.deepStrictEqual((await select(client)).structuredContent, { toolName: "get_forecast", proof, kept: 2 })
  const told = await call(client, "_ui_selection", {})
  assert.strictEqual(
    textOf(told),
    'The user has selected 2 days in get_forecast:\n- {"date":"2026-01-01"}\n- {"date":"2026-01-03"}'
  )
  const { selections } = told.structuredContent as { selections: ReadonlyArray<Json> }
  assert.lengthOf(selections, 1)
  const { selectedAt, ...rest } = selections[0] ?? {}
  assert.deepStrictEqual(rest, { toolName: "get_forecast", noun: "days", items: chosen, total: 2 })
  assert.isAtMost(Math.abs(Date.parse(String(selectedAt)) - Date.now()), 60_000)

  const elsewhere = await call(client, "_ui_selection", { toolName: "set_units" })
  assert.match(textOf(elsewhere), /nothing in the UI of set_units\. There is a selection in get_forecast\./)
  assert.isUndefined(elsewhere.isError)

  await select(client, { items: [] })
  assert.deepStrictEqual((await call(client, "_ui_selection", {})).structuredContent, { selections: [] })
}

describe("what is selected on screen", () => {
  for (const era of ["legacy", "modern"] as const) {
    it(`reaches the model over stdio, ${era} era`, async () => selectsAndTells(await overStdio(era)))
    it(`reaches the model over HTTP, ${era} era`, async () => selectsAndTells(await overHttp(era, await serve())))
  }

  it("is a session's own over HTTP; hosts of the modern era share theirs, as they share the server", async () => {
    const url = await serve()
    const [one, other, pooled, alike] = await Promise.all([
      overHttp("legacy", url),
      overHttp("legacy", url),
      overHttp("modern", url),
      overHttp("modern", url)
    ])
    await select(one)
    await select(pooled, { noun: "rows" })
    const tells = async (client: Client) => textOf(await call(client, "_ui_selection", {}))
    assert.match(await tells(one), /2 days/)
    assert.match(await tells(other), /selected nothing/)
    assert.match(await tells(alike), /2 rows/)
  })

  it("is refused with what to do about it, and nothing is lost", async () => {
    const client = await overStdio("legacy")
    await select(client)
    const refusals: ReadonlyArray<readonly [Json, RegExp]> = [
      [{ token: "of-another-page" }, /Only the UI of "get_forecast"/],
      [{ items: Array.from({ length: 201 }, () => 1) }, /items/],
      [{ items: "all" }, /items/],
      [{ items: ["x".repeat(70_000)] }, /70004 bytes of JSON, and 65536 are kept: send fewer items/],
      [{ noun: "x".repeat(61) }, /noun/],
      [{ everything: true }, /everything/]
    ]
    for (const [args, reason] of refusals) {
      const answer = await select(client, args)
      assert.isTrue(answer.isError)
      assert.match(textOf(answer), reason)
    }
    const unknown = await call(client, "_ui_selection", { toolName: "get_forcast" })
    assert.isTrue(unknown.isError)
    assert.match(textOf(await call(client, "_ui_selection", {})), /2 days/)
  })

  it("comes with as much of several tools as fits, and says where more is", async () => {
    const client = await overStdio("legacy")
    const much = { items: ["x".repeat(40_000)] }
    for (const toolName of ["get_current_weather", "set_units", "get_forecast"]) {
      await select(client, { ...much, toolName, total: 500 })
    }
    const told = await call(client, "_ui_selection", {})
    const { others, selections } = told.structuredContent as { others: unknown; selections: ReadonlyArray<Json> }
    assert.deepStrictEqual(
      selections.map(({ toolName, total }) => [toolName, total]),
      [["get_forecast", 500]]
    )
    assert.deepStrictEqual(others, ["set_units", "get_current_weather"])
    assert.match(textOf(told), /There is more, to be asked for by toolName: set_units, get_current_weather\./)
    const more = await call(client, "_ui_selection", { toolName: "set_units" })
    assert.match(textOf(more), /500 days in set_units \(the first 1 of them are listed\)/)
  })

  it("goes to the tool under the name that it got when the server has one of ours", async () => {
    const folder = await mkdtemp(join(tmpdir(), "mcp-gen-ui-"))
    running.push(() => rm(folder, { recursive: true }))
    const file = join(folder, "tools.json")
    const tools = ["_ui_select", "plain"].map((name) => ({ name, inputSchema: { type: "object" } }))
    await writeFile(file, JSON.stringify(tools))
    const client = await overStdio("legacy", [process.execPath, fixtureServer("listed.mjs"), file])
    assert.strictEqual((await wrapperToolsOf(client, "ui://plain")).select, "_ui2_select")
    assert.strictEqual(textOf(await call(client, "_ui_select", {})), "_ui_select")
    await select(client, { toolName: "plain", items: [1], noun: "items" })
    assert.match(textOf(await call(client, "_ui2_selection", {})), /1 of the items in plain:\n- 1$/)
  })
})
