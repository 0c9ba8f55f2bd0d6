import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Result, Scope } from "effect"
import { TestClock } from "effect/testing"
import { createServer } from "node:http"
import { listen, readBody, respondText } from "../../../src/programs/preview/httpServer.ts"
import { startServerProcess } from "../../../src/programs/preview/ServerProcess.ts"
import { declaredDomains, viewPolicy } from "../../../src/programs/preview/viewPolicy.ts"
import { fixture, isAlive, openEvents, openPreview, send } from "../../fixtures/preview/openPreview.ts"
import { itEffect } from "../../fixtures/itEffect.ts"

const defaultPolicy =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "media-src 'self' data:; connect-src 'none'; frame-src 'none'; object-src 'none'; base-uri 'self'"

const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1.0.0" } }
}

const hasField = (value: unknown, name: string): unknown => Reflect.get(Object(value), name)

const nextTurn = Effect.callback<void>((resume) => void setImmediate(() => resume(Effect.void)))

/** Lets the test's clock run, a second in each turn of the event loop, until none of the processes is left. */
const passTimeUntilEnded = (pids: ReadonlyArray<number>) =>
  TestClock.adjust("1 second").pipe(Effect.andThen(nextTurn), Effect.repeat({ until: () => !pids.some(isAlive) }))

describe("the policy of a view", () => {
  it("is the default of MCP Apps when nothing is declared", () => {
    assert.strictEqual(viewPolicy(), defaultPolicy)
    assert.strictEqual(viewPolicy(declaredDomains("anything")), defaultPolicy)
  })

  it("is widened by the declared domains only", () => {
    const policy = viewPolicy(
      declaredDomains({
        connectDomains: ["https://api.example.com", "wss://*.example.com:8443"],
        resourceDomains: ["https://cdn.example.com"],
        frameDomains: ["https://player.example.com"],
        baseUriDomains: ["https://example.com"]
      })
    )
    assert.strictEqual(
      policy,
      "default-src 'none'; script-src 'self' 'unsafe-inline' https://cdn.example.com; " +
        "style-src 'self' 'unsafe-inline' https://cdn.example.com; img-src 'self' data: https://cdn.example.com; " +
        "media-src 'self' data: https://cdn.example.com; connect-src https://api.example.com wss://*.example.com:8443; " +
        "frame-src https://player.example.com; object-src 'none'; base-uri https://example.com; " +
        "font-src 'self' https://cdn.example.com"
    )
  })

  it("takes nothing that is not a source", () => {
    const hostile = ["*", "'unsafe-eval'", "https://a.example; script-src *", "a b", "x\r\nset-cookie: y", "", 7, null]
    assert.strictEqual(
      viewPolicy(declaredDomains({ resourceDomains: hostile, connectDomains: hostile, frameDomains: "x" })),
      defaultPolicy
    )
  })
})

describe("the server of the preview", () => {
  itEffect("serves the page and its files below the token, and the proxy on another origin", function* () {
    const preview = yield* openPreview()
    assert.notStrictEqual(preview.hostOrigin, preview.sandboxOrigin)
    const page = yield* send(preview.url)
    assert.strictEqual(page.status, 200)
    assert.include(String(page.headers["content-security-policy"]), `frame-src ${preview.sandboxOrigin}`)
    assert.notInclude(String(page.headers["content-security-policy"]), "unsafe")
    const assets = ["host.js", "host.css", "gallery.js", "gallery.css", "gallery.frame.js", "page-runtime.js"]
    for (const file of assets) assert.strictEqual((yield* send(preview.url + file)).status, 200)
    const gallery = yield* send(preview.galleryUrl)
    assert.strictEqual(gallery.headers["content-security-policy"], page.headers["content-security-policy"])
    assert.deepStrictEqual(JSON.parse((yield* send(`${preview.url}gallery.json`)).body), {
      sandboxOrigin: preview.sandboxOrigin
    })
    assert.strictEqual((yield* send(`${preview.url}toString`)).status, 404)
    const proxy = yield* send(`${preview.sandboxOrigin}/`)
    assert.include(String(proxy.headers["content-security-policy"]), `frame-ancestors ${preview.hostOrigin}`)
    for (const answer of [page, proxy]) {
      assert.isUndefined(answer.headers["access-control-allow-origin"])
      assert.strictEqual(answer.headers["referrer-policy"], "no-referrer")
    }
  })

  itEffect("refuses a foreign Host, a wrong token and another origin", function* () {
    const { url, hostOrigin, sandboxOrigin } = yield* openPreview()
    const statusOf = (address: string, options: Parameters<typeof send>[1]) =>
      Effect.map(send(address, options), ({ status }) => status)
    const port = new URL(hostOrigin).port
    const evil = { origin: "https://evil.example" }

    assert.strictEqual(yield* statusOf(url, { headers: { host: `evil.example:${port}` } }), 421)
    assert.strictEqual(yield* statusOf(url, { headers: { host: `localhost:${port}` } }), 421)
    assert.strictEqual(yield* statusOf(`${sandboxOrigin}/`, { headers: { host: "evil.example" } }), 421)
    assert.strictEqual(yield* statusOf(`${hostOrigin}/`, {}), 404)
    assert.strictEqual(yield* statusOf(`${hostOrigin}/${"x".repeat(24)}/events`, {}), 404)
    assert.strictEqual(yield* statusOf(`${url}events`, { headers: evil }), 403)
    for (const headers of [evil, {}, { origin: "null" }, { origin: sandboxOrigin }]) {
      assert.strictEqual(yield* statusOf(`${url}rpc?session=x`, { method: "POST", headers }), 403)
    }
    assert.strictEqual(yield* statusOf(`${url}rpc?session=x`, { method: "POST", headers: { origin: hostOrigin } }), 404)
    for (const headers of [evil, {}, { origin: "null" }, { origin: hostOrigin }]) {
      const body = JSON.stringify({ html: "x" })
      assert.strictEqual(yield* statusOf(`${sandboxOrigin}/documents`, { method: "POST", headers, body }), 403)
    }
  })

  itEffect("serves the posted documents only, with the policy of their declaration", function* () {
    const { sandboxOrigin } = yield* openPreview()
    const post = (body: string) =>
      send(`${sandboxOrigin}/documents`, { method: "POST", headers: { origin: sandboxOrigin }, body })
    const pathOf = (body: string) => String(hasField(JSON.parse(body), "path"))

    const plain = yield* post(JSON.stringify({ html: "<p>one" }))
    const served = yield* send(sandboxOrigin + pathOf(plain.body))
    assert.strictEqual(served.body, "<p>one")
    assert.strictEqual(served.headers["content-security-policy"], defaultPolicy)

    const declared = yield* post(JSON.stringify({ html: "x", csp: { connectDomains: ["https://api.example.com"] } }))
    const wider = yield* send(sandboxOrigin + pathOf(declared.body))
    assert.include(String(wider.headers["content-security-policy"]), "connect-src https://api.example.com;")

    assert.strictEqual((yield* post("{")).status, 400)
    assert.strictEqual((yield* post(JSON.stringify({ html: 1 }))).status, 400)
    for (let count = 0; count < 15; count += 1) yield* post(JSON.stringify({ html: "more" }))
    assert.strictEqual((yield* send(sandboxOrigin + pathOf(plain.body))).status, 404)
    assert.strictEqual((yield* send(sandboxOrigin + pathOf(declared.body))).status, 200)
    assert.strictEqual((yield* send(`${sandboxOrigin}/documents/`)).status, 404)
  })

  itEffect("carries frames both ways, and the server's stderr and end", function* () {
    const { url, hostOrigin, sandboxOrigin, title } = yield* openPreview()
    assert.strictEqual(title, "node examples/weather-server.mjs")
    const events = openEvents(url)
    const link = yield* events.next("link")
    assert.deepInclude(Object(link), { sandboxOrigin, title })
    const rpc = (message: unknown) =>
      send(`${url}rpc?session=${String(hasField(link, "session"))}`, {
        method: "POST",
        headers: { origin: hostOrigin },
        body: JSON.stringify(message, undefined, 2)
      })
    assert.strictEqual((yield* rpc(initialize)).status, 204)
    const answer = yield* events.next("frame")
    assert.strictEqual(hasField(hasField(answer, "result"), "protocolVersion"), "2025-11-25")
    events.close()
    const again = openEvents(url)
    assert.match(String(yield* again.next("log")), /^wrapping .*weather-server\.mjs$/)
    again.close()
    const late = yield* Effect.repeat(rpc(initialize), { until: ({ status }) => status !== 204 })
    assert.strictEqual(late.status, 404)
  })

  itEffect("tells how a server ended that cannot run", function* () {
    const { url } = yield* openPreview({ wrapperArgs: ["--", "no-such-command-here"] })
    const events = openEvents(url)
    const exit = yield* events.next("exit")
    assert.deepInclude(exit, { code: 1, signal: null })
    assert.match(JSON.stringify(exit), /"said":".*no-such-command-here ENOENT/)
    events.close()
  })

  itEffect("ends the server process when the page goes, and when the preview ends", function* () {
    const scope = yield* Scope.make()
    const { url, title } = yield* openPreview({
      binPath: fixture("stubborn-server.mjs"),
      wrapperArgs: ["--", "npx", "some-server"]
    }).pipe(Scope.provide(scope))
    assert.strictEqual(title, "npx some-server")
    const pidsOf = (log: unknown): Array<number> => JSON.parse(String(log))

    const first = openEvents(url)
    const firstPids = pidsOf(yield* first.next("log"))
    first.close()
    yield* passTimeUntilEnded(firstPids)

    const second = openEvents(url)
    const secondPids = pidsOf(yield* second.next("log"))
    assert.isTrue(secondPids.every(isAlive))
    const closing = yield* Effect.forkChild(Scope.close(scope, Exit.void))
    yield* passTimeUntilEnded(secondPids)
    yield* Fiber.join(closing)
    const refused = yield* Effect.exit(send(url))
    assert.isTrue(Exit.isFailure(refused))
  })

  itEffect("names a port in use when it was asked for, and takes another when it was not", function* () {
    const busy = yield* Effect.acquireRelease(
      Effect.callback<ReturnType<typeof createServer>>((resume) => {
        const server = createServer()
        server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
      }),
      (server) => Effect.callback<void>((resume) => void server.close(() => resume(Effect.void)))
    )
    const port = Number(hasField(busy.address(), "port"))
    const result = yield* Effect.result(openPreview({ port }))
    assert.isTrue(Result.isFailure(result))
    if (Result.isFailure(result)) {
      assert.strictEqual(result.failure._tag, "PreviewPortInUse")
      assert.include(result.failure.message, `port ${port} is in use`)
      assert.include(result.failure.message, "--port")
    }
    const handler = () => Effect.void
    const other = yield* listen({ host: "127.0.0.1", port, fallBack: true, handler })
    assert.notStrictEqual(other.port, port)
  })

  itEffect("answers 500 when a handler fails, and reads no more of a body than its limit", function* () {
    const { origin } = yield* listen({
      host: "127.0.0.1",
      port: 0,
      fallBack: false,
      handler: (request, response) =>
        Effect.map(readBody(request, 10), (body) => {
          if (body === "break") throw new Error("broken")
          respondText(response, 200, body)
        })
    })
    const post = (body: string) => send(origin, { method: "POST", body })
    assert.strictEqual((yield* post("0123456789")).body, "0123456789\n")
    assert.strictEqual((yield* post("0123456789!")).status, 413)
    assert.strictEqual((yield* post("break")).status, 500)
  })
})

describe("a server process", () => {
  itEffect("gives whole lines however they are cut, and pauses on demand", function* () {
    const frames: Array<string> = []
    const done = yield* Deferred.make<void>()
    const begun = yield* Deferred.make<void>()
    let paused: (() => void) | undefined
    const code = `process.stdout.write("one\\n{\\"a\\":\\"é"); process.stdin.once("data", () => process.stdout.write("\\"}\\nlast\\n"))`
    const server = yield* startServerProcess({
      command: process.execPath,
      args: ["-e", code],
      onLog: () => {},
      onFrame: (line, resume) => {
        frames.push(line)
        if (line === "last") Deferred.doneUnsafe(done, Effect.void)
        if (line !== "one") return true
        Deferred.doneUnsafe(begun, Effect.void)
        paused = resume
        setImmediate(() => paused?.())
        return false
      }
    })
    yield* Deferred.await(begun)
    yield* server.send("go on")
    yield* Deferred.await(done)
    assert.deepStrictEqual(frames, ["one", '{"a":"é"}', "last"])
  })

  itEffect("says why a command cannot be started", function* () {
    const server = yield* startServerProcess({
      command: "no-such-command-here",
      args: [],
      onLog: () => {},
      onFrame: () => true
    })
    const { failure, code } = yield* server.exit
    assert.include(failure ?? "", "ENOENT")
    assert.isNull(code)
    yield* server.send("{}")
  })
})
