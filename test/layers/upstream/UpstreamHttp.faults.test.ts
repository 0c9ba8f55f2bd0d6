import { assert, describe } from "@effect/vitest"
import { Clock, Effect, Redacted } from "effect"
import { createServer as createTcpServer, type Socket } from "node:net"
import { gzipSync } from "node:zlib"
import { UpstreamLost } from "../../../src/services/upstream/Upstream.ts"
import { itEffect, itLive } from "../../fixtures/itEffect.ts"
import { connectHttp, type HttpUpstreamProbe, openHttpUpstream } from "../../fixtures/httpUpstream.ts"
import { whileTimePasses } from "../../fixtures/time.ts"
import {
  greeting,
  type Handler,
  JSON_TYPE,
  legacySseHttp,
  serveHttp,
  statefulHttp,
  STREAM_TYPE
} from "../../fixtures/servers/httpServers.ts"

type Json = Readonly<Record<string, unknown>>

/** Answers each request with what `answer` makes of its body. */
const posts = (answer: Handler): Handler =>
  greeting((request, response, body) =>
    request.method === "POST" ? answer(request, response, body) : void response.writeHead(405).end()
  )

const errorOf = ({ message }: { readonly message: Json }) =>
  message.error as { readonly code: number; readonly message: string; readonly data: Json }

const call = (probe: HttpUpstreamProbe, name = "t") => probe.request("tools/call", { name })

const idIn = (body: string): string => JSON.stringify((JSON.parse(body) as Json).id)

describe("UpstreamHttp keeps messages as they are written", () => {
  const odd = '"result":{"n":1e400,"z":-0,"i":12345678901234567890,"a":1,"a":2,"s":"\\u0061\\/"}'

  itLive("both ways, as JSON", function* () {
    const { probe, server } = yield* connectHttp(
      posts((_request, response, body) => {
        response.writeHead(200, JSON_TYPE).end(`{"jsonrpc":"2.0","id":${idIn(body)},${odd}}`)
      })
    )
    const sent = '{ "jsonrpc":"2.0","id":"x","method":"tools/call","params":{"name":"t","v":[1e400,-0,1.0],"v":null}}'
    probe.send(sent)
    const { text } = yield* probe.receive(({ id }) => id === "x")
    assert.strictEqual(text, `{"jsonrpc":"2.0","id":"x",${odd}}`)
    assert.strictEqual(server.requests.at(-1)?.body, sent)
  })

  itLive("as events, over several lines, with a byte order mark", function* () {
    const { probe } = yield* connectHttp(
      posts((_request, response, body) => {
        response.writeHead(200, STREAM_TYPE)
        response.end(
          `\u{feff}: hello\r\n\r\ndata: {"jsonrpc":"2.0",\r\ndata: "id":${idIn(body)},\r\ndata:${odd}}\r\n\r\n`
        )
      })
    )
    const { text } = yield* call(probe)
    assert.strictEqual(text, `{"jsonrpc":"2.0", "id":2, ${odd}}`)
  })

  itLive("makes one line of printed JSON, and several messages of a batch", function* () {
    const { probe } = yield* connectHttp(
      posts((_request, response, body) => {
        const note = '{"jsonrpc":"2.0",\n "method":"notifications/x"}'
        response.writeHead(200, JSON_TYPE).end(`\u{feff}[${note},\r\n{"jsonrpc":"2.0","id":${idIn(body)},"result":{}}]`)
      })
    )
    assert.strictEqual((yield* call(probe)).text, '{"jsonrpc":"2.0","id":2,"result":{}}')
    const note = yield* probe.receive(({ method }) => method === "notifications/x")
    assert.strictEqual(note.text, '{"jsonrpc":"2.0",  "method":"notifications/x"}')
  })

  itLive("through compression", function* () {
    const { probe } = yield* connectHttp(
      posts((_request, response, body) => {
        const answer = gzipSync(`data: {"jsonrpc":"2.0","id":${idIn(body)},${odd}}\n\n`)
        response.writeHead(200, { ...STREAM_TYPE, "content-encoding": "gzip" }).end(answer)
      })
    )
    assert.strictEqual((yield* call(probe)).text, `{"jsonrpc":"2.0","id":2,${odd}}`)
  })

  itLive("30 MB", function* () {
    const text = "x".repeat(30_000_000)
    const { probe } = yield* connectHttp(
      posts((_request, response, body) => {
        response.writeHead(200, STREAM_TYPE)
        response.end(`data: {"jsonrpc":"2.0","id":${idIn(body)},"result":{"text":"${text}"}}\n\n`)
      })
    )
    assert.strictEqual(((yield* call(probe)).message.result as { text: string }).text.length, text.length)
  })
})

describe("UpstreamHttp when requests fail", () => {
  itLive("says that nothing answers, and goes on when something does", function* () {
    const port = (yield* Effect.scoped(serveHttp(() => undefined))).port
    const probe = yield* openHttpUpstream(`http://user:hunter2secret@127.0.0.1:${port}/mcp?key=topsecret`)
    const failed = errorOf(yield* probe.request("initialize", {}))
    assert.strictEqual(failed.message, `nothing answers at http://127.0.0.1:${port}/mcp (connection refused)`)
    const { requestId, ...data } = failed.data
    assert.isString(requestId)
    assert.deepStrictEqual(data, {
      toolName: null,
      errorType: "UPSTREAM_UNREACHABLE",
      fallbackUsed: false,
      retryable: true,
      method: "initialize"
    })
    yield* serveHttp(statefulHttp().handler, port)
    assert.isDefined((yield* probe.initialize).message.result)
    assert.isEmpty(probe.lost)
  })

  itLive("sends credentials of the URL as a header, and shows them nowhere", function* () {
    const server = yield* serveHttp((request, response) => {
      const page = `<html><title>Down &mdash; ${request.headers.authorization} topsecret-query</title><p>x</p></html>`
      response.writeHead(503, { "content-type": "text/html" }).end(page)
    })
    const probe = yield* openHttpUpstream(
      `http://us%40er:hunter2secret@127.0.0.1:${server.port}/mcp?key=topsecret-query`
    )
    assert.strictEqual(probe.upstream.name, `${server.url}/mcp`)
    const failed = errorOf(yield* call(probe))
    assert.strictEqual(server.requests[0]?.headers.authorization, `Basic ${btoa("us@er:hunter2secret")}`)
    assert.strictEqual(server.requests[0]?.url, "/mcp?key=topsecret-query")
    assert.include(failed.message, "answered with HTTP 503: Down")
    assert.notMatch(JSON.stringify(failed), /hunter2|topsecret|aHVudGVy|Basic [A-Za-z0-9]/)
    assert.deepInclude(failed.data, { errorType: "UPSTREAM_REFUSED", retryable: true, toolName: "t" })
  })

  itLive("passes an error that is a message on, under the id of its request", function* () {
    const { probe } = yield* connectHttp(
      posts((_request, response, body) => {
        const id = body.includes('"named"') ? idIn(body) : "null"
        const error = `{"code":-32022,"message":"no","data":{"n":1e400}}`
        response.writeHead(400, JSON_TYPE).end(`{"jsonrpc":"2.0","error":${error},"id":${id}}`)
      })
    )
    for (const name of ["named", "unnamed"]) {
      const { text, message } = yield* call(probe, name)
      const id = JSON.stringify(message.id)
      assert.strictEqual(text, `{"jsonrpc":"2.0","error":{"code":-32022,"message":"no","data":{"n":1e400}},"id":${id}}`)
    }
  })

  itLive("says so when a connection breaks before the answer", function* () {
    const { probe, server } = yield* connectHttp(
      posts((_request, response, body) => {
        if (body.includes('"fine"')) {
          return void response.writeHead(200, JSON_TYPE).end(`{"jsonrpc":"2.0","id":${idIn(body)},"result":{}}`)
        }
        if (body.includes('"early"')) return void response.destroy()
        response.writeHead(200, STREAM_TYPE).write('data: {"jsonrpc":"2.0","id', () => response.destroy())
      })
    )
    for (const name of ["early", "late"]) {
      const failed = errorOf(yield* call(probe, name))
      assert.strictEqual(failed.code, -32000)
      assert.deepInclude(failed.data, { errorType: "UPSTREAM_LOST", retryable: true })
    }
    assert.isDefined((yield* call(probe, "fine")).message.result)
    assert.strictEqual(server.requests.filter(({ body }) => body.includes('"early"')).length, 1)
  })

  itLive("refuses messages that are too long, and reads on", function* () {
    const { probe } = yield* connectHttp(
      posts((_request, response, body) => {
        const result = `{"jsonrpc":"2.0","result":"${"x".repeat(body.includes('"fine"') ? 10 : 200_000)}","id":${idIn(body)}}`
        if (body.includes('"json"')) return void response.writeHead(200, JSON_TYPE).end(result)
        response.writeHead(200, STREAM_TYPE).end(`data: ${result}\n\ndata: {"jsonrpc":"2.0","method":"after"}\n\n`)
      }),
      { maxMessageBytes: 100_000 }
    )
    const failed = errorOf(yield* call(probe, "json"))
    assert.deepInclude(failed.data, { errorType: "MESSAGE_TOO_LARGE", retryable: false })
    probe.send({ jsonrpc: "2.0", id: "s", method: "tools/call", params: { name: "stream" } })
    yield* probe.receive(({ method }) => method === "after")
    assert.deepStrictEqual(probe.oversized, [{ head: { kind: "response", id: '"s"' }, bytes: 200_038 }])
    assert.isDefined((yield* call(probe, "fine")).message.result)
    assert.isEmpty(probe.heard.filter(({ message }) => message.id === "s"))
  })

  itLive("follows redirects to the same origin only", function* () {
    const other = yield* serveHttp((_request, response) => void response.writeHead(200).end())
    const server = yield* serveHttp((request, response, body) => {
      if (request.url === "/here") return void response.writeHead(307, { location: "/there" }).end()
      if (request.url === "/away") return void response.writeHead(307, { location: `${other.url}/x?token=abc` }).end()
      response.writeHead(200, JSON_TYPE).end(`{"jsonrpc":"2.0","id":${idIn(body)},"result":{}}`)
    })
    const here = yield* openHttpUpstream(`${server.url}/here`)
    assert.isDefined((yield* call(here)).message.result)
    const away = yield* openHttpUpstream(`${server.url}/away`)
    const failed = errorOf(yield* call(away))
    assert.include(failed.message, `redirects to ${other.url}/x; only redirects to the same origin are followed`)
    assert.isEmpty(other.requests)
  })

  itLive("says that redirects go in a circle", function* () {
    const server = yield* serveHttp((_request, response) => {
      response.writeHead(307, { location: "/there" }).end()
    })
    const probe = yield* openHttpUpstream(`${server.url}/here`)
    const failed = errorOf(yield* call(probe))
    assert.strictEqual(
      failed.message,
      `${server.url}/there redirects to ${server.url}/there, after 5 other redirects, which is too many: they may go in a circle. Check the URL`
    )
    assert.strictEqual(server.requests.length, 6)
  })

  itLive("keeps a key in the path to itself", function* () {
    const server = yield* serveHttp((request, response) => {
      response.writeHead(request.method === "GET" ? 404 : 502).end(`Cannot ${request.method} ${request.url}`)
    })
    const probe = yield* openHttpUpstream(`${server.url}/s/k3y-in-the-path/mcp`)
    assert.strictEqual(probe.upstream.name, server.url)
    const failed = errorOf(yield* call(probe))
    assert.strictEqual(failed.message, `${server.url} answered with HTTP 502: Cannot POST /s/[redacted]/mcp`)
    server.server.close()
    server.server.closeAllConnections()
    assert.strictEqual(errorOf(yield* call(probe)).message, `nothing answers at ${server.url} (connection refused)`)
  })

  itLive("says what it met where no MCP server is", function* () {
    const server = yield* serveHttp((request, response) => {
      response.writeHead(404, { "content-type": "text/plain" }).end(`Cannot ${request.method}`)
    })
    const auto = yield* openHttpUpstream(server.url, { transport: "auto" })
    const failed = errorOf(yield* call(auto))
    assert.include(failed.message, "HTTP 404 (check the URL): Cannot POST. It is no SSE server either")
    assert.include(failed.message, "Cannot GET")
    const http = yield* openHttpUpstream(server.url, { transport: "http" })
    assert.notInclude(errorOf(yield* call(http)).message, "SSE")
  })

  itLive("ends, whatever the server does", function* () {
    const sockets = new Set<Socket>()
    const silent = yield* Effect.acquireRelease(
      Effect.callback<number>((resume) => {
        const server = createTcpServer((socket) => void sockets.add(socket.on("error", () => undefined)))
        server.listen(0, "127.0.0.1", () => resume(Effect.succeed((server.address() as { port: number }).port)))
      }),
      () => Effect.sync(() => sockets.forEach((socket) => socket.destroy()))
    )
    yield* Effect.scoped(
      Effect.gen(function* () {
        const probe = yield* openHttpUpstream(`http://127.0.0.1:${silent}`)
        probe.send({ jsonrpc: "2.0", id: 1, method: "tools/list" })
        probe.send({ jsonrpc: "2.0", method: "notifications/x" })
        probe.upstream.link.end()
        assert.deepInclude(yield* Effect.flip(probe.upstream.exited), { _tag: "UpstreamLost" })
      })
    )
  })

  itLive("takes no URL that is none", function* () {
    const failed = yield* Effect.flip(Effect.scoped(openHttpUpstream("ftp://example.com")))
    assert.strictEqual(failed.message, "the URL of the MCP server is no valid http or https URL (upstream.url)")
  })
})

describe("UpstreamHttp reconnects", () => {
  itEffect("the stream of notifications, ever later, after its last event", function* () {
    const times: Array<number> = []
    const clock = yield* Clock.Clock
    const { probe, server } = yield* connectHttp(
      greeting((request, response) => {
        if (request.method !== "GET") return void response.writeHead(202).end()
        times.push(clock.currentTimeMillisUnsafe())
        if (times.length === 1) {
          response.writeHead(200, STREAM_TYPE).end('id: e7\ndata: {"jsonrpc":"2.0","method":"first"}\n\n')
        } else if (times.length < 5) response.writeHead(503).end()
        else response.writeHead(200, STREAM_TYPE).write('data: {"jsonrpc":"2.0","method":"second"}\n\n')
      })
    )
    yield* whileTimePasses(
      probe.receive(({ method }) => method === "second"),
      "1 millis"
    )
    const waits = times.slice(1).map((time, index) => time - (times[index] ?? 0))
    for (const [index, least] of [50, 50, 100, 200].entries()) assert.isAtLeast(waits[index] ?? 0, least)
    const resumed = server.requests
      .filter(({ method }) => method === "GET")
      .map(({ headers }) => headers["last-event-id"])
    assert.deepStrictEqual(resumed, [undefined, "e7", "e7", "e7", "e7"])
    assert.isEmpty(probe.lost)
  })

  itLive("and notices by it that the server was started anew", function* () {
    const before = statefulHttp()
    const first = yield* Effect.scoped(
      Effect.gen(function* () {
        const { probe, server } = yield* connectHttp(before.handler)
        yield* server.seen(({ method }) => method === "GET")
        server.server.closeAllConnections()
        before.sessions.clear()
        yield* probe.until(() => probe.restored() === 1)
        return probe
      })
    )
    assert.deepInclude(first.lost[0]?.error, { reason: "SessionExpired" })
    assert.deepStrictEqual(first.lost[0]?.unsent, [])
  })

  itLive("an SSE server, with ever longer pauses, and sends what it had not taken again", function* () {
    const sse = legacySseHttp()
    let isDown = false
    const { probe, server } = yield* connectHttp(
      (request, response, body) => {
        if (isDown && request.method === "GET") return void response.writeHead(503).end()
        return sse.handler(request, response, body)
      },
      { path: "/sse", transport: "sse" }
    )
    isDown = true
    server.server.closeAllConnections()
    yield* probe.until(() => probe.lost.length === 3)
    assert.deepStrictEqual(
      probe.lost.map(({ retryInMs }) => retryInMs),
      [50, 100, 200]
    )
    assert.strictEqual(probe.restored(), 0)
    isDown = false
    yield* probe.until(() => probe.restored() === 1)
    yield* probe.initialize
    sse.sessions.clear()
    const frame = '{"jsonrpc":"2.0","id":"again","method":"tools/list"}'
    probe.send(frame)
    yield* probe.until(() => probe.restored() === 2)
    assert.deepStrictEqual(probe.lost.at(-1)?.unsent, [frame])
  })
})

describe("UpstreamHttp does not grow", () => {
  itLive("when the server does not take what is sent", function* () {
    let release: () => void = () => undefined
    const held = new Promise<void>((resolve) => (release = resolve))
    const server = yield* Effect.acquireRelease(
      Effect.callback<{ readonly port: number; readonly close: () => void }>((resume) => {
        const tcp = createTcpServer({ pauseOnConnect: true }, (socket) => {
          socket.on("error", () => undefined)
          void held.then(() => socket.resume())
        })
        tcp.listen(0, "127.0.0.1", () =>
          resume(Effect.succeed({ port: (tcp.address() as { port: number }).port, close: () => tcp.close() }))
        )
      }),
      ({ close }) => Effect.sync(close)
    )
    const probe = yield* openHttpUpstream(`http://127.0.0.1:${server.port}`)
    const body = "x".repeat(5_000_000)
    const accepted = [1, 2, 3, 4].map((id) =>
      probe.send({ jsonrpc: "2.0", id, method: "tools/call", params: { name: "t", body } })
    )
    assert.deepStrictEqual(accepted, [true, true, true, false])
    assert.strictEqual(probe.drained(), 0)
    release()
    yield* probe.until(() => probe.drained() === 1)
  })

  itLive("when nobody takes what the server says", function* () {
    const held = Promise.withResolvers<void>()
    const { probe } = yield* connectHttp(
      posts((_request, response, body) => {
        response.writeHead(200, STREAM_TYPE)
        const note = `data: {"jsonrpc":"2.0","method":"n","params":"${"x".repeat(100_000)}"}\n\n`
        const pump = (left: number): void => {
          if (left === 0) return void response.end(`data: {"jsonrpc":"2.0","id":${idIn(body)},"result":{}}\n\n`)
          if (response.write(note)) setImmediate(pump, left - 1)
          else {
            response.once("drain", () => pump(left - 1))
            held.resolve()
          }
        }
        pump(500)
      })
    )
    probe.upstream.link.pause()
    probe.send({ jsonrpc: "2.0", id: "c", method: "tools/call", params: { name: "t" } })
    yield* Effect.promise(() => held.promise)
    assert.strictEqual(probe.heard.filter(({ message }) => message.method === "n").length, 0)
    probe.upstream.link.resume()
    yield* probe.receive(({ id }) => id === "c")
    assert.strictEqual(probe.heard.filter(({ message }) => message.method === "n").length, 500)
  })
})

describe("UpstreamHttp authorizes", () => {
  /** Lets in who has the token of the moment. */
  const guarded = (token: () => string): Handler =>
    posts((request, response, body) => {
      if (request.headers.authorization === `Bearer ${token()}`) {
        return void response.writeHead(200, JSON_TYPE).end(`{"jsonrpc":"2.0","id":${idIn(body)},"result":{}}`)
      }
      response.writeHead(401, { "www-authenticate": 'Bearer error="invalid_token"' }).end("no")
    })

  itLive("with a renewed credential, and repeats the request", function* () {
    const server = yield* serveHttp(guarded(() => "new"))
    let credential = "old"
    const challenges: Array<unknown> = []
    const probe = yield* openHttpUpstream(server.url, {
      authorization: {
        header: Effect.sync(() => Redacted.make(`Bearer ${credential}`)),
        renew: (challenge, used) =>
          Effect.sync(() => {
            challenges.push(challenge, used === undefined ? undefined : Redacted.value(used))
            credential = "new"
          })
      }
    })
    yield* probe.initialize
    assert.isDefined((yield* call(probe)).message.result)
    assert.deepStrictEqual(challenges, [{ status: 401, wwwAuthenticate: 'Bearer error="invalid_token"' }, "Bearer old"])
  })

  itLive("or says what is to be done", function* () {
    const server = yield* serveHttp(guarded(() => "never"))
    const detail = "run mcp-gen-ui login"
    const probe = yield* openHttpUpstream(server.url, {
      authorization: {
        header: Effect.undefined,
        renew: () => Effect.fail(new UpstreamLost({ url: "u", reason: "Unauthorized", detail }))
      }
    })
    yield* probe.initialize
    const failed = errorOf(yield* call(probe))
    assert.strictEqual(failed.message, detail)
    assert.deepInclude(failed.data, { errorType: "UPSTREAM_UNAUTHORIZED", retryable: false })
  })

  for (const [name, options] of [
    ["a token", { token: Redacted.make("fixed-token") }],
    ["a header", { headers: { AUTHORIZATION: Redacted.make("Bearer fixed-token") } }]
  ] as const) {
    itLive(`with ${name} that is configured, which is never renewed`, function* () {
      const { probe, server } = yield* connectHttp(
        guarded(() => "other"),
        options
      )
      const failed = errorOf(yield* call(probe))
      assert.include(
        failed.message,
        "HTTP 401 (it wants authorization; check the token or the headers of the upstream)"
      )
      assert.notInclude(JSON.stringify(failed), "fixed-token")
      assert.strictEqual(server.requests.at(-1)?.headers.authorization, "Bearer fixed-token")
      assert.strictEqual(server.requests.length, 3)
    })
  }
})
