import { pageCandidates, position, readPageFrame, talksAboutInstructions } from "./AnswerPage.ts"
import type { PageFrame } from "./AnswerPage.ts"
import { attribute, checkMarkup, checkMarkupSyntax, isAppApiScript, isDroppableLink, isHard } from "./html/HtmlCheck.ts"
import { MarkupTooDeep, parseMarkup } from "./html/HtmlMarkup.ts"
import type { Markup, MarkupElement, MarkupSpan } from "./html/HtmlMarkup.ts"
import { HARD_RULES, RAW_TEXT_ELEMENTS, SOFT_RULES } from "./HtmlRules.ts"
import type { Finding, HardRule } from "./HtmlRules.ts"
import type { Inspection, Problem } from "./Inspection.ts"
import { linkSource } from "./linking/LinkedSource.ts"
import { oneLine } from "../tools/PromptText.ts"
import { pageUseFindings } from "./PageUse.ts"
import { lostMembers } from "./scripts/LostMembers.ts"
import { inspectScript } from "./scripts/ScriptInspection.ts"
import type { AnswerContext, MendedScript, ScriptInspection } from "./scripts/ScriptInspection.ts"
import { takesSecret } from "../tools/SecretFields.ts"
import { checkServedMarkup } from "./linking/ServedMarkup.ts"
import { parsersWithMemory } from "./SourceParsers.ts"
import type { SourceParsers } from "./SourceParsers.ts"
import { applyEdits, removal } from "./repair/TextEdits.ts"
import type { TextEdit } from "./repair/TextEdits.ts"

const MAX_PROBLEMS = 12
/** Elements whose end tag may be left out (HTML, "Optional tags"), and those that the linker removes. */
const NEEDS_NO_END_TAG: ReadonlySet<string> = new Set(
  "html head body p li dt dd option optgroup tr td th thead tbody tfoot colgroup rt rp".split(" ")
)

/** Findings that already say why the page as a whole does nothing. */
const COVERED_RULES: ReadonlySet<string> = new Set(["script-syntax", "script-type", "no-result-handler"])

export const byteLength = (text: string): number => new TextEncoder().encode(text).length

/** Describes a finding for the model, with its place in the answer. */
export const describeFinding = (answer: string, finding: Finding): Problem => {
  const { rule, offset, found } = finding
  const advice = finding.advice ?? (isHard(rule) ? HARD_RULES[rule] : SOFT_RULES[rule])
  return { rule, message: `${position(answer, offset)}: ${oneLine(found)}: ${advice}` }
}

/** A problem of the answer as a whole. */
export const generalProblem = (rule: HardRule, found: string): Problem => ({
  rule,
  message: `${found}: ${HARD_RULES[rule]}`
})

export const tooLarge = (bytes: number, context: AnswerContext): Problem | null =>
  bytes <= context.maxHtmlBytes
    ? null
    : generalProblem("too-large", `${bytes} bytes are over the limit of ${context.maxHtmlBytes}`)

/** Only these findings are reported, because finding the place of each in its text takes time. */
const first = (findings: ReadonlyArray<Finding>): ReadonlyArray<Finding> =>
  [
    ...new Map(findings.map((finding) => [`${finding.rule} ${finding.offset} ${finding.found}`, finding])).values()
  ].slice(0, MAX_PROBLEMS)

const unique = (problems: ReadonlyArray<Problem>): ReadonlyArray<Problem> =>
  [...new Map(problems.map((problem) => [problem.message, problem])).values()].slice(0, MAX_PROBLEMS)

const reject = (problems: ReadonlyArray<Problem>, suspectedInjection = false): Inspection => ({
  _tag: "Rejected",
  problems: unique(problems),
  suspectedInjection
})

const chooseMarkup = (
  parsers: SourceParsers,
  answer: string
): { readonly page: MarkupSpan; readonly markup: Markup } => {
  const candidates = pageCandidates(answer)
  let last: { readonly page: MarkupSpan; readonly markup: Markup } | undefined
  for (const page of candidates) {
    last = { page, markup: parseMarkup(parsers, answer.slice(page.start, page.end)) }
    const isOpen = last.markup.elements.some(({ name, closing }) => RAW_TEXT_ELEMENTS.has(name) && closing === "never")
    if (!isOpen) return last
  }
  return last ?? { page: { start: 0, end: answer.length }, markup: parseMarkup(parsers, answer) }
}

/** Collects what is served instead of the page as written. Offsets are those of the page. */
class Examination {
  readonly findings: Array<Finding> = []
  readonly edits: Array<TextEdit> = []
  readonly repairs = new Set<string>()
  readonly scripts: Array<ScriptInspection> = []
  /** The scripts as served, in order. */
  mended: ReadonlyArray<MendedScript> = []
  readonly html: string
  readonly markup: Markup
  readonly #parsers: SourceParsers
  readonly #context: AnswerContext

  constructor(parsers: SourceParsers, html: string, markup: Markup, context: AnswerContext) {
    this.#parsers = parsers
    this.html = html
    this.markup = markup
    this.#context = context
  }

  #repair(repair: string, ...edits: ReadonlyArray<TextEdit>): void {
    this.edits.push(...edits)
    this.repairs.add(repair)
  }

  frame({ words, verdictComments, verdict }: PageFrame): void {
    for (const span of words) this.#repair("left out the words around the page", removal(this.html, span))
    const afterwards = new Set(words.map(({ start }) => start))
    for (const { start, end } of verdictComments) {
      const isFree = this.html[end] === "\n" && !afterwards.has(end)
      this.edits.push(removal(this.html, { start, end: isFree ? end + 1 : end }))
    }
    if (verdict === null) this.repairs.add("took the verdict to be rich, because there is a module script")
  }

  elements(): void {
    const { elements } = this.markup
    const dropped = new Set(elements.filter((element) => isDroppableLink(element) || isAppApiScript(element)))
    const kept = elements.filter((element) => !dropped.has(element))
    for (const element of dropped) {
      const name = element.name === "link" ? attribute(element, "href") : attribute(element, "src")
      this.#repair(`left out <${element.name}> for ${name ?? "nothing"}`, removal(this.html, element))
    }
    this.findings.push(...checkMarkupSyntax(this.markup, this.html))
    this.findings.push(...checkMarkup({ ...this.markup, elements: kept }, this.html, 0))
    const scripts = kept.filter((element) => element.name === "script" && attribute(element, "src") === undefined)
    for (const element of scripts) this.#script(element)
    if (!this.scripts.some(({ kind }) => kind === "module")) this.#classicScript()
    for (const { findings, repairs } of this.scripts) {
      this.findings.push(...findings)
      for (const repair of repairs) this.repairs.add(repair)
    }
    this.#secrets()
    this.findings.push(...pageUseFindings(this.markup, this.scripts, this.#context))
    const last = this.#forgottenConnect()
    this.mended = this.scripts.map((script) => script.mended(script === last?.script ? last.statement : undefined))
    for (const { edits } of this.mended) this.edits.push(...edits)
  }

  /** Reports a field for a secret if what a person types there is sent anywhere and the tool has no such input. */
  #secrets(): void {
    const sends = this.scripts.some(({ facts }) => facts?.behaviour.sends === true)
    const allowed = this.#context.inputNames
    const kept = this.findings.filter(
      ({ rule, found }) => rule !== "secret-field" || (sends && allowed !== undefined && !takesSecret(found, allowed))
    )
    this.findings.splice(0, this.findings.length, ...kept)
  }

  #script(element: MarkupElement): void {
    this.scripts.push(inspectScript(this.#parsers, this.html, element, this.#context))
  }

  /** In a page without a module, a classic script may have been meant as one. */
  #classicScript(): void {
    for (const [index, { element, kind }] of this.scripts.entries()) {
      if (kind !== "script") continue
      const again = inspectScript(this.#parsers, this.html, element, this.#context, true)
      if (again.kind !== "module") continue
      this.scripts[index] = again
      return
    }
  }

  #forgottenConnect(): { readonly script: ScriptInspection; readonly statement: string } | undefined {
    if (
      this.scripts.some(({ facts }) => facts?.behaviour.callsShow === true || facts?.behaviour.callsConnect === true)
    ) {
      return undefined
    }
    const script = this.scripts.find(({ kind, facts }) => kind === "module" && facts?.behaviour.appVariable)
    if (script === undefined) return undefined
    this.repairs.add("connected the App at the end of its script")
    return { script, statement: `await ${script.facts?.behaviour.appVariable}.connect();` }
  }

  /** What the page as a whole lacks. */
  missing(): ReadonlyArray<Problem> {
    if (this.findings.some(({ rule }) => COVERED_RULES.has(rule))) return []
    const behaviours = this.scripts.flatMap(({ facts }) => (facts === null ? [] : [facts]))
    if (!this.scripts.some(({ kind }) => kind === "module")) {
      return [generalProblem("no-module-script", "the page has no module script")]
    }
    if (behaviours.some(({ behaviour }) => behaviour.callsShow)) return []
    const hasApp = behaviours.some((facts) => facts.hasApp)
    const isConnected = behaviours.some(({ behaviour }) => behaviour.callsConnect || behaviour.appVariable !== null)
    if (!hasApp || !isConnected) return [generalProblem("no-connect", "nothing connects the page to the host")]
    if (behaviours.some(({ behaviour }) => behaviour.takesResults)) return []
    return [generalProblem("no-result-handler", "nothing takes the results of the tool")]
  }

  /** Removes an end tag that was cut off; returns where anything else is unfinished. */
  unfinished(): number | null {
    const { unfinished, comments } = this.markup
    const rest = unfinished === null ? "" : this.html.slice(unfinished)
    if (unfinished !== null && /^<\/[a-z]*\s*$/iu.test(rest)) {
      const edit = { start: unfinished, end: this.html.length, text: "" }
      this.#repair("took away an end tag that was cut off", edit)
      return null
    }
    return unfinished ?? comments.find(({ closed }) => !closed)?.start ?? null
  }

  close(): void {
    const open = this.markup.elements.filter(({ name, closing }) => closing === "never" && !NEEDS_NO_END_TAG.has(name))
    if (open.length === 0) return
    const tags = open.map(({ name }) => `</${name}>`).toReversed()
    const end = this.html.length
    this.#repair(`added the missing ${tags.join("")}`, { start: end, end, text: tags.join("") })
  }
}

/** Says why a browser would not read the page as it was inspected, or `null`. Throws what the parsers throw. */
const changesWhenServed = (
  parsers: SourceParsers,
  source: string,
  mended: ReadonlyArray<MendedScript>
): string | null => {
  const page = linkSource(parsers, source)
  const scripts = page.elements.filter(({ name }) => name === "script")
  const isSame =
    scripts.length === mended.length &&
    scripts.every(({ given, type }, at) => {
      const wanted = mended[at]
      return given === wanted?.code && (type.trim().toLowerCase() === "module") === wanted.isModule
    })
  return isSame ? checkServedMarkup(parsers, page) : "its scripts are not the ones that are written"
}

/** Decides about a finished answer: see `HtmlInspector.inspect`. Throws only what the parsers throw. */
export const inspectAnswer = (parsers: SourceParsers, given: string, context: AnswerContext): Inspection => {
  try {
    return inspectMarkup(parsersWithMemory(parsers), given, context)
  } catch (error) {
    if (error instanceof MarkupTooDeep) return reject([generalProblem("ambiguous-markup", error.message)])
    throw error
  }
}

const inspectMarkup = (parsers: SourceParsers, given: string, context: AnswerContext): Inspection => {
  const answer = given.startsWith("\uFEFF") ? given.slice(1) : given
  const large = tooLarge(byteLength(answer), context)
  if (large !== null) return reject([large])
  const { page, markup } = chooseMarkup(parsers, answer)
  const frame = readPageFrame(parsers, answer, page, markup)
  const hasElements = markup.elements.length > 0
  if (talksAboutInstructions(frame.prose, hasElements)) {
    return reject([generalProblem("prompt-injection", "the answer talks about instructions")], true)
  }
  if (frame.contradiction !== null) {
    const found = answer.slice(frame.contradiction, answer.indexOf(">", frame.contradiction) + 1)
    return reject([describeFinding(answer, { rule: "two-verdicts", offset: frame.contradiction, found })])
  }
  const { before } = context
  if (frame.verdict === "minimal" && before !== undefined) {
    return reject([generalProblem("data-lost", "the answer is minimal, and there is a page already")])
  }
  if (frame.verdict === "minimal") {
    const repairs = hasElements ? ["left out what followed the verdict minimal"] : []
    return { _tag: "Accepted", uiType: "minimal", source: null, repairs, warnings: [] }
  }
  if (!hasElements) return reject([generalProblem("not-html", "the answer is no page")])
  const html = answer.slice(page.start, page.end)
  const seen = new Examination(parsers, html, markup, context)
  if (html.length < answer.length) seen.repairs.add("took the page out of its Markdown fence")
  seen.frame(frame)
  seen.elements()
  const described = (finding: Finding): Problem =>
    describeFinding(answer, { ...finding, offset: page.start + finding.offset })
  const problems = first(seen.findings.filter(({ rule }) => isHard(rule))).map(described)
  const unfinished = seen.unfinished()
  if (unfinished !== null) {
    const found = html.slice(unfinished, unfinished + 30).split("\n")[0] ?? ""
    problems.push(described({ rule: "unfinished", offset: unfinished, found }))
  }
  problems.push(...seen.missing())
  if (problems.length > 0) return reject(problems)
  seen.close()
  const source = applyEdits(html, seen.edits).trim()
  const lost = before === undefined ? [] : lostMembers(parsers, source, before)
  if (lost.length > 0) return reject([generalProblem("data-lost", lost.join(", "))])
  const changed = changesWhenServed(parsers, source, seen.mended)
  if (changed !== null) return reject([generalProblem("ambiguous-markup", oneLine(changed))])
  const warnings = first(seen.findings.filter(({ rule }) => !isHard(rule))).map(described)
  return {
    _tag: "Accepted",
    uiType: "rich",
    source,
    repairs: [...seen.repairs],
    warnings: unique(warnings).map(({ rule, message }) => `${rule}: ${message}`)
  }
}
