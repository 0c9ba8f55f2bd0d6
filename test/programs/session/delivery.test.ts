import { assert, describe, it } from "@effect/vitest"
import { fileIn, testFolder } from "../../fixtures/folders.ts"
import { appsCapability, fixtureServer } from "../../fixtures/RawClient.ts"
import {
  factsOf,
  type Json,
  pageTitled,
  startWithModel as start,
  tokenOf,
  type WrapperWithModel
} from "../../fixtures/wrapperWithModel.ts"

const TOOL = "get_forecast"
const URI = `ui://${TOOL}`
const UPDATED = "notifications/resources/updated"
const LISTED = "notifications/resources/list_changed"
const PENDING = "PENDING"

/** A model that answers when it is let. */
const held = (text: string) => {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { answer: async () => ({ text, pace: () => promise }), release: () => resolve() }
}

const envelope = (name: string): Json => ({
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name, version: "1" },
  "io.modelcontextprotocol/clientCapabilities": appsCapability
})

const statusOf = async ({ ask }: WrapperWithModel): Promise<unknown> =>
  ((await ask("_ui_list")).tools as ReadonlyArray<Json>).find(({ name }) => name === TOOL)?.status

describe("delivery: live", () => {
  const config = { generation: { delivery: "live" } }

  it("answers at once and generates nothing until a page asks; then the page gets it, and the host hears of it", async () => {
    const model = held(pageTitled("Days"))
    const wrapper = await start({ answer: model.answer, config })
    const first = factsOf(await wrapper.read(TOOL))
    assert.deepInclude(first, { view: "builtin" })
    assert.strictEqual(first.fallback?.code, PENDING)
    assert.strictEqual(first.wrapperTools?.current, "_ui_current")
    assert.strictEqual(await statusOf(wrapper), "not-generated")
    assert.lengthOf(wrapper.model.requests, 0)

    const { proof, token } = first.wrapperTools ?? {}
    const current = (version: string) => wrapper.ask("_ui_current", { toolName: TOOL, token, version })
    assert.deepInclude(await current(first.version), { state: "generating", version: first.version })
    assert.strictEqual(await statusOf(wrapper), "generating")
    assert.strictEqual(factsOf(await wrapper.read(TOOL)).fallback?.code, PENDING)
    assert.lengthOf(wrapper.client.told(UPDATED), 0)

    model.release()
    await wrapper.client.receive(({ method }) => method === LISTED)
    assert.deepStrictEqual(wrapper.client.told(UPDATED), [{ uri: URI }])
    const news = await current(first.version)
    const version = String(news.version)
    assert.strictEqual(news.state, "changed")
    const document = news.document as Json
    assert.deepInclude(document, { view: "generated", fallback: null, version })
    assert.include(`${document.head}${document.body}`, "Days")
    assert.deepStrictEqual(await current(version), { proof, state: "current", version })

    assert.deepInclude(factsOf(await wrapper.read(TOOL)), { version, view: "generated", fallback: null })
    assert.lengthOf(wrapper.model.requests, 1)
    assert.lengthOf(wrapper.client.told(UPDATED), 1)
  })

  it("tells hosts of the modern era on their subscription, and lets them keep no document", async () => {
    const _meta = envelope("any")
    const { call, client } = await start({
      answer: () => ({ text: pageTitled("Days") }),
      config,
      isSilent: true
    })
    const read = await client.request("resources/read", { uri: URI, _meta })
    assert.deepInclude(read.message.result as Json, { resultType: "complete", ttlMs: 0, cacheScope: "private" })
    const notifications = { resourceSubscriptions: [URI], resourcesListChanged: true }
    client.send(
      JSON.stringify({ jsonrpc: "2.0", id: "s", method: "subscriptions/listen", params: { notifications, _meta } })
    )
    await client.receive(({ method }) => method === "notifications/subscriptions/acknowledged")
    const [document] = (read.message.result as { contents: ReadonlyArray<{ text: string }> }).contents
    const token = tokenOf(document?.text ?? "")
    await call("_ui_current", { toolName: TOOL, token, version: "" }, _meta)
    await client.receive(({ method }) => method === LISTED)
    const subscription = { "io.modelcontextprotocol/subscriptionId": "s" }
    assert.deepStrictEqual(client.told(UPDATED), [{ uri: URI, _meta: subscription }])
    assert.deepStrictEqual(client.told(LISTED), [{ _meta: subscription }])
  })
})

describe("delivery: auto", () => {
  const config = { generation: { delivery: "auto" } }
  const answer = () => ({ text: pageTitled("Days") })
  const hosts = { "claude-ai": PENDING, "Visual Studio Code - Insiders": undefined, "of no renown": undefined }

  for (const [hostName, code] of Object.entries(hosts)) {
    it(`is ${code === undefined ? "blocking" : "live"} for "${hostName}"`, async () => {
      const { model, read } = await start({ answer, config, hostName })
      assert.strictEqual(factsOf(await read(TOOL)).fallback?.code, code)
      assert.lengthOf(model.requests, code === undefined ? 1 : 0)
    })
  }

  it("goes by the name in the request where hosts share a session", async () => {
    const { model, read } = await start({ answer, config, isSilent: true })
    assert.isNull(factsOf(await read(TOOL, envelope("Visual Studio Code"))).fallback)
    assert.lengthOf(model.requests, 1)
    assert.strictEqual(factsOf(await read("set_units", envelope("claude-ai"))).fallback?.code, PENDING)
    assert.lengthOf(model.requests, 1)
  })
})

describe("delivery: blocking", () => {
  it("of 60 UIs read at once starts a few, and answers all of them soon after the first ones' time is up", async () => {
    const timeoutMs = 2000
    const never = new Promise<void>(() => undefined)
    const tools = Array.from({ length: 60 }, (_, index) => ({
      name: `tool_${index}`,
      description: "One of many.",
      inputSchema: { type: "object", properties: { query: { type: "string" }, count: { type: "integer" } } }
    }))
    const { client, model, read } = await start({
      answer: () => ({ text: pageTitled("Late"), pace: (index) => (index < 2 ? Promise.resolve() : never) }),
      server: [process.execPath, fixtureServer("listed.mjs"), fileIn(testFolder(), "tools.json", tools)],
      config: { generation: { delivery: "blocking", timeoutMs } }
    })
    await client.request("tools/list")
    const inOrder: Array<string | undefined> = []
    const documents = await Promise.all(
      tools.map(async ({ name }) => {
        const html = await read(name)
        inOrder.push(factsOf(html).fallback?.code)
        return html
      })
    )
    assert.isAtLeast(model.requests.length, 2)
    assert.isAtMost(model.requests.length, 6)
    // Who is not waited for has its answer before the time of those who are is up.
    assert.deepStrictEqual(inOrder, [
      ...Array.from({ length: 54 }, () => PENDING),
      ...Array.from({ length: 6 }, () => "TIMEOUT")
    ])
    const bytes = documents.reduce((sum, html) => sum + Buffer.byteLength(html), 0)
    assert.isBelow(bytes, 7_500_000)
  })
})
