import { assert, describe, expect, it } from "@effect/vitest"
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { fileIn, testFolder } from "../../fixtures/folders.ts"
import { fixtureServer, initialize, type RawClient, type Received } from "../../fixtures/RawClient.ts"
import { startSession } from "../../fixtures/wrapperSession.ts"

const faultyServer = (modes: ReadonlyArray<string>) => [process.execPath, fixtureServer("faulty.mjs"), ...modes]

const faulty = async (modes: ReadonlyArray<string> = [], flags: ReadonlyArray<string> = []): Promise<RawClient> => {
  const client = startSession(faultyServer(modes), { flags, isLenient: true })
  await initialize(client)
  return client
}

type Failure = { readonly code: number; readonly message: string; readonly data: Readonly<Record<string, unknown>> }

const failureOf = async (answer: Promise<Received>): Promise<Failure> => {
  const { error } = (await answer).message
  assert.isObject(error)
  return error as Failure
}

const textOf = async (answer: Promise<Received>): Promise<string> => {
  const { result } = (await answer).message
  return (result as { content: readonly [{ text: string }] }).content[0].text
}

/** The process that answers calls now. */
const serverOf = async (client: RawClient): Promise<number> => Number(await textOf(client.call("pid")))

/** Whether a process runs; one that has ended and waits for its parent to take note does not. */
const runs = (pid: number): boolean => {
  try {
    return !execFileSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" }).startsWith("Z")
  } catch {
    return false
  }
}

describe("a server that ends", () => {
  it("mid-call fails what is in flight, and answers what comes after", async () => {
    const client = await faulty()
    const first = await serverOf(client)
    const hanging = client.call("hang")
    const crashing = client.call("crash")
    for (const answer of [hanging, crashing]) {
      const { code, data, message } = await failureOf(answer)
      assert.strictEqual(code, -32000)
      assert.match(message, /was ended by SIGKILL/)
      assert.deepInclude(data, { errorType: "UPSTREAM_EXITED", retryable: true })
      assert.isString(data.requestId)
    }
    const second = await serverOf(client)
    assert.notStrictEqual(second, first)
    assert.isFalse(runs(first))
    assert.strictEqual(await client.close(), 0)
  })

  it("is told what the host said to the one before, before anything else", async () => {
    const state = join(testFolder(), "state")
    const client = await faulty([`state=${state}`])
    await client.request("tools/list")
    await failureOf(client.call("crash"))
    await client.call("echo")
    await client.close()
    const [, , ...second] = readFileSync(state, "utf8").split("start ")
    assert.match(second.join(""), /^initialize notifications\/initialized (tools\/list )*tools\/call (tools\/list )*$/)
  })

  it("while it lists its tools leaves a list with UIs, once it is there again", async () => {
    const client = await faulty(["exit-in-list", `state=${join(testFolder(), "state")}`])
    let { message } = await client.request("tools/list")
    if ("error" in message) {
      assert.match((message.error as Failure).message, /ended with exit code 5/)
      message = (await client.request("tools/list")).message
    }
    const { tools } = message.result as { tools: ReadonlyArray<{ name: string; _meta?: { ui?: unknown } }> }
    assert.isObject(tools.find(({ name }) => name === "echo")?._meta?.ui)
    await client.close()
  })

  it("within a line leaves no half of it, and a whole last line without its newline", async () => {
    const client = await faulty()
    const half = client.call("crash-within-line")
    assert.match((await failureOf(half)).message, /ended with exit code 9/)
    const hanging = client.call("hang")
    assert.strictEqual(await textOf(client.call("last-line")), "last words")
    await failureOf(hanging)
    await serverOf(client)
    assert.isTrue(client.lines.every((line) => line.at(-1) === 0x7d))
    assert.match(client.log(), /within a message, which is left out: "\{\\"jsonrpc\\"/)
    await client.close()
  })
})

describe("a server that closes a pipe and lives on", () => {
  it("is replaced: its input", async () => {
    const client = await faulty()
    const first = await serverOf(client)
    assert.strictEqual(await textOf(client.call("close-stdin")), "closed")
    assert.match((await failureOf(client.call("echo"))).message, /closed its standard input or output/)
    assert.notStrictEqual(await serverOf(client), first)
    assert.isFalse(runs(first))
    await client.close()
  })

  it("is replaced: its output", async () => {
    const client = await faulty(["stubborn"])
    const first = await serverOf(client)
    assert.match((await failureOf(client.call("close-stdout"))).message, /closed its standard input or output/)
    assert.notStrictEqual(await serverOf(client), first)
    assert.isFalse(runs(first))
    await client.close()
  })
})

describe("a server that hangs", () => {
  it("hears that the call is cancelled, and answers others", async () => {
    const client = await faulty()
    client.send('{"jsonrpc":"2.0","id":"h","method":"tools/call","params":{"name":"hang"}}')
    const params = `{"requestId":"h","reason":"enough", "vendor":1e400}`
    client.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":${params}}`)
    const heard = await client.line((line) => line.includes("faulty/cancelled"))
    assert.deepInclude(JSON.parse(heard.toString()).params, { requestId: "h", reason: "enough" })
    assert.strictEqual(await textOf(client.call("echo", { a: 1 })), '{"a":1}')
    await client.close()
  })
})

describe("odd bytes from a server", () => {
  it("arrive as they are", async () => {
    const client = await faulty()
    const text = 'p\u00fcnktchen \u{1F327} "\\ \u2028'
    assert.strictEqual(await textOf(client.call("bytewise", { text })), text)

    assert.isTrue((await client.call("crlf")).text.endsWith("}"))
    assert.isTrue(client.lines.every((line) => line.length > 0))

    await client.call("nul")
    const nul = await client.line((line) => line.includes("faulty/nul"))
    assert.strictEqual(nul.toString(), '{"jsonrpc":"2.0","method":"faulty/nul","params":{"text":"a\0b"}}')

    await client.call("utf8")
    const utf8 = await client.line((line) => line.includes("faulty/utf8"))
    assert.strictEqual(utf8.toString("latin1"), '{"jsonrpc":"2.0","method":"faulty/utf8","params":{"text":"\xff\xc0"}}')

    assert.strictEqual(await textOf(client.call("bom")), "bom")
    const bom = await client.line((line) => line.includes('"bom"'))
    assert.deepStrictEqual(bom.subarray(0, 3), Buffer.from([0xef, 0xbb, 0xbf]))
    await client.close()
  })

  it("do not arrive if they are no messages, and the log says so", async () => {
    const client = await faulty()
    assert.strictEqual(await textOf(client.call("junk")), "after")
    assert.isTrue(client.lines.every((line) => line.toString().startsWith('{"jsonrpc"')))
    await client.close()
    for (const junk of ["Listening on stdio", "[1, 2", "{ not json }"]) assert.include(client.log(), junk)
    assert.include(client.log(), "no JSON-RPC message; it is left out: ")
  })

  it("come in bursts of 10,000 messages, in order", async () => {
    const client = await faulty()
    const count = 10_000
    assert.strictEqual(await textOf(client.call("burst", { count })), "done")
    const ticks = client.lines.filter((line) => line.includes("faulty/tick")).map(String)
    const expected = Array.from(
      { length: count },
      (_, n) => `{"jsonrpc":"2.0","method":"faulty/tick","params":{"n":${n}}}`
    )
    assert.deepStrictEqual(ticks, expected)
    await client.close()
  })
})

describe("a large message", () => {
  it("of 100 MB is carried", async () => {
    const client = await faulty()
    const bytes = 100_000_000
    client.send(
      `{"jsonrpc":"2.0","id":"l","method":"tools/call","params":{"name":"large","arguments":{"bytes":${bytes}}}}`
    )
    const line = await client.line((line) => line.length > bytes)
    const start = `{"jsonrpc":"2.0","id":"l","result":{"content":[{"type":"text","text":"`
    const end = '"}]}}'
    assert.strictEqual(line.length, start.length + bytes + end.length)
    assert.strictEqual(line.subarray(0, start.length).toString(), start)
    assert.strictEqual(line.subarray(-end.length).toString(), end)
    assert.isTrue(line.subarray(start.length, -end.length).every((byte) => byte === 0x78))
    assert.strictEqual(await textOf(client.call("echo", { next: true })), '{"next":true}')
    await client.close()
  })

  it("beyond the limit is refused in both directions, and the next ones pass", async () => {
    const config = fileIn(testFolder(), "config.json", { maxMessageBytes: 100_000 })
    const client = await faulty([], ["--config", config])
    for (const answer of [
      client.call("large", { bytes: 200_000 }),
      client.call("echo", { text: "x".repeat(200_000) })
    ]) {
      const { data, message } = await failureOf(answer)
      assert.match(message, /200\d\d\d bytes/)
      assert.deepInclude(data, { errorType: "MESSAGE_TOO_LARGE", retryable: false })
      assert.strictEqual(await textOf(client.call("echo", { next: true })), '{"next":true}')
    }
    await client.close()
  })
})

describe("the end of the wrapper", () => {
  it("by SIGKILL leaves no server behind, not even one that was started again and ignores the end of its input", async () => {
    const client = await faulty(["stubborn"])
    await failureOf(client.call("crash"))
    const server = await serverOf(client)
    client.signal("SIGKILL")
    await client.exit
    await expect.poll(() => runs(server)).toBe(false)
  })

  it("by SIGTERM has its exit code, also for a server that ignores it and the end of its input", async () => {
    const client = await faulty(["stubborn"])
    const server = await serverOf(client)
    client.signal("SIGTERM")
    assert.strictEqual(await client.close(), 143)
    assert.isFalse(runs(server))
  })
})
