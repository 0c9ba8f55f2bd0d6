import type { JsonRecord } from "./ResultColumn.ts"

const listed =
  /^[-dlbcps][rwxsStT-]{9}[+@.]?\s+\d+\s+\S+\s+\S+\s+([\d.,]+[KMGT]?)\s+(\w{3}\s+\d+\s+[\d:]+|\d{4}-\d\d-\d\d \d\d:\d\d)\S*\s+(.+)$/
const tagged = /^\[(FILE|DIR|DIRECTORY)\]\s+(.*?)(?:\s{2,}([\d.]+\s*[kKMGT]?i?B?))?$/
const path =
  /^(?:[A-Za-z]:)?[.~]?[\\/]?(?:[\w .()@+~%-]{1,80}[\\/])+[\w .()@+~%-]{0,80}$|^[\w()@+~%-][\w .()@+~%-]{0,80}\.[A-Za-z]\w{0,7}$/

const fileOf = (line: string): JsonRecord | undefined => {
  const tag = tagged.exec(line)
  if (tag !== null)
    return {
      path: tag[2],
      type: tag[1] === "FILE" ? "file" : "directory",
      ...(tag[3] === undefined ? {} : { size: tag[3] })
    }
  const long = listed.exec(line)
  if (long !== null)
    return {
      path: long[3],
      type: line.startsWith("d") ? "directory" : "file",
      size: Number(long[1]) || long[1],
      time: long[2]
    }
  return path.test(line) ? { path: line } : undefined
}

/** The files that the lines of a text name: listings of `ls -l`, lines such as `[FILE] a.txt`, paths. */
export const filesInText = (text: string): ReadonlyArray<JsonRecord> | undefined => {
  if (text.length > 200_000) return undefined
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !/^total \d+$|^(total|combined)\b.*:/i.test(line))
  if (lines.length === 0) return undefined
  const files = lines.map(fileOf)
  return files.every((file) => file !== undefined)
    ? files.filter(({ path }) => path !== "." && path !== "..")
    : undefined
}
