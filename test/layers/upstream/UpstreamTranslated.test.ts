import { assert, describe } from "@effect/vitest"
import { Client as ModernClient } from "@modelcontextprotocol/client"
import {
  LoggingMessageNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema
} from "@modelcontextprotocol/sdk/types.js"
import { Context, Deferred, Effect, Exit, Layer, Logger } from "effect"
import { TestClock } from "effect/testing"
import * as UpstreamTranslated from "../../../src/layers/upstream/UpstreamTranslated.ts"
import type { FrameListener } from "../../../src/services/host/FrameLink.ts"
import { Upstream, UpstreamExited, type UpstreamListener } from "../../../src/services/upstream/Upstream.ts"
import { itEffect, itLive } from "../../fixtures/itEffect.ts"
import { abilities, accepted, answerAll, legacyHost, roots, sampled } from "../../fixtures/eraHosts.ts"
import { appsCapability } from "../../fixtures/RawClient.ts"
import { type LinkTransport, startTranslated } from "../../fixtures/translated.ts"

const textOf = (result: unknown): string => {
  const { content } = result as { content: ReadonlyArray<{ text: string }> }
  return content[0]?.text ?? ""
}

interface Request {
  readonly params: { readonly _meta: { readonly progressToken: unknown } }
}

const decoded = <A>(frame: string): A => JSON.parse(frame) as A

/** The progress that the host was told of. Clients themselves lose what comes just before a result. */
const progressOf = ({ received }: LinkTransport): ReadonlyArray<{ progress: unknown; progressToken: unknown }> =>
  received
    .filter((frame) => frame.includes("notifications/progress"))
    .map((frame) => decoded<{ params: { progress: unknown; progressToken: unknown } }>(frame).params)
    .map(({ progress, progressToken }) => ({ progress, progressToken }))

/** Something that a notification handler will have heard. */
const heard = <A>() => {
  const deferred = Deferred.makeUnsafe<A>()
  return { hear: (value: A) => void Deferred.doneUnsafe(deferred, Exit.succeed(value)), once: Deferred.await(deferred) }
}

/** Options of a call that is cancelled as soon as the server works on it. */
const cancelledByProgress = () => {
  const controller = new AbortController()
  return { signal: controller.signal, onprogress: () => controller.abort("enough") }
}

const refusal = (promise: Promise<unknown>): Promise<{ code?: number; message: string; data?: unknown }> =>
  promise.then(
    () => Promise.reject(new Error("there was no refusal")),
    (error: { code?: number; message: string; data?: unknown }) => error
  )

describe("a host of SDK 1 in front of a server that speaks 2026-07-28 only", () => {
  const connect = Effect.fnUntraced(function* () {
    const { sent, transport } = yield* startTranslated("modern-only.mjs")
    const client = legacyHost()
    yield* Effect.promise(() => client.connect(transport as LinkTransport & { onmessage: never }))
    const call = (name: string, args: Record<string, unknown> = {}, options = {}) =>
      client.callTool({ name, arguments: args }, undefined, options)
    return { client, call, sent, transport }
  })

  itLive("initializes, and says who the server is", function* () {
    const { client } = yield* connect()
    assert.deepInclude(client.getServerVersion(), { name: "modern-only", title: "Modern" })
    assert.strictEqual(client.getInstructions(), "Use it well.")
    assert.deepInclude(client.getServerCapabilities(), { tools: { listChanged: true }, logging: {} })
  })

  itLive("lists, reads and calls, with all fields", function* () {
    const { call, client } = yield* connect()
    const { tools } = yield* Effect.promise(() => client.listTools())
    assert.strictEqual(tools[0]?.name, "echo")
    const result = yield* Effect.promise(() => call("echo", { a: 1 }))
    assert.strictEqual(textOf(result), '{"a":1}')
    assert.deepStrictEqual(result.vendor, { kept: true })
    assert.deepInclude((result.structuredContent as { envelope: object }).envelope, {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "legacy", version: "7" },
      "io.modelcontextprotocol/clientCapabilities": abilities
    })
    const { contents } = yield* Effect.promise(() => client.readResource({ uri: "note://a" }))
    assert.deepStrictEqual(contents, [{ uri: "note://a", text: "A note." }])
    const missing = yield* Effect.promise(() => refusal(client.readResource({ uri: "note://none" })))
    assert.strictEqual(missing.code, -32002)
    yield* Effect.promise(() => client.ping())
  })

  itLive("asks the host what the server asks for, and repeats the call with its answers", function* () {
    const { call, client } = yield* connect()
    const one = yield* Effect.promise(() => call("ask"))
    assert.deepStrictEqual(JSON.parse(textOf(one)), accepted)
    const three = yield* Effect.promise(() => call("ask_three"))
    assert.deepStrictEqual(JSON.parse(textOf(three)), {
      state: 'first "round"',
      who: accepted,
      sum: sampled,
      where: roots
    })
    const page = yield* Effect.promise(() => call("visit"))
    assert.deepStrictEqual(JSON.parse(textOf(page)), { action: "accept" })
    assert.strictEqual(textOf(yield* Effect.promise(() => call("wait_for_state"))), "done")
    const prompt = yield* Effect.promise(() => client.getPrompt({ name: "greet" }))
    assert.include(JSON.stringify(prompt.messages), "Ada")
  })

  itLive("passes progress and cancellation", function* () {
    const { call, transport } = yield* connect()
    yield* Effect.promise(() => call("count", {}, { onprogress: () => undefined }))
    assert.deepStrictEqual(
      progressOf(transport).map(({ progress }) => progress),
      [1, 2, 3]
    )
    yield* Effect.promise(() => refusal(call("slow", {}, cancelledByProgress())))
    const after = yield* Effect.promise(() => call("echo"))
    assert.deepStrictEqual((after.structuredContent as { cancelled: unknown }).cancelled, ["slow"])
  })

  itLive("serves subscriptions and changes of lists from one subscriptions/listen", function* () {
    const { call, client, sent, transport } = yield* connect()
    const changed = heard<unknown>()
    const updated = heard<{ uri: string }>()
    client.setNotificationHandler(ToolListChangedNotificationSchema, changed.hear)
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => updated.hear(params))
    yield* Effect.promise(() => client.subscribeResource({ uri: "note://a" }))
    yield* Effect.promise(() => call("touch", { uri: "note://b" }))
    yield* Effect.promise(() => call("touch", { uri: "note://a" }))
    assert.deepStrictEqual(yield* updated.once, { uri: "note://a" })
    yield* Effect.promise(() => call("add_tool", { name: "new" }))
    yield* changed.once
    assert.notInclude(transport.received.join("\n"), "subscriptionId")
    yield* Effect.promise(() => client.unsubscribeResource({ uri: "note://a" }))
    yield* Effect.promise(() => call("touch", { uri: "note://a" }))
    assert.lengthOf(
      transport.received.filter((frame) => frame.includes("resources/updated")),
      1
    )
    const open = sent.filter(({ method }) => method === "subscriptions/listen").length
    const closed = sent.filter(({ method }) => method === "notifications/cancelled").length
    assert.strictEqual(open - closed, 1)
  })

  itLive("sends the host's log level with every request", function* () {
    const { call, client } = yield* connect()
    const message = heard<unknown>()
    client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => message.hear(params))
    yield* Effect.promise(() => client.setLoggingLevel("info"))
    yield* Effect.promise(() => call("log"))
    assert.deepInclude(yield* message.once, { level: "info", data: "a line" })
    yield* Effect.promise(() => refusal(client.setLoggingLevel("loud" as "info")))
    yield* Effect.promise(() => call("echo"))
  })
})

describe("a host of SDK 2 that speaks 2026-07-28 only in front of a server of SDK 1", () => {
  const clientOf = (more: object = {}) => {
    const client = new ModernClient(
      { name: "modern", version: "7" },
      { capabilities: { ...abilities, ...more }, versionNegotiation: { mode: { pin: "2026-07-28" } } }
    )
    const asked = answerAll(client)
    const call = (name: string, args: Record<string, unknown> = {}, options = {}) =>
      client.callTool({ name, arguments: args }, options)
    return { client, call, asked }
  }

  const connect = Effect.fnUntraced(function* (args: ReadonlyArray<string> = []) {
    const { sent, transport } = yield* startTranslated("legacy-only.mjs", { translateEras: true, args })
    const host = clientOf()
    yield* Effect.promise(() => host.client.connect(transport as LinkTransport & { onmessage: never }))
    const state = async () => JSON.parse(textOf(await host.call("state"))) as Record<string, unknown>
    return { ...host, sent, transport, state }
  })

  itLive("is told to use --translate-eras without it", function* () {
    const { transport } = yield* startTranslated("legacy-only.mjs")
    const { client } = clientOf(appsCapability)
    yield* Effect.promise(() => refusal(client.connect(transport as LinkTransport & { onmessage: never })))
    const answer = JSON.parse(transport.received[0] ?? "{}") as { error: { code: number; message: string } }
    assert.strictEqual(answer.error.code, -32601)
    assert.match(answer.error.message, /Method not found.*--translate-eras/)
  })

  itLive("a host that falls back to initialize is not disturbed", function* () {
    const { sent, transport } = yield* startTranslated("legacy-only.mjs")
    const client = new ModernClient({ name: "dual", version: "1" }, { versionNegotiation: { mode: "auto" } })
    yield* Effect.promise(() => client.connect(transport as LinkTransport & { onmessage: never }))
    assert.strictEqual(client.getNegotiatedProtocolVersion(), "2025-11-25")
    const { tools } = yield* Effect.promise(() => client.listTools())
    assert.strictEqual(tools[0]?.name, "echo")
    assert.deepStrictEqual(
      sent.map(({ method }) => method),
      ["server/discover", "initialize", "notifications/initialized", "tools/list"]
    )
  })

  for (const args of [[], ["strict"]]) {
    itLive(`discovers, lists, reads and calls ${args.join("")}`, function* () {
      const { call, client, state } = yield* connect(args)
      assert.strictEqual(client.getNegotiatedProtocolVersion(), "2026-07-28")
      assert.deepInclude(client.getServerVersion(), { name: "legacy-only", title: "Legacy" })
      assert.strictEqual(client.getInstructions(), "Use it well.")
      const { tools } = yield* Effect.promise(() => client.listTools())
      assert.strictEqual(tools[0]?.name, "echo")
      const result = yield* Effect.promise(() => call("echo", { a: 1 }))
      assert.strictEqual(textOf(result), '{"a":1}')
      assert.deepStrictEqual(result.vendor, { kept: true })
      const { contents } = yield* Effect.promise(() => client.readResource({ uri: "note://a" }))
      assert.deepStrictEqual(contents, [{ uri: "note://a", text: "A note." }])
      const missing = yield* Effect.promise(() => refusal(client.readResource({ uri: "note://none" })))
      assert.strictEqual(missing.code, -32602)
      assert.deepInclude(yield* Effect.promise(state), { initialized: 1, client: { name: "modern", version: "7" } })
    })
  }

  itLive("gets as input_required what the server asks for", function* () {
    const { asked, call, client } = yield* connect()
    assert.deepStrictEqual(JSON.parse(textOf(yield* Effect.promise(() => call("ask")))), accepted)
    const three = yield* Effect.promise(() => call("ask_three"))
    assert.deepStrictEqual(JSON.parse(textOf(three)), { who: accepted, sum: sampled, where: roots })
    const prompt = yield* Effect.promise(() => client.getPrompt({ name: "greet" }))
    assert.include(JSON.stringify(prompt.messages), "Ada")
    assert.strictEqual(textOf(yield* Effect.promise(() => call("visit"))), "welcome")
    assert.deepStrictEqual(asked, [...Array.from({ length: 3 }, () => "What is your name?"), "Sign in"])
  })

  itLive("gets progress under the token of the repeated call", function* () {
    const { call, transport } = yield* connect()
    const result = yield* Effect.promise(() => call("ask_twice", {}, { onprogress: () => undefined }))
    assert.deepStrictEqual(JSON.parse(textOf(result)), { first: accepted, second: accepted })
    const tokens = transport.sent
      .filter((frame) => frame.includes("ask_twice"))
      .map((frame) => decoded<Request>(frame).params._meta.progressToken)
    assert.lengthOf(new Set(tokens), 3)
    assert.deepStrictEqual(progressOf(transport), [{ progress: 1, progressToken: tokens[1] }])
  })

  itLive("passes progress and cancellation", function* () {
    const { call, state, transport } = yield* connect()
    yield* Effect.promise(() => call("count", {}, { onprogress: () => undefined }))
    assert.deepStrictEqual(
      progressOf(transport).map(({ progress }) => progress),
      [1, 2, 3]
    )
    yield* Effect.promise(() => refusal(call("slow", {}, cancelledByProgress())))
    assert.deepStrictEqual((yield* Effect.promise(state)).cancelled, ["slow"])
  })

  itLive("listens to changes of lists and to resources", function* () {
    const { call, client, state, transport } = yield* connect()
    const changed = heard<unknown>()
    const updated = heard<string>()
    client.setNotificationHandler("notifications/tools/list_changed", changed.hear)
    client.setNotificationHandler("notifications/resources/updated", ({ params }) => updated.hear(params.uri))
    yield* Effect.promise(() => call("add_tool", { name: "unheard" }))
    const subscription = yield* Effect.promise(() =>
      client.listen({ toolsListChanged: true, promptsListChanged: true, resourceSubscriptions: ["note://a"] })
    )
    assert.deepStrictEqual(subscription.honoredFilter, {
      toolsListChanged: true,
      resourceSubscriptions: ["note://a"]
    })
    yield* Effect.promise(() => call("touch", { uri: "note://b" }))
    yield* Effect.promise(() => call("touch", { uri: "note://a" }))
    assert.strictEqual(yield* updated.once, "note://a")
    yield* Effect.promise(() => call("add_tool", { name: "new" }))
    yield* changed.once
    assert.lengthOf(
      transport.received.filter((frame) => frame.includes("tools/list_changed")),
      1
    )
    yield* Effect.promise(() => subscription.close())
    assert.deepStrictEqual((yield* Effect.promise(state)).subscribed, ["+note://a", "-note://a"])
  })

  itLive("gets log messages of the level that its calls ask for", function* () {
    const { call, client, transport } = yield* connect()
    const message = heard<unknown>()
    client.setNotificationHandler("notifications/message", ({ params }) => message.hear(params.data))
    yield* Effect.promise(() => call("log"))
    const _meta = { "io.modelcontextprotocol/logLevel": "warning" }
    yield* Effect.promise(() => client.callTool({ name: "log", arguments: {}, _meta }))
    assert.strictEqual(yield* message.once, "a line")
    assert.lengthOf(
      transport.received.filter((frame) => frame.includes("notifications/message")),
      1
    )
  })
})

describe("the layer", () => {
  const encoder = new TextEncoder()
  const decoder = new TextDecoder()

  /** The translation over a server of frames, with what reached either side. */
  const open = Effect.fnUntraced(function* (options: { readonly translateEras?: boolean } = {}) {
    const toServer: Array<Uint8Array> = []
    const toHost: Array<Uint8Array> = []
    const events: Array<string> = []
    let server: FrameListener | undefined
    let watcher: UpstreamListener | undefined
    let isWritable = true
    const below = Upstream.of({
      link: {
        listen: (listener) => {
          server = listener
        },
        send: (frame) => {
          toServer.push(frame)
          return isWritable
        },
        pause: () => void events.push("pause"),
        resume: () => void events.push("resume"),
        end: () => void events.push("end")
      },
      name: "below",
      watch: (listener) => {
        watcher = listener
      },
      reject: () => undefined,
      exited: Effect.never
    })
    const context = yield* Layer.build(
      UpstreamTranslated.layer({ translateEras: options.translateEras ?? false, isShared: false }).pipe(
        Layer.provide([Layer.succeed(Upstream, below), Logger.layer([])])
      )
    )
    const { link, name, watch } = Context.get(context, Upstream)
    const lost: Array<ReadonlyArray<string>> = []
    watch({
      lost: (_error, retryInMs, unsent) => {
        events.push(`lost ${retryInMs}`)
        lost.push(unsent.map((frame) => decoder.decode(frame)))
      },
      restored: () => void events.push("restored")
    })
    link.listen({
      frame: (frame) => toHost.push(frame),
      oversized: (_head, bytes) => void events.push(`oversized ${bytes}`),
      drained: () => void events.push("drained"),
      ended: () => void events.push("ended")
    })
    return {
      link,
      name,
      events,
      lost,
      toServer,
      toHost,
      server: () => server ?? assert.fail("nobody listens"),
      watcher: () => watcher ?? assert.fail("nobody watches"),
      setWritable: (value: boolean) => {
        isWritable = value
      }
    }
  })

  const initialize = encoder.encode('{"id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}')
  const discover = encoder.encode(
    '{"id":"d","method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}'
  )
  const ended = new UpstreamExited({ command: "below", exitCode: 1, signal: null, silent: false, said: "" })

  itEffect("hands on the very frames in the same turn, and backpressure, the end and the name", function* () {
    const { events, link, name, server, setWritable, toHost, toServer } = yield* open()
    const up = [initialize, encoder.encode('{"id":1,"method":"tools/list"}')]
    const down = [encoder.encode('{"id":0,"result":{}}'), encoder.encode('{"id":1,"result":{}}')]
    assert.isTrue(link.send(up[0] ?? initialize))
    server().frame(down[0] ?? initialize)
    setWritable(false)
    assert.isFalse(link.send(up[1] ?? initialize))
    server().frame(down[1] ?? initialize)
    up.forEach((frame, index) => assert.strictEqual(toServer[index], frame))
    down.forEach((frame, index) => assert.strictEqual(toHost[index], frame))
    server().oversized?.({ kind: "response", id: "2" }, 99)
    server().drained()
    link.pause()
    link.resume()
    link.end()
    server().ended()
    assert.deepStrictEqual(events, ["oversized 99", "drained", "pause", "resume", "end", "ended"])
    assert.strictEqual(name, "below")
  })

  itEffect("says that the host is to wait while a server is behind before anything is known", function* () {
    const { link, setWritable } = yield* open()
    setWritable(false)
    assert.isFalse(link.send(initialize))
  })

  itEffect("keeps time", function* () {
    const { link, toServer } = yield* open({ translateEras: true })
    link.send(discover)
    yield* TestClock.adjust("9999 millis")
    assert.lengthOf(toServer, 1)
    yield* TestClock.adjust("1 millis")
    assert.include(decoder.decode(toServer[1]), '"method":"initialize"')
  })

  itEffect("stops the time when the server is lost, and starts over", function* () {
    const { events, link, lost, server, toHost, toServer, watcher } = yield* open({ translateEras: true })
    link.send(discover)
    watcher().lost(ended, 100, [])
    assert.deepStrictEqual(lost, [[decoder.decode(discover)]])
    yield* TestClock.adjust("1 minute")
    assert.lengthOf(toServer, 1)
    watcher().restored()
    assert.deepStrictEqual(events, ["lost 100", "restored"])
    link.send(discover)
    const { id } = JSON.parse(decoder.decode(toServer[1])) as { id: string }
    server().frame(encoder.encode(`{"id":"${id}","result":{"capabilities":{}}}`))
    assert.include(decoder.decode(toHost[0]), '"supportedVersions":["2026-07-28"]')
  })
})
