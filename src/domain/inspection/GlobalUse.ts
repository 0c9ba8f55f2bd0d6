import type { AnyNode, CallExpression, MemberExpression, NewExpression } from "acorn"
import { isHandedOn } from "./HandedOn.ts"
import {
  FORBIDDEN_GLOBALS,
  FORM_PATH,
  LINK_PATH,
  NAVIGATING_ASSIGNMENTS,
  REFLECTION,
  SUSPECT_GLOBALS,
  TARGET_PATH,
  VIEW_PATH
} from "./HtmlRules.ts"
import type { Ancestors, Destructured } from "./ScriptBindings.ts"
import type { ScriptFindings } from "./ScriptFindings.ts"
import type { ScriptScope } from "./ScriptScope.ts"
import { UNKNOWN_PART, urlScheme } from "./Urls.ts"

const LEAVES_PAGE = "open links with ctx.open(url), offer files with ctx.download(name, content)"
const STAYS_A_NAME = "do not pass it on: read the one member that is meant where it is used"

const REFLECTED_WRITES: ReadonlySet<string> = new Set([
  "Object.defineProperty",
  "Reflect.defineProperty",
  "Reflect.set"
])
const FOREIGN_SCHEMES: ReadonlySet<string | null> = new Set(["http", "https", "javascript", "data", "//"])

/**
 * Finds what a script does with the globals of a page: names one that is forbidden, leaves the page, or lets the
 * global object or `location` out of sight.
 */
export class GlobalUse {
  /** Names of globals that are used. */
  readonly names = new Set<string>()
  readonly #code: string
  readonly #scope: ScriptScope
  readonly #findings: ScriptFindings

  constructor(code: string, scope: ScriptScope, findings: ScriptFindings) {
    this.#code = code
    this.#scope = scope
    this.#findings = findings
  }

  #written(node: AnyNode): string {
    return this.#code.slice(node.start, node.end)
  }

  #named(path: string, at: number, written: () => string): void {
    const forbidden = FORBIDDEN_GLOBALS.get(path)
    if (forbidden !== undefined) {
      const isElement = path.startsWith(LINK_PATH) || path.startsWith(FORM_PATH)
      this.#findings.report(forbidden, at, written(), isElement ? LEAVES_PAGE : undefined)
    }
    const suspect = SUSPECT_GLOBALS.get(path)
    if (suspect !== undefined) this.#findings.report(suspect, at, written())
  }

  /** A name or a member, wherever it stands. */
  reference(node: AnyNode, ancestors: Ancestors): void {
    const written = (): string => this.#written(node)
    const paths = this.#scope.globalPaths(node, ancestors)
    for (const path of paths) this.#named(path, node.start, written)
    if ((paths.includes("") || paths.includes("location")) && isHandedOn(this.#scope, ancestors)) {
      this.#findings.report("navigation", node.start, written(), STAYS_A_NAME)
    }
    const isCopied = ancestors.at(-2)?.type === "SpreadElement" && ancestors.at(-3)?.type === "ObjectExpression"
    if (isCopied && paths.includes("document")) {
      this.#findings.report("navigation", node.start, written(), STAYS_A_NAME)
    }
    if (node.type === "Identifier" && this.#scope.resolve(node.name, ancestors) === undefined) {
      this.names.add(node.name)
      if (SUSPECT_GLOBALS.get(node.name) === "frame-access") {
        this.#findings.report("frame-access", node.start, node.name)
      }
    }
    if (node.type !== "MemberExpression") return
    const name = this.#scope.memberName(node, ancestors)
    const isComputed = name === null && node.computed
    const isFrame = name !== null && SUSPECT_GLOBALS.get(name) === "frame-access"
    if (!isComputed && !isFrame && name !== "postMessage") return
    const objects = this.#scope.globalPaths(node.object, ancestors)
    if (isComputed && (objects.includes("document") || objects.includes("location"))) {
      this.#findings.report("computed-global", node.start, written())
      return
    }
    if (!objects.includes("")) return
    if (isComputed) this.#findings.report("computed-global", node.start, written())
    else this.#findings.report(isFrame ? "frame-access" : "host-message", node.start, written())
  }

  /**
   * Something is put into `target`; `value` is what, if that is known. Answers whether that may leave the page, so
   * that the value is an address of the frame.
   */
  assignment(target: AnyNode, value: AnyNode | null, ancestors: Ancestors): boolean {
    const isGlobal = target.type === "Identifier" && this.#scope.resolve(target.name, ancestors) === undefined
    const paths = isGlobal || target.type === "MemberExpression" ? this.#scope.globalPaths(target, ancestors) : []
    const isNavigating = paths.some((path) => NAVIGATING_ASSIGNMENTS.has(path))
    if (isNavigating || (paths.length === 0 && this.#isUrlOfLocation(target, value, ancestors))) {
      this.#findings.report("navigation", target.start, `${this.#written(target)} =`)
    }
    if (target.type === "MemberExpression" && target.computed) this.#computedWrite(target, ancestors)
    return isNavigating || paths.some((path) => path.startsWith("location"))
  }

  /** To read `event.target[name]` is no more than to read a member of an element; what is written may be a `location`. */
  #computedWrite(target: MemberExpression, ancestors: Ancestors): void {
    if (this.#scope.memberName(target, ancestors) !== null) return
    if (!this.#scope.globalPaths(target.object, ancestors).includes(TARGET_PATH)) return
    this.#findings.report("computed-global", target.start, this.#written(target))
  }

  /** `x.location = "https://…"`: the location of a row is a place, that of a window an address. */
  #isUrlOfLocation(target: AnyNode, value: AnyNode | null, ancestors: Ancestors): boolean {
    if (target.type !== "MemberExpression" || value === null) return false
    const owner = target.object
    const member = this.#scope.memberName(target, ancestors)
    const isLocation =
      member === "location" ||
      (member === "href" &&
        owner.type === "MemberExpression" &&
        this.#scope.memberName(owner, ancestors) === "location")
    const text = isLocation ? this.#scope.staticText(value, ancestors) : null
    return text !== null && FOREIGN_SCHEMES.has(urlScheme(text))
  }

  call(node: CallExpression | NewExpression, ancestors: Ancestors): void {
    // Other calls are no globals, or name them by a part that is visited for itself.
    if (node.type === "CallExpression" && node.arguments.length === 2) {
      for (const path of this.#scope.globalPaths(node, ancestors)) {
        this.#named(path, node.start, () => this.#written(node))
      }
    }
    this.#reflection(node, ancestors)
    const callee = node.callee.type === "ParenthesizedExpression" ? node.callee.expression : node.callee
    if (callee.type !== "MemberExpression") return
    const name = this.#scope.memberName(callee, ancestors)
    if (name === "open") {
      const objects = this.#scope.globalPaths(callee.object, ancestors)
      if (
        objects.includes(VIEW_PATH) ||
        objects.includes(TARGET_PATH) ||
        (objects.includes("document") && node.arguments.length > 2)
      ) {
        this.#findings.report("navigation", node.start, this.#written(node))
      }
    }
  }

  /** `Reflect.set(document, name, value)`: reaches members that the code does not name, so that one may be `location`. */
  #reflection(node: CallExpression | NewExpression, ancestors: Ancestors): void {
    const called = this.#scope.globalPaths(node.callee, ancestors).find((path) => REFLECTION.has(path))
    if (called === undefined) return
    const isGiven = (isMeant: (path: string, argument: AnyNode) => boolean): boolean =>
      node.arguments.some((argument) =>
        this.#scope.globalPaths(argument, ancestors).some((path) => isMeant(path, argument))
      )
    // A window that is given by its name is reported as one that is handed on.
    const isOpen = isGiven((path, { type }) => path === "document" || (path === "" && type === "ThisExpression"))
      ? called !== "Reflect.get" || !this.#isOtherMember(node.arguments[1], ancestors)
      : isGiven((path) => path === TARGET_PATH) && this.#mayWriteLocation(called, node, ancestors)
    if (isOpen) this.#findings.report("navigation", node.start, this.#written(node), STAYS_A_NAME)
  }

  #mayWriteLocation(
    called: string,
    { arguments: given }: CallExpression | NewExpression,
    ancestors: Ancestors
  ): boolean {
    if (REFLECTED_WRITES.has(called)) return !this.#isOtherMember(given[1], ancestors)
    if (called !== "Object.assign") return false
    return !given.slice(1).every(
      (source) =>
        source.type === "ObjectExpression" &&
        source.properties.every((property) => {
          const name = this.#scope.memberName(property, ancestors)
          return name !== null && name !== "location"
        })
    )
  }

  /** The name of a member is known, and is not `location`. */
  #isOtherMember(key: AnyNode | undefined, ancestors: Ancestors): boolean {
    const name = key === undefined ? null : this.#scope.staticText(key, ancestors)
    return name !== null && !name.includes(UNKNOWN_PART) && name !== "location"
  }

  /** A member that a pattern takes: `const { fetch } = window`. */
  destructured({ at, value, target }: Destructured): void {
    const last = value.keys.at(-1) ?? ""
    const isName = target.type === "Identifier" && this.#scope.resolve(target.name, value.ancestors) !== undefined
    for (const base of this.#scope.globalPaths(value.node, value.ancestors)) {
      const path = [base, ...value.keys].filter((key) => key !== "").join(".")
      this.#named(path, at, () => last)
      if (last === UNKNOWN_PART && value.keys.length === 1 && ["", "document", "location"].includes(base)) {
        this.#findings.report("computed-global", at, "a computed member of a global")
      }
      if (!isName && ["location", "document.location"].includes(path)) {
        this.#findings.report("navigation", at, last, STAYS_A_NAME)
      }
    }
  }
}
