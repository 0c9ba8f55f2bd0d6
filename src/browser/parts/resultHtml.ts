import { append, type Child, h, link } from "./dom.ts"
import { plainTable } from "./markdown.ts"
import { code, image } from "./media.ts"
import { textOf } from "./values.ts"

/**
 * Copies HTML of a server element by element. `DOMParser` reads it: its document runs and loads nothing. Elements that
 * are not in the lists below leave their text; scripts, styles and frames leave nothing.
 */

const headingTags = "h1 h2 h3 h4 h5 h6".split(" ")
const kept = new Set([
  ...headingTags,
  ..."p ul ol li dl dt dd blockquote strong b em i s del ins sub sup hr br kbd small mark".split(" ")
])
const dropped = /^(script|style|template|noscript|iframe|object|embed|svg|math|head|canvas|select|button)$/
const blocks =
  /^(div|section|article|main|header|footer|nav|aside|figure|figcaption|form|fieldset|address|details|summary)$/

const maxDepth = 80

const spacesOut = (text: string): string => text.replace(/\s+/g, " ")

const tableNode = (source: Element, depth: number): Child => {
  const lines = [...source.querySelectorAll("tr")].filter((line) => line.closest("table") === source)
  const cells = lines.map((line) => [...line.children].filter(({ localName }) => /^t[hd]$/.test(localName)))
  const isHeaded = lines.length > 1 && cells[0]?.every(({ localName }) => localName === "th") === true
  const row = (line: ReadonlyArray<Element>): Child =>
    h(
      "tr",
      {},
      line.map((cell) =>
        h(
          textOf(cell).trim() === "" ? "td" : cell.localName,
          { colspan: cell.getAttribute("colspan"), rowspan: cell.getAttribute("rowspan") },
          copied(cell, depth + 1)
        )
      )
    )
  return plainTable(isHeaded && row(cells[0] ?? []), isHeaded ? cells.slice(1) : cells, row)
}

const copied = (source: Node, depth: number): ReadonlyArray<Child> =>
  depth > maxDepth ? [textOf(source)] : [...source.childNodes].map((node) => nodeFor(node, depth))

const nodeFor = (node: Node, depth: number): Child => {
  if (node instanceof Text) return spacesOut(node.data)
  if (!(node instanceof Element)) return undefined
  const tag = node.localName
  if (dropped.test(tag) || node.getAttribute("hidden") !== null) return undefined
  if (tag === "table") return tableNode(node, depth)
  if (tag === "pre" || tag === "textarea") return code(textOf(node))
  if (tag === "code") return h("code", {}, textOf(node))
  if (tag === "a") return link(node.getAttribute("href"), h("span", {}, copied(node, depth + 1)))
  if (tag === "img") {
    const source = node.getAttribute("src") ?? ""
    const alt = node.getAttribute("alt") ?? ""
    return source.startsWith("data:") ? image(source, { alt }) : link(source, alt || undefined)
  }
  const content = copied(node, depth + 1)
  if (kept.has(tag)) return h(tag, {}, content)
  return blocks.test(tag) ? h("div", { class: "mg-md" }, content) : content
}

/** Headings begin below that of the page and leave no level out. */
const withLevels = (frame: HTMLElement): HTMLElement => {
  const headings = [...frame.querySelectorAll(headingTags.join())]
  const used = headingTags.filter((tag) => headings.some(({ localName }) => localName === tag))
  for (const heading of headings) {
    const tag = `h${Math.min(6, used.indexOf(heading.localName) + 2)}`
    heading.replaceWith(h(tag, { class: "mg-md-heading" }, [...heading.childNodes]))
  }
  return frame
}

/** The readable content of an HTML text; `undefined` where there is next to none, as in pages that scripts draw. */
export const htmlNodes = (source: string): HTMLElement | undefined => {
  // A handler would never run, but the policy reports it: no attribute begins with "on".
  const quiet = source.replace(/<\w[^<>]*/g, (tag) => tag.replace(/\son(?=\w+\s*=)/gi, " "))
  const { body } = new DOMParser().parseFromString(quiet, "text/html")
  const frame = withLevels(append(h("div", { class: "mg-md" }), copied(body, 0)))
  return textOf(frame).trim() === "" && frame.querySelector("img,td") === null ? undefined : frame
}
