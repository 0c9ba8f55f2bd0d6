import type { AnyNode } from "acorn"
import { FUNCTIONS } from "./ScriptNames.ts"
import type { Binding, ScriptNames } from "./ScriptNames.ts"
import { unwrapped, writtenName } from "./ScriptSyntax.ts"

/** No page hands anything on more often. */
const MOST_HANDS = 20

/** Where something that the page is given goes, as far as the script hands it on by a name: a context, a result. */
export class HandedOn {
  readonly #names: ScriptNames
  /** Names that stand for it, and patterns of parameters that take it apart. */
  readonly #places = new Set<Binding | AnyNode>()

  constructor(names: ScriptNames) {
    this.#names = names
  }

  /** It is put into a name. */
  add(name: AnyNode): void {
    this.#places.add(this.#names.binding(name) ?? name)
  }

  /** A function is called with it. */
  give(fn: AnyNode | undefined, at: number): void {
    const param = fn !== undefined && FUNCTIONS.has(fn.type) && "params" in fn ? fn.params[at] : undefined
    if (param !== undefined) this.add(param)
  }

  /** Goes through the functions of the script that are called with it, and through those that these call. */
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

  /** The expression is this member of it, or a name for that. */
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
