import type { AnyNode, AssignmentExpression, CallExpression, ForOfStatement, NewExpression } from "acorn"
import type { BoundPatterns } from "./BoundPatterns.ts"
import type { ConstantTexts } from "./ConstantTexts.ts"
import type { GlobalPaths } from "./GlobalPaths.ts"
import { PARTS_SPECIFIER, UI_EVENTS } from "./HtmlRules.ts"
import {
  CONTENT_BLOCK_PATH,
  CONTENT_PATH,
  CONTEXT_PATH,
  DATA_PATH,
  EVENT_PATH,
  LIKELY_BLOCK_PATH,
  RESULT_PATH,
  WINDOW_EVENT_PATH
} from "./MemberPaths.ts"
import { FUNCTIONS } from "./ScriptBindings.ts"
import type { Ancestors, BoundValue, ScriptBindings } from "./ScriptBindings.ts"
import type { Unbound } from "./ScriptDeclarations.ts"
import { canonicalSpecifier } from "./ScriptImports.ts"

const BLOCK_CALLBACKS: ReadonlySet<string> = new Set(
  "some every find findLast findIndex filter map flatMap forEach".split(" ")
)
const RESULT_EVENT = "toolresult"
const PLAIN_ASSIGNMENTS: ReadonlySet<string> = new Set(["=", "??=", "||=", "&&="])

/** A function that gets events, and their path. */
interface Heard {
  readonly listener: AnyNode
  readonly ancestors: Ancestors
  readonly path: string
}

/** What is no element may hear anything under a name that is not one of the page's events. */
const heardOf = (path: string, name: string | null, listener: AnyNode, ancestors: Ancestors): ReadonlyArray<Heard> =>
  path !== EVENT_PATH || UI_EVENTS.has(name ?? "") ? [{ listener, ancestors, path }] : []

/** Binds what assignments, calls and loops put into names that are declared elsewhere. */
export class ValueFlow {
  readonly #bindings: ScriptBindings
  readonly #texts: ConstantTexts
  readonly #patterns: BoundPatterns
  readonly #paths: GlobalPaths

  constructor(bindings: ScriptBindings, texts: ConstantTexts, patterns: BoundPatterns, paths: GlobalPaths) {
    this.#bindings = bindings
    this.#texts = texts
    this.#patterns = patterns
    this.#paths = paths
  }

  /** Takes the nodes of a script from the outside in: outer calls say what the parameters around inner ones are. */
  bind(nodes: ReadonlyArray<Unbound>): void {
    this.#texts.forget()
    for (const { node, ancestors } of nodes) {
      if (node.type === "AssignmentExpression") this.#bindAssignment(node, ancestors)
    }
    this.#texts.forget()
    for (const { node, ancestors } of nodes) if (node.type === "CallExpression") this.#bindCall(node, ancestors)
    const calls = nodes.flatMap(({ node, ancestors }) => {
      if (node.type !== "CallExpression" || node.arguments.length === 0 || node.callee.type !== "Identifier") return []
      const called = this.#functionOf(node.callee, ancestors)
      return called === null ? [] : [{ node, called, ancestors }]
    })
    for (const { node, called, ancestors } of calls) this.#bindArguments(node, called, ancestors)
    // All are looked for before one is bound: paths that change in between would be worked out again for each.
    const heard = nodes.flatMap(({ node, ancestors }) =>
      node.type === "AssignmentExpression"
        ? this.#handler(node, ancestors)
        : node.type === "CallExpression"
          ? this.#listeners(node, ancestors)
          : []
    )
    for (const { listener, ancestors, path } of heard) {
      this.#bindParameter(this.#functionOf(listener, ancestors), 0, { node: listener, keys: [], ancestors, path })
    }
    for (const { node, ancestors } of nodes) {
      if (node.type === "CallExpression") this.#bindBlocks(node, ancestors)
      else if (node.type === "ForOfStatement") this.#bindLoop(node, ancestors)
    }
  }

  /** The parameter of a function of the script that an argument is bound to is known, so that it can be followed. */
  followsArgument(call: CallExpression | NewExpression, index: number, ancestors: Ancestors): boolean {
    const called = call.type === "CallExpression" ? this.#functionOf(call.callee, ancestors) : null
    if (called === null || !("params" in called)) return false
    const isPlain = !call.arguments.slice(0, index).some(({ type }) => type === "SpreadElement")
    const argument = call.arguments[index]
    const isNamed = argument?.type === "Identifier" || argument?.type === "MemberExpression"
    const param = called.params[index]
    return isPlain && (isNamed || called === call.callee) && param !== undefined && param.type !== "RestElement"
  }

  /** `show` of the parts, by its name or as a member of an import of all of them. */
  isShow(callee: AnyNode, ancestors: Ancestors): boolean {
    if (callee.type === "Identifier") {
      const imported = this.#bindings.resolve(callee.name, ancestors)?.imported
      return imported?.name === "show" && canonicalSpecifier(imported.specifier) === PARTS_SPECIFIER
    }
    if (callee.type !== "MemberExpression" || callee.object.type !== "Identifier") return false
    if (this.#texts.memberName(callee, ancestors) !== "show") return false
    const imported = this.#bindings.resolve(callee.object.name, ancestors)?.imported
    return (
      (imported?.name === "*" || imported?.name === "default") &&
      canonicalSpecifier(imported.specifier) === PARTS_SPECIFIER
    )
  }

  /** The function that an expression is, or is a constant name of. */
  #functionOf(node: AnyNode | null | undefined, ancestors: Ancestors): AnyNode | null {
    if (node === null || node === undefined) return null
    if (FUNCTIONS.has(node.type)) return node
    if (node.type !== "Identifier") return null
    const binding = this.#bindings.resolve(node.name, ancestors)
    const value = binding?.values[0]
    if (value === undefined) return binding?.fn ?? null
    return binding?.values.length === 1 && value.keys.length === 0 && FUNCTIONS.has(value.node.type) ? value.node : null
  }

  #bindParameter(fn: AnyNode | null, index: number, value: BoundValue): void {
    if (fn === null || !("params" in fn)) return
    const param = fn.params[index]
    if (param === undefined) return
    this.#patterns.bind(param.type === "AssignmentPattern" ? param.left : param, value, (name, bound) => {
      const binding = this.#bindings.own(fn, name)
      if (bound === null || binding === undefined) return
      const isKnown =
        bound.path !== undefined &&
        binding.values.some(({ path, keys }) => path === bound.path && keys.join() === bound.keys.join())
      if (!isKnown) this.#bindings.addValue(binding, bound)
    })
  }

  #bindAssignment(node: AssignmentExpression, ancestors: Ancestors): void {
    if (!PLAIN_ASSIGNMENTS.has(node.operator)) return
    this.#patterns.bind(node.left, { node: node.right, keys: [], ancestors }, (name, value) => {
      const binding = this.#bindings.resolve(name, ancestors)
      if (binding !== undefined && value !== null) this.#bindings.addValue(binding, value)
    })
    if (node.left.type === "MemberExpression" && this.#texts.memberName(node.left, ancestors) === `on${RESULT_EVENT}`) {
      const value = { node: node.right, keys: [], ancestors, path: RESULT_PATH }
      this.#bindParameter(this.#functionOf(node.right, ancestors), 0, value)
    }
  }

  #bindCall(node: CallExpression, ancestors: Ancestors): void {
    const [first, second] = node.arguments
    const { callee } = node
    const given = (path: string): BoundValue => ({ node, keys: [], ancestors, path })
    if (this.isShow(callee, ancestors)) {
      this.#bindParameter(this.#functionOf(first, ancestors), 0, given(DATA_PATH))
      this.#bindParameter(this.#functionOf(first, ancestors), 1, given(CONTEXT_PATH))
    }
    if (callee.type !== "MemberExpression" || callee.object.type === "Super") return
    if (this.#texts.memberName(callee, ancestors) !== "addEventListener") return
    if (first === undefined || this.#texts.textOf(first, ancestors) !== RESULT_EVENT) return
    this.#bindParameter(this.#functionOf(second, ancestors), 0, given(RESULT_PATH))
  }

  /** `x.addEventListener("click", (event) => …)`, `h("b", { onclick: (event) => … })`. */
  #listeners(node: CallExpression, ancestors: Ancestors): ReadonlyArray<Heard> {
    const [type, second] = node.arguments
    if (type === undefined || second === undefined) return []
    const path = this.#paths.eventsAddedBy(node.callee, ancestors)
    if (path !== null) return heardOf(path, this.#texts.textOf(type, ancestors), second, ancestors)
    if (second.type !== "ObjectExpression" || node.callee.type !== "Identifier" || node.callee.name !== "h") return []
    return second.properties.flatMap((property) => {
      const name = this.#texts.memberName(property, ancestors)
      if (property.type !== "Property" || name?.startsWith("on") !== true) return []
      return heardOf(EVENT_PATH, name.slice(2), property.value, ancestors)
    })
  }

  /** `x.onclick = (event) => …`. */
  #handler({ left, right }: AssignmentExpression, ancestors: Ancestors): ReadonlyArray<Heard> {
    if (left.type === "Identifier") {
      const isOwn = this.#bindings.resolve(left.name, ancestors) !== undefined
      return left.name.startsWith("on") && !isOwn ? heardOf(WINDOW_EVENT_PATH, left.name, right, ancestors) : []
    }
    if (left.type !== "MemberExpression" || left.object.type === "Super") return []
    const name = this.#texts.memberName(left, ancestors)
    if (name?.startsWith("on") !== true) return []
    return heardOf(this.#paths.eventsOf(left.object, ancestors), name.slice(2), right, ancestors)
  }

  /** What a function of the script is called with. */
  #bindArguments(node: CallExpression, called: AnyNode, ancestors: Ancestors): void {
    node.arguments.forEach((argument, index) => {
      if (argument.type !== "Identifier" && argument.type !== "MemberExpression") return
      this.#bindParameter(called, index, { node: argument, keys: [], ancestors, isArgument: true })
    })
  }

  /** What the members of a list are, if the list is the content of a result. */
  #blockPath(list: AnyNode, ancestors: Ancestors): string | null {
    const paths = this.#paths.of(list, ancestors)
    if (paths.includes(CONTENT_PATH)) return CONTENT_BLOCK_PATH
    const member = list.type === "ChainExpression" ? list.expression : list
    const isNamed = member.type === "MemberExpression" && this.#texts.memberName(member, ancestors) === "content"
    return isNamed && paths.length === 0 ? LIKELY_BLOCK_PATH : null
  }

  #bindBlocks(node: CallExpression, ancestors: Ancestors): void {
    const { callee } = node
    if (callee.type !== "MemberExpression") return
    if (!BLOCK_CALLBACKS.has(this.#texts.memberName(callee, ancestors) ?? "")) return
    const path = this.#blockPath(callee.object, ancestors)
    if (path === null) return
    const value = { node: callee.object, keys: [], ancestors, path }
    this.#bindParameter(this.#functionOf(node.arguments[0], ancestors), 0, value)
  }

  #bindLoop(node: ForOfStatement, ancestors: Ancestors): void {
    const path = this.#blockPath(node.right, ancestors)
    if (path === null || node.left.type !== "VariableDeclaration") return
    for (const { id } of node.left.declarations) {
      this.#patterns.bind(id, { node: node.right, keys: [], ancestors, path }, (name, bound) => {
        const binding = bound === null ? undefined : this.#bindings.resolve(name, ancestors)
        if (bound !== null && binding !== undefined) this.#bindings.addValue(binding, bound)
      })
    }
  }
}
