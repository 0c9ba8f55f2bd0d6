import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import {
  cutText,
  oneLine,
  PROMPT_ROOMS,
  sampleText,
  schemaText,
  toolTexts
} from "../../../src/domain/documents/PromptData.ts"
import { toolFromDefinition } from "../../../src/domain/tools/Tool.ts"

const deep = (levels: number): unknown =>
  levels === 0 ? { type: "string" } : { type: "object", properties: { next: deep(levels - 1) } }

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
    assert.strictEqual(oneLine("a\r\n-----\tb\u202Ec\u200B\u0000 "), "a ----- bc")
  })
})

describe("schemaText", () => {
  const parse = (schema: unknown, max = 5000, depth = 5) => JSON.parse(schemaText(schema, depth, max))

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

  it("replaces deeper levels by a count", () => {
    const text = schemaText(deep(9), 3, 5000)
    assert.include(text, "1 deeper members")
    assert.strictEqual(text.split('"next"').length - 1, 3)
  })

  it("cuts long enumerations with a count", () => {
    const values = Array.from({ length: 204 }, (_, index) => `value ${index}`)
    assert.strictEqual(parse({ enum: values }).enum.at(-1), "… 174 more")
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

  it("keeps definitions that are referred to, cycles included, and drops the others", () => {
    const schema = {
      properties: { a: { $ref: "#/$defs/node" } },
      $defs: { node: { properties: { next: { $ref: "#/$defs/node" } } }, unused: {} }
    }
    assert.deepStrictEqual(parse(schema).$defs, { node: { properties: { next: { $ref: "#/$defs/node" } } } })
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
      assert.isString(schemaText(schema, 5, 5000))
    }
  )

  it("never throws and never exceeds its room", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.integer({ min: 30, max: 400 }), (schema, max) => {
        const text = schemaText(schema, 5, max)
        assert.isAtMost(text.length, max)
        if (text !== "too large to be shown") JSON.parse(text)
      })
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
})

describe("toolTexts", () => {
  const room = PROMPT_ROOMS[0]!
  it("cuts what a tool says about itself to its limits", () => {
    const tool = toolFromDefinition({
      name: "n".repeat(300),
      title: "t".repeat(300),
      description: "d".repeat(30_000),
      inputSchema: deep(12)
    })
    assert.isDefined(tool)
    const texts = toolTexts(tool, [1, 2, 3, 4], 5, room)
    assert.strictEqual(texts.name.length, 100)
    assert.strictEqual(texts.title?.length, 100)
    assert.strictEqual(texts.description?.length, 2000)
    assert.isAtMost(texts.inputSchema.length, 5000)
    assert.strictEqual(texts.outputSchema, null)
    assert.strictEqual(texts.examples.length, 3)
  })
})
