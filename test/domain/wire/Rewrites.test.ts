import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import {
  addContent,
  addResources,
  addUiToTools,
  announceUi,
  decodedAt,
  rawAt,
  stringAt
} from "../../../src/domain/wire/Rewrites.ts"

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const text = (frame: Uint8Array): string => new TextDecoder().decode(frame)

const uriOf = (name: string): string | undefined => (name.startsWith("_") ? undefined : `ui://${name}`)
const addUi = (frame: string, extra: ReadonlyArray<unknown> = []): string =>
  text(addUiToTools(uriOf, extra)(bytes(frame)))

const ui = (name: string): string => `"ui":{"resourceUri":"ui://${name}"},"ui/resourceUri":"ui://${name}"`

describe("addContent", () => {
  it.each([
    ['{"result":{"content":[ {"n":1e400} ],"x":1}}', '{"result":{"content":[ {"n":1e400} ,{"b":1}],"x":1}}'],
    ['{"result":{"content":[]}}', '{"result":{"content":[{"b":1}]}}'],
    ['{"result":{"structuredContent":{}}}', '{"result":{"structuredContent":{},"content":[{"b":1}]}}'],
    ['{"result":{"content":"text"}}', '{"result":{"content":"text"}}'],
    ['{"error":{"code":1}}', '{"error":{"code":1}}']
  ])("adds a block and leaves every other byte: %s", (frame, expected) => {
    assert.strictEqual(text(addContent({ b: 1 })(bytes(frame))), expected)
  })
})

describe("addUiToTools", () => {
  it("adds both keys and leaves every other byte", () => {
    assert.strictEqual(
      addUi('{"id":1e0, "result" : {"tools":[ {"name":"a" , "n":1e400,"n":-0} ,{}, 7], "x":12345678901234567890}}'),
      `{"id":1e0, "result" : {"tools":[ {"name":"a" , "n":1e400,"n":-0,"_meta":{${ui("a")}}} ,{}, 7], "x":12345678901234567890}}`
    )
  })

  it("adds to a _meta that is there, also an empty one, and takes null for a missing one", () => {
    assert.strictEqual(
      addUi('{"result":{"tools":[{"_meta":{"k":[1]},"name":"a"},{"_meta":{ },"name":"b"},{"name":"c","_meta":null}]}}'),
      `{"result":{"tools":[{"_meta":{"k":[1],${ui("a")}},"name":"a"},{"_meta":{ ${ui("b")}},"name":"b"},{"name":"c","_meta":{${ui("c")}}}]}}`
    )
  })

  it("says it in ChatGPT's words too, and leaves a tool alone that brings a UI for it", () => {
    const frame = (meta: string): string => `{"result":{"tools":[{"name":"a"${meta}}]}}`
    const forChatGpt = (meta: string): string => text(addUiToTools(uriOf, [], true)(bytes(frame(meta))))
    const aliases = `"openai/outputTemplate":"ui://a","openai/widgetAccessible":true`
    assert.strictEqual(forChatGpt(""), frame(`,"_meta":{${ui("a")},${aliases}}`))
    const own = `,"_meta":{"openai/outputTemplate":"ui://widget/own.html"}`
    assert.strictEqual(forChatGpt(own), frame(own))
    assert.strictEqual(addUi(frame(own)), frame(own.replace("}", `,${ui("a")}}`)))
  })

  it("keeps the UI that a tool brings, under either key", () => {
    const frame =
      '{"result":{"tools":[{"name":"a","_meta":{"ui":{"resourceUri":"ui://y"}}},{"name":"b","_meta":{"ui/resourceUri":"ui://x"}}]}}'
    assert.strictEqual(addUi(frame), frame)
  })

  it.each([
    ['"ui":{}', '"ui":{"resourceUri":"ui://a"},"ui/resourceUri":"ui://a"'],
    ['"ui":null', '"ui":{"resourceUri":"ui://a"},"ui/resourceUri":"ui://a"'],
    [
      '"k":1, "ui":{ "visibility":["model"],"n":1e400 }',
      '"k":1, "ui":{ "visibility":["model"],"n":1e400 ,"resourceUri":"ui://a"},"ui/resourceUri":"ui://a"'
    ],
    ['"ui":{"resourceUri":null}', '"ui":{"resourceUri":"ui://a"},"ui/resourceUri":"ui://a"'],
    ['"ui":"odd"', '"ui":"odd"'],
    ['"ui":{"visibility":["app"]},"ui/resourceUri":"ui://x"', '"ui":{"visibility":["app"]},"ui/resourceUri":"ui://x"']
  ])("adds what is missing in a _meta.ui without a URI, and keeps the rest: %s", (meta, expected) => {
    const frame = (members: string): string => `{"result":{"tools":[{"_meta":{${members}},"name":"a"}]}}`
    assert.strictEqual(addUi(frame(meta)), frame(expected))
  })

  it("adds our tools on the last page only", () => {
    const extra = [{ name: "_ui_list" }]
    assert.strictEqual(addUi('{"result":{"tools":[]}}', extra), '{"result":{"tools":[{"name":"_ui_list"}]}}')
    assert.strictEqual(
      addUi('{"result":{"tools":[{"name":"_x"}],"nextCursor":null}}', extra),
      '{"result":{"tools":[{"name":"_x"},{"name":"_ui_list"}],"nextCursor":null}}'
    )
    assert.strictEqual(
      addUi('{"result":{"tools":[],"nextCursor":""}}', extra),
      '{"result":{"tools":[{"name":"_ui_list"}],"nextCursor":""}}'
    )
    const page = '{"result":{"tools":[{"name":"_x"}],"nextCursor":"2"}}'
    assert.strictEqual(addUi(page, extra), page)
  })

  it("does not leave a list that depends on the host in a public cache", () => {
    assert.strictEqual(
      addUi('{"result":{"tools":[],"ttlMs":5,"cacheScope":"public"}}'),
      '{"result":{"tools":[],"ttlMs":5,"cacheScope":"private"}}'
    )
  })

  it("passes errors and odd shapes unchanged", () => {
    for (const frame of [
      '{"id":1,"error":{"code":1,"message":"no"}}',
      '{"result":{"tools":{}}}',
      '{"result":null}',
      '{"result":{"tools":[{"name":7}]}}',
      "junk"
    ]) {
      assert.strictEqual(addUi(frame), frame)
    }
  })

  it("changes nothing but _meta, for any tools", () => {
    const tool = fc.record(
      { name: fc.string(), x: fc.jsonValue(), _meta: fc.dictionary(fc.string(), fc.jsonValue()) },
      {
        requiredKeys: []
      }
    )
    fc.assert(
      fc.property(fc.array(tool), (tools) => {
        const message = { jsonrpc: "2.0", id: 1, result: { tools } }
        const after = JSON.parse(addUi(JSON.stringify(message))) as { result: { tools: Array<{ _meta?: unknown }> } }
        const bare = (list: ReadonlyArray<{ _meta?: unknown }>) => list.map(({ _meta, ...rest }) => rest)
        const before = JSON.parse(JSON.stringify(tools)) as Array<{ _meta?: unknown }>
        assert.deepStrictEqual(bare(after.result.tools), bare(before))
      })
    )
  })
})

describe("announceUi", () => {
  const announce = (frame: string): string => text(announceUi(bytes(frame)))

  it("adds what is missing", () => {
    assert.deepStrictEqual(JSON.parse(announce('{"id":1,"result":{"capabilities":{"tools":{}},"v":1.0}}')), {
      id: 1,
      result: {
        capabilities: {
          tools: { listChanged: true },
          resources: { listChanged: true },
          extensions: { "io.modelcontextprotocol/ui": {} }
        },
        v: 1
      }
    })
  })

  it("merges with what is there and overrides nothing", () => {
    const frame =
      '{"result":{"capabilities":{"extensions":{"x":{}},"tools":{"listChanged":false},"resources":{"subscribe":true}}}}'
    assert.strictEqual(
      announce(frame),
      '{"result":{"capabilities":{"extensions":{"x":{},"io.modelcontextprotocol/ui":{}},"tools":{"listChanged":false},"resources":{"subscribe":true,"listChanged":true}}}}'
    )
  })

  it("takes null for missing", () => {
    assert.strictEqual(
      announce('{"result":{"capabilities":{"tools":{"listChanged":null},"resources":null,"extensions":null}}}'),
      '{"result":{"capabilities":{"tools":{"listChanged":true},"resources":{"listChanged":true},"extensions":{"io.modelcontextprotocol/ui":{}}}}}'
    )
  })

  it("leaves a server without tools alone", () => {
    const frame = '{"result":{"capabilities":{"prompts":{}}}}'
    assert.strictEqual(announce(frame), frame)
  })
})

describe("addResources", () => {
  it("appends on the last page", () => {
    assert.strictEqual(
      text(addResources([{ uri: "ui://a" }])(bytes('{"result":{"resources":[{"uri":"x"}]}}'))),
      '{"result":{"resources":[{"uri":"x"},{"uri":"ui://a"}]}}'
    )
  })
})

describe("stringAt, rawAt", () => {
  it("reads below params without decoding the rest", () => {
    const frame = bytes('{"params":{"name":"a\\u0062","arguments":{"name":"x"},"requestId": 1e2 }}')
    assert.strictEqual(stringAt(frame, ["params", "name"]), "ab")
    assert.strictEqual(rawAt(frame, ["params", "requestId"]), "1e2")
    assert.strictEqual(stringAt(frame, ["params", "missing"]), undefined)
    assert.strictEqual(stringAt(frame, ["params", "arguments"]), undefined)
  })

  it("takes the last of duplicate keys, as whoever gets the message does, in frames up to 64 kB", () => {
    const call = '"params":{"name":"_ui_list","arguments":{"name":"x"},"n\\u0061me":"echo"}'
    assert.strictEqual(stringAt(bytes(`{${call}}`), ["params", "name"]), "echo")
    assert.strictEqual(rawAt(bytes(`{${call}}`), ["params", "name"]), '"echo"')
    assert.isUndefined(stringAt(bytes(`{${call},"params":{}}`), ["params", "name"]))
    assert.isUndefined(stringAt(bytes(`{${call},"params":"name"}`), ["params", "name"]))
    assert.deepStrictEqual(decodedAt(bytes('{"result":{"tools":[1]},"id":1,"result":{"tools":[2]}}'), ["result"]), {
      tools: [2]
    })
  })

  it("does not look through larger frames when what it wants stands at their start", () => {
    const frame = bytes(`{"params":{"name":"a","arguments":{"v":"${"x".repeat(70_000)}"}, cut off`)
    assert.strictEqual(stringAt(frame, ["params", "name"]), "a")
  })
})
