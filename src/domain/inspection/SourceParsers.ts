import type * as Acorn from "acorn"
import type { Program } from "acorn"
import type * as AcornWalk from "acorn-walk"
import type * as Htmlparser2 from "htmlparser2"
import type * as Parse5 from "parse5"

/** The parsers for what a model wrote. They are passed as values, because loading them takes tens of milliseconds. */
export interface SourceParsers {
  readonly acorn: Pick<typeof Acorn, "parse" | "tokenizer">
  readonly walk: Pick<typeof AcornWalk, "fullAncestor">
  /** Reads markup as written: every piece with its place. */
  readonly htmlparser2: Pick<typeof Htmlparser2, "Parser">
  /** Builds the tree that a browser builds (HTML, "Parsing HTML documents"). */
  readonly parse5: Pick<typeof Parse5, "parse" | "defaultTreeAdapter">
}

/** Loads the parsers; call it for the first source, not at start. */
export const loadSourceParsers = async (): Promise<SourceParsers> => {
  const [acorn, walk, htmlparser2, parse5] = await Promise.all([
    import("acorn"),
    import("acorn-walk"),
    import("htmlparser2"),
    import("parse5")
  ])
  return { acorn, walk, htmlparser2, parse5 }
}

/** The same parsers, but parsing the same script again returns the same tree. Use it while one source is read. */
export const parsersWithMemory = (parsers: SourceParsers): SourceParsers => {
  const programs = new Map<string, Program>()
  const parse: SourceParsers["acorn"]["parse"] = (code, options) => {
    if (options.onToken !== undefined || options.onComment !== undefined) return parsers.acorn.parse(code, options)
    const key = `${options.sourceType} ${options.preserveParens === true} ${code}`
    const program = programs.get(key) ?? parsers.acorn.parse(code, options)
    programs.set(key, program)
    return program
  }
  return { ...parsers, acorn: { parse, tokenizer: parsers.acorn.tokenizer } }
}
