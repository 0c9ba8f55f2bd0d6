import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import type { Socket } from "node:net"
import { itEffect, itLive } from "../../fixtures/itEffect.ts"
import { connectHttp, openHttpUpstream } from "../../fixtures/httpUpstream.ts"
import { someTurns } from "../../fixtures/time.ts"
import { greeting, type Handler, JSON_TYPE, serveHttp, STREAM_TYPE } from "../../fixtures/servers/httpServers.ts"

type Json = Readonly<Record<string, unknown>>

const resultOf = (id: unknown): string => JSON.stringify({ jsonrpc: "2.0", id, result: {} })
const messageOf = (body: string): Json => JSON.parse(body) as Json

const errorDataOf = (message: Json): Json => (message.error as { readonly data: Json }).data

describe("UpstreamHttp keeps the order", () => {
  itLive("of a notification and what follows it, and sends requests side by side", function* () {
    const log: Array<unknown> = []
    let take: () => void = () => undefined
    const held: Array<() => void> = []
    const { probe, server } = yield* connectHttp((request, response, body) => {
      if (request.method !== "POST") return void response.writeHead(405).end()
      const message = messageOf(body)
      log.push(message.method)
      if (message.method === "notifications/initialized") {
        take = () => {
          log.push("taken")
          response.writeHead(202).end()
        }
        return
      }
      if (message.method === "initialize") {
        const answer = { jsonrpc: "2.0", id: message.id, result: { protocolVersion: "2025-11-25" } }
        return void response.writeHead(200, JSON_TYPE).end(JSON.stringify(answer))
      }
      held.push(() => response.writeHead(200, JSON_TYPE).end(resultOf(message.id)))
      if (held.length === 3) for (const answer of held.toReversed()) answer()
    })
    for (const id of ["a", "b", "c"]) probe.send({ jsonrpc: "2.0", id, method: `m/${id}` })
    // What would have overtaken it has come before this one.
    yield* Effect.promise(() => fetch(server.url))
    while (!log.includes("notifications/initialized")) yield* someTurns
    take()
    for (const id of ["a", "b", "c"]) yield* probe.receive((message) => message.id === id)
    assert.deepStrictEqual(log.slice(0, 3), ["initialize", "notifications/initialized", "taken"])
    assert.sameMembers(log.slice(3), ["m/a", "m/b", "m/c"])
  })

  itEffect("without waiting for the stream of an answer to end", function* () {
    const server = yield* serveHttp((request, response, body) => {
      if (request.method !== "POST") return void response.writeHead(405).end()
      const { id } = messageOf(body)
      if (id === undefined) return void response.writeHead(202).end()
      const answer = { jsonrpc: "2.0", id, result: { protocolVersion: "2025-06-18" } }
      response.writeHead(200, STREAM_TYPE).write(`data: ${JSON.stringify(answer)}\n\n`)
    })
    const probe = yield* openHttpUpstream(server.url)
    // No stream ends, and the clock of the test stands still.
    yield* probe.initialize
    yield* probe.request("tools/list")
    assert.strictEqual(server.requests.at(-1)?.headers["mcp-protocol-version"], "2025-06-18")
  })

  itLive("and closes the stream of a request that was cancelled, without an answer", function* () {
    let close: () => void = () => undefined
    const closed = new Promise<void>((resolve) => (close = resolve))
    const { probe, server } = yield* connectHttp(
      greeting((request, response) => {
        if (request.method !== "POST") return void response.writeHead(405).end()
        response.writeHead(200, STREAM_TYPE).flushHeaders()
        response.on("close", close)
      })
    )
    probe.send({ jsonrpc: "2.0", id: "h", method: "tools/call", params: { name: "t" } })
    yield* server.seen(({ body }) => body.includes('"h"'))
    probe.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "h" } })
    yield* server.seen(({ body }) => body.includes("notifications/cancelled"))
    yield* Effect.promise(() => closed)
    assert.isEmpty(probe.heard.filter(({ message }) => message.id === "h"))
  })

  itLive("of batches, whose answers come one by one", function* () {
    const server = yield* serveHttp(
      greeting((_request, response, body) => {
        const answers = (JSON.parse(body) as ReadonlyArray<Json>).flatMap(({ id }) =>
          id === undefined ? [] : [resultOf(id)]
        )
        response.writeHead(200, JSON_TYPE).end(`[${answers.join(",")}]`)
      })
    )
    const probe = yield* openHttpUpstream(server.url)
    const batch =
      '[{"jsonrpc":"2.0","id":1,"method":"a"},{"jsonrpc":"2.0","method":"n"},{"jsonrpc":"2.0","id":"2","method":"b"}]'
    probe.send(batch)
    yield* probe.receive(({ id }) => id === "2")
    assert.deepStrictEqual(
      probe.heard.map(({ text, about }) => [text, about]),
      [
        [resultOf(1), "1"],
        [resultOf("2"), '"2"']
      ]
    )
    assert.strictEqual(server.requests[0]?.body, batch)
  })
})

describe("UpstreamHttp repeats nothing that may have been done", () => {
  itLive("on a connection that the server closed meanwhile", function* () {
    const used = new Set<Socket>()
    const server = yield* serveHttp((request, response, body) => {
      if (used.has(request.socket)) return void request.socket.resetAndDestroy()
      used.add(request.socket)
      response.writeHead(200, JSON_TYPE).end(resultOf(messageOf(body).id))
    })
    const probe = yield* openHttpUpstream(server.url)
    const bodies = (id: string) => server.requests.filter(({ body }) => body.includes(`"${id}"`)).length
    const send = Effect.fnUntraced(function* (id: string, method: string) {
      probe.send({ jsonrpc: "2.0", id, method, params: { name: "t" } })
      const answer = yield* probe.receive((message) => message.id === id)
      // The connection is free again a little after the answer was heard.
      yield* someTurns
      return answer.message
    })
    yield* send("first", "tools/list")
    assert.isDefined((yield* send("list", "tools/list")).result)
    assert.strictEqual(bodies("list"), 2)
    assert.deepInclude(errorDataOf(yield* send("call", "tools/call")), {
      errorType: "UPSTREAM_LOST",
      retryable: true
    })
    assert.strictEqual(bodies("call"), 1)
  })
})

describe("UpstreamHttp takes streams up again", () => {
  /** The first stream breaks after an event with an id; GETs get what `take` makes of them. */
  const breaking = (take: Handler): Handler =>
    greeting((request, response, body) => {
      if (request.method === "GET") {
        return request.headers["last-event-id"] === undefined
          ? void response.writeHead(405).end()
          : take(request, response, body)
      }
      if (request.method !== "POST") return void response.writeHead(200).end()
      const start = 'id: one\ndata: {"jsonrpc":"2.0","method":"n"}\n\ndata: {"jsonr'
      response.writeHead(200, STREAM_TYPE).write(start, () => response.destroy())
    }, "s1")

  itLive("after the last event, without answers to others", function* () {
    let attempts = 0
    const { probe, server } = yield* connectHttp(
      breaking((_request, response) => {
        attempts += 1
        if (attempts < 3) return void response.writeHead(503).end()
        response.writeHead(200, STREAM_TYPE).end(`data: ${resultOf("other")}\n\ndata: ${resultOf("x")}\n\n`)
      })
    )
    probe.send({ jsonrpc: "2.0", id: "x", method: "tools/call", params: { name: "t" } })
    const answer = yield* probe.receive(({ id }) => id === "x")
    assert.strictEqual(answer.text, resultOf("x"))
    assert.isEmpty(probe.heard.filter(({ message }) => message.id === "other"))
    const resumed = server.requests.filter(({ headers }) => headers["last-event-id"] !== undefined)
    assert.deepStrictEqual(
      resumed.map(({ headers }) => [headers["last-event-id"], headers["mcp-session-id"]]),
      Array.from({ length: 3 }, () => ["one", "s1"])
    )
  })

  for (const [status, detail] of [
    [405, "taking it up again was answered with HTTP 405"],
    [503, "7 attempts to take it up again failed"]
  ] as const) {
    itLive(`or says that it cannot, when the server answers ${status}`, function* () {
      const { probe } = yield* connectHttp(
        breaking((_request, response) => void response.writeHead(status).end()),
        { reconnectDelayMs: 5, maxReconnectDelayMs: 10 }
      )
      const { message } = yield* probe.request("tools/call", { name: "t" })
      const { message: text } = message.error as { readonly message: string }
      assert.include(text, detail)
      assert.deepInclude(errorDataOf(message), { errorType: "UPSTREAM_LOST", toolName: "t" })
    })
  }

  itLive("or opens a new session, when the server has forgotten the old one", function* () {
    const { probe } = yield* connectHttp(breaking((_request, response) => void response.writeHead(404).end()))
    probe.send({ jsonrpc: "2.0", id: "x", method: "tools/call", params: { name: "t" } })
    yield* probe.until(() => probe.restored() === 1)
    assert.deepStrictEqual(
      probe.lost.map(({ unsent, error }) => [unsent, error._tag === "UpstreamLost" && error.reason]),
      [[[], "SessionExpired"]]
    )
  })
})

describe("UpstreamHttp with odd answers", () => {
  itLive("waits for the other stream when a request is only accepted", function* () {
    let tell: (text: string) => void = () => undefined
    const { probe, server } = yield* connectHttp(
      greeting((request, response, body) => {
        if (request.method === "GET") {
          response.writeHead(200, STREAM_TYPE).flushHeaders()
          tell = (text) => response.write(`data: ${text}\n\n`)
          return
        }
        response.writeHead(202).end()
        if (body !== "") tell(resultOf(messageOf(body).id))
      })
    )
    yield* server.seen(({ method }) => method === "GET")
    assert.strictEqual((yield* probe.request("tools/list")).about, "2")
  })

  for (const [name, type, text, expected] of [
    [
      "JSON that is no message",
      "application/json",
      '{"error":"invalid"}',
      'HTTP 200: {"error":"invalid"} (this is no answer'
    ],
    [
      "a page",
      "text/html; charset=utf-8",
      "<h1>Log  in</h1>",
      "HTTP 200: Log in (content type text/html; charset=utf-8"
    ],
    ["nothing", "application/json", "", "(this is no answer to the request)"]
  ] as const) {
    itLive(`says that it got ${name}`, function* () {
      const { probe } = yield* connectHttp(
        greeting((_request, response) => void response.writeHead(200, { "content-type": type }).end(text))
      )
      const { message } = yield* probe.request("tools/list")
      assert.include((message.error as { readonly message: string }).message, expected)
      assert.deepInclude(errorDataOf(message), { errorType: "UPSTREAM_REFUSED", retryable: false })
      assert.strictEqual(probe.heard.length, 2)
    })
  }
})
