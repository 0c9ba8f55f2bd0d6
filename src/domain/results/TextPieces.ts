import type { JsonRecord } from "./ResultColumn.ts"
import { filesInText } from "./ResultFiles.ts"
import { recordsInText } from "./ResultJson.ts"

/** What a text is made of, so that no view has to take it apart. */
export interface TextPieces {
  /** Its lines without blanks at the ends; empty ones are left out. */
  readonly lines: ReadonlyArray<string>
  /** Lines of "Key: value" by key; a key that comes twice has the list of its values. */
  readonly pairs: Readonly<Record<string, string | ReadonlyArray<string>>>
  /** The rows of each table: Markdown, CSV, columns set apart by blanks. */
  readonly tables: ReadonlyArray<ReadonlyArray<JsonRecord>>
  /** What stands below each heading; text before the first has an empty title. */
  readonly sections: ReadonlyArray<{ readonly title: string; readonly text: string }>
  readonly links: ReadonlyArray<{ readonly title: string; readonly url: string }>
  /** What a listing names: `{path, type, size, time}`, the members that are known. */
  readonly files: ReadonlyArray<JsonRecord>
}

const longest = 400_000

/** A piece of Markdown without its marks of emphasis, code and links. */
export const withoutMarks = (text: string): string =>
  text
    .replace(/!?\[([^[\]\n]{0,300})\]\([^()\n]{0,500}\)/g, "$1")
    .replace(/(\*\*|__)(?=\S)([^\n]{1,400}?)\1/g, "$2")
    .replace(/`([^`\n]{1,400})`/g, "$1")
    .trim()

const pairPattern = /^([^:|<>{}[\]"\n]{1,60}):\s(.*)$/

const pairsOf = (lines: ReadonlyArray<string>): TextPieces["pairs"] => {
  const pairs = new Map<string, string | ReadonlyArray<string>>()
  for (const line of lines) {
    const [, name = "", said = ""] = pairPattern.exec(withoutMarks(line).replace(/^[-*•]\s/, "")) ?? []
    const key = name.trim()
    const value = said.trim()
    if (key === "" || value === "") continue
    const known = pairs.get(key)
    pairs.set(key, known === undefined ? value : [...(typeof known === "string" ? [known] : known), value])
  }
  return Object.fromEntries(pairs)
}

const cellsOf = (line: string): ReadonlyArray<string> =>
  line
    .trim()
    .replace(/^\||\|$/g, "")
    .split("|")
    .map((cell) => withoutMarks(cell))

const rowsFrom = (
  names: ReadonlyArray<string>,
  lines: ReadonlyArray<ReadonlyArray<string>>
): ReadonlyArray<JsonRecord> =>
  lines.map((cells) => Object.fromEntries(names.map((name, at) => [name || `Column ${at + 1}`, cells[at] ?? ""])))

const isRule = (line: string | undefined): boolean =>
  line !== undefined && /^[\s|:+-]+$/.test(line) && line.includes("-") && /[|+]/.test(line)

/** Columns that begin at the same place in every line, below a line of names. */
const aligned = (block: ReadonlyArray<string>): ReadonlyArray<JsonRecord> | undefined => {
  const cells = block.filter((line) => !/^[\s=+-]+$/.test(line)).map((line) => line.trim().split(/\s{2,}|\t/))
  const count = cells[0]?.length ?? 0
  if (cells.length < 3 || count < 2 || !cells.every((line) => line.length === count)) return undefined
  return rowsFrom(cells[0] ?? [], cells.slice(1))
}

interface MarkdownTable {
  readonly rows: ReadonlyArray<JsonRecord>
  /** The lines of the text that it takes, the last not included. */
  readonly from: number
  readonly to: number
}

const markdownTables = (lines: ReadonlyArray<string>): ReadonlyArray<MarkdownTable> => {
  const tables: Array<MarkdownTable> = []
  for (let from = 0; from < lines.length; from++) {
    if (!lines[from]?.includes("|") || !isRule(lines[from + 1])) continue
    let to = from + 2
    while (to < lines.length && lines[to]?.includes("|")) to++
    tables.push({ rows: rowsFrom(cellsOf(lines[from] ?? ""), lines.slice(from + 2, to).map(cellsOf)), from, to })
    from = to
  }
  return tables
}

/** The rows of a text that is one long table with a few words around it; a document with a table stays a document. */
export const tableInText = (
  text: string
): { readonly value: ReadonlyArray<JsonRecord>; readonly before: string; readonly after: string } | undefined => {
  if (!text.includes("|") || text.length > longest) return undefined
  const lines = text.replaceAll("\r\n", "\n").split("\n")
  const [table, ...more] = markdownTables(lines)
  if (table === undefined || more.length > 0 || table.rows.length < 8) return undefined
  const before = lines.slice(0, table.from).join("\n").trim()
  const after = lines.slice(table.to).join("\n").trim()
  return before.length + after.length > 300 || /^(#|```|[-*] )/m.test(`${before}\n${after}`)
    ? undefined
    : { value: table.rows, before, after }
}

const tablesOf = (text: string): TextPieces["tables"] => {
  const tables = markdownTables(text.split("\n"))
  if (tables.length > 0) return tables.map(({ rows }) => rows)
  return text
    .split(/\n\s*\n/)
    .map((block) => recordsInText(block) ?? aligned(block.split("\n").filter((line) => line.trim() !== "")))
    .filter((rows) => rows !== undefined)
}

const sectionsOf = (text: string): TextPieces["sections"] => {
  const sections: Array<{ title: string; lines: Array<string> }> = [{ title: "", lines: [] }]
  let isFenced = false
  for (const line of text.split("\n")) {
    if (/^\s*```/.test(line)) isFenced = !isFenced
    const title = isFenced
      ? undefined
      : (/^#{1,6} (.+)$/.exec(line) ?? /^={2,}([^=]+)={2,}$/.exec(line))?.[1]?.replace(/#{1,6}$/, "").trim()
    if (title === undefined) sections.at(-1)?.lines.push(line)
    else sections.push({ title: withoutMarks(title), lines: [] })
  }
  return sections
    .map(({ lines, title }) => ({ title, text: lines.join("\n").trim() }))
    .filter(({ text: body, title }, at) => at > 0 || title !== "" || body !== "")
}

const linksOf = (text: string): TextPieces["links"] =>
  [
    ...text.matchAll(
      /\[([^[\]\n]{1,300})\]\((https?:[^\s()]{1,2000})\)|(https?:\/\/[^\s<>()[\]"'`]{1,2000}[^\s<>()[\]"'`.,;:!?])/g
    )
  ].map(([, title, url, bare]) => ({ title: title ?? bare ?? "", url: url ?? bare ?? "" }))

/** Takes a text apart. Only the first 400,000 characters are read. */
export const textPieces = (whole: string): TextPieces => {
  const text = whole.slice(0, longest).replaceAll("\r\n", "\n")
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
  return {
    lines,
    pairs: pairsOf(lines),
    tables: tablesOf(text),
    sections: sectionsOf(text),
    links: linksOf(text),
    files: filesInText(text) ?? []
  }
}
