import { assert, describe, it } from "@effect/vitest"
import { EnvelopeHeaders, envelopeVersionOf } from "../../../src/domain/wire/EnvelopeHeaders.ts"
import { encodeHeaderValue, paramHeadersOf, paramHeaderValues } from "../../../src/domain/wire/ParamHeaders.ts"

const frame = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value))

const region = { type: "string", "x-mcp-header": "Region" }

describe("EnvelopeHeaders", () => {
  it("knows the version of the envelope, and that there is none", () => {
    const _meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28" }
    assert.strictEqual(envelopeVersionOf(frame({ method: "x", params: { _meta } })), "2026-07-28")
    assert.isUndefined(envelopeVersionOf(frame({ method: "x", params: {} })))
  })

  it("names what a request is about", () => {
    const headers = new EnvelopeHeaders()
    const of = (method: string, params: unknown) => headers.of(frame({ method, params }), method, "v")
    const standard = { "MCP-Protocol-Version": "v" }
    assert.deepStrictEqual(of("tools/list", { name: "x" }), { ...standard, "Mcp-Method": "tools/list" })
    for (const [method, key] of [
      ["tools/call", "name"],
      ["prompts/get", "name"],
      ["resources/read", "uri"],
      ["tasks/get", "taskId"]
    ] as const) {
      assert.deepStrictEqual(of(method, { [key]: "ä" }), {
        ...standard,
        "Mcp-Method": method,
        "Mcp-Name": "=?base64?w6Q=?="
      })
    }
    assert.deepStrictEqual(of("tools/call", { name: 1 }), { ...standard, "Mcp-Method": "tools/call" })
  })

  it("knows the tools as they were listed last", () => {
    const headers = new EnvelopeHeaders()
    const params = { name: "t", arguments: { region: "eu" } }
    const of = () => headers.of(frame({ method: "tools/call", params }), "tools/call", "v")["Mcp-Param-Region"]
    headers.onToolList({ tools: [null, { name: "t", inputSchema: { properties: { region } } }] })
    assert.strictEqual(of(), "eu")
    headers.onToolList({ tools: [{ name: "other", inputSchema: {} }] })
    assert.strictEqual(of(), "eu")
    headers.onToolList({ tools: [{ name: "t", inputSchema: {} }] })
    assert.isUndefined(of())
    headers.onToolList("junk")
  })
})

describe("ParamHeaders", () => {
  it("finds annotations at properties of any depth", () => {
    const schema = { properties: { region, a: { properties: { b: { type: "boolean", "x-mcp-header": "B" } } } } }
    assert.deepStrictEqual(paramHeadersOf(schema), [
      { path: ["region"], name: "Region" },
      { path: ["a", "b"], name: "B" }
    ])
    assert.deepStrictEqual(paramHeadersOf({ properties: { "x-mcp-header": { type: "string" } } }), [])
    assert.deepStrictEqual(paramHeadersOf({ properties: { region, x: { default: { "x-mcp-header": 1 } } } }).length, 1)
  })

  for (const [why, schema] of [
    ["used twice", { properties: { region, other: { type: "string", "x-mcp-header": "REGION" } } }],
    ["on an object", { properties: { region, o: { type: "object", "x-mcp-header": "O" } } }],
    ["with a name that is no token", { properties: { region, o: { type: "string", "x-mcp-header": "a b" } } }],
    ["with an empty name", { properties: { region, o: { type: "string", "x-mcp-header": "" } } }],
    ["in items", { properties: { region, list: { type: "array", items: region } } }],
    ["in a definition", { properties: { region }, $defs: { d: { properties: { region } } } }],
    ["in an alternative", { properties: { region }, anyOf: [{ properties: { region } }] }],
    ["at the root", { type: "string", "x-mcp-header": "Root", properties: { region } }]
  ] as const) {
    it(`gives no header to a tool with an annotation ${why}`, () => assert.isEmpty(paramHeadersOf(schema)))
  }

  it("writes plain values, and leaves out what is missing or cannot be written exactly", () => {
    const values = (value: unknown) =>
      paramHeaderValues([{ path: ["a", "b"], name: "X" }], { a: { b: value } })["Mcp-Param-X"]
    assert.deepStrictEqual(["eu", true, 42, -0.5].map(values), ["eu", "true", "42", "-0.5"])
    assert.deepStrictEqual(
      [undefined, null, {}, [], Number.POSITIVE_INFINITY, 2 ** 60].map(values),
      Array.from({ length: 6 }, () => undefined)
    )
    assert.deepStrictEqual(paramHeaderValues([{ path: ["toString"], name: "X" }], {}), {})
  })

  it("encodes what a header cannot hold", () => {
    assert.strictEqual(encodeHeaderValue("plain, value;"), "plain, value;")
    assert.strictEqual(encodeHeaderValue(" x"), "=?base64?IHg=?=")
    assert.strictEqual(encodeHeaderValue(""), "=?base64??=")
    assert.strictEqual(encodeHeaderValue("a\r\nb"), "=?base64?YQ0KYg==?=")
    assert.strictEqual(encodeHeaderValue("=?base64?YQ==?="), "=?base64?PT9iYXNlNjQ/WVE9PT89?=")
  })
})
