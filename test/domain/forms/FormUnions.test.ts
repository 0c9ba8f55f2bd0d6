import { assert, describe, it } from "@effect/vitest"
import { Unread } from "../../../src/domain/forms/FormDraft.ts"
import type { Field, UnionField } from "../../../src/domain/forms/FormField.ts"
import { formModel } from "../../../src/domain/forms/FormModel.ts"
import { as, fieldOf, names, object } from "./formFixtures.ts"

const unionOf = (property: unknown, more?: Record<string, unknown>): UnionField =>
  as(fieldOf(property, "member", more), "union")

const labels = ({ variants }: UnionField): ReadonlyArray<string> => variants.map(({ label }) => label)

const kinds = ({ variants }: UnionField): ReadonlyArray<string> => variants.map(({ field }) => field().kind)

const fieldsIn = (union: UnionField, variant: number): ReadonlyArray<Field> =>
  as(union.variants[variant]?.field(), "group").fields({})

describe("unions of objects", () => {
  const payment = {
    description: "How to pay",
    oneOf: [
      object({ kind: { const: "credit_card" }, number: { type: "string" } }, { required: ["kind", "number"] }),
      object({ kind: { const: "bank" }, iban: { type: "string" } }, { required: ["kind"] }),
      object({ kind: { enum: ["cash", "coins"] } })
    ]
  }

  it("are told apart by the member that has other constants in each", () => {
    const union = unionOf(payment)
    assert.strictEqual(union.description, "How to pay")
    assert.deepStrictEqual(labels(union), ["Credit card", "Bank", "Cash"])
    assert.deepStrictEqual(
      [{ kind: "bank", number: "1" }, { kind: "credit_card" }, { kind: "coins" }, { iban: "x" }].map(union.variantOf),
      [1, 0, 2, 1]
    )
    assert.isUndefined(union.variantOf(undefined))
    assert.isUndefined(fieldsIn(union, 0)[0]?.description)
  })

  it("begin with the constant that names them", () => {
    const union = unionOf(payment)
    assert.deepStrictEqual(
      union.variants.map(({ begin }) => begin()),
      [{ kind: "credit_card" }, { kind: "bank" }, { kind: "cash" }]
    )
    assert.deepStrictEqual(
      fieldsIn(union, 0).map(({ kind }) => kind),
      ["constant", "text"]
    )
  })

  it("keep their fields", () => {
    const union = unionOf(payment)
    assert.strictEqual(union.variants[0]?.field(), union.variants[0]?.field())
  })

  it("take their names from titles, references or what only they have", () => {
    const titled = { anyOf: [object({ a: {} }, { title: "First thing" }), object({ b: {} }, { title: "Second" })] }
    assert.deepStrictEqual(labels(unionOf(titled)), ["First thing", "Second"])
    const $defs = { FileSource: object({ path: {} }), UrlSource: object({ url: {} }) }
    const referred = { anyOf: [{ $ref: "#/$defs/FileSource" }, { $ref: "#/$defs/UrlSource" }] }
    assert.deepStrictEqual(labels(unionOf(referred, { $defs })), ["File source", "URL source"])
    const bare = {
      anyOf: [
        object({ id: {}, path: {} }, { required: ["path"] }),
        object({ id: {}, url: {} }, { required: ["url"] }),
        object({ id: {} })
      ]
    }
    const union = unionOf(bare)
    assert.deepStrictEqual(labels(union), ["Path", "URL", "Object"])
    assert.deepStrictEqual([{ url: "" }, { id: 1, path: 5 }, { id: 1 }].map(union.variantOf), [1, 0, 2])
    assert.deepStrictEqual(
      labels(unionOf({ anyOf: [object({ a: {} }, { title: "Same" }), object({ b: {} }, { title: "Same" })] })),
      ["Same 1", "Same 2"]
    )
  })

  it("follow the discriminator of OpenAPI", () => {
    const $defs = {
      Cat: object({ type: { type: "string" }, lives: { type: "integer" } }),
      Dog: object({ type: { type: "string" }, barks: { type: "boolean" } })
    }
    const discriminator = { propertyName: "type", mapping: { cat: "#/$defs/Cat", dog: "#/$defs/Dog" } }
    const union = unionOf({ oneOf: [{ $ref: "#/$defs/Cat" }, { $ref: "#/$defs/Dog" }], discriminator }, { $defs })
    assert.deepStrictEqual(labels(union), ["Cat", "Dog"])
    assert.strictEqual(union.variantOf({ type: "dog", lives: 3 }), 1)
    assert.deepStrictEqual(union.variants[1]?.begin(), { type: "dog" })
  })

  it("share what stands beside them", () => {
    const { root } = formModel(
      object(
        { id: { type: "string" } },
        {
          required: ["id"],
          oneOf: [
            object({ path: { type: "string" } }, { required: ["path"] }),
            object({ url: { type: "string" } }, { required: ["url"] })
          ]
        }
      )
    )
    const union = as(root, "union")
    assert.deepStrictEqual(labels(union), ["Path", "URL"])
    assert.deepStrictEqual(
      fieldsIn(union, 1).map(({ name, required }) => [name, required]),
      [
        ["id", true],
        ["url", true]
      ]
    )
  })

  it("are none where the members only ask for some fields of a group", () => {
    const schema = object({ a: {}, b: {} }, { anyOf: [{ required: ["a"] }, { required: ["b"] }] })
    assert.deepStrictEqual(names(as(formModel(schema).root, "group").fields({})), ["a", "b"])
  })

  it("leave out members that cannot be", () => {
    const { root } = formModel({ anyOf: [object({ a: {} }), { type: "string" }, object({ b: {} }), false] })
    assert.deepStrictEqual(labels(as(root, "union")), ["A", "B"])
  })
})

describe("unions of scalars and lists", () => {
  it("keep each type", () => {
    const union = unionOf({ type: ["string", "number", "boolean", "null"] })
    assert.isTrue(union.nullable)
    assert.deepStrictEqual(kinds(union), ["text", "number", "boolean"])
    assert.deepStrictEqual(["5", 5, true].map(union.variantOf), [0, 1, 2])
    assert.strictEqual(fieldOf({ type: ["integer", "number"] }).kind, "number")
  })

  it("of one thing or a list of it are two variants", () => {
    const union = unionOf({ anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] })
    assert.deepStrictEqual(labels(union), ["Text", "List"])
    assert.deepStrictEqual(kinds(union), ["text", "list"])
    assert.deepStrictEqual(["a", ["a"]].map(union.variantOf), [0, 1])
    const lists = unionOf({
      anyOf: [
        { type: "array", items: { type: "number" } },
        { type: "array", items: { type: "string" } }
      ]
    })
    assert.deepStrictEqual(labels(lists), ["List (number)", "List (text)"])
    assert.deepStrictEqual([[1], ["a"]].map(lists.variantOf), [0, 1])
  })

  it("of lists get names whatever the type of an item is called", () => {
    const lists = ["constructor", "string"].map((type) => ({ type: "array", items: { type } }))
    const { variants } = as(fieldOf({ oneOf: lists }), "union")
    assert.deepStrictEqual(
      variants.map(({ label }) => label),
      ["List", "List (text)"]
    )
  })

  it("of texts are one text, with the named values as examples", () => {
    const open = { anyOf: [{ enum: ["small", "large"] }, { type: "string", maxLength: 9 }], minLength: 1 }
    assert.deepInclude(fieldOf(open), {
      kind: "text",
      format: "text",
      minLength: 1,
      maxLength: undefined,
      examples: ["small", "large"]
    })
    assert.deepInclude(
      fieldOf({
        anyOf: [
          { type: "string", format: "date" },
          { type: "string", format: "date-time" }
        ]
      }),
      { kind: "text", format: "text" }
    )
    assert.deepInclude(
      fieldOf({
        anyOf: [
          { type: "string", format: "uri" },
          { type: "string", format: "uri", maxLength: 5 }
        ]
      }),
      { kind: "text", format: "uri" }
    )
    assert.deepInclude(fieldOf({ type: "string", format: "uri", anyOf: [{ pattern: "^a" }, { pattern: "^b" }] }), {
      kind: "text",
      format: "uri"
    })
    assert.deepInclude(fieldOf({ type: "string", anyOf: [{ format: "ipv4" }, { format: "ipv6" }] }), { kind: "text" })
    assert.deepInclude(fieldOf({ anyOf: [{ type: "integer", minimum: 1 }, { const: -1 }] }), { kind: "number" })
  })

  it("of one member are that member, under the outer title", () => {
    const field = fieldOf({
      title: "Outer",
      anyOf: [{ title: "Inner", type: "integer", minimum: 2 }, { type: "null" }]
    })
    assert.deepInclude(field, { kind: "number", label: "Outer", minimum: 2, nullable: true })
  })

  it("know the variant of a text that is no value yet", () => {
    const union = unionOf({ type: ["string", "number"] })
    assert.strictEqual(union.variantOf(new Unread("1x", "Enter a number.", "number")), 1)
    assert.isUndefined(union.variantOf(new Unread("?", "Of no control.")))
    assert.isUndefined(as(fieldOf({}), "union").variantOf(new Unread("?", "Of no control.")))
    assert.strictEqual(as(fieldOf({}), "union").variantOf(new Unread("{", "This is not JSON.", "json")), 3)
  })

  it("that lead back to themselves end", () => {
    const $defs = {
      A: { anyOf: [{ $ref: "#/$defs/A" }] },
      B: { oneOf: [{ $ref: "#/$defs/B" }, { type: "array", items: { $ref: "#/$defs/B" } }, { type: "string" }] }
    }
    assert.isString(fieldOf({ $ref: "#/$defs/A" }, "member", { $defs }).kind)
    let field: Field = fieldOf({ $ref: "#/$defs/B" }, "member", { $defs })
    for (let level = 0; level < 10; level++) {
      const list = as(field, "union")
        .variants.map((variant) => variant.field())
        .find(({ kind }) => kind === "list")
      const item = as(list, "list").itemAt(0)
      if (item === undefined) throw new Error("no item")
      field = item
    }
    assert.isString(field.kind)
  })
})
