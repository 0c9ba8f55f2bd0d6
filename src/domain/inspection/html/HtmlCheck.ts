import { shortened } from "../../shortened.ts"
import { findCssUrls } from "./CssUrls.ts"
import { parseMarkup } from "./HtmlMarkup.ts"
import type { Markup, MarkupAttribute, MarkupElement, MarkupSpan } from "./HtmlMarkup.ts"
import {
  attributeKind,
  DROPPABLE_LINK_RELATIONS,
  FONT_HOSTS,
  FORBIDDEN_ELEMENTS,
  HARD_RULES,
  LINK_SCHEMES,
  RAW_TEXT_ELEMENTS,
  SVG_BREAKOUT_ELEMENTS
} from "../HtmlRules.ts"
import type { Finding, HardRule } from "../HtmlRules.ts"
import { askedSecret } from "../../tools/SecretFields.ts"
import { canonicalSpecifier } from "../scripts/ScriptImports.ts"
import type { SourceParsers } from "../SourceParsers.ts"
import { isScriptUrl, srcsetUrls, staysInPage, stripUrl, UNKNOWN_PART, urlScheme } from "./Urls.ts"

export const isHard = (rule: string): rule is HardRule => Object.hasOwn(HARD_RULES, rule)

export type StartTag = Pick<MarkupElement, "name" | "attributes">

export const attribute = (element: StartTag, name: string): string | undefined =>
  element.attributes.find((candidate) => candidate.name === name)?.value

/** A `<link>` whose loss changes nothing but a font, an icon or the speed. */
export const isDroppableLink = (element: MarkupElement): boolean => {
  if (element.name !== "link") return false
  const relations = (attribute(element, "rel") ?? "").toLowerCase().split(/\s+/u)
  if (relations.some((relation) => DROPPABLE_LINK_RELATIONS.has(relation))) return true
  try {
    return FONT_HOSTS.has(new URL(attribute(element, "href") ?? "", "https://page.invalid").hostname)
  } catch {
    return false
  }
}

/** A `<script src>` that loads the ext-apps package, whose API the runtime already brings. */
export const isAppApiScript = (element: MarkupElement): boolean =>
  element.name === "script" && canonicalSpecifier(attribute(element, "src") ?? "") !== null

/**
 * Checks the value of one attribute, whether it is written in markup, in markup inside a string, or set by code.
 * `element` is `""` when unknown.
 */
export const checkAttribute = (
  element: string,
  name: string,
  value: string,
  offset: number
): ReadonlyArray<Finding> => {
  const found = `${name}="${shortened(value, 60)}"`
  const report = (rule: Finding["rule"]): ReadonlyArray<Finding> => [{ rule, offset, found }]
  if (name.startsWith("on") && name.length > 2) return report("inline-event-handler")
  if (name === "attributename") {
    const target = value.trim().toLowerCase()
    return target.endsWith("href") || target.startsWith("on") ? report("forbidden-attribute") : []
  }
  const kind = attributeKind(element === "" ? "a" : element, name)
  if (kind === undefined) return []
  switch (kind) {
    case "forbidden":
      return report("forbidden-attribute")
    case "css":
      return findCssUrls(value, 0).map(({ rule }) => ({ rule, offset, found }))
    case "srcset":
      return srcsetUrls(value).every(staysInPage) ? [] : report("external-resource")
    case "resource":
      return staysInPage(value) ? [] : report("external-resource")
    case "action": {
      const stripped = stripUrl(value)
      return stripped === "" || stripped.startsWith("#") || stripped.startsWith(UNKNOWN_PART)
        ? []
        : report("form-action")
    }
    case "link": {
      if (isScriptUrl(value)) return report("script-url")
      const scheme = urlScheme(value)
      const stripped = stripUrl(value)
      if (scheme === null || stripped.startsWith("#") || scheme === "mailto") return []
      if (LINK_SCHEMES.has(scheme)) return report("external-link")
      return report("link-scheme")
    }
  }
}

export const attributeFindings = (element: StartTag, item: MarkupAttribute, offset: number): ReadonlyArray<Finding> => {
  if (element.name === "script" && item.name === "src") {
    return [{ rule: "external-script", offset: offset + item.start, found: `<script src="${item.value}">` }]
  }
  if (element.name === "meta" && item.name === "http-equiv") {
    return [{ rule: "meta-http-equiv", offset: offset + item.start, found: `<meta http-equiv="${item.value}">` }]
  }
  if (element.name === "link" && item.name === "href") {
    return [{ rule: "external-style", offset: offset + item.start, found: `<link href="${item.value}">` }]
  }
  return checkAttribute(element.name, item.name, item.value, offset + item.start)
}

/** Says where this checker and a browser could disagree about what is an element and what is text. */
const ambiguity = (element: MarkupElement, html: string): string | null => {
  const content = html.slice(element.openEnd, element.contentEnd)
  if (RAW_TEXT_ELEMENTS.has(element.name)) {
    if (element.inside.select) return `<${element.name}> inside <select>`
    if (element.inside.svg && (element.name === "script" || (element.name !== "title" && content.includes("<")))) {
      return `<${element.name}> inside <svg>`
    }
  }
  if (!element.inside.svg) return null
  if (element.inside.foreign && SVG_BREAKOUT_ELEMENTS.has(element.name)) return `<${element.name}> inside <svg>`
  if (element.closing === "implied" || element.closing === "never")
    return `<${element.name}> without its end tag inside <svg>`
  return null
}

const NEEDS_NO_LABEL: ReadonlySet<string> = new Set(["hidden", "submit", "reset", "button", "image"])

const isUnlabelled = (element: MarkupElement, labelled: ReadonlySet<string>): boolean => {
  if (element.name !== "input" && element.name !== "select" && element.name !== "textarea") return false
  if (element.name === "input" && NEEDS_NO_LABEL.has((attribute(element, "type") ?? "").toLowerCase())) return false
  if (["aria-label", "aria-labelledby", "title"].some((name) => attribute(element, name))) return false
  const id = attribute(element, "id")
  return !element.inside.label && (id === undefined || !labelled.has(id))
}

/** The texts of labels, by the fields inside them and by the ids in their `for`. */
const labelTexts = ({ elements, texts }: Markup, html: string): ReadonlyMap<MarkupElement | string, string> => {
  const found = new Map<MarkupElement | string, string>()
  const labelOf = (element: MarkupElement | null): MarkupElement | null =>
    element === null || element.name === "label" ? element : labelOf(element.parent)
  for (const { start, end, parent } of texts) {
    const label = labelOf(parent)
    if (label === null) continue
    const text = `${found.get(label) ?? ""} ${html.slice(start, end)}`.trim()
    found.set(label, text)
    found.set(attribute(label, "for") ?? label, text)
  }
  for (const element of elements) {
    const label = element.inside.label ? labelOf(element.parent) : null
    if (label !== null) found.set(element, found.get(label) ?? "")
  }
  return found
}

/** Checks parsed markup; `scripts/ScriptInspection.ts` checks scripts. `offset` is added to every position. */
export const checkMarkup = (markup: Markup, html: string, offset: number): ReadonlyArray<Finding> => {
  const labelled = new Set(
    markup.elements.flatMap((element) => (element.name === "label" ? [attribute(element, "for") ?? ""] : []))
  )
  const labels = labelTexts(markup, html)
  const findings: Array<Finding> = []
  const ids = new Set<string>()
  for (const element of markup.elements) {
    const at = offset + element.start
    const id = attribute(element, "id") ?? ""
    if (id !== "" && !element.inside.template) {
      if (ids.has(id)) findings.push({ rule: "duplicate-id", offset: at, found: `id="${id}"` })
      ids.add(id)
    }
    if (FORBIDDEN_ELEMENTS.has(element.name)) {
      findings.push({ rule: "forbidden-element", offset: at, found: `<${element.name}>` })
      continue
    }
    const strange = ambiguity(element, html)
    if (strange !== null) findings.push({ rule: "ambiguous-markup", offset: at, found: strange })
    for (const item of element.attributes) findings.push(...attributeFindings(element, item, offset))
    if (element.name === "style") {
      findings.push(...findCssUrls(html.slice(element.openEnd, element.contentEnd), offset + element.openEnd))
    }
    const asked = askedSecret(element, labels.get(element) ?? labels.get(id) ?? "")
    if (asked !== null) findings.push({ rule: "secret-field", offset: at, found: asked })
    if (isUnlabelled(element, labelled)) {
      findings.push({ rule: "unlabelled-input", offset: at, found: `<${element.name}>` })
    }
  }
  for (const at of markup.cdata) findings.push({ rule: "ambiguous-markup", offset: offset + at, found: "<![CDATA[" })
  return findings
}

/** Rules about a whole page; markup in a text is only a piece of one. */
const PAGE_ONLY_RULES: ReadonlySet<string> = new Set(["ambiguous-markup", "external-script", "duplicate-id"])

/** A tag whose name only running code knows, and one that this text does not finish. */
const HIDDEN_TAG = /<\/?\uFFFC[^>]{0,20}/u
const CUT_TAG = /^<\/?[a-z][^]{0,20}/iu
/** `<h${level}>`. */
const HEADING = `h${UNKNOWN_PART}`
const MARKUP_ADVICE =
  'write each tag with the names of its attributes in one text; put values in between: `<td title="${tip}">`'

/**
 * Checks a text in code that may become markup or CSS: a template for `innerHTML`, a style, a script URL. All findings
 * are at `offset`, where the text begins. The names of its elements are added to `elements`.
 */
export const checkTextOfScript = (
  parsers: SourceParsers,
  text: string,
  offset: number,
  elements: Set<string>
): ReadonlyArray<Finding> => {
  const findings: Array<Finding> = []
  // "JavaScript: 60 %" is a label.
  if (isScriptUrl(text) && /^[^:]*:(?:\S|.*[(=;`])/su.test(text.trimStart()))
    findings.push({ rule: "script-url", offset, found: stripUrl(text).slice(0, 40) })
  if (text.includes("<")) {
    const markup = parseMarkup(parsers, text)
    const cut = markup.unfinished === null ? "" : text.slice(markup.unfinished)
    const hidden = HIDDEN_TAG.exec(text)?.[0] ?? CUT_TAG.exec(cut)?.[0]
    if (hidden !== undefined) findings.push({ rule: "hidden-name", offset, found: hidden, advice: MARKUP_ADVICE })
    for (const element of markup.elements) {
      elements.add(element.name.toLowerCase())
      const unknown = [element, ...element.attributes].find(
        ({ name }) => name.includes(UNKNOWN_PART) && name !== HEADING
      )
      if (unknown !== undefined) {
        const found = text.slice(unknown.start, Math.min(unknown.end, unknown.start + 40))
        findings.push({ rule: "hidden-name", offset, found, advice: MARKUP_ADVICE })
      }
      if (element.name === "script") findings.push({ rule: "external-script", offset, found: "<script> in a string" })
    }
    for (const finding of checkMarkup({ ...markup, cdata: [] }, text, 0)) {
      if (!PAGE_ONLY_RULES.has(finding.rule)) findings.push({ ...finding, offset })
    }
  } else if (text.includes("(") || text.includes("@")) {
    for (const finding of findCssUrls(text, 0)) findings.push({ ...finding, offset })
  }
  return findings
}

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
