import type { AnyNode, CallExpression, NewExpression, TaggedTemplateExpression } from "acorn"
import { PARTS_SPECIFIER } from "./HtmlRules.ts"
import { callGlobal, LanguageCall, METHODS } from "./Language.ts"
import { callPart, callShow, isPart } from "./PartCalls.ts"
import type { Ancestors } from "./ScriptNames.ts"
import { unwrapped, writtenName } from "./ScriptSyntax.ts"
import type { ScriptValues } from "./ScriptValues.ts"
import { ITEM, member, MOST_ARGUMENTS, RESULT, SELF } from "./Values.ts"
import type { Value, Values } from "./Values.ts"

/** Foreign functions that call what they are given later, and do not look at what it answers with. */
const HEARING: ReadonlySet<string> = new Set(
  "addEventListener removeEventListener setTimeout setInterval requestAnimationFrame requestIdleCallback queueMicrotask".split(
    " "
  )
)
/** Foreign functions that answer with a list of elements. */
const LISTING: ReadonlySet<string> = new Set(
  "querySelectorAll getElementsByTagName getElementsByClassName getElementsByName".split(" ")
)
/** Foreign functions that answer with what they are given. */
const GIVING_BACK: ReadonlySet<string> = new Set(["appendChild", "insertBefore"])
/** Elements that leave the page when they are pressed or sent. */
const LEAVING: ReadonlySet<string> = new Set(["a", "area", "form"])
const BORROWING: ReadonlySet<string> = new Set(["call", "apply", "bind"])

type Call = CallExpression | NewExpression | TaggedTemplateExpression

/** `Array.prototype.slice` and `[].slice`, which are called on something else. */
const borrowedMethod = (node: AnyNode): string | null => {
  if (node.type !== "MemberExpression") return null
  const holder = unwrapped(node.object)
  const isEmpty = holder.type === "ArrayExpression" && holder.elements.length === 0
  return isEmpty || writtenName(holder) === "prototype" ? writtenName(node) : null
}

/** What the calls of a script bring into its values. */
export class CallValues {
  readonly #script: ScriptValues
  readonly #values: Values

  constructor(script: ScriptValues) {
    this.#script = script
    this.#values = script.values
  }

  /** The class of what a call answers with. */
  read(node: Call, ancestors: Ancestors): Value {
    const script = this.#script
    const isTag = node.type === "TaggedTemplateExpression"
    const isNew = node.type === "NewExpression"
    const callee = unwrapped(isTag ? node.tag : node.callee)
    const given = isTag ? node.quasi.expressions : node.arguments
    const args = [...(isTag ? [this.#values.fresh("isData")] : []), ...given.map((arg) => script.seen(arg))]
    const last = args.at(-1)
    // A list may bring any number of arguments.
    if (last !== undefined && given.some(({ type }) => type === "SpreadElement")) {
      while (args.length < MOST_ARGUMENTS) args.push(last)
    }
    const result = this.#values.fresh()
    const from = isNew ? null : script.importOf(callee, ancestors)
    if (isPart(from, "show")) {
      if (args[0] !== undefined) script.toolCalls.push(callShow(this.#values, args[0]))
      return result
    }
    const part = from ?? (callee.type === "MemberExpression" ? script.importOf(callee.object, ancestors) : null)
    if (part?.specifier === PARTS_SPECIFIER && !isNew) {
      const chosen = this.#values.fresh()
      script.rule(() => {
        callPart(this.#values, part.name, args, chosen, result)
        if (part.name === "h" && this.#isLeaving(args[0])) this.#values.mark(result, "leaves")
      })
    } else if (callee.type === "MemberExpression") {
      const name = writtenName(callee)
      const key = callee.computed && name === null ? script.seen(callee.property) : null
      const base = script.seen(callee.object)
      script.uses.push({
        node,
        kind: "call",
        base,
        object: callee.object,
        name,
        key,
        value: null,
        args: given,
        parent: ancestors.at(-2)
      })
      this.#member(node, callee.object, name, base, script.seen(callee), args, result, ancestors)
    } else {
      const fn = script.seen(callee)
      const global = callee.type === "Identifier" && script.isGlobal(callee, ancestors) ? callee.name : null
      script.rule(() => {
        if (global === null || !callGlobal(global, this.#language(fn, args, result)))
          this.#call(fn, null, args, result, isNew, global)
      })
    }
    return result
  }

  #language(self: Value, args: ReadonlyArray<Value>, result: Value): LanguageCall {
    return new LanguageCall(this.#values, this.#values.of(self), args, result)
  }

  /** `object.name(…)`, `object[key](…)`. */
  #member(
    node: Call,
    object: AnyNode,
    name: string | null,
    base: Value,
    fn: Value,
    args: ReadonlyArray<Value>,
    result: Value,
    ancestors: Ancestors
  ): void {
    const script = this.#script
    const isNew = node.type === "NewExpression"
    const global = object.type === "Identifier" && script.isGlobal(object, ancestors) ? `${object.name}.${name}` : null
    const borrowed = name === "call" || name === "apply" ? borrowedMethod(unwrapped(object)) : null
    const isBorrowing = name !== null && BORROWING.has(name)
    script.rule(() => {
      const { isForeign, isData, isFunction } = this.#values.of(base)
      if (global !== null && callGlobal(global, this.#language(base, args, result))) return
      if (name === null || isNew) return this.#call(fn, base, args, result, isNew, null)
      const [self, ...rest] = args
      if (borrowed !== null && self !== undefined) {
        const items = name === "apply" ? rest.map((arg) => this.#values.part(arg, ITEM)) : rest
        return this.#method(borrowed, self, fn, items, result)
      }
      if (isBorrowing && (isFunction || (!isForeign && !isData))) return this.#borrow(name, base, args, result)
      this.#method(name, base, fn, args, result)
    })
  }

  #method(name: string, base: Value, fn: Value, args: ReadonlyArray<Value>, result: Value): void {
    const { isForeign, isObject, isList, isMap, isKeyed, parts } = this.#values.of(base)
    if (isForeign) return this.#foreign(name, args, result, base)
    const own = parts.get(member(name))
    const hasOwn = own !== undefined && (this.#values.of(own).isFunction || this.#values.of(own).isNative)
    const effect = METHODS.get(name)
    if (hasOwn) this.#call(own, base, args, result, false, null)
    else if (effect === undefined) this.#call(fn, base, args, result, false, null)
    else if (!isObject || isList || isMap || isKeyed || this.#values.stage === 2)
      effect(this.#language(base, args, result))
  }

  /** `f.call(self, …)`, `f.apply(self, list)`, `f.bind(self)`. */
  #borrow(name: string, fn: Value, args: ReadonlyArray<Value>, result: Value): void {
    const [self, ...rest] = args
    if (!this.#values.of(fn).isFunction) return this.#call(fn, null, args, result, false, null)
    if (self !== undefined) this.#values.join(this.#values.part(fn, SELF), self)
    const given = name === "apply" ? rest.map((arg) => this.#values.part(arg, ITEM)) : rest
    if (name === "bind") given.forEach((arg, index) => this.#values.give(fn, index, arg))
    for (const arg of name === "apply" ? given : []) {
      for (let index = 0; index < MOST_ARGUMENTS; index++) this.#values.give(fn, index, arg)
    }
    if (name === "bind") this.#values.join(result, fn)
    else this.#call(fn, null, name === "call" ? given : [], result, false, null)
  }

  /** Calls what may be a function of the script, one of the host or the language, or a foreign one. */
  #call(
    fn: Value,
    self: Value | null,
    args: ReadonlyArray<Value>,
    result: Value,
    isNew: boolean,
    name: string | null
  ): void {
    const { isForeign, isFunction, isNative, isData } = this.#values.of(fn)
    if (isForeign) return this.#foreign(name, args, result, fn)
    if (isFunction) {
      args.forEach((arg, index) => this.#values.give(fn, index, arg))
      this.#values.mark(fn, "isCalled")
      if (self !== null) this.#values.join(this.#values.part(fn, SELF), self)
      if (isNew) this.#values.join(result, this.#values.part(fn, SELF))
    }
    if (isFunction || isNative) return this.#values.join(result, this.#values.part(fn, RESULT))
    if (isData) {
      this.#values.mark(result, "isData")
      for (const arg of args) if (this.#values.of(arg).isFunction) this.#values.mark(arg, "isData")
    } else if (this.#values.stage === 2) this.#foreign(null, self === null ? args : [...args, self], result)
  }

  #foreign(name: string | null, args: ReadonlyArray<Value>, result: Value, of: Value | null = null): void {
    const called = name ?? ""
    const isBrowser = of !== null && this.#values.of(of).isBrowser
    for (const arg of args) this.#values.handOver(arg, HEARING.has(called))
    if (LISTING.has(called)) {
      this.#values.mark(result, "isList")
      const item = this.#values.part(result, ITEM)
      for (const flag of isBrowser ? (["isForeign", "isBrowser"] as const) : (["isForeign"] as const))
        this.#values.mark(item, flag)
    } else if (!HEARING.has(called)) {
      this.#values.mark(result, "isForeign")
      if (isBrowser) this.#values.mark(result, "isBrowser")
    }
    const isLink = called.startsWith("createElement") && args.some((arg) => this.#isLeaving(arg))
    const givesLink = GIVING_BACK.has(called) && args[0] !== undefined && this.#values.of(args[0]).leaves
    if (isLink || givesLink) this.#values.mark(result, "leaves")
  }

  #isLeaving(name: Value | undefined): boolean {
    return name !== undefined && [...this.#values.of(name).texts].some((text) => LEAVING.has(text.trim().toLowerCase()))
  }
}
