import { assert, describe, it } from "@effect/vitest"
import { prefilled } from "../../../src/domain/forms/prefilled.ts"

const text = { type: "string" }

describe("what a record already has of a tool's arguments", () => {
  it.each<readonly [why: string, properties: object, record: Readonly<Record<string, unknown>>, expected: object]>([
    [
      "members of the same name",
      { name: text, age: { type: "integer" } },
      { name: "Ada", age: 3, city: "Bonn" },
      { name: "Ada", age: 3 }
    ],
    ["names in another case", { dueOn: text }, { due_on: "2026-01-01" }, { dueOn: "2026-01-01" }],
    ["no value of another type", { owner: text }, { owner: { id: 1 } }, {}],
    ["no value that is not allowed", { state: { enum: ["open"] } }, { state: "gone" }, {}],
    [
      "null where it may be",
      { a: { type: ["string", "null"] }, b: text, c: {} },
      { a: null, b: null, c: null },
      { a: null }
    ],
    ["a group", { at: { properties: { city: text } } }, { at: { city: "Bonn" } }, { at: { city: "Bonn" } }],
    [
      "a group that is the record",
      { customer: { properties: { name: text } } },
      { name: "Ada" },
      { customer: { name: "Ada" } }
    ],
    ["nothing of a group that it does not have", { at: { properties: { city: text } } }, { name: "Ada" }, {}]
  ])("%s", (_why, properties, record, expected) => {
    assert.deepStrictEqual(prefilled({ type: "object", properties }, record), expected)
  })

  it("is nothing without a schema", () => {
    assert.deepStrictEqual(prefilled(true, { name: "Ada" }), {})
  })
})
