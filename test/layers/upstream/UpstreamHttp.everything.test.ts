import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { createServer } from "node:net"
import { fileURLToPath } from "node:url"
import { itLive } from "../../fixtures/itEffect.ts"
import { openHttpUpstream } from "../../fixtures/httpUpstream.ts"

const program = fileURLToPath(
  new URL("../../../node_modules/@modelcontextprotocol/server-everything/dist/index.js", import.meta.url)
)

const freePort = Effect.callback<number>((resume) => {
  const server = createServer()
  server.listen(0, "127.0.0.1", () => {
    const address = server.address()
    server.close(() => resume(Effect.succeed(typeof address === "object" ? (address?.port ?? 0) : 0)))
  })
})

/** The reference server as npm has it; ready when it says so. */
const startEverything = (mode: "streamableHttp" | "sse", port: number) =>
  Effect.acquireRelease(
    Effect.callback<ReturnType<typeof spawn>>((resume) => {
      const env = { ...process.env, PORT: String(port) }
      const child = spawn(process.execPath, [program, mode], { env, stdio: ["ignore", "ignore", "pipe"] })
      child.stderr.on("data", (text: Buffer) => {
        if (/(listening|running) on port/.test(text.toString())) resume(Effect.succeed(child))
      })
    }),
    (child) =>
      Effect.callback<void>((resume) => {
        if (child.exitCode !== null || child.signalCode !== null) return resume(Effect.void)
        child.once("exit", () => resume(Effect.void))
        child.kill("SIGKILL")
      })
  )

describe("UpstreamHttp with server-everything", () => {
  for (const [mode, path] of [
    ["streamableHttp", "/mcp"],
    ["sse", "/sse"]
  ] as const) {
    itLive(`in mode ${mode}: calls with progress, resources, and what it says by itself`, function* () {
      const port = yield* freePort
      yield* startEverything(mode, port)
      const probe = yield* openHttpUpstream(`http://127.0.0.1:${port}${path}`, { transport: "auto" })
      yield* probe.initialize
      const echo = yield* probe.request("tools/call", { name: "echo", arguments: { message: "h\u{e9}" } })
      assert.deepStrictEqual(echo.message.result, { content: [{ type: "text", text: "Echo: h\u{e9}" }] })
      const long = yield* probe.request("tools/call", {
        name: "trigger-long-running-operation",
        arguments: { duration: 0.3, steps: 3 },
        _meta: { progressToken: "p" }
      })
      assert.isDefined(long.message.result)
      const progress = probe.heard.filter(({ message }) => message.method === "notifications/progress")
      assert.strictEqual(progress.length, 3)
      const read = yield* probe.request("resources/list")
      assert.isDefined(read.message.result)
      assert.isEmpty(probe.heard.filter(({ message }) => message.error !== undefined))
    })
  }

  itLive("opens a new session with one that was started anew, which answers 400 to the old one", function* () {
    const port = yield* freePort
    const probe = yield* openHttpUpstream(`http://127.0.0.1:${port}/mcp`, { transport: "auto" })
    yield* Effect.scoped(
      Effect.gen(function* () {
        yield* startEverything("streamableHttp", port)
        yield* probe.initialize
        yield* probe.request("tools/list")
      })
    )
    yield* startEverything("streamableHttp", port)
    probe.send({ jsonrpc: "2.0", id: "again", method: "tools/list" })
    yield* probe.until(() => probe.restored() === 1)
    assert.deepInclude(probe.lost[0]?.error, { reason: "SessionExpired" })
    yield* probe.initialize
    assert.isDefined((yield* probe.request("tools/list")).message.result)
  })
})
