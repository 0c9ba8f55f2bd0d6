/** Where reading a text as JSON failed. Line and column count from 1; a column is a UTF-16 unit. */
export interface JsonTextProblem {
  readonly line: number
  readonly column: number
  readonly expected: string
  readonly found: string
}

const DEEPEST = 200
/** Longer words are not quoted back: a key that lost its quotes is such a word. */
const LONGEST_WORD = 12
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const WORD = /[A-Za-z_$][\w$]*/y
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y

class Stopped {
  readonly index: number
  readonly expected: string
  readonly found: string | undefined
  constructor(index: number, expected: string, found?: string) {
    this.index = index
    this.expected = expected
    this.found = found
  }
}

const describe = (text: string, index: number): string => {
  if (index >= text.length) return "the end of the file"
  const character = String.fromCodePoint(text.codePointAt(index) ?? 0)
  if (character === "\n" || character === "\r") return "the end of the line"
  if (text.startsWith("//", index) || text.startsWith("/*", index))
    return "a comment, which JSON does not have; remove it"
  if (character === "'") return "a single quote"
  WORD.lastIndex = index
  const word = WORD.exec(text)?.[0]
  if (word === undefined) return JSON.stringify(character)
  return word.length > LONGEST_WORD ? "a word without double quotes" : `the word ${word}`
}

/**
 * Looks for the first place where `text` is not JSON (RFC 8259), or where a key stands twice in one object.
 * It never quotes a string of the text, because that could be a key. `undefined`: the text is fine.
 */
export const findJsonTextProblem = (text: string): JsonTextProblem | undefined => {
  let index = 0
  const stop = (expected: string, found?: string): Stopped => new Stopped(index, expected, found)
  const blank = (): void => {
    while (index < text.length && " \t\n\r".includes(text.charAt(index))) index++
  }
  const string = (what: string): string => {
    const start = index
    if (text.charAt(index) !== '"') throw stop(what)
    for (index++; index < text.length;) {
      const character = text.charAt(index)
      if (character === '"') {
        index++
        return text.slice(start, index)
      }
      if (character < " ") throw stop("a closing double quote")
      if (character !== "\\") {
        index++
        continue
      }
      ESCAPE.lastIndex = index
      const escape = ESCAPE.exec(text)?.[0]
      if (escape === undefined)
        throw stop(
          'an escape such as \\" \\\\ \\n or \\u0041',
          "another one; in a path write each backslash twice, or as /"
        )
      index += escape.length
    }
    throw stop("a closing double quote")
  }
  /** What stands between the brackets of an object or a list, and the closing one. */
  const members = (close: string, what: string, member: () => void): void => {
    index++
    blank()
    if (text.charAt(index) === close) {
      index++
      return
    }
    for (;;) {
      member()
      blank()
      const next = text.charAt(index)
      if (next !== "," && next !== close) throw stop(`"," or "${close}" after the value`)
      index++
      if (next === close) return
      blank()
      if (text.charAt(index) === close) throw stop(`another ${what} after ","`, `"${close}"; remove the last comma`)
    }
  }
  const value = (depth: number): void => {
    if (depth > DEEPEST) throw stop(`at most ${DEEPEST} levels`, "more")
    const character = text.charAt(index)
    if (character === "{") object(depth)
    else if (character === "[") members("]", "value", () => value(depth + 1))
    else if (character === '"') string("a value")
    else {
      const literal = ["true", "false", "null"].find((word) => text.startsWith(word, index))
      NUMBER.lastIndex = index
      const token = literal ?? NUMBER.exec(text)?.[0]
      if (token === undefined) throw stop("a value (a string in double quotes, a number, true, false, null, { or [)")
      index += token.length
    }
  }
  const object = (depth: number): void => {
    const keys = new Set<unknown>()
    members("}", "key", () => {
      const start = index
      const key: unknown = JSON.parse(string("a key in double quotes"))
      if (keys.has(key)) {
        index = start
        throw stop("each key once", "a key that already stands in this object")
      }
      keys.add(key)
      blank()
      if (text.charAt(index) !== ":") throw stop('":" after the key')
      index++
      blank()
      value(depth + 1)
    })
  }
  try {
    blank()
    value(0)
    blank()
    if (index < text.length) throw stop("nothing after the value")
    return undefined
  } catch (stopped) {
    if (!(stopped instanceof Stopped)) throw stopped
    const before = text.slice(0, stopped.index).split(/\r\n|\n|\r/)
    return {
      line: before.length,
      column: (before.at(-1) ?? "").length + 1,
      expected: stopped.expected,
      found: stopped.found ?? describe(text, stopped.index)
    }
  }
}
