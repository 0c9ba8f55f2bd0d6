import type { JsonRecord } from "./ResultColumn.ts"
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

const tablesOf = (text: string): TextPieces["tables"] => {
  const lines = text.split("\n")
  const tables: Array<ReadonlyArray<JsonRecord>> = []
  for (let at = 0; at < lines.length; at++) {
    if (!lines[at]?.includes("|") || !isRule(lines[at + 1])) continue
    let end = at + 2
    while (end < lines.length && lines[end]?.includes("|")) end++
    tables.push(rowsFrom(cellsOf(lines[at] ?? ""), lines.slice(at + 2, end).map(cellsOf)))
    at = end
  }
  if (tables.length > 0) return tables
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
  return { lines, pairs: pairsOf(lines), tables: tablesOf(text), sections: sectionsOf(text), links: linksOf(text) }
}
