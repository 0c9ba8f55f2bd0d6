import type { AnyNode } from "acorn"
import { checkAttribute, checkTextOfScript } from "./HtmlCheck.ts"
import { UNCREATABLE_ELEMENTS, UNSETTABLE_ATTRIBUTES } from "./HtmlRules.ts"
import type { Finding } from "./HtmlRules.ts"
import { quote } from "./ScriptFindings.ts"
import type { ScriptFindings } from "./ScriptFindings.ts"
import { secretKind } from "../tools/SecretFields.ts"
import { unwrapped, writtenName } from "./ScriptSyntax.ts"
import type { MemberUse, ScriptValues } from "./ScriptValues.ts"
import type { SourceParsers } from "./SourceParsers.ts"
import { UNKNOWN_PART } from "./Urls.ts"
import { member } from "./Values.ts"

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
/** Calls that make an element or an attribute of a name, with the place of the name. */
const ELEMENT_CALLS: ReadonlyMap<string, number> = new Map([
  ["createElement", 0],
  ["createElementNS", 1]
])
const ATTRIBUTE_CALLS: ReadonlyMap<string, number> = new Map([
  ["setAttribute", 0],
  ["setAttributeNS", 1],
  ["toggleAttribute", 0],
  ["createAttribute", 0],
  ["createAttributeNS", 1]
])
const NAMESPACES: ReadonlySet<string> = new Set(["http://www.w3.org/2000/svg", "http://www.w3.org/1999/xhtml"])
/** These set an attribute by its property. */
const PROPERTY_ATTRIBUTES: ReadonlySet<string> = new Set(
  "src srcset href action formAction poster srcdoc ping".split(" ")
)
/** What says what a field is for. */
const FIELD_NAMES: ReadonlySet<string> = new Set(["type", "placeholder", "ariaLabel", "aria-label", "autocomplete"])
const FREE_ATTRIBUTE = /^(?:data|aria)-/u
const HEADING = /^h\uFFFC?$/u
const ELEMENT_ADVICE = 'name the element where it is made, as a text: h("td", …), document.createElement("td")'
const ATTRIBUTE_ADVICE = "name the attribute where it is set, as a text; names of your own begin with data- or aria-"

/** The calls by whose name alone code may reach elements, attributes and markup. */
export const SINK_CALLS: ReadonlySet<string> = new Set([
  ...MARKUP_CALLS.keys(),
  ...ELEMENT_CALLS.keys(),
  ...ATTRIBUTE_CALLS.keys()
])

/** In a text that is only shown, what the CSP would not stop if it became markup after all. */
const RISKY_MARKUP: ReadonlySet<string> = new Set(["meta-http-equiv", "form-action"])
const RISKY_ELEMENT = "<base>"

/**
 * Checks what a script makes of texts: elements and attributes, whose names must stand in the code, and markup, style and
 * addresses. Of markup that is put together, what the code holds is checked, and all texts of the script with it: what
 * comes in between is looked at by the page's runtime.
 */
export class ScriptSinks {
  /** Names of elements that the script makes, lower case. */
  readonly elements = new Set<string>()
  readonly #parsers: SourceParsers
  readonly #script: ScriptValues
  readonly #findings: ScriptFindings
  readonly #written: (node: AnyNode) => string
  /** What texts would do as markup or style. */
  readonly #texts: Array<Finding> = []
  /** Some text that is read as markup is not constant, so that it may hold any other. */
  #readsAnyMarkup = false

  constructor(
    parsers: SourceParsers,
    script: ScriptValues,
    findings: ScriptFindings,
    written: (node: AnyNode) => string
  ) {
    this.#parsers = parsers
    this.#script = script
    this.#findings = findings
    this.#written = written
  }

  /**
   * The text that an expression evaluates to, with {@link UNKNOWN_PART} for what is not constant, or `null`. Where it may be
   * one of two, `isOther` chooses.
   */
  textOf(node: AnyNode | undefined, isOther = false): string | null {
    const inner = (part: AnyNode): string => this.textOf(part, isOther) ?? UNKNOWN_PART
    if (node === undefined || node.type === "SpreadElement") return null
    switch (node.type) {
      case "Literal":
        return typeof node.value === "string" || typeof node.value === "number" ? String(node.value) : null
      case "TemplateLiteral":
        return node.quasis
          .map(
            (quasi, at) =>
              (quasi.value.cooked ?? UNKNOWN_PART) + (node.expressions[at] ? inner(node.expressions[at]) : "")
          )
          .join("")
      case "BinaryExpression": {
        const parts: Array<AnyNode> = []
        let left: AnyNode = node
        for (; left.type === "BinaryExpression" && left.operator === "+"; left = left.left) parts.push(left.right)
        if (parts.length === 0) return null
        const text = [...parts, left].map(inner).toReversed().join("")
        return text.replaceAll(UNKNOWN_PART, "") === "" ? null : text
      }
      case "ConditionalExpression":
        return this.textOf(isOther ? node.alternate : node.consequent, isOther)
      case "ChainExpression":
      case "ParenthesizedExpression":
        return this.textOf(node.expression, isOther)
      default: {
        const { values } = this.#script
        const value = this.#script.of(node)
        const texts = values.isOpen(value) ? [] : [...value.texts]
        return texts[isOther ? texts.length - 1 : 0] ?? null
      }
    }
  }

  #variants(node: AnyNode | undefined): ReadonlySet<string | null> {
    return new Set([this.textOf(node), this.textOf(node, true)])
  }

  /** All texts that a name may be; `null` if it may be others. */
  #names(node: AnyNode | undefined): ReadonlyArray<string> | null {
    const text = this.textOf(node)
    if (node === undefined || node.type === "SpreadElement") return null
    if (text !== null && node.type !== "ConditionalExpression" && !text.includes(UNKNOWN_PART)) {
      const value = this.#script.of(node)
      return value.texts.size > 1 ? [...value.texts] : [text]
    }
    const value = this.#script.of(node)
    if (!this.#script.values.isOpen(value) && value.texts.size > 0) return [...value.texts]
    // A heading of some level, and names of one's own.
    if (text !== null && HEADING.test(text) && this.#endsInNumber(node)) return ["h1"]
    return text !== null && FREE_ATTRIBUTE.test(text) ? ["data-"] : null
  }

  /** The part of a text that is not constant is a number. */
  #endsInNumber(node: AnyNode): boolean {
    const last =
      node.type === "TemplateLiteral" ? node.expressions.at(-1) : node.type === "BinaryExpression" ? node.right : null
    return last !== null && last !== undefined
  }

  /** A field that the script makes is for a secret: what it is called, or its type, says so. */
  #field(node: AnyNode, name: string, value: AnyNode | undefined): void {
    const text = this.textOf(value)
    if (text === null) return
    const isSecret = name === "type" ? text.toLowerCase() === "password" : secretKind(text) !== null
    if (isSecret) this.#findings.report("secret-field", node.start, text)
  }

  /** A property is written, or a method called, under this name. */
  use(use: MemberUse, name: string): void {
    const isField = use.kind === "write" && FIELD_NAMES.has(name) && this.#script.values.of(use.base).isForeign
    if (isField) this.#field(use.node, name, use.value ?? undefined)
    if (use.kind === "write") this.#write(use, name)
    if (use.kind === "call") this.#call(use, name)
  }

  #write({ node, base, object, value }: MemberUse, name: string): void {
    const { isForeign } = this.#script.values.of(base)
    if (name === "httpEquiv") this.#findings.report("meta-http-equiv", node.start, name)
    if (MARKUP_PROPERTIES.has(name)) this.#markup(value ?? undefined)
    if (value === null) return
    const isStyle = object !== null && writtenName(unwrapped(object)) === "style"
    if (isStyle || STYLE_PROPERTIES.has(name) || (isForeign && name === "textContent")) this.#style(value)
    const text = isStyle || !PROPERTY_ATTRIBUTES.has(name) ? null : this.textOf(value)
    if (text === null) return
    // What is no element may have an address of its own.
    const found = checkAttribute("", name.toLowerCase(), text, node.start)
    this.#findings.add(isForeign ? found : found.filter(({ rule }) => rule === "script-url"))
  }

  #call({ node, base, args }: MemberUse, name: string): void {
    const { values } = this.#script
    const { isForeign, parts } = values.of(base)
    const own = parts.get(member(name))
    // Streams write, lists replace, and a script has functions of its own by these names.
    if (!isForeign && (name.startsWith("write") || (own !== undefined && values.of(own).isFunction))) return
    const markup = MARKUP_CALLS.get(name)
    const style = STYLE_CALLS.get(name)
    const element = ELEMENT_CALLS.get(name)
    const attribute = ATTRIBUTE_CALLS.get(name)
    if (markup !== undefined) this.#markup(args[markup])
    if (style !== undefined) this.#style(args[style])
    if (element !== undefined) this.creation(node, args[element], args[element - 1])
    if (attribute !== undefined) this.#attribute(node, args[attribute], args[attribute + 1], name)
  }

  /** An element is made, by its name. */
  creation(node: AnyNode, named: AnyNode | undefined, namespace?: AnyNode): void {
    const isTaken = namespace !== undefined && writtenName(unwrapped(namespace)) === "namespaceURI"
    const spaces = namespace === undefined || isTaken ? [] : (this.#names(namespace) ?? [UNKNOWN_PART])
    const names = this.#names(named)
    if (names === null || spaces.some((space) => !NAMESPACES.has(space))) {
      this.#findings.report("hidden-name", node.start, this.#written(node), ELEMENT_ADVICE)
    }
    for (const name of names ?? []) {
      const element = name.trim().toLowerCase().replace(/^.*:/u, "")
      this.elements.add(element)
      if (UNCREATABLE_ELEMENTS.has(element)) this.#findings.report("forbidden-element", node.start, element)
    }
  }

  #attribute(node: AnyNode, named: AnyNode | undefined, value: AnyNode | undefined, call: string): void {
    const names = this.#names(named)
    if (names === null) this.#findings.report("hidden-name", node.start, this.#written(node), ATTRIBUTE_ADVICE)
    for (const name of names ?? []) {
      const attribute = name.toLowerCase()
      if (FIELD_NAMES.has(attribute)) this.#field(node, attribute, value)
      const text = (call.startsWith("set") ? this.textOf(value) : null) ?? UNKNOWN_PART
      // A helper that takes attributes and listeners asks for the listeners first.
      const isNamed = named?.type === "Literal"
      if (!isNamed && attribute.startsWith("on") && this.#areFunctions(name)) continue
      if (UNSETTABLE_ATTRIBUTES.has(attribute.replace(/^.*:/u, "")) && text !== "" && text !== "#") {
        this.#findings.report(
          attribute === "http-equiv" ? "meta-http-equiv" : "forbidden-attribute",
          node.start,
          attribute
        )
      } else this.#findings.add(checkAttribute("", attribute, text, node.start))
    }
  }

  /** Everything that the script puts under this name is a function. */
  #areFunctions(name: string): boolean {
    return this.#script.uses.every(
      (use) => use.kind !== "write" || use.name !== name || use.value === null || this.#script.of(use.value).isFunction
    )
  }

  /** A field of the parts: `input("Name")`, `form([{ key, label }])`, `form({ key: "Label" })`. */
  control(args: ReadonlyArray<AnyNode>): void {
    const [given] = args
    if (given === undefined) return
    if (given.type !== "ArrayExpression" && given.type !== "ObjectExpression") return this.#field(given, "", given)
    const members = given.type === "ArrayExpression" ? given.elements : [given]
    for (const one of members) {
      if (one?.type !== "ObjectExpression") {
        if (one) this.#field(one, "", one)
        continue
      }
      for (const property of one.properties) {
        if (property.type !== "Property") continue
        const name = writtenName(property) ?? ""
        if (given === one) this.#field(property, "", property.key)
        if (given === one || name === "key" || name === "label") this.#field(property, "", property.value)
      }
    }
  }

  /** A call of `h`: the element, and its attributes as far as they are written here. */
  part(node: AnyNode, args: ReadonlyArray<AnyNode>): void {
    this.creation(node, args[0])
    const element = this.textOf(args[0])?.toLowerCase() ?? ""
    const attributes = args[1]
    if (attributes?.type !== "ObjectExpression") return
    for (const property of attributes.properties) {
      if (property.type !== "Property") continue
      const name = writtenName(property)?.toLowerCase()
      if (FIELD_NAMES.has(name ?? "") && element !== "button") this.#field(property, name ?? "", property.value)
      const text = this.textOf(property.value)
      if (name === undefined || text === null || UNSETTABLE_ATTRIBUTES.has(name)) continue
      this.#findings.add(checkAttribute(element, name, text, property.start))
    }
  }

  /** An expression that is read as markup. */
  #markup(value: AnyNode | undefined): void {
    for (const text of this.#variants(value)) {
      if (value === undefined || text === null || text.includes(UNKNOWN_PART)) this.#readsAnyMarkup = true
      if (value !== undefined && text !== null) this.#findings.add(this.#textFindings(text, value.start))
    }
  }

  /** An expression that is read as style: what is constant of it. */
  #style(value: AnyNode | undefined): void {
    const text = this.textOf(value)
    if (value === undefined || text === null || text.includes("<")) return
    this.#findings.add(this.#textFindings(text, value.start).filter(({ rule }) => rule.startsWith("css-")))
  }

  #textFindings(text: string, at: number): ReadonlyArray<Finding> {
    return checkTextOfScript(this.#parsers, text, at, this.elements)
  }

  /** A text, wherever it stands. A sum is read once, as a whole: its parts are no markup of their own. */
  text(node: AnyNode, parent: AnyNode | undefined): void {
    const isSum = (one: AnyNode | undefined): boolean => one?.type === "BinaryExpression" && one.operator === "+"
    const isText = node.type === "TemplateLiteral" || (node.type === "Literal" && typeof node.value === "string")
    if ((!isText && !isSum(node)) || isSum(parent)) return
    for (const text of this.#variants(node)) {
      if (text === null) continue
      if (text.trim().toLowerCase() === "http-equiv") this.#findings.report("meta-http-equiv", node.start, text)
      if (text.includes("mcp-gen-ui-data")) this.#findings.report("page-secret", node.start, quote(text))
      this.#texts.push(...this.#textFindings(text, node.start))
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
