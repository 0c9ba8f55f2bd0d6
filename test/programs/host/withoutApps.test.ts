import { assert, describe, it } from "@effect/vitest"
import { spawn } from "node:child_process"
import { bin, fixtureServer, noModel } from "../../fixtures/RawClient.ts"

const INITIALIZE = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "plain", version: "1" } }
})

const LINES = [
  INITIALIZE,
  '{"jsonrpc":"2.0","method":"notifications/initialized"}',
  '{"jsonrpc":"2.0","id":2,"method":"tools/list"}',
  '{"jsonrpc":"2.0","id":3,"method":"tools/list","params":{"cursor":"2"}}',
  '{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"plain","arguments":{}}}',
  '{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"_ui_list","arguments":{}}}',
  '{"jsonrpc":"2.0","id":6,"method":"resources/list"}',
  '{"jsonrpc":"2.0","id":7,"method":"resources/templates/list"}',
  '{"jsonrpc":"2.0","id":8,"method":"resources/read","params":{"uri":"ui://plain"}}',
  '{"jsonrpc":"2.0","id":"ü","method":"server/discover"}',
  '{"jsonrpc":"2.0","id":12345678901234567890,"method":"no/such/method"}'
]

/** Everything that a command writes, from lines on its standard input. */
const outputOf = (command: ReadonlyArray<string>): Promise<{ readonly output: string; readonly log: string }> =>
  new Promise((resolve, reject) => {
    const [program = "", ...args] = command
    const child = spawn(program, args, { env: { ...process.env, ...noModel }, stdio: "pipe" })
    const chunks: Array<Uint8Array> = []
    child.once("error", reject)
    child.stdout.on("data", (chunk: Uint8Array) => chunks.push(chunk))
    let log = ""
    child.stderr.setEncoding("utf8").on("data", (text: string) => (log += text))
    child.once("close", () => resolve({ output: Buffer.concat(chunks).toString("latin1"), log }))
    child.stdin.end(LINES.map((line) => `${line}\n`).join(""))
  })

describe("a host without MCP Apps", () => {
  for (const modes of [[], ["resources"], ["junk"]]) {
    it(`gets what the server writes, byte for byte, and the log says so once (${modes.join() || "plain"})`, async () => {
      const server = [process.execPath, fixtureServer("odd.mjs"), ...modes]
      const { output: direct } = await outputOf(server)
      const { log, output: wrapped } = await outputOf([process.execPath, bin, "--", ...server])
      // The one thing that no host sees: blank lines and how a line ends.
      const seen = (output: string) => output.split(/\r?\n/).filter((line) => line.trim() !== "")
      assert.isAbove(seen(direct).length, LINES.length - 2)
      assert.deepStrictEqual(seen(wrapped), seen(direct))
      assert.lengthOf(log.split("does not announce MCP Apps"), 2, log)
    })
  }
})
