import { type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser"
import { type AST, ParseError as TomlParseError, parseTOML } from "toml-eslint-parser"
import { isAlias, isMap, isScalar, isSeq, parseDocument, type Pair, type Node as YamlNode } from "yaml"
import type { HostFormat, HostMap, HostNode, HostPair, HostTextProblem, HostTree } from "./HostTree.ts"

const NOTHING: HostMap = { kind: "map", pairs: [], isBlock: false, start: 0, end: 0 }

/** The format of a file, by its name. */
export const formatOf = (path: string): HostFormat =>
  /\.ya?ml$/i.test(path) ? "yaml" : /\.toml$/i.test(path) ? "toml" : "json"

const placeOf = (text: string, offset: number) => {
  const before = text.slice(0, offset).split("\n")
  return { line: before.length, column: (before.at(-1) ?? "").length + 1 }
}

type Read = HostNode | HostTextProblem

const ofJson = (node: Node): HostNode => {
  const span = { start: node.offset, end: node.offset + node.length }
  if (node.type === "array") {
    return { kind: "list", items: (node.children ?? []).map(ofJson), isBlock: false, ...span }
  }
  if (node.type !== "object") return { kind: "scalar", value: node.value, ...span }
  const pairs = (node.children ?? []).flatMap(({ children: [key, value] = [], length, offset }): Array<HostPair> =>
    key === undefined || value === undefined
      ? []
      : [{ key: String(key.value), value: ofJson(value), start: offset, end: offset + length }]
  )
  return { kind: "map", pairs, isBlock: false, ...span }
}

const spaced = (name: string): string => name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase()

/** JSON with comments and trailing commas. */
const readJson = (text: string): Read => {
  const errors: Array<ParseError> = []
  const tree = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true })
  const [first] = errors
  if (first !== undefined) return { ...placeOf(text, first.offset), detail: spaced(printParseErrorCode(first.error)) }
  return tree === undefined ? NOTHING : ofJson(tree)
}

const spanOf = (node: { readonly range?: readonly [number, number, number] | null | undefined }) => {
  const [start, end] = node.range ?? [0, 0, 0]
  return { start, end }
}

const ofYaml = (node: YamlNode, text: string): HostNode => {
  const { end: last, start } = spanOf(node)
  // The range of a block goes on to what follows it.
  const end = start + text.slice(start, last).trimEnd().length
  if (isSeq(node)) {
    const items = node.items.map((item) => ofYaml(item as YamlNode, text))
    return { kind: "list", items, isBlock: node.flow !== true, start, end }
  }
  if (isMap(node)) {
    const pairs = node.items.flatMap(({ key, value }: Pair): Array<HostPair> => {
      if (!isScalar(key) || value === null) return []
      const inner = ofYaml(value as YamlNode, text)
      return [{ key: String(key.value), value: inner, start: spanOf(key).start, end: inner.end }]
    })
    const lastEnd = pairs.at(-1)?.end
    return { kind: "map", pairs, isBlock: node.flow !== true, start, end: node.flow === true ? end : (lastEnd ?? end) }
  }
  return { kind: "scalar", value: isScalar(node) && !isAlias(node) ? node.value : undefined, start, end }
}

const readYaml = (text: string): Read => {
  const document = parseDocument(text, { prettyErrors: false })
  const [first] = document.errors
  if (first !== undefined) return { ...placeOf(text, first.pos[0]), detail: first.message }
  return document.contents === null ? NOTHING : ofYaml(document.contents, text)
}

const nameOf = (key: AST.TOMLBare | AST.TOMLQuoted): string => (key.type === "TOMLBare" ? key.name : key.value)

const tomlValue = (node: AST.TOMLContentNode): HostNode => {
  const [start, end] = node.range
  if (node.type === "TOMLArray") {
    return { kind: "list", items: node.elements.map(tomlValue), isBlock: false, start, end }
  }
  if (node.type === "TOMLInlineTable") return { kind: "map", pairs: tomlPairs(node.body), isBlock: false, start, end }
  return { kind: "scalar", value: node.value, start, end }
}

/** Members with dotted names are left out: to us they are members of something that we do not change. */
const tomlPairs = (body: ReadonlyArray<AST.TOMLKeyValue>): ReadonlyArray<HostPair> =>
  body.flatMap(({ key, range: [start, end], value }) => {
    const [name, ...more] = key.keys
    return name === undefined || more.length > 0 ? [] : [{ key: nameOf(name), value: tomlValue(value), start, end }]
  })

const isBelow = (names: ReadonlyArray<string>, above: ReadonlyArray<string>): boolean =>
  names.length > above.length && above.every((name, index) => names[index] === name)

type NamedTable = AST.TOMLTable & { readonly names: ReadonlyArray<string> }

/** A table with those below it, which need not stand beside it. `at`: where its first member would go. */
const tomlTable = (
  names: ReadonlyArray<string>,
  own: ReadonlyArray<AST.TOMLKeyValue>,
  tables: ReadonlyArray<NamedTable>,
  text: string,
  at: number
): HostMap => {
  const below = tables.filter((table) => isBelow(table.names, names))
  const inner = [...new Set(below.map((table) => table.names[names.length] ?? ""))].map((key): HostPair => {
    const path = [...names, key]
    const header = below.find((table) => table.names.length === path.length && table.names.at(-1) === key)
    const all = below.filter((table) => table === header || isBelow(table.names, path))
    const last = header?.key.keys.at(-1)
    return {
      key,
      value: tomlTable(path, header?.body ?? [], tables, text, header?.range[1] ?? 0),
      start: Math.min(...all.map(({ range }) => range[0])),
      end: Math.max(...all.map(({ range }) => range[1])),
      table: header === undefined || last === undefined ? undefined : text.slice(header.key.range[0], last.range[0])
    }
  })
  const pairs = [...tomlPairs(own), ...inner]
  return { kind: "map", pairs, isBlock: true, start: pairs[0]?.start ?? at, end: pairs.at(-1)?.end ?? at }
}

const readToml = (text: string): Read => {
  try {
    const [{ body }] = parseTOML(text).body
    const tables = body.flatMap((node) =>
      node.type === "TOMLTable" && node.kind === "standard" ? [{ ...node, names: node.key.keys.map(nameOf) }] : []
    )
    const own = body.flatMap((node) => (node.type === "TOMLKeyValue" ? [node] : []))
    return tomlTable([], own, tables, text, 0)
  } catch (cause) {
    if (!(cause instanceof TomlParseError)) throw cause
    return { line: cause.lineNumber, column: cause.column + 1, detail: cause.message }
  }
}

const READERS = { json: readJson, yaml: readYaml, toml: readToml }

/** Reads a text of a host's file, without a byte order mark. */
export const readHostText = (text: string, format: HostFormat): HostTree | HostTextProblem => {
  const root = READERS[format](text)
  if ("detail" in root) return root
  if (root.kind !== "map") return { ...placeOf(text, root.start), detail: "found no members; allowed: an object" }
  return { text, format, root }
}
