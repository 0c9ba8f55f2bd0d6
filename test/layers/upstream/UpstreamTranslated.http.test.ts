import { assert, describe } from "@effect/vitest"
import { Client as ModernClient } from "@modelcontextprotocol/client"
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js"
import { ToolListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js"
import { Context, Deferred, Effect, Exit, Layer, Logger } from "effect"
import * as UpstreamHttp from "../../../src/layers/upstream/UpstreamHttp.ts"
import * as UpstreamTranslated from "../../../src/layers/upstream/UpstreamTranslated.ts"
import { Upstream } from "../../../src/services/upstream/Upstream.ts"
import { UpstreamAuthorization } from "../../../src/services/upstream/UpstreamAuthorization.ts"
import { itLive } from "../../fixtures/itEffect.ts"
import { noAuthorization } from "../../fixtures/httpUpstream.ts"
import { modernHttp } from "../../fixtures/servers/httpModern.ts"
import { serveHttp, statefulHttp } from "../../fixtures/servers/httpServers.ts"
import { LinkTransport } from "../../fixtures/translated.ts"

/** The translation over a server behind a URL. `isShared`: as for hosts that share it over HTTP. */
const open = Effect.fnUntraced(function* (url: string, isShared = false) {
  const below = UpstreamHttp.layer({
    transport: "http",
    url,
    headers: {},
    token: undefined,
    reconnectDelayMs: 50,
    maxReconnectDelayMs: 400,
    maxMessageBytes: 64_000_000
  }).pipe(Layer.provide(Layer.succeed(UpstreamAuthorization, noAuthorization)))
  const context = yield* Layer.build(
    UpstreamTranslated.layer({ translateEras: true, isShared }).pipe(Layer.provide([below, Logger.layer([])]))
  )
  const upstream = Context.get(context, Upstream)
  upstream.watch({ lost: () => undefined, restored: () => undefined })
  return new LinkTransport(upstream.link) as LinkTransport & { onmessage: never }
})

describe("translation of a server over HTTP", () => {
  itLive("host of SDK 1, server of 2026-07-28 only", function* () {
    const http = modernHttp()
    const { url } = yield* serveHttp(http.handler)
    const transport = yield* open(url)
    const client = new LegacyClient({ name: "legacy", version: "1" })
    const changed = Deferred.makeUnsafe<void>()
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => void Deferred.doneUnsafe(changed, Exit.void))
    yield* Effect.promise(() => client.connect(transport))
    assert.deepInclude(client.getServerVersion(), { name: "modern" })
    const args = { region: "Oslo", deep: { count: 1 } }
    const result = yield* Effect.promise(() => client.callTool({ name: "where", arguments: args }))
    assert.deepStrictEqual(result.content, [{ type: "text", text: JSON.stringify(args) }])
    http.toolsChanged()
    yield* Deferred.await(changed)
  })

  itLive("host of 2026-07-28 only, server of SDK 1, also when several hosts share it", function* () {
    const { url } = yield* serveHttp(statefulHttp().handler)
    for (const isShared of [false, true]) {
      const transport = yield* open(url, isShared)
      const client = new ModernClient(
        { name: "modern", version: "1" },
        { capabilities: { roots: {} }, versionNegotiation: { mode: { pin: "2026-07-28" } } }
      )
      const roots = { roots: [{ uri: "file:///here" }] }
      client.setRequestHandler("roots/list", () => roots)
      yield* Effect.promise(() => client.connect(transport))
      const { tools } = yield* Effect.promise(() => client.listTools())
      assert.strictEqual(tools[0]?.name, "echo")
      // The server says by the stream on which it asks to which of the calls that belongs.
      const [asked, echoed] = yield* Effect.promise(() =>
        Promise.all([client.callTool({ name: "roots" }), client.callTool({ name: "echo", arguments: { n: 1 } })])
      )
      assert.deepStrictEqual(asked.content, [{ type: "text", text: JSON.stringify(roots) }])
      assert.deepStrictEqual(echoed.content, [{ type: "text", text: '{"n":1}' }])
    }
  })
})
