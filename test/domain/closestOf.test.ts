import { assert, describe, it } from "@effect/vitest"
import { closestOf } from "../../src/domain/closestOf.ts"

describe("closestOf", () => {
  it("finds what a slip of the hand meant", () => {
    const names = ["model", "provider", "maxTokens", "apiKey"]
    assert.strictEqual(closestOf("modle", names), "model")
    assert.strictEqual(closestOf("providr", names), "provider")
    assert.strictEqual(closestOf("maxtokens", names), "maxTokens")
    assert.strictEqual(closestOf("APIKEY", names), "apiKey")
  })

  it("does not guess", () => {
    assert.isUndefined(closestOf("temperature", ["model", "provider"]))
    assert.isUndefined(closestOf("ab", ["xy"]))
    assert.isUndefined(closestOf("x", []))
  })
})
