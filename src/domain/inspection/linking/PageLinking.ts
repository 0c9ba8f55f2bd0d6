import { linkSource } from "./LinkedSource.ts"
import { escapeScript } from "./ScriptEscape.ts"
import { checkServedMarkup } from "./ServedMarkup.ts"
import { loadSourceParsers } from "../SourceParsers.ts"

/** What linking a page needs, with its parsers. Import this module for the first page, not at start. */
export const loadPageLinking = async () => {
  const parsers = await loadSourceParsers()
  return {
    linkSource: (source: string, isTrusted: boolean) => linkSource(parsers, source, isTrusted),
    checkServedMarkup: (page: ReturnType<typeof linkSource>) => checkServedMarkup(parsers, page),
    escapeScript: (code: string) => escapeScript(parsers, code, "script")
  }
}
