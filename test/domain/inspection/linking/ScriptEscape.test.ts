import { assert, beforeAll, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { runInNewContext } from "node:vm"
import { escapeScript } from "../../../../src/domain/inspection/linking/ScriptEscape.ts"
import { loadSourceParsers } from "../../../../src/domain/inspection/SourceParsers.ts"
import type { SourceParsers } from "../../../../src/domain/inspection/SourceParsers.ts"

let parsers: SourceParsers
beforeAll(async () => {
  parsers = await loadSourceParsers()
})

const run = (code: string): unknown => JSON.stringify(runInNewContext(code) ?? null)

describe("escapeScript", () => {
  it.each([
    `"</script>" + '<!--' + \`</SCRIPT \${"<!--"}\``,
    `({ "</script": 1, '<!--': 2 })`,
    `/<\\/script|<!--/giu.test("x<!--y")`,
    `/[<!--]/.test("!")`,
    "var a = 3, b = 2; a<!--b\n",
    "var script = 2, g = 1; [3</script/g.length]",
    "1 // </script> <!--\n",
    "/* </script <!-- */ 2",
    "var a = 1\n<!-- an old comment </script\na",
    `var s = "a<!-- b"; s.length`,
    `"no\\<!--" + "\\\\<!--"`,
    `"x".match(/(?<!--)x/).index`
  ])("does the same and is harmless: %s", (code) => {
    const escaped = escapeScript(parsers, code, "script")
    assert.notMatch(escaped, /<\/script|<!--/iu)
    assert.strictEqual(run(escaped), run(code))
  })

  it("gives back every string", () => {
    const text = fc.string({ unit: fc.constantFrom("<!--", "</script>", "<script>", "`", "$", "{", "\\", "a", "-->") })
    fc.assert(
      fc.property(text, (value) => {
        const code = `[${JSON.stringify(value)}, ${JSON.stringify(value)}.length]`
        const escaped = escapeScript(parsers, code, "script")
        assert.notMatch(escaped, /<\/script|<!--/iu)
        assert.strictEqual(run(escaped), run(code))
      })
    )
  })

  it("leaves code without such a sequence alone, even if it does not parse", () => {
    assert.strictEqual(escapeScript(parsers, "var = <script", "module"), "var = <script")
  })
})
