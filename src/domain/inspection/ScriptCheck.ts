import type { AnyNode, CallExpression, NewExpression } from "acorn"
import { checkAttribute, checkTextOfScript } from "./HtmlCheck.ts"
import {
  APP_SPECIFIER,
  FORBIDDEN_GLOBALS,
  NAVIGATING_ASSIGNMENTS,
  PARTS_SPECIFIER,
  SUSPECT_GLOBALS,
  VIEW_PATH,
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
import { UNKNOWN_PART, urlScheme } from "./Urls.ts"

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

/** Properties that read a text as markup, and calls that do, with the place of the text. */
const MARKUP_PROPERTIES: ReadonlySet<string> = new Set(["innerHTML", "outerHTML", "srcdoc"])
const MARKUP_CALLS: ReadonlyMap<string, number> = new Map([
  ["insertAdjacentHTML", 1],
  ["write", 0],
  ["writeln", 0],
  ["setHTML", 0],
  ["setHTMLUnsafe", 0],
  ["parseHTML", 0],
  ["parseHTMLUnsafe", 0],
  ["parseFromString", 0],
  ["createContextualFragment", 0]
])
/** The same for style. */
const STYLE_PROPERTIES: ReadonlySet<string> = new Set(["style", "cssText"])
const STYLE_CALLS: ReadonlyMap<string, number> = new Map([
  ["replace", 0],
  ["replaceSync", 0],
  ["insertRule", 0],
  ["setProperty", 1]
])

/** In a text that is only shown, what the CSP would not stop if it became markup after all. */
const RISKY_MARKUP: ReadonlySet<string> = new Set(["meta-http-equiv", "form-action"])
const RISKY_ELEMENT = "<base>"
const CUT_REFRESH = /<meta\b[^>]*$|http-equiv\s*=/iu

const LEAVES_PAGE = "open links with ctx.open(url), offer files with ctx.download(name, content)"
const STAYS_A_NAME = "do not pass it on: read the one member that is meant where it is used"

/** Functions that only read what they are given. */
const READING_CALLS: ReadonlySet<string> = new Set(["String", "Boolean", "URL", "PostMessageTransport"])
const VALUE_SETTERS: ReadonlySet<string> = new Set(["assign", "set", "defineProperty", "defineProperties"])
const COMPARISONS: ReadonlySet<string> = new Set("== != === !== instanceof in +".split(" "))
/** Around the global object or `location`, these do not hand it on. */
const READING_NODES: ReadonlySet<string> = new Set(
  (
    "UnaryExpression ExpressionStatement IfStatement WhileStatement DoWhileStatement ForStatement ForInStatement " +
    "SwitchStatement SwitchCase TemplateLiteral UpdateExpression ObjectPattern RestElement ArrayPattern AssignmentPattern"
  ).split(" ")
)
/** These are what the last or any of their parts is; the scope follows them. */
const PASSING_NODES: ReadonlySet<string> = new Set(
  "AwaitExpression ConditionalExpression LogicalExpression SequenceExpression ChainExpression ParenthesizedExpression".split(
    " "
  )
)

/** These set an attribute by its property. */
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
  /** What texts would do as markup or style. */
  readonly #texts: Array<Finding> = []
  /** Some text that is read as markup is not constant, so that it may hold any other. */
  #readsAnyMarkup = false

  constructor(parsers: SourceParsers, code: string, scope: ScriptScope, behaviour: PageBehaviour) {
    this.#parsers = parsers
    this.#code = code
    this.#scope = scope
    this.#behaviour = behaviour
  }

  report(rule: Finding["rule"], at: number, found: string, advice?: string): void {
    const finding = { rule, offset: at, found: quote(found) }
    this.findings.push(advice === undefined ? finding : { ...finding, advice })
  }

  path(path: string, at: number, written: () => string): void {
    const forbidden = FORBIDDEN_GLOBALS.get(path)
    if (forbidden !== undefined)
      this.report(
        forbidden,
        at,
        written(),
        path.startsWith("#") && !path.startsWith(VIEW_PATH) ? LEAVES_PAGE : undefined
      )
    const suspect = SUSPECT_GLOBALS.get(path)
    if (suspect !== undefined) this.report(suspect, at, written())
  }

  attribute(element: string, name: string, value: string, at: number): void {
    this.findings.push(...checkAttribute(element, name, value, at))
  }

  reference(node: AnyNode, ancestors: Ancestors): void {
    const written = (): string => this.#code.slice(node.start, node.end)
    const paths = this.#scope.globalPaths(node, ancestors)
    for (const path of paths) this.path(path, node.start, written)
    if ((paths.includes("") || paths.includes("location")) && this.isHandedOn(ancestors, ancestors.length - 1)) {
      this.report("navigation", node.start, written(), STAYS_A_NAME)
    }
    if (node.type === "Identifier" && this.#scope.resolve(node.name, ancestors) === undefined) {
      this.globals.add(node.name)
      if (SUSPECT_GLOBALS.get(node.name) === "frame-access") this.report("frame-access", node.start, node.name)
    }
    if (node.type !== "MemberExpression") return
    const name = this.#scope.memberName(node, ancestors)
    const isComputed = name === null && node.computed
    const isFrame = name !== null && SUSPECT_GLOBALS.get(name) === "frame-access"
    if (!isComputed && !isFrame && name !== "postMessage") return
    const objects = this.#scope.globalPaths(node.object, ancestors)
    if (isComputed && (objects.includes("document") || objects.includes("location"))) {
      this.report("computed-global", node.start, written())
      return
    }
    if (!objects.includes("")) return
    if (isComputed) this.report("computed-global", node.start, written())
    else this.report(isFrame ? "frame-access" : "host-message", node.start, written())
  }

  /** The value of the expression at this place of the path goes where the scope does not follow it. */
  isHandedOn(ancestors: Ancestors, index: number): boolean {
    const node = ancestors[index]
    const around = ancestors[index - 1]
    if (node === undefined || around === undefined || READING_NODES.has(around.type)) return false
    if (PASSING_NODES.has(around.type)) {
      const isTest = around.type === "ConditionalExpression" && around.test === node
      const isGuard = around.type === "LogicalExpression" && around.operator === "&&" && around.left === node
      const isLeftOut = around.type === "SequenceExpression" && around.expressions.at(-1) !== node
      return !isTest && !isGuard && !isLeftOut && this.isHandedOn(ancestors, index - 1)
    }
    const outer = ancestors.slice(0, index)
    switch (around.type) {
      case "MemberExpression":
        return around.computed && around.property === node
      case "BinaryExpression":
        return !COMPARISONS.has(around.operator)
      case "VariableDeclarator":
      case "ForOfStatement":
        return false
      case "AssignmentExpression": {
        if (around.left === node) return false
        const isBound =
          around.left.type === "ObjectPattern" ||
          (around.left.type === "Identifier" && this.#scope.resolve(around.left.name, outer) !== undefined)
        return !isBound || this.isHandedOn(ancestors, index - 1)
      }
      case "Property": {
        const holder = ancestors[index - 2]
        return holder?.type === "ObjectExpression" && this.#scope.memberName(around, outer) !== "view"
      }
      case "CallExpression":
      case "NewExpression":
        return around.callee !== node && !this.onlyReads(around, node, outer)
      case "FunctionDeclaration":
      case "FunctionExpression":
        return false
      case "ArrowFunctionExpression":
        return around.body === node
      default:
        return true
    }
  }

  onlyReads(call: CallExpression | NewExpression, argument: AnyNode, ancestors: Ancestors): boolean {
    const index = call.arguments.findIndex((given) => given === argument)
    if (this.#scope.followsArgument(call, index, ancestors)) return true
    const { callee } = call
    if (callee.type === "Identifier") {
      const binding = this.#scope.resolve(callee.name, ancestors)
      if (binding === undefined) return READING_CALLS.has(callee.name)
      return binding.imported !== null && canonicalSpecifier(binding.imported.specifier) === APP_SPECIFIER
    }
    if (callee.type !== "MemberExpression" || callee.object.type !== "Identifier") return false
    if (this.#scope.resolve(callee.object.name, ancestors) !== undefined) return false
    if (callee.object.name === "console") return true
    const key = call.arguments[1]
    const isGet = callee.object.name === "Reflect" && this.#scope.memberName(callee, ancestors) === "get"
    if (!isGet || key === undefined || key.type === "SpreadElement") return false
    const text = this.#scope.staticText(key, ancestors)
    return text !== null && !text.includes(UNKNOWN_PART)
  }

  /** Something is put into `target`; `value` is what, if that is known. */
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
    if (target.type !== "MemberExpression") return
    const member = this.#scope.memberName(target, ancestors)
    if (member === "httpEquiv") this.report("meta-http-equiv", target.start, `${written} =`)
    if (value === null) {
      if (member === null || MARKUP_PROPERTIES.has(member)) this.#readsAnyMarkup = true
      return
    }
    if (paths.length === 0 && this.isUrlOfLocation(target, member, value, ancestors)) {
      this.report("navigation", target.start, `${written} =`)
    }
    if (member === null && target.computed && !this.isPlainHolder(target.object, ancestors)) this.#readsAnyMarkup = true
    if (member !== null && MARKUP_PROPERTIES.has(member)) this.markup(value, ancestors)
    const around = target.object
    const isStyle = around.type === "MemberExpression" && this.#scope.memberName(around, ancestors) === "style"
    if (isStyle || STYLE_PROPERTIES.has(member ?? "") || member === "textContent") this.style(value, ancestors)
    if (paths.some((path) => path.startsWith("location") || NAVIGATING_ASSIGNMENTS.has(path))) return
    const name = PROPERTY_ATTRIBUTES.get(member ?? "")
    const text = this.#scope.staticText(value, ancestors)
    if (name !== undefined && text !== null) this.attribute("", name, text, target.start)
  }

  /** `x.location = "https://…"`: the location of a row is a place, that of a window an address. */
  isUrlOfLocation(target: AnyNode, member: string | null, value: AnyNode, ancestors: Ancestors): boolean {
    if (target.type !== "MemberExpression") return false
    const owner = target.object
    const isLocation =
      member === "location" ||
      (member === "href" &&
        owner.type === "MemberExpression" &&
        this.#scope.memberName(owner, ancestors) === "location")
    const text = isLocation ? this.#scope.staticText(value, ancestors) : null
    return text !== null && ["http", "https", "javascript", "data", "//"].includes(urlScheme(text) ?? "")
  }

  /** A value that is written as a list or an object, so that it is no element. */
  isPlainHolder(node: AnyNode, ancestors: Ancestors): boolean {
    if (node.type === "ObjectExpression" || node.type === "ArrayExpression") return true
    if (node.type !== "Identifier") return false
    const values = this.#scope.resolve(node.name, ancestors)?.values ?? []
    return (
      values.length > 0 &&
      values.every(
        ({ node: value, keys }) =>
          keys.length === 0 && (value.type === "ObjectExpression" || value.type === "ArrayExpression")
      )
    )
  }

  /** An expression that is read as markup. */
  markup(value: AnyNode | undefined, ancestors: Ancestors): void {
    const text = value === undefined || value.type === "SpreadElement" ? null : this.#scope.staticText(value, ancestors)
    if (value === undefined || text === null || text.includes(UNKNOWN_PART)) this.#readsAnyMarkup = true
    else this.findings.push(...this.textFindings(text, value.start))
  }

  /** An expression that is read as style: what is constant of it. */
  style(value: AnyNode | undefined, ancestors: Ancestors): void {
    const text = value === undefined || value.type === "SpreadElement" ? null : this.#scope.staticText(value, ancestors)
    if (value === undefined || text === null || text.includes("<")) return
    this.findings.push(...this.textFindings(text, value.start).filter(({ rule }) => rule.startsWith("css-")))
  }

  textFindings(text: string, at: number): ReadonlyArray<Finding> {
    if (!this.#scope.spend(text.length >> 3)) return []
    return checkTextOfScript(this.#parsers, text, at, this.#behaviour.elements)
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
      if (binding === undefined ? callee.name === "h" : binding.imported?.name === "h")
        this.part(node, text(0), ancestors)
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
    const objects = this.#scope.globalPaths(callee.object, ancestors)
    if (
      name === "open" &&
      (objects.includes(VIEW_PATH) || (objects.includes("document") && node.arguments.length > 2))
    ) {
      this.report("navigation", node.start, this.#code.slice(node.start, node.end))
    }
    const [first] = node.arguments
    if (
      first !== undefined &&
      VALUE_SETTERS.has(name ?? "") &&
      callee.object.type === "Identifier" &&
      ["Object", "Reflect"].includes(callee.object.name) &&
      this.#scope.globalPaths(first, ancestors).includes("document")
    ) {
      this.report("navigation", node.start, this.#code.slice(node.start, node.end), STAYS_A_NAME)
    }
    const markup = MARKUP_CALLS.get(name ?? "")
    // Streams write and rows are replaced, too: such a call is one of the page if the document does it.
    const isWrite = name === "write" || name === "writeln"
    if (markup !== undefined && (!isWrite || objects.includes("document"))) {
      this.markup(node.arguments[markup], ancestors)
    }
    const style = STYLE_CALLS.get(name ?? "")
    if (style !== undefined) this.style(node.arguments[style], ancestors)
    if (name === "createElement") this.creation(name, text(0), node.start)
    if (name === "createElementNS") this.creation(name, text(1), node.start)
    if (name === "h" && callee.object.type === "Identifier") {
      const imported = this.#scope.resolve(callee.object.name, ancestors)?.imported
      if (imported !== null && imported !== undefined) this.part(node, text(0), ancestors)
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

  /** A call of `h`: the element, and its attributes if they are written here or are a constant. */
  part(node: CallExpression | NewExpression, element: string | null, ancestors: Ancestors): void {
    this.creation("h", element, node.start)
    const given = node.arguments[1]
    const values = given?.type === "Identifier" ? this.#scope.resolve(given.name, ancestors)?.values : undefined
    const attributes = values?.length === 1 && values[0]?.keys.length === 0 ? values[0].node : given
    if (attributes?.type !== "ObjectExpression") return
    for (const property of attributes.properties) {
      if (property.type !== "Property") continue
      const name = this.#scope.memberName(property, ancestors)
      const text = this.#scope.staticText(property.value, ancestors)
      if (name === null || text === null || ["action", "formaction", "srcdoc"].includes(name.toLowerCase())) continue
      this.attribute(element?.trim().toLowerCase() ?? "", name.toLowerCase(), text, property.start)
    }
  }

  property(node: AnyNode, ancestors: Ancestors): void {
    if (node.type !== "Property" || ancestors.at(-2)?.type !== "ObjectExpression") return
    const name = this.#scope.memberName(node, ancestors)
    if (name === "httpEquiv") this.report("meta-http-equiv", node.start, "httpEquiv")
    if (name !== null && MARKUP_PROPERTIES.has(name)) this.markup(node.value, ancestors)
    const attribute = name === null ? undefined : PROPERTY_ATTRIBUTES.get(name)
    if (attribute !== "action" && attribute !== "formaction" && attribute !== "srcdoc") return
    const text = this.#scope.staticText(node.value, ancestors)
    if (text !== null && text.includes("//")) this.attribute("", attribute, text, node.start)
  }

  /** Members and names that a pattern, which is no declaration, puts something into. */
  pattern(node: AnyNode, ancestors: Ancestors): void {
    const targets: ReadonlyArray<AnyNode | null> =
      node.type === "ArrayPattern"
        ? node.elements
        : node.type === "ObjectPattern"
          ? node.properties.map((property) => (property.type === "Property" ? property.value : property))
          : node.type === "RestElement"
            ? [node.argument]
            : node.type === "AssignmentPattern"
              ? [node.left]
              : []
    for (const target of targets) if (target !== null) this.assignment(target, null, ancestors)
  }

  text(node: AnyNode, ancestors: Ancestors): void {
    const isText = node.type === "TemplateLiteral" || (node.type === "Literal" && typeof node.value === "string")
    const isSum = node.type === "BinaryExpression" && node.operator === "+"
    if (!isText && !isSum) return
    // A sum is read once, as a whole: its parts are no markup of their own.
    const around = ancestors.at(-2)
    if (around?.type === "BinaryExpression" && around.operator === "+") return
    const text = this.#scope.staticText(node, ancestors)
    if (text === null) return
    if (text.trim().toLowerCase() === "http-equiv") this.report("meta-http-equiv", node.start, text)
    const findings = this.textFindings(text, node.start)
    this.#texts.push(...findings)
    // A tag that is cut off here may be closed by another text.
    if (CUT_REFRESH.test(text) && !findings.some(({ rule }) => rule === "meta-http-equiv")) {
      this.#texts.push({ rule: "meta-http-equiv", offset: node.start, found: quote(text) })
    }
  }

  /** Decides about the texts: whether any of them can become markup is known only at the end. */
  finish(): void {
    this.destructured()
    const texts = this.#texts
    if (this.#readsAnyMarkup) this.findings.push(...texts)
    else {
      const reported = new Set(this.findings.map(({ rule, offset }) => `${rule} ${offset}`))
      for (const { rule, offset, found } of texts) {
        if (!RISKY_MARKUP.has(rule) && found !== RISKY_ELEMENT) continue
        if (!reported.has(`${rule} ${offset}`)) this.report("risky-text", offset, found)
      }
    }
    if (!this.#scope.spend(0)) this.report("too-complicated", 0, "the script")
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
        this.pattern(node, ancestors)
        this.property(node, ancestors)
        this.text(node, ancestors)
    }
  }

  destructured(): void {
    for (const { at, value, target } of this.#scope.destructured) {
      const last = value.keys.at(-1) ?? ""
      const isName = target.type === "Identifier" && this.#scope.resolve(target.name, value.ancestors) !== undefined
      for (const base of this.#scope.globalPaths(value.node, value.ancestors)) {
        const path = [base, ...value.keys].filter((key) => key !== "").join(".")
        this.path(path, at, () => last)
        if (last === UNKNOWN_PART && value.keys.length === 1 && ["", "document", "location"].includes(base)) {
          this.report("computed-global", at, "a computed member of a global")
        }
        if (!isName && ["location", "document.location"].includes(path)) {
          this.report("navigation", at, last, STAYS_A_NAME)
        }
      }
    }
  }
}

/**
 * Looks through a script that parsed. It follows aliases of globals (`const w = window`), destructuring, constant
 * computed names, `Reflect.get`, and names that are given to a function of the script; where the global object or
 * `location` would leave that path (into an object, a list, a result, an unknown function), it refuses the script.
 * Texts are refused where they are read as markup, style or an address; all of them, if some text that is read as
 * markup is not constant. What it can not see, the host's CSP stops, except for navigation by what only running code
 * knows: an event's target that is handed on, a link of the page's own markup.
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
  checker.finish()
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
