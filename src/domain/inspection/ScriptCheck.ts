import type { AnyNode } from "acorn"
import { APP_SPECIFIER } from "./HtmlRules.ts"
import type { Finding } from "./HtmlRules.ts"
import type { InspectionContext } from "./Inspection.ts"
import { NameRules } from "./NameRules.ts"
import { PageBehaviour } from "./PageBehaviour.ts"
import { memberUses } from "./MemberUses.ts"
import { PlainValues } from "./PlainValues.ts"
import { ScriptFindings } from "./ScriptFindings.ts"
import { canonicalSpecifier, importOf } from "./ScriptImports.ts"
import type { ScriptImport } from "./ScriptImports.ts"
import type { ParsedScript } from "./ScriptMending.ts"
import type { KnownExports } from "./ScriptRewrites.ts"
import { isPart, ScriptNames } from "./ScriptNames.ts"
import { ScriptSinks } from "./ScriptSinks.ts"
import type { SourceParsers } from "./SourceParsers.ts"

/** Facts about a script that the inspector asks for. */
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
 * Checks a parsed script. The rule is in docs/generation.md: what plainly comes from the browser is used only under
 * written names, none of them forbidden; elements and attributes are made by written names; texts that are read as
 * markup, style or an address must keep the rules for those. {@link PlainValues} says what is plain. The rest is left
 * to the check around computed names, the page's runtime and the CSP.
 */
export const checkScript = (
  parsers: SourceParsers,
  { program, code }: ParsedScript,
  context: InspectionContext & KnownExports
): ScriptFacts => {
  const names = new ScriptNames(parsers, program, context)
  const values = new PlainValues(names)
  const places = memberUses(names)
  const findings = new ScriptFindings()
  const written = (node: AnyNode): string => code.slice(node.start, node.end)
  const sinks = new ScriptSinks(parsers, values, places, findings, written)
  const behaviour = new PageBehaviour(code, values, sinks, context.toolNames)
  const imports: Array<ScriptImport> = []
  const forgotten = new Map<string, string>()
  for (const node of names.nodes) {
    const found = importOf(node)
    if (found !== null) imports.push(found)
    if (node.type === "WithStatement") findings.report("dynamic-code", node.start, "with")
    const part = node.type === "CallExpression" ? names.importOf(node.callee) : null
    if (node.type === "CallExpression" && isPart(part, "h")) sinks.part(node, node.arguments)
    if (node.type === "CallExpression" && (isPart(part, "input") || isPart(part, "form"))) sinks.control(node.arguments)
    const global = names.globalName(node)
    const from = global === "" ? null : names.forgotten(global)
    if (from?.specifier) forgotten.set(global, from.specifier)
    sinks.text(node, names.parent(node))
    behaviour.visit(node)
  }
  new NameRules(values, places, sinks, findings, written).check()
  sinks.finish()
  behaviour.finish(places)
  const hasApp = names.uses(APP_SPECIFIER, "App")
  for (const found of imports) {
    const specifier = found.specifier === null ? null : canonicalSpecifier(found.specifier)
    if (specifier === null || found.kind === "dynamic") {
      findings.report("foreign-import", found.start, found.specifier ?? code.slice(found.start, found.end))
    }
  }
  return { findings: [...findings.all, ...behaviour.findings], imports, behaviour, hasApp, forgotten }
}
