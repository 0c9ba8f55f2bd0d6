import { assert, describe } from "@effect/vitest"
import { itLive } from "../../fixtures/itEffect.ts"
import { type HttpUpstreamProbe, openHttpUpstream } from "../../fixtures/httpUpstream.ts"
import { modernHttp } from "../../fixtures/servers/httpModern.ts"
import { serveHttp, statefulHttp } from "../../fixtures/servers/httpServers.ts"

type Json = Readonly<Record<string, unknown>>

const envelope = (version = "2026-07-28"): Json => ({
  "io.modelcontextprotocol/protocolVersion": version,
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {}
})

const ask = (probe: HttpUpstreamProbe, method: string, params: Json = {}) =>
  probe.request(method, { ...params, _meta: envelope() })

const errorOf = ({ message }: { readonly message: Json }) => message.error as { readonly code: number }

describe("UpstreamHttp with a server of 2026-07-28", () => {
  itLive("repeats in headers what the specification wants there", function* () {
    const server = yield* serveHttp(modernHttp().handler)
    const probe = yield* openHttpUpstream(server.url, { transport: "auto" })
    assert.isDefined((yield* ask(probe, "server/discover")).message.result)
    assert.isDefined((yield* ask(probe, "tools/list")).message.result)
    const args = { region: " São Paulo", deep: { count: 42 } }
    const answer = yield* ask(probe, "tools/call", { name: "where", arguments: args })
    assert.deepInclude(answer.message.result, { content: [{ type: "text", text: JSON.stringify(args) }] })
    const { headers } = server.requests.at(-1) ?? { headers: {} }
    assert.deepInclude(headers, {
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/call",
      "mcp-name": "where",
      "mcp-param-region": "=?base64?IFPDo28gUGF1bG8=?=",
      "mcp-param-count": "42"
    })
    assert.isEmpty(server.requests.filter(({ method }) => method !== "POST"))
    assert.isEmpty(server.requests.filter(({ headers }) => headers["mcp-session-id"] !== undefined))
  })

  itLive("learns the headers of tools when it is told that they are wrong", function* () {
    const server = yield* serveHttp(modernHttp().handler)
    const probe = yield* openHttpUpstream(server.url)
    const answer = yield* ask(probe, "tools/call", { name: "where", arguments: { region: "eu" } })
    assert.isDefined(answer.message.result)
    const methods = server.requests.map(({ headers }) => headers["mcp-method"])
    assert.deepStrictEqual(methods, ["tools/call", "tools/list", "tools/call"])
    assert.deepStrictEqual(
      probe.heard.map(({ message }) => message.id),
      [1]
    )
  })

  itLive("passes its refusals on as they are", function* () {
    const server = yield* serveHttp(modernHttp().handler)
    const probe = yield* openHttpUpstream(server.url, { transport: "auto" })
    const version = yield* probe.request("tools/list", { _meta: envelope("2099-01-01") })
    assert.strictEqual(errorOf(version).code, -32022)
    assert.strictEqual(errorOf(yield* ask(probe, "no/such")).code, -32601)
    assert.strictEqual(
      server.requests.every(({ method }) => method === "POST"),
      true
    )
    assert.isEmpty(probe.lost)
  })

  itLive("cancels by closing the stream, and tells nobody", function* () {
    const modern = modernHttp()
    const server = yield* serveHttp(modern.handler)
    const probe = yield* openHttpUpstream(server.url)
    probe.send({ jsonrpc: "2.0", id: "h", method: "tools/call", params: { name: "hang", _meta: envelope() } })
    yield* ask(probe, "tools/list")
    probe.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "h" } })
    while (modern.cancelled() === 0) yield* ask(probe, "tools/list")
    assert.isEmpty(server.requests.filter(({ body }) => body.includes("cancelled")))
    assert.isEmpty(probe.heard.filter(({ message }) => message.id === "h"))
  })

  itLive("keeps a subscription open", function* () {
    const modern = modernHttp()
    const server = yield* serveHttp(modern.handler)
    const probe = yield* openHttpUpstream(server.url)
    const params = { notifications: { toolsListChanged: true }, _meta: envelope() }
    probe.send({ jsonrpc: "2.0", id: "l", method: "subscriptions/listen", params })
    yield* probe.receive(({ method }) => method === "notifications/subscriptions/acknowledged")
    modern.toolsChanged()
    const changed = yield* probe.receive(({ method }) => method === "notifications/tools/list_changed")
    assert.strictEqual(changed.about, '"l"')
    probe.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "l" } })
    assert.isDefined((yield* ask(probe, "tools/list")).message.result)
  })

  itLive("is not mistaken for a server of 2024 when it is one of 2025", function* () {
    const server = yield* serveHttp(statefulHttp().handler)
    const probe = yield* openHttpUpstream(server.url, { transport: "auto" })
    assert.isDefined((yield* ask(probe, "server/discover")).message.error)
    assert.isDefined((yield* probe.initialize).message.result)
    assert.isDefined((yield* probe.request("tools/list")).message.result)
    assert.strictEqual(server.requests[0]?.method, "POST")
  })
})
