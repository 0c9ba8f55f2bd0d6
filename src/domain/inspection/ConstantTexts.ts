import type { AnyNode } from "acorn"
import type { Ancestors, Binding, ScriptBindings } from "./ScriptBindings.ts"
import type { StepBudget } from "./StepBudget.ts"
import { UNKNOWN_PART } from "./Urls.ts"

/** Longer texts, which only texts that repeat themselves make, are not constant. */
const MAX_TEXT = 100_000

const limited = (text: string): string | null => (text.length > MAX_TEXT ? null : text)
const known = (text: string | null): string | null => (text === null || text.includes(UNKNOWN_PART) ? null : text)

/** What expressions evaluate to where that is a text which the script holds. */
export class ConstantTexts {
  readonly #bindings: ScriptBindings
  readonly #budget: StepBudget
  /** Texts of bindings; `null` also while they are read. */
  readonly #texts = new Map<Binding, string | null>()

  constructor(bindings: ScriptBindings, budget: StepBudget) {
    this.#bindings = bindings
    this.#budget = budget
  }

  /** Reads the texts of bindings again: to be called when values were added. */
  forget(): void {
    this.#texts.clear()
  }

  /** The text that an expression evaluates to, with {@link UNKNOWN_PART} for what is not constant; or `null`. */
  textOf(node: AnyNode, ancestors: Ancestors): string | null {
    if (!this.#budget.spend(1)) return null
    switch (node.type) {
      case "Literal":
        return typeof node.value === "string" || typeof node.value === "number" ? String(node.value) : null
      case "TemplateLiteral": {
        let text = ""
        for (const [index, quasi] of node.quasis.entries()) {
          const expression = node.expressions[index]
          text += quasi.value.cooked ?? UNKNOWN_PART
          if (expression !== undefined) text += this.textOf(expression, ancestors) ?? UNKNOWN_PART
          if (text.length > MAX_TEXT) return null
        }
        return text
      }
      case "BinaryExpression": {
        let left: AnyNode = node
        const parts: Array<string | null> = []
        while (left.type === "BinaryExpression" && left.operator === "+") {
          parts.push(this.textOf(left.right, ancestors))
          left = left.left
        }
        if (node.operator !== "+") return null
        parts.push(this.textOf(left, ancestors))
        if (parts.every((part) => part === null)) return null
        return limited(
          parts
            .toReversed()
            .map((part) => part ?? UNKNOWN_PART)
            .join("")
        )
      }
      case "ParenthesizedExpression":
        return this.textOf(node.expression, ancestors)
      case "Identifier":
        return this.#textOfName(node.name, ancestors)
      default:
        return null
    }
  }

  #textOfName(name: string, ancestors: Ancestors): string | null {
    const binding = this.#bindings.resolve(name, ancestors)
    const value = binding?.values[0]
    if (binding?.values.length !== 1 || value === undefined || value.keys.length > 0) return null
    if (value.isArgument === true) return null
    const before = this.#texts.get(binding)
    if (before !== undefined) return before
    this.#texts.set(binding, null)
    const text = this.textOf(value.node, value.ancestors)
    this.#texts.set(binding, text)
    return text
  }

  /** The name of a member that is read or written down, if it is constant. */
  memberName(node: AnyNode, ancestors: Ancestors): string | null {
    if (node.type === "MemberExpression") {
      if (node.property.type === "PrivateIdentifier") return null
      if (!node.computed) return node.property.type === "Identifier" ? node.property.name : null
      return known(this.textOf(node.property, ancestors))
    }
    if (node.type === "Property") {
      if (!node.computed && node.key.type === "Identifier") return node.key.name
      return known(this.textOf(node.key, ancestors))
    }
    return null
  }
}
