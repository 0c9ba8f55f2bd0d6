import type { AnyNode, Pattern, Program } from "acorn"
import type { BoundPatterns } from "./BoundPatterns.ts"
import { FUNCTIONS } from "./ScriptBindings.ts"
import type { Ancestors, BoundValue, ScriptBindings } from "./ScriptBindings.ts"
import { importOf } from "./ScriptImports.ts"
import type { ScriptImport } from "./ScriptImports.ts"
import type { SourceParsers } from "./SourceParsers.ts"

/** A node that binds to names which others declare. */
export interface Unbound {
  readonly node: AnyNode
  readonly ancestors: Ancestors
}

export interface Declarations {
  readonly imports: ReadonlyArray<ScriptImport>
  /** Assignments, calls and loops, the inner ones first. */
  readonly unbound: ReadonlyArray<Unbound>
}

/** The nodes that the walk looks at. */
const DECLARING: ReadonlySet<string> = new Set(
  (
    "VariableDeclaration FunctionDeclaration FunctionExpression ArrowFunctionExpression ClassDeclaration ClassExpression " +
    "CatchClause ImportDeclaration AssignmentExpression CallExpression ForOfStatement " +
    "ExportNamedDeclaration ExportAllDeclaration ImportExpression"
  ).split(" ")
)
const BLOCKS: ReadonlySet<string> = new Set([
  "Program",
  "BlockStatement",
  "ForStatement",
  "ForInStatement",
  "ForOfStatement",
  "SwitchStatement",
  "StaticBlock",
  "CatchClause",
  ...FUNCTIONS
])
const FUNCTION_SCOPES: ReadonlySet<string> = new Set(["Program", "StaticBlock", ...FUNCTIONS])

const enclosing = (ancestors: Ancestors, kinds: ReadonlySet<string>): AnyNode | undefined =>
  ancestors.slice(0, -1).findLast((node) => kinds.has(node.type))

/** Declares every name of a script in its scope, with the values that the declarations give. */
export const declareNames = (
  parsers: SourceParsers,
  program: Program,
  bindings: ScriptBindings,
  patterns: BoundPatterns
): Declarations => {
  const imports: Array<ScriptImport> = []
  const unbound: Array<Unbound> = []
  const block = (ancestors: Ancestors): AnyNode => enclosing(ancestors, BLOCKS) ?? program

  const declarePattern = (scope: AnyNode, pattern: Pattern, value: BoundValue | null): void =>
    patterns.bind(pattern, value, (name, bound) => {
      const binding = bindings.declare(scope, name)
      if (bound !== null) bindings.addValue(binding, bound)
    })

  const declareParams = (params: ReadonlyArray<Pattern>, fn: AnyNode, ancestors: Ancestors): void => {
    const call = ancestors.at(-2)
    const args = call?.type === "CallExpression" && call.callee === fn ? call.arguments : []
    params.forEach((param, index) => {
      const arg = args[index]
      const target = param.type === "AssignmentPattern" ? param.left : param
      const given = arg === undefined || arg.type === "SpreadElement" ? null : arg
      declarePattern(fn, target, given === null ? null : { node: given, keys: [], ancestors })
      if (param.type === "AssignmentPattern") {
        declarePattern(fn, target, { node: param.right, keys: [], ancestors })
      }
    })
  }

  const declareNode = (node: AnyNode, current: Ancestors): void => {
    if (!DECLARING.has(node.type)) return
    const ancestors = [...current]
    switch (node.type) {
      case "VariableDeclaration": {
        const scope = node.kind === "var" ? (enclosing(ancestors, FUNCTION_SCOPES) ?? program) : block(ancestors)
        for (const { id, init } of node.declarations) {
          declarePattern(scope, id, init ? { node: init, keys: [], ancestors } : null)
        }
        break
      }
      case "FunctionDeclaration":
        if (node.id) bindings.declare(block(ancestors), node.id.name).fn = node
        declareParams(node.params, node, ancestors)
        break
      case "FunctionExpression":
        if (node.id) bindings.declare(node, node.id.name)
        declareParams(node.params, node, ancestors)
        break
      case "ArrowFunctionExpression":
        declareParams(node.params, node, ancestors)
        break
      case "ClassDeclaration":
        if (node.id) bindings.declare(block(ancestors), node.id.name)
        break
      case "ClassExpression":
        if (node.id) bindings.declare(node, node.id.name)
        break
      case "CatchClause":
        if (node.param) patterns.bind(node.param, null, (name) => bindings.declare(node, name))
        break
      case "ImportDeclaration":
        for (const specifier of node.specifiers) {
          const name =
            specifier.type === "ImportNamespaceSpecifier"
              ? "*"
              : specifier.type === "ImportDefaultSpecifier"
                ? "default"
                : specifier.imported.type === "Identifier"
                  ? specifier.imported.name
                  : String(specifier.imported.value)
          const imported = { specifier: String(node.source.value), name }
          bindings.declare(program, specifier.local.name).imported = imported
        }
        break
      case "AssignmentExpression":
      case "CallExpression":
      case "ForOfStatement":
        unbound.push({ node, ancestors })
        break
      default:
    }
    const found = importOf(node)
    if (found !== null) imports.push(found)
  }

  // The ancestors of a walk are one list that goes on changing.
  parsers.walk.fullAncestor(program, (node, _state, ancestors) => declareNode(node, ancestors))
  return { imports, unbound }
}
