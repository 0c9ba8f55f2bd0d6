import { assert, describe, it } from "@effect/vitest"
import { execFileSync, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll } from "vitest"
import { startModelStandIn } from "../../fixtures/model-stand-in/ModelStandIn.ts"
import { bin, initialize, noModel, root, startWrapper } from "../../fixtures/RawClient.ts"
import { pageTitled } from "../../fixtures/wrapperWithModel.ts"

const folder = mkdtempSync(join(tmpdir(), "mcp-gen-ui-stalled-"))
afterAll(() => rmSync(folder, { recursive: true }))

const weather = [process.execPath, join(root, "examples/weather-server.mjs")]
const pipe = join(folder, "pipe")
const stalled = join(folder, "stalled")
execFileSync("mkfifo", [pipe])

const preload = fileURLToPath(new URL("../../fixtures/stalledFolder.mjs", import.meta.url))
const env = { STALLED_FOLDER: stalled, STALLED_PIPE: pipe, NODE_OPTIONS: `--import ${preload}` }

const NEVER = 20_000

describe("an export folder that never answers", () => {
  it(
    "is told, and the exit code is not 0",
    () => {
      const command = [bin, "export", "--out", stalled, "--tools", "get_forecast", "--", ...weather]
      const run = spawnSync(process.execPath, command, {
        env: { ...process.env, ...noModel, ...env },
        encoding: "utf8",
        timeout: NEVER,
        killSignal: "SIGKILL"
      })
      assert.match(run.stdout, /get_forecast .*not written: .* can not be written \(it does not answer/, run.stderr)
      assert.include(run.stderr, "1 of 1 UIs could not be written")
      assert.notStrictEqual(run.status, 0)
    },
    NEVER + 5000
  )

  it(
    "does not keep the command from ending on SIGTERM",
    async () => {
      const child = spawn(process.execPath, [bin, "export", "--out", stalled, "--", ...weather], {
        env: { ...process.env, ...noModel, ...env },
        stdio: "ignore"
      })
      const ended = once(child, "exit")
      setTimeout(() => child.kill("SIGTERM"), 2500)
      await ended
    },
    NEVER
  )
})

describe.skipIf(process.platform !== "linux")("a folder that can not be made", () => {
  it("is told by the export, which ends with the exit code 1", () => {
    const run = spawnSync(process.execPath, [bin, "export", "--out", "/proc/mcp-gen-ui", "--", ...weather], {
      env: { ...process.env, ...noModel },
      encoding: "utf8",
      timeout: NEVER,
      killSignal: "SIGKILL"
    })
    assert.strictEqual(run.status, 1, run.stderr)
    assert.match(run.stdout, /get_forecast .*not written: \/proc\/mcp-gen-ui can not be written \(ENOENT\)/)
    assert.include(run.stderr, "could not be written")
    assert.notInclude(readdirSync("/proc"), "mcp-gen-ui")
  })

  it("is one warning of a server, which serves and ends as ever", async () => {
    const model = await startModelStandIn({ answer: () => ({ text: pageTitled("Weather") }) })
    const client = startWrapper(weather, {
      flags: ["--cache-dir", "/proc/mcp-gen-ui"],
      env: { MCP_GEN_UI_LLM: "anthropic", MCP_GEN_UI_API_KEY: "key-of-tests", ANTHROPIC_BASE_URL: model.url }
    })
    try {
      await initialize(client)
      await client.request("tools/list")
      for (const tool of ["get_forecast", "get_current_weather"]) {
        const read = client.request("resources/read", { uri: `ui://${tool}` })
        assert.include((await read).text, "text/html;profile=mcp-app")
      }
      assert.strictEqual(await client.close(), 0)
      assert.strictEqual(client.log().match(/can not be written/g)?.length, 1, client.log())
    } finally {
      await client.close()
      await model.close()
    }
  })
})
