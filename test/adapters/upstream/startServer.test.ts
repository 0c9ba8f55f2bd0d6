import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { once } from "node:events"
import { releaseOutput, startFirstServer } from "../../../src/adapters/upstream/startServer.ts"
import { itLive } from "../../fixtures/itEffect.ts"

const serverOf = (script: string) => ({
  transport: "stdio" as const,
  command: process.execPath,
  args: ["-e", script],
  cwd: undefined,
  env: {}
})

describe("a server that is started before anybody can listen to it", () => {
  it.live("is heard in full, also if it has ended by then", () =>
    Effect.gen(function* () {
      const script = `process.stdout.write("x".repeat(60_000)); process.stderr.write("a word")`
      const { child, lastWords } = yield* Fiber.join(yield* startFirstServer(serverOf(script)))
      yield* Effect.promise(() => once(child, "exit"))
      // What Node does at the exit with what nobody listens to is done by then.
      yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
      releaseOutput(child)
      let heard = ""
      child.stdout?.setEncoding("utf8").on("data", (text: string) => (heard += text))
      yield* Effect.promise(() => once(child, "close"))
      assert.lengthOf(heard, 60_000)
      assert.strictEqual(
        lastWords((text) => text),
        "a word"
      )
    }).pipe(Effect.scoped)
  )

  itLive("ends with the scope if nobody takes it", function* () {
    const server = yield* Effect.scoped(
      Effect.gen(function* () {
        return yield* Fiber.join(yield* startFirstServer(serverOf("setInterval(() => undefined, 1000)")))
      })
    )
    yield* Effect.promise(() => once(server.child, "exit"))
    assert.strictEqual(server.child.signalCode, "SIGTERM")
  })
})
