import { assert, describe } from "@effect/vitest"
import { Redacted } from "effect"
import { request as httpRequest } from "node:http"
import { connect } from "node:net"
import { beginSession, call, post, rawHttp } from "../../fixtures/RawHttp.ts"
import { hosted } from "../../fixtures/httpServing.ts"

const ping = { jsonrpc: "2.0", id: 1, method: "ping" }

/** What a raw client on a socket of its own gets for a request that it writes by hand. */
const onSocket = (url: string, head: ReadonlyArray<string>): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    let text = ""
    socket.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk
    })
    socket.once("error", reject)
    socket.once("close", () => resolve(text))
    socket.write(`${head.join("\r\n")}\r\n\r\n`)
  })

describe("who may connect", () => {
  hosted(
    "depends on the Host header: this machine, or what is allowed",
    async ({ url }) => {
      const { port } = new URL(url)
      const allowed = [
        `localhost:${port}`,
        `LOCALHOST`,
        `127.0.0.1:${port}`,
        `[::1]:${port}`,
        "proxy.example",
        "proxy.example:8443",
        "exact.example:1234"
      ]
      for (const host of allowed) assert.strictEqual((await post(url, ping, { host })).status, 400, host)
      const refused = [
        "evil.example.com",
        "localhost.evil.example",
        "exact.example",
        "127.0.0.1.evil",
        "a@localhost",
        "x/localhost"
      ]
      for (const host of refused) {
        const answer = await post(url, ping, { host })
        assert.strictEqual(answer.status, 403, host)
        assert.deepInclude(await answer.json(), { jsonrpc: "2.0", id: null })
        assert.strictEqual((await rawHttp(new URL("/healthz", url), { headers: { host } })).status, 403, host)
      }
      assert.match(await onSocket(url, ["GET /mcp HTTP/1.0", "Accept: text/event-stream"]), /^HTTP\/1.1 403/)
    },
    { allowedHosts: ["proxy.example", "Exact.Example:1234"] }
  )

  hosted(
    "depends on the Origin, and pages that may connect can read the answer",
    async ({ url }) => {
      const allowed = ["http://localhost:5173", "https://app.example", new URL(url).origin]
      for (const origin of allowed) {
        const answer = await post(url, ping, { origin })
        assert.strictEqual(answer.status, 400, origin)
        assert.strictEqual(answer.headers["access-control-allow-origin"], origin)
        assert.match(String(answer.headers["access-control-expose-headers"]), /Mcp-Session-Id/)
        assert.strictEqual(answer.headers.vary, "Origin")
      }
      for (const origin of [
        "http://localhost:5174",
        "https://localhost",
        "http://127.0.0.1:1",
        "http://[::1]:80",
        "https://evil.example",
        "null",
        "",
        "file://",
        "http://app.example",
        "https://app.example.evil",
        "chrome-extension://localhost"
      ]) {
        const answer = await post(url, ping, { origin })
        assert.strictEqual(answer.status, 403, origin)
        assert.notProperty(answer.headers, "access-control-allow-origin")
      }
      assert.notProperty((await post(url, ping)).headers, "access-control-allow-origin")
    },
    { allowedOrigins: ["https://app.example", "http://localhost:5173"] }
  )

  hosted(
    "does not depend on the port of a page of this machine where there is a token",
    async ({ url }) => {
      for (const origin of ["http://localhost:5173", "https://localhost", "http://127.0.0.1:1", "http://[::1]:80"]) {
        assert.strictEqual((await post(url, ping, { origin })).status, 401, origin)
        assert.strictEqual((await post(url, ping, { origin, authorization: "Bearer secret" })).status, 400, origin)
      }
      assert.strictEqual((await post(url, ping, { origin: "https://evil.example" })).status, 403)
    },
    { token: Redacted.make("secret") }
  )

  hosted(
    "is no page of the web that says no origin: none of what it can send starts a server",
    async ({ sessions, url }) => {
      const sse = new URL("/sse", url)
      const begin = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: {} })
      const simple = { accept: "*/*", "content-type": "text/plain;charset=UTF-8" }
      const refused: ReadonlyArray<readonly [URL | string, Parameters<typeof rawHttp>[1], number]> = [
        // <img src>, a link that is followed, and <script src>
        [sse, { headers: { accept: "image/avif,image/webp,*/*;q=0.8" } }, 406],
        [sse, { headers: { accept: "text/html,application/xhtml+xml,*/*;q=0.8" } }, 406],
        [sse, { headers: { accept: "text/*" } }, 406],
        [sse, {}, 406],
        [sse, { method: "HEAD", headers: { accept: "text/event-stream" } }, 405],
        // fetch(…, { mode: "no-cors" }), which may say what it accepts
        ...["cross-site", "same-site", "anything"].flatMap((site) => {
          const said = { accept: "text/event-stream", "sec-fetch-site": site }
          return [sse, new URL("/mcp", url), new URL("/metrics", url)].map(
            (at) => [at, { headers: said }, 403] as const
          )
        }),
        [url, { method: "POST", body: begin, headers: simple }, 415],
        [url, { method: "POST", body: begin, headers: { accept: "*/*" } }, 415],
        [
          url,
          { method: "POST", body: begin, headers: { ...simple, "content-type": "text/plain;application/json" } },
          415
        ],
        [url, { method: "POST", body: begin, headers: { ...simple, "sec-fetch-site": "cross-site" } }, 403]
      ]
      for (const [at, request, status] of refused) {
        assert.strictEqual((await rawHttp(at, request)).status, status, JSON.stringify([at, request]))
      }
      assert.strictEqual(sessions.running.size, 0)
      const own = await rawHttp(sse, { headers: { accept: "text/event-stream", "sec-fetch-site": "same-origin" } })
      assert.strictEqual(own.status, 200)
    }
  )

  hosted(
    "is told to browsers that ask before they send, without the token",
    async ({ url }) => {
      const headers = { origin: "http://localhost:1", "access-control-request-headers": "authorization,mcp-param-x" }
      const answer = await rawHttp(url, { method: "OPTIONS", headers })
      assert.strictEqual(answer.status, 204)
      assert.deepInclude(answer.headers, {
        "access-control-allow-origin": "http://localhost:1",
        "access-control-allow-methods": "GET, POST, DELETE, OPTIONS",
        "access-control-allow-headers": "authorization,mcp-param-x"
      })
      assert.strictEqual(
        (await rawHttp(url, { method: "OPTIONS", headers: { ...headers, origin: "https://evil.example" } })).status,
        403
      )
    },
    { token: Redacted.make("secret") }
  )

  hosted(
    "depends on the token, where there is one",
    async ({ url }) => {
      const bare = await post(url, ping)
      assert.deepStrictEqual([bare.status, bare.headers["www-authenticate"]], [401, 'Bearer realm="mcp-gen-ui"'])
      for (const authorization of ["Bearer wrong", "Bearer secre", "Bearer secrets"]) {
        const wrong = await post(url, ping, { authorization })
        assert.strictEqual(wrong.status, 401)
        assert.match(String(wrong.headers["www-authenticate"]), /error="invalid_token"/)
      }
      assert.strictEqual((await post(url, ping, { authorization: "Basic secret" })).status, 401)
      assert.strictEqual((await post(url, ping, { authorization: "bearer secret" })).status, 400)
      const sse = await rawHttp(new URL("/sse", url), { headers: { accept: "text/event-stream" } })
      assert.strictEqual(sse.status, 401)
      assert.strictEqual((await rawHttp(new URL("/healthz", url))).status, 200)
    },
    { token: Redacted.make("secret") }
  )
})

describe("the size of a body", () => {
  hosted(
    "is bounded: what is announced as too large is refused before it comes",
    async ({ url }) => {
      const { host } = new URL(url)
      const head = ["POST /mcp HTTP/1.1", `Host: ${host}`, "Accept: */*", "Content-Type: application/json"]
      assert.match(await onSocket(url, [...head, "Content-Length: 268435456"]), /^HTTP\/1.1 413[^]*Payload Too Large/)
      const announced = await onSocket(url, [...head, "Content-Length: 268435456", "Expect: 100-continue"])
      assert.match(announced, /^HTTP\/1.1 413/)
    },
    { maxBodyBytes: 2_000_000 }
  )

  hosted(
    "is bounded: what turns out to be too large is not kept",
    async ({ url }) => {
      let sent = 0
      const status = await new Promise<number | undefined>((resolve, reject) => {
        const outgoing = httpRequest(url, {
          method: "POST",
          headers: { "content-type": "application/json", accept: "*/*" }
        })
        outgoing.once("response", (answer) => resolve(answer.resume().statusCode))
        outgoing.once("error", reject)
        const chunk = Buffer.alloc(65_536, 0x20)
        const more = (): void => {
          if (outgoing.destroyed || sent > 3_000_000) return
          sent += chunk.length
          outgoing.write(chunk, more)
        }
        more()
      })
      assert.strictEqual(status, 413)
    },
    { maxBodyBytes: 2_000_000 }
  )

  hosted(
    "is bounded together: a large one waits for others that come slowly, a small one does not",
    async ({ url }) => {
      const headers = { "content-type": "application/json", accept: "*/*", "content-length": 99_999 }
      const slow = Array.from({ length: 4 }, () => httpRequest(url, { method: "POST", headers }))
      for (const outgoing of slow) outgoing.on("error", () => undefined).write(Buffer.alloc(99_990, 0x20))
      const large = `${JSON.stringify(ping)}${" ".repeat(95_000)}`
      let refused = await post(url, large)
      while (refused.status !== 503) refused = await post(url, large)
      assert.include(await refused.text(), "too many large bodies")
      const small = await post(url, `${JSON.stringify(ping)}${" ".repeat(5000)}`)
      assert.strictEqual(small.status, 400)
      assert.include(await small.text(), "Mcp-Session-Id is missing")
      for (const outgoing of slow) outgoing.destroy()
    },
    { maxBodyBytes: 100_000 }
  )

  hosted("may be a megabyte, expected or not", async ({ url }) => {
    const id = await beginSession(url)
    const text = "é".repeat(500_000)
    const answer = await post(url, call(1, "echo", { text }), { "mcp-session-id": id, expect: "100-continue" })
    assert.include(await answer.text(), text.slice(0, 1000))
  })
})

describe("what else is there", () => {
  hosted("is little", async ({ url }) => {
    const at = (path: string, method = "GET") => rawHttp(new URL(path, url), { method })
    assert.match(await (await at("/")).text(), /Connect an MCP host to \/mcp/)
    assert.strictEqual((await at("/healthz")).status, 200)
    assert.strictEqual((await at("/healthz", "HEAD")).status, 200)
    assert.strictEqual((await at("/elsewhere")).status, 404)
    const host = `Host: ${new URL(url).host}`
    assert.match(await onSocket(url, ["GET // HTTP/1.1", host, "Connection: close"]), /^HTTP\/1.1 404/)
    assert.strictEqual((await at("/constructor", "POST")).status, 404)
    assert.strictEqual((await at("/sse", "POST")).status, 405)
  })

  hosted(
    "is reached under the address that is listened on",
    async ({ url }) => assert.strictEqual((await rawHttp(new URL("/", url))).status, 200),
    { host: "::1" }
  )

  hosted(
    "is told with the address that was asked for",
    async ({ url }) => assert.match(url, /^http:\/\/0\.0\.0\.0:\d+\/mcp$/),
    { host: "0.0.0.0" }
  )
})
