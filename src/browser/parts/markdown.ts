import { append, type Child, h, link, safeUrl } from "./dom.ts"
import { gradually } from "./gradually.ts"
import { code, image } from "./media.ts"
import { textOf } from "./values.ts"

/**
 * Markdown as nodes: headings, paragraphs, lists, quotes, fenced code, rules, tables, emphasis, code, links. A subset of
 * CommonMark with GitHub's tables. HTML inside is shown as text; links open through the host; nothing is fetched.
 */

const maxDepth = 6

const tokens =
  /`+|!\[([^[\]\n]{0,500})\]\(([^()\s]+)(?: "[^"\n]*")?\)|\[([^[\]\n]{1,500})\]\(<?((?:[^()\s<>]|\([^()\s]*\))+)>?(?: "[^"\n]*")?\)|<?(https?:\/\/[^\s<>()[\]"'`*]+[^\s<>()[\]"'`*_~.,;:!?])>?|\*\*|__|~~|[*_\n]|\\([!-/:-@[-`{-~])|<br ?\/?>/giu

/** Where runs of so many backticks begin, the last one first. */
const backticksIn = (source: string): Map<number, Array<number>> => {
  const starts = new Map<number, Array<number>>()
  for (const { 0: run, index } of [...source.matchAll(/`+/g)].toReversed()) {
    const known = starts.get(run.length)
    if (known === undefined) starts.set(run.length, [index])
    else known.push(index)
  }
  return starts
}

interface Opened {
  readonly mark: string
  /** Its place among the nodes, and where its content begins in the source. */
  readonly node: number
  readonly from: number
}

/** Read once from left to right: a mark that opens waits for one that closes it, on the same line. */
const inline = (source: string): ReadonlyArray<Child> => {
  const nodes: Array<Child> = []
  const opened: Array<Opened> = []
  const backticks = backticksIn(source)
  let at = 0
  for (let match = nextToken(source, 0); match !== null; match = nextToken(source, at)) {
    const [token, alt, imageUrl, label = "", url, bare, escaped] = match
    nodes.push(source.slice(at, match.index))
    at = match.index + token.length
    if (token.startsWith("`")) {
      const ends = backticks.get(token.length) ?? []
      while ((ends.at(-1) ?? at) < at) ends.pop()
      const end = ends.at(-1)
      nodes.push(end === undefined ? token : h("code", {}, source.slice(at, end).replace(/^ (.+) $/s, "$1")))
      if (end !== undefined) at = end + token.length
    } else if (imageUrl !== undefined)
      nodes.push(
        /^data:image\//i.test(imageUrl) ? image(imageUrl, { alt: alt ?? "" }) : link(imageUrl, alt || imageUrl)
      )
    else if (url !== undefined) {
      const shown = inline(label)
      nodes.push(safeUrl(url) === undefined ? h("span", {}, shown, " ", h("code", {}, url)) : link(url, shown))
    } else if (bare !== undefined) nodes.push(link(bare, bare))
    else if (escaped !== undefined) nodes.push(escaped)
    else if (token.startsWith("<")) nodes.push(h("br"))
    else if (token === "\n") {
      opened.length = 0
      nodes.push(token)
    } else {
      const isDouble = token.length === 2
      const before = source[match.index - 1] ?? ""
      const after = source[at] ?? " "
      const index = opened.findLastIndex(({ mark }) => mark === token)
      const open = opened[index]
      const closes = isDouble || (/[^\s*_]/.test(before) && !/[\p{L}\p{N}_]/u.test(after))
      if (open !== undefined && open.from < match.index && closes) {
        opened.length = index
        const content = nodes.splice(open.node + 1)
        nodes[open.node] = h(token === "~~" ? "s" : isDouble ? "strong" : "em", {}, content)
        continue
      }
      const opens = isDouble ? /\S/.test(after) : !/[\p{L}\p{N}_]/u.test(before) && /[^\s*_]/.test(after)
      if (opens) opened.push({ mark: token, node: nodes.length, from: at })
      if (opened.length > maxDepth) opened.shift()
      nodes.push(token)
    }
  }
  return [...nodes, source.slice(at)]
}

const nextToken = (source: string, from: number): RegExpExecArray | null => {
  tokens.lastIndex = from
  return tokens.exec(source)
}

const itemPattern = /^(\s*)(?:[-*+]|(\d{1,9})[.)])(?:\s+(.*)|$)/
const rulePattern = /^\s*(?:(?:-\s*){3,}|(?:\*\s*){3,}|(?:_\s*){3,})$/
const fencePattern = /^\s{0,3}(`{3,}|~{3,})\s*([^\s`]*)/
const headingPattern = /^\s{0,3}(#{1,6})\s+(\S.*)$/
const delimiterPattern = /^\s*(?:\|\s*)?:?-+:?\s*(?:\|\s*:?-+:?\s*)*(?:\|\s*)?$/

const cellsOf = (line: string): ReadonlyArray<string> =>
  line
    .trim()
    .replace(/^\||(?<!\\)\|$/g, "")
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll("\\|", "|"))

const isTableStart = (lines: ReadonlyArray<string>, at: number): boolean =>
  (lines[at] ?? "").includes("|") &&
  (lines[at + 1] ?? "").includes("-") &&
  (lines[at + 1] ?? "").includes("|") &&
  delimiterPattern.test(lines[at + 1] ?? "")

const startsBlock = (lines: ReadonlyArray<string>, at: number): boolean => {
  const line = lines[at] ?? ""
  return (
    line.trim() === "" ||
    headingPattern.test(line) ||
    fencePattern.test(line) ||
    rulePattern.test(line) ||
    /^\s{0,3}>/.test(line) ||
    itemPattern.test(line) ||
    isTableStart(lines, at)
  )
}

interface Block {
  readonly node: Child
  readonly next: number
}

const fence = (lines: ReadonlyArray<string>, at: number): Block => {
  const [, mark = "```", language] = fencePattern.exec(lines[at] ?? "") ?? []
  let end = at + 1
  while (end < lines.length && !(lines[end] ?? "").trim().startsWith(mark)) end++
  return { node: code(lines.slice(at + 1, end).join("\n"), { language: language ?? "" }), next: end + 1 }
}

/** A table as it was written, which scrolls by itself. */
export const plainTable = <Row>(
  head: Child,
  rows: ReadonlyArray<Row>,
  draw: (row: Row) => Child,
  label = "Table"
): HTMLElement => {
  const body = h("tbody")
  const grid = h("table", { class: "mg-table" }, head && h("thead", {}, head), body)
  const region = h("div", { class: "mg-scroll", role: "group", tabindex: 0, "aria-label": label }, grid)
  return gradually(body, rows, draw, region)
}

const tableBlock = (lines: ReadonlyArray<string>, at: number): Block => {
  let end = at + 2
  while (end < lines.length && (lines[end] ?? "").includes("|") && (lines[end] ?? "").trim() !== "") end++
  const heads = cellsOf(lines[at] ?? "")
  const aligns = cellsOf(lines[at + 1] ?? "").map((cell) =>
    /^:?-+:$/.test(cell) ? (cell.startsWith(":") ? "mg-center" : "mg-end") : ""
  )
  const line = (tag: string, cells: ReadonlyArray<string>): Child =>
    h(
      "tr",
      {},
      cells
        .slice(0, heads.length)
        .map((cell, index) =>
          h(tag, { class: aligns[index] ?? "", ...(tag === "th" ? { scope: "col" } : {}) }, inline(cell))
        ),
      cells.length < heads.length && h("td", { colspan: heads.length - cells.length })
    )
  return {
    node: plainTable(line("th", heads), lines.slice(at + 2, end), (row) => line("td", cellsOf(row))),
    next: end
  }
}

const indentOf = (line: string): number => /^\s*/.exec(line.replaceAll("\t", "    "))?.[0].length ?? 0

const listBlock = (lines: ReadonlyArray<string>, at: number, depth: number, levels: ReadonlyArray<number>): Block => {
  const first = itemPattern.exec(lines[at] ?? "")
  const isOrdered = first?.[2] !== undefined
  const indent = indentOf(lines[at] ?? "")
  const items: Array<Child> = []
  let next = at
  while (next < lines.length) {
    const match = itemPattern.exec(lines[next] ?? "")
    if (
      match === null ||
      indentOf(lines[next] ?? "") !== indent ||
      (match[2] !== undefined) !== isOrdered ||
      rulePattern.test(lines[next] ?? "")
    )
      break
    const own = [match[3] ?? ""]
    next++
    while (next < lines.length) {
      const line = lines[next] ?? ""
      if (line.trim() === "") {
        const after = lines[next + 1]
        if (after === undefined || after.trim() === "" || indentOf(after) <= indent) break
        own.push("")
      } else if (indentOf(line) > indent)
        own.push(line.replaceAll("\t", "    ").slice(Math.min(indentOf(line), indent + (isOrdered ? 3 : 2))))
      else if (startsBlock(lines, next)) break
      else own.push(line)
      next++
    }
    const task = /^\[([ xX])\]\s+/.exec(own[0] ?? "")
    if (task !== null) own[0] = (own[0] ?? "").slice(task[0].length)
    const content =
      own.length === 1 || depth >= maxDepth ? inline(own.join("\n")) : blocks(own, depth + 1, levels, true)
    items.push(
      h(
        "li",
        task === null ? {} : { class: "mg-task" },
        task !== null &&
          h("input", {
            type: "checkbox",
            disabled: true,
            checked: task[1] !== " ",
            "aria-label": task[1] === " " ? "Open" : "Done"
          }),
        content
      )
    )
    let skip = next
    while (skip < lines.length && (lines[skip] ?? "").trim() === "") skip++
    if (skip > next && itemPattern.test(lines[skip] ?? "") && indentOf(lines[skip] ?? "") === indent) next = skip
  }
  const start = Number(first?.[2] ?? 1)
  return { node: append(h(isOrdered ? "ol" : "ul", start > 1 ? { start } : {}), items), next: Math.max(next, at + 1) }
}

const blocks = (
  lines: ReadonlyArray<string>,
  depth: number,
  levels: ReadonlyArray<number>,
  tight: boolean
): ReadonlyArray<Child> => {
  const nodes: Array<Child> = []
  let at = 0
  while (at < lines.length) {
    const line = lines[at] ?? ""
    const heading = headingPattern.exec(line)
    let block: Block
    if (line.trim() === "") block = { node: undefined, next: at + 1 }
    else if (fencePattern.test(line)) block = fence(lines, at)
    else if (heading !== null) {
      const level = Math.min(6, 2 + Math.max(0, levels.indexOf((heading[1] ?? "#").length)))
      block = {
        node: h(`h${level}`, { class: "mg-md-heading" }, inline((heading[2] ?? "").trimEnd().replace(/\s#+$/, ""))),
        next: at + 1
      }
    } else if (rulePattern.test(line)) block = { node: h("hr"), next: at + 1 }
    else if (/^\s{0,3}>/.test(line)) {
      let end = at
      while (end < lines.length && /^\s{0,3}>/.test(lines[end] ?? "")) end++
      const inside = lines.slice(at, end).map((quoted) => quoted.replace(/^\s{0,3}> ?/, ""))
      block = {
        node: h(
          "blockquote",
          {},
          depth >= maxDepth ? inline(inside.join("\n")) : blocks(inside, depth + 1, levels, false)
        ),
        next: end
      }
    } else if (isTableStart(lines, at)) block = tableBlock(lines, at)
    else if (itemPattern.test(line)) block = listBlock(lines, at, depth, levels)
    else {
      let end = at + 1
      while (end < lines.length && !startsBlock(lines, end)) end++
      const paragraph = inline(
        lines
          .slice(at, end)
          .map((part) => part.trim())
          .join("\n")
      )
      block = {
        node:
          tight && nodes.length === 0
            ? h("span", { class: "mg-lines" }, paragraph)
            : h("p", { class: `mg-lines${calloutOf(lines[at] ?? "")}` }, paragraph),
        next: end
      }
    }
    nodes.push(block.node)
    at = block.next
  }
  return nodes
}

/** The tone of a paragraph that begins with a sign or a word of warning or advice. */
const calloutOf = (paragraph: string): string => {
  const [, sign, word = ""] =
    /^\W{0,3}([⚠❗🚨])|^\W{0,3}(warning|important|critical|caution|note|tip|hint)\b/iu.exec(paragraph) ?? []
  if (sign === undefined && (word === "" || !paragraph.slice(0, word.length + 8).includes(":"))) return ""
  return ` mg-callout mg-callout-${/note|tip|hint/i.test(word) ? "info" : "warning"}`
}

/** Renders Markdown, whatever it contains, without ever using HTML from it. */
export const markdown = (source?: unknown): HTMLElement => {
  const text = textOf(source).replaceAll("\r\n", "\n")
  const lines = text.split("\n")
  const used = new Set(lines.map((line) => headingPattern.exec(line)?.[1]?.length ?? 0).filter((level) => level > 0))
  const levels = [...used].sort((left, right) => left - right)
  return h("div", { class: "mg-md" }, blocks(lines, 0, levels, false))
}

/** Plain text, its addresses as links. */
export const plainText = (source: string): HTMLElement =>
  h(
    "p",
    { class: "mg-text" },
    source
      .split(/(https?:\/\/[^\s<>()[\]"'`]{1,2000}[^\s<>()[\]"'`.,;:!?])/)
      .map((part, index) => (index % 2 === 0 ? part : link(part, part)))
  )
