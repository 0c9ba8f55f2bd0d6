import type { DefaultTreeAdapterTypes } from "parse5"
import type { LinkedPage } from "./LinkedPage.ts"
import { findCssUrls } from "../html/CssUrls.ts"
import { attributeFindings, isHard } from "../html/HtmlCheck.ts"
import type { StartTag } from "../html/HtmlCheck.ts"
import { FORBIDDEN_ELEMENTS } from "../HtmlRules.ts"
import type { SourceParsers } from "../SourceParsers.ts"

type Element = DefaultTreeAdapterTypes.Element

const HTML = "http://www.w3.org/1999/xhtml"
const SVG = "http://www.w3.org/2000/svg"

/** How many elements a browser may make for each written one: it makes open formatting elements again. */
const MAX_GROWTH = 4
/** How many more a browser may make by itself. */
const MAX_IMPLIED = 1000

class TooManyElements extends Error {
  override readonly name = "TooManyElements"
}

/** All elements that a browser makes of a document, in order, including those in templates. */
const elementsAsServed = ({ parse5 }: SourceParsers, html: string, limit: number): ReadonlyArray<Element> => {
  const elements: Array<Element> = []
  parse5.parse(html, {
    treeAdapter: {
      ...parse5.defaultTreeAdapter,
      createElement(name, namespace, attributes) {
        if (elements.length >= limit) throw new TooManyElements("open elements are repeated too often")
        const element = parse5.defaultTreeAdapter.createElement(name, namespace, attributes)
        elements.push(element)
        return element
      }
    }
  })
  return elements
}

const textOf = ({ childNodes }: Element): string =>
  childNodes.map((node) => ("value" in node ? node.value : "")).join("")

const startTag = ({ tagName, attrs }: Element): StartTag => ({
  name: tagName.toLowerCase(),
  attributes: attrs.map(({ name, prefix, value }) => ({
    name: (prefix ? `${prefix}:${name}` : name).toLowerCase(),
    value,
    start: 0,
    end: 0
  }))
})

const forbiddenIn = (element: Element): string | null => {
  const tag = startTag(element)
  const { name } = tag
  const isForeignScript = name === "script" && element.namespaceURI !== HTML
  const isKnownNamespace = element.namespaceURI === HTML || element.namespaceURI === SVG
  if (FORBIDDEN_ELEMENTS.has(name) || isForeignScript || !isKnownNamespace) return `<${name}>`
  const findings = tag.attributes.flatMap((item) => attributeFindings(tag, item, 0))
  if (name === "style") findings.push(...findCssUrls(textOf(element), 0))
  const found = findings.find(({ rule }) => isHard(rule))
  if (found === undefined) return null
  return found.found.startsWith("<") ? found.found : `${found.found} of <${name}>`
}

/** Elements that change how the rest is read, or that work wherever they are. */
const LANDMARKS: ReadonlySet<string> = new Set("script style title textarea svg select template meta link".split(" "))

const normalized = (text: string): string => text.replaceAll(/\r\n?/gu, "\n")

interface Landmark {
  readonly name: string
  readonly text: string
}

const landmarksOf = (elements: ReadonlyArray<Element>): ReadonlyArray<Landmark> =>
  elements.flatMap((element) => {
    const name = element.tagName
    if (!LANDMARKS.has(name)) return []
    if (name === "script") {
      const type = element.attrs.find((attribute) => attribute.name === "type")?.value ?? ""
      return [{ name: `script type="${type}"`, text: textOf(element) }]
    }
    return [{ name, text: name === "style" && element.namespaceURI === HTML ? textOf(element) : "" }]
  })

const landmarksOfPage = ({ elements }: LinkedPage): ReadonlyArray<Landmark> =>
  elements.flatMap(({ name, type, text, isForeign }) => {
    if (!LANDMARKS.has(name)) return []
    if (name === "script") return [{ name: `script type="${type}"`, text: normalized(text) }]
    return [{ name, text: name === "style" && !isForeign ? normalized(text) : "" }]
  })

/**
 * Reads a linked source as a browser will, with a parser of the HTML specification, and checks the tree: no forbidden
 * element or attribute, no style that loads, and exactly the scripts, styles and foreign content that the linker saw.
 * Returns what is wrong, in words, or `null`. The runtime and the data of the document are not checked.
 */
export const checkServedMarkup = (parsers: SourceParsers, page: LinkedPage): string | null => {
  const { htmlAttributes, bodyAttributes, head, body } = page
  const html = `<!doctype html><html${htmlAttributes}><head>${head}</head><body${bodyAttributes}>${body}</body></html>`
  let elements: ReadonlyArray<Element>
  try {
    elements = elementsAsServed(parsers, html, MAX_IMPLIED + MAX_GROWTH * page.elements.length)
  } catch (error) {
    if (error instanceof TooManyElements) return error.message
    throw error
  }
  for (const element of elements) {
    const forbidden = forbiddenIn(element)
    if (forbidden !== null) return `browsers find ${forbidden} in it`
  }
  const served = landmarksOf(elements)
  const seen = landmarksOfPage(page)
  for (let at = 0; at < Math.max(served.length, seen.length); at++) {
    const [one, other] = [served[at], seen[at]]
    if (one?.name === other?.name && one?.text === other?.text) continue
    return `browsers find ${one === undefined ? "no more elements" : `<${one.name}>`} where <${other?.name ?? "nothing"}> is written`
  }
  return null
}
