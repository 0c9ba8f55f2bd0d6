import { assert, describe, it } from "@effect/vitest"
import { execFileSync, spawn } from "node:child_process"
import { closeSync, openSync } from "node:fs"
import { join } from "node:path"
import { testFolder } from "../../fixtures/folders.ts"
import { bin, fixtureServer, initialize, initializeAtOnce, noModel, startWrapper } from "../../fixtures/RawClient.ts"

const odd = (modes: ReadonlyArray<string> = []) => startWrapper([process.execPath, fixtureServer("odd.mjs"), ...modes])

/** Processes whose command line holds the text, zombies included. */
const processesWith = (text: string): ReadonlyArray<string> =>
  execFileSync("ps", ["-eo", "pid,stat,args"], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line.includes(text) && !line.includes("ps -eo"))

describe("a host that leaves standard error unread", () => {
  it("holds nothing up", async () => {
    const fifo = join(testFolder(), "stderr")
    execFileSync("mkfifo", [fifo])
    const unread = openSync(fifo, "r+")
    const args = [bin, "--log-level", "debug", "--", process.execPath, fixtureServer("odd.mjs")]
    const child = spawn(process.execPath, args, {
      env: { ...process.env, ...noModel },
      stdio: ["pipe", "pipe", unread]
    })
    const calls = 4000
    let answers = 0
    const answered = new Promise<void>((resolve) => {
      child.stdout?.on("data", (chunk: Uint8Array) => {
        for (const byte of chunk) if (byte === 0x0a) answers += 1
        if (answers >= calls) resolve()
      })
    })
    for (let id = 0; id < calls; id += 1) child.stdin?.write(`{"jsonrpc":"2.0","id":${id},"method":"ping"}\n`)
    await answered
    child.kill("SIGTERM")
    await new Promise((resolve) => child.once("exit", resolve))
    closeSync(unread)
  })
})

describe("the end of a run", () => {
  it("comes when the host closes standard input, and takes the server and its children along", async () => {
    const mark = `mark-${process.pid}-stdin`
    const shell = `${process.execPath} ${fixtureServer("odd.mjs")} ${mark} & ${process.execPath} ${fixtureServer("odd.mjs")} ${mark}`
    const client = startWrapper(["sh", "-c", `${shell} 0<&0`])
    await initialize(client)
    assert.isAbove(processesWith(mark).length, 0)
    assert.strictEqual(await client.close(), 0)
    assert.deepStrictEqual(processesWith(mark), [])
  })

  it("comes on SIGTERM and SIGINT, also for a server that ignores them and its input", async () => {
    const stubborn = `process.on("SIGTERM",()=>{});process.on("SIGINT",()=>{});process.stdout.write('{"jsonrpc":"2.0","method":"up"}\\n');setInterval(()=>{},1e3)`
    for (const signal of ["SIGTERM", "SIGINT"] as const) {
      const mark = `mark-${process.pid}-${signal}`
      const client = startWrapper([process.execPath, "-e", stubborn, mark])
      await client.receive((message) => message.method === "up")
      client.signal(signal)
      await client.exit
      assert.deepStrictEqual(processesWith(mark), [], signal)
    }
  })

  it("answers what came before the end of its input", async () => {
    const client = odd()
    void initializeAtOnce(client)
    const uis = client.request("resources/list")
    const call = client.request("tools/call", { name: "plain" })
    client.end()
    assert.property((await uis).message, "result")
    assert.property((await call).message, "result")
    assert.strictEqual(await client.exit, 0)
  })

  it("explains a server that exits at once", async () => {
    const client = odd(["exit-at-once"])
    const first = initialize(client)
    const { error } = (await first).message as { error: { message: string } }
    assert.match(error.message, /ended with exit code 3 and never answered\. .*:\n {2}.*cannot read the settings file/)
    assert.strictEqual(await client.exit, 1)
    assert.include(client.log(), error.message)
  })

  it("explains a server that exits at once without a word, and keeps its secrets", async () => {
    const exit = (said: string) => {
      const env = { SERVER_TOKEN: "of-the-server-1234" }
      return startWrapper([process.execPath, "-e", `${said}; process.exit(3)`], { env })
    }
    const messageOf = async (client: ReturnType<typeof exit>) => {
      const { error } = (await initialize(client)).message as { error: { message: string } }
      await client.exit
      return error.message
    }
    assert.match(await messageOf(exit("0")), /ended with exit code 3\. It never answered: run the command by itself/)
    const said = "console.error('no such user: ' + process.env.SERVER_TOKEN + ' \\x1b[2J')"
    assert.match(await messageOf(exit(said)), /standard error:\n {2}no such user: \[redacted\]$/)
  })

  it("answers a host whose server cannot be started at all", async () => {
    const client = startWrapper(["no-such-command-here"])
    const { error } = (await initialize(client)).message as { error: { code: number; message: string } }
    assert.strictEqual(error.code, -32000)
    assert.match(error.message, /"no-such-command-here" was not found on PATH\. Check the spelling/)
    assert.strictEqual(await client.exit, 2)
  })

  it("waits for answers that the server owes, and hands the end of input on at once", async () => {
    const slow = `
      let asked
      process.stdin.on("data", (chunk) => { asked = JSON.parse(chunk) })
      process.stdin.on("end", () => setTimeout(() => {
        process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id: asked.id, result: { late: true } }) + "\\n")
      }, 2500))`
    const client = startWrapper([process.execPath, "-e", slow])
    client.send('{"jsonrpc":"2.0","id":1,"method":"ping"}')
    client.end()
    assert.deepStrictEqual((await client.receive(({ id }) => id === 1)).message.result, { late: true })
    assert.strictEqual(await client.exit, 0)
  })

  it("does not wait for a server that never answers once the host wants it to end", async () => {
    const client = odd(["silent"])
    void initializeAtOnce(client).catch(() => undefined)
    client.end()
    await client.logged(/host connected/)
    client.signal("SIGTERM")
    assert.strictEqual(await client.exit, 143)
  })

  it("passes cancellations of forwarded requests on", async () => {
    const client = odd()
    await initialize(client)
    client.send('{"jsonrpc":"2.0","id":"h","method":"tools/call","params":{"name":"hang"}}')
    const cancelled =
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"h","reason":"enough"}}'
    client.send(cancelled)
    const { text } = await client.receive((message) => message.method === "odd/heard")
    assert.strictEqual(text, `{"jsonrpc":"2.0","method":"odd/heard","params":${cancelled}}`)
    await client.close()
  })
})
