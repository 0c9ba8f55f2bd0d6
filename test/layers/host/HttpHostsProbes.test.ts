import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { createServer } from "node:http"
import { httpProbes, type NotReady } from "../../../src/adapters/host/httpProbes.ts"
import * as UiMetrics from "../../../src/services/observability/UiMetrics.ts"
import { beginSession, post, rawHttp, type RawRequest } from "../../fixtures/RawHttp.ts"
import { hosted, hostedEffect } from "../../fixtures/httpServing.ts"
import { parsePrometheusText, valueOf } from "../../fixtures/prometheusText.ts"

const PROBES = ["/healthz", "/readyz", "/metrics"]

const at = async (url: string, path: string, request: RawRequest = {}) => {
  const answer = await rawHttp(new URL(path, url), request)
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

const readiness = (url: string) =>
  Effect.promise(async () => {
    const { status, text } = await at(url, "/readyz")
    return status === 200 ? "ready" : (JSON.parse(text) as { readonly reason: string }).reason
  })

const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1" } }
}

describe("probes", () => {
  hosted("answer GET and HEAD, and say what else they do not take", async ({ url }) => {
    for (const path of PROBES) {
      const get = await at(url, path)
      assert.strictEqual(get.status, 200, path)
      assert.isNotEmpty(get.text, path)
      assert.strictEqual(get.headers["cache-control"], "no-store", path)
      const head = await at(url, path, { method: "HEAD" })
      assert.deepStrictEqual([head.status, head.text], [200, ""], path)
      assert.strictEqual(head.headers["content-type"], get.headers["content-type"], path)
      for (const method of ["POST", "PUT", "DELETE"]) {
        const other = await at(url, path, { method })
        assert.deepStrictEqual([other.status, other.headers.allow], [405, "GET, HEAD"], `${method} ${path}`)
      }
    }
    assert.strictEqual((await at(url, "/healthz")).text, "ok\n")
    assert.strictEqual((await at(url, "/healthz?verbose")).status, 200)
    assert.strictEqual((await at(url, "/metrics/")).status, 404)
  })

  hosted(
    "are for those who may connect; what was counted is for those with the token",
    async ({ url }) => {
      for (const path of PROBES) {
        assert.strictEqual((await at(url, path, { headers: { host: "evil.example" } })).status, 403, path)
        assert.strictEqual((await at(url, path, { headers: { origin: "https://evil.example" } })).status, 403, path)
      }
      for (const path of ["/healthz", "/readyz"]) assert.strictEqual((await at(url, path)).status, 200, path)
      const without = await at(url, "/metrics")
      assert.strictEqual(without.status, 401)
      assert.match(String(without.headers["www-authenticate"]), /^Bearer /)
      assert.notInclude(without.text, "mcp_gen_ui_")
      const wrong = await at(url, "/metrics", { headers: { authorization: "Bearer other" } })
      assert.strictEqual(wrong.status, 401)
      const right = await at(url, "/metrics", { headers: { authorization: "Bearer correct-horse" } })
      assert.strictEqual(right.status, 200)
    },
    { token: Redacted.make("correct-horse") }
  )

  it("say in one line of JSON why there is no readiness", async () => {
    let reason: NotReady | undefined
    const answers = httpProbes({ notReady: () => reason, metrics: () => "", authorizes: () => true })
    const server = createServer((request, response) => void answers(request.url ?? "", request, response))
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))
    const address = server.address()
    const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`
    try {
      for (reason of ["SHUTTING_DOWN", "SESSIONS_EXHAUSTED", "UPSTREAM_UNAVAILABLE"] as const) {
        const { headers, status, text } = await at(url, "/readyz")
        assert.deepStrictEqual([status, headers["content-type"]], [503, "application/json"])
        assert.match(text, /^[^\n]+\n$/)
        assert.deepInclude(JSON.parse(text), { ready: false, reason })
        const head = await at(url, "/readyz", { method: "HEAD" })
        assert.deepStrictEqual([head.status, head.text], [503, ""])
      }
    } finally {
      server.close()
    }
  })
})

describe("readiness", () => {
  hostedEffect("ends for half a minute when the server cannot be started", function* ({ sessions, url }) {
    assert.strictEqual(yield* readiness(url), "ready")
    sessions.failNext = true
    const refused = yield* Effect.promise(() => post(url, initialize))
    assert.strictEqual(refused.status, 502)
    assert.strictEqual(yield* readiness(url), "UPSTREAM_UNAVAILABLE")
    assert.strictEqual((yield* Effect.promise(() => at(url, "/healthz"))).status, 200)
    yield* TestClock.adjust("29 seconds")
    assert.strictEqual(yield* readiness(url), "UPSTREAM_UNAVAILABLE")
    yield* TestClock.adjust("1 seconds")
    assert.strictEqual(yield* readiness(url), "ready")
  })

  hostedEffect("is back as soon as a server has answered", function* ({ sessions, url }) {
    sessions.failNext = true
    yield* Effect.promise(() => post(url, initialize))
    assert.strictEqual(yield* readiness(url), "UPSTREAM_UNAVAILABLE")
    yield* Effect.promise(() => beginSession(url))
    assert.strictEqual(yield* readiness(url), "ready")
  })

  hostedEffect(
    "ends while all sessions are in use, and one that is idle counts as room",
    function* ({ url }) {
      yield* Effect.promise(() => beginSession(url))
      assert.strictEqual(yield* readiness(url), "ready")
      const second = yield* Effect.promise(() => beginSession(url))
      assert.strictEqual(yield* readiness(url), "SESSIONS_EXHAUSTED")
      yield* TestClock.adjust("61 seconds")
      assert.strictEqual(yield* readiness(url), "ready")
      const stream = yield* Effect.promise(() =>
        rawHttp(url, { headers: { accept: "text/event-stream", "mcp-session-id": second } })
      )
      assert.strictEqual(stream.status, 200)
      assert.strictEqual(yield* readiness(url), "ready")
    },
    { maxSessions: 2 }
  )
})

describe("/metrics", () => {
  hostedEffect("is the text format of Prometheus", function* ({ url }) {
    yield* UiMetrics.generationEnded("generated", 4200)
    yield* UiMetrics.refinementAsked('say "hi"\\\n')
    const { headers, text } = yield* Effect.promise(() => at(url, "/metrics"))
    assert.strictEqual(headers["content-type"], "text/plain; version=0.0.4; charset=utf-8")
    assert.strictEqual(Number(headers["content-length"]), Buffer.byteLength(text))
    const families = parsePrometheusText(text)
    const duration = families.get("mcp_gen_ui_generation_duration_seconds")
    assert.strictEqual(duration?.type, "histogram")
    assert.strictEqual(families.get("mcp_gen_ui_ui_reads_total")?.type, "counter")
    assert.strictEqual(families.get("mcp_gen_ui_sessions")?.type, "gauge")
    const labels = { outcome: "generated", draft: "first" }
    assert.strictEqual(valueOf(text, "mcp_gen_ui_generation_duration_seconds_sum", labels), 4.2)
    assert.strictEqual(valueOf(text, "mcp_gen_ui_refinements_total", { tool: 'say "hi"\\\n' }), 1)
  })

  hosted("counts sessions, and servers that did not start", async ({ sessions, url }) => {
    const figures = async () => {
      const { text } = await at(url, "/metrics")
      const failed = valueOf(text, "mcp_gen_ui_errors_total", { kind: "UPSTREAM_UNAVAILABLE" })
      return { sessions: valueOf(text, "mcp_gen_ui_sessions"), failed }
    }
    assert.deepStrictEqual(await figures(), { sessions: 0, failed: 0 })
    await beginSession(url)
    await beginSession(url)
    assert.deepStrictEqual(await figures(), { sessions: 2, failed: 0 })
    sessions.failNext = true
    await (await post(url, initialize)).text()
    assert.deepStrictEqual(await figures(), { sessions: 2, failed: 1 })
  })
})
