import { assert, describe, it } from "@effect/vitest"
import { fileIn, testFolder } from "../../fixtures/folders.ts"
import { parsePrometheusText, valueOf } from "../../fixtures/prometheusText.ts"
import { fixtureServer, weather } from "../../fixtures/RawClient.ts"
import { post, rawHttp } from "../../fixtures/RawHttp.ts"
import { serveWords } from "../../fixtures/wrapperSession.ts"

const at = async (url: string, path: string) => {
  const answer = await rawHttp(new URL(path, url))
  return { status: answer.status, text: await answer.text() }
}

const begin = async (url: string): Promise<string> => {
  const answer = await post(url, {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1" } }
  })
  return answer.text()
}

describe("the wrapper over HTTP", () => {
  it("is ready, and shows its figures, as long as its server answers", async () => {
    const { url } = await serveWords(["--", ...weather])
    assert.strictEqual((await at(url, "/healthz")).status, 200)
    assert.include(await begin(url), "serverInfo")
    assert.strictEqual((await at(url, "/readyz")).status, 200)
    const { text } = await at(url, "/metrics")
    assert.strictEqual(valueOf(text, "mcp_gen_ui_sessions"), 1)
    const names = [...parsePrometheusText(text).keys()]
    assert.isTrue(names.every((name) => name.startsWith("mcp_gen_ui_")))
    assert.include(names, "mcp_gen_ui_generation_duration_seconds")
  })

  it("is not ready when its server over HTTP cannot be reached, or refuses", async () => {
    const { url } = await serveWords(["--upstream", "http://127.0.0.1:1/mcp"])
    assert.strictEqual((await at(url, "/readyz")).status, 200)
    assert.include(await begin(url), "UPSTREAM_")
    const { status, text } = await at(url, "/readyz")
    assert.strictEqual(status, 503)
    assert.deepInclude(JSON.parse(text), { ready: false, reason: "UPSTREAM_UNAVAILABLE" })
    assert.strictEqual((await at(url, "/healthz")).status, 200)
  })

  it("is not ready when its server ends without a word, and counts it", async () => {
    const { url } = await serveWords(["--", process.execPath, "--eval", "0"])
    assert.include(await begin(url), "error")
    assert.strictEqual((await at(url, "/readyz")).status, 503)
    const { text } = await at(url, "/metrics")
    assert.strictEqual(valueOf(text, "mcp_gen_ui_errors_total", { kind: "UPSTREAM_EXITED" }), 1)
    assert.strictEqual(valueOf(text, "mcp_gen_ui_sessions"), 0)
  })

  it("stays ready when its server is there, and does not want this host", async () => {
    const lives = fileIn(testFolder(), "lives", "x")
    const { url } = await serveWords(["--", process.execPath, fixtureServer("moody.mjs"), lives, "refuses"])
    assert.include(await begin(url), "not today")
    assert.strictEqual((await at(url, "/readyz")).status, 200)
  })
})
