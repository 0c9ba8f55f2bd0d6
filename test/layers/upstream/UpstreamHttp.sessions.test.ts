import { assert, describe } from "@effect/vitest"
import { Deferred, Effect, Exit } from "effect"
import { TestClock } from "effect/testing"
import { itEffect, itLive } from "../../fixtures/itEffect.ts"
import { connectHttp, type HttpUpstreamProbe, openHttpUpstream } from "../../fixtures/httpUpstream.ts"
import { someTurns, whileTimePasses } from "../../fixtures/time.ts"
import { type Handler, JSON_TYPE, legacySseHttp, serveHttp, STREAM_TYPE } from "../../fixtures/servers/httpServers.ts"

type Json = Readonly<Record<string, unknown>>

/** Something that a test waits for. */
const makeEvent = () => {
  const event = Deferred.makeUnsafe<void>()
  return { happened: Deferred.await(event), happen: () => void Deferred.doneUnsafe(event, Exit.void) }
}

/** A server that keeps sessions, as a handler that a test can disturb. */
const sessionServer = (disturb: (message: Json, response: Parameters<Handler>[1], method: string) => boolean) => {
  const sessions = new Set<string>()
  let begun = 0
  const handler: Handler = (request, response, body) => {
    const message = (body === "" ? {} : JSON.parse(body)) as Json
    if (disturb(message, response, request.method ?? "")) return
    const answer = (result: Json, headers: Readonly<Record<string, string>> = {}) =>
      void response
        .writeHead(200, { ...JSON_TYPE, ...headers })
        .end(JSON.stringify({ jsonrpc: "2.0", id: message.id, result }))
    if (message.method === "initialize") {
      begun += 1
      sessions.add(`s${begun}`)
      return answer({ protocolVersion: "2025-11-25", capabilities: {} }, { "mcp-session-id": `s${begun}` })
    }
    if (!sessions.has(String(request.headers["mcp-session-id"]))) return void response.writeHead(404).end("who?")
    if (request.method !== "POST") return void response.writeHead(405).end()
    if (message.id === undefined) return void response.writeHead(202).end()
    answer({})
  }
  return { handler, sessions, begun: () => begun }
}

/** Does what the router does when the server was lost: greets the new one, and sends again what was not taken. */
const asRouter = (probe: HttpUpstreamProbe) => {
  let unsent: ReadonlyArray<Uint8Array> = []
  return {
    lost: (_error: unknown, _retryInMs: number, frames: ReadonlyArray<Uint8Array>) => {
      unsent = [...frames]
    },
    restored: () => {
      probe.send({ jsonrpc: "2.0", id: `i${probe.restored()}`, method: "initialize", params: {} })
      probe.send({ jsonrpc: "2.0", method: "notifications/initialized" })
      for (const frame of unsent) probe.upstream.link.send(frame.slice())
    }
  }
}

/** A session with such a server that has answered a request. */
const useSession = Effect.fnUntraced(function* (
  disturb: Parameters<typeof sessionServer>[0],
  options?: Parameters<typeof connectHttp>[1]
) {
  const raw = sessionServer(disturb)
  const connected = yield* connectHttp(raw.handler, options)
  yield* connected.probe.request("tools/list")
  return { ...connected, raw }
})

const errorOf = ({ message }: { readonly message: Json }) =>
  message.error as { readonly message: string; readonly data: Json }

const tool = (id: string, name: string) => ({ jsonrpc: "2.0", id, method: "tools/call", params: { name } })

const answerTo = (probe: HttpUpstreamProbe, id: string) =>
  probe.receive((message) => message.id === id && message.method === undefined)

describe("UpstreamHttp and a request that is always answered with 404", () => {
  itLive("sends it again once, and knows it from then on", function* () {
    let release: () => void = () => undefined
    const slow = makeEvent()
    const { probe, raw, server } = yield* useSession(
      ({ id, method, params }, response) => {
        const { name } = (params ?? {}) as Json
        if (method !== "tools/call") return false
        if (name === "poison") response.writeHead(404).end("no such backend")
        if (name === "slow") {
          slow.happen()
          release = () => response.writeHead(200, JSON_TYPE).end(JSON.stringify({ jsonrpc: "2.0", id, result: {} }))
        }
        return name === "poison" || name === "slow"
      },
      { onWatch: asRouter }
    )
    const posts = (text: string) => server.requests.filter(({ body }) => body.includes(text)).length

    probe.send(tool("p1", "poison"))
    const first = errorOf(yield* answerTo(probe, "p1"))
    assert.strictEqual(first.message, `${server.url} answered with HTTP 404: no such backend`)
    assert.deepInclude(first.data, { errorType: "UPSTREAM_REFUSED", toolName: "poison", retryable: false })
    assert.strictEqual(posts('"poison"'), 2)
    assert.strictEqual(raw.begun(), 2)

    probe.send(tool("s", "slow"))
    yield* slow.happened
    probe.send(tool("p2", "poison"))
    assert.strictEqual(errorOf(yield* answerTo(probe, "p2")).data.errorType, "UPSTREAM_REFUSED")
    release()
    assert.isDefined((yield* answerTo(probe, "s")).message.result)
    assert.strictEqual(posts('"poison"'), 3)
    assert.strictEqual(raw.begun(), 2)
    assert.strictEqual(probe.lost.length, 1)
  })

  itLive("does not take the end of a session for such an answer, once it was answered otherwise", function* () {
    let isPoison = true
    const { probe, raw } = yield* useSession(
      ({ method }, response) => {
        if (method !== "tools/call" || !isPoison) return false
        response.writeHead(404).end()
        return true
      },
      { onWatch: asRouter }
    )
    probe.send(tool("p", "t"))
    assert.isDefined(errorOf(yield* answerTo(probe, "p")))
    isPoison = false
    probe.send(tool("fine", "t"))
    assert.isDefined((yield* answerTo(probe, "fine")).message.result)
    raw.sessions.clear()
    probe.send(tool("again", "t"))
    assert.isDefined((yield* answerTo(probe, "again")).message.result)
    assert.deepStrictEqual(
      probe.lost.map(({ retryInMs }) => retryInMs),
      [0, 0]
    )
  })

  itLive("over SSE too", function* () {
    const sse = legacySseHttp()
    let posts = 0
    const server = yield* serveHttp((request, response, body) => {
      if (!body.includes('"poison"')) return sse.handler(request, response, body)
      posts += 1
      response.writeHead(404).end("no such backend")
    })
    const probe = yield* openHttpUpstream(`${server.url}/sse`, { onWatch: asRouter, transport: "sse" })
    yield* probe.initialize
    yield* probe.request("tools/list")
    probe.send(tool("p", "poison"))
    const failed = errorOf(yield* answerTo(probe, "p"))
    assert.strictEqual(failed.message, `${server.url}/sse answered with HTTP 404: no such backend`)
    assert.deepInclude(failed.data, { errorType: "UPSTREAM_REFUSED", toolName: "poison" })
    assert.strictEqual(posts, 2)
    assert.strictEqual(probe.lost.length, 1)
    assert.isDefined((yield* probe.request("tools/list")).message.result)
  })
})

describe("UpstreamHttp and sessions that end before they are of use", () => {
  itLive("waits longer each time, and no more once a request was answered", function* () {
    let isLost = true
    const raw = sessionServer(({ id, method }, response) => {
      if (!isLost || id === undefined || method === "initialize") return false
      response.writeHead(404).end()
      return true
    })
    const server = yield* serveHttp(raw.handler)
    const probe = yield* openHttpUpstream(server.url)
    for (let round = 1; round <= 3; round += 1) {
      yield* probe.initialize
      probe.send({ jsonrpc: "2.0", id: `r${round}`, method: "tools/list" })
      yield* probe.until(() => probe.restored() === round)
    }
    isLost = false
    yield* probe.initialize
    yield* probe.request("tools/list")
    raw.sessions.clear()
    probe.send({ jsonrpc: "2.0", id: "r4", method: "tools/list" })
    yield* probe.until(() => probe.restored() === 4)
    yield* probe.initialize
    raw.sessions.clear()
    probe.send({ jsonrpc: "2.0", id: "r5", method: "tools/list" })
    yield* probe.until(() => probe.restored() === 5)
    assert.deepStrictEqual(
      probe.lost.map(({ retryInMs }) => retryInMs),
      [50, 100, 200, 0, 50]
    )
  })

  itLive("over SSE too", function* () {
    const sse = legacySseHttp()
    const server = yield* serveHttp(sse.handler)
    const probe = yield* openHttpUpstream(`${server.url}/sse`, { transport: "sse" })
    for (let round = 1; round <= 3; round += 1) {
      yield* probe.initialize
      server.server.closeAllConnections()
      yield* probe.until(() => probe.restored() === round)
    }
    yield* probe.initialize
    yield* probe.request("tools/list")
    server.server.closeAllConnections()
    yield* probe.until(() => probe.restored() === 4)
    assert.deepStrictEqual(
      probe.lost.map(({ retryInMs }) => retryInMs),
      [50, 100, 200, 50]
    )
  })

  for (const transport of ["http", "sse"] as const) {
    itLive(`keeps a session that refuses notifications only, over ${transport}`, function* () {
      const sse = legacySseHttp()
      const raw = sessionServer(() => false)
      const handler = transport === "sse" ? sse.handler : raw.handler
      const server = yield* serveHttp((request, response, body) =>
        body.includes('"notifications/') ? void response.writeHead(404).end() : handler(request, response, body)
      )
      const probe = yield* openHttpUpstream(transport === "sse" ? `${server.url}/sse` : server.url, { transport })
      for (let round = 1; round <= 2; round += 1) {
        yield* probe.initialize
        yield* probe.request("tools/list")
        probe.send({ jsonrpc: "2.0", method: "notifications/roots/list_changed" })
        assert.isDefined((yield* probe.request("tools/list")).message.result)
      }
      assert.isEmpty(probe.lost)
      assert.strictEqual(server.requests.filter(({ body }) => body.includes('"notifications/')).length, 4)
    })
  }

  itEffect("gives up a stream of notifications that is refused time and again", function* () {
    let gets = 0
    const { probe, server } = yield* useSession(
      (_message, response, method) => {
        if (method !== "GET") return false
        gets += 1
        if (gets % 2 === 1) response.writeHead(200, STREAM_TYPE).end()
        else response.writeHead(404).end()
        return true
      },
      { onWatch: asRouter, reconnectDelayMs: 10, maxReconnectDelayMs: 20 }
    )
    yield* whileTimePasses(
      Effect.gen(function* () {
        yield* probe.until(() => probe.restored() === 1)
        yield* probe.receive(({ id }) => id === "i1")
        yield* probe.request("tools/list")
        yield* server.seen(({ method }) => method === "GET" && gets === 4)
        assert.isDefined((yield* probe.request("tools/list")).message.result)
      })
    )
    yield* TestClock.adjust("1 hour")
    assert.isDefined((yield* probe.request("tools/list")).message.result)
    assert.deepStrictEqual([gets, probe.lost.length], [4, 1])
  })
})

describe("UpstreamHttp and a session that cannot be begun anew", () => {
  const FORGOTTEN = '{"jsonrpc":"2.0","id":"x","method":"tools/list"}'

  itLive("tries later each time when it is told that the server refuses", function* () {
    let isStarting = false
    const { probe, raw, server } = yield* useSession(({ method }, response) => {
      if (method !== "initialize" || !isStarting) return false
      response.writeHead(503).end("starting")
      return true
    })
    raw.sessions.clear()
    isStarting = true
    probe.send(FORGOTTEN)
    yield* probe.until(() => probe.restored() === 1)
    for (let round = 2; round <= 4; round += 1) {
      assert.isDefined(errorOf(yield* probe.request("initialize", {})))
      probe.upstream.reject()
      probe.upstream.reject()
      yield* probe.until(() => probe.restored() === round)
    }
    assert.deepStrictEqual(
      probe.lost.map(({ retryInMs }) => retryInMs),
      [0, 50, 100, 200]
    )
    assert.strictEqual(probe.lost[1]?.error.message, `${server.url} answered with HTTP 503: starting.`)
    assert.deepInclude(probe.lost[1]?.error, { reason: "Unreachable" })
    isStarting = false
    yield* probe.initialize
    assert.isDefined((yield* probe.request("tools/list")).message.result)
    assert.strictEqual(server.requests.at(-1)?.headers["mcp-session-id"], "s2")
  })

  itLive("lets go of an initialize that hangs", function* () {
    let isHanging = false
    const hung = makeEvent()
    const closed = makeEvent()
    const { probe, raw, server } = yield* useSession(({ method }, response) => {
      if (method !== "initialize" || !isHanging) return false
      response.on("close", closed.happen)
      hung.happen()
      return true
    })
    raw.sessions.clear()
    isHanging = true
    probe.send(FORGOTTEN)
    yield* probe.until(() => probe.restored() === 1)
    probe.send({ jsonrpc: "2.0", id: "hung", method: "initialize", params: {} })
    yield* hung.happened
    probe.upstream.reject()
    yield* closed.happened
    yield* probe.until(() => probe.restored() === 2)
    assert.strictEqual(probe.lost[1]?.error.message, `${server.url} did not begin a new session.`)
    isHanging = false
    yield* probe.initialize
    assert.isDefined((yield* probe.request("tools/list")).message.result)
  })

  itLive("ends a session that was begun, but is of no use", function* () {
    const { probe, server } = yield* useSession(() => false)
    probe.upstream.reject()
    const ended = yield* server.seen(({ method }) => method === "DELETE")
    assert.strictEqual(ended.headers["mcp-session-id"], "s1")
    yield* probe.until(() => probe.restored() === 1)
    assert.strictEqual(probe.lost[0]?.retryInMs, 50)
  })

  itLive("is lost once, even if it is rejected while it is being found gone", function* () {
    const slow = makeEvent()
    const refused = makeEvent()
    const raw = sessionServer(({ params }, response) => {
      const { name } = (params ?? {}) as Json
      if (name === "slow") slow.happen()
      if (name === "gone") response.on("close", refused.happen).writeHead(404).end()
      return name === "slow" || name === "gone"
    })
    const { probe, server } = yield* connectHttp(raw.handler)
    yield* probe.request("tools/list")
    probe.send(tool("s", "slow"))
    yield* slow.happened
    probe.send(tool("g", "gone"))
    yield* refused.happened
    // Our side has heard of it by then; the slow one holds back what follows.
    yield* Effect.promise(() => fetch(server.url))
    yield* someTurns
    assert.isEmpty(probe.lost)
    probe.upstream.reject()
    yield* probe.until(() => probe.restored() === 1)
    assert.deepInclude(probe.lost[0]?.error, { reason: "SessionExpired" })
    assert.deepStrictEqual(probe.lost[0]?.unsent, [JSON.stringify(tool("g", "gone"))])
    assert.strictEqual(probe.lost.length, 1)
  })

  itLive("opens another stream over SSE", function* () {
    const sse = legacySseHttp()
    const server = yield* serveHttp((request, response, body) =>
      body.includes('"initialize"')
        ? void response.writeHead(503).end("starting")
        : sse.handler(request, response, body)
    )
    const probe = yield* openHttpUpstream(`${server.url}/sse`, { transport: "sse" })
    for (let round = 1; round <= 3; round += 1) {
      assert.isDefined(errorOf(yield* probe.request("initialize", {})))
      probe.upstream.reject()
      probe.upstream.reject()
      yield* probe.until(() => probe.restored() === round)
    }
    assert.deepStrictEqual(
      probe.lost.map(({ retryInMs }) => retryInMs),
      [50, 100, 200]
    )
    assert.strictEqual(probe.lost[0]?.error.message, `${server.url}/sse answered with HTTP 503: starting.`)
    assert.strictEqual(server.requests.filter(({ method }) => method === "GET").length, 4)
  })
})
