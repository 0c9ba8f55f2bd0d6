import type { HostFormat, HostList, HostMap, HostNode, HostPair, HostTree } from "./HostTree.ts"

/** Puts `text` where `start` to `end` stood. */
export interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

export const applied = (text: string, edits: ReadonlyArray<Edit>): string => {
  let result = ""
  let copied = 0
  for (const edit of edits.toSorted((one, other) => one.start - other.start || one.end - other.end)) {
    result += text.slice(copied, edit.start) + edit.text
    copied = edit.end
  }
  return result + text.slice(copied)
}

type Value = string | ReadonlyArray<string> | Readonly<Record<string, string>>

/** JSON is YAML too, and TOML but for tables. */
const quoted = (text: string): string => JSON.stringify(text).replaceAll("\x7f", "\\u007f")

/** Words that YAML takes for something else. */
const NO_PLAIN_TEXT = /^(?:true|false|null|yes|no|on|off|y|n)$/i

const textValue = (text: string, format: HostFormat): string =>
  format === "yaml" && /^[A-Za-z][\w./-]*$/.test(text) && !NO_PLAIN_TEXT.test(text) ? text : quoted(text)

const keyText = (key: string, format: HostFormat): string =>
  format === "json" || !/^[A-Za-z][\w-]*$/.test(key) ? quoted(key) : key

const pairText = (key: string, value: Value, format: HostFormat): string =>
  `${keyText(key, format)}${format === "toml" ? " = " : ": "}${valueText(value, format)}`

const valueText = (value: Value, format: HostFormat): string => {
  if (typeof value === "string") return textValue(value, format)
  if (Array.isArray(value)) return `[${value.map((text) => textValue(text, format)).join(", ")}]`
  return `{ ${Object.entries(value as Readonly<Record<string, string>>)
    .map(([key, text]) => pairText(key, text, format))
    .join(", ")} }`
}

const lineEnd = (text: string): string => (/\r?\n/.exec(text) ?? ["\n"])[0]

/** The blanks at the start of the line, if nothing else stands before `at`. */
const indentAt = (text: string, at: number): string | undefined => {
  const before = text.slice(text.lastIndexOf("\n", at - 1) + 1, at)
  return /^[ \t]*$/.test(before) ? before : undefined
}

/** What stands between two members, or two items, of which one begins at `at`. */
const separator = ({ text }: HostTree, at: number, isBlock: boolean, isCompact: boolean): string => {
  const indent = indentAt(text, at)
  if (isBlock) return `${lineEnd(text)}${indent ?? ""}`
  return indent === undefined ? (isCompact ? "," : ", ") : `,${lineEnd(text)}${indent}`
}

const isCompact = ({ text }: HostTree, nodes: ReadonlyArray<HostNode | HostPair>): boolean => {
  const [first, second] = nodes
  return first !== undefined && second !== undefined && text.slice(first.end, second.start) === ","
}

const betweenPairs = (tree: HostTree, map: HostMap, pair: HostPair): string =>
  separator(tree, pair.start, map.isBlock, isCompact(tree, map.pairs))

export const setText = ({ format }: HostTree, node: HostNode, value: string): Edit => ({
  start: node.start,
  end: node.end,
  text: valueText(value, format)
})

/** Puts texts in front of the items of a list. */
export const prepend = (tree: HostTree, list: HostList, values: ReadonlyArray<string>): Edit => {
  const [first] = list.items
  const texts = values.map((text) => textValue(text, tree.format))
  if (first === undefined) return { start: list.start + 1, end: list.start + 1, text: texts.join(", ") }
  if (list.isBlock) {
    const indent = " ".repeat(list.start - tree.text.lastIndexOf("\n", list.start) - 1)
    const text = texts.map((text) => `- ${text}${lineEnd(tree.text)}${indent}`).join("")
    return { start: list.start, end: list.start, text }
  }
  const between = separator(tree, first.start, false, isCompact(tree, list.items))
  return { start: first.start, end: first.start, text: texts.map((text) => text + between).join("") }
}

/** Takes the first items of a list away. */
export const dropFirst = ({ text }: HostTree, list: HostList, count: number): Edit => {
  const [first, next] = [list.items[0], list.items[count]]
  if (first === undefined || next === undefined) return { start: list.start, end: list.end, text: "[]" }
  // In a block, a dash stands before each item.
  const before = (at: number) => (list.isBlock ? text.lastIndexOf("-", at - 1) : at)
  return { start: list.isBlock ? list.start : first.start, end: before(next.start), text: "" }
}

export type NewPair = readonly [key: string, value: Value]

/** Writes other members in the place of one. */
export const replacePair = (tree: HostTree, map: HostMap, pair: HostPair, members: ReadonlyArray<NewPair>): Edit => {
  const { end, start, table } = pair
  const between = betweenPairs(tree, map, pair)
  if (table === undefined) {
    return { start, end, text: members.map(([key, value]) => pairText(key, value, tree.format)).join(between) }
  }
  const tables = members.map(([key, value]) => {
    const inner = typeof value === "object" && !Array.isArray(value) ? Object.entries(value) : []
    return [`[${table}${key}]`, ...inner.map(([name, text]) => pairText(name, text, tree.format))]
  })
  return { start, end, text: tables.flat().join(lineEnd(tree.text)) }
}

/** Writes members behind one, on lines of their own where that one has its own. */
export const addAfter = (tree: HostTree, map: HostMap, pair: HostPair, members: ReadonlyArray<NewPair>): Edit => {
  const between = betweenPairs(tree, map, pair)
  const text = members.map(([key, value]) => between + pairText(key, value, tree.format)).join("")
  if (!map.isBlock) return { start: pair.end, end: pair.end, text }
  // Behind a comment that ends the line.
  const rest = /^[^\r\n]*/.exec(tree.text.slice(pair.end))?.[0] ?? ""
  const at = pair.end + rest.trimEnd().length
  return { start: at, end: at, text }
}

/** Writes a member into a map, as its first. */
export const addFirst = (tree: HostTree, map: HostMap, [key, value]: NewPair): Edit => {
  const [first] = map.pairs
  const member = pairText(key, value, tree.format)
  if (first === undefined) {
    const at = map.isBlock ? map.start : map.start + 1
    return { start: at, end: at, text: map.isBlock ? `${lineEnd(tree.text)}${member}` : ` ${member} ` }
  }
  return { start: first.start, end: first.start, text: member + betweenPairs(tree, map, first) }
}

/** Takes a member away: its lines, where it has its own, else what stands up to the next one. Stays inside the map. */
export const dropPair = ({ text }: HostTree, map: HostMap, pair: HostPair): Edit => {
  const at = map.pairs.indexOf(pair)
  const [before, next] = [map.pairs[at - 1], map.pairs[at + 1]]
  if (!map.isBlock || indentAt(text, pair.start) === undefined) {
    if (next !== undefined) return { start: pair.start, end: next.start, text: "" }
    return { start: before?.end ?? pair.start, end: pair.end, text: "" }
  }
  const rest = text.slice(pair.end)
  if (next !== undefined) {
    const line = /^[^\r\n]*\r?\n[ \t]*/.exec(rest)?.[0] ?? ""
    return { start: pair.start, end: pair.end + line.length, text: "" }
  }
  const lineStart = text.lastIndexOf("\n", pair.start - 1)
  const start = text[lineStart - 1] === "\r" ? lineStart - 1 : lineStart
  return { start, end: pair.end + (/^[^\r\n]*/.exec(rest)?.[0].length ?? 0), text: "" }
}
