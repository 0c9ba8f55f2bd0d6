import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { sampleText, TOO_LARGE } from "../../../src/domain/generation/PromptSample.ts"
import { schemaText } from "../../../src/domain/generation/PromptSchema.ts"

const nested = (levels: number): unknown =>
  levels === 0 ? { type: "string" } : { type: "object", properties: { next: nested(levels - 1) } }

/** So deep that JSON.stringify would exhaust the stack. */
const deep = (open: string, close: string, inner = '{"type":"string"}'): unknown =>
  JSON.parse(`${open.repeat(100_000)}${inner}${close.repeat(100_000)}`)

const parse = (schema: unknown, max = 5000, depth = 5) => JSON.parse(schemaText(schema, depth, max))

const isWhole = (text: string): void => {
  if (text !== TOO_LARGE && text !== "none") JSON.parse(text)
}

describe("schemaText", () => {
  it("keeps a small schema, without what says nothing", () => {
    const schema = {
      type: "object",
      properties: { city: { type: "string", description: "A\ncity" } },
      required: ["city"]
    }
    assert.deepStrictEqual(parse({ $schema: "x", additionalProperties: false, ...schema }), {
      ...schema,
      properties: { city: { type: "string", description: "A city" } }
    })
  })

  it("keeps what the values of a map are", () => {
    const schema = { type: "object", additionalProperties: { type: "number" } }
    assert.deepStrictEqual(parse(schema), schema)
  })

  it("replaces deeper levels by a count", () => {
    const text = schemaText(nested(9), 3, 5000)
    assert.include(text, "1 deeper members")
    assert.strictEqual(text.split('"next"').length - 1, 3)
  })

  it("cuts long enumerations and lists of variants with a count", () => {
    const values = Array.from({ length: 204 }, (_, index) => `value ${index}`)
    assert.strictEqual(parse({ enum: values }).enum.at(-1), "… 174 more")
    assert.strictEqual(parse({ anyOf: values.map((title) => ({ const: title })) }).anyOf.at(-1), "… 174 more")
  })

  it("names a repeated subschema by its path", () => {
    const address = {
      type: "object",
      properties: Object.fromEntries(
        ["street", "town", "country"].map((name) => [name, { type: "string", description: "a part of the address" }])
      )
    }
    assert.deepStrictEqual(parse({ properties: { home: address, work: address } }).properties.work, {
      sameAs: "#/properties/home"
    })
  })

  it("writes a definition that is used once where it is used, with what stands beside the reference", () => {
    const schema = {
      type: "object",
      properties: { owner: { $ref: "#/$defs/a~1b", description: "who" } },
      $defs: { "a/b": { type: "object", description: "a person", properties: { name: { type: "string" } } } }
    }
    assert.deepStrictEqual(parse(schema), {
      type: "object",
      properties: { owner: { type: "object", description: "who", properties: { name: { type: "string" } } } }
    })
  })

  it("keeps definitions that are used more than once, cycles included, and drops the others", () => {
    const node = { properties: { next: { $ref: "#/$defs/node" }, end: { type: "boolean" } } }
    const schema = { properties: { a: { $ref: "#/$defs/node" } }, $defs: { node, unused: { type: "null" } } }
    assert.deepStrictEqual(parse(schema), { properties: schema.properties, $defs: { node } })
  })

  it("makes a large schema fit and stay whole JSON", () => {
    const properties = Object.fromEntries(
      Array.from({ length: 205 }, (_, index) => [
        `property_${index}`,
        { type: "string", description: "words ".repeat(60) }
      ])
    )
    const text = schemaText({ type: "object", properties }, 5, 5000)
    assert.isAtMost(text.length, 5000)
    assert.match(JSON.parse(text).properties["…"], /more$/u)
  })

  it.each([undefined, null, true, [], "text", { required: true }, { properties: [] }, { enum: "x" }, { $ref: 3 }])(
    "calmly takes %j",
    (schema) => {
      isWhole(schemaText(schema, 5, 5000))
    }
  )

  const chain = Object.fromEntries(
    Array.from({ length: 10_000 }, (_, index) => [`d${index}`, { $ref: `#/$defs/d${index + 1}` }])
  )
  const hostile: ReadonlyArray<readonly [string, unknown]> = [
    ["100,000 levels of properties", deep('{"type":"object","properties":{"next":', "}}")],
    ["100,000 levels of lists", deep('{"items":', "}")],
    ["100,000 levels of variants", deep('{"anyOf":[', "]}")],
    ["100,000 lists in a list of variants", { anyOf: deep("[", "]") }],
    ["100,000 levels of definitions", deep('{"$defs":{"a":', "}}")],
    ["a default of 100,000 levels", { default: deep("[", "]") }],
    ["a chain of 10,000 references", { $ref: "#/$defs/d0", $defs: chain }],
    ["references in a circle", { $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } } }],
    ["a reference to itself", { $ref: "#", properties: { a: { $ref: "#" } } }],
    [
      "10,000 properties",
      { properties: Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`p${index}`, nested(4)])) }
    ],
    ["10,000 keywords", Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`k${index}`, nested(4)]))],
    ["an enumeration of 1 MB", { enum: Array.from({ length: 20_000 }, (_, index) => `${"x".repeat(50)}${index}`) }],
    ["one value of 1 MB", { const: "x".repeat(1_000_000), description: "y".repeat(1_000_000) }],
    [
      "values that multiply",
      {
        properties: Object.fromEntries(
          Array.from({ length: 200 }, (_, index) => {
            const four = (value: unknown) => Array.from({ length: 30 }, () => value)
            return [`p${index}`, { default: four(four(four([1, 2, 3]))) }]
          })
        )
      }
    ],
    [
      "__proto__ as a name",
      JSON.parse('{"properties":{"__proto__":{"type":"string"},"constructor":{}},"__proto__":1}')
    ],
    ["__proto__ as a definition", JSON.parse('{"$ref":"#/$defs/__proto__","$defs":{"__proto__":{"type":"string"}}}')]
  ]
  for (const [name, schema] of hostile) {
    it(`stays whole, in its room and quick: ${name}`, () => {
      const start = performance.now()
      for (const max of [5000, 800, 40]) {
        const text = schemaText(schema, 5, max)
        assert.isAtMost(text.length, max)
        isWhole(text)
      }
      schemaText(schema, 1_000_000, 5000)
      assert.isBelow(performance.now() - start, 5000)
    })
  }

  it("keeps a property called __proto__", () => {
    assert.strictEqual(
      schemaText(JSON.parse('{"properties":{"__proto__":{"type":"string"}}}'), 5, 5000),
      '{"properties":{"__proto__":{"type":"string"}}}'
    )
  })

  const keyword = fc.constantFrom(
    "type",
    "properties",
    "items",
    "anyOf",
    "allOf",
    "$defs",
    "definitions",
    "$ref",
    "enum",
    "const",
    "default",
    "description",
    "required",
    "additionalProperties",
    "__proto__",
    "…",
    "sameAs",
    "\u202Ex"
  )
  const { schema: randomSchema } = fc.letrec((tie) => ({
    schema: fc.oneof(
      { depthSize: "medium" },
      fc.constantFrom<unknown>("#/$defs/items", "#/definitions/type", "#", "object", true, null, 3, "text ".repeat(90)),
      fc.array(tie("schema"), { maxLength: 4 }),
      fc.dictionary(keyword, tie("schema"), { maxKeys: 6 })
    )
  }))

  it("never throws, never exceeds its room, and stays whole JSON", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.jsonValue(), randomSchema),
        fc.integer({ min: 30, max: 600 }),
        fc.integer({ min: 1, max: 8 }),
        (schema, max, depth) => {
          const text = schemaText(schema, depth, max)
          assert.isAtMost(text.length, max)
          isWhole(text)
        }
      ),
      { numRuns: 1000 }
    )
  })
})

describe("sampleText", () => {
  it("shows few items of long lists and keeps whole JSON", () => {
    const records = Array.from({ length: 500 }, (_, id) => ({ id, text: "long ".repeat(200) }))
    const text = sampleText({ records }, 800)
    assert.isAtMost(text.length, 800)
    assert.match(JSON.parse(text).records.at(-1), /^… 49\d more$/u)
  })

  it("never throws, never exceeds its room, and stays whole JSON", () => {
    isWhole(sampleText(deep("[", "]"), 100))
    isWhole(sampleText(deep('{"a":', "}"), 100))
    fc.assert(
      fc.property(fc.jsonValue(), fc.integer({ min: 30, max: 400 }), (value, max) => {
        const text = sampleText(value, max)
        assert.isAtMost(text.length, max)
        isWhole(text)
      })
    )
  })
})
