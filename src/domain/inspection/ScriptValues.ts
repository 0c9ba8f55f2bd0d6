import type { AnyNode, AssignmentExpression, MemberExpression, ObjectExpression, Program } from "acorn"
import { CallValues } from "./CallValues.ts"
import { globalValue, READING } from "./Language.ts"
import { importedValue } from "./PartCalls.ts"
import type { ImportedFrom } from "./PartCalls.ts"
import { FUNCTIONS, ScriptNames } from "./ScriptNames.ts"
import type { Ancestors, Binding } from "./ScriptNames.ts"
import { isTarget, writtenName } from "./ScriptSyntax.ts"
import type { KnownExports } from "./ScriptRewrites.ts"
import type { SourceParsers } from "./SourceParsers.ts"
import { ITEM, member, MOST_ARGUMENTS, param, RESULT, SELF, Values } from "./Values.ts"
import type { Value } from "./Values.ts"

/** One place of a script that reaches a member of something; `take` does so by a pattern. */
export interface MemberUse {
  readonly node: AnyNode
  readonly kind: "read" | "write" | "call" | "take"
  readonly base: Value
  /** The expression of {@link MemberUse.base}. */
  readonly object: AnyNode | null
  /** As it is written, or `null`: then `key` is what it may be. */
  readonly name: string | null
  readonly key: Value | null
  /** What is written, if the code says so. */
  readonly value: AnyNode | null
  readonly args: ReadonlyArray<AnyNode>
  readonly parent: AnyNode | undefined
}

/** Members of what the browser gives that are texts, numbers or neither, unless the script keeps something there itself. */
const TEXT_MEMBERS: ReadonlySet<string> = new Set(
  (
    "detail data value checked name type key code id textContent innerText tagName nodeName className title href label min max step " +
    "selected disabled hidden result size duration currentTime valueAsNumber width height " +
    "clientX clientY offsetX offsetY pageX pageY clientWidth clientHeight offsetWidth offsetHeight scrollTop scrollLeft " +
    "scrollHeight scrollWidth innerWidth innerHeight devicePixelRatio language hash search pathname"
  ).split(" ")
)
const CLASSES: ReadonlySet<string> = new Set(["ClassDeclaration", "ClassExpression"])
const isClass = ({ type }: AnyNode): boolean => CLASSES.has(type)
const isFunction = ({ type }: AnyNode): boolean => FUNCTIONS.has(type)

/**
 * Says of every expression of a script what it may be: docs/generation.md has the rule. Nothing is followed from place
 * to place: expressions that may be the same value are one class, and a class is foreign as soon as one of them is.
 * What this reader does not know is foreign.
 */
export class ScriptValues {
  readonly values = new Values()
  readonly uses: Array<MemberUse> = []
  /** What all members are taken of at once. */
  readonly copies: Array<{ readonly node: AnyNode; readonly from: Value; readonly source: AnyNode | null }> = []
  /** Names that the script does not declare, with their places and the two nodes around them. */
  readonly globals: Array<{ readonly name: string; readonly node: AnyNode; readonly parents: Ancestors }> = []
  /** The functions of contexts that call tools. */
  readonly toolCalls: Array<Value> = []
  readonly names: ScriptNames
  readonly #isScript: boolean
  readonly #calls: CallValues
  readonly #seen = new Map<AnyNode, Value>()
  readonly #bound = new Map<Binding, Value>()
  readonly #functions = new Map<AnyNode, Value>()
  readonly #rules: Array<() => void> = []

  constructor(parsers: SourceParsers, program: Program, kind: "module" | "script", known: KnownExports) {
    this.#isScript = kind === "script"
    this.#calls = new CallValues(this)
    this.names = new ScriptNames(parsers, program, known)
    parsers.walk.fullAncestor(program, (node, _state, ancestors) => {
      this.#seen.set(node, this.#read(node, ancestors))
    })
    // Other scripts of the page reach what a classic one declares.
    for (const binding of this.#isScript ? this.names.outermost(program) : []) {
      this.values.mark(this.#valueOf(binding), "isShared")
    }
    for (; this.values.stage < 3; this.values.stage++) {
      if (this.values.stage === 2) this.#guessParameters()
      for (let before = -1; before !== this.values.changes && !this.values.isTooMuch;) {
        before = this.values.changes
        for (const rule of this.#rules) {
          this.values.step()
          rule()
        }
      }
    }
  }

  /** The class of an expression, once all is known. */
  of(node: AnyNode): Value {
    return this.values.of(this.seen(node))
  }

  /** The class of an expression that was read. */
  seen(node: AnyNode): Value {
    return this.#seen.get(node) ?? this.values.fresh("isForeign")
  }

  /** To be applied until nothing more becomes known. */
  rule(rule: () => void): void {
    this.#rules.push(rule)
  }

  isGlobal(node: AnyNode, ancestors: Ancestors): boolean {
    return node.type === "Identifier" && this.names.resolve(node.name, ancestors) === undefined
  }

  /** The import that an expression is: a name, or a member of an import of everything. */
  importOf(node: AnyNode, ancestors: Ancestors): ImportedFrom | null {
    if (node.type === "Identifier") {
      const binding = this.names.resolve(node.name, ancestors)
      return binding === undefined ? this.names.forgotten(node.name) : binding.imported
    }
    const name = writtenName(node)
    if (node.type !== "MemberExpression" || node.object.type !== "Identifier" || name === null) return null
    const whole = this.names.resolve(node.object.name, ancestors)?.imported
    return whole?.name === "*" || whole?.name === "default" ? { specifier: whole.specifier, name } : null
  }

  /** Functions that no code of the script calls are called by the host or the parts, with data. */
  #guessParameters(): void {
    for (const [node, fn] of this.#functions) {
      const { isCalled, isHeard } = this.values.of(fn)
      if (!("params" in node) || isCalled || isHeard) continue
      node.params.forEach((_, index) => this.values.mark(this.values.part(fn, param(index)), "isData"))
    }
  }

  #valueOf(binding: Binding): Value {
    const known = this.#bound.get(binding)
    if (known !== undefined) return known
    const value = binding.imported === null ? this.values.fresh() : importedValue(this.values, binding.imported)
    this.#bound.set(binding, value)
    return value
  }

  /** The function or class that a node is. */
  #functionOf(node: AnyNode): Value {
    const known = this.#functions.get(node)
    if (known !== undefined) return known
    const made = this.values.fresh("isFunction")
    this.#functions.set(node, made)
    return made
  }

  #read(node: AnyNode, ancestors: Ancestors): Value {
    const { values } = this
    switch (node.type) {
      case "Literal":
        if (typeof node.value === "string") return values.text(node.value)
        return values.fresh("regex" in node && node.regex ? "isData" : "isNumber")
      case "TemplateLiteral":
        if (node.expressions.length === 0) return values.text(node.quasis[0]?.value.cooked ?? "")
        return this.#sum(
          node.expressions,
          node.quasis.some(({ value }) => value.raw !== "")
        )
      case "Identifier":
        return this.#name(node.name, node, ancestors)
      case "ThisExpression":
      case "Super":
        return this.#this(ancestors)
      case "ArrayExpression": {
        const list = values.fresh("isObject", "isList")
        node.elements.forEach((element, at) => {
          if (element === null) return
          values.join(
            values.part(list, element.type === "SpreadElement" ? ITEM : member(String(at))),
            this.seen(element)
          )
        })
        return list
      }
      case "ObjectExpression":
        return this.#object(node)
      case "FunctionDeclaration":
      case "FunctionExpression":
      case "ArrowFunctionExpression":
      case "ClassDeclaration":
      case "ClassExpression": {
        const made = this.#functionOf(node)
        if (isClass(node)) this.#class(node, made)
        else this.#function(node, made, ancestors)
        if (node.id)
          this.#bind(node.id, made, null, node.type.endsWith("Declaration") ? ancestors.slice(0, -1) : ancestors)
        return made
      }
      case "MethodDefinition":
      case "PropertyDefinition":
        this.#classMember(node, this.#functionOf(ancestors.at(-3) ?? node))
        return values.fresh()
      case "MemberExpression":
        return this.#member(node, ancestors)
      case "CallExpression":
      case "NewExpression":
      case "TaggedTemplateExpression":
        return this.#calls.read(node, ancestors)
      case "AssignmentExpression":
        return this.#assignment(node, ancestors)
      case "UpdateExpression":
        this.#bind(node.argument, values.fresh("isNumber"), null, ancestors)
        return values.fresh("isNumber")
      case "BinaryExpression":
        return node.operator === "+" ? this.#sum([node.left, node.right], false) : values.fresh("isNumber")
      case "UnaryExpression":
        return values.fresh(node.operator === "typeof" ? "isText" : "isNumber")
      case "LogicalExpression":
        if (node.operator !== "&&") values.join(this.seen(node.left), this.seen(node.right))
        return this.seen(node.right)
      case "ConditionalExpression":
        values.join(this.seen(node.consequent), this.seen(node.alternate))
        return this.seen(node.consequent)
      case "SequenceExpression":
        return this.seen(node.expressions.at(-1) ?? node)
      case "ChainExpression":
      case "ParenthesizedExpression":
        return this.seen(node.expression)
      // A promise stands for what it brings.
      case "AwaitExpression":
        return this.seen(node.argument)
      case "SpreadElement":
        if (ancestors.at(-2)?.type === "ObjectExpression") return values.fresh()
        return values.part(this.seen(node.argument), ITEM)
      case "YieldExpression":
      case "ReturnStatement":
        if (node.argument)
          this.#give(this.seen(node.argument), node.type === "YieldExpression" && node.delegate, ancestors)
        return values.fresh("isForeign")
      case "ThrowStatement":
        values.mark(this.seen(node.argument), "isShared")
        return values.fresh()
      case "CatchClause":
        if (node.param) this.#bind(node.param, values.fresh("isForeign"), null, ancestors)
        return values.fresh()
      case "VariableDeclarator":
        if (node.init) this.#bind(node.id, this.seen(node.init), node.init, ancestors)
        return values.fresh()
      case "ForOfStatement":
      case "ForInStatement": {
        const over = this.seen(node.right)
        const left = node.left.type === "VariableDeclaration" ? node.left.declarations[0]?.id : node.left
        const each = node.type === "ForOfStatement" ? values.part(over, ITEM) : values.fresh()
        if (node.type === "ForInStatement") this.rule(() => values.nameOf(each, over))
        if (left !== undefined) this.#bind(left, each, null, ancestors)
        return values.fresh()
      }
      default:
        return values.fresh("isForeign")
    }
  }

  #name(name: string, node: AnyNode, ancestors: Ancestors): Value {
    const binding = this.names.resolve(name, ancestors)
    if (binding !== undefined) return this.#valueOf(binding)
    const fn = name === "arguments" ? ancestors.findLast(isFunction) : undefined
    if (fn !== undefined) this.values.mark(this.#functionOf(fn), "isHeard")
    this.globals.push({ name, node, parents: ancestors.slice(-3, -1).toReversed() })
    const forgotten = this.names.forgotten(name)
    return forgotten === null ? globalValue(this.values, name) : importedValue(this.values, forgotten)
  }

  #this(ancestors: Ancestors): Value {
    const index = ancestors.findLastIndex(
      ({ type }) =>
        type === "PropertyDefinition" ||
        type === "StaticBlock" ||
        type === "FunctionDeclaration" ||
        type === "FunctionExpression"
    )
    const node = ancestors[index]
    if (node === undefined) return this.values.fresh(...(this.#isScript ? (["isForeign", "isBrowser"] as const) : []))
    if (isFunction(node)) return this.values.part(this.#functionOf(node), SELF)
    const made = this.#functionOf(ancestors.slice(0, index).findLast(isClass) ?? node)
    return node.type === "PropertyDefinition" && !node.static ? this.values.part(made, SELF) : made
  }

  /** Texts and numbers that are joined: a number if all of them are, else a text that the script does not hold. */
  #sum(nodes: ReadonlyArray<AnyNode>, isText: boolean): Value {
    const { values } = this
    const sum = values.fresh(...(isText ? (["isText"] as const) : []))
    const parts = nodes.map((node) => this.seen(node))
    this.rule(() => {
      if (parts.every((part) => values.isPlace(part))) values.mark(sum, "isNumber")
      else if (parts.some((part) => values.isOpen(part) || values.of(part).texts.size > 0)) values.mark(sum, "isText")
    })
    return sum
  }

  /** What a function answers with, or a generator brings. */
  #give(given: Value, isList: boolean, ancestors: Ancestors): void {
    const { values } = this
    const fn = ancestors.findLast(isFunction)
    if (fn === undefined) return
    const result = values.part(this.#functionOf(fn), RESULT)
    const isGenerator = "generator" in fn && fn.generator
    values.join(isGenerator ? values.part(result, ITEM) : result, isList ? values.part(given, ITEM) : given)
  }

  #function(node: AnyNode, made: Value, ancestors: Ancestors): void {
    if (!("params" in node)) return
    const { values } = this
    if (this.#isScript && node.type !== "ArrowFunctionExpression") {
      for (const flag of ["isForeign", "isBrowser"] as const) values.mark(values.part(made, SELF), flag)
    }
    node.params.forEach((pattern, index) => {
      const given = values.part(made, param(index))
      if (pattern.type !== "RestElement") return this.#bind(pattern, given, null, ancestors)
      values.of(made).restFrom = index
      this.#rest(pattern.argument, given, ancestors)
    })
    if ("expression" in node && node.expression) values.join(values.part(made, RESULT), this.seen(node.body))
  }

  /** `...rest` of a list. */
  #rest(pattern: AnyNode, item: Value, ancestors: Ancestors): void {
    const rest = this.values.fresh("isObject")
    this.values.join(this.values.part(rest, ITEM), item)
    this.#bind(pattern, rest, null, ancestors)
  }

  #class(node: AnyNode, made: Value): void {
    const { values } = this
    values.mark(values.part(made, SELF), "isObject")
    if (!("superClass" in node) || !node.superClass) return
    const parent = this.seen(node.superClass)
    if (values.of(parent).isForeign) return values.mark(values.part(made, SELF), "isForeign")
    values.join(values.part(made, SELF), values.part(parent, SELF))
    for (let index = 0; index < MOST_ARGUMENTS; index++) {
      values.join(values.part(made, param(index)), values.part(parent, param(index)))
    }
  }

  #classMember(node: AnyNode, made: Value): void {
    if (node.type !== "MethodDefinition" && node.type !== "PropertyDefinition") return
    const { values } = this
    const target = node.static ? made : values.part(made, SELF)
    const value = node.value ? this.seen(node.value) : values.fresh()
    if (node.type === "MethodDefinition") values.join(values.part(value, SELF), target)
    if (node.type === "MethodDefinition" && node.kind === "constructor") values.join(made, value)
    else this.#define(node, target, value, node.value ?? null, node.type === "MethodDefinition" ? node.kind : "init")
  }

  #object(node: ObjectExpression): Value {
    const { values } = this
    const made = values.fresh("isObject")
    for (const property of node.properties) {
      if (property.type === "SpreadElement") this.#copy(property, this.seen(property.argument), made, property.argument)
      else {
        const value = this.seen(property.value)
        if (property.value.type === "FunctionExpression") values.join(values.part(value, SELF), made)
        this.#define(property, made, value, property.value, property.kind)
      }
    }
    return made
  }

  /** A member of an object or a class that is written down. */
  #define(node: AnyNode, target: Value, value: Value, source: AnyNode | null, kind: string): void {
    const { values } = this
    const name = writtenName(node)
    const held = kind === "get" ? values.part(value, RESULT) : kind === "set" ? values.part(value, param(0)) : value
    const key = name === null && "key" in node && node.key ? this.seen(node.key) : null
    const isMade = source !== null && isFunction(source)
    this.uses.push({
      node,
      kind: "write",
      base: target,
      object: null,
      name,
      key,
      value: source,
      args: [],
      parent: undefined
    })
    if (name !== null) {
      values.join(values.part(target, member(name)), held)
    }
    // Who waits for it calls it with functions of the language, and gets what it gives to them.
    if (name === "then" && isMade) values.mark(target, "isForeign")
    if (key === null) return
    if (!isMade) return this.rule(() => this.#store(target, key, held))
    // The language calls what stands under its symbols, and takes what an iterator gives.
    values.mark(target, "isLoose")
    for (let index = 0; index < MOST_ARGUMENTS; index++) values.mark(values.part(value, param(index)), "isForeign")
    const iterator = values.part(value, RESULT)
    const next = values.part(values.part(values.part(iterator, member("next")), RESULT), member("value"))
    for (const item of [values.part(iterator, ITEM), next]) values.join(values.part(target, ITEM), item)
  }

  #copy(node: AnyNode, from: Value, to: Value, source: AnyNode | null): void {
    this.copies.push({ node, from, source })
    this.rule(() => this.values.copy(from, to))
  }

  /** Puts a value into all names and members of a pattern. */
  #bind(pattern: AnyNode, value: Value, source: AnyNode | null, ancestors: Ancestors): void {
    const { values } = this
    switch (pattern.type) {
      case "Identifier": {
        const binding = this.names.resolve(pattern.name, ancestors)
        if (binding !== undefined) values.join(this.#valueOf(binding), value)
        else this.rule(() => values.handOver(value, pattern.name.startsWith("on")))
        break
      }
      case "MemberExpression":
        this.#write(pattern, value, source)
        break
      case "AssignmentPattern":
        values.join(value, this.seen(pattern.right))
        this.#bind(pattern.left, value, null, ancestors)
        break
      case "ArrayPattern":
        pattern.elements.forEach((element, at) => {
          if (element?.type === "RestElement") this.#rest(element.argument, values.part(value, ITEM), ancestors)
          else if (element) this.#bind(element, values.part(value, member(String(at))), null, ancestors)
        })
        break
      case "ObjectPattern":
        for (const property of pattern.properties) {
          if (property.type === "RestElement") {
            const rest = values.fresh("isObject")
            this.#copy(property, value, rest, source)
            this.#bind(property.argument, rest, null, ancestors)
            continue
          }
          const name = writtenName(property)
          const key = name === null ? this.seen(property.key) : null
          this.uses.push({
            node: property,
            kind: "take",
            base: value,
            object: source,
            name,
            key,
            value: null,
            args: [],
            parent: pattern
          })
          this.#bind(property.value, this.#look(value, name, key), null, ancestors)
        }
        break
      default:
    }
  }

  /** What stands in `base` under a name. */
  #look(base: Value, name: string | null, key: Value | null): Value {
    const { values } = this
    if (name !== null && !TEXT_MEMBERS.has(name)) return values.part(base, member(name))
    const found = values.fresh()
    this.rule(() => {
      if (name !== null) {
        const { isForeign } = values.of(base)
        if (isForeign) values.mark(found, "isText")
        else if (values.stage > 0) values.join(found, values.part(base, member(name)))
        return
      }
      const { isForeign, isObject, isList, isKeyed } = values.of(base)
      if (key === null || isForeign) return values.join(found, values.part(base, ITEM))
      for (const text of values.of(key).texts) values.join(found, values.part(base, member(text)))
      const isOpen = values.isOpen(key)
      // A number as the name of a member of an object that is no list is rare: wait until all else is known.
      const mayWait = isObject && !isList && !isKeyed && values.stage < 2
      if (!isOpen && (mayWait || !values.isPlace(key))) return
      values.join(found, values.part(base, ITEM))
    })
    return found
  }

  #member(node: MemberExpression, ancestors: Ancestors): Value {
    const { values } = this
    const parent = ancestors.at(-2)
    const base = this.seen(node.object)
    const name = writtenName(node)
    const key = node.computed && name === null ? this.seen(node.property) : null
    const isCalled = parent?.type === "CallExpression" && parent.callee === node
    if (!isTarget(node, parent) && !isCalled) {
      const kind = parent?.type === "UnaryExpression" && parent.operator === "delete" ? "write" : "read"
      this.uses.push({ node, kind, base, object: node.object, name, key, value: null, args: [], parent })
    }
    const whole = this.importOf(node, ancestors)
    if (whole !== null) return importedValue(values, whole)
    const path =
      node.object.type === "Identifier" && this.isGlobal(node.object, ancestors) ? `${node.object.name}.${name}` : ""
    if (READING.has(path)) return globalValue(values, path)
    if (name === "length") {
      const length = values.fresh("isNumber")
      this.rule(() => {
        const { isForeign, isData } = values.of(base)
        if (isForeign || isData) values.mark(length, isForeign ? "isForeign" : "isText")
      })
      return length
    }
    const found = this.#look(base, name, key)
    return found
  }

  #write(node: MemberExpression, value: Value, source: AnyNode | null): void {
    const { values } = this
    const base = this.seen(node.object)
    const name = writtenName(node)
    const key = name === null ? this.seen(node.property) : null
    this.uses.push({
      node,
      kind: "write",
      base,
      object: node.object,
      name,
      key,
      value: source,
      args: [],
      parent: undefined
    })
    this.rule(() => {
      if (values.of(base).isForeign) values.handOver(value, name?.startsWith("on") === true)
      else if (key !== null) this.#store(base, key, value)
      else if (name !== null) values.join(values.part(base, member(name)), value)
    })
  }

  /** Puts a value into `base` under a name that is computed. */
  #store(base: Value, key: Value, value: Value): void {
    const { values } = this
    const { isObject, isList } = values.of(base)
    for (const text of values.of(key).texts) values.join(values.part(base, member(text)), value)
    if (values.isOpen(key)) {
      values.mark(base, "isLoose")
      if (values.of(value).isFunction) values.mark(value, "isHeard")
    } else if (!values.isPlace(key) || (isObject && !isList && values.stage < 2)) return
    values.join(values.part(base, ITEM), value)
  }

  #assignment(node: AssignmentExpression, ancestors: Ancestors): Value {
    const { values } = this
    const value = this.seen(node.right)
    if (node.operator === "+=" || !["=", "??=", "||=", "&&="].includes(node.operator)) {
      const result = node.operator === "+=" ? this.#sum([node.left, node.right], false) : values.fresh("isNumber")
      this.#bind(node.left, result, node.operator === "+=" ? node.right : null, ancestors)
      return result
    }
    this.#bind(node.left, value, node.right, ancestors)
    if (node.operator !== "=") values.join(value, this.seen(node.left))
    return value
  }
}
