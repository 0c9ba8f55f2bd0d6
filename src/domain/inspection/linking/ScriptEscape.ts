import type { SourceParsers } from "../SourceParsers.ts"
import { applyEdits } from "../repair/TextEdits.ts"
import type { TextEdit } from "../repair/TextEdits.ts"

/** Where `<` begins a sequence that the HTML parser reacts to inside a script (HTML, "Restrictions for contents"). */
const dangerousOffsets = (code: string): ReadonlyArray<number> => {
  const lower = code.toLowerCase()
  const offsets: Array<number> = []
  for (const sequence of ["</script", "<!--"]) {
    for (let at = lower.indexOf(sequence); at !== -1; at = lower.indexOf(sequence, at + 1)) offsets.push(at)
  }
  return offsets.sort((a, b) => a - b)
}

interface Span {
  readonly start: number
  readonly end: number
}

const contains = ({ start, end }: Span, at: number): boolean => start <= at && at < end

const isEscaped = (code: string, at: number): boolean => {
  let backslashes = 0
  while (code[at - 1 - backslashes] === "\\") backslashes++
  return backslashes % 2 === 1
}

const TEXT_TOKENS: ReadonlySet<string> = new Set(["string", "template", "invalidTemplate", "regexp"])

/**
 * Makes code safe inside a `<script>` element without changing what it does: the `<` of `</script` and `<!--` becomes
 * `\x3c` in strings, templates and regular expressions; in expressions and comments a space follows it. Only code that
 * reads its own text can notice: `String.raw`, the `source` of a regular expression, `toString` of a function.
 *
 * Throws what acorn throws if the code has such a sequence and does not parse.
 */
export const escapeScript = (parsers: SourceParsers, code: string, sourceType: "module" | "script"): string => {
  const offsets = dangerousOffsets(code)
  if (offsets.length === 0) return code
  const texts: Array<Span> = []
  const comments: Array<Span> = []
  parsers.acorn.parse(code, {
    ecmaVersion: "latest",
    sourceType,
    allowHashBang: false,
    onToken: ({ type, start, end }) => {
      if (TEXT_TOKENS.has(type.label)) texts.push({ start, end })
    },
    onComment: (_block, _text, start, end) => comments.push({ start, end })
  })
  const edits = offsets.map((at): TextEdit => {
    const insert = (text: string, length = 1): TextEdit => ({ start: at, end: at + length, text })
    const comment = comments.find((span) => contains(span, at))
    // Only in a classic script can "<!--" itself open a comment.
    if (comment !== undefined) return insert(comment.start === at ? "//< " : "< ")
    if (!texts.some((span) => contains(span, at))) return insert("< ")
    if (code.startsWith("(?<!--", at - 2)) return insert("<!\\x2d", 3)
    return insert(isEscaped(code, at) ? "x3c" : "\\x3c")
  })
  return applyEdits(code, edits)
}
