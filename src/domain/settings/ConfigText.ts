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
  if (text.startsWith("//", index) || text.startsWith("/*", index)) return "a comment, which JSON does not have"
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
      if (escape === undefined) throw stop('an escape such as \\" \\\\ \\n or \\u0041', "another one")
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

/** Variables by name, as of a process. */
export type Environment = Readonly<Record<string, string | undefined>>

/** A reference in the file that could not be followed; `path` as in {@link formatConfigPath}. */
export interface ReferenceProblem {
  readonly path: ReadonlyArray<PropertyKey>
  readonly text: string
}

const REFERENCE = /\$\$\{|\$\{([^}]*)(\}?)/g

/** Whether a string of the file refers to the environment, so that the file itself holds no secret. */
export const hasReference = (text: string): boolean => [...text.matchAll(REFERENCE)].some((match) => match[0] !== "$${")

/**
 * Replaces `${NAME}` in every string value by that environment variable; `$${` stands for a plain `${`. Keys are
 * left alone. A variable that is not set is a problem; an empty one is not.
 */
export const resolveReferences = (
  document: unknown,
  environment: Environment
): { readonly document: unknown; readonly problems: ReadonlyArray<ReferenceProblem> } => {
  const problems: Array<ReferenceProblem> = []
  const resolve = (value: unknown, path: ReadonlyArray<PropertyKey>): unknown => {
    if (typeof value === "string") {
      return value.replaceAll(REFERENCE, (whole, name: string | undefined, closed: string | undefined) => {
        if (whole === "$${") return "${"
        if (name === undefined || closed !== "}" || !/^[A-Za-z_]\w*$/.test(name)) {
          problems.push({
            path,
            text: "has a ${ that no variable name and } follow; write ${NAME}, or $${ for the two characters themselves"
          })
          return whole
        }
        const found = environment[name]
        if (found === undefined)
          problems.push({ path, text: `needs the environment variable ${name}, which is not set` })
        return found ?? whole
      })
    }
    if (Array.isArray(value)) return value.map((item, index) => resolve(item, [...path, index]))
    if (typeof value === "object" && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, resolve(item, [...path, key])]))
    }
    return value
  }
  return { document: resolve(document, []), problems }
}

/** What stands at a path of a document, among its own members. */
export const valueAt = (document: unknown, path: ReadonlyArray<PropertyKey>): unknown =>
  path.reduce<unknown>(
    (value, part) =>
      typeof value === "object" && value !== null ? Object.getOwnPropertyDescriptor(value, part)?.value : undefined,
    document
  )

/** `generation.limits.maxHtmlBytes`, `upstream.args[1]`, `generation.tools["my tool"]`. */
export const formatConfigPath = (path: ReadonlyArray<PropertyKey>): string =>
  path.reduce<string>((text, part) => {
    if (typeof part === "number") return `${text}[${part}]`
    const name = String(part)
    if (!/^[A-Za-z_$][\w$]*$/.test(name)) return `${text}[${JSON.stringify(name)}]`
    return text === "" ? name : `${text}.${name}`
  }, "")
