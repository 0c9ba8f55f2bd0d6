import { assert, describe, it } from "@effect/vitest"
import { headerProblem, readHeaderField } from "../../../src/domain/settings/resolveUpstreamHeaders.ts"

describe("readHeaderField", () => {
  it("splits at the first colon and drops the blanks around", () => {
    assert.deepStrictEqual(readHeaderField(" X-A :  b:c  "), { name: "X-A", value: "b:c" })
    assert.deepStrictEqual(readHeaderField("X-A:"), { name: "X-A", value: "" })
    for (const text of ["", "X-A", ":b"]) assert.isUndefined(readHeaderField(text), text)
  })
})

describe("headerProblem", () => {
  it("takes names and values of RFC 9110", () => {
    for (const name of ["Authorization", "x", "X_A.b-1", "!#$%&'*+^`|~"]) {
      assert.isUndefined(headerProblem({ name, value: "a\tb c=~" }), name)
    }
  })

  const wrong: ReadonlyArray<readonly [string, string, RegExp]> = [
    ["", "v", /"" is not the name of a header/],
    ["X A", "v", /"X A" is not the name/],
    ["X\r\nB", "v", /"X\\r\\nB" is not the name/],
    ["Ü", "v", /is not the name/],
    ["X-A", "", /^X-A has no value$/],
    ["X-A", " \t", /^X-A has no value$/],
    ["X-A", "v\r\nX-B: w", /^the value of X-A has a character/],
    ["X-A", "v\u0000", /has a character/],
    ["X-A", "\u00FC", /has a character/],
    ["Content-Type", "v", /^Content-Type is set by mcp-gen-ui itself/],
    ["host", "v", /set by/],
    ["MCP-Session-Id", "v", /set by/],
    ["Mcp-Param-Region", "v", /set by/]
  ]
  for (const [name, value, text] of wrong) {
    it(JSON.stringify([name, value]), () => {
      const problem = headerProblem({ name, value }) ?? assert.fail("no problem")
      assert.match(problem, text)
      assert.notInclude(problem.replace(name, ""), "X-B: w")
    })
  }
})
