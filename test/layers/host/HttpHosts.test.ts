import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import {
  beginHost,
  beginSession,
  call,
  contentOf,
  modernCall,
  post,
  postAndLeave,
  postModern,
  type RawAnswer,
  rawHttp,
  turn
} from "../../fixtures/RawHttp.ts"
import { hosted, hostedEffect } from "../../fixtures/httpServing.ts"
import { whileTimePasses } from "../../fixtures/time.ts"

const session = (id: string, more: Readonly<Record<string, string>> = {}) => ({
  "mcp-session-id": id,
  "mcp-protocol-version": "2025-11-25",
  ...more
})
const openStream = (url: string, id: string, more: Readonly<Record<string, string>> = {}) =>
  rawHttp(url, { headers: { accept: "text/event-stream", ...session(id), ...more } })

describe("a session of the legacy era", () => {
  hosted("begins with initialize, and answers as JSON what is all there is to say", async ({ url }) => {
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

  hosted("hands the bytes of a body on as they are, on one line", async ({ url }) => {
    const host = await beginHost(url)
    const body = '\uFEFF{\r\n  "jsonrpc": "2.0",\n  "method": "notifications/odd", "params": {"n": 1e400, "n": -0}\n}\n'
    assert.strictEqual((await host.post(body)).status, 202)
    const heard = await (await host.post(call(1, "heard"))).json()
    assert.include(
      JSON.parse(contentOf(heard)) as ReadonlyArray<string>,
      '{    "jsonrpc": "2.0",   "method": "notifications/odd", "params": {"n": 1e400, "n": -0} } '
    )
  })

  hosted("refuses what it cannot serve, as the SDK's server does", async ({ url }) => {
    const { headers, listen, post: send } = await beginHost(url)
    const ping = { jsonrpc: "2.0", id: 1, method: "ping" }
    const initialize = { jsonrpc: "2.0", id: 1, method: "initialize", params: {} }
    const table: ReadonlyArray<
      readonly [message: unknown, headers: Record<string, string>, status: number, code: number]
    > = [
      [ping, { "mcp-protocol-version": "1999-01-01" }, 400, -32000],
      [ping, { "mcp-session-id": "nobody" }, 404, -32001],
      [ping, { accept: "application/json" }, 406, -32000],
      [ping, { "content-type": "text/plain; a=application/json" }, 415, -32000],
      ["{nonsense", {}, 400, -32700],
      ['{"jsonrpc":"2.0","id":1', {}, 400, -32700],
      ['{"id":1,"method":"ping"}', {}, 400, -32600],
      ['{"jsonrpc":"2.0","id":null,"method":"ping"}', {}, 400, -32600],
      ["[]", {}, 400, -32600],
      [initialize, {}, 400, -32600]
    ]
    const refusalOf = async (answer: RawAnswer) => {
      const { error } = (await answer.json()) as { error: { code: number } }
      return [answer.status, error.code]
    }
    assert.deepStrictEqual(await refusalOf(await post(url, ping)), [400, -32000])
    for (const [message, more, ...expected] of table) {
      assert.deepStrictEqual(await refusalOf(await send(message, more)), expected, JSON.stringify([message, more]))
    }
    assert.strictEqual((await listen({ accept: "application/json" })).status, 406)
    const put = await rawHttp(url, { method: "PUT", headers })
    assert.deepStrictEqual([put.status, put.headers.allow], [405, "POST, GET, DELETE"])
    assert.strictEqual((await send(ping, { "content-type": "Application/JSON; charset=utf-8" })).status, 200)
  })

  hosted("sends progress on the stream of the request that asked for it", async ({ url }) => {
    const host = await beginHost(url)
    const meta = { progressToken: "p" }
    const answers = await Promise.all([
      host.post(call(1, "progress", {}, meta)),
      host.post(call(2, "progress", {}, { progressToken: 2 }))
    ])
    for (const [index, answer] of answers.entries()) {
      assert.match(String(answer.headers["content-type"]), /^text\/event-stream/)
      assert.strictEqual(answer.headers["mcp-session-id"], host.id)
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

  hosted("gives older hosts no event without data", async ({ url }) => {
    const host = await beginHost(url, "2025-06-18")
    const answer = await host.post(call(1, "progress", {}, { progressToken: 1 }))
    assert.deepInclude((await answer.next())?.message.params, { progress: 1 })
  })

  hosted("sends what belongs to no request on the stream of GET, of which there is one", async ({ url }) => {
    const host = await beginHost(url)
    const stream = await host.listen()
    assert.strictEqual(stream.status, 200)
    assert.strictEqual((await host.listen()).status, 409)
    await stream.next()
    const changed = await (await host.post(call(1, "change"))).json()
    assert.deepInclude(changed, { id: 1 })
    assert.deepInclude((await stream.next())?.message, { method: "notifications/tools/list_changed" })
    stream.destroy()
    let next = await host.listen()
    while (next.status === 409) next = await host.listen()
    assert.strictEqual(next.status, 200)
  })

  hosted(
    "keeps what belongs to no request for the stream that comes, and for the one that comes back",
    async ({ url }) => {
      const host = await beginHost(url)
      // While a request is open such messages go with it; after it they wait.
      await (await host.post({ jsonrpc: "2.0", method: "notifications/release", params: {} })).text()
      const wait = host.post(call(1, "wait", { tag: "t" }))
      await (await host.post(call(2, "change"))).text()
      await host.release("t")
      await (await wait).text()

      const first = await host.listen()
      const priming = await first.next()
      assert.strictEqual(priming?.id, "general_0")
      await (await host.post(call(3, "change"))).text()
      const event = await first.next()
      assert.strictEqual(event?.id, "general_1")
      first.destroy()
      const again = await host.listen({ "last-event-id": "general_0" })
      assert.strictEqual((await again.next())?.id, "general_0")
      assert.deepStrictEqual((await again.next())?.message, event?.message)
      again.destroy()
      const later = await host.listen({ "last-event-id": "general_1" })
      assert.strictEqual((await later.next())?.id, "general_1")
      await (await host.post(call(4, "change"))).text()
      assert.strictEqual((await later.next())?.id, "general_2")
      later.destroy()
      // Who does not say what it has, has what was sent.
      let fresh = await host.listen()
      while (fresh.status === 409) fresh = await host.listen()
      await (await host.post(call(5, "change"))).text()
      assert.deepStrictEqual([(await fresh.next())?.id, (await fresh.next())?.id], ["general_2", "general_3"])
    }
  )

  hosted("carries requests of the server to the host, and the answers back", async ({ url }) => {
    const host = await beginHost(url)
    const asking = await host.post(call(1, "ask", { method: "elicitation/create", params: { message: "Who?" } }))
    await asking.next()
    const asked = (await asking.next())?.message
    assert.deepInclude(asked, { id: "ask-1", method: "elicitation/create" })
    const reply = await host.post({ jsonrpc: "2.0", id: "ask-1", result: { action: "decline" } })
    assert.strictEqual(reply.status, 202)
    assert.strictEqual(contentOf((await asking.next())?.message), '{"action":"decline"}')
  })

  hosted("splits batches of 2025-03-26, and answers them together", async ({ url }) => {
    const headers = { "mcp-session-id": await beginSession(url, "2025-03-26") }
    const batch = [
      call(1, "echo", { a: 1 }),
      { jsonrpc: "2.0", method: "notifications/odd" },
      call("1", "echo", { b: 2 })
    ]
    const answer = await post(url, batch, headers)
    assert.match(String(answer.headers["content-type"]), /^application\/json/)
    const messages = (await answer.json()) as unknown as ReadonlyArray<Record<string, unknown>>
    assert.deepStrictEqual(
      messages.map((message) => [message.id, contentOf(message)]),
      [
        [1, '{"a":1}'],
        ["1", '{"b":2}']
      ]
    )
    const mixed = await post(url, [call(2, "progress", {}, { progressToken: 2 }), call(3, "echo")], headers)
    const events = (await mixed.text()).split("\n").filter((line) => line.startsWith("data: {"))
    assert.lengthOf(events, 5)
    const told = await post(url, [{ jsonrpc: "2.0", method: "notifications/odd" }], headers)
    assert.strictEqual(told.status, 202)
    const twice = await post(url, [call(4, "echo"), call(4, "echo")], headers)
    assert.strictEqual(twice.status, 400)
  })

  hosted("takes a batch of the server apart", async ({ url }) => {
    const host = await beginHost(url, "2025-03-26")
    const answer = await host.post(call(1, "batch"))
    const events = (await answer.text()).split("\n").filter((line) => line.startsWith("data: {"))
    assert.deepStrictEqual(events, [
      'data: {"jsonrpc":"2.0","method":"notifications/odd"}',
      'data: {"jsonrpc":"2.0","id":1,"result":{}}'
    ])
  })

  hosted("keeps two sessions apart that use the same ids", async ({ sessions, url }) => {
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

  hosted("refuses an id that is open already", async ({ url }) => {
    const host = await beginHost(url)
    const waiting = host.post(call(7, "wait", { tag: "a" }))
    await (await host.post(call(8, "echo"))).text()
    assert.strictEqual((await host.post(call(7.0, "echo"))).status, 400)
    await host.release("a")
    assert.strictEqual((await waiting).status, 200)
  })

  hosted("ends the POST of a request that the host cancels", async ({ url }) => {
    const host = await beginHost(url)
    const hanging = host.post(call(1, "hang"))
    await (await host.post(call(2, "echo"))).text()
    await host.post({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } })
    assert.strictEqual(await (await hanging).text(), "")
    const heard = contentOf(await (await host.post(call(3, "heard"))).json())
    assert.include(heard, "notifications/cancelled")
  })

  hosted("goes on when a host vanishes, which can come back for a stream", async ({ url }) => {
    const host = await beginHost(url)
    const call1 = await host.post(call(1, "ask", { method: "roots/list" }))
    const priming = await call1.next()
    assert.deepInclude((await call1.next())?.message, { method: "roots/list" })
    call1.destroy()
    await (await host.post(call(3, "echo"))).text()
    const heard = contentOf(await (await host.post(call(4, "heard"))).json())
    assert.notInclude(heard, "cancelled")
    await host.post({ jsonrpc: "2.0", id: "ask-1", result: { roots: [] } })
    await (await host.post(call(5, "echo"))).text()

    const resumed = await host.listen({ "last-event-id": priming?.id ?? "" })
    assert.strictEqual((await resumed.next())?.data, "")
    assert.deepInclude((await resumed.next())?.message, { method: "roots/list" })
    const answer = await resumed.next()
    assert.strictEqual(contentOf(answer?.message), '{"roots":[]}')
    assert.isUndefined(await resumed.next())
    // All of it was said: nothing to come back to.
    let over = await host.listen({ "last-event-id": answer?.id ?? "" })
    while (over.status === 200) {
      await over.text()
      over = await host.listen({ "last-event-id": answer?.id ?? "" })
    }
    assert.strictEqual(over.status, 204)
    assert.strictEqual((await host.listen({ "last-event-id": "what?" })).status, 400)
  })

  hosted("drops the answer for a host that left before there was any, and frees its id", async ({ url }) => {
    const host = await beginHost(url)
    const leaving = postAndLeave(url, call(6, "wait", { tag: "late" }), host.headers)
    const statusOf = async () => (await host.post(call(6, "echo", {}))).status
    while ((await statusOf()) !== 400) await turn()
    leaving.leave()
    while ((await statusOf()) !== 200) await turn()
    await host.release("late")
    // The server writes in order: when this is answered, the late answer has come and found nobody.
    const heard = contentOf(await (await host.post(call(7, "heard"))).json())
    assert.include(heard, "notifications/release")
    assert.notInclude(heard, "cancelled")
    const answer = await (await host.post(call(6, "echo", { mine: true }))).json()
    assert.strictEqual(contentOf(answer), '{"mine":true}')
  })

  hostedEffect("shows that it lives when the server is silent", function* ({ url }) {
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

  hosted("ends on DELETE, and its server with it", async ({ sessions, url }) => {
    const host = await beginHost(url)
    const stream = await host.listen()
    assert.strictEqual((await host.end()).status, 200)
    await stream.text()
    assert.strictEqual((await host.post(call(1, "echo"))).status, 404)
    while (sessions.running.size > 0) await turn()
  })

  hostedEffect(
    "ends when nobody uses it, but not while a host is connected",
    function* ({ sessions, url }) {
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
    },
    { sessionIdleMs: 60_000 }
  )

  hosted(
    "is refused beyond the number that is allowed, until one ends",
    async ({ sessions, url }) => {
      const host = await beginHost(url)
      const initialize = { jsonrpc: "2.0", id: 5, method: "initialize", params: { protocolVersion: "2025-11-25" } }
      const refused = await post(url, initialize)
      assert.deepStrictEqual([refused.status, refused.headers["retry-after"]], [503, "10"])
      assert.match(
        JSON.stringify(await refused.json()),
        /all 1 sessions are in use.*"id":5|"id":5.*all 1 sessions are in use/
      )
      await host.end()
      while (sessions.running.size > 0) await turn()
      assert.strictEqual((await post(url, initialize)).status, 200)
    },
    { maxSessions: 1 }
  )

  hostedEffect(
    "makes room for a new one when it was idle for a minute, and longer than all others",
    function* ({ sessions, url }) {
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
    },
    { maxSessions: 4 }
  )

  hostedEffect(
    "makes room for hosts of the modern era, which share one, before that begins",
    function* ({ sessions, url }) {
      const runningBefore: Array<number> = []
      sessions.onOpen = () => void runningBefore.push(sessions.running.size)
      const idle = yield* Effect.promise(() => beginSession(url))
      const echo = Effect.promise(() => postModern(url, modernCall(1, "echo")))
      assert.strictEqual((yield* echo).status, 503)
      yield* TestClock.adjust("61 seconds")
      assert.strictEqual((yield* echo).status, 200)
      assert.deepStrictEqual(runningBefore, [0, 0])
      const ping = { jsonrpc: "2.0", id: 1, method: "ping" }
      assert.strictEqual((yield* Effect.promise(() => post(url, ping, session(idle)))).status, 404)
    },
    { maxSessions: 1 }
  )

  hosted("answers what is open when its host ends it", async ({ url }) => {
    const host = await beginHost(url)
    const hanging = host.post(call("h", "hang"))
    const streaming = await host.post(call("s", "ask", { method: "roots/list" }))
    await streaming.next()
    await streaming.next()
    await host.end()
    const error = { code: -32000, message: "the host has ended the session" }
    const answer = await hanging
    assert.strictEqual(answer.status, 404)
    assert.deepStrictEqual(await answer.json(), { jsonrpc: "2.0", id: "h", error })
    assert.deepStrictEqual((await streaming.next())?.message, { jsonrpc: "2.0", id: "s", error })
  })

  hosted("says why when the server cannot be started", async ({ sessions, url }) => {
    sessions.failNext = true
    const answer = await post(url, { jsonrpc: "2.0", id: 3, method: "initialize", params: {} })
    assert.strictEqual(answer.status, 502)
    const { error, id } = (await answer.json()) as { error: { message: string }; id: number }
    assert.strictEqual(id, 3)
    assert.match(error.message, /"no-such-server" was not found/)
    assert.match(await beginSession(url), /-/)
  })

  hosted("fails what is open when the server ends, and is forgotten", async ({ url }) => {
    const host = await beginHost(url)
    const hanging = host.post(call("h", "hang"))
    const asking = await host.post(call("a", "ask", { method: "roots/list" }))
    await asking.next()
    await asking.next()
    const crashing = await host.post(call("c", "crash"))
    for (const answer of [await hanging, crashing]) {
      assert.strictEqual(answer.status, 502)
      assert.match(JSON.stringify(await answer.json()), /ended with exit code 7/)
    }
    assert.match(JSON.stringify((await asking.next())?.message), /"id":"a".*ended with exit code 7/)
    assert.strictEqual((await host.post(call(2, "echo"))).status, 404)
  })

  hosted("does not stay when the server refuses to begin it", async ({ sessions, url }) => {
    const params = { protocolVersion: "2025-11-25", clientInfo: { name: "unwelcome", version: "1" } }
    const answer = await post(url, { jsonrpc: "2.0", id: 1, method: "initialize", params })
    assert.match(await answer.text(), /not you/)
    while (sessions.running.size > 0) await turn()
    assert.strictEqual(
      (await post(url, call(2, "echo"), session(String(answer.headers["mcp-session-id"])))).status,
      404
    )
  })
})
