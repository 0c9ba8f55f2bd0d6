import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { jsonBytes, PrintedJson } from "../../../src/domain/wire/PrintedJson.ts"

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

describe("PrintedJson", () => {
  it("is printed in its place, any number of times and at any depth", () => {
    const page = new PrintedJson('<p class="é">\u2028</p>')
    const value = { contents: [{ uri: "ui://a", text: page, last: 1 }], again: page }
    assert.strictEqual(
      text(jsonBytes('{"id":1,"result":', value, "}")),
      '{"id":1,"result":{"contents":[{"uri":"ui://a","text":"<p class=\\"é\\">\u2028</p>","last":1}],"again":"<p class=\\"é\\">\u2028</p>"}}'
    )
  })

  it("gives what JSON.stringify gives, whatever is printed and whatever stands around it", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (inner, outer) => {
        const printed = text(jsonBytes("", { outer, inner: new PrintedJson(inner), more: [outer] }, ""))
        assert.strictEqual(printed, JSON.stringify({ outer, inner, more: [outer] }))
      })
    )
  })

  it("is the value itself for anyone else who prints it", () => {
    assert.strictEqual(JSON.stringify([new PrintedJson({ a: 1 })]), '[{"a":1}]')
  })

  it("is printed by the next call also when one has failed", () => {
    const loop: Record<string, unknown> = { page: new PrintedJson("a") }
    loop.loop = loop
    assert.throws(() => jsonBytes("", loop, ""), TypeError)
    assert.strictEqual(JSON.stringify(new PrintedJson("a")), '"a"')
  })
})
