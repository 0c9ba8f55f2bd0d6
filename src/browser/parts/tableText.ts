import { numberOf, type JsonRecord } from "../../domain/results/ResultColumn.ts"
import { jsonOf, textOf } from "./values.ts"

const textIn = (value: unknown): string => {
  if (value === null || value === undefined) return ""
  const text =
    typeof value === "object" && !(value instanceof Date) && !(value instanceof Node) ? jsonOf(value) : textOf(value)
  // Spreadsheets run what begins like this as a formula; an apostrophe makes it text.
  return /^[=+\-@\t\r]/.test(text) && numberOf(text) === undefined ? `'${text}` : text
}

/**
 * Records as lines of values under the names of all their members: RFC 4180 with "," (CSV), and the same quoting with a tab,
 * which spreadsheets take from the clipboard. Values are as they came, objects and lists as JSON. A text that begins with
 * "=", "+", "-", "@", a tab or a carriage return and is no number gets an apostrophe in front, so that no spreadsheet runs it.
 * CSV with letters beyond ASCII begins with a byte order mark, by which spreadsheets know UTF-8.
 */
export const separatedText = (rows: ReadonlyArray<JsonRecord>, separator: "," | "\t" = ","): string => {
  const keys = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const needsQuotes = separator === "," ? /[",\r\n]|^\s|\s$/ : /["\t\r\n]/
  const cell = (value: unknown): string => {
    const text = textIn(value)
    return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text
  }
  const text = [keys.map(cell), ...rows.map((row) => keys.map((key) => cell(row[key])))]
    .map((cells) => cells.join(separator))
    .join("\r\n")
  return separator === "," && /[^\0-\x7F]/.test(text) ? `\uFEFF${text}\r\n` : `${text}\r\n`
}

/** A name for a file: letters, digits and dashes of the title. */
export const fileNameOf = (title: string, extension: string): string =>
  `${
    title
      .replace(/[^\p{L}\p{N}]+/gu, "-")
      .replace(/^-|-$/g, "")
      .slice(0, 60)
      .toLowerCase() || "table"
  }.${extension}`
