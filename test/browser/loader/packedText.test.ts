import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { packText, unpackText } from "../../../src/browser/loader/packedText.ts"

describe("packed text", () => {
  it("gives every byte back, and nothing but zeros more", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 500 }), (bytes) => {
        const back = unpackText(packText(bytes))
        assert.deepStrictEqual([...back.subarray(0, bytes.length)], [...bytes])
        assert.isTrue(back.subarray(bytes.length).every((byte) => byte === 0))
      })
    )
  })

  it("has nothing that a script, a document or JSON must escape, and is a fifth to a quarter longer", () => {
    const bytes = Uint8Array.from({ length: 65_536 }, (_, index) => (index * 2_654_435_761) >>> 13)
    const text = packText(bytes)
    assert.match(text, /^[ !#-;=-[\]-~]+$/)
    assert.strictEqual(JSON.stringify(text).length, text.length + 2)
    assert.isBelow(text.length / bytes.length, 1.232)
  })
})
