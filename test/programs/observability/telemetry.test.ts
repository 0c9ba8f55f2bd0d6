import { assert, describe, it } from "@effect/vitest"
import { onTestFinished } from "vitest"
import { attributesOf, OtlpCollector } from "../../fixtures/otlpCollector.ts"
import { valueOf } from "../../fixtures/prometheusText.ts"
import { appsCapability, initialize, startWrapper, weather } from "../../fixtures/RawClient.ts"
import { beginSession, post, rawHttp } from "../../fixtures/RawHttp.ts"
import { serveSessions } from "../../fixtures/wrapperSession.ts"
import { KEY, startModel } from "../../fixtures/wrapperWithModel.ts"

const page = `<!-- rich -->
<script type="module">
import { show, header } from "mcp-gen-ui/parts"
show((data, ctx) => [header(\`Forecast for \${ctx.args.location}\`)])
</script>
`

/** A collector, and the environment of a wrapper that reports to it. */
const collecting = async () => {
  const collector = new OtlpCollector()
  onTestFinished(() => collector.close())
  const { env } = await startModel(page)
  return { collector, env: { ...env, OTEL_EXPORTER_OTLP_ENDPOINT: await collector.listen() } }
}

describe("the figures of the bin over HTTP", () => {
  it("are those of its UIs", async () => {
    const { env } = await startModel(page)
    const { url } = await serveSessions(weather, { env })
    const session = { "mcp-session-id": await beginSession(url, "2025-11-25", appsCapability) }
    const request = async (id: number, method: string, params: unknown) =>
      (await post(url, { jsonrpc: "2.0", id, method, params }, session)).text()
    await request(1, "resources/read", { uri: "ui://get_forecast" })
    await request(2, "resources/read", { uri: "ui://get_forecast" })
    const refinement = { toolName: "get_forecast", feedback: "larger" }
    await request(3, "tools/call", { name: "_ui_refine", arguments: refinement })

    const text = await (await rawHttp(new URL("/metrics", url))).text()
    const figure = (name: string, labels: Readonly<Record<string, string>> = {}) =>
      valueOf(text, `mcp_gen_ui_${name}`, labels)
    assert.strictEqual(figure("ui_reads_total", { result: "miss" }), 1)
    assert.strictEqual(figure("ui_reads_total", { result: "hit" }), 1)
    assert.strictEqual(figure("generation_duration_seconds_count", { outcome: "generated", draft: "first" }), 2)
    assert.strictEqual(figure("refinements_total", { tool: "get_forecast" }), 1)
    assert.isAbove(figure("model_tokens_total", { direction: "output", draft: "first" }) ?? 0, 0)
    assert.strictEqual(figure("generations_in_flight"), 0)
    assert.strictEqual(figure("generation_queue_length"), 0)
    assert.strictEqual(figure("cache_entries"), 2)
    assert.isAbove(figure("cache_bytes") ?? 0, 0)
    assert.strictEqual(figure("cache_evictions_total"), 0)
    assert.strictEqual(figure("sessions"), 1)
  })
})

describe("the bin with a collector in its environment", () => {
  it("sends the spans and figures of its UIs, at the latest when it ends", async () => {
    const { collector, env } = await collecting()
    const client = startWrapper(weather, { env, flags: ["--debug"] })
    await initialize(client)
    await client.request("resources/read", { uri: "ui://get_forecast" })
    assert.strictEqual(await client.close(), 0)
    const [spans] = collector.posts.flatMap(({ body }) => body.resourceSpans ?? [])
    assert.strictEqual(attributesOf(spans?.resource.attributes ?? [])["service.name"], "mcp-gen-ui")
    const names = collector.spans.map(({ name }) => name)
    for (const name of ["UiLibrary.read", "Generations.generate", "UiGenerator.generate"]) assert.include(names, name)
    const reads = collector.metrics.find(({ name }) => name === "mcp_gen_ui_ui_reads_total")
    const misses = reads?.sum?.dataPoints.find(({ attributes }) => attributesOf(attributes).result === "miss")
    assert.strictEqual(misses?.asDouble, 1)
    const sent = JSON.stringify(collector.posts)
    assert.notInclude(sent, KEY)
    assert.notInclude(sent, "Forecast for", "answers of the model, which --debug logs, stay in the log")
  })

  it("sends them after a signal too, and whatever else its environment says", async () => {
    const { collector, env } = await collecting()
    const client = startWrapper(weather, { env: { ...env, OTEL_RESOURCE_ATTRIBUTES: "a=%E0" } })
    await initialize(client)
    await client.request("resources/read", { uri: "ui://get_forecast" })
    assert.include(client.log(), "OTEL_RESOURCE_ATTRIBUTES: has to be a list")
    client.signal("SIGTERM")
    await client.exit
    assert.include(
      collector.spans.map(({ name }) => name),
      "UiGenerator.generate"
    )
  })
})
