import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { elementsOf, findValue, memberOf, membersOf, textOf, valueOf } from "../../../src/domain/wire/JsonBytes.ts"

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

const whole = (text: string): unknown => valueOf(bytes(text), { start: 0, end: bytes(text).length })

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

describe("valueOf, textOf", () => {
  it("decode any text as JSON.parse and TextDecoder do, short and plain or not", () => {
    const part = fc.constantFrom(
      '"',
      "\\",
      "\\n",
      "\\u0061",
      "a",
      " ",
      "\t",
      "\u0001",
      "\u007f",
      "é",
      "\u{1F600}",
      "7",
      "-"
    )
    const longer = fc.constantFrom("", "x".repeat(60), "x".repeat(70))
    const text = fc.tuple(fc.array(part, { maxLength: 8 }), longer).map(([parts, more]) => parts.join("") + more)
    fc.assert(
      fc.property(text, (text) => {
        assert.deepStrictEqual(whole(`"${text}"`), parsed(`"${text}"`))
        assert.deepStrictEqual(whole(text), parsed(text))
        assert.strictEqual(textOf(bytes(`[${text}]`), { start: 1, end: bytes(text).length + 1 }), text)
      }),
      { numRuns: 500 }
    )
  })
})

describe("findValue", () => {
  it("finds what JSON.parse finds, whatever keys come twice", () => {
    const key = fc.constantFrom('"a"', '"b"', '"\\u0061"', '"é"', '"\\u00e9"', '"ab"')
    const { object } = fc.letrec<{ object: string; value: string }>((tie) => ({
      object: fc
        .array(fc.tuple(key, tie("value")), { maxLength: 4 })
        .map((members) => `{ ${members.map(([key, value]) => `${key} : ${value}`).join(" ,")}}`),
      value: fc.oneof(
        { depthSize: "small" },
        fc.constantFrom("1", '"a"', '"}\\""', "[{}]", "null"),
        tie("object"),
        tie("object")
      )
    }))
    const path = fc.array(fc.constantFrom("a", "b", "é", "ab", "c"), { maxLength: 3 })
    fc.assert(
      fc.property(object, path, (text, path) => {
        let expected = parsed(text)
        for (const key of path) {
          const isObject = typeof expected === "object" && expected !== null && !Array.isArray(expected)
          expected = isObject ? Object.entries(Object(expected)).find(([name]) => name === key)?.[1] : undefined
        }
        const span = findValue(bytes(text), 0, path)
        assert.deepStrictEqual(span === undefined ? undefined : valueOf(bytes(text), span), expected)
      }),
      { numRuns: 1000 }
    )
  })
})

describe("objects and lists of very many parts", () => {
  it("are not taken apart, and what is looked for by name is found in them", () => {
    const span = (text: string) => ({ start: 0, end: text.length })
    const object = `{${'"a":1,'.repeat(300_000)}"b":2,"b":3}`
    assert.isUndefined(membersOf(bytes(object), span(object)))
    const found = memberOf(bytes(object), span(object), "b")
    assert.strictEqual(found && textOf(bytes(object), found), "3")
    const list = `[${"1,".repeat(300_000)}1]`
    assert.isUndefined(elementsOf(bytes(list), span(list)))
  })
})
