import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { parseJson, readText, textOf } from "../../../src/domain/forms/FieldValue.ts"
import { Unread } from "../../../src/domain/forms/FormDraft.ts"
import { fieldOf } from "./formFixtures.ts"

/** The message for a text that is no value; else the value. */
const read = (property: unknown, typed: string, timeZone?: string): unknown => {
  const value = readText(fieldOf(property), typed, timeZone)
  if (!(value instanceof Unread)) return value
  assert.strictEqual(value.text, typed)
  return value.message
}

const show = (property: unknown, value: unknown, timeZone?: string): string | undefined =>
  textOf(fieldOf(property), value, timeZone)

describe("numbers", () => {
  const integer = { type: "integer" }
  const number = { type: "number" }

  it("are read as typed", () => {
    for (const [typed, value] of [
      ["3", 3],
      [" 4.5 ", 4.5],
      ["1e3", 1000],
      [".5", 0.5],
      ["-0", 0],
      ["\u22127", -7],
      ["+2", 2],
      ["", undefined],
      ["  ", undefined]
    ] as const) {
      assert.strictEqual(read(number, typed), value)
    }
    assert.isFalse(Object.is(read(number, "-0"), -0))
  })

  it("that are none stay as text", () => {
    for (const typed of ["abc", "1,5", "0x10", "1 2", "Infinity", "--1", "."])
      assert.strictEqual(read(number, typed), "Enter a number.")
    assert.strictEqual(read(integer, "one"), "Enter a whole number.")
  })

  it("that would be sent as others stay as text", () => {
    for (const typed of ["9007199254740993", "12345678901234567890", "1e400", "1e-400", "9007199254740993.0"]) {
      assert.strictEqual(read(number, typed), "This number cannot be sent exactly.")
    }
    assert.strictEqual(read(number, "9007199254740991"), 9007199254740991)
  })

  it("are shown as they are read", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.maxSafeInteger(), fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 })),
        (value) => {
          assert.strictEqual(read(number, show(number, value) ?? ""), value + 0)
        }
      )
    )
    assert.isUndefined(show(number, "5"))
    assert.isUndefined(show(number, true))
    assert.strictEqual(show(number, undefined), "")
    assert.strictEqual(textOf(fieldOf(number), new Unread("1x", "Enter a number.", "number")), "1x")
  })
})

describe("texts", () => {
  it("are what was typed", () => {
    assert.strictEqual(read({ type: "string" }, " a "), " a ")
    assert.isUndefined(read({ type: "string" }, ""))
    assert.strictEqual(read({ type: "string", format: "email" }, " a@b.c\n"), "a@b.c")
    assert.strictEqual(show({ type: "string" }, " a "), " a ")
    assert.isUndefined(show({ type: "string" }, 5))
    assert.isUndefined(show({ type: "string" }, null))
    assert.strictEqual(show({ type: ["string", "null"] }, null), "")
  })

  it("of moments are on the clock of the zone", () => {
    const moment = { type: "string", format: "date-time" }
    assert.strictEqual(read(moment, "2026-07-01T12:00", "Europe/Oslo"), "2026-07-01T10:00:00Z")
    assert.strictEqual(show(moment, "2026-07-01T10:00:00Z", "Europe/Oslo"), "2026-07-01T12:00")
    assert.strictEqual(read(moment, "tomorrow", "Europe/Oslo"), "tomorrow")
    const local = { ...moment, pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d$" }
    assert.strictEqual(read(local, "2026-07-01T12:00", "Europe/Oslo"), "2026-07-01T12:00:00")
  })

  it("of times carry the offset of the zone, unless a pattern asks for none", () => {
    const time = { type: "string", format: "time" }
    assert.strictEqual(read(time, "10:30", "UTC"), "10:30:00Z")
    assert.strictEqual(read(time, "10:30:15", "Asia/Kathmandu"), "10:30:15+05:45")
    assert.strictEqual(show(time, "10:30:00+05:45", "Asia/Kathmandu"), "10:30")
    assert.strictEqual(show(time, "10:30:00+01:00", "Asia/Kathmandu"), "10:30:00+01:00")
    assert.strictEqual(read({ ...time, pattern: "^\\d\\d:\\d\\d$" }, "10:30", "UTC"), "10:30")
    assert.strictEqual(read({ ...time, pattern: "^\\d\\d:\\d\\d:\\d\\d$" }, "10:30", "UTC"), "10:30:00")
  })
})

describe("choices", () => {
  it("are read and shown by their index, booleans by their name", () => {
    const unit = { enum: ["C", 1, { a: [1] }] }
    assert.deepStrictEqual(
      ["0", "1", "2", ""].map((typed) => read(unit, typed)),
      ["C", 1, { a: [1] }, undefined]
    )
    assert.deepStrictEqual(
      ["C", 1, { a: [1] }, undefined].map((value) => show(unit, value)),
      ["0", "1", "2", ""]
    )
    assert.isUndefined(show(unit, "1"))
    assert.isUndefined(show(unit, null))
    assert.deepStrictEqual(
      ["true", "false", ""].map((typed) => read({ type: "boolean" }, typed)),
      [true, false, undefined]
    )
    assert.deepStrictEqual(
      [true, false, undefined, "true"].map((value) => show({ type: "boolean" }, value)),
      ["true", "false", "", undefined]
    )
  })
})

describe("parseJson", () => {
  const message = (text: string): string | undefined => {
    const value = parseJson(text)
    return value instanceof Unread ? value.message : undefined
  }

  it("gives the value, or says what is wrong", () => {
    assert.deepStrictEqual(parseJson(' {"a": [1, null]} '), { a: [1, null] })
    assert.match(message("{a") ?? "", /^This is not JSON: /)
  })

  it("does not let a number be sent as another one", () => {
    assert.strictEqual(
      message('{"id": 12345678901234567890}'),
      "The number 12345678901234567890 cannot be sent exactly; as text it needs quotes."
    )
    for (const changed of ["1e999", "9007199254740993.0", "12345678901234567.5", "-90071992547409930e-1", "1E-400"])
      assert.isDefined(message(`[${changed}]`), changed)
    for (const fine of [
      '"12345678901234567890"',
      '["\\"12345678901234567891"]',
      "12345678901234567000",
      "100000000000000000000",
      "0.1",
      "0.1000000000000000055",
      "1E5",
      "1.50e22",
      "0.0e-999",
      "100000000000000000000000",
      "9007199254740992"
    ]) {
      assert.isUndefined(message(fine), fine)
    }
  })

  it("reads what it shows", () => {
    const json = { type: "array", items: {} }
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), (value) => {
        assert.deepStrictEqual(parseJson(show(json, value) ?? ""), JSON.parse(JSON.stringify(value)))
      })
    )
  })
})
