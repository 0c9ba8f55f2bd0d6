import { assert, describe, it } from "@effect/vitest"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fixtureServer, initialize, type RawClient, startWrapper } from "../../fixtures/RawClient.ts"

interface Heard {
  readonly method: string
  readonly params?: Readonly<Record<string, unknown>>
}

const odd = (modes: ReadonlyArray<string> = []) => startWrapper([process.execPath, fixtureServer("odd.mjs"), ...modes])

const crash = (client: RawClient) => client.request("tools/call", { name: "crash" })

const historyOf = async (client: RawClient): Promise<ReadonlyArray<Heard>> => {
  const { message } = await client.request("odd/history")
  return (message.result as { heard: ReadonlyArray<Heard> }).heard
}

describe("a server that crashes", () => {
  it("is started again and told what the host told the one before", async () => {
    const client = odd(["resources"])
    await initialize(client)
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
    await client.close()
  })

  it("never hears which of our UIs the host watches, however early that is said", async () => {
    const client = odd(["resources"])
    await initialize(client)
    const watched = await client.request("resources/subscribe", { uri: "ui://crash" })
    assert.deepStrictEqual(watched.message.result, {})
    await crash(client)
    const heard = await historyOf(client)
    assert.notInclude(
      heard.map(({ method }) => method),
      "resources/subscribe"
    )
    await client.close()
  })

  it("keeps what the host says in the meantime, in order", async () => {
    const client = odd()
    await initialize(client)
    await crash(client)
    client.send('{"jsonrpc":"2.0","method":"notifications/one"}')
    client.send('{"jsonrpc":"2.0","method":"notifications/two"}')
    const heard = await historyOf(client)
    assert.deepStrictEqual(
      heard.map(({ method }) => method).filter((method) => method !== "tools/list"),
      ["initialize", "notifications/initialized", "notifications/one", "notifications/two", "odd/history"]
    )
    await client.close()
  })

  it("has its tools read again: the host hears of changes, and removed ones lose their UI", async () => {
    const folder = mkdtempSync(join(tmpdir(), "mcp-gen-ui-"))
    const list = join(folder, "tools.json")
    const tool = (name: string) => ({ name, inputSchema: { type: "object" } })
    writeFileSync(list, JSON.stringify([tool("stays"), tool("goes"), tool("crash")]))
    const client = startWrapper([process.execPath, fixtureServer("listed.mjs"), list])
    await initialize(client)
    await client.request("tools/list")
    assert.property((await client.request("resources/read", { uri: "ui://goes" })).message, "result")
    writeFileSync(list, JSON.stringify([tool("stays"), tool("comes"), tool("crash")]))
    await crash(client)
    await client.receive(({ method }) => method === "notifications/tools/list_changed")
    await client.receive(({ method }) => method === "notifications/resources/list_changed")
    const gone = await client.request("resources/read", { uri: "ui://goes" })
    assert.deepInclude(gone.message.error as object, { code: -32002 })
    assert.property((await client.request("resources/read", { uri: "ui://comes" })).message, "result")
    await client.close()
    rmSync(folder, { recursive: true })
  })

  it("does not get what the host took back before it was there", async () => {
    const client = odd()
    await initialize(client)
    await crash(client)
    client.send('{"jsonrpc":"2.0","id":"no","method":"tools/call","params":{"name":"plain"}}')
    client.send('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"no"}}')
    const methods = (await historyOf(client)).map(({ method }) => method)
    assert.notInclude(methods, "tools/call")
    assert.notInclude(methods, "notifications/cancelled")
    await client.close()
  })

  it("does not get the host's answer to what the one before had asked", async () => {
    const client = odd()
    await initialize(client)
    client.send('{"jsonrpc":"2.0","method":"odd/ask"}')
    const { message } = await client.receive(({ method }) => method === "roots/list")
    await crash(client)
    const cancelled = await client.receive(({ method }) => method === "notifications/cancelled")
    assert.deepInclude(cancelled.message.params as object, { requestId: message.id })
    client.send(JSON.stringify({ jsonrpc: "2.0", id: message.id, result: { roots: [] } }))
    const heard = await historyOf(client)
    assert.strictEqual(heard.filter(({ method }) => method === undefined).length, 0)
    await client.close()
  })

  it("is told once what was said while it was away", async () => {
    const client = odd(["resources"])
    await initialize(client)
    await crash(client)
    await client.request("resources/subscribe", { uri: "file:///late" })
    const heard = await historyOf(client)
    assert.strictEqual(heard.filter(({ method }) => method === "resources/subscribe").length, 1)
    await crash(client)
    const again = await historyOf(client)
    assert.strictEqual(again.filter(({ method }) => method === "resources/subscribe").length, 1)
    await client.close()
  })

  it("that then does not take initialize is started once more; nobody waits for it", async () => {
    const folder = mkdtempSync(join(tmpdir(), "mcp-gen-ui-"))
    const lives = join(folder, "lives")
    const client = startWrapper([process.execPath, fixtureServer("moody.mjs"), lives, "refuses", "hangs"])
    await initialize(client)
    await crash(client)
    const waited = await client.request("tools/call", { name: "plain" })
    assert.match((waited.message.error as { message: string }).message, /does not take initialize: not today/)
    const answer = async (): Promise<unknown> => {
      const { message } = await client.request("tools/call", { name: "plain" })
      return message.result ?? new Promise((resolve) => setTimeout(resolve, 500)).then(answer)
    }
    assert.deepStrictEqual(await answer(), { content: [{ type: "text", text: "life 4" }] })
    await client.close()
    rmSync(folder, { recursive: true })
  })

  it("leaves nobody waiting for the answers to a batch", async () => {
    const client = odd()
    await initialize(client)
    const call = (id: number, name: string) => ({ jsonrpc: "2.0", id, method: "tools/call", params: { name } })
    client.send(JSON.stringify([call(101, "hang"), call(102, "hang")]))
    await crash(client)
    for (const id of [101, 102]) {
      const { message } = await client.receive((received) => received.id === id)
      assert.deepInclude(message.error as object, { code: -32000 })
    }
    await client.close()
  })
})
