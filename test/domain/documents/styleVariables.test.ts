import { assert, describe, it } from "@effect/vitest"
import { STYLE_VARIABLES, styleVariablesFor } from "../../../src/domain/documents/styleVariables.ts"
import { createRequire } from "node:module"

const { $defs } = createRequire(import.meta.url)("@modelcontextprotocol/ext-apps/schema.json") as {
  readonly $defs: { readonly McpUiStyleVariableKey: { readonly anyOf: ReadonlyArray<{ readonly const: string }> } }
}

describe("style variables in hosts that send none", () => {
  it("are all that MCP Apps names, with a value for light and one for dark", () => {
    const names = $defs.McpUiStyleVariableKey.anyOf.map((one) => one.const)
    assert.sameMembers([...STYLE_VARIABLES.keys()], names)
    for (const values of STYLE_VARIABLES.values()) for (const value of values) assert.notStrictEqual(value, "")
  })

  it("stand in a page that names them, below what the host and the page set", () => {
    assert.strictEqual(
      styleVariablesFor("p { color: var(--color-text-primary); font-family: var(--font-sans) }"),
      `<style>:where(:root){--color-text-primary:#131418;--font-sans:system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}` +
        `:where(:root[data-theme=dark]){--color-text-primary:#f4f5f7}</style>`
    )
    assert.strictEqual(styleVariablesFor("<p>plain</p>"), "")
  })
})
