import { assert, describe, it } from "@effect/vitest"
import { testFolder } from "../../fixtures/folders.ts"
import { fixtureServer, initialize, weather } from "../../fixtures/RawClient.ts"
import { turn } from "../../fixtures/RawHttp.ts"
import { overHttp, sdkHost } from "../../fixtures/sdkHosts.ts"
import { serveSessions, startSession } from "../../fixtures/wrapperSession.ts"
import {
  factsOf,
  hostOn,
  pageTitled,
  startModel,
  startWithModel,
  textOf,
  withConfig
} from "../../fixtures/wrapperWithModel.ts"

const provenBy = (html: string): Readonly<Record<string, string>> => factsOf(html).wrapperTools ?? {}

describe("a page", () => {
  it("asks about its own tool only: another one's source and versions are out of its reach", async () => {
    const wrapper = await startWithModel({ answer: (index) => ({ text: pageTitled(`Page ${index}`) }) })
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
    const flags = withConfig({ generation: { uiDirectory: testFolder() } })
    const client = startSession([process.execPath, fixtureServer("odd.mjs"), "one-page"], { flags })
    await initialize(client)
    const { list, ...host } = hostOn(client)
    const read = async () => provenBy(await host.read("plain"))
    const { current = "", proof, select = "", token } = await read()
    for (const name of [current, select]) client.notify("odd/add", { name })
    await client.receive(({ method }) => method === "notifications/tools/list_changed")
    while (!(await list("tools")).some(({ name }) => name === "_ui2_current")) await turn()
    assert.notStrictEqual((await read()).current, current)

    const about = { toolName: "plain", token }
    assert.strictEqual((await host.ask(current, { ...about, version: "" })).proof, proof)
    assert.strictEqual((await host.ask(select, { ...about, items: ["private"] })).proof, proof)
    const { message } = await client.request("odd/history")
    assert.notInclude(JSON.stringify(message), "private")
    assert.notInclude(JSON.stringify(message), token ?? "")
    // What is no question of a page of ours is the server's, as any call of its tools.
    await host.call(current, { toolName: "plain", token: "made up" })
    assert.include(JSON.stringify((await client.request("odd/history")).message), "made up")
  })

  it("hears of a newer UI in another session too, and changes nothing there", async () => {
    const { env } = await startModel((index) => ({ text: pageTitled(`Page ${index}`) }))
    const { url } = await serveSessions(weather, { env })
    const one = sdkHost(await overHttp("legacy", url))
    const other = sdkHost(await overHttp("legacy", url))
    const tool = "get_forecast"
    const { version, wrapperTools } = factsOf(await one.read(tool))
    await other.call("_ui_refine", { toolName: "get_forecast", feedback: "larger" })
    const refined = factsOf(await other.read(tool)).version
    const about = { toolName: "get_forecast", token: wrapperTools?.token }
    const news = await other.call("_ui_current", { ...about, version, failed: refined })
    assert.include(news.structuredContent, { proof: wrapperTools?.proof, state: "changed", version: refined })
    assert.strictEqual(factsOf(await other.read(tool)).version, refined)
    const chosen = await other.call("_ui_select", { ...about, items: [1] })
    assert.match(textOf(chosen), /read in this session/)
  })
})
