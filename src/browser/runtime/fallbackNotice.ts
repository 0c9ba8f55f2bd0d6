import { fallbackNote } from "../builtin/fallbackNote.ts"
import { clearNotes, showNotice } from "./notices.ts"
import type { FallbackData, PageData } from "./types.ts"

/**
 * Says above a generated view why there is no newer one; replaces notes about the view before. The built-in view says
 * this itself.
 */
export const showFallback = (fallback: FallbackData | null, view: PageData["view"]): void => {
  clearNotes()
  const note = view === "generated" ? fallbackNote(fallback, view) : undefined
  if (note !== undefined) showNotice(note)
}
