import type { AnyNode } from "acorn"

/** The expression in `(…)`, or the one before `?.`. */
export const unwrapped = (node: AnyNode): AnyNode =>
  node.type === "ChainExpression" || node.type === "ParenthesizedExpression" ? unwrapped(node.expression) : node

/** The name of a member or a property as written; `null` if it is computed. */
export const writtenName = (node: AnyNode | null | undefined): string | null => {
  if (!node || !("computed" in node)) return null
  const key = node.type === "MemberExpression" ? node.property : node.key
  if (key.type === "PrivateIdentifier") return `#${key.name}`
  if (!node.computed && key.type === "Identifier") return key.name
  return key.type === "Literal" && typeof key.value === "string" ? key.value : null
}

export const isTarget = (node: AnyNode, parent: AnyNode | undefined): boolean => {
  switch (parent?.type) {
    case "AssignmentExpression":
      return parent.left === node && parent.operator === "="
    case "AssignmentPattern":
    case "ForInStatement":
    case "ForOfStatement":
      return parent.left === node
    case "ArrayPattern":
    case "RestElement":
      return true
    default:
      return false
  }
}
