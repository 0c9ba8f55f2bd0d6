import type { AnyNode, Program } from "acorn"
import { APP_SPECIFIER, PARTS_SPECIFIER } from "../HtmlRules.ts"
import { canonicalSpecifier, importOf } from "./ScriptImports.ts"
import type { KnownExports } from "../repair/ScriptRewrites.ts"
import { unwrapped, writtenName } from "./ScriptSyntax.ts"
import type { SourceParsers } from "../SourceParsers.ts"

/** What an import binds a name to: the canonical specifier, and the name there. */
export interface ImportedFrom {
  readonly specifier: string | null
  readonly name: string
}

export const isPart = (from: ImportedFrom | null | undefined, name: string): boolean =>
  from?.specifier === PARTS_SPECIFIER && from.name === name

/** One name in one scope, with what the code shows of its value. */
export interface Binding {
  readonly imported: ImportedFrom | null
  /** Expressions, functions and classes that it stands for as a whole. */
  readonly values: Array<AnyNode>
  /** Members that it stands for; the name is `null` if it is computed or an index. */
  readonly taken: Array<{ readonly from: AnyNode; readonly name: string | null }>
  /** Lists whose items it stands for, one after another. */
  readonly items: Array<AnyNode>
  /** The function whose parameter it is, and at which place. */
  param: { readonly fn: AnyNode; readonly at: number } | null
  /** Its value may be something else too. */
  isOpen: boolean
}

export const FUNCTIONS: ReadonlySet<string> = new Set([
  "FunctionDeclaration",
  "FunctionExpression",
  "ArrowFunctionExpression"
])
const VAR_SCOPES: ReadonlySet<string> = new Set(["Program", "StaticBlock", ...FUNCTIONS])
const BLOCKS: ReadonlySet<string> = new Set([
  ...VAR_SCOPES,
  ..."BlockStatement ForStatement ForInStatement ForOfStatement SwitchStatement CatchClause".split(" ")
])
const KEEPING_ASSIGNMENTS: ReadonlySet<string> = new Set(["=", "??=", "||=", "&&="])

/** What is put into a pattern: a whole value, a member, an item of a list, or something unknown. */
type Source = Partial<Pick<Binding["taken"][number], "from" | "name">> & {
  readonly value?: AnyNode
  readonly items?: AnyNode
  readonly param?: Binding["param"]
}

/** A script as a flat list of nodes, with the meaning of every name at every place. It follows no more than names. */
export class ScriptNames {
  /** From the inside out. */
  readonly nodes: Array<AnyNode> = []
  readonly isModule: boolean
  readonly #parents = new Map<AnyNode, AnyNode>()
  /** By name first: most names are globals, which no scope declares. */
  readonly #declared = new Map<string, Map<AnyNode, Binding>>()
  readonly #used = new Set<string | null>()
  readonly #known: KnownExports

  /** `known` holds the names for which the inspector adds forgotten imports. */
  constructor(parsers: SourceParsers, program: Program, known: KnownExports) {
    this.#known = known
    this.isModule = program.sourceType === "module"
    parsers.walk.fullAncestor(program, (node, _state, ancestors) => {
      this.nodes.push(node)
      const parent = ancestors.at(-2)
      if (parent !== undefined) this.#parents.set(node, parent)
    })
    for (const node of this.nodes) this.#declare(node)
    for (const node of this.nodes) this.#bind(node)
  }

  parent(node: AnyNode): AnyNode | undefined {
    return this.#parents.get(node)
  }

  /** The nearest ancestor of one of these kinds. */
  around(node: AnyNode, kinds: ReadonlySet<string>): AnyNode | undefined {
    let at = this.#parents.get(node)
    while (at !== undefined && !kinds.has(at.type)) at = this.#parents.get(at)
    return at
  }

  /** Whether the script imports something from the specifier, or uses this name of it without declaring it. */
  uses(specifier: string, name: string): boolean {
    return this.#used.has(specifier) || (this.#used.has(name) && !this.#declared.has(name))
  }

  /** The binding that a name refers to at this place; `undefined` for a global. */
  resolve(name: string, place: AnyNode | undefined): Binding | undefined {
    const scopes = this.#declared.get(name)
    if (scopes === undefined) return undefined
    for (let at = place; at !== undefined; at = this.#parents.get(at)) {
      const found = scopes.get(at)
      if (found !== undefined) return found
    }
    return undefined
  }

  binding(node: AnyNode): Binding | undefined {
    return node.type === "Identifier" ? this.resolve(node.name, node) : undefined
  }

  /** The global that an expression names; `""` for anything else. */
  globalName(node: AnyNode | null | undefined): string {
    return node?.type === "Identifier" && this.resolve(node.name, node) === undefined ? node.name : ""
  }

  /** The forgotten import for a name that no scope declares. */
  forgotten(name: string): ImportedFrom | null {
    const isPart = this.#known.partNames.has(name) && this.uses(PARTS_SPECIFIER, "show")
    const isApp = this.#known.appNames.has(name) && this.uses(APP_SPECIFIER, "App")
    return isPart || isApp ? { specifier: isPart ? PARTS_SPECIFIER : APP_SPECIFIER, name } : null
  }

  /** The import that an expression means: a name, or a member of a namespace import. */
  importOf(node: AnyNode): ImportedFrom | null {
    if (node.type === "Identifier") {
      const binding = this.resolve(node.name, node)
      return binding === undefined ? this.forgotten(node.name) : binding.imported
    }
    const name = writtenName(node)
    if (node.type !== "MemberExpression" || name === null) return null
    const whole = this.binding(node.object)?.imported
    return whole?.name === "*" || whole?.name === "default" ? { specifier: whole.specifier, name } : null
  }

  /** The function that an expression is, or names. */
  functionOf(node: AnyNode | undefined): AnyNode | undefined {
    if (node === undefined || FUNCTIONS.has(node.type)) return node
    return this.binding(node)?.values.find(({ type }) => FUNCTIONS.has(type))
  }

  #add(scope: AnyNode | undefined, name: string, imported: ImportedFrom | null = null): void {
    if (scope === undefined) return
    const scopes = this.#declared.get(name) ?? new Map<AnyNode, Binding>()
    this.#declared.set(name, scopes)
    if (scopes.has(scope)) return
    scopes.set(scope, { imported, values: [], taken: [], items: [], param: null, isOpen: false })
  }

  #addPattern(scope: AnyNode | undefined, pattern: AnyNode): void {
    for (const name of boundNames(pattern)) this.#add(scope, name)
  }

  #declare(node: AnyNode): void {
    switch (node.type) {
      case "Identifier":
        this.#used.add(node.name)
        break
      case "VariableDeclaration": {
        const scope = this.around(node, node.kind === "var" ? VAR_SCOPES : BLOCKS)
        for (const { id } of node.declarations) this.#addPattern(scope, id)
        break
      }
      case "FunctionDeclaration":
      case "FunctionExpression":
      case "ArrowFunctionExpression":
        for (const param of node.params) this.#addPattern(node, param)
        if (node.id) this.#add(node.type === "FunctionDeclaration" ? this.around(node, BLOCKS) : node, node.id.name)
        break
      case "ClassDeclaration":
      case "ClassExpression":
        if (node.id) this.#add(node.type === "ClassDeclaration" ? this.around(node, BLOCKS) : node, node.id.name)
        break
      case "CatchClause":
        if (node.param) this.#addPattern(node, node.param)
        break
      case "ImportDeclaration": {
        const found = importOf(node)
        const specifier = canonicalSpecifier(found?.specifier ?? "")
        this.#used.add(specifier)
        for (const { imported, local } of found?.names ?? []) {
          this.#add(this.#parents.get(node), local, { specifier, name: imported })
        }
        break
      }
      default:
    }
  }

  #bind(node: AnyNode): void {
    switch (node.type) {
      case "VariableDeclarator":
        if (node.init) this.#put(node.id, { value: node.init }, node)
        break
      case "AssignmentExpression":
        this.#put(node.left, KEEPING_ASSIGNMENTS.has(node.operator) ? { value: node.right } : {}, node)
        break
      case "ForOfStatement":
      case "ForInStatement": {
        const left = node.left.type === "VariableDeclaration" ? node.left.declarations[0]?.id : node.left
        if (left !== undefined) this.#put(left, { items: node.right }, node)
        break
      }
      case "FunctionDeclaration":
      case "FunctionExpression":
      case "ArrowFunctionExpression":
        node.params.forEach((param, at) => this.#put(param, { param: { fn: node, at } }, node))
        if (node.id) this.#put(node.id, { value: node }, node)
        break
      case "ClassDeclaration":
      case "ClassExpression":
        if (node.id) this.#put(node.id, { value: node }, node)
        break
      default:
    }
  }

  /** Notes what is put into the names of a pattern. */
  #put(pattern: AnyNode, source: Source, place: AnyNode): void {
    switch (pattern.type) {
      case "Identifier": {
        const binding = this.resolve(pattern.name, place)
        if (binding === undefined) return
        if (source.value !== undefined) binding.values.push(source.value)
        else if (source.items !== undefined) binding.items.push(source.items)
        else if (source.from !== undefined) binding.taken.push({ from: source.from, name: source.name ?? null })
        else binding.isOpen = true
        if (source.param !== undefined) binding.param = source.param
        break
      }
      case "AssignmentPattern":
        this.#put(pattern.left, { value: pattern.right }, place)
        this.#put(pattern.left, source, place)
        break
      case "ArrayPattern":
        for (const element of pattern.elements) if (element) this.#put(element, memberOf(source, null, pattern), place)
        break
      case "ObjectPattern":
        for (const part of pattern.properties) {
          if (part.type === "Property") this.#put(part.value, memberOf(source, writtenName(part), pattern), place)
        }
        break
      default:
    }
  }
}

/** A member of what is put into a pattern. If that is no expression, the pattern stands for it. */
const memberOf = (source: Source, name: string | null, pattern: AnyNode): Source => ({
  from: source.value ?? source.items ?? pattern,
  name
})

const boundNames = (pattern: AnyNode): ReadonlyArray<string> => {
  switch (pattern.type) {
    case "Identifier":
      return [pattern.name]
    case "ObjectPattern":
      return pattern.properties.flatMap((part) => boundNames(part.type === "Property" ? part.value : part.argument))
    case "ArrayPattern":
      return pattern.elements.flatMap((part) => (part === null ? [] : boundNames(part)))
    case "AssignmentPattern":
      return boundNames(pattern.left)
    case "RestElement":
      return boundNames(pattern.argument)
    default:
      return []
  }
}

/** All values that an expression may have by its own operators. */
export const choicesOf = (node: AnyNode): ReadonlyArray<AnyNode> => {
  const inner = unwrapped(node)
  switch (inner.type) {
    case "ConditionalExpression":
      return [...choicesOf(inner.consequent), ...choicesOf(inner.alternate)]
    case "LogicalExpression":
      return [...(inner.operator === "&&" ? [] : choicesOf(inner.left)), ...choicesOf(inner.right)]
    case "SequenceExpression":
      return choicesOf(inner.expressions.at(-1) ?? inner)
    case "AssignmentExpression":
      return choicesOf(inner.right)
    case "AwaitExpression":
      return choicesOf(inner.argument)
    default:
      return [inner]
  }
}
