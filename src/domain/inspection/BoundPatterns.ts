import type { Pattern } from "acorn"
import type { ConstantTexts } from "./ConstantTexts.ts"
import { EVENT_MEMBERS, VIEW_PATH } from "./HtmlRules.ts"
import type { BoundValue, Destructured } from "./ScriptBindings.ts"
import { UNKNOWN_PART } from "./Urls.ts"

/** Takes patterns apart: which name or member gets what. */
export class BoundPatterns {
  /** Every member that a pattern took and put somewhere. */
  readonly destructured: Array<Destructured> = []
  readonly #texts: ConstantTexts

  constructor(texts: ConstantTexts) {
    this.#texts = texts
  }

  /** Calls `bind` for every name of a pattern, with what is put into it. */
  bind(pattern: Pattern, value: BoundValue | null, bind: (name: string, value: BoundValue | null) => void): void {
    switch (pattern.type) {
      case "Identifier":
        bind(pattern.name, value)
        this.#remember(pattern, value)
        break
      case "MemberExpression":
        this.#remember(pattern, value)
        break
      case "AssignmentPattern":
        this.bind(pattern.left, value, bind)
        if (value !== null) this.bind(pattern.left, { node: pattern.right, keys: [], ancestors: value.ancestors }, bind)
        break
      case "RestElement":
        this.bind(pattern.argument, value, bind)
        break
      case "ArrayPattern":
        for (const element of pattern.elements) if (element !== null) this.bind(element, null, bind)
        break
      case "ObjectPattern":
        for (const property of pattern.properties) {
          if (property.type === "RestElement") {
            this.bind(property.argument, value, bind)
            continue
          }
          const key = this.#texts.memberName(property, value?.ancestors ?? []) ?? UNKNOWN_PART
          const event = EVENT_MEMBERS.has(key) ? { node: property, keys: [], ancestors: [], path: VIEW_PATH } : null
          this.bind(property.value, value === null ? event : { ...value, keys: [...value.keys, key] }, bind)
        }
        break
    }
  }

  #remember(target: Pattern, value: BoundValue | null): void {
    if (value !== null && value.keys.length > 0) this.destructured.push({ at: target.start, value, target })
  }
}
