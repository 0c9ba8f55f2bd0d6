import { attribute } from "../html/HtmlCheck.ts"
import { parseMarkup } from "../html/HtmlMarkup.ts"
import type { SourceParsers } from "../SourceParsers.ts"

/** The names and texts that the modules of a page are written with; comments are no part of it. */
const wordsIn = (parsers: SourceParsers, source: string): ReadonlySet<string> => {
  const words = new Set<string>()
  for (const element of parseMarkup(parsers, source).elements) {
    if (element.name !== "script" || attribute(element, "type")?.toLowerCase() !== "module") continue
    parsers.acorn.parse(source.slice(element.openEnd, element.contentEnd), {
      ecmaVersion: "latest",
      sourceType: "module",
      onToken: (token) => {
        const value = "value" in token ? token.value : undefined
        if (typeof value !== "string") return
        words.add(value)
        // A path ("owner.login"), or a text that names a member.
        for (const word of value.split(/[^\p{L}\p{N}_$-]+/u)) words.add(word)
      }
    })
  }
  return words
}

/**
 * The members that `before` names and `source` does not. A page that draws a whole value without naming its members is
 * not seen through.
 */
export const lostMembers = (
  parsers: SourceParsers,
  source: string,
  before: { readonly source: string; readonly members: ReadonlyArray<string> }
): ReadonlyArray<string> => {
  const then = wordsIn(parsers, before.source)
  const now = wordsIn(parsers, source)
  return before.members.filter((name) => then.has(name) && !now.has(name))
}
