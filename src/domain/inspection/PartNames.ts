import type { Expression, ObjectExpression, Property } from "acorn"
import type { SourceParsers } from "./SourceParsers.ts"

/** What the page runtime exports under each specifier; a set is empty if it is not found. */
export interface RuntimeExports {
  readonly partNames: ReadonlySet<string>
  readonly appNames: ReadonlySet<string>
}

/** How the bundler writes an early member of each of the two objects. */
const PARTS_MEMBER = "show:()=>"
const APP_MEMBER = "PostMessageTransport:"

const objectsAround = function* (
  parsers: SourceParsers,
  runtime: string,
  member: string
): Generator<ObjectExpression, void> {
  for (let at = runtime.indexOf(member); at !== -1; at = runtime.indexOf(member, at + 1)) {
    const start = runtime.lastIndexOf("{", at)
    if (start === -1) continue
    const parsed: Expression = parsers.acorn.parseExpressionAt(runtime, start, { ecmaVersion: "latest" })
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

/** The `partNames` of {@link runtimeExports}. */
export const namesOfParts = (parsers: SourceParsers, runtime: string): ReadonlySet<string> => {
  for (const object of objectsAround(parsers, runtime, PARTS_MEMBER)) {
    const names = namesOf(object, ({ value }) => value.type === "ArrowFunctionExpression")
    if (names.includes("show") && names.includes("table")) return new Set(names)
  }
  return new Set()
}

const namesOfApp = (parsers: SourceParsers, runtime: string): ReadonlySet<string> => {
  for (const object of objectsAround(parsers, runtime, APP_MEMBER)) {
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
export const runtimeExports = (parsers: SourceParsers, runtime: string): RuntimeExports => ({
  partNames: namesOfParts(parsers, runtime),
  appNames: namesOfApp(parsers, runtime)
})
