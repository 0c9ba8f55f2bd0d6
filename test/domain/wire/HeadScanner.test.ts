import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { type FrameHead, readHead, readWholeHead } from "../../../src/domain/wire/Frame.ts"
import { HeadScanner } from "../../../src/domain/wire/HeadScanner.ts"

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

const scan = (chunks: Iterable<Uint8Array>): FrameHead | undefined => {
  const scanner = new HeadScanner()
  for (const chunk of chunks) scanner.push(chunk)
  return scanner.head()
}

const scanText = (text: string): FrameHead | undefined => scan([bytes(text)])

/** Chunks of the lengths given, over and over; each with bytes of its own. */
const cut = (all: Uint8Array, lengths: ReadonlyArray<number>): ReadonlyArray<Uint8Array> => {
  const chunks: Array<Uint8Array> = []
  let at = 0
  for (let index = 0; at < all.length; index += 1) {
    const length = lengths[index % lengths.length] ?? 1
    chunks.push(all.slice(at, at + length))
    at += length
  }
  return chunks
}

const big = "x".repeat(20_000)

describe("HeadScanner", () => {
  it("finds id and method wherever they stand", () => {
    const request = { kind: "request", id: "1", method: "tools/call" } as const
    for (const text of [
      `{"id":1,"params":{"v":"${big}"},"method":"tools/call"}`,
      `{"params":{"v":"${big}","id":2,"method":"x"},"id":1,"method":"tools/call","jsonrpc":"2.0"}`,
      `\uFEFF { "params" : ["${big}"] , "method" : "tools/call" ,\t"id" : 1 }\r`,
      `{"\\u0069d":1,"\\u006d\\u0065\\u0074\\u0068\\u006f\\u0064":"tools\\/call","params":[]}`
    ]) {
      assert.deepStrictEqual(scanText(text), request, text.slice(0, 40))
    }
    assert.deepStrictEqual(scanText(`{"result":{"v":"${big}"},"id":"a\\"b","extra":1}`), {
      kind: "response",
      id: '"a\\"b"'
    })
    assert.deepStrictEqual(scanText(`{"error":{},"id":null}`), { kind: "response", id: "null" })
    assert.deepStrictEqual(scanText(`{"method":"n","params":{"id":1}}`), { kind: "notification", method: "n" })
  })

  it("knows whether the message is whole and alone, as `readWholeHead` does", () => {
    for (const text of [
      `{"id":1,"result":{"v":"${big}"}}`,
      `{"id":1,"result":{"v":"${big}"}} \t `,
      `{"id":1,"result":{"v":"${big}"}}x`,
      `{"id":1,"result":{"v":"${big}"}} {"id":2,"result":{}}`,
      `{"id":1,"result":{"v":"${big}"}`,
      `{"id":1,"result":["${big}"`,
      `{"id":1,"result":["${big}"}}`,
      `[{"id":1,"result":{"v":"${big}"}}]`,
      `{"id":1,"result":{"v":"${big}"},"id":2}`,
      `{"id":1,"result":{"v":"${big}"},}`
    ]) {
      for (const lengths of [[1], [7, 4096], [text.length]]) {
        const scanner = new HeadScanner()
        for (const chunk of cut(bytes(text), lengths)) scanner.push(chunk)
        assert.deepStrictEqual(
          scanner.wholeHead(),
          readWholeHead(bytes(text)),
          `${text.slice(0, 20)}…${text.slice(-20)}`
        )
      }
    }
  })

  it("takes the last of duplicate members, as JSON.parse does", () => {
    assert.deepStrictEqual(scanText('{"id":1,"method":"a","params":{},"id":2,"method":"b"}'), {
      kind: "request",
      id: "2",
      method: "b"
    })
    assert.deepStrictEqual(scanText('{"id":1,"method":"a","result":{},"method":5}'), { kind: "response", id: "1" })
  })

  it("refuses what is no message", () => {
    for (const junk of [
      "",
      "log",
      "[1]",
      '[{"id":1,"method":"m"}]',
      "{not json}",
      "{}",
      '{"id":1}',
      '{"id" 1,"method":"m"}'
    ]) {
      assert.isUndefined(scanText(junk), junk)
    }
    for (const broken of ['"id":1;', '"id":,', '"x":}', "5,", '"a":1 2,']) {
      assert.isUndefined(scanText(`{"method":"m",${broken}"z":1}`), broken)
    }
  })

  it("tells what it knows of a message that is cut off", () => {
    assert.deepStrictEqual(scanText('{"id":1,"result":{"v":"xx'), { kind: "response", id: "1" })
    assert.isUndefined(scanText('{"result":{"v":"xx'))
  })

  it("keeps ids and methods up to 4 kB, and tells nothing of longer ones", () => {
    const id = `"${"i".repeat(4094)}"`
    assert.deepStrictEqual(scanText(`{"id":${id},"method":"m"}`), { kind: "request", id, method: "m" })
    assert.isUndefined(scanText(`{"id":"i${id.slice(1)},"method":"m"}`))
    assert.isUndefined(scanText(`{"id":1,"method":"i${id.slice(1)},"result":1}`))
  })

  it("finds the same as readHead, wherever the chunks are cut", () => {
    const key = fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom('"id"', '"method"', '"result"', '"error"', '"params"', '"\\u0069d"') },
      fc.string({ unit: "binary" }).map((text) => JSON.stringify(text))
    )
    const odd = fc.constantFrom('"\\\\"', '"\\\\\\""', '"\\\\\\\\"', '{"a":"}"}', '["]",[{}]]', '"{"', "-0", "1e400")
    const backslashes = fc
      .tuple(fc.nat(70), fc.nat(9))
      .map(([filler, count]) => `"${"f".repeat(filler)}${"\\\\".repeat(count)}\\"${"f".repeat(filler)}"`)
    const json = fc.jsonValue({ stringUnit: "binary" }).map((value) => JSON.stringify(value))
    const value = fc.oneof(json, odd, backslashes, fc.constantFrom('"a"', "7"))
    const space = fc.constantFrom("", "", "", " ", "\t", "\r", " \n ")
    const member = fc
      .tuple(space, key, space, space, value, space)
      .map(([a, k, b, c, v, d]) => `${a}${k}${b}:${c}${v}${d}`)
    const message = fc.oneof(
      { weight: 9, arbitrary: fc.array(member, { maxLength: 7 }).map((members) => `{${members.join(",")}}`) },
      json
    )
    const lengths = fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(message, lengths, (text, lengths) => {
        const all = bytes(text)
        const expected = readHead(all)
        for (const chunks of [[all], cut(all, lengths), cut(all, [1])]) {
          assert.deepStrictEqual(scan(chunks), expected, text)
        }
      }),
      { numRuns: 1500 }
    )
  })

  it("never throws on bytes that are no JSON", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (noise) => {
        scan([noise])
        scan([bytes('{"id":'), noise, noise])
      })
    )
  })
})
