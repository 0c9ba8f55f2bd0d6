import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { matchesGlob } from "../../../src/domain/tools/ToolGlob.ts"

describe("matchesGlob", () => {
  const examples: ReadonlyArray<readonly [string, string, boolean]> = [
    ["get_*", "get_issue", true],
    ["get_*", "get_", true],
    ["get_*", "forget_issue", false],
    ["*", "", true],
    ["*_issue", "get_issue", true],
    ["*_issue", "get_issues", false],
    ["g?t", "get", true],
    ["g?t", "gt", false],
    ["a.b", "axb", false],
    ["[ab]", "a", false],
    ["Get", "get", false]
  ]
  for (const [glob, name, is] of examples) {
    it(`${glob} ${is ? "takes" : "leaves"} ${JSON.stringify(name)}`, () =>
      assert.strictEqual(matchesGlob(glob, name), is))
  }

  it("is what the same pattern is as a regular expression", () => {
    const text = (unit: fc.Arbitrary<string>) => fc.string({ unit, maxLength: 10 })
    fc.assert(
      fc.property(
        text(fc.constantFrom("a", "b", "*", "?", ".")),
        text(fc.constantFrom("a", "b", ".")),
        (glob, name) => {
          const pattern = glob.replaceAll(".", "\\.").replaceAll("*", ".*").replaceAll("?", ".")
          assert.strictEqual(matchesGlob(glob, name), new RegExp(`^${pattern}$`).test(name))
        }
      ),
      { numRuns: 2000 }
    )
  })

  it("takes no longer for many stars than for one", () => {
    assert.isFalse(matchesGlob(`${"*a".repeat(50)}b`, "a".repeat(5000)))
  })
})
