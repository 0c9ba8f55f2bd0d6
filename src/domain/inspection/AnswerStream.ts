import { byteLength, describeFinding, generalProblem, tooLarge } from "./AnswerInspection.ts"
import { FENCE, firstTag, openingFence, readPreamble, talksAboutInstructions } from "./AnswerPage.ts"
import { checkMarkup, isAppApiScript, isDroppableLink, isHard } from "./html/HtmlCheck.ts"
import { MarkupTooDeep, markupReader } from "./html/HtmlMarkup.ts"
import type { MarkupElement, MarkupReader } from "./html/HtmlMarkup.ts"
import { RAW_TEXT_ELEMENTS } from "./HtmlRules.ts"
import type { Finding } from "./HtmlRules.ts"
import type { Problem } from "./Inspection.ts"
import { leadingForeignImports } from "./scripts/ScriptImports.ts"
import { inspectScript, isDataScript, scriptTypeFinding } from "./scripts/ScriptInspection.ts"
import type { AnswerContext } from "./scripts/ScriptInspection.ts"
import type { SourceParsers } from "./SourceParsers.ts"

/**
 * An answer is stopped after this much prose without a tag: models are too slow to still write a page within the
 * budget.
 */
export const MAX_PROSE = 2000

/** The first statements of a script are read once this many characters are there. */
const SCRIPT_HEAD = 400

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff

const isRawText = ({ name }: MarkupElement): boolean => RAW_TEXT_ELEMENTS.has(name)

interface StreamedPage {
  readonly start: number
  readonly isFenced: boolean
  readonly reader: MarkupReader
}

/**
 * Follows one answer while it arrives and finds the first reason to stop it. Every character is read once. An element
 * is checked when it closes; a script that is still open is checked by its start tag and its first imports.
 * It never stops what `inspectAnswer` would accept, except prose longer than {@link MAX_PROSE}.
 */
export class AnswerStream {
  readonly context: AnswerContext
  readonly #parsers: SourceParsers
  /** What was looked at so far. */
  text = ""
  #bytes = 0
  #counted = 0
  #stopped: Problem | null = null
  /** Nothing that follows can be wrong: the verdict was minimal, or the fence around the page is closed. */
  #isSettled = false
  #page: StreamedPage | null = null
  /** Where the next line of a fenced page begins. */
  #lines = 0
  #isFenceClosed = false
  #searched = 0
  #isBegun = false
  #checked = 0
  /** An element whose text has not ended yet. */
  #open: MarkupElement | null = null
  #isHeadRead = false

  constructor(parsers: SourceParsers, context: AnswerContext) {
    this.#parsers = parsers
    this.context = context
  }

  /**
   * Checks the answer as far as it has arrived; it must begin with what the last look saw. Throws what the parsers
   * throw.
   */
  look(given: string): Problem | null {
    const answer = given.startsWith("\uFEFF") ? given.slice(1) : given
    if (this.#stopped !== null) return this.#stopped
    this.text = answer
    // Half a surrogate pair has no length of its own yet.
    const end = isHighSurrogate(answer.charCodeAt(answer.length - 1)) ? answer.length - 1 : answer.length
    this.#bytes += byteLength(answer.slice(this.#counted, end))
    this.#counted = end
    this.#stopped = tooLarge(this.#bytes, this.context) ?? (this.#isSettled ? null : this.#lookDown(answer))
    return this.#stopped
  }

  #lookDown(answer: string): Problem | null {
    try {
      return this.#lookOn(answer)
    } catch (error) {
      if (error instanceof MarkupTooDeep) return generalProblem("ambiguous-markup", error.message)
      throw error
    }
  }

  #lookOn(answer: string): Problem | null {
    if (this.#page === null) {
      const tag = firstTag(answer, Math.max(0, this.#searched - 1))
      this.#searched = answer.length
      if (tag === -1) return this.#prose(answer)
      const fence = openingFence(answer)
      if (fence !== undefined && fence.end === answer.length) {
        this.#searched = 0
        return null
      }
      this.#page = {
        start: fence === undefined ? 0 : fence.end + 1,
        isFenced: fence !== undefined,
        reader: markupReader(this.#parsers)
      }
      this.#lines = this.#page.start
    }
    const { start, isFenced, reader } = this.#page
    if (isFenced) this.#readFenced(answer, this.#page)
    else reader.read(answer.slice(start))
    if (!this.#isBegun && reader.elements.length > 0) {
      const problem = this.#begin(answer, start + (reader.elements[0]?.start ?? 0))
      if (problem !== null || this.#isSettled) return problem
    }
    return this.#elements(answer, start, reader)
  }

  #prose(answer: string): Problem | null {
    if (/<[!/]/u.test(answer)) return null
    if (talksAboutInstructions(answer, true)) {
      return generalProblem("prompt-injection", "the answer talks about instructions")
    }
    return answer.length > MAX_PROSE
      ? generalProblem("not-html", "the answer begins with a long text and no page")
      : null
  }

  /** Reads whole lines, up to the one that closes the fence. */
  #readFenced(answer: string, { start, reader }: StreamedPage): void {
    while (!this.#isFenceClosed) {
      const end = answer.indexOf("\n", this.#lines)
      if (end === -1) return
      const line = answer.slice(this.#lines, end).trim()
      this.#isFenceClosed = line.startsWith(FENCE) && reader.elements.length > 0 && !reader.isInRawText()
      if (this.#isFenceClosed) return
      this.#lines = end + 1
      reader.read(answer.slice(start, this.#lines))
    }
  }

  /** Reads the text before the first element, once that element is there. */
  #begin(answer: string, firstElement: number): Problem | null {
    this.#isBegun = true
    const { prose, verdict, contradiction } = readPreamble(this.#parsers, answer.slice(0, firstElement))
    if (talksAboutInstructions(prose, true)) {
      return generalProblem("prompt-injection", "the answer talks about instructions")
    }
    if (contradiction !== null) {
      const found = answer.slice(contradiction, answer.indexOf(">", contradiction) + 1)
      return describeFinding(answer, { rule: "two-verdicts", offset: contradiction, found })
    }
    this.#isSettled = verdict === "minimal"
    return null
  }

  #elements(answer: string, start: number, reader: MarkupReader): Problem | null {
    const html = answer.slice(start)
    const findings: Array<Finding> = []
    for (; this.#checked < reader.elements.length && this.#open === null; this.#checked++) {
      const element = reader.elements[this.#checked]
      if (element === undefined || isDroppableLink(element) || isAppApiScript(element)) continue
      if (isRawText(element) && element.closing === "never") {
        this.#open = element
        this.#isHeadRead = false
      } else findings.push(...this.#element(element, html))
    }
    if (this.#open !== null && this.#open.closing !== "never") {
      findings.push(...this.#element(this.#open, html))
      this.#open = null
      const problem = this.#worst(answer, start, findings)
      return problem ?? this.#elements(answer, start, reader)
    }
    if (this.#open !== null) findings.push(...this.#openElement(this.#open, html))
    return this.#worst(answer, start, findings)
  }

  #worst(answer: string, start: number, findings: ReadonlyArray<Finding>): Problem | null {
    // An open element is not a mistake yet. A field for a secret is one only if the page sends it somewhere.
    const hard = findings.find(({ rule }) => isHard(rule) && rule !== "ambiguous-markup" && rule !== "secret-field")
    return hard === undefined ? null : describeFinding(answer, { ...hard, offset: start + hard.offset })
  }

  #element(element: MarkupElement, html: string): ReadonlyArray<Finding> {
    const findings = hardFindings(element, html)
    if (element.name !== "script" || findings.length > 0) return findings
    return inspectScript(this.#parsers, html, element, this.context).findings
  }

  /** Checks what a script shows before its end: its start tag and its first imports. */
  #openElement(element: MarkupElement, html: string): ReadonlyArray<Finding> {
    if (element.name !== "script" || this.#isHeadRead || html.length - element.openEnd < SCRIPT_HEAD) return []
    this.#isHeadRead = true
    const strange = scriptTypeFinding(element)
    if (strange !== null) return [strange]
    const findings = hardFindings({ ...element, contentEnd: element.openEnd }, html)
    if (findings.length > 0 || isDataScript(element)) return findings
    return leadingForeignImports(this.#parsers, html.slice(element.openEnd)).map(({ start, specifier }) => ({
      rule: "foreign-import",
      offset: element.openEnd + start,
      found: specifier
    }))
  }
}

const hardFindings = (element: MarkupElement, html: string): ReadonlyArray<Finding> => {
  const markup = { elements: [element], comments: [], texts: [], doctypes: [], cdata: [], unfinished: null }
  return checkMarkup(markup, html, 0).filter(({ rule }) => isHard(rule))
}
