import type {
  AnyNode,
  AssignmentExpression,
  CallExpression,
  Expression,
  ForOfStatement,
  NewExpression,
  Pattern,
  Program
} from "acorn"
import {
  DOCUMENT_MEMBERS,
  EVENT_MEMBERS,
  FORBIDDEN_GLOBALS,
  FORM_PATH,
  GLOBAL_OBJECTS,
  LINK_PATH,
  NAVIGATING_ASSIGNMENTS,
  PARTS_SPECIFIER,
  SUSPECT_GLOBALS,
  VIEW_PATH,
  WINDOW_MEMBERS
} from "./HtmlRules.ts"
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
  /** Only one of the calls of a function gives it: it is no constant. */
  readonly isArgument?: boolean
}

/** The path of what `show` gives to its function as the second parameter; no global has such a name. */
export const CONTEXT_PATH = "#context"
/** The path of the data that `show` gives as the first parameter. */
const DATA_PATH = "#data"
/** The path of a result of a tool; of one of its content blocks; of what looks like one. */
const RESULT_PATH = "#result"
export const CONTENT_BLOCK_PATH = "#block"
export const LIKELY_BLOCK_PATH = "#likely-block"

/** What is no global of interest, and every member of it. */
const OTHER_PATH = "#other"

/**
 * The paths that are told apart. All others are one, {@link OTHER_PATH}: so the paths of a binding are few, however
 * often a script puts a member of a value back into its own name.
 */
const TOLD_PATHS: ReadonlySet<string> = new Set(
  [
    ...FORBIDDEN_GLOBALS.keys(),
    ...NAVIGATING_ASSIGNMENTS,
    ...SUSPECT_GLOBALS.keys(),
    "Object.assign",
    "Reflect.get",
    "event",
    `${VIEW_PATH}.open`,
    `${CONTEXT_PATH}.call`,
    `${RESULT_PATH}.content`,
    `${CONTENT_BLOCK_PATH}.type`,
    `${LIKELY_BLOCK_PATH}.type`
  ].flatMap((path) => path.split(".").map((_, index, names) => names.slice(0, index + 1).join(".")))
)

/** One name in one scope, and everything that is seen to be put into it. */
export interface Binding {
  readonly values: Array<BoundValue>
  /** The function that a declaration binds to it. */
  fn: AnyNode | null
  /** Where an import takes it from; `name` is `*` for the namespace. */
  imported: { readonly specifier: string; readonly name: string } | null
}

/** A member that destructuring takes; its last key is {@link UNKNOWN_PART} where only running code knows it. */
export interface Destructured {
  readonly at: number
  readonly value: BoundValue
  /** What it is put into. */
  readonly target: Pattern
}

/** Answers what the names in a script mean. It follows constants, aliases and destructuring, not calls. */
export interface ScriptScope {
  /** The binding that a name at this place refers to; `undefined` for a global. */
  readonly resolve: (name: string, ancestors: Ancestors) => Binding | undefined
  /**
   * The global that an expression evaluates to, as a dotted path from the global object: `""` for the object
   * itself, `"navigator.sendBeacon"`. More than one where it depends; none where it is not a global. What no rule
   * tells apart has the path `"#other"`.
   */
  readonly globalPaths: (node: AnyNode, ancestors: Ancestors) => ReadonlyArray<string>
  /** The text that an expression evaluates to, with {@link UNKNOWN_PART} for what is not constant; or `null`. */
  readonly staticText: (node: AnyNode, ancestors: Ancestors) => string | null
  /** The name of a member that is read: constant names only. */
  readonly memberName: (node: AnyNode, ancestors: Ancestors) => string | null
  /** Every name that destructuring binds to a member of something, for checks of `const { fetch } = window`. */
  readonly destructured: ReadonlyArray<Destructured>
  /** The parameter of a function of the script that an argument is bound to is known, so that it can be followed. */
  readonly followsArgument: (call: CallExpression | NewExpression, index: number, ancestors: Ancestors) => boolean
  /** Counts work that grows with the script. `false` when there was too much: then answers may be incomplete. */
  readonly spend: (steps: number) => boolean
  /** The work that was done up to now. */
  readonly steps: () => number
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
/** Steps of work for a script, and for each of its characters if that is more. */
export const MAX_STEPS = 200_000
const MAX_STEPS_PER_CHARACTER = 4
/** Longer texts, which only texts that repeat themselves make, are not constant. */
const MAX_TEXT = 100_000
const INDEX = /^\d+$/u
const BLOCK_CALLBACKS: ReadonlySet<string> = new Set(
  "some every find findLast findIndex filter map flatMap forEach".split(" ")
)
const IDENTITY_CALLS: ReadonlySet<string> = new Set(["appendChild", "insertBefore"])
const LINKS: ReadonlySet<string> = new Set(["a", "area"])
const RESULT_EVENT = "toolresult"

/** Goes through a parsed script once and remembers what every name is bound to. */
export const scopeOf = (parsers: SourceParsers, program: Program, sourceType: "module" | "script"): ScriptScope => {
  /** By name first: most names are those of globals, which no scope declares. */
  const declared = new Map<string, Map<AnyNode, Binding>>()
  const destructured: Array<Destructured> = []
  const maxSteps = Math.max(MAX_STEPS, program.end * MAX_STEPS_PER_CHARACTER)
  let steps = 0
  const spend = (count: number): boolean => (steps += count) <= maxSteps

  /** The paths that every binding is known to have, and the bindings whose paths depend on them. */
  const boundPaths = new Map<Binding, Set<string>>()
  const readers = new Map<Binding, Set<Binding>>()
  const unsettled = new Set<Binding>()
  let reading: Binding | null = null
  /** Constant texts of bindings; `null` also while they are read. Forgotten whenever values are added. */
  const texts = new Map<Binding, string | null>()
  /** The paths of expressions, once nothing is bound anymore. */
  const known = new Map<AnyNode, ReadonlyArray<string>>()
  let isBound = false

  const addValue = (binding: Binding, value: BoundValue): void => {
    binding.values.push(value)
    unsettled.add(binding)
  }

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
        if (value !== null && value.keys.length > 0) destructured.push({ at: pattern.start, value, target: pattern })
        break
      case "MemberExpression":
        if (value !== null && value.keys.length > 0) destructured.push({ at: pattern.start, value, target: pattern })
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
          const key = memberName(property, value?.ancestors ?? []) ?? UNKNOWN_PART
          const event = EVENT_MEMBERS.has(key) ? { node: property, keys: [], ancestors: [], path: VIEW_PATH } : null
          bindPattern(property.value, value === null ? event : { ...value, keys: [...value.keys, key] }, bind)
        }
        break
    }
  }

  const limited = (text: string): string | null => (text.length > MAX_TEXT ? null : text)

  const staticText = (node: AnyNode, ancestors: Ancestors): string | null => {
    if (!spend(1)) return null
    switch (node.type) {
      case "Literal":
        return typeof node.value === "string" || typeof node.value === "number" ? String(node.value) : null
      case "TemplateLiteral": {
        let text = ""
        for (const [index, quasi] of node.quasis.entries()) {
          const expression = node.expressions[index]
          text += quasi.value.cooked ?? UNKNOWN_PART
          if (expression !== undefined) text += staticText(expression, ancestors) ?? UNKNOWN_PART
          if (text.length > MAX_TEXT) return null
        }
        return text
      }
      case "BinaryExpression": {
        let left: AnyNode = node
        const parts: Array<string | null> = []
        while (left.type === "BinaryExpression" && left.operator === "+") {
          parts.push(staticText(left.right, ancestors))
          left = left.left
        }
        if (node.operator !== "+") return null
        parts.push(staticText(left, ancestors))
        if (parts.every((part) => part === null)) return null
        return limited(
          parts
            .toReversed()
            .map((part) => part ?? UNKNOWN_PART)
            .join("")
        )
      }
      case "ParenthesizedExpression":
        return staticText(node.expression, ancestors)
      case "Identifier": {
        const binding = resolve(node.name, ancestors)
        const value = binding?.values[0]
        if (binding?.values.length !== 1 || value === undefined || value.keys.length > 0) return null
        if (value.isArgument === true) return null
        const before = texts.get(binding)
        if (before !== undefined) return before
        texts.set(binding, null)
        const text = staticText(value.node, value.ancestors)
        texts.set(binding, text)
        return text
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
    if (DOCUMENT_MEMBERS.has(name)) return "document"
    if (path === "" && GLOBAL_OBJECTS.has(name)) return ""
    if (path === "document" && name === "location") return "location"
    if (path === "event" && name === "view") return ""
    if (path === CONTEXT_PATH && name === "result") return RESULT_PATH
    if (path === `${RESULT_PATH}.content` && INDEX.test(name)) return CONTENT_BLOCK_PATH
    const joined = path === "" ? name : `${path}.${name}`
    return TOLD_PATHS.has(joined) ? joined : OTHER_PATH
  }

  /** What `this` may be: the global object, or what calls a function, which may be a window too. */
  const pathsOfThis = (ancestors: Ancestors): ReadonlyArray<string> => {
    const index = ancestors.findLastIndex(
      ({ type }) =>
        type === "FunctionDeclaration" ||
        type === "FunctionExpression" ||
        type === "ClassBody" ||
        type === "StaticBlock"
    )
    const fn = ancestors[index]
    if (fn === undefined) return sourceType === "script" ? [""] : []
    const around = ancestors[index - 1]
    if (fn.type === "FunctionDeclaration") {
      const isConstructor = /^\p{Lu}/u.test(fn.id?.name ?? "")
      return sourceType === "script" && !isConstructor ? [VIEW_PATH] : []
    }
    if (fn.type !== "FunctionExpression" || around?.type === "MethodDefinition" || around?.type === "Property")
      return []
    if (sourceType === "script") return [VIEW_PATH]
    if (around?.type !== "CallExpression") return []
    const { callee } = around
    const name = callee.type === "Identifier" ? callee.name : memberName(callee, ancestors)
    return name === "addEventListener" ? [VIEW_PATH] : []
  }

  const valuePaths = (value: BoundValue): ReadonlyArray<string> => {
    const paths = value.path === undefined ? pathsNow(value.node, value.ancestors) : [value.path]
    const [first = "", ...rest] = value.keys
    if (paths.length === 0 && EVENT_MEMBERS.has(first)) return [rest.reduce(join, VIEW_PATH)]
    return paths.map((path) => value.keys.reduce(join, path))
  }

  /** Works out the paths of all bindings that got values, until they change no more. They only ever grow. */
  const settle = (): void => {
    for (const binding of unsettled) {
      unsettled.delete(binding)
      const paths = boundPaths.get(binding) ?? new Set<string>()
      boundPaths.set(binding, paths)
      const before = paths.size
      reading = binding
      for (const value of binding.values) for (const path of valuePaths(value)) paths.add(path)
      reading = null
      if (paths.size > before) for (const reader of readers.get(binding) ?? []) unsettled.add(reader)
    }
  }

  const globalPaths = (node: AnyNode, ancestors: Ancestors): ReadonlyArray<string> => {
    if (unsettled.size > 0) settle()
    return pathsNow(node, ancestors)
  }

  const pathsNow = (node: AnyNode, ancestors: Ancestors): ReadonlyArray<string> => {
    const before = known.get(node)
    if (before !== undefined) return before
    if (!spend(1)) return []
    const paths = [...new Set(pathsOf(node, ancestors))]
    if (isBound) known.set(node, paths)
    return paths
  }

  const pathsOf = (node: AnyNode, ancestors: Ancestors): ReadonlyArray<string> => {
    const of = (inner: Expression): ReadonlyArray<string> => pathsNow(inner, ancestors)
    switch (node.type) {
      case "Identifier": {
        const binding = resolve(node.name, ancestors)
        if (binding === undefined) return [join("", node.name)]
        if (reading !== null) {
          const reads = readers.get(binding) ?? new Set()
          readers.set(binding, reads.add(reading))
        }
        return [...(boundPaths.get(binding) ?? [])]
      }
      case "ThisExpression":
        return pathsOfThis(ancestors)
      case "MemberExpression": {
        const name = memberName(node, ancestors)
        if (name === null || node.object.type === "Super") return []
        if (WINDOW_MEMBERS.has(name) || DOCUMENT_MEMBERS.has(name)) return [join(OTHER_PATH, name)]
        const paths = of(node.object)
        return paths.length === 0 && EVENT_MEMBERS.has(name) ? [VIEW_PATH] : paths.map((path) => join(path, name))
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
        const created = createdPath(node, ancestors)
        if (created !== null) return [created]
        const [object, key] = node.arguments
        if (node.callee.type !== "MemberExpression" || node.callee.object.type === "Super") return []
        const name = memberName(node.callee, ancestors)
        if (name === "callServerTool") return [RESULT_PATH]
        if (name === "valueOf") return of(node.callee.object)
        if (name === "getRootNode") return ["document"]
        const isIdentity = IDENTITY_CALLS.has(name ?? "") || of(node.callee).includes("Object.assign")
        if (isIdentity && object !== undefined && object.type !== "SpreadElement") return of(object)
        if (name !== "get" || object === undefined || key === undefined || object.type === "SpreadElement") return []
        const text = key.type === "SpreadElement" ? null : staticText(key, ancestors)
        if (text === null || !of(node.callee.object).includes("Reflect")) return []
        return of(object).map((path) => join(path, text))
      }
      default:
        return []
    }
  }

  /** The path of a new element that leaves the page when it is clicked or sent. */
  const createdPath = ({ callee, arguments: given }: CallExpression, ancestors: Ancestors): string | null => {
    const binding = callee.type === "Identifier" ? resolve(callee.name, ancestors) : undefined
    const name =
      callee.type === "Identifier"
        ? (binding?.imported?.name ?? (binding === undefined ? callee.name : null))
        : callee.type === "MemberExpression"
          ? memberName(callee, ancestors)
          : null
    if (name !== "h" && name !== "createElement" && name !== "createElementNS") return null
    const argument = given[name === "createElementNS" ? 1 : 0]
    if (argument === undefined || argument.type === "SpreadElement") return null
    const element = staticText(argument, ancestors)?.trim().toLowerCase() ?? ""
    return LINKS.has(element) ? LINK_PATH : element === "form" ? FORM_PATH : null
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
        if (value !== null) addValue(binding, value)
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
            if (bound !== null) addValue(binding, bound)
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
      const binding = declared.get(name)?.get(fn)
      if (bound === null || binding === undefined) return
      const isKnown =
        bound.path !== undefined &&
        binding.values.some(({ path, keys }) => path === bound.path && keys.join() === bound.keys.join())
      if (!isKnown) addValue(binding, bound)
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
    if (!["=", "??=", "||=", "&&="].includes(node.operator)) return
    bindPattern(node.left, { node: node.right, keys: [], ancestors }, (name, value) => {
      const binding = resolve(name, ancestors)
      if (binding !== undefined && value !== null) addValue(binding, value)
    })
    if (node.left.type === "MemberExpression" && memberName(node.left, ancestors) === `on${RESULT_EVENT}`) {
      bindParameter(functionOf(node.right, ancestors), 0, { node: node.right, keys: [], ancestors, path: RESULT_PATH })
    }
  }

  const bindCall = (node: CallExpression, ancestors: Ancestors): void => {
    const [first, second] = node.arguments
    const { callee } = node
    const given = (path: string): BoundValue => ({ node, keys: [], ancestors, path })
    if (isShow(callee, ancestors)) {
      bindParameter(functionOf(first, ancestors), 0, given(DATA_PATH))
      bindParameter(functionOf(first, ancestors), 1, given(CONTEXT_PATH))
    }
    if (callee.type === "MemberExpression" && callee.object.type !== "Super") {
      const name = memberName(callee, ancestors) ?? ""
      if (name === "addEventListener" && first !== undefined && staticText(first, ancestors) === RESULT_EVENT) {
        bindParameter(functionOf(second, ancestors), 0, given(RESULT_PATH))
      }
    }
  }

  /** What a function of the script is called with. */
  const bindArguments = (node: CallExpression, called: AnyNode, ancestors: Ancestors): void => {
    node.arguments.forEach((argument, index) => {
      if (argument.type !== "Identifier" && argument.type !== "MemberExpression") return
      bindParameter(called, index, { node: argument, keys: [], ancestors, isArgument: true })
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
        const binding = bound === null ? undefined : resolve(name, ancestors)
        if (bound !== null && binding !== undefined) addValue(binding, bound)
      })
    }
  }

  // The walk goes from the inside out, and outer calls say what the parameters around inner ones are.
  texts.clear()
  later.reverse()
  for (const { node, ancestors } of later) if (node.type === "AssignmentExpression") bindAssignment(node, ancestors)
  texts.clear()
  for (const { node, ancestors } of later) if (node.type === "CallExpression") bindCall(node, ancestors)
  const calls = later.flatMap(({ node, ancestors }) => {
    if (node.type !== "CallExpression" || node.arguments.length === 0 || node.callee.type !== "Identifier") return []
    const called = functionOf(node.callee, ancestors)
    return called === null ? [] : [{ node, called, ancestors }]
  })
  for (const { node, called, ancestors } of calls) bindArguments(node, called, ancestors)
  for (const { node, ancestors } of later) {
    if (node.type === "CallExpression") bindBlocks(node, ancestors)
    else if (node.type === "ForOfStatement") bindLoop(node, ancestors)
  }

  const followsArgument = (call: CallExpression | NewExpression, index: number, ancestors: Ancestors): boolean => {
    const called = call.type === "CallExpression" ? functionOf(call.callee, ancestors) : null
    if (called === null || !("params" in called)) return false
    const isPlain = !call.arguments.slice(0, index).some(({ type }) => type === "SpreadElement")
    const argument = call.arguments[index]
    const isNamed = argument?.type === "Identifier" || argument?.type === "MemberExpression"
    const param = called.params[index]
    return isPlain && (isNamed || called === call.callee) && param !== undefined && param.type !== "RestElement"
  }

  settle()
  texts.clear()
  isBound = true
  return {
    resolve,
    globalPaths,
    staticText,
    memberName,
    destructured,
    followsArgument,
    spend,
    steps: () => steps,
    isShow,
    imports
  }
}
