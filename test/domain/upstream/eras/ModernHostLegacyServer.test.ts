import { assert, describe, it } from "@effect/vitest"
import { ModernHostLegacyServer } from "../../../../src/domain/upstream/eras/ModernHostLegacyServer.ts"
import { bareRequest, bytes, drive, errorOf, idOf, json, modernRequest, text } from "./script.ts"

const initializeResult =
  '{"id":"x","result":{"protocolVersion":"2024-11-05","capabilities":{"tools":{"listChanged":true},"resources":{"subscribe":true},"logging":{}},"serverInfo":{"name":"s","version":"1"}}}'

const open = (isShared = false) =>
  drive((port, ids) => new ModernHostLegacyServer(port, ids, bytes(initializeResult), isShared))

const call = (id: string, more = ""): string => modernRequest(id, "tools/call", `"name":"a"${more}`)
const ask = (id: string): string =>
  `{"jsonrpc":"2.0","id":${id},"method":"elicitation/create","params":{"message":"?","n":1e400}}`

const stateOf = (frame: string | undefined): string =>
  JSON.stringify((json(frame).result as { requestState: string }).requestState)

const repeat = (id: string, state: string, responses: string): string =>
  call(id, `,"inputResponses":${responses},"requestState":${state}`)

const accept = '{"input-1":{"action":"accept","content":{"n":-0}}}'

describe("ModernHostLegacyServer", () => {
  it("passes requests without their envelope, and completes results", () => {
    const { host, server, takeHost, takeServer } = open()
    const methods = ["tools/list", "resources/templates/list", "completion/complete", "vendor/x"]
    methods.forEach((method, index) => host(modernRequest(`9007199254740993${index}`, method, '"n":1.0')))
    assert.deepStrictEqual(
      takeServer(),
      methods.map((method, index) => bareRequest(`9007199254740993${index}`, method, '"n":1.0'))
    )
    methods.forEach((_, index) => server(`{"id":9007199254740993${index},"result":{"n":1e400,"n":-0}}`))
    const complete = '"resultType":"complete"'
    const lasting = `${complete},"ttlMs":0,"cacheScope":"private"`
    assert.deepStrictEqual(
      takeHost(),
      [lasting, lasting, complete, complete].map(
        (added, index) => `{"id":9007199254740993${index},"result":{"n":1e400,"n":-0,${added}}}`
      )
    )
  })

  it.each([
    ["no type", '{"$schema":"x" }', '{"$schema":"x" ,"type":"object"}'],
    ["an empty schema", "{}", '{"type":"object"}'],
    ["null", "null", '{"type":"object"}'],
    ["a list of types", '{"type":["object","null"],"n":1e400}', '{"type":"object","n":1e400}'],
    ["all that is asked", '{ "type" : "object" }', '{ "type" : "object" }']
  ])("says that the input of a tool is an object where its schema has %s", (_, given, wanted) => {
    const { host, server, takeHost } = open()
    host(modernRequest("1", "tools/list"))
    server(`{"id":1,"result":{"tools":[{"name":"a","inputSchema":${given}},{"name":"b"}, 3]}}`)
    const tools = `[{"name":"a","inputSchema":${wanted}},{"name":"b","inputSchema":{"type":"object"}}, 3]`
    const added = '"resultType":"complete","ttlMs":0,"cacheScope":"private"'
    assert.deepStrictEqual(takeHost(), [`{"id":1,"result":{"tools":${tools},${added}}}`])
  })

  it("maps a missing resource and leaves other errors", () => {
    const { host, server, takeHost } = open()
    host(modernRequest("1", "resources/read", '"uri":"x"'))
    server('{"id":1,"error":{"code":-32002,"message":"no","data":{"uri":"x"}}}')
    host(call("2"))
    server('{"id":2,"error":{"code":-32042,"message":"odd"}}')
    assert.deepStrictEqual(takeHost(), [
      '{"id":1,"error":{"code":-32602,"message":"no","data":{"uri":"x"}}}',
      '{"id":2,"error":{"code":-32042,"message":"odd"}}'
    ])
  })

  it("refuses what neither era has in common", () => {
    const { host, server, takeHost, takeServer } = open()
    host(modernRequest("1", "tasks/get"))
    assert.match(errorOf(takeHost()[0]).message, /2026-07-28.*2025-11-25/)
    host(call("2"))
    takeServer()
    server('{"id":7,"method":"tasks/get","params":{}}')
    server('{"id":8,"method":"ping"}')
    const [refusal, pong] = takeServer()
    assert.match(errorOf(refusal).message, /2026-07-28.*2025-11-25/)
    assert.strictEqual(pong, '{"jsonrpc":"2.0","id":8,"result":{}}')
    for (const name of ["elicitation/complete", "tasks/status"]) server(`{"method":"notifications/${name}"}`)
    assert.deepStrictEqual(takeHost(), [])
  })

  describe("what the server asks during a call", () => {
    it("is answered to the host as input_required, and the answer goes back when the host repeats the call", () => {
      const { host, server, takeAbouts, takeHost, takeServer, waits } = open()
      host(call("12345678901234567890"))
      takeServer()
      server(ask('"s\\u0031"'))
      const [asked] = takeHost()
      assert.deepStrictEqual(takeAbouts(), ["12345678901234567890"])
      assert.deepStrictEqual(waits(), [600_000])
      const state = stateOf(asked)
      assert.strictEqual(
        asked,
        `{"jsonrpc":"2.0","id":12345678901234567890,"result":{"resultType":"input_required","inputRequests":{"input-1":{"method":"elicitation/create","params":{"message":"?","n":1e400}}},"requestState":${state}}}`
      )
      host(repeat('"again"', state, accept))
      assert.deepStrictEqual(takeServer(), [
        '{"jsonrpc":"2.0","id":"s\\u0031","result":{"action":"accept","content":{"n":-0}}}'
      ])
      assert.deepStrictEqual(waits(), [])
      server('{"id":12345678901234567890,"result":{"content":[],"n":1.0}}')
      assert.deepStrictEqual(takeHost(), ['{"id":"again","result":{"content":[],"n":1.0,"resultType":"complete"}}'])
    })

    it("waits for its turn while the host has a question", () => {
      const { host, server, takeHost, takeServer } = open()
      host(call("1"))
      takeServer()
      server(ask("7"))
      server(ask("8"))
      server(ask("9"))
      const [first, ...rest] = takeHost()
      assert.deepStrictEqual(rest, [])
      host(repeat("2", stateOf(first), accept))
      assert.lengthOf(takeServer(), 1)
      const [second] = takeHost()
      assert.deepStrictEqual(Object.keys((json(second).result as { inputRequests: object }).inputRequests), [
        "input-1",
        "input-2"
      ])
      host(repeat("3", stateOf(second), '{"input-2":{"action":"cancel"}}'))
      const [missing, given] = takeServer()
      assert.deepStrictEqual([json(missing).id, errorOf(missing).code], [8, -32603])
      assert.strictEqual(given, '{"jsonrpc":"2.0","id":9,"result":{"action":"cancel"}}')
    })

    it("may be withdrawn, and the call may end, before the host comes back", () => {
      const { host, server, takeHost, takeServer } = open()
      host(call("1"))
      takeServer()
      server(ask("7"))
      const state = stateOf(takeHost()[0])
      server('{"method":"notifications/cancelled","params":{"requestId":7}}')
      server('{"id":1,"result":{"content":[]}}')
      assert.deepStrictEqual(takeHost(), [])
      host(repeat("2", state, accept))
      assert.deepStrictEqual(takeServer(), [])
      assert.deepStrictEqual(takeHost(), ['{"id":2,"result":{"content":[],"resultType":"complete"}}'])
    })

    it("may be withdrawn before its turn", () => {
      const { host, server, takeHost } = open()
      host(call("1"))
      server(ask("7"))
      server(ask("8"))
      server('{"method":"notifications/cancelled","params":{"requestId":8}}')
      host(repeat("2", stateOf(takeHost()[0]), accept))
      assert.deepStrictEqual(takeHost(), [])
    })

    it("is refused after the call was cancelled", () => {
      const { host, server, takeHost, takeServer } = open()
      host(call("1"))
      host('{"method":"notifications/cancelled","params":{"requestId":1}}')
      takeServer()
      server(ask("7"))
      assert.deepStrictEqual([errorOf(takeServer()[0]).code, takeHost()], [-32601, []])
    })

    it("is refused if there is no call, or the host cannot do it", () => {
      const { host, server, takeHost, takeServer } = open()
      host(modernRequest("1", "tools/list"))
      takeServer()
      server(ask("7"))
      assert.strictEqual(errorOf(takeServer()[0]).code, -32601)
      host(call("2").replace('"elicitation":{}', '"elicitation":null'))
      takeServer()
      server(ask("8"))
      assert.match(errorOf(takeServer()[0]).message, /does not offer elicitation/)
      assert.deepStrictEqual(takeHost(), [])
    })

    it("belongs to the call that the transport names, else to the latest", () => {
      const { host, server, takeHost } = open()
      host(call("1"))
      host(call("2"))
      server(ask("7"), "1")
      server(ask("8"))
      assert.deepStrictEqual(
        takeHost().map((frame) => json(frame).id),
        [1, 2]
      )
    })

    it("reaches no other host's call", () => {
      const { host, server, takeHost, takeServer } = open(true)
      host(call("1"))
      takeServer()
      server(ask("7"))
      assert.deepStrictEqual([errorOf(takeServer()[0]).code, takeHost()], [-32601, []])
      server(ask("8"), "1")
      assert.lengthOf(takeHost(), 1)
    })

    it("is over after ten minutes", () => {
      const { elapse, host, server, takeHost, takeServer } = open()
      host(call("1"))
      takeServer()
      server(ask("7"))
      const state = stateOf(takeHost()[0])
      elapse()
      const [refusal, cancel] = takeServer()
      assert.deepStrictEqual([json(refusal).id, errorOf(refusal).code], [7, -32603])
      assert.deepInclude(json(cancel), { method: "notifications/cancelled" })
      assert.deepInclude(json(cancel).params, { requestId: 1 })
      host(repeat("2", state, accept))
      assert.deepStrictEqual(errorOf(takeHost()[0]).code, -32602)
      assert.deepStrictEqual(takeServer(), [])
    })

    it("does not pile up: of more than 64 calls that wait, the oldest is given up", () => {
      const { host, server, takeHost, takeServer, waits } = open()
      for (let id = 1; id <= 65; id += 1) {
        host(call(`${id}`))
        server(ask(`${1000 + id}`))
      }
      assert.lengthOf(takeHost(), 65)
      assert.lengthOf(waits(), 64)
      const last = takeServer().slice(-2)
      assert.deepStrictEqual(
        [json(last[0]).id, json(last[1]).params],
        [1001, { requestId: 1, reason: "the host did not answer in time" }]
      )
    })
  })

  it("knows no request state but its own, and for the same kind of call", () => {
    const { host, server, takeHost, takeServer } = open()
    host(call("1"))
    server(ask("7"))
    const state = stateOf(takeHost()[0])
    takeServer()
    host(repeat("2", '"guess"', accept))
    host(modernRequest("3", "prompts/get", `"name":"p","requestState":${state}`))
    assert.deepStrictEqual(
      takeHost().map((frame) => errorOf(frame).code),
      [-32602, -32602]
    )
    assert.deepStrictEqual(takeServer(), [])
    host(repeat("4", state, accept))
    assert.lengthOf(takeServer(), 1)
  })

  it("gives each call an own request state", () => {
    const { host, server, takeHost } = open()
    for (const id of ["1", "2"]) {
      host(call(id))
      server(ask(`1${id}`))
    }
    const [one, two] = takeHost().map(stateOf)
    assert.match(one ?? "", /random-2"$/)
    assert.match(two ?? "", /random-3"$/)
  })

  it("gives a call another id at the server while its own is taken by one that is parked", () => {
    const { host, server, takeHost, takeServer } = open()
    host(call("1"))
    server(ask("7"))
    const state = stateOf(takeHost()[0])
    host(call("1"))
    const renamed = idOf(takeServer()[1])
    assert.notStrictEqual(renamed, "1")
    host('{"method":"notifications/cancelled","params":{"requestId":1,"n":-0}}')
    assert.deepStrictEqual(takeServer(), [
      `{"method":"notifications/cancelled","params":{"requestId":${renamed},"n":-0}}`
    ])
    host(repeat("2", state, accept))
    takeServer()
    host('{"method":"notifications/cancelled","params":{"requestId":2}}')
    assert.deepStrictEqual(takeServer(), ['{"method":"notifications/cancelled","params":{"requestId":1}}'])
    host('{"method":"notifications/cancelled","params":{"requestId":99}}')
    assert.deepStrictEqual(takeServer(), [])
  })

  describe("a URL that is to be visited before a call", () => {
    const required =
      '{"id":1,"error":{"code":-32042,"message":"sign in","data":{"elicitations":[{"mode":"url","url":"https://a.b","n":1.0}]}}}'

    it("is asked for, and the call made again", () => {
      const { host, server, takeHost, takeServer } = open()
      host(call("1"))
      takeServer()
      server(required)
      const [asked] = takeHost()
      assert.include(
        asked,
        '"input-1":{"method":"elicitation/create","params":{"mode":"url","url":"https://a.b","n":1.0}}'
      )
      host(repeat("2", stateOf(asked), '{"input-1":{"action":"accept"}}'))
      assert.deepStrictEqual(takeServer(), [bareRequest("2", "tools/call", '"name":"a"')])
      server('{"id":2,"result":{"content":[]}}')
      assert.deepStrictEqual(takeHost(), ['{"id":2,"result":{"content":[],"resultType":"complete"}}'])
    })

    it("may be declined, or never be visited", () => {
      const { elapse, host, server, takeHost, takeServer } = open()
      host(call("1"))
      takeServer()
      server(required)
      const [asked] = takeHost()
      host(repeat("2", stateOf(asked), '{"input-1":{"action":"decline"}}'))
      assert.deepInclude(json(takeHost()[0]).result, { isError: true, resultType: "complete" })
      host(call("1"))
      takeServer()
      server(required)
      elapse()
      assert.deepStrictEqual(takeServer(), [])
    })
  })

  it("sets the server's log level to the most verbose that is asked for, and passes messages only then", () => {
    const { host, server, takeHost, takeServer } = open()
    const message = '{"method":"notifications/message","params":{"level":"error"}}'
    const leveled = (id: string, level: string): string =>
      call(id).replace('"_meta":{', `"_meta":{"io.modelcontextprotocol/logLevel":"${level}",`)
    host(call("1"))
    server(message)
    host(leveled("2", "error"))
    host(leveled("3", "info"))
    host(leveled("4", "alert"))
    server(message)
    assert.deepStrictEqual(takeHost(), [message])
    assert.deepStrictEqual(
      takeServer()
        .map((frame) => json(frame))
        .filter(({ method }) => method === "logging/setLevel")
        .map(({ params }) => params),
      [{ level: "error" }, { level: "info" }]
    )
    for (const id of ["2", "3", "4"]) server(`{"id":${id},"result":{}}`)
    takeHost()
    server(message)
    assert.deepStrictEqual(takeHost(), [])
  })

  it("drops progress of a call that nobody asked to know it of", () => {
    const { host, server, takeHost } = open()
    const progress = '{"method":"notifications/progress","params":{"progressToken":5,"progress":1.0}}'
    host(call("1").replace('"_meta":{', '"_meta":{"progressToken":5,'))
    server(progress)
    assert.deepStrictEqual(takeHost(), [progress])
    server(ask("7"))
    server(progress)
    const [asked, ...rest] = takeHost()
    assert.deepStrictEqual(rest, [])
    host(repeat("2", stateOf(asked), accept).replace('"_meta":{', '"_meta":{"progressToken":"t",'))
    server(progress)
    assert.deepStrictEqual(takeHost(), [progress.replace(":5,", ':"t",')])
  })

  describe("subscriptions/listen", () => {
    const listen = (id: string, filter: string): string =>
      modernRequest(id, "subscriptions/listen", `"notifications":${filter}`)

    it("is acknowledged when the server has subscribed, and served from what it tells", () => {
      const { host, server, takeHost, takeServer } = open()
      host(
        listen(
          "12345678901234567890",
          '{"toolsListChanged":true,"promptsListChanged":true,"resourceSubscriptions":["x","y"]}'
        )
      )
      const [x, y] = takeServer()
      server(`{"id":${idOf(x)},"result":{}}`)
      assert.deepStrictEqual(takeHost(), [])
      server(`{"id":${idOf(y)},"error":{"code":-32002,"message":"no"}}`)
      const mark = '"_meta":{"io.modelcontextprotocol/subscriptionId":12345678901234567890}'
      assert.deepStrictEqual(takeHost(), [
        `{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"toolsListChanged":true,"resourceSubscriptions":["x"]},${mark}}}`
      ])
      server('{"method":"notifications/tools/list_changed"}')
      server('{"method":"notifications/prompts/list_changed"}')
      server('{"method":"notifications/resources/updated","params":{"uri":"x","n":1.0}}')
      server('{"method":"notifications/resources/updated","params":{"uri":"y"}}')
      assert.deepStrictEqual(takeHost(), [
        `{"method":"notifications/tools/list_changed","params":{${mark}}}`,
        `{"method":"notifications/resources/updated","params":{"uri":"x","n":1.0,${mark}}}`
      ])
    })

    it("subscribes once for all that listen, and ends with the last of them", () => {
      const { host, server, takeHost, takeServer } = open()
      const filter = '{"resourceSubscriptions":["x"]}'
      host(listen("1", filter))
      host(listen("2", filter))
      const [subscribe, ...rest] = takeServer()
      assert.deepStrictEqual(rest, [])
      server(`{"id":${idOf(subscribe)},"result":{}}`)
      assert.lengthOf(takeHost(), 2)
      host(listen("3", filter))
      assert.lengthOf(takeHost(), 1)
      for (const id of ["1", "2"]) host(`{"method":"notifications/cancelled","params":{"requestId":${id}}}`)
      assert.deepStrictEqual(takeServer(), [])
      server('{"method":"notifications/resources/updated","params":{"uri":"x"}}')
      assert.lengthOf(takeHost(), 1)
      host('{"method":"notifications/cancelled","params":{"requestId":3}}')
      assert.deepStrictEqual(json(takeServer()[0]).method, "resources/unsubscribe")
    })

    it("that ends before the server has subscribed leaves nothing behind", () => {
      const { host, server, takeHost, takeServer } = open()
      host(listen("1", '{"resourceSubscriptions":["x"]}'))
      const [subscribe] = takeServer()
      host('{"method":"notifications/cancelled","params":{"requestId":1}}')
      server(`{"id":${idOf(subscribe)},"result":{}}`)
      assert.deepStrictEqual(json(takeServer()[0]).method, "resources/unsubscribe")
      assert.deepStrictEqual(takeHost(), [])
    })

    it("needs a filter", () => {
      const { host, takeHost } = open()
      host(modernRequest("1", "subscriptions/listen"))
      assert.strictEqual(errorOf(takeHost()[0]).code, -32602)
    })
  })

  it("when the server is lost, gives back what the host had sent and still waits for", () => {
    const { host, machine, server, takeServer, waits } = open()
    host(call("1"))
    server(ask("7"))
    host(call("1"))
    host(modernRequest("3", "subscriptions/listen", '"notifications":{"resourceSubscriptions":["x"]}'))
    const sent = takeServer()
    assert.lengthOf(sent, 3)
    const unsent = [...sent, '{"id":9,"result":{}}']
    assert.deepStrictEqual(machine.onLost(unsent.map(bytes)).map(text), [call("1")])
    assert.deepStrictEqual(waits(), [])
  })

  it("passes what is no message, and answers that it does not know", () => {
    const { host, server, takeHost, takeServer } = open()
    for (const frame of ["[]", '{"id":99,"result":{}}', '{"method":"vendor/x"}']) server(frame)
    assert.deepStrictEqual(takeHost(), ["[]", '{"id":99,"result":{}}', '{"method":"vendor/x"}'])
    for (const frame of ["[]", '{"method":"vendor/x"}']) host(frame)
    assert.deepStrictEqual(takeServer(), ["[]", '{"method":"vendor/x"}'])
  })
})
