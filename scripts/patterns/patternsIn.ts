import { type AnyNode, type Expression, parse, type SpreadElement } from "acorn"
import { full } from "acorn-walk"
import { stripTypeScriptTypes } from "node:module"

export interface FoundPattern {
  readonly line: number
  /** `undefined`: the text is not known before the program runs; then `code` is all there is. */
  readonly source: string | undefined
  readonly flags: string
  /** As it is written. */
  readonly code: string
}

type Constants = ReadonlyMap<string, Expression>

/** The text that an expression always has: texts, templates, `String.raw`, `.source` of a pattern, `.join` of a list. */
const textOf = (node: Expression | SpreadElement, constants: Constants): string | undefined => {
  const all = (nodes: ReadonlyArray<Expression | SpreadElement | null>): ReadonlyArray<string> | undefined => {
    const texts = nodes.map((each) => (each === null ? undefined : textOf(each, constants)))
    return texts.every((text) => text !== undefined) ? texts : undefined
  }
  const joined = (parts: ReadonlyArray<string>, nodes: ReadonlyArray<Expression>): string | undefined => {
    const values = all(nodes)
    return values && parts.reduce((text, part, index) => `${text}${values[index - 1] ?? ""}${part}`)
  }
  const named = (name: string): Expression | undefined => constants.get(name)
  if (node.type === "Literal") return typeof node.value === "string" ? node.value : undefined
  if (node.type === "Identifier") {
    const value = named(node.name)
    return value && textOf(value, constants)
  }
  if (node.type === "TemplateLiteral")
    return joined(
      node.quasis.map(({ value }) => value.cooked ?? value.raw),
      node.expressions
    )
  if (node.type === "TaggedTemplateExpression")
    return joined(
      node.quasi.quasis.map(({ value }) => value.raw),
      node.quasi.expressions
    )
  if (node.type === "MemberExpression" && node.object.type === "Identifier") {
    const value = named(node.object.name)
    return value?.type === "Literal" ? value.regex?.pattern : undefined
  }
  if (node.type === "CallExpression" && node.callee.type === "MemberExpression") {
    const { object, property } = node.callee
    const list = object.type === "Identifier" ? named(object.name) : undefined
    const [separator] = node.arguments
    if (property.type !== "Identifier" || property.name !== "join" || list?.type !== "ArrayExpression") return undefined
    return separator && all(list.elements)?.join(textOf(separator, constants))
  }
  return undefined
}

/** Every regular expression that a TypeScript module writes: literals, and calls of `RegExp`. */
export const patternsIn = (typescript: string): ReadonlyArray<FoundPattern> => {
  const code = stripTypeScriptTypes(typescript)
  const program = parse(code, { ecmaVersion: "latest", sourceType: "module", locations: true })
  const constants = new Map<string, Expression>()
  const found: Array<FoundPattern> = []
  const add = (node: AnyNode, source: string | undefined, flags: string | undefined): void => {
    const isKnown = source !== undefined && flags !== undefined
    const line = node.loc?.start.line ?? 0
    found.push({
      line,
      source: isKnown ? source : undefined,
      flags: flags ?? "",
      code: code.slice(node.start, node.end)
    })
  }
  full(program, (node) => {
    if (node.type !== "VariableDeclaration" || node.kind !== "const") return
    for (const { id, init } of node.declarations) {
      if (id.type === "Identifier" && init) constants.set(id.name, init)
    }
  })
  full(program, (node) => {
    if (node.type === "Literal" && node.regex) add(node, node.regex.pattern, node.regex.flags)
    if (node.type !== "NewExpression" && node.type !== "CallExpression") return
    if (node.callee.type !== "Identifier" || node.callee.name !== "RegExp") return
    const [source, flags] = node.arguments
    add(node, source && textOf(source, constants), flags === undefined ? "" : textOf(flags, constants))
  })
  return found
}
