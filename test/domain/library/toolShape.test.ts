import { assert, describe, it } from "@effect/vitest"
import { canonicalJson } from "../../../src/domain/CanonicalJson.ts"
import { toolShape } from "../../../src/domain/library/toolShape.ts"

const input = {
  type: "object",
  properties: {
    path: { type: "string", description: "Where" },
    kind: { enum: ["a", "b"], default: "a" },
    depth: { type: ["integer", "null"], minimum: 1 }
  },
  required: ["path", "kind"]
}
const output = { type: "object", properties: { rows: { type: "array", items: { type: "string" } } } }

const shapeOf = (inputSchema: unknown, outputSchema: unknown = output, name = "list") =>
  canonicalJson(toolShape({ name, inputSchema, outputSchema }))

const { properties } = input

describe("the structure of a tool", () => {
  it.each<[string, unknown, unknown?]>([
    ["other words", { ...input, title: "T", properties: { ...properties, path: { type: "string", title: "Path" } } }],
    [
      "another order",
      {
        required: ["kind", "path"],
        properties: Object.fromEntries(Object.entries(properties).toReversed()),
        type: "object"
      }
    ],
    ["enum values in another order", { ...input, properties: { ...properties, kind: { enum: ["b", "a"] } } }],
    [
      "other bounds and defaults",
      { ...input, properties: { ...properties, depth: { type: ["null", "integer"], maximum: 9 } } }
    ],
    [
      "what closes an object",
      { ...input, $schema: "http://json-schema.org/draft-07/schema#", additionalProperties: false }
    ]
  ])("is the same with %s", (_, schema) => {
    assert.strictEqual(shapeOf(schema), shapeOf(input))
  })

  it.each<[string, unknown, unknown?, string?]>([
    ["another member", { ...input, properties: { ...properties, more: { type: "string" } } }],
    ["a member less", { ...input, properties: { path: properties.path, kind: properties.kind } }],
    ["another type", { ...input, properties: { ...properties, path: { type: "number" } } }],
    ["another choice", { ...input, properties: { ...properties, kind: { enum: ["a", "c"] } } }],
    ["more that is required", { ...input, required: ["path", "kind", "depth"] }],
    [
      "an output of other items",
      input,
      { type: "object", properties: { rows: { type: "array", items: { type: "number" } } } }
    ],
    ["no output", input, null],
    ["another name", input, output, "list2"]
  ])("is another one with %s", (_, schema, result = output, name = "list") => {
    assert.notStrictEqual(shapeOf(schema, result, name), shapeOf(input))
  })

  it("holds for whatever a server sends, however deep", () => {
    let deep: unknown = { type: "string" }
    for (let depth = 0; depth < 5000; depth += 1) deep = { items: deep, properties: { title: true } }
    for (const schema of [true, null, 1, "x", [], { properties: [], anyOf: {}, items: true }, deep]) {
      assert.isString(shapeOf(schema))
    }
  })
})
