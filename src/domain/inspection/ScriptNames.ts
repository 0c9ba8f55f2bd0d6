import type { AnyNode, Pattern, Program } from "acorn"
import { APP_SPECIFIER, PARTS_SPECIFIER } from "./HtmlRules.ts"
import { importedFrom } from "./PartCalls.ts"
import type { ImportedFrom } from "./PartCalls.ts"
import { canonicalSpecifier, importOf } from "./ScriptImports.ts"
import type { KnownExports } from "./ScriptRewrites.ts"
import type { SourceParsers } from "./SourceParsers.ts"

/** The nodes around a node, outermost first, the node itself last. */
export type Ancestors = ReadonlyArray<AnyNode>

/** One name in one scope. */
export interface Binding {
  readonly imported: ImportedFrom | null
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

/** The names that a pattern binds. */
const boundNames = (pattern: Pattern): ReadonlyArray<string> => {
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

/** Which name means what where: every binding of a script by its name and the node that makes its scope. */
export class ScriptNames {
  /** By name first: most names are those of globals, which no scope declares. */
  readonly #declared = new Map<string, Map<AnyNode, Binding>>()

  readonly #used = new Set<string | null>()
  readonly #known: KnownExports

  /** `known` are the names whose imports the inspector adds where they were forgotten. */
  constructor(parsers: SourceParsers, program: Program, known: KnownExports) {
    this.#known = known
    parsers.walk.fullAncestor(program, (node, _state, ancestors) => this.#read(node, ancestors))
  }

  /** The script uses what a specifier exports: it imports something from there, or uses this name, which it does not declare. */
  uses(specifier: string, name: string): boolean {
    return this.#used.has(specifier) || (this.#used.has(name) && !this.#declared.has(name))
  }

  /** The binding that a name at this place refers to; `undefined` for a global. */
  resolve(name: string, ancestors: Ancestors): Binding | undefined {
    const scopes = this.#declared.get(name)
    const scope = scopes === undefined ? undefined : ancestors.findLast((node) => scopes.has(node))
    return scope === undefined ? undefined : scopes?.get(scope)
  }

  /** The import that was forgotten, for a name that no scope declares. */
  forgotten(name: string): ImportedFrom | null {
    const isPart = this.#known.partNames.has(name) && this.uses(PARTS_SPECIFIER, "show")
    const isApp = this.#known.appNames.has(name) && this.uses(APP_SPECIFIER, "App")
    return isPart || isApp ? { specifier: isPart ? PARTS_SPECIFIER : APP_SPECIFIER, name } : null
  }

  /** The bindings of the outermost scope. */
  outermost(program: Program): ReadonlyArray<Binding> {
    return [...this.#declared.values()].flatMap((scopes) => scopes.get(program) ?? [])
  }

  #declare(scope: AnyNode | undefined, names: ReadonlyArray<string>, imported: ImportedFrom | null = null): void {
    for (const name of scope === undefined ? [] : names) {
      const scopes = this.#declared.get(name) ?? new Map<AnyNode, Binding>()
      this.#declared.set(name, scopes)
      if (scope !== undefined && !scopes.has(scope)) scopes.set(scope, { imported })
    }
  }

  #read(node: AnyNode, ancestors: Ancestors): void {
    const around = (kinds: ReadonlySet<string>): AnyNode | undefined =>
      ancestors.slice(0, -1).findLast(({ type }) => kinds.has(type))
    switch (node.type) {
      case "Identifier":
        this.#used.add(node.name)
        break
      case "VariableDeclaration":
        this.#declare(
          around(node.kind === "var" ? VAR_SCOPES : BLOCKS),
          node.declarations.flatMap(({ id }) => boundNames(id))
        )
        break
      case "FunctionDeclaration":
      case "FunctionExpression":
      case "ArrowFunctionExpression":
        this.#declare(node, node.params.flatMap(boundNames))
        if (node.id) this.#declare(node.type === "FunctionDeclaration" ? around(BLOCKS) : node, [node.id.name])
        break
      case "ClassDeclaration":
      case "ClassExpression":
        if (node.id) this.#declare(node.type === "ClassDeclaration" ? around(BLOCKS) : node, [node.id.name])
        break
      case "CatchClause":
        if (node.param) this.#declare(node, boundNames(node.param))
        break
      case "ImportDeclaration": {
        const found = importOf(node)
        this.#used.add(canonicalSpecifier(found?.specifier ?? ""))
        for (const { imported, local } of found?.names ?? []) {
          this.#declare(ancestors[0], [local], importedFrom(found?.specifier ?? "", imported))
        }
        break
      }
      default:
    }
  }
}
