import type { AnyNode, ObjectExpression } from "acorn"
import { choicesOf, FUNCTIONS } from "./ScriptNames.ts"
import type { Binding, ScriptNames } from "./ScriptNames.ts"
import { unwrapped, writtenName } from "./ScriptSyntax.ts"
import { UNKNOWN_PART } from "../html/Urls.ts"

const names = (text: string): ReadonlySet<string> => new Set(text.split(" "))

/** Globals of the language, and browser globals that hold numbers or only work on their arguments. */
export const LANGUAGE_NAMES: ReadonlySet<string> = names(
  "undefined NaN Infinity innerWidth innerHeight scrollX scrollY devicePixelRatio Math JSON console Intl " +
    "Number parseInt parseFloat Boolean isNaN isFinite String BigInt Symbol Date RegExp URL URLSearchParams FormData " +
    "TextEncoder TextDecoder Blob structuredClone atob btoa encodeURIComponent decodeURIComponent encodeURI decodeURI " +
    "escape unescape Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array Int32Array Uint32Array Float32Array " +
    "Float64Array ArrayBuffer DataView Object Array Set WeakSet Map WeakMap Promise Proxy"
)

const NUMBERS: ReadonlySet<string> = names("Number parseInt parseFloat Boolean isNaN isFinite")

/** Browser members that hold texts, numbers or other plain values. */
const TEXT_MEMBERS: ReadonlySet<string> = names(
  "detail data value checked name type key code id textContent innerText tagName nodeName className title href label min max step " +
    "selected disabled hidden result size duration currentTime valueAsNumber width height " +
    "clientX clientY offsetX offsetY pageX pageY clientWidth clientHeight offsetWidth offsetHeight scrollTop scrollLeft " +
    "scrollHeight scrollWidth innerWidth innerHeight devicePixelRatio language hash search pathname length"
)

const OWN_FUNCTIONS = new Set(["FunctionDeclaration", "FunctionExpression"])
const CLASSES = names("ClassDeclaration ClassExpression")
const ARITHMETIC = names("- * / % ** | & ^ << >> >>>")
const CALLS = names("CallExpression NewExpression")
/** Elements that leave the page when they are clicked or submitted. */
const LEAVING = names("a area form")

/**
 * Says what an expression is, where that is plain: from the expression itself, or from a name with only one meaning.
 */
export class PlainValues {
  readonly names: ScriptNames
  readonly #browser = new Map<AnyNode, boolean>()
  readonly #isBrowserName = new Search()
  readonly #isLanguageName = new Search()
  readonly #isLeavingName = new Search()
  readonly #numbers = new Map<Binding, boolean>()
  readonly #texts = new Map<Binding, ReadonlyArray<string> | null>()

  constructor(names: ScriptNames) {
    this.names = names
  }

  /** The browser gives it: one of its globals, a member of one, or the result of one of its functions. */
  isBrowser(node: AnyNode | null): boolean {
    if (node === null) return false
    const known = this.#browser.get(node)
    if (known !== undefined) return known
    const found = choicesOf(node).some((one) => this.#isBrowser(one))
    if (found || !this.#isBrowserName.isUnderWay) this.#browser.set(node, found)
    return found
  }

  #isBrowser(node: AnyNode): boolean {
    switch (node.type) {
      case "Identifier": {
        const binding = this.names.binding(node)
        if (binding === undefined) return !LANGUAGE_NAMES.has(node.name) && this.names.forgotten(node.name) === null
        return this.#isBrowserName.ask(
          binding,
          () =>
            (binding.param?.at === 0 && this.#isListener(binding.param.fn)) ||
            binding.values.some((value) => this.isBrowser(value)) ||
            binding.taken.some(({ from, name }) => !TEXT_MEMBERS.has(name ?? "") && this.isBrowser(from))
        )
      }
      case "ObjectPattern":
        return this.#isListener(this.names.parent(node))
      case "ThisExpression":
        return (
          this.#isListener(this.names.around(node, OWN_FUNCTIONS)) ||
          (!this.names.isModule && this.names.around(node, CLASSES) === undefined)
        )
      case "MemberExpression":
        return !TEXT_MEMBERS.has(writtenName(node) ?? "") && this.isBrowser(node.object)
      case "CallExpression":
      case "NewExpression":
        return this.isBrowser(node.callee)
      default:
        return false
    }
  }

  /** A function that is written where the browser is told to call it. */
  #isListener(fn: AnyNode | undefined): boolean {
    const parent = fn === undefined ? undefined : this.names.parent(fn)
    if (parent?.type !== "CallExpression") return false
    const callee = unwrapped(parent.callee)
    if (callee.type !== "MemberExpression") return this.names.globalName(callee) === "addEventListener"
    return writtenName(callee) === "addEventListener" && this.isBrowser(callee.object)
  }

  /** The object that an expression writes, or names. */
  objectOf(node: AnyNode): ObjectExpression | null {
    const inner = unwrapped(node)
    if (inner.type === "ObjectExpression") return inner
    const binding = this.names.binding(inner)
    const [value, ...others] = binding !== undefined && this.isSettled(binding) ? binding.values : []
    return value?.type === "ObjectExpression" && others.length === 0 ? value : null
  }

  isFunction(node: AnyNode): boolean {
    const inner = unwrapped(node)
    return [inner, ...(this.names.binding(inner)?.values ?? [])].some(
      ({ type }) => FUNCTIONS.has(type) || CLASSES.has(type)
    )
  }

  /** A function or an object of the language, however it is reached. */
  isLanguage(node: AnyNode | null): boolean {
    if (node === null) return false
    const inner = unwrapped(node)
    if (inner.type === "MemberExpression") {
      const name = writtenName(inner) ?? ""
      if (name === "prototype") return this.isLanguage(inner.object)
      return LANGUAGE_NAMES.has(name) && this.isBrowser(inner.object)
    }
    const binding = this.names.binding(inner)
    if (binding === undefined) return LANGUAGE_NAMES.has(this.names.globalName(inner))
    return this.#isLanguageName.ask(binding, () => binding.values.some((value) => this.isLanguage(value)))
  }

  /** A number, or an index. */
  isNumber(node: AnyNode): boolean {
    return choicesOf(node).every((one) => {
      if (one.type === "Literal") return typeof one.value === "number"
      if (one.type === "UpdateExpression") return true
      if (one.type === "BinaryExpression") {
        return ARITHMETIC.has(one.operator) || (one.operator === "+" && this.isNumber(one.right))
      }
      if (one.type === "CallExpression") {
        const callee = unwrapped(one.callee)
        return callee.type === "MemberExpression"
          ? this.names.globalName(callee.object) === "Math"
          : NUMBERS.has(this.names.globalName(callee))
      }
      const binding = this.names.binding(one)
      if (binding === undefined || binding.values.length === 0) return false
      return everyOnce(this.#numbers, binding, (value) => this.isNumber(value))
    })
  }

  /** Only running code knows it, and it takes many values: a parameter, or the variable of a loop. */
  isPassed(node: AnyNode): boolean {
    const binding = this.names.binding(unwrapped(node))
    if (binding === undefined) return false
    return binding.param !== null || (binding.values.length === 0 && binding.items.length + binding.taken.length > 0)
  }

  /** A link or a form, which leaves the page when it is clicked or submitted. */
  leaves(node: AnyNode | null): boolean {
    return (
      node !== null &&
      choicesOf(node).some((one) => {
        const binding = this.names.binding(one)
        if (binding !== undefined) {
          return this.#isLeavingName.ask(binding, () => binding.values.some((value) => this.leaves(value)))
        }
        if (!CALLS.has(one.type) || !("arguments" in one)) return false
        const callee = unwrapped(one.callee)
        const name = writtenName(callee) ?? this.names.importOf(callee)?.name ?? ""
        const isMaking = name === "h" || name.startsWith("createElement")
        return one.arguments.some((arg) =>
          isMaking
            ? LEAVING.has(this.textOf(arg)?.trim().split(" ")[0]?.toLowerCase() ?? "")
            : arg === one.arguments[0] && this.leaves(arg)
        )
      })
    )
  }

  /**
   * The text that an expression evaluates to, with {@link UNKNOWN_PART} for what is not constant, or `null`. If it may
   * be
   * one of two, `isOther` chooses.
   */
  textOf(node: AnyNode | undefined, isOther = false): string | null {
    const inner = (part: AnyNode): string => this.textOf(part, isOther) ?? UNKNOWN_PART
    if (node === undefined || node.type === "SpreadElement") return null
    switch (node.type) {
      case "Literal":
        return typeof node.value === "string" || typeof node.value === "number" ? String(node.value) : null
      case "TemplateLiteral":
        return node.quasis
          .map(
            (quasi, at) =>
              (quasi.value.cooked ?? UNKNOWN_PART) + (node.expressions[at] ? inner(node.expressions[at]) : "")
          )
          .join("")
      case "BinaryExpression": {
        const parts: Array<AnyNode> = []
        let left: AnyNode = node
        for (; left.type === "BinaryExpression" && left.operator === "+"; left = left.left) parts.push(left.right)
        if (parts.length === 0) return null
        const text = [...parts, left].map(inner).toReversed().join("")
        return text.replaceAll(UNKNOWN_PART, "") === "" ? null : text
      }
      case "ConditionalExpression":
        return this.textOf(isOther ? node.alternate : node.consequent, isOther)
      case "ChainExpression":
      case "ParenthesizedExpression":
        return this.textOf(node.expression, isOther)
      case "Identifier": {
        const texts = this.#constants(node)
        return texts?.[isOther ? texts.length - 1 : 0] ?? null
      }
      default:
        return null
    }
  }

  /** {@link Binding.values} holds everything that the name stands for. */
  isSettled({ isOpen, param, taken, items, values }: Binding): boolean {
    return !isOpen && param === null && taken.length + items.length === 0 && values.length > 0
  }

  /** The texts that a name stands for, if it stands for nothing else. */
  #constants(node: AnyNode): ReadonlyArray<string> | null {
    const binding = this.names.binding(node)
    if (binding === undefined || !this.isSettled(binding)) return null
    const known = this.#texts.get(binding)
    if (known !== undefined) return known
    this.#texts.set(binding, null)
    const found = binding.values.flatMap(choicesOf).map((one) => {
      if (one.type === "Identifier") return this.#constants(one)
      // A sum of names could double at every step.
      const text = one.type === "Literal" || one.type === "TemplateLiteral" ? writtenText(one) : null
      return text === null ? null : [text]
    })
    const texts = found.every((one) => one !== null) ? [...new Set(found.flat())].slice(0, MAX_TEXTS) : null
    this.#texts.set(binding, texts)
    return texts
  }
}

/** No page has a name that stands for more texts. */
const MAX_TEXTS = 200

const writtenText = (node: AnyNode): string | null => {
  if (node.type === "Literal") return typeof node.value === "string" ? node.value : null
  if (node.type !== "TemplateLiteral" || node.expressions.length > 0) return null
  return node.quasis[0]?.value.cooked ?? null
}

/** Searches behind names that may stand for each other; every name is visited once. */
class Search {
  readonly #asked = new Set<Binding>()
  #depth = 0

  get isUnderWay(): boolean {
    return this.#depth > 0
  }

  ask(binding: Binding, answer: () => boolean): boolean {
    if (this.#asked.has(binding)) return false
    this.#asked.add(binding)
    this.#depth++
    const found = answer()
    this.#depth--
    if (this.#depth === 0) this.#asked.clear()
    return found
  }
}

/** Whether it holds for everything that a name stands for. False for a name that leads back to itself. */
const everyOnce = (known: Map<Binding, boolean>, binding: Binding, isSo: (value: AnyNode) => boolean): boolean => {
  const before = known.get(binding)
  if (before !== undefined) return before
  known.set(binding, false)
  const found = binding.values.every(isSo)
  known.set(binding, found)
  return found
}
