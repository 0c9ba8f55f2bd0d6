/** Replaces `text.slice(start, end)`; an insertion has `start === end`. */
export interface TextEdit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/**
 * Removes a piece of markup. After `<`, an empty comment takes its place: what follows would otherwise become a tag.
 */
export const removal = (
  markup: string,
  { start, end }: { readonly start: number; readonly end: number }
): TextEdit => ({
  start,
  end,
  text: /<[/!?]?$/u.test(markup.slice(Math.max(0, start - 2), start)) ? "<!---->" : ""
})

const inOrder = (edits: ReadonlyArray<TextEdit>): ReadonlyArray<TextEdit> => {
  let at = 0
  return edits
    .toSorted((a, b) => a.start - b.start)
    .filter(({ start, end }) => {
      if (start < at) return false
      at = end
      return true
    })
}

/** Applies edits made against the same text; an edit inside an earlier one is dropped. */
export const applyEdits = (text: string, edits: ReadonlyArray<TextEdit>): string => {
  let result = ""
  let at = 0
  for (const edit of inOrder(edits)) {
    result += text.slice(at, edit.start) + edit.text
    at = edit.end
  }
  return result + text.slice(at)
}

/** The offset before the edits of what stands at `offset` after them; inserted text maps to the start of its edit. */
export const offsetBefore = (edits: ReadonlyArray<TextEdit>, offset: number): number => {
  let shift = 0
  for (const { start, end, text } of inOrder(edits)) {
    if (offset < start + shift) break
    if (offset < start + shift + text.length) return start
    shift += text.length - (end - start)
  }
  return offset - shift
}
