import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Runtime } from "effect"
import { TestConsole } from "effect/testing"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll } from "vitest"
import { runImport } from "../../../src/programs/commands/import.ts"
import { noModel, root } from "../../fixtures/RawClient.ts"

const folder = mkdtempSync(join(tmpdir(), "mcp-gen-ui-not-kept-"))
const weather = [process.execPath, join(root, "examples/weather-server.mjs")]
const source = join(folder, "get_forecast.html")
const redis = join(folder, "redis.json")

beforeAll(() => {
  Object.assign(process.env, noModel)
  writeFileSync(
    source,
    `<!-- rich -->\n<script type="module">\nimport { show, header } from "mcp-gen-ui/parts"\n` +
      `show((data, ctx) => [header("Mine")])\n</script>\n`
  )
  writeFileSync(redis, JSON.stringify({ cache: { type: "redis", url: "redis://127.0.0.1:1" } }))
})
afterAll(() => rmSync(folder, { recursive: true }))

const importing = Effect.fnUntraced(function* (flags: Readonly<Record<string, string>>) {
  const exit = yield* Effect.exit(runImport({ command: weather, flags, from: source, tool: undefined }))
  const printed = (yield* TestConsole.logLines).join("\n")
  const failure = Exit.isSuccess(exit) ? undefined : Cause.squash(exit.cause)
  const code = failure === undefined ? 0 : Runtime.getErrorExitCode(failure)
  return { code, printed, said: failure instanceof Error ? failure.message : undefined }
}, Effect.provide(TestConsole.layer))

describe("mcp-gen-ui import, where the cache can not be written", () => {
  it.live("says that nothing was kept in a folder, and fails", () =>
    Effect.gen(function* () {
      const { code, printed, said } = yield* importing({ cacheDir: join(source, "cache") })
      assert.match(printed, /^get_forecast +not kept +it could not be written into the cache$/m)
      assert.strictEqual(said, "1 of 1 sources were refused or not kept")
      assert.strictEqual(code, 1)
    })
  )

  it.live("says that nothing was kept in a Redis that is away, and fails", () =>
    Effect.gen(function* () {
      const { code, printed } = yield* importing({ config: redis })
      assert.match(printed, /^get_forecast +not kept/m)
      assert.strictEqual(code, 1)
    })
  )

  it.live("says nothing of the kind where it can", () =>
    Effect.gen(function* () {
      const { code, printed } = yield* importing({ cacheDir: join(folder, "cache") })
      assert.match(printed, /^get_forecast +accepted$/m)
      assert.strictEqual(code, 0)
    })
  )
})
