import { Result, Schema } from "effect"

/** A command line could not be split into words. `column` counts characters from 1. */
export class CommandLineRejected extends Schema.TaggedError<CommandLineRejected>()("CommandLineRejected", {
  column: Schema.Int,
  reason: Schema.String
}) {
  override get message(): string {
    return `${this.reason} (character ${this.column})`
  }
}

const OPERATORS: ReadonlySet<string> = new Set(["|", "||", "&", "&&", ";", "<", ">", ">>", "2>", "2>&1"])
const ESCAPABLE_IN_DOUBLE_QUOTES: ReadonlySet<string> = new Set(['"', "\\", "$", "`"])

/** How a path of Windows begins: a drive, or a share. Words for a shell do not begin so. */
const WINDOWS_PATH = /^(?:[A-Za-z]:\\|\\\\)\w/

const isBlank = (character: string): boolean =>
  character === " " || character === "\t" || character === "\n" || character === "\r"

/**
 * Splits a command line into words as a POSIX shell does (XCU 2.2 "Quoting"), without expansions: single quotes
 * keep everything, double quotes keep everything but `\"`, `\\`, `\$`, `` \` `` and a backslash before a line
 * end, a backslash outside quotes keeps the next character. `$NAME`, `~` and `*` stay as they are written.
 *
 * Fails for an open quote, a backslash at the end, no word at all, and for a shell operator that stands as a
 * word of its own: nothing here runs a shell, so it would silently become an argument.
 */
export const splitCommandLine = (line: string): Result.Result<ReadonlyArray<string>, CommandLineRejected> => {
  const words: Array<string> = []
  const rejected = (index: number, reason: string) =>
    Result.fail(new CommandLineRejected({ column: index + 1, reason }))
  let index = 0
  while (index < line.length) {
    if (isBlank(line.charAt(index))) {
      index++
      continue
    }
    const start = index
    let word = ""
    if (WINDOWS_PATH.test(line.slice(start, start + 4))) {
      const [first = ""] = line.trimStart().split(" ")
      return rejected(
        start,
        `a backslash outside quotes is lost; write the words after "--", as they are: mcp-gen-ui -- ${first} …, or each path in single quotes`
      )
    }
    while (index < line.length && !isBlank(line.charAt(index))) {
      const character = line.charAt(index)
      if (character === "\\") {
        if (index + 1 === line.length) return rejected(index, "a backslash at the end escapes nothing")
        if (line.charAt(index + 1) !== "\n") word += line.charAt(index + 1)
        index += 2
      } else if (character === "'") {
        const end = line.indexOf("'", index + 1)
        if (end < 0) return rejected(index, "a single quote is not closed")
        word += line.slice(index + 1, end)
        index = end + 1
      } else if (character === '"') {
        const open = index++
        while (index < line.length && line.charAt(index) !== '"') {
          const next = line.charAt(index + 1)
          if (line.charAt(index) === "\\" && (ESCAPABLE_IN_DOUBLE_QUOTES.has(next) || next === "\n")) {
            if (next !== "\n") word += next
            index += 2
          } else word += line.charAt(index++)
        }
        if (index >= line.length) return rejected(open, "a double quote is not closed")
        index++
      } else {
        word += character
        index++
      }
    }
    const written = line.slice(start, index)
    if (OPERATORS.has(written)) {
      return rejected(
        start,
        `"${written}" needs a shell and none is used; write sh -c '…' around the whole, or quote it`
      )
    }
    if (written !== "\\\n") words.push(word)
  }
  return words.length === 0 ? rejected(0, "there is no command in it") : Result.succeed(words)
}
