import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { cutText, oneLine, visibleJson, visibleText } from "../../../src/domain/tools/PromptText.ts"

/** A right-to-left override, zero width space and joiner, word joiner, soft hyphen, byte order mark, a tag "a". */
const hidden = "\u202E\u200B\u200D\u2060\u00AD\uFEFF\u{E0061}"

describe("cutText", () => {
  it("cuts to the limit, note included, and never halves a character", () => {
    const text = "😀".repeat(100)
    for (let max = 40; max < 60; max++) {
      const cut = cutText(text, max)
      assert.isAtMost(cut.length, max)
      assert.include(cut, "200 characters in all")
      assert.isTrue(cut.isWellFormed())
    }
    assert.strictEqual(cutText("short", 5), "short")
  })
})

describe("oneLine", () => {
  it("leaves nothing that breaks a line or hides", () => {
    assert.strictEqual(oneLine(`a\r\n-----\tb${hidden}c\u0000\u2028 `), "a ----- b c")
  })
})

describe("visibleText", () => {
  it("keeps lines and tabs, and nothing else that cannot be seen", () => {
    assert.strictEqual(visibleText(`a\r\nb\rc\u2028d${hidden}\te\u0007`), "a\nb\nc\nd\te")
  })
})

describe("visibleJson", () => {
  it("shows what hides, and stays the same value", () => {
    const value = { [`k${hidden}`]: [`\u2028${hidden}\u0085`, 1.5, "héllo"] }
    const text = visibleJson(JSON.stringify(value))
    assert.match(text, /^[ -~é]*$/u)
    assert.include(text, "\\u202e")
    assert.deepStrictEqual(JSON.parse(text), value)
  })

  it("stays the same value, whatever it is", () => {
    const unit = fc.oneof(fc.constantFrom(...hidden), fc.string({ unit: "binary", minLength: 1, maxLength: 1 }))
    fc.assert(
      fc.property(fc.array(fc.string({ unit })), (value) => {
        assert.deepStrictEqual(JSON.parse(visibleJson(JSON.stringify(value))), value)
      })
    )
  })
})
