import type { JsonRecord } from "./ResultColumn.ts"

/** Rights, links, owner, group, size, then the time in one to three words, then the name. */
const listed =
  /^[-dlbcps][rwxsStT-]{9}[+@.]? +\d+ +\S+ +\S+ +([\d.,]+[KMGT]?) +([A-Z]\w\w +\d{1,2} +[\d:]{4,5}|\d{4}-\d\d-\d\d \d\d:\d\d)\S* +(\S.*)$/
const tagged = /^\[(FILE|DIR|DIRECTORY)\] +(\S.*)$/
const sized = / {2}([\d.]{1,12} ?[kKMGT]?i?B?)$/
const path =
  /^(?:[A-Za-z]:)?[.~]?[\\/](?:[\w .()@+~%-]{1,80}[\\/]){0,40}[\w .()@+~%-]{0,80}$|^(?:[\w.()@+~%-]{1,80}[\\/]){1,40}[\w .()@+~%-]{0,80}$|^[\w()@+~%-][\w .()@+~%-]{0,80}\.[A-Za-z]\w{0,7}$/

const fileOf = (line: string): JsonRecord | undefined => {
  const tag = tagged.exec(line)
  if (tag?.[2] !== undefined) {
    const size = sized.exec(tag[2])
    return {
      path: tag[2].slice(0, size?.index).trim(),
      type: tag[1] === "FILE" ? "file" : "directory",
      ...(size === null ? {} : { size: size[1] })
    }
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
    .filter(
      (line, at) =>
        line !== "" && !/^total \d+$|^(total|combined)\b.*:/i.test(line) && !(at === 0 && line.endsWith(":"))
    )
  if (lines.length === 0) return undefined
  const files = lines.map(fileOf)
  return files.every((file) => file !== undefined)
    ? files.filter(({ path }) => path !== "." && path !== "..")
    : undefined
}
