import { afterEach, assert, describe, it } from "@effect/vitest"
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startModelStandIn } from "../../fixtures/model-stand-in/ModelStandIn.ts"
import { appsCapability, fixtureServer, initialize, root, startWrapper } from "../../fixtures/RawClient.ts"
import { turn } from "../../fixtures/RawHttp.ts"
import { factsOf, type Json, pageTitled, startWithModel, textOf, withConfig } from "../../fixtures/wrapperWithModel.ts"

const weather = [process.execPath, `${root}examples/weather-server.mjs`]
const running: Array<() => Promise<unknown>> = []

afterEach(async () => {
  for (const stop of running.splice(0).toReversed()) await stop()
})

const provenBy = (html: string): Readonly<Record<string, string>> => factsOf(html).wrapperTools ?? {}

const overHttp = async (url: string) => {
  const client = new Client(
    { name: "host", version: "1" },
    { capabilities: appsCapability, versionNegotiation: { mode: "legacy" } }
  )
  running.push(() => client.close())
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  const read = async (uri: string): Promise<string> => {
    const [content] = (await client.readResource({ uri })).contents
    return content !== undefined && "text" in content ? content.text : ""
  }
  const call = async (name: string, args: Json): Promise<Json> => ({
    ...(await client.callTool({ name, arguments: args }))
  })
  return { call, read }
}

describe("a page", () => {
  it("asks about its own tool only: another one's source and versions are out of its reach", async () => {
    const wrapper = await startWithModel({ answer: (index) => ({ text: pageTitled(`Page ${index}`) }) })
    running.push(wrapper.close)
    const victim = factsOf(await wrapper.read("get_forecast"))
    const { token } = provenBy(await wrapper.read("set_units"))
    for (const stolen of [token, "", `${token}x`, token?.split(".")[0], undefined]) {
      const about = { toolName: "get_forecast", token: stolen }
      const asked = { ...about, version: "", failed: victim.version }
      const answers = [
        await wrapper.call("_ui_current", asked),
        await wrapper.call("_ui_select", { ...about, items: [1] })
      ]
      for (const answer of answers) {
        assert.isTrue(answer.isError)
        assert.notInclude(JSON.stringify(answer), "Page 0")
      }
    }
    assert.strictEqual(factsOf(await wrapper.read("get_forecast")).version, victim.version)
    assert.match(textOf(await wrapper.call("_ui_selection")), /nothing/)
  })

  it("gets its answers from us also when the server has taken the names since, which hears nothing of it", async () => {
    // A folder of UIs that a person writes: without a model there would be nothing to ask for.
    const folder = await mkdtemp(join(tmpdir(), "mcp-gen-ui-"))
    running.push(() => rm(folder, { recursive: true }))
    const { flags, remove } = await withConfig({ generation: { uiDirectory: folder } })
    running.push(remove)
    const client = startWrapper([process.execPath, fixtureServer("odd.mjs"), "one-page"], { flags })
    running.push(client.close)
    await initialize(client)
    const read = async () => {
      const { message } = await client.request("resources/read", { uri: "ui://plain" })
      return provenBy(String((message.result as { contents: ReadonlyArray<Json> }).contents[0]?.text))
    }
    const { current = "", proof, select = "", token } = await read()
    for (const name of [current, select]) {
      client.send(JSON.stringify({ jsonrpc: "2.0", method: "odd/add", params: { name } }))
    }
    await client.receive(({ method }) => method === "notifications/tools/list_changed")
    const names = async (): Promise<ReadonlyArray<unknown>> => {
      const { result } = (await client.request("tools/list")).message as { result: { tools: ReadonlyArray<Json> } }
      return result.tools.map(({ name }) => name)
    }
    while (!(await names()).includes("_ui2_current")) await turn()
    assert.notStrictEqual((await read()).current, current)

    const about = { toolName: "plain", token }
    const asked = await client.request("tools/call", { name: current, arguments: { ...about, version: "" } })
    const chosen = await client.request("tools/call", { name: select, arguments: { ...about, items: ["private"] } })
    for (const { message } of [asked, chosen]) {
      assert.strictEqual((message.result as { structuredContent: Json }).structuredContent.proof, proof)
    }
    const { message } = await client.request("odd/history")
    assert.notInclude(JSON.stringify(message), "private")
    assert.notInclude(JSON.stringify(message), token ?? "")
    // What is no question of a page of ours is the server's, as any call of its tools.
    await client.request("tools/call", { name: current, arguments: { toolName: "plain", token: "made up" } })
    assert.include(JSON.stringify((await client.request("odd/history")).message), "made up")
  })

  it("hears of a newer UI in another session too, and changes nothing there", async () => {
    const model = await startModelStandIn({ answer: (_request, index) => ({ text: pageTitled(`Page ${index}`) }) })
    running.push(model.close)
    const env = { ANTHROPIC_API_KEY: "sk-ant-0123456789", ANTHROPIC_BASE_URL: model.url }
    const wrapper = startWrapper(weather, { flags: ["--http", "0"], env })
    running.push(() => (wrapper.signal("SIGTERM"), wrapper.exit))
    let url: string | undefined
    while (url === undefined) {
      url = /serving (http:\/\/\S+\/mcp)/.exec(wrapper.log())?.[1]
      await turn()
    }
    const [one, other] = await Promise.all([overHttp(url), overHttp(url)])
    const uri = "ui://get_forecast"
    const { version, wrapperTools } = factsOf(await one.read(uri))
    await other.call("_ui_refine", { toolName: "get_forecast", feedback: "larger" })
    const refined = factsOf(await other.read(uri)).version
    const about = { toolName: "get_forecast", token: wrapperTools?.token }
    const news = await other.call("_ui_current", { ...about, version, failed: refined })
    assert.include(news.structuredContent, { proof: wrapperTools?.proof, state: "changed", version: refined })
    assert.strictEqual(factsOf(await other.read(uri)).version, refined)
    const chosen = await other.call("_ui_select", { ...about, items: [1] })
    assert.match(textOf(chosen), /read in this session/)
  })
})
