import { assert, describe, it } from "@effect/vitest"
import { EraTranslator } from "../../../../src/domain/upstream/eras/EraTranslator.ts"
import type { EraPort } from "../../../../src/domain/upstream/eras/EraPort.ts"
import {
  bareRequest,
  bytes,
  drive,
  idOf,
  initialized,
  initializeRequest,
  json,
  makeScript,
  methodNotFound,
  modernRequest,
  text
} from "./script.ts"

const open = (translateEras = false) => {
  const driven = drive((port, _ids, random) => new EraTranslator(port, { translateEras, isShared: false, random }))
  const server = (...frames: ReadonlyArray<string>) => frames.forEach((frame) => driven.server(frame))
  return { ...driven, server, translator: driven.machine }
}

const methodsOf = (frames: ReadonlyArray<string>) => frames.map((frame) => json(frame).method)

const initializeResult = (id: string): string =>
  `{"jsonrpc":"2.0","id":${id},"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{"x":1e400},"tasks":{}},"serverInfo":{"name":"s","version":"1"},"more":-0}}`
const discoverResult = (id: string): string =>
  `{"jsonrpc":"2.0","id":${id},"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{"x":1e400}},"ttlMs":0,"cacheScope":"private","more":-0,"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}}}}`
const unsupported = (id: string): string =>
  `{"jsonrpc":"2.0","id":${id},"error":{"code":-32022,"message":"Unsupported","data":{"supported":["2026-07-28"]}}}`

describe("EraTranslator", () => {
  describe("lets everything pass where host and server share an era", () => {
    const shared = [
      ["initialize", initializeRequest("1"), initializeResult("1")],
      ["server/discover", modernRequest('"d"', "server/discover"), discoverResult('"d"')],
      [
        "no server/discover",
        modernRequest("7", "tools/list"),
        '{"id":7,"result":{"tools":[],"resultType":"complete"}}'
      ],
      ["an error of the modern era", modernRequest("7", "tools/call"), '{"id":7,"error":{"code":-32021,"message":""}}'],
      [
        "a subscription",
        modernRequest("7", "subscriptions/listen"),
        '{"method":"notifications/subscriptions/acknowledged","params":{}}'
      ]
    ] as const
    for (const [name, request, answer] of shared) {
      it(name, () => {
        const passed: Array<Uint8Array> = []
        const port: EraPort = {
          ...makeScript().port,
          toHost: (frame) => passed.push(frame),
          toServer: (frame) => passed.push(frame)
        }
        const translator = new EraTranslator(port, { translateEras: false, isShared: false, random: () => "r" })
        const frames = [bytes(request), bytes(answer), bytes('{"id":8,"method":"x"}'), bytes('{"id":8,"result":{}}')]
        frames.forEach((frame, index) => (index % 2 === 0 ? translator.fromHost(frame) : translator.fromServer(frame)))
        assert.lengthOf(passed, 4)
        passed.forEach((frame, index) => assert.strictEqual(frame, frames[index]))
        assert.isTrue(translator.isSettled)
      })
    }
  })

  it("a host that falls back to initialize is told why, and shares the legacy era", () => {
    const { host, server, takeHost, takeServer, translator } = open()
    const apps = '"clientCapabilities":{"extensions":{"io.modelcontextprotocol/ui":{}},'
    host(modernRequest('"d"', "server/discover").replace('clientCapabilities":{', apps.slice(1)))
    server(methodNotFound('"d"'))
    const [refusal] = takeHost()
    assert.match(
      refusal ?? "",
      /"id":"d","error":\{"code":-32601,"message":"[^"]*initialize[^"]*--translate-eras\.","data":1\.0\}/
    )
    host(initializeRequest("0"))
    assert.deepStrictEqual(methodsOf(takeServer()), ["server/discover", "initialize"])
    assert.isTrue(translator.isSettled)
    server(initializeResult("0"))
    assert.deepStrictEqual(takeHost(), [initializeResult("0")])
  })

  it("a host that goes on in the modern era all the same gets a server that is initialized", () => {
    const { host, server, takeHost, takeServer } = open()
    host(modernRequest('"d"', "server/discover"))
    server(methodNotFound('"d"'))
    assert.deepStrictEqual(takeHost(), [methodNotFound('"d"')])
    takeServer()
    host(modernRequest("1", "tools/list"), modernRequest("2", "tools/call", '"name":"a"'))
    const [initialize, ...held] = takeServer()
    assert.deepStrictEqual(held, [])
    assert.deepInclude(json(initialize), {
      method: "initialize",
      params: {
        protocolVersion: "2025-11-25",
        capabilities: { sampling: {}, elicitation: {}, roots: {} },
        clientInfo: { name: "m", version: "1" }
      }
    })
    server(initializeResult(idOf(initialize)))
    assert.deepStrictEqual(takeServer(), [
      initialized,
      bareRequest("1", "tools/list"),
      bareRequest("2", "tools/call", '"name":"a"')
    ])
    server('{"jsonrpc":"2.0","id":2,"result":{"content":[],"n":1.0}}', '{"id":1,"result":{"tools":[]}}')
    assert.deepStrictEqual(takeHost(), [
      '{"jsonrpc":"2.0","id":2,"result":{"content":[],"n":1.0,"resultType":"complete"}}',
      '{"id":1,"result":{"tools":[],"resultType":"complete","ttlMs":0,"cacheScope":"private"}}'
    ])
  })

  it("with translateEras, server/discover is answered from what initialize brought", () => {
    const { host, server, takeHost, takeServer } = open(true)
    host(modernRequest("12345678901234567890", "server/discover"))
    server(methodNotFound("12345678901234567890"))
    const [, initialize] = takeServer()
    server(initializeResult(idOf(initialize)))
    assert.deepStrictEqual(takeHost(), [
      '{"jsonrpc":"2.0","id":12345678901234567890,"result":{"capabilities":{"tools":{"x":1e400}},"serverInfo":{"name":"s","version":"1"},"more":-0,"supportedVersions":["2026-07-28"],"resultType":"complete","ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}}}}'
    ])
    assert.deepStrictEqual(takeServer(), [initialized])
  })

  it("with translateEras, a server that is silent about server/discover is initialized; a late answer decides", () => {
    for (const answer of [unsupported, initializeResult]) {
      const { elapse, host, server, takeHost, takeServer, translator, waits } = open(true)
      const request = modernRequest("1", "tools/list")
      host(modernRequest('"d"', "server/discover"))
      assert.deepStrictEqual(waits(), [10_000])
      elapse()
      const [, initialize] = takeServer()
      host(request)
      server(discoverResult('"d"'))
      assert.deepStrictEqual([takeHost(), takeServer()], [[discoverResult('"d"')], [request]])
      assert.isFalse(translator.isSettled)
      server(answer(idOf(initialize)))
      assert.deepStrictEqual([takeHost(), takeServer()], [[], []])
      assert.isTrue(translator.isSettled)
    }
  })

  it("a late refusal of server/discover does not reach a host that has an answer", () => {
    const { elapse, host, server, takeHost, takeServer } = open(true)
    host(modernRequest('"d"', "server/discover"))
    elapse()
    server(initializeResult(idOf(takeServer()[1])))
    assert.lengthOf(takeHost(), 1)
    takeServer()
    server(methodNotFound('"d"'))
    host(modernRequest("1", "tools/list"))
    assert.deepStrictEqual([takeHost(), takeServer()], [[], [bareRequest("1", "tools/list")]])
  })

  it("if the server does not initialize either, the host gets the first refusal", () => {
    const { host, server, takeHost, takeServer, translator } = open(true)
    host(modernRequest('"d"', "server/discover"))
    server(methodNotFound('"d"'))
    server(`{"jsonrpc":"2.0","id":${idOf(takeServer()[1])},"error":{"code":1,"message":"no"}}`)
    assert.deepStrictEqual(takeHost(), [methodNotFound('"d"')])
    assert.isTrue(translator.isSettled)
  })

  describe("a host that does not ask server/discover", () => {
    const call = modernRequest("1", "tools/call", '"name":"a"')
    const bareCall = bareRequest("1", "tools/call", '"name":"a"')
    const refused = '{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Received before initialize"}}'

    it("has its refused request made again after the server was initialized", () => {
      const { host, server, takeHost, takeServer } = open()
      host(call)
      server(refused)
      const [, discover] = takeServer()
      assert.strictEqual(json(discover).method, "server/discover")
      assert.deepStrictEqual(takeHost(), [])
      server(methodNotFound(idOf(discover)))
      server(initializeResult(idOf(takeServer()[0])))
      assert.deepStrictEqual(takeServer(), [initialized, bareCall])
      server('{"id":1,"result":{"content":[]}}')
      assert.deepStrictEqual(takeHost(), ['{"id":1,"result":{"content":[],"resultType":"complete"}}'])
    })

    it("gets the error of a server of its own era", () => {
      const { host, server, takeHost, takeServer, translator } = open()
      host(call)
      server(refused)
      host(modernRequest("2", "tools/list"))
      const [, discover] = takeServer()
      server(discoverResult(idOf(discover)))
      assert.deepStrictEqual([takeHost(), takeServer()], [[refused], [modernRequest("2", "tools/list")]])
      assert.isTrue(translator.isSettled)
    })

    it("gets a result at once, and the next request an initialized server", () => {
      const { host, server, takeHost, takeServer } = open()
      host(call)
      server('{"id":1,"result":{"content":[]}}')
      assert.deepStrictEqual(takeHost(), ['{"id":1,"result":{"content":[],"resultType":"complete"}}'])
      host(modernRequest("2", "tools/list"))
      assert.deepStrictEqual(methodsOf(takeServer()), ["tools/call", "initialize"])
    })

    it("has every answer completed, also to what was sent before", () => {
      const { host, server, takeHost, takeServer } = open()
      host(call, modernRequest("2", "tools/list"), modernRequest("3", "tools/list"))
      server('{"id":1,"result":{"content":[]}}', '{"id":2,"result":{"tools":[]}}')
      host(modernRequest("4", "tools/list"))
      server(initializeResult(idOf(takeServer()[3])))
      takeHost()
      server('{"id":3,"result":{"tools":[]}}', '{"id":4,"result":{"tools":[]}}')
      const complete = '{"tools":[],"resultType":"complete","ttlMs":0,"cacheScope":"private"}'
      assert.deepStrictEqual(takeHost(), [`{"id":3,"result":${complete}}`, `{"id":4,"result":${complete}}`])
    })

    it("with translateEras, the server is asked first", () => {
      for (const isModern of [true, false]) {
        const { host, server, takeHost, takeServer } = open(true)
        host(call)
        const [discover, ...rest] = takeServer()
        assert.deepStrictEqual([json(discover).method, rest], ["server/discover", []])
        server(isModern ? discoverResult(idOf(discover)) : methodNotFound(idOf(discover)))
        if (!isModern) server(initializeResult(idOf(takeServer()[0])))
        assert.deepStrictEqual(takeServer(), isModern ? [call] : [initialized, bareCall])
        assert.deepStrictEqual(takeHost(), [])
      }
    })
  })

  describe("a host of the legacy era", () => {
    it("is answered from what server/discover brought", () => {
      const { host, server, takeHost, takeServer } = open()
      host(initializeRequest("1e0"))
      server(unsupported("1"))
      const [, discover] = takeServer()
      assert.include(
        discover,
        '"params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"l","version":"1"},"io.modelcontextprotocol/clientCapabilities":{"sampling":{},"x":1e400}}}'
      )
      server(discoverResult(idOf(discover)))
      assert.deepStrictEqual(takeHost(), [
        '{"jsonrpc":"2.0","id":1e0,"result":{"capabilities":{"tools":{"x":1e400}},"more":-0,"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}},"protocolVersion":"2025-06-18","serverInfo":{"name":"s","version":"1"}}}'
      ])
      host(initialized)
      assert.deepStrictEqual(takeServer(), [])
    })

    it("gets the first refusal if the server knows neither era", () => {
      for (const isSilent of [true, false]) {
        const { elapse, host, server, takeHost, takeServer, translator } = open()
        host(initializeRequest("1"))
        server(methodNotFound("1"))
        const discover = idOf(takeServer()[1])
        if (isSilent) elapse()
        server(methodNotFound(discover))
        assert.deepStrictEqual(takeHost(), [methodNotFound("1")])
        assert.isTrue(translator.isSettled)
      }
    })

    it("may say everything in one burst", () => {
      const { host, server, takeHost, takeServer } = open()
      const list = '{"jsonrpc":"2.0","id":2,"method":"tools/list"}'
      const other = '{"jsonrpc":"2.0","id":3,"method":"prompts/list"}'
      host(initializeRequest("1"), initialized, list, other)
      assert.lengthOf(takeServer(), 4)
      server(unsupported("1"), unsupported("2"))
      server(discoverResult(idOf(takeServer()[0])).replace('{"x":1e400}', '{"listChanged":true}'))
      server(unsupported("3"))
      const [listen, ...repeated] = takeServer()
      assert.strictEqual(json(listen).method, "subscriptions/listen")
      assert.deepStrictEqual(
        repeated.map((frame) => [json(frame).method, json(frame).id]),
        [
          ["tools/list", 2],
          ["prompts/list", 3]
        ]
      )
      assert.include(repeated[0], '"io.modelcontextprotocol/protocolVersion":"2026-07-28"')
      assert.lengthOf(takeHost(), 1)
    })
  })

  describe("when the server is lost", () => {
    it("gives back what was held, and starts over", () => {
      const { host, takeServer, translator } = open(true)
      const held = modernRequest("1", "tools/list")
      host(held)
      assert.deepStrictEqual(translator.onLost([]).map(text), [held])
      takeServer()
      host(held)
      assert.deepStrictEqual(methodsOf(takeServer()), ["initialize"])
    })

    it("by server/discover, the next one is initialized instead", () => {
      const { host, server, takeHost, takeServer, translator } = open(true)
      const discover = modernRequest('"d"', "server/discover")
      host(discover)
      assert.deepStrictEqual(translator.onLost([]).map(text), [discover])
      takeServer()
      host(discover)
      const [initialize, ...rest] = takeServer()
      assert.deepStrictEqual([json(initialize).method, rest], ["initialize", []])
      server(initializeResult(idOf(initialize)))
      assert.deepInclude(json(takeHost()[0]), { id: "d" })
    })

    it("its own requests are not repeated", () => {
      const { host, server, takeServer, translator } = open()
      host(initializeRequest("1"))
      server(unsupported("1"))
      const [initialize = "", discover = ""] = takeServer()
      assert.deepStrictEqual(translator.onLost([bytes(initialize), bytes(discover)]).map(text), [initialize])
      assert.isFalse(translator.isSettled)
    })
  })

  it("an answer that is too long becomes an error, under the host's id", () => {
    const { host, server, takeHost, takeServer, translator } = open()
    host(initializeRequest("0"))
    server(unsupported("0"))
    server(discoverResult(idOf(takeServer()[1])))
    host('{"id":1,"method":"tools/call","params":{"name":"a"}}')
    server(
      '{"id":1,"result":{"resultType":"input_required","requestState":"s","inputRequests":{"r":{"method":"roots/list"}}}}'
    )
    host(`{"id":${idOf(takeHost()[1])},"result":{"roots":[]}}`)
    const id = idOf(takeServer()[1])
    assert.isTrue(translator.onOversized({ kind: "response", id: String(id) }, 70_000_000))
    const [failure] = takeHost()
    assert.deepInclude(json(failure), { id: 1 })
    assert.match(failure ?? "", /"code":-32603,"message":"the answer of 70000000 bytes.*MESSAGE_TOO_LARGE/)
    assert.isFalse(translator.onOversized({ kind: "notification", method: "x" }, 1))
    assert.isFalse(translator.onOversized(undefined, 1))
    assert.deepStrictEqual(takeHost(), [])
  })

  it("does not hold back without end", () => {
    const { drained, host, server, takeServer, translator } = open(true)
    host(modernRequest("1", "tools/list"))
    assert.isFalse(translator.isBehind)
    host(modernRequest("2", "tools/call", `"name":"${"x".repeat(1_100_000)}"`))
    assert.isTrue(translator.isBehind)
    server(discoverResult(idOf(takeServer()[0])))
    assert.isFalse(translator.isBehind)
    assert.strictEqual(drained(), 1)
  })
})
