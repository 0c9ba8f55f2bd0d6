import { fallbackNote } from "../builtin/fallbackNote.ts"
import { clearNotes, showNotice } from "./notices.ts"
import type { FallbackData, PageData } from "./types.ts"

/**
 * Says above a generated view why no newer one is there, in the place of all notes about the view before; the built-in
 * view says so itself.
 */
export const showFallback = (fallback: FallbackData | null, view: PageData["view"]): void => {
  clearNotes()
  const note = view === "generated" ? fallbackNote(fallback, view) : undefined
  if (note !== undefined) showNotice(note)
}
