import type { AnyNode, CallExpression, Expression } from "acorn"
import type { ConstantTexts } from "./ConstantTexts.ts"
import {
  ACCESSOR_MEMBERS,
  DOCUMENT_MEMBERS,
  EVENT_MEMBERS,
  FORM_PATH,
  LINK_PATH,
  TARGET_PATH,
  VIEW_PATH,
  WINDOW_MEMBERS
} from "./HtmlRules.ts"
import { eventOf, LISTENERS, memberPath, OTHER_PATH, RESULT_PATH } from "./MemberPaths.ts"
import type { Ancestors, Binding, BoundValue, ScriptBindings } from "./ScriptBindings.ts"
import type { StepBudget } from "./StepBudget.ts"

/** Members that are what they are on whatever they are read. */
const HANDED_OUT: ReadonlySet<string> = new Set([...WINDOW_MEMBERS, ...DOCUMENT_MEMBERS, ...ACCESSOR_MEMBERS])
const IDENTITY_CALLS: ReadonlySet<string> = new Set(["appendChild", "insertBefore"])
const LINKS: ReadonlySet<string> = new Set(["a", "area"])
const OWN_THIS: ReadonlySet<string> = new Set(["FunctionDeclaration", "FunctionExpression", "ClassBody", "StaticBlock"])

/** Which globals expressions evaluate to, through constants, aliases and destructuring. */
export class GlobalPaths {
  readonly #bindings: ScriptBindings
  readonly #texts: ConstantTexts
  readonly #budget: StepBudget
  readonly #sourceType: "module" | "script"
  /** The paths that every binding is known to have, and the bindings whose paths depend on them. */
  readonly #bound = new Map<Binding, Set<string>>()
  readonly #readers = new Map<Binding, Set<Binding>>()
  #reading: Binding | null = null
  /** The paths of expressions, once nothing is bound anymore. */
  readonly #known = new Map<AnyNode, ReadonlyArray<string>>()
  #isBound = false

  constructor(bindings: ScriptBindings, texts: ConstantTexts, budget: StepBudget, sourceType: "module" | "script") {
    this.#bindings = bindings
    this.#texts = texts
    this.#budget = budget
    this.#sourceType = sourceType
  }

  /**
   * The global that an expression evaluates to, as a dotted path from the global object: `""` for the object
   * itself, `"navigator.sendBeacon"`. More than one where it depends; none where it is not a global. What no rule
   * tells apart has the path `"#other"`.
   */
  of(node: AnyNode, ancestors: Ancestors): ReadonlyArray<string> {
    if (this.#bindings.changed.size > 0) this.#settle()
    return this.#now(node, ancestors)
  }

  /** No value is bound from now on: what is answered once holds. */
  finish(): void {
    this.#settle()
    this.#isBound = true
  }

  /** Works out the paths of all bindings that got values, until they change no more. They only ever grow. */
  #settle(): void {
    const { changed } = this.#bindings
    for (const binding of changed) {
      changed.delete(binding)
      const paths = this.#bound.get(binding) ?? new Set<string>()
      this.#bound.set(binding, paths)
      const before = paths.size
      this.#reading = binding
      for (const value of binding.values) for (const path of this.#ofValue(value)) paths.add(path)
      this.#reading = null
      if (paths.size > before) for (const reader of this.#readers.get(binding) ?? []) changed.add(reader)
    }
  }

  #ofValue(value: BoundValue): ReadonlyArray<string> {
    const paths = value.path === undefined ? this.#now(value.node, value.ancestors) : [value.path]
    const [first = "", ...rest] = value.keys
    if (paths.length === 0 && EVENT_MEMBERS.has(first)) return [rest.reduce(memberPath, VIEW_PATH)]
    return paths.map((path) => value.keys.reduce(memberPath, path))
  }

  #now(node: AnyNode, ancestors: Ancestors): ReadonlyArray<string> {
    const before = this.#known.get(node)
    if (before !== undefined) return before
    if (!this.#budget.spend(1)) return []
    const paths = [...new Set(this.#read(node, ancestors))]
    if (this.#isBound) this.#known.set(node, paths)
    return paths
  }

  #read(node: AnyNode, ancestors: Ancestors): ReadonlyArray<string> {
    const of = (inner: Expression): ReadonlyArray<string> => this.#now(inner, ancestors)
    switch (node.type) {
      case "Identifier":
        return this.#ofName(node.name, ancestors)
      case "ThisExpression":
        return this.#ofThis(ancestors)
      case "MemberExpression": {
        const name = this.#texts.memberName(node, ancestors)
        if (name === null || node.object.type === "Super") return []
        if (HANDED_OUT.has(name)) return [memberPath(OTHER_PATH, name)]
        const paths = of(node.object)
        if (paths.length === 0 && EVENT_MEMBERS.has(name)) return [VIEW_PATH]
        return paths.map((path) => memberPath(path, name))
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
      case "CallExpression":
        return this.#ofCall(node, ancestors)
      default:
        return []
    }
  }

  #ofName(name: string, ancestors: Ancestors): ReadonlyArray<string> {
    const binding = this.#bindings.resolve(name, ancestors)
    if (binding === undefined) return [memberPath("", name)]
    if (this.#reading !== null) {
      const readers = this.#readers.get(binding) ?? new Set()
      this.#readers.set(binding, readers.add(this.#reading))
    }
    return [...(this.#bound.get(binding) ?? [])]
  }

  /** What `this` may be: the global object, or what calls a function, which may be a window too. */
  #ofThis(ancestors: Ancestors): ReadonlyArray<string> {
    const isScript = this.#sourceType === "script"
    const index = ancestors.findLastIndex(({ type }) => OWN_THIS.has(type))
    const fn = ancestors[index]
    if (fn === undefined) return isScript ? [""] : []
    const around = ancestors[index - 1]
    if (fn.type === "FunctionDeclaration") {
      const isConstructor = /^\p{Lu}/u.test(fn.id?.name ?? "")
      return isScript && !isConstructor ? [TARGET_PATH] : []
    }
    if (fn.type !== "FunctionExpression" || around?.type === "MethodDefinition" || around?.type === "Property")
      return []
    if (around?.type === "CallExpression") {
      const heard = this.#listener(around.callee, ancestors)
      if (heard !== null) return [LISTENERS.get(eventOf(heard)) ?? VIEW_PATH]
      if (isScript && around.callee === fn) return [TARGET_PATH]
    }
    return isScript ? [VIEW_PATH] : []
  }

  /** The paths of what this callee adds a listener to; `null` for another callee. */
  #listener(callee: AnyNode, ancestors: Ancestors): ReadonlyArray<string> | null {
    if (callee.type === "Identifier") {
      const isOwn = this.#bindings.resolve(callee.name, ancestors) !== undefined
      return callee.name === "addEventListener" && !isOwn ? [""] : null
    }
    if (callee.type !== "MemberExpression" || callee.object.type === "Super") return null
    if (this.#texts.memberName(callee, ancestors) !== "addEventListener") return null
    return this.#now(callee.object, ancestors)
  }

  /** The path of the events that a callee makes a function listen to; `null` if it is no `addEventListener`. */
  eventsAddedBy(callee: AnyNode, ancestors: Ancestors): string | null {
    if (this.#bindings.changed.size > 0) this.#settle()
    const heard = this.#listener(callee, ancestors)
    return heard === null ? null : eventOf(heard)
  }

  /** The path of the events that an object hears. */
  eventsOf(listener: AnyNode, ancestors: Ancestors): string {
    return eventOf(this.of(listener, ancestors))
  }

  #ofCall(node: CallExpression, ancestors: Ancestors): ReadonlyArray<string> {
    const created = this.#createdPath(node, ancestors)
    if (created !== null) return [created]
    const { callee } = node
    const [object, key] = node.arguments
    if (callee.type !== "MemberExpression" || callee.object.type === "Super") return []
    const name = this.#texts.memberName(callee, ancestors)
    if (name === "callServerTool") return [RESULT_PATH]
    if (name === "valueOf") return this.#now(callee.object, ancestors)
    if (name === "getRootNode") return ["document"]
    const isIdentity = IDENTITY_CALLS.has(name ?? "") || this.#now(callee, ancestors).includes("Object.assign")
    if (isIdentity && object !== undefined && object.type !== "SpreadElement") return this.#now(object, ancestors)
    if (name !== "get" || object === undefined || key === undefined || object.type === "SpreadElement") return []
    const text = key.type === "SpreadElement" ? null : this.#texts.textOf(key, ancestors)
    if (text === null || !this.#now(callee.object, ancestors).includes("Reflect")) return []
    return this.#now(object, ancestors).map((path) => memberPath(path, text))
  }

  /** The path of a new element that leaves the page when it is clicked or sent. */
  #createdPath({ callee, arguments: given }: CallExpression, ancestors: Ancestors): string | null {
    const binding = callee.type === "Identifier" ? this.#bindings.resolve(callee.name, ancestors) : undefined
    const name =
      callee.type === "Identifier"
        ? (binding?.imported?.name ?? (binding === undefined ? callee.name : null))
        : callee.type === "MemberExpression"
          ? this.#texts.memberName(callee, ancestors)
          : null
    if (name !== "h" && name !== "createElement" && name !== "createElementNS") return null
    const argument = given[name === "createElementNS" ? 1 : 0]
    if (argument === undefined || argument.type === "SpreadElement") return null
    const element = this.#texts.textOf(argument, ancestors)?.trim().toLowerCase() ?? ""
    return LINKS.has(element) ? LINK_PATH : element === "form" ? FORM_PATH : null
  }
}
