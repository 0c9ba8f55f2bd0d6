import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { exampleArguments, exampleValue } from "../../../../src/domain/documents/export/exampleValue.ts"

describe("exampleValue", () => {
  const cases: ReadonlyArray<readonly [string, unknown, unknown]> = [
    ["a constant", { const: 7, default: 8 }, 7],
    ["a default before examples", { default: "a", examples: ["b"], enum: ["c"] }, "a"],
    ["the first example", { type: "string", examples: ["b", "c"] }, "b"],
    ["the first choice", { enum: ["x", "y"] }, "x"],
    ["a text of a format", { type: "string", format: "date" }, "2026-01-15"],
    ["a text by its title, no longer than allowed", { type: "string", title: "City name", maxLength: 4 }, "City"],
    ["a text as long as it must be", { type: "string", minLength: 9 }, "Example.."],
    ["a number within its bounds", { type: "integer", minimum: 5 }, 5],
    ["a number above an excluded bound", { type: "number", exclusiveMinimum: 2 }, 3],
    ["a number below a bound", { type: "number", maximum: -4 }, -4],
    ["the type that is not null", { type: ["null", "boolean"] }, true],
    ["a list of one", { type: "array", items: { type: "number" } }, [1]],
    ["a tuple", { type: "array", prefixItems: [{ const: 1 }, { const: "b" }] }, [1, "b"]],
    ["an object without a type", { properties: { a: { const: 1 }, b: { type: "null" } } }, { a: 1, b: null }],
    ["what a reference says", { $ref: "#/$defs/a~1b", $defs: { "a/b": { type: "boolean" } } }, true],
    [
      "all parts together",
      { allOf: [{ properties: { a: { const: 1 } } }, { type: "object", properties: { b: { const: 2 } } }] },
      { a: 1, b: 2 }
    ],
    ["the first alternative", { anyOf: [{ type: "number" }, { type: "string" }] }, 1],
    ["a reference to nothing", { $ref: "#/nowhere" }, "Example"],
    ["no schema", true, "Example"]
  ]
  for (const [name, schema, expected] of cases) {
    it(`takes ${name}`, () => assert.deepStrictEqual(exampleValue(schema), expected))
  }

  it("ends where a schema refers to itself", () => {
    const node = { type: "object", properties: { next: { $ref: "#" } } }
    assert.isBelow(JSON.stringify(exampleValue(node)).length, 200)
    assert.strictEqual(exampleValue({ $ref: "#" }), "Example")
  })

  it("takes any JSON value for a schema", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (schema) => {
        JSON.stringify(exampleValue(schema))
        assert.isObject(exampleArguments(schema))
      })
    )
  })
})

it("exampleArguments gives what is required and what has a default", () => {
  const schema = {
    type: "object",
    properties: { city: { examples: ["Oslo"] }, days: { default: 3 }, note: { type: "string" } },
    required: ["city"]
  }
  assert.deepStrictEqual(exampleArguments(schema), { city: "Oslo", days: 3 })
})
