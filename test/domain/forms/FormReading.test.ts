import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { beginForm, Unread, withValue } from "../../../src/domain/forms/FormDraft.ts"
import { formModel } from "../../../src/domain/forms/FormModel.ts"
import { argumentsFromJson, readForm } from "../../../src/domain/forms/FormReading.ts"
import type { FormReading } from "../../../src/domain/forms/FormReading.ts"
import { edited, errorsIn, object } from "./formFixtures.ts"

const text = (value: unknown): string => JSON.stringify(value)

describe("unchanged arguments", () => {
  const schema = object(
    {
      city: { type: "string" },
      days: { type: "integer", default: 3 },
      unit: { enum: ["C", "F"] },
      where: object({ lat: { type: "number" } }, { required: ["lat"] })
    },
    { required: ["city"], additionalProperties: false }
  )

  it("go out as the very same object, whatever they are", () => {
    for (const args of [
      { unknown: { "a.b": [null] }, days: "3", city: 5, unit: "Kelvin", where: { alt: 1 } },
      {},
      { city: null, where: null, days: "" },
      { where: [] },
      JSON.parse('{"__proto__": 1, "city": ""}')
    ]) {
      assert.deepStrictEqual(edited(schema, [], args).errors, [])
      assert.strictEqual(edited(schema, [], args).arguments, args)
      const typed = edited(
        schema,
        [
          [["city"], "x"],
          [["city"], args.city]
        ],
        args
      )
      assert.strictEqual(text(typed), text({ arguments: args, errors: [] }))
    }
  })

  it("go out as they came for any schema and any arguments", () => {
    const keyword = fc.constantFrom(
      "type",
      "properties",
      "required",
      "items",
      "enum",
      "const",
      "default",
      "oneOf",
      "anyOf",
      "allOf",
      "a"
    )
    const { schema } = fc.letrec<{ schema: unknown }>((tie) => ({
      schema: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom<unknown>("string", "object", "array", "number", true, null, ["a"]),
        fc.array(fc.tuple(keyword, tie("schema")), { maxLength: 4 }).map((entries) => Object.fromEntries(entries))
      )
    }))
    const args = fc.dictionary(fc.constantFrom("a", "type", "x", "__proto__"), fc.jsonValue({ maxDepth: 3 }), {
      noNullPrototype: true
    })
    fc.assert(
      fc.property(schema, args, (inputSchema, args) => {
        const read = edited(inputSchema, [], args)
        assert.strictEqual(read.arguments, args)
        assert.deepStrictEqual(read.errors, [])
      }),
      { numRuns: 300 }
    )
  })

  it("keep all that was not edited when something is", () => {
    const args = { unknown: { "a.b": [null] }, where: { alt: 1, lat: 2 }, city: "Rome", extra: "" }
    const open = { ...schema, additionalProperties: true }
    const read = edited(open, [[["where", "lat"], 3]], args)
    assert.strictEqual(text(read), text({ arguments: { ...args, where: { alt: 1, lat: 3 } }, errors: [] }))
    assert.strictEqual(read.arguments.unknown, args.unknown)
  })
})

describe("what is empty", () => {
  const schema = object(
    {
      text: { type: "string" },
      empty: { type: "string", minLength: 0 },
      number: { type: "number" },
      flag: { type: "boolean" },
      unit: { enum: ["C", "F"] },
      none: { type: ["string", "null"] },
      list: { type: "array", items: { type: "string" } },
      kinds: { type: "array", items: { enum: ["a", "b"] } },
      map: { type: "object", additionalProperties: { type: "string" } },
      group: object({ a: { type: "string" } }),
      fixed: { const: 1 },
      any: {}
    },
    {}
  )
  const all = Object.keys(Object(schema.properties))

  it("is left out where it may be", () => {
    assert.deepStrictEqual(edited(schema, []), { arguments: {}, errors: [] })
    const blanks = edited(schema, [
      [["list"], []],
      [["kinds"], []],
      [["map"], {}],
      [["group"], {}]
    ])
    assert.deepStrictEqual(blanks, { arguments: {}, errors: [] })
  })

  it("is what its type calls empty where it must be there, or an error", () => {
    const read = edited({ ...schema, required: all }, [])
    assert.deepStrictEqual(read.arguments, { empty: "", none: null, list: [], kinds: [], map: {}, group: {}, fixed: 1 })
    assert.deepStrictEqual(errorsIn(read), [
      "text: This is required.",
      "number: This is required.",
      "flag: Choose one.",
      "unit: Choose one.",
      "any: Choose one."
    ])
  })

  it("stays where the call had a value", () => {
    const args = { list: ["a"], kinds: ["a"], map: { x: "1" }, group: { a: "1" }, none: null, text: "" }
    const read = edited(
      schema,
      [
        [["list"], []],
        [["kinds"], []],
        [["map", "x"], undefined],
        [["group", "a"], undefined],
        [["flag"], true]
      ],
      args
    )
    assert.strictEqual(
      text(read),
      text({ arguments: { list: [], kinds: [], map: {}, group: {}, none: null, text: "", flag: true }, errors: [] })
    )
    assert.deepStrictEqual(
      edited(
        schema,
        [
          [["list"], undefined],
          [["text"], undefined]
        ],
        args
      ).arguments,
      {
        kinds: ["a"],
        map: { x: "1" },
        group: { a: "1" },
        none: null
      }
    )
  })

  it("opens no optional group with required members, and closes none that was filled", () => {
    const inner = object({ mode: { default: "free" }, prompt: { type: "string" } }, { required: ["prompt"] })
    const outer = object({ q: { type: "string" }, options: inner })
    assert.deepStrictEqual(edited(outer, [[["options"], {}]]), { arguments: {}, errors: [] })
    assert.deepStrictEqual(errorsIn(edited(outer, [[["options"], { mode: "free" }]])), [
      "options.prompt: This is required."
    ])
    assert.deepStrictEqual(edited(outer, [[["options", "prompt"], "why"]]).arguments, { options: { prompt: "why" } })
    assert.deepStrictEqual(errorsIn(edited({ ...outer, required: ["options"] }, [])), [
      "options.prompt: This is required."
    ])
  })

  it("leaves lists: blank rows go, cards stay", () => {
    const rows = object({
      rows: { type: "array", items: { type: "string" }, minItems: 2 },
      cards: { type: "array", items: object({ a: {} }) }
    })
    const read = edited(rows, [
      [["rows"], ["a", undefined, "b", undefined]],
      [["cards"], [{}, { a: 1 }]]
    ])
    assert.deepStrictEqual(read, { arguments: { rows: ["a", "b"], cards: [{}, { a: 1 }] }, errors: [] })
    assert.deepStrictEqual(errorsIn(edited(rows, [[["rows"], ["a", undefined]]])), ["rows: Add at least 2 items."])
    assert.deepStrictEqual(edited(rows, [[["rows"], [undefined]]]), { arguments: {}, errors: [] })
  })

  it("stands in a tuple where something follows", () => {
    const tuple = object({
      pair: { type: "array", prefixItems: [{ type: "string" }, { type: "number" }, { type: "string" }] }
    })
    assert.deepStrictEqual(errorsIn(edited(tuple, [[["pair", 1], 5]])), ["pair.0: This is required."])
    assert.deepStrictEqual(edited(tuple, [[["pair"], ["a", 5, undefined]]]), {
      arguments: { pair: ["a", 5] },
      errors: []
    })
  })
})

describe("errors", () => {
  it("stand at the field, one for each", () => {
    const schema = object(
      {
        city: { type: "string" },
        days: { type: "integer", minimum: 1, maximum: 14 },
        share: { type: "number" },
        where: object({ lat: { type: "number" } }, { required: ["lat"] }),
        code: { type: "string", minLength: 3, pattern: "^[a-z]+$" }
      },
      { required: ["where", "city"] }
    )
    const read = edited(schema, [
      [["code"], "A"],
      [["days"], 15],
      [["share"], new Unread("abc", "Enter a number.", "number")]
    ])
    assert.sameMembers(
      [...errorsIn(read)],
      [
        "city: This is required.",
        "days: Must be 14 or less.",
        "share: Enter a number.",
        "where.lat: This is required.",
        "code: Enter at least 3 characters."
      ]
    )
    assert.deepStrictEqual(read.arguments, { code: "A", days: 15, where: {} })
  })

  it("stand at the row of the draft, also below blank rows", () => {
    const schema = object({ rows: { type: "array", items: { type: "string", maxLength: 2 } } })
    assert.deepStrictEqual(errorsIn(edited(schema, [[["rows"], [undefined, "ab", undefined, "abc"]]])), [
      "rows.3: Enter at most 2 characters; this has 3."
    ])
    assert.deepStrictEqual(errorsIn(edited(schema, [[["rows"], ["a", new Unread("?", "Odd.")]]])), ["rows.1: Odd."])
  })

  it("stand at the deepest field that shows the value, and say where below it", () => {
    const schema = object({
      kinds: { type: "array", items: { enum: ["a", "b"] } },
      closed: object({ a: {} }, { additionalProperties: false }),
      map: { type: "object", additionalProperties: { type: "integer" } }
    })
    const read = edited(schema, [
      [["kinds"], ["a", "z"]],
      [["closed"], { b: 1 }],
      [["map"], { "x.y": "1" }]
    ])
    assert.deepStrictEqual(read.errors, [
      { path: ["kinds"], message: "1: Choose one of the values on offer." },
      { path: ["closed"], message: "“b” is not expected here." },
      { path: ["map", "x.y"], message: "Enter a whole number." }
    ])
  })

  it("of a union are those of its variant", () => {
    const pay = {
      oneOf: [
        object({ kind: { const: "card" }, number: { type: "string" } }, { required: ["kind", "number"] }),
        object(
          { kind: { const: "bank" }, iban: { type: "string" }, bic: { type: "string" } },
          { required: ["kind", "iban"] }
        )
      ]
    }
    const schema = object({ pay, list: { type: "array", items: pay } }, { required: ["pay"] })
    assert.deepStrictEqual(errorsIn(edited(schema, [])), ["pay: Choose one."])
    assert.deepStrictEqual(
      errorsIn(
        edited(schema, [
          [["pay"], { kind: "card" }],
          [["list", 0], { kind: "bank" }]
        ])
      ),
      ["pay.number: This is required.", "list.0.iban: This is required."]
    )
    assert.deepStrictEqual(edited(schema, [[["pay"], { kind: "bank", iban: "x" }]]).errors, [])
  })

  it("of a number in a union of types stand at the union", () => {
    const schema = object({ value: { type: ["string", "number"], maximum: 5 } })
    assert.deepStrictEqual(errorsIn(edited(schema, [[["value"], 6]])), ["value: Must be 5 or less."])
    assert.deepStrictEqual(errorsIn(edited(schema, [[["value"], new Unread("x", "Enter a number.", "number")]])), [
      "value: Enter a number."
    ])
  })

  it("come from whatever validates", () => {
    const schema = object({ a: { type: "string" } })
    const model = formModel(schema)
    const state = { ...beginForm(model), draft: { a: "x" } }
    const read = readForm(model, schema, state, () => [{ path: ["a"], keyword: "custom", message: "Not today." }])
    assert.deepStrictEqual(read, { arguments: { a: "x" }, errors: [{ path: ["a"], message: "Not today." }] })
  })

  it("are none where the schema is none", () => {
    for (const schema of [
      undefined,
      null,
      5,
      { $ref: "#/nowhere" },
      { properties: { a: { pattern: "(", type: "string" } } }
    ]) {
      assert.deepStrictEqual(edited(schema, [[["a"], "x"]]), { arguments: { a: "x" }, errors: [] })
    }
  })
})

describe("a filled form", () => {
  const schema = object(
    {
      name: { type: "string", minLength: 1 },
      count: { type: "integer", minimum: 0 },
      share: { type: ["number", "null"] },
      tags: { type: "array", items: { type: "string" } },
      where: object({ lat: { type: "number" }, lon: { type: "number" } }, { required: ["lat"] }),
      who: { anyOf: [{ type: "string" }, { type: "array", items: { type: "integer" } }] },
      headers: { type: "object", additionalProperties: { type: "string" } }
    },
    { required: ["name", "count"] }
  )
  const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0)
  const args = fc.record(
    {
      name: fc.string({ minLength: 1 }),
      count: fc.nat(),
      share: fc.oneof(number, fc.constant(null)),
      tags: fc.array(fc.string(), { minLength: 1 }),
      where: fc.record({ lat: number, lon: number }, { requiredKeys: ["lat"], noNullPrototype: true }),
      who: fc.oneof(fc.string(), fc.array(fc.integer(), { minLength: 1 })),
      headers: fc.dictionary(fc.string(), fc.string(), { minKeys: 1, noNullPrototype: true })
    },
    { requiredKeys: ["name", "count"], noNullPrototype: true }
  )

  it("sends exactly what was entered, and it validates", () => {
    fc.assert(
      fc.property(args, (entered) => {
        const read = edited(
          schema,
          Object.entries(entered).map(([name, value]) => [[name], value])
        )
        assert.deepStrictEqual(read.errors, [])
        assert.strictEqual(text(read.arguments), text(entered))
      })
    )
  })

  it("is edited back to what it was", () => {
    fc.assert(
      fc.property(args, (entered) => {
        const model = formModel(schema)
        const { draft } = beginForm(model, entered)
        const there = withValue(draft, ["tags", entered.tags?.length ?? 0], "more")
        const back = withValue(there, ["tags"], entered.tags && [...entered.tags])
        assert.strictEqual(text(readForm(model, schema, { args: entered, draft: there }).errors), "[]")
        assert.strictEqual(readForm(model, schema, { args: entered, draft: back }).arguments, entered)
      })
    )
  })
})

describe("whatever is called a schema", () => {
  const words = fc.constantFrom<unknown>(
    "string",
    "object",
    "array",
    "integer",
    "null",
    "#",
    "#/$defs/a",
    "#/properties/type",
    "date",
    true,
    false,
    1,
    null,
    "[",
    "("
  )
  const keyword = fc.constantFrom(
    ..."type properties required items prefixItems enum const $ref $defs definitions allOf anyOf oneOf not if then else dependencies dependentRequired dependentSchemas additionalProperties patternProperties propertyNames default title description examples minimum exclusiveMinimum format pattern minItems nullable discriminator enumNames __proto__ $and a.b".split(
      " "
    )
  )
  const { node: schema } = fc.letrec<{ node: unknown }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 5 },
      words,
      fc.array(tie("node"), { maxLength: 3 }),
      fc.array(fc.tuple(keyword, tie("node")), { maxLength: 5 }).map((entries) => Object.fromEntries(entries))
    )
  }))

  it("never throws, in the model, its fields, the draft and the reading", () => {
    fc.assert(
      fc.property(schema, fc.option(fc.jsonValue({ maxDepth: 3 }), { nil: undefined }), (input, args) => {
        const read: FormReading = edited(
          input,
          [
            [["a"], 1],
            [["type", "b"], ["x"]]
          ],
          args
        )
        assert.isArray(read.errors)
        assert.isArray(edited(input, []).errors)
      }),
      { numRuns: 1000 }
    )
  })

  it("costs bounded work", () => {
    const $defs: Record<string, unknown> = { d0: { type: "string" } }
    for (let depth = 1; depth < 40; depth++) {
      const below = { $ref: `#/$defs/d${depth - 1}` }
      $defs[`d${depth}`] = {
        type: "object",
        properties: { left: below, right: below },
        allOf: [below, below],
        anyOf: [below, below]
      }
    }
    let deep: unknown = {}
    for (let level = 0; level < 20_000; level++)
      deep = { properties: { a: deep }, allOf: [deep], items: deep, if: deep, anyOf: [deep, {}] }
    const wide = object(
      Object.fromEntries(
        Array.from({ length: 2000 }, (_, index) => [
          `p${index}`,
          { anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] }
        ])
      )
    )
    const started = performance.now()
    for (const schema of [object({ bomb: { $ref: "#/$defs/d39" } }, { $defs, required: ["bomb"] }), deep, wide]) {
      edited(schema, [
        [["a"], 1],
        [["p5"], 5]
      ])
    }
    assert.isBelow(performance.now() - started, 15_000)
  }, 60_000)

  it("sends values that are nested without end as they are", () => {
    let deep: unknown = 1
    for (let level = 0; level < 20_000; level++) deep = { a: deep }
    const schema = object({ a: { $ref: "#" }, b: {} })
    const read = edited(schema, [[["b"], "x"]], { a: deep })
    assert.strictEqual(read.arguments.a, deep)
    assert.strictEqual(read.arguments.b, "x")
  })
})

describe("argumentsFromJson", () => {
  it("reads the whole input from JSON", () => {
    assert.deepStrictEqual(argumentsFromJson('{"a": 1}'), { arguments: { a: 1 }, errors: [] })
    assert.deepStrictEqual(argumentsFromJson(" "), { arguments: {}, errors: [] })
    assert.deepStrictEqual(argumentsFromJson("[1]"), {
      arguments: {},
      errors: [{ path: [], message: "Enter an object: { … }" }]
    })
    assert.match(argumentsFromJson("{a").errors[0]?.message ?? "", /^This is not JSON/)
    assert.match(argumentsFromJson('{"a": 12345678901234567890}').errors[0]?.message ?? "", /cannot be sent exactly/)
  })
})
