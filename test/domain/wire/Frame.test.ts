import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { batchOf, type FrameHead, idKey, readHead, readWholeHead } from "../../../src/domain/wire/Frame.ts"

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const head = (text: string): FrameHead | undefined => readHead(bytes(text))

const big = "x".repeat(40_000)

describe("readHead", () => {
  it("tells requests, notifications and responses apart", () => {
    assert.deepStrictEqual(head('{"jsonrpc":"2.0","id":1,"method":"ping"}'), {
      kind: "request",
      id: "1",
      method: "ping"
    })
    assert.deepStrictEqual(head('{"method":"a","params":{}}'), { kind: "notification", method: "a" })
    assert.deepStrictEqual(head('{"result":{},"id":"x"}'), { kind: "response", id: '"x"' })
    assert.deepStrictEqual(head('{"error":{"code":1,"message":"m"},"id":null}'), { kind: "response", id: "null" })
  })

  it("keeps the id as it is written", () => {
    for (const id of ["12345678901234567890", "1.0", "-0", "1e400", '"\\u0061"', '"a\\"b"']) {
      assert.deepStrictEqual(head(`{"id": ${id} ,"method":"m"}`), { kind: "request", id, method: "m" })
      assert.deepStrictEqual(head(`{"result":{"v":"${big}"},"jsonrpc":"2.0","id":${id}}`), { kind: "response", id })
      assert.deepStrictEqual(head(`{"id":${id},"result":{"v":"${big}"}}`), { kind: "response", id })
    }
  })

  it("is not misled by ids and methods deeper down or inside strings", () => {
    assert.deepStrictEqual(head(`{"id":1,"result":{"id":2,"method":"x","v":"${big}"}}`), { kind: "response", id: "1" })
    assert.deepStrictEqual(head(`{"result":{"v":"${big}","id":2},"id":1}`), { kind: "response", id: "1" })
    assert.deepStrictEqual(head(`{"id":1,"result":{"v":"${big}","id":2}}`), { kind: "response", id: "1" })
    assert.deepStrictEqual(head(`{"id":1,"result":"${big},\\"id\\":3"}`), { kind: "response", id: "1" })
    assert.strictEqual(head(`{"result":"${big}","x\\"id":5}`), undefined)
    assert.deepStrictEqual(head(`{"method":"n","params":{"v":"${big}","id":9}}`), { kind: "notification", method: "n" })
    assert.deepStrictEqual(head(`{"method":"n","params":{"v":"${big}"}}`), { kind: "notification", method: "n" })
  })

  it("finds the id on either side of large members, whatever their order", () => {
    const request = { kind: "request", id: "7", method: "tools/call" } as const
    for (const order of [
      `{"method":"tools/call","params":{"v":"${big}"},"jsonrpc":"2.0","id":7}`,
      `{"id":7,"params":{"v":"${big}"},"method":"tools/call"}`,
      `{"params":{"v":"${big}"},"id":7,"method":"tools/call"}`,
      `{"params":{"v":"${big}"},"method":"tools/call","id":7} \r`
    ]) {
      assert.deepStrictEqual(head(order), request)
    }
  })

  it("takes the last of duplicate members, as JSON.parse does, in frames up to 64 kB", () => {
    const duplicate = (params: string): string => `{"id":1,"method":"a","params":${params},"method":"b","\\u0069d":2}`
    const last = { kind: "request", id: "2", method: "b" } as const
    assert.deepStrictEqual(head(duplicate("{}")), last)
    assert.deepStrictEqual(head(duplicate(`{"v":"${big}"}`)), last)
    assert.deepStrictEqual(head('{"id":1,"method":"a","result":{},"method":5}'), { kind: "response", id: "1" })
    assert.strictEqual(head(duplicate(`"${big}${big}"`))?.kind, "request")
  })

  it("takes a byte order mark and white space, and refuses junk", () => {
    assert.deepStrictEqual(head('\uFEFF {"id":1,"method":"m"}'), { kind: "request", id: "1", method: "m" })
    for (const junk of [
      "",
      "[INFO] started",
      "{not json}",
      "{",
      '{"id":1',
      '{"id":1}',
      "Server ready {}",
      '[{"id":1}]'
    ]) {
      assert.strictEqual(head(junk), undefined, junk)
    }
  })

  it("agrees with JSON.parse on any message", () => {
    const message = fc.record(
      {
        id: fc.oneof(fc.integer(), fc.string()),
        method: fc.string(),
        params: fc.jsonValue(),
        result: fc.jsonValue(),
        ['odd "key\\": \u{1F600}']: fc.jsonValue()
      },
      { requiredKeys: [] }
    )
    fc.assert(
      fc.property(message, fc.boolean(), (value, padded) => {
        const text = JSON.stringify(padded ? { ...value, params: [value.params, big] } : value)
        const parsed = JSON.parse(text) as typeof value
        const seen = head(text)
        if (parsed.method !== undefined && "result" in parsed) assert.isUndefined(seen)
        else if (parsed.method !== undefined) {
          assert.strictEqual(seen?.kind, parsed.id === undefined ? "notification" : "request")
        } else if (parsed.id !== undefined && "result" in parsed) assert.strictEqual(seen?.kind, "response")
        else assert.strictEqual(seen, undefined)
        if (seen !== undefined && seen.kind !== "notification") assert.deepStrictEqual(JSON.parse(seen.id), parsed.id)
      })
    )
  })

  it("never throws on bytes that are no JSON", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (noise) => {
        readHead(noise)
        readHead(bytes(`{"id":1,${String.fromCharCode(...noise)}`))
      })
    )
  })
})

describe("readWholeHead", () => {
  const head = (text: string): FrameHead | undefined => readWholeHead(bytes(text))

  it("takes the last of duplicate members of a frame of any size", () => {
    assert.deepStrictEqual(head(`{"id":1,"result":"${big}","\\u0069d":2}`), { kind: "response", id: "2" })
    const twice = `{"id":1,"result":"${big}${big}","id":2,"x":0}`
    assert.deepStrictEqual(readHead(bytes(twice)), { kind: "response", id: "1" })
    assert.deepStrictEqual(head(twice), { kind: "response", id: "2" })
  })

  it("refuses a question that is an answer too, and what is followed by anything", () => {
    assert.isUndefined(head(`{"id":1,"result":"${big}","method":"a"}`))
    assert.isUndefined(head('{"id":1,"result":{}} {"id":2,"result":{}}'))
    assert.deepStrictEqual(head('\uFEFF{"id":1,"result":{}} '), { kind: "response", id: "1" })
  })
})

describe("batchOf", () => {
  const batch = (text: string): ReadonlyArray<string> | undefined =>
    batchOf(bytes(text))?.map((element) => new TextDecoder().decode(element))

  it("takes it apart, in order", () => {
    assert.deepStrictEqual(batch('\uFEFF [{"id":1,"method":"a","params":[{"id":9}]} , {"method":"b"},5]\r'), [
      '{"id":1,"method":"a","params":[{"id":9}]}',
      '{"method":"b"}',
      "5"
    ])
  })

  it("refuses what is no array, and arrays without any message", () => {
    for (const other of ["", "[]", "[1,2]", "[INFO] started", '[{"id":1,"method":"a"}', '{"id":1,"method":"a"}']) {
      assert.isUndefined(batch(other), other)
    }
  })
})

describe("what a hostile peer makes large", () => {
  it("is no batch when it has more elements than memory should be spent on", () => {
    assert.isUndefined(batchOf(bytes(`[${"1,".repeat(300_000)}{"method":"a"}]`)))
    assert.strictEqual(batchOf(bytes(`[${"1,".repeat(200_000)}{"method":"a"}]`))?.length, 200_001)
  })

  it("is no message when its id is longer than anything should remember", () => {
    const question = (length: number): Uint8Array =>
      bytes(`{"id":"${"x".repeat(length)}","method":"sampling/createMessage"}`)
    assert.strictEqual(readHead(question(4000))?.kind, "request")
    for (const length of [5000, 100_000]) {
      assert.isUndefined(readHead(question(length)))
      assert.isUndefined(readWholeHead(question(length)))
    }
  })
})

describe("idKey", () => {
  it("gives one key to all spellings of an id and two to different ids", () => {
    assert.strictEqual(idKey("1"), idKey("1.0"))
    assert.strictEqual(idKey('"a"'), idKey('"\\u0061"'))
    assert.notStrictEqual(idKey("1"), idKey('"1"'))
    assert.notStrictEqual(idKey("12345678901234567890"), idKey("12345678901234567891"))
  })
})
