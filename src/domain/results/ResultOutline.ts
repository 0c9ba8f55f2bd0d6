/**
 * Structure in text that is neither JSON nor CSV: `key: value` lines and simple YAML (maps, lists, indentation), trees drawn
 * with lines, lists whose lines begin with a tag in brackets. Strict: one line that does not fit, and the text stays text.
 */
import type { JsonRecord } from "./ResultColumn.ts"

interface Line {
  readonly indent: number
  readonly text: string
}

const scalar = (text: string): unknown => {
  const quoted = /^"((?:[^"\\]|\\.)*)"$|^'((?:[^']|'')*)'$/.exec(text)
  if (quoted !== null) return quoted[1] ?? quoted[2]?.replaceAll("''", "'")
  if (/^(true|false)$/.test(text)) return text === "true"
  if (/^(null|~)$/.test(text)) return null
  // A number is read as one only where it would be written the same: versions, zip codes and long ids stay text.
  return String(Number(text)) === text && Number.isFinite(Number(text)) ? Number(text) : text
}

const pair = /^("[^"]{1,60}"|'[^']{1,60}'|[\p{L}_$][^:{}[\]"'`#|<>,;?!=]{0,48}?)\s*:(?:\s+(.*))?$/u

class Outline {
  readonly #lines: ReadonlyArray<Line>
  #at = 0

  constructor(lines: ReadonlyArray<Line>) {
    this.#lines = lines
  }

  get isDone(): boolean {
    return this.#at >= this.#lines.length
  }

  /** The map or list whose lines stand `indent` deep; `undefined` where a line fits neither. */
  block(indent: number): unknown {
    return this.#lines[this.#at]?.text.startsWith("- ") === true ? this.#list(indent) : this.#map(indent)
  }

  #list(indent: number): unknown {
    const items: Array<unknown> = []
    for (let line = this.#lines[this.#at]; line?.indent === indent; line = this.#lines[this.#at]) {
      if (!line.text.startsWith("- ")) break
      const own = line.text.slice(2).trim()
      if (pair.test(own) && !/^https?:/.test(own)) {
        const item = this.#map(indent + 2, own)
        if (item === undefined) return undefined
        items.push(item)
      } else {
        this.#at++
        items.push(scalar(own))
      }
    }
    return items
  }

  #map(indent: number, first?: string): unknown {
    const map: Record<string, unknown> = {}
    let own = first
    for (let line = this.#lines[this.#at]; line !== undefined; line = this.#lines[this.#at]) {
      if (own === undefined && line.indent !== indent) break
      const match = pair.exec(own ?? line.text)
      own = undefined
      const name = match?.[1]?.replace(/^["'](.*)["']$/, "$1")
      if (match === null || name === undefined || name === "__proto__" || Object.hasOwn(map, name)) return undefined
      this.#at++
      const next = this.#lines[this.#at]
      const said = match[2]?.trim() ?? ""
      if (said !== "") map[name] = scalar(said)
      else if (next !== undefined && (next.indent > indent || (next.indent === indent && next.text.startsWith("- ")))) {
        const value = this.block(next.indent)
        if (value === undefined) return undefined
        map[name] = value
      } else map[name] = null
    }
    return map
  }
}

const longest = 500_000
const maxLines = 5000

const linesOf = (text: string): ReadonlyArray<Line> | undefined => {
  const lines = text
    .replace(/^---\n/, "")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => ({ indent: line.search(/\S/), text: line.trim() }))
  return lines.length < 2 || lines.length > maxLines ? undefined : lines
}

const taggedLines = (lines: ReadonlyArray<Line>): ReadonlyArray<JsonRecord> | undefined => {
  const rows = lines.map(({ text }) => /^\[([A-Za-z]{2,12})\]\s+(\S.*)$/.exec(text))
  return rows.every((row) => row !== null) && lines.length > 1
    ? rows.map((row) => ({ type: row?.[1]?.toLowerCase(), name: row?.[2] }))
    : undefined
}

interface TreeNode {
  readonly name: string
  readonly children?: Array<TreeNode>
}

const drawnTree = (text: string): ReadonlyArray<TreeNode> | undefined => {
  if (!/^[\s│|]*[├└|`+][─-]{1,3} \S/m.test(text)) return undefined
  const roots: Array<TreeNode> = []
  const path: Array<TreeNode & { readonly depth: number }> = []
  // `tree` ends with a count.
  for (const line of text.split("\n").filter((line) => /\S/.test(line) && !/^\d+ director/.test(line))) {
    const [, lines = "", name = ""] = /^((?:[\s│|├└`+─-]*[─-] )?)(.*)$/.exec(line) ?? []
    const depth = lines.length
    const node = { name: name.trim(), children: [], depth }
    while (path.length > 0 && (path.at(-1)?.depth ?? 0) >= depth) path.pop()
    ;(path.at(-1)?.children ?? roots).push(node)
    path.push(node)
  }
  const plain = ({ name, children = [] }: TreeNode): TreeNode =>
    children.length === 0 ? { name } : { name, children: children.map(plain) }
  return roots.map(plain)
}

/** The map, list or tree (`{name, children}`) that a text spells out, or `undefined`. */
export const outlineInText = (text: string): unknown => {
  if (text.length > longest) return undefined
  const source = text.trim().replaceAll("\r\n", "\n").replaceAll("\t", "  ")
  const tree = drawnTree(source)
  if (tree !== undefined) return tree
  const lines = linesOf(source)
  if (lines === undefined) return undefined
  const tagged = taggedLines(lines)
  if (tagged !== undefined) return tagged
  // Sentences with a colon are prose.
  if (lines.some(({ text }) => text.length > 400 || /^(https?:|note|error|warning)\b.{60,}/i.test(text)))
    return undefined
  const outline = new Outline(lines)
  const value = outline.block(lines[0]?.indent ?? 0)
  const isPlainList = Array.isArray(value) && value.every((item) => typeof item !== "object")
  return outline.isDone && !isPlainList ? value : undefined
}
