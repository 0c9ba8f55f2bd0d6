import { guardNames } from "./GuardedNames.ts"
import { parseMarkup } from "../html/HtmlMarkup.ts"
import type { Markup, MarkupElement } from "../html/HtmlMarkup.ts"
import { CLASSIC_SCRIPT_TYPES } from "../HtmlRules.ts"
import type { LinkedElement, LinkedPage } from "./LinkedPage.ts"
import { escapeScript } from "./ScriptEscape.ts"
import { linkImports } from "../scripts/ScriptImports.ts"
import type { SourceParsers } from "../SourceParsers.ts"
import { applyEdits, removal } from "../repair/TextEdits.ts"
import type { TextEdit } from "../repair/TextEdits.ts"

/** Elements that may begin a fragment and belong in the head (HTML, the "in head" insertion mode, without scripts). */
const HEAD_ELEMENTS: ReadonlySet<string> = new Set(["title", "meta", "style", "link"])
const FRAME_ELEMENTS: ReadonlySet<string> = new Set(["html", "head", "body"])
/** They add nothing to what the document says itself, and a script could turn them into something else. */
const LEFT_OUT: ReadonlySet<string> = new Set(["meta", "link"])

const frameElement = ({ elements }: Markup, name: string): MarkupElement | undefined =>
  elements.find((element) => element.name === name && !element.inside.template)

const attributesOf = (source: string, element: MarkupElement | undefined): string =>
  (element?.attributes ?? []).map(({ start, end }) => ` ${source.slice(start, end)}`).join("")

/** A script as it stands in the document. */
const linkScript = (parsers: SourceParsers, type: string, code: string, guardAs: number | null): string => {
  const kind = type.trim().toLowerCase()
  if (kind !== "module" && !CLASSIC_SCRIPT_TYPES.has(kind)) return code.replaceAll("<!--", "\\u003c!--")
  const sourceType = kind === "module" ? "module" : "script"
  const guarded = guardAs === null ? code : guardNames(parsers, code, sourceType, guardAs)
  return escapeScript(parsers, linkImports(parsers, guarded, sourceType), sourceType)
}

const linkElement = (
  parsers: SourceParsers,
  source: string,
  element: MarkupElement,
  guardAs: number | null
): LinkedElement => {
  const { name, inside, openEnd, contentEnd } = element
  const type = element.attributes.find((attribute) => attribute.name === "type")?.value ?? ""
  const given = name === "script" || name === "style" ? source.slice(openEnd, contentEnd) : ""
  return {
    name,
    type,
    given,
    text: name === "script" ? linkScript(parsers, type, given, guardAs) : given,
    isForeign: inside.foreign
  }
}

/** Where the head ends: at the end of its element, or before the first thing that cannot stand in a head. */
const headEnd = (source: string, markup: Markup): number => {
  const head = frameElement(markup, "head")
  const body = frameElement(markup, "body")
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
 * Takes a fragment or a whole document apart for {@link LinkedPage}. Everything stays byte for byte except imports,
 * tags
 * of the frame, computed names and dangerous sequences in scripts. In a trusted source, which a person wrote, computed
 * names stay too. Throws what the parsers throw.
 */
export const linkSource = (parsers: SourceParsers, source: string, isTrusted = false): LinkedPage => {
  const markup = parseMarkup(parsers, source)
  const edits: Array<TextEdit> = markup.doctypes.map((span) => removal(source, span))
  const elements: Array<LinkedElement> = []
  for (const element of markup.elements) {
    const { name, inside, start, openEnd, contentEnd, end, closing } = element
    if (LEFT_OUT.has(name)) {
      edits.push(removal(source, { start, end: openEnd }))
      continue
    }
    if (FRAME_ELEMENTS.has(name)) {
      // Browsers ignore them in a template, but what stands there decides how the rest of it is read.
      if (inside.template) continue
      edits.push(removal(source, { start, end: openEnd }))
      if (closing === "tag") edits.push(removal(source, { start: contentEnd, end }))
      continue
    }
    const linked = linkElement(parsers, source, element, isTrusted ? null : elements.length)
    elements.push(linked)
    if (name === "script") edits.push({ start: openEnd, end: contentEnd, text: linked.text })
  }
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
    htmlAttributes: attributesOf(source, frameElement(markup, "html")),
    bodyAttributes: attributesOf(source, frameElement(markup, "body")),
    head: part(0, split),
    body: part(split, source.length) + open.map(({ name }) => `</${name}>`).join(""),
    hasTitle: markup.elements.some(({ name, start }) => name === "title" && start < split),
    scripts: elements.flatMap(({ name, text }) => (name === "script" ? [text.replaceAll(/\r\n?/gu, "\n")] : [])),
    elements
  }
}
