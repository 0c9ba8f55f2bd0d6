import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { readdirSync } from "node:fs"
import { startModelStandIn } from "../../fixtures/model-stand-in/ModelStandIn.ts"
import { bin, initialize, noModel, startWrapper, weather } from "../../fixtures/RawClient.ts"
import { pageTitled } from "../../fixtures/wrapperWithModel.ts"

describe.skipIf(process.platform !== "linux")("a folder that cannot be made", () => {
  it("is told by the export, which ends with the exit code 1", () => {
    const run = spawnSync(process.execPath, [bin, "export", "--out", "/proc/mcp-gen-ui", "--", ...weather], {
      env: { ...process.env, ...noModel },
      encoding: "utf8"
    })
    assert.strictEqual(run.status, 1, run.stderr)
    assert.match(run.stdout, /get_forecast .*not written: \/proc\/mcp-gen-ui cannot be written \(ENOENT\)/)
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
      assert.strictEqual(client.log().match(/cannot be written/g)?.length, 1, client.log())
    } finally {
      await client.close()
      await model.close()
    }
  })
})
