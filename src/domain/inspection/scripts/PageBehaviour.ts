import type { AnyNode, BinaryExpression, CallExpression, NewExpression } from "acorn"
import { APP_SPECIFIER, HOST_EVENTS, PARTS_SPECIFIER } from "../HtmlRules.ts"
import type { MemberUses } from "./MemberUses.ts"
import type { PlainValues } from "./PlainValues.ts"
import { ScriptFindings } from "./ScriptFindings.ts"
import { FUNCTIONS, isPart } from "./ScriptNames.ts"
import type { Binding, ScriptNames } from "./ScriptNames.ts"
import type { ScriptSinks } from "./ScriptSinks.ts"
import { unwrapped, writtenName } from "./ScriptSyntax.ts"
import { nearestNames } from "../repair/SimilarNames.ts"
import type { TextEdit } from "../repair/TextEdits.ts"
import { UNKNOWN_PART } from "../html/Urls.ts"

/** Arguments that `show` cannot call. */
const NOT_CALLABLE: ReadonlySet<string> = new Set(["ArrayExpression", "ObjectExpression", "Literal", "TemplateLiteral"])
const EQUALITIES: ReadonlySet<string> = new Set(["===", "==", "!==", "!="])
const PARTS_WITH_CONTROLS: ReadonlySet<string> = new Set(["button", "form", "input"])
/** Methods of contexts and of `App` that send on their arguments. */
const SENDING: ReadonlySet<string> = new Set(
  "say open select sendMessage updateModelContext openLink sendLog".split(" ")
)
const MAX_NAMED_TOOLS = 5
const SHOW_ADVICE = "give show a function: show((data, ctx) => [ …parts ]); it runs for every result"

const PLACES: ReadonlySet<string> = new Set([...FUNCTIONS, "Program"])

const argumentAt = (node: CallExpression | NewExpression, index: number): AnyNode | undefined => {
  const argument = node.arguments[index]
  return argument?.type === "SpreadElement" ? undefined : argument
}

/** Finds what a script does with the host, its results and its controls. Findings have the offsets of the script. */
export class PageBehaviour {
  readonly findings = new ScriptFindings()
  readonly edits: Array<TextEdit> = []
  readonly repairs = new Set<string>()
  callsShow = false
  /** `show` is told to leave the form out. */
  hidesForm = false
  callsConnect = false
  takesResults = false
  callsTools = false
  /** What a person enters may go to the host: to a tool, into the conversation, to an address. */
  sends = false
  /** Makes buttons, inputs or forms with the parts. */
  usesControls = false
  listensToSubmit = false
  /** The top-level variable that holds the page's App. */
  appVariable: string | null = null
  readonly #code: string
  readonly #values: PlainValues
  readonly #names: ScriptNames
  readonly #sinks: ScriptSinks
  /** Contexts of `show`, and results of tools. */
  readonly #contexts: HandedOn
  readonly #results: HandedOn
  readonly #calls: Array<CallExpression> = []
  readonly #toolNames: ReadonlySet<string>
  readonly #connected: Array<{ readonly end: number; readonly around: AnyNode | undefined }> = []
  readonly #handlers: Array<{ readonly node: AnyNode; readonly name: string; readonly around: AnyNode | undefined }> =
    []
  /** Comparisons with the type of a content block. */
  readonly #comparisons: Array<{ readonly node: AnyNode; readonly type: AnyNode }> = []

  constructor(code: string, values: PlainValues, sinks: ScriptSinks, toolNames: ReadonlyArray<string>) {
    this.#code = code
    this.#values = values
    this.#names = values.names
    this.#sinks = sinks
    this.#contexts = new HandedOn(values.names)
    this.#results = new HandedOn(values.names)
    this.#toolNames = new Set(toolNames)
  }

  /** Elements that the script makes, in lower case. */
  get elements(): ReadonlySet<string> {
    return this.#sinks.elements
  }

  visit(node: AnyNode): void {
    const name = writtenName(node)
    if (name === "onsubmit") this.listensToSubmit = true
    switch (node.type) {
      case "CallExpression":
        this.#call(node)
        break
      case "NewExpression":
        this.#construct(node)
        break
      case "MemberExpression":
        if (name === "ontoolresult") this.takesResults = true
        if (name === "callServerTool") this.takesResults = this.callsTools = true
        break
      case "AssignmentExpression": {
        const target = writtenName(node.left) ?? ""
        if (node.left.type !== "MemberExpression" || !target.startsWith("on")) break
        if (HOST_EVENTS.has(target.slice(2))) this.#handler(node, target)
        if (target === "ontoolresult") this.#results.give(this.#names.functionOf(node.right), 0)
        break
      }
      case "AwaitExpression":
        if (node.argument.type === "CallExpression" && writtenName(node.argument.callee) === "connect") {
          this.#connected.push({ end: node.end, around: this.#names.around(node, PLACES) })
        }
        break
      case "BinaryExpression":
        this.#comparison(node)
        break
      case "SwitchStatement":
        if (!node.cases.some(({ test }) => test && this.#values.textOf(test) === "error")) break
        this.#comparisons.push({ node, type: unwrapped(node.discriminant) })
        break
      default:
    }
  }

  #handler(node: AnyNode, name: string): void {
    this.#handlers.push({ node, name, around: this.#names.around(node, PLACES) })
  }

  #call(node: CallExpression): void {
    const callee = unwrapped(node.callee)
    const first = argumentAt(node, 0)
    const from = this.#names.importOf(callee)
    if (isPart(from, "show")) this.#show(node)
    if (from !== null && PARTS_WITH_CONTROLS.has(from.name)) this.usesControls = true
    this.#calls.push(node)
    const name = callee.type === "MemberExpression" ? writtenName(callee) : null
    if (name === "connect") this.callsConnect = true
    if (name === "addEventListener") {
      const event = this.#values.textOf(first) ?? ""
      const listener = argumentAt(node, 1)
      if (event === "toolresult") this.takesResults = true
      if (event === "submit") this.listensToSubmit = true
      if (HOST_EVENTS.has(event)) this.#handler(node, `"${event}"`)
      if (event === "toolresult" && listener) this.#results.give(this.#names.functionOf(listener), 0)
    }
    if (name !== "callServerTool") return
    const awaited = this.#names.parent(node)
    const declared = awaited?.type === "AwaitExpression" ? this.#names.parent(awaited) : awaited
    if (declared?.type === "VariableDeclarator") this.#results.add(declared.id)
    for (const property of first?.type === "ObjectExpression" ? first.properties : []) {
      if (property.type !== "Property" || writtenName(property) !== "name") continue
      this.#toolName(property, this.#values.textOf(property.value))
    }
  }

  #show(node: CallExpression): void {
    this.callsShow = true
    const [render, options] = [argumentAt(node, 0), argumentAt(node, 1)]
    this.#contexts.give(this.#names.functionOf(render), 1)
    const isMade =
      render?.type === "CallExpression" && this.#names.importOf(render.callee)?.specifier === PARTS_SPECIFIER
    if (node.arguments.length === 0 || (render !== undefined && NOT_CALLABLE.has(render.type)) || isMade) {
      this.findings.report("no-result-handler", node.start, this.#code.slice(node.start, node.end), SHOW_ADVICE)
    }
    for (const property of options?.type === "ObjectExpression" ? options.properties : []) {
      if (property.type !== "Property" || writtenName(property) !== "form") continue
      if (this.#values.textOf(property.value) === "none") this.hidesForm = true
    }
  }

  #construct(node: NewExpression): void {
    const declarator = this.#names.parent(node)
    if (declarator?.type !== "VariableDeclarator") return
    const statement = this.#names.parent(declarator)
    if (statement === undefined || this.#names.parent(statement)?.type !== "Program") return
    if (node.callee.type !== "Identifier" || declarator.id.type !== "Identifier") return
    const isForgotten = this.#names.globalName(node.callee) === "App"
    if (isForgotten || this.#names.importOf(node.callee)?.specifier === APP_SPECIFIER) {
      this.appVariable ??= declarator.id.name
    }
  }

  #toolName(place: AnyNode, name: string | null): void {
    if (name === null || name.includes(UNKNOWN_PART) || this.#toolNames.size === 0 || this.#toolNames.has(name)) return
    const near = nearestNames(name, this.#toolNames)
    const named = near.length > 0 ? near : [...this.#toolNames].slice(0, MAX_NAMED_TOOLS)
    this.findings.report(
      "unknown-tool",
      place.start,
      name,
      `the server does not list this tool; it has ${named.join(", ")}`
    )
  }

  #comparison(node: BinaryExpression): void {
    if (!EQUALITIES.has(node.operator) || node.left.type === "PrivateIdentifier") return
    const isRight = this.#values.textOf(node.right) === "error"
    if (!isRight && this.#values.textOf(node.left) !== "error") return
    this.#comparisons.push({ node, type: unwrapped(isRight ? node.left : node.right) })
  }

  /** The list whose block has this type: `r.content` for `(block) => block.type` in `r.content.some(…)`. */
  #contentOf(type: AnyNode): AnyNode | null {
    if (type.type === "MemberExpression")
      return writtenName(type) === "type" ? this.#listOf(unwrapped(type.object)) : null
    const taken = this.#names.binding(type)?.taken.find(({ name }) => name === "type")
    if (taken === undefined) return null
    return taken.from.type === "ObjectPattern" ? this.#listAround(taken.from) : this.#content(taken.from)
  }

  #listOf(block: AnyNode): AnyNode | null {
    if (block.type === "MemberExpression") return block.computed ? this.#content(block.object) : null
    const binding = this.#names.binding(block)
    const [value] = binding?.values ?? []
    const [list] = binding?.items ?? []
    if (value !== undefined) return value.type === "MemberExpression" && this.#listOf(value) !== null ? value : null
    if (list !== undefined) return this.#content(list)
    return binding?.param?.at === 0 ? this.#listGiven(binding.param.fn) : null
  }

  #listAround(pattern: AnyNode): AnyNode | null {
    const fn = this.#names.parent(pattern)
    return fn !== undefined && FUNCTIONS.has(fn.type) ? this.#listGiven(fn) : null
  }

  /** The content list whose method calls this function. */
  #listGiven(fn: AnyNode): AnyNode | null {
    const call = this.#names.parent(fn)
    if (call?.type !== "CallExpression") return null
    const callee = unwrapped(call.callee)
    return callee.type === "MemberExpression" ? this.#content(callee.object) : null
  }

  #content(node: AnyNode): AnyNode | null {
    const list = leftOf(node)
    const isTaken = this.#names.binding(list)?.taken.some(({ name }) => name === "content") === true
    return isTaken || (list.type === "MemberExpression" && writtenName(list) === "content") ? list : null
  }

  /** Reports what only the whole script shows; call it after the last node. */
  finish({ uses }: MemberUses): void {
    for (const { node, name, around } of this.#handlers) {
      if (this.#connected.some((connected) => connected.around === around && connected.end <= node.start)) {
        this.findings.report("late-handler", node.start, name)
      }
    }
    this.#contexts.spread()
    for (const {
      callee,
      arguments: [first]
    } of this.#calls) {
      if (!this.#contexts.hasMember(callee, "call")) continue
      this.callsTools = true
      if (first !== undefined) this.#toolName(first, this.#values.textOf(first))
    }
    this.sends =
      this.callsTools || uses.some(({ kind, name }) => (kind === "call" || kind === "take") && SENDING.has(name ?? ""))
    this.#results.spread()
    // In a page that calls `show`, the data is the tool's own, and so is its `content`.
    for (const { node, type } of this.callsShow ? [] : this.#comparisons) {
      const content = this.#contentOf(type)
      if (content === null) continue
      const result = content.type === "MemberExpression" ? unwrapped(content.object) : null
      const isHere =
        result?.type === "Identifier" &&
        this.#results.has(result) &&
        this.#names.binding(result) === this.#names.resolve(result.name, node)
      if (!isHere || node.type !== "BinaryExpression") {
        this.findings.report("error-content", node.start, this.#code.slice(node.start, node.end))
        continue
      }
      const text = `(${result.name}?.isError ${node.operator.startsWith("!") ? "!==" : "==="} true)`
      this.edits.push({ start: node.start, end: node.end, text })
      this.repairs.add('asks isError of the result instead of looking for content of the type "error"')
    }
  }
}

/** `list` in `list ?? []`. */
const leftOf = (node: AnyNode): AnyNode => {
  const inner = unwrapped(node)
  return inner.type === "LogicalExpression" && inner.operator !== "&&" ? leftOf(inner.left) : inner
}

/** No page passes anything on more often. */
const MOST_HANDS = 20

/** Follows a value that the page is given (a context, a result) through the names to which the script passes it. */
class HandedOn {
  readonly #names: ScriptNames
  /** Names that stand for the value, and parameter patterns that take it apart. */
  readonly #places = new Set<Binding | AnyNode>()

  constructor(names: ScriptNames) {
    this.#names = names
  }

  /** Notes that the value is put into a name. */
  add(name: AnyNode): void {
    this.#places.add(this.#names.binding(name) ?? name)
  }

  /** Notes that a function is called with the value. */
  give(fn: AnyNode | undefined, at: number): void {
    const param = fn !== undefined && FUNCTIONS.has(fn.type) && "params" in fn ? fn.params[at] : undefined
    if (param !== undefined) this.add(param)
  }

  /** Visits the functions that are called with the value, and those that they call with it in turn. */
  spread(): void {
    const calls = this.#names.nodes.filter((node) => node.type === "CallExpression")
    let before = -1
    for (let hand = 0; hand < MOST_HANDS && before !== this.#places.size; hand++) {
      before = this.#places.size
      for (const { callee, arguments: given } of calls) {
        for (const [at, arg] of given.entries()) if (this.has(arg)) this.give(this.#names.functionOf(callee), at)
      }
    }
  }

  has(node: AnyNode): boolean {
    const inner = unwrapped(node)
    return this.#places.has(this.#names.binding(inner) ?? inner)
  }

  /** Whether the expression is this member of the value, or a name for it. */
  hasMember(node: AnyNode, name: string): boolean {
    const inner = unwrapped(node)
    if (inner.type === "MemberExpression") return writtenName(inner) === name && this.has(inner.object)
    const { values = [], taken = [] } = this.#names.binding(inner) ?? {}
    return (
      values.some((value) => value.type === "MemberExpression" && this.hasMember(value, name)) ||
      taken.some((one) => one.name === name && this.has(one.from))
    )
  }
}
