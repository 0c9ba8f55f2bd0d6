import type { AnyNode, BinaryExpression, CallExpression, NewExpression } from "acorn"
import { APP_SPECIFIER, HOST_EVENTS, PARTS_SPECIFIER } from "./HtmlRules.ts"
import type { Finding } from "./HtmlRules.ts"
import { isPart } from "./PartCalls.ts"
import { quote } from "./ScriptFindings.ts"
import { FUNCTIONS } from "./ScriptNames.ts"
import type { Ancestors } from "./ScriptNames.ts"
import type { ScriptSinks } from "./ScriptSinks.ts"
import { unwrapped, writtenName } from "./ScriptSyntax.ts"
import type { ScriptValues } from "./ScriptValues.ts"
import { nearestNames } from "./SimilarNames.ts"
import type { TextEdit } from "./TextEdits.ts"
import { UNKNOWN_PART } from "./Urls.ts"
import { ITEM, member, param } from "./Values.ts"
import type { Value } from "./Values.ts"

/** Arguments that `show` can not call. */
const NOT_CALLABLE: ReadonlySet<string> = new Set(["ArrayExpression", "ObjectExpression", "Literal", "TemplateLiteral"])
const EQUALITIES: ReadonlySet<string> = new Set(["===", "==", "!==", "!="])
const PARTS_WITH_CONTROLS: ReadonlySet<string> = new Set(["button", "form", "input"])
/** Methods of contexts and of `App` that hand on what they are given. */
const SENDING: ReadonlySet<string> = new Set(
  "say open select sendMessage updateModelContext openLink sendLog".split(" ")
)
const MAX_NAMED_TOOLS = 5
const SHOW_ADVICE = "give show a function: show((data, ctx) => [ …parts ]); it runs for every result"

const functionAround = (ancestors: Ancestors): AnyNode | undefined =>
  ancestors.slice(0, -1).findLast(({ type }) => FUNCTIONS.has(type) || type === "Program")

const argumentAt = (node: CallExpression | NewExpression, index: number): AnyNode | undefined => {
  const argument = node.arguments[index]
  return argument?.type === "SpreadElement" ? undefined : argument
}

/** Reads what a script does with the host, its results and its controls. Findings have the offsets of the script. */
export class PageBehaviour {
  readonly findings: Array<Finding> = []
  readonly edits: Array<TextEdit> = []
  readonly repairs = new Set<string>()
  callsShow = false
  /** `show` was asked to leave the form out. */
  hidesForm = false
  callsConnect = false
  takesResults = false
  callsTools = false
  /** Something that a person writes may go to the host: to a tool, into the conversation, to an address. */
  sends = false
  /** Makes buttons, inputs or forms by the parts. */
  usesControls = false
  listensToSubmit = false
  /** The variable of the top level that holds the page's App. */
  appVariable: string | null = null
  readonly #code: string
  readonly #script: ScriptValues
  readonly #sinks: ScriptSinks
  readonly #toolNames: ReadonlySet<string>
  readonly #connected: Array<{ readonly end: number; readonly around: AnyNode | undefined }> = []
  readonly #handlers: Array<{ readonly node: AnyNode; readonly name: string; readonly around: AnyNode | undefined }> =
    []
  /** Results of tools, and comparisons that may be with the type of their content. */
  readonly #results: Array<Value> = []
  readonly #comparisons: Array<{
    readonly node: AnyNode
    readonly type: AnyNode
    readonly result: AnyNode | null
  }> = []

  constructor(code: string, script: ScriptValues, sinks: ScriptSinks, toolNames: ReadonlyArray<string>) {
    this.#code = code
    this.#script = script
    this.#sinks = sinks
    this.#toolNames = new Set(toolNames)
  }

  /** Elements that the script makes, lower case. */
  get elements(): ReadonlySet<string> {
    return this.#sinks.elements
  }

  #report(rule: Finding["rule"], offset: number, written: string, advice?: string): void {
    const found = quote(written)
    this.findings.push(advice === undefined ? { rule, offset, found } : { rule, offset, found, advice })
  }

  visit(node: AnyNode, ancestors: Ancestors): void {
    const name = writtenName(node)
    if (name === "onsubmit") this.listensToSubmit = true
    switch (node.type) {
      case "CallExpression":
        this.#call(node, ancestors)
        break
      case "NewExpression":
        this.#construct(node, ancestors)
        break
      case "MemberExpression":
        if (name === "ontoolresult") this.takesResults = true
        if (name === "callServerTool") this.takesResults = this.callsTools = true
        break
      case "AssignmentExpression": {
        const target = writtenName(node.left) ?? ""
        if (node.left.type !== "MemberExpression" || !target.startsWith("on")) break
        if (HOST_EVENTS.has(target.slice(2))) this.#handler(node, target, ancestors)
        if (target === "ontoolresult")
          this.#results.push(this.#script.values.part(this.#script.of(node.right), param(0)))
        break
      }
      case "AwaitExpression":
        if (node.argument.type === "CallExpression" && writtenName(node.argument.callee) === "connect") {
          this.#connected.push({ end: node.end, around: functionAround(ancestors) })
        }
        break
      case "BinaryExpression":
        this.#comparison(node, ancestors)
        break
      case "SwitchStatement":
        if (!node.cases.some(({ test }) => test && this.#sinks.textOf(test) === "error")) break
        this.#comparisons.push({ node, type: unwrapped(node.discriminant), result: null })
        break
      default:
    }
  }

  #handler(node: AnyNode, name: string, ancestors: Ancestors): void {
    this.#handlers.push({ node, name, around: functionAround(ancestors) })
  }

  #call(node: CallExpression, ancestors: Ancestors): void {
    const callee = unwrapped(node.callee)
    const first = argumentAt(node, 0)
    const { values } = this.#script
    const from = this.#script.importOf(callee, ancestors)
    if (isPart(from, "show")) this.#show(node, ancestors)
    if (from !== null && PARTS_WITH_CONTROLS.has(from.name)) this.usesControls = true
    if (this.#script.toolCalls.some((call) => values.of(call) === this.#script.of(callee))) {
      this.callsTools = true
      if (first !== undefined) this.#toolName(first, this.#sinks.textOf(first))
    }
    const name = callee.type === "MemberExpression" ? writtenName(callee) : null
    if (name === "connect") this.callsConnect = true
    if (name === "addEventListener") {
      const event = this.#sinks.textOf(first) ?? ""
      const listener = argumentAt(node, 1)
      if (event === "toolresult") this.takesResults = true
      if (event === "submit") this.listensToSubmit = true
      if (HOST_EVENTS.has(event)) this.#handler(node, `"${event}"`, ancestors)
      if (event === "toolresult" && listener) this.#results.push(values.part(this.#script.of(listener), param(0)))
    }
    if (name !== "callServerTool") return
    this.#results.push(this.#script.of(node))
    for (const property of first?.type === "ObjectExpression" ? first.properties : []) {
      if (property.type !== "Property" || writtenName(property) !== "name") continue
      this.#toolName(property, this.#sinks.textOf(property.value))
    }
  }

  #show(node: CallExpression, ancestors: Ancestors): void {
    this.callsShow = true
    const [render, options] = [argumentAt(node, 0), argumentAt(node, 1)]
    const isMade =
      render?.type === "CallExpression" &&
      this.#script.importOf(render.callee, ancestors)?.specifier === PARTS_SPECIFIER
    if (node.arguments.length === 0 || (render !== undefined && NOT_CALLABLE.has(render.type)) || isMade) {
      this.#report("no-result-handler", node.start, this.#code.slice(node.start, node.end), SHOW_ADVICE)
    }
    for (const property of options?.type === "ObjectExpression" ? options.properties : []) {
      if (property.type !== "Property" || writtenName(property) !== "form") continue
      if (this.#sinks.textOf(property.value) === "none") this.hidesForm = true
    }
  }

  #construct(node: NewExpression, ancestors: Ancestors): void {
    const declarator = ancestors.at(-2)
    if (ancestors.length !== 4 || declarator?.type !== "VariableDeclarator") return
    if (node.callee.type !== "Identifier" || declarator.id.type !== "Identifier") return
    const isForgotten = node.callee.name === "App" && this.#script.names.resolve("App", ancestors) === undefined
    if (isForgotten || this.#script.importOf(node.callee, ancestors)?.specifier === APP_SPECIFIER) {
      this.appVariable ??= declarator.id.name
    }
  }

  #toolName(place: AnyNode, name: string | null): void {
    if (name === null || name.includes(UNKNOWN_PART) || this.#toolNames.size === 0 || this.#toolNames.has(name)) return
    const near = nearestNames(name, this.#toolNames)
    const named = near.length > 0 ? near : [...this.#toolNames].slice(0, MAX_NAMED_TOOLS)
    this.#report("unknown-tool", place.start, name, `the server does not list this tool; it has ${named.join(", ")}`)
  }

  #comparison(node: BinaryExpression, ancestors: Ancestors): void {
    if (!EQUALITIES.has(node.operator) || node.left.type === "PrivateIdentifier") return
    const isRight = this.#sinks.textOf(node.right) === "error"
    if (!isRight && this.#sinks.textOf(node.left) !== "error") return
    const type = unwrapped(isRight ? node.left : node.right)
    const block = type.type === "MemberExpression" && writtenName(type) === "type" ? unwrapped(type.object) : type
    this.#comparisons.push({ node, type, result: this.#resultOf(block, ancestors) })
  }

  /** The result in whose content a block is looked for: `r` in `r.content.some((block) => …)`, if it means the same here. */
  #resultOf(block: AnyNode, ancestors: Ancestors): AnyNode | null {
    const name = block.type === "Identifier" ? block.name : null
    const binding = name === null ? undefined : this.#script.names.resolve(name, ancestors)
    const index = ancestors.findLastIndex((around, at) =>
      FUNCTIONS.has(around.type) || around.type === "ForOfStatement"
        ? name !== null && this.#script.names.resolve(name, ancestors.slice(0, at)) !== binding
        : false
    )
    const around = ancestors[index]
    const call = ancestors[index - 1]
    const list =
      block.type === "MemberExpression"
        ? block.object
        : around?.type === "ForOfStatement"
          ? around.right
          : call?.type === "CallExpression" && call.callee.type === "MemberExpression"
            ? call.callee.object
            : null
    const content = list === null ? null : leftOf(list)
    if (content?.type !== "MemberExpression" || writtenName(content) !== "content") return null
    const result = unwrapped(content.object)
    if (result.type !== "Identifier") return null
    const outer = block.type === "MemberExpression" ? ancestors : ancestors.slice(0, index)
    const isSame = this.#script.names.resolve(result.name, outer) === this.#script.names.resolve(result.name, ancestors)
    return isSame ? result : null
  }

  /** Reports what only the whole script shows; call it after the last node. */
  finish(): void {
    for (const { node, name, around } of this.#handlers) {
      if (this.#connected.some((connected) => connected.around === around && connected.end <= node.start)) {
        this.#report("late-handler", node.start, name)
      }
    }
    const { values } = this.#script
    this.sends =
      this.callsTools ||
      this.#script.uses.some(({ kind, name }) => (kind === "call" || kind === "take") && SENDING.has(name ?? ""))
    const types = new Set(
      this.#results.map((result) =>
        values.part(values.part(values.part(result, member("content")), ITEM), member("type"))
      )
    )
    for (const { node, type, result } of this.#comparisons) {
      if (![...types].some((known) => values.of(known) === this.#script.of(type))) continue
      const code = this.#code.slice(node.start, node.end)
      const isResult = result !== null && this.#results.some((known) => values.of(known) === this.#script.of(result))
      if (!isResult || node.type !== "BinaryExpression") this.#report("error-content", node.start, code)
      else {
        const name = this.#code.slice(result.start, result.end)
        const text = `(${name}?.isError ${node.operator.startsWith("!") ? "!==" : "==="} true)`
        this.edits.push({ start: node.start, end: node.end, text })
        this.repairs.add('asks isError of the result instead of looking for content of the type "error"')
      }
    }
  }
}

/** `list` in `list ?? []`. */
const leftOf = (node: AnyNode): AnyNode => {
  const inner = unwrapped(node)
  return inner.type === "LogicalExpression" && inner.operator !== "&&" ? leftOf(inner.left) : inner
}
