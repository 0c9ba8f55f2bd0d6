import { assert, describe, it } from "@effect/vitest"
import {
  bin,
  fixtureServer,
  initialize,
  initializeAtOnce,
  type RawClient,
  startWrapper
} from "../../fixtures/RawClient.ts"

type Json = Readonly<Record<string, unknown>>

const odd = (modes: ReadonlyArray<string> = [], flags: ReadonlyArray<string> = []): RawClient =>
  startWrapper([process.execPath, fixtureServer("odd.mjs"), ...modes], { flags })

const read = async (client: RawClient, uri: string): Promise<Json> =>
  (await client.request("resources/read", { uri })).message

const contentOf = (message: Json): Json => (message.result as { contents: ReadonlyArray<Json> }).contents[0] ?? {}

describe("ui:// resources", () => {
  it("lists one for each tool that brings none, and serves it", async () => {
    const client = odd()
    await initialize(client)
    const { message } = await client.request("resources/list")
    const { resources } = message.result as { resources: ReadonlyArray<Json> }
    const uris = resources.map(({ uri }) => String(uri))
    assert.include(uris, "ui://plain")
    assert.include(uris, "ui://a%2Fb%20c")
    assert.include(uris, "ui://m%C3%A9t%C3%A9o%20%F0%9F%8C%A7")
    assert.isFalse(uris.some((uri) => uri.includes("own_ui") || uri.includes("flat_ui")))
    assert.strictEqual(new Set(uris.map((uri) => uri.toLowerCase())).size, uris.length)
    for (const uri of uris) {
      const content = contentOf(await read(client, uri))
      assert.strictEqual(content.uri, uri)
      assert.strictEqual(content.mimeType, "text/html;profile=mcp-app")
      assert.match(String(content.text), /^<!doctype html>/i)
    }
    await client.close()
  })

  it("warns of names that differ only in case and keeps their UIs apart", async () => {
    const client = odd()
    await initialize(client)
    const plain = contentOf(await read(client, "ui://plain"))
    const { message } = await client.request("resources/list")
    const { resources } = message.result as { resources: ReadonlyArray<Json> }
    const other = resources.find(({ name }) => name === "Plain")
    assert.notInclude(String(plain.text), "differs from the other one only in case")
    assert.include(
      String(contentOf(await read(client, String(other?.uri))).text),
      "differs from the other one only in case"
    )
    assert.include(client.log(), "differ only in case")
    await client.close()
  })

  it("names the UIs there are when asked for one there is not", async () => {
    const client = odd()
    await initialize(client)
    const { error } = (await read(client, "ui://nothing")) as { error: Json }
    assert.strictEqual(error.code, -32002)
    assert.match(String(error.message), /No UI resource "ui:\/\/nothing"\. There are: ui:\/\/plain,/)
    assert.deepInclude(error.data as Json, { uri: "ui://nothing", errorType: "RESOURCE_NOT_FOUND", retryable: false })
    assert.match(String((error.data as Json).requestId), /^[\da-f-]{36}$/)
    await client.close()
  })

  it("leaves resources that are the server's own to the server", async () => {
    const client = odd(["resources"])
    await initialize(client)
    assert.strictEqual(contentOf(await read(client, "ui://own/page")).text, "<p>own</p>")
    const { message } = await client.request("resources/list")
    const { resources } = message.result as { resources: ReadonlyArray<Json> }
    assert.deepInclude(resources, { uri: "ui://own/page", name: "own" })
    assert.isTrue(resources.some(({ uri }) => uri === "ui://plain"))
    const { error } = (await read(client, "ui://nothing")) as { error: Json }
    assert.strictEqual(error.message, "not here")
    await client.close()
  })

  it("answers a read that comes before the tools are known", async () => {
    const client = odd()
    const answers = Promise.all([initializeAtOnce(client), read(client, "ui://long")])
    assert.match(String(contentOf((await answers)[1]).text), /^<!doctype html>/i)
    await client.close()
  })
})

describe("a list of tools that changes", () => {
  const names = async (client: RawClient): Promise<ReadonlyArray<Json>> =>
    ((await client.request("tools/list")).message.result as { tools: ReadonlyArray<Json> }).tools

  it("has UIs for new tools in the very next answer", async () => {
    const client = odd(["one-page"])
    await initialize(client)
    await names(client)
    const changed = client.receive(({ method }) => method === "notifications/tools/list_changed")
    client.send('{"jsonrpc":"2.0","method":"odd/add","params":{"name":"late"}}')
    await changed
    const late = (await names(client)).find(({ name }) => name === "late")
    assert.deepInclude(late?._meta, { ui: { resourceUri: "ui://late" } })
    await client.receive(({ method }) => method === "notifications/resources/list_changed")
    await client.close()
  })

  it("is told to the host when a refresh finds it", async () => {
    const client = odd(["one-page", "unannounced"])
    await initialize(client)
    await names(client)
    client.send('{"jsonrpc":"2.0","method":"odd/add","params":{"name":"late"}}')
    await client.request("tools/call", { name: "_ui_refresh_tools", arguments: {} })
    await client.receive(({ method }) => method === "notifications/tools/list_changed")
    await client.close()
  })

  it("is not confused by a wrapper behind this one", async () => {
    const inner = [process.execPath, bin, "--", process.execPath, fixtureServer("odd.mjs"), "one-page"]
    const client = startWrapper(inner)
    await initialize(client)
    const tools = await names(client)
    assert.deepStrictEqual(tools.find(({ name }) => name === "_ui_list")?._meta, { ui: { visibility: ["model"] } })
    assert.isTrue(tools.some(({ name }) => name === "_ui2_list"))
    await client.close()
  })
})

describe("the wrapper's tools", () => {
  const call = async (client: RawClient, name: string, args: Json): Promise<Json> =>
    (await client.request("tools/call", { name, arguments: args })).message.result as Json

  it("list and inspect UIs", async () => {
    const client = odd()
    await initialize(client)
    await read(client, "ui://plain")
    const { structuredContent } = await call(client, "_ui_list", {})
    const { tools } = structuredContent as { tools: ReadonlyArray<Json> }
    const status = (name: string) => tools.find((tool) => tool.name === name)?.status
    assert.strictEqual(status("plain"), "built-in")
    assert.strictEqual(status("long"), "not-generated")
    assert.strictEqual(status("own_ui"), "own-ui")
    const details = (await call(client, "_ui_inspect", { toolName: "plain" })).structuredContent as Json
    assert.deepInclude(details, { level: 2, provider: "none", uiType: "minimal", history: [] })
    assert.deepInclude(details.fallbackReason as Json, { code: "NO_MODEL" })
    await client.close()
  })

  it("say what to do about unknown tools, bad arguments and a missing model", async () => {
    const client = odd()
    await initialize(client)
    const text = (result: Json) => String((result.content as ReadonlyArray<Json>)[0]?.text)
    const unknown = await call(client, "_ui_inspect", { toolName: "plian" })
    assert.isTrue(unknown.isError)
    assert.match(text(unknown), /no tool "plian".*Did you mean "plain"/)
    const bad = await call(client, "_ui_refine", { toolName: "plain", feedback: "", loud: true })
    assert.isTrue(bad.isError)
    assert.match(text(bad), /feedback/)
    assert.match(text(bad), /loud/)
    const noModel = await call(client, "_ui_refine", { toolName: "plain", feedback: "sortable" })
    assert.isTrue(noModel.isError)
    assert.match(text(noModel), /ANTHROPIC_API_KEY/)
    const own = await call(client, "_ui_regenerate", { toolName: "own_ui" })
    assert.match(text(own), /brings its own UI/)
    await client.close()
  })

  it("read the tool list again", async () => {
    const client = odd()
    await initialize(client)
    const { structuredContent } = await call(client, "_ui_refresh_tools", {})
    const { added, removed, unchanged } = structuredContent as Record<string, ReadonlyArray<string>>
    assert.deepStrictEqual([added, removed], [[], []])
    assert.isTrue(unchanged?.includes("plain"))
    await client.close()
  })
})
