import type { AnyNode, CallExpression, NewExpression } from "acorn"
import { checkAttribute, checkTextOfScript } from "./HtmlCheck.ts"
import { UNCREATABLE_ELEMENTS } from "./HtmlRules.ts"
import type { Finding } from "./HtmlRules.ts"
import type { Ancestors } from "./ScriptBindings.ts"
import { quote } from "./ScriptFindings.ts"
import type { ScriptFindings } from "./ScriptFindings.ts"
import type { ScriptScope } from "./ScriptScope.ts"
import type { SourceParsers } from "./SourceParsers.ts"
import { UNKNOWN_PART } from "./Urls.ts"

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
/** And for code. */
const TIMERS: ReadonlySet<string> = new Set(["setTimeout", "setInterval"])

/** In a text that is only shown, what the CSP would not stop if it became markup after all. */
const RISKY_MARKUP: ReadonlySet<string> = new Set(["meta-http-equiv", "form-action"])
const RISKY_ELEMENT = "<base>"
const CUT_REFRESH = /<meta\b(?:(?!<meta\b)[^>])*$|http-equiv\s*=/iu

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
const FRAME_ATTRIBUTES: ReadonlySet<string> = new Set(["action", "formaction", "srcdoc"])

/**
 * Follows the texts of a script to where they are read as markup, style, an attribute or code, and checks them there;
 * all texts, if some that is read as markup is not constant.
 */
export class ScriptSinks {
  readonly #parsers: SourceParsers
  readonly #scope: ScriptScope
  readonly #findings: ScriptFindings
  readonly #elements: Set<string>
  /** What texts would do as markup or style. */
  readonly #texts: Array<Finding> = []
  /** Some text that is read as markup is not constant, so that it may hold any other. */
  #readsAnyMarkup = false

  /** Names of elements that texts hold are added to `elements`. */
  constructor(parsers: SourceParsers, scope: ScriptScope, findings: ScriptFindings, elements: Set<string>) {
    this.#parsers = parsers
    this.#scope = scope
    this.#findings = findings
    this.#elements = elements
  }

  /** Something is put into a member; `value` is what, if that is known; `isAddress` says that it is one of the frame. */
  assignment(target: AnyNode, value: AnyNode | null, ancestors: Ancestors, isAddress: boolean, written: string): void {
    if (target.type !== "MemberExpression") return
    const member = this.#scope.memberName(target, ancestors)
    if (member === "httpEquiv") this.#findings.report("meta-http-equiv", target.start, `${written} =`)
    if (value === null) {
      if (member === null || MARKUP_PROPERTIES.has(member)) this.#readsAnyMarkup = true
      return
    }
    if (member === null && target.computed && !this.#isPlainHolder(target.object, ancestors)) {
      this.#readsAnyMarkup = true
    }
    if (member !== null && MARKUP_PROPERTIES.has(member)) this.#markup(value, ancestors)
    const around = target.object
    const isStyle = around.type === "MemberExpression" && this.#scope.memberName(around, ancestors) === "style"
    if (isStyle || STYLE_PROPERTIES.has(member ?? "") || member === "textContent") this.#style(value, ancestors)
    if (isAddress) return
    const name = PROPERTY_ATTRIBUTES.get(member ?? "")
    const text = this.#scope.staticText(value, ancestors)
    if (name !== undefined && text !== null) this.#attribute("", name, text, target.start)
  }

  /** A value that is written as a list or an object, so that it is no element. */
  #isPlainHolder(node: AnyNode, ancestors: Ancestors): boolean {
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
  #markup(value: AnyNode | undefined, ancestors: Ancestors): void {
    const text = value === undefined || value.type === "SpreadElement" ? null : this.#scope.staticText(value, ancestors)
    if (value === undefined || text === null || text.includes(UNKNOWN_PART)) this.#readsAnyMarkup = true
    else this.#findings.add(this.#textFindings(text, value.start))
  }

  /** An expression that is read as style: what is constant of it. */
  #style(value: AnyNode | undefined, ancestors: Ancestors): void {
    const text = value === undefined || value.type === "SpreadElement" ? null : this.#scope.staticText(value, ancestors)
    if (value === undefined || text === null || text.includes("<")) return
    this.#findings.add(this.#textFindings(text, value.start).filter(({ rule }) => rule.startsWith("css-")))
  }

  #attribute(element: string, name: string, value: string, at: number): void {
    this.#findings.add(checkAttribute(element, name, value, at))
  }

  #textFindings(text: string, at: number): ReadonlyArray<Finding> {
    if (!this.#scope.spend(text.length >> 3)) return []
    return checkTextOfScript(this.#parsers, text, at, this.#elements)
  }

  call(node: CallExpression | NewExpression, ancestors: Ancestors): void {
    const text = (index: number): string | null => {
      const argument = node.arguments[index]
      return argument === undefined || argument.type === "SpreadElement"
        ? null
        : this.#scope.staticText(argument, ancestors)
    }
    const callee = node.callee.type === "ParenthesizedExpression" ? node.callee.expression : node.callee
    if (callee.type === "Identifier") {
      const binding = this.#scope.resolve(callee.name, ancestors)
      if (binding === undefined ? callee.name === "h" : binding.imported?.name === "h") {
        this.#part(node, text(0), ancestors)
      }
      if (binding !== undefined) return
      if (TIMERS.has(callee.name) && text(0) !== null) {
        this.#findings.report("dynamic-code", node.start, `${callee.name}(text)`)
      }
      if (callee.name === "Audio") this.#attribute("audio", "src", text(0) ?? "", node.start)
      return
    }
    if (callee.type !== "MemberExpression") return
    const name = this.#scope.memberName(callee, ancestors) ?? ""
    const markup = MARKUP_CALLS.get(name)
    // Streams write and rows are replaced, too: such a call is one of the page if the document does it.
    const isWrite = name === "write" || name === "writeln"
    if (markup !== undefined && (!isWrite || this.#scope.globalPaths(callee.object, ancestors).includes("document"))) {
      this.#markup(node.arguments[markup], ancestors)
    }
    const style = STYLE_CALLS.get(name)
    if (style !== undefined) this.#style(node.arguments[style], ancestors)
    if (name === "createElement") this.#creation(name, text(0), node.start)
    if (name === "createElementNS") this.#creation(name, text(1), node.start)
    if (name === "h" && callee.object.type === "Identifier") {
      const imported = this.#scope.resolve(callee.object.name, ancestors)?.imported
      if (imported !== null && imported !== undefined) this.#part(node, text(0), ancestors)
    }
    if (name === "setAttribute" || name === "setAttributeNS") {
      const first = name === "setAttribute" ? 0 : 1
      const attribute = text(first)?.toLowerCase()
      if (attribute !== undefined) this.#attribute("", attribute, text(first + 1) ?? UNKNOWN_PART, node.start)
    }
  }

  #creation(name: string, element: string | null, at: number): void {
    const created = element?.trim().toLowerCase()
    if (created !== undefined && UNCREATABLE_ELEMENTS.has(created)) {
      this.#findings.report("forbidden-element", at, `${name}("${created}")`)
    }
  }

  /** A call of `h`: the element, and its attributes if they are written here or are a constant. */
  #part(node: CallExpression | NewExpression, element: string | null, ancestors: Ancestors): void {
    this.#creation("h", element, node.start)
    const given = node.arguments[1]
    const values = given?.type === "Identifier" ? this.#scope.resolve(given.name, ancestors)?.values : undefined
    const attributes = values?.length === 1 && values[0]?.keys.length === 0 ? values[0].node : given
    if (attributes?.type !== "ObjectExpression") return
    for (const property of attributes.properties) {
      if (property.type !== "Property") continue
      const name = this.#scope.memberName(property, ancestors)?.toLowerCase()
      const text = this.#scope.staticText(property.value, ancestors)
      if (name === undefined || text === null || FRAME_ATTRIBUTES.has(name)) continue
      this.#attribute(element?.trim().toLowerCase() ?? "", name, text, property.start)
    }
  }

  /** A member of an object that is written down, which may be for an element. */
  property(node: AnyNode, ancestors: Ancestors): void {
    if (node.type !== "Property" || ancestors.at(-2)?.type !== "ObjectExpression") return
    const name = this.#scope.memberName(node, ancestors)
    if (name === "httpEquiv") this.#findings.report("meta-http-equiv", node.start, "httpEquiv")
    if (name !== null && MARKUP_PROPERTIES.has(name)) this.#markup(node.value, ancestors)
    const attribute = name === null ? undefined : PROPERTY_ATTRIBUTES.get(name)
    if (attribute === undefined || !FRAME_ATTRIBUTES.has(attribute)) return
    const text = this.#scope.staticText(node.value, ancestors)
    if (text !== null && text.includes("//")) this.#attribute("", attribute, text, node.start)
  }

  /** A text, wherever it stands. */
  text(node: AnyNode, ancestors: Ancestors): void {
    const isText = node.type === "TemplateLiteral" || (node.type === "Literal" && typeof node.value === "string")
    const isSum = node.type === "BinaryExpression" && node.operator === "+"
    if (!isText && !isSum) return
    // A sum is read once, as a whole: its parts are no markup of their own.
    const around = ancestors.at(-2)
    if (around?.type === "BinaryExpression" && around.operator === "+") return
    const text = this.#scope.staticText(node, ancestors)
    if (text === null) return
    if (text.trim().toLowerCase() === "http-equiv") this.#findings.report("meta-http-equiv", node.start, text)
    const findings = this.#textFindings(text, node.start)
    this.#texts.push(...findings)
    // A tag that is cut off here may be closed by another text.
    if (CUT_REFRESH.test(text) && !findings.some(({ rule }) => rule === "meta-http-equiv")) {
      this.#texts.push({ rule: "meta-http-equiv", offset: node.start, found: quote(text) })
    }
  }

  /** Decides about the texts, after the last node: whether any of them can become markup is known only then. */
  finish(): void {
    if (this.#readsAnyMarkup) {
      this.#findings.add(this.#texts)
      return
    }
    const reported = new Set(this.#findings.all.map(({ rule, offset }) => `${rule} ${offset}`))
    for (const { rule, offset, found } of this.#texts) {
      if (!RISKY_MARKUP.has(rule) && found !== RISKY_ELEMENT) continue
      if (!reported.has(`${rule} ${offset}`)) this.#findings.report("risky-text", offset, found)
    }
  }
}
