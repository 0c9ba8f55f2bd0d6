import { attribute } from "../html/HtmlCheck.ts"
import { parseMarkup } from "../html/HtmlMarkup.ts"
import type { PageBefore } from "../Inspection.ts"
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
 * The members that the page before names or shows, and `source` does not name, of those objects from which it picks
 * members. An object of which it names none is drawn whole. What becomes of a member that is named, a source does not tell.
 */
export const lostMembers = (parsers: SourceParsers, source: string, before: PageBefore): ReadonlyArray<string> => {
  const then = wordsIn(parsers, before.source)
  const now = wordsIn(parsers, source)
  const shown = new Set(before.shown)
  const lost = before.members.flatMap((names) =>
    names.some((name) => now.has(name))
      ? names.filter((name) => (then.has(name) || shown.has(name)) && !now.has(name))
      : []
  )
  return [...new Set(lost)]
}
