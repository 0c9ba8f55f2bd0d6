import type { AnyNode } from "acorn"
import type { ScriptNames } from "./ScriptNames.ts"
import { writtenName } from "./ScriptSyntax.ts"

/** One place of a script that reaches a member of something; `take` means by a pattern. */
export interface MemberUse {
  readonly node: AnyNode
  readonly kind: "read" | "write" | "call" | "take"
  /** The object; `null` for an object or a class that is written here, and for parameters. */
  readonly object: AnyNode | null
  /** The written name, or `null`: then `key` is the expression. */
  readonly name: string | null
  readonly key: AnyNode | null
  /** The value that is written, if the code shows it. */
  readonly value: AnyNode | null
  readonly args: ReadonlyArray<AnyNode>
  readonly parent: AnyNode | undefined
}

export interface MemberUses {
  readonly uses: ReadonlyArray<MemberUse>
  /** Places that take all members of an object at once. */
  readonly copies: ReadonlyArray<{ readonly node: AnyNode; readonly from: AnyNode | null }>
}

/** The expression that a pattern takes apart. */
const sourceOf = (names: ScriptNames, pattern: AnyNode): AnyNode | null => {
  const parent = names.parent(pattern)
  if (parent?.type === "VariableDeclarator") return parent.init ?? null
  return parent?.type === "AssignmentExpression" ? parent.right : null
}

const isCallee = (node: AnyNode, parent: AnyNode | undefined): boolean =>
  ((parent?.type === "CallExpression" || parent?.type === "NewExpression") && parent.callee === node) ||
  (parent?.type === "TaggedTemplateExpression" && parent.tag === node)

/** The value that is put into a member; `undefined` if none is. */
const writtenInto = (node: AnyNode, parent: AnyNode | undefined): AnyNode | null | undefined => {
  switch (parent?.type) {
    case "AssignmentExpression":
      return parent.left === node ? parent.right : undefined
    case "UnaryExpression":
      return parent.operator === "delete" ? null : undefined
    case "AssignmentPattern":
    case "ForInStatement":
    case "ForOfStatement":
      return parent.left === node ? null : undefined
    case "UpdateExpression":
    case "ArrayPattern":
    case "RestElement":
      return null
    default:
      return undefined
  }
}

export const memberUses = (names: ScriptNames): MemberUses => {
  const uses: Array<MemberUse> = []
  const copies: Array<MemberUses["copies"][number]> = []
  const defined = (node: AnyNode, key: AnyNode, value: AnyNode | null): void => {
    const name = writtenName(node)
    uses.push({
      node,
      kind: "write",
      object: null,
      name,
      key: name === null ? key : null,
      value,
      args: [],
      parent: undefined
    })
  }
  for (const node of names.nodes) {
    const parent = names.parent(node)
    if (node.type === "MemberExpression") {
      const name = writtenName(node)
      const use = {
        node,
        object: node.object,
        name,
        key: name === null ? node.property : null,
        value: null,
        args: [],
        parent
      }
      const isTaken =
        parent?.type === "ObjectPattern" &&
        !parent.properties.some((part) => part.type === "Property" && part.key === node)
      const written = isTaken ? null : writtenInto(node, parent)
      if (written !== undefined) uses.push({ ...use, kind: "write", value: written, parent: undefined })
      if (isCallee(node, parent) && parent !== undefined) {
        const args = "arguments" in parent ? parent.arguments : []
        uses.push({ ...use, kind: "call", node: parent, args, parent: names.parent(parent) })
      } else if (written === undefined || (parent?.type === "AssignmentExpression" && parent.operator !== "=")) {
        uses.push({ ...use, kind: "read" })
      }
    } else if (node.type === "ObjectExpression") {
      for (const part of node.properties) {
        if (part.type === "SpreadElement") copies.push({ node: part, from: part.argument })
        else defined(part, part.key, part.value)
      }
    } else if (node.type === "ObjectPattern") {
      const object = sourceOf(names, node)
      for (const part of node.properties) {
        if (part.type === "RestElement") {
          copies.push({ node: part, from: object })
          continue
        }
        const name = writtenName(part)
        const key = name === null ? part.key : null
        uses.push({ node: part, kind: "take", object, name, key, value: null, args: [], parent: node })
      }
    } else if (node.type === "MethodDefinition" || node.type === "PropertyDefinition") {
      defined(node, node.key, node.value ?? null)
    }
  }
  return { uses, copies }
}
