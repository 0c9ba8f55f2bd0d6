import type { AnyNode } from "acorn"
import { GlobalUse } from "./GlobalUse.ts"
import { APP_SPECIFIER, PARTS_SPECIFIER } from "./HtmlRules.ts"
import type { Finding } from "./HtmlRules.ts"
import { PageBehaviour } from "./PageBehaviour.ts"
import type { Ancestors } from "./ScriptBindings.ts"
import { ScriptFindings } from "./ScriptFindings.ts"
import { canonicalSpecifier } from "./ScriptImports.ts"
import type { ScriptImport } from "./ScriptImports.ts"
import type { ParsedScript } from "./ScriptMending.ts"
import { scopeOf } from "./ScriptScope.ts"
import { ScriptSinks } from "./ScriptSinks.ts"
import type { SourceParsers } from "./SourceParsers.ts"

/** What a script does that the inspector asks about. */
export interface ScriptFacts {
  /** Offsets are those of the script. */
  readonly findings: ReadonlyArray<Finding>
  readonly imports: ReadonlyArray<ScriptImport>
  readonly behaviour: PageBehaviour
  /** Makes an App of ext-apps. */
  readonly hasApp: boolean
  /** Names of globals that are used, for imports that were forgotten. */
  readonly globals: ReadonlySet<string>
}

/** Members and names that a pattern puts something into. */
const targetsOf = (node: AnyNode): ReadonlyArray<AnyNode | null> => {
  switch (node.type) {
    case "ArrayPattern":
      return node.elements
    case "ObjectPattern":
      return node.properties.map((property) => (property.type === "Property" ? property.value : property))
    case "RestElement":
      return [node.argument]
    case "AssignmentPattern":
      return [node.left]
    default:
      return []
  }
}

/**
 * Looks through a script that parsed. It follows aliases of globals (`const w = window`), destructuring, constant
 * computed names, `Reflect.get`, listeners of events, and names that are given to a function of the script; where the
 * global object or `location` would leave that path (into an object, a list, a result, an unknown function), it refuses
 * the script. Texts are refused where they are read as markup, style or an address; all of them, if some text that is
 * read as markup is not constant. What it can not see, the host's CSP stops, except for navigation by what only running
 * code knows: a document or an event's target that is handed on, a link of the page's own markup.
 */
export const checkScript = (
  parsers: SourceParsers,
  { program, code, kind }: ParsedScript,
  toolNames: ReadonlyArray<string>
): ScriptFacts => {
  const scope = scopeOf(parsers, program, kind)
  const behaviour = new PageBehaviour(code, scope, toolNames)
  const findings = new ScriptFindings()
  const globals = new GlobalUse(code, scope, findings)
  const sinks = new ScriptSinks(parsers, scope, findings, behaviour.elements)

  const assignment = (target: AnyNode, value: AnyNode | null, ancestors: Ancestors): void => {
    const isAddress = globals.assignment(target, value, ancestors)
    sinks.assignment(target, value, ancestors, isAddress, code.slice(target.start, target.end))
  }
  const visit = (node: AnyNode, ancestors: Ancestors): void => {
    switch (node.type) {
      case "Identifier":
      case "MemberExpression":
        globals.reference(node, ancestors)
        break
      case "CallExpression":
      case "NewExpression":
        globals.call(node, ancestors)
        sinks.call(node, ancestors)
        break
      case "AssignmentExpression":
        assignment(node.left, node.right, ancestors)
        break
      case "ForInStatement":
      case "ForOfStatement":
        assignment(node.left, null, ancestors)
        break
      case "UpdateExpression":
        assignment(node.argument, null, ancestors)
        break
      default:
        for (const target of targetsOf(node)) if (target !== null) assignment(target, null, ancestors)
        sinks.property(node, ancestors)
        sinks.text(node, ancestors)
    }
  }
  parsers.walk.fullAncestor(program, (node, _state, ancestors) => {
    visit(node, ancestors)
    behaviour.visit(node, ancestors)
  })
  for (const member of scope.destructured) globals.destructured(member)
  sinks.finish()
  if (!scope.spend(0)) findings.report("too-complicated", 0, "the script")
  behaviour.finish()

  let hasApp = globals.names.has("App")
  for (const found of scope.imports) {
    const specifier = found.specifier === null ? null : canonicalSpecifier(found.specifier)
    if (specifier === null) {
      findings.report("foreign-import", found.start, found.specifier ?? code.slice(found.start, found.end))
    }
    if (specifier === APP_SPECIFIER) hasApp = true
    if (specifier === PARTS_SPECIFIER && found.kind === "dynamic") behaviour.callsShow = true
  }
  return {
    findings: [...findings.all, ...behaviour.findings],
    imports: scope.imports,
    behaviour,
    hasApp,
    globals: globals.names
  }
}
