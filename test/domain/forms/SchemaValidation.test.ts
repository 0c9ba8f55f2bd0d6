import { Validator } from "@cfworker/json-schema"
import type { Schema, SchemaDraft } from "@cfworker/json-schema"
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { schemaDocument } from "../../../src/domain/forms/JsonSchema.ts"
import { fittingSchema, schemaProblems } from "../../../src/domain/forms/SchemaValidation.ts"

const problems = (schema: unknown, value: unknown): ReadonlyArray<string> =>
  schemaProblems(schema, value, schemaDocument(schema)).map(
    ({ path, message }) => `${path.length === 0 ? "" : `${path.join(".")}: `}${message}`
  )

const isValid = (schema: unknown, value: unknown): boolean => problems(schema, value).length === 0

const name = fc.constantFrom("a", "b", "c")
const count = fc.integer({ min: 0, max: 3 })

const value = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom<unknown>(null, true, false, 0, 1, 2, 1.5, -1, "", "a", "ab", "\u{1F600}"),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(name, tie("value"), { maxKeys: 3, noNullPrototype: true })
  )
})).value

/** Objects with up to five members out of some. */
const someOf = (members: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Record<string, unknown>> =>
  fc
    .array(fc.oneof(...Object.entries(members).map(([name, of]) => of.map((made) => [name, made] as const))), {
      maxLength: 5
    })
    .map((entries) => Object.fromEntries(entries))

/** Schemas of the keywords that all drafts from 7 on share. */
const schema = fc.letrec<{ schema: unknown }>((tie) => {
  const some = fc.array(tie("schema"), { minLength: 1, maxLength: 3 })
  const members = fc.dictionary(name, tie("schema"), { maxKeys: 3, noNullPrototype: true })
  return {
    schema: fc.oneof(
      { maxDepth: 3, depthSize: "small", withCrossShrink: true },
      fc.constantFrom<unknown>(true, false, {}, { type: "string" }, { type: "integer" }, { type: ["null", "array"] }),
      someOf({
        type: fc.constantFrom<unknown>("string", "number", "integer", "object", "array", ["boolean", "null"]),
        const: value,
        enum: fc.uniqueArray(value, { minLength: 1, maxLength: 3, selector: (item) => JSON.stringify(item) }),
        properties: members,
        required: fc.uniqueArray(name, { maxLength: 2 }),
        additionalProperties: tie("schema"),
        patternProperties: fc.dictionary(fc.constantFrom("^a", "[bc]"), tie("schema"), { noNullPrototype: true }),
        propertyNames: fc.constantFrom<unknown>({ maxLength: 1 }, { enum: ["a", "b"] }, true),
        minProperties: count,
        maxProperties: count,
        items: tie("schema"),
        minItems: count,
        maxItems: count,
        uniqueItems: fc.boolean(),
        contains: tie("schema"),
        minLength: count,
        maxLength: count,
        pattern: fc.constantFrom("^a", "b$", "^$"),
        minimum: count,
        exclusiveMaximum: count,
        multipleOf: fc.constantFrom(0.5, 2),
        allOf: some,
        anyOf: some,
        oneOf: some,
        not: tie("schema"),
        if: tie("schema"),
        // oxlint-disable-next-line unicorn/no-thenable
        then: tie("schema"),
        else: tie("schema"),
        $ref: fc.constantFrom("#/$defs/text", "#/$defs/list")
      })
    )
  }
}).schema

const $defs = {
  text: { type: ["string", "null"], maxLength: 1 },
  list: { type: "array", items: { $ref: "#/$defs/text" } }
}
const uri = {
  "2020-12": "https://json-schema.org/draft/2020-12/schema",
  "7": "http://json-schema.org/draft-07/schema#"
}

/** What another implementation says: it knows all drafts, and interprets schemas too. */
const isValidElsewhere = (whole: Schema, tried: unknown, draft: SchemaDraft): boolean =>
  new Validator(structuredClone(whole), draft).validate(tried).valid

const agree = (draft: keyof typeof uri, part: unknown, values: ReadonlyArray<unknown>): void => {
  const whole = { $schema: uri[draft], $defs, allOf: [part] } as Schema
  for (const tried of values) {
    assert.strictEqual(isValid(whole, tried), isValidElsewhere(whole, tried, draft), JSON.stringify([part, tried]))
  }
}

describe("schemaProblems", () => {
  it("agrees with another implementation on what is valid", () => {
    fc.assert(
      fc.property(schema, fc.array(value, { minLength: 3, maxLength: 6 }), (part, values) => {
        agree("2020-12", part, values)
        agree("7", part, values)
      }),
      { numRuns: 1000 }
    )
  })

  it("agrees on tuples and dependents of their drafts", () => {
    const members = fc.dictionary(name, schema, { maxKeys: 2, noNullPrototype: true })
    const dependents = fc.dictionary(name, fc.uniqueArray(name, { maxLength: 2 }), { noNullPrototype: true })
    const tuple = fc.array(schema, { minLength: 1, maxLength: 3 })
    const latest = someOf({
      prefixItems: tuple,
      items: schema,
      dependentRequired: dependents,
      dependentSchemas: members
    })
    const seventh = someOf({ items: tuple, additionalItems: schema, dependencies: fc.oneof(dependents, members) })
    fc.assert(
      fc.property(latest, seventh, value, (newer, older, tried) => {
        agree("2020-12", newer, [tried])
        agree("7", older, [tried])
      }),
      { numRuns: 500 }
    )
  })

  it("says in words what is wrong, at the value that it is wrong with", () => {
    assert.deepStrictEqual(
      problems(
        {
          type: "object",
          required: ["name", "size"],
          properties: {
            name: { type: "string" },
            size: { type: "integer", minimum: 1 },
            tags: { type: "array", items: { type: "string", maxLength: 3 }, minItems: 3, uniqueItems: true },
            mail: { format: "email" },
            unit: { enum: ["C", "F"] },
            any: { type: ["string", "number"] }
          },
          additionalProperties: false
        },
        { size: 0, tags: ["long one", "long one"], mail: "nobody", unit: "K", any: [], odd: 1 }
      ),
      [
        "name: This is required.",
        "size: Must be 1 or more.",
        "tags: Add at least 3 items.",
        "tags.0: Enter at most 3 characters; this has 8.",
        "tags.1: Enter at most 3 characters; this has 8.",
        "tags: Items 1 and 2 are the same.",
        "mail: Enter an e-mail address.",
        "unit: Choose one of the values on offer.",
        "any: Enter text or a number.",
        "odd: “odd” is not expected here."
      ]
    )
  })

  it("tells of a union what is wrong with the member that the value is meant for", () => {
    const union = {
      oneOf: [
        {
          properties: { kind: { const: "card" }, number: { type: "string" }, year: {} },
          required: ["kind", "number", "year"]
        },
        { properties: { kind: { const: "bank" }, iban: { type: "string" } }, required: ["kind", "iban"] },
        { type: "string" }
      ]
    }
    assert.deepStrictEqual(problems(union, { kind: "card" }), ["number: This is required.", "year: This is required."])
    assert.deepStrictEqual(problems(union, { kind: "bank" }), ["iban: This is required."])
    assert.deepStrictEqual(problems(union, { kind: "bank", number: "1", year: 1 }), ["iban: This is required."])
    assert.deepStrictEqual(problems(union, { iban: 5 }), ["kind: This is required.", "iban: Enter text."])
    const alike = { oneOf: [{ type: "integer" }, { minimum: 2 }] }
    assert.deepStrictEqual(problems(alike, 3), ["This is as several of the alternatives at once."])
  })

  it("counts formats that people know as assertions", () => {
    const good = {
      date: ["2028-02-29"],
      time: ["10:30:00Z", "23:59:60.5+05:30"],
      "date-time": ["2027-03-31T10:30:00Z", "2027-03-31t10:30:00.25-01:00"],
      email: ["a@b.example", "a@localhost"],
      uri: ["https://example.com/a?b#c", "urn:isbn:1", "mailto:a@b.c", "http://localhost:3000"],
      uuid: ["5f6c7e1c-6e4b-4b8e-9f0e-0123456789AB"],
      ipv4: ["127.0.0.1"],
      ipv6: ["::1", "fe80::1"],
      hostname: ["a-b.example"],
      duration: ["P1DT12H", "P2W", "PT0S"],
      regex: ["^a+$"],
      unheard: ["anything"]
    }
    const bad = {
      date: ["2027-02-29", "2027-2-1", "tomorrow"],
      time: ["10:30:00", "25:00:00Z"],
      "date-time": ["2027-03-31", "2027-03-31T10:30:00", "2027-02-30T10:30:00Z"],
      email: ["nobody", "a b@c"],
      uri: ["example.com", "https://a b"],
      uuid: ["5f6c7e1c"],
      ipv4: ["256.1.1.1", "1.2.3", "1.2.3.4."],
      ipv6: ["1:2", "::laptop"],
      hostname: ["-a.example", "a_b"],
      duration: ["P", "PT", "1D"],
      regex: ["("]
    }
    for (const [texts, expected] of [
      [good, true],
      [bad, false]
    ] as const) {
      for (const [format, list] of Object.entries(texts)) {
        for (const text of list) assert.strictEqual(isValid({ format }, text), expected, `${format} ${text}`)
      }
    }
  })

  it("allows everything where a schema is none", () => {
    for (const schema of [
      null,
      5,
      "text",
      [],
      { type: "strange" },
      { type: "__proto__" },
      { type: ["constructor"] },
      { pattern: "(" },
      { patternProperties: { "(": false } },
      { $ref: "https://example.com/elsewhere" },
      { $ref: "#/nowhere" },
      { $ref: "#" },
      { properties: null, required: "a", items: 5, enum: "x", allOf: {}, anyOf: [], minimum: "1", maxLength: null },
      { unheardOf: { of: 1 } }
    ]) {
      for (const tried of ["text", 1, [1], { a: 1 }, null]) assert.deepStrictEqual(problems(schema, tried), [])
    }
  })

  it("knows null of OpenAPI and exclusive limits of draft 4", () => {
    assert.isTrue(isValid({ type: "string", nullable: true }, null))
    assert.isFalse(isValid({ type: "string", nullable: false }, null))
    assert.deepStrictEqual(problems({ minimum: 1, exclusiveMinimum: true }, 1), ["Must be more than 1."])
    assert.isTrue(isValid({ minimum: 1, exclusiveMinimum: false }, 1))
    assert.isTrue(isValid({ multipleOf: 0.1 }, 0.3))
    assert.isFalse(isValid({ multipleOf: 0.1 }, 0.35))
  })

  it("knows multiples however large or small the number is", () => {
    for (const [multipleOf, right, wrong] of [
      [1, [10_000_000_000, 1e20, 0], [10_000_000_000.5, 1e-10, 2_251_799_813_685_248.5]],
      [0.01, [12_345_678.91, 19.99, 1.1 * 3, -0.07], [12_345_678.901, 1e-9]],
      [0.1, [0.1 + 0.2, 0.7], [0.300_000_000_1]]
    ] as const) {
      for (const value of right) assert.isTrue(isValid({ multipleOf }, value), `${value} of ${multipleOf}`)
      for (const value of wrong) assert.isFalse(isValid({ multipleOf }, value), `${value} of ${multipleOf}`)
    }
  })

  it("is through with a pattern at once, whatever the pattern and the text", () => {
    const began = performance.now()
    for (const [pattern, text] of [
      ["^(a+)+$", `${"a".repeat(30)}!`],
      ["^(?:a|aa)*$", `${"a".repeat(60)}!`],
      ["^((a{1,9})-?){2,}$", `${"a".repeat(60)}!`],
      ["(x+x+)+y", "x".repeat(40)],
      ["^(a?){50}a{50}$", "a".repeat(18)],
      [`^${"a?".repeat(30)}${"a".repeat(30)}$`, "a".repeat(29)],
      ["\\s*,\\s*,\\s*$", " ".repeat(9000)],
      [".*.*.*.*=$", "a".repeat(5000)]
    ] as const) {
      assert.deepStrictEqual(problems({ pattern }, text), [], pattern)
      const members = { patternProperties: { [pattern]: false }, additionalProperties: false }
      assert.deepStrictEqual(problems(members, { [text]: 1 }), [], pattern)
    }
    assert.isBelow(performance.now() - began, 1000)
  })

  it("matches the patterns that people write with texts of the length that they write", () => {
    for (const [pattern, wrong] of [
      ["^(a+)+$", "aaa!"],
      ["^[^@\\s]+@[^@\\s]+\\.[a-z]{2,}$", "ada.lovelace.at.example.com".repeat(3)],
      [
        "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(?:\\.\\d+)?(?:Z|[+-]\\d{2}:\\d{2})$",
        "2027-03-31 10:30:00 and more"
      ],
      ["^(?:(?:[0-9a-f]{4}){2}-)?[(+*?|)]$", "0".repeat(200)],
      ["^\\S+$", `${"a".repeat(5000)} `],
      ["^([0-9]{1,3}\\.){3}[0-9]{1,3}$", "10.0.0.1000"]
    ] as const) {
      assert.deepStrictEqual(problems({ pattern }, wrong), [`Must match the pattern ${pattern}`])
    }
  })

  it("knows what nothing evaluates, where neither unions nor conditions do", () => {
    const schema = {
      $defs: { named: { properties: { name: {} }, patternProperties: { "^x-": {} } } },
      allOf: [{ $ref: "#/$defs/named" }],
      properties: { age: {} },
      unevaluatedProperties: false
    }
    assert.deepStrictEqual(problems(schema, { name: 1, age: 2, "x-y": 3, b: 4 }), ["b: This is not expected here."])
    for (const more of [
      { additionalProperties: true },
      { anyOf: [{ properties: { b: {} } }] },
      { if: { properties: { b: {} } } }
    ]) {
      assert.isTrue(isValid({ ...schema, ...more }, { b: 4 }), JSON.stringify(more))
    }
    const pair = { allOf: [{ prefixItems: [{}, {}] }], unevaluatedItems: false }
    assert.deepStrictEqual(problems(pair, [1, 2, 3]), ["2: This is not expected here."])
    for (const more of [{ items: {} }, { contains: {} }]) assert.isTrue(isValid({ ...pair, ...more }, [1, 2, 3]))
  })

  it("lets nothing beside a reference count up to draft 7", () => {
    const beside = {
      properties: { a: { $ref: "#/definitions/t", maxLength: 1 } },
      definitions: { t: { type: "string" } }
    }
    assert.isFalse(isValid(beside, { a: "long" }))
    assert.isTrue(isValid({ ...beside, $schema: "http://json-schema.org/draft-07/schema#" }, { a: "long" }))
  })

  it("follows anchors and ids within the document", () => {
    const schema = {
      $id: "https://example.com/root",
      $defs: {
        t: { $anchor: "text", type: "string" },
        n: { $id: "https://example.com/n", $defs: { i: { type: "integer" } } }
      },
      properties: {
        a: { $ref: "#text" },
        b: { $ref: "https://example.com/n#/$defs/i" },
        c: { $ref: "https://example.com/root#/$defs/t" }
      }
    }
    assert.deepStrictEqual(problems(schema, { a: 1, b: "x", c: 1 }), [
      "a: Enter text.",
      "b: Enter a whole number.",
      "c: Enter text."
    ])
  })

  it("ends, whatever schema and value", () => {
    let deep: unknown = {}
    let deepSchema: unknown = { type: "string" }
    for (let level = 0; level < 20_000; level++) {
      deep = { a: deep }
      deepSchema = { properties: { a: deepSchema }, not: deepSchema }
    }
    const bomb = { anyOf: Array.from({ length: 10 }, () => ({ $ref: "#" })), properties: { a: { $ref: "#" } } }
    const started = performance.now()
    problems({ properties: { a: { $ref: "#" } } }, deep)
    problems(deepSchema, deep)
    problems(bomb, { a: { a: {} } })
    assert.isBelow(performance.now() - started, 15_000)
  }, 60_000)
})

describe("fittingSchema", () => {
  const fitting = (schemas: ReadonlyArray<unknown>, tried: unknown): number | undefined =>
    fittingSchema(schemas, tried, schemaDocument({}))

  it("goes by type, by constants, then by the names of members", () => {
    const schemas = [
      { type: "string" },
      { type: "object", properties: { kind: { const: "a" }, x: {} }, required: ["kind", "x"] },
      { type: "object", properties: { kind: { const: "b" }, y: {}, z: {} } },
      { type: "array" }
    ]
    assert.strictEqual(fitting(schemas, "text"), 0)
    assert.strictEqual(fitting(schemas, { kind: "a" }), 1)
    assert.strictEqual(fitting(schemas, { kind: "b" }), 2)
    assert.strictEqual(fitting(schemas, { z: 1 }), 2)
    assert.strictEqual(fitting(schemas, [1]), 3)
    assert.isUndefined(fitting(schemas, undefined))
    assert.isUndefined(fitting([], 1))
  })
})
