import { assert, describe, it } from "@effect/vitest"
import { bin, fixtureServer, initialize, initializeAtOnce } from "../../fixtures/RawClient.ts"
import { startSession } from "../../fixtures/wrapperSession.ts"
import { hostOn, type Json, textOf } from "../../fixtures/wrapperWithModel.ts"

const oddServer = (modes: ReadonlyArray<string> = []) => [process.execPath, fixtureServer("odd.mjs"), ...modes]

const contentOf = (message: Json): Json => (message.result as { contents: ReadonlyArray<Json> }).contents[0] ?? {}

/** A host of the wrapper in front of the odd server. */
const odd = async (modes: ReadonlyArray<string> = []) => {
  const client = startSession(oddServer(modes), { flags: ["--llm", "none"] })
  await initialize(client)
  const read = async (uri: string): Promise<Json> => (await client.request("resources/read", { uri })).message
  return { ...hostOn(client), content: async (uri: string) => contentOf(await read(uri)), read }
}

describe("ui:// resources", () => {
  it("lists one for each tool that brings none, and serves it", async () => {
    const { content, list } = await odd()
    const uris = (await list("resources")).map(({ uri }) => String(uri))
    for (const uri of ["ui://plain", "ui://a%2Fb%20c", "ui://m%C3%A9t%C3%A9o%20%F0%9F%8C%A7"]) assert.include(uris, uri)
    assert.isFalse(uris.some((uri) => uri.includes("own_ui") || uri.includes("flat_ui")))
    assert.strictEqual(new Set(uris.map((uri) => uri.toLowerCase())).size, uris.length)
    for (const uri of uris) {
      const { text, ...rest } = await content(uri)
      assert.deepInclude(rest, { uri, mimeType: "text/html;profile=mcp-app" })
      assert.match(String(text), /^<!doctype html>/i)
    }
  })

  it("warns of names that differ only in case and keeps their UIs apart", async () => {
    const { client, content, list } = await odd()
    const words = "differs from the other one only in case"
    const other = (await list("resources")).find(({ name }) => name === "Plain")
    assert.notInclude(String((await content("ui://plain")).text), words)
    assert.include(String((await content(String(other?.uri))).text), words)
    assert.include(client.log(), "differ only in case")
  })

  it("names the UIs there are when asked for one there is not", async () => {
    const { read } = await odd()
    const { error } = (await read("ui://nothing")) as { error: Json }
    assert.strictEqual(error.code, -32002)
    assert.match(String(error.message), /No UI resource "ui:\/\/nothing"\. There are: ui:\/\/plain,/)
    assert.deepInclude(error.data as Json, { uri: "ui://nothing", errorType: "RESOURCE_NOT_FOUND", retryable: false })
    assert.match(String((error.data as Json).requestId), /^[\da-f-]{36}$/)
  })

  it("leaves resources that are the server's own to the server", async () => {
    const { content, list, read } = await odd(["resources"])
    assert.strictEqual((await content("ui://own/page")).text, "<p>own</p>")
    const resources = await list("resources")
    assert.deepInclude(resources, { uri: "ui://own/page", name: "own" })
    assert.isTrue(resources.some(({ uri }) => uri === "ui://plain"))
    assert.deepInclude((await read("ui://nothing")).error, { message: "not here" })
  })

  it("answers a read that comes before the tools are known", async () => {
    const client = startSession(oddServer())
    const first = initializeAtOnce(client)
    const page = await client.request("resources/read", { uri: "ui://long" })
    assert.match(String(contentOf(page.message).text), /^<!doctype html>/i)
    await first
  })
})

describe("a list of tools that changes", () => {
  it("has UIs for new tools in the very next answer", async () => {
    const { client, list } = await odd(["one-page"])
    await list("tools")
    const changed = client.receive(({ method }) => method === "notifications/tools/list_changed")
    client.notify("odd/add", { name: "late" })
    await changed
    const late = (await list("tools")).find(({ name }) => name === "late")
    assert.deepInclude(late?._meta, { ui: { resourceUri: "ui://late" } })
    await client.receive(({ method }) => method === "notifications/resources/list_changed")
  })

  it("is told to the host when a refresh finds it", async () => {
    const { ask, client, list } = await odd(["one-page", "unannounced"])
    await list("tools")
    client.notify("odd/add", { name: "late" })
    await ask("_ui_refresh_tools")
    await client.receive(({ method }) => method === "notifications/tools/list_changed")
  })

  it("is not confused by a wrapper behind this one", async () => {
    const client = startSession([process.execPath, bin, "--", ...oddServer(["one-page"])])
    await initialize(client)
    const tools = await hostOn(client).list("tools")
    const known = tools.find(({ name }) => name === "_ui_list")
    assert.nestedPropertyVal(known, "_meta.ui.visibility[0]", "model")
    assert.isTrue(tools.some(({ name }) => name === "_ui2_list"))
  })
})

describe("the wrapper's tools, without a model", () => {
  it("list and inspect UIs", async () => {
    const { ask, inspect, read } = await odd()
    await read("ui://plain")
    const { tools } = (await ask("_ui_list")) as { tools: ReadonlyArray<Json> }
    const status = (name: string) => tools.find((tool) => tool.name === name)?.status
    assert.deepStrictEqual(["plain", "long", "own_ui"].map(status), ["built-in", "not-generated", "own-ui"])
    const details = await inspect("plain")
    assert.deepInclude(details, { level: 2, provider: "none", uiType: "minimal", history: [] })
    assert.deepInclude(details.fallbackReason as Json, { code: "NO_MODEL" })
  })

  it("say what to do about unknown tools, bad arguments and a missing model", async () => {
    const { call } = await odd()
    const refusals: ReadonlyArray<readonly [string, Json, RegExp]> = [
      ["_ui_inspect", { toolName: "plian" }, /no tool "plian".*Did you mean "plain"/],
      ["_ui_refine", { toolName: "plain", feedback: "", loud: true }, /feedback[^]*loud|loud[^]*feedback/],
      ["_ui_refine", { toolName: "plain", feedback: "sortable" }, /ANTHROPIC_API_KEY/],
      ["_ui_regenerate", { toolName: "own_ui" }, /brings its own UI/]
    ]
    for (const [name, args, reason] of refusals) {
      const result = await call(name, args)
      assert.isTrue(result.isError)
      assert.match(textOf(result), reason)
    }
  })

  it("read the tool list again", async () => {
    const { added, removed, unchanged } = await (await odd()).ask("_ui_refresh_tools")
    assert.deepStrictEqual([added, removed], [[], []])
    assert.include(unchanged as ReadonlyArray<string>, "plain")
  })
})
