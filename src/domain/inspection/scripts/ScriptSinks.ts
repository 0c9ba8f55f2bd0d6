import type { AnyNode } from "acorn"
import { checkAttribute, checkTextOfScript } from "../html/HtmlCheck.ts"
import { UNCREATABLE_ELEMENTS } from "../HtmlRules.ts"
import type { Finding } from "../HtmlRules.ts"
import { quote } from "./ScriptFindings.ts"
import type { ScriptFindings } from "./ScriptFindings.ts"
import { secretKind } from "../../tools/SecretFields.ts"
import { choicesOf } from "./ScriptNames.ts"
import { unwrapped, writtenName } from "./ScriptSyntax.ts"
import type { MemberUse, MemberUses } from "./MemberUses.ts"
import type { PlainValues } from "./PlainValues.ts"
import type { SourceParsers } from "../SourceParsers.ts"
import { UNKNOWN_PART } from "../html/Urls.ts"

/** Properties that read a text as markup, and calls that do so, with the index of the text. */
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
/** Calls that make an element or an attribute by name, with the index of the name. */
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
/** Properties that set an attribute. */
const PROPERTY_ATTRIBUTES: ReadonlySet<string> = new Set(
  "src srcset href action formAction poster srcdoc ping".split(" ")
)
/** Members that tell what a field is for. */
const FIELD_NAMES: ReadonlySet<string> = new Set(["type", "placeholder", "ariaLabel", "aria-label", "autocomplete"])
const FREE_ATTRIBUTE = /^(?:data|aria)-/u
const HEADING = /^h\uFFFC?$/u
const ELEMENT_ADVICE = 'name the element where it is made, as a text: h("td", …), document.createElement("td")'
const ATTRIBUTE_ADVICE = "name the attribute where it is set, as a text; names of your own begin with data- or aria-"

/** `h` takes classes behind the name, which may be anything. */
const nameIn = (text: string | null): string | null => text?.split(" ")[0] ?? null

/** Calls through which code may reach elements, attributes and markup; their name alone decides. */
export const SINK_CALLS: ReadonlySet<string> = new Set([
  ...MARKUP_CALLS.keys(),
  ...ELEMENT_CALLS.keys(),
  ...ATTRIBUTE_CALLS.keys()
])

/** Things in a text that is only shown, which the CSP would not stop if it became markup. */
const RISKY_MARKUP: ReadonlySet<string> = new Set(["meta-http-equiv", "form-action"])
const RISKY_ELEMENT = "<base>"

/**
 * Checks how a script uses texts: for elements and attributes, whose names must be written in the code, and for markup,
 * style and addresses. When markup is put together, its constant parts and all texts of the script are checked. The
 * page's runtime checks the values between them.
 */
export class ScriptSinks {
  /** Names of elements that the script makes, lower case. */
  readonly elements = new Set<string>()
  readonly #parsers: SourceParsers
  readonly #values: PlainValues
  readonly #findings: ScriptFindings
  readonly #written: (node: AnyNode) => string
  /** What texts would do as markup or style. */
  readonly #texts: Array<Finding> = []
  /** A text that is read as markup is not constant, so it may contain any other. */
  #readsAnyMarkup = false
  /** What the script writes under each member name. */
  readonly #made: ReadonlyMap<string | null, ReadonlyArray<MemberUse>>

  constructor(
    parsers: SourceParsers,
    values: PlainValues,
    { uses }: MemberUses,
    findings: ScriptFindings,
    written: (node: AnyNode) => string
  ) {
    this.#parsers = parsers
    this.#values = values
    this.#findings = findings
    this.#written = written
    this.#made = Map.groupBy(
      uses.filter(({ kind }) => kind === "write"),
      ({ name }) => name
    )
  }

  #variants(node: AnyNode | undefined): ReadonlySet<string | null> {
    return new Set([this.#values.textOf(node), this.#values.textOf(node, true)])
  }

  /**
   * The names that an expression gives to elements or attributes, as far as they are written in the code; `null` if
   * they are not. Parameters and loop variables pass: the page's runtime makes nothing that leads out of the page.
   */
  #names(node: AnyNode | null | undefined): ReadonlyArray<string> | null {
    if (!node || node.type === "SpreadElement") return null
    const found = choicesOf(node).map((one) => this.#choiceOfName(one))
    return found.every((names) => names !== null) ? found.flat() : null
  }

  #choiceOfName(node: AnyNode): ReadonlyArray<string> | null {
    const text = nameIn(this.#values.textOf(node))
    if (text !== null && !text.includes(UNKNOWN_PART))
      return [...new Set([text, nameIn(this.#values.textOf(node, true)) ?? text])]
    // A heading of some level, or a custom name.
    if (text !== null && HEADING.test(text)) return ["h1"]
    if (text !== null && FREE_ATTRIBUTE.test(text)) return ["data-"]
    if (this.#values.isPassed(node)) return []
    if (node.type !== "MemberExpression") return null
    const name = writtenName(node)
    if (name !== null) return this.#allNames(this.#made.get(name)?.map(({ value }) => value) ?? [null])
    const parts = this.#values.objectOf(node.object)?.properties
    return parts === undefined
      ? null
      : this.#allNames(parts.map((part) => (part.type === "Property" ? part.value : null)))
  }

  #allNames(nodes: ReadonlyArray<AnyNode | null>): ReadonlyArray<string> | null {
    const found = nodes.map((node) => {
      const text = node === null ? null : this.#values.textOf(node)
      return text === null || text.includes(UNKNOWN_PART) ? null : text
    })
    return found.every((text) => text !== null) ? found : null
  }

  /** Checks whether a field that the script makes is for a secret, by its label or its type. */
  #field(node: AnyNode, name: string, value: AnyNode | undefined): void {
    const text = this.#values.textOf(value)
    if (text === null) return
    const isSecret = name === "type" ? text.toLowerCase() === "password" : secretKind(text) !== null
    if (isSecret) this.#findings.report("secret-field", node.start, text)
  }

  /** A property is written, or a method called, under this name. */
  use(use: MemberUse, name: string): void {
    if (use.kind === "write") this.#write(use, name)
    if (use.kind === "call") this.#call(use, name)
  }

  #write({ node, object, value }: MemberUse, name: string): void {
    if (FIELD_NAMES.has(name) && object !== null) this.#field(node, name, value ?? undefined)
    if (name === "httpEquiv") this.#findings.report("meta-http-equiv", node.start, name)
    if (MARKUP_PROPERTIES.has(name)) this.#markup(value ?? undefined)
    if (value === null) return
    const isStyle = object !== null && writtenName(unwrapped(object)) === "style"
    if (isStyle || STYLE_PROPERTIES.has(name) || name === "textContent") this.#style(value)
    const text = isStyle || !PROPERTY_ATTRIBUTES.has(name) ? null : this.#values.textOf(value)
    if (text === null) return
    // An object that is not an element may have an address of its own.
    const found = checkAttribute("", name.toLowerCase(), text, node.start)
    this.#findings.add(this.#values.isBrowser(object) ? found : found.filter(({ rule }) => rule === "script-url"))
  }

  #call({ node, object, args }: MemberUse, name: string): void {
    // Streams have `write`, and a script may have functions with these names.
    const isBrowser = this.#values.isBrowser(object)
    if (!isBrowser && name.startsWith("write")) return
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
      const text = (call.startsWith("set") ? this.#values.textOf(value) : null) ?? UNKNOWN_PART
      this.#findings.add(checkAttribute("", attribute, text, node.start))
    }
  }

  /** A field of the parts: `input("Name")`, `form([{ key, label }])`, `form({ key: "Label" })`. */
  control(args: ReadonlyArray<AnyNode>): void {
    const [given] = args
    for (const one of given?.type === "ArrayExpression" ? given.elements : [given]) {
      if (one?.type !== "ObjectExpression") {
        if (one) this.#field(one, "", one)
        continue
      }
      for (const property of one.properties) {
        if (property.type !== "Property") continue
        const name = writtenName(property)
        if (one === given || name === "key" || name === "label") this.#field(property, "", property.value)
      }
    }
  }

  /** A call of `h`: checks the element, and its attributes as far as they are written here. */
  part(node: AnyNode, args: ReadonlyArray<AnyNode>): void {
    this.creation(node, args[0])
    const element = nameIn(this.#values.textOf(args[0]))?.toLowerCase() ?? ""
    const attributes = args[1]
    if (attributes?.type !== "ObjectExpression") return
    for (const property of attributes.properties) {
      if (property.type !== "Property") continue
      const name = writtenName(property)?.toLowerCase()
      if (FIELD_NAMES.has(name ?? "") && element !== "button") this.#field(property, name ?? "", property.value)
      const text = this.#values.textOf(property.value)
      if (name === undefined || text === null) continue
      this.#findings.add(checkAttribute(element, name, text, property.start))
    }
  }

  #markup(value: AnyNode | undefined): void {
    for (const text of this.#variants(value)) {
      if (value === undefined || text === null || text.includes(UNKNOWN_PART)) this.#readsAnyMarkup = true
      if (value !== undefined && text !== null) this.#findings.add(this.#textFindings(text, value.start))
    }
  }

  /** Checks the constant parts of an expression that is read as style. */
  #style(value: AnyNode | undefined): void {
    const text = this.#values.textOf(value)
    if (value === undefined || text === null || text.includes("<")) return
    this.#findings.add(this.#textFindings(text, value.start).filter(({ rule }) => rule.startsWith("css-")))
  }

  #textFindings(text: string, at: number): ReadonlyArray<Finding> {
    return checkTextOfScript(this.#parsers, text, at, this.elements)
  }

  /** Checks a text anywhere. A sum is read once, as a whole: its parts are not markup of their own. */
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

  /** Checks the texts after the last node: only then is it known whether one of them can become markup. */
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
