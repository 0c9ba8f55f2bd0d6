import { HTML_INTEGRATION_POINTS, RAW_TEXT_ELEMENTS } from "../HtmlRules.ts"
import type { SourceParsers } from "../SourceParsers.ts"

/** Offsets are UTF-16 units of the parsed text; `end` is exclusive. */
export interface MarkupSpan {
  readonly start: number
  readonly end: number
}

export interface MarkupAttribute extends MarkupSpan {
  readonly name: string
  /** With entities decoded; `""` if there is none. */
  readonly value: string
}

/** How an element ended: by its own tag, by another tag, as void or `/>`, or never. */
type MarkupClosing = "tag" | "implied" | "void" | "never"

/** The ancestors of an element that matter, at any distance. */
interface MarkupSurroundings {
  readonly svg: boolean
  /** The browser reads it by the rules for SVG: it is inside an `<svg>`, with no HTML integration point between. */
  readonly foreign: boolean
  readonly select: boolean
  readonly label: boolean
  readonly template: boolean
}

export interface MarkupElement extends MarkupSpan {
  readonly name: string
  readonly attributes: ReadonlyArray<MarkupAttribute>
  readonly parent: MarkupElement | null
  readonly inside: MarkupSurroundings
  /** Where its start tag ends and its content begins. */
  readonly openEnd: number
  readonly contentEnd: number
  readonly closing: MarkupClosing
}

interface MarkupComment extends MarkupSpan {
  readonly text: string
  readonly closed: boolean
}

export interface Markup {
  readonly elements: ReadonlyArray<MarkupElement>
  readonly comments: ReadonlyArray<MarkupComment>
  /** Text outside raw text elements, unless it is only white space. */
  readonly texts: ReadonlyArray<MarkupSpan & { readonly parent: MarkupElement | null }>
  readonly doctypes: ReadonlyArray<MarkupSpan>
  readonly cdata: ReadonlyArray<number>
  /** Where an unfinished tag starts. */
  readonly unfinished: number | null
}

type Draft = { -readonly [K in keyof MarkupElement]: MarkupElement[K] }

/** Browsers flatten elements that are nested deeper than about this. */
const MAX_DEPTH = 500

export class MarkupTooDeep extends Error {
  override readonly name = "MarkupTooDeep"
  constructor() {
    super(`elements are nested more than ${MAX_DEPTH} deep`)
  }
}

const OUTERMOST: MarkupSurroundings = { svg: false, foreign: false, select: false, label: false, template: false }

const insideOf = (parent: MarkupElement | undefined): MarkupSurroundings => {
  if (parent === undefined) return OUTERMOST
  const { name, inside } = parent
  if (name === "svg") return inside.foreign ? inside : { ...inside, svg: true, foreign: true }
  if (inside.foreign && HTML_INTEGRATION_POINTS.has(name)) return { ...inside, foreign: false }
  if (name === "select" || name === "label" || name === "template") return { ...inside, [name]: true }
  return inside
}

const isClosedComment = (comment: string): boolean =>
  comment.startsWith("<!--") ? comment.endsWith("-->") || comment.endsWith("--!>") : comment.endsWith(">")

/** Reads markup while it arrives. The lists hold what was found so far; positions are those of the whole text. */
export interface MarkupReader {
  readonly elements: ReadonlyArray<MarkupElement>
  readonly comments: ReadonlyArray<MarkupComment>
  /** Reads on to the end of `html`, which begins with what was read before. */
  readonly read: (html: string) => void
  /** Whether an element with text content is open. */
  readonly isInRawText: () => boolean
  readonly end: () => Markup
}

/** Reads markup piece by piece. Its `read` throws {@link MarkupTooDeep}. */
export const markupReader = (parsers: SourceParsers): MarkupReader => {
  let html = ""
  const elements: Array<Draft> = []
  const comments: Array<MarkupComment> = []
  const texts: Array<MarkupSpan & { readonly parent: MarkupElement | null }> = []
  const doctypes: Array<MarkupSpan> = []
  const cdata: Array<number> = []
  const stack: Array<Draft> = []
  let attributes: Array<MarkupAttribute> = []
  let inTag = false
  let ending = false
  let consumed = 0

  const tagEnd = (from: number): number => {
    const end = html.indexOf(">", from)
    return end === -1 ? html.length : end + 1
  }

  /**
   * Where a tag or comment begins: the parser counts the rest of an end tag with a slash or attributes to the next one.
   */
  const bracket = (): number => {
    const at = html.indexOf("<", parser.startIndex)
    return at === -1 || at > parser.endIndex ? parser.startIndex : at
  }

  const parser = new parsers.htmlparser2.Parser(
    {
      onopentagname() {
        inTag = true
        attributes = []
      },
      onattribute(name, value) {
        const attribute = { name, value, start: parser.startIndex, end: parser.endIndex }
        if (inTag) attributes.push(attribute)
        else {
          // The parser says nothing about a form inside a form; a browser may still see it.
          const { start, end } = attribute
          const parent = stack.at(-1) ?? null
          elements.push({
            name: "form",
            attributes: [attribute],
            parent,
            inside: insideOf(stack.at(-1)),
            start,
            end,
            openEnd: end,
            contentEnd: end,
            closing: "void"
          })
        }
      },
      onopentag(name) {
        inTag = false
        if (stack.length >= MAX_DEPTH) throw new MarkupTooDeep()
        const openEnd = Math.min(parser.endIndex + 1, html.length)
        const element: Draft = {
          name,
          attributes,
          parent: stack.at(-1) ?? null,
          inside: insideOf(stack.at(-1)),
          start: bracket(),
          openEnd,
          contentEnd: html.length,
          end: html.length,
          closing: "never"
        }
        attributes = []
        consumed = openEnd
        elements.push(element)
        stack.push(element)
      },
      onclosetag(name, implied) {
        const element = stack.pop()
        if (element === undefined) return
        if (element.name !== name || ending) return
        if (!implied && parser.endIndex >= element.openEnd) {
          element.closing = "tag"
          element.contentEnd = html.lastIndexOf("</", parser.endIndex)
          element.end = tagEnd(parser.endIndex)
          consumed = element.end
        } else if (parser.endIndex < element.openEnd) {
          element.closing = "void"
          element.contentEnd = element.openEnd
          element.end = element.openEnd
        } else {
          element.closing = "implied"
          element.contentEnd = Math.max(consumed, element.openEnd)
          element.end = element.contentEnd
        }
      },
      ontext(text) {
        const start = Math.max(parser.startIndex, consumed)
        const end = Math.min(parser.endIndex + 1, html.length)
        consumed = Math.max(consumed, end)
        if (text.trim() !== "") texts.push({ start, end, parent: stack.at(-1) ?? null })
      },
      oncomment(text) {
        const start = bracket()
        const end = Math.min(parser.endIndex + 1, html.length)
        consumed = end
        comments.push({ text, start, end, closed: isClosedComment(html.slice(start, end)) })
      },
      oncdatastart() {
        cdata.push(bracket())
        consumed = Math.max(consumed, Math.min(parser.endIndex + 1, html.length))
      },
      onprocessinginstruction(name) {
        const span = { start: bracket(), end: Math.min(parser.endIndex + 1, html.length) }
        consumed = span.end
        if (name.toLowerCase() === "!doctype") doctypes.push(span)
      }
    },
    { recognizeCDATA: true }
  )
  const isInRawText = (): boolean => RAW_TEXT_ELEMENTS.has(stack.at(-1)?.name ?? "")
  const read = (more: string): void => {
    const piece = more.slice(html.length)
    html = more
    parser.write(piece)
  }
  const end = (): Markup => {
    ending = true
    parser.end()
    return { elements, comments, texts, doctypes, cdata, unfinished: unfinishedAt() }
  }
  const unfinishedAt = (): number | null => {
    // End tags that close nothing are finished too, and the parser says nothing about them.
    let rest = consumed
    while (html.startsWith("</", rest) && html.includes(">", rest)) {
      rest = tagEnd(rest)
      while (html[rest]?.trim() === "") rest++
    }
    return html.slice(rest).trim() === "" ? null : rest
  }
  return { elements, comments, read, isInRawText, end }
}

/** Reads markup into a flat list of elements with the places of all their pieces. Throws {@link MarkupTooDeep}. */
export const parseMarkup = (parsers: SourceParsers, html: string): Markup => {
  const reader = markupReader(parsers)
  reader.read(html)
  return reader.end()
}
