import type { AnyNode, Program } from "acorn"
import { checkAttribute, checkTextOfScript } from "./HtmlCheck.ts"
import {
  APP_SPECIFIER,
  FORBIDDEN_GLOBALS,
  NAVIGATING_ASSIGNMENTS,
  PARTS_SPECIFIER,
  SUSPECT_GLOBALS,
  UNCREATABLE_ELEMENTS
} from "./HtmlRules.ts"
import type { Finding } from "./HtmlRules.ts"
import { canonicalSpecifier, findImports } from "./ScriptImports.ts"
import type { ScriptImport } from "./ScriptImports.ts"
import { scopeOf } from "./ScriptScope.ts"
import type { Ancestors, ScriptScope } from "./ScriptScope.ts"
import type { SourceParsers } from "./SourceParsers.ts"
import { UNKNOWN_PART } from "./Urls.ts"

/** What a script does that the inspector asks about. */
export interface ScriptFacts {
  readonly findings: ReadonlyArray<Finding>
  readonly imports: ReadonlyArray<ScriptImport>
  /** Calls `show` of the parts. */
  readonly callsShow: boolean
  /** Makes an App and calls `connect` on something. */
  readonly connects: boolean
  /** Takes results: `ontoolresult`, the `toolresult` event, or the answers of `callServerTool`. */
  readonly takesResults: boolean
  /** Names of globals that are used, for imports that were forgotten. */
  readonly globals: ReadonlySet<string>
}

export interface ScriptSyntaxProblem {
  readonly message: string
  /** Offset in the script. */
  readonly offset: number
}

const syntaxProblem = (error: unknown): ScriptSyntaxProblem => {
  const message = error instanceof Error ? error.message : String(error)
  const offset = error instanceof Error && "pos" in error && typeof error.pos === "number" ? error.pos : 0
  return { message: message.replace(/\s*\(\d+:\d+\)$/u, ""), offset }
}

/** Parses a script as browsers do; the error is a value. */
export const parseScript = (
  parsers: SourceParsers,
  code: string,
  sourceType: "module" | "script"
): Program | ScriptSyntaxProblem => {
  try {
    return parsers.acorn.parse(code, { ecmaVersion: "latest", sourceType, allowHashBang: false })
  } catch (error) {
    return syntaxProblem(error)
  }
}

const quote = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text)

/** `innerHTML`-like sinks are covered by checking every text; these set an attribute by its property. */
const PROPERTY_ATTRIBUTES: ReadonlyMap<string, string> = new Map([
  ["src", "src"],
  ["srcset", "srcset"],
  ["href", "href"],
  ["action", "action"],
  ["formAction", "formaction"],
  ["poster", "poster"],
  ["background", "background"],
  ["srcdoc", "srcdoc"],
  ["ping", "ping"]
])

class ScriptChecker {
  readonly findings: Array<Finding> = []
  readonly globals = new Set<string>()
  callsShow = false
  callsConnect = false
  hasApp = false
  takesResults = false
  readonly #parsers: SourceParsers
  readonly #code: string
  readonly #offset: number
  readonly #scope: ScriptScope
  readonly #toolNames: ReadonlySet<string>

  constructor(
    parsers: SourceParsers,
    code: string,
    offset: number,
    scope: ScriptScope,
    toolNames: ReadonlyArray<string>
  ) {
    this.#parsers = parsers
    this.#code = code
    this.#offset = offset
    this.#scope = scope
    this.#toolNames = new Set(toolNames)
  }

  report(rule: Finding["rule"], at: number, found: string): void {
    this.findings.push({ rule, offset: this.#offset + at, found: quote(found) })
  }

  path(path: string, at: number, written: string): void {
    const forbidden = FORBIDDEN_GLOBALS.get(path)
    if (forbidden !== undefined) this.report(forbidden, at, written)
    const suspect = SUSPECT_GLOBALS.get(path)
    if (suspect !== undefined) this.report(suspect, at, written)
  }

  attribute(element: string, name: string, value: string, at: number): void {
    this.findings.push(...checkAttribute(element, name, value, this.#offset + at))
  }

  reference(node: AnyNode, ancestors: Ancestors): void {
    const written = this.#code.slice(node.start, node.end)
    for (const path of this.#scope.globalPaths(node, ancestors)) this.path(path, node.start, written)
    if (node.type === "Identifier" && this.#scope.resolve(node.name, ancestors) === undefined) {
      this.globals.add(node.name)
      if (SUSPECT_GLOBALS.get(node.name) === "frame-access") this.report("frame-access", node.start, node.name)
    }
    if (node.type !== "MemberExpression") return
    const name = this.#scope.memberName(node, ancestors)
    const onGlobal = this.#scope.globalPaths(node.object, ancestors).includes("")
    if (name === null && node.computed && onGlobal) this.report("computed-global", node.start, written)
    if (name !== null && onGlobal && SUSPECT_GLOBALS.get(name) === "frame-access") {
      this.report("frame-access", node.start, written)
    }
    if (name === "ontoolresult" || name === "callServerTool") this.takesResults = true
  }

  assignment(target: AnyNode, value: AnyNode | null, ancestors: Ancestors): void {
    const written = this.#code.slice(target.start, target.end)
    const paths =
      target.type === "Identifier"
        ? this.#scope.resolve(target.name, ancestors) === undefined
          ? this.#scope.globalPaths(target, ancestors)
          : []
        : target.type === "MemberExpression"
          ? this.#scope.globalPaths(target, ancestors)
          : []
    if (paths.some((path) => NAVIGATING_ASSIGNMENTS.has(path))) this.report("navigation", target.start, `${written} =`)
    if (target.type !== "MemberExpression" || value === null || paths.some((path) => path.startsWith("location")))
      return
    const name = PROPERTY_ATTRIBUTES.get(this.#scope.memberName(target, ancestors) ?? "")
    const text = this.#scope.staticText(value, ancestors)
    if (name !== undefined && text !== null) this.attribute("", name, text, target.start)
  }

  call(node: AnyNode, ancestors: Ancestors): void {
    if (node.type !== "CallExpression" && node.type !== "NewExpression") return
    const text = (index: number): string | null => {
      const argument = node.arguments[index]
      return argument === undefined || argument.type === "SpreadElement"
        ? null
        : this.#scope.staticText(argument, ancestors)
    }
    const callee = node.callee.type === "ParenthesizedExpression" ? node.callee.expression : node.callee
    if (callee.type === "Identifier") {
      const binding = this.#scope.resolve(callee.name, ancestors)
      if (binding?.imported?.name === "show" && canonicalSpecifier(binding.imported.specifier) === PARTS_SPECIFIER) {
        this.callsShow = true
      }
      if (
        binding === undefined &&
        (callee.name === "setTimeout" || callee.name === "setInterval") &&
        text(0) !== null
      ) {
        this.report("dynamic-code", node.start, `${callee.name}(text)`)
      }
      if (binding === undefined && callee.name === "Audio" && text(0) !== null) {
        this.attribute("audio", "src", text(0) ?? "", node.start)
      }
      return
    }
    if (callee.type !== "MemberExpression") return
    const name = this.#scope.memberName(callee, ancestors)
    if (name === "connect") this.callsConnect = true
    if (name === "show" && callee.object.type === "Identifier") {
      const binding = this.#scope.resolve(callee.object.name, ancestors)
      if (binding?.imported?.name === "*" || binding?.imported?.name === "default" || binding?.imported === null) {
        this.callsShow = true
      }
    }
    if (name === "addEventListener" && text(0) === "toolresult") this.takesResults = true
    if (name === "createElement" || name === "createElementNS") {
      const element = text(name === "createElement" ? 0 : 1)
        ?.trim()
        .toLowerCase()
      if (element !== undefined && UNCREATABLE_ELEMENTS.has(element)) {
        this.report("forbidden-element", node.start, `${name}("${element}")`)
      }
    }
    if (name === "setAttribute" || name === "setAttributeNS") {
      const first = name === "setAttribute" ? 0 : 1
      const attribute = text(first)?.toLowerCase()
      if (attribute !== undefined) this.attribute("", attribute, text(first + 1) ?? UNKNOWN_PART, node.start)
    }
    if (name === "callServerTool") this.toolCall(node.arguments[0], ancestors)
  }

  toolCall(argument: AnyNode | undefined, ancestors: Ancestors): void {
    if (argument?.type !== "ObjectExpression" || this.#toolNames.size === 0) return
    for (const property of argument.properties) {
      if (property.type !== "Property" || this.#scope.memberName(property, ancestors) !== "name") continue
      const tool = this.#scope.staticText(property.value, ancestors)
      if (tool !== null && !tool.includes(UNKNOWN_PART) && !this.#toolNames.has(tool)) {
        this.report("unknown-tool", property.start, tool)
      }
    }
  }

  property(node: AnyNode, ancestors: Ancestors): void {
    if (node.type !== "Property" || ancestors.at(-2)?.type !== "ObjectExpression") return
    const name = this.#scope.memberName(node, ancestors)
    const attribute = name === null ? undefined : PROPERTY_ATTRIBUTES.get(name)
    if (attribute === undefined || attribute === "href") return
    const text = this.#scope.staticText(node.value, ancestors)
    if (text !== null && text.includes("//")) this.attribute("", attribute, text, node.start)
  }

  text(node: AnyNode, ancestors: Ancestors): void {
    const isText = node.type === "TemplateLiteral" || (node.type === "Literal" && typeof node.value === "string")
    const isSum = node.type === "BinaryExpression" && node.operator === "+"
    if (!isText && !isSum) return
    // A sum is read once, as a whole: its parts are no markup of their own.
    const around = ancestors.at(-2)
    if (around?.type === "BinaryExpression" && around.operator === "+") return
    const text = this.#scope.staticText(node, ancestors)
    if (text !== null) this.findings.push(...checkTextOfScript(this.#parsers, text, this.#offset + node.start))
  }

  visit(node: AnyNode, ancestors: Ancestors): void {
    switch (node.type) {
      case "Identifier":
      case "MemberExpression":
      case "CallExpression":
      case "NewExpression":
        if (node.type === "Identifier" || node.type === "MemberExpression") this.reference(node, ancestors)
        else this.call(node, ancestors)
        break
      case "AssignmentExpression":
        this.assignment(node.left, node.right, ancestors)
        break
      case "ForInStatement":
      case "ForOfStatement":
        this.assignment(node.left, null, ancestors)
        break
      case "UpdateExpression":
        this.assignment(node.argument, null, ancestors)
        break
      default:
        this.property(node, ancestors)
        this.text(node, ancestors)
    }
  }

  destructured(): void {
    for (const { at, value } of this.#scope.destructured) {
      const last = value.keys.at(-1) ?? ""
      for (const base of this.#scope.globalPaths(value.node, value.ancestors)) {
        const path = [base, ...value.keys].filter((key) => key !== "").join(".")
        this.path(path, at, last)
      }
    }
  }
}

/**
 * Looks through a script that parsed. It follows aliases of globals (`const w = window`), destructuring, constant
 * computed names and `Reflect.get`; it does not follow values through functions, objects, arrays or names that are
 * computed from data. What it can not see, the host's CSP stops; navigation by a computed name is the one way out
 * that neither closes. `offset` is added to every position.
 */
export const checkScript = (
  parsers: SourceParsers,
  program: Program,
  code: string,
  sourceType: "module" | "script",
  options: { readonly offset: number; readonly toolNames: ReadonlyArray<string> }
): ScriptFacts => {
  const scope = scopeOf(parsers, program, sourceType)
  const checker = new ScriptChecker(parsers, code, options.offset, scope, options.toolNames)
  parsers.walk.fullAncestor(program, (node, _state, ancestors) => checker.visit(node, ancestors))
  checker.destructured()
  const imports = findImports(parsers, program)
  for (const found of imports) {
    const specifier = found.specifier === null ? null : canonicalSpecifier(found.specifier)
    if (specifier === null) {
      checker.report("foreign-import", found.start, found.specifier ?? code.slice(found.start, found.end))
    }
    if (specifier === APP_SPECIFIER) checker.hasApp = true
    if (specifier === PARTS_SPECIFIER && found.kind === "dynamic") checker.callsShow = true
  }
  return {
    findings: checker.findings,
    imports,
    callsShow: checker.callsShow,
    connects: checker.callsConnect && (checker.hasApp || checker.globals.has("App")),
    takesResults: checker.takesResults,
    globals: checker.globals
  }
}
