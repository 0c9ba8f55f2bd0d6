import { button, h } from "../parts/index.ts"
import { disclosure } from "../parts/layout.ts"
import type { FallbackData, PageData } from "../runtime/types.ts"
import { fallbackText } from "./fallbackText.ts"

/** A quiet line that can be dismissed; what more there is to say is a click away. */
export const noteOf = (text: string, detail = "", onDismiss?: () => void): HTMLElement => {
  const words = h("div", {}, text, detail && disclosure("Details", () => h("p", {}, detail)))
  const note = h("div", { class: "mv-note", role: "note" }, words)
  const dismiss = (): void => {
    note.remove()
    onDismiss?.()
  }
  note.append(button("Dismiss", dismiss, { kind: "plain", small: true }))
  return note
}

/** Dismissed notes stay away as long as the document lives. */
const dismissed = new Set<string>()

/** The note about a fallback, unless it was dismissed or there is nothing to say. */
export const fallbackNote = (fallback: FallbackData | null, view: PageData["view"]): HTMLElement | undefined => {
  const text = fallback === null ? undefined : fallbackText(fallback, view)
  if (fallback === null || text === undefined || dismissed.has(text)) return undefined
  const detail = fallback.code === "PENDING" ? "" : fallback.message
  return noteOf(text, detail, () => dismissed.add(text))
}
