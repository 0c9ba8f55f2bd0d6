import type { CallExpression, NewExpression } from "acorn"
import { APP_SPECIFIER } from "./HtmlRules.ts"
import type { Ancestors } from "./ScriptBindings.ts"
import { canonicalSpecifier } from "./ScriptImports.ts"
import type { ScriptScope } from "./ScriptScope.ts"
import { UNKNOWN_PART } from "./Urls.ts"

/** Functions that only read what they are given. */
const READING_CALLS: ReadonlySet<string> = new Set(["String", "Boolean", "URL", "PostMessageTransport"])
const COMPARISONS: ReadonlySet<string> = new Set("== != === !== instanceof in +".split(" "))
/** Around the global object or `location`, these do not hand it on. */
const READING_NODES: ReadonlySet<string> = new Set(
  (
    "UnaryExpression ExpressionStatement IfStatement WhileStatement DoWhileStatement ForStatement ForInStatement " +
    "SwitchStatement SwitchCase TemplateLiteral UpdateExpression ObjectPattern RestElement ArrayPattern AssignmentPattern"
  ).split(" ")
)
/** These are what the last or any of their parts is; the scope follows them. */
const PASSING_NODES: ReadonlySet<string> = new Set(
  "AwaitExpression ConditionalExpression LogicalExpression SequenceExpression ChainExpression ParenthesizedExpression".split(
    " "
  )
)

/** The call only reads the argument at this place, or the scope follows it into the function that is called. */
const onlyReads = (
  scope: ScriptScope,
  call: CallExpression | NewExpression,
  index: number,
  ancestors: Ancestors
): boolean => {
  if (scope.followsArgument(call, index, ancestors)) return true
  const { callee } = call
  if (callee.type === "Identifier") {
    const binding = scope.resolve(callee.name, ancestors)
    if (binding === undefined) return READING_CALLS.has(callee.name)
    return binding.imported !== null && canonicalSpecifier(binding.imported.specifier) === APP_SPECIFIER
  }
  if (callee.type !== "MemberExpression" || callee.object.type !== "Identifier") return false
  if (scope.resolve(callee.object.name, ancestors) !== undefined) return false
  if (callee.object.name === "console") return true
  const key = call.arguments[1]
  const isGet = callee.object.name === "Reflect" && scope.memberName(callee, ancestors) === "get"
  if (!isGet || key === undefined || key.type === "SpreadElement") return false
  const text = scope.staticText(key, ancestors)
  return text !== null && !text.includes(UNKNOWN_PART)
}

/**
 * The value of an expression goes where the scope does not follow it: into an object, a list, a result, a function
 * that is not known. `ancestors` are those of the expression, and itself.
 */
export const isHandedOn = (scope: ScriptScope, ancestors: Ancestors, index = ancestors.length - 1): boolean => {
  const node = ancestors[index]
  const around = ancestors[index - 1]
  if (node === undefined || around === undefined || READING_NODES.has(around.type)) return false
  if (PASSING_NODES.has(around.type)) {
    const isTest = around.type === "ConditionalExpression" && around.test === node
    const isGuard = around.type === "LogicalExpression" && around.operator === "&&" && around.left === node
    const isLeftOut = around.type === "SequenceExpression" && around.expressions.at(-1) !== node
    return !isTest && !isGuard && !isLeftOut && isHandedOn(scope, ancestors, index - 1)
  }
  const outer = ancestors.slice(0, index)
  switch (around.type) {
    case "MemberExpression":
      return around.computed && around.property === node
    case "BinaryExpression":
      return !COMPARISONS.has(around.operator)
    case "VariableDeclarator":
    case "ForOfStatement":
      return false
    case "AssignmentExpression": {
      if (around.left === node) return false
      const isBound =
        around.left.type === "ObjectPattern" ||
        (around.left.type === "Identifier" && scope.resolve(around.left.name, outer) !== undefined)
      return !isBound || isHandedOn(scope, ancestors, index - 1)
    }
    case "Property": {
      const holder = ancestors[index - 2]
      return holder?.type === "ObjectExpression" && scope.memberName(around, outer) !== "view"
    }
    case "CallExpression":
    case "NewExpression": {
      const argument = around.arguments.findIndex((given) => given === node)
      return around.callee !== node && !onlyReads(scope, around, argument, outer)
    }
    case "FunctionDeclaration":
    case "FunctionExpression":
      return false
    case "ArrowFunctionExpression":
      return around.body === node
    default:
      return true
  }
}
