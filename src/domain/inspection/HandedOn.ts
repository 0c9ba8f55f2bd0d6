import type { AnyNode } from "acorn"
import { FUNCTIONS } from "./ScriptNames.ts"
import type { Binding, ScriptNames } from "./ScriptNames.ts"
import { unwrapped, writtenName } from "./ScriptSyntax.ts"

/** No page passes anything on more often. */
const MOST_HANDS = 20

/** Follows a value that the page is given (a context, a result) through the names to which the script passes it. */
export class HandedOn {
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
