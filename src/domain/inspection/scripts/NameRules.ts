import type { AnyNode, CallExpression } from "acorn"
import * as Denied from "../DeniedNames.ts"
import { FORBIDDEN_NAMES, SUSPECT_GLOBALS } from "../HtmlRules.ts"
import type { HardRule } from "../HtmlRules.ts"
import type { MemberUse, MemberUses } from "./MemberUses.ts"
import { LANGUAGE_NAMES } from "./PlainValues.ts"
import type { PlainValues } from "./PlainValues.ts"
import type { ScriptFindings } from "./ScriptFindings.ts"
import { SINK_CALLS } from "./ScriptSinks.ts"
import type { ScriptSinks } from "./ScriptSinks.ts"
import { isTarget, unwrapped, writtenName } from "./ScriptSyntax.ts"
import { UNKNOWN_PART } from "../html/Urls.ts"

const names = (text: string): ReadonlySet<string> => new Set(text.split(" "))

const REFLECTION: ReadonlySet<string> = new Set(Denied.REFLECTION)
const WINDOWS = names("window self globalThis")
/** Nothing in these may be reached by a name that only running code knows. */
const GLOBALS = names("window self globalThis document navigator parent top")
/** The browser gives these, but they hold only texts, or the fields of a form. */
const HOLDERS = names("dataset style elements forms")
/** Functions of `Object` that only do what their names say. */
const OBJECT_CALLS = names(
  "keys values entries assign fromEntries freeze seal isFrozen hasOwn is groupBy create prototype"
)
/** Functions of `Object` that may be passed around, because they only read. */
const READING = names("keys hasOwn is prototype")
const REFLECT_CALLS = names("ownKeys has get set deleteProperty")
const COMPARING_NODES = names("CallExpression NewExpression ClassDeclaration ClassExpression")
const HANDING_NODES = names(
  "ArrayExpression SpreadElement ThrowStatement PropertyDefinition ReturnStatement ArrowFunctionExpression"
)
const COPYING_CALLS = names("values entries")
const TIMERS = names("setTimeout setInterval")
const OPENED = names("indexedDB caches")
const LEAVING_CALLS = names("click dispatchEvent submit")
const COMMANDS = names("copy cut selectAll")
/** Names of a `location` that only tell where the page is, and what may surround one that is read. */
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

/** Forbidden names that a tool's data may also have, as long as they are only read. */
const NAMES_OF_DATA = names("fetch navigation openai nonce")

/**
 * Checks every name that a script uses: members, globals and computed names. A name is refused where it plainly leads
 * to something forbidden. Where that is unclear, the linker puts a check around it (`GuardedNames.ts`).
 */
export class NameRules {
  readonly #values: PlainValues
  readonly #places: MemberUses
  readonly #sinks: ScriptSinks
  readonly #findings: ScriptFindings
  readonly #written: (node: AnyNode) => string
  /** Names of members that the script itself defines. */
  readonly #made: ReadonlySet<string>

  constructor(
    values: PlainValues,
    places: MemberUses,
    sinks: ScriptSinks,
    findings: ScriptFindings,
    written: (node: AnyNode) => string
  ) {
    this.#values = values
    this.#places = places
    this.#sinks = sinks
    this.#findings = findings
    this.#written = written
    this.#made = new Set(places.uses.flatMap(({ kind, name }) => (kind === "write" && name !== null ? [name] : [])))
  }

  check(): void {
    const { names } = this.#values
    for (const node of names.nodes) {
      const name = names.globalName(node)
      if (name !== "") this.#global(name, node, names.parent(node))
    }
    for (const use of this.#places.uses) this.#use(use)
    for (const { node, from } of this.#places.copies) {
      if (this.#values.isBrowser(from) && !isHolder(from)) this.#report("hidden-name", node, ONE_BY_ONE)
    }
  }

  #report(rule: Parameters<ScriptFindings["report"]>[0], node: AnyNode, advice?: string): void {
    this.#findings.report(rule, node.start, this.#written(node), advice)
  }

  #globalName(node: AnyNode | null): string {
    return node === null ? "" : this.#values.names.globalName(unwrapped(node))
  }

  #global(name: string, node: AnyNode, parent: AnyNode | undefined): void {
    const around = parent && this.#values.names.parent(parent)
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
    const isFree = used === null ? COMPARING_NODES.has(parent?.type ?? "") || isCompared(parent) : READING.has(used)
    if (calls !== null && !isFree && !(isCalled && calls.has(used ?? ""))) this.#report("hidden-name", node, ONE_BY_ONE)
    const reflecting = name === "Reflect" && isCalled ? around : name === "Proxy" ? parent : undefined
    const target = reflecting !== undefined && "arguments" in reflecting ? reflecting.arguments[0] : undefined
    if (this.#values.isBrowser(target ?? null)) this.#report("hidden-name", node, ONE_BY_ONE)
  }

  /** `setTimeout("code")`. The page's policy keeps other texts from running. */
  #timer({ arguments: [given] }: CallExpression): void {
    if (this.#values.textOf(given) !== null) this.#report("dynamic-code", given as AnyNode)
  }

  /** A `location` may be read in place, but never kept, written or called. */
  #location(node: AnyNode, parent: AnyNode | undefined): void {
    const isCall = parent?.type === "CallExpression" || parent?.type === "NewExpression"
    const callee = isCall ? unwrapped(parent.callee) : null
    const reader = this.#globalName(callee?.type === "MemberExpression" ? callee.object : callee)
    const isTakenApart = parent?.type === "VariableDeclarator" && parent.id.type === "ObjectPattern"
    if (isTakenApart || LOCATION_READERS.has(reader) || READING_NODES.has(parent?.type ?? "")) return
    this.#report("navigation", node, isTarget(node, parent) ? undefined : STAYS_A_NAME)
  }

  #isLocation(node: AnyNode | null): boolean {
    if (node === null) return false
    const inner = unwrapped(node)
    if (inner.type !== "MemberExpression") return this.#values.names.globalName(inner) === "location"
    return writtenName(inner) === "location" && this.#values.isBrowser(inner.object)
  }

  #use(use: MemberUse): void {
    const { key, name, object, node } = use
    if (name !== null) return this.#named(use, name)
    if (key === null) return
    for (const text of new Set([this.#values.textOf(key), this.#values.textOf(key, true)])) {
      if (text !== null && !text.includes(UNKNOWN_PART)) return this.#named(use, text)
    }
    const isFunction = object !== null && this.#values.isFunction(object)
    if ((!isFunction && !this.#values.isBrowser(object)) || this.#values.isNumber(key) || isHolder(object)) return
    if (!this.#values.isPassed(key) || GLOBALS.has(this.#globalName(object))) this.#report("hidden-name", node)
  }

  /** The rule that forbids a name, unless it is the page's own. */
  #forbids({ kind, object }: MemberUse, name: string): HardRule | undefined {
    const rule = FORBIDDEN_NAMES.get(name)
    if (rule === undefined || this.#values.isBrowser(object)) return rule
    if (this.#made.has(name)) return undefined
    return NAMES_OF_DATA.has(name) && kind !== "call" && (kind !== "take" || name !== "fetch") ? undefined : rule
  }

  #named(use: MemberUse, name: string): void {
    const { node, kind, object, args, parent } = use
    const isBrowser = this.#values.isBrowser(object)
    if (REFLECTION.has(name) && node.type !== "MethodDefinition" && !isAsked(node, parent)) {
      this.#report("hidden-name", node, BY_TYPE)
    }
    if (kind === "write" && this.#isLanguage(object, name)) this.#report("hidden-name", node, AS_IT_IS)
    if (kind === "call" && this.#globalName(object) === "Object") this.#taken(use, name)
    if (this.#isLocation(object) && name !== "hash" && (kind === "write" || !LOCATION_PARTS.has(name))) {
      return this.#report("navigation", node)
    }
    this.#sinks.use(use, name)
    const forbidden = this.#forbids(use, name)
    if (forbidden !== undefined) this.#report(forbidden, node)
    const text = this.#values.textOf(args[0])
    if (name === "execCommand" && !COMMANDS.has(text ?? "")) this.#report("hidden-name", node)
    if (name === "getAttribute" && text === "nonce") this.#report("page-secret", node)
    if (kind === "call" && LEAVING_CALLS.has(name) && this.#values.leaves(object)) {
      this.#report("navigation", node, LEAVES_PAGE)
    }
    if (!isBrowser) return
    if (name === "location" && kind === "read") this.#location(node, parent)
    else if (name === "location") this.#report("navigation", node)
    if (name === "open") this.#opened(use)
    if (TIMERS.has(name) && node.type === "CallExpression") this.#timer(node)
    if (kind === "read" && SINK_CALLS.has(name)) this.#report("hidden-name", node, TAKEN_OFF)
    const owner = this.#globalName(object)
    const suspect = SUSPECT_GLOBALS.get(WINDOWS.has(owner) ? name : `${owner}.${name}`)
    if (suspect !== undefined) this.#report(suspect, node)
  }

  /**
   * `window.open(url)`, `const { open } = window`, `document.open(url, name, features)`: refused unless the object is
   * surely no window.
   */
  #opened({ node, kind, object, args }: MemberUse): void {
    const owner = this.#globalName(object)
    if (OPENED.has(owner) || (owner === "document" && args.length < 3)) return
    if (kind === "call" || kind === "take" || WINDOWS.has(owner)) this.#report("navigation", node, LEAVES_PAGE)
  }

  /** It belongs to the language: `JSON.parse`, `Map.prototype.get`, `window.JSON`. */
  #isLanguage(object: AnyNode | null, name: string): boolean {
    return this.#values.isLanguage(object) || (LANGUAGE_NAMES.has(name) && WINDOWS.has(this.#globalName(object)))
  }

  /** `Object.values(element)`, and `Object.assign(element, { … })`, which writes every member of its sources. */
  #taken({ node, args: [target, ...sources] }: MemberUse, name: string): void {
    const isForeign = (one: AnyNode): boolean => !isHolder(one) && this.#values.isBrowser(one)
    if (target === undefined) return
    if (name === "assign" && sources.some(isForeign)) this.#report("hidden-name", node, ONE_BY_ONE)
    if (name === "assign" && this.#values.isLanguage(target)) this.#report("hidden-name", node, AS_IT_IS)
    if (!isForeign(target)) return
    if (COPYING_CALLS.has(name)) this.#report("hidden-name", node, ONE_BY_ONE)
    for (const source of name === "assign" ? sources : []) {
      const made = this.#values.objectOf(source)
      if (made === null && !this.#values.isPassed(source)) this.#report("hidden-name", node, ONE_BY_ONE)
      for (const part of made?.properties ?? []) {
        const one = writtenName(part)
        if (part.type !== "Property" || one === null) {
          if (GLOBALS.has(this.#globalName(target))) this.#report("hidden-name", node, ONE_BY_ONE)
          continue
        }
        this.#named(
          { node, kind: "write", object: target, name: one, key: null, value: part.value, args: [], parent: undefined },
          one
        )
      }
    }
  }
}

const isNamed = (node: AnyNode | null, known: ReadonlySet<string>): boolean =>
  node !== null && known.has(writtenName(unwrapped(node)) ?? "")

const isHolder = (node: AnyNode | null): boolean => isNamed(node, HOLDERS)

/** More arguments than any call needs that takes a window. */
const MANY_ARGUMENTS = 8

/** A window goes where it can no longer be followed: into a list, a class, an error, a long list of arguments. */
const isHandedOn = (parent: AnyNode | undefined): boolean => {
  if (parent?.type === "Property") return writtenName(parent) !== "view"
  const isCall = parent?.type === "CallExpression" || parent?.type === "NewExpression"
  return HANDING_NODES.has(parent?.type ?? "") || (isCall && parent.arguments.length > MANY_ARGUMENTS)
}

const isCompared = (parent: AnyNode | undefined): boolean =>
  parent?.type === "BinaryExpression" && /^(?:[!=]==?|instanceof)$/u.test(parent.operator)

/** `x.constructor === Object`, `error.constructor.name`, `this.constructor.defaults`. */
const isAsked = (node: AnyNode, parent: AnyNode | undefined): boolean => {
  if (writtenName(node) !== "constructor") return false
  if (isCompared(parent)) return true
  const name = parent?.type === "MemberExpression" && parent.object === node ? writtenName(parent) : null
  const isOwn = node.type === "MemberExpression" && node.object.type === "ThisExpression"
  return name === "name" || (isOwn && name !== null)
}
