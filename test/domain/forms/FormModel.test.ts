import { assert, describe, it } from "@effect/vitest"
import type { Field } from "../../../src/domain/forms/FormField.ts"
import { formModel } from "../../../src/domain/forms/FormModel.ts"
import { as, fieldOf, names, object, rootGroup } from "./formFixtures.ts"

describe("formModel", () => {
  it("gives each scalar its field", () => {
    assert.deepInclude(fieldOf({ type: "string" }), { kind: "text", format: "text" })
    assert.deepInclude(fieldOf({ type: "string", format: "date" }), { kind: "text", format: "date" })
    assert.deepInclude(fieldOf({ type: "boolean" }), { kind: "boolean" })
    assert.deepInclude(fieldOf({ type: "integer", minimum: 1, maximum: 9 }), {
      kind: "number",
      integer: true,
      minimum: 1,
      maximum: 9
    })
    assert.deepInclude(fieldOf({ type: "number", minimum: 0, exclusiveMinimum: true }), {
      kind: "number",
      minimum: undefined
    })
    assert.deepInclude(fieldOf({ type: "null" }), { kind: "constant", value: null })
  })

  it("takes the type from other keywords where none is named", () => {
    const kindOf = (property: unknown): string => fieldOf(property).kind
    assert.strictEqual(kindOf({ minLength: 1 }), "text")
    assert.strictEqual(kindOf({ format: "email" }), "text")
    assert.strictEqual(kindOf({ maximum: 3 }), "number")
    assert.strictEqual(kindOf({ items: { type: "string" } }), "list")
    assert.strictEqual(kindOf({ properties: { a: {} } }), "group")
    assert.strictEqual(kindOf({ additionalProperties: { type: "string" } }), "map")
  })

  it("tells what is known of a field", () => {
    const schema = object(
      {
        user_name: {
          type: "string",
          description: "Who",
          default: "me",
          examples: ["a", "b"],
          deprecated: true
        },
        old: { type: "string", required: true, example: 5 }
      },
      { required: ["user_name"] }
    )
    const [first, second] = rootGroup(schema).fields({})
    assert.deepInclude(first, {
      name: "user_name",
      label: "User name",
      description: "Who",
      required: true,
      nullable: false,
      deprecated: true,
      defaultValue: "me",
      examples: ["a", "b"]
    })
    assert.deepInclude(second, { label: "Old", description: undefined, required: true, examples: [5] })
  })

  it("names fields for people and keeps odd names as they are", () => {
    const labelOf = (name: string, property: unknown = { type: "string" }): string => fieldOf(property, name).label
    assert.strictEqual(labelOf("startTime"), "Start time")
    assert.strictEqual(labelOf("issue-URL"), "Issue URL")
    assert.strictEqual(labelOf("StartTime<"), "StartTime<")
    assert.strictEqual(labelOf("API_KEY"), "API_KEY")
    assert.strictEqual(labelOf("x", { title: "The name" }), "The name")
    assert.strictEqual(labelOf("x", { title: " " }), "X")
    assert.strictEqual(labelOf(""), "(unnamed)")
    assert.strictEqual(labelOf(" "), "(unnamed)")
    assert.strictEqual(labelOf("", { title: "The name" }), "The name")
  })

  it("offers a slider where there are few steps between two bounds", () => {
    const hasSlider = (property: object): boolean => as(fieldOf({ type: "integer", ...property }), "number").hasSlider
    assert.isTrue(hasSlider({ minimum: 1, maximum: 50 }))
    assert.isTrue(hasSlider({ type: "number", minimum: 0, maximum: 1 }))
    assert.isTrue(hasSlider({ type: "number", minimum: 0, maximum: 1000, multipleOf: 50 }))
    assert.isFalse(hasSlider({ minimum: 1 }))
    assert.isFalse(hasSlider({ minimum: 1, maximum: 2 }))
    assert.isFalse(hasSlider({ minimum: 1, maximum: 65_535 }))
    assert.isFalse(hasSlider({ type: "number", minimum: 1, maximum: 3.5 }))
    assert.isFalse(hasSlider({ minimum: 5, maximum: 1 }))
  })

  it("offers the values of enum and const, each with its type", () => {
    const choices = (property: unknown): unknown => {
      const field = fieldOf(property)
      return field.kind === "choice" ? field.choices.map(({ label, value }) => [label, value]) : field.kind
    }
    assert.deepStrictEqual(choices({ enum: ["a", 1, true, ""] }), [
      ["a", "a"],
      ["1", 1],
      ["true", true],
      ["(empty)", ""]
    ])
    assert.deepStrictEqual(choices({ enum: [1, 2, 1], enumNames: ["One", "Two", "One"] }), [
      ["One", 1],
      ["Two", 2]
    ])
    assert.deepStrictEqual(choices({ type: "string", enum: ["a", 5, "b"] }), [
      ["a", "a"],
      ["b", "b"]
    ])
    assert.deepStrictEqual(choices({ enum: [true, false] }), "boolean")
    assert.deepStrictEqual(choices({ enum: [] }), "union")
    const described = { oneOf: [{ const: 1, title: "One", description: "The first" }, { const: 2 }] }
    assert.deepStrictEqual(as(fieldOf(described), "choice").choices, [
      { label: "One", value: 1, description: "The first" },
      { label: "2", value: 2, description: undefined }
    ])
  })

  it("has a constant only where it must be there, and a choice of one where it may", () => {
    const required = { required: ["member"] }
    assert.deepInclude(fieldOf({ const: "fixed" }, "member", required), { kind: "constant", value: "fixed" })
    assert.deepInclude(fieldOf({ enum: [7] }, "member", required), { kind: "constant", value: 7 })
    assert.strictEqual(fieldOf({ const: "fixed" }).kind, "choice")
    assert.strictEqual(fieldOf({ enum: ["x", null] }, "member", required).kind, "choice")
  })

  it("knows what may be null", () => {
    const choices = [{ label: "a", value: "a", description: undefined }]
    assert.deepInclude(fieldOf({ type: ["string", "null"] }), { kind: "text", nullable: true })
    assert.deepInclude(fieldOf({ type: "number", nullable: true }), { kind: "number", nullable: true })
    assert.deepInclude(fieldOf({ enum: ["a", null] }), { kind: "choice", nullable: true, choices })
    assert.deepInclude(fieldOf({ type: ["string", "null"], enum: ["a", null] }), { nullable: true, choices })
    assert.deepInclude(fieldOf({ type: "string", enum: ["a", null] }), { nullable: false, choices })
    assert.deepInclude(fieldOf({ anyOf: [{ type: "integer" }, { type: "null" }], title: "Age", default: null }), {
      kind: "number",
      nullable: true,
      label: "Age",
      defaultValue: null
    })
    assert.deepInclude(fieldOf({ anyOf: [{ enum: ["x", "y"] }, { const: null }] }), { kind: "choice", nullable: true })
    assert.deepInclude(fieldOf({ oneOf: [{ type: "object", properties: { a: {} } }, { type: "null" }] }), {
      kind: "group",
      nullable: true
    })
  })

  it("follows references, with what stands beside them", () => {
    const $defs = {
      Unit: { enum: ["C", "F"], description: "Inside" },
      "a/b c": { type: "boolean" },
      Loop: { $ref: "#/$defs/Loop" }
    }
    const schema = object(
      {
        unit: { $ref: "#/$defs/Unit", description: "Beside the reference", default: "C" },
        odd: { $ref: "#/$defs/a~1b%20c" },
        far: { $ref: "https://example.com/schema" },
        loop: { $ref: "#/$defs/Loop" },
        same: { $ref: "#/properties/unit" }
      },
      { $defs }
    )
    const [unit, odd, far, loop, same] = rootGroup(schema).fields({})
    assert.deepInclude(unit, { kind: "choice", description: "Beside the reference", defaultValue: "C" })
    assert.strictEqual(odd?.kind, "boolean")
    assert.strictEqual(far?.kind, "union")
    assert.strictEqual(loop?.kind, "union")
    assert.deepInclude(same, { kind: "choice", label: "Same" })
  })

  it("goes on through recursion for as long as it is asked", () => {
    const schema = {
      $ref: "#/$defs/Node",
      $defs: {
        Node: object({
          name: { type: "string" },
          next: { $ref: "#/$defs/Node" },
          all: { type: "array", items: { $ref: "#/$defs/Node" } }
        })
      }
    }
    let node = rootGroup(schema)
    for (let level = 0; level < 500; level++) {
      const [, next, all] = node.fields({})
      node = as(level % 2 === 0 ? next : as(all, "list").itemAt(0), "group")
    }
    assert.deepStrictEqual(names(node.fields({})), ["name", "next", "all"])
  })

  it("merges allOf, the stricter limits winning", () => {
    const schema = {
      title: "Outer",
      allOf: [
        { $ref: "#/$defs/Range" },
        { properties: { from: { minimum: 3, title: "From" }, to: { type: "integer" } }, required: ["to"] }
      ],
      $defs: {
        Range: object({ from: { type: "integer", minimum: 1, maximum: 9 } }, { required: ["from"], title: "Inner" })
      }
    }
    const [from, to] = rootGroup(schema).fields({})
    assert.deepInclude(from, { kind: "number", label: "From", minimum: 3, maximum: 9, required: true })
    assert.deepInclude(to, { kind: "number", required: true })
    assert.deepInclude(fieldOf({ allOf: [{ enum: ["a", "b", "c"] }, { enum: ["b", "c", "d"] }] }), {
      kind: "choice",
      choices: ["b", "c"].map((value) => ({ value, label: value, description: undefined }))
    })
    assert.deepInclude(fieldOf({ allOf: [{ type: ["string", "integer"] }, { type: "number" }] }), {
      kind: "number",
      integer: true
    })
  })

  it("makes a field of what is required and not described", () => {
    const [a, b] = rootGroup({ type: "object", properties: { a: {} }, required: ["b"] }).fields({})
    assert.deepInclude(a, { name: "a", required: false })
    assert.deepInclude(b, { name: "b", required: true, kind: "union" })
  })

  it("calls two shapes by the member that only one of them has", () => {
    const path = { path: { type: "string" } }
    const root = { ...path, rootType: { type: "string" } }
    const oneOf = [
      { type: "object", properties: root, required: ["path", "rootType"] },
      { type: "object", properties: path, required: ["path"] }
    ]
    const labels = as(fieldOf({ oneOf }), "union").variants.map(({ label }) => label)
    assert.deepStrictEqual(labels, ["With root type", "Without root type"])
  })

  it("lets any value be entered where the schema says nothing of it", () => {
    for (const any of [{}, true, null, { description: "What to set" }]) {
      const field = as(fieldOf(any), "union")
      assert.deepStrictEqual(
        field.variants.map(({ label, field }) => [label, field().kind]),
        [
          ["Text", "text"],
          ["Number", "number"],
          ["Yes or no", "boolean"],
          ["JSON", "json"]
        ]
      )
      assert.deepStrictEqual(["a", 1, false, [1], null, undefined].map(field.variantOf), [0, 1, 2, 3, 3, undefined])
    }
    const free = as(fieldOf({ type: "object", additionalProperties: true }), "union")
    assert.deepStrictEqual(
      free.variants.map(({ label, field }) => [label, field().kind]),
      [
        ["Entries", "map"],
        ["JSON", "json"]
      ]
    )
    assert.deepStrictEqual([{ a: 1 }, [1]].map(free.variantOf), [0, 1])
    assert.strictEqual(fieldOf(false).kind, "json")
  })

  it("tells a tool without input from one with free input", () => {
    const kindOf = (schema: unknown): string => {
      const { root } = formModel(schema)
      return root.kind === "group" ? `group of ${root.fields({}).length}` : root.kind
    }
    for (const none of [
      undefined,
      null,
      { type: "object" },
      object({}),
      { properties: {} },
      object({}, { additionalProperties: false })
    ]) {
      assert.strictEqual(kindOf(none), "group of 0")
    }
    for (const free of [
      true,
      {},
      "text",
      5,
      [],
      object({}, { additionalProperties: true }),
      { additionalProperties: {} }
    ]) {
      assert.strictEqual(kindOf(free), "map")
    }
    assert.strictEqual(kindOf(false), "map")
  })

  it("has one root whatever the schema calls itself", () => {
    const { root } = formModel({
      type: ["object", "null"],
      title: "Search input",
      properties: { a: {} },
      nullable: true
    })
    assert.deepInclude(root, { kind: "group", label: "Input", required: true, nullable: false, name: "" })
  })
})

describe("lists", () => {
  it("have one field for all items", () => {
    const list = as(fieldOf({ type: "array", items: { type: "integer" }, minItems: 1, maxItems: 5 }), "list")
    assert.deepInclude(list, { minItems: 1, maxItems: 5, prefix: 0 })
    assert.strictEqual(list.itemAt(0), list.itemAt(7))
    assert.deepInclude(list.itemAt(0), { kind: "number", name: "", label: "Item" })
    assert.strictEqual(as(fieldOf({ type: "array" }), "list").itemAt(0)?.kind, "union")
  })

  it("are choices where the items come from a fixed set", () => {
    const choices = ["a", "b"].map((value) => ({ value, label: value, description: undefined }))
    const kinds = [
      { type: "array", items: { enum: ["a", "b"] } },
      { type: "array", items: { oneOf: [{ const: "a" }, { const: "b" }] } }
    ]
    for (const schema of kinds) assert.deepInclude(fieldOf(schema), { kind: "choices", choices })
    assert.strictEqual(fieldOf({ type: "array", items: { enum: ["a", "b"] }, minItems: 3 }).kind, "list")
    assert.strictEqual(fieldOf({ type: "array", items: { enum: ["a", null] } }).kind, "list")
  })

  it("of lists are made when they are asked for", () => {
    let schema: unknown = { type: "string" }
    for (let level = 0; level < 20_000; level++) schema = { type: "array", items: schema }
    const list = as(fieldOf(schema), "list")
    assert.strictEqual(as(list.itemAt(0), "list").itemAt(0)?.kind, "list")
  })

  it("begin with the places of a tuple", () => {
    const kinds = (property: unknown): ReadonlyArray<string | undefined> => {
      const list = as(fieldOf(property), "list")
      assert.strictEqual(list.prefix, 2)
      return [0, 1, 2, 9].map((index) => list.itemAt(index)?.kind)
    }
    const prefix = [{ type: "string", title: "Unit" }, { const: 1 }]
    assert.deepStrictEqual(kinds({ type: "array", prefixItems: prefix, items: { type: "number" } }), [
      "text",
      "constant",
      "number",
      "number"
    ])
    assert.deepStrictEqual(kinds({ type: "array", prefixItems: prefix, items: false }), [
      "text",
      "constant",
      undefined,
      undefined
    ])
    assert.deepStrictEqual(kinds({ type: "array", items: prefix, additionalItems: false }), [
      "text",
      "constant",
      undefined,
      undefined
    ])
    const list = as(fieldOf({ prefixItems: prefix }), "list")
    assert.deepStrictEqual(
      [list.itemAt(0)?.label, list.itemAt(1)?.label, list.itemAt(2)?.label],
      ["Unit", "Item 2", "Item"]
    )
  })
})

describe("maps", () => {
  const memberKind = (field: Field, name: string): string => {
    const map = field.kind === "group" ? field.others : field
    return map?.kind === "map" ? map.memberAt(name).kind : "none"
  }

  it("have a field for each name", () => {
    const map = as(fieldOf({ type: "object", additionalProperties: { type: "integer" }, maxProperties: 3 }), "map")
    assert.deepInclude(map, { maxProperties: 3 })
    assert.deepInclude(map.memberAt("a_b"), { kind: "number", name: "a_b", label: "a_b", required: false })
    assert.strictEqual(map.memberAt("a_b"), map.memberAt("a_b"))
    const patterned = fieldOf({
      type: "object",
      patternProperties: { "^n": { type: "number" }, "^b": { type: "boolean" } },
      additionalProperties: { type: "string" }
    })
    assert.deepStrictEqual(
      ["n1", "b1", "x"].map((name) => memberKind(patterned, name)),
      ["number", "boolean", "text"]
    )
  })

  it("say what is wrong with a name", () => {
    const map = as(
      fieldOf({
        type: "object",
        patternProperties: { "^x-": { type: "string" } },
        additionalProperties: false,
        propertyNames: { maxLength: 4 }
      }),
      "map"
    )
    assert.isUndefined(map.nameProblem("x-a"))
    assert.strictEqual(map.nameProblem(""), "Enter a name.")
    assert.strictEqual(map.nameProblem("a"), "Must match the pattern ^x-")
    assert.strictEqual(map.nameProblem("x-long"), "Enter at most 4 characters; this has 6.")
  })

  it("stand beside named members where the schema says so", () => {
    const group = as(fieldOf(object({ a: {} }, { additionalProperties: { type: "number" } })), "group")
    assert.strictEqual(memberKind(group, "other"), "number")
    assert.strictEqual(group.others?.nameProblem("a"), "“a” has a field of its own.")
    assert.isUndefined(as(fieldOf(object({ a: {} })), "group").others)
    assert.isUndefined(as(fieldOf(object({ a: {} }, { additionalProperties: false })), "group").others)
  })
})
