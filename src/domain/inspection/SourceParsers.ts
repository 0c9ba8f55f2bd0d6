import type * as Acorn from "acorn"
import type * as AcornWalk from "acorn-walk"
import type * as Htmlparser2 from "htmlparser2"

/** The parsers that read what a model wrote. They are handed around, because loading them takes tens of milliseconds. */
export interface SourceParsers {
  readonly acorn: Pick<typeof Acorn, "parse" | "parseExpressionAt" | "tokenizer">
  readonly walk: Pick<typeof AcornWalk, "fullAncestor">
  readonly htmlparser2: Pick<typeof Htmlparser2, "Parser">
}

/** Loads the parsers; call it when the first source has to be read, not at start. */
export const loadSourceParsers = async (): Promise<SourceParsers> => {
  const [acorn, walk, htmlparser2] = await Promise.all([import("acorn"), import("acorn-walk"), import("htmlparser2")])
  return { acorn, walk, htmlparser2 }
}
