import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { contentOf, ENVELOPE, modernCall, post, postAndLeave, postModern, turn } from "../../fixtures/RawHttp.ts"
import { hosted, hostedEffect } from "../../fixtures/httpServing.ts"

const release = (tag: string) => ({ method: "notifications/release", params: { tag } })

const heardBy = async (url: string): Promise<ReadonlyArray<Record<string, unknown>>> => {
  const lines = contentOf(await (await postModern(url, modernCall(99, "heard"))).json())
  return (JSON.parse(lines) as ReadonlyArray<string>).map((line) => JSON.parse(line) as Record<string, unknown>)
}

const errorOf = async (answer: Promise<Awaited<ReturnType<typeof post>>>) => {
  const { json, status } = await answer
  const { error, id } = (await json()) as { error: { code: number; message: string; data?: unknown }; id: unknown }
  return { status, code: error.code, id, message: error.message, data: error.data }
}

describe("hosts of 2026-07-28", () => {
  hosted("are served without a session, by one server for all", async ({ sessions, url }) => {
    const answers = await Promise.all([1, 2, 3].map((n) => postModern(url, modernCall(1, "echo", { n }))))
    for (const [index, answer] of answers.entries()) {
      assert.strictEqual(answer.status, 200)
      assert.notProperty(answer.headers, "mcp-session-id")
      assert.strictEqual(contentOf(await answer.json()), `{"n":${index + 1}}`)
    }
    assert.strictEqual(sessions.running.size, 1)
  })

  hosted("get their own answers, whatever their ids, each id as it was written", async ({ url }) => {
    const ids = ["1", "1", '"1"', "12345678901234567890", '"\\u0041 \\" "']
    const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "wait" }
    const meta =
      '{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}'
    const answers = ids.map((id, tag) =>
      post(
        url,
        `{"id":${id},"jsonrpc":"2.0","method":"tools/call","params":{"name":"wait","arguments":{"tag":${tag}},"_meta":${meta}}}`,
        headers
      )
    )
    await postModern(url, modernCall(1, "echo"))
    for (const tag of [4, 2, 0, 3, 1]) {
      await postModern(url, { method: "notifications/release", params: { tag } })
    }
    for (const [tag, answer] of answers.entries()) {
      const text = await (await answer).text()
      assert.isTrue(text.startsWith(`{"jsonrpc":"2.0","id":${ids[tag]},"result":`), text)
      assert.include(text, `"text":"${tag}"`)
    }
  })

  hosted("get their own progress, under their own tokens", async ({ url }) => {
    const tokens = ["p", "p", 7]
    const answers = await Promise.all(
      tokens.map((progressToken) => postModern(url, modernCall(1, "progress", {}, { progressToken })))
    )
    for (const [index, answer] of answers.entries()) {
      for (const progress of [1, 2, 3]) {
        const event = await answer.next()
        assert.isUndefined(event?.id)
        assert.deepStrictEqual(event?.message.params, { progressToken: tokens[index], progress, total: 3 })
      }
      assert.deepInclude((await answer.next())?.message, { id: 1 })
      assert.isUndefined(await answer.next())
    }
  })

  hosted("cancel by closing the connection, and nobody gets what was for them", async ({ url }) => {
    const other = postModern(url, modernCall(1, "wait", { tag: "other" }))
    const leaving = await postModern(url, modernCall(1, "progress", {}, { progressToken: "x" }))
    leaving.destroy()
    const listening = await postModern(url, {
      id: 1,
      method: "subscriptions/listen",
      params: { notifications: { toolsListChanged: true } }
    })
    await listening.next()
    listening.destroy()
    let cancelled: ReadonlyArray<Record<string, unknown>> = []
    while (cancelled.length === 0) {
      cancelled = (await heardBy(url)).filter(({ method }) => method === "notifications/cancelled")
    }
    const params = cancelled[0]?.params as Record<string, unknown>
    assert.match(String(params.requestId), /^mcp-gen-ui:/)
    assert.deepInclude(params._meta, { "io.modelcontextprotocol/protocolVersion": "2026-07-28" })
    // The server goes on to speak of the subscription.
    await (await postModern(url, modernCall(2, "change"))).text()
    await postModern(url, release("other"))
    assert.strictEqual(contentOf(await (await other).json()), "other")
  })

  hosted("cancel by leaving before there is an answer", async ({ url }) => {
    const message = { jsonrpc: "2.0", ...modernCall(1, "wait", { tag: "gone" }, ENVELOPE) }
    const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "wait" }
    const leaving = postAndLeave(url, message, headers)
    let waiting: ReadonlyArray<Record<string, unknown>> = []
    while (waiting.length === 0) waiting = (await heardBy(url)).filter(({ method }) => method === "tools/call")
    leaving.leave()
    let cancelled: ReadonlyArray<Record<string, unknown>> = []
    while (cancelled.length === 0) {
      cancelled = (await heardBy(url)).filter(({ method }) => method === "notifications/cancelled")
    }
    assert.deepInclude(cancelled[0]?.params, { requestId: waiting[0]?.id })
    await postModern(url, release("gone"))
    assert.strictEqual(contentOf(await (await postModern(url, modernCall(1, "echo", { b: 1 }))).json()), '{"b":1}')
  })

  hosted("cannot cancel what another host may have asked", async ({ url }) => {
    const waiting = postModern(url, modernCall(1, "wait", { tag: "mine" }))
    await (await postModern(url, modernCall(2, "echo"))).text()
    const answer = await postModern(url, { method: "notifications/cancelled", params: { requestId: 1 } })
    assert.strictEqual(answer.status, 202)
    assert.isFalse((await heardBy(url)).some(({ method }) => method === "notifications/cancelled"))
    await postModern(url, release("mine"))
    assert.strictEqual(contentOf(await (await waiting).json()), "mine")
  })

  hosted("each have subscriptions of their own", async ({ url }) => {
    const listen = (id: unknown) => ({
      id,
      method: "subscriptions/listen",
      params: { notifications: { toolsListChanged: true } }
    })
    const streams = await Promise.all([
      postModern(url, listen(1)),
      postModern(url, listen(1)),
      postModern(url, listen("sub"))
    ])
    const ids = [1, 1, "sub"]
    for (const [index, stream] of streams.entries()) {
      assert.match(String(stream.headers["content-type"]), /event-stream/)
      const { message } = (await stream.next()) ?? {}
      assert.strictEqual(message?.method, "notifications/subscriptions/acknowledged")
      assert.deepInclude(message?.params, { _meta: { "io.modelcontextprotocol/subscriptionId": ids[index] } })
    }
    await (await postModern(url, modernCall(1, "change"))).text()
    for (const [index, stream] of streams.entries()) {
      const { message } = (await stream.next()) ?? {}
      assert.strictEqual(message?.method, "notifications/tools/list_changed")
      assert.deepStrictEqual(message?.params, { _meta: { "io.modelcontextprotocol/subscriptionId": ids[index] } })
      stream.destroy()
    }
  })

  hosted("get logs that name no request only when nobody else may be meant", async ({ url }) => {
    const meta = { "io.modelcontextprotocol/logLevel": "info" }
    const alone = await (await postModern(url, modernCall(1, "log", {}, meta))).text()
    assert.include(alone, "a line")
    const waiting = postModern(url, modernCall(1, "wait", { tag: "w" }, meta))
    await (await postModern(url, modernCall(3, "echo"))).text()
    assert.notInclude(await (await postModern(url, modernCall(2, "log", {}, meta))).text(), "a line")
    await postModern(url, release("w"))
    assert.notInclude(await (await waiting).text(), "a line")
  })

  hosted("must repeat in headers what they say", async ({ url }) => {
    const call = modernCall(5, "echo")
    const wrong: ReadonlyArray<Readonly<Record<string, string | undefined>>> = [
      { "mcp-protocol-version": undefined },
      { "mcp-protocol-version": "2025-11-25" },
      { "mcp-method": undefined },
      { "mcp-method": "tools/list" },
      { "mcp-name": undefined },
      { "mcp-name": "odd" },
      { "mcp-name": "=?base64?!?=" },
      { "mcp-name": "=?base64?b2Rk?=" }
    ]
    for (const headers of wrong) {
      const said = await errorOf(postModern(url, call, headers))
      assert.deepInclude(said, { status: 400, code: -32020, id: 5 }, JSON.stringify(headers))
    }
    assert.strictEqual((await postModern(url, call, { "mcp-name": "=?base64?ZWNobw==?=" })).status, 200)
    assert.strictEqual((await postModern(url, { id: 1, method: "ping" })).status, 200)
  })

  hosted("must repeat arguments that a tool wants in headers, once its definition has passed", async ({ url }) => {
    const call = modernCall(1, "routed", { region: "é" })
    assert.strictEqual((await postModern(url, call)).status, 200)
    await (await postModern(url, { id: 1, method: "tools/list" })).text()
    assert.deepInclude(await errorOf(postModern(url, call)), { status: 400, code: -32020 })
    assert.strictEqual((await postModern(url, call, { "mcp-param-region": "=?base64?w6k=?=" })).status, 200)
    assert.strictEqual((await postModern(url, modernCall(1, "routed"))).status, 200)
  })

  hosted("are told what else is wrong as the specification has it", async ({ url }) => {
    const version = { "io.modelcontextprotocol/protocolVersion": "2027-01-01" }
    const future = await errorOf(
      postModern(url, modernCall(1, "echo", {}, version), { "mcp-protocol-version": "2027-01-01" })
    )
    assert.deepStrictEqual(future.data, { supported: ["2026-07-28"], requested: "2027-01-01" })
    assert.deepInclude(future, { status: 400, code: -32022, id: 1 })
    const bare = { jsonrpc: "2.0", id: 2, method: "ping" }
    assert.deepInclude(await errorOf(post(url, bare, { "mcp-protocol-version": "2026-07-28" })), {
      status: 400,
      code: -32602,
      id: 2
    })
    const initialize = { jsonrpc: "2.0", id: 3, method: "initialize", params: { protocolVersion: "2025-11-25" } }
    assert.deepInclude(await errorOf(post(url, initialize, { "mcp-protocol-version": "2026-07-28" })), {
      status: 400,
      code: -32020,
      id: 3
    })
    const meta = { "io.modelcontextprotocol/clientCapabilities": null }
    assert.deepInclude(await errorOf(postModern(url, modernCall(4, "echo", {}, meta))), {
      status: 400,
      code: -32602,
      id: 4
    })
    const batch = [{ jsonrpc: "2.0", id: 5, method: "ping", params: { _meta: version } }]
    assert.deepInclude(await errorOf(post(url, batch)), { status: 400, code: -32600 })
    assert.deepInclude(await errorOf(postModern(url, { id: "x", method: "no/such" })), {
      status: 404,
      code: -32601,
      id: "x"
    })
  })

  hosted("leave a server that asks them with an answer", async ({ url }) => {
    const answer = await (await postModern(url, modernCall(1, "ask", { method: "roots/list" }))).json()
    assert.deepInclude(answer, { id: 1 })
  })

  hostedEffect(
    "share a server only as long as one of them is there",
    function* ({ sessions, url }) {
      yield* Effect.promise(() => postModern(url, modernCall(1, "echo")).then((answer) => answer.text()))
      const before = [...sessions.running]
      while (sessions.running.size > 0) {
        yield* TestClock.adjust("5 seconds")
        yield* Effect.promise(() => turn())
      }
      yield* Effect.promise(() => postModern(url, modernCall(1, "echo")).then((answer) => answer.text()))
      assert.notDeepEqual([...sessions.running], before)
    },
    { sessionIdleMs: 60_000 }
  )

  hosted("hear of a server that cannot be started or ends, and get a new one", async ({ sessions, url }) => {
    sessions.failNext = true
    const failed = await errorOf(postModern(url, modernCall(7, "echo")))
    assert.deepInclude(failed, { status: 502, id: 7 })
    assert.match(failed.message, /"no-such-server" was not found/)
    const hanging = errorOf(postModern(url, modernCall("h", "hang")))
    const crashing = errorOf(postModern(url, modernCall("c", "crash")))
    for (const error of [await hanging, await crashing]) {
      assert.strictEqual(error.status, 502)
      assert.match(error.message, /exit code 7/)
    }
    assert.strictEqual((await postModern(url, modernCall(1, "echo"))).status, 200)
  })
})
