import { assert, describe, it } from "@effect/vitest"
import { LegacyHostModernServer } from "../../../../src/domain/upstream/eras/LegacyHostModernServer.ts"
import { bytes, drive, errorOf, idOf, initialized, initializeRequest, json, text } from "./script.ts"

const meta =
  '"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"l","version":"1"},"io.modelcontextprotocol/clientCapabilities":{"sampling":{},"x":1e400}}'

const all = '{"tools":{"listChanged":true},"prompts":{},"resources":{"listChanged":true,"subscribe":true},"logging":{}}'

const open = (capabilities = all) => {
  const discovered = `{"id":"x","result":{"supportedVersions":["2026-07-28"],"capabilities":${capabilities}}}`
  const driven = drive(
    (port, ids) => new LegacyHostModernServer(port, ids, bytes(initializeRequest("0")), bytes(discovered))
  )
  const greeting = driven.takeHost()
  driven.takeAbouts()
  return { ...driven, greeting }
}

const call = (id: string, name = "a"): string =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"${name}","arguments":{"n":1.0},"_meta":{"progressToken":-0}}}`

const inputRequired = (id: string, requests: string, state = ""): string =>
  `{"jsonrpc":"2.0","id":${id},"result":{"resultType":"input_required","inputRequests":${requests}${state}}}`

const elicit = '{"who":{"method":"elicitation/create","params":{"message":"?","n":1e400}}}'

describe("LegacyHostModernServer", () => {
  it("names a server that does not say who it is", () => {
    const { greeting } = open()
    assert.deepStrictEqual(json(greeting[0]), {
      id: 0,
      result: {
        protocolVersion: "2025-06-18",
        capabilities: JSON.parse(all) as unknown,
        serverInfo: { name: "unknown", version: "unknown" }
      }
    })
  })

  it("adds the envelope and nothing else, and passes results as they are", () => {
    const { host, server, takeHost, takeServer } = open()
    host('{"jsonrpc":"2.0", "id":12345678901234567890,"method":"tools/list"}')
    host('{"jsonrpc":"2.0","id":"a","method":"vendor/x","params":{"n":-0, "n":1.0}}')
    assert.deepStrictEqual(takeServer(), [
      `{"jsonrpc":"2.0", "id":12345678901234567890,"method":"tools/list","params":{${meta}}}`,
      `{"jsonrpc":"2.0","id":"a","method":"vendor/x","params":{"n":-0, "n":1.0,${meta}}}`
    ])
    const answers = [
      '{"id":12345678901234567890,"result":{"resultType":"complete","n":1e400}}',
      '{"id":"a","error":{"code":1}}'
    ]
    answers.forEach((answer) => server(answer))
    assert.deepStrictEqual(takeHost(), answers)
  })

  it("answers ping and log levels, and refuses what the modern era does not have", () => {
    const { host, takeHost, takeServer } = open()
    host('{"id":1,"method":"ping"}')
    host('{"id":2,"method":"logging/setLevel","params":{"level":"error"}}')
    host('{"id":3,"method":"logging/setLevel","params":{"level":"loud"}}')
    host('{"id":4,"method":"tasks/get","params":{"taskId":"1"}}')
    assert.deepStrictEqual(
      takeHost().map((frame) => [json(frame).id, errorOf(frame)?.code]),
      [
        [1, undefined],
        [2, undefined],
        [3, -32602],
        [4, -32601]
      ]
    )
    host('{"id":5,"method":"tools/list"}')
    const [list, ...rest] = takeServer()
    assert.deepStrictEqual(rest, [])
    assert.include(list, '"io.modelcontextprotocol/logLevel":"error"}')
    const bare = open("{}")
    bare.host('{"id":2,"method":"logging/setLevel","params":{"level":"error"}}')
    bare.host('{"id":3,"method":"resources/subscribe","params":{"uri":"x"}}')
    assert.deepStrictEqual(
      bare.takeHost().map((frame) => errorOf(frame).code),
      [-32601, -32601]
    )
    assert.deepStrictEqual(bare.takeServer(), [])
  })

  it("keeps from the server the notifications that the modern era does not have", () => {
    const { host, takeServer } = open("{}")
    for (const name of ["initialized", "roots/list_changed", "progress"])
      host(`{"method":"notifications/${name}","params":{}}`)
    host('{"method":"vendor/note"}')
    assert.deepStrictEqual(takeServer(), ['{"method":"vendor/note"}'])
  })

  it("maps a missing resource, and no other wrong parameter", () => {
    const { host, server, takeHost } = open()
    host('{"id":1,"method":"resources/read","params":{"uri":"x"}}')
    server('{"id":1,"error":{"code":-32602,"message":"no","data":{"uri":"x"}}}')
    host('{"id":2,"method":"resources/read","params":{}}')
    server('{"id":2,"error":{"code":-32602,"message":"no"}}')
    assert.deepStrictEqual(takeHost(), [
      '{"id":1,"error":{"code":-32002,"message":"no","data":{"uri":"x"}}}',
      '{"id":2,"error":{"code":-32602,"message":"no"}}'
    ])
  })

  describe("input_required", () => {
    it("becomes requests to the host; their answers repeat the call; its answer gets the host's id back", () => {
      const { host, server, takeAbouts, takeHost, takeServer } = open()
      const id = "12345678901234567890"
      host(call(id))
      takeServer()
      server(
        inputRequired(
          id,
          `{"who":{"method":"elicitation/create","params":{"message":"?","n":1e400}},"where":{"method":"roots/list"}}`,
          ',"requestState":"a\\u0062\\""'
        )
      )
      const [who, where] = takeHost()
      assert.deepStrictEqual(takeAbouts(), [id, id])
      assert.include(who, '"method":"elicitation/create","params":{"message":"?","n":1e400}}')
      assert.include(where, '"method":"roots/list","params":{}}')
      host(`{"jsonrpc":"2.0","id":${idOf(where)},"result":{"roots":[],"z":1.0}}`)
      assert.deepStrictEqual(takeServer(), [])
      host(`{"jsonrpc":"2.0","id":${idOf(who)},"result":{"action":"accept","content":{"n":-0}}}`)
      const [repeated] = takeServer()
      const newId = idOf(repeated)
      assert.strictEqual(
        repeated,
        `{"jsonrpc":"2.0","id":${newId},"method":"tools/call","params":{"name":"a","arguments":{"n":1.0},"_meta":{"progressToken":-0,${meta.slice(9, -1)}},"inputResponses":{"where":{"roots":[],"z":1.0},"who":{"action":"accept","content":{"n":-0}}},"requestState":"a\\u0062\\""}}`
      )
      assert.notInclude([id, idOf(who), idOf(where)], newId)
      server(`{"jsonrpc":"2.0","id":${newId},"result":{"content":[],"n":1e400}}`)
      assert.deepStrictEqual(takeHost(), [`{"jsonrpc":"2.0","id":${id},"result":{"content":[],"n":1e400}}`])
    })

    it("says over HTTP on which stream things belong", () => {
      const { host, server, takeAbouts, takeHost, takeServer } = open()
      host(call("1"))
      server(inputRequired("1", elicit))
      host(`{"id":${idOf(takeHost()[0])},"result":{"action":"cancel"}}`)
      takeAbouts()
      server('{"method":"notifications/progress","params":{"progressToken":-0}}', idOf(takeServer()[1]))
      assert.deepStrictEqual(takeAbouts(), ["1"])
    })

    it("asks again as often as the server does, with the last state", () => {
      const { host, server, takeHost, takeServer } = open()
      host(call("1"))
      server(inputRequired("1", elicit, ',"requestState":"one"'))
      host(`{"id":${idOf(takeHost()[0])},"result":{"action":"accept"}}`)
      server(inputRequired(idOf(takeServer()[1]), elicit))
      host(`{"id":${idOf(takeHost()[0])},"result":{"action":"decline"}}`)
      const [again] = takeServer()
      assert.include(again, '"inputResponses":{"who":{"action":"decline"}}')
      assert.notInclude(again, "requestState")
    })

    it("gives a URL the id that the legacy era wants", () => {
      const { host, server, takeHost } = open()
      host(call("1"))
      server(
        inputRequired(
          "1",
          '{"page":{"method":"elicitation/create","params":{"mode":"url","url":"https://a.b","n":1.0}}}'
        )
      )
      assert.match(
        takeHost()[0] ?? "",
        /"params":\{"mode":"url","url":"https:\/\/a\.b","n":1\.0,"elicitationId":"[^"]+"\}/
      )
    })

    it("without a question, repeats the call a little later, but not for ever", () => {
      const { elapse, host, server, takeHost, takeServer, waits } = open()
      host(call("1"))
      let id = idOf(takeServer()[0])
      for (let round = 0; round < 64; round += 1) {
        server(`{"id":${id},"result":{"resultType":"input_required","requestState":"${round}"}}`)
        assert.deepStrictEqual([takeServer(), waits()], [[], [250]])
        elapse()
        const [again] = takeServer()
        assert.include(again, `"requestState":"${round}"`)
        id = idOf(again)
      }
      server(`{"id":${id},"result":{"resultType":"input_required","requestState":"x"}}`)
      assert.deepStrictEqual(waits(), [])
      assert.deepInclude(json(takeHost()[0]), { id: 1 })
    })

    it("fails the call when the host cannot answer, or the question makes no sense", () => {
      const { host, server, takeHost, takeServer } = open()
      host(call("1"))
      server(inputRequired("1", '{"a":{"method":"elicitation/create","params":{}},"b":{"method":"roots/list"}}'))
      const [first, second] = takeHost()
      host(`{"id":${idOf(first)},"error":{"code":-32601,"message":"no such thing"}}`)
      const [withdrawn, failed] = takeHost()
      assert.deepInclude(json(withdrawn).params, { requestId: json(second).id })
      assert.deepInclude(json(failed).result, { isError: true })
      assert.include(failed, "no such thing")
      host(`{"id":${idOf(second)},"result":{"roots":[]}}`)
      assert.lengthOf(takeServer(), 1)

      host('{"id":2,"method":"prompts/get","params":{"name":"p"}}')
      server(inputRequired("2", '{"a":{"method":"vendor/x"}}'))
      host('{"id":3,"method":"prompts/get","params":{"name":"p"}}')
      server('{"id":3,"result":{"resultType":"input_required"}}')
      assert.deepStrictEqual(
        takeHost().map((frame) => [json(frame).id, errorOf(frame).code]),
        [
          [2, -32603],
          [3, -32603]
        ]
      )
    })

    it("keeps interleaved calls apart, whatever their ids", () => {
      const { host, server, takeHost, takeServer } = open()
      const ids = ["1", '"1"', "9007199254740993", "9007199254740992"]
      for (const id of ids) {
        host(call(id))
        server(inputRequired(id, elicit))
      }
      const asked = takeHost().map((frame) => idOf(frame))
      takeServer()
      asked
        .toReversed()
        .forEach((id, index) => host(`{"id":${id},"result":{"action":"accept","content":{"i":${index}}}}`))
      const repeated = takeServer().toReversed()
      repeated.forEach((frame, index) => server(`{"id":${idOf(frame)},"result":{"content":[],"of":${index}}}`))
      assert.deepStrictEqual(
        takeHost(),
        ids.map((id, index) => `{"id":${id},"result":{"content":[],"of":${index}}}`)
      )
    })
  })

  describe("cancelling", () => {
    const cancel = '{"method":"notifications/cancelled","params":{"requestId":1,"reason":"x"}}'

    it("goes to the server under the id that the server knows", () => {
      const { host, server, takeHost, takeServer } = open()
      host(call("1"))
      server(inputRequired("1", elicit))
      host(`{"id":${idOf(takeHost()[0])},"result":{"action":"accept"}}`)
      const id = idOf(takeServer()[1])
      host(cancel)
      assert.deepStrictEqual(takeServer(), [cancel.replace(":1,", `:${id},`)])
      server(`{"id":${id},"result":{}}`)
      assert.deepStrictEqual(takeHost(), [])
    })

    it("withdraws what the host was asked", () => {
      const { host, server, takeHost, takeServer } = open()
      host(call("1"))
      server(inputRequired("1", elicit))
      const [asked] = takeHost()
      takeServer()
      host(cancel)
      assert.deepInclude(json(takeHost()[0]), { method: "notifications/cancelled" })
      host(`{"id":${idOf(asked)},"result":{"action":"accept"}}`)
      assert.deepStrictEqual(takeServer(), [])
    })

    it("stops a repetition that is still to come", () => {
      const { elapse, host, server, takeServer } = open()
      host(call("1"))
      server('{"id":1,"result":{"resultType":"input_required","requestState":"s"}}')
      takeServer()
      host(cancel)
      elapse()
      assert.deepStrictEqual(takeServer(), [])
    })

    it("of what is not known here passes", () => {
      const { host, takeServer } = open()
      host(cancel)
      assert.deepStrictEqual(takeServer(), [cancel])
    })
  })

  describe("subscriptions", () => {
    const acknowledge = (id: string, uris = "[]"): string =>
      `{"method":"notifications/subscriptions/acknowledged","params":{"notifications":{"resourceSubscriptions":${uris}},"_meta":{"io.modelcontextprotocol/subscriptionId":${id}}}}`
    const changed = (id: string): string =>
      `{"method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":${id}}}}`

    const started = () => {
      const session = open()
      session.host(initialized)
      const [listen] = session.takeServer()
      session.server(acknowledge(idOf(listen)))
      return { ...session, listen, id: idOf(listen) }
    }

    it("listens to the lists that the server can tell of, and takes our mark off", () => {
      const { id, listen, server, takeHost } = started()
      assert.include(listen, '"notifications":{"toolsListChanged":true,"resourcesListChanged":true}')
      assert.include(listen, meta)
      server(changed(id))
      server(
        `{"method":"notifications/tools/list_changed","params":{"_meta":{"a":1.0,"io.modelcontextprotocol/subscriptionId":${id}},"b":-0}}`
      )
      assert.deepStrictEqual(takeHost(), [
        '{"method":"notifications/tools/list_changed","params":{}}',
        '{"method":"notifications/tools/list_changed","params":{"_meta":{"a":1.0},"b":-0}}'
      ])
    })

    it("opens the next one before it closes the last", () => {
      const { host, id, server, takeHost, takeServer } = started()
      host('{"id":1,"method":"resources/subscribe","params":{"uri":"x"}}')
      host('{"id":2,"method":"resources/subscribe","params":{"uri":"y"}}')
      const [second] = takeServer()
      server(changed(id))
      assert.lengthOf(takeHost(), 1)
      server(acknowledge(idOf(second), '["x"]'))
      const [answer, ...others] = takeHost()
      assert.deepStrictEqual([answer, others], ['{"jsonrpc":"2.0","id":1,"result":{}}', []])
      const [close, third] = takeServer()
      assert.include(close, `"requestId":${id}`)
      assert.include(third, '"resourceSubscriptions":["x","y"]')
      server(changed(id))
      assert.deepStrictEqual(takeHost(), [])
      server(acknowledge(idOf(third), '["x"]'))
      assert.match(takeHost()[0] ?? "", /"id":2,"error":\{"code":-32601/)
      takeServer()
      host('{"id":3,"method":"resources/subscribe","params":{"uri":"x"}}')
      assert.deepStrictEqual([takeHost(), takeServer()], [['{"jsonrpc":"2.0","id":3,"result":{}}'], []])
      host('{"id":4,"method":"resources/subscribe","params":{"uri":"z"}}')
      assert.include(takeServer()[0], '"resourceSubscriptions":["x","z"]')
    })

    it("tells the host why a subscription was refused, and keeps what there was", () => {
      const { host, id, server, takeHost, takeServer } = started()
      host('{"id":1,"method":"resources/subscribe","params":{"uri":"x"}}')
      server(`{"id":${idOf(takeServer()[0])},"error":{"code":-32603,"message":"too many","data":1.0}}`)
      assert.deepStrictEqual(takeHost(), [
        '{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"too many","data":1.0}}'
      ])
      server(changed(id))
      assert.lengthOf(takeHost(), 1)
      host('{"id":2,"method":"resources/subscribe","params":{"uri":"y"}}')
      assert.include(takeServer()[0], '"resourceSubscriptions":["y"]')
    })

    it("opens one anew that the server ended, later each time", () => {
      const { elapse, id, server, takeServer, waits } = started()
      let current = id
      for (const milliseconds of [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]) {
        server(`{"id":${current},"result":{"resultType":"complete"}}`)
        assert.deepStrictEqual(waits(), [milliseconds])
        elapse()
        current = idOf(takeServer()[0])
        server(acknowledge(current))
      }
      server(changed(current))
      server(`{"method":"notifications/cancelled","params":{"requestId":${current}}}`)
      assert.deepStrictEqual(waits(), [1000])
    })

    it("needs none when there is nothing to tell", () => {
      const { host, takeServer } = open('{"resources":{"subscribe":true}}')
      host(initialized)
      assert.deepStrictEqual(takeServer(), [])
    })

    it("is closed with the last resource", () => {
      const { host, server, takeServer } = open('{"resources":{"subscribe":true}}')
      host('{"id":1,"method":"resources/subscribe","params":{"uri":"x"}}')
      const id = idOf(takeServer()[0])
      server(acknowledge(id, '["x"]'))
      host('{"id":2,"method":"resources/unsubscribe","params":{"uri":"x"}}')
      assert.deepStrictEqual(takeServer(), [
        `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id}}}`
      ])
    })
  })

  it("when the server is lost, gives back what the host had sent, and withdraws what it was asked", () => {
    const { elapse, host, machine, server, takeHost, takeServer, waits } = open()
    host(call("1"))
    host(call("2"))
    host('{"id":3,"method":"resources/subscribe","params":{"uri":"x"}}')
    server(inputRequired("1", elicit))
    host(`{"id":${idOf(takeHost()[0])},"result":{"action":"accept"}}`)
    server(inputRequired("2", elicit))
    takeHost()
    const [, , listen = "", repeated = ""] = takeServer()
    assert.deepStrictEqual(machine.onLost([listen, repeated].map(bytes)).map(text), [call("1")])
    assert.deepInclude(json(takeHost()[0]), { method: "notifications/cancelled" })
    elapse()
    assert.deepStrictEqual(waits(), [])
  })

  it("drops answers to ids of ours that nobody waits for", () => {
    const { host, server, takeHost, takeServer } = open()
    server('{"id":"mcp-gen-ui-era:random-1:99","result":{}}')
    host('{"id":"mcp-gen-ui-era:random-1:99","result":{}}')
    assert.deepStrictEqual([takeHost(), takeServer()], [[], []])
    server('{"id":"mcp-gen-ui-era:other:1","result":{}}')
    assert.lengthOf(takeHost(), 1)
  })
})
