import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { outlineInText } from "../../../src/domain/results/ResultOutline.ts"

describe("outlineInText", () => {
  it("reads lines of keys and values; numbers only where they would be written the same", () => {
    assert.deepEqual(outlineInText("City: Oslo\nHigh: 12\nZip: 0150\nVersion: 1.10\nOpen: true\nNote:"), {
      City: "Oslo",
      High: 12,
      Zip: "0150",
      Version: "1.10",
      Open: true,
      Note: null
    })
  })

  it("reads blocks of the same keys as records, and of different ones as one", () => {
    assert.deepEqual(outlineInText("Title: A\nURL: https://a.example\n\nTitle: B\nStars: 2\n---\nTitle: C"), [
      { Title: "A", URL: "https://a.example" },
      { Title: "B", Stars: 2 },
      { Title: "C" }
    ])
    assert.deepEqual(outlineInText("City: Oslo\r\n\r\nHigh: 12"), { City: "Oslo", High: 12 })
    assert.isUndefined(outlineInText("a: 1\nb: 2\n\nb: 3\nc: 4"))
  })

  it("leaves all else as it is: prose, code, addresses, keys that come twice", () => {
    for (const text of [
      "Dear all,\nhere is what we found: nothing.",
      "The result: good\nIt took long.",
      "Empty:\nThe folder has nothing in it: no file, no folder.",
      "Forecast:\n\nToday: rain\nTomorrow: sun",
      "https://example.org/a\nhttps://example.org/b",
      "const a = { b: 1 }\nconst c: number = 2",
      "- a\n- b",
      "image:\n  tag: 1",
      "a: 1\na: 2",
      "__proto__: 1\nb: 2",
      "a: 1",
      "10:00: start\n11:00: end"
    ])
      assert.isUndefined(outlineInText(text), text)
  })

  it("never throws", () => {
    const line = fc.tuple(
      fc.constantFrom("", "  ", "- ", "├── ", "[X] "),
      fc.string({ maxLength: 12 }),
      fc.constantFrom("", ":", ": x")
    )
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
        outlineInText(lines.map((parts) => parts.join("")).join("\n"))
      }),
      { numRuns: 500 }
    )
  })
})
