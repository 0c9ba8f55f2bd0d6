import type { Expression } from "acorn"
import type { SourceParsers } from "../inspection/SourceParsers.ts"

const GETTER = "show:()=>"

const getterNames = (expression: Expression): ReadonlyArray<string> =>
  expression.type !== "ObjectExpression"
    ? []
    : expression.properties.flatMap((property) =>
        property.type === "Property" &&
        property.key.type === "Identifier" &&
        property.value.type === "ArrowFunctionExpression"
          ? [property.key.name]
          : []
      )

/**
 * The names that `mcp-gen-ui/parts` exports, read from the built page runtime: the bundler writes a module namespace
 * as an object of getters, and the one with `show` and `table` is that of the parts. Only that object is parsed.
 * Empty if there is none. Throws what acorn throws.
 */
export const namesOfParts = (parsers: SourceParsers, runtime: string): ReadonlySet<string> => {
  for (let at = runtime.indexOf(GETTER); at !== -1; at = runtime.indexOf(GETTER, at + 1)) {
    const start = runtime.lastIndexOf("{", at)
    if (start === -1) continue
    const names = getterNames(parsers.acorn.parseExpressionAt(runtime, start, { ecmaVersion: "latest" }))
    if (names.includes("show") && names.includes("table")) return new Set(names)
  }
  return new Set()
}
