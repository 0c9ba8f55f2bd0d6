import { hasTag, pageCandidates, position, talksAboutInstructions, verdictOf } from "./AnswerText.ts"
import { attribute, checkMarkup, isAppApiScript, isDroppableLink } from "./HtmlCheck.ts"
import { parseMarkup } from "./HtmlMarkup.ts"
import type { Markup, MarkupElement, MarkupSpan } from "./HtmlMarkup.ts"
import {
  APP_SPECIFIER,
  CLASSIC_SCRIPT_TYPES,
  DATA_SCRIPT_TYPES,
  HARD_RULES,
  PARTS_SPECIFIER,
  RAW_TEXT_ELEMENTS,
  SOFT_RULES
} from "./HtmlRules.ts"
import type { Finding, HardRule } from "./HtmlRules.ts"
import type { Inspection, InspectionContext, Problem } from "./Inspection.ts"
import { oneLine } from "../documents/PromptData.ts"
import { checkScript, parseScript } from "./ScriptCheck.ts"
import type { ScriptFacts } from "./ScriptCheck.ts"
import { canonicalSpecifier } from "./ScriptImports.ts"
import type { SourceParsers } from "./SourceParsers.ts"
import { applyEdits } from "./TextEdits.ts"
import type { TextEdit } from "./TextEdits.ts"
import type { UiType } from "../documents/UiEntry.ts"

export interface AnswerContext extends InspectionContext {
  /** What `mcp-gen-ui/parts` exports, if it is known: imports of other names are refused, forgotten ones added. */
  readonly partNames: ReadonlySet<string>
}

const MAX_PROBLEMS = 12
/** Elements whose end tag may be left out (HTML, "Optional tags"), and those that the linker takes away. */
const NEEDS_NO_END_TAG: ReadonlySet<string> = new Set(
  "html head body p li dt dd option optgroup tr td th thead tbody tfoot colgroup rt rp".split(" ")
)

const byteLength = (text: string): number => new TextEncoder().encode(text).length

const isHard = (rule: string): rule is HardRule => Object.hasOwn(HARD_RULES, rule)

/** Everything that one look at an answer gathers. Offsets are those of the answer. */
interface Examination {
  readonly page: MarkupSpan
  readonly markup: Markup
  readonly verdict: UiType | null
  readonly prose: string
  readonly findings: Array<Finding>
  readonly edits: Array<TextEdit>
  readonly repairs: Set<string>
  moduleScripts: number
  parsedScripts: number
  callsShow: boolean
  connects: boolean
  takesResults: boolean
}

const chooseMarkup = (
  parsers: SourceParsers,
  answer: string
): { readonly page: MarkupSpan; readonly markup: Markup } => {
  const candidates = pageCandidates(answer).map((page) => ({
    page,
    markup: parseMarkup(parsers, answer.slice(page.start, page.end))
  }))
  const complete = candidates.find(
    ({ markup }) => !markup.elements.some(({ name, closing }) => RAW_TEXT_ELEMENTS.has(name) && closing === "never")
  )
  return (
    complete ?? candidates.at(-1) ?? { page: { start: 0, end: answer.length }, markup: parseMarkup(parsers, answer) }
  )
}

const isOutermost = (parent: MarkupElement | null): boolean =>
  parent === null || (["html", "head"].includes(parent.name) && parent.parent === null)

const examineScript = (
  parsers: SourceParsers,
  answer: string,
  element: MarkupElement,
  context: AnswerContext,
  seen: Examination
): void => {
  const base = seen.page.start
  const at = base + element.openEnd
  const code = answer.slice(at, base + element.contentEnd)
  const typeAttribute = element.attributes.find(({ name }) => name === "type")
  const type = (typeAttribute?.value ?? "").trim().toLowerCase()
  if (DATA_SCRIPT_TYPES.has(type)) return
  if (type !== "module" && !CLASSIC_SCRIPT_TYPES.has(type)) {
    seen.findings.push({ rule: "script-type", offset: base + element.start, found: `<script type="${type}">` })
    return
  }
  let sourceType: "module" | "script" = type === "module" ? "module" : "script"
  let program = parseScript(parsers, code, sourceType)
  if (sourceType === "script" && !("type" in program)) {
    const asModule = parseScript(parsers, code, "module")
    if ("type" in asModule) {
      program = asModule
      sourceType = "module"
      const text = typeAttribute === undefined ? ' type="module"' : 'type="module"'
      const start = typeAttribute === undefined ? base + element.start + "<script".length : base + typeAttribute.start
      seen.edits.push({ start, end: typeAttribute === undefined ? start : base + typeAttribute.end, text })
      seen.repairs.add('gave the script type="module", because it imports')
    }
  }
  if (!("type" in program)) {
    seen.findings.push({ rule: "script-syntax", offset: at + program.offset, found: program.message })
    return
  }
  if (sourceType === "module") seen.moduleScripts++
  seen.parsedScripts++
  const facts = checkScript(parsers, program, code, sourceType, { offset: at, toolNames: context.toolNames })
  seen.findings.push(...facts.findings)
  repairImports(facts, at, sourceType, context, seen)
  seen.callsShow ||= facts.callsShow
  seen.connects ||= facts.connects
  seen.takesResults ||= facts.takesResults
}

const repairImports = (
  facts: ScriptFacts,
  at: number,
  sourceType: "module" | "script",
  context: AnswerContext,
  seen: Examination
): void => {
  const imported = new Set<string>()
  for (const found of facts.imports) {
    const specifier = found.specifier === null ? null : canonicalSpecifier(found.specifier)
    if (specifier === null) continue
    imported.add(specifier)
    if (specifier !== found.specifier) {
      const text = JSON.stringify(specifier)
      seen.edits.push({ start: at + found.specifierStart, end: at + found.specifierEnd, text })
      seen.repairs.add(`imports ${specifier} by its own name instead of ${found.specifier}`)
    }
    if (specifier !== PARTS_SPECIFIER || context.partNames.size === 0) continue
    for (const { imported: name } of found.names) {
      if (name === "*" || name === "default" || context.partNames.has(name)) continue
      seen.findings.push({ rule: "unknown-part", offset: at + found.start, found: name })
    }
  }
  if (sourceType !== "module") return
  const forgotten = [...facts.globals].filter((name) => context.partNames.has(name))
  const usesParts = imported.has(PARTS_SPECIFIER) || forgotten.includes("show")
  if (usesParts && forgotten.length > 0) {
    seen.edits.push({ start: at, end: at, text: `import { ${forgotten.join(", ")} } from "${PARTS_SPECIFIER}";` })
    seen.repairs.add(`added the forgotten import of ${forgotten.join(", ")}`)
    if (forgotten.includes("show")) seen.callsShow = true
  }
  if (facts.globals.has("App") && !imported.has(APP_SPECIFIER)) {
    seen.edits.push({ start: at, end: at, text: `import { App } from "${APP_SPECIFIER}";` })
    seen.repairs.add("added the forgotten import of App")
  }
}

const examineElements = (parsers: SourceParsers, answer: string, context: AnswerContext, seen: Examination): void => {
  const base = seen.page.start
  const dropped = new Set<number>()
  for (const element of seen.markup.elements) {
    if (!isDroppableLink(element) && !isAppApiScript(element)) continue
    dropped.add(base + element.start)
    seen.edits.push({ start: base + element.start, end: base + element.end, text: "" })
    const name = element.name === "link" ? attribute(element, "href") : attribute(element, "src")
    seen.repairs.add(`left out <${element.name}> for ${name ?? "nothing"}`)
  }
  const isDropped = (finding: Finding): boolean =>
    seen.markup.elements.some(
      (element) =>
        dropped.has(base + element.start) &&
        finding.offset >= base + element.start &&
        finding.offset < base + element.end
    )
  const html = answer.slice(base, seen.page.end)
  seen.findings.push(...checkMarkup(seen.markup, html, base).filter((finding) => !isDropped(finding)))
  for (const element of seen.markup.elements) {
    if (element.name !== "script" || dropped.has(base + element.start)) continue
    if (attribute(element, "src") === undefined) examineScript(parsers, answer, element, context, seen)
  }
}

const pageStart = (markup: Markup): number =>
  Math.min(
    ...markup.elements.map(({ start }) => start),
    ...markup.doctypes.map(({ start }) => start),
    ...markup.comments.map(({ start }) => start)
  )

const pageEnd = (markup: Markup): number =>
  Math.max(0, ...markup.elements.map(({ end }) => end), ...markup.comments.map(({ end }) => end))

const examine = (parsers: SourceParsers, answer: string, context: AnswerContext, partial: boolean): Examination => {
  const { page, markup } = chooseMarkup(parsers, answer)
  const outside: Array<string> = [answer.slice(0, page.start), answer.slice(page.end)]
  const edits: Array<TextEdit> = []
  const repairs = new Set<string>()
  if (page.start > 0 || page.end < answer.length) repairs.add("took the page out of its Markdown fence")
  const first = pageStart(markup)
  const last = pageEnd(markup)
  for (const text of markup.texts) {
    if (!isOutermost(text.parent) || (text.start >= first && text.start < last)) continue
    const prose = answer.slice(page.start + text.start, page.start + text.end)
    outside.push(prose)
    edits.push({ start: page.start + text.start, end: page.start + text.end, text: "" })
  }
  const comments = [...parseMarkup(parsers, outside[0] ?? "").comments, ...markup.comments]
  const prose = outside
    .join("\n")
    .split("\n")
    .filter((line) => !line.trim().startsWith("```"))
    .join("\n")
  const verdictComment = comments.find(({ text }) => verdictOf(text) !== null)
  const verdictLine = prose.split("\n").find((line) => verdictOf(line) !== null)
  const verdict = verdictOf(verdictComment?.text ?? "") ?? verdictOf(verdictLine ?? "")
  if (edits.length > 0) repairs.add("left out the words around the page")
  for (const comment of markup.comments) {
    if (verdictOf(comment.text) === null) continue
    const start = page.start + comment.start
    const end = page.start + comment.end
    edits.push({ start, end: answer[end] === "\n" ? end + 1 : end, text: "" })
  }
  const seen: Examination = {
    page,
    markup: partial ? finishedMarkup(markup) : markup,
    verdict,
    prose,
    findings: [],
    edits,
    repairs,
    moduleScripts: 0,
    parsedScripts: 0,
    callsShow: false,
    connects: false,
    takesResults: false
  }
  examineElements(parsers, answer, context, seen)
  return seen
}

/** While it streams, raw text without an end is not read yet. */
const finishedMarkup = (markup: Markup): Markup => ({ ...markup, elements: markup.elements.filter(isFinished) })

const isFinished = ({ name, closing }: MarkupElement): boolean => !(RAW_TEXT_ELEMENTS.has(name) && closing === "never")

const describe = (answer: string, finding: Finding): Problem => {
  const { rule, offset, found } = finding
  const advice = isHard(rule) ? HARD_RULES[rule] : SOFT_RULES[rule]
  return { rule, message: `${position(answer, offset)}: ${oneLine(found)}: ${advice}` }
}

const unique = (problems: ReadonlyArray<Problem>): ReadonlyArray<Problem> =>
  [...new Map(problems.map((problem) => [problem.message, problem])).values()].slice(0, MAX_PROBLEMS)

const reject = (problems: ReadonlyArray<Problem>, suspectedInjection = false): Inspection => ({
  _tag: "Rejected",
  problems: unique(problems),
  suspectedInjection
})

const general = (rule: HardRule, found: string): Problem => ({ rule, message: `${found}: ${HARD_RULES[rule]}` })

const tooLarge = (answer: string, context: AnswerContext): Problem | null => {
  const bytes = byteLength(answer)
  if (bytes <= context.maxHtmlBytes) return null
  return general("too-large", `${bytes} bytes are over the limit of ${context.maxHtmlBytes}`)
}

const closeWhatIsOpen = (answer: string, seen: Examination): void => {
  const open = seen.markup.elements.filter(({ name, closing }) => closing === "never" && !NEEDS_NO_END_TAG.has(name))
  if (open.length > 0) {
    const tags = open.map(({ name }) => `</${name}>`).toReversed()
    // After every removal: what follows an unclosed element is inside of it.
    seen.edits.push({ start: answer.length, end: answer.length, text: tags.join("") })
    seen.repairs.add(`added the missing ${tags.join("")}`)
  }
}

const missing = (seen: Examination): ReadonlyArray<Problem> => {
  if (seen.findings.some(({ rule }) => rule === "script-syntax")) return []
  if (seen.moduleScripts === 0) return [general("no-module-script", "the page has no module script")]
  if (seen.callsShow) return []
  if (!seen.connects) return [general("no-connect", "nothing connects the page to the host")]
  return seen.takesResults ? [] : [general("no-result-handler", "nothing takes the results of the tool")]
}

/** Decides about a finished answer: see `HtmlInspector.inspect`. Throws only what the parsers throw. */
export const inspectAnswer = (parsers: SourceParsers, given: string, context: AnswerContext): Inspection => {
  const answer = given.startsWith("\uFEFF") ? given.slice(1) : given
  const large = tooLarge(answer, context)
  if (large !== null) return reject([large])
  const seen = examine(parsers, answer, context, false)
  const hasElements = seen.markup.elements.length > 0
  if (talksAboutInstructions(seen.prose, hasElements)) {
    return reject([general("prompt-injection", "the answer talks about instructions")], true)
  }
  if (seen.verdict === "minimal") {
    const repairs = hasElements ? ["left out what followed the verdict minimal"] : []
    return { _tag: "Accepted", uiType: "minimal", source: null, repairs, warnings: [] }
  }
  if (!hasElements) return reject([general("not-html", "the answer is no page")])
  const unclosedComment = seen.markup.comments.find(({ closed }) => !closed)
  const unfinished = seen.markup.unfinished ?? unclosedComment?.start ?? null
  const problems = seen.findings.filter(({ rule }) => isHard(rule)).map((finding) => describe(answer, finding))
  if (unfinished !== null) {
    const offset = seen.page.start + unfinished
    const found = answer.slice(offset, offset + 30).split("\n")[0] ?? ""
    problems.push(describe(answer, { rule: "unfinished", offset, found }))
  }
  problems.push(...missing(seen))
  if (problems.length > 0) return reject(problems)
  if (seen.verdict === null) seen.repairs.add("took the verdict to be rich, because there is a module script")
  closeWhatIsOpen(answer, seen)
  const inside = seen.edits.map(({ start, end, text }) => ({
    start: Math.min(start, seen.page.end) - seen.page.start,
    end: Math.min(end, seen.page.end) - seen.page.start,
    text
  }))
  const warnings = seen.findings.filter(({ rule }) => !isHard(rule)).map((finding) => describe(answer, finding))
  return {
    _tag: "Accepted",
    uiType: "rich",
    source: applyEdits(answer.slice(seen.page.start, seen.page.end), inside).trim(),
    repairs: [...seen.repairs],
    warnings: unique(warnings).map(({ rule, message }) => `${rule}: ${message}`)
  }
}

/** Characters of prose without any tag after which an answer will not become a page any more. */
const MAX_PREAMBLE = 800

/** Looks at an answer that still streams: see `HtmlInspector.inspectPartial`. Throws only what the parsers throw. */
export const inspectPartialAnswer = (
  parsers: SourceParsers,
  answer: string,
  context: AnswerContext
): Problem | null => {
  const large = tooLarge(answer, context)
  if (large !== null) return large
  if (!hasTag(answer)) {
    if (talksAboutInstructions(answer, true)) return general("prompt-injection", "the answer talks about instructions")
    return answer.length > MAX_PREAMBLE ? general("not-html", "the answer begins with a long text and no page") : null
  }
  const seen = examine(parsers, answer, context, true)
  if (seen.verdict === "minimal") return null
  // An open element is no mistake yet.
  const hard = seen.findings.find(({ rule }) => isHard(rule) && rule !== "ambiguous-markup")
  return hard === undefined ? null : describe(answer, hard)
}
