import type { AnyNode, CallExpression } from "acorn"
import * as Denied from "./DeniedNames.ts"
import { FORBIDDEN_NAMES, SUSPECT_GLOBALS } from "./HtmlRules.ts"
import { LANGUAGE_NAMES, READING } from "./Language.ts"
import type { ScriptFindings } from "./ScriptFindings.ts"
import { SINK_CALLS } from "./ScriptSinks.ts"
import type { ScriptSinks } from "./ScriptSinks.ts"
import { isTarget, unwrapped, writtenName } from "./ScriptSyntax.ts"
import type { MemberUse, ScriptValues } from "./ScriptValues.ts"
import { MOST_ARGUMENTS } from "./Values.ts"

const names = (text: string): ReadonlySet<string> => new Set(text.split(" "))

const REFLECTION: ReadonlySet<string> = new Set(Denied.REFLECTION)
const WINDOWS = names("window self globalThis")
/** What the browser gives, but holds only texts, or the fields of a form. */
const HOLDERS = names("dataset style elements forms")
/** Functions of `Object` that do no more than their names say. */
const OBJECT_CALLS = names(
  "keys values entries assign fromEntries freeze seal isFrozen hasOwn is groupBy create prototype"
)
const REFLECT_CALLS = names("ownKeys has get set deleteProperty")
/** Where `Object` stands for itself. */
const COMPARING_NODES = names("CallExpression NewExpression ClassDeclaration ClassExpression")
const HANDING_NODES = names(
  "ArrayExpression SpreadElement ThrowStatement PropertyDefinition ReturnStatement ArrowFunctionExpression"
)
const BORROWED = names("call apply bind prototype")
const COPYING_CALLS = names("values entries")
const TIMERS = names("setTimeout setInterval")
/** Stores, which are opened too. */
const OPENED = names("indexedDB caches")
const LEAVING_CALLS = names("click dispatchEvent submit")
const COMMANDS = names("copy cut selectAll")
const PORTS = names("port1 port2")
/** Names of a `location` that only tell where the page is, and what may stand around one that is read. */
const LOCATION_PARTS = names("hash search pathname href origin host hostname port protocol toString")
const LOCATION_READERS = names("String URL console")
const READING_NODES = names(
  "MemberExpression TemplateLiteral BinaryExpression UnaryExpression IfStatement ExpressionStatement ObjectPattern"
)

const LEAVES_PAGE =
  "open links with ctx.open(url) or app.openLink({ url }), offer files with ctx.download(name, content) or app.downloadFile"
const STAYS_A_NAME = "do not pass it on: read the one member that is meant where it is used"
const TAKEN_OFF = "call it where it is named, on document or on the element"
const ONE_BY_ONE = "name the members that are meant: only your own objects can be taken apart"
const AS_IT_IS = "leave what the language brings as it is"
const BY_TYPE = "leave it out: ask for types by typeof, Array.isArray or instanceof"

/** Holds every name that a script uses to the rules: those of members, of globals, and those that it computes. */
export class NameRules {
  readonly #script: ScriptValues
  readonly #sinks: ScriptSinks
  readonly #findings: ScriptFindings
  readonly #written: (node: AnyNode) => string
  readonly #globals: ReadonlyMap<AnyNode, string>

  constructor(script: ScriptValues, sinks: ScriptSinks, findings: ScriptFindings, written: (node: AnyNode) => string) {
    this.#script = script
    this.#sinks = sinks
    this.#findings = findings
    this.#written = written
    this.#globals = new Map(script.globals.map(({ name, node }) => [node, name]))
  }

  check(): void {
    const { globals, uses, copies } = this.#script
    for (const { name, node, parents } of globals) this.#global(name, node, parents)
    for (const use of uses) this.#use(use)
    for (const { node, from, source } of copies) {
      if (from !== null && this.#script.values.of(from).isBrowser && !isHolder(source)) {
        this.#report("hidden-name", node, ONE_BY_ONE)
      }
    }
  }

  #report(rule: Parameters<ScriptFindings["report"]>[0], node: AnyNode, advice?: string): void {
    this.#findings.report(rule, node.start, this.#written(node), advice)
  }

  /** The global that an expression names, by itself or as a member of the window. */
  #globalName(node: AnyNode | null): string {
    const inner = node === null ? null : unwrapped(node)
    if (inner?.type !== "MemberExpression") return (inner && this.#globals.get(inner)) ?? ""
    return WINDOWS.has(this.#globals.get(inner.object) ?? "") ? (writtenName(inner) ?? "") : ""
  }

  #global(name: string, node: AnyNode, [parent, around]: ReadonlyArray<AnyNode>): void {
    const used = parent?.type === "MemberExpression" && parent.object === node ? (writtenName(parent) ?? "") : null
    const isCalled = around?.type === "CallExpression" && around.callee === parent
    const forbidden = name === "open" ? "navigation" : FORBIDDEN_NAMES.get(name)
    const suspect = SUSPECT_GLOBALS.get(name)
    if (forbidden !== undefined) this.#report(forbidden, node)
    if (suspect !== undefined) this.#report(suspect, node)
    if (name === "location") this.#location(node, parent)
    if (WINDOWS.has(name) && isHandedOn(parent)) this.#report("hidden-window", node, STAYS_A_NAME)
    if (TIMERS.has(name) && parent?.type === "CallExpression" && parent.callee === node) this.#timer(parent)
    if (LANGUAGE_NAMES.has(name) && isTarget(node, parent)) this.#report("hidden-name", node, AS_IT_IS)
    if (REFLECTION.has(name)) this.#report("hidden-name", node, BY_TYPE)
    const calls = name === "Object" ? OBJECT_CALLS : name === "Reflect" ? REFLECT_CALLS : null
    const isFree =
      used === null
        ? COMPARING_NODES.has(parent?.type ?? "") || isCompared(node, parent)
        : READING.has(`Object.${used}`) || used === "prototype"
    if (calls !== null && !isFree && !(isCalled && calls.has(used ?? ""))) this.#report("hidden-name", node, ONE_BY_ONE)
    const reflected = name === "Reflect" && isCalled ? around.arguments[0] : undefined
    if (reflected !== undefined && this.#script.of(reflected).isBrowser) this.#report("hidden-name", node, ONE_BY_ONE)
    const target = name === "Proxy" && parent?.type === "NewExpression" ? parent.arguments[0] : undefined
    if (name === "Proxy" && (target === undefined || this.#script.of(target).isBrowser)) {
      this.#report("hidden-name", node, ONE_BY_ONE)
    }
  }

  /** `setTimeout("code")`. */
  #timer({ arguments: [given] }: CallExpression): void {
    if (given === undefined) return
    const { isFunction, isText, texts } = this.#script.of(given)
    if (!isFunction && (isText || texts.size > 0)) this.#report("dynamic-code", given)
  }

  /** A `location` is read where it stands; it is never kept, written or called. */
  #location(node: AnyNode, parent: AnyNode | undefined): void {
    const isCall = parent?.type === "CallExpression" || parent?.type === "NewExpression"
    const callee = isCall ? unwrapped(parent.callee) : null
    const reader = this.#globalName(callee?.type === "MemberExpression" ? callee.object : callee)
    const isTakenApart = parent?.type === "VariableDeclarator" && parent.id.type === "ObjectPattern"
    if (parent?.type === "ConditionalExpression" && parent.test === node) return
    if (isTakenApart || LOCATION_READERS.has(reader) || READING_NODES.has(parent?.type ?? "")) return
    this.#report("navigation", node, isTarget(node, parent) ? undefined : STAYS_A_NAME)
  }

  #isLocation(node: AnyNode | null): boolean {
    if (node === null) return false
    const inner = unwrapped(node)
    const isMember = writtenName(inner) === "location" && this.#script.of(inner).isForeign
    return isMember || this.#globals.get(inner) === "location"
  }

  #use(use: MemberUse): void {
    const { values } = this.#script
    const { key, name, base, object, kind, node } = use
    if (name !== null) return this.#named(use, name)
    if (key === null) return
    const { texts } = values.of(key)
    for (const text of texts) this.#named(use, text)
    const { isBrowser, isFunction, isNative, isObject } = values.of(base)
    const isOther = isBrowser || ((isFunction || isNative) && !isObject)
    if (!values.isOpen(key) || !isOther || isNextPlace(node) || (kind !== "call" && isHolder(object))) return
    this.#report("hidden-name", node)
  }

  #named(use: MemberUse, name: string): void {
    const { node, kind, base, object, args, parent } = use
    const { isForeign, isText, isData, isObject, leaves } = this.#script.values.of(base)
    if (REFLECTION.has(name) && node.type !== "MethodDefinition" && !isAsked(node, parent)) {
      this.#report("hidden-name", node, BY_TYPE)
    }
    if (kind === "write" && this.#isLanguage(use, name)) this.#report("hidden-name", node, AS_IT_IS)
    if (kind === "call" && this.#globalName(object) === "Object") this.#taken(use, name)
    if (this.#isLocation(object) && name !== "hash" && (kind === "write" || !LOCATION_PARTS.has(name))) {
      return this.#report("navigation", node)
    }
    this.#sinks.use(use, name)
    const forbidden = FORBIDDEN_NAMES.get(name)
    // Nothing but a window has these, and what passes for a text may be one.
    const isNowhere = forbidden === "hidden-window" || (isText && !isData && !isObject)
    if (!isForeign) return isNowhere && forbidden !== undefined ? this.#report(forbidden, node) : undefined
    if (forbidden !== undefined && !(name === "postMessage" && this.#isPort(object))) this.#report(forbidden, node)
    if (name === "location" && kind === "read") this.#location(node, parent)
    else if (name === "location") this.#report("navigation", node)
    if (name === "open") this.#opened(use)
    if (name === "prototype" && parent?.type !== "MemberExpression") this.#report("hidden-name", node, BY_TYPE)
    if (leaves && LEAVING_CALLS.has(name)) this.#report("navigation", node, LEAVES_PAGE)
    if (TIMERS.has(name) && node.type === "CallExpression") this.#timer(node)
    if ((kind === "read" || kind === "take") && SINK_CALLS.has(name)) this.#report("hidden-name", node, TAKEN_OFF)
    const text = this.#sinks.textOf(args[0])
    if (name === "execCommand" && !COMMANDS.has(text ?? "")) this.#report("hidden-name", node)
    if (name === "getAttribute" && text === "nonce") this.#report("page-secret", node)
    const owner = this.#globalName(object)
    const suspect = SUSPECT_GLOBALS.get(WINDOWS.has(owner) ? name : `${owner}.${name}`)
    if (suspect !== undefined) this.#report(suspect, node)
  }

  /** `window.open(url)`, `const { open } = window`, `document.open(url, name, features)`: only what is no window may be opened. */
  #opened({ node, kind, object, args, base }: MemberUse): void {
    const owner = this.#globalName(object)
    if (OPENED.has(owner) || (owner === "document" && args.length < 3)) return
    const isTaken = kind === "take" && this.#script.values.of(base).isBrowser
    if (kind === "call" || isTaken || WINDOWS.has(owner)) this.#report("navigation", node, LEAVES_PAGE)
  }

  /** The port of a channel that the script did not make up. */
  #isPort(object: AnyNode | null): boolean {
    const port = object === null ? null : writtenName(unwrapped(object))
    return PORTS.has(port ?? "") && !this.#script.uses.some(({ kind, name }) => kind === "write" && name === port)
  }

  /** What is written belongs to the language: `JSON.parse`, `Map.prototype.get`, `window.JSON`. */
  #isLanguage({ base, object }: MemberUse, name: string): boolean {
    const { isLanguage, isForeign, isData } = this.#script.values.of(base)
    const holder = (object === null ? null : writtenName(unwrapped(object))) ?? ""
    if (isLanguage || (holder === "prototype" && (isForeign || isData))) return true
    return isForeign && (LANGUAGE_NAMES.has(name) || LANGUAGE_NAMES.has(holder))
  }

  /** `Object.values(element)`; `Object.assign(element, { … })`, which writes every member of what it is given. */
  #taken({ node, args: [target, ...sources] }: MemberUse, name: string): void {
    const { values } = this.#script
    const isForeign = (one: AnyNode): boolean => !isHolder(one) && this.#script.of(one).isBrowser
    if (isHolder(target ?? null)) return
    if (name === "assign" && sources.some(isForeign)) this.#report("hidden-name", node, ONE_BY_ONE)
    if (target === undefined || !isForeign(target)) return
    if (COPYING_CALLS.has(name)) this.#report("hidden-name", node, ONE_BY_ONE)
    for (const source of name === "assign" ? sources : []) {
      const members = source.type === "SpreadElement" ? null : values.names(this.#script.of(source))
      const { isData, isLoose } = values.of(this.#script.of(source))
      if (members === null && (isData || isLoose)) this.#report("hidden-name", node, ONE_BY_ONE)
      for (const one of members ?? []) {
        const property =
          source.type === "ObjectExpression" && source.properties.find((part) => writtenName(part) === one)
        const value = property && property.type === "Property" ? property.value : null
        const use = {
          node,
          kind: "write",
          base: this.#script.of(target),
          object: target,
          name: one,
          key: null
        } as const
        this.#named({ ...use, value, args: [], parent: undefined }, one)
      }
    }
  }
}

const isNamed = (node: AnyNode | null, known: ReadonlySet<string>): boolean =>
  node !== null && known.has(writtenName(unwrapped(node)) ?? "")

/** `list[i + 1]`. */
const isNextPlace = (node: AnyNode): boolean =>
  node.type === "MemberExpression" &&
  node.property.type === "BinaryExpression" &&
  node.property.right.type === "Literal" &&
  typeof node.property.right.value === "number"

const isHolder = (node: AnyNode | null): boolean => isNamed(node, HOLDERS)

/** A window goes where it is lost sight of: into a list, a class, an error, a long list of arguments. */
const isHandedOn = (parent: AnyNode | undefined): boolean => {
  if (parent?.type === "Property") return writtenName(parent) !== "view"
  const isCall = parent?.type === "CallExpression" || parent?.type === "NewExpression"
  return HANDING_NODES.has(parent?.type ?? "") || (isCall && parent.arguments.length > MOST_ARGUMENTS)
}

/** No operator but these leaves both sides alone: objects say what `instanceof` makes of them. */
const isCompared = (node: AnyNode, parent: AnyNode | undefined): boolean =>
  parent?.type === "BinaryExpression" &&
  (/^[!=]==?$/u.test(parent.operator) || (parent.operator === "instanceof" && parent.right === node))

/** `x.constructor === Object`, `error.constructor.name`, `this.constructor.defaults`. */
const isAsked = (node: AnyNode, parent: AnyNode | undefined): boolean => {
  if (writtenName(node) !== "constructor") return false
  if (isCompared(node, parent)) return true
  const name = parent?.type === "MemberExpression" && parent.object === node ? writtenName(parent) : null
  const isOwn = node.type === "MemberExpression" && node.object.type === "ThisExpression"
  return name === "name" || (isOwn && name !== null && !REFLECTION.has(name) && !BORROWED.has(name))
}
