import { assert, describe, it } from "@effect/vitest"
import { join } from "node:path"
import { testFolder } from "../../fixtures/folders.ts"
import { weather } from "../../fixtures/RawClient.ts"
import { isNow } from "../../fixtures/time.ts"
import { overHttp, overStdio, sdkHost } from "../../fixtures/sdkHosts.ts"
import { serveSessions } from "../../fixtures/wrapperSession.ts"
import {
  factsOf,
  type Json,
  pageTitled,
  startModel,
  startWithModel,
  textOf,
  withConfig
} from "../../fixtures/wrapperWithModel.ts"

const toolName = "get_forecast"

/** A model whose pages are numbered from 1, and what it was asked. */
const numbered = () => startModel((index) => ({ text: pageTitled(`Page ${index + 1} °C`) }))

type Client = Awaited<ReturnType<typeof overHttp>>

/** A host that asks about one tool. */
const hostOf = async (client: Client) => {
  const { ask, call, read } = sdkHost(client)
  await client.listTools()
  return {
    call: (name: string, args: Json) => call(name, { toolName, ...args }),
    ask: (name: string, args: Json = {}) => ask(name, { toolName, ...args }),
    read: () => read(toolName)
  }
}

const start = async () => {
  const { env, model } = await numbered()
  return { ...(await hostOf(await overStdio("legacy", weather, { env }))), model }
}

const numbersOf = (history: Json): ReadonlyArray<ReadonlyArray<unknown>> =>
  (history.versions as ReadonlyArray<Json>).map(({ number, origin, parent, feedback }) => [
    number,
    origin,
    parent,
    feedback
  ])

describe("versions of a UI, through the client of the SDK", () => {
  it("are listed with where they come from, and any of them can be served again", async () => {
    const { ask, model, read } = await start()
    assert.deepStrictEqual(await ask("_ui_history"), { toolName, current: null, versions: [], rejected: [] })
    await read()
    await ask("_ui_refine", { feedback: "larger" })
    assert.deepInclude(await ask("_ui_inspect"), { version: 2, versions: 2, history: ["larger"] })

    assert.deepStrictEqual(await ask("_ui_revert", { version: 1 }), {
      toolName,
      version: 1,
      level: 0,
      uiType: "rich",
      refinements: []
    })
    assert.include(await read(), "Page 1")
    assert.deepInclude(await ask("_ui_inspect"), { version: 1, versions: 2, history: [], refinements: 0 })

    await ask("_ui_refine", { feedback: "in blue" })
    assert.include(model.requests[2]?.prompt, "Page 1")
    assert.notInclude(model.requests[2]?.prompt, "Page 2")
    const history = await ask("_ui_history")
    assert.strictEqual(history.current, 3)
    assert.deepStrictEqual(numbersOf(history), [
      [1, "generated", null, null],
      [2, "refined", 1, "larger"],
      [3, "refined", 1, "in blue"]
    ])
    const [first] = history.versions as ReadonlyArray<Json>
    const source = String((await ask("_ui_history", { version: 1 })).source)
    assert.include(source, "Page 1 °C")
    assert.deepInclude(first, { current: false, level: 0, uiType: "rich", bytes: Buffer.byteLength(source) })
    assert.isString(first?.model)
    isNow(first?.createdAt)

    await ask("_ui_revert", { version: 2 })
    assert.include(await read(), "Page 2")
    assert.deepInclude(await ask("_ui_inspect"), { version: 2, versions: 3, history: ["larger"] })
    assert.lengthOf(model.requests, 3)
  })

  it("show a source only to those who ask for it", async () => {
    const { ask, call, read } = await start()
    await read()
    const plain = await call("_ui_history", {})
    assert.notInclude(JSON.stringify(plain), "Page 1")
    const full = await call("_ui_history", { version: 1 })
    assert.include(String((full.structuredContent as Json).source), "Page 1")
    assert.include(textOf(full), "Page 1")
    await ask("_ui_regenerate", { uiType: "minimal" })
    assert.isNull((await ask("_ui_history", { version: 2 })).source)
  })

  it("that are not there are refused, with those that are", async () => {
    const { ask, call, read } = await start()
    await read()
    await ask("_ui_refine", { feedback: "larger" })
    for (const name of ["_ui_revert", "_ui_history"]) {
      const refused = await call(name, { version: 7 })
      assert.isTrue(refused.isError)
      assert.strictEqual(textOf(refused), `The UI of "${toolName}" has no version 7; there are: 1, 2.`)
    }
    assert.deepInclude(await ask("_ui_inspect"), { version: 2, history: ["larger"] })
  })
})

describe("a UI that goes back to an earlier version", () => {
  it("is told to the host like any change; one that is refused is not", async () => {
    const wrapper = await startWithModel({ answer: (index) => ({ text: pageTitled(`Page ${index + 1}`) }) })
    const updated = () => wrapper.client.told("notifications/resources/updated")
    const { version } = factsOf(await wrapper.read(toolName))
    await wrapper.ask("_ui_refine", { toolName, feedback: "larger" })
    assert.lengthOf(updated(), 1)
    await wrapper.ask("_ui_revert", { toolName, version: 1 })
    assert.deepStrictEqual(updated(), [{ uri: `ui://${toolName}` }, { uri: `ui://${toolName}` }])
    assert.lengthOf(wrapper.client.told("notifications/resources/list_changed"), 2)
    assert.strictEqual(factsOf(await wrapper.read(toolName)).version, version)
    assert.isTrue((await wrapper.call("_ui_revert", { toolName, version: 9 })).isError)
    assert.lengthOf(updated(), 2)
  })
})

describe("a page in one session, and the model in another, over HTTP", () => {
  it("see each other's refinements where these are kept, and only there", async () => {
    for (const persist of [true, false]) {
      const { env, model } = await numbered()
      const refinements = { persist, directory: join(testFolder(), "refinements") }
      const { url } = await serveSessions(weather, { env, flags: withConfig({ refinements }) })
      const page = await hostOf(await overHttp("legacy", url))
      const chat = await hostOf(await overHttp("legacy", url))
      const { version, wrapperTools } = factsOf(await page.read())
      const current = (shown: string) => page.ask("_ui_current", { token: wrapperTools?.token, version: shown })
      await chat.ask("_ui_refine", { feedback: "larger" })
      const news = await current(version)
      assert.strictEqual(news.state, persist ? "changed" : "current", `persist: ${persist}`)
      assert.strictEqual(JSON.stringify(news.document ?? "").includes("Page 2"), persist)
      assert.strictEqual((await page.read()).includes("Page 2"), persist)
      assert.lengthOf(model.requests, 2)

      // What the model takes back, the page gets back too.
      await chat.ask("_ui_revert", { version: 1 })
      assert.strictEqual((await current(String(news.version))).version, version)
      assert.lengthOf(model.requests, 2)
    }
  })
})
