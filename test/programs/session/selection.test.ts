import { assert, describe, it } from "@effect/vitest"
import type { Client } from "@modelcontextprotocol/client"
import { fileIn, testFolder } from "../../fixtures/folders.ts"
import { fixtureServer, weather } from "../../fixtures/RawClient.ts"
import { isNow } from "../../fixtures/time.ts"
import { overHttp, overStdio, sdkHost } from "../../fixtures/sdkHosts.ts"
import { serveSessions } from "../../fixtures/wrapperSession.ts"
import { factsOf, type Json } from "../../fixtures/wrapperWithModel.ts"

const chosen = [{ date: "2026-01-01" }, { date: "2026-01-03" }]

const call = (client: Client, name: string, args: Json) => client.callTool({ name, arguments: { ...args } })

const textOf = ({ content }: Awaited<ReturnType<typeof call>>): string =>
  content.map((block) => (block.type === "text" ? block.text : "")).join("\n")

const wrapperToolsOf = async (client: Client, tool: string): Promise<Readonly<Record<string, string>>> =>
  factsOf(await sdkHost(client).read(tool)).wrapperTools ?? {}

/** As the page of the tool does. */
const select = async (client: Client, { toolName = "get_forecast", ...more }: Json = {}) => {
  const { select: name, token } = await wrapperToolsOf(client, String(toolName))
  return call(client, name ?? "", { toolName, token, items: chosen, noun: "days", ...more })
}

const selectsAndTells = async (client: Client): Promise<void> => {
  const { tools } = await client.listTools()
  const listed = tools.find(({ name }) => name === "_ui_select")
  assert.deepStrictEqual(listed?._meta, { ui: { visibility: ["app"] } })
  const { proof, ...names } = await wrapperToolsOf(client, "get_forecast")
  // The host's model may write another UI, so there is news to ask for.
  if ("keeps" in names) assert.hasAllKeys(names, ["select", "token", "current", "keeps"])
  else assert.hasAllKeys(names, ["select", "current", "token"])
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
  isNow(selectedAt)

  const elsewhere = await call(client, "_ui_selection", { toolName: "set_units" })
  assert.match(textOf(elsewhere), /nothing in the UI of set_units\. There is a selection in get_forecast\./)
  assert.isUndefined(elsewhere.isError)

  await select(client, { items: [] })
  assert.deepStrictEqual((await call(client, "_ui_selection", {})).structuredContent, { selections: [] })
}

describe("what is selected on screen", () => {
  for (const era of ["legacy", "modern"] as const) {
    it(`reaches the model over stdio, ${era} era`, async () => selectsAndTells(await overStdio(era)))
    it(`reaches the model over HTTP, ${era} era`, async () =>
      selectsAndTells(await overHttp(era, (await serveSessions(weather)).url)))
  }

  it("is a session's own over HTTP; hosts of the modern era share theirs, as they share the server", async () => {
    const { url } = await serveSessions(weather)
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
    const tools = ["_ui_select", "plain"].map((name) => ({ name, inputSchema: { type: "object" } }))
    const file = fileIn(testFolder(), "tools.json", tools)
    const client = await overStdio("legacy", [process.execPath, fixtureServer("listed.mjs"), file])
    assert.strictEqual((await wrapperToolsOf(client, "plain")).select, "_ui2_select")
    assert.strictEqual(textOf(await call(client, "_ui_select", {})), "_ui_select")
    await select(client, { toolName: "plain", items: [1], noun: "items" })
    assert.match(textOf(await call(client, "_ui2_selection", {})), /1 of the items in plain:\n- 1$/)
  })
})
