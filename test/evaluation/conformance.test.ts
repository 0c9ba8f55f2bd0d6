import { assert, describe, it } from "@effect/vitest"
import { existsSync, readFileSync } from "node:fs"

const at = (path: string): URL => new URL(`../../${path}`, import.meta.url)

/** Who, how much, what, and the test that holds it: the rows of the table. */
const rows = readFileSync(at("docs/conformance.md"), "utf8")
  .split("\n")
  .map((line) => line.split("|").map((cell) => cell.trim()))
  .filter(([, who]) => who === "server" || who === "view")

describe("the table of what MCP Apps asks", () => {
  it("names tests that exist, or says that a row is not met", () => {
    assert.isAbove(rows.length, 25)
    for (const [, , demand, what, held = ""] of rows) {
      assert.match(demand ?? "", /^(?:MUST|SHOULD)$/, what)
      if (held.startsWith("not met")) continue
      const [, file = "", name = ""] = /^`(.+?)`: (.+)$/.exec(held) ?? []
      assert.isTrue(existsSync(at(`test/${file}`)), `${what}: ${file}`)
      const source = readFileSync(at(`test/${file}`), "utf8")
      const isThere = ['"', "`", '"%s '].some((start) => source.includes(start + name))
      assert.isTrue(isThere, `${what}: ${file} has no test "${name}"`)
    }
  })
})
