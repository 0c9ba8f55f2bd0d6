import type { AnyNode } from "acorn"
import { attribute } from "../html/HtmlCheck.ts"
import type { MarkupElement } from "../html/HtmlMarkup.ts"
import { APP_SPECIFIER, CLASSIC_SCRIPT_TYPES, DATA_SCRIPT_TYPES, PARTS_SPECIFIER } from "../HtmlRules.ts"
import type { Finding } from "../HtmlRules.ts"
import type { InspectionContext } from "../Inspection.ts"
import { escapeScript } from "../linking/ScriptEscape.ts"
import { parseScript } from "../repair/ScriptMending.ts"
import type { ParsedScript, ScriptKind } from "../repair/ScriptMending.ts"
import { exportsOf, rewriteScript } from "../repair/ScriptRewrites.ts"
import type { KnownExports } from "../repair/ScriptRewrites.ts"
import { nearestNames } from "../repair/SimilarNames.ts"
import { applyEdits, offsetBefore } from "../repair/TextEdits.ts"
import type { TextEdit } from "../repair/TextEdits.ts"
import type { SourceParsers } from "../SourceParsers.ts"
import { memberUses } from "./MemberUses.ts"
import { NameRules } from "./NameRules.ts"
import { PageBehaviour } from "./PageBehaviour.ts"
import { PlainValues } from "./PlainValues.ts"
import { ScriptFindings } from "./ScriptFindings.ts"
import { canonicalSpecifier, importOf } from "./ScriptImports.ts"
import type { ScriptImport } from "./ScriptImports.ts"
import { isPart, ScriptNames } from "./ScriptNames.ts"
import { ScriptSinks } from "./ScriptSinks.ts"

export interface AnswerContext extends InspectionContext, KnownExports {}

/** How a script is served, and the edits that make it so. Offsets are those of the page. */
export interface MendedScript {
  readonly isModule: boolean
  readonly code: string
  readonly edits: ReadonlyArray<TextEdit>
}

/** One script of a page, inspected. Offsets are those of the page. */
export interface ScriptInspection {
  readonly element: MarkupElement
  /** `null` for data, and for what is not JavaScript or does not parse. */
  readonly kind: ScriptKind | null
  readonly facts: ScriptFacts | null
  readonly findings: ReadonlyArray<Finding>
  readonly repairs: ReadonlyArray<string>
  /** The element as served; `last` is a statement to put after all others. */
  readonly mended: (last?: string) => MendedScript
}

const NOTHING_KNOWN: KnownExports = { partNames: new Set(), appNames: new Set() }

const unread = (html: string, element: MarkupElement, findings: ReadonlyArray<Finding>): ScriptInspection => ({
  element,
  kind: null,
  facts: null,
  findings,
  repairs: [],
  mended: () => ({ isModule: false, code: html.slice(element.openEnd, element.contentEnd), edits: [] })
})

/** What the start tag of a script alone shows to be wrong. */
export const scriptTypeFinding = (element: MarkupElement): Finding | null => {
  const type = scriptType(element)
  if (type === "module" || CLASSIC_SCRIPT_TYPES.has(type) || DATA_SCRIPT_TYPES.has(type)) return null
  const found = `<script type="${type}">`
  if (!NOT_JAVASCRIPT.has(type)) return { rule: "script-type", offset: element.start, found }
  const advice = 'nothing compiles JSX or TypeScript here: write plain JavaScript in <script type="module">'
  return { rule: "script-type", offset: element.start, found, advice }
}

const NOT_JAVASCRIPT: ReadonlySet<string> = new Set(
  "text/babel text/jsx text/typescript text/tsx application/typescript text/ts jsx tsx ts text/coffeescript".split(" ")
)

const scriptType = (element: MarkupElement): string => (attribute(element, "type") ?? "").trim().toLowerCase()

/** The script holds data, which no browser runs. */
export const isDataScript = (element: MarkupElement): boolean => DATA_SCRIPT_TYPES.has(scriptType(element))

/** Applies the rewrites of whole statements, and parses the result. */
const rewritten = (parsers: SourceParsers, parsed: ParsedScript, known: KnownExports): ParsedScript => {
  const { edits, repairs } = rewriteScript(parsed.program, parsed.code, known)
  if (edits.length === 0) return parsed
  const code = applyEdits(parsed.code, edits)
  const again = parseScript(parsers, code, parsed.kind)
  // Skip edits that break the script: the inspector then reports what is wrong with the original.
  if (!("program" in again)) return parsed
  return {
    ...again,
    repairs: [...parsed.repairs, ...repairs],
    offsetBefore: (offset) => parsed.offsetBefore(offsetBefore(edits, offset))
  }
}

const unknownNames = (imports: ReadonlyArray<ScriptImport>, known: KnownExports): ReadonlyArray<Finding> =>
  imports.flatMap(({ specifier: written, names }) => {
    const specifier = written === null ? null : canonicalSpecifier(written)
    const exported = specifier === null ? null : exportsOf(specifier, known)
    if (exported === null) return []
    return names.flatMap(({ imported, start }): ReadonlyArray<Finding> => {
      if (imported === "*" || imported === "default" || exported.has(imported)) return []
      const near = nearestNames(imported, exported)
      const rule = specifier === PARTS_SPECIFIER ? "unknown-part" : "unknown-export"
      const finding: Finding = { rule, offset: start, found: imported }
      return [near.length === 0 ? finding : { ...finding, advice: `it does not exist; there is ${near.join(", ")}` }]
    })
  })

/** Statements for forgotten imports, with messages about them. */
const forgottenImports = ({
  forgotten
}: ScriptFacts): ReadonlyArray<readonly [statement: string, repair: string, names: ReadonlyArray<string>]> =>
  [PARTS_SPECIFIER, APP_SPECIFIER].flatMap((specifier) => {
    const names = [...forgotten].flatMap(([name, from]) => (from === specifier ? [name] : []))
    if (names.length === 0) return []
    const statement = `import { ${names.join(", ")} } from "${specifier}";`
    return [[statement, `added the forgotten import of ${names.join(", ")}`, names] as const]
  })

/** Facts about a script that the inspector asks for. */
interface ScriptFacts {
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
const checkScript = (
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
  return { findings: [...findings.all, ...behaviour.findings.all], imports, behaviour, hasApp, forgotten }
}

/**
 * Reads one `<script>` element without `src`: parses it, mends what it can, and checks the rest. `alone` means that no
 * other script of the page is a module: then a classic script that uses the parts becomes one.
 */
export const inspectScript = (
  parsers: SourceParsers,
  html: string,
  element: MarkupElement,
  context: AnswerContext,
  alone = false
): ScriptInspection => {
  const strange = scriptTypeFinding(element)
  if (strange !== null) return unread(html, element, [strange])
  if (isDataScript(element)) return unread(html, element, [])
  const type = scriptType(element)
  const at = element.openEnd
  const given = html.slice(at, element.contentEnd)
  const outcome = parseScript(parsers, given, type === "module" ? "module" : "script")
  if (!("program" in outcome)) {
    return unread(html, element, [{ rule: "script-syntax", offset: at + outcome.offset, found: outcome.message }])
  }
  const parsed = rewritten(parsers, outcome, context)
  const mayImport = parsed.kind === "module" || alone
  const facts = checkScript(parsers, parsed, mayImport ? context : { ...context, ...NOTHING_KNOWN })
  const forgotten = forgottenImports(facts)
  const kind = forgotten.length > 0 ? "module" : parsed.kind
  const repairs = [...parsed.repairs, ...facts.behaviour.repairs, ...forgotten.map(([, repair]) => repair)]
  const typeEdit = kind === "module" && type !== "module" ? [moduleType(element)] : []
  if (typeEdit.length > 0) repairs.push('gave the script type="module", because it imports')
  const findings = [...facts.findings, ...unknownNames(facts.imports, context)]
  return {
    element,
    kind,
    facts,
    findings: findings.map((finding) => movedTo(finding, at + parsed.offsetBefore(finding.offset))),
    repairs,
    mended: (last) => {
      const isModule = kind === "module"
      const statements = forgotten.map(([statement]) => statement).join("")
      const body = applyEdits(parsed.code, facts.behaviour.edits)
      const whole = statements + body + (last === undefined ? "" : `\n${last}\n`)
      if (whole === given) return { isModule, code: given, edits: typeEdit }
      // Decoded or moved code may now close the element around it.
      const code = escapeScript(parsers, whole, kind)
      return { isModule, code, edits: [...typeEdit, { start: at, end: at + given.length, text: code }] }
    }
  }
}

const movedTo = (finding: Finding, offset: number): Finding => ({ ...finding, offset })

const moduleType = (element: MarkupElement): TextEdit => {
  const written = element.attributes.find(({ name }) => name === "type")
  const start = element.start + "<script".length
  return written === undefined
    ? { start, end: start, text: ' type="module"' }
    : { start: written.start, end: written.end, text: 'type="module"' }
}
