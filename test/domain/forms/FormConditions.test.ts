import { assert, describe, it } from "@effect/vitest"
import type { FieldPath } from "../../../src/domain/forms/FormDraft.ts"
import { edited, errorsIn, names, object, rootGroup } from "./formFixtures.ts"

const address = object(
  { country: { enum: ["US", "FR", "JP"] }, city: { type: "string" } },
  {
    required: ["country"],
    allOf: [
      {
        if: { properties: { country: { const: "US" } }, required: ["country"] },
        // oxlint-disable-next-line unicorn/no-thenable
        then: { properties: { state: { type: "string", maxLength: 2 } }, required: ["state"] }
      },
      {
        if: { properties: { country: { const: "FR" } }, required: ["country"] },
        // oxlint-disable-next-line unicorn/no-thenable
        then: { required: ["city"] },
        else: { properties: { zip: { type: "string" } } }
      }
    ]
  }
)

describe("conditions", () => {
  it("bring the fields that apply to the value", () => {
    const group = rootGroup(address)
    const shown = (value: unknown): ReadonlyArray<string> =>
      group.fields(value).map(({ name, required }) => `${name}${required ? "*" : ""}`)
    assert.deepStrictEqual(shown({}), ["country*", "city", "zip"])
    assert.deepStrictEqual(shown({ country: "US" }), ["country*", "city", "state*", "zip"])
    assert.deepStrictEqual(shown({ country: "FR" }), ["country*", "city*"])
  })

  it("give the same fields for the same value, and keep those that did not change", () => {
    const group = rootGroup(address)
    const before = group.fields({ country: "JP", city: "a" })
    assert.strictEqual(group.fields({ country: "JP", city: "b" }), before)
    const after = group.fields({ country: "US" })
    assert.strictEqual(after[0], before[0])
    assert.strictEqual(after[1], before[1])
    assert.strictEqual(group.fields({ country: "JP" }), before)
  })

  it("know which members they name", () => {
    const group = rootGroup(address)
    assert.deepStrictEqual(["country", "city", "state", "zip", "other"].map(group.isConditional), [
      false,
      false,
      true,
      true,
      false
    ])
  })

  it("tighten what is there", () => {
    const schema = object(
      { mode: { enum: ["short", "long"] }, text: { type: "string", maxLength: 100 } },
      // oxlint-disable-next-line unicorn/no-thenable
      { if: { properties: { mode: { const: "short" } } }, then: { properties: { text: { maxLength: 5 } } } }
    )
    const maxLength = (value: unknown): unknown => {
      const [, text] = rootGroup(schema).fields(value)
      return text?.kind === "text" ? text.maxLength : undefined
    }
    assert.deepStrictEqual([maxLength({ mode: "short" }), maxLength({ mode: "long" })], [5, 100])
  })

  it("within conditions are followed", () => {
    const inner = {
      if: { required: ["b"] },
      // oxlint-disable-next-line unicorn/no-thenable
      then: { properties: { c: { type: "string" } } }
    }
    // oxlint-disable-next-line unicorn/no-thenable
    const group = rootGroup(object({ a: {} }, { if: { required: ["a"] }, then: { properties: { b: {} }, ...inner } }))
    assert.deepStrictEqual(
      [{}, { a: 1 }, { a: 1, b: 1 }].map((value) => names(group.fields(value))),
      [["a"], ["a", "b"], ["a", "b", "c"]]
    )
    assert.isTrue(group.isConditional("c"))
  })

  it("of dependents follow the presence of a member", () => {
    const properties = { card: { type: "string" }, address: { type: "string" } }
    const extra = { properties: { cvc: { type: "string" } }, required: ["cvc"] }
    for (const dependents of [
      { dependentRequired: { card: ["address"] }, dependentSchemas: { card: extra } },
      { allOf: [{ dependencies: { card: ["address"] } }, { dependencies: { card: extra } }] }
    ]) {
      const group = rootGroup(object(properties, dependents))
      assert.deepStrictEqual(
        group.fields({ card: "1" }).map(({ name, required }) => [name, required]),
        [
          ["card", false],
          ["address", true],
          ["cvc", true]
        ]
      )
      assert.deepStrictEqual(names(group.fields({})), ["card", "address"])
    }
  })

  it("of dependents choose among alternatives by the value", () => {
    const schema = object(
      { pets: { enum: ["none", "some"] } },
      {
        dependencies: {
          pets: {
            oneOf: [
              { properties: { pets: { const: "none" } } },
              { properties: { pets: { const: "some" }, age: { type: "integer" } }, required: ["age"] }
            ]
          }
        }
      }
    )
    const group = rootGroup(schema)
    assert.deepStrictEqual(
      [{}, { pets: "none" }, { pets: "some" }].map((value) => names(group.fields(value))),
      [["pets"], ["pets"], ["pets", "age"]]
    )
    assert.deepStrictEqual(errorsIn(edited(schema, [[["pets"], "some"]])), ["age: This is required."])
  })

  it("leave out what is hidden now, except what came with the call", () => {
    const edits: ReadonlyArray<readonly [FieldPath, unknown]> = [
      [["country"], "US"],
      [["state"], "NY"],
      [["country"], "JP"]
    ]
    assert.deepStrictEqual(edited(address, edits), { arguments: { country: "JP" }, errors: [] })
    const args = { country: "US", state: "NY", zip: "1" }
    assert.deepStrictEqual(
      edited(
        address,
        [
          [["country"], "FR"],
          [["city"], "Nice"]
        ],
        args
      ).arguments,
      {
        country: "FR",
        state: "NY",
        zip: "1",
        city: "Nice"
      }
    )
    assert.deepStrictEqual(
      edited(
        address,
        [
          [["country"], "FR"],
          [["city"], "Nice"],
          [["zip"], "2"]
        ],
        args
      ).arguments,
      {
        country: "FR",
        state: "NY",
        city: "Nice"
      }
    )
    assert.deepStrictEqual(edited(address, [...edits, [["country"], "US"]]).arguments, { country: "US", state: "NY" })
  })

  it("are checked where they apply", () => {
    assert.deepStrictEqual(errorsIn(edited(address, [[["country"], "US"]])), ["state: This is required."])
    assert.deepStrictEqual(
      errorsIn(
        edited(address, [
          [["country"], "US"],
          [["state"], "New York"]
        ])
      ),
      ["state: Enter at most 2 characters; this has 8."]
    )
    assert.deepStrictEqual(errorsIn(edited(address, [[["country"], "FR"]])), ["city: This is required."])
  })
})
