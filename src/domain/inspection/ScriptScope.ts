import type { AnyNode, AssignmentExpression, CallExpression, Expression, ForOfStatement, Pattern, Program } from "acorn"
import { GLOBAL_OBJECTS, PARTS_SPECIFIER, WINDOW_MEMBERS } from "./HtmlRules.ts"
import { canonicalSpecifier, importOf } from "./ScriptImports.ts"
import type { ScriptImport } from "./ScriptImports.ts"
import type { SourceParsers } from "./SourceParsers.ts"
import { UNKNOWN_PART } from "./Urls.ts"

/** The nodes around a node, outermost first, the node itself last. */
export type Ancestors = ReadonlyArray<AnyNode>

interface BoundValue {
  readonly node: AnyNode
  /** The members that destructuring takes from it. */
  readonly keys: ReadonlyArray<string>
  readonly ancestors: Ancestors
  /** What it is known to be, where `node` does not say it: see {@link CONTEXT_PATH}. */
  readonly path?: string
}

/** The path of what `show` gives to its function as the second parameter; no global has such a name. */
export const CONTEXT_PATH = "#context"
/** The path of the data that `show` gives as the first parameter. */
const DATA_PATH = "#data"
/** The path of a result of a tool; of one of its content blocks; of what looks like one. */
const RESULT_PATH = "#result"
export const CONTENT_BLOCK_PATH = "#block"
export const LIKELY_BLOCK_PATH = "#likely-block"

/** One name in one scope, and everything that is seen to be put into it. */
export interface Binding {
  readonly values: Array<BoundValue>
  /** The function that a declaration binds to it. */
  fn: AnyNode | null
  /** Where an import takes it from; `name` is `*` for the namespace. */
  imported: { readonly specifier: string; readonly name: string } | null
}

/** Answers what the names in a script mean. It follows constants, aliases and destructuring, not calls. */
export interface ScriptScope {
  /** The binding that a name at this place refers to; `undefined` for a global. */
  readonly resolve: (name: string, ancestors: Ancestors) => Binding | undefined
  /**
   * The global that an expression evaluates to, as a dotted path from the global object: `""` for the object
   * itself, `"navigator.sendBeacon"`. More than one where it depends; none where it is not a global.
   */
  readonly globalPaths: (node: AnyNode, ancestors: Ancestors) => ReadonlyArray<string>
  /** The text that an expression evaluates to, with {@link UNKNOWN_PART} for what is not constant; or `null`. */
  readonly staticText: (node: AnyNode, ancestors: Ancestors) => string | null
  /** The name of a member that is read: constant names only. */
  readonly memberName: (node: AnyNode, ancestors: Ancestors) => string | null
  /** Every name that destructuring binds to a member of something, for checks of `const { fetch } = window`. */
  readonly destructured: ReadonlyArray<{ readonly at: number; readonly value: BoundValue }>
  /** `show` of the parts, by its name or as a member of an import of all of them. */
  readonly isShow: (callee: AnyNode, ancestors: Ancestors) => boolean
  readonly imports: ReadonlyArray<ScriptImport>
}

/** The nodes that the first walk looks at. */
const DECLARING: ReadonlySet<string> = new Set(
  (
    "VariableDeclaration FunctionDeclaration FunctionExpression ArrowFunctionExpression ClassDeclaration ClassExpression " +
    "CatchClause ImportDeclaration AssignmentExpression CallExpression ForOfStatement " +
    "ExportNamedDeclaration ExportAllDeclaration ImportExpression"
  ).split(" ")
)
const FUNCTIONS: ReadonlySet<string> = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"])
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
const MAX_DEPTH = 12
const INDEX = /^\d+$/u
const BLOCK_CALLBACKS: ReadonlySet<string> = new Set(
  "some every find findLast findIndex filter map flatMap forEach".split(" ")
)
const RESULT_EVENT = "toolresult"

/** Goes through a parsed script once and remembers what every name is bound to. */
export const scopeOf = (parsers: SourceParsers, program: Program, sourceType: "module" | "script"): ScriptScope => {
  /** By name first: most names are those of globals, which no scope declares. */
  const declared = new Map<string, Map<AnyNode, Binding>>()
  const destructured: Array<{ readonly at: number; readonly value: BoundValue }> = []

  const declare = (scope: AnyNode, name: string): Binding => {
    const scopes = declared.get(name) ?? new Map<AnyNode, Binding>()
    declared.set(name, scopes)
    const binding = scopes.get(scope) ?? { values: [], fn: null, imported: null }
    scopes.set(scope, binding)
    return binding
  }

  const enclosing = (ancestors: Ancestors, kinds: (type: string) => boolean): AnyNode =>
    ancestors.slice(0, -1).findLast((node) => kinds(node.type)) ?? program
  const block = (ancestors: Ancestors): AnyNode => enclosing(ancestors, (type) => BLOCKS.has(type))
  const functionScope = (ancestors: Ancestors): AnyNode =>
    enclosing(ancestors, (type) => FUNCTIONS.has(type) || type === "Program" || type === "StaticBlock")

  const resolve = (name: string, ancestors: Ancestors): Binding | undefined => {
    const scopes = declared.get(name)
    if (scopes === undefined) return undefined
    for (let index = ancestors.length - 1; index >= 0; index--) {
      const node = ancestors[index]
      const binding = node === undefined ? undefined : scopes.get(node)
      if (binding !== undefined) return binding
    }
    return undefined
  }

  /** Calls `bind` for every name of a pattern, with what is put into it. */
  const bindPattern = (
    pattern: Pattern,
    value: BoundValue | null,
    bind: (name: string, value: BoundValue | null) => void
  ): void => {
    switch (pattern.type) {
      case "Identifier":
        bind(pattern.name, value)
        if (value !== null && value.keys.length > 0) destructured.push({ at: pattern.start, value })
        break
      case "MemberExpression":
        if (value !== null && value.keys.length > 0) destructured.push({ at: pattern.start, value })
        break
      case "AssignmentPattern":
        bindPattern(pattern.left, value, bind)
        if (value !== null)
          bindPattern(pattern.left, { node: pattern.right, keys: [], ancestors: value.ancestors }, bind)
        break
      case "RestElement":
        bindPattern(pattern.argument, value, bind)
        break
      case "ArrayPattern":
        for (const element of pattern.elements) if (element !== null) bindPattern(element, null, bind)
        break
      case "ObjectPattern":
        for (const property of pattern.properties) {
          if (property.type === "RestElement") {
            bindPattern(property.argument, value, bind)
            continue
          }
          const key = value === null ? null : memberName(property, value.ancestors)
          const inner = value === null || key === null ? null : { ...value, keys: [...value.keys, key] }
          bindPattern(property.value, inner, bind)
        }
        break
    }
  }

  const staticText = (node: AnyNode, ancestors: Ancestors, depth = 0): string | null => {
    if (depth > MAX_DEPTH) return null
    switch (node.type) {
      case "Literal":
        return typeof node.value === "string" || typeof node.value === "number" ? String(node.value) : null
      case "TemplateLiteral":
        return node.quasis
          .map((quasi, index) => {
            const expression = node.expressions[index]
            const text = quasi.value.cooked ?? UNKNOWN_PART
            return expression === undefined
              ? text
              : text + (staticText(expression, ancestors, depth + 1) ?? UNKNOWN_PART)
          })
          .join("")
      case "BinaryExpression": {
        if (node.operator !== "+") return null
        const left = staticText(node.left, ancestors, depth + 1)
        const right = staticText(node.right, ancestors, depth + 1)
        return left === null && right === null ? null : (left ?? UNKNOWN_PART) + (right ?? UNKNOWN_PART)
      }
      case "ParenthesizedExpression":
        return staticText(node.expression, ancestors, depth + 1)
      case "Identifier": {
        const values = resolve(node.name, ancestors)?.values ?? []
        const value = values[0]
        if (values.length !== 1 || value === undefined || value.keys.length > 0) return null
        return staticText(value.node, value.ancestors, depth + 1)
      }
      default:
        return null
    }
  }

  const memberName = (node: AnyNode, ancestors: Ancestors): string | null => {
    if (node.type === "MemberExpression") {
      if (node.property.type === "PrivateIdentifier") return null
      if (!node.computed) return node.property.type === "Identifier" ? node.property.name : null
      const name = staticText(node.property, ancestors)
      return name === null || name.includes(UNKNOWN_PART) ? null : name
    }
    if (node.type === "Property") {
      if (!node.computed && node.key.type === "Identifier") return node.key.name
      const name = staticText(node.key, ancestors)
      return name === null || name.includes(UNKNOWN_PART) ? null : name
    }
    return null
  }

  const join = (path: string, name: string): string => {
    if (WINDOW_MEMBERS.has(name)) return ""
    if (path === "") return GLOBAL_OBJECTS.has(name) ? "" : name
    if (path === "document" && name === "location") return "location"
    if (path === CONTEXT_PATH && name === "result") return RESULT_PATH
    if (path === `${RESULT_PATH}.content` && INDEX.test(name)) return CONTENT_BLOCK_PATH
    return `${path}.${name}`
  }

  const isTopLevel = (ancestors: Ancestors): boolean =>
    !ancestors.some(
      (node) =>
        node.type === "FunctionDeclaration" ||
        node.type === "FunctionExpression" ||
        node.type === "ClassBody" ||
        node.type === "StaticBlock"
    )

  const valuePaths = (value: BoundValue, depth: number): ReadonlyArray<string> =>
    (value.path === undefined ? globalPaths(value.node, value.ancestors, depth) : [value.path]).map((path) =>
      value.keys.reduce(join, path)
    )

  const globalPaths = (node: AnyNode, ancestors: Ancestors, depth = 0): ReadonlyArray<string> => {
    if (depth > MAX_DEPTH) return []
    const of = (inner: Expression): ReadonlyArray<string> => globalPaths(inner, ancestors, depth + 1)
    switch (node.type) {
      case "Identifier": {
        const binding = resolve(node.name, ancestors)
        if (binding === undefined) return [join("", node.name)]
        return binding.values.flatMap((value) => valuePaths(value, depth + 1))
      }
      case "ThisExpression":
        return sourceType === "script" && isTopLevel(ancestors) ? [""] : []
      case "MemberExpression": {
        const name = memberName(node, ancestors)
        if (name === null || node.object.type === "Super") return []
        if (WINDOW_MEMBERS.has(name)) return [""]
        return of(node.object).map((path) => join(path, name))
      }
      case "ConditionalExpression":
        return [...of(node.consequent), ...of(node.alternate)]
      case "LogicalExpression":
        return [...of(node.left), ...of(node.right)]
      case "AssignmentExpression":
        return of(node.right)
      case "SequenceExpression":
        return node.expressions.slice(-1).flatMap(of)
      case "ChainExpression":
      case "ParenthesizedExpression":
        return of(node.expression)
      case "AwaitExpression":
        return of(node.argument)
      case "CallExpression": {
        const [object, key] = node.arguments
        if (node.callee.type !== "MemberExpression" || node.callee.object.type === "Super") return []
        const name = memberName(node.callee, ancestors)
        if (name === "callServerTool") return [RESULT_PATH]
        if (name === "valueOf") return of(node.callee.object)
        if (name !== "get" || object === undefined || key === undefined || object.type === "SpreadElement") return []
        const text = key.type === "SpreadElement" ? null : staticText(key, ancestors)
        if (text === null || !of(node.callee.object).includes("Reflect")) return []
        return of(object).map((path) => join(path, text))
      }
      default:
        return []
    }
  }

  const declareParams = (params: ReadonlyArray<Pattern>, fn: AnyNode, ancestors: Ancestors): void => {
    const call = ancestors.at(-2)
    const args = call?.type === "CallExpression" && call.callee === fn ? call.arguments : []
    const inside = [...ancestors]
    params.forEach((param, index) => {
      const arg = args[index]
      const target = param.type === "AssignmentPattern" ? param.left : param
      const bind = (name: string, value: BoundValue | null): void => {
        const binding = declare(fn, name)
        if (value !== null) binding.values.push(value)
      }
      const given = arg === undefined || arg.type === "SpreadElement" ? null : arg
      bindPattern(target, given === null ? null : { node: given, keys: [], ancestors: inside }, bind)
      if (param.type === "AssignmentPattern") {
        bindPattern(target, { node: param.right, keys: [], ancestors: inside }, bind)
      }
    })
  }

  /** What can be bound only when every name is declared. */
  const later: Array<{ readonly node: AnyNode; readonly ancestors: Ancestors }> = []
  const imports: Array<ScriptImport> = []

  const declareNode = (node: AnyNode, ancestors: Ancestors): void => {
    if (!DECLARING.has(node.type)) return
    const around = [...ancestors]
    switch (node.type) {
      case "VariableDeclaration": {
        const scope = node.kind === "var" ? functionScope(ancestors) : block(ancestors)
        for (const declarator of node.declarations) {
          const init = declarator.init ?? null
          const value = init === null ? null : { node: init, keys: [], ancestors: around }
          bindPattern(declarator.id, value, (name, bound) => {
            const binding = declare(scope, name)
            if (bound !== null) binding.values.push(bound)
          })
        }
        break
      }
      case "FunctionDeclaration":
        if (node.id) declare(block(ancestors), node.id.name).fn = node
        declareParams(node.params, node, around)
        break
      case "FunctionExpression":
        if (node.id) declare(node, node.id.name)
        declareParams(node.params, node, around)
        break
      case "ArrowFunctionExpression":
        declareParams(node.params, node, around)
        break
      case "ClassDeclaration":
        if (node.id) declare(block(ancestors), node.id.name)
        break
      case "ClassExpression":
        if (node.id) declare(node, node.id.name)
        break
      case "CatchClause":
        if (node.param) bindPattern(node.param, null, (name) => declare(node, name))
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
          declare(program, specifier.local.name).imported = { specifier: String(node.source.value), name }
        }
        break
      case "AssignmentExpression":
      case "CallExpression":
      case "ForOfStatement":
        later.push({ node, ancestors: around })
        break
      default:
    }
    const found = importOf(node)
    if (found !== null) imports.push(found)
  }

  const isShow = (callee: AnyNode, ancestors: Ancestors): boolean => {
    if (callee.type === "Identifier") {
      const imported = resolve(callee.name, ancestors)?.imported
      return imported?.name === "show" && canonicalSpecifier(imported.specifier) === PARTS_SPECIFIER
    }
    if (callee.type !== "MemberExpression" || callee.object.type !== "Identifier") return false
    if (memberName(callee, ancestors) !== "show") return false
    const imported = resolve(callee.object.name, ancestors)?.imported
    return (
      (imported?.name === "*" || imported?.name === "default") &&
      canonicalSpecifier(imported.specifier) === PARTS_SPECIFIER
    )
  }

  /** The function that an expression is, or is a constant name of. */
  const functionOf = (node: AnyNode | null | undefined, ancestors: Ancestors): AnyNode | null => {
    if (node === null || node === undefined) return null
    if (FUNCTIONS.has(node.type)) return node
    if (node.type !== "Identifier") return null
    const binding = resolve(node.name, ancestors)
    const value = binding?.values[0]
    if (value === undefined) return binding?.fn ?? null
    return binding?.values.length === 1 && value.keys.length === 0 && FUNCTIONS.has(value.node.type) ? value.node : null
  }

  const bindParameter = (fn: AnyNode | null, index: number, value: BoundValue): void => {
    if (fn === null || !("params" in fn)) return
    const param = fn.params[index]
    if (param === undefined) return
    bindPattern(param.type === "AssignmentPattern" ? param.left : param, value, (name, bound) => {
      const values = declared.get(name)?.get(fn)?.values
      if (bound === null || values === undefined) return
      const isKnown = values.some(({ path, keys }) => path === bound.path && keys.join() === bound.keys.join())
      if (!isKnown) values.push(bound)
    })
  }

  /** What the members of a list are, if the list is the content of a result. */
  const blockPath = (list: AnyNode, ancestors: Ancestors): string | null => {
    const paths = globalPaths(list, ancestors)
    if (paths.includes(`${RESULT_PATH}.content`)) return CONTENT_BLOCK_PATH
    const member = list.type === "ChainExpression" ? list.expression : list
    const isNamed = member.type === "MemberExpression" && memberName(member, ancestors) === "content"
    return isNamed && paths.length === 0 ? LIKELY_BLOCK_PATH : null
  }

  const bindAssignment = (node: AssignmentExpression, ancestors: Ancestors): void => {
    if (!["=", "??=", "||="].includes(node.operator)) return
    bindPattern(node.left, { node: node.right, keys: [], ancestors }, (name, value) => {
      const binding = resolve(name, ancestors)
      if (binding !== undefined && value !== null) binding.values.push(value)
    })
    if (node.left.type === "MemberExpression" && memberName(node.left, ancestors) === `on${RESULT_EVENT}`) {
      bindParameter(functionOf(node.right, ancestors), 0, { node: node.right, keys: [], ancestors, path: RESULT_PATH })
    }
  }

  const bindCall = (node: CallExpression, ancestors: Ancestors): void => {
    const [first, second] = node.arguments
    const { callee } = node
    const known = (path: string): BoundValue => ({ node, keys: [], ancestors, path })
    if (isShow(callee, ancestors)) {
      bindParameter(functionOf(first, ancestors), 0, known(DATA_PATH))
      bindParameter(functionOf(first, ancestors), 1, known(CONTEXT_PATH))
    }
    if (callee.type === "MemberExpression" && callee.object.type !== "Super") {
      const name = memberName(callee, ancestors) ?? ""
      if (name === "addEventListener" && first !== undefined && staticText(first, ancestors) === RESULT_EVENT) {
        bindParameter(functionOf(second, ancestors), 0, known(RESULT_PATH))
      }
    }
  }

  /** What a function of the script is called with, where that is a global or comes from the host. */
  const bindArguments = (node: CallExpression, called: AnyNode, ancestors: Ancestors): void => {
    node.arguments.forEach((argument, index) => {
      if (argument.type !== "Identifier" && argument.type !== "MemberExpression") return
      for (const path of new Set(globalPaths(argument, ancestors))) {
        bindParameter(called, index, { node: argument, keys: [], ancestors, path })
      }
    })
  }

  parsers.walk.fullAncestor(program, (node, _state, ancestors) => declareNode(node, ancestors))
  const bindBlocks = (node: CallExpression, ancestors: Ancestors): void => {
    const { callee } = node
    if (callee.type !== "MemberExpression" || !BLOCK_CALLBACKS.has(memberName(callee, ancestors) ?? "")) return
    const path = blockPath(callee.object, ancestors)
    if (path === null) return
    const value = { node: callee.object, keys: [], ancestors, path }
    bindParameter(functionOf(node.arguments[0], ancestors), 0, value)
  }

  const bindLoop = (node: ForOfStatement, ancestors: Ancestors): void => {
    const path = blockPath(node.right, ancestors)
    if (path === null || node.left.type !== "VariableDeclaration") return
    for (const { id } of node.left.declarations) {
      bindPattern(id, { node: node.right, keys: [], ancestors, path }, (name, bound) => {
        if (bound !== null) resolve(name, ancestors)?.values.push(bound)
      })
    }
  }

  // The walk goes from the inside out, and outer calls say what the parameters around inner ones are.
  later.reverse()
  for (const { node, ancestors } of later) if (node.type === "AssignmentExpression") bindAssignment(node, ancestors)
  for (const { node, ancestors } of later) if (node.type === "CallExpression") bindCall(node, ancestors)
  const calls = later.flatMap(({ node, ancestors }) => {
    if (node.type !== "CallExpression" || node.arguments.length === 0 || node.callee.type !== "Identifier") return []
    const called = functionOf(node.callee, ancestors)
    return called === null ? [] : [{ node, called, ancestors }]
  })
  // Twice, because a function may be written before what says what it is called with.
  for (const { node, called, ancestors } of [...calls, ...calls]) bindArguments(node, called, ancestors)
  for (const { node, ancestors } of later) {
    if (node.type === "CallExpression") bindBlocks(node, ancestors)
    else if (node.type === "ForOfStatement") bindLoop(node, ancestors)
  }

  return {
    resolve,
    globalPaths: (node, ancestors) => globalPaths(node, ancestors),
    staticText: (node, ancestors) => staticText(node, ancestors),
    memberName,
    destructured,
    isShow,
    imports
  }
}
