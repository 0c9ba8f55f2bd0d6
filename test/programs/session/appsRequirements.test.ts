import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { parse } from "parse5"
import { appsCapability, initialize, weather } from "../../fixtures/RawClient.ts"
import { startSession } from "../../fixtures/wrapperSession.ts"
import { hostOn, type Json, startWithModel, textOf } from "../../fixtures/wrapperWithModel.ts"

const ANSWER = readFileSync(new URL("../../fixtures/answers/good-parts.html", import.meta.url), "utf8")

const hostWith = async (capabilities: Json) => {
  const client = startSession(weather)
  await initialize(client, capabilities)
  return { ...hostOn(client), client }
}

const uiOf = ({ _meta }: Json): Json | undefined => (_meta as Json | undefined)?.ui as Json | undefined

describe("what MCP Apps asks of servers", () => {
  it.each([
    ["nothing", {}],
    ["another extension", { extensions: { "example.com/ui": {} } }],
    ["UIs of another type", { extensions: { "io.modelcontextprotocol/ui": { mimeTypes: ["text/uri-list"] } } }]
  ])("no tool has a UI where the host announces %s", async (_name, capabilities) => {
    const { list } = await hostWith(capabilities)
    const tools = await list("tools")
    assert.isAbove(tools.length, 1)
    for (const tool of tools) assert.isUndefined(uiOf(tool), String(tool.name))
  })

  it("every UI that a tool names is there: HTML5 without an error, of the one type, as text", async () => {
    const { client, list } = await startWithModel({ answer: ANSWER })
    const tools = (await list("tools")).filter((tool) => uiOf(tool)?.resourceUri !== undefined)
    assert.isAbove(tools.length, 1)
    const types = new Set((await list("resources")).map(({ mimeType }) => mimeType))
    assert.deepStrictEqual([...types], ["text/html;profile=mcp-app"])
    for (const tool of tools) {
      const uri = String(uiOf(tool)?.resourceUri)
      assert.match(uri, /^ui:\/\/[^/]/)
      assert.strictEqual((tool._meta as Json)["ui/resourceUri"], uri)
      const { contents } = (await client.request("resources/read", { uri })).message.result as { contents: Array<Json> }
      assert.lengthOf(contents, 1)
      assert.deepInclude(contents[0], { uri, mimeType: "text/html;profile=mcp-app" })
      const errors: Array<string> = []
      parse(String(contents[0]?.text), { onParseError: ({ code, startLine }) => errors.push(`${startLine}: ${code}`) })
      assert.deepStrictEqual(errors, [], uri)
    }
  })

  it("what a page needs is said with its content: nothing from elsewhere, a border, no origin of its own", async () => {
    const { client } = await hostWith(appsCapability)
    const { result } = (await client.request("resources/read", { uri: "ui://get_forecast" })).message
    assert.deepStrictEqual(uiOf((result as { contents: Array<Json> }).contents[0] ?? {}), {
      csp: { connectDomains: [], resourceDomains: [] },
      prefersBorder: true
    })
  })

  it("the wrapper's own tools say in text what they did, for hosts and models without UIs", async () => {
    const { call, list } = await hostWith(appsCapability)
    const own = (await list("tools")).filter(({ name }) => String(name).startsWith("_ui_"))
    assert.isNotEmpty(own)
    for (const { name } of own) {
      const result = await call(String(name), { toolName: "get_forecast" })
      assert.match(textOf(result), /\w/, String(name))
    }
  })
})
