import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { itLive } from "../../fixtures/itEffect.ts"
import { connectHttp, openHttpUpstream } from "../../fixtures/httpUpstream.ts"
import {
  legacySseHttp,
  makeEventStore,
  serveHttp,
  statefulHttp,
  statelessHttp
} from "../../fixtures/servers/httpServers.ts"

type Json = Readonly<Record<string, unknown>>

const textOf = ({ message }: { readonly message: Json }): unknown => {
  const { content } = message.result as { readonly content: ReadonlyArray<{ readonly text: string }> }
  return JSON.parse(content[0]?.text ?? "null")
}

const progressOf = (heard: ReadonlyArray<{ readonly message: Json; readonly about: string | undefined }>) =>
  heard.filter(({ message }) => message.method === "notifications/progress")

describe("UpstreamHttp with servers of SDK 1.x", () => {
  for (const [name, options] of [
    ["answers as streams", {}],
    ["answers as JSON", { enableJsonResponse: true }]
  ] as const) {
    itLive(`keeps a session, ${name}`, function* () {
      const sdk = statefulHttp(options)
      const server = yield* serveHttp(sdk.handler)
      yield* Effect.scoped(
        Effect.gen(function* () {
          const probe = yield* openHttpUpstream(server.url)
          yield* probe.initialize
          const list = yield* probe.request("tools/list")
          assert.strictEqual((list.message.result as { tools: ReadonlyArray<unknown> }).tools.length, 5)
          assert.deepStrictEqual(textOf(yield* probe.request("tools/call", { name: "echo", arguments: { a: [1] } })), {
            a: [1]
          })
          yield* server.seen(({ method }) => method === "GET")
        })
      )
      const [first, ...later] = server.requests
      assert.isUndefined(first?.headers["mcp-session-id"])
      assert.isUndefined(first?.headers["mcp-protocol-version"])
      assert.strictEqual(first?.headers.accept, "application/json, text/event-stream")
      const ids = new Set(later.map(({ headers }) => headers["mcp-session-id"]))
      assert.deepStrictEqual([...ids], sdk.deleted)
      assert.deepStrictEqual([...new Set(later.map(({ headers }) => headers["mcp-protocol-version"]))], ["2025-11-25"])
      const order = later.map(({ method, body }) => (method === "POST" ? (JSON.parse(body) as Json).method : method))
      assert.strictEqual(order[0], "notifications/initialized")
      assert.strictEqual(order.at(-1), "DELETE")
    })
  }

  itLive("needs no session", function* () {
    const { probe, server } = yield* connectHttp(statelessHttp)
    assert.deepStrictEqual(textOf(yield* probe.request("tools/call", { name: "echo", arguments: { a: 1 } })), {
      a: 1
    })
    assert.isEmpty(server.requests.filter(({ method }) => method === "DELETE"))
  })

  itLive("says to which request a message belongs", function* () {
    const { probe } = yield* connectHttp(statefulHttp().handler)
    const answer = yield* probe.request("tools/call", { name: "progress", _meta: { progressToken: "t" } })
    assert.strictEqual(answer.about, "2")
    assert.deepStrictEqual(
      progressOf(probe.heard).map(({ about }) => about),
      ["2", "2", "2"]
    )
  })

  itLive("carries requests of the server and their answers", function* () {
    const { probe } = yield* connectHttp(statefulHttp().handler)
    probe.send({ jsonrpc: "2.0", id: "call", method: "tools/call", params: { name: "roots" } })
    const asked = yield* probe.receive(({ method }) => method === "roots/list")
    assert.strictEqual(asked.about, '"call"')
    probe.send({ jsonrpc: "2.0", id: asked.message.id, result: { roots: [{ uri: "file:///tmp" }] } })
    assert.deepStrictEqual(textOf(yield* probe.receive(({ id }) => id === "call")), {
      roots: [{ uri: "file:///tmp" }]
    })
  })

  itLive("hears what belongs to no request", function* () {
    const sdk = statefulHttp()
    const { probe, server } = yield* connectHttp(sdk.handler)
    yield* server.seen(({ method }) => method === "GET")
    const [session] = sdk.sessions.values()
    yield* Effect.promise(async () => session?.server.sendToolListChanged())
    const heard = yield* probe.receive(({ method }) => method === "notifications/tools/list_changed")
    assert.isUndefined(heard.about)
  })

  itLive("sends what comes in one burst in its order", function* () {
    const server = yield* serveHttp(statefulHttp().handler)
    const probe = yield* openHttpUpstream(server.url)
    const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } }
    probe.send({ jsonrpc: "2.0", id: "i", method: "initialize", params })
    probe.send({ jsonrpc: "2.0", method: "notifications/initialized" })
    probe.send({ jsonrpc: "2.0", id: "l", method: "tools/list" })
    yield* probe.receive(({ id, result }) => id === "l" && result !== undefined)
    const methods = server.requests
      .filter(({ method }) => method === "POST")
      .map(({ body }) => (JSON.parse(body) as Json).method)
    assert.deepStrictEqual(methods, ["initialize", "notifications/initialized", "tools/list"])
    assert.strictEqual(server.requests.at(-1)?.headers["mcp-protocol-version"], "2025-06-18")
  })

  itLive("cancels", function* () {
    const sdk = statefulHttp()
    const { probe, server } = yield* connectHttp(sdk.handler)
    probe.send({ jsonrpc: "2.0", id: "h", method: "tools/call", params: { name: "hang" } })
    yield* server.seen(({ body }) => body.includes('"hang"'))
    probe.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "h", reason: "enough" } })
    const cancelled = yield* server.seen(({ body }) => body.includes("notifications/cancelled"))
    assert.include(cancelled.body, '"reason":"enough"')
  })

  itLive("takes up a stream that the server closed before the answer", function* () {
    const { probe, server } = yield* connectHttp(
      statefulHttp({ eventStore: makeEventStore(), retryInterval: 20 }).handler
    )
    const answer = yield* probe.request("tools/call", {
      name: "drop",
      arguments: { n: 7 },
      _meta: { progressToken: 1 }
    })
    assert.deepStrictEqual(textOf(answer), { n: 7 })
    assert.strictEqual(progressOf(probe.heard).length, 1)
    assert.strictEqual(answer.about, "2")
    assert.isTrue(
      server.requests.some(({ method, headers }) => method === "GET" && headers["last-event-id"] !== undefined)
    )
  })

  itLive("opens a new session when the server has forgotten the old one", function* () {
    const sdk = statefulHttp()
    const { probe } = yield* connectHttp(sdk.handler)
    yield* probe.request("tools/list")
    sdk.sessions.clear()
    const call = (id: string) => JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: { name: "echo" } })
    probe.send(call("a"))
    probe.send(call("b"))
    yield* probe.until(() => probe.restored() === 1)
    assert.strictEqual(probe.lost.length, 1)
    assert.deepStrictEqual(probe.lost[0]?.unsent, [call("a"), call("b")])
    assert.strictEqual(probe.lost[0]?.retryInMs, 0)
    assert.deepInclude(probe.lost[0]?.error, { _tag: "UpstreamLost", reason: "SessionExpired" })
    yield* probe.initialize
    probe.send(call("a"))
    yield* probe.receive(({ id, result }) => id === "a" && result !== undefined)
    assert.isEmpty(probe.heard.filter(({ message }) => message.error !== undefined))
  })
})

describe("UpstreamHttp with HTTP+SSE of 2024-11-05", () => {
  for (const transport of ["sse", "auto"] as const) {
    itLive(`works with transport ${transport}`, function* () {
      const { probe, server } = yield* connectHttp(legacySseHttp().handler, { path: "/sse", transport })
      probe.send({ jsonrpc: "2.0", id: "call", method: "tools/call", params: { name: "roots" } })
      const asked = yield* probe.receive(({ method }) => method === "roots/list")
      probe.send({ jsonrpc: "2.0", id: asked.message.id, result: { roots: [] } })
      const answer = yield* probe.receive(({ id, result }) => id === "call" && result !== undefined)
      assert.deepStrictEqual(textOf(answer), { roots: [] })
      assert.strictEqual(answer.about, '"call"')
      assert.strictEqual(server.requests[0]?.method, transport === "sse" ? "GET" : "POST")
    })
  }

  for (const status of [400, 404, 405]) {
    it.live(
      `is found by itself behind a ${status} with a JSON-RPC error, and that error passes if it is not there`,
      () =>
        Effect.gen(function* () {
          const sse = legacySseHttp()
          const refuse: typeof sse.handler = (_request, response, body) => {
            const { id } = JSON.parse(body === "" ? "{}" : body) as { id?: unknown }
            const error = { code: -32000, message: "no such thing here" }
            response.writeHead(status, { "content-type": "application/json" })
            response.end(JSON.stringify({ jsonrpc: "2.0", id: id ?? null, error }))
          }
          const old = yield* serveHttp((request, response, body) => {
            const isPostToStream = request.method === "POST" && request.url === "/sse"
            return isPostToStream ? refuse(request, response, body) : sse.handler(request, response, body)
          })
          const probe = yield* openHttpUpstream(`${old.url}/sse`, { transport: "auto" })
          yield* probe.initialize
          assert.deepStrictEqual(textOf(yield* probe.request("tools/call", { name: "echo", arguments: {} })), {})

          const neither = yield* serveHttp(refuse)
          const other = yield* openHttpUpstream(`${neither.url}/sse`, { transport: "auto" })
          const { message } = yield* other.request("initialize", {})
          assert.deepInclude(message.error as object, { code: -32000, message: "no such thing here" })
        })
    )
  }

  itLive("connects again when the stream breaks", function* () {
    const sse = legacySseHttp()
    const { probe, server } = yield* connectHttp(sse.handler, { path: "/sse", transport: "sse" })
    yield* probe.request("tools/list")
    server.server.closeAllConnections()
    yield* probe.until(() => probe.restored() === 1)
    assert.deepInclude(probe.lost[0]?.error, { _tag: "UpstreamLost", reason: "Unreachable" })
    assert.strictEqual(probe.lost[0]?.retryInMs, 50)
    yield* probe.initialize
    assert.deepStrictEqual(textOf(yield* probe.request("tools/call", { name: "echo", arguments: {} })), {})
  })
})
