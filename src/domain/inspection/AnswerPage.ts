import { INJECTION_PHRASES, INSTRUCTION_PHRASES } from "./HtmlRules.ts"
import { parseMarkup } from "./html/HtmlMarkup.ts"
import type { Markup, MarkupSpan } from "./html/HtmlMarkup.ts"
import type { SourceParsers } from "./SourceParsers.ts"
import type { UiType } from "../tools/UiEntry.ts"

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

export const FENCE = "```"

/** Where the first tag begins that could be an element; -1 if there is none. */
export const firstTag = (text: string, from = 0): number => {
  const at = text.slice(from).search(/<[a-z]/iu)
  return at === -1 ? -1 : from + at
}

/** The line of a Markdown fence before the first element, if there is one. */
export const openingFence = (answer: string): MarkupSpan | undefined => {
  const tag = firstTag(answer)
  return linesOf(answer).find(({ text, start }) => text.startsWith(FENCE) && tag >= start)
}

/**
 * The places that may hold the page of a chatty answer, best first: the content of a Markdown fence that opens before
 * any element (once for each possible end), or else the whole answer.
 */
export const pageCandidates = (answer: string): ReadonlyArray<MarkupSpan> => {
  const whole: MarkupSpan = { start: 0, end: answer.length }
  const fence = answer.includes(FENCE) ? openingFence(answer) : undefined
  if (fence === undefined) return [whole]
  const start = Math.min(fence.end + 1, answer.length)
  const tag = firstTag(answer, start)
  const ends = linesOf(answer).flatMap((line) =>
    line.text.startsWith(FENCE) && line.start >= start ? [line.start] : []
  )
  const candidates = [...ends, answer.length].filter((end) => tag !== -1 && tag + 1 < end)
  return candidates.length === 0 ? [whole] : candidates.map((end) => ({ start, end }))
}

const VERDICTS: ReadonlyMap<string, UiType> = new Map([
  ["rich", "rich"],
  ["minimal", "minimal"]
])

/** Reads `rich`, `minimal` or `verdict: rich` as written in a comment, or alone on a line. */
const verdictOf = (text: string): UiType | null => {
  const words = text
    .toLowerCase()
    .replaceAll(/[^a-z]+/gu, " ")
    .trim()
    .split(" ")
  const word = words[0] === "verdict" ? words[1] : words[0]
  return words.length <= 2 && (words.length === 1 || words[0] === "verdict") ? (VERDICTS.get(word ?? "") ?? null) : null
}

/** The text before the first element of an answer. */
export interface Preamble {
  /** The words around the page. */
  readonly prose: string
  /** Read from a comment, or from a line of the prose if no comment has one. */
  readonly verdict: UiType | null
  /** Where a verdict contradicts the one before it. */
  readonly contradiction: number | null
}

/** Reads {@link Preamble} from everything before the first element. */
export const readPreamble = (parsers: SourceParsers, before: string): Preamble => {
  const { texts, comments } = parseMarkup(parsers, before)
  const prose = withoutFences(texts.map(({ start, end }) => before.slice(start, end)).join("\n"))
  const verdicts = comments.flatMap(({ text, start }) => {
    const verdict = verdictOf(text)
    return verdict === null ? [] : [{ verdict, start }]
  })
  const first = verdicts[0]?.verdict ?? null
  const line = prose.split("\n").find((text) => verdictOf(text) !== null)
  return {
    prose,
    verdict: first ?? verdictOf(line ?? ""),
    contradiction: verdicts.find(({ verdict }) => verdict !== first)?.start ?? null
  }
}

const withoutFences = (text: string): string =>
  text
    .split("\n")
    .filter((line) => !line.trim().startsWith(FENCE))
    .join("\n")

/** The prose around a page and its verdict, with the places to remove before the page is served. */
export interface PageFrame extends Preamble {
  /** Offsets of the page. */
  readonly verdictComments: ReadonlyArray<MarkupSpan>
  readonly words: ReadonlyArray<MarkupSpan>
}

const isOutermost = ({ parent }: Markup["texts"][number]): boolean =>
  parent === null || (["html", "head"].includes(parent.name) && parent.parent === null)

export const readPageFrame = (parsers: SourceParsers, answer: string, page: MarkupSpan, markup: Markup): PageFrame => {
  const verdictComments = markup.comments.filter(({ text }) => verdictOf(text) !== null)
  const spans = [
    ...markup.elements,
    ...markup.doctypes,
    ...markup.comments.filter(({ text }) => verdictOf(text) === null)
  ]
  const first = spans.reduce((least, { start }) => Math.min(least, start), Infinity)
  const last = spans.reduce((most, { end }) => Math.max(most, end), 0)
  const words = markup.texts.filter((text) => isOutermost(text) && (text.start < first || text.start >= last))
  const firstElement = markup.elements[0]?.start
  const preamble = readPreamble(
    parsers,
    answer.slice(0, firstElement === undefined ? answer.length : page.start + firstElement)
  )
  const outside = [preamble.prose, ...words.map(({ start, end }) => answer.slice(page.start + start, page.start + end))]
  const later = verdictComments.find(({ text }) => verdictOf(text) === "rich")
  return {
    prose: withoutFences([...outside, answer.slice(page.end)].join("\n")),
    verdict: preamble.verdict ?? (later === undefined ? null : "rich"),
    contradiction: preamble.contradiction,
    verdictComments,
    words
  }
}

/** Without a page beside the prose, more phrases count as a sign. */
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
