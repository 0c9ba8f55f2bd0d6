import { installStyles } from "../parts/styles.ts"
import { clearGeneratedPage, setGeneratedPage } from "./generatedPage.ts"
import { copyOfScript, runInPlaceOf } from "./ownScripts.ts"
import { uncurried } from "./platform.ts"
import type { PageData } from "./types.ts"

/** A view, ready to be set into the page: what the linker makes of a source, as HTML text. */
export interface ViewSource extends Pick<PageData, "view" | "fallback" | "version" | "byHand" | "readOnlyTools"> {
  /** The attributes of its `<html>` and `<body>`, each with a space before it. */
  readonly htmlAttributes: string
  readonly bodyAttributes: string
  readonly head: string
  readonly body: string
}

/** What the runtime itself keeps on the root element. */
const OWN_ATTRIBUTES = new Set(["style", "data-theme"])

const attributesOf = ({ attributes }: Element): string =>
  [...attributes]
    .map(({ name, value }) => ` ${name}="${value.replaceAll("&", "&amp;").replaceAll('"', "&quot;")}"`)
    .join("")

const outerOf = (nodes: Iterable<Node>): string => {
  const holder = document.createElement("template")
  holder.content.append(...[...nodes].map((node) => node.cloneNode(true)))
  return holder.innerHTML
}

/**
 * The view that this document came with. Call it before the parser reaches the view. The answer is complete when the
 * parser is done.
 */
export const sourceOfDocument = (data: PageData): (() => ViewSource) => {
  const { view, fallback, version, byHand = false, readOnlyTools = [] } = data
  const own = new Set<Node>(document.head.childNodes)
  const texts = { htmlAttributes: "", bodyAttributes: "", head: "", body: "" }
  const empty = { view, fallback, version, byHand, readOnlyTools, ...texts }
  if (view === "builtin") return () => empty
  let source: ViewSource = { ...empty, htmlAttributes: attributesOf(document.documentElement) }
  // This runs before the first module of the page.
  const take = (): void => {
    const { head, body } = document
    source = {
      ...source,
      bodyAttributes: attributesOf(body),
      head: outerOf([...head.childNodes].filter((node) => !own.has(node))),
      body: outerOf(body.childNodes)
    }
  }
  document.addEventListener("readystatechange", take, { once: true })
  return () => source
}

/** The types of a script that is no module and no data: those of JavaScript in WHATWG MIME Sniffing. */
const CLASSIC = /^((text|application)\/(x-)?(java|ecma)script|text\/(javascript1\.[0-5]|jscript|livescript))?$/i

/**
 * Scripts that were parsed do not run; these do. They stand in a block, so that a second version may declare the same
 * names.
 */
const fresh = (script: HTMLScriptElement): HTMLScriptElement => {
  const { text, type } = script
  return copyOfScript(script, CLASSIC.test(type.trim()) ? `{\n${text}\n}` : text)
}

/** Adds what was parsed to an element of the page, and then runs its scripts, one by one. */
const addTo = (place: Element, { childNodes }: Element): void => {
  const fragment = document.createDocumentFragment()
  childNodes.forEach((node) => fragment.append(document.importNode(node, true)))
  const scripts: Array<readonly [HTMLScriptElement, HTMLScriptElement]> = []
  fragment.querySelectorAll("script").forEach((script) => scripts.push([script, fresh(script)]))
  place.append(fragment)
  scripts.forEach((pair) => runInPlaceOf(pair[0], pair[1]))
}

const setAttributes = (element: Element, given: Element): void =>
  given.getAttributeNames().forEach((name) => {
    if (!OWN_ATTRIBUTES.has(name)) element.setAttribute(name, given.getAttribute(name) ?? "")
  })

const parse = uncurried(DOMParser.prototype.parseFromString)
const Parser = DOMParser

/** Sets a generated view into the page, in the place of whatever is there. Its module scripts run after this. */
export const setView = ({ htmlAttributes, bodyAttributes, head, body }: ViewSource): void => {
  clearGeneratedPage()
  setGeneratedPage()
  installStyles()
  const root = document.documentElement
  root.getAttributeNames().forEach((name) => {
    if (name !== "lang" && !OWN_ATTRIBUTES.has(name)) root.removeAttribute(name)
  })
  const text = `<html${htmlAttributes}><head>${head}</head><body${bodyAttributes}>${body}</body></html>`
  const parsed = parse(new Parser(), text, "text/html")
  setAttributes(root, parsed.documentElement)
  setAttributes(document.body, parsed.body)
  if (parsed.title !== "") document.title = parsed.title
  parsed.querySelectorAll("head>:is(title,meta)").forEach((element) => element.remove())
  addTo(document.head, parsed.head)
  addTo(document.body, parsed.body)
}
