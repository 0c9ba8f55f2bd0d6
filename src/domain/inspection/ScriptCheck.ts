import type { AnyNode } from "acorn"
import { APP_SPECIFIER } from "./HtmlRules.ts"
import type { Finding } from "./HtmlRules.ts"
import type { InspectionContext } from "./Inspection.ts"
import { NameRules } from "./NameRules.ts"
import { PageBehaviour } from "./PageBehaviour.ts"
import { isPart } from "./PartCalls.ts"
import { ScriptFindings } from "./ScriptFindings.ts"
import { canonicalSpecifier, importOf } from "./ScriptImports.ts"
import type { ScriptImport } from "./ScriptImports.ts"
import type { ParsedScript } from "./ScriptMending.ts"
import type { KnownExports } from "./ScriptRewrites.ts"
import { ScriptSinks } from "./ScriptSinks.ts"
import { ScriptValues } from "./ScriptValues.ts"
import type { SourceParsers } from "./SourceParsers.ts"

/** What a script does that the inspector asks about. */
export interface ScriptFacts {
  /** Offsets are those of the script. */
  readonly findings: ReadonlyArray<Finding>
  readonly imports: ReadonlyArray<ScriptImport>
  readonly behaviour: PageBehaviour
  /** Makes an App of ext-apps. */
  readonly hasApp: boolean
  /** Names whose imports were forgotten, with the specifiers. */
  readonly forgotten: ReadonlyMap<string, string>
}

/**
 * Looks through a script that parsed. The rule is in docs/generation.md: what plainly comes from the browser is used under names
 * that stand in the code, and none of these is forbidden; elements and attributes are made by names that stand in the code;
 * texts that are read as markup, style or an address are held to the rules for those. {@link ScriptValues} says what the
 * browser gives, and what is the page's own. What only running code shows is left to the runtime and the CSP.
 */
export const checkScript = (
  parsers: SourceParsers,
  { program, code, kind }: ParsedScript,
  context: InspectionContext & KnownExports
): ScriptFacts => {
  const script = new ScriptValues(parsers, program, kind, context)
  const findings = new ScriptFindings()
  const written = (node: AnyNode): string => code.slice(node.start, node.end)
  const sinks = new ScriptSinks(parsers, script, findings, written)
  const behaviour = new PageBehaviour(code, script, sinks, context.toolNames)
  const imports: Array<ScriptImport> = []
  parsers.walk.fullAncestor(program, (node, _state, ancestors) => {
    const found = importOf(node)
    if (found !== null) imports.push(found)
    if (node.type === "WithStatement") findings.report("dynamic-code", node.start, "with")
    const part = node.type === "CallExpression" ? script.importOf(node.callee, ancestors) : null
    if (node.type === "CallExpression" && isPart(part, "h")) sinks.part(node, node.arguments)
    if (node.type === "CallExpression" && (isPart(part, "input") || isPart(part, "form"))) sinks.control(node.arguments)
    sinks.text(node, ancestors.at(-2))
    behaviour.visit(node, ancestors)
  })
  if (script.values.isTooMuch) findings.report("too-complicated", 0, "the script")
  new NameRules(script, sinks, findings, written).check()
  sinks.finish()
  behaviour.finish()

  const forgotten = new Map<string, string>()
  for (const { name } of script.globals) {
    const from = script.names.forgotten(name)
    if (from?.specifier) forgotten.set(name, from.specifier)
  }
  const hasApp = script.names.uses(APP_SPECIFIER, "App")
  for (const found of imports) {
    const specifier = found.specifier === null ? null : canonicalSpecifier(found.specifier)
    if (specifier === null || found.kind === "dynamic") {
      findings.report("foreign-import", found.start, found.specifier ?? code.slice(found.start, found.end))
    }
  }
  return { findings: [...findings.all, ...behaviour.findings], imports, behaviour, hasApp, forgotten }
}
