import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import {
  beginSession,
  call,
  contentOf,
  modernCall,
  post,
  postAndLeave,
  postModern,
  rawHttp,
  turn
} from "../../fixtures/RawHttp.ts"
import { Sessions } from "../../../src/services/session/Sessions.ts"
import { served, withServed } from "../../fixtures/httpServing.ts"
import { whileTimePasses } from "../../fixtures/time.ts"
import { pipedSessions } from "../../fixtures/pipedSessions.ts"

const session = (id: string, more: Readonly<Record<string, string>> = {}) => ({
  "mcp-session-id": id,
  "mcp-protocol-version": "2025-11-25",
  ...more
})
const openStream = (url: string, id: string, more: Readonly<Record<string, string>> = {}) =>
  rawHttp(url, { headers: { accept: "text/event-stream", ...session(id), ...more } })

describe("a session of the legacy era", () => {
  it.effect("begins with initialize, and answers as JSON what is all there is to say", () =>
    withServed(async ({ url }) => {
      const first = await post(url, {
        jsonrpc: "2.0",
        id: 0,
        method: "initialize",
        params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1" } }
      })
      assert.strictEqual(first.status, 200)
      assert.match(String(first.headers["content-type"]), /^application\/json/)
      const id = String(first.headers["mcp-session-id"])
      assert.match(id, /^[\da-f-]{36}$/)
      assert.deepInclude(await first.json(), { id: 0 })

      const told = await post(url, { jsonrpc: "2.0", method: "notifications/initialized" }, session(id))
      assert.strictEqual(told.status, 202)
      const odd = await post(
        url,
        '{"jsonrpc":"2.0", "id" : 12345678901234567890,"method":"tools/call","params":{"name":"odd"}}',
        session(id)
      )
      assert.strictEqual(
        await odd.text(),
        '{"jsonrpc":"2.0","result":{"n":1e400,"z":-0,"i":12345678901234567890,"a":1,"a":2}, "id" :12345678901234567890}'
      )
    })
  )

  it.effect("hands the bytes of a body on as they are, on one line", () =>
    withServed(async ({ url }) => {
      const id = await beginSession(url)
      const body =
        '\uFEFF{\r\n  "jsonrpc": "2.0",\n  "method": "notifications/odd", "params": {"n": 1e400, "n": -0}\n}\n'
      assert.strictEqual((await post(url, body, session(id))).status, 202)
      const heard = await (await post(url, call(1, "heard"), session(id))).json()
      assert.include(
        JSON.parse(contentOf(heard)) as ReadonlyArray<string>,
        '{    "jsonrpc": "2.0",   "method": "notifications/odd", "params": {"n": 1e400, "n": -0} } '
      )
    })
  )

  it.effect("refuses what it can not serve, as the SDK's server does", () =>
    withServed(async ({ url }) => {
      const id = await beginSession(url)
      const ping = { jsonrpc: "2.0", id: 1, method: "ping" }
      const statusOf = async (...args: Parameters<typeof post>) => {
        const answer = await post(...args)
        const { error } = (await answer.json()) as { error: { code: number } }
        return [answer.status, error.code]
      }
      assert.deepStrictEqual(await statusOf(url, ping), [400, -32000])
      assert.deepStrictEqual(await statusOf(url, ping, { "mcp-session-id": "nobody" }), [404, -32001])
      assert.deepStrictEqual(
        await statusOf(url, ping, session(id, { "mcp-protocol-version": "1999-01-01" })),
        [400, -32000]
      )
      assert.deepStrictEqual(await statusOf(url, ping, session(id, { accept: "application/json" })), [406, -32000])
      assert.deepStrictEqual(
        await statusOf(url, ping, session(id, { "content-type": "text/plain; a=application/json" })),
        [415, -32000]
      )
      assert.deepStrictEqual(await statusOf(url, "{nonsense", session(id)), [400, -32700])
      assert.deepStrictEqual(await statusOf(url, '{"jsonrpc":"2.0","id":1', session(id)), [400, -32700])
      assert.deepStrictEqual(await statusOf(url, '{"id":1,"method":"ping"}', session(id)), [400, -32600])
      assert.deepStrictEqual(
        await statusOf(url, '{"jsonrpc":"2.0","id":null,"method":"ping"}', session(id)),
        [400, -32600]
      )
      assert.deepStrictEqual(await statusOf(url, "[]", session(id)), [400, -32600])
      assert.deepStrictEqual(
        await statusOf(url, { jsonrpc: "2.0", id: 1, method: "initialize", params: {} }, session(id)),
        [400, -32600]
      )
      const get = await rawHttp(url, { headers: { accept: "application/json", ...session(id) } })
      assert.strictEqual(get.status, 406)
      const put = await rawHttp(url, { method: "PUT", headers: session(id) })
      assert.deepStrictEqual([put.status, put.headers.allow], [405, "POST, GET, DELETE"])
      const parameters = await post(url, ping, session(id, { "content-type": "Application/JSON; charset=utf-8" }))
      assert.strictEqual(parameters.status, 200)
    })
  )

  it.effect("sends progress on the stream of the request that asked for it", () =>
    withServed(async ({ url }) => {
      const id = await beginSession(url)
      const meta = { progressToken: "p" }
      const answers = await Promise.all([
        post(url, call(1, "progress", {}, meta), session(id)),
        post(url, call(2, "progress", {}, { progressToken: 2 }), session(id))
      ])
      for (const [index, answer] of answers.entries()) {
        assert.match(String(answer.headers["content-type"]), /^text\/event-stream/)
        assert.strictEqual(answer.headers["mcp-session-id"], id)
        const priming = await answer.next()
        assert.strictEqual(priming?.data, "")
        assert.match(priming?.id ?? "", /_0$/)
        assert.strictEqual(priming?.retry, "1000")
        for (const progress of [1, 2, 3]) {
          const { message } = (await answer.next()) ?? {}
          assert.deepInclude(message?.params, { progress, progressToken: index === 0 ? "p" : 2 })
        }
        assert.deepInclude((await answer.next())?.message, { id: index + 1 })
        assert.isUndefined(await answer.next())
      }
    })
  )

  it.effect("gives older hosts no event without data", () =>
    withServed(async ({ url }) => {
      const id = await beginSession(url, "2025-06-18")
      const answer = await post(url, call(1, "progress", {}, { progressToken: 1 }), session(id))
      assert.deepInclude((await answer.next())?.message.params, { progress: 1 })
    })
  )

  it.effect("sends what belongs to no request on the stream of GET, of which there is one", () =>
    withServed(async ({ url }) => {
      const id = await beginSession(url)
      const stream = await openStream(url, id)
      assert.strictEqual(stream.status, 200)
      assert.strictEqual((await openStream(url, id)).status, 409)
      await stream.next()
      const changed = await (await post(url, call(1, "change"), session(id))).json()
      assert.deepInclude(changed, { id: 1 })
      assert.deepInclude((await stream.next())?.message, { method: "notifications/tools/list_changed" })
      stream.destroy()
      let next = await openStream(url, id)
      while (next.status === 409) next = await openStream(url, id)
      assert.strictEqual(next.status, 200)
    })
  )

  it.effect("keeps what belongs to no request for the stream that comes, and for the one that comes back", () =>
    withServed(async ({ url }) => {
      const id = await beginSession(url)
      // While a request is open such messages go with it; after it they wait.
      await (await post(url, { jsonrpc: "2.0", method: "notifications/release", params: {} }, session(id))).text()
      const wait = post(url, call(1, "wait", { tag: "t" }), session(id))
      await (await post(url, call(2, "change"), session(id))).text()
      await post(url, { jsonrpc: "2.0", method: "notifications/release", params: { tag: "t" } }, session(id))
      await (await wait).text()

      const first = await openStream(url, id)
      const priming = await first.next()
      assert.strictEqual(priming?.id, "general_0")
      await (await post(url, call(3, "change"), session(id))).text()
      const event = await first.next()
      assert.strictEqual(event?.id, "general_1")
      first.destroy()
      const again = await openStream(url, id, { "last-event-id": "general_0" })
      assert.strictEqual((await again.next())?.id, "general_0")
      assert.deepStrictEqual((await again.next())?.message, event?.message)
      again.destroy()
      const later = await openStream(url, id, { "last-event-id": "general_1" })
      assert.strictEqual((await later.next())?.id, "general_1")
      await (await post(url, call(4, "change"), session(id))).text()
      assert.strictEqual((await later.next())?.id, "general_2")
      later.destroy()
      // Who does not say what it has, has what was sent.
      let fresh = await openStream(url, id)
      while (fresh.status === 409) fresh = await openStream(url, id)
      await (await post(url, call(5, "change"), session(id))).text()
      assert.deepStrictEqual([(await fresh.next())?.id, (await fresh.next())?.id], ["general_2", "general_3"])
    })
  )

  it.effect("carries requests of the server to the host, and the answers back", () =>
    withServed(async ({ url }) => {
      const id = await beginSession(url)
      const asking = await post(
        url,
        call(1, "ask", { method: "elicitation/create", params: { message: "Who?" } }),
        session(id)
      )
      await asking.next()
      const asked = (await asking.next())?.message
      assert.deepInclude(asked, { id: "ask-1", method: "elicitation/create" })
      const reply = await post(url, { jsonrpc: "2.0", id: "ask-1", result: { action: "decline" } }, session(id))
      assert.strictEqual(reply.status, 202)
      assert.strictEqual(contentOf((await asking.next())?.message), '{"action":"decline"}')
    })
  )

  it.effect("splits batches of 2025-03-26, and answers them together", () =>
    withServed(async ({ url }) => {
      const id = await beginSession(url, "2025-03-26")
      const batch = [
        call(1, "echo", { a: 1 }),
        { jsonrpc: "2.0", method: "notifications/odd" },
        call("1", "echo", { b: 2 })
      ]
      const answer = await post(url, batch, { "mcp-session-id": id })
      assert.match(String(answer.headers["content-type"]), /^application\/json/)
      const messages = (await answer.json()) as unknown as ReadonlyArray<Record<string, unknown>>
      assert.deepStrictEqual(
        messages.map((message) => [message.id, contentOf(message)]),
        [
          [1, '{"a":1}'],
          ["1", '{"b":2}']
        ]
      )
      const mixed = await post(url, [call(2, "progress", {}, { progressToken: 2 }), call(3, "echo")], {
        "mcp-session-id": id
      })
      const events = (await mixed.text()).split("\n").filter((line) => line.startsWith("data: {"))
      assert.lengthOf(events, 5)
      const told = await post(url, [{ jsonrpc: "2.0", method: "notifications/odd" }], { "mcp-session-id": id })
      assert.strictEqual(told.status, 202)
      const twice = await post(url, [call(4, "echo"), call(4, "echo")], { "mcp-session-id": id })
      assert.strictEqual(twice.status, 400)
    })
  )

  it.effect("takes a batch of the server apart", () =>
    withServed(async ({ url }) => {
      const id = await beginSession(url, "2025-03-26")
      const answer = await post(url, call(1, "batch"), session(id))
      const events = (await answer.text()).split("\n").filter((line) => line.startsWith("data: {"))
      assert.deepStrictEqual(events, [
        'data: {"jsonrpc":"2.0","method":"notifications/odd"}',
        'data: {"jsonrpc":"2.0","id":1,"result":{}}'
      ])
    })
  )

  it.effect("keeps two sessions apart that use the same ids", () =>
    withServed(async ({ sessions, url }) => {
      const ids = await Promise.all([beginSession(url), beginSession(url)])
      assert.strictEqual(sessions.running.size, 2)
      const answers = ids.map((id) => post(url, call(1, "wait", { tag: id }), session(id)))
      for (const id of ids.toReversed()) {
        await post(url, { jsonrpc: "2.0", method: "notifications/release", params: { tag: id } }, session(id))
      }
      for (const [index, answer] of answers.entries())
        assert.strictEqual(contentOf(await (await answer).json()), ids[index])
      const other = await post(url, call(1, "echo"), { "mcp-session-id": ids[0] })
      assert.strictEqual(other.status, 200)
    })
  )

  it.effect("refuses an id that is open already", () =>
    withServed(async ({ url }) => {
      const id = await beginSession(url)
      const waiting = post(url, call(7, "wait", { tag: "a" }), session(id))
      await (await post(url, call(8, "echo"), session(id))).text()
      assert.strictEqual((await post(url, call(7.0, "echo"), session(id))).status, 400)
      await post(url, { jsonrpc: "2.0", method: "notifications/release", params: { tag: "a" } }, session(id))
      assert.strictEqual((await waiting).status, 200)
    })
  )

  it.effect("ends the POST of a request that the host cancels", () =>
    withServed(async ({ url }) => {
      const id = await beginSession(url)
      const hanging = post(url, call(1, "hang"), session(id))
      await (await post(url, call(2, "echo"), session(id))).text()
      await post(url, { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } }, session(id))
      assert.strictEqual(await (await hanging).text(), "")
      const heard = contentOf(await (await post(url, call(3, "heard"), session(id))).json())
      assert.include(heard, "notifications/cancelled")
    })
  )

  it.effect("goes on when a host vanishes, which can come back for a stream", () =>
    withServed(async ({ url }) => {
      const id = await beginSession(url)
      const call1 = await post(url, call(1, "ask", { method: "roots/list" }), session(id))
      const priming = await call1.next()
      assert.deepInclude((await call1.next())?.message, { method: "roots/list" })
      call1.destroy()
      await (await post(url, call(3, "echo"), session(id))).text()
      const heard = contentOf(await (await post(url, call(4, "heard"), session(id))).json())
      assert.notInclude(heard, "cancelled")
      await post(url, { jsonrpc: "2.0", id: "ask-1", result: { roots: [] } }, session(id))
      await (await post(url, call(5, "echo"), session(id))).text()

      const resumed = await openStream(url, id, { "last-event-id": priming?.id ?? "" })
      assert.strictEqual((await resumed.next())?.data, "")
      assert.deepInclude((await resumed.next())?.message, { method: "roots/list" })
      const answer = await resumed.next()
      assert.strictEqual(contentOf(answer?.message), '{"roots":[]}')
      assert.isUndefined(await resumed.next())
      // All of it was said: nothing to come back to.
      let over = await openStream(url, id, { "last-event-id": answer?.id ?? "" })
      while (over.status === 200) {
        await over.text()
        over = await openStream(url, id, { "last-event-id": answer?.id ?? "" })
      }
      assert.strictEqual(over.status, 204)
      assert.strictEqual((await openStream(url, id, { "last-event-id": "what?" })).status, 400)
    })
  )

  it.effect("drops the answer for a host that left before there was any, and frees its id", () =>
    withServed(async ({ url }) => {
      const id = await beginSession(url)
      const leaving = postAndLeave(url, call(6, "wait", { tag: "late" }), session(id))
      const statusOf = async () => (await post(url, call(6, "echo", {}), session(id))).status
      while ((await statusOf()) !== 400) await turn()
      leaving.leave()
      while ((await statusOf()) !== 200) await turn()
      await post(url, { jsonrpc: "2.0", method: "notifications/release", params: { tag: "late" } }, session(id))
      // The server writes in order: when this is answered, the late answer has come and found nobody.
      const heard = contentOf(await (await post(url, call(7, "heard"), session(id))).json())
      assert.include(heard, "notifications/release")
      assert.notInclude(heard, "cancelled")
      const answer = await (await post(url, call(6, "echo", { mine: true }), session(id))).json()
      assert.strictEqual(contentOf(answer), '{"mine":true}')
    })
  )

  it.effect("shows that it lives when the server is silent", () =>
    served(({ url }) =>
      Effect.gen(function* () {
        const id = yield* Effect.promise(() => beginSession(url))
        const waiting = post(url, call(1, "wait", { tag: "late" }), session(id))
        const answer = yield* whileTimePasses(
          Effect.promise(() => waiting),
          "1 second"
        )
        assert.match(String(answer.headers["content-type"]), /^text\/event-stream/)
        assert.strictEqual((yield* Effect.promise(() => answer.next()))?.data, "")
        const comments = new Promise<void>((resolve) => {
          answer.incoming.on("data", (chunk: string) => {
            if (chunk.startsWith(":")) resolve()
          })
        })
        yield* whileTimePasses(
          Effect.promise(() => comments),
          "1 second"
        )
        yield* Effect.promise(() =>
          post(url, { jsonrpc: "2.0", method: "notifications/release", params: { tag: "late" } }, session(id))
        )
        assert.strictEqual(contentOf((yield* Effect.promise(() => answer.next()))?.message), "late")
      })
    )
  )

  it.effect("ends on DELETE, and its server with it", () =>
    withServed(async ({ sessions, url }) => {
      const id = await beginSession(url)
      const stream = await openStream(url, id)
      assert.strictEqual((await rawHttp(url, { method: "DELETE", headers: session(id) })).status, 200)
      await stream.text()
      assert.strictEqual((await post(url, call(1, "echo"), session(id))).status, 404)
      while (sessions.running.size > 0) await turn()
    })
  )

  it.effect("ends when nobody uses it, but not while a host is connected", () =>
    served(
      ({ sessions, url }) =>
        Effect.gen(function* () {
          const [idle, listening] = yield* Effect.promise(() => Promise.all([beginSession(url), beginSession(url)]))
          const stream = yield* Effect.promise(() => openStream(url, listening))
          yield* Effect.promise(() => stream.next())
          const oneLeft = async (): Promise<void> => {
            while (sessions.running.size > 1) await turn()
          }
          yield* whileTimePasses(Effect.promise(oneLeft), "1 second")
          yield* TestClock.adjust("1 hour")
          const ping = { jsonrpc: "2.0", id: 1, method: "ping" }
          const answers = yield* Effect.promise(() =>
            Promise.all([post(url, ping, session(idle)), post(url, ping, session(listening))])
          )
          assert.deepStrictEqual(
            answers.map(({ status }) => status),
            [404, 200]
          )
        }),
      { sessionIdleMs: 60_000 }
    )
  )

  it.effect("is refused beyond the number that is allowed, until one ends", () =>
    withServed(
      async ({ sessions, url }) => {
        const id = await beginSession(url)
        const initialize = { jsonrpc: "2.0", id: 5, method: "initialize", params: { protocolVersion: "2025-11-25" } }
        const refused = await post(url, initialize)
        assert.deepStrictEqual([refused.status, refused.headers["retry-after"]], [503, "10"])
        assert.match(
          JSON.stringify(await refused.json()),
          /all 1 sessions are in use.*"id":5|"id":5.*all 1 sessions are in use/
        )
        await rawHttp(url, { method: "DELETE", headers: session(id) })
        while (sessions.running.size > 0) await turn()
        assert.strictEqual((await post(url, initialize)).status, 200)
      },
      { maxSessions: 1 }
    )
  )

  it.effect("makes room for a new one when it was idle for a minute, and longer than all others", () =>
    served(
      ({ sessions, url }) =>
        Effect.gen(function* () {
          const initialize = { jsonrpc: "2.0", id: 5, method: "initialize", params: { protocolVersion: "2025-11-25" } }
          const begin = Effect.promise(() => post(url, initialize))
          const ping = (id: string) =>
            Effect.promise(async () => (await post(url, { jsonrpc: "2.0", id: 9, method: "ping" }, session(id))).status)
          const [listening, calling, idle, used] = yield* Effect.promise(async () => {
            const ids: Array<string> = []
            for (let n = 0; n < 4; n += 1) ids.push(await beginSession(url))
            return ids
          })
          if (listening === undefined || calling === undefined || idle === undefined || used === undefined) {
            return assert.fail("four sessions were to begin")
          }
          yield* Effect.promise(() => openStream(url, listening))
          const waiting = post(url, call(1, "wait", { tag: "w" }), session(calling))
          yield* TestClock.adjust("50 seconds")
          assert.strictEqual(yield* ping(used), 200)
          assert.strictEqual((yield* begin).status, 503)
          yield* TestClock.adjust("11 seconds")
          const room = yield* begin
          assert.strictEqual(room.status, 200)
          assert.strictEqual(sessions.running.size, 4)
          assert.deepStrictEqual(yield* Effect.forEach([idle, listening, calling, used], ping), [404, 200, 200, 200])
          const refused = yield* begin
          assert.strictEqual(refused.status, 503)
          assert.match(yield* Effect.promise(refused.text), /nobody has used for 60 s makes room/)
          yield* Effect.promise(async () => {
            await post(url, { jsonrpc: "2.0", method: "notifications/release", params: { tag: "w" } }, session(calling))
            assert.include(await (await waiting).text(), '"text":"w"')
          })
        }),
      { maxSessions: 4 }
    )
  )

  it.effect("makes room for hosts of the modern era, which share one, before that begins", () => {
    const piped = pipedSessions()
    const runningBefore: Array<number> = []
    const watched = Effect.map(Sessions, ({ open }) =>
      Sessions.of({
        open: (host) =>
          Effect.suspend(() => {
            runningBefore.push(piped.running.size)
            return open(host)
          })
      })
    )
    const layer = Layer.effect(Sessions, watched).pipe(Layer.provide(piped.layer))
    return served(
      ({ url }) =>
        Effect.gen(function* () {
          const idle = yield* Effect.promise(() => beginSession(url))
          const echo = Effect.promise(() => postModern(url, modernCall(1, "echo")))
          assert.strictEqual((yield* echo).status, 503)
          yield* TestClock.adjust("61 seconds")
          assert.strictEqual((yield* echo).status, 200)
          assert.deepStrictEqual(runningBefore, [0, 0])
          const ping = { jsonrpc: "2.0", id: 1, method: "ping" }
          assert.strictEqual((yield* Effect.promise(() => post(url, ping, session(idle)))).status, 404)
        }),
      { maxSessions: 1 },
      { ...piped, layer }
    )
  })

  it.effect("answers what is open when its host ends it", () =>
    withServed(async ({ url }) => {
      const id = await beginSession(url)
      const hanging = post(url, call("h", "hang"), session(id))
      const streaming = await post(url, call("s", "ask", { method: "roots/list" }), session(id))
      await streaming.next()
      await streaming.next()
      await rawHttp(url, { method: "DELETE", headers: session(id) })
      const error = { code: -32000, message: "the host has ended the session" }
      const answer = await hanging
      assert.strictEqual(answer.status, 404)
      assert.deepStrictEqual(await answer.json(), { jsonrpc: "2.0", id: "h", error })
      assert.deepStrictEqual((await streaming.next())?.message, { jsonrpc: "2.0", id: "s", error })
    })
  )

  it.effect("says why when the server can not be started", () =>
    withServed(async ({ sessions, url }) => {
      sessions.failNext = true
      const answer = await post(url, { jsonrpc: "2.0", id: 3, method: "initialize", params: {} })
      assert.strictEqual(answer.status, 502)
      const { error, id } = (await answer.json()) as { error: { message: string }; id: number }
      assert.strictEqual(id, 3)
      assert.match(error.message, /"no-such-server" was not found/)
      assert.match(await beginSession(url), /-/)
    })
  )

  it.effect("fails what is open when the server ends, and is forgotten", () =>
    withServed(async ({ url }) => {
      const id = await beginSession(url)
      const hanging = post(url, call("h", "hang"), session(id))
      const asking = await post(url, call("a", "ask", { method: "roots/list" }), session(id))
      await asking.next()
      await asking.next()
      const crashing = await post(url, call("c", "crash"), session(id))
      for (const answer of [await hanging, crashing]) {
        assert.strictEqual(answer.status, 502)
        assert.match(JSON.stringify(await answer.json()), /ended with exit code 7/)
      }
      assert.match(JSON.stringify((await asking.next())?.message), /"id":"a".*ended with exit code 7/)
      assert.strictEqual((await post(url, call(2, "echo"), session(id))).status, 404)
    })
  )

  it.effect("does not stay when the server refuses to begin it", () =>
    withServed(async ({ sessions, url }) => {
      const params = { protocolVersion: "2025-11-25", clientInfo: { name: "unwelcome", version: "1" } }
      const answer = await post(url, { jsonrpc: "2.0", id: 1, method: "initialize", params })
      assert.match(await answer.text(), /not you/)
      while (sessions.running.size > 0) await turn()
      assert.strictEqual(
        (await post(url, call(2, "echo"), session(String(answer.headers["mcp-session-id"])))).status,
        404
      )
    })
  )
})
