import { parseMarkup } from "../inspection/HtmlMarkup.ts"
import type { Markup, MarkupElement } from "../inspection/HtmlMarkup.ts"
import { CLASSIC_SCRIPT_TYPES } from "../inspection/HtmlRules.ts"
import { escapeScript } from "../inspection/ScriptEscape.ts"
import { linkImports } from "../inspection/ScriptImports.ts"
import type { SourceParsers } from "../inspection/SourceParsers.ts"
import { applyEdits } from "../inspection/TextEdits.ts"
import type { TextEdit } from "../inspection/TextEdits.ts"

/** A source, ready to be set into a document: imports resolved, scripts safe to stand inline, its own frame taken apart. */
export interface LinkedSource {
  /** Attributes of its `<html>` and `<body>`, each with a space before, as written. */
  readonly htmlAttributes: string
  readonly bodyAttributes: string
  readonly head: string
  readonly body: string
  /** It brings a `<title>` of its own. */
  readonly hasTitle: boolean
}

/** What may begin a fragment and belongs into the head (HTML, the "in head" insertion mode, without scripts). */
const HEAD_ELEMENTS: ReadonlySet<string> = new Set(["title", "meta", "style", "link"])
const FRAME_ELEMENTS: ReadonlySet<string> = new Set(["html", "head", "body"])

const attributesOf = (source: string, element: MarkupElement | undefined): string =>
  (element?.attributes ?? []).map(({ start, end }) => ` ${source.slice(start, end)}`).join("")

const scriptEdits = (parsers: SourceParsers, source: string, markup: Markup): ReadonlyArray<TextEdit> =>
  markup.elements.flatMap((element) => {
    if (element.name !== "script") return []
    const type = (element.attributes.find(({ name }) => name === "type")?.value ?? "").trim().toLowerCase()
    const code = source.slice(element.openEnd, element.contentEnd)
    const edit = (text: string): ReadonlyArray<TextEdit> => [{ start: element.openEnd, end: element.contentEnd, text }]
    if (type === "module" || CLASSIC_SCRIPT_TYPES.has(type)) {
      const sourceType = type === "module" ? "module" : "script"
      return edit(escapeScript(parsers, linkImports(parsers, code, sourceType), sourceType))
    }
    return edit(code.replaceAll("<!--", "\\u003c!--"))
  })

/** Where the head ends: at the end of its element, or before the first thing that can not stand in a head. */
const headEnd = (source: string, markup: Markup): number => {
  const head = markup.elements.find(({ name }) => name === "head")
  const body = markup.elements.find(({ name }) => name === "body")
  const outer = (element: MarkupElement | null): boolean => element === null || FRAME_ELEMENTS.has(element.name)
  const firstOfBody = markup.elements.find(
    (element) =>
      outer(element.parent) &&
      !FRAME_ELEMENTS.has(element.name) &&
      !HEAD_ELEMENTS.has(element.name) &&
      !(element.name === "script" && head !== undefined && element.parent === head)
  )
  const firstText = markup.texts.find(({ parent }) => outer(parent))
  const limit = Math.min(
    firstOfBody?.start ?? source.length,
    firstText?.start ?? source.length,
    body?.start ?? source.length
  )
  return head !== undefined && head.closing === "tag" ? Math.min(head.end, limit) : limit
}

/**
 * Takes a fragment or a whole document apart for {@link LinkedSource}. What is not an import, a tag of the frame or a
 * dangerous sequence in a script stays byte for byte. Throws what the parsers throw.
 */
export const linkSource = (parsers: SourceParsers, source: string): LinkedSource => {
  const markup = parseMarkup(parsers, source)
  const frameEdits: Array<TextEdit> = markup.doctypes.map(({ start, end }) => ({ start, end, text: "" }))
  for (const element of markup.elements) {
    if (!FRAME_ELEMENTS.has(element.name)) continue
    frameEdits.push({ start: element.start, end: element.openEnd, text: "" })
    if (element.closing === "tag") frameEdits.push({ start: element.contentEnd, end: element.end, text: "" })
  }
  const edits = [...frameEdits, ...scriptEdits(parsers, source, markup)]
  const split = headEnd(source, markup)
  const open = markup.elements.filter(
    ({ closing, name }) => closing === "never" && (name === "script" || name === "style")
  )
  const part = (start: number, end: number): string =>
    applyEdits(
      source.slice(start, end),
      edits
        .filter((edit) => edit.start >= start && edit.end <= end)
        .map(({ start: from, end: to, text }) => ({ start: from - start, end: to - start, text }))
    )
  return {
    htmlAttributes: attributesOf(
      source,
      markup.elements.find(({ name }) => name === "html")
    ),
    bodyAttributes: attributesOf(
      source,
      markup.elements.find(({ name }) => name === "body")
    ),
    head: part(0, split),
    body: part(split, source.length) + open.map(({ name }) => `</${name}>`).join(""),
    hasTitle: markup.elements.some(({ name, start }) => name === "title" && start < split)
  }
}
