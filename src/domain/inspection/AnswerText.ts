import { INJECTION_PHRASES, INSTRUCTION_PHRASES } from "./HtmlRules.ts"
import type { MarkupSpan } from "./HtmlMarkup.ts"
import type { UiType } from "../documents/UiEntry.ts"

interface Line extends MarkupSpan {
  readonly text: string
}

const linesOf = (text: string): ReadonlyArray<Line> => {
  const lines: Array<Line> = []
  for (let start = 0; start <= text.length;) {
    const newline = text.indexOf("\n", start)
    const end = newline === -1 ? text.length : newline
    lines.push({ start, end, text: text.slice(start, end).trim() })
    start = end + 1
  }
  return lines
}

/** A tag, comment or doctype could begin here; enough to tell prose from a page. */
export const hasTag = (text: string): boolean => /<[a-z!/]/iu.test(text)

const isElementStart = (text: string): boolean => /<[a-z]/iu.test(text)

/**
 * The places that may hold the page of a chatty answer, best first: what stands in a Markdown fence that opens
 * before any element, closed at each of its possible ends, or else the whole answer.
 */
export const pageCandidates = (answer: string): ReadonlyArray<MarkupSpan> => {
  const whole: MarkupSpan = { start: 0, end: answer.length }
  const lines = linesOf(answer)
  const candidates: Array<MarkupSpan> = []
  for (const [index, line] of lines.entries()) {
    if (!line.text.startsWith("```")) continue
    if (isElementStart(answer.slice(0, line.start))) break
    const start = Math.min(line.end + 1, answer.length)
    const closings = lines.slice(index + 1).filter(({ text }) => text.startsWith("```"))
    for (const closing of [...closings, { start: answer.length }]) {
      if (isElementStart(answer.slice(start, closing.start))) candidates.push({ start, end: closing.start })
    }
    if (candidates.length > 0) return candidates
  }
  return [whole]
}

const VERDICTS: ReadonlyMap<string, UiType> = new Map([
  ["rich", "rich"],
  ["minimal", "minimal"]
])

/** Reads `rich`, `minimal` or `verdict: rich` as written in a comment, or alone on a line. */
export const verdictOf = (text: string): UiType | null => {
  const words = text
    .toLowerCase()
    .replaceAll(/[^a-z]+/gu, " ")
    .trim()
    .split(" ")
  const word = words[0] === "verdict" ? words[1] : words[0]
  return words.length <= 2 && (words.length === 1 || words[0] === "verdict") ? (VERDICTS.get(word ?? "") ?? null) : null
}

/** Prose that talks about instructions (requirement V5): more words are a sign when there is no page beside it. */
export const talksAboutInstructions = (prose: string, besidePage: boolean): boolean => {
  const words = prose.toLowerCase().replaceAll(/\s+/gu, " ")
  return (besidePage ? INJECTION_PHRASES : INSTRUCTION_PHRASES).some((phrase) => words.includes(phrase))
}

/** `line 3, column 7`, both from one. */
export const position = (text: string, offset: number): string => {
  const before = text.slice(0, offset)
  const line = before.split("\n").length
  return `line ${line}, column ${offset - before.lastIndexOf("\n")}`
}
