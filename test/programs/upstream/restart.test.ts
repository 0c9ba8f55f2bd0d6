import { assert, describe, it } from "@effect/vitest"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileIn, testFolder } from "../../fixtures/folders.ts"
import { fixtureServer, type FrameClient, initialize } from "../../fixtures/RawClient.ts"
import { turn } from "../../fixtures/RawHttp.ts"
import { startSession } from "../../fixtures/wrapperSession.ts"

interface Heard {
  readonly method: string
  readonly params?: Readonly<Record<string, unknown>>
}

const started = async (server: string, ...args: ReadonlyArray<string>): Promise<FrameClient> => {
  const client = startSession([process.execPath, fixtureServer(server), ...args])
  await initialize(client)
  return client
}
const odd = (modes: ReadonlyArray<string> = []) => started("odd.mjs", ...modes)

const crash = (client: FrameClient) => client.call("crash")

const historyOf = async (client: FrameClient): Promise<ReadonlyArray<Heard>> => {
  const { message } = await client.request("odd/history")
  return (message.result as { heard: ReadonlyArray<Heard> }).heard
}

describe("a server that crashes", () => {
  it("is started again and told what the host told the one before", async () => {
    const client = await odd(["resources"])
    await client.request("logging/setLevel", { level: "warning" })
    await client.request("resources/subscribe", { uri: "file:///a" })
    await client.request("resources/subscribe", { uri: "file:///b" })
    await client.request("resources/unsubscribe", { uri: "file:///a" })
    assert.property((await crash(client)).message, "error")
    const heard = (await historyOf(client)).filter(({ method }) => method !== "tools/list")
    assert.deepStrictEqual(
      heard.map(({ method }) => method),
      ["initialize", "notifications/initialized", "logging/setLevel", "resources/subscribe", "odd/history"]
    )
    assert.deepInclude(heard[0]?.params, { clientInfo: { name: "raw", version: "1" } })
    assert.deepStrictEqual(heard[2]?.params, { level: "warning" })
    assert.deepStrictEqual(heard[3]?.params, { uri: "file:///b" })
    assert.isTrue(
      client.received.every(({ message }) => message.method !== undefined || typeof message.id === "number")
    )
  })

  it("never hears which of our UIs the host watches, however early that is said", async () => {
    const client = await odd(["resources"])
    const watched = await client.request("resources/subscribe", { uri: "ui://crash" })
    assert.deepStrictEqual(watched.message.result, {})
    await crash(client)
    const heard = await historyOf(client)
    assert.notInclude(
      heard.map(({ method }) => method),
      "resources/subscribe"
    )
  })

  it("keeps what the host says in the meantime, in order", async () => {
    const client = await odd()
    await crash(client)
    client.notify("notifications/one")
    client.notify("notifications/two")
    const heard = await historyOf(client)
    assert.deepStrictEqual(
      heard.map(({ method }) => method).filter((method) => method !== "tools/list"),
      ["initialize", "notifications/initialized", "notifications/one", "notifications/two", "odd/history"]
    )
  })

  it("has its tools read again: the host hears of changes, and removed ones lose their UI", async () => {
    const tool = (name: string) => ({ name, inputSchema: { type: "object" } })
    const list = fileIn(testFolder(), "tools.json", [tool("stays"), tool("goes"), tool("crash")])
    const client = await started("listed.mjs", list)
    await client.request("tools/list")
    assert.property((await client.request("resources/read", { uri: "ui://goes" })).message, "result")
    writeFileSync(list, JSON.stringify([tool("stays"), tool("comes"), tool("crash")]))
    await crash(client)
    await client.receive(({ method }) => method === "notifications/tools/list_changed")
    await client.receive(({ method }) => method === "notifications/resources/list_changed")
    const gone = await client.request("resources/read", { uri: "ui://goes" })
    assert.deepInclude(gone.message.error as object, { code: -32002 })
    assert.property((await client.request("resources/read", { uri: "ui://comes" })).message, "result")
  })

  it("does not get what the host took back before it was there", async () => {
    const client = await odd()
    await crash(client)
    client.send('{"jsonrpc":"2.0","id":"no","method":"tools/call","params":{"name":"plain"}}')
    client.send('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"no"}}')
    const methods = (await historyOf(client)).map(({ method }) => method)
    assert.notInclude(methods, "tools/call")
    assert.notInclude(methods, "notifications/cancelled")
  })

  it("does not get the host's answer to what the one before had asked", async () => {
    const client = await odd()
    client.notify("odd/ask")
    const { message } = await client.receive(({ method }) => method === "roots/list")
    await crash(client)
    const cancelled = await client.receive(({ method }) => method === "notifications/cancelled")
    assert.deepInclude(cancelled.message.params as object, { requestId: message.id })
    client.send(JSON.stringify({ jsonrpc: "2.0", id: message.id, result: { roots: [] } }))
    const heard = await historyOf(client)
    assert.strictEqual(heard.filter(({ method }) => method === undefined).length, 0)
  })

  it("is told once what was said while it was away", async () => {
    const client = await odd(["resources"])
    await crash(client)
    await client.request("resources/subscribe", { uri: "file:///late" })
    const heard = await historyOf(client)
    assert.strictEqual(heard.filter(({ method }) => method === "resources/subscribe").length, 1)
    await crash(client)
    const again = await historyOf(client)
    assert.strictEqual(again.filter(({ method }) => method === "resources/subscribe").length, 1)
  })

  it("that then does not take initialize is started once more; nobody waits for it", async () => {
    const client = await started("moody.mjs", join(testFolder(), "lives"), "refuses", "hangs")
    await crash(client)
    const waited = await client.call("plain")
    assert.match((waited.message.error as { message: string }).message, /does not take initialize: not today/)
    const answer = async (): Promise<unknown> => {
      const { message } = await client.call("plain")
      return message.result ?? turn().then(answer)
    }
    assert.deepStrictEqual(await answer(), { content: [{ type: "text", text: "life 4" }] })
  })

  it("leaves nobody waiting for the answers to a batch", async () => {
    const client = await odd()
    const call = (id: number, name: string) => ({ jsonrpc: "2.0", id, method: "tools/call", params: { name } })
    client.send(JSON.stringify([call(101, "hang"), call(102, "hang")]))
    await crash(client)
    for (const id of [101, 102]) {
      const { message } = await client.receive((received) => received.id === id)
      assert.deepInclude(message.error as object, { code: -32000 })
    }
  })
})
