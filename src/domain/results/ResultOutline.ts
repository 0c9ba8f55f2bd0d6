/**
 * Structure in text that is neither JSON nor CSV: lines of `key: value`, also in blocks. Strict: one line that does not
 * fit keeps everything text.
 */
import type { JsonRecord } from "./ResultColumn.ts"
import { parsedJson } from "./ResultJson.ts"

const pair = /^([\p{L}$][^:{}[\]"'`#|<>,;?!=]{0,60}):(?:\s+(\S.*))?$/u

// A text becomes a value only if it would be written the same: versions, zip codes and long ids stay text.
const scalar = (text: string): unknown => {
  const read = parsedJson(text)
  return typeof read !== "object" && String(read) === text ? read : text
}

const recordOf = (block: string): JsonRecord | undefined => {
  const pairs = block.split("\n").map((line) => pair.exec(line.trimEnd()))
  // A name without a value is a heading of what follows, not an empty value.
  if (pairs[0]?.[2] === undefined) return undefined
  const record = Object.fromEntries(
    pairs.map((found) => [found?.[1]?.trimEnd(), found?.[2] === undefined ? null : scalar(found[2])])
  )
  return pairs.every((found) => found !== null && found.input.length <= 400) &&
    Object.keys(record).length === pairs.length
    ? record
    : undefined
}

/** One record a line, as in `Name: admin, Size: 40960 bytes`: all with the same names. */
const recordsOfLines = (source: string): ReadonlyArray<JsonRecord> | undefined => {
  const records = source.split("\n").map((line) => recordOf(line.replaceAll(/, (?=\p{L}[\w ]{0,40}: )/gu, "\n")))
  const names = records.map((record) => Object.keys(record ?? {}).join())
  return names.every((each) => each.includes(",") && each === names[0]) ? (records as Array<JsonRecord>) : undefined
}

const longest = 500_000

/** The map or the records that a text spells out, or `undefined`. */
export const outlineInText = (text: string): JsonRecord | ReadonlyArray<JsonRecord> | undefined => {
  const source = text.length > longest ? "" : text.trim().replaceAll("\r", "")
  if (!source.includes("\n")) return undefined
  const lines = recordsOfLines(source)
  if (lines !== undefined) return lines
  const records: Array<JsonRecord> = []
  for (const block of source.split(/\n(?:\s*\n|-{3,}\n)+/)) {
    const record = recordOf(block)
    if (record === undefined) return undefined
    records.push(record)
  }
  const whole = Object.fromEntries(records.flatMap((record) => Object.entries(record)))
  const count = records.reduce((sum, record) => sum + Object.keys(record).length, 0)
  if (Object.keys(whole).length === count) return whole
  const [lead = ""] = Object.keys(records[0] ?? {})
  return records.every((record) => lead in record) ? records : undefined
}
