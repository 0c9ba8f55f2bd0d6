import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import {
  argumentsFromJson,
  initialValues,
  toArguments,
  unofferedValue
} from "../../../src/domain/forms/FormArguments.ts"
import type { FormValue } from "../../../src/domain/forms/FormArguments.ts"
import { formModel } from "../../../src/domain/forms/FormModel.ts"
import type { Field, GroupField } from "../../../src/domain/forms/FormModel.ts"

const object = (properties: Record<string, unknown>, more: Record<string, unknown> = {}): unknown => ({
  type: "object",
  properties,
  ...more
})

const rootGroup = (schema: unknown): GroupField => {
  const { root } = formModel(schema)
  assert.strictEqual(root.kind, "group")
  return root as GroupField
}

const onlyField = (property: unknown, name = "member"): Field => {
  const field = rootGroup(object(Object.fromEntries([[name, property]]))).fields[0]
  if (field === undefined) throw new Error("no field")
  return field
}

/** Fills the form's fields by name and reads the arguments. */
const fill = (schema: unknown, filled: Record<string, FormValue>, args?: unknown): ReturnType<typeof toArguments> => {
  const model = formModel(schema)
  const { root } = model
  const values = initialValues(model, args)
  if (root.kind !== "group") return toArguments(model, { ...values, current: Object.values(filled)[0] ?? "" })
  const initial = values.initial as ReadonlyArray<FormValue>
  const current = root.fields.map((field, index) => filled[field.name] ?? initial[index] ?? "")
  return toArguments(model, { ...values, current })
}

describe("formModel", () => {
  it("gives each scalar its field", () => {
    assert.deepInclude(onlyField({ type: "string" }), { kind: "text", format: "text" })
    assert.deepInclude(onlyField({ type: "string", format: "date" }), { kind: "text", format: "date" })
    assert.deepInclude(onlyField({ type: "string", format: "uri" }), { kind: "text", format: "uri" })
    assert.deepInclude(onlyField({ type: "string", maxLength: 5000 }), { kind: "text", format: "multiline" })
    assert.deepInclude(onlyField({ type: "string" }, "sqlQuery"), { kind: "text", format: "multiline" })
    assert.deepInclude(onlyField({ type: "integer", minimum: 1, maximum: 9 }), {
      kind: "number",
      integer: true,
      minimum: 1,
      maximum: 9
    })
    assert.deepInclude(onlyField({ type: "number", minimum: 0, exclusiveMinimum: true }), {
      kind: "number",
      minimum: undefined,
      exclusiveMinimum: 0
    })
    assert.deepInclude(onlyField({ type: "boolean" }), { kind: "boolean" })
  })

  it("names fields for people and keeps odd names as they are", () => {
    assert.strictEqual(onlyField({ type: "string" }, "user_name").label, "User name")
    assert.strictEqual(onlyField({ type: "string" }, "startTime").label, "Start time")
    assert.strictEqual(onlyField({ type: "string" }, "StartTime<").label, "StartTime<")
    assert.strictEqual(onlyField({ type: "string", title: "The name" }, "x").label, "The name")
  })

  it("offers options for enum, const and unions of constants", () => {
    const labels = (property: unknown): unknown => {
      const field = onlyField(property)
      return field.kind === "enum" ? field.options.map(({ label, value }) => [label, value]) : field.kind
    }
    assert.deepStrictEqual(labels({ enum: ["a", 1, true] }), [
      ["a", "a"],
      ["1", 1],
      ["true", true]
    ])
    assert.deepStrictEqual(labels({ const: "fixed" }), [["fixed", "fixed"]])
    assert.deepStrictEqual(labels({ oneOf: [{ const: 1, title: "One" }, { const: 2 }] }), [
      ["One", 1],
      ["2", 2]
    ])
    assert.deepStrictEqual(labels({ anyOf: [{ enum: ["x", "y"] }, { type: "null" }] }), [
      ["x", "x"],
      ["y", "y"]
    ])
  })

  it("knows what may be null", () => {
    assert.deepInclude(onlyField({ type: ["string", "null"] }), { kind: "text", nullable: true })
    assert.deepInclude(onlyField({ anyOf: [{ type: "integer" }, { type: "null" }], title: "Age" }), {
      kind: "number",
      nullable: true,
      label: "Age"
    })
    assert.deepInclude(onlyField({ type: "number", nullable: true }), { kind: "number", nullable: true })
  })

  it("follows local references, merges allOf and stops at cycles", () => {
    const schema = {
      type: "object",
      properties: {
        unit: { $ref: "#/$defs/Unit", description: "Beside the reference" },
        odd: { $ref: "#/$defs/a~1b%20c" },
        far: { $ref: "https://example.com/schema" },
        node: { $ref: "#/$defs/Node" },
        both: { allOf: [{ $ref: "#/$defs/Range" }, { properties: { to: { type: "integer" } }, required: ["to"] }] }
      },
      $defs: {
        Unit: { enum: ["C", "F"], description: "Inside" },
        "a/b c": { type: "boolean" },
        Range: { type: "object", properties: { from: { type: "integer" } }, required: ["from"] },
        Node: { type: "object", properties: { name: { type: "string" }, next: { $ref: "#/$defs/Node" } } }
      }
    }
    const [unit, odd, far, node, both] = rootGroup(schema).fields
    assert.deepInclude(unit, { kind: "enum", description: "Beside the reference" })
    assert.strictEqual(odd?.kind, "boolean")
    assert.strictEqual(far?.kind, "json")
    assert.deepStrictEqual(node?.kind === "group" ? node.fields.map(({ kind }) => kind) : node?.kind, ["text", "json"])
    assert.deepStrictEqual(
      both?.kind === "group" ? both.fields.map(({ name, required }) => [name, required]) : both?.kind,
      [
        ["from", true],
        ["to", true]
      ]
    )
  })

  it("leaves to JSON what has no field", () => {
    for (const property of [
      {},
      true,
      null,
      { type: ["string", "number"] },
      { oneOf: [{ type: "string" }, { type: "object", properties: { a: {} } }] },
      { type: "object" },
      { type: "object", additionalProperties: { type: "string" } },
      { type: "array" },
      { type: "array", items: { type: "array", items: { type: "number" } } },
      { type: "array", items: { type: "object", properties: { a: { type: "string" } } } },
      { type: "array", prefixItems: [{ type: "number" }], items: { type: "string" } }
    ]) {
      assert.strictEqual(onlyField(property).kind, "json", JSON.stringify(property))
    }
  })

  it("tells a tool without input from one with free input", () => {
    for (const none of [undefined, null, { type: "object" }, object({}), object({}, { additionalProperties: false })]) {
      assert.deepInclude(formModel(none).root, { kind: "group", fields: [] })
    }
    for (const free of [
      true,
      {},
      "text",
      5,
      [],
      object({}, { additionalProperties: true }),
      { oneOf: [{ type: "object" }, { type: "string" }] }
    ]) {
      assert.deepInclude(formModel(free).root, { kind: "json", expects: "object" })
    }
  })

  it("reads lists of scalars and of options", () => {
    assert.deepInclude(onlyField({ type: "array", items: { type: "integer" }, minItems: 1 }), {
      kind: "list",
      minItems: 1
    })
    assert.deepInclude(onlyField({ type: "array", items: { enum: ["a", "b"] } }), { kind: "choices" })
  })

  it("bounds the work that a schema can cause", () => {
    const $defs: Record<string, unknown> = { d0: { type: "string" } }
    for (let depth = 1; depth < 40; depth++) {
      const below = { $ref: `#/$defs/d${depth - 1}` }
      $defs[`d${depth}`] = { type: "object", properties: { left: below, right: below }, allOf: [below, below] }
    }
    const started = performance.now()
    formModel({ type: "object", properties: { bomb: { $ref: "#/$defs/d39" } }, $defs })
    assert.isBelow(performance.now() - started, 2000)
  })

  it("never throws, whatever JSON is called a schema", () => {
    const keyword = fc.constantFrom(
      "type",
      "properties",
      "required",
      "items",
      "enum",
      "const",
      "$ref",
      "$defs",
      "allOf",
      "anyOf",
      "oneOf",
      "default",
      "title",
      "description",
      "examples",
      "minimum",
      "format",
      "pattern",
      "__proto__",
      "$and",
      "a.b",
      "{{x}}"
    )
    const word = fc.constantFrom<unknown>(
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
      1,
      null,
      "["
    )
    const schema = fc.letrec<{ node: unknown }>((tie) => ({
      node: fc.oneof(
        { maxDepth: 5 },
        word,
        fc.array(tie("node"), { maxLength: 3 }),
        fc.array(fc.tuple(keyword, tie("node")), { maxLength: 5 }).map((entries) => Object.fromEntries(entries))
      )
    })).node
    fc.assert(
      fc.property(fc.oneof(schema, fc.jsonValue()), fc.option(fc.jsonValue(), { nil: undefined }), (input, args) => {
        const model = formModel(input)
        const read = toArguments(model, initialValues(model, args))
        assert.isTrue(Array.isArray(read.errors))
      }),
      { numRuns: 1500 }
    )
  })
})

describe("toArguments", () => {
  const schema = object(
    {
      city: { type: "string" },
      days: { type: "integer", minimum: 1, maximum: 14 },
      share: { type: "number" },
      exact: { type: "boolean" },
      unit: { enum: ["C", "F", 0] },
      tags: { type: "array", items: { type: "string" } },
      where: { type: "object", properties: { lat: { type: "number" }, lon: { type: "number" } }, required: ["lat"] },
      extra: { type: "object" }
    },
    { required: ["city"] }
  )

  it("sends the types the schema asks for and leaves empty options out", () => {
    const { arguments: sent, errors } = fill(schema, {
      city: "Paris",
      days: "3",
      share: "0.5",
      exact: false,
      unit: "2",
      tags: ["a", "", "b"],
      where: ["48.9", ""],
      extra: '{"deep": [1]}'
    })
    assert.deepStrictEqual(errors, [])
    assert.deepStrictEqual(sent, {
      city: "Paris",
      days: 3,
      share: 0.5,
      exact: false,
      unit: 0,
      tags: ["a", "b"],
      where: { lat: 48.9 },
      extra: { deep: [1] }
    })
    assert.deepStrictEqual(fill(schema, { city: "Paris" }).arguments, { city: "Paris" })
  })

  it("names every problem with the path of its field", () => {
    const { errors } = fill(schema, { days: "15", share: "abc", where: ["", "2"], extra: "{" })
    assert.deepStrictEqual(
      errors.map(({ path }) => path),
      [["city"], ["days"], ["share"], ["where", "lat"], ["extra"]]
    )
    assert.deepStrictEqual(
      errors.slice(0, 2).map(({ message }) => message),
      ["This is required.", "Must be 14 or less."]
    )
  })

  it("checks bounds, steps, lengths and patterns", () => {
    const problem = (property: unknown, value: FormValue): string | undefined =>
      fill(object({ member: property }), { member: value }).errors[0]?.message
    assert.strictEqual(problem({ type: "integer" }, "1.5"), "Enter a whole number.")
    assert.strictEqual(problem({ type: "integer" }, "9007199254740993"), "This number is too large to be sent exactly.")
    assert.strictEqual(problem({ type: "number", exclusiveMinimum: 0 }, "0"), "Must be more than 0.")
    assert.strictEqual(problem({ type: "number", multipleOf: 0.1 }, "0.3"), undefined)
    assert.strictEqual(problem({ type: "number", multipleOf: 0.1 }, "0.35"), "Must be a multiple of 0.1.")
    assert.strictEqual(problem({ type: "string", minLength: 3 }, "ab"), "Enter at least 3 characters.")
    assert.strictEqual(problem({ type: "string", maxLength: 2 }, "\u{1F600}\u{1F600}"), undefined)
    assert.strictEqual(problem({ type: "string", pattern: "^[a-z]+$" }, "A"), "Must match the pattern ^[a-z]+$")
    assert.strictEqual(problem({ type: "string", pattern: "(" }, "A"), undefined)
    assert.strictEqual(problem({ type: "string", format: "email" }, "nobody"), "Enter an e-mail address.")
    assert.strictEqual(
      problem({ type: "array", items: { type: "string" }, minItems: 2 }, ["a"]),
      "Add at least 2 items."
    )
    assert.strictEqual(problem({ type: "array" }, "{}"), "Enter a JSON array: [ … ]")
  })

  it("sends unchanged arguments exactly as they came, unknown members too", () => {
    const args = {
      unknown: { "a.b": [null] },
      days: "3",
      city: 5,
      unit: "Kelvin",
      where: { alt: 1, lat: "x" },
      tags: [1, "b"],
      exact: "yes"
    }
    const { arguments: sent, errors } = fill(schema, {}, args)
    assert.deepStrictEqual(errors, [])
    assert.strictEqual(JSON.stringify(sent), JSON.stringify(args))

    const changed = fill(schema, { city: "Rome", where: ["1", ""] }, args)
    assert.strictEqual(
      JSON.stringify(changed.arguments),
      JSON.stringify({ ...args, city: "Rome", where: { alt: 1, lat: 1 } })
    )
  })

  it("drops what was emptied, and sends null only where it is required", () => {
    assert.deepStrictEqual(fill(schema, { days: "", tags: [] }, { city: "Rome", days: 3, tags: ["a"] }).arguments, {
      city: "Rome",
      tags: []
    })
    const nullable = object({ a: { type: ["string", "null"] }, b: { type: ["string", "null"] } }, { required: ["a"] })
    assert.deepStrictEqual(fill(nullable, {}).arguments, { a: null })
    assert.deepStrictEqual(fill(nullable, {}, { a: null, b: null }).arguments, { a: null, b: null })
  })

  it("sends defaults for a fresh call, and to a running one only where they are required", () => {
    const withDefaults = object(
      {
        limit: { type: "integer", default: 10 },
        odd: { type: "integer", default: "ten" },
        needed: { type: "string", default: "x" }
      },
      { required: ["needed"] }
    )
    assert.deepStrictEqual(fill(withDefaults, {}).arguments, { limit: 10, odd: "ten", needed: "x" })
    assert.deepStrictEqual(fill(withDefaults, {}, { other: 1 }).arguments, { other: 1, needed: "x" })
    assert.deepStrictEqual(initialValues(formModel(withDefaults), { limit: null }).initial, ["", "ten", "x"])
    assert.deepStrictEqual(fill(withDefaults, { limit: "5" }, {}).arguments, { limit: 5, needed: "x" })
  })

  it("leaves an optional group out while it holds nothing but defaults, where they can not stand alone", () => {
    const inner = { mode: { type: "string", default: "free" }, prompt: { type: "string" } }
    const group = object(inner, { required: ["prompt"] })
    const schema = object({ q: { type: "string" }, options: group })
    const plain = object({ options: object(inner) })
    const deep = object({ outer: object({ mode: inner.mode, options: group }, { required: ["options"] }) })
    assert.deepStrictEqual(fill(schema, {}, { q: "a" }), { arguments: { q: "a" }, errors: [] })
    assert.deepStrictEqual(fill(schema, { q: "a" }), { arguments: { q: "a" }, errors: [] })
    assert.deepStrictEqual(fill(deep, {}), { arguments: {}, errors: [] })
    assert.deepStrictEqual(fill(plain, {}), { arguments: { options: { mode: "free" } }, errors: [] })
    assert.deepStrictEqual(fill(plain, {}, {}), { arguments: {}, errors: [] })
    assert.deepStrictEqual(
      fill(schema, { options: ["strict", ""] }).errors.map(({ path }) => path),
      [["options", "prompt"]]
    )
    assert.deepStrictEqual(fill(schema, { options: ["free", "why"] }).arguments, {
      options: { mode: "free", prompt: "why" }
    })
  })

  it("treats every name as a plain member", () => {
    const names = ["$and", "a.b", "{{x}}", "__proto__", "constructor", "If-Match"]
    const schema = object(Object.fromEntries(names.map((name) => [name, { type: "string" }])))
    const model = formModel(schema)
    const values = initialValues(model, JSON.parse('{"__proto__": "kept"}'))
    const { arguments: sent } = toArguments(model, { ...values, current: names.map((name) => `${name}!`) })
    assert.deepStrictEqual(Object.keys(sent).sort(), [...names].sort())
    assert.deepStrictEqual(Object.getOwnPropertyDescriptor(sent, "__proto__")?.value, "__proto__!")
    assert.strictEqual(Object.getPrototypeOf(sent), Object.prototype)
  })

  it("keeps a value that its schema does not offer, shows it, and lets it be replaced", () => {
    const schema = object({
      unit: { enum: ["C", 1] },
      on: { type: "boolean" },
      kinds: { type: "array", items: { enum: ["a", "b"] } },
      none: { enum: ["x"] }
    })
    const args = { unit: { deep: [1] }, on: "maybe", kinds: ["b", "z"], none: null }
    const { initial } = initialValues(formModel(schema), args)
    const values = initial as ReadonlyArray<FormValue>
    assert.deepStrictEqual(unofferedValue(values[0] ?? ""), { value: { deep: [1] } })
    assert.deepStrictEqual(unofferedValue(values[1] ?? ""), { value: "maybe" })
    assert.deepStrictEqual(values[2], ["1", '="z"'])
    assert.deepStrictEqual(unofferedValue(values[3] ?? ""), { value: null })
    assert.isUndefined(unofferedValue("0"))
    assert.deepStrictEqual(fill(schema, {}, args).arguments, args)
    assert.deepStrictEqual(fill(schema, { kinds: ['="z"', "0"], on: false, unit: "1" }, args).arguments, {
      unit: 1,
      on: false,
      kinds: ["z", "a"],
      none: null
    })
  })

  it("keeps an instant when a date and time is edited", () => {
    const at = object({ at: { type: "string", format: "date-time" } })
    assert.deepStrictEqual(fill(at, {}, { at: "2026-01-02T03:04:05.678+09:00" }).arguments, {
      at: "2026-01-02T03:04:05.678+09:00"
    })
    const model = formModel(at)
    const [shown] = initialValues(model, { at: "2026-01-02T03:04:05Z" }).initial as ReadonlyArray<string>
    const sent = fill(at, { at: shown ?? "" }).arguments
    assert.deepStrictEqual(sent, { at: "2026-01-02T03:04:05Z" })
  })

  it("round-trips what it accepts", () => {
    const scalars = object({
      text: { type: "string" },
      count: { type: "integer" },
      share: { type: "number" },
      on: { type: "boolean" },
      list: { type: "array", items: { type: "number" } }
    })
    const arbitrary = fc.record(
      {
        text: fc.string({ minLength: 1 }),
        count: fc.maxSafeInteger(),
        share: fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 }).map((value) => value + 0),
        on: fc.boolean(),
        list: fc.array(fc.integer(), { minLength: 1 })
      },
      { requiredKeys: [] }
    )
    const model = formModel(scalars)
    fc.assert(
      fc.property(arbitrary, (args) => {
        const typed = initialValues(model, args).initial
        const { arguments: sent, errors } = toArguments(model, { ...initialValues(model), current: typed })
        assert.deepStrictEqual(errors, [])
        assert.deepEqual(sent, { ...args })
      })
    )
  })

  it("reads the whole input from JSON", () => {
    assert.deepStrictEqual(argumentsFromJson('{"a": 1}'), { arguments: { a: 1 }, errors: [] })
    assert.deepStrictEqual(argumentsFromJson(" "), { arguments: {}, errors: [] })
    assert.strictEqual(argumentsFromJson("[1]").errors[0]?.message, "Enter a JSON object: { … }")
    assert.match(argumentsFromJson("{a").errors[0]?.message ?? "", /^This is not JSON/)
  })
})
