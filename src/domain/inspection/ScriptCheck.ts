import type { AnyNode } from "acorn"
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
import { PageBehaviour, quote } from "./PageBehaviour.ts"
import { canonicalSpecifier } from "./ScriptImports.ts"
import type { ScriptImport } from "./ScriptImports.ts"
import type { ParsedScript } from "./ScriptMending.ts"
import { scopeOf } from "./ScriptScope.ts"
import type { Ancestors, ScriptScope } from "./ScriptScope.ts"
import type { SourceParsers } from "./SourceParsers.ts"
import { UNKNOWN_PART } from "./Urls.ts"

/** What a script does that the inspector asks about. */
export interface ScriptFacts {
  /** Offsets are those of the script. */
  readonly findings: ReadonlyArray<Finding>
  readonly imports: ReadonlyArray<ScriptImport>
  readonly behaviour: PageBehaviour
  /** Makes an App of ext-apps. */
  readonly hasApp: boolean
  /** Names of globals that are used, for imports that were forgotten. */
  readonly globals: ReadonlySet<string>
}

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
  readonly #parsers: SourceParsers
  readonly #code: string
  readonly #scope: ScriptScope
  readonly #behaviour: PageBehaviour

  constructor(parsers: SourceParsers, code: string, scope: ScriptScope, behaviour: PageBehaviour) {
    this.#parsers = parsers
    this.#code = code
    this.#scope = scope
    this.#behaviour = behaviour
  }

  report(rule: Finding["rule"], at: number, found: string): void {
    this.findings.push({ rule, offset: at, found: quote(found) })
  }

  path(path: string, at: number, written: () => string): void {
    const forbidden = FORBIDDEN_GLOBALS.get(path)
    if (forbidden !== undefined) this.report(forbidden, at, written())
    const suspect = SUSPECT_GLOBALS.get(path)
    if (suspect !== undefined) this.report(suspect, at, written())
  }

  attribute(element: string, name: string, value: string, at: number): void {
    this.findings.push(...checkAttribute(element, name, value, at))
  }

  reference(node: AnyNode, ancestors: Ancestors): void {
    const written = (): string => this.#code.slice(node.start, node.end)
    for (const path of this.#scope.globalPaths(node, ancestors)) this.path(path, node.start, written)
    if (node.type === "Identifier" && this.#scope.resolve(node.name, ancestors) === undefined) {
      this.globals.add(node.name)
      if (SUSPECT_GLOBALS.get(node.name) === "frame-access") this.report("frame-access", node.start, node.name)
    }
    if (node.type !== "MemberExpression") return
    const name = this.#scope.memberName(node, ancestors)
    const isComputed = name === null && node.computed
    const isFrame = name !== null && SUSPECT_GLOBALS.get(name) === "frame-access"
    if (!isComputed && !isFrame && name !== "postMessage") return
    if (!this.#scope.globalPaths(node.object, ancestors).includes("")) return
    if (isComputed) this.report("computed-global", node.start, written())
    else this.report(isFrame ? "frame-access" : "host-message", node.start, written())
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
    // Other calls are no globals, or name them by a part that is visited for itself.
    if (node.type === "CallExpression" && node.arguments.length === 2) {
      for (const path of this.#scope.globalPaths(node, ancestors)) {
        this.path(path, node.start, () => this.#code.slice(node.start, node.end))
      }
    }
    const callee = node.callee.type === "ParenthesizedExpression" ? node.callee.expression : node.callee
    if (callee.type === "Identifier") {
      const binding = this.#scope.resolve(callee.name, ancestors)
      if (binding?.imported?.name === "h") this.creation("h", text(0), node.start)
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
    if (name === "createElement") this.creation(name, text(0), node.start)
    if (name === "createElementNS") this.creation(name, text(1), node.start)
    if (name === "h" && callee.object.type === "Identifier") {
      const imported = this.#scope.resolve(callee.object.name, ancestors)?.imported
      if (imported !== null && imported !== undefined) this.creation(name, text(0), node.start)
    }
    if (name === "setAttribute" || name === "setAttributeNS") {
      const first = name === "setAttribute" ? 0 : 1
      const attribute = text(first)?.toLowerCase()
      if (attribute !== undefined) this.attribute("", attribute, text(first + 1) ?? UNKNOWN_PART, node.start)
    }
  }

  creation(name: string, element: string | null, at: number): void {
    const created = element?.trim().toLowerCase()
    if (created !== undefined && UNCREATABLE_ELEMENTS.has(created)) {
      this.report("forbidden-element", at, `${name}("${created}")`)
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
    if (text !== null)
      this.findings.push(...checkTextOfScript(this.#parsers, text, node.start, this.#behaviour.elements))
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
        this.path(path, at, () => last)
      }
    }
  }
}

/**
 * Looks through a script that parsed. It follows aliases of globals (`const w = window`), destructuring, constant
 * computed names, `Reflect.get`, and names that are given to a function of the script; it does not follow values
 * through objects, arrays, what functions return, or names that are computed from data. What it can not see, the
 * host's CSP stops; navigation by a computed name is the one way out that neither closes.
 */
export const checkScript = (
  parsers: SourceParsers,
  { program, code, kind }: ParsedScript,
  toolNames: ReadonlyArray<string>
): ScriptFacts => {
  const scope = scopeOf(parsers, program, kind)
  const behaviour = new PageBehaviour(code, scope, toolNames)
  const checker = new ScriptChecker(parsers, code, scope, behaviour)
  parsers.walk.fullAncestor(program, (node, _state, ancestors) => {
    checker.visit(node, ancestors)
    behaviour.visit(node, ancestors)
  })
  checker.destructured()
  behaviour.finish()
  let hasApp = checker.globals.has("App")
  for (const found of scope.imports) {
    const specifier = found.specifier === null ? null : canonicalSpecifier(found.specifier)
    if (specifier === null) {
      checker.report("foreign-import", found.start, found.specifier ?? code.slice(found.start, found.end))
    }
    if (specifier === APP_SPECIFIER) hasApp = true
    if (specifier === PARTS_SPECIFIER && found.kind === "dynamic") behaviour.callsShow = true
  }
  return {
    findings: [...checker.findings, ...behaviour.findings],
    imports: scope.imports,
    behaviour,
    hasApp,
    globals: checker.globals
  }
}
