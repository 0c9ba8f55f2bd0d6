import type { Markup, MarkupSpan } from "./HtmlMarkup.ts"
import { RAW_TEXT_ELEMENTS } from "./HtmlRules.ts"
import type { Finding } from "./HtmlRules.ts"

/** C0 controls that HTML has no use for. */
const CONTROL = /(?![\t\n\f\r\x7F-\x9F])\p{Cc}/gu
const END_TAG = /<\/[a-z]/giu
const PLAIN_END_TAG = /<\/[a-z][^\s/>]*[\s/]*>/iuy

/** More findings would say nothing new. */
const MAX_FINDINGS = 12

/** Where no end tag can be: start tags, raw text, comments, declarations. In order. */
const closedSpans = ({ elements, comments, doctypes }: Markup, html: string): ReadonlyArray<MarkupSpan> => {
  // "</p>" and "</br>" that close nothing make elements.
  const tags = elements
    .filter(({ start }) => !html.startsWith("</", start))
    .map(({ name, start, openEnd, contentEnd, inside }) => ({
      start,
      end: RAW_TEXT_ELEMENTS.has(name) && !inside.svg ? contentEnd : openEnd
    }))
  return [...tags, ...comments, ...doctypes].toSorted((a, b) => a.start - b.start)
}

/**
 * Finds what HTML parsers read differently before they build any tree: control characters, and end tags that have more
 * than a name. Stops after a dozen findings. Offsets are those of `html`.
 */
export const checkMarkupSyntax = (markup: Markup, html: string): ReadonlyArray<Finding> => {
  const findings: Array<Finding> = []
  for (const { index } of html.matchAll(CONTROL)) {
    if (findings.length >= MAX_FINDINGS) break
    const code = html.charCodeAt(index).toString(16).toUpperCase().padStart(4, "0")
    findings.push({ rule: "ambiguous-markup", offset: index, found: `the control character U+${code}` })
  }
  const spans = closedSpans(markup, html)
  let next = 0
  let closedUntil = 0
  for (const { index } of html.matchAll(END_TAG)) {
    if (findings.length >= MAX_FINDINGS) break
    for (let span = spans[next]; span !== undefined && span.start <= index; span = spans[++next]) {
      closedUntil = Math.max(closedUntil, span.end)
    }
    if (index < closedUntil) continue
    PLAIN_END_TAG.lastIndex = index
    const end = html.indexOf(">", index)
    if (end === -1 || PLAIN_END_TAG.test(html)) continue
    findings.push({ rule: "ambiguous-markup", offset: index, found: html.slice(index, Math.min(end + 1, index + 40)) })
  }
  return findings
}
