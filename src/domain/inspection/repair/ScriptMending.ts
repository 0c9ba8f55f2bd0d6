import type { Program } from "acorn"
import type { SourceParsers } from "../SourceParsers.ts"
import { applyEdits, offsetBefore } from "./TextEdits.ts"
import type { TextEdit } from "./TextEdits.ts"

export type ScriptKind = "module" | "script"

export interface ScriptSyntaxProblem {
  readonly message: string
  readonly offset: number
}

/** A script that parses, perhaps after some characters were replaced. */
export interface ParsedScript {
  readonly program: Program
  readonly code: string
  readonly kind: ScriptKind
  /** Maps an offset of `code` to the script as it was given. */
  readonly offsetBefore: (offset: number) => number
  /** The changes, in words. */
  readonly repairs: ReadonlyArray<string>
}

const syntaxProblem = (error: unknown): ScriptSyntaxProblem => {
  const message = error instanceof Error ? error.message : String(error)
  const offset = error instanceof Error && "pos" in error && typeof error.pos === "number" ? error.pos : 0
  return { message: message.replace(/ ?\(\d+:\d+\)$/u, ""), offset }
}

const parse = (parsers: SourceParsers, code: string, kind: ScriptKind): Program | ScriptSyntaxProblem => {
  try {
    return parsers.acorn.parse(code, { ecmaVersion: "latest", sourceType: kind, allowHashBang: false })
  } catch (error) {
    return syntaxProblem(error)
  }
}

type Outcome = { readonly program: Program; readonly kind: ScriptKind } | ScriptSyntaxProblem

/** Parses it as declared, or as a module: a module may do things that a classic script may not. */
const parseAs = (parsers: SourceParsers, code: string, declared: ScriptKind): Outcome => {
  const program = parse(parsers, code, declared)
  if ("type" in program) return { program, kind: declared }
  if (declared === "module") return program
  const asModule = parse(parsers, code, "module")
  if ("type" in asModule) return { program: asModule, kind: "module" }
  return asModule.offset > program.offset ? asModule : program
}

/** Tries to fix code that does not parse: returns its replacements, or `null` when it finds nothing of its kind. */
type Fix = (parsers: SourceParsers, code: string, kind: ScriptKind) => ReadonlyArray<TextEdit> | null

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["&lt;", "<"],
  ["&gt;", ">"],
  ["&amp;", "&"],
  ["&quot;", '"'],
  ["&apos;", "'"],
  ["&#39;", "'"],
  ["&#x27;", "'"]
])

const entityEdits = (code: string): ReadonlyArray<TextEdit> => {
  const edits: Array<TextEdit> = []
  for (let at = code.indexOf("&"); at !== -1; at = code.indexOf("&", at + 1)) {
    for (const [entity, text] of ENTITIES) {
      if (code.startsWith(entity, at)) edits.push({ start: at, end: at + entity.length, text })
    }
  }
  return edits
}

const decodedEverywhere: Fix = (_parsers, code) => {
  const edits = entityEdits(code)
  return edits.length === 0 ? null : edits
}

const TEXT_TOKENS: ReadonlySet<string> = new Set(["string", "template", "invalidTemplate", "regexp"])

/** Decodes entities between tokens only: code that escapes markup needs them in its texts. */
const decodedOutsideTexts: Fix = (parsers, code, kind) => {
  const edits = entityEdits(code)
  if (edits.length === 0) return null
  const spans: Array<{ readonly start: number; readonly end: number }> = []
  try {
    const options = {
      ecmaVersion: "latest",
      sourceType: kind,
      onComment: (_block: boolean, _text: string, start: number, end: number) => spans.push({ start, end })
    } as const
    for (const { type, start, end } of parsers.acorn.tokenizer(code, options)) {
      if (TEXT_TOKENS.has(type.label)) spans.push({ start, end })
    }
  } catch {
    return null
  }
  return edits.filter(({ start: at }) => !spans.some(({ start, end }) => start <= at && at < end))
}

const MAX_QUOTES = 60
const CLOSING_QUOTES: ReadonlyMap<string, { readonly straight: string; readonly closing: RegExp }> = new Map([
  ["\u201C", { straight: '"', closing: /[\u201C\u201D]/u }],
  ["\u201D", { straight: '"', closing: /\u201D/u }],
  ["\u2018", { straight: "'", closing: /[\u2018\u2019]/u }],
  ["\u2019", { straight: "'", closing: /\u2019/u }]
])

/** Typographic quotes where a string begins, and their partners on the same line. */
const straightQuotes: Fix = (parsers, code, kind) => {
  if (!/[\u2018\u2019\u201C\u201D]/u.test(code)) return null
  const edits: Array<TextEdit> = []
  let straight = code
  for (let turn = 0; turn < MAX_QUOTES; turn++) {
    const outcome = parseAs(parsers, straight, kind)
    if ("program" in outcome) return edits
    const quote = CLOSING_QUOTES.get(straight[outcome.offset] ?? "")
    if (quote === undefined) return null
    const start = outcome.offset
    const newline = straight.indexOf("\n", start)
    const line = straight.slice(start + 1, newline === -1 ? straight.length : newline)
    const closing = line.search(quote.closing)
    if (closing === -1) return null
    const pair = [start, start + 1 + closing].map((at) => ({ start: at, end: at + 1, text: quote.straight }))
    edits.push(...pair)
    straight = applyEdits(straight, pair)
  }
  return null
}

/** Markdown fences that a model put inside the element. */
const withoutFences: Fix = (_parsers, code) => {
  const edits: Array<TextEdit> = []
  let start = 0
  for (const line of code.split("\n")) {
    if (line.trim().startsWith("```")) edits.push({ start, end: start + line.length, text: "" })
    start += line.length + 1
  }
  return edits.length === 0 || edits.length > 2 ? null : edits
}

/** An end tag that was cut off. */
const withoutCutEndTag: Fix = (_parsers, code) => {
  const at = code.lastIndexOf("<")
  return at !== -1 && at + 1 < code.length && "</script>".startsWith(code.slice(at).toLowerCase())
    ? [{ start: at, end: code.length, text: "" }]
    : null
}

const FIXES: ReadonlyArray<readonly [words: string, fix: Fix]> = [
  ["took away an end tag that was cut off", withoutCutEndTag],
  ["took the script out of its Markdown fence", withoutFences],
  ["wrote the operators of the script as themselves instead of as HTML entities", decodedOutsideTexts],
  ["wrote the characters of the script as themselves instead of as HTML entities", decodedEverywhere],
  ["replaced typographic quotes around texts by straight ones", straightQuotes]
]

/** Which fixes are tried together, one attempt after the other. */
const ATTEMPTS: ReadonlyArray<ReadonlyArray<number>> = [[1], [0], [2], [3], [4], [2, 4], [1, 2], [1, 4]]

/**
 * Parses a script as browsers do, or as a module if only that works. If it fails, it is tried again without typical
 * slips of chat programs and of hurry: fences, entities, typographic quotes, a cut-off end tag. The error is a value,
 * and always that of the script as given.
 */
export const parseScript = (
  parsers: SourceParsers,
  given: string,
  declared: ScriptKind
): ParsedScript | ScriptSyntaxProblem => {
  const first = parseAs(parsers, given, declared)
  // A fence at the start parses, as templates that do nothing.
  if ("program" in first && !given.trimStart().startsWith("```"))
    return { ...first, code: given, repairs: [], offsetBefore: (offset) => offset }
  for (const attempt of ATTEMPTS) {
    const stages: Array<ReadonlyArray<TextEdit>> = []
    const repairs: Array<string> = []
    let code = given
    for (const index of attempt) {
      const [words, fix] = FIXES[index] ?? []
      const edits = fix?.(parsers, code, declared) ?? null
      if (edits === null || words === undefined) break
      code = applyEdits(code, edits)
      stages.push(edits)
      repairs.push(words)
    }
    if (stages.length !== attempt.length) continue
    const outcome = parseAs(parsers, code, declared)
    if ("program" in outcome) {
      const before = (offset: number): number => stages.reduceRight((at, edits) => offsetBefore(edits, at), offset)
      return { ...outcome, code, repairs, offsetBefore: before }
    }
  }
  return "program" in first ? { ...first, code: given, repairs: [], offsetBefore: (offset) => offset } : first
}
