import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { findJsonTextProblem } from "../../../src/domain/findJsonTextProblem.ts"
import { formatPath } from "../../../src/domain/valuePath.ts"
import { hasReference, resolveReferences } from "../../../src/domain/settings/ConfigText.ts"

describe("findJsonTextProblem", () => {
  const texts: ReadonlyArray<readonly [string, number, number, RegExp, RegExp]> = [
    ["", 1, 1, /a value/, /end of the file/],
    ['{\n  "a": 1,\n}', 3, 1, /another key/, /remove the last comma/],
    ["[1,]", 1, 4, /another value/, /remove the last comma/],
    ['{\r\n  "a" 1}', 2, 7, /":"/, /"1"/],
    ["{a: 1}", 1, 2, /double quotes/, /the word a/],
    ["{'a': 1}", 1, 2, /double quotes/, /single quote/],
    ['{"a": 1 "b": 2}', 1, 9, /"," or "}"/, /"\\""/],
    ['{"a": "x\n"}', 1, 9, /closing double quote/, /end of the line/],
    ['{"a": "\\x"}', 1, 8, /escape/, /another/],
    ["// note\n{}", 1, 1, /a value/, /comment/],
    ["{} {}", 1, 4, /nothing/, /"{"/],
    ['{"a": 1, "a": 2}', 1, 10, /once/, /already stands/],
    ['{"a": 1, "\\u0061": 2}', 1, 10, /once/, /already stands/],
    ["[01]", 1, 3, /","/, /"1"/]
  ]
  for (const [text, line, column, expected, found] of texts) {
    it(JSON.stringify(text), () => {
      const problem = findJsonTextProblem(text)
      assert.deepInclude(problem, { line, column })
      assert.match(problem?.expected ?? "", expected)
      assert.match(problem?.found ?? "", found)
    })
  }

  it("quotes no word long enough to be a key", () => {
    const problem = findJsonTextProblem('{"apiKey": AIzaSyA1234567890}')
    assert.notInclude(JSON.stringify(problem), "AIza")
  })

  it("ends for text nested too deep", () => {
    assert.match(findJsonTextProblem("[".repeat(100_000))?.expected ?? "", /levels/)
  })

  it("accepts what JSON.stringify writes, and refuses exactly what JSON.parse refuses", () => {
    fc.assert(fc.property(fc.json(), (text) => assert.isUndefined(findJsonTextProblem(text))))
    const parses = (text: string): boolean => {
      try {
        JSON.parse(text)
        return true
      } catch {
        return false
      }
    }
    const unit = fc.constantFrom(
      "{",
      "}",
      "[",
      "]",
      ",",
      ":",
      '"',
      "\\",
      "1",
      "-",
      ".",
      "e",
      "true",
      "null",
      " ",
      "\n",
      "u00e9"
    )
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 8 }), (units) => {
        const text = units.join("")
        const problem = findJsonTextProblem(text)
        if (problem?.expected !== "each key once") assert.strictEqual(problem === undefined, parses(text), text)
      }),
      { numRuns: 3000 }
    )
  })
})

describe("resolveReferences", () => {
  it("replaces variables in values at every depth, and nothing else", () => {
    const { document, problems } = resolveReferences(
      { "${A}": "${A}", list: ["x${A}y${B}", 1, null], literal: "$${A} $A $", empty: "${EMPTY}" },
      { A: "1", B: "${A}", EMPTY: "" }
    )
    assert.deepStrictEqual(problems, [])
    assert.deepStrictEqual(document, {
      "${A}": "1",
      list: ["x1y${A}", 1, null],
      literal: "${A} $A $",
      empty: ""
    })
  })

  it("reports every missing variable and every malformed reference with its path", () => {
    const { problems } = resolveReferences({ a: { b: ["${NO}"] }, c: "${not a name}", d: "${open" }, {})
    assert.deepStrictEqual(
      problems.map(({ path }) => formatPath(path)),
      ["a.b[0]", "c", "d"]
    )
    assert.match(problems[0]?.text ?? "", /NO, which is not set/)
  })

  it("knows a reference from a literal", () => {
    assert.isTrue(hasReference("a ${KEY}"))
    assert.isFalse(hasReference("$${KEY} sk-1"))
  })
})

describe("formatPath", () => {
  it("quotes names that are no identifiers", () => {
    assert.strictEqual(formatPath(["generation", "tools", "a b", "examples", 2]), 'generation.tools["a b"].examples[2]')
  })
})
