import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { beginForm, beginValue, draftAt, withValue } from "../../../src/domain/forms/FormDraft.ts"
import { formModel } from "../../../src/domain/forms/FormModel.ts"
import { as, fieldOf, object } from "./formFixtures.ts"

const text = (value: unknown): string => JSON.stringify(value)

describe("withValue", () => {
  it("changes one place, and keeps order and everything beside it", () => {
    const draft = { b: { x: 1 }, a: [1, { y: 2 }], c: null }
    const next = withValue(draft, ["a", 1, "y"], 3) as typeof draft
    assert.strictEqual(text(next), '{"b":{"x":1},"a":[1,{"y":3}],"c":null}')
    assert.strictEqual(next.b, draft.b)
    assert.strictEqual(text(draft), '{"b":{"x":1},"a":[1,{"y":2}],"c":null}')
    assert.strictEqual(text(withValue(draft, ["b", "x"], undefined)), '{"b":{},"a":[1,{"y":2}],"c":null}')
    assert.strictEqual(text(withValue(draft, ["d"], 4)), '{"b":{"x":1},"a":[1,{"y":2}],"c":null,"d":4}')
    assert.strictEqual(withValue(draft, [], 5), 5)
  })

  it("makes what is missing on the way, and replaces what is of another type", () => {
    assert.deepStrictEqual(withValue(undefined, ["a", 1, "b"], 1), { a: [undefined, { b: 1 }] })
    assert.deepStrictEqual(withValue({ a: "text" }, ["a", "b"], 1), { a: { b: 1 } })
    assert.deepStrictEqual(withValue({ a: { b: 1 } }, ["a", 0], 1), { a: [1] })
  })

  it("gives the same draft where nothing changes", () => {
    const draft = { a: [1] }
    assert.strictEqual(withValue(draft, ["a", 0], 1), draft)
    assert.strictEqual(withValue(draft, ["b", "c", 3, "d"], undefined), draft)
  })

  it("treats every name as a plain member", () => {
    for (const name of ["__proto__", "constructor", "toString", "", "a.b", "0"]) {
      const draft = withValue({}, [name, "x"], 1)
      assert.deepStrictEqual(Object.getOwnPropertyDescriptor(draft, name)?.value, { x: 1 })
      assert.strictEqual(Object.getPrototypeOf(draft), Object.prototype)
      assert.strictEqual(draftAt(draft, [name, "x"]), 1)
      assert.deepStrictEqual(Object.keys(Object(withValue(draft, [name], undefined))), [])
    }
    assert.isUndefined(draftAt({}, ["constructor"]))
    assert.isUndefined(draftAt([1], ["length"]))
    assert.isUndefined(draftAt("text", ["length"]))
  })

  it("sets what is read, and keeps all else in its order", () => {
    const path = fc.array(fc.oneof(fc.constantFrom("a", "b", "__proto__", "0"), fc.integer({ min: 0, max: 3 })), {
      minLength: 1,
      maxLength: 4
    })
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom("a", "b", "c", "d"), fc.jsonValue({ maxDepth: 2 }), { noNullPrototype: true }),
        path,
        fc.jsonValue({ maxDepth: 2 }),
        (draft, path, value) => {
          const before = text(draft)
          const next = withValue(draft, path, value)
          assert.strictEqual(draftAt(next, path), value)
          assert.strictEqual(text(draft), before)
          const [first] = path
          if (typeof first === "string") {
            const others = (of: unknown): ReadonlyArray<unknown> =>
              Object.entries(Object(of)).filter(([name]) => name !== first)
            assert.strictEqual(text(others(next)), text(others(draft)))
            const names = Object.keys(draft)
            assert.deepStrictEqual(new Set(Object.keys(Object(next))), new Set([...names, first]))
            if (names.includes(first)) assert.deepStrictEqual(Object.keys(Object(next)), names)
          }
        }
      )
    )
  })
})

describe("beginForm", () => {
  it("takes the arguments as they are", () => {
    const args = { unknown: null }
    const state = beginForm(formModel(object({ a: { default: 1 } })), args)
    assert.strictEqual(state.draft, args)
    assert.strictEqual(state.args, args)
  })

  it("begins with defaults and required constants, in required groups too", () => {
    const schema = object(
      {
        limit: { type: "integer", default: 10 },
        odd: { type: "integer", default: "ten" },
        none: { type: ["string", "null"], default: null },
        version: { const: 2 },
        maybe: { const: 3 },
        needed: object(
          { mode: { default: "free" }, other: { type: "string" }, kind: { const: "k" } },
          { required: ["kind"] }
        ),
        optional: object({ mode: { default: "free" } }),
        whole: object({ a: { default: 1 } }, { default: { a: 2 } }),
        tags: { type: "array", items: { type: "string" } },
        pair: { type: "array", prefixItems: [{ const: "x" }, { type: "number" }], minItems: 2 }
      },
      { required: ["version", "needed", "tags", "pair"] }
    )
    assert.deepStrictEqual(beginForm(formModel(schema)), {
      args: undefined,
      draft: {
        limit: 10,
        odd: "ten",
        version: 2,
        needed: { mode: "free", kind: "k" },
        whole: { a: 2 },
        tags: [],
        pair: ["x", undefined]
      }
    })
    assert.deepStrictEqual(beginForm(formModel(undefined)).draft, {})
  })

  it("ends where required members never do", () => {
    const node = object(
      { left: { $ref: "#" }, right: { $ref: "#" }, id: { default: 1 } },
      { required: ["left", "right"] }
    )
    const { draft } = beginForm(formModel(node))
    assert.strictEqual(draftAt(draft, ["left", "right", "left", "id"]), 1)
    const expression = { anyOf: [object({ of: { $ref: "#/properties/e" } }, { required: ["of"] }), { type: "string" }] }
    assert.deepStrictEqual(beginForm(formModel(object({ e: expression }, { required: ["e"] }))).draft, {})
  })
})

describe("beginValue", () => {
  it("is what a new item or an opened group needs", () => {
    const group = object(
      { mode: { default: "free" }, kind: { const: "k" }, n: { type: "integer" } },
      { required: ["kind", "n"] }
    )
    assert.deepStrictEqual(beginValue(fieldOf(group)), { mode: "free", kind: "k" })
    assert.deepStrictEqual(beginValue(fieldOf({ type: "object", additionalProperties: { type: "string" } })), {})
    assert.deepStrictEqual(beginValue(fieldOf({ type: "array", items: group, minItems: 2 })), [
      { mode: "free", kind: "k" },
      { mode: "free", kind: "k" }
    ])
    assert.deepStrictEqual(beginValue(fieldOf({ oneOf: [group, { type: "string" }] })), { mode: "free", kind: "k" })
    assert.isUndefined(beginValue(fieldOf({ type: "string" })))
    assert.strictEqual(beginValue(fieldOf({ type: "string", default: "x" })), "x")
    const item = as(fieldOf({ type: "array", items: { type: "boolean" } }), "list").itemAt(0)
    assert.isUndefined(item && beginValue(item))
  })
})
