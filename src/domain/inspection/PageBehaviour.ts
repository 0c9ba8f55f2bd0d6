import type { AnyNode, BinaryExpression, CallExpression, NewExpression } from "acorn"
import { APP_SPECIFIER, HOST_EVENTS, PARTS_SPECIFIER } from "./HtmlRules.ts"
import type { Finding } from "./HtmlRules.ts"
import { CONTENT_BLOCK_PATH, CONTEXT_PATH, LIKELY_BLOCK_PATH } from "./MemberPaths.ts"
import { FUNCTIONS } from "./ScriptBindings.ts"
import type { Ancestors } from "./ScriptBindings.ts"
import { quote } from "./ScriptFindings.ts"
import { canonicalSpecifier } from "./ScriptImports.ts"
import type { ScriptScope } from "./ScriptScope.ts"
import { nearestNames } from "./SimilarNames.ts"
import type { TextEdit } from "./TextEdits.ts"
import { UNKNOWN_PART } from "./Urls.ts"

/** Arguments that `show` can not call. */
const NOT_CALLABLE: ReadonlySet<string> = new Set(["ArrayExpression", "ObjectExpression", "Literal", "TemplateLiteral"])
const EQUALITIES: ReadonlySet<string> = new Set(["===", "==", "!==", "!="])
const PARTS_WITH_CONTROLS: ReadonlySet<string> = new Set(["button", "form", "input"])
const MAX_NAMED_TOOLS = 5

const functionAround = (ancestors: Ancestors): AnyNode | undefined =>
  ancestors.slice(0, -1).findLast(({ type }) => FUNCTIONS.has(type) || type === "Program")

const argumentAt = (node: CallExpression | NewExpression, index: number): AnyNode | undefined => {
  const argument = node.arguments[index]
  return argument?.type === "SpreadElement" ? undefined : argument
}

/** Reads what a script does with the host, its results and its controls. Findings have the offsets of the script. */
export class PageBehaviour {
  readonly findings: Array<Finding> = []
  readonly edits: Array<TextEdit> = []
  readonly repairs = new Set<string>()
  /** Elements that the script makes, lower case; texts with markup are added by who reads them. */
  readonly elements = new Set<string>()
  callsShow = false
  /** `show` was asked to leave the form out. */
  hidesForm = false
  callsConnect = false
  takesResults = false
  callsTools = false
  /** Makes buttons, inputs or forms by the parts. */
  usesControls = false
  listensToSubmit = false
  /** The variable of the top level that holds the page's App. */
  appVariable: string | null = null
  readonly #code: string
  readonly #scope: ScriptScope
  readonly #toolNames: ReadonlySet<string>
  readonly #connected: Array<{ readonly end: number; readonly around: AnyNode | undefined }> = []
  readonly #handlers: Array<{ readonly node: AnyNode; readonly name: string; readonly around: AnyNode | undefined }> =
    []

  constructor(code: string, scope: ScriptScope, toolNames: ReadonlyArray<string>) {
    this.#code = code
    this.#scope = scope
    this.#toolNames = new Set(toolNames)
  }

  #report(rule: Finding["rule"], offset: number, written: string, advice?: string): void {
    const found = quote(written)
    this.findings.push(advice === undefined ? { rule, offset, found } : { rule, offset, found, advice })
  }

  #textOf(node: AnyNode | undefined, ancestors: Ancestors): string | null {
    return node === undefined ? null : this.#scope.staticText(node, ancestors)
  }

  visit(node: AnyNode, ancestors: Ancestors): void {
    switch (node.type) {
      case "CallExpression":
        this.#call(node, ancestors)
        break
      case "NewExpression":
        this.#construct(node, ancestors)
        break
      case "MemberExpression": {
        const name = this.#scope.memberName(node, ancestors)
        if (name === "ontoolresult") this.takesResults = true
        if (name === "callServerTool") this.takesResults = this.callsTools = true
        if (name === "onsubmit") this.listensToSubmit = true
        break
      }
      case "Property":
        if (this.#scope.memberName(node, ancestors) === "onsubmit") this.listensToSubmit = true
        break
      case "AssignmentExpression":
        if (node.left.type === "MemberExpression") {
          const name = this.#scope.memberName(node.left, ancestors) ?? ""
          if (name.startsWith("on") && HOST_EVENTS.has(name.slice(2))) this.#handler(node, name, ancestors)
        }
        break
      case "AwaitExpression":
        if (this.#isConnect(node.argument, ancestors)) {
          this.#connected.push({ end: node.end, around: functionAround(ancestors) })
        }
        break
      case "BinaryExpression":
        this.#comparison(node, ancestors)
        break
      case "SwitchStatement":
        if (
          this.#blockOf(node.discriminant, ancestors) !== null &&
          node.cases.some(({ test }) => this.#textOf(test ?? undefined, ancestors) === "error")
        ) {
          this.#report("error-content", node.start, 'case "error"')
        }
        break
      default:
    }
  }

  #handler(node: AnyNode, name: string, ancestors: Ancestors): void {
    this.#handlers.push({ node, name, around: functionAround(ancestors) })
  }

  #isConnect(node: AnyNode, ancestors: Ancestors): boolean {
    return (
      node.type === "CallExpression" &&
      node.callee.type === "MemberExpression" &&
      this.#scope.memberName(node.callee, ancestors) === "connect"
    )
  }

  #call(node: CallExpression, ancestors: Ancestors): void {
    const { callee } = node
    const first = argumentAt(node, 0)
    if (this.#scope.isShow(callee, ancestors)) this.#show(node, ancestors)
    const mayCallTool =
      callee.type === "Identifier"
        ? (this.#scope.resolve(callee.name, ancestors)?.values.length ?? 0) > 0
        : callee.type === "MemberExpression" && this.#scope.memberName(callee, ancestors) === "call"
    if (mayCallTool && this.#scope.globalPaths(callee, ancestors).includes(`${CONTEXT_PATH}.call`)) {
      this.callsTools = true
      if (first !== undefined) this.#toolName(first, this.#textOf(first, ancestors))
    }
    if (callee.type === "Identifier") {
      const imported = this.#scope.resolve(callee.name, ancestors)?.imported
      if (imported?.name === "h" && first !== undefined) this.#element(this.#textOf(first, ancestors))
      if (imported !== null && imported !== undefined && PARTS_WITH_CONTROLS.has(imported.name)) {
        this.usesControls = true
      }
    }
    if (callee.type !== "MemberExpression") return
    const name = this.#scope.memberName(callee, ancestors)
    if (name === "connect") this.callsConnect = true
    if (name !== null && PARTS_WITH_CONTROLS.has(name)) this.usesControls = true
    if (name === "addEventListener") {
      const event = this.#textOf(first, ancestors) ?? ""
      if (event === "toolresult") this.takesResults = true
      if (event === "submit") this.listensToSubmit = true
      if (HOST_EVENTS.has(event)) this.#handler(node, `"${event}"`, ancestors)
    }
    if (name === "createElement") this.#element(this.#textOf(first, ancestors))
    if (name === "callServerTool" && first?.type === "ObjectExpression") {
      for (const property of first.properties) {
        if (property.type !== "Property" || this.#scope.memberName(property, ancestors) !== "name") continue
        this.#toolName(property, this.#textOf(property.value, ancestors))
      }
    }
  }

  #element(name: string | null): void {
    if (name !== null) this.elements.add(name.trim().toLowerCase())
  }

  #show(node: CallExpression, ancestors: Ancestors): void {
    this.callsShow = true
    const [render, options] = [argumentAt(node, 0), argumentAt(node, 1)]
    const isPart =
      render?.type === "CallExpression" &&
      render.callee.type === "Identifier" &&
      this.#importedFrom(render.callee, ancestors) === PARTS_SPECIFIER
    if (node.arguments.length === 0 || (render !== undefined && NOT_CALLABLE.has(render.type)) || isPart) {
      this.#report("no-result-handler", node.start, this.#code.slice(node.start, node.end), SHOW_ADVICE)
    }
    if (options?.type !== "ObjectExpression") return
    for (const property of options.properties) {
      if (property.type !== "Property" || this.#scope.memberName(property, ancestors) !== "form") continue
      if (this.#textOf(property.value, ancestors) === "none") this.hidesForm = true
    }
  }

  #importedFrom(node: AnyNode, ancestors: Ancestors): string | null {
    const imported = node.type === "Identifier" ? this.#scope.resolve(node.name, ancestors)?.imported : undefined
    return imported === undefined || imported === null ? null : canonicalSpecifier(imported.specifier)
  }

  #construct(node: NewExpression, ancestors: Ancestors): void {
    const declarator = ancestors.at(-2)
    if (ancestors.length !== 4 || declarator?.type !== "VariableDeclarator") return
    if (node.callee.type !== "Identifier" || declarator.id.type !== "Identifier") return
    const isForgotten = node.callee.name === "App" && this.#scope.resolve("App", ancestors) === undefined
    if (isForgotten || this.#importedFrom(node.callee, ancestors) === APP_SPECIFIER) {
      this.appVariable ??= declarator.id.name
    }
  }

  #toolName(place: AnyNode, name: string | null): void {
    if (name === null || name.includes(UNKNOWN_PART) || this.#toolNames.size === 0 || this.#toolNames.has(name)) return
    const near = nearestNames(name, this.#toolNames)
    const named = near.length > 0 ? near : [...this.#toolNames].slice(0, MAX_NAMED_TOOLS)
    this.#report("unknown-tool", place.start, name, `the server does not list this tool; it has ${named.join(", ")}`)
  }

  /** `block.type` of a content block: how surely it is one. */
  #blockOf(node: AnyNode, ancestors: Ancestors): "known" | "likely" | null {
    const paths = this.#scope.globalPaths(node, ancestors)
    if (paths.includes(`${CONTENT_BLOCK_PATH}.type`)) return "known"
    return paths.includes(`${LIKELY_BLOCK_PATH}.type`) ? "likely" : null
  }

  #comparison(node: BinaryExpression, ancestors: Ancestors): void {
    if (!EQUALITIES.has(node.operator) || node.left.type === "PrivateIdentifier") return
    const isRight = this.#textOf(node.right, ancestors) === "error"
    if (!isRight && this.#textOf(node.left, ancestors) !== "error") return
    const type = isRight ? node.left : node.right
    const kind = this.#blockOf(type, ancestors)
    if (kind === null) return
    const result = kind === "known" ? this.#resultOf(type, ancestors) : null
    if (result === null) {
      this.#report("error-content", node.start, this.#code.slice(node.start, node.end))
      return
    }
    const text = `(${result}?.isError ${node.operator.startsWith("!") ? "!==" : "==="} true)`
    this.edits.push({ start: node.start, end: node.end, text })
    this.repairs.add('asks isError of the result instead of looking for content of the type "error"')
  }

  /** The code of the result that `type` of a content block belongs to, if it means the same at this place. */
  #resultOf(type: AnyNode, ancestors: Ancestors): string | null {
    const found = this.#contentOf(unwrapped(type), ancestors, 0)
    if (found === null || found.list.type !== "MemberExpression") return null
    const result = unwrapped(found.list.object)
    let root: AnyNode = result
    while (root.type === "MemberExpression" && !root.computed) root = unwrapped(root.object)
    if (root.type !== "Identifier") return null
    const isSame = this.#scope.resolve(root.name, found.ancestors) === this.#scope.resolve(root.name, ancestors)
    return isSame ? this.#code.slice(result.start, result.end) : null
  }

  /** The expression `result.content` that a block, or the type of a block, comes from. */
  #contentOf(
    node: AnyNode,
    ancestors: Ancestors,
    depth: number
  ): { readonly list: AnyNode; readonly ancestors: Ancestors } | null {
    if (depth > 4) return null
    if (node.type === "MemberExpression") {
      const object = unwrapped(node.object)
      if (this.#scope.memberName(node, ancestors) === "content") return { list: node, ancestors }
      return this.#contentOf(object, ancestors, depth + 1)
    }
    if (node.type !== "Identifier") return null
    const values = this.#scope.resolve(node.name, ancestors)?.values ?? []
    const [value] = values
    if (values.length !== 1 || value === undefined || value.keys.includes("content")) return null
    return this.#contentOf(unwrapped(value.node), value.ancestors, depth + 1)
  }

  /** Reports what only the whole script shows; call it after the last node. */
  finish(): void {
    for (const { node, name, around } of this.#handlers) {
      if (this.#connected.some((connected) => connected.around === around && connected.end <= node.start)) {
        this.#report("late-handler", node.start, name)
      }
    }
  }
}

const SHOW_ADVICE = "give show a function: show((data, ctx) => [ …parts ]); it runs for every result"

const unwrapped = (node: AnyNode): AnyNode => {
  if (node.type === "ChainExpression") return unwrapped(node.expression)
  return node.type === "LogicalExpression" && node.operator !== "&&" ? unwrapped(node.left) : node
}
