import { assert, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock, TestConsole } from "effect/testing"
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setImmediate } from "node:timers/promises"
import { afterAll } from "vitest"
import { listServerTools } from "../../../src/programs/generate/listServerTools.ts"
import { settingsWith } from "../../fixtures/settings.ts"

const folder = mkdtempSync(join(tmpdir(), "mcp-gen-ui-silent-"))
afterAll(() => rmSync(folder, { recursive: true }))

/** Says on disk that it was asked, and nothing to who asked. */
const silentServer = (asked: string): string =>
  `process.stdin.on("data", () => require("node:fs").writeFileSync(${JSON.stringify(asked)}, ""))`

it.effect("a server that says nothing is waited for a minute, not longer, and whoever waits is told", () =>
  Effect.gen(function* () {
    const asked = join(folder, "asked")
    const args = ["-e", silentServer(asked)]
    const upstream = { transport: "stdio" as const, command: process.execPath, args, env: {}, cwd: undefined }
    const listing = yield* listServerTools.pipe(
      Effect.provide(settingsWith({ upstream })),
      Effect.flip,
      Effect.forkChild
    )
    while (!existsSync(asked)) yield* Effect.promise(() => setImmediate())

    yield* TestClock.adjust("10 seconds")
    assert.deepStrictEqual(yield* TestConsole.errorLines, [
      'mcp-gen-ui: "node" has not answered initialize yet; it has 60 s'
    ])
    yield* TestClock.adjust("49 seconds")
    assert.isUndefined(listing.pollUnsafe())
    yield* TestClock.adjust("1 second")
    const { message } = yield* Fiber.join(listing)
    assert.match(message, /"node" did not answer initialize within 60 s\. Run the command by itself in a terminal/)
  }).pipe(Effect.provide(TestConsole.layer))
)
