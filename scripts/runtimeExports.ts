import { parseExpressionAt } from "acorn"
import type { Expression, ObjectExpression, Property } from "acorn"
import type { KnownExports } from "../src/domain/inspection/repair/ScriptRewrites.ts"

/** How the bundler writes an early member of each of the two objects. */
const PARTS_MEMBER = "show:()=>"
const APP_MEMBER = "PostMessageTransport:"

const objectsAround = function* (runtime: string, member: string): Generator<ObjectExpression, void> {
  for (let at = runtime.indexOf(member); at !== -1; at = runtime.indexOf(member, at + 1)) {
    const start = runtime.lastIndexOf("{", at)
    if (start === -1) continue
    const parsed: Expression = parseExpressionAt(runtime, start, { ecmaVersion: "latest" })
    // The rest of a list of declarations parses as the rest of a sequence.
    const expression = parsed.type === "SequenceExpression" ? parsed.expressions[0] : parsed
    if (expression?.type === "ObjectExpression") yield expression
  }
}

const namesOf = (object: ObjectExpression, isWanted: (property: Property) => boolean): ReadonlyArray<string> =>
  object.properties.flatMap((property) =>
    property.type === "Property" && property.key.type === "Identifier" && isWanted(property) ? [property.key.name] : []
  )

/** The first string arguments, word by word, of calls that are spread into an object. */
const spreadWords = (object: ObjectExpression): ReadonlyArray<string> =>
  object.properties.flatMap((property) => {
    if (property.type !== "SpreadElement" || property.argument.type !== "CallExpression") return []
    const [first] = property.argument.arguments
    return first?.type === "Literal" && typeof first.value === "string" ? first.value.split(" ") : []
  })

const namesOfParts = (runtime: string): ReadonlySet<string> => {
  for (const object of objectsAround(runtime, PARTS_MEMBER)) {
    const names = namesOf(object, ({ value }) => value.type === "ArrowFunctionExpression")
    if (names.includes("show") && names.includes("table")) return new Set(names)
  }
  return new Set()
}

const namesOfApp = (runtime: string): ReadonlySet<string> => {
  for (const object of objectsAround(runtime, APP_MEMBER)) {
    const names = namesOf(object, () => true)
    if (names.includes("App")) return new Set([...names, ...spreadWords(object).map((word) => `${word}_METHOD`)])
  }
  return new Set()
}

/**
 * The names that pages can import, read from the built page runtime. The bundler writes the module namespace of the
 * parts as an object of getters: the one with `show` and `table`. The stand-in for ext-apps is an object with `App`,
 * into which its method names are spread. Only these objects are parsed. Throws what acorn throws.
 */
export const runtimeExports = (runtime: string): KnownExports => ({
  partNames: namesOfParts(runtime),
  appNames: namesOfApp(runtime)
})
