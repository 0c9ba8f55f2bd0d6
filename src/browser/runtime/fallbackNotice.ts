import { fallbackNote } from "../builtin/fallbackNote.ts"
import { showNotice } from "./notices.ts"
import type { FallbackData, PageData } from "./types.ts"

let shown: HTMLElement | undefined

/** Says above a generated view why no newer one is there; the built-in view says so itself. */
export const showFallback = (fallback: FallbackData | null, view: PageData["view"]): void => {
  shown?.remove()
  shown = view === "generated" ? fallbackNote(fallback, view) : undefined
  if (shown !== undefined) showNotice(shown)
}
